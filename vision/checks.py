"""What a laid-out table leaves in doubt, and the faults that the picture itself proves."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from engine.table import MEXICAN
from engine.tile import Tile
from vision.forest import Ends
from vision.joins import HUB, SIDE
from vision.laid import Layout
from vision.lines import Line, Tree, outer_edge
from vision.table_reading import OF_PHOTO, LineReading, Note, TrainReading, asked_before
from vision.unseen import note_unseen

_BEYOND = 0.25
"""Of a tile that begins this near the edge of the picture, in its lengths, too little shows to be found."""
_ASIDE, _MAY_BEGIN = 1.6, 0.05
"""From the middle of a loose tile to the nearest one in a line, in tile lengths, where no line can lead to it; how
likely it shows the starting double's value."""
_MAY_MEET = 0.005
"""Of two sure halves of different values, 4 in 1000 pairs are as alike as this to the reader; people lay a tile
where it does not fit hardly more often."""

_FIT_FOR_EACH = 2
"""So many joins of a line fit for each that does not, where nothing else says that it is a train."""
_MOST_DOUBTED = 0.2
"""With more of the tiles doubted than this nothing is proven: of a set that the reader hardly knows, or in such light,
it can be sure and wrong."""
_ACROSS, _BESIDE = 0.35, 0.13
"""Cosine of the least angle to a line, and how far beside it in tile lengths, of a tile that lies across it."""
_SHORT = 0.94
"""What is shorter than the others, in tile lengths, may lack a row of pips."""
_ROUND_MARKER = 1.2
"""Within so many tile lengths of a marker everything has to be read where the marker is to prove a fault."""
_SURELY = 0.999
"""Sure enough of both halves for a tile to be proven there twice."""


def note_findings(layout: Layout, trains: Sequence[TrainReading], doubts: Sequence[Note]) -> list[Note]:
    """Faults proven by this picture alone; nothing that rests on a doubtful value or, for a marker, a doubtful line."""
    findings = _where_ends_differ(layout, trains, "ends_differ", proven=True)
    for tile, ids in _repeated(layout):
        if not _shaky(layout, ids) or _surely_twice(layout, ids):
            findings.append(Note("tile_twice", ids, None, {"low": tile.low, "high": tile.high}))
    for index, ends in enumerate(layout.ends):
        known = [value for value in ends if value is not None]
        if any(value > layout.options.set_size for value in known) and not _shaky(layout, (index,)):
            findings.append(Note("not_in_set", (index,), None, {"value": max(known)}))
    unclear = {claim.tree for claim in layout.claims if claim.rival is not None}
    first = {tree.lines[0].tiles[0]: index for index, tree in enumerate(layout.trees)}
    # What may be the rest of a train that lost a tile is no Mexican train.
    doubted = {tile for note in doubts if note.code in ("gap", "tile_beyond", "marker_far") for tile in note.tile_ids}
    for train in trains:
        owned = bool(train.line.tile_ids) and first[train.line.tile_ids[0]] not in unclear
        sure = owned and doubted.isdisjoint(train.all_tile_ids)
        begins = bool(train.line.tiles) and train.line.tiles[0][0] == layout.hub_value is not None
        if train.id == MEXICAN and train.marker and sure and begins and not _unclear_at_marker(layout, train):
            findings.append(Note("marker_on_mexican", train.line.tile_ids[-1:], train.id))
    return findings


def _unclear_at_marker(layout: Layout, train: TrainReading) -> bool:
    """Whether something that is hardly read lies next to one of a train's markers, which may be a part of it."""
    tiles, owner = layout.reading.tiles, {tree.lines[0].tiles[0]: index for index, tree in enumerate(layout.trees)}
    own = [
        marker.centre_px
        for marker, claim in zip(layout.reading.markers, layout.claims, strict=True)
        if claim.tree == owner[train.line.tile_ids[0]]
    ]
    return any(
        None in tile.ends and np.hypot(*np.subtract(tile.centre_px, place)) < _ROUND_MARKER * tile.length_px
        for tile in tiles
        for place in own
    )


def note_doubts(layout: Layout, trains: Sequence[TrainReading]) -> list[Note]:
    """Everything that this picture does not show well enough."""
    tiles = layout.reading.tiles
    # What every tile is doubted for is said once, of the photo.
    everywhere = {code for code in OF_PHOTO if tiles and all(code in {d.code for d in tile.doubts} for tile in tiles)}
    aside = _aside(layout) if layout.options.settle else set()
    twice = {index for _, ids in _repeated(layout) if _surely_twice(layout, ids) for index in ids}
    doubts = [
        Note(doubt.code, (index,), None, doubt.params)
        for index, sighting in enumerate(tiles)
        for doubt in sighting.doubts
        if doubt.code not in everywhere and index not in aside and not (doubt.code == "seen_twice" and index in twice)
    ]
    of_photo = zip(OF_PHOTO, (layout.reading.damaged, layout.reading.blurred), strict=True)
    doubts += [Note(code) for code, told in of_photo if told or code in everywhere]
    doubts += _hub_doubts(layout)
    doubts += [Note("gap", tuple(tile for tile in pair if tile != HUB)) for pair in layout.gaps]
    doubts += [
        Note("two_joins", tuple(sorted({one.a, one.b, two.a, two.b} - {HUB}))) for one, two in layout.forest.unsure
    ]
    doubts += _where_ends_differ(layout, trains, "join_unsure", proven=False)
    doubts += _line_doubts(layout, trains)
    doubts += note_unseen(layout)
    doubts += [Note("markers_unseen", (), None, {"count": layout.spots})] if layout.spots else []
    doubts += [
        Note("marker_unclear", (), None, {"marker": number})
        for number, claim in enumerate(layout.claims)
        if claim.rival is not None
    ]
    return doubts


