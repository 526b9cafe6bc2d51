"""The order of a session: which double starts each round and which seat moves first (rules matrix, 3.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.errors import RulesError
from engine.rules import Rules
from engine.tile import Pips


def starting_double(number: int, set_size: Pips, start: Pips | None = None) -> Pips:
    """Value of the double that starts round `number` (from 1).

    One lower each round [S0-05], from `start` (the set's highest if None); after the double-blank the
    highest of the set follows [QC, RAM].
    """
    first = set_size if start is None else start
    if number < 1:
        raise RulesError(f"rounds are numbered from 1, not {number}")
    if not 0 <= first <= set_size:
        raise RulesError(f"a double-{set_size} set has no double {first}")
    return (first - (number - 1)) % (set_size + 1)


def starting_doubles(rounds: int | None, set_size: Pips, start: Pips | None = None) -> list[Pips]:
    """Starting doubles of a whole session; without `rounds`, one round for each double from `start` down."""
    first = set_size if start is None else start
    count = first + 1 if rounds is None else rounds
    return [starting_double(number, set_size, first) for number in range(1, count + 1)]


def planned_rounds(rules: Rules) -> int:
    """How many rounds a session has unless it is shortened [S0-05, S0-21, S1-23]."""
    if rules.objective == "single_round":
        return 1
    if rules.rounds is not None:
        return rules.rounds
    return (rules.set_size if rules.start_double is None else rules.start_double) + 1


def left_of(seat: str, seats: Sequence[str]) -> str:
    """The next seat clockwise."""
    return seats[(_place(seat, seats) + 1) % len(seats)]


def clockwise_from(seat: str, seats: Sequence[str]) -> tuple[str, ...]:
    """All seats in order of play, beginning with `seat`."""
    place = _place(seat, seats)
    return (*seats[place:], *seats[:place])


def first_starter(
    seats: Sequence[str], rules: Rules, *, laid_by: str | None = None, named: str | None = None
) -> str:
    """The seat that moves first in round 1.

    `engine_placer` [S0-06]: the seat that laid the starting double (`laid_by`); when that is `pulled`,
    nobody laid it and the seat is agreed. `agreed`, `highest_draw`, `oldest`: settled at the table, so
    the seat is `named`.
    """
    if rules.first_starter == "engine_placer" and rules.engine_source != "pulled":
        if laid_by is None:
            raise RulesError("the seat that laid the starting double moves first: name it")
        return seats[_place(laid_by, seats)]
    if named is None:
        raise RulesError(f"who moves first is {rules.first_starter}: name the seat")
    return seats[_place(named, seats)]


def next_starter(
    seats: Sequence[str],
    rules: Rules,
    *,
    last_starter: str,
    laid_by: str | None = None,
    last_laid_by: str | None = None,
    totals: Mapping[str, int] | None = None,
) -> str:
    """The seat that moves first in a later round, by `start_rotation`.

    `engine_placer` [S0-06]: who laid this round's starting double; when that is `pulled`, as `left`.
    `left` [S1-05]: the next seat clockwise from the last round's starter. `lowest_score` [RAM]: the lowest
    total so far; of several the first one clockwise after the last starter (ruling).
    `left_of_last_opener` [GREV]: left of who laid the last round's starting double, or of the last
    starter if nobody did (ruling).
    """
    rotation = rules.start_rotation
    if rotation == "engine_placer" and rules.engine_source != "pulled":
        if laid_by is None:
            raise RulesError("the seat that laid the starting double moves first: name it")
        return seats[_place(laid_by, seats)]
    if rotation == "left_of_last_opener" and last_laid_by is not None:
        return left_of(last_laid_by, seats)
    if rotation == "lowest_score":
        if totals is None:
            raise RulesError("the lowest score moves first: the totals are needed")
        order = clockwise_from(left_of(last_starter, seats), seats)
        return min(order, key=lambda seat: totals.get(seat, 0))  # min keeps the first of equals
    return left_of(last_starter, seats)


def starters(seats: Sequence[str], first: str, rounds: int, rules: Rules) -> list[str]:
    """First seat of each round where it follows from the first round alone. Raises `RulesError` otherwise."""
    order = [seats[_place(first, seats)]]
    for _ in range(rounds - 1):
        order.append(next_starter(seats, rules, last_starter=order[-1]))
    return order


def _place(seat: str, seats: Sequence[str]) -> int:
    if seat not in seats:
        raise RulesError(f"no seat {seat} at this table ({', '.join(seats)})")
    return list(seats).index(seat)
