"""Is the camera aimed well? One piece of advice at a time, in numbers, the worst first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.tiles import BgrImage, Points

NEEDED_PX = 40
"""Length of a tile at which every value is read."""
_DARK = 70.0
"""Brightness, 0 to 255, that the lightest hundredth of a picture has at least: tiles or their pips."""
_BRIGHT_SHARE = 0.25
_SHARP = 2.4
_TILE_PX = 64.0
"""Length of a tile at which sharpness is measured: a large picture may be softer."""
_RIM = 0.01


@dataclass(frozen=True, slots=True)
class Advice:
    """What to change: `dark`, `glare`, `blurred`, `small` or `cut_off`, with its numbers."""

    code: str
    params: dict[str, int]


def advice(image: BgrImage, tiles: Sequence[Points]) -> Advice | None:
    """What to change first; `None` if the camera is aimed well. `tiles`: corners (4, 2) px of those found."""
    shrink = min(1.0, 960 / max(image.shape[:2]))
    grey = cv2.cvtColor(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    light = float(np.percentile(grey, 99))
    if light < _DARK:
        return Advice("dark", {"percent": round(100 * light / 255), "needed": round(100 * _DARK / 255)})
    burnt = float((grey >= 253).mean())
    if burnt > _BRIGHT_SHARE:
        return Advice("glare", {"percent": round(100 * burnt)})
    lengths = [max(float(np.hypot(*(quad[i] - quad[i - 1]))) for i in range(4)) for quad in map(np.asarray, tiles)]
    length = float(np.median(lengths)) if lengths else _TILE_PX
    if sharpness(image, min(1.0, _TILE_PX / max(1.0, length))) < _SHARP:
        return Advice("blurred", {})
    if length < NEEDED_PX:
        return Advice("small", {"length": round(length), "needed": NEEDED_PX,
                                "percent": round(100 * (1 - length / NEEDED_PX))})
    height, width = image.shape[:2]
    rim = _RIM * max(width, height)
    cut = sum(bool((quad < rim).any() or (quad > np.array([width, height]) - rim).any()) for quad in tiles)
    return Advice("cut_off", {"count": cut}) if cut else None


def sharpness(image: BgrImage, scale: float = 1.0) -> float:
    """How much finer than coarse the steepest edges are, in the picture reduced to `scale`: under 2 is blurred."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if scale < 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = grey.astype(np.float32)
    fine = np.abs(cv2.Laplacian(grey, cv2.CV_32F))
    coarse = np.abs(cv2.Laplacian(cv2.GaussianBlur(grey, (0, 0), 2.0), cv2.CV_32F))
    return float(np.percentile(fine, 99.5) / max(1e-3, np.percentile(coarse, 99.5)))
