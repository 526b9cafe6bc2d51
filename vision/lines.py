"""From joins to lines: tiles in order, outward from the hub, each with the half that is nearer to it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from vision.forest import ACROSS_GAP, Forest
from vision.hub import HubPlace, Ray, free_rays
from vision.joins import HUB, SIDE, Join, neighbours
from vision.plane import Array, Rects

_GAP_MOST = 1.35


@dataclass(slots=True)
class Line:
    """Tiles in order outward; `near` is the half (0, 1 or `SIDE`) by which each is entered.

    `joins[k]` is what ties tile k to the one before it (the hub, or the double that a limb leaves); `None` for
    the first tile of a line that starts nowhere. A limb leaves `parent` (a line's number) at tile `index`;
    `at_near`: it lies against the half by which that tile is entered, which only side lines do.
    """

    tiles: list[int] = field(default_factory=list)
    near: list[int] = field(default_factory=list)
    joins: list[Join | None] = field(default_factory=list)
    parent: int = -1
    index: int = -1
    at_near: bool = False


@dataclass(slots=True)
class Tree:
    """A line and its limbs. `slot` is the direction from the hub in radians clockwise, `None` away from it."""

    lines: list[Line]
    slot: float | None = None

    @property
    def tiles(self) -> list[int]:
        """All tiles, the line's first."""
        return [tile for line in self.lines for tile in line.tiles]


def order_tree(
    forest: Forest, rects: Rects, first: int, entry: int, by: Join | None, prefer: Collection[int] = ()
) -> Tree:
    """Walk outward from tile `first`, entered at half `entry` through `by`.

    At a double with several exits the line goes on through a tile of `prefer`, else straight on; the others
    are limbs.
    """
    lines = [Line([first], [entry], [by])]
    todo = [0]
    while todo:
        number = todo.pop(0)
        line = lines[number]
        while True:
            tile, came = line.tiles[-1], line.joins[-1]
            exits = [join for join in forest.at[tile] if join is not came and join.b != HUB]
            if not exits:
                break
            exits.sort(key=lambda join: _straightness(rects, line, tile, join, prefer), reverse=True)
            back = [join for join in exits if _at_near(forest, line, tile, join)]
            exits = [join for join in exits if join not in back]
            for join in (*exits[1:], *back):
                other, at_near = join.other(tile), join in back
                limb = Line([other], [entered_half(forest, other, join)], [join], number, len(line.tiles) - 1, at_near)
                lines.append(limb)
                todo.append(len(lines) - 1)
            if not exits:
                break
            after = exits[0].other(tile)
            line.tiles.append(after)
            line.near.append(entered_half(forest, after, exits[0]))
            line.joins.append(exits[0])
    return Tree(lines)


def _at_near(forest: Forest, line: Line, tile: int, join: Join) -> bool:
    """The join is at the half by which the line came, so that no line goes on there."""
    first, second = forest.ends[tile]
    return first != second and join.half(tile) == line.near[-1] != SIDE


def entered_half(forest: Forest, tile: int, join: Join) -> int:
    """The half by which a tile is entered; a tile met near the middle of its side is entered by the half left free."""
    half = join.half(tile)
    first, second = forest.ends[tile]
    if half != SIDE or first == second:
        return half
    others = {other.half(tile) for other in forest.at[tile] if other is not join} - {SIDE}
    if len(others) == 1:
        return 1 - others.pop()
    along = join.spot(tile)[0]
    return half if abs(along) < 0.06 else int(along > 0)


def _straightness(rects: Rects, line: Line, tile: int, join: Join, prefer: Collection[int]) -> float:
    """How much an exit carries on in the direction in which the tile was entered."""
    other = join.other(tile)
    if other in prefer:
        return 2.0
    inward = entry_direction(rects, tile, line.near[-1], line.joins[-1])
    out = rects.centre[other] - rects.centre[tile]
    return float(inward @ out / max(float(np.hypot(*out)), 1e-9))


def entry_direction(rects: Rects, tile: int, near: int, by: Join | None) -> Array:
    """Unit vector (2,) from the contact by which the tile was entered to its far side."""
    if near != SIDE:
        return np.asarray(rects.axis[tile] * (1 - 2 * near))
    across = by.spot(tile)[1] if by is not None else -1.0
    if abs(across) < 1e-6:  # a double entered by its end
        return np.asarray(rects.axis[tile] * -np.sign(by.spot(tile)[0] if by is not None else 1.0))
    return np.asarray(rects.side[tile] * -np.sign(across))


def tail_ray(rects: Rects, line: Line) -> Ray:
    """The open end of a line: the middle of the last tile's outer edge and the direction outward."""
    tile, near = line.tiles[-1], line.near[-1]
    outward = entry_direction(rects, tile, near, line.joins[-1])
    along = abs(float(outward @ rects.axis[tile])) > 0.7
    reach = 0.5 if along else rects.width / 2
    half = SIDE if near == SIDE else 1 - near
    return Ray(tile, half, np.asarray(rects.centre[tile] + outward * reach), outward)


def outer_edge(rects: Rects, line: Line) -> tuple[int, int]:
    """The two corners (their numbers, as in `corners_px`) of the last tile's outer edge."""
    tile, near = line.tiles[-1], line.near[-1]
    outward = entry_direction(rects, tile, near, line.joins[-1])
    along, across = float(outward @ rects.axis[tile]), float(outward @ rects.side[tile])
    if abs(along) > abs(across):
        return (2, 3) if along > 0 else (0, 1)
    return (0, 3) if across > 0 else (1, 2)


def side_rays(forest: Forest, rects: Rects, doubles: Array) -> list[Ray]:
    """The free long sides of doubles: a line may go on there."""
    rays = []
    for tile in np.flatnonzero(doubles):
        for sign in (-1.0, 1.0):
            if all(join.spot(int(tile))[1] * sign < 0.1 for join in forest.at[tile]):
                normal = np.asarray(rects.side[tile] * sign)
                rays.append(Ray(int(tile), SIDE, rects.centre[tile] + normal * rects.width / 2, normal))
    return rays


def gap_joins(forest: Forest, rects: Rects, doubles: Array, hub: HubPlace | None) -> list[Join]:
    """Joins across a gap as wide as a tile that was not seen: between a rooted line's end and a piece beyond it."""
    rays = [*free_rays(forest, rects), *side_rays(forest, rects, doubles)]
    found = []
    if rays:
        points = np.array([ray.point for ray in rays])
        for one, two in neighbours(points, _GAP_MOST + 0.05).tolist():
            join = _across_gap(rays[one], rays[two], forest, rects)
            if join is not None:
                found.append(join)
    if hub is not None:
        found += [join for ray in rays if (join := _gap_to_hub(ray, hub, forest, rects)) is not None]
    return sorted(found, key=lambda join: join.cost)


def _spot(ray: Ray, rects: Rects) -> tuple[float, float]:
    off = ray.point - rects.centre[ray.tile]
    return float(off @ rects.axis[ray.tile]), float(off @ rects.side[ray.tile])


def _across_gap(one: Ray, two: Ray, forest: Forest, rects: Rects) -> Join | None:
    if forest.rooted(one.tile) == forest.rooted(two.tile):
        return None
    apart = two.point - one.point
    distance = float(np.hypot(*apart))
    if not 0.2 < distance < _GAP_MOST:
        return None
    straight = min(float(apart @ one.normal), -float(apart @ two.normal)) / distance
    if straight < 0.93 or _blocked(one.point, two.point, (one.tile, two.tile), rects):
        return None
    cost = ACROSS_GAP + distance + (1 - straight)
    return Join(one.tile, two.tile, one.half, two.half, _spot(one, rects), _spot(two, rects), cost)


def _gap_to_hub(ray: Ray, hub: HubPlace, forest: Forest, rects: Rects) -> Join | None:
    """A second tile whose first was not seen."""
    if forest.rooted(ray.tile):
        return None
    towards = hub.centre - ray.point
    distance = float(np.hypot(*towards))
    if not hub.radius + 0.35 < distance < hub.radius + 1.3:
        return None
    straight = float(towards @ ray.normal) / distance
    but = (ray.tile,) if hub.tile is None else (ray.tile, hub.tile)
    if straight < 0.94 or _blocked(ray.point, hub.centre, but, rects):
        return None
    direction = float(np.arctan2(-towards[1], -towards[0]))
    cost = ACROSS_GAP + distance - hub.radius + (1 - straight)
    return Join(ray.tile, HUB, ray.half, 0, _spot(ray, rects), (distance, direction), cost)


def wide_as_a_tile(join: Join, rects: Rects, hub: HubPlace) -> bool:
    """True if one tile, along or across, would just fill the gap that the join spans."""
    excess = join.cost - ACROSS_GAP if join.b != HUB else join.spot_b[0] - hub.radius
    return 0.88 < excess < 1.2 or rects.width - 0.08 < excess < rects.width + 0.15


def _blocked(start: Array, stop: Array, but: tuple[int, ...], rects: Rects) -> bool:
    """True if some other tile lies on the way."""
    middle, reach = (start + stop) / 2, float(np.hypot(*(stop - start))) / 2 + 0.6
    path = [start + (stop - start) * share for share in np.linspace(0.1, 0.9, 7)]
    near = np.flatnonzero(np.abs(rects.centre - middle).max(1) < reach)
    return any(rects.inside(int(tile), point) for tile in near if tile not in but for point in path)


def free_pieces(forest: Forest, but: Collection[int]) -> list[list[int]]:
    """Tiles that hang together but not with the hub, piece by piece; tiles of `but` left out."""
    pieces: dict[int, list[int]] = {}
    for tile in range(len(forest.ends)):
        if tile not in but and not forest.rooted(tile):
            pieces.setdefault(forest.root(tile), []).append(tile)
    return list(pieces.values())


def longest_path(forest: Forest, piece: list[int]) -> list[int]:
    """The longest run of tiles in a piece, from one end to the other; side lines are no part of it."""
    if any(len(forest.at[tile]) > 2 and len(set(forest.ends[tile])) > 1 for tile in piece):
        ends = [tile for tile in piece if len(forest.at[tile]) < 2]
        return max((_farthest(forest, end) for end in ends), key=len)
    return _farthest(forest, _farthest(forest, min(piece))[-1])


def _farthest(forest: Forest, start: int) -> list[int]:
    """The longest run that begins with a tile: through others it goes from one half to the other."""
    paths, todo = {start: [start]}, [(start, -1)]
    while todo:
        tile, came = todo.pop(0)
        first, second = forest.ends[tile]
        for join in forest.at[tile]:
            other = join.other(tile)
            back = first != second and join.half(tile) == came != SIDE
            if other != HUB and other not in paths and not back:
                paths[other] = [*paths[tile], other]
                todo.append((other, join.half(other)))
    return max(paths.values(), key=len)


def outer_half(forest: Forest, tile: int) -> int:
    """By which half a line would be entered that starts with this tile: the one that nothing touches."""
    if not forest.at[tile]:
        return 0
    half = forest.at[tile][0].half(tile)
    return half if half == SIDE else 1 - half
