"""Colour as evidence: in most sets every value has a pip colour of its own, so a picture explains itself.

Colours are CIELAB as OpenCV scales it for float pictures (L 0..100, a and b about -127..127); lightness counts
less than hue, because lamps and shadows change it across a table.
"""

from __future__ import annotations

from collections import defaultdict

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

WEIGHTS = np.array([0.4, 1.0, 1.0], np.float32)


_ROUND = np.mgrid[-1:2, -1:2].reshape(2, 9)


def pip_colour(crop: npt.NDArray[np.uint8], places: Floats) -> Floats:
    """Median colour (3,) round the pips at `places` (n, 2) px of a BGR crop (h, w, 3); NaN where there are none."""
    if len(places) == 0:
        return np.full(3, np.nan, np.float32)
    height, width = crop.shape[:2]
    columns = np.clip(places[:, :1].astype(int), 2, width - 3) + _ROUND[1]
    rows = np.clip(places[:, 1:].astype(int), 2, height - 3) + _ROUND[0]
    return np.asarray(np.median(to_lab(crop[rows, columns]).reshape(-1, 3), axis=0), np.float32)


def to_lab(colours: npt.NDArray[np.uint8]) -> Floats:
    """BGR (h, w, 3) in CIELAB."""
    return np.asarray(cv2.cvtColor(colours.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)


class ColourBook:
    """The colour of each value, learnt from the halves of one picture that are sure."""

    def __init__(self, values: list[int], colours: list[Floats]) -> None:
        seen: dict[int, list[Floats]] = defaultdict(list)
        for value, colour in zip(values, colours, strict=True):
            if value > 0 and np.isfinite(colour).all():
                seen[value].append(colour)
        self._known = {value: np.median(rows, axis=0) for value, rows in seen.items()}
        self._count = {value: len(rows) for value, rows in seen.items()}

    @property
    def tells(self) -> bool:
        """Whether values differ in colour here at all: a set with pips of one colour says nothing."""
        refs = np.array(list(self._known.values()))
        if len(refs) < 3:
            return False
        apart = [self._distance(refs[i], refs[j]) for i in range(len(refs)) for j in range(i)]
        return float(np.median(apart)) > 22

    def weigh(self, row: Floats, colour: Floats, scale: float = 10.0, most: float = 3.0) -> Floats:
        """Probabilities (19,) of a half, weighed by how well its colour fits each value's; their sum is kept.

        A value that this picture has not shown yet is given a middling fit, so that it is neither favoured
        nor ruled out. No weight is larger than e to the `most`.
        """
        if not np.isfinite(colour).all():
            return row
        fit = np.full(len(row), -0.5 * 1.5**2, np.float32)
        for value, ref in self._known.items():
            fit[value] = -0.5 * min(self._distance(colour, ref) / scale, 4.0) ** 2
        weighed = row * np.exp(np.maximum(fit - fit.max(), -most))
        return np.asarray(weighed * (row.sum() / max(float(weighed.sum()), 1e-9)), np.float32)

    def contradicts(self, value: int, colour: Floats, far: float = 40.0, near: float = 10.0) -> bool:
        """True where a half's colour is far from its value's (known from two or more others) and near another's."""
        if value not in self._known or self._count[value] < 3 or not np.isfinite(colour).all():
            return False
        if self._distance(colour, self._known[value]) < far:
            return False
        others = [self._distance(colour, ref) for other, ref in self._known.items() if other != value]
        return min(others, default=far) < near

    @staticmethod
    def _distance(first: Floats, second: Floats) -> float:
        return float(np.linalg.norm((first - second) * WEIGHTS))
