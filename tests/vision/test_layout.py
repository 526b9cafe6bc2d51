"""Tables whose truth is known, seen with the noise that finding and reading have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.compare_tables import Comparison, compare
from datasets.simulate import Noise
from datasets.tables import TableSpec
from tests.vision.laying import laid, row
from tests.vision.tables import Truth, planned
from vision.geometry import box_corners
from vision.joins import find_joins
from vision.layout import LayoutOptions, read_layout
from vision.plane import Rects, fit_plane, rectangles
from vision.table_reading import TableReading
from vision.tiles import Doubt, PhotoReading, TileSighting

HUB = (0, 0, 90, (9, 9)), (0, -1.5, 270, (9, 2)), (0, 1.5, 90, (9, 3)), (-1.5, 0, 180, (9, 5))
ALL_FAULTS = ("ends_differ", "tile_twice", "marker_on_mexican")


def read(
    seed: int, spec: TableSpec | None = None, noise: Noise | None = None
) -> tuple[Truth, TableReading, Comparison]:
    truth, seen = planned(seed, spec, noise)
    reading = read_layout(seen.reading, LayoutOptions(set_size=truth["set"]))
    return truth, reading, compare(truth, reading)


@pytest.mark.parametrize(("jitter", "first"), [(1.0, 20_000), (2.0, 21_000)])
def test_clean_tables_are_exact(jitter: float, first: int) -> None:
    results = [read(seed, noise=Noise(jitter))[2] for seed in range(first, first + 40)]
    wrong = [(first + number, r.problems) for number, r in enumerate(results) if not r.exact]
    assert len(wrong) <= 2, wrong
    assert not [r.findings_invented for r in results if r.findings_invented]


@pytest.mark.slow
def test_two_hundred_clean_tables() -> None:
    """97 of 100 exact, no fault invented, at most 1 of 100 wrong without a doubt, 85 of 100 without any doubt."""
    results = [read(seed)[2] for seed in range(30_000, 30_200)]
    assert sum(r.exact for r in results) >= 194
    assert not [r.findings_invented for r in results if r.findings_invented]
    assert sum(not r.exact and not r.doubts for r in results) <= 2
    assert sum(not r.doubts for r in results) >= 170


@pytest.mark.parametrize("fault", ALL_FAULTS)
def test_faults_laid_on_purpose_are_reported_and_no_others(fault: str) -> None:
    laid = missed = invented = 0
    for seed in range(22_000, 22_030):
        truth, _, result = read(seed, TableSpec(faults=(fault,)))
        laid += len(truth["findings"])
        missed += len(result.findings_missed)
        invented += len(result.findings_invented)
    assert laid >= 10
    assert (missed, invented) == (0, 0)


def test_a_misread_value_is_told_as_it_was_read() -> None:
    """A reading never bends a value to make a join legal."""
    _, seen = planned(23_001, noise=Noise(wrong=0.05))
    assert seen.misread
    reading = read_layout(seen.reading, LayoutOptions())
    assert [tile.sighting.ends for tile in reading.tiles[: len(seen.truth_ids)]] == [t.ends for t in seen.reading.tiles]
    for train in reading.trains:
        for number, ends in zip(train.line.tile_ids, train.line.tiles, strict=True):
            assert sorted(map(str, ends)) == sorted(map(str, reading.tile(number).sighting.ends))


def test_doubtful_values_prove_nothing() -> None:
    line = (7, 6), (6, 1), (1, 2), (3, 4)
    doubtful = read_layout(row(*line, doubts={3: Doubt("half_unclear", {"value": 3, "other": 2})}))
    assert [note.code for note in doubtful.findings] == []
    assert {"join_unsure", "half_unclear"} <= {note.code for note in doubtful.doubts}
    sure = read_layout(row(*line))
    assert [(note.code, note.tile_ids) for note in sure.findings] == [("ends_differ", (2, 3))]


@pytest.mark.parametrize(("ends", "code"), [((4, 6), "join_unsure"), ((4, 4), "ends_differ")])
def test_what_lies_crosswise_and_is_no_double_was_misread(ends: tuple[int, int], code: str) -> None:
    table = read_layout(laid(*HUB, (1.5, 0, 0, (9, 6)), (2.25, 0.08, 90, ends), (3, 0, 0, (6, 3)), (4, 0, 0, (3, 1))))
    notes = [*table.findings, *table.doubts]
    assert code in {note.code for note in notes}
    assert ("ends_differ" in {note.code for note in table.findings}) == (code == "ends_differ")


@pytest.mark.parametrize(("double", "proven"), [((7, 7), True), ((None, None), False)])
def test_a_marker_beside_something_unread_proves_nothing(double: tuple[int | None, int | None], proven: bool) -> None:
    mexican = (4, 4, 0, (9, 7)), (4.75, 4, 90, double), (5.5, 4, 0, (7, 8))
    table = read_layout(laid(*HUB, *mexican, markers=((5.2, 4.3),)))
    assert [note.code for note in table.findings] == ["marker_on_mexican"] * proven


def test_one_half_that_may_be_what_was_asked_for_proves_nothing() -> None:
    """The reader is sure enough of the 3, but has seen something of a 2: a misread half is likelier than a fault."""
    seen = row((1, 2), (3, 4), (4, 5), (5, 6))
    for share, fault in ((0.03, False), (0.0005, True)):
        rows = np.zeros((2, 19), np.float32)
        rows[0, [3, 2]], rows[1, 4] = (1 - share, share), 1.0
        two = np.zeros((2, 19), np.float32)
        two[0, 1] = two[1, 2] = 1.0
        tiles = (replace(seen.tiles[0], probabilities=two), replace(seen.tiles[1], probabilities=rows), *seen.tiles[2:])
        reading = read_layout(replace(seen, tiles=tiles))
        assert [note.code for note in reading.findings] == (["ends_differ"] if fault else [])
        assert ("join_unsure" in [note.code for note in reading.doubts]) is not fault
        assert reading.trains[0].line.tiles == ((1, 2), (3, 4), (4, 5), (5, 6))


def test_which_end_comes_first_in_a_sighting_changes_nothing() -> None:
    """A tile found the other way round is the same tile: no join is read as if it were swapped."""
    for seed in range(28_000, 28_010):
        truth, seen = planned(seed)
        swapped = replace(
            seen.reading,
            tiles=tuple(
                replace(tile, ends=tile.ends[::-1], corners_px=np.roll(tile.corners_px, 2, axis=0))
                for tile in seen.reading.tiles
            ),
        )
        one, other = (read_layout(each, LayoutOptions(set_size=truth["set"])) for each in (seen.reading, swapped))
        assert [train.line.tiles for train in one.trains] == [train.line.tiles for train in other.trains]
        assert (one.findings, one.doubts) == (other.findings, other.doubts)


@pytest.mark.parametrize("seed", [24_001, 24_007, 24_012])
def test_covered_starting_double_is_a_doubt_and_trains_stay_in_order(seed: int) -> None:
    truth, seen = planned(seed, TableSpec(laid=(30, 45)))
    hub = next(tile["id"] for tile in truth["tiles"] if tile["role"] == "starting_double")
    kept = tuple(t for t, number in zip(seen.reading.tiles, seen.truth_ids, strict=True) if number != hub)
    reading = read_layout(replace(seen.reading, tiles=kept))
    assert reading.starting_double is None
    assert "starting_double_unseen" in {note.code for note in reading.doubts}
    result = compare(truth, reading)
    started = [train for train in truth["trains"] if train["tile_ids"]]
    assert sum("is not read" in problem for problem in result.problems) <= len(started) // 4


@pytest.mark.parametrize("seed", [25_000, 25_001])
def test_upside_down_is_the_same_table(seed: int) -> None:
    truth, seen = planned(seed)
    size = np.array(seen.reading.size_wh, np.float32)

    def turned(things: tuple[TileSighting, ...]) -> tuple[TileSighting, ...]:
        return tuple(replace(thing, corners_px=size - thing.corners_px) for thing in things)

    around = replace(
        seen.reading,
        tiles=turned(seen.reading.tiles),
        face_down=turned(seen.reading.face_down),
        markers=turned(seen.reading.markers),
    )
    upright, upside_down = read_layout(seen.reading), read_layout(around)
    assert {t.line.tile_ids for t in upright.trains} == {t.line.tile_ids for t in upside_down.trains}
    assert upright.starting_double == upside_down.starting_double == truth["starting_double"]


@pytest.mark.parametrize(("away", "turned", "joined"), [(0.02, 0, True), (0.2, 25, False)])
def test_what_shows_no_value_ends_a_train_only_if_it_lies_as_tiles_do(away: float, turned: int, joined: bool) -> None:
    last = (0.0, 2.5 + away, 90.0 + turned, (None, None))
    reading = read_layout(laid(*HUB, last), LayoutOptions(set_size=12))
    assert ((None, None) in [tile for train in reading.trains for tile in train.line.tiles]) is joined
    assert reading.tiles[4].role == ("train" if joined else "loose")


@pytest.mark.parametrize(("length", "proven"), [(1.0, True), (0.9, False)])
def test_what_is_shorter_than_the_other_tiles_proves_nothing(length: float, proven: bool) -> None:
    others = (-2.5, 0, 180, (5, 8)), (-3.5, 0, 180, (8, 10)), (0, -2.5, 270, (2, 7)), (0, -3.5, 270, (7, 1))
    seen = laid(*HUB, (0, 2.5, 90, (3, 6)), (0, 3.5, 90, (5, 6)), *others)
    last = seen.tiles[5]
    first, second = last.corners_px[[0, 1]], last.corners_px[[3, 2]]
    corners = np.array([first[0], first[1], *(first + length * (second - first))[::-1]], np.float32)
    tiles = (*seen.tiles[:5], replace(last, corners_px=corners), *seen.tiles[6:])
    reading = read_layout(replace(seen, tiles=tiles), LayoutOptions(set_size=12))
    assert [note.code for note in reading.findings] == ["ends_differ"] * proven
    assert ("join_unsure" in {note.code for note in reading.doubts}) is not proven


def test_a_double_with_toes_is_doubted_as_the_hub_while_lines_lead_elsewhere() -> None:
    """The true starting double is hidden; what is left that looks like one has three lines against it."""
    foot = (
        (0, 0, 90, (0, 0)),
        (-0.75, 0, 180, (0, 1)),
        (0.75, 0, 0, (0, 2)),
        (0.7, 0.6, 50, (0, 3)),
        (0.7, -0.6, 310, (0, 4)),
    )
    lines = ((-5, 3, 0, (7, 4)), (-4, 3, 0, (4, 6)), (-5, -3, 0, (8, 5)), (-4, -3, 0, (5, 9)))
    told = [note.code for note in read_layout(laid(*foot, *lines)).doubts]
    assert "hub_unclear" in told
    assert "hub_unclear" not in [note.code for note in read_layout(laid(*foot, *lines[:2])).doubts]


def test_a_double_near_the_hub_belongs_to_the_line_that_it_fits() -> None:
    """Its end lies as well against the hub as its side against the line that winds back; only the line's value fits."""
    winding = ((-0.91, -0.95, 46, (2, 15)), (-1.59, -1.36, 137, (2, 6)), (-2.2, -0.9, 49, (6, 6)))
    back = ((-1.52, -0.12, 227, (16, 6)), (-1.04, 0.61, 343, (16, 16)), (-0.86, 1.36, 75, (16, 3)))
    others = ((0.02, -1.31, 92, (9, 15)), (0.94, -0.9, 135, (17, 15)), (0.05, 1.29, 266, (12, 15)))
    reading = read_layout(laid((0, 0, 339, (15, 15)), *others, *winding, *back), LayoutOptions(set_size=18))
    assert reading.findings == ()
    assert ((15, 2), (2, 6), (6, 6), (6, 16), (16, 16), (16, 3)) in [train.line.tiles for train in reading.trains]