def _aside(layout: Layout) -> set[int]:
    """Tiles that lie about, too far from every line to be part of one, and can't be a train that was just begun.

    What they show changes nothing of the table.
    """
    start = layout.hub_value
    if start is None:
        return set()
    placed = [tile for tree in layout.trees for tile in tree.tiles]
    placed += [] if layout.hub is None or layout.hub.tile is None else [layout.hub.tile]
    loose = sorted(set(range(len(layout.ends))) - set(placed))
    away = layout.rects.distances(placed, layout.rects.centre[loose]).min(1, initial=np.inf)
    return {
        tile
        for tile, far in zip(loose, away.tolist(), strict=True)
        if far > _ASIDE and float(layout.reading.tiles[tile].probabilities[:, start].max()) < _MAY_BEGIN
    }


def _hub_doubts(layout: Layout) -> list[Note]:
    if layout.hub is None:
        return [Note("no_hub")] if layout.ends else []
    if layout.hub.tile is None:
        return [Note("starting_double_unseen")]
    if layout.hub_value is None:
        return [Note("starting_double_unclear", (layout.hub.tile,))]
    # One line may be the rest of a train. Where several neither begin here nor show its value, the hub may be hidden.
    elsewhere = [
        tree for tree in layout.trees if tree.slot is None and not _shows_at_an_end(layout, tree, layout.hub_value)
    ]
    return [Note("hub_unclear", (layout.hub.tile,))] if len(elsewhere) > 1 else []


def _shows_at_an_end(layout: Layout, tree: Tree, value: int) -> bool:
    line = tree.lines[0]
    return value in layout.ends[line.tiles[0]] or value in layout.ends[line.tiles[-1]]


def _line_doubts(layout: Layout, trains: Sequence[TrainReading]) -> list[Note]:
    doubts = []
    start = layout.hub_value
    laid = {tile for train in trains for tile in train.all_tile_ids}
    loose = len(layout.ends) - len(laid) - (layout.hub is not None and layout.hub.tile is not None)
    for train in trains:
        if train.kind == "mexican":
            first = train.line.tiles[0][0]
            last = train.line.tiles[-1][1]
            either = first == start == last and len(train.line.tiles) > 1
            if start is not None and first is not None and (first != start or either or train.id != MEXICAN):
                doubts.append(Note("free_line", train.line.tile_ids, train.id))
            if len(train.line.tile_ids) == 1 and loose:
                doubts.append(Note("loose_or_mexican", train.line.tile_ids, train.id))
    for tree in layout.trees:
        for line in tree.lines:
            if line.tiles and _leaves_picture(layout, line):
                doubts.append(Note("may_go_on", (line.tiles[-1],)))
            for tile, near in zip(line.tiles, line.near, strict=True):
                if near == SIDE and not _equal(layout.ends[tile]):
                    doubts.append(Note("crosswise_not_double", (tile,)))
    return doubts


def _equal(ends: Ends) -> bool:
    return ends[0] is None or ends[1] is None or ends[0] == ends[1]


def _leaves_picture(layout: Layout, line: Line) -> bool:
    """True if the open end points out of the picture from just inside it: the line may go on unseen."""
    corners = layout.reading.tiles[line.tiles[-1]].corners_px.astype(np.float64)
    one, two = outer_edge(layout.rects, line)
    out = (corners[one] + corners[two]) / 2 - corners.mean(0)
    length = max(float(np.linalg.norm(corners[1] - corners[2])), 1.0)
    beyond = corners.mean(0) + out * (1 + _BEYOND * length / max(float(np.linalg.norm(out)), 1.0))
    width, height = layout.reading.size_wh
    return not (0 <= beyond[0] < width and 0 <= beyond[1] < height)


def _shaky(layout: Layout, ids: Collection[int]) -> bool:
    """True if something is not sure about one of the tiles, so that nothing can be proven with it."""
    crosswise = {
        tile
        for tree in layout.trees
        for line in tree.lines
        for tile, near in zip(line.tiles, line.near, strict=True)
        if near == SIDE and not _equal(layout.ends[tile])
    }
    if layout.hub is not None and layout.hub.tile in ids and _hub_doubts(layout):
        return True
    short = layout.rects.length < _SHORT
    return any(layout.reading.tiles[index].doubtful or index in crosswise or short[index] for index in ids)


