"""Whose train is whose: seats clockwise round the hub, from one train that is known."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from server.errors import UsageError


def assign_seats(
    directions: Mapping[str, float], seats: Sequence[str], first: str | None = None, mexican: str | None = None,
    *, apart: bool = False,
) -> dict[str, str]:
    """The seat of each train at the hub.

    `directions` are the trains' directions from the hub in radians, clockwise as seen; `seats` run clockwise,
    and the first of them owns the train `first` (or the first train given). `mexican` is a train at the hub that
    nobody owns, `apart` that it lies elsewhere. With fewer trains than seats, seats are taken to be spread evenly
    round the hub.
    Raises `UsageError` where that leaves a choice.
    """
    if len(set(seats)) != len(seats) or not seats:
        raise UsageError(f"--seats {','.join(seats)}: each seat needs a name of its own")
    for name in (first, mexican):
        if name is not None and name not in directions:
            there = ", ".join(line.removeprefix("t") for line in directions) or "none"
            raise UsageError(f"there is no train {name.removeprefix('t')} at the hub; there are: {there}")
    trains = [train for train in directions if train != mexican]
    if not trains:
        return {}
    start = first if first is not None else trains[0]
    turns = {train: (directions[train] - directions[start]) % (2 * math.pi) for train in trains}
    order = sorted(trains, key=lambda train: (train != start, turns[train]))
    if len(order) == len(seats):
        return dict(zip(order, seats, strict=True))
    if len(order) > len(seats):
        known = apart or mexican is not None
        advice = "name a seat for each" if known else "say which line is the Mexican train (--mexican)"
        raise UsageError(f"{len(order)} lines begin at the hub and {len(seats)} seats are named: {advice}")
    return _spread(order, turns, seats)


def _spread(order: Sequence[str], turns: Mapping[str, float], seats: Sequence[str]) -> dict[str, str]:
    """Some trains have not started: each that has goes to the seat whose share of the circle it lies in."""
    share = 2 * math.pi / len(seats)
    numbers = [round(turns[train] / share) % len(seats) for train in order]
    if len(set(numbers)) < len(numbers) or numbers != sorted(numbers):
        raise UsageError(
            f"{len(order)} trains have started for {len(seats)} seats and they don't lie evenly round the hub: "
            "name only the seats whose trains are there"
        )
    return {train: seats[number] for train, number in zip(order, numbers, strict=True)}


def kept(previous: Mapping[str, float], owners: Mapping[str, str], now: Mapping[str, float]) -> dict[str, str]:
    """The seats of trains in a later picture: each train keeps the owner of the one nearest in direction.

    `previous` and `now` are directions in radians; `owners` the seats of the trains in `previous`. The camera has
    not moved between the two. A train that is nobody's neighbour (more than 20 degrees off) has no seat yet.
    """
    found: dict[str, str] = {}
    pairs = sorted(
        (abs(math.remainder(angle - before, 2 * math.pi)), train, old)
        for train, angle in now.items()
        for old, before in previous.items()
        if old in owners
    )
    for apart, train, old in pairs:
        if apart < math.radians(20) and train not in found and owners[old] not in found.values():
            found[train] = owners[old]
    return found