def test_two_markers_are_of_two_trains() -> None:
    """The second one lies nearer to a train that has one than to the end of its own."""
    long = (
        (-0.36, -1.86, 258, (8, 1)),
        (-0.57, -2.9, 256, (1, 12)),
        (0.17, -3.38, 164, (7, 12)),
        (1.18, -3.67, 346, (7, 2)),
    )
    short = ((0.86, -1.67, 115, (2, 8)), (0.98, -2.45, 201, (2, 11)))
    others = ((1.73, -0.78, 338, (8, 6)), (1.75, 0.31, 10, (8, 9)), (1.29, 1.38, 49, (8, 10)))
    reading = read_layout(laid((0, 0, 20, (8, 8)), *long, *short, *others, markers=((1.93, -3.88), (0.94, -3.05))))
    assert sorted(train.line.tiles[0] for train in reading.trains if train.marker) == [(8, 1), (8, 2)]


def test_a_line_without_a_hub_is_read_in_order_and_told() -> None:
    reading = read_layout(row((5, 3), (3, 3), (3, 1)))
    assert [train.line.tile_ids for train in reading.trains] == [(0, 1, 2)]
    assert reading.starting_double is None
    assert [note.code for note in reading.doubts] == ["no_hub"]


def test_a_side_line_is_read_where_no_line_has_a_place_for_it() -> None:
    """Two tiles against one end, as nobody may but some people lay: both are joined, in their order."""
    reading = read_layout(laid((0, 0, 0, (4, 2)), (1, 0, 0, (2, 1)), (2, 0, 0, (1, 1)), (0.25, 0.75, 90, (2, 6))))
    (train,) = reading.trains
    assert train.line.tiles == ((4, 2), (2, 1), (1, 1))
    assert [(limb.index, limb.at_near, limb.tiles) for limb in train.limbs] == [(0, False, ((2, 6),))]
    assert reading.findings == ()


