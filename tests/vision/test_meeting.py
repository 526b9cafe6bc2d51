"""What tiles that lie against each other say of each other's values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.laying import Ends, Laid, laid
from vision.layout import LayoutOptions, read_layout
from vision.table_reading import TableReading
from vision.tiles import Doubt, PhotoReading

HUB: tuple[Laid, ...] = ((0, 0, 90, (9, 9)), (0, -1.5, 270, (9, 2)), (0, 1.5, 90, (9, 3)))
NEAR, FAR = (1.5, 0.0, 0.0), (2.5, 0.0, 0.0)

Halves = tuple[dict[int, float], dict[int, float]]


def seen(near: Halves, far: Halves, *more: Laid) -> PhotoReading:
    """A hub with three lines, one of them of two tiles whose halves show these values as likely as that."""
    reading = laid(*HUB, (*NEAR, _best(near)), (*FAR, _best(far)), *more)
    tiles = list(reading.tiles)
    for index, halves in ((3, near), (4, far)):
        rows = np.zeros((2, 19), np.float32)
        doubts = []
        for row, shares in zip(rows, halves, strict=True):
            for value, share in shares.items():
                row[value] = share
            if 0 < row.max() < 0.9:
                doubts.append(Doubt("half_unclear", {"value": int(row.argmax()), "other": 0}))
        if None in _best(halves):
            doubts.append(Doubt("half_unreadable"))
        tiles[index] = replace(tiles[index], probabilities=rows, doubts=tuple(doubts))
    return replace(reading, tiles=tuple(tiles))


def _best(halves: Halves) -> Ends:
    first, second = (max(shares, key=lambda value: shares[value], default=None) for shares in halves)
    return first, second


def told(
    reading: PhotoReading, *, settle: bool = True, mixed: bool = False
) -> tuple[TableReading, list[Ends], list[str]]:
    table = read_layout(reading, LayoutOptions(12, mixed, settle=settle))
    return table, [tile.sighting.ends for tile in table.tiles], [note.code for note in table.doubts]


SURE_NEAR: Halves = ({9: 1.0}, {4: 0.99})


def test_an_unclear_half_that_is_met_by_a_sure_one_is_settled() -> None:
    reading = seen(SURE_NEAR, ({4: 0.6, 5: 0.4}, {7: 1.0}))
    assert told(reading)[2] == []
    assert told(reading, settle=False)[2] == ["half_unclear"]


@pytest.mark.parametrize(("share", "left"), [(0.95, []), (0.99, ["count_disagrees"])])
def test_a_count_that_contradicts_what_is_read_surely_is_not_settled_by_its_like(share: float, left: list[str]) -> None:
    """A set of which every twelve reads as a fifteen shows fifteens that meet."""
    reading = seen(SURE_NEAR, ({4: share, 5: 1 - share}, {7: 1.0}))
    tiles = list(reading.tiles)
    tiles[4] = replace(tiles[4], doubts=(Doubt("count_disagrees", {"value": 4, "count": 3}),))
    assert told(replace(reading, tiles=tuple(tiles)))[2] == left


def test_two_unclear_halves_settle_nothing() -> None:
    """What is hard to read is misread alike on both."""
    reading = seen(({9: 1.0}, {4: 0.7, 1: 0.3}), ({4: 0.7, 1: 0.3}, {7: 1.0}))
    assert told(reading)[2] == ["half_unclear", "half_unclear"]


def test_what_a_neighbour_makes_likely_is_told_with_a_doubt() -> None:
    reading = seen(SURE_NEAR, ({5: 0.6, 4: 0.4}, {7: 1.0}))
    table, ends, codes = told(reading)
    assert ends[4] == (4, 7)
    assert codes == ["half_unclear"]
    assert table.doubts[0].params == {"value": 4, "other": 5}
    assert told(reading, settle=False)[1][4] == (5, 7)


def test_what_was_read_surely_stands_and_is_a_fault() -> None:
    table, ends, _ = told(seen(SURE_NEAR, ({5: 0.998, 4: 0.001}, {7: 1.0})))
    assert ends[4] == (5, 7)
    assert [note.code for note in table.findings] == ["ends_differ"]


def test_a_half_that_cannot_be_read_shows_what_it_lies_against_and_stays_doubtful() -> None:
    _, ends, codes = told(seen(SURE_NEAR, ({}, {7: 1.0})))
    assert ends[4] == (4, 7)
    assert codes == ["half_unreadable"]


def test_no_tile_becomes_one_that_lies_there_already() -> None:
    other: Laid = (0, -2.5, 270, (4, 7))
    reading = seen(SURE_NEAR, ({5: 0.6, 4: 0.4}, {7: 1.0}), other)
    assert told(reading)[1][4] == (5, 7)
    assert told(reading, mixed=True)[1][4] == (4, 7)


def test_what_lies_crosswise_is_a_double() -> None:
    reading = seen(SURE_NEAR, ({4: 0.5, 6: 0.4}, {6: 0.6, 4: 0.4}))
    across = laid((2.25, 0, 90, (4, 6))).tiles[0].corners_px
    tiles = (*reading.tiles[:4], replace(reading.tiles[4], corners_px=across))
    assert told(replace(reading, tiles=tiles))[1][4] == (4, 4)


def with_loose(x: float, shares: dict[int, float]) -> PhotoReading:
    """A table on which a tile lies loose; its first half shows these values as likely as that."""
    reading = laid(*HUB, (*NEAR, (9, 4)), (x, 1.2, 30, (1, 2)), doubts={4: Doubt("half_unclear", {"value": 1})})
    rows = np.zeros((2, 19), np.float32)
    rows[1, 2] = 1.0
    for value, share in shares.items():
        rows[0, value] = share
    return replace(reading, tiles=(*reading.tiles[:4], replace(reading.tiles[4], probabilities=rows)))


@pytest.mark.parametrize(("x", "doubted"), [(6.0, False), (3.0, True)])
def test_what_lies_aside_is_not_doubted(x: float, *, doubted: bool) -> None:
    """A loose tile that no line can lead to changes nothing of the table."""
    reading = with_loose(x, {1: 0.7, 4: 0.3})
    assert ("half_unclear" in told(reading)[2]) == doubted
    assert "half_unclear" in told(reading, settle=False)[2]


def test_what_may_be_a_train_just_begun_is_doubted_wherever_it_lies() -> None:
    assert "half_unclear" in told(with_loose(6.0, {1: 0.7, 9: 0.3}))[2]
