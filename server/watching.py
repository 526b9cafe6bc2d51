"""The watcher: settled readings of the table in, events out. Pure: no picture, no clock, no file.

It keeps what is known of the table (`vision.board`) and of the round (`server.round_watch`), and says what each
settled picture changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.codes import Code
from engine.errors import EngineError
from engine.position import Position
from engine.rules import Rules
from engine.setup import new_round_unseen
from engine.table import LaidTile, Seat, Table
from server.cases import case_of
from server.explaining import Account, SeenTurn, State, undetermined
from server.joins import settle_joins
from server.round_watch import Fresh, RoundWatch, Told, unseen_hands
from server.watch_events import Event, Moment
from vision.board import Board, Changes, KnownTile, NewTile
from vision.follow import Look, begin, follow
from vision.placing import begin_free, follow_free


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """What the person said when the watch began."""

    seats: tuple[Seat, ...] = ()
    first: Seat | None = None
    rules: Rules = field(default_factory=Rules)
    mixed: bool = False
    free: bool = False
    start: Position | None = None


class Watcher:
    """Follows one table. Feed it settled looks; it answers with events."""

    def __init__(self, options: WatchOptions) -> None:
        self.options = options
        self.board: Board | None = None
        self.round: RoundWatch | None = None
        self._covered = False
        self._lost = False
        self.moment: Moment | None = None

    # -- what is not a move -----------------------------------------------------------------------------

    def occluded(self, moment: Moment) -> list[Event]:
        """A hand or an arm is over the table."""
        if self._covered or self.board is None:
            return []
        self._covered = True
        return [Event("occluded", moment, code="watch.occluded")]

    def clear(self, moment: Moment) -> list[Event]:
        """Nothing is in the way any more."""
        if not self._covered:
            return []
        self._covered = False
        return [Event("clear", moment, code="watch.clear")]

    def lost(self, moment: Moment, reason: str) -> list[Event]:
        """The source brings nothing new."""
        if self._lost:
            return []
        self._lost = True
        return [Event("lost", moment, code=f"watch.lost_{reason}", why=reason)]

    def recovered(self, moment: Moment) -> list[Event]:
        """The source is back."""
        if not self._lost:
            return []
        self._lost = False
        return [Event("recovered", moment, code="watch.recovered")]

    # -- settled pictures -------------------------------------------------------------------------------

    def settled(self, look: Look, moment: Moment) -> list[Event]:
        """The table lies still and is read."""
        self.moment = moment
        events = self.clear(moment)
        look = replace(look, mixed=self.options.mixed)
        if self.board is None:
            return events + self._begin(look, moment)
        if self.options.free:
            self.board, changes = follow_free(self.board, look)
            return events + _placed(self.board, changes, moment)
        before = self.board
        self.board, changes = follow(self.board, look)
        if not changes.any:
            return events
        settled = settle_joins(self.board, changes.new, self.options.mixed)
        self.board = settled.board
        changes = _as_settled(changes, self.board, settled.corrected)
        return events + self._changed(before, changes, moment)

    def finish(self) -> list[Event]:
        """The source has ended: a seat that has laid as many tiles as it was dealt may be out."""
        out = None if self.round is None else self.round.perhaps_out()
        if out is None or self.moment is None:
            return []
        return [Event("round_over", self.moment, out, verdict="undetermined", ask="out", code="watch.round_over",
                      params={"seat": out})]

    def quiet(self) -> None:
        """The table was looked at again and nothing had changed."""
        if self.round is not None:
            self.round.quiet = True

    def _begin(self, look: Look, moment: Moment) -> list[Event]:
        if self.options.free:
            self.board = begin_free(look)
            if self.board is None:
                return []
            ready = Event("ready", moment, code="watch.ready_free", params={"count": len(self.board.tiles)})
            # A game that begins with its first tile was begun by laying it.
            return [ready, *(_placed_all(self.board, moment) if len(self.board.tiles) == 1 else [])]
        self.board = begin(look)
        if self.board is None:
            return []
        value = self.board.starting_double
        self.round = _round_of(self.board, self.options)
        ready = Event("ready", moment, tile=None if value is None else (value, value), code="watch.ready",
                      params={"value": value, "trains": len(self.board.lines)})
        return [ready]

    def _changed(self, before: Board, changes: Changes, moment: Moment) -> list[Event]:
        assert self.board is not None
        events = self._gone(before, changes, moment)
        if self.round is None:
            return events + _unruled(self.board, changes, moment)
        late = [tile for tile in changes.new if tile.late]
        if changes.corrected:
            events += self._restate(changes, moment)
        if changes.gone or late:
            events += self._stand_anew(changes, late, moment)
        fresh = [_fresh(tile) for tile in changes.new if not tile.late]
        marked = [name for name, line in self.board.lines.items() if line.marker is not None]
        if not fresh and not changes.marked and not changes.unmarked:
            return events
        angles = {name: line.angle for name, line in self.board.lines.items()}
        doubles = self.round.now.open_doubles
        told = self.round.change(fresh, marked, angles)
        self._take_values(told)
        events += _Telling(self.board, self.round, moment, changes).events(told)
        return events + _doubles(doubles, self.round, moment)

    def _gone(self, before: Board, changes: Changes, moment: Moment) -> list[Event]:
        owners = {} if self.round is None else self.round.owners
        events = []
        for tile in changes.gone:
            spot = before.line_of(tile.key)
            train = None if spot is None else owners.get(spot[0], spot[0])
            laid = tile.laid
            events.append(Event("removed", moment, train=train, tile=(laid.near, laid.far), corners_px=_corners(tile),
                                confidence=tile.evidence.confidence, code="watch.removed",
                                params={"tile": str(laid), "train": train}))
        return events

    def _restate(self, changes: Changes, moment: Moment) -> list[Event]:
        """Tiles turned out to be others: every way in which the round may stand stands with them."""
        assert self.board is not None
        assert self.round is not None
        events = []
        for key, was in changes.corrected:
            tile, spot = self.board.tiles[key], self.board.line_of(key)
            train = None if spot is None else self.round.owners.get(spot[0], spot[0])
            if train is not None:
                self.round.restate(train, was, tile.laid)
            events.append(_corrected(tile, train, (was.near, was.far), moment))
        return events

    def _stand_anew(self, changes: Changes, late: Sequence[NewTile], moment: Moment) -> list[Event]:
        """Tiles were taken away, or had been overlooked: stand as the table lies without the newest tiles."""
        assert self.board is not None
        assert self.round is not None
        events = []
        for new in late:
            train = self.round.owners.get(new.line, new.line)
            events.append(Event("lay", moment, None, self.round.seats, train, (new.laid.near, new.laid.far),
                                _corners(self.board.tiles[new.key]), "undetermined", None, "actor", "",
                                new.confidence, code="watch.late", params={"tile": str(new.laid), "train": train}))
        newest = {tile.key for tile in changes.new if not tile.late}
        board = self.board
        for key in newest:
            board = board.without_tile(key)
        table = board.table(self.round.owners)
        if table is not None and not (changes.gone and self.round.back_to(table)):
            owned = tuple(train for train in table.trains if train.owner in self.round.owners.values())
            table = Table(table.starting_double, owned)
            self.round.take_over(table, self.round.now.table.markers)
        return events

    def _take_values(self, told: Told) -> None:
        """Tiles that were taken to be what they may also be read as are known as that from now on."""
        assert self.board is not None
        for fresh, play in told.tiles:
            tile = self.board.tiles[fresh.key]
            if tile.laid != play.laid:
                ends = (play.laid.near, play.laid.far)
                if tile.near_half == 1:
                    ends = (play.laid.far, play.laid.near)
                self.board = self.board.with_tile(replace(tile, taken_for=ends))


# -- beginning ------------------------------------------------------------------------------------------


def _round_of(board: Board, options: WatchOptions) -> RoundWatch | None:
    """The round that begins, if the seats are known and no train has one already."""
    value = board.starting_double
    if options.start is not None:
        position = unseen_hands(options.start)
        round_watch = RoundWatch(options.rules, position.seats, (State.fresh(position),))
        round_watch.owners = owners_by_tiles(board, position.table)
        return round_watch
    if not options.seats or value is None or any(line.keys for line in board.lines.values()):
        return None
    first = options.first or options.seats[0]
    try:
        position = new_round_unseen(options.rules, options.seats, value, first, None)
    except EngineError:
        return None
    round_watch = RoundWatch(options.rules, options.seats, (State.fresh(unseen_hands(position)),))
    round_watch.held = {seat: position.hand(seat).count or 0 for seat in position.seats}
    return round_watch


def owners_by_tiles(board: Board, table: Table) -> dict[str, str]:
    """Whose lines these are, by the tiles that are said to lie in them."""
    found: dict[str, str] = {}
    for name, line in board.lines.items():
        seen = {board.tiles[key].values for key in line.keys}
        best = max(
            table.trains,
            key=lambda train: len(seen & {(t.tile.low, t.tile.high) for t in train.tiles}),
            default=None,
        )
        if best is not None and seen & {(t.tile.low, t.tile.high) for t in best.tiles}:
            found[name] = best.owner
    return found


# -- telling --------------------------------------------------------------------------------------------


def _as_settled(changes: Changes, board: Board, corrected: Sequence[tuple[int, LaidTile]]) -> Changes:
    """The changes with the values that the joins agreed on."""
    known = {key for key, _ in changes.corrected}
    more = tuple((key, was) for key, was in corrected if key not in known)
    new = tuple(replace(tile, laid=board.tiles[tile.key].laid) for tile in changes.new)
    return replace(changes, new=new, corrected=(*changes.corrected, *more))


def _fresh(tile: NewTile) -> Fresh:
    return Fresh(tile.key, tile.line, tile.laid, tile.confidence, tile.options)


def _corners(tile: KnownTile) -> tuple[tuple[float, float], ...]:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in tile.corners_px)


@dataclass(slots=True)
class _Telling:
    """From accounts to events."""

    board: Board
    round: RoundWatch
    moment: Moment
    changes: Changes

    def events(self, told: Told) -> list[Event]:
        """In the order in which it happened."""
        lays = {id(play): (fresh, play) for fresh, play in told.tiles}
        if not told.accounts:
            return [self._lay(told, fresh, None, None) for fresh, _ in told.tiles] + self._marks(told, set())
        found: list[Event] = []
        account = told.accounts[0]
        shown: set[str] = set()
        found += [self._owed(told, turn) for turn in account.owed]
        for number, turn in enumerate(account.turns):
            for play in turn.plays:
                entry = lays.get(id(play))
                if entry is not None:
                    found.append(self._lay(told, entry[0], turn, account))
            found += self._mark_of_turn(told, turn, shown)
            if turn.closed and (turn.traced or turn.begun or turn.fault is not None):
                found.append(self._turn(told, account, number, turn))
        return found + self._marks(told, shown)

    def _owed(self, told: Told, turn: SeenTurn) -> Event:
        """A fault of an earlier turn that only this picture proves."""
        following = self.round.left_of(turn.seat)
        event = Event("turn", self.moment, turn.seat, next=following, params={"seat": turn.seat, "next": following},
                      code="watch.turn")
        return _foul(event, turn) if told.sure else replace(event, verdict="undetermined", ask="intermediate_frame")

    def _seats(self, told: Told, tile: Fresh) -> tuple[str, ...]:
        plays = [play for fresh, play in told.tiles if fresh.key == tile.key]
        seats = [account.seat_of(plays[0]) for account in told.accounts]
        order = {seat: place for place, seat in enumerate(self.round.seats)}
        return tuple(sorted({seat for seat in seats if seat is not None}, key=lambda seat: order[seat]))

    def _lay(self, told: Told, tile: Fresh, turn: SeenTurn | None, account: Account | None) -> Event:
        play = next(play for fresh, play in told.tiles if fresh.key == tile.key)
        seats = self._seats(told, tile)
        event = Event(
            "lay", self.moment, seats[0] if len(seats) == 1 else None, seats if len(seats) != 1 else (), play.train,
            (play.laid.near, play.laid.far), _corners(self.board.tiles[tile.key]), "legal",
            confidence=tile.confidence, code="watch.lay",
            params={"tile": str(play.laid), "train": play.train, "seat": seats[0] if seats else None},
        )
        if turn is None or account is None:
            return replace(event, verdict="undetermined", ask="readable_tile", seats=self.round.seats)
        if turn.fault is None or turn.at is not play:
            return event
        if not told.sure:
            return replace(event, verdict="undetermined", ask="readable_tile")
        return _foul(event, turn)

    def _mark_of_turn(self, told: Told, turn: SeenTurn, shown: set[str]) -> list[Event]:
        """The own marker that a turn put up or took down; others that changed are at fault."""
        found = []
        for name in (*self.changes.marked, *self.changes.unmarked):
            train = self.round.owners.get(name)
            if train is None or name in shown:
                continue
            guilty = turn.fault is not None and turn.fault.params.get("train") == train and _of_marker(turn)
            if train != turn.seat and not guilty:
                continue
            shown.add(name)
            event = self._mark(name, train)
            if guilty and told.sure:
                event = _foul(replace(event, seat=turn.seat), turn)
            elif undetermined(turn.ruling) and turn.ruling is not None and turn.ruling.ask is not None:
                event = replace(event, seat=turn.seat, verdict="undetermined", ask=turn.ruling.ask.value)
            else:
                event = replace(event, seat=turn.seat)
            found.append(event)
        return found

    def _mark(self, name: str, train: str) -> Event:
        kind = "marker_on" if name in self.changes.marked else "marker_off"
        marker = self.board.lines[name].marker
        corners = None
        if marker is not None:
            corners = tuple((round(float(x), 1), round(float(y), 1)) for x, y in marker)
        return Event(kind, self.moment, train=train, corners_px=corners, verdict="legal", code=f"watch.{kind}",
                     params={"train": train})

    def _marks(self, told: Told, shown: set[str]) -> list[Event]:
        """Markers that no turn accounts for."""
        names = [name for name in (*self.changes.marked, *self.changes.unmarked) if name not in shown]
        events = [self._mark(name, self.round.owners.get(name, name)) for name in names]
        if told.accounts:
            return events
        return [replace(event, verdict="undetermined", ask="intermediate_frame") for event in events]

    def _marks_then(self, turn: SeenTurn) -> list[str]:
        """Markers at the end of a turn, as far as the picture after it shows."""
        seen = {self.round.owners.get(name) for name, line in self.board.lines.items() if line.marker is not None}
        before = set() if turn.state is None else set(turn.state.base.table.markers)
        own = {turn.seat} if turn.seat in seen else set()
        return sorted((before - {turn.seat}) | own)

    def _turn(self, told: Told, account: Account, number: int, turn: SeenTurn) -> Event:
        following = account.turns[number + 1].seat if number + 1 < len(account.turns) else account.state.seat
        seats = tuple(dict.fromkeys(
            other.turns[number].seat for other in told.accounts if number < len(other.turns)
        ))
        if any(len(other.turns) != len(account.turns) for other in told.accounts):
            seats = tuple(dict.fromkeys(
                t.seat for other in told.accounts for t in other.turns if t.traced
            ))
        alone = len(seats) == 1
        event = Event("turn", self.moment, turn.seat if alone else None, () if alone else seats, verdict="legal",
                      code="watch.turn", params={"seat": turn.seat, "next": following},
                      next=following if alone else None)
        if turn.state is not None:
            event = replace(event, case=case_of(turn, turn.state, self._marks_then(turn), self.round.rules))
        if turn.fault is not None and turn.at is None and not _told_by_marker(turn, self):
            return _foul(event, turn) if told.sure else replace(event, verdict="undetermined", ask="readable_tile")
        if turn.ruling is not None and turn.ruling.ask is not None:
            return replace(event, verdict="undetermined", ask=turn.ruling.ask.value)
        return event


def _of_marker(turn: SeenTurn) -> bool:
    return turn.fault is not None and turn.fault.code in (
        Code.MARKER_UNDUE, Code.MARKER_REMOVED_WRONGLY, Code.MEXICAN_MARKED
    )


def _told_by_marker(turn: SeenTurn, telling: _Telling) -> bool:
    """The fault stands on the event of a marker already."""
    if not _of_marker(turn) or turn.fault is None:
        return False
    changed = {telling.round.owners.get(name) for name in (*telling.changes.marked, *telling.changes.unmarked)}
    return turn.fault.params.get("train") in changed


def _foul(event: Event, turn: SeenTurn) -> Event:
    assert turn.fault is not None
    return replace(event, verdict="illegal", why=turn.fault.code.value, code=f"ruling.{turn.fault.code.value}",
                   params=dict(turn.fault.params))


def _corrected(tile: KnownTile, train: str | None, was: tuple[int, int], moment: Moment) -> Event:
    laid = tile.laid
    return Event("lay", moment, train=train, tile=(laid.near, laid.far), corners_px=_corners(tile),
                 verdict="undetermined", confidence=tile.evidence.confidence, corrects=was, code="watch.corrected",
                 params={"tile": str(laid), "was": f"{was[0]}-{was[1]}", "train": train})


def _doubles(before: Sequence[object], round_watch: RoundWatch, moment: Moment) -> list[Event]:
    """Doubles that opened, and those that were covered."""
    now = round_watch.now
    old = {(double.train, double.value) for double in before}  # type: ignore[attr-defined]
    new = {(double.train, double.value) for double in now.open_doubles}
    events = []
    for train, value in sorted(old - new):
        events.append(Event("double_covered", moment, train=train, tile=(value, value), code="watch.double_covered",
                            params={"train": train, "value": value}))
    for train, value in sorted(new - old):
        seat = now.turn.seat if len(round_watch.states) == 1 else None
        events.append(Event("open_double", moment, seat, train=train, tile=(value, value), code="watch.open_double",
                            params={"train": train, "value": value, "seat": seat}, next=seat))
    return events


# -- without rules --------------------------------------------------------------------------------------


def _unruled(board: Board, changes: Changes, moment: Moment) -> list[Event]:
    """Seats are not known: what lies where, and whether it fits what lies before it."""
    events = []
    for new in changes.new:
        line = board.lines[new.line]
        before = board.tiles[line.keys[new.index - 1]].laid.far if new.index > 0 else board.starting_double
        fits = before is None or before == new.laid.near
        sure = new.confidence > 0.93
        verdict = "legal" if fits else "illegal" if sure else "undetermined"
        events.append(Event("lay", moment, train=new.line, tile=(new.laid.near, new.laid.far),
                            corners_px=_corners(board.tiles[new.key]), verdict=verdict,
                            why="R_NO_MATCH" if verdict == "illegal" else None,
                            ask="readable_tile" if verdict == "undetermined" else None, confidence=new.confidence,
                            code="watch.lay", params={"tile": str(new.laid), "train": new.line, "seat": None}))
    for name in changes.marked:
        events.append(Event("marker_on", moment, train=name, code="watch.marker_on", params={"train": name}))
    for name in changes.unmarked:
        events.append(Event("marker_off", moment, train=name, code="watch.marker_off", params={"train": name}))
    return events


def _placed(board: Board, changes: Changes, moment: Moment) -> list[Event]:
    events = [
        Event("removed", moment, tile=tile.values, corners_px=_corners(tile), code="watch.removed_free",
              params={"tile": f"{tile.values[0]}-{tile.values[1]}"}, confidence=tile.evidence.confidence)
        for tile in changes.gone
    ]
    events += [_placed_one(board.tiles[new.key], moment) for new in changes.new]
    for key, was in changes.corrected:
        events.append(_corrected(board.tiles[key], None, (was.near, was.far), moment))
    return events


def _placed_all(board: Board, moment: Moment) -> list[Event]:
    return [_placed_one(tile, moment) for tile in board.tiles.values()]


def _placed_one(tile: KnownTile, moment: Moment) -> Event:
    laid = tile.laid
    return Event("lay", moment, tile=(laid.near, laid.far), corners_px=_corners(tile),
                 confidence=tile.evidence.confidence, code="watch.placed", params={"tile": str(laid)})

