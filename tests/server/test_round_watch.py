"""A round followed by what lies on the table: who took a marker away, and whose turn it is known to be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.rules import Rules
from engine.setup import new_round_unseen
from engine.table import LaidTile, Table, Train
from server import round_watch as module
from server.explaining import Account, State
from server.round_watch import RoundWatch
from server.told import Fresh, Told

SEATS = ("A", "B", "C", "D")
LINES = {"t1": "A", "t2": "B", "t3": "C", "t4": "D", "t5": "M"}
ANGLES: dict[str, float | None] = {name: float(number) for number, name in enumerate(LINES)}


def watch(mover: str, *marks: str) -> RoundWatch:
    """A round in which every train has begun, with one seat to move."""
    rules = Rules.of({})
    trains = tuple(Train(owner, (LaidTile(12, place),)) for place, owner in enumerate(LINES.values()))
    start = replace(new_round_unseen(rules, SEATS, 12, "A"), firsts=frozenset(), turns=(1, 1, 1, 1))
    found = RoundWatch(rules, SEATS, (State.fresh(start),), dict(LINES))
    found.take_over(Table(12, trains), marks, mover)
    return found


def laid(line: str, near: int, far: int) -> Fresh:
    tile = LaidTile(near, far)
    return Fresh(100, line, tile, 0.99, ((tile, 0.99),))


def second(line: str, near: int, far: int) -> Fresh:
    return replace(laid(line, near, far), key=101)


def faults(told: Told) -> set[str]:
    return {turn.fault.code.value for account in told.accounts for turn in account.turns if turn.fault is not None}


def test_whoever_laid_took_the_marker_away_also_after_a_pass_that_nobody_saw() -> None:
    """C may have passed, with the marker up already, before D laid; or C laid. The marker is C's, and it is gone."""
    round_watch = watch("C", "C")
    told = round_watch.change([laid("t5", 4, 7)], [], ANGLES)
    assert faults(told) == {"R_MARKER_REMOVED_WRONGLY"}
    assert told.sure
    assert {account.seat_of(told.tiles[0][1]) for account in told.accounts} == {"C", "D"}
    assert {"A", "D"} <= {state.seat for state in round_watch.states}


def test_who_lays_on_a_train_and_takes_its_marker_off_is_its_owner() -> None:
    round_watch = watch("A", "A")
    told = round_watch.change([laid("t1", 0, 8)], [], ANGLES)
    assert faults(told) == set()
    round_watch.quiet = True
    missing = round_watch.change([laid("t3", 2, 9)], [], ANGLES)
    assert faults(missing) == {"R_MARKER_MISSING"}
    assert missing.sure


def test_a_lay_on_the_own_closed_train_says_whose_turn_it_is_whatever_was_told_before() -> None:
    round_watch = watch("A")
    round_watch.fouls = [True, True]
    round_watch.change([laid("t1", 0, 8)], [], ANGLES)
    told = round_watch.change([laid("t1", 8, 3)], [], ANGLES)
    assert faults(told) == {"R_TRAIN_PRIVATE"}
    assert told.sure


def test_a_foul_of_which_it_was_open_who_made_it_is_called_once_the_next_turn_shows_it() -> None:
    round_watch = watch("B")
    round_watch.anchored = False
    told = round_watch.change([laid("t2", 1, 5), second("t2", 5, 9)], [], ANGLES)
    assert (told.doubt, faults(told)) == ("actor", {"R_TOO_MANY_TILES"})
    told = round_watch.change([laid("t5", 4, 7)], [], ANGLES)  # anybody may have laid there
    assert not told.proven
    told = round_watch.change([laid("t4", 3, 7)], [], ANGLES)
    assert [(turn.seat, turn.fault.code.value) for turn in told.proven if turn.fault] == [("B", "R_TOO_MANY_TILES")]
    assert not any(state.pending for state in round_watch.states)


def test_nobody_is_called_for_a_lay_on_a_train_whose_marker_turns_up() -> None:
    round_watch = watch("C")
    round_watch.anchored = False
    told = round_watch.change([laid("t1", 0, 8)], [], ANGLES)
    assert (told.doubt, faults(told)) == ("actor", {"R_TRAIN_PRIVATE"})
    assert not round_watch.change([laid("t4", 3, 7)], ["t1"], ANGLES).proven
    told = watch("C").change([laid("t1", 0, 8)], ["t1"], ANGLES)  # known to be on move, but it turns up with the lay
    assert not told.sure or not faults(told)


def test_after_a_foul_that_is_one_whoever_made_it_the_next_seat_is_still_on_move() -> None:
    round_watch = watch("D")
    assert round_watch.change([laid("t4", 9, 2)], [], ANGLES).sure
    told = round_watch.change([laid("t4", 2, 6)], [], ANGLES)
    assert told.sure
    assert [turn.fault.code.value for turn in told.accounts[0].turns if turn.fault] == ["R_TRAIN_PRIVATE"]


def test_a_pass_without_a_marker_is_not_called_where_somebody_else_may_have_laid_lawfully() -> None:
    round_watch = watch("D")
    assert round_watch.change([laid("t4", 9, 2)], [], ANGLES).sure
    round_watch.quiet = True
    told = round_watch.change([laid("t2", 1, 5)], [], ANGLES)
    assert (told.doubt, faults(told)) == ("intermediate_frame", {"R_MARKER_MISSING"})


def test_what_a_tile_says_need_not_be_sure_where_it_is_enough_that_it_lies_there() -> None:
    round_watch = watch("A")
    round_watch.quiet = True
    tile, other = LaidTile(1, 9), LaidTile(1, 8)
    told = round_watch.change([Fresh(100, "t2", tile, 0.4, ((tile, 0.85), (other, 0.08)))], [], ANGLES)
    assert (told.sure, faults(told)) == (True, {"R_MARKER_MISSING"})
    round_watch = watch("A")
    told = round_watch.change([Fresh(100, "t1", LaidTile(1, 9), 0.4, ((tile, 0.85), (other, 0.08)))], [], ANGLES)
    assert (told.doubt, faults(told)) == ("readable_tile", {"R_NO_MATCH"})


def thought(monkeypatch: pytest.MonkeyPatch, lines: int, each: int) -> int:
    """How often an account is sought for so many new tiles on new lines, each of which may also be two others."""
    asked = []

    def nothing_explains(*args: object) -> list[Account]:
        asked.append(args)
        return []

    monkeypatch.setattr(module, "explain", nothing_explains)
    rules, seats = Rules.of({}), tuple("ABCDEFGH")
    round_watch = RoundWatch(rules, seats, (State.fresh(new_round_unseen(rules, seats, 12, "A")),))
    fresh = []
    for key in range(lines * each):
        options = tuple((LaidTile(11, (key + more) % 11), 0.9 - 0.3 * more) for more in range(3))
        fresh.append(Fresh(key, f"t{key % lines}", options[0][0], 0.9, options))
    round_watch.change(fresh, [], {f"t{number}": float(number) for number in range(lines)})
    assert asked
    return len(asked)


def test_very_many_tiles_at_once_are_not_thought_through_in_every_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture after a long gap in the dark must not hold up the watch: the likeliest ways have to do.

    Every account sought is also longer by each tile, so with more tiles fewer are sought, not more.
    """
    few = thought(monkeypatch, 3, 1)
    assert few > 200  # of few tiles every way is thought through
    for lines, each in ((6, 2), (8, 2), (8, 3)):
        assert thought(monkeypatch, lines, each) < few
