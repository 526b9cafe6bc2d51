"""Whose marker is it? On the last tile, before the open end, at the hub slot, or at a slot without a train."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.hub import HubPlace
from vision.lines import Tree, tail_ray
from vision.plane import Array, Plane, Rects
from vision.tiles import TileSighting

EMPTY_SLOT = -1
NOBODY = -2

_MOST = 14
"""More markers than this no game has: ten trains, and a few that lie about."""
_ALIKE = 0.3  # in logarithms

_SURELY = 0.97
"""What looks less like a marker than this is none where nobody puts one."""
_FAR = 1.0
_UNSURE = 0.2
_ALONE = 0.35
"""Nearer to each other are no two markers."""
_IN_LINE, _NEAR_AHEAD = 0.35, 0.6


@dataclass(frozen=True, slots=True)
class Claim:
    """A marker's train: an index, `EMPTY_SLOT` (with its `slot` direction) or `NOBODY`; `rival` may own it too."""

    tree: int
    cost: float
    slot: float = 0.0
    rival: int | None = None


def without_print(markers: Sequence[TileSighting]) -> tuple[TileSighting, ...]:
    """The markers, without those alike in size where there are more than any game has: a cloth with spots or rings."""
    if len(markers) <= _MOST:
        return tuple(markers)
    lengths = np.log([np.linalg.norm(m.corners_px[2] - m.corners_px[1]) + 1.0 for m in markers])
    alike = np.abs(lengths[:, None] - lengths[None]) < _ALIKE
    print_like = alike[alike.sum(1).argmax()]
    rest = tuple(marker for marker, one in zip(markers, print_like, strict=True) if not one)
    return rest if len(rest) <= _MOST else ()


def without_pins(
    markers: Sequence[TileSighting], claims: Sequence[Claim], points: Array, trees: Sequence[Tree], rects: Rects
) -> tuple[tuple[TileSighting, ...], list[Claim]]:
    """Markers and claims without what is hardly a marker, is nobody's, and stands (`points`) on a tile within a line.

    Nobody puts a marker there, while dividers, pins and glints of tiles look a little like some.
    """
    kept = [
        (marker, claim)
        for marker, claim, point in zip(markers, claims, points, strict=True)
        if claim.tree != NOBODY or marker.confidence > _SURELY or not _on_inner_tile(point, trees, rects)
    ]
    return tuple(marker for marker, _ in kept), [claim for _, claim in kept]


def claim_markers(points: Array, trees: Sequence[Tree], rects: Rects, hub: HubPlace | None) -> list[Claim]:
    """The most likely train for each marker at `points` (n, 2) on the table."""
    options = [_options(point, trees, rects, hub) for point in points]
    chosen = _one_each(options)
    claims = []
    for (own, slot), first in zip(options, chosen, strict=True):
        if not own:
            claims.append(Claim(NOBODY, _FAR))
            continue
        cost, index = own[first]
        others = [other for place, (price, other) in enumerate(own) if place != first and price - cost < _UNSURE]
        claims.append(Claim(index, cost, slot, others[0] if others else None))
    inner = {number for number, point in enumerate(points) if _on_inner_tile(point, trees, rects)}
    elsewhere = any(claim.tree != NOBODY for number, claim in enumerate(claims) if number not in inner)
    # People of one table put their markers alike: where some stand at ends, what is seen within a line is none.
    return [Claim(NOBODY, _FAR) if elsewhere and number in inner else claim for number, claim in enumerate(claims)]


def _on_inner_tile(point: Array, trees: Sequence[Tree], rects: Rects) -> bool:
    """True if the point lies on a tile that is in a line and not its last."""
    last = {line.tiles[-1] for tree in trees for line in tree.lines}
    tiles = [tile for tree in trees for tile in tree.tiles]
    if not tiles:
        return False
    under = [tile for tile, away in zip(tiles, rects.distances(tiles, point[None])[0], strict=True) if away == 0]
    return bool(under) and last.isdisjoint(under)


def maybe_marked(
    faint: Sequence[TileSighting], markers: Sequence[TileSighting], plane: Plane, trees: Sequence[Tree], rects: Rects,
    hub: HubPlace | None,
) -> list[tuple[TileSighting, Claim]]:
    """The faint things that, if they are markers, stand for a train that has none: with the train meant."""
    claims = claim_markers(middles(plane, faint), trees, rects, hub)
    taken = middles(plane, markers)
    marked = {claim.tree for claim in claim_markers(taken, trees, rects, hub)}
    found = []
    for one, point, claim in zip(faint, middles(plane, faint), claims, strict=True):
        alone = all(np.hypot(*(point - other)) > _ALONE for other in taken)
        if alone and claim.tree != NOBODY and (claim.tree == EMPTY_SLOT or claim.tree not in marked):
            found.append((one, claim))
    return found