def test_a_side_line_at_the_near_half_asks_for_that_halfs_value() -> None:
    reading = read_layout(laid((0, 0, 0, (3, 5)), (1, 0, 0, (5, 2)), (2, 0, 0, (2, 1)), (0.75, 0.75, 90, (5, 6))))
    (train,) = reading.trains
    lines = {limb.tiles: (limb.index, limb.at_near) for limb in train.limbs}
    assert train.line.tiles in (((3, 5), (5, 2), (2, 1)), ((1, 2), (2, 5), (5, 3)))
    assert list(lines.values()) == [(1, train.line.tiles[0] == (3, 5))]
    assert reading.findings == ()


@pytest.mark.parametrize("ends", [(5, 6), (2, 6)])
def test_what_only_lies_beside_a_line_is_no_side_line(ends: tuple[int, int]) -> None:
    """Values that do not meet, or a gap: it was not laid there."""
    away = 0.2 if ends[0] == 2 else 0.0
    reading = read_layout(laid((0, 0, 0, (4, 2)), (1, 0, 0, (2, 1)), (0.25, 0.75 + away, 90, ends)))
    assert [train.limbs for train in reading.trains] == [()]
    assert reading.tile(2).role == "loose"


def test_tiles_that_lie_about_without_a_hub_are_no_fault() -> None:
    """A hand on the table, two tiles near each other: nothing says that they were laid against each other."""
    for gap, turn in ((0.15, 0.0), (0.3, 35.0)):
        reading = read_layout(laid((0, 0, 0, (2, 6)), (0.25, 0.75 + gap, 90 + turn, (0, 1)), (4, 2, 0, (5, 5))))
        assert (reading.findings, reading.trains) == ((), ())
    touching = read_layout(laid((0, 0, 0, (2, 6)), (0.25, 0.75, 90, (0, 1))))
    assert touching.findings == ()
    assert "join_unsure" in [note.code for note in touching.doubts]


