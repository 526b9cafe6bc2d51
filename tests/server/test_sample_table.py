"""The sample table as a newcomer reads it: the command, the shipped networks, the picture of the README."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.cli import run

TABLE = Path(__file__).parents[2] / "examples" / "table.jpg"
HAND = TABLE.with_name("hand.jpg")

OPEN_ENDS = {"t1": 8, "t2": 5, "t3": 9, "t4": 6, "t5": 0, "t6": 0, "t7": 0, "t8": 7, "M": 9}
"""As the planned scene has it (`scripts.render_tables --seed 910028`)."""


def test_the_sample_table_is_read_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = tmp_path / "read.jpg"
    assert run(["read", str(TABLE), "--json", "--overlay", str(drawn)]) == 0
    seen = json.loads(capsys.readouterr().out)
    assert seen["starting_double"] == 5
    assert {train["id"]: train["open_end"] for train in seen["trains"]} == OPEN_ENDS
    assert [train["id"] for train in seen["trains"] if not train["marker"]] == ["t1", "M"]
    assert sum(len(train["tiles"]) for train in seen["trains"]) == 50
    assert seen["findings"] == []
    assert drawn.stat().st_size > 10_000


def test_trains_without_an_owner_are_called_by_their_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["read", str(TABLE), "--lang", "es"]) == 0
    told = capsys.readouterr().out
    assert "tren 8  5-8" in told
    assert "t8" not in told
    assert run(["read", str(TABLE), "--json", "--seats", "A,B,C,D,E,F,G,H", "--first-train", "2"]) == 0
    seats = {train["id"]: train.get("seat") for train in json.loads(capsys.readouterr().out)["trains"]}
    assert (seats["t2"], seats["t1"]) == ("A", "H")


def test_score_names_the_command_for_tables(capsys: pytest.CaptureFixture[str]) -> None:
    hint = "Si c'est une table : `read` la lit."
    assert run(["score", str(TABLE), "--lang", "fr"]) == 0
    assert hint in capsys.readouterr().out
    assert run(["score", str(HAND), "--lang", "fr"]) == 0
    assert hint not in capsys.readouterr().out
    assert run(["score", str(TABLE), "--lang", "fr", "--json"]) == 0
    assert hint not in json.dumps(json.loads(capsys.readouterr().out), ensure_ascii=False)


def test_seats_are_given_to_the_trains_at_the_hub(capsys: pytest.CaptureFixture[str]) -> None:
    """The Mexican train lies elsewhere: naming it changes nothing, and is no mistake."""
    for words in ((), ("--mexican", "M")):
        assert run(["read", str(TABLE), "--json", "--seats", "A,B,C,D,E,F,G,H", *words]) == 0
        seen = json.loads(capsys.readouterr().out)
        assert [train.get("seat") for train in seen["trains"]] == [*"ABCDEFGH", None]
    assert run(["read", str(TABLE), "--seats", "A,B"]) == 2
    assert "name a seat for each" in capsys.readouterr().err


def test_a_hand_is_no_table_to_watch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "hand.jpg").write_bytes(TABLE.with_name("hand.jpg").read_bytes())
    assert run(["watch", str(tmp_path), "--seats", "A,B"]) == 0
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert "starting double" in told.err


def test_a_game_under_way_is_said_to_be_nobodys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "table.jpg").write_bytes(TABLE.read_bytes())
    assert run(["watch", str(tmp_path), "--seats", "A,B,C,D,E,F,G,H"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["event"] == "ready"
    assert "under way" in told.err
