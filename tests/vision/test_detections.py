"""Oriented boxes: likeness, the best of those that overlap, and the bundle's own checks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.detections import Detections, keep_best, overlap


def boxes(*rows: tuple[float, float, float, float, float]) -> np.ndarray:
    return np.array(rows, np.float32).reshape(-1, 5)


def found(rows: np.ndarray, *scores: float) -> Detections:
    return Detections(rows, np.zeros(len(rows), np.int64), np.array(scores, np.float32))


def test_a_box_is_wholly_like_itself_also_turned_by_half_a_turn() -> None:
    first = boxes((50, 60, 100, 50, 0.3))
    turned = boxes((50, 60, 100, 50, 0.3 + math.pi))
    assert overlap(first, first)[0, 0] > 0.99
    assert overlap(first, turned)[0, 0] > 0.99


def test_touching_tiles_are_not_alike() -> None:
    side_by_side = boxes((0, 0, 100, 50, 0), (0, 51, 100, 50, 0), (101, 0, 100, 50, 0))
    alike = overlap(side_by_side, side_by_side)
    assert alike[0, 1] < 0.45
    assert alike[0, 2] < 0.45


def test_the_better_of_two_on_one_place_stays_and_comes_first() -> None:
    rows = boxes((200, 200, 100, 50, 0), (3, 2, 98, 51, 0.02), (0, 0, 100, 50, 0))
    kept = keep_best(found(rows, 0.5, 0.6, 0.9), 0.45)
    assert kept.score.tolist() == pytest.approx([0.9, 0.5])


def test_nothing_found_is_an_empty_bundle() -> None:
    assert len(keep_best(Detections.empty(), 0.5)) == 0
    assert len(Detections.merge([])) == 0


def test_arrays_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="must describe the same things"):
        Detections(boxes((0, 0, 2, 1, 0)), np.zeros(2, np.int64), np.zeros(1, np.float32))


def test_scaling_moves_places_and_sizes_but_no_angle() -> None:
    scaled = found(boxes((10, 20, 30, 15, 0.7)), 0.5).scaled(2.0)
    assert scaled.boxes[0].tolist() == pytest.approx([20, 40, 60, 30, 0.7])
