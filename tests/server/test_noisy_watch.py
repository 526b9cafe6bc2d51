"""Whole rounds watched through a reader with faults: nobody is accused wrongly, and the true table comes back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from datasets.film_score import FilmScore, score_film
from datasets.filmed_rounds import FOULS
from datasets.quick_rounds import Eyes, Faults, QuickFrame, QuickRound, plan_round
from server.watch_events import Moment
from server.watching import Watcher, WatchOptions

PROFILES = {
    "clear": Faults(hands=0.2),
    "skipped": Faults(skipped=0.15),
    "values": Faults(unclear=0.08, slip=0.01),
    "misses": Faults(missed=0.04, shy=0.04),
    "markers": Faults(unseen=0.15, shy=0.06, ghost=0.05),
    "everything": Faults(unclear=0.05, slip=0.006, missed=0.02, unseen=0.1, shy=0.03, ghost=0.03, hands=0.2,
                         skipped=0.03),
}
LEAST_EXACT = {"clear": 0.97, "skipped": 0.95, "values": 0.96, "misses": 0.94, "markers": 0.93, "everything": 0.93}


class Following:
    """A watcher and the eyes that it looks with."""

    def __init__(self, told: QuickRound, faults: Faults) -> None:
        self.round, self.eyes = told, Eyes(told, faults)
        self.watcher = Watcher(WatchOptions(told.seats, told.first))
        self.events: list[dict[str, Any]] = []

    def see(self, frame: QuickFrame) -> None:
        moment = Moment(frame.number, float(frame.number))
        if frame.kind == "hand":
            self.events += [event.as_json() for event in self.watcher.occluded(moment)]
            return
        board = self.watcher.board
        look = self.eyes.look(frame, board, [] if board is None else board.doubtful)
        if look is None:
            self.watcher.quiet()
            return

        def again(places: Any) -> Any:
            assert self.watcher.board is not None
            return self.eyes.again(self.watcher.board, places)

        self.events += [event.as_json() for event in self.watcher.settled(look, moment, again)]

    @property
    def score(self) -> tuple[FilmScore, list[str]]:
        return score_film(self.round.truth, self.events, {frame.number: frame.number for frame in self.round.frames})


def watched(seed: int, faults: Faults, turns: int = 24) -> Following:
    order = np.random.default_rng(seed).permutation(len(FOULS))
    kinds = tuple(FOULS[int(place)] for place in order[:2])
    following = Following(plan_round(seed, faults, kinds, turns), faults)
    for frame in following.round.frames:
        following.see(frame)
    return following


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_nobody_is_accused_by_a_misreading(name: str) -> None:
    total, notes = FilmScore(), []
    for seed in range(8):  # of fewer rounds' markers, chance decides
        score, found = watched(seed, PROFILES[name]).score
        total, notes = total.plus(score), [*notes, *(f"seed {seed}: {note}" for note in found)]
    assert total.false_alarms == 0, notes
    assert total.from_nothing == 0, notes
    assert total.lays_exact >= LEAST_EXACT[name] * total.lays, notes
    assert total.markers_right >= 0.7 * total.markers, notes


def test_fouls_are_called_where_the_table_shows_them() -> None:
    total, notes = FilmScore(), []
    for seed in range(6):
        score, found = watched(seed, Faults(), 30).score
        total, notes = total.plus(score), [*notes, *(f"seed {seed}: {note}" for note in found)]
    assert total.fouls >= 8
    assert total.fouls_called >= 0.8 * total.fouls, notes
    assert (total.false_alarms, total.markers_right) == (0, total.markers), notes


OVERLOOKED = pytest.mark.xfail(
    reason="the owner of a line that began in an overlooked first turn is not learnt anew", strict=True
)


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=OVERLOOKED if seed == 3 else ()) for seed in range(12)])
def test_two_clear_pictures_bring_back_the_true_table(seed: int) -> None:
    """From whatever state misreadings have led into."""
    faults = Faults(missed=0.12, unseen=0.4, shy=0.1, ghost=0.1, skipped=0.1)
    told = plan_round(seed, faults, (), 22)
    following = Following(told, faults)
    middle = 6 + seed % 9
    frames = [frame for frame in told.frames if frame.kind != "hand"]
    for frame in frames[:middle]:
        following.see(frame)
    following.eyes.faults = Faults()
    for frame in frames[middle : middle + 2]:
        following.see(frame)
    table, lying = table_of(following), true_lines(told, frames[min(middle + 1, len(frames) - 1)])
    assert table == lying
    round_watch = following.watcher.round
    assert round_watch is not None
    known = {train.owner: tuple((t.near, t.far) for t in train.tiles) for train in round_watch.now.table.trains}
    assert {owner: tiles for owner, tiles in known.items() if tiles} == lying


@pytest.mark.parametrize("seed", range(3))
def test_tiles_pushed_aside_are_moved_and_nothing_else(seed: int) -> None:
    following = watched(seed, Faults(nudged=0.5))
    score, notes = following.score
    true = [
        (frame.number, event["train"], tuple(event["tile"]))
        for frame in following.round.frames for event in frame.events if event["event"] == "moved"
    ]
    told = [(e["frame"], e["train"], tuple(e["tile"])) for e in following.events if e["event"] == "moved"]
    assert told == true
    assert true
    assert not [event for event in following.events if event["event"] == "removed"]
    assert (score.lays_extra, score.from_nothing) == (0, 0), notes


class Overlooking(Eyes):
    """Eyes that overlook a tile, the one of that number, until another lies there."""

    number, until = 0, 0

    def look(self, frame: QuickFrame, board: Any, doubts: Any) -> Any:
        """Where it is, nothing is looked for again."""
        hidden = self.round.lying[self.number].corners_px.mean(0)
        self.places = [place for place in self.places if np.hypot(*(place - hidden)) > 40]
        return super().look(frame, board, doubts)

    def _read(self, places: Any) -> Any:
        tiles, markers = super()._read(places)
        assert self.frame is not None
        hidden = self.round.lying[self.number].corners_px.mean(0)
        seen = self.frame.laid > self.until
        return [one for one in tiles if seen or np.hypot(*(one.corners_px.mean(0) - hidden)) > 20], markers


@pytest.mark.parametrize("seed", range(5))
def test_nobody_is_accused_when_an_overlooked_tile_is_seen_with_the_next_one(seed: int) -> None:
    told = plan_round(seed, Faults(), (), 24)
    following = Following(told, Faults())
    following.eyes = Overlooking(told, Faults())
    following.eyes.number, following.eyes.until = own_pair(told)
    for frame in told.frames:
        following.see(frame)
    score, notes = following.score
    assert score.false_alarms == 0, notes


def own_pair(told: QuickRound) -> tuple[int, int]:
    """Two tiles of one train, of which others' tiles lie between in time: their numbers."""
    by = [(tile.train, number) for number, tile in enumerate(told.lying) if number > 12 and tile.train in told.seats]
    return next(
        (one, other) for place, (train, one) in enumerate(by) for again, other in by[place + 1 :]
        if again == train and other - one > 2 and not any(name == train for name, n in by if one < n < other)
    )


def table_of(following: Following) -> dict[str, tuple[tuple[int, int], ...]]:
    board, round_watch = following.watcher.board, following.watcher.round
    assert board is not None
    assert round_watch is not None
    table = board.table(round_watch.owners)
    assert table is not None
    return {train.owner: tuple((t.near, t.far) for t in train.tiles) for train in table.trains if train.tiles}


def true_lines(told: QuickRound, frame: QuickFrame) -> dict[str, tuple[tuple[int, int], ...]]:
    lines: dict[str, tuple[tuple[int, int], ...]] = {}
    for tile in told.lying[1 : frame.laid]:
        lines[tile.train] = (*lines.get(tile.train, ()), tile.laid)
    return lines


def test_the_seed_makes_the_round() -> None:
    assert plan_round(3, PROFILES["everything"]).truth == plan_round(3, PROFILES["everything"]).truth
