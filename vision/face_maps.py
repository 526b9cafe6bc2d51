"""Pips, and markers on tiles, as places: from the maps that the half reader draws to points on a tile.

A map (16, 18) covers a half that lies with its outer end at the left; a tile's crop shows the first half like that
and the second one turned round.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.summits import summits
from vision.tiles import Points

MAP_HW = (16, 18)

_CELL_PX = 4.0
_LEAST_PIP = 0.4


def places_in_crops(maps: npt.NDArray[np.float32], least: float = _LEAST_PIP) -> npt.NDArray[np.object_]:
    """Spots on both halves of n tiles: `maps` (n, 2, 16, 18) to an array (n, 2) of places (k, 2) in crop px.

    A spot is where the map is `least` or more, and higher than round it.
    """
    count = len(maps)
    cells, spots = summits(maps.reshape(-1, *MAP_HW), least)
    found = np.split(spots * _CELL_PX, np.searchsorted(cells[:, 0], np.arange(1, 2 * count)))
    places = np.empty((count, 2), object)
    for index in range(count):
        places[index, 0] = found[2 * index]
        places[index, 1] = np.array(geometry.TILE_CROP_WH, np.float32) - found[2 * index + 1]
    return places


def places_in_picture(in_crop: npt.NDArray[np.object_], corners: geometry.Array) -> Points:
    """Spots on both halves of one tile, (n, 2) px: `in_crop` (2,) places in its crop, `corners` (4, 2) px."""
    back = geometry.inverse(geometry.crop_transform(corners, geometry.TILE_TARGET))
    return geometry.map_points(np.concatenate(list(in_crop)), back)
