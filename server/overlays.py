"""Writing the drawn photos that `--overlay` asks for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from server.errors import UsageError
from server.hands import Asked, Counted, Fault, HandRules, total_of
from server.messages import counted as several
from server.messages import sentence
from vision.annotate import Caption, annotated
from vision.tiles import PhotoReading

_KINDS = {".jpg": [cv2.IMWRITE_JPEG_QUALITY, 90], ".jpeg": [cv2.IMWRITE_JPEG_QUALITY, 90], ".png": [], ".webp": []}


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
            while name in used:
                number += 1
                name = f"{path.stem}-{stem}-{number}"
            used.add(name)
            paths.append(path.with_name(name + path.suffix))
    sources = {Path(photo.path).resolve() for photo in photos}
    for target in paths:
        if target.resolve() in sources:
            raise UsageError(sentence("fault.overlay_over_photo", {"file": str(target)}, language))
    return paths


def write(target: Path, counted: Counted, rules: HandRules, language: str) -> Fault | None:
    """Draw and write one photo; the fault if that can't be done."""
    drawn = annotated(counted.image, counted.reading, caption_of(counted.reading, rules, language))
    done, data = cv2.imencode(target.suffix.lower(), drawn, _KINDS[target.suffix.lower()])
    if not done:
        return Fault("overlay_failed", {"file": str(target), "reason": "size"})
    try:
        target.write_bytes(np.asarray(data).tobytes())
    except OSError as error:
        return Fault("overlay_failed", {"file": str(target), "reason": error.strerror or str(error)})
    return None


def caption_of(reading: PhotoReading, rules: HandRules, language: str) -> Caption:
    """The plate's words: the total, and how many tiles to look at."""
    notes = [several("score.tiles", len(reading.tiles), language)]
    if reading.doubtful:
        notes.append(several("score.doubtful", reading.doubtful, language))
    return Caption(str(total_of(reading, rules)), sentence("score.total", {}, language), " · ".join(notes))
