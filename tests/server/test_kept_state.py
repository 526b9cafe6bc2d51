"""What a watch keeps for later: plain values, whole after any stop, and never a program."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.rules import Rules
from server.kept_state import VERSION, StateUnreadableError, as_text, from_text
from server.referee_log import RefereeLog, entries
from server.watch_events import Event, Moment
from tests.server.film_fakes import draw, small_film, watch_of
from vision.steadiness import Glance, changed_mask

PICTURE = np.full((40, 60, 3), 90, np.uint8)

WRITER = """
import sys
from pathlib import Path
from engine.rules import Rules
from server.referee_log import RefereeLog
from server.watch_events import Event, Moment
import numpy as np
log = RefereeLog.open(Path(sys.argv[1]), Rules(), ("A", "B"), "none")
for number in range(log.number, 100000):
    event = Event("lay", Moment(number, float(number)), tile=(1, 2))
    log.keep(np.full((40, 60, 3), 90, np.uint8), [event], {"number": number, "filling": ["x" * 2000] * 50})
    print(number, flush=True)
"""


def test_a_watch_in_the_middle_of_a_game_goes_on_from_its_text() -> None:
    film = small_film(7, hands=0.0, turns=12)
    run, reader = watch_of(film)
    middle = len(film.frames) // 2
    for frame in film.frames[:middle]:
        reader.frame = frame
        run.settled(draw(film, frame), Moment(frame.number, 0.0))
    text = as_text(run.state())
    other, other_reader = watch_of(film)
    assert other.resume(from_text(text))
    for frame in film.frames[middle:]:
        reader.frame = other_reader.frame = frame
        other_reader.reads = reader.reads
        moment = Moment(frame.number, 0.0)
        one, two = run.settled(draw(film, frame), moment), other.settled(draw(film, frame), moment)
        assert [(e.event, e.seat, e.train, e.tile, e.verdict) for e in one] == [
            (e.event, e.seat, e.train, e.tile, e.verdict) for e in two
        ]


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", '{"kept": 1}', "\x80\x04K\x01.",
        json.dumps({"kept": VERSION, "objects": [{"of": "os.system", "f": {"command": "true"}}], "root": {"r": 0}}),
        json.dumps({"kept": VERSION, "objects": [{"of": "engine.tile.Tile", "f": {"low": 99, "none": 1}}], "root": 1}),
        json.dumps({"kept": VERSION, "objects": [], "root": {"a": ["|O", [1], "AAAA"]}}),
        json.dumps({"kept": VERSION, "objects": [], "root": {"r": 3}}),
    ],
)
def test_what_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(StateUnreadableError):
        from_text(text)


class Trap:
    """Says so if it is made."""

    def __reduce__(self) -> Any:
        return print, ("this must never run",)


def test_a_folder_from_somebody_else_runs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = RefereeLog.open(tmp_path, Rules(), (), "none")
    for name in ("state.bin", "state.json"):
        (tmp_path / name).write_bytes(pickle.dumps(Trap()))
    assert log.load_state() is None
    assert capsys.readouterr().out == ""


def test_what_the_state_knows_and_the_log_does_not_is_written_on_opening(tmp_path: Path) -> None:
    log = RefereeLog.open(tmp_path, Rules(), (), "none")
    for number in range(3):
        log.keep(PICTURE, [Event("lay", Moment(number, 0.0), tile=(1, 2))], {"number": number})
    lines = (tmp_path / "log.jsonl").read_text("utf-8").splitlines()
    (tmp_path / "log.jsonl").write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:20], "utf-8")
    again = RefereeLog.open(tmp_path, Rules(), (), "none")
    assert [entry["n"] for entry in entries(tmp_path) if "n" in entry] == [1, 2, 3]
    assert again.number == 3
    assert again.load_state() == {"number": 2}


def test_a_kill_at_any_moment_loses_nothing(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    for _ in range(2):
        told = _killed_after(tmp_path, float(rng.uniform(0.05, 0.4)))
        log = RefereeLog.open(tmp_path, Rules(), ("A", "B"), "none")
        state = log.load_state()
        assert state is not None
        numbers = [entry["n"] for entry in entries(tmp_path) if "n" in entry]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) > told
        assert state["number"] == numbers[-1] - 1


def _killed_after(folder: Path, seconds: float) -> int:
    """The last number that the writer had told when it was killed."""
    root = str(Path(__file__).resolve().parents[2])
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, text=True, cwd=root,
                              env={**os.environ, "PYTHONPATH": root})
    assert writer.stdout is not None
    last = int(writer.stdout.readline())
    time.sleep(seconds)
    writer.send_signal(signal.SIGKILL)
    for line in writer.stdout:
        last = int(line) if line.endswith("\n") else last
    writer.wait()
    return last


def test_what_a_turned_picture_does_not_show_stays_unknown() -> None:
    image = np.full((90, 160, 3), 120, np.uint8)
    turned = Glance.of(image).warped(np.array([[1.0, 0.0, 20.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    assert (turned.logs <= 0).any()
    again = from_text(as_text({"reference": turned}))["reference"]
    assert np.array_equal(again.logs <= 0, turned.logs <= 0)
    assert changed_mask(again, Glance.of(image)).sum() == 0
