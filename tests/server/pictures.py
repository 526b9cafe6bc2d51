"""Photos for tests and a real little reader for them.

A photo shows dominoes; a band of black and white squares above says what they are. The reader reads the band,
so everything around it (upload, turning, cleaning, queue, pages) is exercised on real JPEG files. The band of a made
table names its seed: the reader sees it as a real one would, now and then a half wrongly and with a doubt.
"""

from __future__ import annotations

import io
import time
from dataclasses import dataclass, replace

import cv2
import numpy as np
from PIL import Image, ImageDraw

from datasets.grounds import GroundBank
from datasets.simulate import Noise
from datasets.tables import TableSpec, make_table
from tests.vision.tables import Truth, planned
from vision.errors import ImageUnreadable
from vision.reader import ReadOptions
from vision.tiles import BgrImage, Doubt, PhotoReading, TileSighting

CELL = 16
COLUMNS = 40
BACK = 30
"""Both values of a tile that lies face down."""
TILE_W, TILE_H, GAP, TOP, PER_ROW = 96, 192, 40, 120, 5

HAND_HEAD, TABLE_HEAD = [1, 0, 1, 1], [1, 1, 0, 1]

TABLE = TableSpec(set_size=12, chickenfoot=0.0, laid=(14, 24), tile_px=(70.0, 90.0), tilt_max_deg=14.0, numerals=False)
TABLE_SEED = 41_098
"""The 12-12, three trains and one that has only its marker, the Mexican train; two tiles are read with doubts."""

Spec = tuple[int, int] | tuple[int, int, int]
"""A tile, and for a doubtful one what its second half may also be."""


def hand_photo(tiles: list[Spec], fmt: str = "JPEG", exif: bytes | None = None) -> bytes:
    """A photo of a hand."""
    rows = max(1, -(-len(tiles) // PER_ROW))
    image = Image.new("RGB", (CELL * COLUMNS + 80, TOP + rows * (TILE_H + GAP) + 40), "#7a5a3c")
    draw = ImageDraw.Draw(image)
    bits = [*HAND_HEAD, *_bits(len(tiles), 6)]
    for spec in tiles:
        bits += [*_bits(spec[0], 5), *_bits(spec[1], 5), *_bits(spec[2] if len(spec) == 3 else 31, 5)]
    for place, bit in enumerate(bits):
        x, y = place % COLUMNS * CELL, place // COLUMNS * CELL
        draw.rectangle((x, y, x + CELL - 1, y + CELL - 1), "white" if bit else "black")
    for spec, (x, y) in zip(tiles, _places(len(tiles)), strict=True):
        draw.rounded_rectangle((x, y, x + TILE_W, y + TILE_H), 14, "#f8f3e4", "#a89c80", 3)
        draw.line((x + 12, y + TILE_H // 2, x + TILE_W - 12, y + TILE_H // 2), "#555", 4)
        for half, value in enumerate(spec[:2]):
            for dot in range(value if value != BACK else 0):
                cx, cy = x + 20 + dot % 4 * 19, y + half * TILE_H // 2 + 20 + dot // 4 * 19
                draw.ellipse((cx - 7, cy - 7, cx + 7, cy + 7), "#2747a8")
    buffer = io.BytesIO()
    extra = {"exif": exif} if exif is not None else {}
    image.save(buffer, fmt, quality=92, **extra)
    return buffer.getvalue()


def table_photo(seed: int = TABLE_SEED) -> bytes:
    """A photo of a made table."""
    image = make_table(np.random.default_rng(seed), GroundBank(np.random.default_rng(seed), 2), TABLE).image
    for place, bit in enumerate([*TABLE_HEAD, *_bits(seed, 20)]):
        image[:CELL, place * CELL : (place + 1) * CELL] = 255 * bit
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes())


def table_seen(seed: int = TABLE_SEED) -> tuple[Truth, PhotoReading]:
    """What lies there, and what the reader sees of it."""
    truth, seen = planned(seed, TABLE, Noise(wrong=0.03, doubted=True))
    return truth, seen.reading


def _places(count: int) -> list[tuple[int, int]]:
    return [
        (50 + index % PER_ROW * (TILE_W + GAP), TOP + index // PER_ROW * (TILE_H + GAP)) for index in range(count)
    ]


def _bits(value: int, width: int) -> list[int]:
    return [value >> place & 1 for place in reversed(range(width))]


@dataclass(frozen=True)
class BandReader:
    """Reads the band; `slow_s` makes it as slow as a real one."""

    model_id: str = "band-1"
    slow_s: float = 0.0

    def read(self, image: BgrImage, options: ReadOptions) -> PhotoReading:  # noqa: ARG002 - the protocol's
        """Find and read every tile."""
        started = time.perf_counter()
        if self.slow_s:
            time.sleep(self.slow_s)
        height, width = image.shape[:2]
        bit = self._bit(image)
        head = [bit(place) for place in range(4)]
        if head == TABLE_HEAD:
            return table_seen(self._number(bit, 4, 20))[1]
        if head != HAND_HEAD:
            raise ImageUnreadable("no domino band on this photo")
        count = self._number(bit, 4, 6)
        sightings, backs = [], []
        for index, (x, y) in enumerate(_places(count)):
            start = 10 + 15 * index
            first, second, other = (self._number(bit, start + 5 * part, 5) for part in range(3))
            if (first, second) == (BACK, BACK):
                backs.append(replace(self._sighting(0, 0, None, x, y), kind="face_down", ends=(None, None)))
            else:
                sightings.append(self._sighting(first, second, None if other == 31 else other, x, y))
        ms = (time.perf_counter() - started) * 1000
        return PhotoReading(tuple(sightings), tuple(backs), (), (width, height), self.model_id, {"total": ms})

    @staticmethod
    def _bit(image: BgrImage):  # type: ignore[no-untyped-def]
        def bit(place: int) -> int:
            x, y = place % COLUMNS * CELL + CELL // 2, place // COLUMNS * CELL + CELL // 2
            return int(image[y, x].mean() > 127)

        return bit

    @staticmethod
    def _number(bit, start: int, width: int) -> int:  # type: ignore[no-untyped-def]
        value = 0
        for place in range(start, start + width):
            value = value * 2 + bit(place)
        return value

    def _sighting(self, first: int, second: int, other: int | None, x: int, y: int) -> TileSighting:
        corners = np.array([[x, y], [x + TILE_W, y], [x + TILE_W, y + TILE_H], [x, y + TILE_H]], np.float32)
        chances = np.zeros((2, 19), np.float32)
        chances[0, first] = 0.99
        chances[1, second] = 0.99 if other is None else 0.55
        doubts: tuple[Doubt, ...] = ()
        if other is not None:
            chances[1, other] = 0.4
            doubts = (Doubt("half_unclear", {"half": 1}),)
        return TileSighting("face_up", (first, second), corners, 0.99, chances, np.zeros((0, 2), np.float32), doubts)
