"""The longest first line against plain search, on awkward hands, and against the clock."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import pytest

from engine.longest import FirstLine, Most, longest_line
from engine.tile import DominoSet, Pips, Tile


def hand_of(text: str) -> list[Tile]:
    return [Tile.parse(word) for word in text.split()]


def plain_best(hand: Sequence[Tile], start: Pips, most: Most, double_blank: int = 0) -> tuple[int, int]:
    """Tiles and pips of the best line, by trying every line there is."""
    best = (0, 0)
    used = [False] * len(hand)

    def go(end: Pips, tiles: int, pips: int) -> None:
        nonlocal best
        best = max(best, (tiles, pips) if most is Most.TILES else (pips, tiles))
        for index, tile in enumerate(hand):
            if not used[index] and tile.has(end):
                used[index] = True
                go(tile.other(end), tiles + 1, pips + (double_blank if tile.high == 0 else tile.pip_total))
                used[index] = False

    go(start, 0, 0)
    return best if most is Most.TILES else (best[1], best[0])


def laid(answer: FirstLine, double_blank: int = 0) -> tuple[int, int]:
    pips = sum(double_blank if tile.high == 0 else tile.pip_total for tile in answer.tiles)
    return len(answer.line), pips


def assert_is_line_of(answer: FirstLine, hand: Sequence[Tile], start: Pips) -> None:
    end = start
    for near, far in answer.line:
        assert near == end
        end = far
    assert sorted([*answer.tiles, *answer.left]) == sorted(hand)
    assert answer.left_pips == sum(tile.pip_total for tile in answer.left)


@pytest.mark.parametrize("most", list(Most))
@pytest.mark.parametrize("seed", range(8))
def test_equals_plain_search_on_random_hands(seed: int, most: Most) -> None:
    chance = random.Random(seed)
    for _ in range(250):
        size = chance.choice((3, 4, 5, 6, 9, 12))
        tiles = [Tile(low, high) for low in range(size + 1) for high in range(low, size + 1)]
        hand = chance.sample(tiles, min(len(tiles), chance.randrange(12)))
        start = chance.randrange(size + 1)
        answer = longest_line(hand, start, most)
        assert answer.proven
        assert_is_line_of(answer, hand, start)
        assert laid(answer) == plain_best(hand, start, most), (hand, start)


@pytest.mark.parametrize("seed", range(4))
def test_equals_plain_search_on_hands_that_fall_apart(seed: int) -> None:
    """Sparse hands, thick with doubles: the ones where repairing parity alone breaks the line."""
    chance = random.Random(100 + seed)
    for _ in range(250):
        size = chance.choice((6, 9, 12))
        tree = [Tile(value, chance.randrange(value)) for value in range(1, size + 1)]
        more = [Tile(chance.randrange(size + 1), chance.randrange(size + 1)) for _ in range(3)]
        doubles = [Tile(value, value) for value in range(size + 1) if chance.random() < 0.6]
        hand = sorted({*tree, *more, *doubles})
        start = chance.randrange(size + 1)
        most = chance.choice(list(Most))
        assert laid(longest_line(hand, start, most)) == plain_best(hand, start, most), (hand, start)


def test_most_tiles_breaks_ties_by_pips_and_most_pips_by_tiles() -> None:
    hand = hand_of("3-9 3-1 1-0 0-2 9-12 12-11")
    assert laid(longest_line(hand, 3, Most.TILES)) == (3, 56)  # not 3-1 1-0 0-2, which has as many
    hand = hand_of("3-9 3-5 5-4")
    assert laid(longest_line(hand, 3, Most.TILES)) == (2, 17)
    assert laid(longest_line(hand_of("3-6 3-4 4-0 0-0"), 3, Most.PIPS)) == (3, 11)
    assert laid(longest_line(hand_of("3-9 3-1 1-2"), 3, Most.PIPS)) == (1, 12)


def test_the_double_blank_counts_by_house_rule() -> None:
    hand = hand_of("3-0 0-0 3-12 12-12")
    assert laid(longest_line(hand, 3, Most.PIPS)) == (2, 39)
    answer = longest_line(hand, 3, Most.PIPS, double_blank=50)
    assert answer.line == ((3, 0), (0, 0))
    assert answer.left_pips == 39


def test_a_hand_without_the_start_lays_nothing() -> None:
    hand = hand_of("1-2 2-3")
    answer = longest_line(hand, 12)
    assert answer == FirstLine((), tuple(hand), 8, True)
    assert longest_line([], 12) == FirstLine((), (), 0, True)


def test_two_like_tiles_of_a_mixed_set_are_both_laid() -> None:
    assert longest_line(hand_of("3-4 3-4 3-3"), 3).left == ()


@pytest.mark.parametrize("size", [6, 9, 12, 15, 18])
@pytest.mark.parametrize("most", list(Most))
def test_the_whole_set(size: int, most: Most) -> None:
    """Even sets (odd count of values) can be laid whole; in the others each value is met an odd number of
    times without its double, so all but two pairs of values must give up a tile."""
    hand = list(DominoSet(size))
    answer = longest_line(hand, size, most)
    assert answer.proven
    assert_is_line_of(answer, hand, size)
    assert len(answer.left) == (0 if size % 2 == 0 else (size + 1) // 2 - 1)


@pytest.mark.parametrize("size", [12, 18])
def test_proven_within_a_fifth_of_a_second(size: int) -> None:
    chance = random.Random(size)
    slowest = 0.0
    tiles = list(DominoSet(size))
    for _ in range(60):
        hand = chance.sample(tiles, chance.randrange(len(tiles) + 1))
        begun = time.perf_counter()
        assert longest_line(hand, chance.randrange(size + 1)).proven
        slowest = max(slowest, time.perf_counter() - begun)
    assert slowest < 0.2


def test_a_time_limit_gives_the_best_line_so_far() -> None:
    hand = hand_of("3-4 4-4 4-5 5-6 6-4 3-7 7-8 8-9 9-7 7-7 8-8 9-9 3-10 10-11 11-12 12-10 11-11")
    full = longest_line(hand, 3)
    cut = longest_line(hand, 3, time_limit_s=0.0)
    assert full.proven
    assert not cut.proven
    assert_is_line_of(cut, hand, 3)
    assert len(cut.line) <= len(full.line)
