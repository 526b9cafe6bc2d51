"""Evidence that adds up, and cameras found again by the constellation of tiles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.evidence import Evidence, both
from vision.registration import register
from vision.tiles import TileSighting


def sighting(first: dict[int, float], second: dict[int, float]) -> TileSighting:
    rows = np.zeros((2, 19), np.float32)
    for half, values in enumerate((first, second)):
        for value, share in values.items():
            rows[half, value] = share
    ends = (max(first, key=first.__getitem__), max(second, key=second.__getitem__))
    corners = np.array([[0, 10], [0, 0], [20, 0], [20, 10]], np.float32)
    return TileSighting("face_up", ends, corners, 0.9, rows, np.zeros((0, 2), np.float32))


def test_readings_add_up_and_are_not_votes() -> None:
    """Two weak readings for 11 do not outweigh one that is sure of 12."""
    weak, sure = sighting({11: 0.55, 12: 0.45}, {3: 1.0}), sighting({12: 0.97, 11: 0.03}, {3: 1.0})
    found = Evidence.of(weak).plus(weak, False).plus(sure, False)
    assert found.ends == (12, 3)
    assert found.readings == 3


def test_a_turned_reading_counts_for_the_other_halves() -> None:
    found = Evidence.of(sighting({5: 0.6, 6: 0.4}, {1: 1.0})).plus(sighting({1: 1.0}, {6: 0.9, 5: 0.1}), True)
    assert found.ends == (6, 1)


@given(st.permutations([(5, 0.6), (6, 0.7), (5, 0.9), (6, 0.55)]))
@settings(max_examples=20, deadline=None)
def test_the_order_of_readings_does_not_matter(order: list[tuple[int, float]]) -> None:
    found = None
    for value, share in order:
        seen = sighting({value: share, 11 - value: 1 - share}, {0: 1.0})
        found = Evidence.of(seen) if found is None else found.plus(seen, False)
    assert found is not None
    assert found.ends == (5, 0)


@given(st.floats(-12, 12), st.floats(-50, 50), st.floats(-50, 50), st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_a_bumped_camera_is_found_again(degrees: float, dx: float, dy: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = rng.uniform(100, 900, (14, 2))
    values = [(k // 5, 5 + k % 5) for k in range(14)]
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turned = (places - 500) @ np.array([[cos, sin], [-sin, cos]]) + 500 + [dx, dy] + rng.normal(0, 1, (14, 2))
    seen = list(zip(values, turned, strict=True))
    seen[0] = (values[1], seen[0][1])  # a misread one
    seen[3] = (values[3], seen[3][1] + 200)  # one that was taken elsewhere
    found = register(list(zip(values, places, strict=True)), seen, 60.0)
    assert found is not None
    off = np.hypot(*(found.apply(places[5:]) - turned[5:]).T)
    assert off.max() < 8


def test_another_table_is_not_this_one() -> None:
    rng = np.random.default_rng(3)
    known = [((k, k + 1), rng.uniform(0, 900, 2)) for k in range(10)]
    seen = [((k, k + 1), rng.uniform(0, 900, 2)) for k in range(10)]
    assert register(known, seen, 50.0) is None


def test_a_still_camera_is_still() -> None:
    known = [((k, k + 1), np.array([100.0 * k, 40.0 * k])) for k in range(6)]
    found = register(known, known, 50.0)
    assert found is not None
    assert found.is_still
    assert found.matrix == pytest.approx(np.eye(3))


def test_two_looks_at_one_picture_are_one_reading() -> None:
    """A picture that is misread once is misread again; in another light it may not be."""
    dim, bright = sighting({0: 0.975, 2: 0.003}, {4: 1.0}), sighting({0: 0.6, 2: 0.32}, {4: 1.0})
    alike, unlike = both(dim, dim, False), both(dim, bright, False)
    assert alike[0, 2] == pytest.approx(0.003, abs=0.001)
    assert 0.02 < unlike[0, 2] < 0.1
    assert tuple(unlike.argmax(1)) == (0, 4)


def test_what_is_looked_at_again_and_again_does_not_become_sure() -> None:
    """The same glare is misread ten times as easily as once."""
    unclear = sighting({0: 0.76, 2: 0.2}, {4: 1.0})
    found = Evidence.of(unclear)
    for _ in range(9):
        found = found.plus(unclear, False)
    assert found.probabilities[0, 2] > 0.01


def test_many_readings_say_on_average_what_one_says() -> None:
    first = Evidence.of(sighting({0: 0.97, 2: 0.01}, {4: 1.0}))
    again = first
    for _ in range(2):
        again = again.plus(sighting({0: 0.97, 2: 0.01}, {4: 1.0}), False)
    assert again.probabilities[0, 2] < 1e-4
    assert again.typical[0, 2] == pytest.approx(first.typical[0, 2], rel=0.1)
