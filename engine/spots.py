"""Spots: the places on the table where a tile could lie, and the value each asks for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.doubles import due, fits
from engine.moves import Play
from engine.position import OpenDouble, Position
from engine.rules import Rules
from engine.table import MEXICAN, Train, TrainId
from engine.tile import Pips


@dataclass(frozen=True, slots=True)
class Spot:
    """The end of a line, or the side of a covered double (`branch_index`).

    `end` is `None` only where a side line was tried at something that is no double.
    """

    train: TrainId
    line: int
    end: Pips | None
    covers: OpenDouble | None = None
    branch_index: int | None = None


def trains_in_play(position: Position, rules: Rules) -> tuple[TrainId, ...]:
    """Every train a tile could go to: one for each seat, and the Mexican trains that the rules know."""
    mexicans: list[TrainId] = []
    if rules.mexican_present:
        started = [train.owner for train in position.table.trains if train.owner not in position.seats]
        slots = rules.mexican_count == "slots"
        count = min(len(started) + 1, rules.set_size) if slots else int(rules.mexican_count)
        mexicans = [MEXICAN, *(f"{MEXICAN}{number}" for number in range(2, count + 1))]
        mexicans += [owner for owner in started if owner not in mexicans]
    return (*position.seats, *mexicans)


def spots(position: Position, rules: Rules, train_id: TrainId) -> list[Spot]:
    """The open ends of a train. A foot that is not complete has one end: the double's value."""
    train = position.table.train(train_id)
    if not train.tiles:
        return [Spot(train_id, 0, position.table.starting_double)]
    doubles = [double for double in position.open_doubles if double.train == train_id]
    if not train.limbs:
        end = train.tiles[-1].far
        covers = doubles[0] if doubles else None
        return [Spot(train_id, 0, end, covers)]
    return list(_ends_with_limbs(train, doubles, rules))


def _ends_with_limbs(train: Train, doubles: list[OpenDouble], rules: Rules) -> Iterator[Spot]:
    open_at = {double.line: double for double in doubles}
    lines = train.lines
    for number, tiles in enumerate(lines):
        covers = open_at.get(number)
        if train.limbs_at(number, len(tiles) - 1):
            if covers is not None:
                yield Spot(train.owner, number, covers.value, covers)
            continue
        if number and _closed_toe(train, number, open_at, rules):
            continue
        yield Spot(train.owner, number, tiles[-1].far, covers)


def _closed_toe(train: Train, number: int, open_at: dict[int, OpenDouble], rules: Rules) -> bool:
    """A toe cannot go on while its foot is incomplete, nor ever if only the centre toe may.

    The centre toe is the last one laid [W12, `chickenfoot_open_ends`].
    """
    limb = train.limbs[number - 1]
    if limb.index != len(train.lines[limb.line]) - 1:
        return False  # a side line of a covered double
    if limb.line in open_at:
        return True
    return rules.chickenfoot_open_ends == 1 and number != train.limbs_at(limb.line, limb.index)[-1]


def branch_spots(position: Position, rules: Rules, train_id: TrainId) -> list[Spot]:
    """Sides of covered doubles that may take a side line [S0-V3, `double_branching`]."""
    if rules.double_branching == "none":
        return []
    train = position.table.train(train_id)
    return [
        Spot(train_id, number, tiles[index].far, None, index)
        for number, tiles in enumerate(train.lines)
        for index in range(len(tiles) - 1)
        if can_branch(train, number, index)
    ]


def can_branch(train: Train, line: int, index: int) -> bool:
    """A double with its cover laid and fewer than two side lines."""
    if not 0 <= line < len(train.lines):
        return False
    tiles = train.lines[line]
    if not 0 <= index < len(tiles) - 1 or not tiles[index].is_double:
        return False
    return len(train.limbs_at(line, index)) < 2


def ends(position: Position, rules: Rules, train_id: TrainId) -> list[Pips]:
    """The values a train asks for, ascending, one for each open end."""
    return sorted(spot.end for spot in spots(position, rules, train_id) if spot.end is not None)


def spot_for(position: Position, rules: Rules, play: Play) -> Spot:
    """The spot a play means. Where nothing fits, the spot that the train is expected to be played at."""
    if play.branch_index is not None:
        train = position.table.train(play.train)
        line, index = play.line or 0, play.branch_index
        end = None
        if 0 <= line < len(train.lines) and 0 <= index < len(train.lines[line]):
            at = train.lines[line][index]
            end = at.far if at.is_double else None
        return Spot(play.train, line, end, None, index)
    found = spots(position, rules, play.train)
    if len(found) == 1:
        return found[0]
    wanted = due(position, rules)

    def preference(spot: Spot) -> tuple[bool, bool, bool, bool]:
        other_line = play.line is not None and spot.line != play.line
        mismatch = spot.end is None or not fits(play.laid.near, spot.end, rules)
        return (other_line, mismatch, spot.covers not in wanted, spot.covers is None)

    return min(found, key=preference)
