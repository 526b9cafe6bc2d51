"""A double-blank that looks like a back, within a line, at the hub, and where it may be a back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.laying import Laid, laid
from vision.layout import LayoutOptions, read_layout
from vision.table_reading import TableReading
from vision.tiles import PhotoReading

HUB: tuple[Laid, ...] = ((0, 0, 90, (9, 9)), (0, -1.5, 270, (9, 2)), (0, 1.5, 90, (9, 3)))


def with_backs(reading: PhotoReading, *backs: tuple[float, float, float]) -> PhotoReading:
    """The same with backs at x, y, turned by degrees."""
    down = laid(*((x, y, turn, (None, None)) for x, y, turn in backs)).tiles
    return replace(reading, face_down=tuple(replace(back, kind="face_down") for back in down))


def read(reading: PhotoReading, *, mixed: bool = False) -> TableReading:
    return read_layout(reading, LayoutOptions(12, mixed, settle=True))


def line(before: tuple[int, int], after: tuple[int, int]) -> PhotoReading:
    """Two tiles of one line with room for a crosswise tile between them, and a back in it."""
    return with_backs(laid(*HUB, (1.5, 0, 0, before), (3.0, 0, 0, after)), (2.25, 0, 90), (-3, 2, 10))


def test_a_back_between_two_blanks_is_the_double_blank() -> None:
    table = read(line((9, 0), (0, 5)))
    assert [train.line.tiles for train in table.trains if len(train.line.tiles) > 1] == [((9, 0), (0, 0), (0, 5))]
    assert [note.code for note in table.doubts] == []
    assert sum(tile.role == "face_down" for tile in table.tiles) == 1


def test_where_something_else_is_asked_or_the_double_blank_is_seen_it_is_a_back() -> None:
    for reading in (line((9, 0), (4, 5)), line((9, 4), (4, 5))):
        assert sum(tile.role == "face_down" for tile in read(reading).tiles) == 2
    known = line((9, 0), (0, 5))
    twice = replace(known, tiles=(*known.tiles, *laid((-4, -2, 0, (0, 0))).tiles))
    assert sum(tile.role == "face_down" for tile in read(twice).tiles) == 2
    assert sum(tile.role == "face_down" for tile in read(known, mixed=True).tiles) == 2


def test_a_back_at_an_open_end_that_shows_a_blank_may_be_the_double_blank() -> None:
    table = read(with_backs(laid(*HUB, (1.5, 0, 0, (9, 0))), (2.25, 0, 90)))
    assert [train.line.tiles for train in table.trains if len(train.line.tiles) > 1] == [((9, 0), (0, 0))]
    assert [note.code for note in table.doubts] == ["maybe_face_down"]


@pytest.mark.parametrize(("length", "tiles"), [(1.0, ((9, 0), (0, 0))), (1.15, ((9, 0),))])
def test_a_toy_train_that_is_seen_as_a_back_and_as_a_marker_is_no_double_blank(
    length: float, tiles: tuple[tuple[int, int], ...]
) -> None:
    seen = with_backs(laid(*HUB, (1.5, 0, 0, (9, 0)), markers=((2.35, 0.0),)), (2.25, 0, 90))
    middle = seen.face_down[0].corners_px.mean(0)
    back = replace(seen.face_down[0], corners_px=middle + length * (seen.face_down[0].corners_px - middle))
    table = read(replace(seen, face_down=(back,)))
    assert [train.line.tiles for train in table.trains if train.marker] == [tiles]


def test_a_back_at_another_open_end_stays_a_back() -> None:
    table = read(with_backs(laid(*HUB, (1.5, 0, 0, (9, 4))), (2.25, 0, 90)))
    assert [note.code for note in table.doubts] == ["back_at_end"]
    two_ends = laid(*HUB, (1.5, 0, 0, (9, 0)), (-1.5, 0, 180, (9, 0)))
    table = read(with_backs(two_ends, (2.25, 0, 90), (-2.25, 0, 90)))
    assert {note.code for note in table.doubts} >= {"back_at_end"}
    assert sum(tile.role == "face_down" for tile in table.tiles) == 2


def test_a_back_at_which_every_line_points_with_a_blank_is_the_starting_double() -> None:
    up, down = (0, -1.5, 270, (0, 2)), (0, 1.5, 90, (0, 3))
    right, left = (1.5, 0, 0, (0, 5)), (-1.5, 0, 180, (0, 7))
    table = read(with_backs(laid(up, down, right, left), (0, 0, 90)))
    assert table.starting_double == 0
    assert len(table.trains) == 4
