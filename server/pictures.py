"""Pictures of the table: the newest one as pages show it, and those kept as evidence before and after each event.

Everything is written anew from pixels, so no place or device data reaches the disk. The folder is limited in size;
the oldest pictures go first. Names are numbers that the server gives; nothing a client sends becomes a path.
"""

from __future__ import annotations

import shutil
import threading
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.tiles import BgrImage

EVIDENCE_PX = 1920
SHOWN_PX = 1280
_FEWEST_KEPT = 2


def as_jpeg(image: BgrImage, longest_px: int, quality: int) -> bytes:
    """The picture as a JPEG, no larger than `longest_px`."""
    shrink = longest_px / max(image.shape[:2])
    if shrink < 1:
        image = np.asarray(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise OSError("a picture could not be encoded")
    return bytes(data.tobytes())


@dataclass(frozen=True, slots=True)
class PictureFolder:
    """Evidence of all games. At most `most_bytes` for one game."""

    root: Path
    most_bytes: int = 400_000_000

    def of(self, game_id: str) -> Path:
        """The folder of a game."""
        return self.root / game_id

    def picture(self, game_id: str, number: int) -> Path:
        """A kept picture; it may have been dropped since."""
        return self.of(game_id) / f"{number:06d}.jpg"

    def keep(self, game_id: str, image: BgrImage) -> int:
        """Keep a picture; returns its number."""
        folder = self.of(game_id)
        folder.mkdir(parents=True, exist_ok=True)
        kept = sorted(folder.glob("*.jpg"))
        number = int(kept[-1].stem) + 1 if kept else 1
        part = folder / f"{number:06d}.part"
        part.write_bytes(as_jpeg(image, EVIDENCE_PX, 85))
        part.replace(self.picture(game_id, number))
        sizes = [path.stat().st_size for path in kept]
        while len(kept) > _FEWEST_KEPT and sum(sizes) > self.most_bytes:
            kept.pop(0).unlink(missing_ok=True)
            sizes.pop(0)
        return number

    def forget(self, game_id: str) -> None:
        """Delete all pictures of a game."""
        shutil.rmtree(self.of(game_id), ignore_errors=True)


class Newest:
    """The newest picture of a camera. It is encoded when somebody asks, at most once in `every_s`."""

    def __init__(self, every_s: float = 0.4) -> None:
        self._every_s = every_s
        self._lock = threading.Lock()
        self._image: BgrImage | None = None
        self._jpeg: bytes | None = None
        self._made_s = 0.0
        self._fresh = False

    def put(self, image: BgrImage) -> None:
        """A newer picture."""
        with self._lock:
            self._image, self._fresh = image, True

    def jpeg(self, now_s: float) -> bytes | None:
        """The newest picture, or the one before while that is younger than `every_s`."""
        with self._lock:
            if self._image is not None and self._fresh and (self._jpeg is None or now_s - self._made_s > self._every_s):
                self._jpeg, self._made_s, self._fresh = as_jpeg(self._image, SHOWN_PX, 80), now_s, False
            return self._jpeg
