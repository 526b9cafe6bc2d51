"""Where the camera looks now: the constellation of known tiles found again among what is seen.

Values tell which tile is which; geometry throws out those that were misread or moved. Pixels throughout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Pair = tuple[int, int]

_LEAST_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Registration:
    """`matrix` (3, 3) takes old pixels to new ones; `support` is the number of tiles that agree."""

    matrix: Array
    support: int

    @property
    def is_still(self) -> bool:
        """The camera has not moved by more than a few pixels."""
        return bool(np.abs(self.apply(np.array([[0.0, 0.0], [1000.0, 1000.0]])) - [[0, 0], [1000, 1000]]).max() < 6)

    def apply(self, points: npt.ArrayLike) -> Array:
        """Old pixels (n, 2) to new ones."""
        flat = np.asarray(points, np.float64).reshape(-1, 2)
        rows = np.hstack([flat, np.ones((len(flat), 1))]) @ self.matrix.T
        return np.asarray(rows[:, :2] / rows[:, 2:])


STILL = Registration(np.eye(3), 0)


def register(
    known: Sequence[tuple[Pair, Array]], seen: Sequence[tuple[Pair | None, Array]], size_px: float
) -> Registration | None:
    """The map from the known tiles' centres to the seen ones' (values, centre (2,)); `None` if they do not agree.

    `size_px` is the length of a tile. Only tiles whose values are there once on both sides are used.
    """
    pairs = _unique_pairs(known, seen)
    if not pairs:
        return None
    old = np.array([known[a][1] for a, _ in pairs])
    new = np.array([seen[b][1] for _, b in pairs])
    near = np.hypot(*(new - old).T) < 0.25 * size_px
    if near.sum() >= max(1, _LEAST_SHARE * len(pairs)):
        return _refined(old[near], new[near], size_px)
    if len(pairs) < 3:
        return None
    rough, inliers = cv2.estimateAffinePartial2D(
        old.reshape(-1, 1, 2), new.reshape(-1, 1, 2), method=cv2.RANSAC, ransacReprojThreshold=0.3 * size_px
    )
    if rough is None or inliers is None:
        return None
    fits = inliers.ravel().astype(bool)
    scale = float(np.hypot(rough[0, 0], rough[1, 0]))
    if fits.sum() < max(3, _LEAST_SHARE * len(pairs)) or not 0.6 < scale < 1.7:
        return None
    return _refined(old[fits], new[fits], size_px)


def _unique_pairs(
    known: Sequence[tuple[Pair, Array]], seen: Sequence[tuple[Pair | None, Array]]
) -> list[tuple[int, int]]:
    olds = Counter(values for values, _ in known)
    news = Counter(values for values, _ in seen)
    where = {values: index for index, (values, _) in enumerate(seen) if news[values] == 1}
    return [
        (index, where[values]) for index, (values, _) in enumerate(known) if olds[values] == 1 and values in where
    ]


def _refined(old: Array, new: Array, size_px: float) -> Registration:
    """The simplest map that fits: a shift, a similarity, a homography. More freedom would only bend with noise."""
    matrix = np.eye(3)
    matrix[:2, 2] = np.median(new - old, axis=0)
    if len(old) < 3:
        return Registration(matrix, len(old))
    found, _ = cv2.estimateAffinePartial2D(old.reshape(-1, 1, 2), new.reshape(-1, 1, 2), method=cv2.LMEDS)
    shift = _miss(matrix, old, new, 80)
    if found is not None:
        similar = np.vstack([found, [0.0, 0.0, 1.0]])
        turned = _miss(similar, old, new, 80)
        # Tiles near the hub hardly tell a small turn, but at the picture's rim it is far.
        if shift > 0.08 * size_px or (shift > 0.025 * size_px and turned < 0.5 * shift):
            matrix = similar
    if len(old) >= 10 and _miss(matrix, old, new) > 0.08 * size_px:
        bent, _ = cv2.findHomography(old, new, cv2.LMEDS)
        if bent is not None and _miss(np.asarray(bent, np.float64), old, new) < 0.5 * _miss(matrix, old, new):
            matrix = np.asarray(bent, np.float64)
    return Registration(matrix, len(old))


def _miss(matrix: Array, old: Array, new: Array, percent: float = 50) -> float:
    """Distance px that so many of them keep."""
    return float(np.percentile(np.hypot(*(Registration(matrix, 0).apply(old) - new).T), percent))
