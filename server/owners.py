"""Whose line is whose: a train belongs to the seat that starts it in its own first turn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

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
    found: list[tuple[int, int, dict[str, str]]] = []
    for rank, chosen in enumerate(product(*options)):
        if len(set(chosen)) == len(chosen) and len(found) < _MOST_WAYS:
            given = dict(zip(fresh, chosen, strict=True))
            found.append((_disorder({**owners, **given}, angles, seats), rank, given))
    for _, _, given in sorted(found, key=lambda entry: entry[:2]):
        yield given


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
