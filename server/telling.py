"""From what a change means to the events that are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.codes import Code
from engine.position import OpenDouble
from engine.table import MEXICAN, LaidTile
from server.cases import case_of
from server.explaining import Account, SeenTurn, undetermined
from server.round_watch import SURE, RoundWatch
from server.told import Fresh, Told
from server.watch_events import Event, Moment
from vision.board import Board, Changes, KnownTile, NewTile

_THINKABLE = 0.004
_MAYBE_FITS = 0.4
_SURE_MARKER = 0.95
"""What is seen less surely accuses nobody of having put it there."""


def as_settled(changes: Changes, board: Board, corrected: Sequence[tuple[int, LaidTile]]) -> Changes:
    """The changes with the values that the joins agreed on."""
    known = {key for key, _ in changes.corrected}
    more = tuple((key, was) for key, was in corrected if key not in known)
    new = tuple(replace(tile, laid=board.tiles[tile.key].laid) for tile in changes.new)
    return replace(changes, new=new, corrected=(*changes.corrected, *more))


def fresh_of(tile: NewTile, board: Board) -> Fresh:
    """The new tile; less sure where it does not fit the one before it and that one may have been misread."""
    sure = tile.confidence * (_MAYBE_FITS if _may_fit(tile, board) else 1.0)
    return Fresh(tile.key, tile.line, tile.laid, sure, tile.options)


def _may_fit(tile: NewTile, board: Board) -> bool:
    keys = board.lines[tile.line].keys
    if tile.index == 0:
        return _may_begin(tile, board)
    if tile.index >= len(keys):
        return False
    before = board.tiles[keys[tile.index - 1]]
    row = before.evidence.typical[1 - before.near_half]
    return before.laid.far != tile.laid.near and float(row[tile.laid.near]) >= _THINKABLE


def _may_begin(tile: NewTile, board: Board) -> bool:
    """The starting double may have been misread: no other line begins with its value."""
    start = board.starting_double
    others = [line.keys[0] for line in board.lines.values() if line.keys and line.name != tile.line]
    return start != tile.laid.near and all(board.tiles[key].laid.near != start for key in others)


def corners_of(tile: KnownTile) -> tuple[tuple[float, float], ...]:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in tile.corners_px)


@dataclass(slots=True)
class Telling:
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
        found += [replace(self._owed(told, turn), late=True) for turn in told.proven]
        found += [self._owed(told, turn) for turn in account.owed]
        for number, turn in enumerate(account.turns):
            for play in turn.plays:
                entry = lays.get(id(play))
                if entry is not None:
                    found.append(self._lay(told, entry[0], turn, account))
            found += self._mark_of_turn(told, turn, shown, account)
            if turn.closed and (turn.traced or turn.begun or turn.fault is not None) and not _by_marker_alone(turn):
                found.append(self._turn(told, account, number, turn))
        return found + self._marks(told, shown)

    def _owed(self, told: Told, turn: SeenTurn) -> Event:
        """A fault of an earlier turn that only this picture proves."""
        following = self.round.left_of(turn.seat)
        event = Event("turn", self.moment, turn.seat, next=following, params={"seat": turn.seat, "next": following},
                      code="watch.turn")
        return self._accused(event, told, turn)

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
            (play.laid.near, play.laid.far), corners_of(self.board.tiles[tile.key]), "legal",
            confidence=tile.confidence, code="watch.lay",
            params={"tile": str(play.laid), "train": play.train, "seat": seats[0] if seats else None},
        )
        if turn is None or account is None:
            return replace(event, verdict="undetermined", ask="readable_tile", seats=self.round.seats)
        if turn.fault is None or turn.at is not play:
            return event
        return self._accused(event, told, turn)

    def _accused(self, event: Event, told: Told, turn: SeenTurn) -> Event:
        """The fault of a turn, told as one if nothing that it rests on is unsure."""
        doubt = told.doubt or ("readable_tile" if self._unread(turn, told) else "")
        return replace(event, verdict="undetermined", ask=doubt) if doubt else _foul(event, turn)

    def _unread(self, turn: SeenTurn, told: Told) -> bool:
        """Whether the table as it lies speaks against a fault.

        A tile that lies like to like breaks no rule of matching, whatever the train is taken to ask for; one that does
        not was more likely misread than laid against two rules at once; whoever passes by an open double does no wrong
        if the tile is not surely one; and what looks like a marker beside a tile that is hardly read may be its glint.
        """
        if turn.fault is None:
            return False
        laid = [_meets(self.board, fresh) for fresh, play in told.tiles if play is turn.at]
        if turn.fault.code is Code.NO_MATCH:
            return any(laid)
        if not all(laid) or (turn.fault.code is Code.MEXICAN_MARKED and self._glints()):
            return True
        train, value = turn.fault.params.get("double_train"), turn.fault.params.get("double")
        lines = [line for name, line in self.board.lines.items() if self.round.owners.get(name) == train]
        doubles = [self.board.tiles[key] for line in lines for key in line.keys]
        return train is not None and any(
            tile.laid.near == tile.laid.far == value and tile.evidence.confidence < SURE for tile in doubles
        )

    def _glints(self) -> bool:
        """Whether the Mexican train's marker is not surely seen, or its last tile not surely read."""
        lines = [line for name, line in self.board.lines.items() if self.round.owners.get(name) == MEXICAN]
        last = [self.board.tiles[line.keys[-1]] for line in lines if line.keys]
        return any(line.marker is not None and line.marker_sure < _SURE_MARKER for line in lines) or any(
            tile.evidence.confidence < SURE for tile in last
        )

    def _mark_of_turn(self, told: Told, turn: SeenTurn, shown: set[str], account: Account) -> list[Event]:
        """The own marker that a turn put up or took down; others that changed are at fault."""
        found = []
        of_others = {_at_fault(other) for other in account.turns if other is not turn}
        for name in (*self.changes.marked, *self.changes.unmarked):
            train = self.round.owners.get(name)
            if train is None or name in shown:
                continue
            guilty = _at_fault(turn) == train
            if not guilty and (train != turn.seat or train in of_others):
                continue
            shown.add(name)
            event = self._mark(name, train)
            if guilty:
                event = self._by(event, turn, train)
                event = self._accused(event, told, turn)
            elif _rivalled(told):
                event = replace(event, verdict="undetermined", ask="intermediate_frame")
            elif undetermined(turn.ruling) and turn.ruling is not None and turn.ruling.ask is not None:
                event = replace(event, seat=turn.seat, verdict="undetermined", ask=turn.ruling.ask.value)
            else:
                event = replace(event, seat=turn.seat)
            found.append(event)
        return found

    def _by(self, event: Event, turn: SeenTurn, train: str) -> Event:
        """A marker alone does not say whether the seat on move touched it or the one before."""
        if not _by_marker_alone(turn):
            return replace(event, seat=turn.seat)
        seats = self.round.seats
        before = seats[seats.index(turn.seat) - 1]
        return replace(event, seats=tuple(seat for seat in seats if seat in (before, turn.seat, train)))

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
            return self._accused(event, told, turn)
        if turn.ruling is not None and turn.ruling.ask is not None:
            return replace(event, verdict="undetermined", ask=turn.ruling.ask.value)
        return event


