"""Markers on tiles: the pin in the middle of a tile that just came is none."""

from __future__ import annotations

import pytest

from tests.vision.test_follow_lines import ROW, sighting
from vision.board import Board
from vision.follow import follow
from vision.follow_markers import marker_of
from vision.table_reading import LineReading, MarkerReading, PlacedTile, TableReading, TrainReading
from vision.tiles import TileSighting
from vision.work import Look


def look(count: int, markers: tuple[TileSighting, ...] = ()) -> Look:
    """The first tiles of the row, the starting double not among them, with these markers at the train."""
    ids = tuple(range(count))
    train = TrainReading("t1", "personal", LineReading(ids, tuple(ROW[:count])), (), False, 0.0)
    placed = (*(PlacedTile(place, sighting(place), "train") for place in ids),)
    marks = tuple(MarkerReading("t1", marker) for marker in markers)
    return Look(TableReading(12, None, (train,), placed, marks, (), (), (1000, 600), "row", {}, (100.0, 300.0)))


@pytest.mark.parametrize(("right", "marked"), [(4.0, ()), (40.0, ("t1",))])
def test_what_is_seen_in_the_middle_of_a_new_tile_is_its_pin(right: float, marked: tuple[str, ...]) -> None:
    board, _ = follow(Board(hub_px=(100.0, 300.0)), look(2))
    middle = sighting(2).corners_px.mean(0)
    marker = marker_of((sighting(2).corners_px - middle) * 0.15 + middle + [right, 0.0], 1.0)
    _, changes = follow(board, look(3, (marker,)))
    assert [new.index for new in changes.new] == [2]
    assert changes.marked == marked
