"""Whether an empty picture proves anything."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from server.hands import notes_of
from vision.geometry import Pyramid
from vision.sharpness import of_crop, of_softest_way, sharpness
from vision.tiles import PhotoReading


def things() -> np.ndarray:
    rng = np.random.default_rng(3)
    image = np.full((900, 1200, 3), 120, np.uint8)
    for _ in range(40):
        x, y = rng.integers(0, [1100, 800])
        colour = tuple(int(c) for c in rng.integers(0, 255, 3))
        cv2.rectangle(image, (int(x), int(y)), (int(x) + 90, int(y) + 60), colour, -1)
    return image


@pytest.mark.parametrize("blur_px", [3, 5, 9])
def test_blur_is_told_from_sharp_edges(blur_px: int) -> None:
    image = things()
    assert sharpness(Pyramid(image)) > 0.2
    assert sharpness(Pyramid(cv2.GaussianBlur(image, (0, 0), blur_px))) < 0.12


def tile_crop() -> np.ndarray:
    """A tile with the pips of a six and a five."""
    crop = np.full((64, 128, 3), 90, np.uint8)
    cv2.rectangle(crop, (8, 4), (120, 60), (235, 240, 240), -1, cv2.LINE_AA)
    for x, y in [(20, 18), (36, 18), (52, 18), (20, 46), (36, 46), (52, 46), (76, 18), (108, 18), (92, 32)]:
        cv2.circle(crop, (x, y), 6, (20, 20, 20), -1, cv2.LINE_AA)
    return crop


@pytest.mark.parametrize("degrees", [0, 45, 90, 135])
def test_edges_across_the_way_that_the_camera_moved_are_soft(degrees: int) -> None:
    """Eleven px in the crop: the edges along the way stay sharp, so that the steepest ones do not tell."""
    kernel = np.zeros((13, 13), np.float32)
    way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]) * 5.5
    ends = (tuple(int(v) for v in np.round(6 + sign * way)) for sign in (-1, 1))
    cv2.line(kernel, *ends, 1.0)
    moved = np.asarray(cv2.filter2D(tile_crop(), -1, kernel / kernel.sum()), np.uint8)
    assert of_crop(tile_crop()) > 0.3
    assert of_softest_way(tile_crop()) > 0.2
    assert of_crop(moved) > 0.145
    assert of_softest_way(moved) < 0.125


def test_a_plain_table_is_not_called_blurred() -> None:
    noise = np.random.default_rng(4).normal(128, 3, (600, 800, 3))
    assert sharpness(Pyramid(np.clip(noise, 0, 255).astype(np.uint8))) > 0.12


def empty(*, blurred: bool) -> PhotoReading:
    return PhotoReading((), (), (), (800, 600), "none", {}, blurred=blurred)


def test_nothing_found_on_a_blurred_photo_is_no_promise() -> None:
    assert empty(blurred=False).doubtful == 0
    assert notes_of(empty(blurred=False)) == ["no_domino"]
    assert empty(blurred=True).doubtful == 1
    assert notes_of(empty(blurred=True)) == ["too_blurred"]
