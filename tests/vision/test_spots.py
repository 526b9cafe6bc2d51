"""Things that changed and were not read: what may be a marker, and what is only the edge of a new tile."""

from __future__ import annotations

import numpy as np

from vision.board import Board, KnownLine, KnownTile
from vision.evidence import Evidence
from vision.spots import away_from, explaining, unread_tiles
from vision.steadiness import blobs
from vision.tiles import PhotoReading, Points, TileSighting

TILE = np.array([[100, 100], [130, 100], [130, 160], [100, 160]], np.float32)


def spot(x: float, y: float) -> Points:
    return np.array([[x - 5, y - 5], [x + 5, y - 5], [x + 5, y + 5], [x - 5, y + 5]], np.float32)


def test_the_edge_of_a_new_tile_is_no_marker() -> None:
    beside, inside, far = spot(145, 130), spot(115, 150), spot(115, 205)
    left = away_from([beside, inside, far], [TILE], 60.0)
    assert [float(one.mean()) for one in left] == [float(far.mean())]


def test_where_no_tile_is_new_everything_stays() -> None:
    assert len(away_from([spot(145, 130)], [], 60.0)) == 1


def known() -> Board:
    """One tile with a marker at its end."""
    shares = np.zeros((2, 19), np.float32)
    shares[[0, 1], [3, 5]] = 0.99
    sighting = TileSighting("face_up", (3, 5), TILE, 0.98, shares, np.zeros((0, 2), np.float32))
    line = KnownLine("t1", (0,), 0.0, marker=spot(115, 175))
    return Board({0: KnownTile(0, TILE, Evidence.of(sighting))}, {"t1": line}, hub_px=(115.0, 60.0), next_key=1)


def test_what_is_left_where_a_marker_stood_is_no_marker() -> None:
    nothing = PhotoReading((), (), (), (400, 400), "none", {})
    assert away_from([spot(121, 190)], explaining(nothing, known()), 60.0) == []


def test_a_shadow_beside_a_line_is_no_tile_that_could_not_be_read() -> None:
    mask = np.zeros((400, 400), np.uint8)
    mask[165:185, 100:200] = 1
    tile = np.zeros((400, 400), np.uint8)
    tile[165:197, 100:160] = 1
    assert [len(unread_tiles(blobs(one, 3), known(), 1.0, 1800.0)) for one in (mask, tile)] == [0, 1]


def test_without_lines_a_tile_may_lie_anywhere() -> None:
    tile = np.zeros((400, 400), np.uint8)
    tile[365:397, 300:360] = 1
    rest = blobs(tile, 3)
    assert [len(unread_tiles(rest, known(), 1.0, 1800.0, anywhere=free)) for free in (False, True)] == [0, 1]
