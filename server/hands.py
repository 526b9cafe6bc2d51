"""Counting hands on photos: which photos are meant, and what one of them says, in the form of the contract."""

from __future__ import annotations

import glob
import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.rules import Rules
from engine.scoring import tile_points
from server.errors import UsageError
from server.messages import Param, sentence
from vision.errors import ImageUnreadable, VisionError
from vision.image import open_image, pictures_in
from vision.reader import PhotoReader, ReadOptions
from vision.tiles import BgrImage, PhotoReading, TileSighting

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a photo could not be counted: a code of the catalogue's `fault` section, and values for it."""

    code: str
    params: Mapping[str, Param] = field(default_factory=dict)

    def message(self, language: str) -> str:
        """The sentence for people."""
        return sentence(f"fault.{self.code}", self.params, language)


@dataclass(frozen=True, slots=True)
class Asked:
    """A photo that was asked for. `fault` is set if it is known already that there is nothing to read."""

    path: str
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """A photo that was read: its pixels, what was seen, and milliseconds in all."""

    path: str
    image: BgrImage
    reading: PhotoReading
    ms: float


@dataclass(frozen=True, slots=True)
class HandRules:
    """What the caller knows of the game: the set, whether several are mixed, what the double-blank counts."""

    set_size: int = 12
    mixed: bool = False
    double_blank: int = 0

    @property
    def options(self) -> ReadOptions:
        """What the reader wants to know of it."""
        return ReadOptions(set_size=self.set_size, mixed=self.mixed)

    def pips(self, tile: TileSighting) -> int:
        """What a tile counts; a half that can't be read counts 0."""
        if tile.tile is None:
            return sum(end for end in tile.ends if end is not None)
        return tile_points(tile.tile, Rules.of({"double_blank": self.double_blank}))


def asked_for(words: Iterable[str]) -> list[Asked]:
    """The photos that command line words stand for: a folder is the pictures in it, in natural name order."""
    found: list[Asked] = []
    for word in words:
        if os.path.isdir(word):
            found += _in_folder(word)
        elif not os.path.exists(word) and glob.has_magic(word):
            # Not every shell replaces `*.jpg` by names.
            found += [Asked(name) for name in sorted(glob.glob(word))] or [Asked(word)]
        else:
            found.append(Asked(word))
    return found


def _in_folder(folder: str) -> list[Asked]:
    try:
        paths = pictures_in(folder)
    except ImageUnreadable as error:
        return [Asked(folder, Fault(error.code, error.params))]
    return [Asked(str(path)) for path in paths] or [Asked(folder, Fault("no_pictures"))]


def open_or_explain(opener: Callable[[], PhotoReader], language: str) -> PhotoReader:
    """The reader. Raises `UsageError` with the way to restore a model file that is missing or altered."""
    try:
        return opener()
    except VisionError as error:
        raise UsageError(sentence(f"fault.{error.code}", error.params, language)) from error


def count_photo(asked: Asked, reader: PhotoReader, rules: HandRules) -> Counted | Fault:
    """Decode and read one photo."""
    if asked.fault is not None:
        return asked.fault
    start = time.perf_counter()
    try:
        source = open_image(asked.path)
        image = source.full()
    except ImageUnreadable as error:
        return Fault(error.code, error.params)
    reading = reader.read(image, rules.options)
    if source.damaged:
        reading = reading.from_damaged()
    return Counted(asked.path, image, reading, (time.perf_counter() - start) * 1000)


def total_of(reading: PhotoReading, rules: HandRules) -> int:
    """Pips on all face-up tiles."""
    return sum(rules.pips(tile) for tile in reading.tiles)


def lies_as_table(reading: PhotoReading, rules: HandRules) -> bool:
    """Whether most tiles lie in trains that lead away from a starting double: a table in play, not a hand."""
    from vision.layout import read_layout  # loaded only where there are tiles enough for a table
    from vision.table_reading import LayoutOptions

    table = read_layout(reading, LayoutOptions(rules.set_size, rules.mixed, settle=True))
    trains = [train for train in table.trains if train.slot is not None and train.line.tiles]
    laid = sum(len(list(train.all_tile_ids)) for train in trains)
    return table.starting_double is not None and len(trains) >= 3 and 2 * (laid + 1) > len(reading.tiles)


def fault_json(path: str, fault: Fault, language: str) -> Json:
    """The entry of a photo that could not be counted."""
    return {"path": path, "error": fault.message(language), "code": fault.code, "params": dict(fault.params)}


def photo_json(counted: Counted, rules: HandRules, language: str) -> Json:
    """The entry of a photo that was counted."""
    reading = counted.reading
    return {
        "path": counted.path,
        "total": total_of(reading, rules),
        "tiles": [_tile_json(tile, rules, language) for tile in reading.tiles],
        "doubtful": reading.doubtful,
        "double_blank": rules.double_blank,
        "model": reading.model_id,
        "ms": round(counted.ms, 1),
        "stages_ms": dict(reading.ms),
        "size_px": list(reading.size_wh),
        "face_down": len(reading.face_down),
        "notes": [
            {"code": code, "params": {}, "message": sentence(f"score.{code}", {}, language)}
            for code in notes_of(reading)
        ],
    }


def doubt_sentences(tile: TileSighting, language: str) -> list[str]:
    """Why a tile is doubtful, each reason once."""
    texts = [sentence(f"doubt.{doubt.code}", doubt.params, language) for doubt in tile.doubts]
    return list(dict.fromkeys(texts))


def notes_of(reading: PhotoReading) -> list[str]:
    """What is to be said of the photo as a whole, as codes of the catalogue's `score` section."""
    notes = [] if reading.tiles else ["too_blurred" if reading.blurred else "no_domino"]
    return notes + (["damaged"] if reading.damaged else [])


def _tile_json(tile: TileSighting, rules: HandRules, language: str) -> Json:
    return {
        "ends": list(tile.ends),
        "pips": rules.pips(tile),
        "corners_px": [[round(float(x), 1), round(float(y), 1)] for x, y in tile.corners_px],
        "confidence": round(float(tile.confidence), 4),
        "doubtful": tile.doubtful,
        "doubts": [
            {
                "code": doubt.code,
                "params": dict(doubt.params),
                "message": sentence(f"doubt.{doubt.code}", doubt.params, language),
            }
            for doubt in tile.doubts
        ],
    }
