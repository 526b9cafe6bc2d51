"""Made tables: the truth is a table that could lie there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from datasets.grounds import GroundBank
from datasets.tables import TableSpec, make_table, plan_table, truth_of


def truth(seed: int, **changes: Any) -> dict[str, Any]:
    return truth_of(plan_table(np.random.default_rng(seed), TableSpec(**changes)))


@pytest.mark.parametrize("seed", range(40, 60))
def test_every_tile_once_every_join_matches(seed: int) -> None:
    made = truth(seed)
    faces = [tuple(sorted(tile["ends"])) for tile in made["tiles"] if tile["ends"]]
    assert len(set(faces)) == len(faces)
    assert max(map(max, faces)) <= made["set"]
    for train in made["trains"]:
        asked = made["starting_double"]
        for near, far in train["tiles"]:
            assert near == asked
            asked = far
        assert train["open_end"] == asked
        for limb in train["limbs"]:
            assert limb["tiles"][0][0] == train["tiles"][limb["index"]][1]


@pytest.mark.parametrize("seed", range(60, 70))
def test_all_laid_tiles_are_in_the_picture(seed: int) -> None:
    made = truth(seed)
    corners = np.array([tile["corners_px"] for tile in made["tiles"]])
    assert corners.min() >= 0
    assert (corners <= [1920, 1080]).all()


def test_a_quarter_of_the_tables_are_large() -> None:
    laid = [sum(len(train["tiles"]) for train in truth(seed)["trains"]) for seed in range(200)]
    assert sum(count >= 50 for count in laid) >= 50
    assert min(laid) >= 1
    assert max(laid) <= 75


def test_faults_are_laid_when_asked_for() -> None:
    found = [truth(seed, faults=("ends_differ", "tile_twice", "marker_on_mexican"))["findings"] for seed in range(30)]
    codes = [finding["code"] for findings in found for finding in findings]
    assert codes.count("ends_differ") >= 27
    assert codes.count("tile_twice") >= 24
    assert codes.count("marker_on_mexican") >= 8


def test_the_same_seed_makes_the_same_picture() -> None:
    spec = TableSpec(size=(640, 360), tile_px=(30, 40), laid=(8, 12))
    one, two = (make_table(np.random.default_rng(5), GroundBank(np.random.default_rng(1), 2, 256), spec) for _ in "ab")
    assert one.truth == two.truth
    assert np.array_equal(one.image, two.image)
