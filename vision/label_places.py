"""Where badges and names go on an overlay, so that they cover no tile, no marker and each other as little as can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.drawing import Floats

_TURNS = (0, 25, -25, 50, -50, 75, -75, 100, -100, 130, -130, 160, -160)
_TURNED, _LATER = 0.3, 0.05
"""What half a turn, and each further distance, count beside what is covered (as a share of the radius)."""


@dataclass(slots=True)
class Taken:
    """What must stay visible: convex `shapes` (n, 2) and discs (centre, radius), px, in a picture of `size_wh`."""

    size_wh: tuple[int, int]
    shapes: list[Floats] = field(default_factory=list)
    discs: list[tuple[Floats, float]] = field(default_factory=list)

    def covered(self, centre: Floats, radius: float) -> float:
        """How much a disc there would cover, in radii; what leaves the picture counts as well."""
        x, y = float(centre[0]), float(centre[1])
        width, height = self.size_wh
        total = (
            max(0.0, radius - x) + max(0.0, radius - y) + max(0.0, x + radius - width) + max(0.0, y + radius - height)
        )
        for shape in self.shapes:
            total += max(0.0, radius + cv2.pointPolygonTest(shape.astype(np.float32), (x, y), True))
        for other, reach in self.discs:
            total += max(0.0, radius + reach - float(np.hypot(*(centre - other))))
        return total / radius


def find_place(
    taken: Taken, around: Floats, towards: Floats, reaches: Sequence[float], radius: float, wide: float = 0.0
) -> Floats:
    """The best centre (2,) for a disc, or for text that is `wide` px on either side of it, and now it is taken.

    It lies at one of the distances `reaches` px, the best first, from `around`, best in the direction `towards`
    (unit, (2,)).
    """
    spots = []
    for turn in _TURNS:
        cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        direction = np.array([towards[0] * cos - towards[1] * sin, towards[0] * sin + towards[1] * cos])
        for rank, reach in enumerate(reaches):
            spot = around + direction * reach
            cost = _TURNED * abs(turn) / 180 + _LATER * rank
            spots.append((cost + max(taken.covered(each, radius) for each in _along(spot, wide)), spot))
    best = min(spots, key=lambda pair: pair[0])[1]
    taken.discs += [(each, radius) for each in _along(best, wide)]
    return best


def _along(spot: Floats, wide: float) -> list[Floats]:
    offsets = (-wide, 0.0, wide) if wide else (0.0,)
    return [spot + np.array([offset, 0.0]) for offset in offsets]
