"""`stationmaster score`: the JSON of the contract, exit codes, folders, overlays, bad photos among good ones."""

from __future__ import annotations

import io
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from server.cli import build_parser
from server.commands import score
from server.errors import UsageError
from server.terminal import Paint, Progress
from tests.server.fakes import FakeReader, sighting
from vision.errors import ModelCorrupt, ModelMissing
from vision.image import read_image
from vision.reader import PhotoReader
from vision.tiles import Doubt

HAND = FakeReader([sighting((12, 7)), sighting((0, 0), place=1), sighting((11, 11), place=2)])
UNSURE = FakeReader(
    [
        sighting((12, 7)),
        sighting((10, 3), Doubt("half_unclear", {"value": 10, "other": 11}), place=1),
        sighting((None, 4), Doubt("half_unreadable"), Doubt("cut_by_edge"), place=2),
    ],
    face_down=[sighting((None, None), kind="face_down")],
)


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    return a_photo(tmp_path / "hand.jpg")


def a_photo(path: Path, width: int = 160) -> Path:
    import cv2

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(cv2.imencode(".jpg", np.full((120, width, 3), 90, np.uint8))[1].tobytes())
    return path


def run(reader: PhotoReader, *words: object) -> int:
    args = build_parser("score").parse_args(["score", *map(str, words)])
    return score.run(args, lambda: reader)


def run_json(reader: PhotoReader, capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, Any, str]:
    code = run(reader, "--json", *words)
    out, err = capsys.readouterr()
    return code, json.loads(out), err


