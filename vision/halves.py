"""From the corners of a tile to the values of its halves and the places of its pips."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.colours import pip_colour, to_lab
from vision.runtime import Network
from vision.tiles import Points

NO_VALUE = 19
"""Class of a half that shows no value: covered, cut off, a back, or not a tile."""

_CELL_PX = 4.0
_BATCH = 64

# A second look: the same tile cut a little larger, smaller and shifted, as shares of its length and width.
_LOOKS = ((1.0, 0.0, 0.0), (1.04, 0.0, 0.0), (0.965, 0.0, 0.0), (1.0, 0.015, 0.02), (1.0, -0.015, -0.02))


@dataclass(frozen=True, slots=True)
class HalfReadings:
    """`probabilities` (n, 2, 20), calibrated; `spots` (n, 2, 16, 18) is how likely a pip stands in each cell.

    `sharpness` (n,): how much of the whole range of greys the steepest edges cross within one px of the crop;
    0.3 is a good photo, 0.1 is one on which small tiles begin to be missed. `colours` (n, 2, 3): pip colour of each
    half in CIELAB, NaN where no pip was seen.
    """

    probabilities: npt.NDArray[np.float32]
    spots: npt.NDArray[np.float32]
    sharpness: npt.NDArray[np.float32]
    colours: npt.NDArray[np.float32]

    def __getitem__(self, index: npt.NDArray[np.int64]) -> HalfReadings:
        return HalfReadings(self.probabilities[index], self.spots[index], self.sharpness[index], self.colours[index])


def _softmax(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    raised = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(raised / raised.sum(-1, keepdims=True), np.float32)


class OnnxHalves:
    """Reads tiles by their halves. `temperature` was measured on pictures that training never saw."""

    def __init__(self, path: Path, temperature: float, threads: int | None = None) -> None:
        self._network = Network(path, threads)
        self._temperature = temperature

    def read(
        self, picture: geometry.Pyramid, corners: geometry.Array, wanted: npt.NDArray[np.bool_] | None = None
    ) -> HalfReadings:
        """Read the tiles at `corners` (n, 4, 2) px; those that are not clear at once get a second look.

        Places that are not `wanted` (n,) are not looked at and show no value.
        """
        if wanted is None or wanted.all():
            return self._read(picture, corners)
        count = len(corners)
        probabilities = np.zeros((count, 2, NO_VALUE + 1), np.float32)
        probabilities[..., NO_VALUE] = 1
        spots = np.zeros((count, 2, 16, 18), np.float32)
        sharpness, colours = np.zeros(count, np.float32), np.full((count, 2, 3), np.nan, np.float32)
        some = self._read(picture, corners[wanted])
        probabilities[wanted], spots[wanted] = some.probabilities, some.spots
        sharpness[wanted], colours[wanted] = some.sharpness, some.colours
        return HalfReadings(probabilities, spots, sharpness, colours)

    def _read(self, picture: geometry.Pyramid, corners: geometry.Array) -> HalfReadings:
        first = self._look(picture, corners)
        clear = first.probabilities.max(-1).min(-1) > 0.985
        empty = (first.probabilities.argmax(-1) == NO_VALUE).all(-1)
        again = np.flatnonzero(~clear & ~empty)
        if len(again) == 0:
            return first
        seen = [first.probabilities[again]]
        seen += [self._look(picture, _nudged(corners[again], *look)).probabilities for look in _LOOKS[1:]]
        # The mean of the logarithms: one look that is sure of another value must leave a doubt.
        mean = np.exp(np.mean(np.log(np.maximum(seen, 1e-6)), axis=0))
        probabilities = first.probabilities.copy()
        probabilities[again] = mean / mean.sum(-1, keepdims=True)
        return replace(first, probabilities=probabilities)

    def _look(self, picture: geometry.Pyramid, corners: geometry.Array) -> HalfReadings:
        logits, spots = [np.zeros((0, 2, 20), np.float32)], [np.zeros((0, 2, 16, 18), np.float32)]
        sharp: list[float] = []
        colours = [np.zeros((0, 2, 3), np.float32)]
        for start in range(0, len(corners), _BATCH):
            part = corners[start : start + _BATCH]
            crops = geometry.cut_crops(picture, part, geometry.TILE_TARGET, geometry.TILE_CROP_WH)
            some = self._network.run(crops)
            logits.append(some[0])
            spots.append(some[1])
            sharp += [_sharpness(crop) for crop in crops]
            colours += [_colours(crop, maps)[None] for crop, maps in zip(crops, some[1], strict=True)]
        shares = _softmax(np.concatenate(logits) / self._temperature)
        return HalfReadings(shares, np.concatenate(spots), np.array(sharp, np.float32), np.concatenate(colours))


def _colours(crop: npt.NDArray[np.uint8], spots: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Pip colours (2, 3) of one tile crop."""
    lab = to_lab(crop)
    first, second = (_peaks(half) for half in spots)
    turned = np.array(geometry.TILE_CROP_WH, np.float32) - second
    return np.stack([pip_colour(lab, first), pip_colour(lab, turned)])


def _sharpness(crop: npt.NDArray[np.uint8]) -> float:
    """Steepest slope of a tile crop, as a share of its range of greys a px."""
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8)[2:-2, 2:-2]
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8)[2:-2, 2:-2]
    slope = np.partition((across**2 + down**2).ravel(), -160)[-160]
    return float(np.sqrt(slope) / (float(grey.max()) - float(grey.min()) + 8.0))


def _nudged(corners: geometry.Array, scale: float, along: float, across: float) -> geometry.Array:
    """The same quads, scaled about their centres and moved by shares of their own sides."""
    centre = corners.mean(1, keepdims=True)
    length = (corners[:, 2] - corners[:, 1])[:, None]
    width = (corners[:, 0] - corners[:, 1])[:, None]
    return np.asarray(centre + (corners - centre) * scale + along * length + across * width, np.float32)


def count_pips(half: npt.NDArray[np.float32]) -> int:
    """How many pips the map (16, 18) of a half shows: a second way to its value, for sets with dots."""
    return len(_peaks(half))


def pip_places(spots: npt.NDArray[np.float32], corners: geometry.Array) -> tuple[Points, Points]:
    """Pips of both halves of one tile: `spots` (2, 16, 18), `corners` (4, 2) px; returns (n, 2) px each."""
    back = geometry.inverse(geometry.crop_transform(corners, geometry.TILE_TARGET))
    first, second = (_peaks(half) for half in spots)
    # The second half was read turned round.
    turned = np.array(geometry.TILE_CROP_WH, np.float32) - second
    return geometry.map_points(first, back), geometry.map_points(turned, back)


def _peaks(half: npt.NDArray[np.float32], least: float = 0.4) -> Points:
    """Local maxima of a pip map (16, 18), in px of the half's crop, to a fraction of a cell."""
    around = cv2.dilate(half, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((half >= around) & (half > least))
    places = []
    for y, x in zip(rows, columns, strict=True):
        top, left = max(0, y - 1), max(0, x - 1)
        window = half[top : y + 2, left : x + 2]
        dy, dx = np.mgrid[top : top + window.shape[0], left : left + window.shape[1]]
        weight = window / window.sum()
        places.append((((dx * weight).sum() + 0.5) * _CELL_PX, ((dy * weight).sum() + 0.5) * _CELL_PX))
    return np.array(places, np.float32).reshape(-1, 2)
