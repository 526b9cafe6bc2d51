"""Things on a table that are no tiles, painted flat or with a little relief, and hands.

Every function paints on `image` (BGR uint8, in place); `centre` and sizes are px.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np

_SKIN = ((132, 165, 215), (92, 130, 190), (60, 90, 140), (40, 58, 92), (150, 180, 228))


def _colour(rng: np.random.Generator) -> tuple[float, float, float]:
    picked = rng.uniform(0, 255, 3)
    return float(picked[0]), float(picked[1]), float(picked[2])


def _shade(colour: tuple[float, ...], factor: float) -> tuple[float, ...]:
    return tuple(min(255.0, channel * factor) for channel in colour)


def _box(centre: np.ndarray, length: float, width: float, angle: float) -> np.ndarray:
    """Corners (4, 2) int32."""
    box = cv2.boxPoints(((float(centre[0]), float(centre[1])), (length, width), math.degrees(angle)))
    return np.round(box).astype(np.int32)


def _along(centre: np.ndarray, angle: float, u: float, v: float) -> tuple[int, int]:
    cos, sin = math.cos(angle), math.sin(angle)
    return int(centre[0] + u * cos - v * sin), int(centre[1] + u * sin + v * cos)


def darken(part: np.ndarray, share: np.ndarray) -> None:
    """Multiply uint8 pixels in place by `share` (height, width), 0 to 1."""
    part[:] = (part * share[..., None]).astype(np.uint8)


def soft_shadow(image: np.ndarray, shape: np.ndarray, strength: float) -> None:
    """Darken a region a little beyond `shape` (n, 2) int32."""
    x, y, w, h = cv2.boundingRect(shape)
    pad = max(2, int(0.12 * max(w, h)))
    x0, y0 = max(0, x - pad), max(0, y - pad)
    x1, y1 = min(image.shape[1], x + w + pad), min(image.shape[0], y + h + pad)
    if x1 <= x0 or y1 <= y0:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.float32)
    cv2.fillPoly(mask, [shape - [x0, y0]], 1.0)
    mask = cv2.GaussianBlur(mask, (0, 0), max(0.8, pad * 0.4))
    darken(image[y0:y1, x0:x1], 1 - strength * mask)


def die(rng: np.random.Generator, image: np.ndarray, centre: np.ndarray, size: float) -> None:
    """A die from above: a rounded square with pips."""
    side, angle, body = size * 0.35, rng.uniform(0, math.pi), _colour(rng)
    if rng.random() < 0.5:
        body = (235.0, 240.0, 245.0)
    shape = _box(centre, side, side, angle)
    soft_shadow(image, shape, 0.5)
    cv2.fillPoly(image, [shape], body, cv2.LINE_AA)
    ink = (20, 20, 20) if np.mean(body) > 110 else (240, 240, 240)
    value = int(rng.integers(1, 7))
    grid = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)], 4: [(-1, -1), (1, 1), (-1, 1), (1, -1)]}
    grid[5] = [*grid[4], (0, 0)]
    grid[6] = [*grid[4], (-1, 0), (1, 0)]
    for u, v in grid[value]:
        cv2.circle(
            image,
            _along(centre, angle, u * side * 0.26, v * side * 0.26),
            max(1, int(side * 0.09)),
            ink,
            -1,
            cv2.LINE_AA,
        )


def card(rng: np.random.Generator, image: np.ndarray, centre: np.ndarray, size: float) -> None:
    """A playing card, a score sheet or a leaflet."""
    angle, length, width = rng.uniform(0, math.pi), size * rng.uniform(1.2, 3.5), size * rng.uniform(0.8, 2.2)
    paper = (rng.uniform(200, 250),) * 3
    shape = _box(centre, length, width, angle)
    cv2.fillPoly(image, [shape], paper, cv2.LINE_AA)
    ink = _colour(rng)
    if rng.random() < 0.4:
        for u in (-0.25, 0.0, 0.25):
            for v in (-0.2, 0.2):
                cv2.circle(
                    image, _along(centre, angle, u * length, v * width), max(1, int(size * 0.09)), ink, -1, cv2.LINE_AA
                )
        return
    for row in np.linspace(-0.4, 0.4, int(rng.integers(4, 14))):
        reach = rng.uniform(0.1, 0.42)
        ends = _along(centre, angle, -0.42 * length, row * width), _along(centre, angle, reach * length, row * width)
        cv2.line(image, *ends, _shade(ink, 0.5), max(1, int(size * 0.03)), cv2.LINE_AA)


def keys(rng: np.random.Generator, image: np.ndarray, centre: np.ndarray, size: float) -> None:
    """A keyboard, a remote control, a calculator, a tin with a grid of dots."""
    angle, columns, rows = rng.uniform(0, math.pi), int(rng.integers(2, 10)), int(rng.integers(2, 6))
    pitch = size * rng.uniform(0.12, 0.3)
    body, cap = _colour(rng), _colour(rng)
    shape = _box(centre, (columns + 0.7) * pitch, (rows + 0.7) * pitch, angle)
    soft_shadow(image, shape, 0.4)
    cv2.fillPoly(image, [shape], body, cv2.LINE_AA)
    dots = rng.random() < 0.5
    for column in range(columns):
        for row in range(rows):
            place = _along(centre, angle, (column - (columns - 1) / 2) * pitch, (row - (rows - 1) / 2) * pitch)
            if dots:
                cv2.circle(image, place, max(1, int(pitch * 0.3)), cap, -1, cv2.LINE_AA)
            else:
                cv2.fillPoly(image, [_box(np.array(place), pitch * 0.75, pitch * 0.75, angle)], cap, cv2.LINE_AA)


def plank(rng: np.random.Generator, image: np.ndarray, centre: np.ndarray, size: float) -> None:
    """Anything long or boxy without pips: phone, ruler, rack, pen, eraser, box."""
    angle, body = rng.uniform(0, math.pi), _colour(rng)
    length, width = size * rng.uniform(0.8, 5), size * rng.uniform(0.08, 0.9)
    shape = _box(centre, length, width, angle)
    soft_shadow(image, shape, 0.5)
    cv2.fillPoly(image, [shape], body, cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.fillPoly(image, [_box(centre, length * 0.9, width * 0.75, angle)], _colour(rng), cv2.LINE_AA)
    if rng.random() < 0.3:
        cv2.line(
            image,
            _along(centre, angle, 0, -width / 2),
            _along(centre, angle, 0, width / 2),
            _shade(body, 0.5),
            1,
            cv2.LINE_AA,
        )


def rounds(rng: np.random.Generator, image: np.ndarray, centre: np.ndarray, size: float) -> None:
    """Plates, cups, biscuits: rings and discs larger than markers, some with dots in them.

    Nothing in them may be of the size of a button or a coin: what looks like a marker has to be labelled as one.
    """
    radius, colour = size * rng.uniform(0.6, 2.0), _colour(rng)
    place = (int(centre[0]), int(centre[1]))
    least = min(1.0, 0.55 * size / radius)
    for share in sorted(rng.uniform(max(0.3, least), 1.0, int(rng.integers(1, 4))), reverse=True):
        cv2.circle(image, place, max(1, int(radius * share)), _shade(colour, rng.uniform(0.6, 1.3)), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 9))):
        angle, reach = rng.uniform(0, 6.3), radius * rng.uniform(0, 0.8)
        cv2.circle(
            image, _along(centre, angle, reach, 0), max(1, int(size * 0.045)), _shade(colour, 0.4), -1, cv2.LINE_AA
        )


def words(rng: np.random.Generator, image: np.ndarray, centre: np.ndarray, size: float) -> None:
    """Print on a box or board."""
    text = "".join(rng.choice(list("ABEGHKMORSTXYZ0123456789o.:"), int(rng.integers(3, 12))))
    cv2.putText(
        image,
        text,
        (int(centre[0]), int(centre[1])),
        int(rng.integers(0, 8)),
        max(0.2, size / 90),
        _colour(rng),
        max(1, int(size / 30)),
        cv2.LINE_AA,
    )


_CLUTTER: tuple[Callable[[np.random.Generator, np.ndarray, np.ndarray, float], None], ...] = (
    die, card, keys, plank, rounds, words,
)  # fmt: skip


def scatter(rng: np.random.Generator, image: np.ndarray, tile_px: float, count: int) -> None:
    """`count` random things, at random places, below everything that is laid later."""
    height, width = image.shape[:2]
    for _ in range(count):
        centre = rng.uniform(-0.05, 1.05, 2) * [width, height]
        _CLUTTER[int(rng.integers(len(_CLUTTER)))](rng, image, centre, tile_px)


def hand_mask(rng: np.random.Generator, shape: tuple[int, int], tile_px: float) -> np.ndarray:
    """A hand with an arm coming in from an edge, as a mask (height, width) uint8."""
    height, width = shape
    mask = np.zeros(shape, np.uint8)
    palm = rng.uniform(0.05, 0.95, 2) * [width, height]
    angle = math.atan2(palm[1] - height / 2, palm[0] - width / 2) + rng.normal(0, 0.5)
    size = tile_px * rng.uniform(1.3, 2.4)
    far = _along(palm, angle, size * 14, 0)
    cv2.line(mask, (int(palm[0]), int(palm[1])), far, 255, max(2, int(size * 0.62)), cv2.LINE_AA)
    cv2.circle(mask, (int(palm[0]), int(palm[1])), max(2, int(size * 0.48)), 255, -1, cv2.LINE_AA)
    for finger in range(5):
        spread = angle + math.pi + (finger - 2) * rng.uniform(0.18, 0.36)
        tip = _along(palm, spread, size * rng.uniform(0.7, 1.15) * (0.8 if finger in (0, 4) else 1.0), 0)
        cv2.line(mask, (int(palm[0]), int(palm[1])), tip, 255, max(2, int(size * 0.2)), cv2.LINE_AA)
    return mask


def paint_hand(rng: np.random.Generator, image: np.ndarray, mask: np.ndarray) -> None:
    """Skin (or a sleeve's colour) over the mask, lighter in the middle than at the rim."""
    soft = cv2.GaussianBlur(mask, (0, 0), max(1.0, min(image.shape[:2]) * 0.012)).astype(np.float32) / 255
    skin = np.array(_SKIN[int(rng.integers(len(_SKIN)))], np.float32) * rng.uniform(0.7, 1.1)
    if rng.random() < 0.15:
        skin = np.array(_colour(rng), np.float32)
    alpha = mask[..., None].astype(np.float32) / 255
    paint = skin * (0.55 + 0.5 * soft[..., None])
    image[:] = (image * (1 - alpha) + paint * alpha).astype(np.uint8)
