"""The referee's log of a watch: every event with the pictures before and after it, and where to go on after a stop.

In the folder: `log.jsonl`, one event a line after a header; `pictures/`, whole and cut out; `state.json`, the
watcher as it was after the last picture, so that a watch goes on where it was cut off.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine.rules import Rules
from engine.table import Table
from server.errors import UsageError
from server.kept_state import StateUnreadableError, as_text, from_text
from server.messages import sentence, why_not
from server.watch_events import Event, Json
from vision.tiles import BgrImage

VERSION = 1
_QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 88]
_STATE = "state.json"


@dataclass(slots=True)
class RefereeLog:
    """An open log."""

    folder: Path
    rules: Rules
    model: str
    number: int = 0
    turns: int = 0
    before: str | None = None

    @classmethod
    def open(
        cls, folder: Path, rules: Rules, seats: tuple[str, ...], model: str, language: str = "en"
    ) -> RefereeLog:
        """Begin a log, or go on with the one that is there."""
        try:
            (folder / "pictures").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"--save {folder}: {why_not(error, language, writing=True)}") from error
        log = cls(folder, rules, model)
        path = folder / "log.jsonl"
        if path.exists():
            _cut_off_half_a_line(path)
            _write_what_is_missing(folder)
            for entry in entries(folder):
                log.number = max(log.number, int(entry.get("n", 0)))
                log.turns = max(log.turns, int(entry.get("turn") or 0))
                log.before = entry.get("after") or log.before
            return log
        header = {"log": VERSION, "rules": dict(rules.changes()), "seats": list(seats), "model": model,
                  "begun": datetime.now(UTC).isoformat(timespec="seconds")}
        path.write_text(json.dumps(header) + "\n", encoding="utf-8")
        return log

    def keep(self, image: BgrImage, events: list[Event], state: Any | None = None) -> None:
        """What a picture said, with the picture, and the state that the watcher is in after it."""
        told = [event for event in events if event.event not in ("clear", "recovered")]
        if not told:
            if state is not None:
                self.save_state(state)
            return
        name = f"pictures/{self.number + 1:05d}.jpg"
        cv2.imwrite(str(self.folder / name), image, _QUALITY)
        lines = []
        for event in told:
            self.number += 1
            if event.event == "turn":
                self.turns += 1
            crop = self._crop(image, event)
            entry = {
                "n": self.number, "at": datetime.now(UTC).isoformat(timespec="seconds"),
                "turn": self.turns if event.event == "turn" else self.turns + 1,
                **event.as_json(), "before": self.before, "after": name, "crop": crop,
            }
            if event.case is not None:
                entry["case"] = event.case
            lines.append(json.dumps(entry, ensure_ascii=False))
        self.before = name
        if state is not None:
            self.save_state(state, lines)
        _append(self.folder, lines)

    def _crop(self, image: BgrImage, event: Event) -> str | None:
        if event.corners_px is None:
            return None
        corners = np.array(event.corners_px)
        pad = float(np.linalg.norm(corners[0] - corners[2])) * 0.9
        x0, y0 = np.maximum(corners.min(0) - pad, 0).astype(int)
        x1, y1 = (corners.max(0) + pad).astype(int)
        part = image[y0:y1, x0:x1]
        if part.size == 0:
            return None
        name = f"pictures/{self.number:05d}_crop.jpg"
        cv2.imwrite(str(self.folder / name), part, _QUALITY)
        return name

    def note(self, entry: Json) -> None:
        """Something that people found out from the log: a line of its own."""
        self.number += 1
        line = {"n": self.number, "at": datetime.now(UTC).isoformat(timespec="seconds"), **entry}
        _append(self.folder, [json.dumps(line, ensure_ascii=False)])

    def save_state(self, state: Any, lines: Sequence[str] = ()) -> None:
        """Keep the watcher, and the lines that are about to be written; a stop in the middle leaves the state before.

        The state comes before the log: a stop between them loses no line, and no picture is told twice.
        """
        part = self.folder / "state.part"
        text = as_text({"state": state, "number": self.number, "turns": self.turns, "lines": list(lines)})
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(self.folder / _STATE)

    def load_state(self) -> Any | None:
        """The watcher as it was; `None` if there is none, or it is of another version."""
        kept = _kept(self.folder)
        return None if kept is None else kept["state"]


def final_table(folder: Path) -> Table | None:
    """The table as the watcher knew it last; `None` if it was not followed by the rules."""
    kept = _kept(folder)
    try:
        table = None if kept is None else kept["state"]["watch"]["round"].now.table
    except (KeyError, TypeError, AttributeError):
        return None
    return table if isinstance(table, Table) else None


def _kept(folder: Path) -> Json | None:
    try:
        kept = from_text((folder / _STATE).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, StateUnreadableError):
        return None  # a state that cannot be read is no reason not to watch
    return kept if isinstance(kept, dict) and "state" in kept else None


def _write_what_is_missing(folder: Path) -> None:
    """Lines that the state knows and the log does not: the stop came between the two."""
    kept = _kept(folder)
    if kept is None:
        return
    last = max((int(entry.get("n", 0)) for entry in entries(folder)), default=0)
    missing = [line for line in kept["lines"] if int(json.loads(line)["n"]) > last]
    if missing:
        _append(folder, missing)


def _append(folder: Path, lines: Sequence[str]) -> None:
    with (folder / "log.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        os.fsync(file.fileno())


def _cut_off_half_a_line(path: Path) -> None:
    """A stop in the middle of writing leaves half a line: what was accepted before it stands."""
    data = path.read_bytes()
    if data and not data.endswith(b"\n"):
        path.write_bytes(data[: data.rfind(b"\n") + 1])


def entries(folder: Path, language: str = "en") -> Iterator[Json]:
    """Every line of a log, the header first. Raises `UsageError` if there is no log."""
    path = folder / "log.jsonl" if folder.is_dir() else folder
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        reason = sentence("fault.no_log", {}, language) if folder.is_dir() else why_not(error, language)
        raise UsageError(f"{folder}: {reason}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: {sentence('fault.no_log', {}, language)}") from error
    for line in text.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict):
            yield entry
