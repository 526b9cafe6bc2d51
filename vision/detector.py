"""The finder: a picture in, oriented boxes out. Fitting to the network's size and its inverse stand together."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.detections import Detections, keep_best
from vision.runtime import Network
from vision.tiles import BgrImage

STRIDE = 32


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
        raw = self._network.run(fitted[None])[0][0]
        kinds = raw[4:-1]
        best = kinds.max(0)
        chosen = np.flatnonzero(best > least_score)
        boxes = np.concatenate([raw[:4, chosen], raw[-1:, chosen]]).T.astype(np.float32)
        swap = boxes[:, 3] > boxes[:, 2]
        boxes[swap] = boxes[swap][:, [0, 1, 3, 2, 4]]
        boxes[swap, 4] += np.pi / 2
        boxes[:, :4] /= scale
        found = Detections(boxes, kinds[:, chosen].argmax(0).astype(np.int64), best[chosen].astype(np.float32))
        return keep_best(found, 0.45)
