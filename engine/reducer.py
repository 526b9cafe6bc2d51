"""The one place where a position changes: `apply`. Nothing is mutated; a refusal returns the old position."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine import blocked, calls, laying
from engine.acts import is_drawn_tile
from engine.codes import Code, Fault, fault
from engine.doubles import as_foot, keeps_long_line, mode_at_start, without_dead
from engine.legality import why_not
from engine.markers import ends_line_with_double, own_marker
from engine.moves import Call, Catch, Draw, Move, Play
from engine.position import Mode, Need, Outcome, Position, RoundEnd, Turn
from engine.rules import Rules
from engine.spots import spot_for
from engine.table import Seat
from engine.turn_end import is_out


@dataclass(frozen=True, slots=True)
class Applied:
    """The move is made."""

    position: Position


@dataclass(frozen=True, slots=True)
class Refused:
    """The move is not made; `position` is the very one it was tried on."""

    position: Position
    fault: Fault


Result = Applied | Refused


def apply(position: Position, move: Move, rules: Rules, version: int | None = None) -> Result:
    """Make a move, or say why not. `version`: the position the mover was looking at.

    Guards in order: stale action, round over, whose turn, the rules of the move.
    """
    if version is not None and version != position.version:
        return Refused(position, fault(Code.STALE, version=version, now=position.version))
    found = why_not(position, move, rules)
    if found is not None:
        return Refused(position, found)
    return Applied(make(position, move, rules))


def make(position: Position, move: Move, rules: Rules) -> Position:
    """Make a move that has been judged already; the rules are not asked again."""
    if isinstance(move, Play):
        after = play(position, move, rules)
    elif isinstance(move, Draw):
        after = calls.after_first_action(laying.draw(position, rules, move.tile), rules)
    elif isinstance(move, Call):
        after = calls.call(position, move)
    elif isinstance(move, Catch):
        after = calls.catch(position, rules, move)
    else:
        after = end_turn(position, rules, move.marker, is_out(position, rules))
    return replace(after, version=position.version + 1)


def play(position: Position, move: Play, rules: Rules) -> Position:
    """Lay a tile."""
    drawn = is_drawn_tile(position, move.laid.tile)
    spot = spot_for(position, rules, move)
    return calls.after_first_action(laying.lay(position, rules, move, spot, drawn), rules)


# -- the end of a turn ------------------------------------------------------------------------------


def end_turn(position: Position, rules: Rules, marker: bool | None, out: bool) -> Position:
    """Settle markers, doubles, calls and the end of the round; hand on the turn."""
    turn = position.turn
    rule = own_marker(position, rules, out)
    on = rule.on if marker is None else marker
    position = _with_marker(position, turn.seat, on)
    position = _settle_doubles(position, rules)
    position = replace(
        position,
        firsts=position.firsts - {turn.seat},
        turns=_counted(position, turn.seat),
        preempted=_preempted(position, rules),
        passes=_passes(position, placed=on and not rule.was_on),
    )
    position = _with_those_out(position, out)
    outcome = _outcome(position, rules)
    if outcome is not None:
        return replace(position, outcome=outcome, watches=())
    position = calls.after_turn(position, rules, laid=bool(turn.lays))
    return start_turn(position, rules, _next_seat(position, rules))


def _with_marker(position: Position, seat: Seat, on: bool) -> Position:
    train = position.table.train(seat)
    if train.marker == on:
        return position
    return replace(position, table=position.table.with_train(replace(train, marker=on)))


def _settle_doubles(position: Position, rules: Rules) -> Position:
    """A first line's last double becomes an open double like any other; the dead ones drop out."""
    doubles = position.open_doubles
    if ends_line_with_double(position):
        doubles = (*doubles[:-1], as_foot(doubles[-1], rules))
    if rules.first_turn_order == "simultaneous" and position.firsts == {position.turn.seat}:
        doubles = tuple(sorted(doubles, key=lambda double: _after_starter(position, double.train)))
    return replace(position, open_doubles=without_dead(doubles, position.table, rules))


def _after_starter(position: Position, train: str) -> int:
    """Seats from the starter to the owner of a train: the order of doubles laid all at once (ruling)."""
    start = position.seats.index(position.starter or position.seats[0])
    return (position.seats.index(train) - start) % len(position.seats)


def _counted(position: Position, seat: Seat) -> tuple[int, ...]:
    return tuple(
        count + (owner == seat) for owner, count in zip(position.seats, position.turns, strict=True)
    )


