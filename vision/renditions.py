"""A tile's crop in other colours, so that marks stand out which hardly differ from the body of their tile.

Pastel pips on white, or dark ones on a body as dark, are lost among what networks have mostly seen. Two renditions
that every crop gets by its own statistics bring them out; what all of them say counts for more than any one of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from vision import geometry

Crops = npt.NDArray[np.uint8]

_INSET = 8
"""So many px from the rim of a crop are not the face: the table and the edges of the tile don't count."""
_NOISE = 4.0
"""Variance that colours have anyway, in squared grey levels: nothing is made of it."""
_SPREAD, _MOST_GAIN = 45.0, 4.0
"""Standard deviation of every colour axis after the stretch, and by how much an axis is stretched at most."""
_BODY, _MARKS = 200.0, 150.0
"""Grey of the body, and how much darker the strongest marks are."""
_LEAST_MARKS = 4.0


def principal_grey(crops: Crops) -> Crops:
    """Crops (n, h, w, 3) along the colour axis on which each differs most from its own body, marks dark on light.

    The axis is the first principal component round the median colour of the face.
    """
    return np.array([_grey(crop) for crop in crops], np.uint8).reshape(crops.shape)


def decorrelated(crops: Crops) -> Crops:
    """Crops (n, h, w, 3) with colours pulled apart along all their axes (Gillespie et al., "Color enhancement of
    highly correlated images: decorrelation and HSI contrast stretches", 1986).
    """
    return np.array([_pulled_apart(crop) for crop in crops], np.uint8).reshape(crops.shape)


def _grey(crop: Crops) -> Crops:
    face = _face(crop)
    body = np.median(face, axis=0)
    off = face - body
    _, axes = np.linalg.eigh(off.T @ off / len(off))
    along = (crop.astype(np.float32) - body) @ axes[:, -1]
    inner = _inner(along)
    strongest = max(float(np.percentile(np.abs(inner), 97)), _LEAST_MARKS)
    sign = -1.0 if inner.mean() > 0 else 1.0
    grey = np.clip(_BODY + sign * along / strongest * _MARKS, 0, 255).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


def _pulled_apart(crop: Crops) -> Crops:
    face = _face(crop)
    mean = face.mean(0)
    variances, axes = np.linalg.eigh(np.cov((face - mean).T) + np.eye(3) * _NOISE)
    gains = np.minimum(_SPREAD / np.sqrt(variances), _MOST_GAIN)
    apart = ((crop.astype(np.float32) - mean) @ axes * gains) @ axes.T + 128
    return np.asarray(np.clip(apart, 0, 255), np.uint8)


def _face(crop: Crops) -> npt.NDArray[np.float32]:
    """Colours (k, 3) of the part of a crop that is face for certain."""
    return np.asarray(_inner(crop).reshape(-1, 3), np.float32)


def _inner(crop: npt.NDArray[Any]) -> npt.NDArray[Any]:
    rim = _INSET + int((crop.shape[1] - geometry.TILE_IN_CROP_PX) / 4)
    return crop[_INSET:-_INSET, rim:-rim]
