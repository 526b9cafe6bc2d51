"""Hand sizes, starting doubles and who moves first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.deal import DEAL_TABLES, boneyard_after_deal, hand_size
from engine.errors import RulesError
from engine.rounds import (
    clockwise_from,
    first_starter,
    left_of,
    next_starter,
    planned_rounds,
    starters,
    starting_doubles,
)
from engine.rules import Rules
from engine.tile import DominoSet

BASE = Rules()
PULLED = replace(BASE, engine_source="pulled", start_rotation="left", first_starter="agreed")


@pytest.mark.parametrize(
    ("table", "sizes"),
    [
        ("standard", [15, 15, 15, 12, 12, 10, 10, 8, 8]),
        ("galt_11", [15, 15, 15, 12, 12, 11, 11, 8, 8]),
        ("pressman", [15, 15, 15, 11, 11, 8, 8, 8, 8]),
        ("parsons", [15, 15, 15, 12, 11, 10, 9, 8, 8]),
        ("idaho", [16, 15, 14, 13, 12, 11, 10, 8, 8]),
    ],
)
def test_hand_sizes_for_two_to_ten_players(table: str, sizes: list[int]) -> None:
    rules = replace(BASE, deal_table=table)
    assert [hand_size(seats, rules) for seats in range(2, 11)] == sizes


def test_a_smaller_set_has_its_own_sizes() -> None:
    nine = replace(BASE, set_size=9)
    assert [hand_size(seats, nine) for seats in range(2, 9)] == [8, 8, 8, 7, 7, 7, 6]
    assert hand_size(2, replace(nine, deal_table="parsons")) == 12
    with pytest.raises(RulesError, match="no deal known"):
        hand_size(9, nine)


def test_other_sets_have_their_own_sizes() -> None:
    six, fifteen, eighteen = (replace(BASE, set_size=size) for size in (6, 15, 18))
    assert [hand_size(seats, six) for seats in (2, 3, 4)] == [9, 8, 6]
    assert [hand_size(seats, fifteen) for seats in (2, 6, 7, 8, 9, 10)] == [15, 15, 13, 13, 11, 11]
    assert {hand_size(seats, eighteen) for seats in range(2, 11)} == {11}


def test_every_table_leaves_room_for_the_starting_double() -> None:
    for sizes in DEAL_TABLES.values():
        for size, table in sizes.items():
            for seats, hand in table.items():
                assert seats * hand + 1 <= len(DominoSet(size))


@pytest.mark.parametrize("seats", [0, 1, 11])
def test_too_few_or_too_many_players_are_refused(seats: int) -> None:
    with pytest.raises(RulesError, match="2 to 10 players"):
        hand_size(seats, BASE)


def test_a_deal_that_needs_more_tiles_than_the_set_has_is_refused() -> None:
    assert boneyard_after_deal(12, 6, 15, "held_or_draw") == 1
    assert boneyard_after_deal(12, 6, 15, "pulled") == 0
    with pytest.raises(RulesError, match="need 92 tiles"):
        boneyard_after_deal(12, 7, 13, "held_or_draw")


def test_starting_doubles_step_down_and_wrap() -> None:
    assert starting_doubles(None, 12) == list(range(12, -1, -1))
    assert starting_doubles(10, 12, 9) == list(range(9, -1, -1))
    assert starting_doubles(12, 12, 9)[-2:] == [12, 11]
    assert starting_doubles(14, 12)[-1] == 12
    with pytest.raises(RulesError, match="no double 13"):
        starting_doubles(1, 12, 13)


def test_planned_rounds() -> None:
    assert planned_rounds(BASE) == 13
    assert planned_rounds(replace(BASE, start_double=9)) == 10
    assert planned_rounds(replace(BASE, rounds=7)) == 7
    assert planned_rounds(replace(BASE, objective="single_round")) == 1
    assert planned_rounds(replace(BASE, set_size=9)) == 10


def test_seats_go_clockwise() -> None:
    assert left_of("D", "ABCD") == "A"
    assert clockwise_from("C", "ABCD") == ("C", "D", "A", "B")
    with pytest.raises(RulesError, match="no seat E"):
        left_of("E", "ABCD")


def test_who_starts_the_first_round() -> None:
    assert first_starter("ABCD", BASE, laid_by="C") == "C"
    assert first_starter("ABCD", PULLED, named="B") == "B"
    # Nobody lays a pulled starting double, so its placer can't start.
    assert (
        first_starter("ABCD", replace(PULLED, first_starter="engine_placer"), laid_by="C", named="B") == "B"
    )
    with pytest.raises(RulesError, match="name it"):
        first_starter("ABCD", BASE, named="B")
    with pytest.raises(RulesError, match="name the seat"):
        first_starter("ABCD", PULLED, laid_by="B")


def test_who_starts_a_later_round() -> None:
    assert next_starter("ABCD", BASE, last_starter="A", laid_by="C") == "C"
    assert next_starter("ABCD", PULLED, last_starter="D") == "A"
    # `engine_placer` means nothing when the starting double is pulled: left instead.
    placer = replace(PULLED, start_rotation="engine_placer")
    assert next_starter("ABCD", placer, last_starter="A", laid_by="D") == "B"
    opener = replace(BASE, start_rotation="left_of_last_opener")
    assert next_starter("ABCD", opener, last_starter="A", last_laid_by="C", laid_by="B") == "D"
    assert next_starter("ABCD", replace(opener, engine_source="pulled"), last_starter="A") == "B"


def test_the_lowest_score_starts_and_of_several_the_next_clockwise() -> None:
    rules = replace(PULLED, start_rotation="lowest_score")
    totals = {"A": 5, "B": 9, "C": 5, "D": 5}
    assert next_starter("ABCD", rules, last_starter="B", totals=totals) == "C"
    assert next_starter("ABCD", rules, last_starter="D", totals=totals) == "A"
    with pytest.raises(RulesError, match="totals"):
        next_starter("ABCD", rules, last_starter="B")


def test_the_start_passes_one_seat_to_the_left() -> None:
    assert "".join(starters("ABCD", "C", 13, PULLED)) == "CDABCDABCDABC"
    with pytest.raises(RulesError):
        starters("ABCD", "C", 13, BASE)
