"""`stationmaster check`: right is 0, wrong is 1, and it says what was wrong."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from server.cli import build_parser
from server.commands import check
from tests.server.fakes import FakeReader, sighting

ANSWER = json.loads((files("server") / "check" / "hand.json").read_text("utf-8"))
TILES = [(tile[0], tile[1]) for tile in ANSWER["tiles"]]


def run(reader: FakeReader, *words: str) -> int:
    return check.run(build_parser("check").parse_args(["check", *words]), lambda: reader)


def test_the_answer_fits_itself() -> None:
    assert ANSWER["total"] == sum(map(sum, TILES))
    assert len(set(map(frozenset, TILES))) == len(TILES)


def test_right_either_way_round(capsys: pytest.CaptureFixture[str]) -> None:
    reader = FakeReader([sighting(ends[::-1]) for ends in TILES])
    assert run(reader, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is True
    assert (told["total"], told["expected"]) == (ANSWER["total"], ANSWER["total"])
    assert reader.asked[0][1].set_size == ANSWER["set"]
    assert run(reader) == 0
    assert "read right" in capsys.readouterr().out


def test_wrong_says_what(capsys: pytest.CaptureFixture[str]) -> None:
    reader = FakeReader([sighting((None, 1)), *(sighting(ends) for ends in TILES[1:])])
    assert run(reader, "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is False
    assert told["missing"] == [sorted(TILES[0])]
    assert told["extra"] == [[1, None]]
    assert run(reader, "--lang", "es") == 1
    assert "no encontradas" in capsys.readouterr().out


def test_the_right_total_by_the_wrong_tiles_is_wrong() -> None:
    tiles = [sighting(ends) for ends in TILES]
    first, second = TILES[0]
    tiles[0] = sighting((first - 1, second + 1))
    assert run(FakeReader(tiles)) == 1
