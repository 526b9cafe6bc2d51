"""What a watch takes over from people: whose turn it is, where no picture shows it."""

from __future__ import annotations

from dataclasses import replace

from engine.reducer import start_turn
from engine.rules import Rules
from engine.setup import new_round_unseen
from engine.table import LaidTile
from server.explaining import State
from server.round_watch import RoundWatch
from server.taking_up import hear

SEATS = ("A", "B")


def test_a_pass_that_left_no_trace_is_told_by_a_tap() -> None:
    rules = Rules.of({})
    start = new_round_unseen(rules, SEATS, 12, "A")
    watch = RoundWatch(rules, SEATS, (State.fresh(start),))
    told = start_turn(start, rules, "B")
    hear(watch, told, told)
    assert [state.seat for state in watch.states] == ["B", "A"]
    assert watch.states[0].weight < watch.states[1].weight


def test_where_the_table_lies_otherwise_the_pictures_are_right() -> None:
    rules = Rules.of({})
    start = new_round_unseen(rules, SEATS, 12, "A")
    watch = RoundWatch(rules, SEATS, (State.fresh(start),))
    train = start.table.train("A").with_tile(LaidTile(12, 3))
    told = start_turn(replace(start, table=start.table.with_train(train)), rules, "B")
    hear(watch, told, told)
    assert [state.seat for state in watch.states] == ["A"]
