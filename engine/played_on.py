"""The position as the table lies: after a turn that broke a rule, or when the table was looked at anew."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.doubles import answers_for, without_dead
from engine.moves import Play
from engine.position import OpenDouble, Position
from engine.reducer import start_turn
from engine.rules import Rules
from engine.table import TrainId


def with_boneyard(position: Position) -> Position:
    """Draws that nobody counts: the boneyard never runs out by arithmetic alone."""
    return replace(position, boneyard_count=max(1, position.boneyard_count or 1))


def with_marks(position: Position, marks: Iterable[TrainId]) -> Position:
    """The position with the markers that stand there."""
    table, stand = position.table, set(marks)
    for owner in dict.fromkeys((*(train.owner for train in table.trains), *sorted(stand))):
        train = table.train(owner)
        if train.marker != (owner in stand):
            table = table.with_train(replace(train, marker=owner in stand))
    return replace(position, table=table)


def played_on(base: Position, plays: Iterable[Play], rules: Rules, own_mark: bool | None) -> Position:
    """The position after a turn that broke a rule and was let stand: the next seat is to move."""
    seat, position = base.turn.seat, base
    for tile in plays:
        table = position.table.with_train(position.table.train(tile.train).with_tile(tile.laid, tile.line or 0))
        hand = position.hand(seat)
        held = not hand.known or tile.laid.tile in hand.tiles
        position = replace(position, table=table)
        position = position.with_hand(seat, hand.without(tile.laid.tile)) if held else position
    table = position.table
    if own_mark is not None:
        table = table.with_train(replace(table.train(seat), marker=own_mark))
    turns = tuple(count + (owner == seat) for owner, count in zip(base.seats, base.turns, strict=True))
    after = replace(position, table=table, firsts=base.firsts - {seat}, turns=turns, passes=())
    return start_turn(with_open_doubles(after, rules), rules, base.left_of(seat))


def with_open_doubles(position: Position, rules: Rules) -> Position:
    """Open doubles as the table shows them: those that were open and still are, then the new ones."""
    ends = {
        train.owner: train.tiles[-1].far
        for train in position.table.trains
        if train.tiles and train.tiles[-1].is_double and not train.limbs
    }
    kept = [double for double in position.open_doubles if ends.get(double.train) == double.value]
    known = {double.train for double in kept}
    for owner, value in ends.items():
        if owner not in known:
            answers = answers_for(owner, None, rules)
            kept.append(OpenDouble(owner, value, 0, answers, answers > 1))
    return replace(position, open_doubles=without_dead(tuple(kept), position.table, rules))
