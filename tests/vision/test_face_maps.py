"""Spots in maps, and markers that stand on tiles: no network."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision import geometry
from vision.candidates import Candidates
from vision.detections import FACE_DOWN, FACE_UP, MARKER
from vision.face_maps import MAP_HW, places_in_crops, places_in_picture
from vision.geometry import box_corners
from vision.halves import HalfReadings
from vision.markers import evident, maybe_markers, on_tiles, standing_on, told_by_size

TILE = geometry.box_corners(np.array([[500, 300, 113, 56.5, 0]], np.float32))[0]


def maps(*peaks: tuple[int, int, int]) -> np.ndarray:
    """One tile's maps with a peak at each (half, row, column)."""
    picture = np.zeros((1, 2, *MAP_HW), np.float32)
    for half, row, column in peaks:
        picture[0, half, row, column] = 0.9
    return picture


def test_a_peak_becomes_the_middle_of_its_cell() -> None:
    first, second = places_in_crops(maps((0, 3, 5)))[0]
    assert first.tolist() == [[pytest.approx(22.0), pytest.approx(14.0)]]
    assert len(second) == 0


def test_the_second_half_was_seen_turned_round() -> None:
    _, second = places_in_crops(maps((1, 3, 5)))[0]
    assert second.tolist() == [[pytest.approx(128 - 22.0), pytest.approx(64 - 14.0)]]


def test_a_peak_between_two_cells_lies_between_them() -> None:
    picture = maps((0, 3, 5))
    picture[0, 0, 3, 6] = 0.89
    ((x, _),) = places_in_crops(picture)[0, 0]
    assert 23.5 < x < 24.5


def test_weak_spots_are_none() -> None:
    assert len(places_in_crops(0.3 * maps((0, 3, 5)))[0, 0]) == 0


def test_no_tiles_no_places() -> None:
    assert places_in_crops(np.zeros((0, 2, *MAP_HW), np.float32)).shape == (0, 2)


def test_places_land_on_the_tile_in_the_picture() -> None:
    places = places_in_picture(places_in_crops(maps((0, 8, 8), (1, 8, 8)))[0], TILE)
    # A tile 113 px long lies in the crop as it is: what is 34 px right of the crop's left is 30 px left of the middle.
    assert places == pytest.approx(np.array([[470, 302], [530, 298]]), abs=0.6)


def test_a_marker_on_a_tile_is_told_once() -> None:
    on_it = places_in_crops(maps((0, 8, 8)))[0]
    (marker,) = standing_on(TILE, on_it, [])
    assert marker.kind == "marker"
    assert marker.centre_px == pytest.approx((470, 302), abs=0.6)
    assert np.linalg.norm(marker.corners_px[1] - marker.corners_px[2]) == pytest.approx(0.25 * 113, abs=0.1)
    assert standing_on(TILE, on_it, [marker]) == []


UNKNOWN = np.full(2, np.nan, np.float32)


def seen(score: float, kind: int, close_up: float) -> Candidates:
    kinds = np.array([[1 - close_up, 0, close_up, 0]], np.float32)
    scores, sides = np.array([score], np.float32), np.array([[113, 56]], np.float32)
    return Candidates(scores, np.array([kind]), sides, TILE[None], kinds, HalfReadings.of_nothing(1))


def test_a_back_that_the_finder_hardly_saw_is_none() -> None:
    weak = seen(0.2, FACE_UP, 0.0)
    weak.kinds[0] = (0.02, 0.97, 0.0, 0.01)
    assert not evident(weak, 0, UNKNOWN)
    assert evident(replace(weak, score=np.array([0.7], np.float32)), 0, UNKNOWN)


def toy_train() -> Candidates:
    """Something that the finder takes for a marker, and that looks like a back close up."""
    train = seen(0.6, MARKER, 0.0)
    train.kinds[0] = (0.02, 0.9, 0.06, 0.02)
    return train


def test_what_is_too_small_for_a_back_is_a_marker() -> None:
    size = np.array([[0.6, 0.25]], np.float32)
    off, on = np.array([False]), np.array([True])
    assert told_by_size(toy_train(), np.array([FACE_DOWN]), size, on)[0] == MARKER
    assert told_by_size(toy_train(), np.array([FACE_UP]), size, off)[0] == MARKER
    assert told_by_size(toy_train(), np.array([FACE_UP]), size, on)[0] == FACE_UP
    assert maybe_markers(toy_train(), size)[0]
    assert told_by_size(toy_train(), np.array([FACE_DOWN]), np.array([[1.0, 0.5]], np.float32), off)[0] == FACE_DOWN


def test_a_ring_as_large_as_a_tile_is_not_worth_a_close_look() -> None:
    ring = seen(0.7, MARKER, 1.0)
    assert maybe_markers(ring, np.array([[0.5, 0.5]], np.float32))[0]
    assert not maybe_markers(ring, np.array([[1.0, 0.95]], np.float32))[0]
    assert maybe_markers(ring, UNKNOWN[None])[0]


def test_what_nobody_took_for_anything_like_a_marker_is_not_looked_at() -> None:
    tile = seen(0.9, FACE_UP, 0.0)
    assert not maybe_markers(tile, np.array([[0.5, 0.25]], np.float32))[0]
    tile.kinds[0] = (0.5, 0.0, 0.3, 0.2)
    assert maybe_markers(tile, np.array([[0.5, 0.25]], np.float32))[0]


def test_the_middle_of_a_candidate_lies_on_a_sure_tile_or_not() -> None:
    boxes = np.array([[500, 300, 113, 56, 0.4], [510, 300, 40, 20, 1.0], [700, 300, 40, 20, 0]], np.float32)
    kinds = np.tile(np.array([1, 0, 0, 0], np.float32), (3, 1))
    scores, up = np.full(3, 0.9, np.float32), np.zeros(3, np.int64)
    found = Candidates(scores, up, boxes[:, 2:4], box_corners(boxes), kinds, HalfReadings.of_nothing(3))
    assert on_tiles(found, np.array([9.0, 0.0, 0.0], np.float32)).tolist() == [False, True, False]
