"""Hands, rows, totals, places and corrections of the score sheet."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import RulesError
from engine.rules import Rules
from engine.scoring import (
    DecidedBy,
    ScoreSheet,
    hand_points,
    score_hands,
    standing,
    winners,
)
from engine.tile import DominoSet, Tile

calm = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For machines that are busy with other things: what takes long is not wrong."""

BASE = Rules()


def hand_of(text: str) -> list[Tile]:
    return [Tile.parse(word) for word in text.split()]


# The worked round and the first four rounds of the owner's score page.
WORKED = {"Alice": [20, 31, 0, 18], "Ben": [23, 15, 22, 12], "Cara": [0, 27, 14, 41], "Dev": [13, 8, 36, 0]}


def worked_sheet() -> ScoreSheet:
    sheet = ScoreSheet(tuple(WORKED), BASE)
    for number in range(4):
        points = {player: counts[number] for player, counts in WORKED.items()}
        sheet = sheet.with_round(points, [player for player in points if points[player] == 0])
    return sheet


def test_the_worked_round_counts_as_printed() -> None:
    hands = {"Cara": "", "Dev": "2-2 5-4", "Alice": "4-1 6-6 3-0", "Ben": "12-11"}
    points = score_hands({seat: hand_of(text) for seat, text in hands.items()}, BASE)
    assert points == {"Cara": 0, "Dev": 13, "Alice": 20, "Ben": 23}


@pytest.mark.parametrize(("rule", "points"), [(0, 6), (25, 31), (50, 56)])
def test_the_double_blank_is_added_to_the_rest_of_the_hand(rule: int, points: int) -> None:
    assert hand_points(hand_of("0-0 4-2"), replace(BASE, double_blank=rule)) == points


def test_a_blank_value_replaces_the_pips_of_tiles_with_one_blank() -> None:
    rules = replace(BASE, blank_value=25, double_blank=50)
    assert hand_points(hand_of("7-0 0-3"), rules) == 50
    assert hand_points(hand_of("0-0 7-0 7-1"), rules) == 83


@calm
@given(st.lists(st.sampled_from(list(DominoSet(12))), unique=True))
def test_a_hand_and_the_rest_of_the_set_share_all_pips(hand: list[Tile]) -> None:
    rest = [tile for tile in DominoSet(12) if tile not in hand]
    assert hand_points(hand, BASE) + hand_points(rest, BASE) == 1092


def test_going_out_on_a_double_doubles_the_others_under_that_rule_only() -> None:
    hands = {"A": [], "B": hand_of("5-4")}
    doubling = replace(BASE, out_on_double_doubles_scores=True)
    assert score_hands(hands, doubling, Tile(7, 7)) == {"A": 0, "B": 18}
    assert score_hands(hands, doubling, Tile(7, 8)) == {"A": 0, "B": 9}
    assert score_hands(hands, BASE, Tile(7, 7)) == {"A": 0, "B": 9}
    blocked = {"A": hand_of("1-1"), "B": hand_of("5-4")}
    assert score_hands(blocked, doubling, Tile(7, 7)) == {"A": 2, "B": 9}


def test_the_winner_collects_what_the_others_hold() -> None:
    rules = replace(BASE, scoring_direction="winner_collects")
    assert score_hands({"A": [], "B": hand_of("5-4"), "C": hand_of("9-8")}, rules) == {
        "A": 26,
        "B": 0,
        "C": 0,
    }
    assert score_hands({"A": hand_of("1-1"), "B": hand_of("5-4")}, rules) == {"A": 0, "B": 0}
    assert winners({"A": [26, 0], "B": [0, 20]}, rules) == ("A",)
    assert winners({"A": [20, 0], "B": [0, 20]}, rules) == ("A", "B")


