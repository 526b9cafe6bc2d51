"""The watcher: settled readings of the table in, events out. Pure: no picture, no clock, no file.

It keeps what is known of the table (`vision.board`) and of the round (`server.round_watch`), and says what each
settled picture changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from engine.errors import EngineError
from engine.position import Position
from engine.rules import Rules
from engine.setup import new_round_unseen
from engine.table import LaidTile, Seat, Table
from server.explaining import State
from server.joins import settle_joins
from server.placed import begun_events, placed_events
from server.restating import unseen_hands
from server.round_watch import RoundWatch
from server.second_look import places_in_doubt
from server.taking_up import known_part, owners_by_tiles
from server.telling import (
    Telling,
    as_settled,
    corners_of,
    corrected_event,
    double_events,
    fresh_of,
    gone_events,
    moved_events,
    unruled_events,
)
from server.told import Blur, Told
from server.watch_events import Event, Moment
from server.weighing import at_fault
from vision.board import Board, Changes, NewTile
from vision.follow import begin, follow
from vision.follow_markers import dim_markers, with_marker
from vision.placing import begin_free, follow_free, placed_in_doubt
from vision.tiles import Points
from vision.work import Look

Again = Callable[[list[Points]], Look | None]
"""Reads the picture that was just looked at once more, round places (corners (4, 2) px); `None`: often enough."""

MOST_LOOKS = 2
"""Second looks at one picture."""
_UNREADABLE, _READABLE = 0.5, 0.25
"""With more of the tiles unsure than the first nothing is followed, until no more than the second are."""
_MOST_BEGUN = 3
"""First lines that may lie there before the first picture; of more, nobody can say whose they are."""


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """What the person said when the watch began."""

    seats: tuple[Seat, ...] = ()
    first: Seat | None = None
    rules: Rules = field(default_factory=Rules)
    mixed: bool = False
    free: bool = False
    start: Position | None = None


@dataclass(frozen=True, slots=True)
class _Kept:
    """The watcher before a look."""

    board: Board | None
    round: RoundWatch | None
    covered: bool


@dataclass(frozen=True, slots=True)
class _Told:
    events: list[Event]
    changes: Changes


class Watcher:
    """Follows one table. Feed it settled looks; it answers with events."""

    def __init__(self, options: WatchOptions) -> None:
        self.options = options
        self.board: Board | None = None
        self.round: RoundWatch | None = None
        self._covered = False
        self._lost = False
        self.is_blind = False
        """The last picture could not be read: what is known is as it was before."""
        self.moment: Moment | None = None
        self._withheld: list[Event] = []
        """What a still table gave away about earlier pictures: told with what happens next."""

    @property
    def is_covered(self) -> bool:
        """A hand or an arm is over the table."""
        return self._covered

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

    def settled(self, look: Look, moment: Moment, again: Again | None = None) -> list[Event]:
        """The table lies still and is read.

        `again` reads the same picture once more, round the places it is given: before anything weighty is told.
        """
        self.moment = moment
        if look.unsure_share > (_READABLE if self.is_blind else _UNREADABLE):
            return self._cannot_read(moment)
        before = self._kept()
        told = self._looked(look, moment)
        for _ in range(MOST_LOOKS):
            places = self._in_doubt(told, before)
            if not places or (look.still and not told.events):
                break
            more = None if again is None else again(places)
            if more is None:
                break
            self._put_back(before)
            told = self._looked(replace(more, still=look.still, resting=look.resting), moment)
        return [*self._reads_again(moment), *self._at_its_time(told.events, look.still and not look.resting)]

    def _cannot_read(self, moment: Moment) -> list[Event]:
        """Said once: values that are guessed would be moves that nobody made."""
        if self.is_blind:
            return []
        self.is_blind = True
        return [Event("lost", moment, code="watch.lost_unreadable", why="unreadable")]

    def _reads_again(self, moment: Moment) -> list[Event]:
        if not self.is_blind:
            return []
        self.is_blind = False
        return [Event("recovered", moment, code="watch.recovered_readable")]

    def _at_its_time(self, events: list[Event], still: bool) -> list[Event]:
        """A still table produces no events: what was misread or overlooked is told with the next change."""
        if still:
            self._withheld += [event for event in events if event.event != "clear"]
            return [event for event in events if event.event == "clear"]
        if not any(event.event != "clear" for event in events):
            return events
        earlier, self._withheld = self._withheld, []
        return [*(replace(one, moment=events[0].moment) for one in earlier), *events]

    def _kept(self) -> _Kept:
        round_watch = None if self.round is None else self.round.copy()
        return _Kept(self.board, round_watch, self._covered)

    def _put_back(self, kept: _Kept) -> None:
        self.board, self._covered = kept.board, kept.covered
        self.round = None if kept.round is None else kept.round.copy()

    def _looked(self, look: Look, moment: Moment) -> _Told:
        events = self.clear(moment)
        look = replace(look, mixed=self.options.mixed)
        if self.board is None:
            events += self._begin(look, moment)
            if not self._catches_up():
                return _Told(events, Changes())
            assert self.board is not None
        if self.options.free:
            before = self.board
            self.board, changes = follow_free(before, look)
            return _Told(events + placed_events((before, self.board), changes, moment), changes)
        before = self.board
        self.board, changes = follow(self.board, look)
        if not changes.any:
            return _Told(events, changes)
        settled = settle_joins(self.board, changes.new, self.options.mixed)
        self.board = settled.board
        changes = as_settled(changes, self.board, settled.corrected)
        return _Told(events + self._changed(before, changes, moment), changes)

    def _in_doubt(self, told: _Told, before: _Kept) -> list[Points]:
        if self.board is None or before.board is None:
            return []
        if self.options.free:
            return placed_in_doubt(before.board, self.board, told.changes)
        owners = {} if self.round is None else self.round.owners
        return places_in_doubt(told.events, told.changes, (before.board, self.board), owners)

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
            return [] if self.board is None else begun_events(self.board, moment)
        start = self.options.start
        self.board = begin(look, None if start is None else start.table.starting_double)
        if self.board is None:
            return []
        value = self.board.starting_double
        self.round = _round_of(self.board, self.options)
        ready = Event("ready", moment, tile=None if value is None else (value, value), code="watch.ready",
                      params={"value": value, "trains": len(self.board.lines)})
        return [ready]

    def _catches_up(self) -> bool:
        """The first picture shows more than the game knows: the board holds what is known, the rest is to be told."""
        if self.board is None or self.round is None:
            return False
        known = known_part(self.board, self.round.now)
        more = len(known.tiles) < len(self.board.tiles)
        more = more or any(line.marker is not None for line in self.board.lines.values())
        self.board = known if more else self.board
        return more

    def _changed(self, before: Board, changes: Changes, moment: Moment) -> list[Event]:
        assert self.board is not None
        owners = {} if self.round is None else self.round.owners
        events = gone_events(before, changes.gone, owners, moment)
        events += moved_events(self.board, changes.moved, owners, moment)
        if self.round is None:
            return events + unruled_events(self.board, changes, moment)
        if changes.corrected:
            events += self._restate(changes, moment)
        for gone, _ in changes.merged:
            self.round.owners.pop(gone, None)
        changes = self._in_time(changes)
        late = [tile for tile in changes.new if tile.late]
        if changes.gone or late or changes.merged:
            events += self._stand_anew(changes, late, moment)
        if all(tile.late for tile in changes.new) and not changes.marked and not changes.unmarked:
            return events
        doubles = self.round.now.open_doubles
        told = self._means(self.round, changes)
        self._take_values(told)
        changes = self._take_markers(told, changes)
        events += Telling(self.board, self.round, moment, changes).events(told)
        return events + double_events(doubles, self.round, moment)

    def _means(self, round_watch: RoundWatch, changes: Changes) -> Told:
        """What is new means to that round, which goes on from there."""
        assert self.board is not None
        fresh = [fresh_of(tile, self.board) for tile in changes.new if not tile.late]
        lines = self.board.lines.items()
        marked, angles = [name for name, line in lines if line.marker is not None], {n: line.angle for n, line in lines}
        unsure = tuple(dict.fromkeys((*changes.unsure, *dim_markers(self.board))))
        return round_watch.change(fresh, marked, angles, Blur(unsure, changes.strange, changes.blind))

    def _in_time(self, changes: Changes) -> Changes:
        """Tiles that an earlier look missed are late, if with them at this time somebody would be at fault.

        Where they begin a line they are not: whose it is has to be found out with them.
        """
        assert self.round is not None
        known = self.round.owners
        missed = {tile.key for tile in changes.new if tile.overlooked and tile.line in known}
        if any(tile.overlooked and tile.line not in known for tile in changes.new) or not missed:
            return changes
        told = self._means(self.round.copy(), changes)
        if told.accounts and not at_fault(told):
            return changes
        return replace(changes, new=tuple(replace(tile, late=tile.late or tile.key in missed) for tile in changes.new))

    def _restate(self, changes: Changes, moment: Moment) -> list[Event]:
        """Tiles turned out to be others: every way in which the round may stand stands with them."""
        assert self.board is not None
        assert self.round is not None
        events = []
        for key, was in changes.corrected:
            tile, spot = self.board.tiles[key], self.board.line_of(key)
            if key == self.board.start:
                events += self._restart(tile.laid, was, moment)
                continue
            train = None if spot is None else self.round.owners.get(spot[0], spot[0])
            if train is not None:
                self.round.restate(train, was, tile.laid)
            events.append(corrected_event(tile, train, (was.near, was.far), moment))
        return events

    def _restart(self, now: LaidTile, was: LaidTile, moment: Moment) -> list[Event]:
        """The starting double was misread. What the game was told of it stands."""
        assert self.round is not None
        if self.options.start is not None:
            return []
        self.round.restart(now.near)
        return [Event("ready", moment, tile=(now.near, now.far), corrects=(was.near, was.far), code="watch.ready",
                      params={"value": now.near, "trains": len(self.round.owners)})]

    def _stand_anew(self, changes: Changes, late: Sequence[NewTile], moment: Moment) -> list[Event]:
        """Tiles were taken away, or had been overlooked: stand as the table lies without the newest tiles."""
        assert self.board is not None
        assert self.round is not None
        events = []
        for new in late:
            train = self.round.owners.get(new.line, new.line)
            events.append(Event("lay", moment, None, self.round.seats, train, (new.laid.near, new.laid.far),
                                corners_of(self.board.tiles[new.key]), "undetermined", None, "actor", "",
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

    def _take_markers(self, told: Told, changes: Changes) -> Changes:
        """Markers that stand, or are gone, against what was seen are known so from now on."""
        assert self.board is not None
        marked, unmarked = list(changes.marked), list(changes.unmarked)
        for name in told.flipped:
            line = self.board.lines[name]
            if line.marker is not None:
                self.board = self.board.with_line(replace(line, marker=None))
                marked.remove(name) if name in marked else unmarked.append(name)
            else:
                self.board = self.board.with_line(with_marker(line, self.board.slot_px(name), self.board.tile_px))
                unmarked.remove(name) if name in unmarked else marked.append(name)
        return replace(changes, marked=tuple(marked), unmarked=tuple(unmarked))


# -- beginning ------------------------------------------------------------------------------------------


def _round_of(board: Board, options: WatchOptions) -> RoundWatch | None:
    """The round that begins, if the seats are known and no more lies there than a few first lines."""
    value = board.starting_double
    if options.start is not None:
        position = unseen_hands(options.start)
        round_watch = RoundWatch(options.rules, position.seats, (State.fresh(position),))
        round_watch.owners = owners_by_tiles(board, position.table)
        round_watch.held = {seat: count for seat in position.seats if (count := options.start.hand(seat).count)}
        return round_watch
    lines = [line for line in board.lines.values() if line.keys]
    if not options.seats or value is None or len(lines) > _MOST_BEGUN or any(line.name[0] == "M" for line in lines):
        return None
    first = options.first or options.seats[0]
    try:
        position = new_round_unseen(options.rules, options.seats, value, first, None)
    except EngineError:
        return None
    round_watch = RoundWatch(options.rules, options.seats, (State.fresh(unseen_hands(position)),))
    round_watch.held = {seat: position.hand(seat).count or 0 for seat in position.seats}
    round_watch.anchored = not lines
    return round_watch
