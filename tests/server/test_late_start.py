"""A watch whose first picture comes late, or shows a starting double that nobody could read surely."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from datasets.quick_rounds import Eyes, Faults, plan_round
from engine.rules import Rules
from server.owners import ways
from server.told import Blur
from tests.server.test_noisy_watch import Following, table_of, true_lines


def followed(seed: int, missed: int) -> Following:
    """A round without its first pictures."""
    told = plan_round(seed, Faults(), (), 16)
    following = Following(told, Faults())
    for frame in told.frames[missed:]:
        following.see(frame)
    return following


@pytest.mark.parametrize("missed", [1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_first_lines_laid_before_the_first_picture_belong_to_their_seats(seed: int, missed: int) -> None:
    following = followed(seed, missed)
    assert table_of(following) == true_lines(following.round, following.round.frames[-1])
    score, notes = following.score
    late = [note for note in notes if int(note.split(":")[0].split()[0]) > missed]
    assert late == []
    assert score.false_alarms == 0


def test_what_lay_there_before_the_first_picture_accuses_nobody() -> None:
    following = followed(1, 3)
    first = following.round.frames[3].number
    told = [event for event in following.events if event["frame"] == first]
    assert told[0]["event"] == "ready"
    assert any(event["event"] == "lay" and event["train"] in following.round.seats for event in told)
    assert all(event["verdict"] != "illegal" for event in told)


@dataclass(slots=True)
class Dim(Eyes):
    """Eyes to which some halves of the starting double look a little more like another value."""

    halves: tuple[int, ...] = (0, 1)

    def _row(self, rng: np.random.Generator, number: int, half: int, value: int) -> np.ndarray:
        if number or half not in self.halves:
            return Eyes._row(self, rng, number, half, value)
        found = np.full(19, 0.001, np.float32)
        found[other_than(value)], found[value] = 0.6, 0.38
        return found


def other_than(value: int) -> int:
    return value + 1 if value < 12 else value - 1


def seen_dimly(halves: tuple[int, ...]) -> Following:
    told = plan_round(2, Faults(), (), 10)
    following = Following(told, Faults())
    following.eyes = Dim(told, Faults(), halves=halves)
    for frame in told.frames:
        following.see(frame)
    return following


def test_a_lone_tile_that_may_be_a_double_is_the_starting_double() -> None:
    following = seen_dimly((0,))
    value = following.round.lying[0].laid[0]
    assert following.events[0]["event"] == "ready"
    assert following.events[0]["tile"] == [value, value]
    assert table_of(following) == true_lines(following.round, following.round.frames[-1])


def test_a_starting_double_read_as_another_is_put_right_by_the_lines_that_begin_at_it() -> None:
    following = seen_dimly((0, 1))
    value = following.round.lying[0].laid[0]
    wrong = other_than(value)
    ready = [event for event in following.events if event["event"] == "ready"]
    assert [event["tile"] for event in ready] == [[wrong, wrong], [value, value]]
    assert ready[1]["corrects"] == [wrong, wrong]
    round_watch = following.watcher.round
    assert round_watch is not None
    assert round_watch.now.table.starting_double == value
    assert all(event["verdict"] != "illegal" for event in following.events)
    assert table_of(following) == true_lines(following.round, following.round.frames[-1])


def test_of_two_new_lines_the_seats_sit_in_order_round_the_hub() -> None:
    seats = ("A", "B", "C", "D")
    given = next(ways(["t1", "t2"], {}, {"t1": 1.25, "t2": 0.0}, seats, Rules(), ("B", "C", "D", "A")))
    assert given == {"t2": "B", "t1": "C"}


def test_a_marker_that_may_be_none_at_a_slot_of_nobody_changes_nothing() -> None:
    """All seats have begun; something that is hardly a marker comes to the hub."""
    told = plan_round(4, Faults(), (), 12)
    following = Following(told, Faults())
    for frame in told.frames:
        following.see(frame)
    round_watch = following.watcher.round
    assert round_watch is not None
    before = round_watch.states
    marked = [name for name, owner in round_watch.owners.items() if owner in round_watch.now.table.markers]
    said = round_watch.change((), (*marked, "t9"), {"t9": 0.1}, Blur(("t9",)))
    assert (said.accounts, said.flipped) == ((), ("t9",))
    assert round_watch.states == before
