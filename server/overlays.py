"""Writing the drawn photos that `--overlay` asks for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from server.errors import UsageError
from server.hands import Asked, Counted, Fault, HandRules, total_of
from server.messages import counted as several
from server.messages import sentence
from vision.annotate import Caption, annotated
from vision.tiles import BgrImage, PhotoReading

_KINDS = {".jpg": [cv2.IMWRITE_JPEG_QUALITY, 90], ".jpeg": [cv2.IMWRITE_JPEG_QUALITY, 90], ".png": [], ".webp": []}
# What the formats themselves allow for a side, px.
_LONGEST = {".jpg": 65_500, ".jpeg": 65_500, ".webp": 16_383}


def targets(wanted: str, photos: Sequence[Asked], language: str) -> list[Path]:
    """Where each photo's drawing goes: `wanted` itself for one photo, `OUT-name.jpg` for several.

    Raises `UsageError` before anything is read if the name can't be used or would write over a photo.
    """
    path = Path(wanted)
    if path.suffix.lower() not in _KINDS:
        raise UsageError(sentence("fault.overlay_kind", {"file": wanted}, language))
    if len(photos) == 1:
        paths = [path]
    else:
        paths, used = [], set()
        for photo in photos:
            stem, number = Path(photo.path).stem, 1
            name = f"{path.stem}-{stem}"
            # Not every disk tells capitals apart.
            while name.casefold() in used:
                number += 1
                name = f"{path.stem}-{stem}-{number}"
            used.add(name.casefold())
            paths.append(path.with_name(name + path.suffix))
    spare_photos("--overlay", paths, photos, language)
    return paths


def spare_photos(option: str, outputs: Sequence[Path], photos: Sequence[Asked], language: str) -> None:
    """Raise `UsageError` if a file to be written is one of the photos, also by another name of it."""
    # Unlike Path.resolve, this takes a link that leads nowhere.
    names = {os.path.realpath(photo.path) for photo in photos}
    files = {found for photo in photos if (found := _same_file(photo.path)) is not None}
    for path in outputs:
        if os.path.realpath(path) in names or _same_file(path) in files:
            raise UsageError(sentence("fault.over_photo", {"option": option, "file": str(path)}, language))


def _same_file(path: str | Path) -> tuple[int, int] | None:
    """What all names of one file have in common, or `None` if there is no file."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def encoded(target: Path, drawn: BgrImage) -> bytes | Fault:
    """The drawing in the format that the name's ending asks for."""
    ending = target.suffix.lower()
    longest = _LONGEST.get(ending)
    if longest is not None and max(drawn.shape[:2]) > longest:
        return Fault("overlay_too_long", {"file": str(target), "limit": longest})
    done, data = cv2.imencode(ending, drawn, _KINDS[ending])
    return np.asarray(data).tobytes() if done else Fault("overlay_failed", {"file": str(target), "reason": ending})


def write(target: Path, counted: Counted, rules: HandRules, language: str) -> Fault | None:
    """Draw and write one photo; the fault if that can't be done."""
    drawn = annotated(counted.image, counted.reading, caption_of(counted.reading, rules, language))
    data = encoded(target, drawn)
    if isinstance(data, Fault):
        return data
    try:
        target.write_bytes(data)
    except OSError as error:
        return Fault("overlay_failed", {"file": str(target), "reason": error.strerror or str(error)})
    return None


def caption_of(reading: PhotoReading, rules: HandRules, language: str) -> Caption:
    """The plate's words: the total, and how many tiles to look at."""
    notes = [several("score.tiles", len(reading.tiles), language)]
    if reading.doubtful:
        notes.append(several("score.doubtful", reading.doubtful, language))
    return Caption(str(total_of(reading, rules)), sentence("score.total", {}, language), " · ".join(notes))
