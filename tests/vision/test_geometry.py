"""Corners, boxes and crops: round trips, and where things land."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision import geometry


@given(
    cx=st.floats(-500, 5000),
    cy=st.floats(-500, 5000),
    length=st.floats(10, 2000),
    angle=st.floats(-math.pi, math.pi),
)
def test_boxes_and_corners_round_trip(cx: float, cy: float, length: float, angle: float) -> None:
    box = np.array([[cx, cy, length, length / 2, angle]], np.float32)
    back = geometry.corners_box(geometry.box_corners(box))[0]
    assert back[:4] == pytest.approx(box[0, :4], rel=1e-3, abs=0.05)
    assert math.cos(float(back[4]) - angle) > 0.9999


def test_corners_start_at_the_first_ends_left_corner_and_run_clockwise() -> None:
    # A tile lying along x with its first end at the left: held up, that end's left corner is the lower one.
    corners = geometry.box_corners(np.array([[0, 0, 100, 50, 0]], np.float32))[0]
    assert corners.tolist() == [[-50, 25], [-50, -25], [50, -25], [50, 25]]


@pytest.mark.parametrize("length", [40, 113, 400, 1500])
@pytest.mark.parametrize("angle_deg", [0, 37, 180, -90])
def test_a_crop_shows_the_first_end_at_the_left(length: int, angle_deg: int) -> None:
    image = np.zeros((2000, 2000, 3), np.uint8)
    box = np.array([[1000, 1000, length, length / 2, math.radians(angle_deg)]], np.float32)
    corners = geometry.box_corners(box)
    first_half = np.array(
        [corners[0][0], corners[0][1], (corners[0][1] + corners[0][2]) / 2, (corners[0][0] + corners[0][3]) / 2]
    )
    cv2.fillConvexPoly(image, np.round(first_half).astype(np.int32), (255, 255, 255))
    crop = geometry.cut_crops(geometry.Pyramid(image), corners, geometry.TILE_TARGET, geometry.TILE_CROP_WH)[0]
    assert crop.shape == (64, 128, 3)
    assert crop[12:52, 14:58].mean() > 235
    assert crop[12:52, 70:].mean() < 20


def test_a_crop_outside_the_picture_is_black_and_raises_nothing() -> None:
    image = np.full((100, 100, 3), 200, np.uint8)
    corners = geometry.box_corners(np.array([[-900, 50, 80, 40, 0]], np.float32))
    assert geometry.cut_crops(geometry.Pyramid(image), corners, geometry.TILE_TARGET, geometry.TILE_CROP_WH).max() == 0


def test_points_go_to_the_crop_and_back() -> None:
    corners = geometry.box_corners(np.array([[300, 200, 180, 92, 0.8]], np.float32))[0]
    matrix = geometry.crop_transform(corners, geometry.TILE_TARGET)
    points = np.array([[310, 190], [250, 220]], np.float32)
    back = geometry.map_points(geometry.map_points(points, matrix), geometry.inverse(matrix))
    assert back == pytest.approx(points, abs=0.01)
    assert geometry.map_points(np.zeros((0, 2), np.float32), matrix).shape == (0, 2)
