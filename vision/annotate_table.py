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
    text_mask,
)
from vision.label_places import Taken, find_place
from vision.table_reading import OF_PHOTO, LineReading, MarkerReading, TableReading, TrainReading
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
    (200, 130, 190),
    (80, 140, 190),
    (160, 220, 160),
    (150, 110, 80),
)
FLASH: Colour = (0, 240, 255)
FLASH_RIM: Colour = (200, 0, 220)
FAULT: Colour = (40, 40, 235)
HUB: Colour = (90, 215, 255)

_BADGE, _HUB_BADGE = 0.28, 0.3
"""Radii, in tile lengths."""
_TIE_MOST = 2.2
"""A line longer than this across the table, in tile lengths, ties nothing for the eye."""


def annotated_table(image: BgrImage, reading: TableReading, names: Mapping[str, str] | None = None) -> BgrImage:
    """A copy of `image` (h, w, 3) with the reading, which was made from it, drawn on it.

    `names` gives trains other names than their ids, such as seats.
    """
    canvas = image.copy()
    size = _tile_px(reading)
    colours = {train.id: TRAIN_COLOURS[number % len(TRAIN_COLOURS)] for number, train in enumerate(reading.trains)}
    taken = _taken(reading, size)
    ends = {train.id: _end_place(reading, train, size, taken) for train in reading.trains}
    _draw_frame(canvas, reading)
    _draw_aside(canvas, reading, size)
    for train in reading.trains:
        for line in (train.line, *train.limbs):
            _draw_line(canvas, reading, line, colours[train.id], size)
    _draw_doubts(canvas, reading, size)
    _draw_hub(canvas, reading, size)
    for marker in reading.markers:
        colour = colours.get(marker.train or "", (225, 225, 225))
        _draw_marker(canvas, reading, marker, ends, colour, size)
    for train in reading.trains:
        _draw_end(canvas, reading, train, ends[train.id], colours[train.id], size)
    for train in reading.trains:
        _draw_name(canvas, reading, train, (names or {}).get(train.id, train.id), taken, size)
    _draw_faults(canvas, reading, size)
    return canvas


def _corners(corners_px: object) -> Floats:
    return np.asarray(corners_px, np.float64)


def _tile_px(reading: TableReading) -> float:
    """A tile's length, px."""
    sides = [float(np.linalg.norm(tile.sighting.corners_px[1] - tile.sighting.corners_px[2])) for tile in reading.tiles]
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
    """Doubtful tiles are hatched, but not for what the whole photo is doubted for."""
    whole = _whole_in_doubt(reading)
    doubtful = {number for doubt in reading.doubts for number in doubt.tile_ids}
    doubtful |= {
        tile.id for tile in reading.tiles if any(not whole or d.code not in OF_PHOTO for d in tile.sighting.doubts)
    }
    for number in doubtful:
        corners = _corners(reading.tile(number).sighting.corners_px)
        hatch(canvas, corners, DOUBTFUL, size * 0.14, size * 0.035)
    for doubt in reading.doubts:
        if doubt.place_px is not None:
            ring(canvas, doubt.place_px, size * 0.24, DOUBTFUL, size * 0.04)


def _draw_frame(canvas: BgrImage, reading: TableReading) -> None:
    """Where the whole photo is in doubt, a hatched frame says so."""
    if not _whole_in_doubt(reading):
        return
    width, height = reading.size_wh
    band = min(width, height) * 0.02
    for x0, y0, x1, y1 in (
        (0, 0, width, band),
        (0, height - band, width, height),
        (0, band, band, height - band),
        (width - band, band, width, height - band),
    ):
        rim = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)
        hatch(canvas, rim, DOUBTFUL, band, band * 0.5)


def _whole_in_doubt(reading: TableReading) -> bool:
    return any(doubt.code in OF_PHOTO for doubt in reading.doubts)


def _draw_hub(canvas: BgrImage, reading: TableReading, size: float) -> None:
    if reading.starting_tile is None:
        if reading.hub_px is not None:
            badge(canvas, reading.hub_px, "?", size * _HUB_BADGE, DOUBTFUL)
        return
    corners = _corners(reading.tile(reading.starting_tile).sighting.corners_px)
    outlined(canvas, corners, HUB, size * 0.07, closed=True)
    value = "?" if reading.starting_double is None else str(reading.starting_double)
    badge(canvas, corners.mean(0), value, size * 0.2, HUB)


