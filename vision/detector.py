"""The finder: a picture in, oriented boxes out. Fitting to the network's size and its inverse stand together."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.detections import Detections, Floats, keep_best
from vision.runtime import Network
from vision.tiles import BgrImage

STRIDE = 32
_DISTANCES = 16


def fit(image: BgrImage, long_side: int) -> tuple[npt.NDArray[np.uint8], float]:
    """The picture with its longer side `long_side` px, padded at right and bottom to the stride.

    Returns it and the scale that was used; pixel (x, y) of the result is (x / scale, y / scale) of the photo.
    """
    height, width = image.shape[:2]
    scale = long_side / max(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    if scale != 1.0:
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        image = np.asarray(cv2.resize(image, size, interpolation=way), np.uint8)
    right, bottom = -size[0] % STRIDE, -size[1] % STRIDE
    padded = cv2.copyMakeBorder(image, 0, bottom, 0, right, cv2.BORDER_CONSTANT, value=(114, 114, 114))
    return np.asarray(padded, np.uint8), scale


class OnnxFinder:
    """Runs the finder at one size or several, and brings the boxes back to the photo's pixels."""

    def __init__(self, path: Path, threads: int | None = None) -> None:
        self._network = Network(path, threads)

    def find(self, image: BgrImage, long_side: int, least_score: float) -> Detections:
        """One pass with the longer side shrunk (or grown) to `long_side` px; boxes in px of `image`."""
        fitted, scale = fit(image, long_side)
        maps = self._network.run(fitted[None])
        levels = [boxes_of(level[0], fitted.shape[1] // level.shape[3], least_score) for level in maps]
        return keep_best(Detections.merge(levels).scaled(1 / scale), 0.45)


def boxes_of(level: Floats, stride: int, least_score: float) -> Detections:
    """Boxes in px of the network's picture from what it says of every place, one in `stride` px both ways.

    `level` (68, h, w): for each of left, top, right and bottom a distribution over 16 distances, counted in strides
    from the place along the box's own axes; then a logit for each of `KINDS`; then one for the angle, whose sigmoid
    spans half a turn from -45 degrees. This is how the YOLO family tells oriented boxes ("distribution focal loss",
    Li et al. 2020). Only places above `least_score` are worked out: they are few among thousands.
    """
    logits = level[4 * _DISTANCES : -1]
    best = logits.max(0)
    rows, columns = np.nonzero(best > np.log(least_score / (1 - least_score)))
    told = level[:, rows, columns]
    shares = np.exp(told[: 4 * _DISTANCES].reshape(4, _DISTANCES, -1))
    left, top, right, bottom = np.tensordot(np.arange(_DISTANCES), shares, (0, 1)) / shares.sum(1)
    angle = (_sigmoid(told[-1]) - 0.25) * np.pi
    cos, sin, along, across = np.cos(angle), np.sin(angle), (right - left) / 2, (bottom - top) / 2
    x, y = columns + 0.5 + along * cos - across * sin, rows + 0.5 + along * sin + across * cos
    width, height = left + right, top + bottom
    turned = height > width
    boxes = np.stack([x, y, np.maximum(width, height), np.minimum(width, height)], 1) * stride
    angles = angle + np.where(turned, np.pi / 2, 0)
    return Detections(
        np.concatenate([boxes, angles[:, None]], 1).astype(np.float32),
        logits[:, rows, columns].argmax(0),
        _sigmoid(best[rows, columns]),
    )


def _sigmoid(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logits)), np.float32)
