"""Which tiles may touch which: every pair of neighbours, every way their ends and sides can meet, with a cost.

A join is seen by geometry alone. Its cost is about how far, in tile lengths, the two edges are from lying against
each other: 0 for a perfect join, 0.3 for a sloppy one. Values play no part here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.plane import Array, Rects

REACH = 1.5
"""Centres of joined tiles are never farther apart than this, in tile lengths."""

SIDE = 2
"""Contact code of a long side that belongs to no half: a double's side, or the middle of any tile's."""

HUB = -1
"""Stands for the hub as a partner of a tile."""

_GAP_MOST, _GAP_LEAST = 0.4, -0.3
_LATERAL_MOST = 0.36
_ANGLE_MOST = np.radians(58)
_COST_MOST = 0.55


@dataclass(frozen=True, slots=True)
class Join:
    """Tiles `a` and `b` meet: with halves `half_a`, `half_b` (0, 1, or `SIDE`) at `spot_a`, `spot_b`.

    A spot (2,) is where on the tile the contact lies, in its own frame (along, across) in tile lengths. `b` may
    be `HUB`; then `spot_b` is the distance from the hub's centre and the direction in radians clockwise.
    """

    a: int
    b: int
    half_a: int
    half_b: int
    spot_a: tuple[float, float]
    spot_b: tuple[float, float]
    cost: float

    def other(self, tile: int) -> int:
        """The tile at the other side."""
        return self.b if tile == self.a else self.a

    def half(self, tile: int) -> int:
        """The half of `tile` that touches."""
        return self.half_a if tile == self.a else self.half_b

    def spot(self, tile: int) -> tuple[float, float]:
        """Where on `tile` the contact lies."""
        return self.spot_a if tile == self.a else self.spot_b


def neighbours(centres: Array, reach: float) -> npt.NDArray[np.int64]:
    """Pairs (m, 2), first < second, of points (n, 2) that are closer than `reach`; by a grid, so m grows with n."""
    cells: dict[tuple[int, int], list[int]] = {}
    keys = np.floor(centres / reach).astype(int)
    for index, (column, row) in enumerate(keys.tolist()):
        cells.setdefault((column, row), []).append(index)
    pairs = [
        (one, two)
        for (column, row), members in cells.items()
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
        for one in members
        for two in cells.get((column + i, row + j), ())
        if one < two
    ]
    found = np.array(pairs, np.int64).reshape(-1, 2)
    if len(found) == 0:
        return found
    apart = np.linalg.norm(centres[found[:, 0]] - centres[found[:, 1]], axis=1)
    return np.asarray(found[apart < reach])


def find_joins(rects: Rects, doubles: npt.NDArray[np.bool_]) -> list[Join]:
    """All ways in which neighbours may be joined, cheapest first. `doubles` (n,) says which tiles are doubles."""
    return joins_of_pairs(rects, doubles, neighbours(rects.centre, REACH))


def joins_of_pairs(rects: Rects, doubles: npt.NDArray[np.bool_], pairs: npt.NDArray[np.int64]) -> list[Join]:
    """The same for given pairs (m, 2) of tiles alone."""
    if len(pairs) == 0:
        return []
    joins = _end_to_end(rects, doubles, pairs)
    joins += _end_to_side(rects, doubles, pairs)
    joins += _end_to_side(rects, doubles, pairs[:, ::-1])
    return sorted(joins, key=lambda join: join.cost)


_DOUBLE_END = 0.05
"""Added where a double is met at its short end: most lie crosswise, and what is near such an end is often a
neighbour."""


def _facing(normal_a: Array, normal_b: Array) -> Array:
    """Angle (m,) between a's outward normal and the reverse of b's, radians."""
    return np.asarray(np.arccos(np.clip(-(normal_a * normal_b).sum(1), -1, 1)))


def _cost(gap: Array, lateral: Array, angle: Array) -> Array:
    return np.asarray(np.abs(gap) + 0.6 * lateral + 0.3 * angle)


def _end_to_end(rects: Rects, doubles: npt.NDArray[np.bool_], pairs: npt.NDArray[np.int64]) -> list[Join]:
    joins = []
    a, b = pairs[:, 0], pairs[:, 1]
    for half_a in (0, 1):
        for half_b in (0, 1):
            sign_a, sign_b = half_a - 0.5, half_b - 0.5
            normal_a, normal_b = 2 * sign_a * rects.axis[a], 2 * sign_b * rects.axis[b]
            angle = _facing(normal_a, normal_b)
            apart = rects.centre[b] + sign_b * rects.axis[b] - rects.centre[a] - sign_a * rects.axis[a]
            # Along the bisector of both outward directions: a bend opens a wedge, which is no gap.
            line = normal_a - normal_b
            line = line / np.maximum(np.linalg.norm(line, axis=1, keepdims=True), 1e-9)
            along = (apart * line).sum(1)
            lateral = np.abs(apart[:, 0] * line[:, 1] - apart[:, 1] * line[:, 0])
            gap = along - rects.width * np.sin(angle / 2)
            gap = np.where(gap < 0, np.minimum(along, 0) + np.maximum(gap, -0.1) * 0.2, gap)
            cost = _cost(gap, lateral, angle) + _DOUBLE_END * (doubles[a] | doubles[b])
            good = _allowed(gap, lateral, angle, cost)
            for index in np.flatnonzero(good):
                joins.append(
                    Join(
                        int(a[index]),
                        int(b[index]),
                        half_a,
                        half_b,
                        (sign_a, 0.0),
                        (sign_b, 0.0),
                        float(cost[index]),
                    )
                )
    return joins


def _allowed(gap: Array, lateral: Array, angle: Array, cost: Array) -> npt.NDArray[np.bool_]:
    return np.asarray(
        (gap < _GAP_MOST) & (gap > _GAP_LEAST) & (lateral < _LATERAL_MOST) & (angle < _ANGLE_MOST) & (cost < _COST_MOST)
    )


def _end_to_side(rects: Rects, doubles: npt.NDArray[np.bool_], pairs: npt.NDArray[np.int64]) -> list[Join]:
    """The first tile's end against the second one's long side."""
    joins: list[Join] = []
    a, b = pairs[:, 0], pairs[:, 1]
    side_b = rects.side
    for half_a in (0, 1):
        sign_a = half_a - 0.5
        normal_a = 2 * sign_a * rects.axis[a]
        off = rects.centre[a] + sign_a * rects.axis[a] - rects.centre[b]
        along, across = (off * rects.axis[b]).sum(1), (off * side_b[b]).sum(1)
        which = np.where(across < 0, -1.0, 1.0)
        angle = _facing(normal_a, which[:, None] * side_b[b])
        gap = np.abs(across) - rects.width / 2 - rects.width / 2 * np.sin(angle)
        gap = np.where(gap < 0, np.minimum(np.abs(across) - rects.width / 2, 0) + np.maximum(gap, -0.1) * 0.2, gap)
        place = np.abs(along)
        # A double is met anywhere on its side, best in the middle or at a half's. Others are met at one half;
        # in the middle only if they lie crosswise like a double, which a misread double does.
        middle = ~doubles[b] & (place < 0.12)
        lateral = np.where(
            doubles[b],
            # A toe that leaves slantwise touches near the double's corner.
            np.maximum(0, place - 0.28 - 0.3 * np.sin(angle)) + 0.25 * np.minimum(place, np.abs(place - 0.25)),
            np.where(middle, 0.1 + 0.5 * place, np.abs(place - 0.25)),
        )
        first = np.where(doubles[b] | middle, SIDE, (along > 0).astype(int))
        # Between the middle and a half's own place the other half may be meant as well.
        other = np.where(~doubles[b] & (place < 0.25), (along <= 0).astype(int), -1)
        for half_b, off_b in ((first, lateral), (other, 0.6 * (place + 0.25))):
            cost = _cost(gap, off_b, angle) + _DOUBLE_END * doubles[a]
            good = _allowed(gap, off_b, angle, cost) & (half_b >= 0)
            for index in np.flatnonzero(good).tolist():
                spot = (float(along[index]), float(which[index] * rects.width / 2))
                ends = int(a[index]), int(b[index]), half_a, int(half_b[index])
                joins.append(Join(*ends, (sign_a, 0.0), spot, float(cost[index])))
    return joins
