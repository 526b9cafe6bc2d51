"""The shared vectors: rules and expected verdicts written down apart from this code."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.calls import after_first_action, after_turn
from engine.codes import Code
from engine.deductions import PassEvidence, fitting_tiles
from engine.judge import judge
from engine.moves import Call, Catch, Draw, Pass, Play
from engine.position import Hand, Position
from engine.reducer import Applied, apply, start_turn
from engine.rules import Rules
from engine.setup import deal_round, first_position
from engine.table import LaidTile, Table, Train
from engine.tile import DominoSet, Tile

SHARED = Path(os.environ.get("STATIONMASTER_SHARED", Path(__file__).parents[2].parent / "shared"))
VECTORS = SHARED / "rules" / "vectors.jsonl"

THROUGH_THE_API = ("audit", "engine", "call")
"""Kinds that tell events in prose; they are encoded by hand below."""


def _vectors() -> list[dict[str, Any]]:
    if not VECTORS.is_file():
        return []
    return [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines() if line.strip()]


ALL = _vectors()
BY_ID = {case["id"]: case for case in ALL}
pytestmark = pytest.mark.skipif(
    not ALL, reason=f"no shared vectors at {VECTORS} (set STATIONMASTER_SHARED to their folder)"
)


@pytest.mark.parametrize(
    "case", [case for case in ALL if case["kind"] not in THROUGH_THE_API], ids=lambda case: case["id"]
)
def test_judge_agrees(case: dict[str, Any]) -> None:
    told = {key: value for key, value in case.items() if key not in ("exp", "note")}
    answer = judge(told)
    assert "error" not in answer
    expected = case["exp"]
    if case["kind"] != "turn":
        assert answer["exp"] == expected
        return
    for key, value in expected.items():
        if key == "marks":
            assert sorted(answer["marks"]) == sorted(value)
        elif key == "ends":
            assert {train: answer["ends"][train] for train in value} == value
        else:
            assert answer[key] == value, answer["message"]


def test_every_shared_vector_is_tested() -> None:
    encoded = {*CALLS, *ENGINES, *AUDITS}
    told_in_prose = {case["id"] for case in ALL if case["kind"] in THROUGH_THE_API}
    assert told_in_prose <= encoded


# -- call: A is at risk, B moves next ---------------------------------------------------------------


def _at_the_start(rules: Rules, count: int, boneyard: int) -> Position:
    """A's turn 2, hands unknown, the Mexican train showing a 4 for A to play on."""
    table = Table(12, tuple(Train(seat, (LaidTile(12, 1 + place),)) for place, seat in enumerate("ABCD")))
    table = table.with_train(Train("M", (LaidTile(12, 5),)))
    start = first_position(rules, "ABCD", 12, "A", (), boneyard, None)
    hands = tuple(_hand(count if seat == "A" else 9) for seat in "ABCD")
    position = _replace(start, table=table, hands=hands, firsts=frozenset(), turns=(1, 1, 1, 1))
    return start_turn(position, rules, "A")


def _hand(count: int) -> Hand:
    return Hand((), count)


def _replace(position: Position, **changes: Any) -> Position:
    return replace(position, **changes)


def _do(position: Position, rules: Rules, *moves: Any) -> Position:
    for move in moves:
        result = apply(position, move, rules)
        assert isinstance(result, Applied), result.fault
        position = result.position
    return position


def _play_to_one(rules: Rules, boneyard: int, *, call: bool = False) -> Position:
    position = _at_the_start(rules, 2, boneyard)
    moves = [Play("M", LaidTile(5, 9)), *([Call("A")] if call else []), Pass()]
    return _do(position, rules, *moves)


def _drawn_by_a(position: Position, before: int = 1) -> int:
    return (position.hand("A").count or 0) - before


def _catch(position: Position, rules: Rules, by: str) -> Position:
    result = apply(position, Catch(by, "A"), rules)
    return result.position


def _k02(rules: Rules, bone: int) -> int:
    return _drawn_by_a(_catch(_play_to_one(rules, bone), rules, "C"))


def _k03(rules: Rules, bone: int) -> int:
    position = _do(_play_to_one(rules, bone), rules, Play("M", LaidTile(9, 7)), Pass())
    return _drawn_by_a(_catch(position, rules, "C"))


def _k04(rules: Rules, bone: int) -> int:
    position = _do(_play_to_one(rules, bone), rules, Draw())
    return _drawn_by_a(_catch(position, rules, "C"))


def _k11(rules: Rules, bone: int) -> int:
    position = _at_the_start(rules, 3, bone)
    position = _do(position, rules, Play("M", LaidTile(5, 5)), Play("M", LaidTile(5, 9)), Pass())
    return _drawn_by_a(_catch(position, rules, "B"))


