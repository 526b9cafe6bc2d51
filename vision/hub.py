"""Finding the hub: the starting double that lines point at, or the empty place where it should be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.forest import Ends, Forest
from vision.joins import HUB, SIDE, Join
from vision.plane import Array, Rects

_FAR = 2.7
_LEAST_SCORE = 1.4
_ENDS_FOR_EMPTY = 3
_RADIUS_SLACK = 0.35


@dataclass(frozen=True, slots=True)
class Ray:
    """A free end: `tile`, `half`, its middle `point` (2,) and outward direction `normal` (2,)."""

    tile: int
    half: int
    point: Array
    normal: Array


@dataclass(frozen=True, slots=True)
class HubPlace:
    """`tile` is the starting double's index, or `None` if its place is empty or covered. `radius` in tile lengths."""

    centre: Array
    radius: float
    tile: int | None
    score: float


def free_rays(forest: Forest, rects: Rects) -> list[Ray]:
    """Every short end that no join has taken."""
    rays = []
    for tile in range(len(rects)):
        taken = {join.half(tile) for join in forest.at[tile]}
        for half in (0, 1):
            if half not in taken:
                sign = 2 * half - 1
                rays.append(Ray(tile, half, rects.end(tile, half), np.asarray(rects.axis[tile] * sign)))
    return rays


def _pointing(rays: Sequence[Ray], centre: Array, but: int | None) -> list[tuple[Ray, float, float]]:
    """Rays that point at the centre: (ray, distance, how far they miss)."""
    found = []
    for ray in rays:
        towards = centre - ray.point
        along = float(towards @ ray.normal)
        if ray.tile == but or not 0.1 < along < _FAR:
            continue
        miss = abs(float(towards[0] * ray.normal[1] - towards[1] * ray.normal[0]))
        if miss < 0.14 + 0.14 * along:
            found.append((ray, float(np.hypot(*towards)), miss))
    return found


def _agreed(pointing: list[tuple[Ray, float, float]]) -> tuple[list[tuple[Ray, float, float]], float]:
    """Those of the most common distance, and that distance; the nearer of equals."""
    best: list[tuple[Ray, float, float]] = []
    radius = 0.0
    for _, distance, _ in sorted(pointing, key=lambda entry: entry[1]):
        close = [entry for entry in pointing if abs(entry[1] - distance) < 0.25]
        tiles = {entry[0].tile for entry in close}
        if len(tiles) > len({entry[0].tile for entry in best}):
            best, radius = close, float(np.median([entry[1] for entry in close]))
    return best, radius


def _unblocked(
    pointing: list[tuple[Ray, float, float]], rects: Rects, centre: Array, but: int | None
) -> list[tuple[Ray, float, float]]:
    """Those between which and the centre no other tile lies."""
    clear = []
    for ray, distance, miss in pointing:
        steps = np.arange(0.15, distance - 0.1, 0.2)
        path = [ray.point + (centre - ray.point) * step / distance for step in steps]
        near = [
            tile
            for tile in np.flatnonzero(np.abs(rects.centre - (ray.point + centre) / 2).max(1) < distance / 2 + 0.6)
            if tile not in (ray.tile, but)
        ]
        if not any(rects.inside(int(tile), point) for tile in near for point in path):
            clear.append((ray, distance, miss))
    return clear


def find_hub(forest: Forest, rects: Rects, ends: Sequence[Ends]) -> HubPlace | None:
    """The best place for the hub, or `None` where nothing points at anything."""
    rays = free_rays(forest, rects)
    places = []
    for tile in range(len(rects)):
        # Anything with more than one tile against each side may be a hub without a gap round it.
        place = _at_tile(tile, forest, rects, ends, rays)
        if place is not None:
            places.append(place)
    best = max(places, key=lambda place: place.score, default=None)
    if best is None or best.score < _ENDS_FOR_EMPTY + 0.5:
        empty = _empty_place(rays, rects)
        if empty is not None and (best is None or empty.score > best.score + 0.5):
            return empty
    return best


def _at_tile(
    tile: int, forest: Forest, rects: Rects, ends: Sequence[Ends], rays: Sequence[Ray]
) -> HubPlace | None:
    centre = np.asarray(rects.centre[tile])
    first, second = ends[tile]
    double = first is not None and first == second
    touching = len(forest.at[tile])
    pointing = _pointing(rays, centre, tile) if touching <= 1 or double else []
    if not pointing and touching < 3:
        return None
    agreed, radius = _agreed(_unblocked(pointing, rects, centre, tile)) if pointing else ([], 0.3)
    tiles = {entry[0].tile for entry in agreed}
    value = sum(0.5 for entry in agreed if first is not None and ends[entry[0].tile][entry[0].half] == first)
    # Two joins are what any tile of a line has; more than two only a hub has (or a chicken's foot).
    score = len(tiles) + value + 0.5 * double + (0.4 if touching == 0 else 0.0) + max(0, touching - 2) * 0.6
    score -= 0.6 * min(touching, 2) if len(tiles) < 3 else 0.0
    if double and touching >= 3:  # first tiles laid right against the starting double
        score = max(score, 1 + 0.25 * touching)
    # One line alone points at many things; only a double that it begins with is its hub. What is not read as a
    # double is one only if several lines say so.
    alone = len(tiles) < 2 and touching < 3 and not (value and double)
    if score < _LEAST_SCORE or alone or (not double and len(tiles) < 3):
        return None
    return HubPlace(centre, radius if agreed else 0.35, tile, float(score))


