"""Summits of the maps that networks draw: what stands where, to a fraction of a cell."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def summits(
    maps: npt.NDArray[np.float32], least: float
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """Where each of `maps` (m, h, w) is more than `least` and no lower than round it.

    Returns the cells (k, 3) as (map, row, column), in that order, and the places (k, 2) as (x, y) in cells: what
    stands round a summit draws it to its side.
    """
    around = np.pad(maps, ((0, 0), (1, 1), (1, 1)))
    high, wide = maps.shape[1:]
    shifts = [(dy, dx) for dy in range(3) for dx in range(3)]
    windows = np.stack([around[:, dy : dy + high, dx : dx + wide] for dy, dx in shifts])
    number, row, column = np.nonzero((maps >= windows.max(0)) & (maps > least))
    near = windows[:, number, row, column]  # (9, k)
    near = near / near.sum(0)
    offsets = np.array(shifts, np.float32) - 1
    places = np.stack([column + 0.5 + offsets[:, 1] @ near, row + 0.5 + offsets[:, 0] @ near], axis=1)
    return np.stack([number, row, column], axis=1), places.astype(np.float32)
