"""Tiles of one table are all equally long: a place that came out shorter or longer than the others is set right.

Seen from above (`vision.plane`) the sure tiles say how long a tile is. In lines of touching tiles a place often lacks a
row of pips at one end, and three rows of four then read as three of three.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.geometry import Array
from vision.plane import fit_plane

Floats = npt.NDArray[np.float32]

_LEAST_SURE = 6
_NEARLY = 0.045
"""Places off by less are as long as corners can be told; others have lost or won something at an end."""
_SHORTEST, _LONGEST = 0.6, 1.7
"""What is shorter is no tile, or half of one; what is longer, none or more than two."""


def length_ratios(corners: Array, sure: npt.NDArray[np.bool_], size_wh: tuple[int, int]) -> Floats:
    """Length (n,) of each of the quads (n, 4, 2) px on the table, in lengths of the `sure` (n,) ones; 1 if unknown."""
    if sure.sum() < _LEAST_SURE:
        return np.ones(len(corners), np.float32)
    flat = fit_plane(corners[sure], size_wh).to_plane(corners)
    length = np.linalg.norm(flat[:, 2] - flat[:, 1] + flat[:, 3] - flat[:, 0], axis=1) / 2
    return np.asarray(length / np.median(length[sure]), np.float32)


def evened(corners: Array, ratios: Floats) -> Array:
    """The quads, those nearly as long as the others made so about their middles."""
    nearly = np.abs(ratios - 1) < _NEARLY
    return _stretched(corners, np.where(nearly, 1 / np.maximum(ratios, 0.1), 1.0), 0.5)


def misfits(ratios: Floats) -> npt.NDArray[np.bool_]:
    """Which places (n,) may be tiles that lack something at one end, or have too much."""
    return np.asarray((np.abs(ratios - 1) >= _NEARLY) & (ratios > _SHORTEST) & (ratios < _LONGEST))


def set_right(corners: Array, ratios: Floats) -> list[Array]:
    """The quads (n, 4, 2) px at full length: the first end kept where it is, the middle, and the second end."""
    return [_stretched(corners, 1 / ratios, share) for share in (0.0, 0.5, 1.0)]


def _stretched(corners: Array, scales: npt.NDArray[np.floating], kept: float) -> Array:
    """Quads made `scales` (n,) times as long; what lies at the share `kept` of their length stays where it is."""
    first, second = corners[:, [0, 1]], corners[:, [3, 2]]
    fixed = first + kept * (second - first)
    scale = np.asarray(scales, np.float32)[:, None, None]
    new = np.empty_like(corners)
    new[:, [0, 1]], new[:, [3, 2]] = fixed + (first - fixed) * scale, fixed + (second - fixed) * scale
    return new
