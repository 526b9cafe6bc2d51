"""What somebody said is no tile, or no marker: a reading leaves it out, for as long as it reads the same there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.tiles import PhotoReading, Points, TileSighting

_SAME_PLACE = 0.4
"""A sighting is the denied one if its middle is within this many lengths of it."""


@dataclass(frozen=True, slots=True)
class Denied:
    """A place, corners (4, 2) px of the picture, and the values (low, high) read there; `None` for a marker.

    Other values at the same place are another tile: the next one of a line often lies just there. A camera that
    is moved forgets what was denied, since the place is then another one.
    """

    corners_px: Points
    values: tuple[int, int] | None = None

    def means(self, sighting: TileSighting) -> bool:
        """The sighting is what was denied."""
        tile = sighting.tile
        if self.values is not None and tile is not None and (tile.low, tile.high) != self.values:
            return False
        sides = np.linalg.norm(self.corners_px - np.roll(self.corners_px, 1, axis=0), axis=1)
        apart = np.linalg.norm(self.corners_px.mean(0) - sighting.corners_px.mean(0))
        return bool(apart < _SAME_PLACE * float(sides.max()))


def without_denied(seen: PhotoReading, denied: Sequence[Denied]) -> PhotoReading:
    """The reading without what somebody said is none."""
    if not denied:
        return seen
    no_tiles = [one for one in denied if one.values is not None]
    no_markers = [one for one in denied if one.values is None]
    return replace(
        seen,
        tiles=tuple(tile for tile in seen.tiles if not any(one.means(tile) for one in no_tiles)),
        markers=tuple(mark for mark in seen.markers if not any(one.means(mark) for one in no_markers)),
    )
