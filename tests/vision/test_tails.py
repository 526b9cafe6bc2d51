"""Where the close looks go, and what is made of what the network says of them: no network, a map of the test's own."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from vision import geometry
from vision.tails import CELL_PX, CHANNELS, CROP_WH, MAP_WH, TARGET, OnnxTails, looked_at, open_sides, places_round
from vision.tiles import TileSighting

PICTURE = geometry.Pyramid(np.zeros((600, 800, 3), np.uint8))
LENGTH = 80.0


def tile(x: float, y: float, angle: float = 0.0, ends: tuple[int, int] = (3, 5)) -> TileSighting:
    corners = geometry.box_corners(np.array([[x, y, LENGTH, LENGTH / 2, np.radians(angle)]]))[0]
    return TileSighting("face_up", ends, corners, 1.0, np.zeros((2, 19), np.float32), np.zeros((0, 2), np.float32))


def spot(x: float, y: float, side: float = 30.0) -> TileSighting:
    corners = geometry.box_corners(np.array([[x, y, side, side, 0.3]]))[0]
    nothing = np.zeros((2, 19), np.float32), np.zeros((0, 2), np.float32)
    return TileSighting("marker", (None, None), corners, 0.4, *nothing)


def corners(*tiles: TileSighting) -> geometry.Array:
    return np.array([one.corners_px for one in tiles], np.float32)


class Eye(OnnxTails):
    """Sees a marker at each of `there` ((x, y) px, share) in whatever look shows it."""

    def __init__(self, *there: tuple[tuple[float, float], float]) -> None:
        self.there = there
        self.boxes = self.shown = np.zeros((0, 5), np.float32)
        self._network = cast("object", self)  # type: ignore[assignment]
        self._slope, self._shift = 1.0, 0.0

    def look(self, picture: geometry.Pyramid, boxes: np.ndarray) -> list:
        self.boxes = boxes
        return super().look(picture, boxes)

    def _maps(self, picture: geometry.Pyramid, boxes: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
        self.shown = boxes
        return super()._maps(picture, boxes)

    def run(self, crops: np.ndarray) -> list[np.ndarray]:
        assert crops.shape[1:] == (CROP_WH[1], CROP_WH[0], CHANNELS)
        maps = np.zeros((len(crops), MAP_WH[1], MAP_WH[0]), np.float32)
        x, y = np.meshgrid(np.arange(MAP_WH[0]) + 0.5, np.arange(MAP_WH[1]) + 0.5)
        for heat, quad in zip(maps, geometry.box_corners(self.shown), strict=True):
            matrix = geometry.crop_transform(quad, TARGET)
            for place, share in self.there:
                px, py = geometry.map_points(np.array([place]), matrix)[0] / CELL_PX
                np.maximum(heat, share * np.exp(-((x - px) ** 2 + (y - py) ** 2) / 2), out=heat)
        return [maps]


def test_what_stands_at_the_rim_of_a_look_is_looked_at_itself() -> None:
    """Beside the tile, not before an end: only the rim of the look before the end shows it."""
    eye = Eye(((215.0, 342.0), 0.9))
    markers, _ = looked_at(eye, PICTURE, [tile(200, 300)], [])
    assert len(eye.shown) == 1
    assert eye.shown[0, :2] == pytest.approx([215, 342], abs=6)
    assert [marker.centre_px for marker in markers] == [pytest.approx((215, 342), abs=4)]
    faint = Eye(((215.0, 342.0), 0.2))
    assert looked_at(faint, PICTURE, [tile(200, 300)], []) == ([], [])
    assert len(faint.shown) == 2  # the looks before both ends, and none besides


def test_looks_go_before_the_sides_that_nothing_lies_against() -> None:
    line = corners(tile(200, 300), tile(280, 300), tile(360, 300))
    boxes = open_sides(line, np.zeros(3, bool))
    ahead = 0.65 * LENGTH
    assert sorted(boxes[:, 0].tolist()) == pytest.approx([200 - ahead, 360 + ahead])
    assert boxes[:, 1] == pytest.approx([300, 300])
    assert np.abs(boxes[:, 2]) == pytest.approx([LENGTH, LENGTH])


def test_a_line_runs_to_the_right_in_its_look() -> None:
    (box,) = (box for box in open_sides(corners(tile(200, 300)), np.zeros(1, bool)) if box[0] < 200)
    crop = geometry.crop_transform(geometry.box_corners(box[None])[0], TARGET)
    middle, end = geometry.map_points(np.array([[200.0, 300.0], [200 - LENGTH / 2, 300.0]]), crop)
    assert middle[0] < end[0] < CROP_WH[0] / 2


def test_a_double_is_left_by_its_long_sides_too() -> None:
    assert len(open_sides(corners(tile(200, 300)), np.array([False]))) == 2
    touched = corners(tile(200, 300), tile(280, 300))
    assert len(open_sides(touched, np.array([True, False]))) == 4
    within = corners(tile(200, 300), tile(260, 300, 90), tile(320, 300))
    assert sorted(open_sides(within, np.array([False, True, False]))[:, 0]) == pytest.approx([148, 372])
    crosswise = corners(tile(200, 300), tile(260, 300, 90))
    boxes = open_sides(crosswise, np.array([False, True]))
    assert any(box[0] > 280 and abs(box[1] - 300) < 1 for box in boxes)
    assert not any(200 < box[0] < 260 and abs(box[1] - 300) < 1 for box in boxes)


def test_all_round_a_double_that_nothing_touches_trains_may_begin() -> None:
    boxes = open_sides(corners(tile(400, 300)), np.array([True]))
    assert len(boxes) == 12
    slots = [(400 + 1.5 * LENGTH * np.cos(turn), 300 + 1.5 * LENGTH * np.sin(turn)) for turn in np.arange(0, 6.3, 0.1)]
    for slot in slots:
        markers, _ = looked_at(Eye((slot, 0.9)), PICTURE, [tile(400, 300, ends=(9, 9))], [])
        assert [one.centre_px for one in markers] == [pytest.approx(slot, abs=3)]


def test_a_look_at_a_place_is_sized_and_turned_as_the_nearest_tile() -> None:
    near, far = tile(200, 300, 30), tile(600, 300, 0)
    (box,) = places_round(np.array([[260.0, 320.0]], np.float32), corners(near, far))
    assert box.tolist() == pytest.approx([260, 320, LENGTH, LENGTH / 2, np.radians(30)], abs=1e-3)


def test_a_marker_is_told_once_with_the_outline_seen_from_afar() -> None:
    network = Eye(((270.0, 300.0), 0.9))
    markers, maybe = looked_at(network, PICTURE, [tile(200, 300)], [spot(272, 301)])
    assert len(network.boxes) == 3
    assert ([one.centre_px for one in markers], maybe) == ([pytest.approx((272, 301))], [])
    assert 0.75 < markers[0].confidence <= 0.95


def test_a_marker_that_nobody_saw_from_afar_is_told_where_it_stands() -> None:
    markers, _ = looked_at(Eye(((270.0, 300.0), 0.9)), PICTURE, [tile(200, 300)], [])
    assert [one.kind for one in markers] == ["marker"]
    assert markers[0].centre_px == pytest.approx((270, 300), abs=2)


def test_what_looked_like_a_marker_and_is_none_close_up_is_gone() -> None:
    assert looked_at(Eye(), PICTURE, [tile(200, 300)], [spot(270, 300)]) == ([], [])


def test_a_share_means_what_was_measured() -> None:
    network = Eye(((270.0, 300.0), 0.7))
    ((plain,), _) = looked_at(network, PICTURE, [tile(200, 300)], [spot(270, 300)])
    network._slope, network._shift = 2.0, 0.5
    ((steep,), _) = looked_at(network, PICTURE, [tile(200, 300)], [spot(270, 300)])
    odds = plain.confidence / (1 - plain.confidence)
    assert steep.confidence / (1 - steep.confidence) == pytest.approx(odds**2 * np.exp(0.5), rel=0.01)


def test_what_is_not_sure_close_up_is_only_perhaps_one() -> None:
    markers, maybe = looked_at(Eye(((270.0, 300.0), 0.35)), PICTURE, [tile(200, 300)], [spot(270, 300)])
    assert (len(markers), len(maybe)) == (0, 1)


def test_of_a_hand_only_what_looked_like_a_marker_is_looked_at() -> None:
    network = Eye()
    looked_at(network, PICTURE, [tile(200, 300)], [spot(270, 300)], anywhere=False)
    assert network.boxes[:, :2].tolist() == [pytest.approx([270, 300])]


def test_without_tiles_there_are_no_markers() -> None:
    network = Eye(((270.0, 300.0), 0.9))
    assert looked_at(network, PICTURE, [], [spot(270, 300)]) == ([], [])
    assert len(network.boxes) == 0
