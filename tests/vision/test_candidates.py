"""Which candidates stay, and what kind they are: boxes and numbers alone, no picture."""

from __future__ import annotations

import numpy as np
import pytest

from vision.candidates import Candidates, distinct, likely_kind
from vision.detections import FACE_DOWN, FACE_UP
from vision.geometry import box_corners
from vision.halves import NO_VALUE, HalfReadings


def places(*x: float) -> Candidates:
    """Tiles 100 x 50 px in one row, their centres at x px."""
    boxes = np.array([(at, 500, 100, 50, 0) for at in x], np.float32)
    kinds = np.tile(np.array((1, 0, 0, 0), np.float32), (len(x), 1))
    readings = HalfReadings.of_nothing(len(x))
    ones = np.full(len(x), 0.9, np.float32)
    return Candidates(ones, np.zeros(len(x), np.int64), boxes[:, 2:4], box_corners(boxes), kinds, readings)


def kept(x: tuple[float, ...], *strength: float) -> list[float]:
    chosen, _ = distinct(places(*x), np.array(strength, np.float32), 0.3)
    return sorted(x[index] for index in chosen)


def test_a_chain_of_tiles_is_kept_rather_than_what_lies_across_its_joints() -> None:
    """Each place across a joint looks better than either of its two tiles."""
    x = (0, 50, 100, 150, 200)
    assert kept(x, 11.0, 12.0, 11.0, 12.0, 11.0) == [0, 100, 200]


@pytest.mark.parametrize("weaker", [5.0, 8.8])
def test_two_weaker_places_do_not_displace_the_tile_between_them(weaker: float) -> None:
    assert kept((50, 100, 150), weaker, 12.8, weaker) == [100]


def test_strong_tiles_whose_corners_are_a_little_off_are_both_there() -> None:
    assert kept((0, 65), 10.0, 9.0) == [0, 65]
    assert kept((0, 65), 10.0, 5.0) == [0]
    assert kept((0, 50), 12.0, 12.0) in ([0], [50])


@pytest.mark.parametrize(
    ("close_up", "value", "share", "kind"),
    [(0.26, 0, 1.0, FACE_UP), (0.1, 0, 1.0, FACE_DOWN), (0.1, 5, 1.0, FACE_UP), (0.1, 5, 0.8, FACE_DOWN)],
)
def test_what_shows_two_values_is_face_up(close_up: float, value: int, share: float, kind: int) -> None:
    """The finder takes it for a back; close up little speaks for a face, but both its halves can be read."""
    double = places(100)
    double.kind[0], double.score[0] = FACE_DOWN, 0.85
    double.kinds[0] = (close_up, 0.99 - close_up, 0, 0.01)
    assert likely_kind(double)[0] == FACE_DOWN
    double.readings.probabilities[0] = 0
    double.readings.probabilities[0, :, value] = share
    double.readings.probabilities[0, :, NO_VALUE] = 1 - share
    assert likely_kind(double)[0] == kind
