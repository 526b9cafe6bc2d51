"""Whose marker it is, and which things that look a little like one are none."""

from __future__ import annotations

from dataclasses import replace

from tests.vision.laying import Laid, laid
from vision.layout import read_layout
from vision.table_reading import TableReading

HUB: tuple[Laid, ...] = (
    (0, 0, 90, (9, 9)),
    (0, -1.5, 270, (9, 2)),
    (0, -2.5, 270, (2, 5)),
    (0, 1.5, 90, (9, 3)),
    (1.5, 0, 0, (9, 4)),
)
BEFORE_THE_END, AT_AN_EMPTY_SLOT, ON_THE_LAST, WITHIN = (2.3, 0.0), (-1.2, 0.0), (1.5, 0.0), (0.0, -1.5)

Place = tuple[float, float]


def table(markers: tuple[Place, ...] = (), faint: tuple[Place, ...] = ()) -> TableReading:
    reading = laid(*HUB, markers=(*markers, *faint))
    dim = reading.markers[len(markers) :]
    return read_layout(replace(reading, markers=reading.markers[: len(markers)], faint=dim))


def owners(reading: TableReading) -> list[tuple[int | None, ...] | None]:
    """The first tile of the train of each marker; `()` of one that has not begun, `None` of nobody's."""
    first = {train.id: train.line.tiles[:1] for train in reading.trains}
    return [None if marker.train is None else sum(first[marker.train], ()) for marker in reading.markers]


def test_a_faint_thing_before_an_open_end_is_a_marker() -> None:
    assert owners(table(faint=(BEFORE_THE_END,))) == [(9, 4)]


def test_a_faint_thing_is_none_elsewhere() -> None:
    assert owners(table(faint=(AT_AN_EMPTY_SLOT, ON_THE_LAST, (3.4, 0.0), (2.3, 0.6)))) == []
    assert owners(table(markers=(AT_AN_EMPTY_SLOT,))) == [()]


def test_beside_a_marker_no_faint_one_stands() -> None:
    assert owners(table(markers=(BEFORE_THE_END,), faint=((2.2, 0.1),))) == [(9, 4)]


def test_a_faint_thing_that_is_told_as_a_marker_too_needs_an_end_as_well() -> None:
    reading = laid(*HUB, markers=(AT_AN_EMPTY_SLOT, BEFORE_THE_END))
    assert owners(read_layout(replace(reading, faint=reading.markers))) == [(9, 4)]


def test_where_markers_stand_at_ends_what_is_seen_within_a_line_is_none() -> None:
    assert owners(table(markers=(WITHIN,))) == [(9, 2)]
    assert owners(table(markers=(BEFORE_THE_END, WITHIN))) == [(9, 4), None]
