"""A tile's crop in other colours, so that marks stand out which hardly differ from the body of their tile.

Pastel pips on white, or dark ones on a body as dark, are lost among what networks have mostly seen. Two renditions
that every crop gets by its own statistics bring them out; what all of them say counts for more than any one of them.
"""

from __future__ import annotations

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
    """Crops (n, h, w, 3), each with its colours pulled apart by those of the face (`pulled_apart`)."""
    return pulled_apart(crops, _inner(crops))


def pulled_apart(pictures: Crops, parts: Crops) -> Crops:
    """Pictures (n, h, w, 3), each with the colours of its part (n, y, x, 3) spread evenly along all their axes.

    A decorrelation stretch (Gillespie et al., "Color enhancement of highly correlated images: decorrelation and HSI
    contrast stretches", 1986).
    """
    number, height, width = pictures.shape[:3]
    colours = parts.reshape(number, parts.shape[1] * parts.shape[2], 3).astype(np.float32)
    mean = colours.mean(1, keepdims=True)
    off = colours - mean
    variances, axes = np.linalg.eigh(off.transpose(0, 2, 1) @ off / max(colours.shape[1], 1) + np.eye(3) * _NOISE)
    gains = np.minimum(_SPREAD / np.sqrt(variances), _MOST_GAIN)
    stretch = ((axes * gains[:, None]) @ axes.transpose(0, 2, 1)).astype(np.float32)
    apart = (pictures.reshape(number, height * width, 3) - mean) @ stretch + 128
    return np.asarray(np.clip(apart, 0, 255), np.uint8).reshape(number, height, width, 3)


def _grey(crop: Crops) -> Crops:
    inner = _inner(crop[None])[0]
    body = np.median(inner.reshape(-1, 3), axis=0)
    off = inner.reshape(-1, 3) - body
    _, axes = np.linalg.eigh(off.T @ off / len(off))
    along = (crop - body) @ axes[:, -1]
    marks = (inner - body) @ axes[:, -1]
    strongest = max(float(np.percentile(np.abs(marks), 97)), _LEAST_MARKS)
    sign = -1.0 if marks.mean() > 0 else 1.0
    grey = np.clip(_BODY + sign * along / strongest * _MARKS, 0, 255).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


def _inner(crops: Crops) -> Crops:
    """The parts of crops (n, h, w, 3) that are face for certain."""
    rim = _INSET + int((crops.shape[2] - geometry.TILE_IN_CROP_PX) / 4)
    return crops[:, _INSET:-_INSET, rim:-rim]