@pytest.mark.parametrize(
    ("rounds", "first", "decided"),
    [
        ({"A": [9, 9], "B": [9, 8]}, ("B",), DecidedBy.TOTAL),
        ({"A": [10, 10], "B": [0, 20]}, ("B",), DecidedBy.ZERO_ROUNDS),
        ({"A": [0, 10, 10], "B": [0, 5, 15]}, ("B",), DecidedBy.LOWEST_ROUND),
        ({"A": [0, 5, 15], "B": [5, 0, 15]}, ("A", "B"), DecidedBy.SHARED),
        ({"A": [0, 0], "B": [0, 0]}, ("A", "B"), DecidedBy.SHARED),
    ],
)
def test_the_tie_break_ladder(rounds: dict[str, list[int]], first: tuple[str, ...], decided: DecidedBy) -> None:
    assert winners(rounds, BASE) == first
    assert standing(rounds, BASE)[0].above_next_by is decided


def test_shared_ties_stop_at_the_total() -> None:
    assert winners({"A": [10, 10], "B": [0, 20]}, replace(BASE, tie_break="shared")) == ("A", "B")


def test_players_who_share_a_place_share_its_number() -> None:
    places = standing({"A": [5], "B": [3], "C": [5], "D": [9]}, BASE)
    assert [(place.player, place.rank) for place in places] == [("B", 1), ("A", 2), ("C", 2), ("D", 4)]


def test_the_sheet_after_four_rounds() -> None:
    sheet = worked_sheet()
    assert sheet.totals() == {"Alice": 69, "Ben": 72, "Cara": 82, "Dev": 57}
    assert sheet.running_totals()[1] == {"Alice": 51, "Ben": 38, "Cara": 27, "Dev": 21}
    assert sheet.leaders == ("Dev",)
    assert sheet.last == ("Cara",)
    assert sheet.rounds_left == 9
    assert sheet.next_starting_double == 8
    assert [row.starting_double for row in sheet.rounds] == [12, 11, 10, 9]
    assert sheet.rounds[0].out == ("Cara",)
    assert sheet.winners == ()
    assert sheet.movement() == {"Alice": 0, "Ben": 1, "Cara": -3, "Dev": 2}


def test_the_first_round_moves_nobody() -> None:
    assert ScoreSheet(("A", "B"), BASE).with_round({"A": 0, "B": 9}).movement() == {"A": 0, "B": 0}


def test_a_correction_reaches_any_round_and_stays_on_record() -> None:
    before = worked_sheet()
    after = before.corrected(1, "Ben", 3, note="read 12-1, not 12-11")
    assert after.totals()["Ben"] == 52
    assert after.leaders == ("Ben",)
    assert [(c.number, c.player, c.before, c.after) for c in after.corrections] == [(1, "Ben", 23, 3)]
    assert before.totals()["Ben"] == 72
    again = after.corrected(1, "Ben", 23)
    assert again.rounds == before.rounds
    assert len(again.corrections) == 2


@pytest.mark.parametrize(("number", "player", "points"), [(0, "Ben", 1), (5, "Ben", 1), (1, "Eve", 1), (1, "Ben", -1)])
def test_impossible_corrections_are_refused(number: int, player: str, points: int) -> None:
    with pytest.raises(RulesError):
        worked_sheet().corrected(number, player, points)


def test_a_session_is_over_after_its_last_round() -> None:
    sheet = ScoreSheet(("A", "B"), replace(BASE, rounds=2)).with_round({"A": 0, "B": 9}).with_round({"A": 4, "B": 0})
    assert sheet.is_over
    assert sheet.winners == ("A",)
    assert sheet.next_starting_double is None
    with pytest.raises(RulesError, match="are written"):
        sheet.with_round({"A": 0, "B": 1})


def test_a_game_can_be_shortened_and_lengthened_again() -> None:
    sheet = worked_sheet().shortened(4)
    assert sheet.is_over
    assert sheet.winners == ("Dev",)
    longer = sheet.shortened(5)
    assert longer.rounds_left == 1
    with pytest.raises(RulesError, match="can't end after"):
        longer.shortened(3)


