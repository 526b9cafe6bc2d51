"""Rounds and sessions under random house rules, by random and by greedy players.

No crash, no stuck state, no lost tile. A few hundred rounds are played in every run. The long soak (3000 rounds
and 300 whole sessions) takes two to three minutes of a quiet machine and is asked for by name:

    pytest -m slow tests/engine/test_soak.py
"""

from __future__ import annotations

import random
import time
from dataclasses import replace

import pytest

from engine.presets import PRESETS, preset
from engine.rounds import starting_doubles
from engine.rules import Rules
from engine.scoring import score_hands
from engine.session import Closed, Dealt, Session, new_session
from tests.engine.rounds import SEATS, assert_conserved, begin, end_of, go_on, played, played_on, random_rules, shuffled


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


def _soak_session(seed: int) -> Session:
    """Thirteen rounds, each dealt, played to its end and counted."""
    rng = random.Random(seed)
    rules = replace(random_rules(rng, rng.randint(0, 25)), rounds=13, objective="lowest_total")
    session = new_session(SEATS[: rng.randint(2, 4)], rules)
    while not session.is_over:
        session = go_on(session, Dealt(shuffled(rules, rng), rng.choice(session.seats)))
        session = played_on(session, rng, greedy=rng.random() < 0.5)
        ended = session.position
        assert ended is not None
        assert ended.outcome is not None
        assert_conserved(ended, rules)
        hands = {seat: ended.hand(seat).tiles for seat in session.seats}
        session = go_on(session, Closed())
        row = session.sheet.rounds[-1]
        points = score_hands(hands, rules, ended.outcome.last, ended.outcome.out)
        assert {seat: row.of(seat) for seat in session.seats} == points
    return session


def _check_session(session: Session) -> None:
    sheet, rules = session.sheet, session.rules
    assert len(sheet.rounds) == 13
    assert sheet.winners
    assert sheet.totals() == {seat: sum(row.of(seat) for row in sheet.rounds) for seat in session.seats}
    if rules.engine_source != "highest_held":  # there the hands decide which double starts
        assert [row.starting_double for row in sheet.rounds] == starting_doubles(13, rules.set_size)


@pytest.mark.parametrize("seed", range(4))
def test_sessions(seed: int) -> None:
    _check_session(_soak_session(seed))


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("block", range(6))
def test_hundreds_of_sessions(block: int) -> None:
    for seed in range(200_000 + block * 50, 200_000 + block * 50 + 50):
        _check_session(_soak_session(seed))


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