def _where_ends_differ(layout: Layout, trains: Sequence[TrainReading], code: str, *, proven: bool) -> list[Note]:
    """Notes on joins whose values differ: on those of which that is proven, or on the others."""
    unproven = _unproven(layout, trains)
    return [
        Note(code, ids, train.id, {"asked": asked, "shown": shown})
        for train, ids, asked, shown in _mismatches(layout, trains)
        if proven
        is not (
            train.id in unproven
            or _shaky(layout, ids)
            or _may_meet(layout, ids, asked, shown)
            or _crosswise_but_no_double(layout, ids)
        )
    ]


def _unproven(layout: Layout, trains: Sequence[TrainReading]) -> set[str]:
    """Lines of which it is not proven that they are trains: tiles of a hand lie side by side too.

    A line that begins at a starting double that was read is one, and so is any other most of whose joins fit.
    """
    if _too_doubtful(layout, ()):
        return {train.id for train in trains}
    wrong = Counter(train.id for train, *_ in _mismatches(layout, trains))
    known = layout.hub_value is not None
    return {
        train.id
        for train in trains
        if not (known and train.slot is not None) and _joins(train) - wrong[train.id] < _FIT_FOR_EACH * wrong[train.id]
    }


def _too_doubtful(layout: Layout, but: Collection[int]) -> bool:
    others = [tile.doubtful for index, tile in enumerate(layout.reading.tiles) if index not in but]
    return sum(others) > _MOST_DOUBTED * len(others)


def _joins(train: TrainReading) -> int:
    return sum(max(0, len(line.tile_ids) - 1) for line in (train.line, *train.limbs))


def _surely_twice(layout: Layout, ids: Collection[int]) -> bool:
    """True if nothing is doubted of tiles that read alike but that there are two of them: that is the fault itself."""
    tiles = [layout.reading.tiles[index] for index in ids]
    sure = all(row[end] > _SURELY for tile in tiles for row, end in zip(tile.probabilities, tile.ends, strict=True))
    only = all(doubt.code == "seen_twice" for tile in tiles for doubt in tile.doubts)
    return sure and only and not _too_doubtful(layout, ids)


def _may_meet(layout: Layout, ids: tuple[int, ...], asked: int, shown: int) -> bool:
    """True if the reader itself leaves it possible that the two halves show the same, sure as each may be alone."""
    if len(ids) < 2:
        return False
    first, second = (layout.reading.tiles[index] for index in ids)
    ones = [row for row, end in zip(first.probabilities, first.ends, strict=True) if end == asked]
    others = [row for row, end in zip(second.probabilities, second.ends, strict=True) if end == shown]
    return any(float(one @ other) > _MAY_MEET for one in ones for other in others)


def _crosswise_but_no_double(layout: Layout, ids: tuple[int, ...]) -> bool:
    """True if one of two tiles lies across the middle of the other's line, as doubles do, and is not read as one."""
    for one, other in itertools.permutations(ids, 2):
        axis, other_axis = layout.rects.axis[one], layout.rects.axis[other]
        away = layout.rects.centre[one] - layout.rects.centre[other]
        beside = float(away[0] * other_axis[1] - away[1] * other_axis[0])
        across = abs(float(axis @ other_axis)) < _ACROSS and abs(beside) < _BESIDE
        if across and not _equal(layout.ends[one]):
            return True
    return False


def _mismatches(
    layout: Layout, trains: Sequence[TrainReading]
) -> Iterator[tuple[TrainReading, tuple[int, ...], int, int]]:
    """Joins whose values differ: (train, the two tiles, what was asked, what lies there). Not across gaps."""
    gaps = {frozenset(pair) for pair in layout.gaps}
    hub = None if layout.hub is None else layout.hub.tile
    for train in trains:
        for line in (train.line, *train.limbs):
            for position, (tile, ends) in enumerate(zip(line.tile_ids, line.tiles, strict=True)):
                if train.slot is None and position == 0 and line.parent < 0:
                    continue
                before = _before(train, line, position, hub)
                asked = asked_before(train, line, position, layout.hub_value)
                if asked is None or ends[0] is None or asked == ends[0]:
                    continue
                if frozenset((tile, HUB if before is None or before == hub else before)) in gaps:
                    continue
                yield train, ((tile,) if before is None else (before, tile)), asked, ends[0]


def _before(train: TrainReading, line: LineReading, position: int, hub: int | None) -> int | None:
    if position > 0:
        return line.tile_ids[position - 1]
    if line.parent < 0:
        return hub
    return (train.line, *train.limbs)[line.parent].tile_ids[line.index]


def _repeated(layout: Layout) -> list[tuple[Tile, tuple[int, ...]]]:
    """Tiles that lie there more than once, unless sets are mixed."""
    if layout.options.mixed:
        return []
    places: dict[Tile, list[int]] = {}
    for index, sighting in enumerate(layout.reading.tiles):
        if sighting.tile is not None:
            places.setdefault(sighting.tile, []).append(index)
    return [(tile, tuple(ids)) for tile, ids in places.items() if len(ids) > 1]
