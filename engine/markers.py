"""Markers at the end of a turn: when one goes on, when it comes off (rules matrix, 2.4 and 3.6)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from engine.codes import Code, Fault, fault
from engine.placement import owed_double
from engine.position import Mode, Need, Position
from engine.rules import Rules
from engine.table import mexican_number

_OWED = (Need.EXTRA, Need.DRAWN_EXTRA, Need.CLOSE)


@dataclass(frozen=True, slots=True)
class MarkerRule:
    """What the rules ask of the own marker at the end of a turn."""

    was_on: bool
    demanded: bool
    must_go: bool
    choice: bool
    """Where nothing is demanded, the owner may have it on or off."""

    @property
    def on(self) -> bool:
        """How it stands if the owner does nothing of its own accord."""
        return self.demanded or (self.was_on and not self.must_go)

    def fault(self, seen: bool) -> Code | None:
        """What is wrong if the marker stands (or does not) as seen."""
        if self.demanded:
            return None if seen else Code.MARKER_MISSING
        if self.must_go:
            return Code.MARKER_KEPT if seen else None
        if self.was_on:
            return None if seen or self.choice else Code.MARKER_REMOVED_WRONGLY
        return Code.MARKER_UNDUE if seen and not self.choice else None


def own_marker(position: Position, rules: Rules, out: bool) -> MarkerRule:
    """The own marker of the seat whose turn ends. Being out waives every reason to mark."""
    was_on = position.table.train(position.turn.seat).marker
    demanded = not out and _demanded(position, rules)
    cleared = was_on and _own_play_clears(position, rules)
    if rules.marker_removal == "any_play" and position.turn.lays:
        cleared = was_on
    optional = cleared and rules.marker_removal == "optional"
    must_go = cleared and not optional and not demanded
    # `voluntary_marker` lets a seat mark although nothing demands it; taking one off is another matter.
    choice = optional or (rules.voluntary_marker and not was_on)
    return MarkerRule(was_on, demanded, must_go, choice)


def _demanded(position: Position, rules: Rules) -> bool:
    """Nothing laid, or an owed tile not laid [S0-09, S0-12, S0-14], or nothing on the own train [FUN]."""
    turn = position.turn
    empty = position.boneyard_count == 0 and not turn.pending
    unmarked_pass = empty and rules.empty_boneyard == "pass_only"
    own_lays = sum(1 for lay in turn.lays if lay.train == turn.seat)
    if not rules.marker_at_hub and not position.table.train(turn.seat).started:
        return False
    if turn.plays_two and own_lays < 2:
        return True
    if not turn.lays:
        return not unmarked_pass
    if turn.need in _OWED:
        exempt = turn.need is not Need.CLOSE and rules.marker_on_failed_cover == "layer_exempt"
        if not exempt and not unmarked_pass:
            return True
    return rules.marker_trigger == "no_own_play" and own_lays == 0


def _own_play_clears(position: Position, rules: Rules) -> bool:
    """A tile on the own train; perhaps not an uncovered double [S0-13, DCR]."""
    turn = position.turn
    own = [lay for lay in turn.lays if lay.train == turn.seat]
    if rules.marker_removed_by_open_double:
        return bool(own)
    open_here = {(double.line, double.value) for double in position.open_doubles if double.train == turn.seat}
    return any(not (lay.laid.is_double and (lay.line, lay.laid.far) in open_here) for lay in own)


def markers_fault(
    position: Position, rules: Rules, seen: Collection[str], out: bool
) -> Fault | None:
    """What is wrong with the markers seen at the end of a turn: Mexican first, other seats, then the own."""
    turn = position.turn
    for train in seen:
        if mexican_number(train) is not None:
            return fault(Code.MEXICAN_MARKED, train=train)
    others = [seat for seat in position.seats if seat != turn.seat]
    for seat in others:
        if position.table.train(seat).marker and seat not in seen:
            return fault(Code.MARKER_REMOVED_WRONGLY, train=seat, seat=turn.seat)
    for seat in others:
        if not position.table.train(seat).marker and seat in seen:
            return fault(Code.MARKER_UNDUE, train=seat, seat=turn.seat)
    code = own_marker(position, rules, out).fault(turn.seat in seen)
    return None if code is None else fault(code, train=turn.seat, seat=turn.seat)


def ends_line_with_double(position: Position) -> bool:
    """The turn built a first line, and its last tile is a double that still waits."""
    turn = position.turn
    if not turn.lays or turn.lays[-1].train != turn.seat:
        return False
    return (turn.mode is Mode.BUILD or turn.may_build) and owed_double(position) is not None
