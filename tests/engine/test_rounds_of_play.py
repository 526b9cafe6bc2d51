"""The life of a round: setup, first turns, going out, waiting hands, blocked rounds, calls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.blocked import blocked_after, circle_complete, nobody_can_lay
from engine.codes import Code
from engine.errors import PositionError
from engine.moves import Call, Catch, Draw, Move, Pass, Play
from engine.position import Hand, Mode, Need, OpenDouble, Position, RoundEnd
from engine.reducer import Applied, Refused, apply, start_turn
from engine.rules import Rules
from engine.setup import deal_round, first_position, new_round, new_round_unseen
from engine.table import LaidTile, Table, Train
from engine.tile import DominoSet, Tile


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(Tile.parse(word) for word in text.split())


def table_of(hub: int, **lines: str) -> Table:
    trains = {seat: Train(seat) for seat in "ABC"}
    for owner, text in lines.items():
        words = text.split()
        laid = tuple(LaidTile.parse(word) for word in words if word != "+")
        trains[owner] = Train(owner, laid, marker="+" in words)
    return Table(hub, tuple(trains.values()))


def at(
    rules: Rules, table: Table, hands: dict[str, str], *, boneyard: str = "", by: str = "A", first: bool = False,
    open_doubles: tuple[OpenDouble, ...] = (), turns: tuple[int, ...] = (1, 1, 1),
) -> Position:
    """A position of three seats where every tile that matters is known."""
    rest = tiles(boneyard)
    start = first_position(rules, "ABC", table.starting_double, by, (), len(rest), rest)
    position = replace(
        start,
        table=table,
        hands=tuple(Hand.of(tiles(hands.get(seat, "0-1 1-1"))) for seat in "ABC"),
        firsts=frozenset("ABC") if first else frozenset(),
        turns=(0, 0, 0) if first else turns,
        open_doubles=open_doubles,
    )
    return start_turn(position, rules, by)


def do(position: Position, rules: Rules, *moves: Move) -> Position:
    for move in moves:
        result = apply(position, move, rules)
        assert isinstance(result, Applied), (move, result.fault)
        position = result.position
    return position


def refused(position: Position, rules: Rules, move: Move) -> Code:
    result = apply(position, move, rules)
    assert isinstance(result, Refused), move
    return result.fault.code


def lay(train: str, text: str, **more: Any) -> Play:
    return Play(train, LaidTile.parse(text), **more)


# -- setup ------------------------------------------------------------------------------------------


def shuffled(first: str, size: int = 12) -> list[Tile]:
    """The set with some tiles on top; doubles otherwise at the bottom."""
    top = tiles(first)
    rest = sorted((tile for tile in DominoSet(size) if tile not in top), key=lambda tile: tile.is_double)
    return [*top, *rest]


def test_the_holder_lays_the_starting_double() -> None:
    deal = deal_round(Rules(), "ABCD", shuffled("12-12"), 12, "A")
    assert deal.laid_by == "A"
    assert [len(deal.hands[seat]) for seat in "ABCD"] == [14, 15, 15, 15]
    assert len(deal.boneyard) == 31
    position = new_round(Rules(), "ABCD", deal, "A")
    assert position.turn.seat == "A"
    assert position.turn.mode is Mode.BUILD
    assert position.hand("A").count == 14


def test_pulled_first() -> None:
    rules = Rules.of({"engine_source": "pulled"})
    deal = deal_round(rules, "ABCD", shuffled(""), 7, "A")
    assert deal.laid_by is None
    assert len(deal.boneyard) == 30
    assert deal.starting_double == 7
    assert all(Tile(7, 7) not in hand for hand in (*deal.hands.values(), deal.boneyard))


def test_drawing_until_it_is_found() -> None:
    rules = Rules()
    order = shuffled("")  # all doubles at the bottom of the boneyard
    deal = deal_round(rules, "ABCD", order, 12, "C")
    assert [seat for seat, _ in deal.draws][:5] == ["C", "D", "A", "B", "C"]
    assert deal.draws[-1] == (deal.laid_by, Tile(12, 12))
    assert sum(map(len, deal.hands.values())) + len(deal.boneyard) == 90


def test_all_draw_together() -> None:
    rules = Rules.of({"engine_draw": "all_draw_together"})
    order = shuffled("")
    place = order.index(Tile(12, 12))
    order[60], order[place] = order[place], order[60]  # the first tile drawn, by A
    deal = deal_round(rules, "ABCD", order, 12, "A")
    assert deal.laid_by == "A"
    assert len(deal.draws) == 4


def test_highest_held_and_nobody_has_one() -> None:
    rules = Rules.of({"engine_source": "highest_held"})
    deal = deal_round(rules, "ABCD", shuffled("3-3 9-9 5-5"), 12, "A")
    assert (deal.starting_double, deal.laid_by) == (9, "A")
    deal = deal_round(rules, "ABCD", shuffled(""), 12, "A")
    assert deal.draws
    assert deal.draws[-1] == (deal.laid_by, Tile(deal.starting_double, deal.starting_double))


def test_a_set_that_is_not_whole_is_refused() -> None:
    with pytest.raises(PositionError):
        deal_round(Rules(), "ABCD", shuffled("")[1:], 12, "A")


def test_a_real_table_knows_counts_only() -> None:
    position = new_round_unseen(Rules(), "ABCD", 12, "B", laid_by="B", draws={"A": 1, "B": 1})
    assert [hand.count for hand in position.hands] == [16, 15, 15, 15]
    assert position.boneyard_count == 91 - 1 - 61
    with pytest.raises(PositionError):
        new_round_unseen(Rules(), "AM", 12, "A")


# -- first turns ------------------------------------------------------------------------------------


def test_out_in_turn_1_waits_for_the_others() -> None:
    rules = Rules()
    position = at(rules, table_of(12), {"A": "12-5 5-9", "B": "12-1 1-1 4-4"}, boneyard="0-2 0-3", first=True)
    position = do(position, rules, lay("A", "12-5"), lay("A", "5-9"), Pass())
    assert not position.is_over
    assert position.out == ("A",)
    position = do(position, rules, lay("B", "12-1"), Pass(), Draw(), Pass())
    assert position.outcome is not None
    assert position.outcome.end is RoundEnd.OUT
    assert position.outcome.out == ("A",)


def test_out_in_turn_1_ends_at_once_where_agreed() -> None:
    rules = Rules.of({"first_turn_out": "immediate_end"})
    position = at(rules, table_of(12), {"A": "12-5"}, boneyard="0-2", first=True)
    position = do(position, rules, lay("A", "12-5"), Pass())
    assert position.is_over


def test_a_first_line_ending_with_a_double_binds_when_all_have_had_turn_1() -> None:
    rules = Rules()
    hands = {"A": "12-5 5-5 0-1", "B": "12-1 0-3", "C": "12-2 5-8"}
    position = at(rules, table_of(12), hands, boneyard="0-4 0-6", first=True)
    position = do(position, rules, lay("A", "12-5"), lay("A", "5-5"), Pass())
    assert position.turn.mode is Mode.BUILD
    position = do(position, rules, lay("B", "12-1"), Pass(), lay("C", "12-2"), Pass())
    assert position.turn.seat == "A"
    assert position.turn.mode is Mode.DUTY
    assert position.open_doubles[0].answers == 1


def test_a_chickenfoot_at_the_end_of_a_first_line_asks_for_three() -> None:
    rules = Rules.of({"double_answers": 3, "double_extra_tile": "none"})
    hands = {"A": "12-5 5-5 5-6 6-6 0-1"}
    position = at(rules, table_of(12), hands, boneyard="0-4", first=True)
    position = do(position, rules, *(lay("A", text) for text in ("12-5", "5-5", "5-6", "6-6")), Pass())
    assert [(double.value, double.answers) for double in position.open_doubles] == [(6, 3)]


def test_a_preempted_seat_keeps_its_line_and_a_stuck_one_does_not() -> None:
    rules = Rules.of({"first_turn_end_double": "immediate"})
    hands = {"A": "12-5 5-5 0-1 8-9", "B": "5-1 12-3 3-4 8-8", "C": "0-3 0-5"}
    position = at(rules, table_of(12), hands, boneyard="0-4 0-6 0-7 0-8 0-9", first=True)
    position = do(position, rules, lay("A", "12-5"), lay("A", "5-5"), Pass())
    assert position.turn.mode is Mode.DUTY
    position = do(position, rules, lay("A", "5-1"), Pass(), Draw(), Pass())
    assert "B" in position.preempted
    assert "C" not in position.preempted
    position = do(position, rules, lay("A", "1-0"), Pass())
    assert position.turn.may_build
    position = do(position, rules, lay("B", "12-3"), lay("B", "3-4"), Pass())
    assert len(position.table.train("B").tiles) == 2


def test_simultaneous_first_turns_rank_doubles_by_seat() -> None:
    rules = Rules.of({"first_turn_order": "simultaneous"})
    hands = {"A": "12-5 5-5 0-1", "B": "12-1 1-1 0-3", "C": "12-2 2-8"}
    position = at(rules, table_of(12), hands, boneyard="0-4", first=True)
    position = start_turn(position, rules, "B")
    position = do(position, rules, lay("B", "12-1"), lay("B", "1-1"), Pass())
    assert position.turn.seat == "C"
    position = do(position, rules, lay("C", "12-2"), Pass())
    position = do(position, rules, lay("A", "12-5"), lay("A", "5-5"), Pass())
    assert position.turn.seat == "A"  # the starter
    assert [double.train for double in position.open_doubles] == ["A", "B"]


# -- going out --------------------------------------------------------------------------------------

COVER = Rules.of({"go_out_on_double": "must_cover"})


def test_an_empty_hand_waits_for_its_double_to_be_covered() -> None:
    position = at(COVER, table_of(12, A="12-9", B="12-3"), {"A": "9-9", "B": "9-1 8-8"})
    position = do(position, COVER, lay("A", "9-9"))
    assert position.turn.need is Need.CLOSE
    position = do(position, COVER, Pass())
    assert not position.is_over
    assert position.table.train("A").marker
    assert position.waiting == (("A", "A", 9),)
    position = do(position, COVER, lay("A", "9-1"), Pass())
    assert position.outcome is not None
    assert position.outcome.out == ("A",)


def test_a_waiting_hand_only_passes() -> None:
    position = at(COVER, table_of(12, A="12-9", B="12-3"), {"A": "9-9", "B": "8-8", "C": "7-7"})
    position = do(position, COVER, lay("A", "9-9"), Pass(), Pass(), Pass())
    assert position.turn.seat == "A"
    assert refused(position, COVER, Draw()) is Code.BONEYARD_EMPTY
    position = do(position, COVER, Pass())
    assert position.outcome is not None
    assert position.outcome.end is RoundEnd.BLOCKED


def test_the_last_double_is_drawn_for() -> None:
    position = at(COVER, table_of(12, A="12-9"), {"A": "9-9"}, boneyard="9-2 0-1")
    position = do(position, COVER, lay("A", "9-9"))
    assert refused(position, COVER, Pass()) is Code.EXTRA_OWED
    position = do(position, COVER, Draw())
    assert refused(position, COVER, Pass()) is Code.MUST_PLAY_DRAWN
    position = do(position, COVER, lay("A", "9-2"), Pass())
    assert position.outcome is not None
    assert position.outcome.last == Tile(2, 9)


def test_out_on_a_double_in_the_published_game() -> None:
    position = at(Rules(), table_of(12, A="12-9"), {"A": "9-9"}, boneyard="9-2")
    position = do(position, Rules(), lay("A", "9-9"), Pass())
    assert position.is_over


# -- blocked ----------------------------------------------------------------------------------------


def test_markers_that_go_on_ask_the_others_again() -> None:
    passes = [(seat, True) for seat in "ABCD"]
    assert not circle_complete("ABCD", passes, markers_matter=True)
    assert circle_complete("ABCD", passes, markers_matter=False)
    assert circle_complete("ABCD", [*passes, ("A", False), ("B", False), ("C", False)], markers_matter=True)
    assert blocked_after("ABC", "", "ABCAB", Rules(), boneyard=0, live_double=False) == 5
    assert blocked_after("ABCD", "", "ABCDAB", Rules(), boneyard=0, live_double=False) is None
    assert blocked_after("ABCD", "", "ABCD", Rules(), boneyard=2, live_double=False) is None
    pass_only = Rules.of({"empty_boneyard": "pass_only"})
    assert blocked_after("ABCD", "", "ABCD", pass_only, boneyard=0, live_double=False) == 4
    own_train = Rules.of({"double_duty": "own_train"})
    assert blocked_after("ABCD", "", "ABCD", own_train, boneyard=0, live_double=True) is None


def test_a_round_is_blocked_by_passes() -> None:
    rules = Rules()
    position = at(rules, table_of(12, A="12-5", B="12-3", C="12-2", M="12-4"),
                  {"A": "7-8", "B": "7-9", "C": "8-9"})
    for number in range(1, 6):
        position = do(position, rules, Pass())
        assert position.is_over == (number == 5)
    assert position.outcome is not None
    assert not position.outcome.suspicion


def test_a_pass_whose_draw_empties_the_boneyard_counts() -> None:
    rules = Rules()
    position = at(rules, table_of(12, A="12-5 +", B="12-3 +", C="12-2 +", M="12-4"),
                  {"A": "7-8", "B": "7-9", "C": "8-9"}, boneyard="6-6")
    position = do(position, rules, Draw(), Pass(), Pass(), Pass())
    assert position.is_over


def test_known_hands_show_it_at_once() -> None:
    rules = Rules.of({"blocked_test": "hands"})
    table = table_of(12, A="12-5", B="12-3", C="12-2", M="12-4")
    position = at(rules, table, {"A": "7-8", "B": "7-9", "C": "8-9"})
    assert nobody_can_lay(position, rules)
    assert do(position, rules, Pass()).is_over
    able = at(rules, table, {"A": "7-8", "B": "7-9", "C": "5-9"})
    assert not nobody_can_lay(able, rules)  # A will be marked, and C can play there then
    pass_only = Rules.of({"blocked_test": "hands", "empty_boneyard": "pass_only"})
    assert nobody_can_lay(able, pass_only)


def test_a_live_double_in_a_blocked_round_is_suspicious() -> None:
    rules = Rules()
    position = at(rules, table_of(12, A="12-9 9-9", B="12-3", C="12-2"), {}, open_doubles=(OpenDouble("A", 9),))
    position = replace(position, hands=tuple(Hand((), 5) for _ in "ABC"), boneyard=None)
    position = do(position, rules, Pass(), Pass(), Pass())
    assert position.outcome is not None
    assert position.outcome.suspicion


# -- the last-tile call -----------------------------------------------------------------------------


def calling(**changes: object) -> tuple[Rules, Position]:
    rules = Rules.of({"one_tile_call": True, **changes})
    table = table_of(12, A="12-5", B="12-3", C="12-2", M="12-4")
    hands = {"A": "5-8 0-1", "B": "3-6 1-1 4-9", "C": "2-7 0-9 1-2"}
    return rules, at(rules, table, hands, boneyard="10-10 10-11 11-11 0-2")


def test_a_call_in_the_own_turn_leaves_nothing_to_catch() -> None:
    rules, position = calling()
    position = do(position, rules, Call("A"), lay("A", "5-8"), Pass())
    assert refused(position, rules, Catch("B", "A")) is Code.NOTHING_TO_CATCH


def test_a_late_call_inside_the_window_helps() -> None:
    rules, position = calling()
    position = do(position, rules, lay("A", "5-8"), Pass(), Call("A"))
    assert refused(position, rules, Catch("B", "A")) is Code.NOTHING_TO_CATCH
    assert refused(position, rules, Call("A")) is Code.NO_CALL_DUE


def test_caught_once_and_by_another_only() -> None:
    rules, position = calling()
    position = do(position, rules, lay("A", "5-8"), Pass())
    assert refused(position, rules, Catch("A", "A")) is Code.NOTHING_TO_CATCH
    position = do(position, rules, Catch("C", "A"))
    assert position.hand("A").count == 3
    assert position.boneyard_count == 2
    assert refused(position, rules, Catch("C", "A")) is Code.NOTHING_TO_CATCH


def test_the_narrow_window_closes_with_the_first_action() -> None:
    rules, position = calling(call_window="next_player_first_action")
    position = do(position, rules, lay("A", "5-8"), Pass(), lay("B", "3-6"))
    assert refused(position, rules, Catch("C", "A")) is Code.NOTHING_TO_CATCH


def test_at_play_needs_no_catcher() -> None:
    rules, position = calling(call_window="at_play", call_penalty=1)
    assert do(position, rules, lay("A", "5-8"), Pass()).hand("A").count == 2
    assert do(position, rules, Call("A"), lay("A", "5-8"), Pass()).hand("A").count == 1


def test_the_referee_catches_when_the_window_closes() -> None:
    rules, position = calling(call_caught_by="referee")
    position = do(position, rules, lay("A", "5-8"), Pass(), lay("B", "3-6"))
    assert position.hand("A").count == 1
    assert do(position, rules, Pass()).hand("A").count == 3


@pytest.mark.parametrize(
    ("boneyard", "changes", "drawn"),
    [
        ("10-10 10-11 11-11 0-2", {}, 2),
        ("10-10 10-11 11-11 0-2", {"call_penalty": 1}, 1),
        ("10-10", {}, 1),
        ("", {}, 0),
        ("", {"call_window": "at_play"}, 0),
    ],
)
def test_the_penalty_is_what_is_there(boneyard: str, changes: dict[str, object], drawn: int) -> None:
    rules, position = calling(**changes)
    left = tuple(tiles(boneyard))
    position = replace(position, boneyard=left, boneyard_count=len(left))
    position = do(position, rules, lay("A", "5-8"), Pass())
    if rules.call_window != "at_play":
        position = do(position, rules, Catch("C", "A"))
    assert position.hand("A").count == 1 + drawn
    assert position.boneyard_count == len(left) - drawn


def test_a_pass_with_one_tile_is_no_new_trigger() -> None:
    rules, position = calling()
    position = replace(position.with_hand("A", Hand.of(tuple(tiles("0-1")))), boneyard=(), boneyard_count=0)
    assert do(position, rules, Pass()).watches == ()


def test_two_seats_are_watched_apart() -> None:
    rules, position = calling()
    position = position.with_hand("B", Hand.of(tiles("3-6 1-1")))
    position = do(position, rules, lay("A", "5-8"), Pass(), lay("B", "3-6"), Pass())
    assert [watch.seat for watch in position.watches] == ["B"]


def test_no_call_where_it_is_not_played() -> None:
    rules, position = calling(one_tile_call=False)
    assert refused(position, rules, Call("A")) is Code.NO_CALL_DUE


# -- moves a program may try ------------------------------------------------------------------------


def test_tiles_that_are_not_there() -> None:
    rules, position = calling()
    assert refused(position, rules, lay("A", "5-9")) is Code.NOT_IN_HAND
    position = at(rules, table_of(12, A="12-5"), {"A": "7-8"}, boneyard="0-2")
    assert refused(position, rules, Draw(Tile(0, 3))) is Code.NOT_IN_BONEYARD
    assert do(position, rules, Draw(Tile(0, 2))).boneyard == ()


def test_the_owner_chooses_where_the_rules_leave_a_choice() -> None:
    rules = Rules.of({"marker_removal": "optional"})
    position = at(rules, table_of(12, A="12-5 +"), {"A": "5-8 1-1"})
    position = do(position, rules, lay("A", "5-8"))
    assert do(position, rules, Pass(marker=True)).table.train("A").marker
    assert not do(position, rules, Pass(marker=False)).table.train("A").marker
    assert do(position, rules, Pass()).table.train("A").marker
    strict = at(Rules(), table_of(12, A="12-5 +"), {"A": "5-8 1-1"})
    strict = do(strict, Rules(), lay("A", "5-8"))
    assert refused(strict, Rules(), Pass(marker=True)) is Code.MARKER_KEPT
