"""Does anything stand on what was read as a blank? Measured: networks overlook pale pips and see some in stains."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.colours import to_lab

SPOT, UNSURE, PLAIN = 1, 0, -1
"""Something stands in the middle of a half; can't tell; nothing does."""

# Differences in CIELAB units. Blanks of real sets measure up to 2.5, pips of most sets 17 and more.
_SPOT = 4.0
_TIMES_GRAIN = 3.0
_PLAIN = 2.5
_BURNT = 96.0

_MIDDLE = list(itertools.product((34, 36, 38), (30, 32, 34)))
_ELSEWHERE = list(itertools.product((20, 28, 44, 50), (18, 25, 39, 46)))
_CENTRES = np.array([*_MIDDLE, *_ELSEWHERE])


# Of a half at half its size: 23 x 20 px, clear of the rim and of the divider.
_PART = (slice(6, 26), slice(6, 29))
_LEVEL = np.stack([*np.mgrid[-1:1:20j, -1:1:23j].reshape(2, -1), np.ones(460)], axis=1)
_LEVELLING = np.linalg.pinv(_LEVEL)
_INK_SHARE = 0.97
_MOST_BURNT = 0.01


def _offsets(least: float, most: float, every: int) -> npt.NDArray[np.int64]:
    """Places (k, 2) between `least` and `most` px from a centre, one in `every`."""
    x, y = np.meshgrid(np.arange(-13, 14), np.arange(-13, 14))
    far = np.hypot(x, y)
    pick = (far >= least) & (far <= most)
    return np.asarray(np.stack([x[pick], y[pick]], axis=1)[::every], np.int64)


_DISC = _CENTRES[:, None] + _offsets(0, 4.0, 2)
_RING = _CENTRES[:, None] + _offsets(8.5, 12.5, 5)


def middle_of(crop: npt.NDArray[np.uint8], half: int) -> int:
    """`SPOT`, `UNSURE` or `PLAIN`: whether the middle of a half differs from the face round it.

    `crop` (64, 128, 3) is a straightened tile, `half` 0 or 1. Under glare, or on a face of coarse grain, nobody
    can tell.
    """
    seen = crop if half == 0 else crop[::-1, ::-1]
    face = to_lab(seen[:, : geometry.TILE_CROP_WH[0] // 2 + 8])
    lab = np.asarray(cv2.GaussianBlur(face, (0, 0), 1.0), np.float32)
    disc, ring = (np.median(lab[places[..., 1], places[..., 0]], axis=1) for places in (_DISC, _RING))
    steps = np.linalg.norm(disc - ring, axis=1)
    middle, grain = float(steps[: len(_MIDDLE)].max()), float(np.median(steps[len(_MIDDLE) :]))
    if middle > max(_SPOT, _TIMES_GRAIN * grain):
        return SPOT
    burnt = float(disc[: len(_MIDDLE), 0].max()) > _BURNT
    return PLAIN if middle < _PLAIN and not burnt else UNSURE


def ink_of(crop: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """How far the strongest marks on both halves (2,) stand out from the face, in CIELAB; NaN where it is burnt out.

    `crop` (64, 128, 3) is a straightened tile. Shading that runs evenly across a half is no mark, and what covers less
    than a pip is none.
    """
    width, height = geometry.TILE_CROP_WH
    lab = to_lab(np.asarray(cv2.resize(crop, (width // 2, height // 2), interpolation=cv2.INTER_AREA), np.uint8))
    inks = np.empty(2, np.float32)
    for half, seen in enumerate((lab, lab[::-1, ::-1])):
        part = seen[_PART].reshape(-1, 3)
        if float((part[:, 0] > _BURNT).mean()) > _MOST_BURNT:
            inks[half] = np.nan
            continue
        face = np.median(part, axis=0)
        off = part - face
        # Pips pull at the level: what stands out far is left out when it is measured.
        plain = np.abs(off).max(1) < 12
        off = off - _LEVEL @ (_LEVELLING @ np.where(plain[:, None], off, 0))
        inks[half] = np.quantile(np.linalg.norm(off, axis=1), _INK_SHARE)
    return inks
