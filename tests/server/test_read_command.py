"""`stationmaster read`, with a reader that sees what it is told."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.tables import TableSpec
from server.cli import build_parser
from server.commands import read
from server.diagram import Arm, diagram_svg
from server.errors import UsageError
from server.messages import LANGUAGES, catalogue
from server.table_json import note_sentence
from tests.vision.mirrors import mirror_image, with_slanting_pips
from tests.vision.tables import Truth, planned
from vision.reader import ReadOptions
from vision.table_reading import Note
from vision.tiles import BgrImage, Doubt, PhotoReading

KEYS = {"path", "starting_double", "trains", "tiles", "markers", "doubts", "findings", "model", "ms"}
TRAIN_KEYS = {"id", "tiles", "tile_ids", "open_end", "open_double", "marker", "kind"}


@dataclass
class Told:
    """A reader that has been told what it sees."""

    reading: PhotoReading
    model_id: str = "told"

    def read(self, image: BgrImage, options: ReadOptions) -> PhotoReading:
        """The same whatever the picture."""
        assert image.ndim == 3
        assert options.set_size
        return self.reading


@pytest.fixture
def photo(tmp_path: Path) -> str:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.full((1080, 1920, 3), 90, np.uint8))
    return str(path)


def run(photo: str, seed: int, *words: str, spec: TableSpec | None = None) -> tuple[int, Truth]:
    truth, seen = planned(seed, spec)
    words = ("--set", str(truth["set"]), *words) if "--set" not in words else words
    args = build_parser("read").parse_args(["read", photo, *words])
    return read.run(args, lambda: Told(seen.reading)), truth


def test_json_has_the_contracts_form(photo: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, truth = run(photo, 20_003, "--json")
    shown = json.loads(capsys.readouterr().out)
    assert code == 0
    assert set(shown) >= KEYS
    assert shown["starting_double"] == truth["starting_double"]
    assert len(shown["trains"]) == len(truth["trains"])
    for train in shown["trains"]:
        assert set(train) >= TRAIN_KEYS
        assert train["kind"] in ("personal", "mexican", "unknown")
        if train["tiles"]:
            assert train["open_end"] == train["tiles"][-1][1]
    assert [tile["id"] for tile in shown["tiles"]] == list(range(len(shown["tiles"])))
    assert {tile["role"] for tile in shown["tiles"]} <= {"starting_double", "train", "loose", "face_down"}
    assert all(tile["ends"] is None for tile in shown["tiles"] if tile["role"] == "face_down")
    assert sum(marker["train"] is not None for marker in shown["markers"]) == len(truth["markers"])


def test_a_fault_ends_with_1_and_names_the_tiles(photo: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, truth = run(photo, 22_004, "--json", "--lang", "fr", spec=TableSpec(faults=("ends_differ",)))
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert truth["findings"]
    assert code == 1
    assert [finding["code"] for finding in findings] == ["ends_differ"]
    assert len(findings[0]["tile_ids"]) == 2
    assert "touche" in findings[0]["message"]


@pytest.mark.parametrize(("language", "said"), [("en", "No domino"), ("fr", "Aucun domino"), ("es", "Ninguna ficha")])
def test_a_picture_without_a_domino_is_no_clean_table(
    photo: str, language: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing = PhotoReading((), (), (), (1920, 1080), "told", {})
    args = build_parser("read").parse_args(["read", photo, "--lang", language])
    assert read.run(args, lambda: Told(nothing)) == 0
    out = capsys.readouterr().out
    assert said in out
    assert catalogue(language)["read.clean"] not in out


def test_people_see_trains_ends_and_what_is_wrong(photo: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, truth = run(photo, 22_004, spec=TableSpec(faults=("ends_differ",)))
    out = capsys.readouterr().out
    assert code == 1
    assert f"Starting double {truth['starting_double']}-{truth['starting_double']}." in out
    assert out.count("asks for") == len(truth["trains"])
    assert "Fault: " in out
    assert "\x1b" not in out


def test_what_is_doubted_of_both_halves_of_a_tile_is_said_once(
    photo: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, seen = planned(22_001)
    unread = tuple(Doubt("half_unreadable") for _ in range(2))
    tiles = (*seen.reading.tiles, replace(seen.reading.tiles[0], ends=(None, None), doubts=unread))
    args = build_parser("read").parse_args(["read", photo])
    assert read.run(args, lambda: Told(replace(seen.reading, tiles=tiles))) in (0, 1)
    assert capsys.readouterr().out.count("one half can't be read (?-?)") == 1


def test_tiles_that_lie_apart_are_named(photo: str, capsys: pytest.CaptureFixture[str]) -> None:
    seed = next(seed for seed in range(22_000, 22_100) if _loose(planned(seed)[0]))
    _, truth = run(photo, seed)
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("in no train: "))
    told = {frozenset(map(int, word.split("-"))) for word in line.removeprefix("in no train: ").split(", ")}
    assert {frozenset(ends) for ends in _loose(truth)} <= told


def _loose(truth: Truth) -> list[list[int]]:
    return [tile["ends"] for tile in truth["tiles"] if tile["role"] == "loose"]


def test_overlay_and_diagram_are_written(photo: str, tmp_path: Path) -> None:
    overlay, diagram = tmp_path / "seen.png", tmp_path / "table.svg"
    code, truth = run(photo, 20_003, "--overlay", str(overlay), "--diagram", str(diagram))
    drawn = cv2.imread(str(overlay))
    assert code == 0
    assert drawn is not None
    assert drawn.shape == (1080, 1920, 3)
    assert (drawn != 90).any(2).mean() > 0.005
    root = ET.fromstring(diagram.read_text("utf-8"))
    tiles = root.findall(".//{http://www.w3.org/2000/svg}rect")
    laid = sum(len(t["tiles"]) + sum(len(x["tiles"]) for x in t["limbs"]) for t in truth["trains"])
    assert len(tiles) == laid + 1


def test_the_diagram_is_as_large_as_what_it_shows() -> None:
    """Every tile is inside, and no side has more than a rim of white."""
    one = tuple((value, value + 1) for value in range(5))
    drawn = ET.fromstring(diagram_svg(None, [Arm("t1", one), Arm("t2", ((None, 3),), marker=True), Arm("M", one * 4)]))
    left, top, width, height = map(float, drawn.attrib["viewBox"].split())
    groups = [group.attrib["transform"] for group in drawn.iter() if group.attrib.get("transform", "").count("scale")]
    middles = np.array([[float(n) for n in text.split(")")[0].removeprefix("translate(").split()] for text in groups])
    assert len(middles) == 1 + 5 + 1 + 20
    assert ((middles - [left, top] > 50) & ([left + width, top + height] - middles > 50)).all()
    assert (middles.min(0) - [left, top] < 140).all()
    assert ([left + width, top + height] - middles.max(0) < 140).all()


def test_seats_name_the_trains_at_the_hub(photo: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, truth = run(photo, 20_003, "--json")
    first = json.loads(capsys.readouterr().out)
    at_hub = [train["id"] for train in first["trains"] if train["id"] != "M"]
    seats = ",".join("ABCDEFGHIJ"[: len(at_hub)])
    run(photo, 20_003, "--json", "--seats", seats, "--first-train", at_hub[1])
    trains = {train["id"]: train for train in json.loads(capsys.readouterr().out)["trains"]}
    assert trains[at_hub[1]]["seat"] == "A"
    assert trains[at_hub[0]]["seat"] == seats[-1]
    assert truth["trains"]


@dataclass
class BeforeAMirror:
    """Sees the table of `reading` on pictures whose left upper corner is white, its mirror image on others."""

    reading: PhotoReading
    model_id: str = "told"

    def read(self, image: BgrImage, options: ReadOptions) -> PhotoReading:
        """What there is to see."""
        del options
        return self.reading if image[0, 0, 0] == 255 else mirror_image(self.reading)


@pytest.mark.parametrize("words", [("--mirrored",), ("--same-set", "SAME")])
def test_seats_are_right_on_a_mirrored_picture(
    words: tuple[str, ...], photo: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth, seen = planned(20_003)
    reader = BeforeAMirror(with_slanting_pips(seen.reading))
    same = tmp_path / "same.png"
    image = np.full((1080, 1920, 3), 90, np.uint8)
    image[0, 0] = 255
    cv2.imwrite(str(same), image)
    cv2.imwrite(photo, image[:, ::-1])
    seats = ",".join("ABCDEFGHIJ"[: sum(train["at"] == "hub" for train in truth["trains"])])

    def told(path: str, *words: str) -> Any:
        words = tuple(str(same) if word == "SAME" else word for word in words)
        args = build_parser("read").parse_args(["read", path, "--json", "--seats", seats, *words])
        read.run(args, lambda: reader)
        return json.loads(capsys.readouterr().out)

    plain, mirrored = told(str(same)), told(photo, *words)
    assert (plain["mirrored"], mirrored["mirrored"]) == (False, True)
    assert mirrored["trains"] == plain["trains"]
    assert told(photo)["trains"] != plain["trains"]
    for here, there in zip(mirrored["tiles"], plain["tiles"], strict=True):
        assert here["ends"] == there["ends"]
        one, two = here["corners_px"], there["corners_px"]
        assert np.allclose([1920 - x for x, _ in one], [two[k][0] for k in (1, 0, 3, 2)], atol=0.11)
        assert np.allclose([y for _, y in one], [two[k][1] for k in (1, 0, 3, 2)], atol=0.11)
    codes = {doubt["code"] for doubt in mirrored["doubts"]}
    assert ("mirrored" in codes) == (words[0] == "--same-set")


def test_house_rules_add_what_only_they_forbid(photo: str, capsys: pytest.CaptureFixture[str]) -> None:
    spec = TableSpec(chickenfoot=1.0, set_size=12, laid=(40, 60))
    free, truth = run(photo, 28_002, "--json", spec=spec)
    assert any(train["limbs"] for train in truth["trains"])
    assert free == 0
    capsys.readouterr()
    ruled, _ = run(photo, 28_002, "--json", "--rules", "published_default", spec=spec)
    assert ruled == 1
    assert {f["code"] for f in json.loads(capsys.readouterr().out)["findings"]} == {"side_line"}


@pytest.mark.parametrize("words", [("--rules", "no_such"), ("--overlay", "x.txt"), ("--seats", "A,A")])
def test_bad_usage_is_one_clear_line(photo: str, words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError) as error:
        run(photo, 20_003, *words)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("option", ["--overlay", "--diagram"])
def test_nothing_is_written_over_the_photo(photo: str, option: str) -> None:
    before = Path(photo).read_bytes()
    with pytest.raises(UsageError, match="would write over a photo"):
        run(photo, 20_003, option, photo)
    assert Path(photo).read_bytes() == before


def test_a_photo_too_long_for_the_overlay_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "long.png"
    cv2.imwrite(str(path), np.full((40, 16_400, 3), 90, np.uint8))
    with pytest.raises(UsageError, match="pixels"):
        run(str(path), 20_003, "--overlay", str(tmp_path / "out.webp"))


def test_an_unreadable_photo_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none.jpg"
    args = build_parser("read").parse_args(["read", str(path)])
    with pytest.raises(UsageError, match=r"none\.jpg"):
        read.run(args)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_note_has_a_sentence(language: str) -> None:
    words = (Note.__doc__ or "").replace("`vision.tiles.Doubt`", "")
    doubts, findings = words.split("Findings:")
    for section, text in (("layout", doubts.split("Doubts:")[1]), ("finding", findings)):
        codes = [part for index, part in enumerate(text.split("`")) if index % 2]
        assert len(codes) >= 4
        for code in codes:
            assert f"{section}.{code}" in catalogue(language)
            assert note_sentence(Note(code), section, language)


def test_doubts_of_tiles_keep_their_sentences() -> None:
    note: Any = Note("half_unclear", (1,), None, {"value": 11, "other": 12})
    assert note_sentence(note, "layout", "en") == "one half may be 11 or 12"