def _meets(board: Board, tile: Fresh) -> bool:
    """Whether a tile shows what the one before it in its line, or the starting double, shows there."""
    keys = board.lines[tile.line].keys
    place = keys.index(tile.key) if tile.key in keys else 0
    before = board.tiles[keys[place - 1]].laid.far if place > 0 else board.starting_double
    return before == tile.laid.near


def _rivalled(told: Told) -> bool:
    """An account with a fault is as good as one without: a picture from in between would have told."""
    return not told.accounts[0].faults and any(account.faults for account in told.accounts)


def _of_marker(turn: SeenTurn) -> bool:
    return turn.fault is not None and turn.fault.code in (
        Code.MARKER_UNDUE, Code.MARKER_REMOVED_WRONGLY, Code.MEXICAN_MARKED
    )


def _at_fault(turn: SeenTurn) -> object:
    """The train whose marker a turn treated against the rules."""
    return turn.fault.params.get("train") if turn.fault is not None and _of_marker(turn) else None


def _by_marker_alone(turn: SeenTurn) -> bool:
    """Nothing was laid, so that it is no turn: the seat to move is still to move."""
    return _of_marker(turn) and not turn.plays


def _told_by_marker(turn: SeenTurn, telling: Telling) -> bool:
    """The fault stands on the event of a marker already."""
    if not _of_marker(turn) or turn.fault is None:
        return False
    changed = {telling.round.owners.get(name) for name in (*telling.changes.marked, *telling.changes.unmarked)}
    return turn.fault.params.get("train") in changed


