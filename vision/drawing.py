"""Strokes that overlays are made of: lines, discs, labels, hatching, on BGR uint8 pictures in place.

Coordinates are px, x right, y down, and may have fractions; what lies outside the picture is cut.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from vision.tiles import BgrImage

Colour = tuple[int, int, int]
"""Blue, green, red."""

Floats = npt.NDArray[np.float64]

DARK: Colour = (34, 28, 24)
WHITE: Colour = (255, 255, 255)
DOUBTFUL: Colour = (0, 159, 240)

# OpenCV draws to a sixteenth of a pixel.
_SHIFT = 4


def fixed(points: npt.ArrayLike) -> npt.NDArray[np.int32]:
    """Points in the sub-pixel integers that OpenCV draws with."""
    return np.asarray(np.round(np.asarray(points, np.float64) * (1 << _SHIFT)), np.int32)


def _fixed_point(point: npt.ArrayLike) -> tuple[int, int]:
    both = fixed(point).reshape(2)
    return int(both[0]), int(both[1])


def stroke(canvas: BgrImage, points: npt.ArrayLike, colour: Colour, width: float, *, closed: bool = False) -> None:
    """A line through the points (n, 2)."""
    cv2.polylines(canvas, [fixed(points)], closed, colour, max(1, round(width)), cv2.LINE_AA, _SHIFT)


def outlined(canvas: BgrImage, points: npt.ArrayLike, colour: Colour, width: float, *, closed: bool = False) -> None:
    """A line with a dark rim, seen on any ground."""
    stroke(canvas, points, DARK, width + max(2.0, width * 0.6), closed=closed)
    stroke(canvas, points, colour, width, closed=closed)


def disc(canvas: BgrImage, centre: npt.ArrayLike, radius: float, colour: Colour) -> None:
    """A filled circle."""
    cv2.circle(canvas, _fixed_point(centre), max(1, round(radius * (1 << _SHIFT))), colour, -1, cv2.LINE_AA, _SHIFT)


def ring(canvas: BgrImage, centre: npt.ArrayLike, radius: float, colour: Colour, width: float) -> None:
    """A circle with a dark rim."""
    for tone, wide in ((DARK, width + max(2.0, width * 0.6)), (colour, width)):
        size = max(1, round(radius * (1 << _SHIFT)))
        cv2.circle(canvas, _fixed_point(centre), size, tone, max(1, round(wide)), cv2.LINE_AA, _SHIFT)


def text_mask(text: str, size: float) -> npt.NDArray[np.uint8]:
    """(h, w) coverage 0..255 of a line of text, cut to its ink; `size` is about the height of a digit."""
    font = ImageFont.load_default(max(8.0, 1.38 * size))
    left, top, right, bottom = (round(side) for side in font.getbbox(text))
    picture = Image.new("L", (max(1, right - left + 2), max(1, bottom - top + 2)))
    ImageDraw.Draw(picture).text((1 - left, 1 - top), text, fill=255, font=font)
    return np.asarray(picture)


def label(canvas: BgrImage, centre: npt.ArrayLike, text: str, size: float, colour: Colour) -> None:
    """Text whose middle is at the centre."""
    mask = text_mask(text, size)
    corner = np.round(np.asarray(centre, np.float64) - [mask.shape[1] / 2, mask.shape[0] / 2])
    x, y = int(corner[0]), int(corner[1])
    x0, y0 = max(0, x), max(0, y)
    x1, y1 = min(canvas.shape[1], x + mask.shape[1]), min(canvas.shape[0], y + mask.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    share = mask[y0 - y : y1 - y, x0 - x : x1 - x, None].astype(np.float32) / 255
    window = canvas[y0:y1, x0:x1]
    window[:] = (window * (1 - share) + np.array(colour, np.float32) * share + 0.5).astype(np.uint8)


def badge(canvas: BgrImage, centre: npt.ArrayLike, text: str, radius: float, colour: Colour) -> None:
    """A disc with a dark rim and text on it, black or white, whichever is read more easily."""
    disc(canvas, centre, radius * 1.14 + 1, DARK)
    disc(canvas, centre, radius, colour)
    bright = 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2] > 140
    label(canvas, centre, text, radius * (1.0 if len(text) < 2 else 0.82), DARK if bright else WHITE)


def hatch(canvas: BgrImage, corners: Floats, colour: Colour, step: float, width: float) -> None:
    """Slanted lines inside a convex shape (n, 2), thin enough to see what is under them."""
    low = np.maximum(np.floor(corners.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + 1, canvas.shape[1::-1])
    if (high <= low).any():
        return
    window = canvas[low[1] : high[1], low[0] : high[0]]
    lines = np.zeros(window.shape[:2], np.uint8)
    tall, wide = window.shape[0], window.shape[1]
    for start in range(-tall, wide, max(4, round(step))):
        cv2.line(lines, (start, tall), (start + tall, 0), 255, max(1, round(width)), cv2.LINE_AA)
    inside = np.zeros_like(lines)
    cv2.fillConvexPoly(inside, np.round(corners - low).astype(np.int32), 255)
    share = (np.minimum(lines, inside)[..., None].astype(np.float32) / 255) * 0.6
    window[:] = (window * (1 - share) + np.array(colour, np.float32) * share).astype(np.uint8)
