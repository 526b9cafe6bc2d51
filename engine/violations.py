"""`audit`: every fault that one table shows by itself, with its place. Never raises.

One table is little evidence. What a clean audit leaves open is listed in `NOT_PROVEN`.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from engine.codes import Param
from engine.doubles import fits
from engine.messages import NOT_PROVEN_SENTENCES, VIOLATION_SENTENCES
from engine.rules import Rules
from engine.table import LaidTile, Seat, Table, Train, TrainId, mexican_number


class ViolationCode(enum.StrEnum):
    """What is wrong with a table."""

    STARTING_DOUBLE = "STARTING_DOUBLE"
    NOT_IN_SET = "NOT_IN_SET"
    DUPLICATE_TILE = "DUPLICATE_TILE"
    JOIN = "JOIN"
    HUB_JOIN = "HUB_JOIN"
    SIDE_LINE = "SIDE_LINE"
    TWO_TRAINS = "TWO_TRAINS"
    TOO_MANY_TRAINS = "TOO_MANY_TRAINS"
    UNKNOWN_TRAIN = "UNKNOWN_TRAIN"
    SECOND_MEXICAN = "SECOND_MEXICAN"
    MEXICAN_TOO_EARLY = "MEXICAN_TOO_EARLY"
    MEXICAN_MARKED = "MEXICAN_MARKED"
    HUB_MARKER = "HUB_MARKER"


@dataclass(frozen=True, slots=True)
class Violation:
    """A fault and where it is: train, line (0 runs from the hub) and place in that line, where it has one."""

    code: ViolationCode
    message: str
    train: TrainId | None = None
    index: int | None = None
    line: int = 0
    params: Mapping[str, Param] = field(default_factory=dict)


NOT_PROVEN = tuple(NOT_PROVEN_SENTENCES.values())
"""What no single table can show, however clean it is."""


def audit(table: Table, rules: Rules, seats: Collection[Seat] | None = None) -> tuple[Violation, ...]:
    """Every fault the table shows, in the order hub, trains, tiles. `seats`: who plays, if that is known."""
    return (
        *_hub(table, rules),
        *_trains(table, rules, seats),
        *(found for train in table.trains for found in _lines(train, table, rules)),
        *_tiles(table, rules),
    )


def _violation(code: ViolationCode, place: tuple[TrainId, int, int] | None = None, **params: Param) -> Violation:
    train, line, index = place if place is not None else (None, 0, None)
    if train is not None:
        params.setdefault("train", train)
    return Violation(code, VIOLATION_SENTENCES[code].format(**params), train, index, line, params)


def _hub(table: Table, rules: Rules) -> Iterator[Violation]:
    value = table.starting_double
    if not 0 <= value <= rules.set_size:
        yield _violation(ViolationCode.STARTING_DOUBLE, value=value, set_size=rules.set_size)
    started = sum(1 for train in table.trains if train.started)
    if started > rules.set_size and not rules.blanks_wild:
        yield _violation(ViolationCode.TOO_MANY_TRAINS, count=started, most=rules.set_size, value=value)


def _trains(table: Table, rules: Rules, seats: Collection[Seat] | None) -> Iterator[Violation]:
    """One train a seat; as many Mexican trains as agreed, never marked, not too early [S0-11, S3-03]."""
    owners: set[TrainId] = set()
    unstarted = [train.owner for train in table.trains if not train.started and _personal(train)]
    if seats is not None:
        unstarted = [seat for seat in seats if not table.train(seat).started]
    for train in table.trains:
        owner = train.owner
        if owner in owners:
            yield _at(ViolationCode.TWO_TRAINS, owner)
        owners.add(owner)
        if _personal(train):
            if seats is not None and owner not in seats:
                yield _at(ViolationCode.UNKNOWN_TRAIN, owner)
            if train.marker and not train.started and not rules.marker_at_hub:
                yield _at(ViolationCode.HUB_MARKER, owner)
            continue
        if train.marker:
            yield _at(ViolationCode.MEXICAN_MARKED, owner)
        if train.started and _one_too_many(owner, rules):
            yield _at(ViolationCode.SECOND_MEXICAN, owner)
        if train.started and unstarted and rules.mexican_start == "after_all_trains":
            yield _at(ViolationCode.MEXICAN_TOO_EARLY, unstarted[0])


def _at(code: ViolationCode, train: TrainId) -> Violation:
    """A fault of a whole train."""
    return Violation(code, VIOLATION_SENTENCES[code].format(train=train), train, params={"train": train})


def _personal(train: Train) -> bool:
    return mexican_number(train.owner) is None


def _one_too_many(owner: TrainId, rules: Rules) -> bool:
    if not rules.mexican_present:
        return True
    return rules.mexican_count != "slots" and (mexican_number(owner) or 1) > rules.mexican_count


def _lines(train: Train, table: Table, rules: Rules) -> Iterator[Violation]:
    """Joins of the main line and of every limb, and whether a limb may be where it is."""
    lines = train.lines
    for number, tiles in enumerate(lines):
        end = table.starting_double
        if number:
            limb = train.limbs[number - 1]
            known = 0 <= limb.line < number and 0 <= limb.index < len(lines[limb.line])
            root = lines[limb.line][limb.index] if known else None
            if root is None or not _limb_allowed(train, number, root, rules):
                first = tiles[0] if tiles else LaidTile(0, 0)
                place = (train.owner, number, 0)
                yield _violation(ViolationCode.SIDE_LINE, place, tile=str(root or first))
            if root is None:
                continue
            end = root.far
        for index, laid in enumerate(tiles):
            if not fits(laid.near, end, rules):
                code = ViolationCode.HUB_JOIN if number == 0 and index == 0 else ViolationCode.JOIN
                yield _violation(code, (train.owner, number, index), tile=str(laid), end=end)
            end = laid.far


def _limb_allowed(train: Train, number: int, root: LaidTile, rules: Rules) -> bool:
    """Toes of a chicken's foot, or up to two side lines of a covered double."""
    limb = train.limbs[number - 1]
    siblings = train.limbs_at(limb.line, limb.index)
    at_end = limb.index == len(train.lines[limb.line]) - 1
    if not root.is_double:
        return False
    if rules.double_answers == 3:
        return at_end and siblings.index(number) < 3
    return rules.double_branching == "optional" and not at_end and siblings.index(number) < 2


def _tiles(table: Table, rules: Rules) -> Iterator[Violation]:
    seen = {(table.starting_double, table.starting_double)}
    for train in table.trains:
        for number, tiles in enumerate(train.lines):
            for index, laid in enumerate(tiles):
                place = (train.owner, number, index)
                pair = (min(laid.near, laid.far), max(laid.near, laid.far))
                if not 0 <= pair[0] <= pair[1] <= rules.set_size:
                    yield _violation(
                        ViolationCode.NOT_IN_SET, place, tile=str(laid), set_size=rules.set_size
                    )
                elif pair in seen:
                    yield _violation(ViolationCode.DUPLICATE_TILE, place, tile=str(laid))
                seen.add(pair)
