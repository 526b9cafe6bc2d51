"""Pale pips and stains are measured."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.blanks import PLAIN, SPOT, UNSURE, ink_of, middle_of


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
    assert middle_of(pale, half) == SPOT
    assert middle_of(pale, 1 - half) == PLAIN


def test_nobody_can_tell_on_coarse_grain_or_under_glare() -> None:
    assert middle_of(tile(None), 0) == PLAIN
    assert middle_of(tile(None, noise=25), 0) == UNSURE
    burnt = tile((20, 20, 20))
    cv2.circle(burnt, (36, 32), 18, (255, 255, 255), -1)
    assert middle_of(burnt, 0) == UNSURE


def test_a_black_pip_stands_out() -> None:
    assert middle_of(tile((20, 20, 20)), 0) == SPOT


@pytest.mark.parametrize("half", [0, 1])
def test_one_pip_stands_out_from_its_half_alone(half: int) -> None:
    inks = ink_of(tile((20, 20, 20), half))
    assert inks[half] > 40
    assert inks[1 - half] < 3
    assert 8 < ink_of(tile((150, 190, 215), half))[half] < 40


def test_a_shade_that_runs_across_the_face_is_no_mark() -> None:
    shaded = (tile(None) * np.linspace(1.0, 0.75, 128)[None, :, None]).astype(np.uint8)
    assert ink_of(shaded).max() < 3


def test_of_what_is_burnt_out_nobody_can_say_that_nothing_stands_on_it() -> None:
    burnt = tile(None)
    cv2.circle(burnt, (36, 32), 8, (255, 255, 255), -1)
    assert np.isnan(ink_of(burnt)).tolist() == [True, False]
