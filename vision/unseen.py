"""What may be missing from the picture: tiles at the ends of trains, where one that was not found leaves no hole, and
markers of trains that have not begun.

Three things betray a tile: a marker that stands farther off than markers here do, a tile that lies just where one more
tile would lead, and a back that lies against the end. All of them are doubts; nothing is joined because of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.tile import Tile
from vision.forest import facing_values
from vision.hub import Ray
from vision.joins import REACH, SIDE, Join, joins_of_pairs
from vision.laid import Layout, quads
from vision.lines import Line, tail_ray
from vision.marking import EMPTY_SLOT, NOBODY, maybe_marked
from vision.plane import Array, Rects, rectangles
from vision.table_reading import Note

_MARKER_OFF, _MARKER_HABIT = 0.36, 0.2
"""A marker this far from its train is odd (a crosswise double takes half a tile), or this much farther than others."""
_STRAY = 1.9
_WELL_JOINED = 0.15
_TURNS = tuple(np.radians(np.arange(-45, 46, 9)).tolist())
_AIR = 0.03
_REACH = 2.1
"""A tile beyond one that is missing has its centre closer to the end than this."""
_ALONG, _ACROSS = (-0.4, -0.2, 0.0, 0.2, 0.4), (-0.35, 0.0, 0.35)


def note_unseen(layout: Layout) -> list[Note]:
    """Doubts about tiles that may be missing at the ends of trains; none without a hub, where nothing is sure."""
    if layout.hub is None:
        return []
    tails = [(line, tail_ray(layout.rects, line)) for tree in layout.trees for line in tree.lines]
    notes = [*_odd_marker_notes(layout), *_marker_notes(layout), *_stray_marker_notes(layout, tails)]
    return [*notes, *_beyond_notes(layout, tails), *_back_notes(layout, tails), *_maybe_notes(layout)]


def _maybe_notes(layout: Layout) -> list[Note]:
    """What may be the marker of a train that has none."""
    reading = layout.reading
    maybe = maybe_marked(reading.faint, reading.markers, layout.plane, layout.trees, layout.rects, layout.hub)
    return [
        Note("marker_maybe", () if claim.tree < 0 else (layout.trees[claim.tree].lines[0].tiles[-1],),
             place_px=one.centre_px)
        for one, claim in maybe
    ]  # fmt: skip


def _marker_notes(layout: Layout) -> list[Note]:
    """Markers with room for a tile between them and their train."""
    away = {number: _marker_gap(layout, number) for number, claim in enumerate(layout.claims) if claim.tree != NOBODY}
    notes = []
    for number, gap in away.items():
        others = [other for key, other in away.items() if key != number]
        limit = max(_MARKER_OFF, float(np.median(others)) + _MARKER_HABIT if others else 0.0)
        if gap > limit:
            claim = layout.claims[number]
            tile = () if claim.tree == EMPTY_SLOT else (layout.trees[claim.tree].lines[0].tiles[-1],)
            notes.append(Note("marker_far", tile, None, {"marker": number}))
    return notes


def _odd_marker_notes(layout: Layout) -> list[Note]:
    """Markers on tiles where nobody puts one, and all but the best placed one of a train: they may be none."""
    last = {line.tiles[-1] for tree in layout.trees for line in tree.lines}
    in_line = {tile for tree in layout.trees for tile in tree.tiles} | ({layout.hub.tile} if layout.hub else set())
    best: dict[int, int] = {}
    for number, claim in enumerate(layout.claims):
        if claim.tree >= 0 and claim.cost < layout.claims[best.get(claim.tree, number)].cost + 1e-9:
            best[claim.tree] = number
    notes = []
    for number, (claim, sighting) in enumerate(zip(layout.claims, layout.reading.markers, strict=True)):
        point = layout.plane.to_plane(sighting.corners_px.astype(np.float64)).mean(0)
        near = np.flatnonzero(np.hypot(*(layout.rects.centre - point).T) < 0.6).tolist()
        under = [tile for tile in near if layout.rects.inside(tile, point) and tile in in_line - last]
        if under or (claim.tree >= 0 and best[claim.tree] != number):
            notes.append(Note("marker_odd", tuple(under[:1]), None, {"marker": number}))
    return notes


def _stray_marker_notes(layout: Layout, tails: Sequence[tuple[Line, Ray]]) -> list[Note]:
    """Markers of nobody that would stand at the next tile of some train."""
    notes = []
    for number, claim in enumerate(layout.claims):
        if claim.tree != NOBODY or not tails:
            continue
        corners = layout.plane.to_plane(layout.reading.markers[number].corners_px.astype(np.float64))
        away, ray = min(
            ((float(np.hypot(*(corners.mean(0) - ray.point))), ray) for _, ray in tails), key=lambda p: p[0]
        )
        if away < _STRAY:
            notes.append(Note("marker_far", (ray.tile,), None, {"marker": number}))
    return notes


def _marker_gap(layout: Layout, number: int) -> float:
    """From a marker's rim to its train, or to the hub's rim where it stands at a slot; tile lengths."""
    claim, hub = layout.claims[number], layout.hub
    corners = layout.plane.to_plane(layout.reading.markers[number].corners_px.astype(np.float64))
    rim = np.concatenate([corners, (corners + np.roll(corners, 1, axis=0)) / 2])
    tiles = [] if claim.tree == EMPTY_SLOT else layout.trees[claim.tree].tiles
    gaps = [float(layout.rects.distances(tiles, rim).min())] if tiles else []
    if hub is not None and (claim.tree == EMPTY_SLOT or layout.trees[claim.tree].slot is not None):
        gaps.append(float(np.hypot(*(rim - hub.centre).T).min()) - hub.radius)
    return max(0.0, min(gaps, default=0.0))


def _beyond_notes(layout: Layout, tails: Sequence[tuple[Line, Ray]]) -> list[Note]:
    """Loose tiles, and ends of lines that begin nowhere, to which one tile more would lead."""
    placed = {tile for tree in layout.trees for tile in tree.tiles}
    if layout.hub is not None and layout.hub.tile is not None:
        placed.add(layout.hub.tile)
    loose = [tile for tile in range(len(layout.rects)) if tile not in placed]
    free = [tree for tree in layout.trees if tree.slot is None]
    adrift = sorted({tile for tree in free for line in tree.lines for tile in (line.tiles[0], line.tiles[-1])})
    notes = []
    for line, ray in tails:
        others = [*loose, *adrift] if layout.forest.rooted(ray.tile) else loose
        near = [tile for tile in others if np.hypot(*(layout.rects.centre[tile] - ray.point)) < _REACH]
        notes += [Note("tile_beyond", (ray.tile, tile)) for tile in near if _one_tile_leads(layout, line, ray, tile)]
    return notes


def _one_tile_leads(layout: Layout, line: Line, ray: Ray, tile: int) -> bool:
    """True if some tile that is not on the table, laid at the line's end, would meet `tile`."""
    rects, laid = layout.rects, _next_places(layout.rects, line, ray)
    count = len(laid)
    both = Rects(
        np.array([*(place.centre for place in laid), rects.centre[tile]]),
        np.array([*(place.axis for place in laid), rects.axis[tile]]),
        np.ones(count + 1),
        rects.width,
    )
    doubles = np.array([*(place.double for place in laid), len(set(layout.ends[tile])) == 1], bool)
    pairs = np.stack([np.arange(count), np.full(count, count)], axis=1)
    return any(
        join.cost < _WELL_JOINED
        and _leads_on(join, laid[place := min(join.a, join.b)], place)
        and _may_exist(layout, line, laid[place].double, facing_values(layout.ends[tile], join.half(count)))
        and _has_room(rects, laid[place], ray.tile)
        for join in joins_of_pairs(both, doubles, pairs)
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a line's next tile may lie: `axis` (2,) outward, or across the line where it is a crosswise double."""

    centre: Array
    axis: Array
    double: bool = False


def _next_places(rects: Rects, line: Line, ray: Ray) -> list[_Place]:
    """Straight on with a bend, crosswise, and round the corner."""
    out, half = ray.normal, rects.width / 2
    side = np.array([-out[1], out[0]])
    places = [_Place(ray.point + out * (half + _AIR), side, True)]
    for turn in _TURNS:
        axis = np.cos(turn) * out + np.sin(turn) * side
        places.append(_Place(ray.point + axis * (0.5 + _AIR) + out * half * abs(np.sin(turn)), axis))
    for axis in (side, -side):
        if line.near[-1] == SIDE:  # out by the double's own end
            places.append(_Place(rects.centre[ray.tile] + axis * (1 + _AIR), axis))
        else:
            places.append(_Place(ray.point - 0.25 * out + axis * (half + 0.5 + _AIR), axis))
            places.append(_Place(ray.point + (half + _AIR) * out + axis * 0.25, axis))
    return places


def _leads_on(join: Join, place: _Place, number: int) -> bool:
    """The join is at the part of the place (its `number`) that is turned away from the line."""
    along, across = join.spot(number)
    if place.double:  # its side is the axis turned a quarter clockwise, so outward is the left
        return across < 0 or join.half(number) != SIDE
    return along > 0.1


def _may_exist(layout: Layout, line: Line, double: bool, met: tuple[int | None, ...]) -> bool:
    """True if a tile of the open end's value and of one of those that it has to meet is not on the table."""
    ends, near = layout.ends[line.tiles[-1]], line.near[-1]
    asked = facing_values(ends, SIDE if near == SIDE else 1 - near)
    if None in asked or None in met or layout.options.mixed:
        return True
    seen = {sighting.tile for sighting in layout.reading.tiles}
    pairs = [(one, two) for one in asked for two in met if one is not None and two is not None]
    return any((one == two) == double and Tile(min(one, two), max(one, two)) not in seen for one, two in pairs)


def _has_room(rects: Rects, place: _Place, but: int) -> bool:
    """True if nothing lies there."""
    side = np.array([-place.axis[1], place.axis[0]])
    points = np.array([place.centre + u * place.axis + v * rects.width * side for u in _ALONG for v in _ACROSS])
    near = np.flatnonzero(np.hypot(*(rects.centre - place.centre).T) < _REACH)
    return bool((rects.distances([tile for tile in near.tolist() if tile != but], points) > 0).all())


def _back_notes(layout: Layout, tails: Sequence[tuple[Line, Ray]]) -> list[Note]:
    """Backs that lie against a line's end as its next tile would: a tile may have been taken for one."""
    backs = rectangles(layout.plane, quads(layout.reading.face_down))
    rects, first = layout.rects, len(layout.rects)
    both = Rects(
        np.vstack([rects.centre, backs.centre]),
        np.vstack([rects.axis, backs.axis]),
        np.concatenate([rects.length, backs.length]),
        rects.width,
    )
    doubles = np.array([*(len(set(ends)) == 1 for ends in layout.ends), *(False for _ in range(len(backs)))], bool)
    notes = []
    for _, ray in tails:
        near = np.flatnonzero(np.hypot(*(backs.centre - rects.centre[ray.tile]).T) < REACH) + first
        pairs = np.stack([np.full(len(near), ray.tile), near], axis=1)
        pairs = np.vstack([pairs, pairs[:, ::-1]]) if len(pairs) else pairs
        meeting = {
            join.other(ray.tile)
            for join in joins_of_pairs(both, doubles, pairs)
            if join.cost < _WELL_JOINED and join.half(ray.tile) == ray.half
        }
        notes += [Note("back_at_end", (ray.tile, back)) for back in sorted(meeting)]
    return notes
