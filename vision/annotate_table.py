"""Draws a table reading on a copy of its photo, to be understood at a glance from a chair.

Each train has a colour and its name at the hub; its tiles are numbered outward; the open end is a large badge
beyond the last tile. An open double's badge flashes in yellow on magenta. Markers are tied to their train.
Doubtful tiles are hatched, faults are red.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from vision.drawing import (
    DARK,
    DOUBTFUL,
    WHITE,
    Colour,
    Floats,
    badge,
    disc,
    hatch,
    label,
    outlined,
    ring,
    stroke,
)
from vision.table_reading import LineReading, TableReading, TrainReading
from vision.tiles import BgrImage

# Told apart by colour-blind eyes as well as twelve colours can be; the names at the hub and at the ends are the
# second clue. BGR.
TRAIN_COLOURS: tuple[Colour, ...] = (
    (178, 114, 0),
    (0, 159, 230),
    (115, 158, 0),
    (167, 121, 204),
    (233, 180, 86),
    (66, 228, 240),
    (0, 94, 213),
    (180, 180, 180),
    (110, 60, 110),
    (60, 90, 140),
    (160, 220, 160),
    (90, 40, 40),
)
FLASH: Colour = (0, 240, 255)
FLASH_RIM: Colour = (200, 0, 220)
FAULT: Colour = (40, 40, 235)
HUB: Colour = (90, 215, 255)


def annotated_table(image: BgrImage, reading: TableReading, names: Mapping[str, str] | None = None) -> BgrImage:
    """A copy of `image` (h, w, 3) with the reading, which was made from it, drawn on it.

    `names` gives trains other names than their ids, such as seats.
    """
    canvas = image.copy()
    size = _tile_px(reading)
    colours = {train.id: TRAIN_COLOURS[number % len(TRAIN_COLOURS)] for number, train in enumerate(reading.trains)}
    _draw_aside(canvas, reading, size)
    for train in reading.trains:
        for line in (train.line, *train.limbs):
            _draw_line(canvas, reading, line, colours[train.id], size)
    _draw_doubts(canvas, reading, size)
    _draw_hub(canvas, reading, size)
    for marker in reading.markers:
        _draw_marker(canvas, reading, marker.train, _corners(marker.sighting.corners_px), colours, size)
    for train in reading.trains:
        name = (names or {}).get(train.id, train.id)
        _draw_end(canvas, reading, train, name, colours[train.id], size)
    _draw_faults(canvas, reading, size)
    return canvas


def _corners(corners_px: object) -> Floats:
    return np.asarray(corners_px, np.float64)


def _tile_px(reading: TableReading) -> float:
    """A tile's length, px."""
    sides = [
        float(np.linalg.norm(tile.sighting.corners_px[1] - tile.sighting.corners_px[2])) for tile in reading.tiles
    ]
    return float(np.median(sides)) if sides else min(reading.size_wh) / 12


def _draw_aside(canvas: BgrImage, reading: TableReading, size: float) -> None:
    """Loose and face-down tiles: thin and pale, they are no part of the game."""
    for tile in reading.tiles:
        if tile.role in ("loose", "face_down"):
            stroke(canvas, tile.sighting.corners_px, (225, 225, 225), size * 0.025, closed=True)


def _draw_line(canvas: BgrImage, reading: TableReading, line: LineReading, colour: Colour, size: float) -> None:
    tiles = [_corners(reading.tile(number).sighting.corners_px) for number in line.tile_ids]
    centres = [corners.mean(0) for corners in tiles]
    for corners in tiles:
        outlined(canvas, corners, colour, size * 0.045, closed=True)
    if len(centres) > 1:
        outlined(canvas, centres, colour, size * 0.035)
    for number, centre in enumerate(centres, 1):
        radius = size * 0.13
        disc(canvas, centre, radius + 1, DARK)
        disc(canvas, centre, radius, colour)
        bright = 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2] > 140
        label(canvas, centre, str(number), radius * (0.95 if number < 10 else 0.8), DARK if bright else WHITE)


def _draw_doubts(canvas: BgrImage, reading: TableReading, size: float) -> None:
    doubtful = {number for doubt in reading.doubts for number in doubt.tile_ids}
    doubtful |= {tile.id for tile in reading.tiles if tile.sighting.doubtful}
    for number in doubtful:
        corners = _corners(reading.tile(number).sighting.corners_px)
        hatch(canvas, corners, DOUBTFUL, size * 0.14, size * 0.035)


