"""Placement alone: a tile taken from a rack and laid elsewhere is laid, one that is pushed has moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from vision import geometry
from vision.placing import begin_free, follow_free, placed_in_doubt
from vision.table_reading import PlacedTile, TableReading
from vision.tiles import Points, TileSighting
from vision.work import Look

LAST = (1, 6)
ROW = {(4, 4): (500.0, 300.0), (5, 5): (100.0, 100.0), (2, 6): (100.0, 200.0), (3, 4): (100.0, 300.0)}


def look(
    places: dict[tuple[int, int], tuple[float, float]], came: tuple[float, float] | None = None, sure: float = 0.999
) -> Look:
    """A reading of these tiles, all but the `LAST` surely read; at `came` something has come."""
    tiles = []
    for number, (ends, (x, y)) in enumerate(places.items()):
        shares = np.zeros((2, 19), np.float32)
        share = np.sqrt(sure) if ends == LAST else 0.999
        shares[[0, 1], ends] = share
        shares[[0, 1], [ends[0] + 1, ends[1] + 1]] = 1 - share
        corners = geometry.box_corners(np.array([[x, y, 60, 30, 0]], np.float32))[0]
        sighting = TileSighting("face_up", ends, corners, 0.99, shares, np.zeros((0, 2), np.float32))
        tiles.append(PlacedTile(number, sighting, "loose"))
    reading = TableReading(None, None, (), tuple(tiles), (), (), (), (1000, 600), "row", {})
    return Look(reading, changed=lambda quad: float(came is not None and np.hypot(*(quad.mean(0) - came)) < 5))


def test_a_tile_from_the_rack_is_laid() -> None:
    board = begin_free(look(ROW))
    assert board is not None
    board, changes = follow_free(board, look({**ROW, (3, 4): (560.0, 300.0)}))
    assert [(new.laid.near, new.laid.far) for new in changes.new] == [(3, 4)]
    assert changes.moved == ()
    assert len(board.tiles) == len(ROW)


def test_a_tile_that_is_pushed_has_moved() -> None:
    board = begin_free(look(ROW))
    assert board is not None
    _, changes = follow_free(board, look({**ROW, (3, 4): (160.0, 320.0)}))
    assert changes.new == ()
    assert len(changes.moved) == 1


def test_another_tile_beside_what_was_taken_for_one_is_laid() -> None:
    board = begin_free(look(ROW))
    assert board is not None
    others = {ends: place for ends, place in ROW.items() if ends != (5, 5)}
    board, changes = follow_free(board, look({**others, (4, 1): (118.0, 108.0)}, came=(118.0, 108.0)))
    assert [(new.laid.near, new.laid.far) for new in changes.new] == [(4, 1)]
    assert [gone.values for gone in changes.gone] == [(5, 5)]
    assert changes.moved == ()


def within(left: float, top: float, right: float, bottom: float) -> Callable[[Points], float]:
    """The share of a place that lies in this part of the picture."""
    def share(quad: Points) -> float:
        low, high = np.maximum(quad.min(0), (left, top)), np.minimum(quad.max(0), (right, bottom))
        return float(np.prod(np.maximum(high - low, 0)) / np.prod(quad.max(0) - quad.min(0)))

    return share


@pytest.mark.parametrize(("right", "told"), [(530, 1), (498, 0), (482, 0)])
def test_what_changed_one_half_alone_is_no_tile_that_came(right: float, told: int) -> None:
    board = begin_free(look(ROW))
    assert board is not None
    share = within(470, 385, right, 415)
    _, changes = follow_free(board, replace(look({**ROW, LAST: (500.0, 400.0)}), changed=share, came=share))
    assert len(changes.new) == told


def test_a_tile_that_could_not_be_read_when_it_came_is_laid_when_it_is_read() -> None:
    board = begin_free(look(ROW))
    assert board is not None
    now = replace(look({**ROW, LAST: (500.0, 400.0)}, came=(500.0, 400.0)), came=lambda _: 0.0)
    assert [new.laid.near for new in follow_free(board, now)[1].new] == [1]


def test_the_values_of_a_tile_that_still_lies_there_are_those_of_another_tile() -> None:
    board = begin_free(look(ROW))
    assert board is not None
    share = within(470, 385, 530, 415)
    seen = {ends: place for ends, place in ROW.items() if ends != (3, 4)}
    now = replace(look({**seen, (3, 4): (500.0, 400.0)}), changed=share, came=share)
    board, changes = follow_free(board, now)
    assert [(new.laid.near, new.laid.far) for new in changes.new] == [(3, 4)]
    assert (changes.moved, changes.gone) == ((), ())
    assert len(board.tiles) == len(ROW) + 1


def test_what_is_likelier_misread_than_not_is_not_told() -> None:
    board = begin_free(look(ROW))
    assert board is not None
    for sure, told in ((0.4, 0), (0.6, 1)):
        now = look({**ROW, LAST: (500.0, 400.0)}, came=(500.0, 400.0), sure=sure)
        assert len(follow_free(board, now)[1].new) == told


def test_what_is_read_unsurely_or_reaches_into_a_known_tile_is_looked_at_again() -> None:
    before = begin_free(look(ROW))
    assert before is not None
    for place, sure, again in (((560.0, 300.0), 0.999, 0), ((560.0, 300.0), 0.7, 1), ((545.0, 300.0), 0.999, 1)):
        board, changes = follow_free(before, look({**ROW, LAST: place}, came=place, sure=sure))
        assert len(changes.new) == 1
        assert len(placed_in_doubt(before, board, changes)) == again


def test_a_thing_as_large_as_a_tile_that_was_not_read_is_looked_at_again() -> None:
    before = begin_free(look(ROW))
    assert before is not None
    quad = geometry.box_corners(np.array([[500, 400, 60, 30, 0]], np.float32))[0]
    board, changes = follow_free(before, replace(look(ROW), unread=(quad,)))
    assert [place.mean(0).tolist() for place in placed_in_doubt(before, board, changes)] == [[500.0, 400.0]]
