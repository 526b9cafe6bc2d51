"""`watch`, its log, and `dispute`, end to end with a reader that knows what lies there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.films import Film
from engine.rules import Rules
from server import sources
from server.cli import build_parser, run
from server.commands import dispute, watch
from server.disputes import Log, answer
from server.errors import UsageError
from server.speaking import sentence_of
from tests.server.fakes import FakeReader
from tests.server.film_fakes import KnowingReader, draw, small_film
from tests.server.test_taps import Fingers
from vision.image import read_image
from vision.reader import ReadOptions
from vision.tiles import BgrImage, PhotoReading, TileSighting

Run = Callable[..., tuple[int, list[dict[str, Any]]]]


@pytest.fixture(scope="module")
def film() -> Film:
    return small_film(2, turns=14, hands=0.2, still=0.1)


@pytest.fixture
def frames(film: Film, tmp_path: Path) -> Path:
    """The film's frames as files that lose nothing."""
    folder = tmp_path / "frames"
    folder.mkdir()
    for frame in film.frames:
        cv2.imwrite(str(folder / f"{frame.number}.png"), draw(film, frame))
    return folder


@pytest.fixture
def follow(film: Film, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    reader = KnowingReader(film)

    def read(path: Path) -> Any:
        reader.frame = film.frames[int(path.stem)]
        return read_image(path)

    monkeypatch.setattr(sources, "read_image", read)

    def run(*words: str) -> tuple[int, list[dict[str, Any]]]:
        args = build_parser("watch").parse_args(["watch", *words])
        code = watch.run(args, lambda: reader)
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


def told(events: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(e["frame"], e["event"], e["seat"], e["train"], e["tile"], e["verdict"]) for e in events]


def test_a_folder_gives_a_line_of_json_for_each_event(follow: Run, frames: Path, film: Film) -> None:
    code, events = follow(str(frames), "--seats", "A,B,C,D", "--first", film.first)
    assert code == 0
    assert events[0]["event"] == "ready"
    assert events[0]["frame"] == "0.png"
    lays = [event for event in events if event["event"] == "lay"]
    assert len(lays) == len(film.places) - 1
    assert all(event["message"] for event in events)


def test_french_and_spanish_say_the_same(follow: Run, frames: Path, film: Film) -> None:
    _, english = follow(str(frames), "--seats", "A,B,C,D", "--first", film.first)
    _, french = follow(str(frames), "--seats", "A,B,C,D", "--first", film.first, "--lang", "fr")
    assert told(english) == told(french)
    assert english[0]["message"] != french[0]["message"]


@pytest.mark.parametrize(("words", "missing"), [((), "starting double"), (("--free",), "domino")])
def test_a_table_on_which_nothing_lies_is_said_to_have_shown_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], missing: str
) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.full((240, 320, 3), 90, np.uint8))
    args = build_parser("watch").parse_args(["watch", str(tmp_path), *words])
    assert watch.run(args, FakeReader) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert missing in told.err
    assert told.err.count("\n") == 1


def test_a_watch_that_was_cut_off_goes_on(follow: Run, frames: Path, film: Film, tmp_path: Path) -> None:
    words = ["--seats", "A,B,C,D", "--first", film.first]
    _, whole = follow(str(frames), *words)
    half = len(film.frames) // 2
    first = tmp_path / "half"
    first.mkdir()
    for number in range(half):
        (first / f"{number}.png").symlink_to(frames / f"{number}.png")
    save = tmp_path / "log"
    _, before = follow(str(first), *words, "--save", str(save))
    with (save / "log.jsonl").open("a") as file:
        file.write('{"event": "la')  # cut off in the middle of a line
    _, after = follow(str(frames), *words, "--save", str(save))
    before = [event for event in before if event["event"] != "round_over"]
    assert told(before + after) == told(whole)


