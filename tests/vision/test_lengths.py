"""Tiles that came out too short, on quads made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.camera import look_down
from datasets.layouts import Placement, outline
from vision.geometry import Array
from vision.lengths import evened, length_ratios, misfits, set_right

SIZE = (1600, 900)


def table(tilt_deg: float) -> Array:
    """Twelve tiles, turned every way, seen by a leaning camera."""
    camera = look_down(
        focal_px=1700, tile_px=90, tilt_deg=tilt_deg, towards_deg=60, roll_deg=20, centre_px=(SIZE[0] / 2, SIZE[1] / 2)
    )
    grid = [(column, row) for row in range(3) for column in range(4)]
    places = [Placement(1.7 * column - 2.5, 1.6 * row - 1.6, 0.5 * (column + row)) for column, row in grid]
    flat = np.array([np.hstack([outline(place), np.zeros((4, 1))]) for place in places])
    return camera.project(flat).astype(np.float32)


def shortened(corners: Array, tile: int, share: float) -> Array:
    """The second end of one tile drawn in."""
    short = corners.copy()
    for second, first in ((3, 0), (2, 1)):
        short[tile, second] = corners[tile, first] + (1 - share) * (corners[tile, second] - corners[tile, first])
    return short


@pytest.mark.parametrize("tilt", [0.0, 35.0])
def test_a_tile_that_lacks_an_end_is_told_under_any_camera(tilt: float) -> None:
    seen = shortened(table(tilt), 5, 0.12)
    sure = np.arange(12) != 5
    ratios = length_ratios(seen, sure, SIZE)
    assert ratios[5] == pytest.approx(0.88, abs=0.02)
    assert np.flatnonzero(misfits(ratios)).tolist() == [5]
    kept_first, _, kept_second = set_right(seen[[5]], ratios[[5]])
    assert np.abs(kept_first[0] - table(tilt)[5]).max() < 2.5
    assert np.abs(kept_second[0][[2, 3]] - seen[5][[2, 3]]).max() < 0.01


def test_a_tile_that_is_nearly_right_is_evened_about_its_middle_and_the_others_are_left() -> None:
    exact = table(20.0)
    seen = shortened(shortened(exact, 5, 0.03), 7, 0.12)
    even = evened(seen, length_ratios(seen, np.ones(12, np.bool_), SIZE))
    lengths = np.linalg.norm(even[:, 2] - even[:, 1], axis=1) / np.linalg.norm(exact[:, 2] - exact[:, 1], axis=1)
    assert lengths[5] == pytest.approx(1, abs=0.012)
    assert lengths[7] == pytest.approx(0.88, abs=0.012)
    assert even[5].mean(0) == pytest.approx(seen[5].mean(0), abs=0.01)


def test_among_few_tiles_nothing_is_told() -> None:
    seen = shortened(table(0.0), 1, 0.12)[:5]
    assert length_ratios(seen, np.ones(5, np.bool_), SIZE).tolist() == [1.0] * 5


def test_half_a_tile_is_no_misfit() -> None:
    assert misfits(np.array([0.5, 0.8, 1.0, 1.3], np.float32)).tolist() == [False, True, False, True]
