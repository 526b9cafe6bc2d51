"""What was seen, laid out as a table: the hub, each train in order, markers, loose and face-down tiles.

Geometry first; values choose only between joins that geometry leaves open, and a join whose values differ is
reported, never repaired. This module knows tiles and geometry, not rules.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.blank_backs import with_double_blank
from vision.checks import note_doubts, note_findings
from vision.forest import Ends, Forest, add_side_lines, grow_forest
from vision.hub import HubPlace, find_hub, free_rays, hub_joins
from vision.joins import HUB, SIDE, find_joins
from vision.laid import Layout, quads
from vision.lines import (
    Tree,
    free_pieces,
    gap_joins,
    longest_path,
    order_tree,
    outer_half,
    wide_as_a_tile,
)
from vision.marking import EMPTY_SLOT, NOBODY, claim_markers, middles, without_pins, without_print
from vision.meeting import settled, unclear_halves
from vision.plane import Array, Rects, fit_plane, rectangles
from vision.table_reading import (
    LayoutOptions,
    LineReading,
    MarkerReading,
    PlacedTile,
    TableReading,
    TrainReading,
    line_readings,
)
from vision.tiles import PhotoReading

_STRONG, _ENOUGH = 0.25, 0.5
_CLOSE, _TOUCHING = 0.3, 0.12
"""Where no hub ties lines together, tiles lie about: only what lies close is joined, and where values differ only
what touches."""

__all__ = ["LayoutOptions", "TableReading", "read_layout"]


def read_layout(reading: PhotoReading, options: LayoutOptions | None = None) -> TableReading:
    """The table on a photo. Never raises for what lies on the table; what is not clear is a doubt."""
    start = time.perf_counter()
    options = options or LayoutOptions()
    layout = lay_out(reading, options)
    if options.settle:
        reading, layout = _settled(reading, layout)
    trains = _train_readings(layout)
    roles = _roles(layout, trains)
    tiles = [PlacedTile(index, sighting, roles[index]) for index, sighting in enumerate(reading.tiles)]
    down = range(len(reading.tiles), len(reading.tiles) + len(reading.face_down))
    tiles += [PlacedTile(i, sighting, "face_down") for i, sighting in zip(down, reading.face_down, strict=True)]
    doubts = note_doubts(layout, trains)
    findings = note_findings(layout, trains, doubts)
    ms = {**reading.ms, "layout": (time.perf_counter() - start) * 1e3}
    return TableReading(
        starting_double=layout.hub_value,
        starting_tile=None if layout.hub is None else layout.hub.tile,
        trains=tuple(trains),
        tiles=tuple(tiles),
        markers=tuple(_marker_readings(layout, trains)),
        doubts=tuple(doubts),
        findings=tuple(findings),
        size_wh=reading.size_wh,
        model_id=reading.model_id,
        ms=ms,
        hub_px=_hub_px(layout),
    )


def _settled(reading: PhotoReading, layout: Layout) -> tuple[PhotoReading, Layout]:
    """The reading with what its layout says of single tiles, laid out again where that changes something."""
    blank = with_double_blank(layout)
    if blank is not None:
        reading = replace(reading, tiles=blank.tiles, face_down=blank.face_down)
        layout = lay_out(reading, layout.options)
    tiles = settled(layout)
    same = [tile.ends for tile in tiles] == layout.ends
    reading = replace(reading, tiles=tiles)
    if same:
        layout.reading = replace(layout.reading, tiles=tiles)
    return reading, layout if same else lay_out(reading, layout.options)


def lay_out(reading: PhotoReading, options: LayoutOptions) -> Layout:
    """Plane, joins, hub, trees, markers: the whole way on one screen."""
    spots = len(reading.markers)
    reading = replace(reading, markers=without_print(reading.markers))
    spots -= len(reading.markers)
    plane = fit_plane(quads([*reading.tiles, *reading.face_down]), reading.size_wh)
    rects = rectangles(plane, quads(reading.tiles))
    ends: list[Ends] = [sighting.ends for sighting in reading.tiles]
    doubles = np.array([first is not None and first == second for first, second in ends], bool)
    joins = find_joins(rects, doubles)
    unclear = unclear_halves(reading.tiles) if options.settle else set()
    hub = find_hub(grow_forest(ends, joins, None, _STRONG), rects, ends)
    start = None if hub is None or hub.tile is None else ends[hub.tile][0]
    if hub is not None:
        beside = [join for join in joins if hub.tile is None or hub.tile not in (join.a, join.b)]
        at_hub = hub_joins(hub, rects, joins, doubles)
        forest = grow_forest(ends, [*beside, *at_hub], start, _ENOUGH, unclear=unclear)
    else:
        forest = grow_forest(ends, joins, None, _CLOSE, _TOUCHING)
    add_side_lines(forest, joins)
    gaps = _bridge(forest, rects, doubles, hub, start)
    trees, kinds = _trees(forest, rects, hub, start)
    points = middles(plane, reading.markers)
    claims = claim_markers(points, trees, rects, hub)
    markers, claims = without_pins(reading.markers, claims, points, trees, rects)
    reading = replace(reading, markers=markers)
    return Layout(reading, options, plane, rects, ends, hub, forest, gaps, trees, kinds, claims, spots)


def _bridge(
    forest: Forest, rects: Rects, doubles: Array, hub: HubPlace | None, start: int | None
) -> list[tuple[int, int]]:
    """Tie pieces to lines across gaps where a tile was not seen; returns the pairs tied."""
    if hub is None:
        return []
    tied: list[tuple[int, int]] = []
    own = {forest.root(ray.tile) for ray in free_rays(forest, rects) if forest.ends[ray.tile][ray.half] == start}
    while True:
        for join in gap_joins(forest, rects, doubles, hub):
            piece = join.a if not forest.rooted(join.a) else join.b
            # A piece that begins with the starting double's value is a train of its own, not the rest of another;
            # beside the hub it may be one that was laid a little far out.
            beside = join.b == HUB and join.spot_b[0] < hub.radius + 0.7
            apart = start is not None and forest.root(piece) in own and not beside
            plain = len(forest.at[piece]) > 0 or wide_as_a_tile(join, rects, hub)
            if piece != hub.tile and not apart and plain and forest.fits(join):
                forest.add(join)
                tied.append((join.a, join.b))
                break
        else:
            return tied


def _trees(forest: Forest, rects: Rects, hub: HubPlace | None, start: int | None) -> tuple[list[Tree], list[str]]:
    """Trains at the hub clockwise from the top, then free lines; single tiles only if they may be the Mexican train."""
    trees, kinds = [], []
    for join in forest.joins:
        if join.b == HUB:
            tree = order_tree(forest, rects, join.a, join.half_a, join)
            tree.slot = join.spot_b[1]
            trees.append(tree)
    trees.sort(key=lambda tree: _clock(tree.slot))
    kinds = ["unknown"] * len(trees)
    but = () if hub is None or hub.tile is None else (hub.tile,)
    pieces = sorted(free_pieces(forest, but), key=len, reverse=True)
    long = [piece for piece in pieces if len(piece) > 1]
    single = [piece for piece in pieces if len(piece) == 1 and start is not None and start in forest.ends[piece[0]]]
    free = long if long or hub is None else single[:1] if len(single) == 1 else []
    for piece in free:
        trees.append(_free_tree(forest, rects, hub, start, piece))
        kinds.append("unknown" if hub is None else "mexican")
    if "mexican" in kinds:
        kinds = ["personal" if kind == "unknown" else kind for kind in kinds]
    return trees, kinds


def _clock(slot: float | None) -> float:
    """Radians clockwise from the top of the picture."""
    return ((slot or 0.0) + math.pi / 2) % (2 * math.pi)


def _free_tree(forest: Forest, rects: Rects, hub: HubPlace | None, start: int | None, piece: list[int]) -> Tree:
    """A line that does not begin at the hub: it begins at the end that shows the starting value."""
    path = longest_path(forest, piece)
    ends = [(path[0], outer_half(forest, path[0])), (path[-1], outer_half(forest, path[-1]))]
    if len(path) == 1:
        ends[1] = (path[0], 1)

    def rank(end: tuple[int, int]) -> tuple[bool, float]:
        tile, half = end
        value = forest.ends[tile][0 if half == SIDE else half]
        at = rects.centre[tile] if half == SIDE else rects.end(tile, half)
        away = float(np.hypot(*(at - hub.centre))) if hub is not None else float(at[0] + 0.1 * at[1])
        return value != start or start is None, away

    first, entry = min(ends, key=rank)
    return order_tree(forest, rects, first, entry, None, prefer=set(path))


def _train_readings(layout: Layout) -> list[TrainReading]:
    """Trains as told, the unstarted ones that a marker stands for among those at the hub."""
    marked = {claim.tree for claim in layout.claims if claim.tree >= 0}
    trains = []
    for index, (tree, kind) in enumerate(zip(layout.trees, layout.kinds, strict=True)):
        lines = line_readings(layout.forest, tree, [layout.edge_px(line) for line in tree.lines])
        trains.append(TrainReading("", kind, lines[0], tuple(lines[1:]), index in marked, tree.slot))
    kind = "personal" if "mexican" in layout.kinds else "unknown"
    for claim in layout.claims:
        if claim.tree == EMPTY_SLOT:
            trains.append(TrainReading("", kind, LineReading(), (), True, claim.slot))
    free = [train for train in trains if train.slot is None]
    at_hub = sorted((train for train in trains if train.slot is not None), key=lambda train: _clock(train.slot))
    named = [train.named(f"t{number}") for number, train in enumerate(at_hub, 1)]
    mexican = 0
    for train in free:
        mexican += train.kind == "mexican"
        name = ("M" if mexican == 1 else f"M{mexican}") if train.kind == "mexican" else f"t{len(named) + 1}"
        named.append(train.named(name))
    return named


def _hub_px(layout: Layout) -> tuple[float, float] | None:
    """Where the hub is in the photo."""
    if layout.hub is None:
        return None
    if layout.hub.tile is not None:
        return layout.reading.tiles[layout.hub.tile].centre_px
    # No tile lies there: from the nearest tiles, by an affine map that is good enough so close.
    order = np.argsort(np.hypot(*(layout.rects.centre - layout.hub.centre).T))[:6]
    flat = np.hstack([layout.rects.centre[order], np.ones((len(order), 1))])
    seen = np.array([layout.reading.tiles[int(index)].centre_px for index in order])
    map_px = np.linalg.lstsq(flat, seen, rcond=None)[0]
    x, y = np.array([*layout.hub.centre, 1.0]) @ map_px
    return float(x), float(y)


def _roles(layout: Layout, trains: Sequence[TrainReading]) -> list[str]:
    roles = ["loose"] * len(layout.ends)
    for train in trains:
        for tile in train.all_tile_ids:
            roles[tile] = "train"
    if layout.hub is not None and layout.hub.tile is not None:
        roles[layout.hub.tile] = "starting_double"
    return roles


def _marker_readings(layout: Layout, trains: Sequence[TrainReading]) -> list[MarkerReading]:
    by_first = {train.line.tile_ids[0]: train.id for train in trains if train.line.tile_ids}
    by_slot = {train.slot: train.id for train in trains if not train.line.tile_ids}
    found = []
    for claim, sighting in zip(layout.claims, layout.reading.markers, strict=True):
        name = None
        if claim.tree == EMPTY_SLOT:
            name = by_slot.get(claim.slot)
        elif claim.tree != NOBODY:
            name = by_first[layout.trees[claim.tree].lines[0].tiles[0]]
        found.append(MarkerReading(name, sighting))
    return found
