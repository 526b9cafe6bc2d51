"""What a photo says, in the form in which it is kept and sent: plain values, no arrays.

`read_photo` is one job: a file in, a reading out. It holds no state, so any process may run it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from server import table_json
from server.cleaning import cleaned
from server.problems import Problem, TooLarge
from server.table_json import ReadTable
from vision.errors import ImageUnreadable, VisionError
from vision.image import open_image
from vision.layout import read_layout
from vision.reader import PhotoReader, ReadOptions
from vision.table_reading import LayoutOptions
from vision.tiles import BgrImage, PhotoReading, TileSighting

Json = dict[str, Any]

VIEW_PX = 1600
"""Longest side of the copy that pages show."""
_MAX_OPTIONS = 6


@dataclass(frozen=True, slots=True)
class ReadJob:
    """A photo to read. `source` is what was handed in; `target` the cleaned photo, `view` its small copy."""

    source: Path
    target: Path
    view: Path
    options: ReadOptions
    table: bool = False
    """It shows a whole table, not a hand."""


def take_in(data: bytes, path: Path, max_pixels: int) -> None:
    """Write an upload, without its notes. Refuses what is no picture, or too large, before pixels are unpacked.

    It can be read from then on, and is safe from a power cut after `make_safe`.
    """
    try:
        width, height = open_image(data).size_wh
        if width * height > max_pixels:
            raise TooLarge("too_many_pixels", megapixels=max_pixels // 1_000_000)
        clean = cleaned(data)
    except ImageUnreadable as error:
        raise Problem("unreadable", **_why(error)) from error
    _write_file(clean, path, safe=False)


def make_safe(path: Path) -> None:
    """Wait until a file is on the disk, and not only on its way there."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _why(error: VisionError) -> dict[str, str | int | float]:
    """Why a photo can't be read: in English, and by a code for pages in other languages."""
    return {**error.params, "reason": str(error), "fault": error.code}


def read_photo(job: ReadJob, reader: PhotoReader) -> Json:
    """Read a photo and write the copy that pages show. The full one is written afterwards, by `keep_photo`."""
    image, damaged = _image_of(job)
    _write_view(image, job.view)
    seen = reader.read(image, job.options)
    seen = seen.from_damaged() if damaged else seen
    return table_as_json(seen, job) if job.table else as_json(seen)


def keep_photo(job: ReadJob) -> None:
    """Keep a clean copy in full size: upright, and without place, device or any other notes; drop the upload."""
    try:
        if not job.target.exists():
            image, _ = _image_of(job)
            if not job.view.exists():
                _write_view(image, job.view)
            _write(image, job.target, 92, safe=True)
    except ImageUnreadable:
        pass  # nothing to keep; what was handed in goes too
    finally:
        _decoded.clear()
    job.source.unlink(missing_ok=True)


_decoded: dict[Path, tuple[BgrImage, bool]] = {}
"""The photo decoded last in this process, so that keeping it does not decode it again."""


def _image_of(job: ReadJob) -> tuple[BgrImage, bool]:
    """The pixels, and whether the file they come from has a hole."""
    known = _decoded.get(job.source)
    if known is None:
        source = open_image(job.target if job.target.exists() else job.source)
        known = source.full(), source.damaged
        _decoded.clear()
        _decoded[job.source] = known
    return known


def as_answer(job: ReadJob, reader: PhotoReader) -> Json:
    """`read_photo`, with a failure as an answer: errors may not travel from one process to another."""
    try:
        return read_photo(job, reader)
    except ImageUnreadable as error:
        return {"problem": {"code": "unreadable", "params": _why(error)}}
    except VisionError as error:
        return {"problem": {"code": "reader_broken", "params": {"reason": str(error)}}}


def as_json(reading: PhotoReading) -> Json:
    """A reading as it is kept and sent."""
    return {
        "tiles": [_tile(f"t{index}", sighting) for index, sighting in enumerate(reading.tiles)],
        "face_down": len(reading.face_down),
        "blurred": reading.blurred,
        "size": list(reading.size_wh),
        "doubtful": reading.doubtful,
        "model": reading.model_id,
        "ms": {stage: round(ms, 1) for stage, ms in reading.ms.items()},
    }


