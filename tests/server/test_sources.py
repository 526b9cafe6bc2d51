"""Where pictures come from: folders, films, cameras that break off."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from server.errors import UsageError
from server.sources import FilmSource, FolderSource, Liveness, LiveSource, Pace, Slot, open_source


def picture(value: int) -> np.ndarray:
    image = np.full((60, 80, 3), 120, np.uint8)
    image[::7, ::5] = value
    return image


def test_a_folder_is_read_in_natural_order_and_every_picture_is_settled(tmp_path: Path) -> None:
    for name in ("t10.png", "t2.PNG", ".hidden.png", "notes.txt"):
        (tmp_path / name).write_bytes(cv2.imencode(".png", picture(3))[1].tobytes())
    (tmp_path / "t3.jpg").write_bytes(b"no picture")
    source = open_source(str(tmp_path))
    assert isinstance(source, FolderSource)
    seen = list(source.pictures())
    assert [found.moment.frame for found in seen] == ["t2.PNG", "t10.png"]
    assert all(found.settled for found in seen)
    assert [path.name for path, _ in source.failed] == ["t3.jpg"]


@pytest.mark.parametrize("text", ["http://127.0.0.1:9/x", "rtsp://127.0.0.1:9/x", "broken.mp4"])
def test_nothing_but_the_clear_line_is_printed(text: str, tmp_path: Path) -> None:
    (tmp_path / "broken.mp4").write_bytes(b"no film")
    command = [sys.executable, "-m", "server", "watch", text]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"stationmaster: {text}: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("text", ["/no/such/place", "97", "nothing.mp4"])
def test_what_does_not_open_is_one_clear_line(text: str) -> None:
    with pytest.raises(UsageError) as error:
        open_source(text)
    assert text in str(error.value)
    assert "\n" not in str(error.value)


def test_an_empty_folder_and_a_file_that_is_no_film(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no picture"):
        open_source(str(tmp_path))
    (tmp_path / "film.mp4").write_bytes(b"no film")
    with pytest.raises(UsageError, match="no film"):
        list(open_source(str(tmp_path / "film.mp4")).pictures())


def test_a_film_is_read_at_a_few_frames_a_second(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25.0, (80, 60))
    for number in range(50):
        writer.write(picture(number))
    writer.release()
    seen = list(FilmSource(path).pictures())
    assert [found.moment.frame for found in seen] == list(range(0, 50, 5))
    assert seen[-1].moment.time_s == pytest.approx(45 / 25)
    assert not any(found.settled for found in seen)


def test_the_slot_keeps_the_newest_and_counts_what_was_dropped() -> None:
    slot = Slot()
    for number in range(5):
        slot.put(number, float(number), picture(number))
    found = slot.take(0.1)
    assert found is not None
    assert (found[0], slot.dropped) == (4, 4)
    assert slot.take(0.01) is None


def test_nothing_new_the_same_bytes_and_black_are_trouble() -> None:
    health = Liveness.begin(0.0)
    for second in range(1, 4):
        health.saw(picture(second), float(second))
    assert health.trouble(3.0) == ""
    assert health.trouble(8.1) == "silent"
    for second in range(4, 10):
        health.saw(picture(1), float(second))
    assert health.trouble(9.5) == "frozen"
    for second in range(10, 17):
        dark = np.zeros((60, 80, 3), np.uint8)
        dark[second % 60, ::5] = 3
        health.saw(dark, float(second))
    assert health.trouble(16.0) in ("black", "frozen")


def test_a_still_table_is_looked_at_seldom_and_a_moving_one_often() -> None:
    pace, looked = Pace(), []
    for step in range(1200):
        now = step / 30
        if pace.is_due(now):
            moving = 10 <= now < 12
            pace.saw(picture(90 * (len(looked) % 2) if moving else 40), now)
            looked.append(now)
    still = [second for second in looked if 4 <= second < 9 or second >= 20]
    assert len(still) == pytest.approx(2 * 25, abs=4)
    assert sum(10.2 <= second < 12 for second in looked) >= 12
    gaps = [later - one for one, later in itertools.pairwise(looked) if one < 10 <= later]
    assert max(gaps) <= 0.55


class Unsteady:
    """A camera that breaks off after a few frames."""

    def __init__(self, frames: int, released: list[int]) -> None:
        self.left, self.released = frames, released

    def grab(self) -> bool:
        self.left -= 1
        threading.Event().wait(0.005)
        return self.left >= 0

    def retrieve(self) -> tuple[bool, Any]:
        return True, picture(self.left)

    def release(self) -> None:
        self.released.append(1)


def test_a_camera_that_breaks_off_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.sources._RETRY_S", 0.01)
    monkeypatch.setattr("server.sources.Pace", lambda: Pace(still_s=0.0, moving_s=0.0))
    released: list[int] = []
    opened: list[Unsteady] = []

    def opener() -> Unsteady:
        opened.append(Unsteady(6, released))
        return opened[-1]

    source = LiveSource(opener, "en", "0")
    frames = [found.moment.frame for found in itertools.islice(source.pictures(), 12)]
    source.close()
    assert len(opened) >= 2
    assert frames == sorted(frames)
    assert len(released) >= 1


def test_no_camera_says_what_to_do() -> None:
    with pytest.raises(UsageError, match="stationmaster cameras"):
        LiveSource(lambda: None, "en", "3")
    with pytest.raises(UsageError, match="réseau"):
        LiveSource(lambda: None, "fr", "http://10.0.0.9:8080/video")