def _k12(rules: Rules, bone: int) -> int:
    position = _at_the_start(rules, 1, bone)
    position = _do(position, rules, Draw(Tile(5, 9)), Play("M", LaidTile(5, 9)), Pass())
    return _drawn_by_a(_catch(position, rules, "B"))


def _k13(rules: Rules, bone: int) -> int:
    position = _play_to_one(rules, bone)
    late = apply(position, Call("A"), rules)  # refused: it does not help any more
    return _drawn_by_a(late.position)


CALLS = {
    "K02": _k02, "K03": _k03, "K04": _k04, "K05": _k04, "K06": _k02,
    "K08": _k02, "K11": _k11, "K12": _k12, "K13": _k13,
}


@pytest.mark.parametrize("name", [case["id"] for case in ALL if case["kind"] == "call"])
def test_call(name: str) -> None:
    case = BY_ID[name]
    rules = Rules.of(case["opts"])
    assert CALLS[name](rules, case["boneyard"]) == case["exp"]["draw"]


# -- engine: who lays the starting double -----------------------------------------------------------


def _deal(hands: dict[str, list[str]], boneyard: list[str], rules: Rules) -> Any:
    """A deal of fifteen each with some tiles put where the story wants them."""
    fixed = {seat: [Tile.parse(text) for text in texts] for seat, texts in hands.items()}
    next_up = [Tile.parse(text) for text in boneyard]
    used = {tile for tiles in fixed.values() for tile in tiles} | set(next_up)
    # Doubles stay out of the way, at the bottom of the boneyard, unless the story places them.
    rest = sorted((tile for tile in DominoSet(12) if tile not in used), key=lambda tile: tile.is_double)
    dealt: list[Tile] = []
    for seat in "ABCD":
        own = fixed.get(seat, [])
        dealt += own + [rest.pop(0) for _ in range(15 - len(own))]
    return deal_round(rules, "ABCD", [*dealt, *next_up, *rest], 12, "A")


def _s16(rules: Rules) -> dict[str, Any]:
    deal = _deal({}, ["3-4", "12-12"], rules)
    counts = {seat: len(hand) for seat, hand in deal.hands.items()}
    double = f"{deal.starting_double}-{deal.starting_double}"
    return {"starter": deal.laid_by, "engine": double, "hand_counts": counts}


def _s17(rules: Rules) -> dict[str, Any]:
    deal = _deal({"A": ["3-3"], "B": ["10-10"], "C": ["9-9"]}, [], rules)
    return {"starter": deal.laid_by, "engine": f"{deal.starting_double}-{deal.starting_double}"}


ENGINES = {"S16": _s16, "S17": _s17}


@pytest.mark.parametrize("name", [case["id"] for case in ALL if case["kind"] == "engine"])
def test_engine(name: str) -> None:
    assert ENGINES[name](Rules.of(BY_ID[name]["opts"])) == BY_ID[name]["exp"]


# -- audit: later tiles prove earlier hands ---------------------------------------------------------


def _zero_open(turn_draws: int) -> PassEvidence:
    table = Table(12, (Train("A", (LaidTile(12, 5),)), Train("M", (LaidTile(12, 0),))))
    return PassEvidence("A", fitting_tiles(table, [0], Rules()), turn_draws)


def _a01() -> PassEvidence:
    return _zero_open(1).showed([Tile(0, 3)])


def _a03() -> PassEvidence:
    return _zero_open(1).drew("A").showed([Tile(0, 3)]).showed([Tile(0, 8)])


def _a04() -> PassEvidence:
    return _zero_open(1).showed([Tile(0, 9)], complete=True)


def _a06() -> PassEvidence:
    return _zero_open(1).showed([Tile(0, 3), Tile(0, 8)], complete=True)


AUDITS = {"A01": _a01, "A03": _a03, "A04": _a04, "A06": _a06}


@pytest.mark.parametrize("name", [case["id"] for case in ALL if case["kind"] == "audit"])
def test_audit(name: str) -> None:
    finding = AUDITS[name]().finding(Rules())
    proof, _, codes = BY_ID[name]["exp"].partition(":")
    assert finding.proof.value == proof
    if codes:
        assert finding.codes == tuple(Code(code) for code in codes.split("|"))


def test_the_window_helpers_leave_other_rules_alone() -> None:
    rules = Rules()
    position = _at_the_start(rules, 2, 9)
    assert after_first_action(position, rules) is position
    assert after_turn(position, rules, laid=True) is position