def _draw_marker(
    canvas: BgrImage,
    reading: TableReading,
    marker: MarkerReading,
    ends: Mapping[str, Floats],
    colour: Colour,
    size: float,
) -> None:
    """A ring in the train's colour, tied to its open end, or to its nearest tile where that is far away."""
    corners = _corners(marker.sighting.corners_px)
    centre, radius = corners.mean(0), _marker_px(corners, size)
    train = next((train for train in reading.trains if train.id == marker.train), None)
    if train is not None:
        end = ends[train.id]
        tiles = [_corners(reading.tile(number).sighting.corners_px) for number in train.all_tile_ids]
        if tiles and float(np.linalg.norm(end - centre)) > _TIE_MOST * size:
            end = min((tile.mean(0) for tile in tiles), key=lambda middle: float(np.linalg.norm(middle - centre)))
        away = float(np.linalg.norm(end - centre))
        if away > radius:
            outlined(canvas, [centre + (end - centre) * radius / away, end], colour, size * 0.05)
    ring(canvas, centre, radius, colour, size * 0.06)


def _marker_px(corners: Floats, size: float) -> float:
    """Radius of the ring round a marker."""
    return max(size * 0.22, float(np.linalg.norm(corners - corners.mean(0), axis=1).max()) * 1.05)


def _taken(reading: TableReading, size: float) -> Taken:
    """What badges and names have to keep clear of."""
    taken = Taken(reading.size_wh)
    taken.shapes = [_corners(tile.sighting.corners_px) for tile in reading.tiles]
    markers = [_corners(marker.sighting.corners_px) for marker in reading.markers]
    taken.discs = [(corners.mean(0), _marker_px(corners, size)) for corners in markers]
    if reading.starting_tile is None and reading.hub_px is not None:
        taken.discs.append((np.array(reading.hub_px), size * _HUB_BADGE))
    return taken


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-6))


def _end_place(reading: TableReading, train: TrainReading, size: float, taken: Taken) -> Floats:
    """Where the badge of a train's open end goes: just beyond it, or aside where that place is taken."""
    radius = size * _BADGE * (1.36 if train.open_double else 1.14)
    reaches = [radius + size * gap for gap in (0.06, 0.2, 0.4)]
    if not train.line.tile_ids:
        where = [_corners(m.sighting.corners_px).mean(0) for m in reading.markers if m.train == train.id]
        spot = where[0] if where else np.zeros(2)
        away = spot - np.array(reading.hub_px) if reading.hub_px is not None else np.array([0.0, 1.0])
        return find_place(taken, spot, _unit(away), [reach + size * 0.25 for reach in reaches], radius)
    last = _corners(reading.tile(train.line.tile_ids[-1]).sighting.corners_px).mean(0)
    end = np.array(train.line.end_px)
    return find_place(taken, end, _unit(end - last), reaches, radius)


def _draw_end(
    canvas: BgrImage, reading: TableReading, train: TrainReading, spot: Floats, colour: Colour, size: float
) -> None:
    value = reading.open_end(train)
    text = "?" if value is None else str(value)
    if train.line.tile_ids:
        end = np.array(train.line.end_px)
        if float(np.linalg.norm(spot - end)) > size * (_BADGE * 1.36 + 0.1):
            outlined(canvas, [end, spot], colour, size * 0.05)
    if train.open_double:
        corners = _corners(reading.tile(train.line.tile_ids[-1]).sighting.corners_px)
        outlined(canvas, corners, FLASH_RIM, size * 0.1, closed=True)
        stroke(canvas, corners, FLASH, size * 0.04, closed=True)
        disc(canvas, spot, size * _BADGE * 1.36, FLASH_RIM)
        badge(canvas, spot, text, size * _BADGE, FLASH)
    else:
        badge(canvas, spot, text, size * _BADGE, colour)


def _draw_name(
    canvas: BgrImage, reading: TableReading, train: TrainReading, name: str, taken: Taken, size: float
) -> None:
    """The train's name where the train begins, between its first tile and the hub if there is room."""
    tall = size * 0.2
    wide = max(0.0, text_mask(name, tall).shape[1] / 2 - tall * 0.5)
    if train.line.tile_ids:
        middles = [_corners(reading.tile(number).sighting.corners_px).mean(0) for number in train.line.tile_ids[:2]]
        first = middles[0]
        hub = np.array(reading.hub_px) if train.slot is not None and reading.hub_px is not None else None
        back = hub - first if hub is not None else first - middles[1] if len(middles) > 1 else np.array([0.0, 1.0])
        reaches = [size * reach for reach in (0.74, 0.66, 0.84, 0.42, 0.54)]
    else:
        where = [_corners(m.sighting.corners_px).mean(0) for m in reading.markers if m.train == train.id]
        first, back = (where[0] if where else np.zeros(2)), np.array([0.0, 1.0])
        reaches = [size * 0.4, size * 0.55]
    place = find_place(taken, first, _unit(back), reaches, tall * 0.7, wide)
    for off in ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)):
        label(canvas, place + np.array(off), name, tall, DARK)
    label(canvas, place, name, tall, WHITE)


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
