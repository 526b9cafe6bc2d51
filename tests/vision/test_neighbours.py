"""Places beside sure tiles: where the next one must lie, and not where something lies already."""

from __future__ import annotations

import numpy as np
import pytest

from vision.candidates import Candidates
from vision.geometry import box_corners
from vision.halves import NO_VALUE, HalfReadings
from vision.neighbours import places_beside, sure_tiles

SIZE = (1000, 1000)
UP = (0.99, 0.0, 0.0, 0.01)


def tiles(*made: tuple[float, float, float, tuple[int, int]], score: float = 0.97) -> Candidates:
    """Tiles 100 x 50 px at (x, y) px, turned by degrees, with their ends, all read without doubt."""
    count = len(made)
    boxes = np.array([(x, y, 100, 50, np.radians(turn)) for x, y, turn, _ in made], np.float32)
    rows = np.zeros((count, 2, NO_VALUE + 1), np.float32)
    for row, (*_, ends) in zip(rows, made, strict=True):
        row[0, ends[0]], row[1, ends[1]] = 1, 1
    readings = HalfReadings.of_nothing(count)
    readings.probabilities[:] = rows
    kinds = np.tile(np.array(UP, np.float32), (count, 1))
    scores = np.full(count, score, np.float32)
    return Candidates(scores, np.zeros(count, np.int64), boxes[:, 2:4], box_corners(boxes), kinds, readings)


def beside(found: Candidates) -> list[tuple[int, int, int]]:
    """Whole px and degrees (0 to 179) of the places proposed."""
    places = places_beside(found, sure_tiles(found, 0.3), SIZE)
    return sorted((round(float(x)), round(float(y)), round(np.degrees(float(a))) % 180) for x, y, _, _, a in places)


def test_a_tile_has_neighbours_in_line_and_crosswise() -> None:
    assert [place for place in beside(tiles((500, 500, 0, (1, 2)))) if place[1] == 500] == [
        (400, 500, 0),
        (425, 500, 90),
        (575, 500, 90),
        (600, 500, 0),
    ]


def test_a_line_may_turn_at_either_end_to_either_side() -> None:
    """The next tile's end lies against the side of the last half."""
    ends_at_sides = {(475, 425, 90), (525, 425, 90), (475, 575, 90), (525, 575, 90)}
    assert ends_at_sides <= set(beside(tiles((500, 500, 0, (1, 2)))))
    met = set(beside(tiles((500, 500, 0, (1, 2)), (600, 500, 0, (2, 3)))))
    assert met & ends_at_sides == {(475, 425, 90), (475, 575, 90)}
    assert ends_at_sides.isdisjoint(beside(tiles((500, 500, 0, (4, 4)))))


def test_a_double_has_neighbours_across_it_too() -> None:
    across = beside(tiles((500, 500, 90, (4, 4))))
    assert (425, 500, 0) in across
    assert (575, 500, 0) in across


def test_beside_a_tile_that_nothing_meets_others_may_lie_abreast() -> None:
    abreast = {(500, 450, 0), (500, 550, 0)}
    assert abreast <= set(beside(tiles((500, 500, 0, (1, 2)))))
    row = set(beside(tiles((500, 500, 0, (1, 2)), (530, 551, 0, (2, 3)))))
    assert row & abreast == {(500, 450, 0)}  # the other side is taken
    in_line = set(beside(tiles((500, 500, 0, (1, 2)), (600, 500, 0, (2, 3)))))
    assert in_line & abreast == set()


def test_where_a_sure_tile_lies_nothing_is_proposed() -> None:
    places = beside(tiles((500, 500, 0, (1, 2)), (600, 500, 0, (2, 3))))
    in_line = [place for place in places if place[1] == 500]
    assert in_line == [(400, 500, 0), (425, 500, 90), (675, 500, 90), (700, 500, 0)]


def test_a_place_half_way_off_does_not_keep_the_right_one_out() -> None:
    found = tiles((500, 500, 0, (1, 2)), (650, 500, 0, (3, 3)))
    found.score[1], found.kinds[1] = 0.3, (0.6, 0, 0, 0.4)
    assert (600, 500, 0) in beside(found)


def test_nothing_is_proposed_beside_what_is_not_sure_or_outside() -> None:
    weak = tiles((500, 500, 0, (1, 2)), score=0.2)
    weak.kinds[0] = (0.4, 0, 0, 0.6)
    assert beside(weak) == []
    assert all(x < 1000 for x, _, _ in beside(tiles((960, 500, 0, (1, 2)))))
    none = tiles((500, 500, 0, (1, 2)))[np.zeros(0, np.int64)]
    assert beside(none) == []


def test_candidates_can_be_added() -> None:
    both = tiles((500, 500, 0, (1, 2))).with_more(tiles((300, 300, 0, (5, 6)), (100, 100, 0, (0, 0))))
    assert len(both) == 3
    assert both.readings.probabilities[1, 1, 6] == 1
    assert both.sides[2] == pytest.approx((100, 50))
