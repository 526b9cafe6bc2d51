"""Rounds under random house rules, by random and by greedy players: no crash, no stuck state, no lost tile."""

from __future__ import annotations

import random
import time

import pytest

from engine.presets import PRESETS, preset
from engine.rules import Rules
from tests.engine.rounds import assert_conserved, begin, end_of, played, random_rules


def _soak(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng, rng.randint(0, 25))
    position = end_of(rules, begin(rules, rng.randint(2, 4), rng), rng, greedy=seed % 2 == 0)
    assert position.outcome is not None
    assert_conserved(position, rules)


@pytest.mark.parametrize("block", range(10))
def test_random_rules(block: int) -> None:
    for seed in range(block * 30, block * 30 + 30):
        _soak(seed)


@pytest.mark.parametrize(
    "seed",
    [3556, 7654, 9530, 12448, 13876, 13919, 20134],
    ids=[
        "a wild blank ends a line that may not end with a double",
        "so does a drawn one",
        "another such line",
        "and another",
        "and a fourth",
        "the referee's penalty takes the tile that was being drawn",
        "a drawn second double whose third tile must be drawn and may not",
    ],
)
def test_rounds_that_once_got_stuck(seed: int) -> None:
    _soak(seed)


@pytest.mark.parametrize("name", PRESETS)
def test_presets(name: str) -> None:
    rng = random.Random(name)
    rules = preset(name)
    most = 4 if rules.set_size == 9 else 8
    for seats in range(2, most + 1):
        for greedy in (True, False):
            assert_conserved(end_of(rules, begin(rules, seats, rng), rng, greedy), rules)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("block", range(6))
def test_thousands_of_rounds(block: int) -> None:
    for seed in range(100_000 + block * 500, 100_000 + block * 500 + 500):
        _soak(seed)


def test_speed_of_a_session() -> None:
    """Thirteen rounds of four random players in under three seconds, a move in under a millisecond.

    Processor time: what else runs on the machine is not the engine's doing.
    """
    rng = random.Random(13)
    moves = 0
    start = time.process_time()
    for _ in range(13):
        for _ in played(Rules(), begin(Rules(), 4, rng), rng):
            moves += 1
    seconds = time.process_time() - start
    assert seconds < 3
    assert seconds / moves < 0.001
