"""How sharp a tile's crop is, or a whole picture, for when there is no tile to measure it on."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Pyramid

_SIDE = 1600
_STEEPEST = 0.001
"""Share of the pixels that are taken for edges."""
_STEEP_PX, _STEEP_ONE_WAY_PX = 160, 60
"""So many pixels of a crop are taken for its edges: of all of them, and of those that face one way."""
_ONE_WAY = 0.414  # within 22.5 degrees

Slopes = npt.NDArray[np.float32]


def of_crop(crop: npt.NDArray[np.uint8]) -> float:
    """Steepest slope of a tile's crop, as a share of its range of greys a px."""
    grey, across, down = _slopes(crop)
    slope = np.partition((across**2 + down**2).ravel(), -_STEEP_PX)[-_STEEP_PX]
    return float(np.sqrt(slope)) / _range(grey)


def of_softest_way(crop: npt.NDArray[np.uint8]) -> float:
    """The same of the edges along the tile or of those across it, whichever are softer.

    A camera that moved while it took the picture leaves the edges along its way sharp. Every tile has edges of
    both sorts, its own outline; of pips that face another way there may be few, or pale ones.
    """
    grey, across, down = _slopes(crop)
    x, y = np.abs(across), np.abs(down)
    ways = (x * (y < _ONE_WAY * x), y * (x < _ONE_WAY * y))
    steepest = [np.partition(way.ravel(), -_STEEP_ONE_WAY_PX)[-_STEEP_ONE_WAY_PX] for way in ways]
    return float(min(steepest)) / _range(grey)


def _slopes(crop: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.uint8], Slopes, Slopes]:
    """Grey crop, and its slopes across and down without the rim."""
    grey = np.asarray(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), np.uint8)
    across, down = (np.asarray(cv2.Sobel(grey, cv2.CV_32F, *way, scale=1 / 8), np.float32) for way in ((1, 0), (0, 1)))
    return grey, across[2:-2, 2:-2], down[2:-2, 2:-2]


def _range(grey: npt.NDArray[np.uint8]) -> float:
    return float(grey.max()) - float(grey.min()) + 8.0


def sharpness(picture: Pyramid) -> float:
    """Share of the picture's range of greys that its steepest edges cross in one px; 0.3 is a good photo.

    Large photos are measured shrunk, as they are read. A picture that shows nothing is all noise, and noise is
    steep: only blur is reported as blur.
    """
    longest = max(picture.level(0).shape[:2])
    image, _ = picture.fitting(min(1.0, _SIDE / longest))
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    slope = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8))
    low, high = np.quantile(grey, (_STEEPEST, 1 - _STEEPEST))
    return float(np.quantile(slope, 1 - _STEEPEST) / (high - low + 8.0))
