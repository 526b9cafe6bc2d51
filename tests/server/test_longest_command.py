"""`stationmaster longest`: output forms, exit codes and messages."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest
from PIL import Image

from server import compose
from server.cli import run
from tests.server.fakes import FakeReader


def test_json_has_the_form_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["longest", "--hand", "12-3,3-5,5-5,7-8", "--start", "12", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "line": [[12, 3], [3, 5], [5, 5]],
        "left": [[7, 8]],
        "left_pips": 15,
        "proven": True,
    }


def test_most_pips_is_another_line_than_most_tiles(capsys: pytest.CaptureFixture[str]) -> None:
    hand = ["--hand", "3-9,3-1,1-2", "--start", "3", "--json"]
    run(["longest", *hand])
    assert json.loads(capsys.readouterr().out)["line"] == [[3, 1], [1, 2]]
    run(["longest", *hand, "--most", "pips"])
    assert json.loads(capsys.readouterr().out)["line"] == [[3, 9]]


def test_people_read_the_line_and_what_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["longest", "--hand", "12-3 5|3, 7-8", "--start", "12"]) == 0
    text = capsys.readouterr().out
    assert "12-3  3-5" in text
    assert "7-8  (15 pips)" in text


def test_people_are_told_in_their_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["longest", "--hand", "12-3,3-5", "--start", "12", "--lang", "fr"]) == 0
    text = capsys.readouterr().out
    assert "2 dominos posés à partir de 12, 23 points" in text
    assert "il ne reste rien en main" in text


def test_no_tile_for_the_start_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["longest", "--hand", "1-2", "--start", "12"]) == 0
    assert "no tile in this hand shows 12" in capsys.readouterr().out


def test_a_hand_on_a_photo(capsys: pytest.CaptureFixture[str]) -> None:
    photo = files("server").joinpath("check", "hand.jpg")
    assert run(["longest", "--photo", str(photo), "--start", "12", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["line"][0][0] == 12
    assert answer["proven"] is True
    assert answer["doubtful"] == 0


def test_the_set_and_mixed_sets_reach_the_reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    reader = FakeReader()
    monkeypatch.setattr(compose, "open_reader", lambda: reader)
    photo = tmp_path / "hand.png"
    Image.new("RGB", (80, 60)).save(photo)
    for words in ([], ["--set", "15"], ["--set", "9", "--mixed"]):
        assert run(["longest", "--photo", str(photo), "--start", "9", *words]) == 0
    assert run(["longest", "--photo", str(photo), "--start", "14"]) == 0
    assert [(options.set_size, options.mixed) for _, options in reader.asked] == [
        (12, False),
        (15, False),
        (9, True),
        (15, False),
    ]


def test_a_photo_without_dominoes_is_called_that(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compose, "open_reader", FakeReader)
    photo = tmp_path / "table.png"
    Image.new("RGB", (80, 60)).save(photo)
    assert run(["longest", "--photo", str(photo), "--start", "9"]) == 0
    assert "no domino on this photo" in capsys.readouterr().err


def test_mixed_sets_hold_a_tile_twice(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["longest", "--hand", "1-2,2-1,1-1", "--start", "1", "--mixed", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["line"] == [[1, 1], [1, 2], [2, 1]]


def test_a_photo_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["longest", "--photo", "nowhere.jpg", "--start", "12", "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "nowhere.jpg: there is no such file" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--hand", "1-2,2-1", "--start", "1"], "1|2 is given 2 times"),
        (["--hand", "1-2,nonsense", "--start", "1"], "'nonsense' is not a tile"),
        (["--hand", "1-99", "--start", "1"], "no domino has the values 1 and 99"),
        (["--hand", "1-2", "--start", "19"], "between 0 and 18"),
        (["--hand", "1-2", "--start", "10", "--set", "9"], "a double-9 set goes up to 9"),
        (["--hand", "1-12", "--start", "1", "--set", "9"], "a double-9 set has no 1|12"),
        (["--photo", "", "--start", "1"], "'': an empty name is no file"),
        (["--hand", "1-2", "--start", "1", "--time-limit", "-1"], "can't be negative"),
    ],
)
def test_bad_usage_is_one_clear_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["longest", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
