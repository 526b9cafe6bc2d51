"""Whether an empty picture proves anything."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from server.hands import notes_of
from vision.geometry import Pyramid
from vision.sharpness import sharpness
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
