"""A blocked round: nothing to draw and nobody can lay (rules matrix, 2.6)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.doubles import due, fits
from engine.position import Position
from engine.rules import Rules
from engine.spots import spots, trains_in_play
from engine.table import Seat, mexican_number


def circle_complete(
    seats: Sequence[Seat], passes: Sequence[tuple[Seat, bool]], markers_matter: bool
) -> bool:
    """Each seat has passed since the last change of the table that could help it.

    `passes` since the last lay, with whether a marker went on. A marker that goes on with a pass opens a
    train to every other seat, so those must pass once more. While an open double binds, markers do not
    matter: only its own end counts.
    """
    last_pass: dict[Seat, int] = {}
    marked: dict[Seat, int] = {}
    for place, (seat, placed) in enumerate(passes):
        last_pass[seat] = place
        if placed:
            marked[seat] = place
    for seat in seats:
        if seat not in last_pass:
            return False
        if markers_matter and any(
            place > last_pass[seat] for other, place in marked.items() if other != seat
        ):
            return False
    return True


def blocked_after(
    seats: Sequence[Seat],
    marks: Sequence[Seat],
    passes: Sequence[Seat],
    rules: Rules,
    *,
    boneyard: int,
    live_double: bool,
) -> int | None:
    """The pass at which the table test is met, counted from 1; `None` if it is not met."""
    if boneyard != 0:
        return None
    standing = set(marks)
    history: list[tuple[Seat, bool]] = []
    binds = live_double and rules.double_duty == "table"
    for number, seat in enumerate(passes, 1):
        placed = seat not in standing and rules.empty_boneyard == "mark_and_pass"
        if placed:
            standing.add(seat)
        history.append((seat, placed))
        if circle_complete(seats, history, markers_matter=not binds):
            return number
    return None


def binds_table(position: Position, rules: Rules) -> bool:
    """A live open double binds every seat now."""
    return rules.double_duty == "table" and bool(position.open_doubles) and not position.firsts


def nobody_can_lay(position: Position, rules: Rules) -> bool:
    """The test for a program that knows every hand: no tile in any hand fits any end that counts.

    Every personal train counts as public, since a seat that cannot lay marks its own; under `pass_only`
    only the trains marked now do. While an open double binds, only its cover counts.
    """
    if position.boneyard_count != 0 or not all(hand.known for hand in position.hands):
        return False
    if binds_table(position, rules):
        common = {double.value for double in due(position, rules)}
        ends_of = dict.fromkeys(position.seats, common)
    else:
        by_train = {
            train: {spot.end for spot in spots(position, rules, train) if spot.end is not None}
            for train in trains_in_play(position, rules)
        }
        ends_of = {seat: _ends_for(position, rules, seat, by_train) for seat in position.seats}
    return not any(
        fits(half, end, rules)
        for seat, hand in zip(position.seats, position.hands, strict=True)
        for end in ends_of[seat]
        for tile in hand.tiles
        for half in (tile.low, tile.high)
    )


def _ends_for(
    position: Position, rules: Rules, seat: Seat, by_train: dict[str, set[int]]
) -> set[int]:
    reachable: set[int] = set()
    for train, ends in by_train.items():
        public = rules.empty_boneyard == "mark_and_pass" or position.table.train(train).marker
        if public or train == seat or mexican_number(train) is not None:
            reachable |= ends
    return reachable
