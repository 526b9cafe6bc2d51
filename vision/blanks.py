"""Is there a pale pip in the middle of what was read as a blank? Measured: a network overlooks the palest."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.colours import to_lab

_DISC_PX = 4.0
_RING_PX = (8.5, 12.5)
_MIDDLE = [(36 + dx, 32 + dy) for dx, dy in itertools.product((-2, 0, 2), repeat=2)]
_ELSEWHERE = list(itertools.product((20, 28, 44, 50), (18, 25, 39, 46)))
_TIMES_GRAIN = 3.0

_REACH = 13
_Y, _X = np.mgrid[-_REACH : _REACH + 1, -_REACH : _REACH + 1]
_FAR = np.hypot(_X, _Y)
_DISC = np.flatnonzero((_FAR <= _DISC_PX).ravel())
_RING = np.flatnonzero(((_RING_PX[0] <= _FAR) & (_RING_PX[1] >= _FAR)).ravel())


def spot_in_the_middle(crop: npt.NDArray[np.uint8], half: int) -> float:
    """How far the middle of a half differs from the face round it, in CIELAB units; 0 if its grain explains that.

    `crop` (64, 128, 3) is a straightened tile, `half` 0 or 1. Blanks of real sets measure up to 2.5, pips of
    most sets 17 and more.
    """
    seen = crop if half == 0 else crop[::-1, ::-1]
    face = to_lab(seen[:, : geometry.TILE_CROP_WH[0] // 2 + 8])
    lab = np.asarray(cv2.GaussianBlur(face, (0, 0), 1.0), np.float32)
    middle = max(_step(lab, x, y) for x, y in _MIDDLE)
    grain = float(np.median([_step(lab, x, y) for x, y in _ELSEWHERE]))
    return middle if middle > _TIMES_GRAIN * grain else 0.0


def _step(lab: npt.NDArray[np.float32], x: int, y: int) -> float:
    """Difference between a disc at (x, y) px and the ring round it."""
    window = lab[y - _REACH : y + _REACH + 1, x - _REACH : x + _REACH + 1].reshape(-1, 3)
    return float(np.linalg.norm(np.median(window[_DISC], axis=0) - np.median(window[_RING], axis=0)))
