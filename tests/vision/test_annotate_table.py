"""The overlay of a table: every badge and name where it covers nothing that people have to see."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from tests.vision.laying import laid
from tests.vision.tables import planned
from vision.annotate_table import HUB, TRAIN_COLOURS, annotated_table
from vision.drawing import DOUBTFUL
from vision.label_places import Taken, find_place
from vision.layout import read_layout
from vision.table_reading import TableReading
from vision.tiles import Doubt, PhotoReading

Picture = npt.NDArray[np.uint8]
GREY = 128


def drawn(reading: TableReading, name: str | None = None) -> Picture:
    width, height = reading.size_wh
    names = None if name is None else {train.id: name for train in reading.trains}
    return annotated_table(np.full((height, width, 3), GREY, np.uint8), reading, names)


def inside(picture: Picture, corners: npt.NDArray[np.float32], colour: tuple[int, int, int]) -> float:
    """How much of an upright tile's inner part has a colour."""
    low, high = np.ceil(corners.min(0) + 6).astype(int), np.floor(corners.max(0) - 6).astype(int)
    part = picture[low[1] : high[1], low[0] : high[0]].astype(int)
    return float((np.abs(part - colour).max(2) < 25).mean())


def test_the_badge_of_an_end_covers_no_tile_that_lies_before_it() -> None:
    """Another train's tile, across the way, two thirds of a tile's width from the end."""
    reading = read_layout(laid((0, 0, 0, (1, 2)), (1, 0, 0, (2, 3)), (2.1, 0, 90, (5, 5)), (2.1, -1, 90, (4, 5))))
    across = next(tile for tile in reading.tiles if tile.sighting.ends == (5, 5))
    ours = next(number for number, train in enumerate(reading.trains) if (1, 2) in train.line.tiles)
    assert len(reading.trains) == 2
    assert inside(drawn(reading), across.sighting.corners_px, TRAIN_COLOURS[ours]) < 0.02


def test_a_name_is_not_written_over_the_mark_of_a_hub_without_a_tile() -> None:
    trains = [(x * 1.15, y * 1.15, turn, (4, 1)) for x, y, turn in ((1, 0, 0), (-1, 0, 180), (0, 1, 90), (0, -1, 270))]
    reading = read_layout(laid(*trains))
    assert (reading.starting_tile, reading.hub_px is None) == (None, False)
    x, y = np.round(reading.hub_px or (0, 0)).astype(int)
    clean = drawn(replace(reading, trains=()))
    size = 16
    window = np.s_[y - size : y + size, x - size : x + size]
    assert np.array_equal(drawn(reading, "Margarita")[window], clean[window])


@pytest.mark.parametrize("seed", [29_000, 29_001, 29_002])
def test_the_badges_of_whole_tables_hide_hardly_any_tile(seed: int) -> None:
    """Nine of ten ends: where tiles lie on all sides there is no better place."""
    _, seen = planned(seed)
    reading = read_layout(seen.reading)
    taken = Taken(reading.size_wh, [np.asarray(tile.sighting.corners_px, np.float64) for tile in reading.tiles])
    picture, bare = drawn(reading), drawn(replace(reading, trains=()))
    assert (picture != bare).any()
    spots = []
    for train in reading.trains:
        last = np.asarray(reading.tile(train.line.tile_ids[-1]).sighting.corners_px).mean(0)
        out = np.array(train.line.end_px) - last
        size = float(np.linalg.norm(out)) * 2
        away = out / np.linalg.norm(out)
        spot = find_place(taken, np.array(train.line.end_px), away, [size * 0.4, size * 0.55], size * 0.32)
        spots.append(Taken(reading.size_wh, taken.shapes).covered(spot, size * 0.32))
    assert np.mean(np.array(spots) < 0.1) >= 0.9


def test_a_blurred_photo_is_framed_and_its_trains_keep_their_colours() -> None:
    sharp = laid((0, 0, 0, (9, 9)), *((x, 0, 0, (9, 1)) for x in (1.5, -1.5)), (0, 1.5, 90, (9, 2)))
    soft = replace(sharp, tiles=tuple(replace(tile, doubts=(Doubt("blurred"),)) for tile in sharp.tiles))
    reading = read_layout(soft)
    assert [note.tile_ids for note in reading.doubts if note.code == "blurred"] == [()]
    picture = drawn(reading)
    corners = reading.tiles[1].sighting.corners_px
    assert inside(picture, corners, DOUBTFUL) == 0
    assert (np.abs(picture[:15].astype(int) - DOUBTFUL).max(2) < 60).mean() > 0.1
    assert (np.abs(picture.astype(int) - HUB).max(2) < 10).any()


def test_nothing_seen_is_drawn_as_nothing() -> None:
    reading = read_layout(PhotoReading((), (), (), (640, 480), "none", {}))
    assert (drawn(reading) == GREY).all()
