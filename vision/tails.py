"""A close look wherever a marker may stand: before the open sides of tiles, and at what looked like a marker from afar.

The finder sees a marker as a few px of a shrunk picture. Here each place is cut from the full picture with the tile
before it, turned so that the line runs to the right, all tiles of one size: markers of any make look alike then, and
so does what is none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.detections import KINDS, MARKER
from vision.renditions import pulled_apart
from vision.runtime import Network
from vision.summits import summits
from vision.tiles import TileSighting

Floats = npt.NDArray[np.float32]

CROP_WH = (96, 64)
TILE_IN_CROP_PX = 50.0
TARGET = geometry.rectangle_in(CROP_WH, TILE_IN_CROP_PX)
_STRETCHED = slice(12, 52), slice(8, 72)
"""Rows and columns of a look by whose colours it is stretched: a tile's end and what is before it."""
CHANNELS = 6
CELL_PX = 4
MAP_WH = (CROP_WH[0] // CELL_PX, CROP_WH[1] // CELL_PX)

_AHEAD = 0.15
"""The middle of a look lies this far before the open side, in tile lengths."""
_COVERED = 0.2
"""A side is open if nothing lies this far before it."""
_RING, _RING_LOOKS = 1.5, 8
"""Slots of the hub lie about this far round the middle of the starting double, in tile lengths."""
_MOST = 64
_RIM_CELLS = 2
"""A marker this near the rim of a crop may be cut by it: that crop has no say."""
_LEAST_PEAK = 0.1
_LEAST_AT_RIM, _MOST_AGAIN = 0.3, 12
"""What is seen at the rim of a look from here on is looked at itself, but no more of it than this."""
_SAME = 0.3
"""Nearer to each other than this, in tile lengths, are no two markers."""
_SIDE = 0.3
"""Side of the square that is told of a marker that only the close look saw, in tile lengths: it measures no outline."""
SURE, MAYBE = 0.5, 0.15
"""A marker; and what may be one, if it stands where one would."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A marker seen close up: its middle in px of the photo, how sure it is (0 to 1), and the local tile's length."""

    place_px: tuple[float, float]
    confidence: float
    tile_px: float


def looked_at(
    network: OnnxTails,
    picture: geometry.Pyramid,
    tiles: Sequence[TileSighting],
    spots: Sequence[TileSighting],
    *,
    anywhere: bool = True,
) -> tuple[list[TileSighting], list[TileSighting]]:
    """Markers, and what may be some, of a picture with `tiles`; `spots` are what looked like markers from afar.

    `anywhere`: look before every open side too, not at the spots alone. Without tiles there is no scale to look at,
    and nothing a marker could belong to.
    """
    if not tiles:
        return [], []
    corners = np.array([tile.corners_px for tile in tiles], np.float32)
    double = np.array([tile.ends[0] is None or tile.ends[0] == tile.ends[1] for tile in tiles], np.bool_)
    middles = np.array([spot.centre_px for spot in spots], np.float32).reshape(-1, 2)
    boxes = places_round(middles, corners)
    if anywhere:
        boxes = np.concatenate([open_sides(corners, double), boxes])
    markers: list[TileSighting] = []
    maybe: list[TileSighting] = []
    for seen in network.look(picture, boxes):
        outlines = [spot for spot in spots if _apart(spot, seen) < _SAME * seen.tile_px]
        outline = min(outlines, key=lambda spot: _apart(spot, seen), default=None)
        sighting = _square(seen) if outline is None else replace(outline, confidence=seen.confidence)
        if seen.confidence > MAYBE:
            (markers if seen.confidence > SURE else maybe).append(sighting)
    return markers, maybe


def _apart(spot: TileSighting, seen: Standing) -> float:
    return float(np.hypot(*np.subtract(spot.centre_px, seen.place_px)))


def _square(seen: Standing) -> TileSighting:
    box = np.array([[*seen.place_px, _SIDE * seen.tile_px, _SIDE * seen.tile_px, 0.0]], np.float32)
    return TileSighting.faceless(KINDS[MARKER], geometry.box_corners(box)[0], seen.confidence)


def open_sides(corners: geometry.Array, double: npt.NDArray[np.bool_]) -> Floats:
    """Where to look before the sides of tiles that nothing lies against: boxes (k, 5) as in `geometry.box_corners`.

    `corners` (n, 4, 2) px. A line leaves a tile by its ends and, where it is a `double` (n,), by its long sides; one
    that nothing touches may be the starting double, with trains that have not begun at some way round it.
    """
    if len(corners) == 0:
        return np.zeros((0, 5), np.float32)
    along = (corners[:, 2] - corners[:, 1] + corners[:, 3] - corners[:, 0]) / 2
    across = (corners[:, 0] - corners[:, 1] + corners[:, 3] - corners[:, 2]) / 2
    length = np.linalg.norm(along, axis=1)
    middle, every = corners.mean(1), np.arange(len(corners))
    sides = [(every, along), (every, -along), (every[double], across[double]), (every[double], -across[double])]
    looks, free, against = [], [], np.zeros(len(corners), np.int64)
    for tiles, half in sides:
        outward = half / np.maximum(np.linalg.norm(half, axis=1, keepdims=True), 1e-6)
        side, reach = middle[tiles] + half / 2, length[tiles, None]
        covered = geometry.inside(side + _COVERED * reach * outward, corners)
        covered[np.arange(len(tiles)), tiles] = False
        looks.append(_boxes(side + _AHEAD * reach * outward, length[tiles], outward))
        free.append(~covered.any(axis=1))
        np.add.at(against, tiles[~free[-1]], 1)
    # What lies between two tiles is no end of a line.
    boxes = [look[one & (against[tiles] < 2)] for look, one, (tiles, _) in zip(looks, free, sides, strict=True)]
    alone = double & (against == 0)
    boxes += [_ring(*one) for one in zip(middle[alone], along[alone], strict=True)]
    return np.concatenate(boxes).astype(np.float32)


def _ring(middle: Floats, along: Floats) -> Floats:
    """Looks all round a double that nothing touches: if it is the starting double, trains begin there."""
    turns = np.arctan2(along[1], along[0]) + np.arange(_RING_LOOKS) * 2 * np.pi / _RING_LOOKS
    outward = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    length = np.full(_RING_LOOKS, np.hypot(*along))
    return _boxes(middle + _RING * length[:, None] * outward, length, outward)


def places_round(spots: Floats, corners: geometry.Array) -> Floats:
    """Where to look at `spots` (n, 2) px themselves: boxes (n, 5), each turned and sized as the nearest tile."""
    if len(spots) == 0 or len(corners) == 0:
        return np.zeros((0, 5), np.float32)
    tiles = geometry.corners_box(corners)
    near = tiles[np.linalg.norm(spots[:, None] - tiles[None, :, :2], axis=2).argmin(1)]
    return np.column_stack([spots, near[:, 2], near[:, 2] / 2, near[:, 4]]).astype(np.float32)


def _boxes(centre: Floats, length: Floats, direction: Floats) -> Floats:
    angle = np.arctan2(direction[:, 1], direction[:, 0])
    return np.column_stack([centre, length, length / 2, angle]).astype(np.float32)


def cut_looks(picture: geometry.Pyramid, quads: geometry.Array) -> npt.NDArray[np.uint8]:
    """Looks (n, 64, 96, 6) at `quads` (n, 4, 2) px: BGR, and BGR with colours pulled apart.

    A marker of nearly the colour of the tile on which it stands is seen in the second.
    """
    crops = geometry.cut_crops(picture, quads, TARGET, CROP_WH)
    rows, columns = _STRETCHED
    return np.concatenate([crops, pulled_apart(crops, crops[:, rows, columns])], axis=3)


class OnnxTails:
    """The network that says where markers stand on a look.

    `slope` and `shift` of its log-odds were measured on pictures that training never saw, so that a share of 0.8 means
    four out of five.
    """

    def __init__(self, path: Path, slope: float = 1.0, shift: float = 0.0) -> None:
        self._network = Network(path)
        self._slope, self._shift = slope, shift

    def look(self, picture: geometry.Pyramid, boxes: Floats) -> list[Standing]:
        """Every marker seen in the looks `boxes` (n, 5) px, the surest first, each once."""
        boxes = boxes[:_MOST]
        if len(boxes) == 0:
            return []
        maps, into = self._maps(picture, boxes)
        again = _at_rims(maps, into, boxes)
        if len(again):
            more, more_into = self._maps(picture, again)
            boxes, maps, into = np.concatenate([boxes, again]), np.concatenate([maps, more]), [*into, *more_into]
        back = [geometry.inverse(matrix) for matrix in into]
        cells, places = summits(maps, _LEAST_PEAK)
        inner = _inner(cells)
        order = np.argsort(-maps[tuple(cells.T)], kind="stable")
        found: list[Standing] = []
        for index in order[inner[order]]:
            number = cells[index, 0]
            (place,), length = geometry.map_points(places[index : index + 1] * CELL_PX, back[number]), boxes[number, 2]
            if all(np.hypot(*(place - other.place_px)) > _SAME * length for other in found):
                share = self._meant(_agreed(place, maps, into))
                found.append(Standing((float(place[0]), float(place[1])), share, float(length)))
        return sorted(found, key=lambda one: -one.confidence)

    def _maps(self, picture: geometry.Pyramid, boxes: Floats) -> tuple[Floats, list[npt.NDArray[np.float64]]]:
        """What the network says of each cell of the looks (n, 5), and the homographies from the photo into them."""
        quads = geometry.box_corners(boxes)
        into = [geometry.crop_transform(quad, TARGET) for quad in quads]
        return self._network.run(cut_looks(picture, quads))[0], into

    def _meant(self, share: float) -> float:
        share = min(max(share, 1e-4), 1 - 1e-4)
        return 1 / (1 + math.exp(-self._slope * math.log(share / (1 - share)) - self._shift))


def _inner(cells: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Which of the cells (n, 3) as look, row, column lie in the inner part of their look."""
    inside = (cells[:, 1:] >= _RIM_CELLS) & (cells[:, 1:] < np.array(MAP_WH[::-1]) - _RIM_CELLS)
    return np.asarray(inside.all(axis=1))


def _at_rims(maps: Floats, into: list[npt.NDArray[np.float64]], boxes: Floats) -> Floats:
    """Looks (k, 5) at what stands at the rim of a look and in the inner part of none: people set markers anywhere."""
    cells, places = summits(maps, _LEAST_AT_RIM)
    order = np.argsort(-maps[tuple(cells.T)], kind="stable")
    again: list[Floats] = []
    for index in order[~_inner(cells)[order]]:
        number = cells[index, 0]
        (place,) = geometry.map_points(places[index : index + 1] * CELL_PX, geometry.inverse(into[number]))
        known = any(np.hypot(*(place - other[:2])) < _SAME * other[2] for other in again)
        if len(again) < _MOST_AGAIN and not known and not _heard(place, maps, into):
            again.append(np.array([*place, *boxes[number, 2:]], np.float32))
    return np.array(again, np.float32).reshape(-1, 5)


def _agreed(place: Floats, maps: Floats, into: list[npt.NDArray[np.float64]]) -> float:
    """What all looks that show a place in their inner part say of it, on average."""
    said = _heard(place, maps, into)
    return float(np.mean(said)) if said else 0.0


def _heard(place: Floats, maps: Floats, into: list[npt.NDArray[np.float64]]) -> list[float]:
    """What each look that shows a place in its inner part says of it."""
    said = []
    for matrix, heat in zip(into, maps, strict=True):
        column, row = (geometry.map_points(place[None], matrix)[0] // CELL_PX).astype(int)
        rim = _RIM_CELLS
        if rim <= row < MAP_WH[1] - rim and rim <= column < MAP_WH[0] - rim:
            said.append(float(heat[row - 1 : row + 2, column - 1 : column + 2].max()))
    return said
