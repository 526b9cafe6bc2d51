"""Tiles that lie open on the table without being laid: the hand that somebody has before them, seen by the camera."""

from __future__ import annotations

import cv2
import numpy as np

from vision.board import Board, KnownTile

_TOUCH = 0.15
"""Tiles nearer to each other than this, in tile lengths, lie at each other."""
_REACH = 1.7
"""Tiles whose centres are farther apart, in tile lengths, are no neighbours."""
_PARALLEL_DEG, _SHIFTED = 20.0, 0.4
"""How far the tiles of a row may be turned against each other, and shifted along their length, in tile lengths."""


def in_hand(board: Board) -> frozenset[int]:
    """Keys of tiles that touch no other and lie side by side with one that touches none either.

    Lines are not laid so, but hands and racks are. Where everything lies so, nobody's hand can be told from what is
    laid, and none is.
    """
    tiles, size = list(board.tiles.values()), board.tile_px
    near = [
        (one, other) for place, one in enumerate(tiles) for other in tiles[place + 1 :]
        if float(np.hypot(*(one.centre_px - other.centre_px))) < _REACH * size
    ]
    touching = {tile.key for pair in near if _gap(*pair) < _TOUCH * size for tile in pair}
    rows = [pair for pair in near if not touching & {tile.key for tile in pair} and _side_by_side(*pair, size)]
    found = frozenset(tile.key for pair in rows for tile in pair)
    return found if len(found) < len(tiles) else frozenset()


def _gap(one: KnownTile, other: KnownTile) -> float:
    """Between two quadrilaterals, px; 0 where they meet."""
    shared, _ = cv2.intersectConvexConvex(one.corners_px, other.corners_px)
    if shared > 0:
        return 0.0
    apart = [
        -cv2.pointPolygonTest(np.asarray(quad, np.float32), (float(x), float(y)), True)
        for quad, points in ((one.corners_px, other.corners_px), (other.corners_px, one.corners_px)) for x, y in points
    ]
    return max(0.0, min(apart))


def _side_by_side(one: KnownTile, other: KnownTile, size: float) -> bool:
    axes = [np.asarray(tile.corners_px[2] - tile.corners_px[1], np.float64) for tile in (one, other)]
    first, second = (axis / max(1e-6, float(np.linalg.norm(axis))) for axis in axes)
    straight = abs(float(first @ second)) > np.cos(np.radians(_PARALLEL_DEG))
    return straight and abs(float(first @ (other.centre_px - one.centre_px))) < _SHIFTED * size