def middles(plane: Plane, sightings: Sequence[TileSighting]) -> Array:
    """Where on the table (n, 2) the middles of what was seen are."""
    corners = np.array([one.corners_px for one in sightings], np.float64).reshape(-1, 4, 2)
    return np.asarray(plane.to_plane(corners).mean(1))


_Options = tuple[list[tuple[float, int]], float]
"""(cost, train) by cost, and the direction of the slot where no train begins, if that is among them."""


def _options(point: Array, trees: Sequence[Tree], rects: Rects, hub: HubPlace | None) -> _Options:
    found = [(_cost(point, tree, rects, hub), index) for index, tree in enumerate(trees)]
    found = [option for option in found if option[0] < _FAR]
    slot = None if hub is None else _empty_slot(point, trees, hub)
    if slot is not None:
        found.append((slot[0], EMPTY_SLOT))
    return sorted(found, key=lambda option: option[0]), 0.0 if slot is None else slot[1]


def _one_each(options: Sequence[_Options]) -> list[int]:
    """Which of its options each marker takes: a train that has one leaves the next marker to a train as near."""
    chosen = [0] * len(options)
    taken: set[int] = set()
    order = sorted((number for number, (own, _) in enumerate(options) if own), key=lambda n: options[n][0][0][0])
    for number in order:
        own = options[number][0]
        near = [place for place, (cost, _) in enumerate(own) if cost - own[0][0] < _UNSURE]
        chosen[number] = next((place for place in near if own[place][1] not in taken), 0)
        taken |= {own[chosen[number]][1]} - {EMPTY_SLOT}
    return chosen


def _cost(point: Array, tree: Tree, rects: Rects, hub: HubPlace | None) -> float:
    """How far the marker stands from where this train's marker would stand; 0 to about 1."""
    costs = []
    for line in tree.lines:
        ray = tail_ray(rects, line)
        if rects.inside(ray.tile, point):
            return 0.0
        off = point - ray.point
        along, across = float(off @ ray.normal), float(off[0] * ray.normal[1] - off[1] * ray.normal[0])
        # Just beyond the end costs little; beside it more than before it. Straight on it may stand far off: a tile
        # may lie between that was not seen.
        ahead = max(0.0, along - 0.3, -along)
        if along > 0 and abs(across) < _IN_LINE:
            ahead = min(ahead, _NEAR_AHEAD + 0.4 * (ahead - _NEAR_AHEAD))
        costs.append(float(np.hypot(ahead, across)) + (0.0 if along > 0 else 0.1))
        costs.append(0.15 + rects.distance(ray.tile, point))
    if (rects.distances(tree.tiles, point[None]) == 0).any():
        costs.append(0.1)
    if hub is not None and tree.slot is not None:
        costs.append(_at_slot(point, tree, rects, hub))
    return min(costs)


def _at_slot(point: Array, tree: Tree, rects: Rects, hub: HubPlace) -> float:
    """Between the hub and the train's first tile."""
    off = point - hub.centre
    reach = float(np.hypot(*off))
    slot = tree.slot or 0.0
    across = abs(float(off[1] * np.cos(slot) - off[0] * np.sin(slot)))
    if float(off @ [np.cos(slot), np.sin(slot)]) <= 0 or reach > hub.radius + 0.1:
        return 9.0
    return 0.05 + across + rects.distance(tree.lines[0].tiles[0], point) * 0.3


def _empty_slot(point: Array, trees: Sequence[Tree], hub: HubPlace) -> tuple[float, float] | None:
    """(cost, direction) if the marker stands at the hub where no train begins."""
    off = point - hub.centre
    reach, direction = float(np.hypot(*off)), float(np.arctan2(off[1], off[0]))
    if not hub.radius - 0.55 < reach < hub.radius + 0.95:
        return None
    turns = [abs((direction - tree.slot + np.pi) % (2 * np.pi) - np.pi) for tree in trees if tree.slot is not None]
    room = min(turns, default=np.pi) * reach
    if room < 0.32:
        return None
    return 0.2 + max(0.0, 0.5 - room), direction