def _foul(event: Event, turn: SeenTurn) -> Event:
    assert turn.fault is not None
    return replace(event, verdict="illegal", why=turn.fault.code.value, code=f"ruling.{turn.fault.code.value}",
                   params=dict(turn.fault.params))


def gone_events(
    before: Board, gone: Sequence[KnownTile], owners: Mapping[str, str], moment: Moment
) -> list[Event]:
    """Tiles that lay there before and do not any more."""
    return [_of_tile("removed", before, tile, owners, moment) for tile in gone]


def moved_events(board: Board, keys: Sequence[int], owners: Mapping[str, str], moment: Moment) -> list[Event]:
    """Tiles that were pushed elsewhere and lie there now: the same tiles, and no move."""
    return [_of_tile("moved", board, board.tiles[key], owners, moment) for key in keys]


def _of_tile(event: str, board: Board, tile: KnownTile, owners: Mapping[str, str], moment: Moment) -> Event:
    spot = board.line_of(tile.key)
    train = None if spot is None else owners.get(spot[0], spot[0])
    laid = tile.laid
    return Event(event, moment, train=train, tile=(laid.near, laid.far), corners_px=corners_of(tile),
                 confidence=tile.evidence.confidence, code=f"watch.{event}",
                 params={"tile": str(laid), "train": train})  # fmt: skip


def corrected_event(tile: KnownTile, train: str | None, was: tuple[int, int], moment: Moment) -> Event:
    laid = tile.laid
    return Event("lay", moment, train=train, tile=(laid.near, laid.far), corners_px=corners_of(tile),
                 verdict="undetermined", confidence=tile.evidence.confidence, corrects=was, code="watch.corrected",
                 params={"tile": str(laid), "was": f"{was[0]}-{was[1]}", "train": train})


def double_events(before: Sequence[OpenDouble], round_watch: RoundWatch, moment: Moment) -> list[Event]:
    """Doubles that opened, and those that were covered."""
    now = round_watch.now
    old = {(double.train, double.value) for double in before}
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


def unruled_events(board: Board, changes: Changes, moment: Moment) -> list[Event]:
    """Seats are not known: what lies where, and whether it fits what lies before it."""
    events = []
    for new in changes.new:
        line = board.lines[new.line]
        before = board.tiles[line.keys[new.index - 1]].laid.far if new.index > 0 else board.starting_double
        fits = before is None or before == new.laid.near
        sure = fresh_of(new, board).confidence >= SURE and _sure_before(new, board)
        verdict = "legal" if fits else "illegal" if sure else "undetermined"
        events.append(Event("lay", moment, train=new.line, tile=(new.laid.near, new.laid.far),
                            corners_px=corners_of(board.tiles[new.key]), verdict=verdict,
                            why="R_NO_MATCH" if verdict == "illegal" else None,
                            ask="readable_tile" if verdict == "undetermined" else None, confidence=new.confidence,
                            code="watch.lay",
                            params={"tile": str(new.laid), "train": new.line, "seat": None, "end": before}))
    for name in changes.marked:
        events.append(Event("marker_on", moment, train=name, code="watch.marker_on", params={"train": name}))
    for name in changes.unmarked:
        events.append(Event("marker_off", moment, train=name, code="watch.marker_off", params={"train": name}))
    return events


def _sure_before(new: NewTile, board: Board) -> bool:
    """The tile that it lies against was surely read, and neither lies the way that only the other kind does."""
    if new.index == 0:
        return False  # seats are not known, nor what lay there before: the starting double may be another
    before = board.tiles[board.lines[new.line].keys[new.index - 1]]
    return before.evidence.confidence >= SURE and new.laid.near != new.laid.far and not before.laid.is_double
