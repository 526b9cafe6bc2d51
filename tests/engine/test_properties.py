"""Invariants of the rules matrix, 2.8, and of `apply`, over rounds under random house rules."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.codes import Code
from engine.doubles import fits
from engine.judge import judge
from engine.legality import is_legal, legal_moves, why_not
from engine.moves import Draw, Move, Pass, Play
from engine.position import Mode, Position
from engine.presets import PRESETS, preset
from engine.reducer import Applied, History, Refused, apply
from engine.rules import Rules
from engine.spots import Spot, spot_for, trains_in_play
from engine.table import LaidTile, mexican_number
from engine.tile import DominoSet, Tile
from tests.engine.rounds import assert_conserved, begin, played, random_rules

FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SEEDS = st.integers(0, 10**9)


def _position(seed: int, changes: int = 8) -> tuple[Rules, Position]:
    """A position somewhere in a random round."""
    rng = random.Random(seed)
    rules = random_rules(rng, changes)
    position = begin(rules, rng.randint(2, 4), rng)
    stop = rng.randint(0, 120)
    for step, (before, _, _, _) in enumerate(played(rules, position, rng)):
        if step == stop:
            return rules, before
        position = before
    return rules, position


def _every_play(position: Position, rules: Rules) -> list[Play]:
    """Every tile of the hand at every end and side of every train, both ways round."""
    hand = position.hand(position.turn.seat).tiles
    ways = [laid for tile in hand for laid in (LaidTile(tile.low, tile.high), LaidTile(tile.high, tile.low))]
    plays = []
    for train in trains_in_play(position, rules):
        for laid in dict.fromkeys(ways):
            lines = position.table.train(train).lines
            plays += [Play(train, laid), *(Play(train, laid, line=line) for line in range(len(lines)))]
            for line, tiles in enumerate(lines):
                plays += [Play(train, laid, index, line) for index in range(len(tiles))]
    return plays


def _places(moves: list[Move], position: Position, rules: Rules) -> set[tuple[Spot, LaidTile]]:
    """Where the plays among these moves put which tile."""
    return {(spot_for(position, rules, move), move.laid) for move in moves if isinstance(move, Play)}


@FEW
@given(SEEDS)
def test_legal_moves_are_exactly_the_moves_that_apply(seed: int) -> None:
    rules, position = _position(seed)
    if position.is_over:
        assert legal_moves(position, rules) == []
        return
    listed = legal_moves(position, rules)
    assert len(set(listed)) == len(listed)
    accepted: list[Move] = [play for play in _every_play(position, rules) if is_legal(position, play, rules)]
    accepted += [move for move in (Draw(), Pass()) if is_legal(position, move, rules)]
    assert _places(listed, position, rules) == _places(accepted, position, rules)
    assert [m for m in accepted if not isinstance(m, Play)] == [m for m in listed if not isinstance(m, Play)]


@FEW
@given(SEEDS)
def test_a_refused_move_leaves_the_position_untouched(seed: int) -> None:
    rules, position = _position(seed)
    before = repr(position)
    others = [tile for tile in DominoSet(rules.set_size) if tile not in position.hand(position.turn.seat).tiles]
    tries: list[Move] = [*_every_play(position, rules), Draw(), Pass(), Pass(marker=True), Pass(marker=False)]
    tries += [Play("A", LaidTile(tile.low, tile.high)) for tile in others[:5]]
    for move in tries:
        result = apply(position, move, rules)
        if isinstance(result, Refused):
            assert result.position is position
            assert result.fault == why_not(position, move, rules)
        else:
            assert result.position.version == position.version + 1
        assert repr(position) == before


@FEW
@given(SEEDS)
def test_stale_moves_are_refused(seed: int) -> None:
    rules, position = _position(seed)
    for move in legal_moves(position, rules):
        stale = apply(position, move, rules, version=position.version - 1)
        assert isinstance(stale, Refused)
        assert stale.fault.code is Code.STALE
        assert isinstance(apply(position, move, rules, version=position.version), Applied)


@FEW
@given(SEEDS)
def test_invariants_hold_in_every_position(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng, 8)
    for _, _, _, position in played(rules, begin(rules, rng.randint(2, 4), rng), rng):
        assert_conserved(position, rules)
        _assert_sound(position, rules)


def _assert_sound(position: Position, rules: Rules) -> None:
    """2.8: no train starts with a double, covers are no doubles, markers are on seats, few trains start."""
    table = position.table
    for train in table.trains:
        end = table.starting_double
        for laid in train.tiles:
            assert fits(laid.near, end, rules)
            end = laid.far
        if train.tiles and not rules.blanks_wild:
            assert not train.tiles[0].is_double
            assert not any(one.is_double and other.is_double for one, other in pairwise(train.tiles))
    assert set(table.markers) <= set(position.seats)
    if not rules.blanks_wild:
        assert sum(train.started for train in table.trains) <= rules.set_size
    if not rules.mexican_present:
        assert not any(mexican_number(train.owner) for train in table.trains)
    for double in position.open_doubles:
        tiles = table.train(double.train).lines[double.line]
        assert tiles[-1] == LaidTile(double.value, double.value)


@FEW
@given(SEEDS, st.sampled_from(sorted(PRESETS)))
def test_the_shape_of_a_turn(seed: int, name: str) -> None:
    """2.8: a turn adds nothing, a tile, or doubles and at most one tile that is none, which comes last."""
    rng = random.Random(seed)
    rules = preset(name)
    for before, _, move, after in played(rules, begin(rules, rng.randint(2, 4), rng), rng):
        if not isinstance(move, Pass) or before.turn.mode is Mode.BUILD:
            continue
        laid = [lay.laid for lay in before.turn.lays]
        assert all(tile.is_double for tile in laid[:-1])
        only_doubles = bool(laid) and laid[-1].is_double
        out = before.hand(before.turn.seat).count == 0
        if only_doubles and not out and name == "published_default":
            assert after.table.train(before.turn.seat).marker


@FEW
@given(SEEDS)
def test_undo_goes_back_all_the_way(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng, 5)
    history = History.begin(begin(rules, 3, rng))
    for _, _, move, _ in played(rules, history.now, rng):
        history, result = history.apply(move, rules)
        assert isinstance(result, Applied)
    moves = len(history.moves)
    top = history.now.version
    for step in range(moves):
        before = history.positions[-2]
        history, result = history.undo()
        assert isinstance(result, Applied)
        assert history.now.version == top + step + 1
        assert history.now.table == before.table
        assert history.now.hands == before.hands
    history, result = history.undo()
    assert isinstance(result, Refused)
    assert result.fault.code is Code.NOTHING_TO_UNDO


def test_a_move_of_another_seat_is_refused() -> None:
    rng = random.Random(3)
    position = begin(Rules(), 3, rng)
    other = position.left_of(position.turn.seat)
    for move in (Pass(seat=other), Draw(seat=other), Play(other, LaidTile(12, 1), seat=other)):
        found = why_not(position, move, Rules())
        assert found is not None
        assert found.code is Code.WRONG_TURN


def test_nothing_moves_after_the_end() -> None:
    rng = random.Random(4)
    for _, _, _, position in played(Rules(), begin(Rules(), 2, rng), rng):
        last = position
    assert last.is_over
    result = apply(last, Pass(), Rules())
    assert isinstance(result, Refused)
    assert result.fault.code is Code.ROUND_OVER


def test_what_a_seat_may_see() -> None:
    position = begin(Rules(), 3, random.Random(5))
    seen = position.visible_to("B")
    assert seen.hand("B") == position.hand("B")
    assert seen.hand("A").tiles == ()
    assert seen.hand("A").count == position.hand("A").count
    assert seen.boneyard is None
    assert seen.boneyard_count == position.boneyard_count


@FEW
@given(SEEDS)
def test_turns_that_were_played_are_never_judged_illegal(seed: int) -> None:
    """The referee sees a legal turn from outside, hand unseen: it may doubt, but it may not accuse."""
    rng = random.Random(seed)
    rules = random_rules(rng, 6)
    start: Position | None = None
    acts: list[list[object]] = []
    for before, _, move, after in played(rules, begin(rules, 3, rng), rng):
        start = before if start is None else start
        if isinstance(move, Play):
            what = ["lay", move.train] if move.branch_index is None else ["branch", move.train, move.branch_index]
            acts.append([*what, str(move.laid)])
        elif isinstance(move, Draw):
            drawn = after.turn.pending[-1]
            assert drawn is not None
            acts.append(["draw", f"{drawn.low}-{drawn.high}"])
        else:
            if _can_be_told(start):
                _judge_from_outside(start, acts, after, rules)
            start, acts = None, []


def _can_be_told(position: Position) -> bool:
    """`pre` has no place for limbs that have grown, nor for a seat's history."""
    return not any(train.limbs for train in position.table.trains) and not position.preempted


