"""Open doubles: which wait, whom they bind, how many tiles they ask for (rules matrix, 2.4 and 3.7)."""

from __future__ import annotations

from dataclasses import replace

from engine.position import Mode, OpenDouble, Position
from engine.rules import Rules
from engine.table import Seat, Table, TrainId, mexican_number
from engine.tile import DominoSet, Pips


def fits(near: Pips, end: Pips, rules: Rules) -> bool:
    """A half shown as `near` may lie against `end`; a blank fits anything only under `blanks_wild`."""
    return near == end or (rules.blanks_wild and (near == 0 or end == 0))


def exhausted(table: Table, end: Pips, rules: Rules) -> bool:
    """Every tile that could lie against `end` is on the table (rules matrix, 6.1 no. 1)."""
    if not rules.blanks_wild:
        return table.count_showing(end) == rules.set_size + 1
    on_table = set(table.tiles())
    return all(
        tile in on_table
        for tile in DominoSet(rules.set_size)
        if any(fits(half, end, rules) for half in (tile.low, tile.high))
    )


def without_dead(
    doubles: tuple[OpenDouble, ...], table: Table, rules: Rules
) -> tuple[OpenDouble, ...]:
    """Drop doubles whose value is all on the table: nobody can cover them [S4-11, `dead_double_exempt`]."""
    if not doubles or not rules.dead_double_exempt:
        return doubles
    return tuple(double for double in doubles if not exhausted(table, double.value, rules))


def answers_for(train: TrainId, layer: Seat | None, rules: Rules) -> int:
    """How many tiles a double on `train` asks for [S3-06, `double_answers`, `chickenfoot_scope`].

    `own`: only doubles that a seat lays on its own train; who laid one is taken to be the owner if unknown.
    """
    if rules.double_answers == 1:
        return 1
    personal = mexican_number(train) is None
    if rules.chickenfoot_scope == "personal":
        return 3 if personal else 1
    if rules.chickenfoot_scope == "own":
        return 3 if personal and layer in (None, train) else 1
    return 3


def as_foot(double: OpenDouble, rules: Rules) -> OpenDouble:
    """A double at the end of a line, with the number of tiles it asks for from now on."""
    answers = answers_for(double.train, double.layer, rules)
    return replace(double, answers=answers, foot=answers > 1)


def due(position: Position, rules: Rules) -> tuple[OpenDouble, ...]:
    """Those of the open doubles that may be covered next, by `double_order` [PG, PHP]."""
    if rules.double_order == "any":
        return position.open_doubles
    if rules.double_order == "last_first":
        return position.open_doubles[-1:]
    return position.open_doubles[:1]


def bound(position: Position, rules: Rules, seat: Seat) -> bool:
    """True if open doubles bind `seat` at the start of its turn [S0-14, `double_duty`].

    A double that ends a first line waits until every seat has had its first turn [S3-20], unless
    `first_turn_end_double` is `immediate`. Under `own_train_first = all` a seat whose train is not started
    is exempt [TW].
    """
    if rules.double_duty != "table" or not position.open_doubles:
        return False
    if position.firsts and rules.first_turn == "build" and rules.first_turn_end_double != "immediate":
        return False
    return not (rules.own_train_first == "all" and not position.table.train(seat).started)


def mode_at_start(position: Position, rules: Rules, seat: Seat, number: int) -> Mode:
    """How a turn of `seat` begins: a duty, the long first line, or an ordinary turn."""
    if bound(position, rules, seat):
        return Mode.DUTY
    if number == 1 and rules.first_turn == "build":
        return Mode.BUILD
    return Mode.FREE


def keeps_long_line(position: Position, rules: Rules, seat: Seat, number: int) -> bool:
    """A later turn whose first own tile may grow into a line [`first_build_carry`, MTC].

    Also after a first turn that went on a duty [`first_build_if_preempted`, CLJ, WH].
    """
    if number == 1 or rules.first_turn != "build" or position.table.train(seat).started:
        return False
    preempted = rules.first_turn_end_double == "immediate" and rules.first_build_if_preempted
    return rules.first_build_carry or (preempted and seat in position.preempted)


def blocks_going_out(position: Position, rules: Rules) -> bool:
    """A last tile that is a double does not end the round now [S3-10, `go_out_on_double`]."""
    if rules.go_out_on_double == "must_cover":
        return True
    return rules.go_out_on_double == "not_while_boneyard" and position.boneyard_count != 0
