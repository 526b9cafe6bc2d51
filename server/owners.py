"""Whose line is whose: a train belongs to the seat that starts it in its own first turn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise

from engine.rules import Rules
from engine.table import MEXICAN

_MOST_WAYS = 40


def ways(
    fresh: Sequence[str],
    owners: Mapping[str, str],
    angles: Mapping[str, float | None],
    seats: Sequence[str],
    rules: Rules,
    first: Sequence[str] = (),
) -> Iterator[dict[str, str]]:
    """Ways to give the lines in `fresh` owners, the likeliest first.

    `angles` are the lines' directions from the hub in the picture, clockwise; `first` the seats that are due to
    begin a line. A line away from the hub is a Mexican train unless nothing else will do.
    """
    if not fresh:
        yield {}
        return
    free = [seat for seat in seats if seat not in owners.values()]
    due = sorted(free, key=lambda seat: list(first).index(seat) if seat in first else len(seats))
    mexican = _next_mexican(owners, rules)
    options = []
    for name in fresh:
        away = name.startswith("M")
        options.append([*mexican, *due] if away or not due else [*due, *mexican])
    found: list[tuple[tuple[float, ...], dict[str, str]]] = []
    for rank, chosen in enumerate(islice(_each_another(options), _MOST_WAYS)):
        given = dict(zip(fresh, chosen, strict=True))
        everybody = {**owners, **given}
        odd = sum((owner in mexican) != (name.startswith("M") or not due) for name, owner in given.items())
        # Which of several new lines came first no picture tells, but seats sit round the table in order.
        bent = round(_bent(everybody, angles, seats), 1) if len(fresh) > 1 else 0.0
        early = sum(due.index(owner) for owner in chosen if owner in due)
        found.append(((_disorder(everybody, angles, seats), odd, bent, early, rank), given))
    for _, given in sorted(found, key=lambda entry: entry[0]):
        yield given


def _each_another(options: Sequence[Sequence[str]], taken: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """One of each row of options, none twice, those that stand first in their rows first.

    All rows hold the same, so where one can be found each step leads to one: nothing is tried in vain.
    """
    if not options:
        yield taken
        return
    if len(options) > len(set(options[0]) - set(taken)):
        return
    for one in options[0]:
        if one not in taken:
            yield from _each_another(options[1:], (*taken, one))


def _next_mexican(owners: Mapping[str, str], rules: Rules) -> list[str]:
    started = sum(owner == MEXICAN or (owner.startswith(MEXICAN) and owner[1:].isdigit()) for owner in owners.values())
    if not rules.mexican_present:
        return [MEXICAN]
    return [MEXICAN if started == 0 else f"{MEXICAN}{started + 1}"]


def _disorder(owners: Mapping[str, str], angles: Mapping[str, float | None], seats: Sequence[str]) -> int:
    """Times that going clockwise round the hub goes back among the seats; one is needed to come round."""
    places = []
    for name, owner in owners.items():
        angle = angles.get(name)
        if owner in seats and angle is not None:
            places.append((angle % (2 * math.pi), list(seats).index(owner)))
    order = [number for _, number in sorted(places)]
    if len(order) < 3:
        return 0
    back = sum(one > other for one, other in zip(order, [*order[1:], order[0]], strict=True))
    return max(0, back - 1)


def _bent(owners: Mapping[str, str], angles: Mapping[str, float | None], seats: Sequence[str]) -> float:
    """How far, in shares of a circle, lines at the hub are from where seats that sit evenly round it would lay them."""
    places = [
        (list(seats).index(owner), angle / (2 * math.pi))
        for name, owner in owners.items()
        if owner in seats and (angle := angles.get(name)) is not None
    ]
    places.sort()
    slots = len(seats) + 1  # one more for the Mexican train
    return sum(
        abs((there - here) - (after - before) / slots - round((there - here) - (after - before) / slots))
        for (before, here), (after, there) in pairwise(places)
    )
