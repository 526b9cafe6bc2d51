"""Is the camera aimed well? What a picture measures, and one piece of advice at a time, in numbers, the worst first."""

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
_FAR_SHARE = 0.85
"""A single tile may be this much shorter than needed: corners are found to a pixel or two."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What to change: `dark`, `glare`, `blurred`, `small`, `small_some` or `cut_off`, with its numbers."""

    code: str
    params: dict[str, int]


@dataclass(frozen=True, slots=True)
class Aim:
    """What a picture measures. `small` and `cut` are places in the row of tiles that it was measured with."""

    light_percent: int
    burnt_percent: int
    sharpness: float
    length_px: int | None
    """Length of the tiles, the middle of all; `None` if none were found."""
    shortest_px: int | None
    small: tuple[int, ...]
    cut: tuple[int, ...]

    @property
    def is_light(self) -> bool:
        """Neither dark nor burnt out."""
        return self.light_percent >= NEEDED_LIGHT and self.burnt_percent <= round(100 * _BRIGHT_SHARE)

    @property
    def is_sharp(self) -> bool:
        """Edges are as fine as the picture's pixels allow."""
        return self.sharpness >= _SHARP

    def advice(self) -> Advice | None:
        """What to change first; `None` if the camera is aimed well."""
        if self.light_percent < NEEDED_LIGHT:
            return Advice("dark", {"percent": self.light_percent, "needed": NEEDED_LIGHT})
        if not self.is_light:
            return Advice("glare", {"percent": self.burnt_percent})
        if not self.is_sharp:
            return Advice("blurred", {})
        if self.length_px is not None and self.length_px < NEEDED_PX:
            return Advice("small", {"length": self.length_px, "needed": NEEDED_PX,
                                    "percent": round(100 * (1 - self.length_px / NEEDED_PX))})
        if self.small and self.shortest_px is not None:
            return Advice("small_some", {"count": len(self.small), "length": self.shortest_px, "needed": NEEDED_PX})
        return Advice("cut_off", {"count": len(self.cut)}) if self.cut else None


NEEDED_LIGHT = round(100 * _DARK / 255)
"""Brightness in hundredths that the lightest part of a picture needs."""


def measured(image: BgrImage, tiles: Sequence[Points]) -> Aim:
    """How the camera is aimed. `tiles`: corners (4, 2) px of those found."""
    shrink = min(1.0, 960 / max(image.shape[:2]))
    grey = cv2.cvtColor(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    lengths = [max(float(np.hypot(*(quad[i] - quad[i - 1]))) for i in range(4)) for quad in map(np.asarray, tiles)]
    middle = float(np.median(lengths)) if lengths else _TILE_PX
    height, width = image.shape[:2]
    rim = _RIM * max(width, height)
    return Aim(
        light_percent=round(100 * float(np.percentile(grey, 99)) / 255),
        burnt_percent=round(100 * float((grey >= 253).mean())),
        sharpness=sharpness(image, min(1.0, _TILE_PX / max(1.0, middle))),
        length_px=round(middle) if lengths else None,
        shortest_px=round(min(lengths)) if lengths else None,
        small=tuple(number for number, length in enumerate(lengths) if length < _FAR_SHARE * NEEDED_PX),
        cut=tuple(number for number, quad in enumerate(tiles)
                  if (quad < rim).any() or (quad > np.array([width, height]) - rim).any()),
    )


def sharpness(image: BgrImage, scale: float = 1.0) -> float:
    """How much finer than coarse the steepest edges are, in the picture reduced to `scale`: under 2 is blurred."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if scale < 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = grey.astype(np.float32)
    fine = np.abs(cv2.Laplacian(grey, cv2.CV_32F))
    coarse = np.abs(cv2.Laplacian(cv2.GaussianBlur(grey, (0, 0), 2.0), cv2.CV_32F))
    return float(np.percentile(fine, 99.5) / max(1e-3, np.percentile(coarse, 99.5)))
