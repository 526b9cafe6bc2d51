"""Which part of a picture is read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.steadiness import Mask
from vision.tiles import BgrImage, Points

Box = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of a picture, px."""

_PAD = 1.6
"""Room round what is read, in tile lengths."""
_UNSURE_PX, _UNSURE_SHARE = 0.7e6, 1.5
"""Tiles that did not change are read again within a box of so many px, or so many times what has to be read anyway;
those for which there is no room are in the next pictures."""


def box_of(mask: Mask, scale: float, tile_px: float, image: BgrImage, unsure: Sequence[Points]) -> Box:
    """The part of the picture to read, with room for whole tiles round it.

    It has in it what changed in the reduced picture, and of the `unsure` places (corners (4, 2) px), the first ones
    first, those for which it need not grow much.
    """
    ys, xs = np.nonzero(mask)
    inside = [np.array([[xs.min(), ys.min()], [xs.max(), ys.max()]], np.float32) / scale] if len(xs) else []
    pad, most = _PAD * tile_px, _UNSURE_PX
    if inside:
        most = max(most, _UNSURE_SHARE * _area(around(inside, pad, image)))
    for place in unsure:
        if not inside or _area(around([*inside, place], pad, image)) <= most:
            inside.append(place)
    return around(inside, pad, image)


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def whole(image: BgrImage) -> Box:
    """All of it."""
    return 0, 0, image.shape[1], image.shape[0]


def around(places: Sequence[Points], pad: float, image: BgrImage) -> Box:
    """A box round the places; the whole picture where that is most of it."""
    points = np.vstack(list(places))
    height, width = image.shape[:2]
    x0, y0 = (max(0, int(value - pad)) for value in points.min(0))
    x1, y1 = min(width, int(points[:, 0].max() + pad)), min(height, int(points[:, 1].max() + pad))
    if (x1 - x0) * (y1 - y0) > 0.5 * width * height or x1 - x0 < 8 or y1 - y0 < 8:
        return whole(image)
    return x0, y0, x1, y1
