"""Regions that changed and that nothing which was read explains: markers, whatever they look like, and unread tiles."""

from __future__ import annotations

import cv2
import numpy as np

from vision.board import Array, Board
from vision.follow_markers import marker_of
from vision.steadiness import Blob
from vision.tiles import PhotoReading, Points, TileSighting

_MARKER_TILES = 0.6
_LEAST_MARKER_TILES = 0.04
_BLOB_SURE = 0.55
_MOST_STRANGE = 3
"""More strange places than this at once are no things: a lamp was switched, or a shadow fell."""
_BESIDE = 0.45
"""Nearer to a new tile than this, in tile lengths, a change is the tile's own."""
_NOT_KNOWN = 0.45
_TILE_LIKE = (0.5, 2.2)
_LEAST_WIDTH = 0.42
"""Width of a tile, at least, in tile lengths."""
_AT_END, _NEAR_END = 0.9, 1.3
_AT_HUB = (0.7, 2.4)


def marker_spots(spots: list[Blob], board: Board, scale: float, tile_area: float) -> list[Points]:
    """Small compact things that have come to an open end or to the hub: corners (4, 2) px of each."""
    found = []
    ends = _ends(board)
    for spot in spots:
        points = np.argwhere(spot.mask)[:, ::-1].astype(np.float32)
        box = cv2.minAreaRect(points)
        long, short = max(box[1]) + 1, min(box[1]) + 1
        compact = spot.area > 0.5 * long * short and long < 2.2 * short
        small = _LEAST_MARKER_TILES * tile_area < spot.area < _MARKER_TILES * tile_area
        if spot.at_rim or not compact or not small:
            continue
        corners = (cv2.boxPoints(box) / scale).astype(np.float32)
        centre = corners.mean(0)
        at_end = any(float(np.hypot(*(end - centre))) < _AT_END * board.tile_px for end in ends)
        if at_end or _at_hub(board, centre):
            found.append(corners)
    return found if len(found) <= _MOST_STRANGE else []


def explaining(seen: PhotoReading, board: Board) -> list[Points]:
    """Corners (4, 2) px of what may bring changes beside it: tiles read where none is known, and known markers."""
    stood = [line.marker for line in board.lines.values() if line.marker is not None]
    return [*_new_quads(seen, board), *stood]


def _new_quads(seen: PhotoReading, board: Board) -> list[Points]:
    reach = _NOT_KNOWN * board.tile_px

    def known(sighting: TileSighting) -> bool:
        centre = np.array(sighting.centre_px)
        return any(float(np.hypot(*(tile.centre_px - centre))) < reach for tile in board.tiles.values())

    return [tile.corners_px for tile in seen.tiles if not known(tile)]


def away_from(spots: list[Points], quads: list[Points], tile_px: float) -> list[Points]:
    """The spots that are not beside one of these things: what just came, or has gone, has edges and a shadow."""
    reach = _BESIDE * tile_px

    def beside(spot: Points, quad: Points) -> bool:
        x, y = (float(value) for value in spot.mean(0))
        return cv2.pointPolygonTest(np.asarray(quad, np.float32), (x, y), True) > -reach

    return [spot for spot in spots if not any(beside(spot, quad) for quad in quads)]


def likely_markers(spots: list[Points]) -> list[TileSighting]:
    """A marker, if there is one such thing. Several at once are no markers, but edges of the hub in another light."""
    return [marker_of(spots[0], _BLOB_SURE)] if len(spots) == 1 else []


def unread_tiles(
    rest: list[Blob], board: Board, scale: float, tile_area: float, anywhere: bool = False
) -> list[Points]:
    """Things as large as a tile where a tile may lie, at a line's end or `anywhere`: corners (4, 2) px of each."""
    found = []
    low, high = _TILE_LIKE
    for blob in rest:
        if blob.at_rim or not low * tile_area < blob.area < high * tile_area:
            continue
        points = np.argwhere(blob.mask)[:, ::-1].astype(np.float32)
        box = cv2.minAreaRect(points)
        if min(box[1]) + 1 < _LEAST_WIDTH * board.tile_px * scale:
            continue  # the shadow of a tile that came
        corners = (cv2.boxPoints(box) / scale).astype(np.float32)
        near = any(float(np.hypot(*(end - corners.mean(0)))) < _NEAR_END * board.tile_px for end in _ends(board))
        if anywhere or near or _at_hub(board, corners.mean(0)):
            found.append(corners)
    return found if len(found) <= _MOST_STRANGE else []


def _ends(board: Board) -> list[Array]:
    return [end for end in (board.end_px(name) for name in board.lines) if end is not None]


def _at_hub(board: Board, centre: Points) -> bool:
    if board.hub_px is None:
        return False
    low, high = _AT_HUB
    return low < float(np.hypot(*(board.hub_px - centre))) / board.tile_px < high
