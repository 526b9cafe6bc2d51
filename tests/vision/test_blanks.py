"""A pale pip in the middle of a half is measured."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.blanks import spot_in_the_middle


def tile(ink: tuple[int, int, int] | None, half: int = 0, noise: float = 1.5) -> np.ndarray:
    """A straightened tile (64, 128, 3) of pale grey with one pip in one half, or none."""
    image = np.full((64, 128, 3), 215, np.uint8)
    if ink is not None:
        cv2.circle(image, (36, 32) if half == 0 else (92, 32), 6, ink, -1)
    grain = np.random.default_rng(2).normal(0, noise, image.shape)
    return np.clip(image + grain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("half", [0, 1])
def test_a_pale_blue_pip_stands_out_in_its_half_alone(half: int) -> None:
    pale = tile((225, 212, 203), half)
    assert spot_in_the_middle(pale, half) > 4
    assert spot_in_the_middle(pale, 1 - half) < 2.5


def test_a_blank_is_a_blank_on_grainy_plastic_too() -> None:
    assert spot_in_the_middle(tile(None), 0) < 2.5
    assert spot_in_the_middle(tile(None, noise=12), 0) < 4


def test_a_black_pip_stands_out_most() -> None:
    assert spot_in_the_middle(tile((20, 20, 20)), 0) > 50