def _judge_from_outside(
    start: Position, acts: list[list[object]], after: Position, rules: Rules
) -> None:
    turn = start.turn
    pre = {
        "n": rules.set_size,
        "engine": start.table.starting_double,
        "seats": "".join(start.seats),
        "trains": {t.owner: [str(laid) for laid in t.tiles] for t in start.table.trains if t.started},
        "marks": list(start.table.markers),
        "open": [[double.train, double.value] for double in start.open_doubles],
        "by": turn.seat,
        "turn": turn.number,
        "firsts": "".join(seat for seat in start.seats if seat in start.firsts),
        "bone": start.boneyard_count,
        "handcount": start.hand(turn.seat).count,
    }
    seen = [*acts, ["marks", list(after.table.markers)]]
    opts = {name: value for name, value in rules.changes().items() if name != "set_size"}
    answer = judge({"id": 1, "kind": "turn", "opts": opts, "pre": pre, "act": seen})
    assert answer.get("v") in ("legal", "undetermined"), (answer, pre, seen, opts)
    shown = judge({"id": 1, "kind": "turn", "opts": opts, "act": seen,
                   "pre": {**pre, "hand": [f"{t.low}-{t.high}" for t in start.hand(turn.seat).tiles]}})
    assert shown["v"] == "legal", (shown, pre, seen, opts)
    assert shown["marks"] == list(after.table.markers)


@pytest.mark.parametrize("text", ["7|12", "12-7"])
def test_tiles_read_both_ways(text: str) -> None:
    assert Tile.parse(text) == Tile(7, 12)
