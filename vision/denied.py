"""What somebody said is no tile, or no marker: a reading leaves it out, for as long as it reads the same there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.tiles import PhotoReading, Points, TileSighting

Values = tuple[int, int]
"""Low, high."""

_SAME_PLACE = 0.4
"""A sighting is the denied one if its middle is within this many lengths of it."""
_STRAY = 0.3
"""A tile that lies this many lengths beside where the others say was pushed, or is misread."""
_LEAST = 2
_NEARER, _FARTHER = 0.5, 2.0
"""What the camera sees this much larger or smaller is not told from a few tiles."""


@dataclass(frozen=True, slots=True)
class Denied:
    """A place, corners (4, 2) px of the picture, and the values read there; `None` for a marker.

    Other values at the same place are another tile: the next one of a line often lies just there. `beside` are the
    middles, px, of tiles that lay there too: they tell where the place is once the camera was moved.
    """

    corners_px: Points
    values: Values | None = None
    beside: tuple[tuple[Values, tuple[float, float]], ...] = ()

    def means(self, sighting: TileSighting, place_px: Points) -> bool:
        """The sighting is what was denied; `place_px` is where that is now."""
        tile = sighting.tile
        if self.values is not None and tile is not None and (tile.low, tile.high) != self.values:
            return False
        apart = np.linalg.norm(place_px.mean(0) - sighting.corners_px.mean(0))
        return bool(apart < _SAME_PLACE * _length(place_px))

    def place_px(self, lying: Mapping[Values, tuple[float, float]]) -> Points:
        """Its corners where the camera looks now, told by the middles of the tiles that it sees."""
        both = [(before, lying[values]) for values, before in self.beside if values in lying]
        if len(both) < _LEAST:
            return self.corners_px
        before, now = (np.array(points, np.float32) for points in zip(*both, strict=True))
        matrix, _ = cv2.estimateAffinePartial2D(
            before, now, method=cv2.RANSAC, ransacReprojThreshold=_STRAY * _length(self.corners_px)
        )
        if matrix is None or not _NEARER < float(np.hypot(matrix[0, 0], matrix[1, 0])) < _FARTHER:
            return self.corners_px
        moved = self.corners_px @ matrix[:, :2].T + matrix[:, 2]
        return np.asarray(moved, np.float32)


def middles(tiles: Iterable[tuple[Values, Points]]) -> dict[Values, tuple[float, float]]:
    """Middles, px, of the tiles whose values occur once."""
    found = list(tiles)
    often = Counter(values for values, _ in found)
    return {values: (float(corners[:, 0].mean()), float(corners[:, 1].mean()))
            for values, corners in found if often[values] == 1}


def without_denied(seen: PhotoReading, denied: Sequence[Denied]) -> PhotoReading:
    """The reading without what somebody said is none."""
    if not denied:
        return seen
    lying = middles(((one.tile.low, one.tile.high), one.corners_px) for one in seen.tiles if one.tile is not None)
    places = [(one, one.place_px(lying)) for one in denied]
    no_tiles = [(one, place) for one, place in places if one.values is not None]
    no_markers = [(one, place) for one, place in places if one.values is None]
    return replace(
        seen,
        tiles=tuple(tile for tile in seen.tiles if not any(one.means(tile, place) for one, place in no_tiles)),
        markers=tuple(mark for mark in seen.markers if not any(one.means(mark, place) for one, place in no_markers)),
    )


def _length(corners_px: Points) -> float:
    sides = np.linalg.norm(corners_px - np.roll(corners_px, 1, axis=0), axis=1)
    return float(sides.max())