def table_as_json(seen: PhotoReading, job: ReadJob) -> Json:
    """A reading of a whole table: `table` in the form of the `read` contract, its tiles with what else each may be.

    `slots` are the directions of the trains at the hub, in radians clockwise as seen, 0 to the right. `trouble` says
    why there is little to begin with: `blurred`, `nothing` (no tile) or `no_hub` (no trains round one).
    """
    reading = read_layout(seen, LayoutOptions(job.options.set_size, job.options.mixed, settle=True))
    table = table_json.as_json(ReadTable(reading, {}, None, job.options.set_size), job.target.name, "en")
    for shown, placed in zip(table["tiles"], reading.tiles, strict=True):
        shown["options"] = _options(placed.sighting)
        shown["doubts"] = [{"code": doubt.code, "params": doubt.params} for doubt in placed.sighting.doubts]
    trouble = None if any(train.slot is not None for train in reading.trains) else "no_hub"
    if not seen.tiles:
        trouble = "blurred" if seen.blurred else "nothing"
    return {
        "table": table,
        "slots": {train.id: round(train.slot, 3) for train in reading.trains if train.slot is not None},
        "trouble": trouble,
        "size": list(reading.size_wh),
        "model": reading.model_id,
        "ms": {stage: round(ms, 1) for stage, ms in reading.ms.items()},
    }


def _tile(name: str, sighting: TileSighting) -> Json:
    return {
        "id": name,
        "ends": list(sighting.ends),
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in sighting.corners_px],
        "confidence": round(float(sighting.confidence), 4),
        "doubtful": sighting.doubtful,
        "doubts": [{"code": doubt.code, "params": doubt.params} for doubt in sighting.doubts],
        "options": _options(sighting),
        "by": "reader",
        "confirmed": False,
    }


def _options(sighting: TileSighting) -> list[list[int]]:
    """The likely readings of a tile, best first, the one chosen left out."""
    halves = []
    for row in np.asarray(sighting.probabilities, dtype=float):
        best = np.argsort(row)[::-1][:3]
        halves.append([(int(value), float(row[value])) for value in best if row[value] > 0.005])
    scored = sorted(
        ((first[1] * second[1], [first[0], second[0]]) for first, second in product(*halves)), reverse=True
    )
    return [ends for _, ends in scored if ends != list(sighting.ends)][:_MAX_OPTIONS]


def _write_view(image: BgrImage, view: Path) -> None:
    """The small copy. Everything is written anew from pixels: nothing else of the upload reaches the disk."""
    small = image
    # By halves and the rest of the way between pixels: a fifth of the time that averaging at once takes.
    while max(small.shape[:2]) >= 2 * VIEW_PX:
        high, wide = (side // 2 for side in small.shape[:2])
        small = _resized(small[: 2 * high, : 2 * wide], (wide, high), cv2.INTER_AREA)
    shrink = VIEW_PX / max(small.shape[:2])
    if shrink < 1:
        high, wide = (max(1, round(side * shrink)) for side in small.shape[:2])
        small = _resized(small, (wide, high), cv2.INTER_LINEAR)
    _write(small, view, 82, safe=False)


def _resized(image: BgrImage, size_wh: tuple[int, int], how: int) -> BgrImage:
    return np.asarray(cv2.resize(image, size_wh, interpolation=how), np.uint8)


def _write(image: BgrImage, path: Path, quality: int, *, safe: bool) -> None:
    """Write a JPEG whole or not at all; `safe` against a power cut too."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise OSError(f"{path.name} could not be encoded")
    _write_file(data.tobytes(), path, safe=safe)


def _write_file(data: bytes, path: Path, *, safe: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        file.write(data)
        if safe:
            file.flush()
            os.fsync(file.fileno())
    part.replace(path)


# -- in a process of its own -----------------------------------------------------------------------------

_reader: PhotoReader | None = None
_opening = threading.Lock()


def open_in_process(open_reader: Callable[[], PhotoReader]) -> None:
    """Load the model when a reading process starts, so that the first photo does not wait for it.

    Ctrl+C reaches every process of a terminal; the server ends this one itself, and one that was killed takes it along.
    """
    global _reader  # one reader a process: the only state, set once
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    with _opening:
        if _reader is None:
            _reader = open_reader()


def _end_with_the_server() -> None:
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(0)


def read_in_process(job: ReadJob) -> Json:
    """Read with the process's reader."""
    assert _reader is not None, "the process was started with open_in_process"
    return as_answer(job, _reader)
