"""Holes in rows of tiles: found where a tile is lacking, and nowhere else."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.detections import Detections
from vision.gaps import PROPOSED_SCORE, with_gaps


def row(*xs: float, turn: float = 0.0, step: tuple[float, float] = (0, 1)) -> Detections:
    """Tiles 100 x 50 px at the places `xs` along `step`, the whole row turned."""
    cos, sin = math.cos(turn), math.sin(turn)
    boxes = [
        (500 + x * (step[0] * cos - step[1] * sin), 500 + x * (step[0] * sin + step[1] * cos), 100, 50, turn)
        for x in xs
    ]
    return Detections(np.array(boxes, np.float32), np.zeros(len(xs), np.int64), np.full(len(xs), 0.9, np.float32))


@pytest.mark.parametrize("turn", [0.0, 0.7, 2.0])
def test_a_hole_beside_tiles_is_looked_at(turn: float) -> None:
    found = with_gaps(row(0, 51, 153, turn=turn))
    assert len(found) == 4
    wanted = row(102, turn=turn).boxes[0]
    assert found.boxes[3, :2] == pytest.approx(wanted[:2], abs=1)
    assert found.score[3] == pytest.approx(PROPOSED_SCORE)


def test_a_hole_between_tiles_end_to_end_is_looked_at() -> None:
    assert len(with_gaps(row(0, 204, step=(1, 0)))) == 3


def test_full_rows_and_wide_spaces_have_no_hole() -> None:
    assert len(with_gaps(row(0, 51, 102, 153))) == 4
    assert len(with_gaps(row(0, 80))) == 2
    assert len(with_gaps(row(0, 180))) == 2
    assert len(with_gaps(row(0))) == 1
    assert len(with_gaps(Detections.empty())) == 0


def test_a_hole_that_two_pairs_show_is_looked_at_once() -> None:
    first, second = row(0, 102), row(0, 102)
    both = Detections.merge([first, second])
    assert len(with_gaps(both)) == 5
