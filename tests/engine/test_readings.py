"""Readings of the rules matrix: positions written from its text alone, before the code was looked at.

`readings.jsonl` has the form of the shared vectors: `src` names the paragraph, `note` says what the text demands
there. `{"error": true}` marks input that must be refused. Where the code and a reading part, the text decides.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.judge import judge
from engine.rules import OPTIONS

READINGS: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("readings.jsonl").read_text(encoding="utf-8").splitlines()
]

NO_TURN_SHOWS_IT = frozenset(
    (
        *("players", "hand_size", "engine_draw", "first_starter", "start_rotation"),
        *("start_double", "rounds", "objective"),
        *("call_window", "call_penalty", "call_caught_by", "one_tile_call"),
        *("blocked_test", "blocked_scoring"),
        *("illegal_play_remedy", "misplay_window", "missed_marker_remedy"),
    )
)
"""Rules of the session, the call and the remedies: tested where they are played (sessions, calls, blocks)."""


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading["id"])
def test_judge_agrees_with_the_text(reading: dict[str, Any]) -> None:
    answer = judge({key: value for key, value in reading.items() if key not in ("exp", "ask")})
    expected = reading["exp"]
    if expected == {"error": True}:
        assert set(answer) == {"id", "error"}
        return
    assert "error" not in answer
    if reading["kind"] != "turn":
        assert answer["exp"] == expected
        return
    got = {key: answer[key] for key in expected}
    if "ends" in expected:
        got["ends"] = {train: answer["ends"][train] for train in expected["ends"]}
    if "marks" in expected:
        got["marks"] = sorted(answer["marks"])
    assert got == expected
    assert answer["ask"] == reading.get("ask")


def test_every_rule_and_value_is_read() -> None:
    read = {(name, str(value)) for reading in READINGS for name, value in _told(reading).items()}
    wanted = {
        (option.name, str(value))
        for option in OPTIONS.values()
        if option.name not in NO_TURN_SHOWS_IT
        for value in option.words
        if value not in (option.default, "custom")
    }
    assert wanted - read == set()


def _told(reading: dict[str, Any]) -> dict[str, Any]:
    opts = reading.get("opts", {})
    beside = {key: reading[key] for key in ("set_size", "engine_source", "deal_table") if key in reading}
    turn = {"set_size": reading["pre"]["n"]} if reading.get("kind") == "turn" and "n" in reading.get("pre", {}) else {}
    return {**(opts if isinstance(opts, dict) else {}), **beside, **turn}
