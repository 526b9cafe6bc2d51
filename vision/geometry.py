"""Arithmetic on corners and crops. Pixels: x right, y down. Nothing here looks at a picture's content.

Corner order everywhere: left corner of the first end when that end is held up, then clockwise as seen. In a
crop the tile lies with its first end at the left, so the order is bottom left, top left, top right, bottom right.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]

TILE_CROP_WH = (128, 64)
"""Size of a rectified tile, px; the tile itself is `TILE_IN_CROP_PX` long in it, so that its rim is seen."""
TILE_IN_CROP_PX = 113.0

SEARCH_CROP_WH = (96, 64)
"""Size of the crop in which corners are searched, px; the box found is `BOX_IN_SEARCH_PX` long in it."""
BOX_IN_SEARCH_PX = 64.0

_UNIT = np.array([[-0.5, 0.5], [-0.5, -0.5], [0.5, -0.5], [0.5, 0.5]], np.float32)


def rectangle_in(size_wh: tuple[int, int], length: float) -> Array:
    """Corners (4, 2) of an upright tile of proportions 2:1 in the middle of a crop, pixel centres at .5."""
    return (_UNIT * [length, length / 2] + np.array(size_wh) / 2).astype(np.float32)


TILE_TARGET = rectangle_in(TILE_CROP_WH, TILE_IN_CROP_PX)
SEARCH_TARGET = rectangle_in(SEARCH_CROP_WH, BOX_IN_SEARCH_PX)


def box_corners(boxes: npt.NDArray[np.floating]) -> Array:
    """Oriented boxes (n, 5) as (cx, cy, length, width, angle in radians clockwise) to corners (n, 4, 2)."""
    boxes = np.asarray(boxes, np.float32).reshape(-1, 5)
    cos, sin = np.cos(boxes[:, 4]), np.sin(boxes[:, 4])
    local = _UNIT[None] * boxes[:, None, 2:4]
    x = local[..., 0] * cos[:, None] - local[..., 1] * sin[:, None]
    y = local[..., 0] * sin[:, None] + local[..., 1] * cos[:, None]
    return np.stack([x + boxes[:, None, 0], y + boxes[:, None, 1]], axis=-1).astype(np.float32)


def corners_box(corners: npt.NDArray[np.floating]) -> Array:
    """Corners (n, 4, 2) to the oriented boxes (n, 5) that fit them; the first side pair gives the width."""
    corners = np.asarray(corners, np.float32).reshape(-1, 4, 2)
    along = (corners[:, 2] - corners[:, 1] + corners[:, 3] - corners[:, 0]) / 2
    across = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    return np.concatenate(
        [
            corners.mean(1),
            np.linalg.norm(along, axis=1, keepdims=True),
            np.linalg.norm(across, axis=1, keepdims=True),
            np.arctan2(along[:, 1], along[:, 0])[:, None],
        ],
        axis=1,
    ).astype(np.float32)


def tile_lengths(corners: npt.NDArray[np.floating]) -> Array:
    """Mean length (n,) px of the two long sides of each of `corners` (n, 4, 2)."""
    sides = np.linalg.norm(corners[:, 2] - corners[:, 1], axis=1) + np.linalg.norm(
        corners[:, 3] - corners[:, 0], axis=1
    )
    return np.asarray(sides / 2, np.float32)


def inside(points: npt.NDArray[np.floating], corners: npt.NDArray[np.floating]) -> npt.NDArray[np.bool_]:
    """Whether each of `points` (m, 2) lies in each of the quads `corners` (n, 4, 2): an array (m, n)."""
    sides, away = np.roll(corners, -1, axis=1) - corners, points[:, None, None] - corners[None]
    turns = sides[None, ..., 0] * away[..., 1] - sides[None, ..., 1] * away[..., 0]
    return np.asarray((turns > 0).all(2))


def tile_proportioned(boxes: npt.NDArray[np.floating]) -> Array:
    """The same boxes (n, 5), as wide as half their length: tiles are 2:1, boxes under tilt are not quite."""
    shaped = np.array(boxes, np.float32)
    shaped[:, 2] = np.maximum(shaped[:, 2], shaped[:, 3] * 1.6)
    shaped[:, 3] = shaped[:, 2] / 2
    return shaped


def crop_transform(corners: Array, target: Array) -> npt.NDArray[np.float64]:
    """The homography (3, 3) that takes picture pixels to crop pixels, `corners` (4, 2) landing on `target`."""
    return np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), target), np.float64)


class Pyramid:
    """A picture at full size, half, quarter and so on, each made when it is first needed.

    Crops are cut from the level that is closest above their own scale: averaging the whole picture once is
    cheaper than averaging round every tile, and pips do not alias.
    """

    def __init__(self, image: npt.NDArray[np.uint8]) -> None:
        self._levels = [image]

    def level(self, number: int) -> npt.NDArray[np.uint8]:
        """The picture shrunk by 2 ** number."""
        while len(self._levels) <= number:
            above = self._levels[-1]
            size = max(1, above.shape[1] // 2), max(1, above.shape[0] // 2)
            self._levels.append(np.asarray(cv2.resize(above, size, interpolation=cv2.INTER_AREA), np.uint8))
        return self._levels[number]

    def fitting(self, shrink: float) -> tuple[npt.NDArray[np.uint8], Array]:
        """The smallest level that still has more pixels than a crop shrunk by `shrink` (0 to 1) keeps.

        Returns it and its scale in x and y (2,).
        """
        number = max(0, math.floor(math.log2(1 / max(shrink, 1e-6)) + 0.15))
        image, full = self.level(number), self._levels[0]
        return image, np.array([image.shape[1] / full.shape[1], image.shape[0] / full.shape[0]], np.float32)


def cut_crops(pyramid: Pyramid, corners: Array, target: Array, size_wh: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """Crops (n, h, w, 3), one for each of `corners` (n, 4, 2) px of the full picture; outside it is black."""
    crops = np.zeros((len(corners), size_wh[1], size_wh[0], 3), np.uint8)
    wanted = float(np.linalg.norm(target[2] - target[1]))
    for index, (quad, length) in enumerate(zip(corners, tile_lengths(corners), strict=True)):
        image, scale = pyramid.fitting(wanted / max(float(length), 1.0))
        matrix = crop_transform(quad * scale - np.float32(0.5), target - np.float32(0.5))
        cv2.warpPerspective(image, matrix, size_wh, dst=crops[index], flags=cv2.INTER_LINEAR)
    return crops


def inverse(matrix: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The homography (3, 3) back from crop pixels to picture pixels."""
    return np.asarray(np.linalg.inv(matrix), np.float64)


def map_points(points: npt.NDArray[np.floating], matrix: npt.NDArray[np.float64]) -> Array:
    """Points (n, 2) through a homography (3, 3)."""
    if len(points) == 0:
        return np.zeros((0, 2), np.float32)
    return np.asarray(cv2.perspectiveTransform(points.astype(np.float32)[None], matrix)[0], np.float32)
