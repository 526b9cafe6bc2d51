"""Tiles that were not found: a doubt wherever the others betray it, and none where nothing is missing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.tables import TableSpec
from scripts.evaluate_layout import layout_of, main, told_of_losses
from tests.vision.laying import Laid, laid
from tests.vision.tables import Truth, planned
from vision.layout import read_layout

# A hub with three trains of two tiles; the fourth train leads right.
HUB: tuple[Laid, ...] = (
    (0, 0, 0, (9, 9)),
    (-1.5, 0, 180, (9, 1)),
    (-2.5, 0, 180, (1, 0)),
    (0, -1.5, 270, (9, 2)),
    (0, -2.5, 270, (2, 0)),
    (0, 1.5, 90, (9, 3)),
    (0, 2.5, 90, (3, 0)),
    (1.5, 0, 0, (9, 4)),
)


def codes(*more: Laid, markers: tuple[tuple[float, float], ...] = ()) -> list[str]:
    return [note.code for note in read_layout(laid(*HUB, *more, markers=markers)).doubts]


@pytest.fixture(scope="module")
def tables() -> list[tuple[int, Truth]]:
    return [(seed, planned(seed, TableSpec(laid=(20, 60)))[0]) for seed in range(27_000, 27_030)]


@pytest.mark.parametrize(
    ("which", "most"),
    [("tail_with_marker", 0.25), ("last_but_one", 0.12), ("middle", 0.05), ("double", 0.1), ("starting_double", 0.0)],
)
def test_a_lost_tile_leaves_a_doubt(tables: list[tuple[int, Truth]], which: str, most: float) -> None:
    told = told_of_losses(tables, which)
    assert told.tables >= 15
    assert told.silent <= most * told.tables


def test_whole_tables_leave_none() -> None:
    unseen = {"marker_odd", "marker_far", "tile_beyond", "back_at_end"}
    found = []
    for seed in range(27_100, 27_150):
        truth, seen = planned(seed)
        found += [(seed, note) for note in layout_of(truth, seen).doubts if note.code in unseen]
    assert len(found) <= 1, found


def test_a_marker_a_tile_away_from_its_train() -> None:
    assert codes(markers=((2.3, 0),)) == []
    assert codes(markers=((3.3, 0),)) == ["marker_far"]
    reading = read_layout(laid(*HUB, markers=((3.3, 0),)))
    assert [train.line.tiles for train in reading.trains if train.marker] == [((9, 4),)]


def test_markers_where_nobody_puts_one() -> None:
    """On the middle of a train, on the starting double, and a second one at one train."""
    assert codes(markers=((1.5, 0),)) == []
    assert "marker_odd" in codes(markers=((0, 0),))
    assert codes(markers=((-1.5, 0),)) == ["marker_odd"]
    assert codes(markers=((1.5, 0), (2.3, 0))) == ["marker_odd"]


@pytest.mark.parametrize(("confidence", "told"), [(0.9, False), (0.98, True)])
def test_what_hardly_looks_like_a_marker_is_none_within_a_line(confidence: float, told: bool) -> None:
    seen = laid(*HUB, markers=((-1.5, 0), (2.3, 0)))
    within, at_end = seen.markers
    reading = read_layout(replace(seen, markers=(replace(within, confidence=confidence), at_end)))
    assert len(reading.markers) == 1 + told
    assert ("marker_odd" in {note.code for note in reading.doubts}) is told


def test_a_doubt_about_a_small_thing_at_the_hub_says_where_it_is() -> None:
    seen = laid(*HUB[:-1], markers=((1.0, 0.0),))
    (doubt,) = read_layout(replace(seen, markers=(), faint=seen.markers)).doubts
    assert (doubt.code, doubt.tile_ids) == ("marker_maybe", ())
    assert doubt.place_px == pytest.approx(seen.markers[0].corners_px.mean(0))


def test_where_players_put_markers_far_off_one_of_them_is_no_doubt() -> None:
    far = ((2.65, 0.0), (-3.65, 0.0), (0.0, 3.65))
    assert codes(markers=far[:1]) == ["marker_far"]
    assert codes(markers=far) == []


@pytest.mark.parametrize("beyond", [(2.25, 1.25, 90, (6, 8)), (2.75, 1.0, 90, (6, 8)), (3.5, 0, 0, (6, 8))])
def test_a_tile_where_one_more_would_lead(beyond: Laid) -> None:
    assert set(codes(beyond)) & {"tile_beyond", "gap"}
    assert codes((beyond[0] + 1.5, beyond[1] + 1.5, *beyond[2:])) == []


def test_a_tile_that_lies_there_already_is_not_what_is_missing() -> None:
    (x, y, turn, ends) = (2.25, 1.25, 90, (6, 6))
    assert "tile_beyond" in codes((x, y, turn, ends))
    assert "tile_beyond" not in codes((x, y, turn, ends), (8, 5, 0, (4, 6)))


def test_a_back_against_an_end() -> None:
    whole = laid(*HUB, (2.5, 0, 0, (4, 5)))
    back = replace(whole.tiles[-1], kind="face_down", ends=(None, None))
    for away, told in ((0.0, ["back_at_end"]), (60.0, [])):
        moved = replace(back, corners_px=back.corners_px + np.float32([away, away]))
        reading = read_layout(replace(whole, tiles=whole.tiles[:-1], face_down=(moved,)))
        assert [note.code for note in reading.doubts] == told


def test_a_marker_on_what_may_be_the_rest_of_a_train_is_no_fault() -> None:
    """A line that begins with the starting value by chance, where one tile more would tie it to a train."""
    rest = ((2.75, 1.0, 90, (6, 8)), (2.75, 2.0, 90, (8, 9)))
    reading = read_layout(laid(*HUB, *rest, markers=((2.75, 0.35),)))
    assert "tile_beyond" in [note.code for note in reading.doubts]
    assert reading.findings == ()


@pytest.mark.parametrize(("room_px", "told"), [(5, True), (13, True), (20, False)])
def test_a_train_that_ends_near_the_edge_may_go_on_outside(room_px: int, told: bool) -> None:
    """Tiles are 60 px long: of one beyond the end a fifth is seen, and it is not found."""
    whole = laid(*HUB, (2.5, 0, 0, (4, 5)))
    width = int(whole.tiles[-1].corners_px[:, 0].max()) + room_px
    found = [note.code for note in read_layout(replace(whole, size_wh=(width, 900))).doubts]
    assert found == (["may_go_on"] if told else [])


def test_the_measuring_command_tells_of_whole_and_of_robbed_tables(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["evaluate_layout", "--seed", "27000", "--count", "2", "--lost", "starting_double"])
    main()
    whole, robbed = capsys.readouterr().out.splitlines()
    assert whole.startswith("2 whole tables: 2 exact, 0 wrong without a doubt")
    assert robbed.startswith("starting_double: lost in 2, told in 2, no doubt at all in 0, a fault invented in 0")
