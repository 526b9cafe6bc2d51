"""Whether anybody could read a half from the finished picture: glare, burnt-out white, darkness and size decide.

The painter knows what it meant to show; what a lamp, a lens and a camera left of it is measured here, on the
picture itself. Halves that fail are not wrong answers waiting to happen: a reader should doubt them.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from datasets.scene import Scene, Truth

LEAST_CONTRAST = 7.0
"""Difference between a pip and the face round it, in CIELAB units; 2.3 is what an eye can just tell, without noise."""
LEAST_PIP_PX = 2.2
"""A pip's diameter; two pips closer than about that melt together."""
LEAST_NUMERAL_PX = 9.0
"""A numeral's half, across."""


def legible_halves(scene: Scene) -> list[tuple[bool, bool]]:
    """For each truth of `scene`, whether each half can be read in the picture."""
    lab = cv2.cvtColor(scene.image.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    return [(_legible(lab, truth, 0), _legible(lab, truth, 1)) for truth in scene.truths]


def illegible_halves(scene: Scene, least_visible: float = 0.6) -> int:
    """How many halves of the face-up tiles of `scene` nobody could read, those aside that something covers."""
    lab = cv2.cvtColor(scene.image.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    shown = [(t, i) for t in scene.truths if t.kind == 0 for i in (0, 1) if t.halves_visible[i] >= least_visible]
    return sum(not _legible(lab, truth, index, least_visible) for truth, index in shown)


def _legible(lab: np.ndarray, truth: Truth, index: int, least_visible: float = 0.97) -> bool:
    if truth.kind != 0 or truth.halves_visible[index] < least_visible:
        return False
    half_px = float(np.linalg.norm(truth.corners_px[0] - truth.corners_px[1]))
    if truth.pips_px is None:
        return half_px >= LEAST_NUMERAL_PX * 1.6 and _spread(lab, truth, index) >= 3 * LEAST_CONTRAST
    pips = truth.pips_px[index]
    if len(pips) == 0:
        return True
    if truth.pip_px[index] < LEAST_PIP_PX:
        return False
    return bool(_contrasts(lab, pips, truth.pip_px[index] / 2).min() >= LEAST_CONTRAST)


def _contrasts(lab: np.ndarray, pips: np.ndarray, radius: float) -> np.ndarray:
    """How far the colour of each pip (n,) is from the face just round it."""
    rim = np.array([(math.cos(a), math.sin(a)) for a in np.linspace(0, 2 * math.pi, 13)[:-1]])
    inside = np.vstack([[[0.0, 0.0]], rim * 0.45 * radius])
    outside = rim * (1.45 * radius + 0.7)
    return np.linalg.norm(_colours(lab, pips, inside) - _colours(lab, pips, outside), axis=1)


def _colours(lab: np.ndarray, pips: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Median colour (n, 3) at `offsets` (k, 2) from each pip (n, 2)."""
    places = np.round(pips[:, None] + offsets[None] - 0.5).astype(int)
    x = np.clip(places[..., 0], 0, lab.shape[1] - 1)
    y = np.clip(places[..., 1], 0, lab.shape[0] - 1)
    return np.median(lab[y, x], axis=1)


def _spread(lab: np.ndarray, truth: Truth, index: int) -> float:
    """Difference of light between the extremes of a half, without its rim: ink against body."""
    quad = truth.corners_px
    middle = quad[[1, 0] if index == 0 else [2, 3]].mean(0) * 0.5 + quad.mean(0) * 0.5
    reach = 0.3 * float(np.linalg.norm(quad[0] - quad[1]))
    x0, y0 = np.maximum(0, (middle - reach).astype(int))
    x1, y1 = (middle + reach).astype(int) + 1
    part = lab[y0:y1, x0:x1].reshape(-1, 3)
    if len(part) == 0:
        return 0.0
    low, high = np.percentile(part, (3, 97), axis=0)
    return float(np.linalg.norm(high - low))
