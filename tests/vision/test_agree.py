"""Agreement over the picture, on candidates made by hand: no network, no picture."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from vision import blanks, geometry
from vision.agree import agree
from vision.candidates import Candidates
from vision.detections import FACE_DOWN, FACE_UP
from vision.drafts import AgreeConfig
from vision.halves import NO_VALUE, HalfReadings
from vision.tiles import TileSighting

SIZE = (1000, 800)


def half(value: int, share: float = 0.999, other: int | None = None) -> np.ndarray:
    row = np.full(20, 1e-6, np.float32)
    row[value] = share
    row[other if other is not None else (value + 1) % 13] += 1 - share
    return row


def candidate(
    x: float,
    y: float,
    first: np.ndarray,
    second: np.ndarray,
    *,
    score: float = 0.95,
    up: float = 0.99,
    length: float = 100,
) -> tuple:
    corners = geometry.box_corners(np.array([[x, y, length, length / 2, 0]], np.float32))[0]
    kinds = np.array([up, (1 - up) / 2, 0, (1 - up) / 2], np.float32)
    return score, corners, kinds, np.stack([first, second])


def pips(row: np.ndarray, count: int | None = None) -> np.ndarray:
    """As many separate places as the likeliest value has pips, or `count`."""
    number = np.arange(int(row.argmax()) % NO_VALUE if count is None else count)
    return np.stack([10.0 + 16 * (number % 4), 10.0 + 16 * (number // 4)], axis=1).astype(np.float32)


def read(
    *made: tuple,
    counts: dict[int, int] | None = None,
    mixed: bool = False,
    set_size: int = 12,
    sharpness: float = 0.3,
    softest: float = math.nan,
    middle: int = blanks.UNSURE,
    inks: dict[int, float] | None = None,
) -> list[TileSighting]:
    scores, corners, kinds, rows = (np.stack([m[i] for m in made]) for i in range(4))
    count = len(made)
    marks = np.full((count, 2), 40.0, np.float32)
    for index, ink in (inks or {}).items():
        marks[index, 0] = ink
    colours = np.stack([m[4] if len(m) > 4 else np.full((2, 3), np.nan) for m in made]).astype(np.float32)
    readings = replace(
        HalfReadings.of_nothing(count),
        probabilities=rows,
        pips=_pips(made, counts or {}),
        sharpness=np.full(count, sharpness, np.float32),
        softest=np.full(count, softest, np.float32),
        colours=colours,
        middles=np.full((count, 2), middle, np.int8),
        inks=marks,
    )
    return agree(candidates(scores, corners, kinds, readings), SIZE, set_size, mixed, AgreeConfig())[0]


def candidates(scores: np.ndarray, corners: np.ndarray, kinds: np.ndarray, readings: HalfReadings) -> Candidates:
    """All of them face up as far as the finder can tell."""
    sides = geometry.corners_box(corners)[:, 2:4]
    return Candidates(scores.astype(np.float32), np.zeros(len(scores), np.int64), sides, corners, kinds, readings)


def _pips(made: tuple, counts: dict[int, int]) -> np.ndarray:
    """Pips of both halves, (n, 2); `counts` says how many the first half of a tile shows instead."""
    places = np.empty((len(made), 2), object)
    for index, tile in enumerate(made):
        places[index, 0], places[index, 1] = pips(tile[3][0], counts.get(index)), pips(tile[3][1])
    return places


def codes(tile: TileSighting) -> list[str]:
    return [doubt.code for doubt in tile.doubts]


def test_a_clear_tile_has_no_doubt() -> None:
    (tile,) = read(candidate(300, 300, half(3), half(7)))
    assert tile.ends == (3, 7)
    assert not tile.doubtful
    assert tile.confidence > 0.98


def test_a_blank_that_looks_like_a_back_is_a_blank_with_a_doubt_when_the_tile_is_certain() -> None:
    (tile,) = read(candidate(300, 300, half(NO_VALUE, 0.9, 0), half(7)))
    assert tile.ends == (0, 7)
    assert codes(tile) == ["half_unclear"]


def test_a_blank_with_a_pale_spot_in_its_middle_may_be_a_one() -> None:
    (tile,) = read(candidate(300, 300, half(0), half(7)), middle=blanks.SPOT)
    assert tile.ends == (0, 7)
    assert [(doubt.code, doubt.params) for doubt in tile.doubts] == [("half_unclear", {"value": 0, "other": 1})]
    assert not read(candidate(300, 300, half(0), half(7)), middle=blanks.UNSURE)[0].doubtful
    assert not read(candidate(300, 300, half(3), half(7)), middle=blanks.SPOT)[0].doubtful


def test_a_blank_whose_middle_is_plain_is_no_one_whatever_flecks_were_counted() -> None:
    unclear = candidate(300, 300, half(0, 0.7, 1), half(7))
    assert codes(read(unclear, counts={0: 1})[0]) == ["half_unclear"]
    assert not read(unclear, counts={0: 1}, middle=blanks.PLAIN)[0].doubtful
    assert codes(read(candidate(300, 300, half(0, 0.7, 3), half(7)), middle=blanks.PLAIN)[0]) == ["half_unclear"]


def test_what_was_won_from_no_value_stays_doubtful_whatever_counts_and_middles_say() -> None:
    others = [candidate(300 + 120 * i, 600, half(i), half(i + 4)) for i in range(1, 5)]
    unclear = half(NO_VALUE, 0.45, 1)
    unclear[0], unclear[1] = 0.5, 0.05
    tile = next(t for t in read(candidate(300, 300, unclear, half(7)), *others, counts={0: 0}, middle=blanks.PLAIN)
                if 7 in t.ends and t.ends[0] == 0)  # fmt: skip
    assert codes(tile) == ["half_unclear"]


def test_a_half_that_shows_nothing_at_all_has_no_value_even_on_a_certain_tile() -> None:
    (tile,) = read(candidate(300, 300, half(NO_VALUE, 0.9999, 0), half(7)))
    assert tile.ends == (None, 7)


def test_a_half_that_looks_like_a_back_has_no_value_where_the_tile_is_not_certain() -> None:
    (tile,) = read(candidate(300, 300, half(NO_VALUE, 0.9, 0), half(7), score=0.6, up=0.4))
    assert tile.ends[0] is None


def test_what_is_hardly_a_tile_and_half_unreadable_adds_nothing_to_the_total() -> None:
    (tile,) = read(candidate(300, 300, half(NO_VALUE, 0.9, 3), half(5), score=0.5, up=0.5))
    assert "maybe_tile" in codes(tile)
    assert tile.ends == (None, None)
    (whole,) = read(candidate(300, 300, half(2), half(5), score=0.2, up=0.3))
    assert (codes(whole)[0], whole.ends) == ("maybe_tile", (2, 5))


def test_what_is_hardly_a_tile_and_cut_by_the_edge_tells_no_value_that_is_a_guess() -> None:
    unreadable, guessed = half(NO_VALUE, 0.9, 3), np.full(20, 0.04, np.float32)
    guessed[5] = 0.24
    (tile,) = read(candidate(20, 300, unreadable, guessed, score=0.5, up=0.5))
    assert {"cut_by_edge", "maybe_tile"} <= set(codes(tile))
    assert tile.ends == (None, None)
    (seen,) = read(candidate(20, 300, unreadable, half(5), score=0.5, up=0.5))
    assert seen.ends == (None, 5)


def test_a_fifteen_on_which_twelve_pips_are_counted_is_a_doubt_however_sure_it_reads() -> None:
    for counts, told in (({0: 12}, ["count_disagrees"]), ({0: 14}, []), ({}, [])):
        (tile,) = read(candidate(300, 300, half(15), half(3)), counts=counts, set_size=18)
        assert (tile.ends, codes(tile)) == ((15, 3), told)
    (low,) = read(candidate(300, 300, half(11), half(3)), counts={0: 10})
    assert codes(low) == []


def test_a_half_that_reads_as_two_values_is_doubtful_and_names_both() -> None:
    (tile,) = read(candidate(300, 300, half(10, 0.6, 11), half(7)))
    assert tile.ends[0] == 10
    assert tile.doubts[0].code == "half_unclear"
    assert tile.doubts[0].params == {"value": 10, "other": 11}


def test_a_half_without_a_value_is_null_and_doubtful() -> None:
    (tile,) = read(candidate(300, 300, half(NO_VALUE), half(7)))
    assert tile.ends == (None, 7)
    assert codes(tile) == ["half_unreadable"]
    assert tile.confidence == 0


def test_one_set_has_each_tile_once_the_less_sure_one_gives_way() -> None:
    tiles = read(
        candidate(200, 200, half(3), half(10)),
        candidate(500, 200, half(3), half(10, 0.6, 11)),
    )
    assert sorted(tile.ends for tile in tiles) == [(3, 10), (3, 11)]
    assert [codes(tile) for tile in tiles if tile.ends == (3, 10)] == [[]]
    (changed,) = [tile for tile in tiles if tile.ends == (3, 11)]
    assert "seen_twice" in codes(changed)


def test_two_equally_clear_equal_tiles_are_both_doubtful_and_keep_their_values() -> None:
    tiles = read(candidate(200, 200, half(3), half(10)), candidate(500, 200, half(10), half(3)))
    assert all("seen_twice" in codes(tile) for tile in tiles)
    assert {frozenset(tile.ends) for tile in tiles} == {frozenset((3, 10))}


def test_mixed_sets_may_repeat_tiles() -> None:
    tiles = read(candidate(200, 200, half(3), half(10)), candidate(500, 200, half(3), half(10)), mixed=True)
    assert not any(tile.doubtful for tile in tiles)


def test_values_that_the_set_lacks_are_not_read() -> None:
    (tile,) = read(candidate(300, 300, half(9, 0.55, 6), half(2)), set_size=6)
    assert tile.ends == (6, 2)


def test_the_same_tile_found_twice_counts_once() -> None:
    assert len(read(candidate(300, 300, half(3), half(7)), candidate(306, 302, half(3), half(7), score=0.6))) == 1


def test_a_place_between_two_touching_tiles_does_not_replace_them() -> None:
    left, right = candidate(300, 300, half(3), half(7), score=0.7), candidate(400, 300, half(7), half(1), score=0.7)
    between = candidate(350, 300, half(7), half(7), score=0.99)
    assert sorted(tile.ends for tile in read(left, right, between)) == [(3, 7), (7, 1)]


def test_weak_evidence_is_something_that_may_be_a_tile() -> None:
    tiles = read(candidate(300, 300, half(3, 0.95), half(7, 0.95), score=0.15, up=0.3))
    assert [codes(tile) for tile in tiles] == [["maybe_tile"]]


def test_tiles_come_in_rows_as_one_reads() -> None:
    tiles = read(
        candidate(700, 120, half(1), half(2)),
        candidate(200, 100, half(3), half(4)),
        candidate(450, 400, half(5), half(6)),
        candidate(150, 420, half(7), half(8)),
    )
    assert [tile.ends for tile in tiles] == [(3, 4), (1, 2), (7, 8), (5, 6)]


def test_what_the_finder_alone_believes_in_is_a_doubt() -> None:
    (tile,) = read(candidate(300, 300, half(NO_VALUE), half(NO_VALUE), score=0.9, up=0.02))
    assert "maybe_tile" in codes(tile)
    assert read(candidate(300, 300, half(NO_VALUE), half(NO_VALUE), score=0.6, up=0.02)) == []


def test_a_tile_partly_under_another_is_doubtful() -> None:
    lower, upper = candidate(300, 300, half(3), half(7), score=0.8), candidate(385, 300, half(1), half(2))
    assert sorted(codes(tile) for tile in read(lower, upper)) == [["covered"], ["covered"]]


@pytest.mark.parametrize("x", [20, 985])
def test_a_tile_cut_by_the_edge_is_doubtful(x: int) -> None:
    (tile,) = read(candidate(x, 300, half(3), half(7)))
    assert codes(tile) == ["cut_by_edge"]


def test_something_of_another_size_than_the_sure_tiles_is_no_tile() -> None:
    sure = [candidate(150 + 130 * i, 200, half(i), half(7)) for i in range(4)]
    speck = candidate(700, 600, half(5), half(5), score=0.5, up=0.9, length=30)
    assert len(read(*sure, speck)) == 4
    seam = candidate(700, 600, half(NO_VALUE), half(NO_VALUE), score=0.9, up=0.05, length=20)
    assert len(read(*sure, seam)) == 4
    as_large = candidate(700, 600, half(NO_VALUE), half(NO_VALUE), score=0.9, up=0.05)
    assert len(read(*sure, as_large)) == 5


def test_a_blurred_photo_is_no_promise() -> None:
    assert all("blurred" in codes(tile) for tile in read(candidate(300, 300, half(3), half(7)), sharpness=0.08))
    # Seen at its own size a tile's edges must be steeper than where a small one was enlarged.
    assert "blurred" in codes(read(candidate(300, 300, half(3), half(7), length=200), sharpness=0.135)[0])
    assert not read(candidate(300, 300, half(3), half(7), length=60), sharpness=0.135)[0].doubtful
    assert "blurred" in codes(read(candidate(300, 300, half(3), half(7), length=200), softest=0.07)[0])
    assert not read(candidate(300, 300, half(3), half(7), length=200), softest=0.14)[0].doubtful


def test_probabilities_of_a_half_never_sum_to_more_than_one() -> None:
    (tile,) = read(candidate(300, 300, half(15, 0.7, 3), half(7)))
    assert (tile.probabilities.sum(1) <= 1.0001).all()


RED, GREEN, BLUE, GREY = ((50, 60, 40), (50, -50, 40), (40, 10, -55), (50, 0, 0))


def coloured(made: tuple, first: tuple[int, int, int], second: tuple[int, int, int]) -> tuple:
    return (*made, np.array([first, second], np.float32))


def test_the_colour_of_a_value_settles_what_its_pips_leave_open() -> None:
    sure = [
        coloured(candidate(150, 150, half(1), half(2)), BLUE, GREEN),
        coloured(candidate(300, 150, half(2), half(3)), GREEN, RED),
        coloured(candidate(450, 150, half(1), half(4)), BLUE, GREY),
    ]
    # Three pips and a fleck of light: four by the reader, one by the map of pips and by the colour.
    unclear = candidate(600, 150, half(1, 0.6, 4), half(3))
    tiles = read(*sure, coloured(unclear, BLUE, RED), counts={3: 2})
    assert (1, 3) in [tile.ends for tile in tiles]
    assert not any(tile.doubtful for tile in tiles)
    # Without colours the same half stays open.
    plain = read(*(candidate(150 + 150 * i, 150, half(i), half(9)) for i in range(3)), unclear, counts={3: 2})
    assert any(codes(tile) == ["half_unclear"] for tile in plain)


def test_counting_settles_what_the_look_leaves_open_where_counting_is_right_elsewhere() -> None:
    sure = [candidate(150 + 150 * i, 150, half(i + 1), half(i + 2)) for i in range(3)]
    unclear = candidate(600, 150, half(10, 0.6, 11), half(9))
    (settled,) = [t for t in read(*sure, unclear, counts={3: 11}) if 9 in t.ends]
    assert settled.ends == (11, 9)
    # A set whose pips are not seen as pips (numerals): counting is not asked.
    blind = read(*sure, unclear, counts={0: 0, 1: 0, 2: 9, 3: 11})
    assert [codes(t) for t in blind if 9 in t.ends] == [["half_unclear"]]


@pytest.mark.parametrize(("counted", "told"), [((6, 7, 8, 9), True), ((1, 2, 1, 2), False)])
def test_the_count_speaks_of_large_values_but_not_of_numerals(counted: tuple[int, ...], told: bool) -> None:
    sure = [candidate(150 + 150 * i, 150, half(6 + i), half(1)) for i in range(4)]
    large = candidate(750, 150, half(15), half(2))
    tiles = read(*sure, large, set_size=18, counts={**dict(enumerate(counted)), 4: 4})
    assert [codes(tile) for tile in tiles if 15 in tile.ends] == [["count_disagrees"] if told else []]


def with_a_stained_blank(share: float = 0.6, others: int = 3) -> list[tuple]:
    """A blank that reads as a seven too, and some sure tiles."""
    sure = [candidate(300 + 150 * n, 150, half(2), half(3 + n)) for n in range(others)]
    return [candidate(150, 150, half(0, share, 7), half(1)), *sure]


@pytest.mark.parametrize(
    ("ink", "sure"), [(3.0, True), (9.0, True), (11.0, False), (39.0, False), (math.nan, False)]
)
def test_where_nothing_stands_out_as_pips_do_here_is_a_blank(ink: float, sure: bool) -> None:
    stained = next(tile for tile in read(*with_a_stained_blank(), inks={0: ink}, counts={0: 3}) if 1 in tile.ends)
    assert (stained.ends, stained.doubtful) == ((0, 1), not sure)


def test_what_stands_out_as_pips_do_is_no_blank_where_halves_have_pips() -> None:
    with_marks = with_a_stained_blank(0.9)
    tile = next(tile for tile in read(*with_marks, inks={0: 45.0}, counts={0: 7}) if 1 in tile.ends)
    assert tile.ends == (7, 1)
    nought = read(*with_marks, inks={0: 45.0}, counts={0: 7, 1: 0, 2: 0, 3: 0})  # numerals: a nought is a mark too
    assert next(tile for tile in nought if 1 in tile.ends).ends == (0, 1)


def test_what_reads_as_a_value_is_not_made_a_blank() -> None:
    (tile,) = [tile for tile in read(*with_a_stained_blank(0.4), inks={0: 3.0}, counts={0: 3}) if 1 in tile.ends]
    assert (tile.ends, tile.doubtful) == ((7, 1), True)


def test_without_enough_pips_to_measure_by_a_stained_blank_stays_doubtful() -> None:
    faint = {0: 3.0, 1: math.nan}
    assert any(tile.doubtful for tile in read(*with_a_stained_blank(others=1), inks=faint, counts={0: 3}))


def sevens(*inks: float, share: float = 0.999, blank: float | None = None) -> list[TileSighting]:
    """Tiles with a seven whose marks stand out as `inks` say, and one with a blank where there is one."""
    shares = [share if ink < 20 else 0.999 for ink in inks]
    made = [candidate(100 + 150 * n, 150, half(7, one), half(n + 1)) for n, one in enumerate(shares)]
    marks = dict(enumerate(inks))
    if blank is not None:
        made.append(candidate(150, 400, half(0), half(12)))
        marks[len(inks)] = blank
    return read(*made, inks=marks)


def test_pale_sevens_beside_strong_ones_are_unpainted_and_so_blanks() -> None:
    assert [tile.ends[0] for tile in sevens(40.0, 42.0, 44.0, 7.0, 9.0)] == [7, 7, 7, 0, 0]


def test_one_pale_seven_may_lie_in_glare_and_pale_ones_alone_may_be_painted_pale() -> None:
    assert [tile.ends[0] for tile in sevens(40.0, 42.0, 44.0, 7.0)] == [7, 7, 7, 7]
    assert [tile.ends[0] for tile in sevens(7.0, 8.0, 8.5, 9.0)] == [7, 7, 7, 7]


@pytest.mark.parametrize(("blank", "share", "value"), [(9.0, 0.6, 0), (5.0, 0.6, 7), (9.0, 0.999, 7)])
def test_beside_blanks_only_what_stands_out_no_more_than_they_do_is_one(blank: float, share: float, value: int) -> None:
    tiles = sevens(40.0, 42.0, 44.0, 7.0, share=share, blank=blank)
    assert [tile.ends[0] for tile in tiles] == [7, 7, 7, value, 0]


def test_where_pale_marks_read_as_different_values_the_light_is_to_blame() -> None:
    strong = [candidate(100 + 150 * n, 150, half(7 + n % 2), half(n + 1)) for n in range(4)]
    pale = [candidate(100 + 150 * n, 400, half(7 + n % 2), half(n + 9)) for n in range(4)]
    tiles = read(*strong, *pale, inks={4: 7.0, 5: 7.5, 6: 8.0, 7: 8.5})
    assert [tile.ends[0] for tile in tiles] == [7, 8] * 4


def test_a_sure_half_in_the_colour_of_another_value_is_doubtful() -> None:
    tiles = read(
        coloured(candidate(150, 150, half(1), half(2)), BLUE, GREEN),
        coloured(candidate(300, 150, half(1), half(3)), BLUE, RED),
        coloured(candidate(450, 150, half(1), half(4)), BLUE, GREY),
        coloured(candidate(600, 150, half(1), half(5)), RED, (80, 0, 60)),
    )
    (odd,) = [tile for tile in tiles if tile.doubtful]
    assert odd.ends == (1, 5)
    assert codes(odd) == ["colour_disagrees"]


def found_beside_a_tile(score: float, kinds: tuple[float, ...], length: float) -> tuple[Candidates, tuple]:
    """A sure tile and something of which the reader makes nothing."""
    sure, other = candidate(300, 300, half(3), half(7)), candidate(600, 300, half(NO_VALUE), half(NO_VALUE))
    corners = geometry.box_corners(np.array([[600, 300, length, length / 2, 0]], np.float32))[0]
    made = sure, (score, corners, np.array(kinds, np.float32), other[3])
    parts = [np.stack([one[i] for one in made]) for i in range(4)]
    readings = replace(HalfReadings.of_nothing(2), probabilities=parts[3])
    found = candidates(*parts[:3], readings)
    return found, agree(found, SIZE, 12, False, AgreeConfig())


def test_a_tile_for_sure_without_a_face_that_can_be_read_lies_face_down() -> None:
    _, (tiles, backs, _) = found_beside_a_tile(0.53, (0.37, 0.63, 0.0, 0.0), 100)
    assert (len(tiles), len(backs)) == (1, 1)
    _, (tiles, backs, _) = found_beside_a_tile(0.53, (0.24, 0.1, 0.0, 0.66), 100)
    assert (len(tiles), len(backs)) == (1, 0)


@pytest.mark.parametrize(("value", "share", "ends"), [(2, 0.97, (2, 0)), (2, 0.7, None), (0, 0.97, None)])
def test_a_back_that_surely_shows_pips_is_none(value: int, share: float, ends: tuple[int, int] | None) -> None:
    made = candidate(300, 300, half(3), half(7)), candidate(600, 300, half(value, share, NO_VALUE), half(0), score=0.7)
    scores, corners, kinds, rows = (np.stack([one[part] for one in made]) for part in range(4))
    kinds[1] = 0.05, 0.92, 0.01, 0.02
    readings = replace(HalfReadings.of_nothing(2), probabilities=rows)
    found = replace(candidates(scores, corners, kinds, readings), kind=np.array([FACE_UP, FACE_DOWN]))
    tiles, backs, _ = agree(found, SIZE, 12, False, AgreeConfig())
    assert [(tile.ends, tile.doubtful) for tile in tiles[1:]] == ([] if ends is None else [(ends, True)])
    assert len(backs) == (ends is None)


@pytest.mark.parametrize(("other", "found"), [(half(2, 0.97), True), (half(2, 0.3, NO_VALUE), False)])
def test_what_shows_two_values_is_not_passed_over(other: np.ndarray, found: bool) -> None:
    tiles = read(candidate(300, 300, half(3), half(7)), candidate(600, 300, half(1, 0.97), other, score=0.2, up=0.01))
    assert [(tile.ends, codes(tile)) for tile in tiles[1:]] == ([((1, 2), ["maybe_tile"])] if found else [])


def test_a_small_thing_that_looks_a_little_like_a_marker_is_worth_a_close_look() -> None:
    _, (tiles, _, spots) = found_beside_a_tile(0.3, (0.2, 0.4, 0.3, 0.1), 40)
    assert (len(tiles), len(spots)) == (1, 1)
    _, (_, _, spots) = found_beside_a_tile(0.3, (0.2, 0.4, 0.3, 0.1), 100)
    assert spots == []
