"""From a box that is about right to the four corners of the tile's face."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.runtime import Network

NOTHING = 3
"""Index of "no tile here" among the kinds, after `detections.KINDS`."""


class OnnxCorners:
    """Refines boxes on the full picture and says again what stands there: a second opinion on the finder."""

    def __init__(self, path: Path, threads: int | None = None) -> None:
        self._network = Network(path, threads)

    def refine(
        self, picture: geometry.Pyramid, boxes: npt.NDArray[np.float32], rounds: int = 2
    ) -> tuple[geometry.Array, npt.NDArray[np.float32]]:
        """Boxes (n, 5) px to corners (n, 4, 2) px and kind probabilities (n, 4).

        Each round starts from what the one before found; the second brings the corners to about a hundredth
        of the tile's length.
        """
        corners = np.zeros((len(boxes), 4, 2), np.float32)
        kinds = np.zeros((len(boxes), 4), np.float32)
        for _ in range(rounds if len(boxes) else 0):
            quads = geometry.box_corners(geometry.tile_proportioned(boxes))
            crops = geometry.cut_crops(picture, quads, geometry.SEARCH_TARGET, geometry.SEARCH_CROP_WH)
            offsets, kinds = self._network.run(crops)
            moved = offsets.reshape(-1, 4, 2) + geometry.SEARCH_TARGET
            for index, quad in enumerate(quads):
                back = geometry.inverse(geometry.crop_transform(quad, geometry.SEARCH_TARGET))
                corners[index] = geometry.map_points(moved[index], back)
            boxes = geometry.corners_box(corners)
        return corners, kinds