def _empty_place(rays: Sequence[Ray], rects: Rects) -> HubPlace | None:
    """Where at least three free ends point at one spot from equal distances and nothing lies there."""
    best: HubPlace | None = None
    for index, one in enumerate(rays):
        for two in rays[index + 1 :]:
            if one.tile == two.tile or np.abs(one.point - two.point).max() > 2 * _FAR:
                continue
            spot = _crossing(one, two)
            if spot is None or (best is not None and np.hypot(*(spot - best.centre)) < 0.1):
                continue
            place = _empty_at(rays, rects, spot)
            if place is not None and (best is None or place.score > best.score):
                best = place
    return best


def _empty_at(rays: Sequence[Ray], rects: Rects, spot: Array) -> HubPlace | None:
    if (np.abs(rects.centre - spot).max(1) < 0.3).any():
        return None
    pointing = [entry for entry in _pointing(rays, spot, None) if entry[1] > 0.55]
    if len({entry[0].tile for entry in pointing}) < _ENDS_FOR_EMPTY:
        return None
    agreed, radius = _agreed(_unblocked(pointing, rects, spot, None))
    tiles = {entry[0].tile for entry in agreed}
    if len(tiles) < _ENDS_FOR_EMPTY:
        return None
    miss = float(np.mean([entry[2] for entry in agreed]))
    return HubPlace(spot, radius, None, len(tiles) - 2 * miss)


def _crossing(one: Ray, two: Ray) -> Array | None:
    """Where two rays meet, if both have to go between 0.5 and `_FAR` for it."""
    matrix = np.stack([one.normal, -two.normal], axis=1)
    if abs(float(np.linalg.det(matrix))) < 0.25:
        return None
    steps = np.linalg.solve(matrix, two.point - one.point)
    if not (0.5 < steps[0] < _FAR and 0.5 < steps[1] < _FAR):
        return None
    return np.asarray(one.point + steps[0] * one.normal)


def hub_joins(place: HubPlace, rects: Rects, joins: Sequence[Join], doubles: Array) -> list[Join]:
    """Joins of first tiles with the hub: ends that face it at its radius, and tiles that touch the starting double."""
    found: dict[tuple[int, int], Join] = {}
    around = np.flatnonzero(np.hypot(*(rects.centre - place.centre).T) < place.radius + 1.6).tolist()
    for tile in around:
        if tile == place.tile:
            continue
        for half in (0, 1):
            join = _facing_hub(place, rects, tile, half)
            if join is not None:
                found[join.a, half] = join
        if doubles[tile]:
            join = _side_on_hub(place, rects, tile)
            if join is not None:
                found[join.a, 2] = join
    for join in joins:
        if place.tile not in (join.a, join.b) or place.tile is None:
            continue
        tile = join.other(place.tile)
        if join.cost < 0.35 and (tile, join.half(tile)) not in found:
            found[tile, join.half(tile)] = _hub_join(place, rects, tile, join.half(tile), join.spot(tile), join.cost)
    return list(found.values())


def _hub_join(
    place: HubPlace, rects: Rects, tile: int, half: int, spot: tuple[float, float], cost: float
) -> Join:
    at = rects.centre[tile] + spot[0] * rects.axis[tile] + spot[1] * rects.side[tile]
    off = at - place.centre
    direction = float(np.arctan2(off[1], off[0]))
    return Join(tile, HUB, half, 0, spot, (float(np.hypot(*off)), direction), cost)


def _facing_hub(place: HubPlace, rects: Rects, tile: int, half: int) -> Join | None:
    sign = half - 0.5
    towards = place.centre - rects.end(tile, half)
    distance = float(np.hypot(*towards))
    normal = 2 * sign * rects.axis[tile]
    along = float(towards @ normal)
    miss = abs(float(towards[0] * normal[1] - towards[1] * normal[0]))
    off = abs(distance - place.radius)
    if along <= 0.1 or off > _RADIUS_SLACK or miss > 0.28 + 0.28 * along:
        return None
    return _hub_join(place, rects, tile, half, (sign, 0.0), 0.04 + 0.35 * off + 0.35 * miss)


def _side_on_hub(place: HubPlace, rects: Rects, tile: int) -> Join | None:
    """A double laid crosswise as a first tile."""
    towards = place.centre - rects.centre[tile]
    across = float(towards @ rects.side[tile])
    miss = abs(float(towards @ rects.axis[tile]))
    off = abs(abs(across) - rects.width / 2 - place.radius)
    if off > _RADIUS_SLACK or miss > 0.3:
        return None
    spot = (0.0, float(np.sign(across)) * rects.width / 2)
    return _hub_join(place, rects, tile, SIDE, spot, 0.06 + 0.35 * off + 0.35 * miss)
