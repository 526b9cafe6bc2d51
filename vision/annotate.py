"""Draws a reading on a copy of its photo: outlines, values, counted pips, the total.

Sure tiles are blue with a plain outline, doubtful ones orange, dashed and hatched: told apart by form as well
as by colour, and by two colours that colour-blind eyes tell apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from vision.drawing import DARK, DOUBTFUL, WHITE, Colour, disc, stroke, text_mask
from vision.tiles import BgrImage, PhotoReading, TileSighting

_Box = tuple[int, int, int, int]
_Floats = npt.NDArray[np.float64]

SURE: Colour = (233, 180, 86)
_FAINT: Colour = (225, 225, 225)
# OpenCV draws to a sixteenth of a pixel.
_SHIFT = 4
_CELL_PX = 8


@dataclass(frozen=True, slots=True)
class Caption:
    """What the plate says: the total large, a word above it, a line below it."""

    total: str
    title: str = "Total"
    note: str = ""


def annotated(image: BgrImage, reading: PhotoReading, caption: Caption) -> BgrImage:
    """A copy of `image` (h, w, 3) with `reading`, which was made from it, drawn on it."""
    canvas = image.copy()
    for thing in (*reading.face_down, *reading.markers):
        _draw_faintly(canvas, thing)
    for tile in sorted(reading.tiles, key=lambda tile: tile.doubtful):
        _draw_tile(canvas, tile)
    chips: list[_Box] = []
    for tile in reading.tiles:
        _draw_values(canvas, tile, chips)
    _draw_plate(canvas, reading, caption)
    return canvas


def _draw_tile(canvas: BgrImage, tile: TileSighting) -> None:
    corners = tile.corners_px.astype(np.float64)
    colour, line = (DOUBTFUL if tile.doubtful else SURE), _line_px(canvas, corners)
    if tile.doubtful:
        _hatch(canvas, corners, colour, line)
        stroke(canvas, corners, DARK, line + max(1, line // 2), closed=True)
        for first, second in _dashes(corners, 4.0 * line):
            stroke(canvas, [first, second], colour, line)
    else:
        stroke(canvas, corners, DARK, line + max(2, line // 2), closed=True)
        stroke(canvas, corners, colour, line, closed=True)
    radius = max(1.2, 0.022 * _width_px(corners) + 0.4)
    for x, y in tile.pips_px:
        disc(canvas, (float(x), float(y)), radius * 1.75, DARK)
        disc(canvas, (float(x), float(y)), radius, colour)


def _draw_faintly(canvas: BgrImage, thing: TileSighting) -> None:
    """Something that doesn't count: a thin outline, half seen through."""
    corners = thing.corners_px.astype(np.float64)
    line = max(1, _line_px(canvas, corners) // 2)
    part = _part(canvas, corners, 2 * line)
    if part is None:
        return
    window, offset = part
    drawn = window.copy()
    stroke(drawn, corners - offset, _FAINT, line, closed=True)
    cv2.addWeighted(drawn, 0.6, window, 0.4, 0, dst=window)


def _draw_values(canvas: BgrImage, tile: TileSighting, chips: list[_Box]) -> None:
    """A chip with its value on each end's edge, where it hides no other chip; `chips` are those drawn so far."""
    corners = tile.corners_px.astype(np.float64)
    wide = _width_px(corners)
    size = max(0.34 * wide, min(canvas.shape[:2]) / 55, 9.0)
    colour = DOUBTFUL if tile.doubtful else SURE
    for (left, right), value in zip(((0, 1), (2, 3)), tile.ends, strict=True):
        mask = text_mask("?" if value is None else str(value), 0.82 * size)
        outward = (corners[left] + corners[right]) / 2 - corners.mean(0)
        outward = outward * (wide / max(1e-6, float(np.linalg.norm(outward))))
        # A little outside, or it would hide pips; off the middle, so that tiles end to end have room for both.
        places = [
            _chip_box(canvas, corners[left] + along * (corners[right] - corners[left]) + out * outward, mask, size)
            for out in (0.11, 0.05, 0.0, -0.2)
            for along in (0.27, 0.73, 0.5)
        ]
        pip = 0.1 * size * size
        box = min(places, key=lambda box: sum(_shared(box, other) for other in chips) + pip * _pips_in(box, tile))
        _chip(canvas, box, mask, size, colour)
        chips.append(box)


def _chip_box(canvas: BgrImage, centre: _Floats, mask: npt.NDArray[np.uint8], size: float) -> _Box:
    """Room for a label of height about `size` px; all of it inside the picture."""
    height = round(1.25 * size)
    width = max(height, mask.shape[1] + round(0.55 * size))
    x = _clip(float(centre[0]) - width / 2, canvas.shape[1] - width)
    y = _clip(float(centre[1]) - height / 2, canvas.shape[0] - height)
    return x, y, width, height


def _chip(canvas: BgrImage, box: _Box, mask: npt.NDArray[np.uint8], size: float, colour: Colour) -> None:
    x, y, width, height = box
    border = max(1, round(size / 11))
    _rounded(canvas, box, height / 3.2, colour)
    inner = (x + border, y + border, width - 2 * border, height - 2 * border)
    _rounded(canvas, inner, height / 3.2 - border, DARK)
    _blend(canvas, mask, x + (width - mask.shape[1]) // 2, y + (height - mask.shape[0]) // 2, WHITE)


def _pips_in(box: _Box, tile: TileSighting) -> int:
    """How many counted pips of the tile a chip there would hide."""
    x, y, width, height = box
    inside = (tile.pips_px >= (x, y)) & (tile.pips_px <= (x + width, y + height))
    return int(inside.all(axis=1).sum())


def _shared(a: _Box, b: _Box) -> int:
    """Pixels that two boxes have in common."""
    wide = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    high = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return max(0, wide) * max(0, high)


def _draw_plate(canvas: BgrImage, reading: PhotoReading, caption: Caption) -> None:
    """The total, as large as it may be without hiding a tile; small where it has to."""
    best = max(14.0, 0.085 * min(canvas.shape[:2]))
    taken = _taken(canvas, reading)
    for share in (1.0, 0.8, 0.64, 0.5):
        size = max(9.0, share * best)
        rows = _plate_rows(canvas, reading, caption, size)
        pad, gap = round(0.38 * size), round(0.22 * size)
        width = max(mask.shape[1] for mask, _ in rows) + 2 * pad
        height = sum(mask.shape[0] for mask, _ in rows) + 2 * pad + gap * (len(rows) - 1)
        hidden, x, y = _free_place(taken, (canvas.shape[1], canvas.shape[0]), (width, height), round(0.3 * size))
        if not hidden:
            break
    window = canvas[y : y + height, x : x + width]
    plate = window.copy()
    _rounded(plate, (0, 0, width, height), 0.35 * size, DARK)
    cv2.addWeighted(plate, 0.88, window, 0.12, 0, dst=window)
    top = y + pad
    for mask, colour in rows:
        _blend(canvas, mask, x + pad, top, colour)
        top += mask.shape[0] + gap


def _plate_rows(
    canvas: BgrImage, reading: PhotoReading, caption: Caption, size: float
) -> list[tuple[npt.NDArray[np.uint8], Colour]]:
    rows = [(caption.title, 0.36, _FAINT), (caption.total, 1.25, WHITE)]
    if caption.note:
        rows.append((caption.note, 0.32, DOUBTFUL if reading.doubtful else _FAINT))
    room = max(8.0, canvas.shape[1] - 0.8 * size)
    return [(_no_wider(text_mask(text, share * size), room), colour) for text, share, colour in rows]


def _taken(canvas: BgrImage, reading: PhotoReading) -> npt.NDArray[np.uint8]:
    """Where tiles and their chips are: 1 in a map an eighth of the photo's size."""
    high, wide = canvas.shape[:2]
    taken = np.zeros((high // _CELL_PX + 1, wide // _CELL_PX + 1), np.uint8)
    for tile in reading.tiles:
        corners = tile.corners_px / _CELL_PX
        outer = corners.mean(0) + (corners - corners.mean(0)) * 1.15
        cv2.fillConvexPoly(taken, np.round(outer).astype(np.int32), 1)
    return taken


def _free_place(
    taken: npt.NDArray[np.uint8], canvas_wh: tuple[int, int], plate_wh: tuple[int, int], margin: int
) -> tuple[int, int, int]:
    """How much is hidden at the best place along the photo's edges, and its x and y px; corners come first."""
    room_x, room_y = (max(0, whole - part) for whole, part in zip(canvas_wh, plate_wh, strict=True))
    margin_x, margin_y = min(margin, room_x // 2), min(margin, room_y // 2)
    places = []
    for share in (0.0, 1.0, 0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875):
        x = round(margin_x + share * (room_x - 2 * margin_x))
        y = round(margin_y + share * (room_y - 2 * margin_y))
        places += [(x, margin_y), (x, room_y - margin_y), (margin_x, y), (room_x - margin_x, y)]
    scored = []
    for rank, (x, y) in enumerate(places):
        left, right = x // _CELL_PX, -(-(x + plate_wh[0]) // _CELL_PX)
        top, bottom = y // _CELL_PX, -(-(y + plate_wh[1]) // _CELL_PX)
        scored.append((int(taken[top:bottom, left:right].sum()), rank, x, y))
    hidden, _, x, y = min(scored)
    return hidden, x, y


def _width_px(corners: _Floats) -> float:
    """The short side of a tile."""
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)


def _line_px(canvas: BgrImage, corners: _Floats) -> int:
    wide = _width_px(corners)
    return int(max(1, round(min(0.06 * wide, max(0.03 * wide, min(canvas.shape[:2]) / 400)))))


def _dashes(corners: _Floats, length: float) -> Iterator[tuple[_Floats, _Floats]]:
    """Dashes and gaps of about `length` px along the outline, a dash at every corner."""
    ring: list[_Floats] = [corners[index % len(corners)] for index in range(len(corners) + 1)]
    for first, second in pairwise(ring):
        pieces = max(1, round(float(np.linalg.norm(second - first)) / length / 2)) * 2 + 1
        for index in range(0, pieces, 2):
            yield (
                first + (second - first) * (index / pieces),
                first + (second - first) * (min(pieces, index + 1) / pieces),
            )


def _hatch(canvas: BgrImage, corners: _Floats, colour: Colour, line: int) -> None:
    """Slanted lines over the tile, thin enough to see its pips."""
    part = _part(canvas, corners, 0)
    if part is None:
        return
    window, offset = part
    lines = np.zeros(window.shape[:2], np.uint8)
    step = max(6, round(0.16 * _width_px(corners)))
    high, wide = window.shape[0], window.shape[1]
    for start in range(-high, wide, step):
        cv2.line(lines, (start, high), (start + high, 0), 255, max(1, line // 2), cv2.LINE_AA)
    inside = np.zeros_like(lines)
    cv2.fillConvexPoly(inside, np.round(corners - offset).astype(np.int32), 255)
    _blend(window, np.minimum(lines, inside) // 2, 0, 0, colour)


def _part(canvas: BgrImage, corners: _Floats, margin: int) -> tuple[BgrImage, _Floats] | None:
    """The piece of the canvas (a view) around the corners, and its top left px; `None` if it is empty."""
    low = np.maximum(np.floor(corners.min(0)).astype(int) - margin, 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + margin + 1, canvas.shape[1::-1])
    if (high <= low).any():
        return None
    return canvas[low[1] : high[1], low[0] : high[0]], low.astype(np.float64)


def _rounded(canvas: BgrImage, box: _Box, radius: float, colour: Colour) -> None:
    """A filled rectangle (x, y, width, height px) with rounded corners."""
    x, y, width, height = box
    radius = max(0.0, min(radius, width / 2 - 1, height / 2 - 1))
    quarter = np.linspace(0, np.pi / 2, 9)
    arc = np.stack([np.cos(quarter), np.sin(quarter)], 1) * radius
    right, bottom = x + width - 1 - radius, y + height - 1 - radius
    shape = [
        arc + np.array([right, bottom]),
        arc[::-1] * [-1, 1] + [x + radius, bottom],
        -arc + [x + radius, y + radius],
        arc[::-1] * [1, -1] + [right, y + radius],
    ]
    points = np.round(np.concatenate(shape) * (1 << _SHIFT)).astype(np.int32)
    cv2.fillConvexPoly(canvas, points, colour, cv2.LINE_AA, _SHIFT)


def _no_wider(mask: npt.NDArray[np.uint8], room: float) -> npt.NDArray[np.uint8]:
    share = room / mask.shape[1]
    if share >= 1:
        return mask
    size = max(1, int(mask.shape[1] * share)), max(1, int(mask.shape[0] * share))
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)


def _blend(canvas: BgrImage, mask: npt.NDArray[np.uint8], x: int, y: int, colour: Colour) -> None:
    """Paint `colour` where `mask` (h, w) covers, its top left at (x, y) px; what lies outside is cut."""
    x0, y0 = max(0, x), max(0, y)
    x1, y1 = min(canvas.shape[1], x + mask.shape[1]), min(canvas.shape[0], y + mask.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    share = mask[y0 - y : y1 - y, x0 - x : x1 - x, None].astype(np.float32) / 255
    window = canvas[y0:y1, x0:x1]
    window[:] = (window * (1 - share) + np.array(colour, np.float32) * share + 0.5).astype(np.uint8)


def _clip(value: float, most: int) -> int:
    return int(min(max(round(value), 0), max(most, 0)))