def test_json_of_the_contract(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told, err = run_json(HAND, capsys, photo)
    assert (code, err) == (0, "")
    assert list(told) == ["photos", "total"]
    assert told["total"] == 41
    (entry,) = told["photos"]
    assert {key: entry[key] for key in ("path", "total", "doubtful", "double_blank", "model")} == {
        "path": str(photo),
        "total": 41,
        "doubtful": 0,
        "double_blank": 0,
        "model": "fake-1",
    }
    assert isinstance(entry["ms"], float)
    first = entry["tiles"][0]
    assert {key: first[key] for key in ("ends", "pips", "confidence", "doubtful")} == {
        "ends": [12, 7],
        "pips": 19,
        "confidence": 0.99,
        "doubtful": False,
    }
    assert first["corners_px"] == [[10, 10], [35, 10], [35, 60], [10, 60]]


@pytest.mark.parametrize(("rule", "total"), [("0", 41), ("25", 66), ("50", 91)])
def test_the_house_rule_of_the_double_blank(
    rule: str, total: int, photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, told, _ = run_json(HAND, capsys, photo, "--double-blank", rule)
    assert told["total"] == told["photos"][0]["total"] == total
    assert told["photos"][0]["double_blank"] == int(rule)
    assert told["photos"][0]["tiles"][1]["pips"] == int(rule)


def test_doubts_are_told_and_are_no_failure(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told, _ = run_json(UNSURE, capsys, photo)
    assert code == 0
    entry = told["photos"][0]
    assert entry["doubtful"] == 2
    assert entry["face_down"] == 1
    assert entry["tiles"][1]["doubts"] == [
        {"code": "half_unclear", "params": {"value": 10, "other": 11}, "message": "one half may be 10 or 11"}
    ]
    assert entry["tiles"][2]["ends"] == [None, 4]
    assert entry["tiles"][2]["pips"] == 4
    assert entry["total"] == 19 + 13 + 4


def test_what_the_caller_knows_reaches_the_reader(photo: Path) -> None:
    reader = FakeReader()
    run(reader, photo, "--set", 15, "--mixed")
    run(reader, photo)
    assert [(options.set_size, options.mixed) for _, options in reader.asked] == [(15, True), (12, False)]
    with pytest.raises(SystemExit) as caught:
        run(reader, photo, "--set", 11)
    assert caught.value.code == 2


def test_no_domino_is_zero_and_says_so(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told, _ = run_json(FakeReader(), capsys, photo)
    assert (code, told["total"], told["photos"][0]["tiles"]) == (0, 0, [])
    assert told["photos"][0]["notes"][0]["code"] == "no_domino"
    assert run(FakeReader(), photo) == 0
    assert "no domino on this photo: total 0" in capsys.readouterr().out


def test_one_bad_photo_does_not_stop_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, last = a_photo(tmp_path / "1.jpg"), tmp_path / "2.jpg", a_photo(tmp_path / "3.jpg")
    bad.write_bytes(b"no photo at all")
    code, told, err = run_json(HAND, capsys, good, bad, tmp_path / "missing.jpg", last)
    assert code == 2
    assert told["total"] == 82
    assert [entry.get("total") for entry in told["photos"]] == [41, None, None, 41]
    assert told["photos"][1]["path"] == str(bad)
    assert told["photos"][1]["code"] == "not_a_picture"
    assert "not a picture" in told["photos"][1]["error"]
    lines = err.splitlines()
    assert len(lines) == 2
    assert str(bad) in lines[0]
    assert "there is no such file" in lines[1]


def test_a_folder_stands_for_its_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("10.jpg", "2.JPG", ".hidden.jpg", "deux à trois.jpg"):
        a_photo(tmp_path / "f" / name)
    (tmp_path / "f" / "notes.txt").write_text("x")
    _, told, _ = run_json(HAND, capsys, tmp_path / "f")
    assert [Path(entry["path"]).name for entry in told["photos"]] == ["2.JPG", "10.jpg", "deux à trois.jpg"]


def test_a_folder_without_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "f").mkdir()
    code, told, err = run_json(HAND, capsys, tmp_path / "f", a_photo(tmp_path / "1.jpg"))
    assert (code, told["total"]) == (2, 41)
    assert told["photos"][0]["code"] == "no_pictures"
    assert err.count("\n") == 1
    assert str(tmp_path / "f") in err


def test_a_pattern_that_the_shell_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a_photo(tmp_path / "a1.jpg")
    a_photo(tmp_path / "a2.jpg")
    _, told, _ = run_json(HAND, capsys, tmp_path / "a*.jpg")
    assert told["total"] == 82
    assert run(HAND, tmp_path / "b*.jpg") == 2


def test_other_languages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, told, err = run_json(UNSURE, capsys, a_photo(tmp_path / "1.jpg"), tmp_path / "x.jpg", "--lang", "fr")
    assert told["photos"][0]["tiles"][1]["doubts"][0]["message"] == "une moitié vaut 10 ou 11"
    assert "ce fichier n'existe pas" in err


def test_the_table_for_people(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(UNSURE, photo) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == str(photo)
    assert lines[1].split() == ["Tile", "Pips", "Sure"]
    assert lines[2].split() == ["12-7", "19", "99", "%"]
    assert "one half may be 10 or 11" in lines[3]
    assert lines[4].split()[0] == "?-4"
    assert "cut off by the edge" in lines[4]
    assert lines[5].split()[:2] == ["Total", "36"]
    assert "2 to check by eye" in lines[5]
    assert "1 face-down tile not counted" in lines[5]
    assert "\x1b" not in "".join(lines)


def test_several_photos_end_in_a_sum(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(HAND, a_photo(tmp_path / "1.jpg"), a_photo(tmp_path / "2.jpg"), tmp_path / "3.jpg")
    assert capsys.readouterr().out.splitlines()[-1] == "Total 82   2 photos, 1 photo could not be read"


def test_a_sum_with_doubts_in_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(UNSURE, a_photo(tmp_path / "1.jpg"), a_photo(tmp_path / "2.jpg"))
    assert capsys.readouterr().out.splitlines()[-1] == "Total 72   2 photos, 4 to check by eye"


def test_a_photo_whose_file_has_a_hole_promises_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import io as streams

    from PIL import Image

    whole, path = streams.BytesIO(), tmp_path / "hole.jpg"
    noise = np.random.default_rng(3).integers(0, 255, (400, 600, 3), np.uint8)
    Image.fromarray(noise).save(whole, "JPEG", quality=95, restart_marker_rows=1)
    data = whole.getvalue()
    path.write_bytes(data[:90_000] + bytes(500) + data[90_500:])
    code, told, err = run_json(HAND, capsys, path)
    assert (code, err, told["total"]) == (0, "", 41)
    assert told["photos"][0]["doubtful"] == 3
    assert [note["code"] for note in told["photos"][0]["notes"]] == ["damaged"]
    assert run(HAND, path) == 0
    assert "the file is damaged" in capsys.readouterr().out.splitlines()[-2]


def test_names_that_are_hard_to_tell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told, err = run_json(HAND, capsys, "", " ", "a\nb\x1b[2J.jpg", a_photo(tmp_path / "two\nlines.jpg"))
    assert (code, told["total"]) == (2, 41)
    assert [entry.get("code") for entry in told["photos"]] == ["no_name", "no_such_file", "no_such_file", None]
    assert err.splitlines() == [
        "stationmaster: '': an empty name is no file",
        "stationmaster: ' ': there is no such file",
        r"stationmaster: 'a\nb\x1b[2J.jpg': there is no such file",
    ]
    assert run(HAND, tmp_path / "two\nlines.jpg") == 0
    assert capsys.readouterr().out.splitlines()[0].endswith(r"two\nlines.jpg'")


# Overlays


def test_overlay_of_one_photo(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "drawn ä.jpg"
    _, told, _ = run_json(HAND, capsys, photo, "--overlay", out)
    assert told["photos"][0]["overlay"] == str(out)
    drawn = read_image(out)
    assert drawn.shape == (120, 160, 3)
    assert np.abs(drawn.astype(int) - 90).max() > 100


def test_overlays_of_several_photos(tmp_path: Path) -> None:
    photos = [a_photo(tmp_path / name) for name in ("a/1.jpg", "b/1.png", "c.jpg")]
    assert run(HAND, *photos, "--overlay", tmp_path / "out.png") == 0
    assert sorted(path.name for path in tmp_path.glob("out*")) == ["out-1-2.png", "out-1.png", "out-c.png"]


def test_overlay_never_writes_over_a_photo(photo: Path, tmp_path: Path) -> None:
    before = photo.read_bytes()
    with pytest.raises(UsageError, match="would write over a photo"):
        run(HAND, photo, "--overlay", photo)
    other, clash = a_photo(tmp_path / "a.jpg"), a_photo(tmp_path / "out-a.jpg")
    with pytest.raises(UsageError, match="would write over a photo"):
        run(HAND, other, clash, "--overlay", tmp_path / "out.jpg")
    assert photo.read_bytes() == before


def test_overlay_names_that_cannot_be(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match=r"\.jpg, \.png or \.webp"):
        run(HAND, photo, "--overlay", tmp_path / "out.txt")
    code, told, err = run_json(HAND, capsys, photo, "--overlay", tmp_path / "no" / "folder.jpg")
    assert (code, told["total"]) == (2, 41)
    assert "folder.jpg could not be written" in err
    assert err.count("\n") == 1


def test_a_name_that_leads_nowhere_stops_no_other_photo(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loop = tmp_path / "loop.jpg"
    try:
        loop.symlink_to(loop)
    except OSError:
        pytest.skip("no symbolic links here")
    code, told, _ = run_json(HAND, capsys, photo, loop, "--overlay", tmp_path / "out.jpg")
    assert (code, told["total"]) == (2, 41)
    assert told["photos"][1]["code"] == "disk_failed"
    code, told, err = run_json(HAND, capsys, photo, "--overlay", loop)
    assert (code, told["total"], err.count("\n")) == (2, 41, 1)


def test_overlay_never_writes_over_a_photo_by_its_other_name(photo: Path, tmp_path: Path) -> None:
    other = tmp_path / "other name.jpg"
    try:
        other.hardlink_to(photo)
    except OSError:
        pytest.skip("no links here")
    with pytest.raises(UsageError, match="would write over a photo"):
        run(HAND, photo, "--overlay", other)


def test_names_that_differ_in_capitals_alone_get_overlays_of_their_own(tmp_path: Path) -> None:
    photos = [a_photo(tmp_path / name) for name in ("a/IMG.jpg", "b/img.jpg")]
    assert run(HAND, *photos, "--overlay", tmp_path / "out.jpg") == 0
    assert sorted(path.name for path in tmp_path.glob("out*")) == ["out-IMG.jpg", "out-img-2.jpg"]


@pytest.mark.parametrize(("ending", "width"), [(".webp", 16_400), (".jpg", 65_600)])
def test_a_photo_too_long_for_the_overlay_says_how_long_it_may_be(
    ending: str, width: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    import cv2

    path = tmp_path / "long.png"
    path.write_bytes(cv2.imencode(".png", np.full((40, width, 3), 90, np.uint8))[1].tobytes())
    assert run(FakeReader(), "--json", path, "--overlay", tmp_path / f"out{ending}") == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert "pixels" in err
    assert ".png" in err


# Models, terminals


@pytest.mark.parametrize(
    "error",
    [
        ModelMissing.of("model_missing", file="finder.onnx", restore="git checkout"),
        ModelCorrupt("finder.onnx is not a network; git checkout"),
    ],
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_model_file_that_is_missing_or_altered(error: Exception, language: str, photo: Path) -> None:
    def opener() -> PhotoReader:
        raise error

    args = build_parser("score").parse_args(["score", str(photo), "--lang", language])
    with pytest.raises(UsageError, match=r"finder\.onnx.*git checkout"):
        score.run(args, opener)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_only_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert Paint(Terminal())("x", "1") == "\x1b[1mx\x1b[0m"
    assert Paint(io.StringIO())("x", "1") == "x"
    monkeypatch.setenv("NO_COLOR", "1")
    assert Paint(Terminal())("x", "1") == "x"


def test_progress_in_a_terminal_leaves_no_trace() -> None:
    stream = Terminal()
    progress = Progress(3, "en", stream)
    progress.show(1, "folder/a long name.jpg")
    progress.show(2, "b.jpg")
    assert "reading 2 of 3: b.jpg" in stream.getvalue()
    progress.clear()
    assert stream.getvalue().endswith("\r")


def test_a_single_photo_that_takes_long_is_told_in_a_terminal_alone() -> None:
    stream, pipe = Terminal(), io.StringIO()
    with Progress(1, "en", stream, patience_s=0.02) as slow, Progress(1, "en", pipe, patience_s=0.02) as piped:
        slow.show(1, "folder/heavy.png")
        piped.show(1, "folder/heavy.png")
        until = time.monotonic() + 5
        while "heavy" not in stream.getvalue() and time.monotonic() < until:
            time.sleep(0.01)
    assert "reading heavy.png: 0 s" in stream.getvalue()
    assert stream.getvalue().endswith(" \r")
    assert pipe.getvalue() == ""


def test_a_single_photo_that_is_quick_is_not_told() -> None:
    stream = Terminal()
    with Progress(1, "en", stream) as progress:
        progress.show(1, "light.png")
    assert stream.getvalue() == ""


def test_progress_elsewhere_is_rare() -> None:
    stream = io.StringIO()
    progress = Progress(3, "en", stream)
    progress.show(1, "a.jpg")
    assert stream.getvalue() == ""
    progress._said -= 11
    progress.show(2, "b.jpg")
    assert stream.getvalue() == "reading 2 of 3: b.jpg\n"