def test_where_many_tiles_are_doubted_nothing_is_proven() -> None:
    line = (7, 6), (6, 1), (1, 2), (3, 4), (4, 5)
    doubts = {place: Doubt("half_unclear", {"value": line[place][0], "other": 8}) for place in (0, 4)}
    assert read_layout(row(*line, doubts=doubts)).findings == ()
    del doubts[0]
    assert [note.tile_ids for note in read_layout(row(*line, doubts=doubts)).findings] == [(2, 3)]


def test_nothing_on_the_table() -> None:
    reading = read_layout(PhotoReading((), (), (), (640, 480), "none", {}))
    assert (reading.trains, reading.tiles, reading.doubts, reading.findings) == ((), (), (), ())


def test_candidates_grow_with_the_number_of_tiles_not_its_square() -> None:
    truth, seen = planned(26_000, TableSpec(laid=(60, 70)))
    quads = np.array([tile.corners_px for tile in seen.reading.tiles])
    rects = rectangles(fit_plane(quads, seen.reading.size_wh), quads)
    doubles = np.array([tile.ends[0] == tile.ends[1] for tile in seen.reading.tiles])
    far = np.array([500.0, 0.0])
    four = Rects(
        np.vstack([rects.centre + k * far for k in range(4)]),
        np.tile(rects.axis, (4, 1)),
        np.tile(rects.length, 4),
        rects.width,
    )
    assert truth["tiles"]
    assert len(find_joins(four, np.tile(doubles, 4))) == 4 * len(find_joins(rects, doubles))