def _draw_hub(canvas: BgrImage, reading: TableReading, size: float) -> None:
    if reading.starting_tile is None:
        if reading.hub_px is not None:
            badge(canvas, reading.hub_px, "?", size * 0.3, DOUBTFUL)
        return
    corners = _corners(reading.tile(reading.starting_tile).sighting.corners_px)
    outlined(canvas, corners, HUB, size * 0.07, closed=True)
    value = "?" if reading.starting_double is None else str(reading.starting_double)
    badge(canvas, corners.mean(0), value, size * 0.2, HUB)


def _draw_marker(
    canvas: BgrImage,
    reading: TableReading,
    train: str | None,
    corners: Floats,
    colours: Mapping[str, Colour],
    size: float,
) -> None:
    centre = corners.mean(0)
    radius = max(size * 0.22, float(np.linalg.norm(corners - centre, axis=1).max()) * 1.05)
    colour = colours.get(train or "", (225, 225, 225))
    end = next((_end_place(reading, each, size)[0] for each in reading.trains if each.id == train), None)
    if end is not None and float(np.linalg.norm(end - centre)) > radius:
        outlined(canvas, [centre + (end - centre) * radius / np.linalg.norm(end - centre), end], colour, size * 0.05)
    ring(canvas, centre, radius, colour, size * 0.06)


def _end_place(reading: TableReading, train: TrainReading, size: float) -> tuple[Floats, Floats]:
    """Where the badge of a train's open end goes, and the middle of its last tile."""
    if not train.line.tile_ids:
        where = [_corners(m.sighting.corners_px).mean(0) for m in reading.markers if m.train == train.id]
        spot = where[0] if where else np.zeros(2)
        hub = reading.hub_px
        away = spot - np.array(hub) if hub is not None else np.array([0.0, 1.0])
        return spot + away / max(float(np.linalg.norm(away)), 1e-6) * size * 0.75, spot
    last = _corners(reading.tile(train.line.tile_ids[-1]).sighting.corners_px).mean(0)
    end = np.array(train.line.end_px)
    out = end - last
    out = out / max(float(np.linalg.norm(out)), 1e-6)
    near = [_corners(m.sighting.corners_px).mean(0) for m in reading.markers]
    # A marker just beyond the end keeps its place; the badge moves aside.
    spot = end + out * size * 0.36
    if any(float(np.linalg.norm(spot - place)) < size * 0.5 for place in near):
        spot = end + out * size * 0.1 + np.array([-out[1], out[0]]) * size * 0.6
    margin = size * 0.3
    return np.clip(spot, margin, np.array(reading.size_wh) - margin), last


def _draw_end(
    canvas: BgrImage, reading: TableReading, train: TrainReading, name: str, colour: Colour, size: float
) -> None:
    spot, _ = _end_place(reading, train, size)
    value = reading.open_end(train)
    text = "?" if value is None else str(value)
    if train.open_double:
        corners = _corners(reading.tile(train.line.tile_ids[-1]).sighting.corners_px)
        outlined(canvas, corners, FLASH_RIM, size * 0.1, closed=True)
        stroke(canvas, corners, FLASH, size * 0.04, closed=True)
        disc(canvas, spot, size * 0.38, FLASH_RIM)
        badge(canvas, spot, text, size * 0.28, FLASH)
    else:
        badge(canvas, spot, text, size * 0.28, colour)
    if train.line.tile_ids:
        first = _corners(reading.tile(train.line.tile_ids[0]).sighting.corners_px).mean(0)
        hub = np.array(reading.hub_px) if reading.hub_px is not None else first
        towards = hub - first
        reach = float(np.linalg.norm(towards))
        place = first + towards / max(reach, 1e-6) * min(size * 0.78, reach * 0.5) if reach > 1 else first
    else:
        place = spot + np.array([0.0, size * 0.5])
    for off in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        label(canvas, place + np.array(off), name, size * 0.2, DARK)
    label(canvas, place, name, size * 0.2, WHITE)


def _draw_faults(canvas: BgrImage, reading: TableReading, size: float) -> None:
    for finding in reading.findings:
        shapes = [_corners(reading.tile(number).sighting.corners_px) for number in finding.tile_ids]
        for corners in shapes:
            outlined(canvas, corners, FAULT, size * 0.06, closed=True)
        if shapes:
            spots = [corners.mean(0) for corners in shapes]
            apart = len(spots) > 1 and float(np.linalg.norm(spots[0] - spots[1])) > 1.6 * size
            for spot in spots if apart else [np.mean(spots, axis=0)]:
                badge(canvas, spot, "!", size * 0.2, FAULT)