def _preempted(position: Position, rules: Rules) -> frozenset[Seat]:
    turn = position.turn
    if turn.number == 1 and turn.mode is Mode.DUTY and rules.first_turn == "build":
        return position.preempted | {turn.seat}
    return position.preempted


def _passes(position: Position, placed: bool) -> tuple[tuple[Seat, bool], ...]:
    """A lay clears the row; a pass counts once nothing is left to draw, its own last draw included."""
    if position.turn.lays:
        return ()
    if position.boneyard_count != 0:
        return ()
    return (*position.passes, (position.turn.seat, placed))


def _with_those_out(position: Position, out: bool) -> Position:
    """Who is out now, and who waits for the own last double to be covered (`go_out_on_double`)."""
    turn = position.turn
    waiting = position.waiting
    if turn.need is Need.CLOSE and position.hand(turn.seat).count == 0 and turn.last_double is not None:
        lay = turn.last_double
        waiting = (*waiting, (turn.seat, lay.train, lay.laid.far))
    still = {(double.train, double.value) for double in position.open_doubles}
    released = tuple(
        seat
        for seat, train, value in waiting
        if (train, value) not in still and position.hand(seat).count == 0
    )
    left = tuple(
        entry for entry in waiting if (entry[1], entry[2]) in still and position.hand(entry[0]).count == 0
    )
    now_out = (*position.out, *((turn.seat,) if out else ()), *released)
    return replace(position, waiting=left, out=tuple(dict.fromkeys(now_out)))


def _outcome(position: Position, rules: Rules) -> Outcome | None:
    """The end of the round: somebody is out and nobody's first turn is to come, or it is blocked."""
    if position.out and (not position.firsts or rules.first_turn_out == "immediate_end"):
        lays = position.turn.lays
        return Outcome(RoundEnd.OUT, position.out, lays[-1].laid.tile if lays else None)
    if position.boneyard_count != 0 or position.firsts:
        return None
    binds = blocked.binds_table(position, rules)
    if rules.blocked_test == "hands" and blocked.nobody_can_lay(position, rules):
        return Outcome(RoundEnd.BLOCKED)
    if blocked.circle_complete(position.seats, position.passes, markers_matter=not binds):
        return Outcome(RoundEnd.BLOCKED, suspicion=binds)
    return None


def _next_seat(position: Position, rules: Rules) -> Seat:
    seat = position.left_of(position.turn.seat)
    if rules.first_turn_order == "simultaneous" and position.turn.number == 1:
        # First lines may come in any order; ordinary turns begin with the starter.
        if not position.firsts:
            return position.starter or seat
        while seat not in position.firsts:
            seat = position.left_of(seat)
    return seat


def start_turn(position: Position, rules: Rules, seat: Seat) -> Position:
    """Give the turn to a seat."""
    number = position.turns[position.seats.index(seat)] + 1
    turn = Turn(
        seat=seat,
        number=number,
        mode=mode_at_start(position, rules, seat, number),
        plays_two=rules.starter_plays_two and number == 1 and seat == position.starter,
        may_build=keeps_long_line(position, rules, seat, number),
    )
    return replace(position, turn=turn)


# -- undo -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class History:
    """The positions of a round and the moves between them; every move can be taken back."""

    positions: tuple[Position, ...]
    moves: tuple[Move, ...] = ()

    @classmethod
    def begin(cls, position: Position) -> History:
        """A history that starts here."""
        return cls((position,))

    @property
    def now(self) -> Position:
        """The present position."""
        return self.positions[-1]

    def apply(self, move: Move, rules: Rules, version: int | None = None) -> tuple[History, Result]:
        """Make a move and remember it; a refused move leaves the history as it was."""
        result = apply(self.now, move, rules, version)
        if isinstance(result, Refused):
            return self, result
        return History((*self.positions, result.position), (*self.moves, move)), result

    def undo(self, version: int | None = None) -> tuple[History, Result]:
        """Take the last move back. The version still goes up: whoever looked at the move is told so."""
        if version is not None and version != self.now.version:
            return self, Refused(self.now, fault(Code.STALE, version=version, now=self.now.version))
        if not self.moves:
            return self, Refused(self.now, fault(Code.NOTHING_TO_UNDO))
        back = replace(self.positions[-2], version=self.now.version + 1)
        return History((*self.positions[:-2], back), self.moves[:-1]), Applied(back)