def test_a_cloth_with_spots_has_no_markers_and_says_so() -> None:
    reading = row((3, 4), (4, 5), (5, 6))
    spots = [at(60.0 + 90 * (i % 10), 60.0 + 700 * (i // 10), 40.0) for i in range(20)]
    marked = replace(reading, markers=(*spots, at(760, 400, 24.0)))
    table = read_layout(marked)
    assert len(table.markers) == 1
    assert [note.params["count"] for note in table.doubts if note.code == "markers_unseen"] == [20]
    few = read_layout(replace(reading, markers=tuple(spots[:10])))
    assert len(few.markers) == 10
    assert "markers_unseen" not in [note.code for note in few.doubts]


def at(x: float, y: float, side: float) -> TileSighting:
    """A marker of `side` px."""
    corners = box_corners(np.array([[x, y, side, side, 0]], np.float32))[0]
    nothing = np.zeros((2, 19), np.float32), np.zeros((0, 2), np.float32)
    return TileSighting("marker", (None, None), corners, 0.9, *nothing)


def test_nothing_seen_on_a_blurred_photo_is_a_doubt() -> None:
    nothing = PhotoReading((), (), (), (640, 480), "laid", {}, blurred=True)
    assert [note.code for note in read_layout(nothing).doubts] == ["blurred"]
    assert read_layout(replace(nothing, blurred=False)).doubts == ()


@pytest.mark.parametrize(("share", "proven"), [(0.9999, True), (0.99, False)])
def test_a_tile_that_is_surely_there_twice_is_a_fault_and_no_doubt(share: float, proven: bool) -> None:
    alike = Doubt("seen_twice", {"low": 1, "high": 2})
    seen = row((1, 2), (2, 1), doubts={0: alike, 1: alike})
    tiles = []
    for tile in seen.tiles:
        rows = np.zeros((2, 19), np.float32)
        rows[[0, 1], list(tile.ends)] = share
        tiles.append(replace(tile, probabilities=rows))
    reading = read_layout(replace(seen, tiles=tuple(tiles)))
    assert [note.code for note in reading.findings] == (["tile_twice"] if proven else [])
    assert ("seen_twice" in [note.code for note in reading.doubts]) is not proven
