"""What the finder's network says of places, made boxes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.detections import FACE_DOWN, FACE_UP, MARKER
from vision.detector import boxes_of

STRIDE = 16


def silent(height: int = 8, width: int = 12) -> np.ndarray:
    """A map (68, h, w) that sees nothing anywhere."""
    level = np.zeros((68, height, width), np.float32)
    level[64:67] = -9
    return level


def put(level: np.ndarray, row: int, column: int, sides: tuple[float, ...], kind: int, angle: float) -> None:
    """One thing seen from a place: its left, top, right and bottom in strides, and its angle in radians."""
    for side, distance in enumerate(sides):
        below = int(distance)
        level[side * 16 : side * 16 + 16, row, column] = -30
        # Two neighbouring distances share the rest, so that their mean is the one wanted.
        level[side * 16 + below, row, column] = math.log(max(1 - (distance - below), 1e-9))
        level[side * 16 + below + 1, row, column] = math.log(max(distance - below, 1e-9))
    level[64 + kind, row, column] = 2.0
    share = angle / math.pi + 0.25
    level[67, row, column] = math.log(share / (1 - share))


def test_a_place_that_says_little_is_no_box() -> None:
    assert len(boxes_of(silent(), STRIDE, 0.12)) == 0


def test_a_box_lies_round_its_place_with_the_sides_that_were_told() -> None:
    level = silent()
    put(level, 3, 5, (2.0, 1.0, 2.0, 1.0), FACE_DOWN, 0.0)
    found = boxes_of(level, STRIDE, 0.12)
    assert found.boxes[0] == pytest.approx([5.5 * 16, 3.5 * 16, 4 * 16, 2 * 16, 0.0], abs=1e-3)
    assert found.kind.tolist() == [FACE_DOWN]
    assert found.score[0] == pytest.approx(1 / (1 + math.exp(-2.0)))


def test_sides_are_counted_along_the_axes_of_the_turned_box() -> None:
    level = silent()
    put(level, 3, 5, (1.0, 1.0, 3.0, 1.0), FACE_UP, math.pi / 4)
    box = boxes_of(level, STRIDE, 0.12).boxes[0]
    # One stride further to its right than to its left: the middle lies a stride along the axis from the place.
    step = 16 * math.sqrt(0.5)
    assert box == pytest.approx([5.5 * 16 + step, 3.5 * 16 + step, 4 * 16, 2 * 16, math.pi / 4], abs=1e-3)


def test_the_longer_side_is_the_length() -> None:
    level = silent()
    put(level, 2, 2, (1.0, 2.5, 1.0, 2.5), MARKER, math.pi / 6)
    box = boxes_of(level, STRIDE, 0.12).boxes[0]
    assert box[2:] == pytest.approx([5 * 16, 2 * 16, math.pi / 6 + math.pi / 2], abs=1e-3)
