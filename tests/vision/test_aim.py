"""Advice for aiming the camera: one thing at a time, in numbers."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.aim import measured
from vision.image import read_image
from vision.tiles import BgrImage, Points

PHOTO = Path(__file__).parents[2] / "examples" / "hand.jpg"


@pytest.fixture(scope="module")
def photo() -> BgrImage:
    return read_image(PHOTO)


def tile(length: float, x: float = 300.0, y: float = 300.0) -> Points:
    return np.array([[x, y], [x + length, y], [x + length, y + length / 2], [x, y + length / 2]], np.float32)


def test_a_good_picture_needs_no_advice(photo: BgrImage) -> None:
    assert measured(photo, [tile(60.0)] * 5).advice() is None
    assert measured(photo, []).advice() is None


def test_a_dark_room_is_said_first(photo: BgrImage) -> None:
    found = measured((photo * 0.2).astype(np.uint8), [tile(20.0)]).advice()
    assert found is not None
    assert found.code == "dark"
    assert found.params["percent"] < found.params["needed"]


def test_a_blurred_picture(photo: BgrImage) -> None:
    found = measured(np.asarray(cv2.GaussianBlur(photo, (0, 0), 4.0), np.uint8), [tile(60.0)]).advice()
    assert found is not None
    assert found.code == "blurred"


def test_tiles_that_are_too_small_in_pixels(photo: BgrImage) -> None:
    found = measured(photo, [tile(26.0), tile(26.0), tile(90.0)]).advice()
    assert found is not None
    assert (found.code, found.params) == ("small", {"length": 26, "needed": 40, "percent": 35})


def test_a_table_that_is_cut_off(photo: BgrImage) -> None:
    found = measured(photo, [tile(60.0), tile(60.0, x=2.0), tile(60.0, x=photo.shape[1] - 62.0)]).advice()
    assert found is not None
    assert (found.code, found.params) == ("cut_off", {"count": 2})


def test_a_picture_burnt_by_a_lamp(photo: BgrImage) -> None:
    burnt = photo.copy()
    burnt[:, : burnt.shape[1] // 2] = 255
    found = measured(burnt, [tile(60.0)]).advice()
    assert found is not None
    assert found.code == "glare"


def test_a_few_tiles_at_the_far_end_that_are_too_small_are_named(photo: BgrImage) -> None:
    aim = measured(photo, [tile(60.0), tile(25.0), tile(60.0), tile(22.0)])
    assert aim.small == (1, 3)
    found = aim.advice()
    assert found is not None
    assert (found.code, found.params) == ("small_some", {"count": 2, "length": 22, "needed": 40})


def test_what_is_fine_is_told_in_numbers_too(photo: BgrImage) -> None:
    aim = measured(photo, [tile(60.0)] * 5)
    assert aim.is_light
    assert aim.is_sharp
    assert (aim.length_px, aim.small, aim.cut) == (60, (), ())
