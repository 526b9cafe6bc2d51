"""The double-blank of a set without dividers looks like a back: where only a tile can lie, it is that tile."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.tile import Tile
from vision.forest import facing_values
from vision.joins import REACH, joins_of_pairs
from vision.laid import Layout, quads
from vision.plane import Rects, rectangles
from vision.tiles import Doubt, PhotoReading, TileSighting

_WELL_JOINED = 0.25
_AT_HUB = 0.4
_MARKER, _AS_LONG = 0.5, 0.05
"""What lies nearer to a marker than this, in tile lengths, is the marker itself, unless it is as long as a tile."""
_SURE = 2
"""So many blanks face it where it is that tile without a doubt: backs are not laid between tiles."""


def with_double_blank(layout: Layout) -> PhotoReading | None:
    """The reading with one back taken for the double-blank, or `None` where that is seen or none lies in its place.

    Its place is where two lines or more show a blank to it: within a line, or at the hub. At the end of a line, where
    one does, it may be a back all the same, and that is told.
    """
    reading = layout.reading
    if layout.options.mixed or any(tile.tile == Tile(0, 0) for tile in reading.tiles):
        return None
    facing = [_facing(layout, number) for number in range(len(reading.face_down))]
    best = max(range(len(facing)), key=lambda number: facing[number], default=None)
    if best is None or facing[best] == 0 or facing.count(facing[best]) > 1:
        return None
    rest = tuple(back for number, back in enumerate(reading.face_down) if number != best)
    tile = _as_tile(reading.face_down[best], facing[best] >= _SURE)
    return replace(reading, tiles=(*reading.tiles, tile), face_down=rest)


def _as_tile(back: TileSighting, sure: bool) -> TileSighting:
    rows = np.zeros((2, 19), np.float32)
    rows[:, 0] = 0.99
    doubts = () if sure else (Doubt("maybe_face_down"),)
    return replace(back, kind="face_up", ends=(0, 0), probabilities=rows, doubts=doubts)


def _facing(layout: Layout, number: int) -> int:
    """How many tiles show a blank to a back; 0 where one that touches it shows something else, or a marker stands."""
    back = rectangles(layout.plane, quads([layout.reading.face_down[number]]))
    markers = layout.plane.to_plane(quads(layout.reading.markers)).mean(1)
    if abs(back.length[0] - 1) > _AS_LONG and (np.hypot(*(markers - back.centre[0]).T) < _MARKER).any():
        return 0
    rects, last = layout.rects, len(layout.rects)
    hub = layout.hub
    if hub is not None and hub.tile is None and float(np.hypot(*(back.centre[0] - hub.centre))) < _AT_HUB:
        lines = [tree.lines[0] for tree in layout.trees if tree.slot is not None]
        asked = [facing_values(layout.ends[line.tiles[0]], line.near[0]) for line in lines]
        return len(asked) if all(0 in values for values in asked) else 0
    both = Rects(
        np.vstack([rects.centre, back.centre]),
        np.vstack([rects.axis, back.axis]),
        np.concatenate([rects.length, back.length]),
        rects.width,
    )
    near = np.flatnonzero(np.hypot(*(rects.centre - back.centre[0]).T) < REACH)
    pairs = np.stack([near, np.full(len(near), last)], axis=1)
    doubles = np.array([*(len(set(ends)) == 1 for ends in layout.ends), True], bool)
    best: dict[int, tuple[float, bool]] = {}
    for join in joins_of_pairs(both, doubles, pairs):
        tile = join.other(last)
        if join.cost < _WELL_JOINED and join.cost < best.get(tile, (1.0, True))[0]:
            best[tile] = join.cost, 0 in facing_values(layout.ends[tile], join.half(tile))
    return len(best) if all(blank for _, blank in best.values()) else 0
