"""Pips, and markers on tiles, as places: from the maps that the half reader draws to points on a tile.

A map (16, 18) covers a half that lies with its outer end at the left; a tile's crop shows the first half like that
and the second one turned round.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.tiles import Points

MAP_HW = (16, 18)

_CELL_PX = 4.0
_LEAST_PIP = 0.4


def places_in_crops(maps: npt.NDArray[np.float32], least: float = _LEAST_PIP) -> npt.NDArray[np.object_]:
    """Spots on both halves of n tiles: `maps` (n, 2, 16, 18) to an array (n, 2) of places (k, 2) in crop px.

    A spot is where the map is `least` or more, and higher than round it.
    """
    count = len(maps)
    found = _peaks(maps.reshape(-1, *MAP_HW), least)
    places = np.empty((count, 2), object)
    for index in range(count):
        places[index, 0] = found[2 * index]
        places[index, 1] = np.array(geometry.TILE_CROP_WH, np.float32) - found[2 * index + 1]
    return places


def places_in_picture(in_crop: npt.NDArray[np.object_], corners: geometry.Array) -> Points:
    """Spots on both halves of one tile, (n, 2) px: `in_crop` (2,) places in its crop, `corners` (4, 2) px."""
    back = geometry.inverse(geometry.crop_transform(corners, geometry.TILE_TARGET))
    return geometry.map_points(np.concatenate(list(in_crop)), back)


def _peaks(maps: npt.NDArray[np.float32], least: float) -> list[Points]:
    """Local maxima of each of `maps` (m, 16, 18), in px of the half's crop, to a fraction of a cell."""
    around = np.pad(maps, ((0, 0), (1, 1), (1, 1)))
    high, wide = maps.shape[1:]
    shifts = [(dy, dx) for dy in range(3) for dx in range(3)]
    windows = np.stack([around[:, dy : dy + high, dx : dx + wide] for dy, dx in shifts])
    number, row, column = np.nonzero((maps >= windows.max(0)) & (maps > least))
    near = windows[:, number, row, column]  # (9, peaks)
    near = near / near.sum(0)
    offsets = np.array(shifts, np.float32) - 1
    y = (row + 0.5 + offsets[:, 0] @ near) * _CELL_PX
    x = (column + 0.5 + offsets[:, 1] @ near) * _CELL_PX
    points = np.stack([x, y], axis=1).astype(np.float32)
    return np.split(points, np.searchsorted(number, np.arange(1, len(maps)))) if len(maps) else []