def test_the_log_answers_disputes(
    follow: Run, frames: Path, film: Film, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save = tmp_path / "log"
    follow(str(frames), "--seats", "A,B,C,D", "--first", film.first, "--save", str(save))
    page = tmp_path / "turn.html"

    def ask(*words: str) -> tuple[int, dict[str, Any]]:
        args = build_parser("dispute").parse_args(["dispute", str(save), *words, "--json"])
        code = dispute.run(args)
        return code, json.loads(capsys.readouterr().out)

    code, answer = ask("was turn 2 legal?", "--html", str(page))
    assert (code, answer["verdict"]) == (0, "legal")
    assert answer["evidence"]
    text = page.read_text("utf-8")
    assert text.count("data:image/jpeg") >= 2
    assert "http" not in text.replace("http-equiv", "")
    assert ask("who owes the cover?")[1]["code"] in ("dispute.owes", "dispute.owes_nobody")
    for seat in "ABCD":
        answer = ask(f"could {seat} have played?")[1]
        assert answer["code"] in ("dispute.no_pass", "dispute.could", "dispute.could_not", "dispute.unknown")
    assert run(["dispute", str(save), "--json", "who", "--lang", "fr", "owes", "the", "cover?"]) == 0  # options between
    assert json.loads(capsys.readouterr().out)["code"] in ("dispute.owes", "dispute.owes_nobody")
    with pytest.raises(SystemExit):
        run(["dispute", str(save), "turn", "--colour", "2"])
    with pytest.raises(UsageError, match="no turn 400"):
        ask("turn 400")
    with pytest.raises(UsageError, match="who owes"):
        ask("what is the time?")


class HandReader:
    """Sees the same tiles on every photo."""

    model_id = "hand"

    def __init__(self, *ends: tuple[int, int]) -> None:
        self.ends = ends

    def read(self, image: BgrImage, options: ReadOptions) -> PhotoReading:  # noqa: ARG002 - the protocol's
        empty = np.zeros((0, 2), np.float32)
        tiles = tuple(
            TileSighting("face_up", ends, np.zeros((4, 2), np.float32), 0.99, np.zeros((2, 19), np.float32), empty)
            for ends in self.ends
        )
        return PhotoReading(tiles, (), (), (100, 100), "hand", {})


def test_hands_are_counted_against_the_table_of_the_log(
    follow: Run, frames: Path, film: Film, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save = tmp_path / "log"
    follow(str(frames), "--seats", "A,B,C,D", "--first", film.first, "--save", str(save))
    (_, laid), free = film.lines[1], (0, 0)
    photo = str(frames / "0.png")

    def count(reader: HandReader, *words: str) -> tuple[int, str]:
        args = build_parser("dispute").parse_args(["dispute", str(save), "--count", f"A={photo}", *words])
        return dispute.run(args, lambda: reader), capsys.readouterr().out

    code, out = count(HandReader(laid), "--json")
    (found,) = json.loads(out)["contradictions"]
    assert (code, found["code"], found["seats"]) == (1, "tile_on_table", ["A"])
    assert found["pictures"][0].startswith("pictures/")
    assert (save / found["pictures"][0]).is_file()
    if all(sorted(tile) != [0, 0] for _, tile in film.lines):
        assert count(HandReader(free))[0] == 0
    assert any(json.loads(line).get("event") == "round_count" for line in (save / "log.jsonl").read_text().splitlines())
    wrong = build_parser("dispute").parse_args(["dispute", str(save), "--count", "Z=x.jpg"])
    with pytest.raises(UsageError, match="SEAT=PHOTO"):
        dispute.run(wrong, lambda: HandReader())


@pytest.mark.parametrize(
    "words", [["--seats", "A"], ["--seats", "A,A"], ["--first", "Z", "--seats", "A,B"], ["--rules", "none"],
              ["--from", "nowhere.json"], ["--mixed", "--seats", "A,B"],
              ["--rules", "mtf_chickenfoot", "--seats", "A,B"]]
)
def test_bad_usage_is_one_clear_line(words: list[str], tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), draw(small_film(0), small_film(0).frames[0]))
    args = build_parser("watch").parse_args(["watch", str(tmp_path), *words])
    with pytest.raises(UsageError) as error:
        watch.run(args, lambda: pytest.fail("the model is not needed to refuse this"))
    assert "\n" not in str(error.value)


def test_a_log_that_is_none(tmp_path: Path) -> None:
    args = build_parser("dispute").parse_args(["dispute", str(tmp_path), "turn 1"])
    with pytest.raises(UsageError):
        dispute.run(args)
    picture = tmp_path / "picture.jpg"
    picture.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(UsageError, match="this is no log of a watch"):
        dispute.run(build_parser("dispute").parse_args(["dispute", str(picture), "turn 1"]))
    with pytest.raises(UsageError, match="ce n'est pas un journal"):
        dispute.run(build_parser("dispute").parse_args(["dispute", str(tmp_path), "turn 1", "--lang", "fr"]))
    with pytest.raises(UsageError, match="there is no such file"):
        dispute.run(build_parser("dispute").parse_args(["dispute", str(tmp_path / "none"), "turn 1"]))


@pytest.mark.parametrize(
    ("questions", "code"),
    [
        (("was turn 1 legal?", "1", "turn 1", "le tour 1 était-il permis ?", "TOUR 1", "le coup 1 est-il légal ?",
          "¿fue legal el turno 1?", "la jugada 1"), "dispute.legal"),
        (("who owes the cover?", "qui doit couvrir ?", "qui couvre le double ?", "¿quién debe cubrir?",
          "¿a quién le toca cubrir?", "¿quién cubre?"), "dispute.owes_nobody"),
        (("could Bo have played?", "bo aurait-il pu jouer ?", "Bo a-t-il pu jouer ?", "¿pudo jugar Bo?",
          "¿Podía jugar bo?", "could b have played?", "B a-t-il pu jouer ?"), "dispute.no_pass"),
    ],
)
def test_questions_are_understood_in_three_languages(tmp_path: Path, questions: tuple[str, ...], code: str) -> None:
    turn = {"event": "turn", "turn": 1, "seat": "Bo", "seats": [], "verdict": "legal", "why": None, "message": ""}
    log = Log(tmp_path, Rules.of({}), ("A", "Bo", "B"), (turn,))
    for question in questions:
        found = answer(log, question, None, "en")
        assert found.code == code, question
        if code == "dispute.no_pass":
            assert found.params["seat"] == ("Bo" if "bo" in question.lower() else "B"), question


@pytest.mark.parametrize(("language", "word"), [("en", "turn 17"), ("fr", "le tour 17"), ("es", "el turno 17")])
def test_a_question_that_is_not_understood_is_answered_with_what_can_be_asked(
    tmp_path: Path, language: str, word: str
) -> None:
    log = Log(tmp_path, Rules.of({}), ("A", "Zoe"), ())
    for question in ("quelle heure est-il ?", "¿a qué hora?", "is it a fine day?"):
        with pytest.raises(UsageError) as error:
            answer(log, question, None, language)
        assert word in str(error.value)
        assert "Zoe" in str(error.value)


def test_a_turn_of_nobody_known_is_told_whole_in_the_language_that_is_asked_for(tmp_path: Path) -> None:
    params = {"tile": "2-6", "train": "B", "seat": None, "end": 5}
    nobody = {"seat": None, "seats": [], "event": "lay", "turn": 1, "code": "watch.lay", "params": params}
    unread = {**nobody, "message": "said in English", "verdict": "undetermined", "why": None, "ask": "readable_tile"}
    wrong = {**nobody, "message": "said in English", "verdict": "illegal", "why": "R_NO_MATCH", "ask": None}
    log = Log(tmp_path, Rules.of({}), ("A", "B"), (unread, wrong))
    text = answer(log, "turn 1", None, "fr").text
    assert text.startswith("Tour 1 : contraire aux règles. Le 2-6 a été posé sur le train de B. Un domino")
    assert "English" not in text
    assert text.endswith("Règles de la maison : Si un blanc va avec tout: non.")
    assert "?" not in text
    with pytest.raises(UsageError, match="it has 1"):
        answer(log, "turn 9", None, "en")


def test_a_reason_that_an_event_gave_is_not_said_again(tmp_path: Path) -> None:
    params = {"tile": "2-6", "train": "B", "seat": "A", "end": 5}
    wrong = {"seat": "A", "seats": ["A"], "event": "turn", "turn": 1, "code": "ruling.R_NO_MATCH", "params": params,
             "message": "", "verdict": "illegal", "why": "R_NO_MATCH", "ask": None}  # fmt: skip
    text = answer(Log(tmp_path, Rules.of({}), ("A", "B"), (wrong, wrong)), "turn 1", None, "en").text
    assert text.count(sentence_of("ruling.R_NO_MATCH", params, "en")) == 1


def test_before_anybody_acted_there_is_no_turn_to_judge(tmp_path: Path) -> None:
    ready = {"event": "ready", "turn": 1, "seat": None, "seats": [], "verdict": None, "why": None, "message": ""}
    log = Log(tmp_path, Rules.of({}), ("A", "B"), (ready,))
    with pytest.raises(UsageError, match="no turn 1 in this log; it has 0"):
        answer(log, "was turn 1 legal?", None, "en")


def test_a_log_without_players_claims_nothing(tmp_path: Path) -> None:
    nobody = {"seat": None, "seats": [], "verdict": None, "why": None}
    laid = {"event": "lay", "turn": 1, "message": "6-6 was laid", **nobody}
    log = Log(tmp_path, Rules.of({}), (), (laid,))
    for question in ("turn 1", "who owes the cover?", "could B have played?"):
        assert answer(log, question, None, "en").code == "dispute.not_refereed"


def typing(film: Film, monkeypatch: pytest.MonkeyPatch, keys: dict[int, str]) -> tuple[KnowingReader, Fingers]:
    """A reader of the film, and fingers that type these keys while the picture of that number is fetched."""
    reader, fingers = KnowingReader(film), Fingers()

    def read(path: Path) -> Any:
        number = int(path.stem)
        reader.frame = film.frames[number]
        fingers.keys += keys.get(number, "")
        return read_image(path)

    monkeypatch.setattr(sources, "read_image", read)
    return reader, fingers


def test_keys_are_heard_between_two_pictures_and_kept_in_the_log(
    film: Film, frames: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reader, fingers = typing(film, monkeypatch, {1: "p", 4: "?q"})
    words = ["watch", str(frames), "--seats", "A,B,C,D", "--first", film.first, "--lang", "fr"]
    args = build_parser("watch").parse_args([*words, "--save", str(tmp_path / "log")])
    assert watch.run(args, lambda: reader, lambda _: fingers) == 0
    out, err = capsys.readouterr()
    told = [json.loads(line) for line in out.splitlines()]
    passed = next(event for event in told if event["event"] == "turn")
    assert (passed["seat"], passed["frame"]) == (film.first, "1.png")
    assert err.count("Touches") == 2  # at the start, and when asked
    assert fingers.closed
    assert {event["frame"] for event in told} <= {f"{number}.png" for number in range(4)}  # q ends it
    kept = [json.loads(line) for line in (tmp_path / "log" / "log.jsonl").read_text("utf-8").splitlines()]
    assert [entry["event"] for entry in kept[1:]] == [event["event"] for event in told if event["event"] != "clear"]


def test_for_programs_no_key_is_asked_for(
    film: Film, frames: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reader, fingers = typing(film, monkeypatch, {0: "q"})
    args = build_parser("watch").parse_args(["watch", str(frames), "--seats", "A,B,C,D", "--json"])
    assert watch.run(args, lambda: reader, lambda _: fingers) == 0
    assert not fingers.closed
    assert "Keys" not in capsys.readouterr().err


def test_who_wants_no_more_does_not_wait_for_the_next_picture(
    film: Film, frames: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, fingers = typing(film, monkeypatch, {})
    closed: list[str] = []
    monkeypatch.setattr(sources.FolderSource, "close", lambda _: closed.append("closed"))

    def keys(pressed: Callable[[str], None]) -> Fingers:
        pressed("p")
        assert closed == []
        pressed("q")
        assert closed == ["closed"]
        return fingers

    args = build_parser("watch").parse_args(["watch", str(frames), "--seats", "A,B,C,D"])
    watch.run(args, lambda: reader, keys)
