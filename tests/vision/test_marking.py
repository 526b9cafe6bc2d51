"""Whose marker it is, and which things that look a little like one are worth a doubt."""

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


def maybe(reading: TableReading) -> list[tuple[int, ...]]:
    """The tiles of the doubts about things that may be markers."""
    return [note.tile_ids for note in reading.doubts if note.code == "marker_maybe"]


def test_a_faint_thing_where_a_marker_would_stand_is_a_doubt() -> None:
    assert maybe(table(faint=(BEFORE_THE_END,))) == [(4,)]
    assert maybe(table(faint=(ON_THE_LAST,))) == [(4,)]
    assert maybe(table(faint=(AT_AN_EMPTY_SLOT,))) == [()]
    assert owners(table(faint=(BEFORE_THE_END, ON_THE_LAST, AT_AN_EMPTY_SLOT))) == []
    assert owners(table(markers=(AT_AN_EMPTY_SLOT,))) == [()]


def test_a_faint_thing_that_is_nobodys_is_none() -> None:
    assert maybe(table(faint=((5.0, 3.0), (3.5, 2.5)))) == []


def test_at_a_train_that_has_a_marker_nobody_asks_for_another() -> None:
    assert maybe(table(markers=(BEFORE_THE_END,), faint=((2.2, 0.1), ON_THE_LAST))) == []


def test_where_markers_stand_at_ends_what_is_seen_within_a_line_is_none() -> None:
    assert owners(table(markers=(WITHIN,))) == [(9, 2)]
    assert owners(table(markers=(BEFORE_THE_END, WITHIN))) == [(9, 4), None]