def test_a_row_needs_every_player_once() -> None:
    with pytest.raises(RulesError, match="one score for each"):
        ScoreSheet(("A", "B"), BASE).with_round({"A": 0})
    with pytest.raises(RulesError, match="different names"):
        ScoreSheet(("A", "A"), BASE)


def test_ties_are_explained_in_words() -> None:
    sheet = ScoreSheet(("Ann", "Bo"), BASE).with_round({"Ann": 10, "Bo": 0}).with_round({"Ann": 10, "Bo": 20})
    assert sheet.explain() == [
        "Bo and Ann both stand on 20; Bo is ahead with more zero-point rounds, 1 against 0",
    ]
    clear = ScoreSheet(("Ann", "Bo"), BASE).with_round({"Ann": 10, "Bo": 0})
    assert clear.explain() == []
    level = clear.with_round({"Ann": 0, "Bo": 10})
    assert level.explain() == ["Ann and Bo both stand on 10 and share the place"]


rows = st.lists(st.lists(st.integers(0, 60), min_size=3, max_size=3), min_size=1, max_size=13)


@calm
@given(rows)
def test_places_follow_the_totals(points: list[list[int]]) -> None:
    sheet = ScoreSheet(("A", "B", "C"), BASE)
    for row in points:
        sheet = sheet.with_round(dict(zip("ABC", row, strict=True)))
    places = sheet.standing()
    assert [place.total for place in places] == sorted(sheet.totals().values())
    assert {place.player for place in places} == {"A", "B", "C"}
    assert sum(sheet.totals().values()) == sum(map(sum, points))
    assert sheet.running_totals()[-1] == sheet.totals()


def test_a_late_comer_counts_from_then_on_with_what_was_given() -> None:
    sheet = worked_sheet().joined("Eve", 40)
    assert sheet.totals()["Eve"] == 40
    assert "Eve" not in sheet.totals(3)
    sheet = sheet.with_round({"Alice": 1, "Ben": 1, "Cara": 1, "Dev": 1, "Eve": 0})
    assert sheet.points()["Eve"] == [0]
    assert sheet.totals()["Eve"] == 40
    assert sheet.standing()[0].player == "Eve"
    with pytest.raises(RulesError, match="did not play"):
        sheet.corrected(1, "Eve", 3)


def test_points_given_are_no_round_of_their_own_in_a_tie() -> None:
    sheet = ScoreSheet(("A", "B"), BASE).with_round({"A": 5, "B": 9}).joined("C").with_round({"A": 0, "B": 1, "C": 5})
    upper, lower = sheet.standing()[:2]
    assert (upper.player, upper.above_next_by) == ("A", DecidedBy.ZERO_ROUNDS)  # not coming is no zero round
    assert lower.zero_rounds == 0


def test_who_leaves_has_no_place_and_is_not_waited_for() -> None:
    sheet = worked_sheet().left("Ben")
    assert [place.player for place in sheet.standing()] == ["Dev", "Alice", "Cara"]
    sheet = sheet.with_round({"Alice": 1, "Cara": 2, "Dev": 3})
    assert sheet.rounds[-1].get("Ben") is None
    assert sheet.totals()["Ben"] == 72
    again = sheet.joined("Ben", 2)
    assert again.totals()["Ben"] == 74
    assert again.with_round({"Alice": 0, "Ben": 0, "Cara": 0, "Dev": 0}).totals()["Ben"] == 74
    with pytest.raises(RulesError, match="plays already"):
        again.joined("Ben")


def test_another_seating_order_names_everybody_once() -> None:
    sheet = worked_sheet()
    assert sheet.seated(["Dev", "Ben", "Cara", "Alice"]).totals() == sheet.totals()
    with pytest.raises(RulesError, match="every player"):
        sheet.seated(["Dev", "Ben"])
