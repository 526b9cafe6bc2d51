"""How sharp a whole picture is, for when there is no tile to measure it on."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Pyramid

_SIDE = 1600
_STEEPEST = 0.001
"""Share of the pixels that are taken for edges."""


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
