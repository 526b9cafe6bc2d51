"""From a box that is about right to the four corners of the tile's face."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.runtime import Network

Floats = npt.NDArray[np.float32]

NOTHING = 3
"""Index of "no tile here" among the kinds, after `detections.KINDS`."""


_NEAR_PX = 3.0
_TURNS = (-0.45, -0.22, 0.22, 0.45)  # radians


class OnnxCorners:
    """Refines boxes on the full picture and says again what stands there: a second opinion on the finder."""

    def __init__(self, path: Path, threads: int | None = None) -> None:
        self._network = Network(path, threads)

    def refine(
        self, picture: geometry.Pyramid, boxes: Floats, hopeful: npt.NDArray[np.bool_] | None = None
    ) -> tuple[geometry.Array, Floats]:
        """Boxes (n, 5) px to corners (n, 4, 2) px and kind probabilities (n, 4).

        `hopeful` (n,) marks boxes that the finder believes in: where nothing is seen in one of them, it is tried
        again turned to either side, because a box at a wrong angle looks like no tile at all.
        """
        corners, kinds = self._rounds(picture, boxes)
        lost = np.flatnonzero((kinds[:, NOTHING] > 0.5) & hopeful) if hopeful is not None else np.zeros(0, np.int64)
        for turn in _TURNS if len(lost) else ():
            turned = boxes[lost].copy()
            turned[:, 4] += turn
            again, seen = self._rounds(picture, turned)
            better = seen[:, NOTHING] < kinds[lost, NOTHING]
            corners[lost[better]], kinds[lost[better]] = again[better], seen[better]
        return corners, kinds

    def _rounds(self, picture: geometry.Pyramid, boxes: Floats) -> tuple[geometry.Array, Floats]:
        """A second round starts from what the first found, and ends within a hundredth of the length.

        Boxes that the first round hardly moved are left as it put them.
        """
        corners, kinds, moved = self._round(picture, boxes)
        far = np.flatnonzero(moved > _NEAR_PX)
        if len(far):
            corners[far], kinds[far], _ = self._round(picture, geometry.corners_box(corners[far]))
        return corners, kinds

    def _round(self, picture: geometry.Pyramid, boxes: Floats) -> tuple[geometry.Array, Floats, Floats]:
        """Corners (n, 4, 2) px, kinds (n, 4), and how far the farthest corner moved (n,), in px of the crop."""
        quads = geometry.box_corners(geometry.tile_proportioned(boxes))
        if len(quads) == 0:
            return np.zeros((0, 4, 2), np.float32), np.zeros((0, 4), np.float32), np.zeros(0, np.float32)
        crops = geometry.cut_crops(picture, quads, geometry.SEARCH_TARGET, geometry.SEARCH_CROP_WH)
        offsets, kinds = self._network.run(crops)
        offsets = offsets.reshape(-1, 4, 2)
        corners = np.zeros((len(quads), 4, 2), np.float32)
        for index, quad in enumerate(quads):
            back = geometry.inverse(geometry.crop_transform(quad, geometry.SEARCH_TARGET))
            corners[index] = geometry.map_points(offsets[index] + geometry.SEARCH_TARGET, back)
        return corners, kinds, np.asarray(np.linalg.norm(offsets, axis=2).max(1), np.float32)
