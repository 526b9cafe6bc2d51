"""The referee's log of a watch: every event with the pictures before and after it, and where to go on after a stop.

In the folder: `log.jsonl`, one event a line after a header; `pictures/`, whole and cut out; `state.bin`, the
watcher as it was after the last picture, so that a watch goes on where it was cut off.
"""

from __future__ import annotations

import io
import json
import os
import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine.rules import Rules
from server.errors import UsageError
from server.watch_events import Event, Json
from vision.tiles import BgrImage

VERSION = 1
_QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 88]
_ALLOWED = ("engine.", "vision.", "server.", "numpy", "_codecs")
_BUILTINS = {"set", "frozenset", "dict", "list", "tuple", "bytearray", "complex", "slice", "object", "getattr"}


@dataclass(slots=True)
class RefereeLog:
    """An open log."""

    folder: Path
    rules: Rules
    model: str
    number: int = 0
    turns: int = 0
    before: str | None = None
    done: list[str | int] = field(default_factory=list)

    @classmethod
    def open(cls, folder: Path, rules: Rules, seats: tuple[str, ...], model: str) -> RefereeLog:
        """Begin a log, or go on with the one that is there."""
        try:
            (folder / "pictures").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"--save {folder}: {error.strerror}") from error
        log = cls(folder, rules, model)
        path = folder / "log.jsonl"
        if path.exists():
            _cut_off_half_a_line(path)
            for entry in entries(folder):
                log.number = max(log.number, int(entry.get("n", 0)))
                log.turns = max(log.turns, int(entry.get("turn") or 0))
                log.before = entry.get("after") or log.before
            return log
        header = {"log": VERSION, "rules": dict(rules.changes()), "seats": list(seats), "model": model,
                  "begun": datetime.now(UTC).isoformat(timespec="seconds")}
        path.write_text(json.dumps(header) + "\n", encoding="utf-8")
        return log

    def keep(self, image: BgrImage, events: list[Event]) -> None:
        """What a picture said, with the picture."""
        told = [event for event in events if event.event not in ("clear", "recovered")]
        if not told:
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
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
            file.flush()
            os.fsync(file.fileno())

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

    def save_state(self, state: Any) -> None:
        """Keep the watcher; a stop in the middle leaves the state before."""
        part = self.folder / "state.part"
        with part.open("wb") as file:
            pickle.dump(state, file)
            file.flush()
            os.fsync(file.fileno())
        part.replace(self.folder / "state.bin")

    def load_state(self) -> Any | None:
        """The watcher as it was; `None` if there is none, or it is of another version."""
        path = self.folder / "state.bin"
        if not path.exists():
            return None
        try:
            return _Careful(io.BytesIO(path.read_bytes())).load()
        except Exception:
            return None  # a state that cannot be read is no reason not to watch


class _Careful(pickle.Unpickler):
    """Makes nothing but this program's own values and arrays."""

    def find_class(self, module: str, name: str) -> Any:
        """Refuse everything else."""
        if module == "builtins" and name in _BUILTINS - {"getattr"}:
            return super().find_class(module, name)
        if module.startswith(_ALLOWED) or (module, name) == ("collections", "OrderedDict"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} does not belong in a state")


def _cut_off_half_a_line(path: Path) -> None:
    """A stop in the middle of writing leaves half a line: what was accepted before it stands."""
    data = path.read_bytes()
    if data and not data.endswith(b"\n"):
        path.write_bytes(data[: data.rfind(b"\n") + 1])


def entries(folder: Path) -> Iterator[Json]:
    """Every line of a log, the header first. Raises `UsageError` if there is no log."""
    path = folder / "log.jsonl" if folder.is_dir() else folder
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{folder}: {reason}") from error
    for line in text.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict):
            yield entry
