"""`stationmaster judge` and `stationmaster rules` from outside."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from engine.codes import RESTS_ON
from engine.messages import SENTENCES, sentence
from engine.presets import PRESETS
from engine.rules import OPTIONS
from server.cli import run
from server.rulings import ruling_sentence

LEGAL = {"id": "a", "kind": "turn", "pre": {"by": "A", "turn": 2, "trains": {"A": ["12-5"]}},
         "act": [["lay", "A", "5-8"]]}
ILLEGAL = {**LEGAL, "id": "b", "act": [["lay", "A", "6-8"]]}
BROKEN = {**LEGAL, "id": "c", "opts": {"no_such_rule": 1}}
DOUBTFUL = {**LEGAL, "id": "d", "act": [["draw", "?"], ["marks", ["A"]]]}


def judged(path: Path, cases: list[Any], capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, Any]]]:
    path.write_text("\n".join(case if isinstance(case, str) else json.dumps(case) for case in cases), "utf-8")
    code = run(["judge", str(path)])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    assert judged(file, [LEGAL, DOUBTFUL], capsys)[0] == 0
    assert judged(file, [LEGAL, ILLEGAL], capsys)[0] == 1
    assert judged(file, [LEGAL, BROKEN], capsys)[0] == 2
    assert judged(file, [BROKEN, ILLEGAL], capsys)[0] == 1
    assert judged(file, [], capsys)[0] == 0


def test_a_bad_line_never_stops_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases: list[Any] = ["nonsense", "", "[" * 100_000, LEGAL, BROKEN, "3", ILLEGAL]
    _, answers = judged(tmp_path / "cases.jsonl", cases, capsys)
    assert [answer["id"] for answer in answers] == [None, None, "a", "c", None, "b"]
    assert ["error" in answer for answer in answers] == [True, True, False, True, True, False]


def test_bytes_that_are_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(LEGAL).encode() + b"\r\n\x89\xfe\n" + json.dumps(ILLEGAL).encode())
    assert run(["judge", str(file)]) == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer.get("v") for answer in answers] == ["legal", None, "illegal"]
    assert answers[1]["error"] == "line 2 is not text"


def test_a_picture_given_for_cases_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\n" * 50)
    assert run(["judge", str(file)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert "JSON" in told.err


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(LEGAL) + "\n"))
    assert run(["judge"]) == 0
    assert json.loads(capsys.readouterr().out)["next"] == "B"


def test_a_missing_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["judge", str(tmp_path / "none.jsonl")]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert "none.jsonl" in told.err


def test_the_catalogue(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [entry["name"] for entry in told["rules"]] == list(OPTIONS)
    assert [entry["name"] for entry in told["presets"]] == list(PRESETS)
    assert run(["rules"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in (*OPTIONS, *PRESETS))


@pytest.mark.parametrize("name", [*OPTIONS, *PRESETS, *RESTS_ON])
def test_explaining_one(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", name]) == 0
    assert name in capsys.readouterr().out
    assert run(["rules", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == name


def test_explaining_what_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "no_such_rule"]) == 2
    assert "no_such_rule" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("order", "double_order"), ("dubble_order", "double_order"), ("frensh", "french"), ("kept", "R_MARKER_KEPT")],
)
def test_a_name_half_remembered(typed: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", typed]) == 2
    assert meant in capsys.readouterr().err


@pytest.mark.parametrize("line", ['{"id": NaN, "kind": "set"}', '{"id": 1e999, "kind": "set"}'])
def test_what_is_written_is_json(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, answers = judged(tmp_path / "cases.jsonl", [line, LEGAL], capsys)
    assert code == 2
    assert [answer["id"] for answer in answers] == [None, "a"]


@pytest.mark.parametrize(("language", "told"), [("fr", "le train mexicain"), ("es", "el tren mexicano")])
def test_rulings_speak_the_language(
    language: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps({**LEGAL, "act": [["lay", "M", "5-8"]]}) + "\n" + json.dumps(LEGAL), "utf-8")
    assert run(["judge", str(file), "--lang", language]) == 1
    messages = [json.loads(line)["message"] for line in capsys.readouterr().out.splitlines()]
    assert told in messages[0]
    assert "turn is fine" not in messages[1]


@pytest.mark.parametrize("language", ["fr", "es"])
def test_every_ruling_has_its_sentence(language: str) -> None:
    for key in SENTENCES:
        code = key.split(".")[0]
        assert ruling_sentence(code, {"seat": "A"}, language) != sentence(code, {"seat": "A"})


@pytest.mark.parametrize(("language", "reason"), [("en", "there is no such file"), ("fr", "ce fichier n'existe pas"),
                                                  ("es", "este archivo no existe")])
def test_a_missing_file_is_one_line_in_the_persons_language(
    language: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "cases.jsonl"
    assert run(["judge", str(missing), "--lang", language]) == 2
    assert capsys.readouterr().err == f"stationmaster: {missing}: {reason}\n"
    assert run(["read", "photo.jpg", "--rules", str(missing), "--lang", language]) == 2
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize(("language", "words"), [("fr", ("Qui un double ouvert engage.", "valeurs")),
                                                 ("es", ("A quién obliga un doble abierto.", "valores"))])
def test_house_rules_are_explained_in_the_persons_language(
    language: str, words: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rules", "double_duty", "--lang", language]) == 0
    told = capsys.readouterr().out
    assert all(word in told for word in words)
    assert run(["rules", "double_duty", "--lang", language, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sentence"] == words[0]
    assert run(["rules", "--lang", language]) == 0
    english = {option.sentence for option in OPTIONS.values()} | {preset.sentence for preset in PRESETS.values()}
    whole = " ".join(capsys.readouterr().out.split())
    assert not [sentence for sentence in english if sentence in whole]
