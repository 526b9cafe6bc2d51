"""Placement alone: a tile taken from a rack and laid elsewhere is laid, one that is pushed has moved."""

from __future__ import annotations

import numpy as np

from vision import geometry
from vision.placing import begin_free, follow_free
from vision.table_reading import PlacedTile, TableReading
from vision.tiles import TileSighting
from vision.work import Look

ROW = {(4, 4): (500.0, 300.0), (5, 5): (100.0, 100.0), (2, 6): (100.0, 200.0), (3, 4): (100.0, 300.0)}


def look(places: dict[tuple[int, int], tuple[float, float]], came: tuple[float, float] | None = None) -> Look:
    """A reading of these tiles, each surely read; at `came` something has come."""
    tiles = []
    for number, (ends, (x, y)) in enumerate(places.items()):
        shares = np.zeros((2, 19), np.float32)
        shares[[0, 1], ends] = 0.999
        corners = geometry.box_corners(np.array([[x, y, 60, 30, 0]], np.float32))[0]
        sighting = TileSighting("face_up", ends, corners, 0.99, shares, np.zeros((0, 2), np.float32))
        tiles.append(PlacedTile(number, sighting, "loose"))
    reading = TableReading(None, None, (), tuple(tiles), (), (), (), (1000, 600), "row", {})
    return Look(reading, changed=lambda quad: float(came is not None and np.hypot(*(quad.mean(0) - came)) < 5))


def test_a_tile_from_the_rack_is_laid() -> None:
    board = begin_free(look(ROW))
    assert board is not None
    board, changes = follow_free(board, look({**ROW, (3, 4): (560.0, 300.0)}))
    assert [(new.laid.near, new.laid.far) for new in changes.new] == [(3, 4)]
    assert changes.moved == ()
    assert len(board.tiles) == len(ROW)


def test_a_tile_that_is_pushed_has_moved() -> None:
    board = begin_free(look(ROW))
    assert board is not None
    _, changes = follow_free(board, look({**ROW, (3, 4): (160.0, 320.0)}))
    assert changes.new == ()
    assert len(changes.moved) == 1


def test_another_tile_beside_what_was_taken_for_one_is_laid() -> None:
    board = begin_free(look(ROW))
    assert board is not None
    others = {ends: place for ends, place in ROW.items() if ends != (5, 5)}
    board, changes = follow_free(board, look({**others, (4, 1): (118.0, 108.0)}, came=(118.0, 108.0)))
    assert [(new.laid.near, new.laid.far) for new in changes.new] == [(4, 1)]
    assert [gone.values for gone in changes.gone] == [(5, 5)]
    assert changes.moved == ()
