"""From the corners of a tile to the values of its halves and the places of its pips."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.blanks import ink_of, middle_of
from vision.colours import pip_colour
from vision.face_maps import MAP_HW, places_in_crops
from vision.renditions import Crops, decorrelated, principal_grey
from vision.runtime import Network
from vision.sharpness import of_crop, of_softest_way

NO_VALUE = 19
"""Class of a half that shows no value: covered, cut off, a back, or not a tile."""

_BATCH = 64
_LEAST_MARKER = 0.6

# Second looks at the same tile, those that tell most first: by the larger network or not, in which rendition, and how
# much larger and where it is cut, as shares of its length and width.
_PLAIN, _LARGER, _SMALLER = (1.0, 0.0, 0.0), (1.035, 0.012, 0.016), (0.97, -0.012, -0.016)
RENDITIONS = (principal_grey, decorrelated)
_LOOKS: tuple[tuple[bool, Callable[[Crops], Crops], tuple[float, float, float]], ...] = (
    (True, decorrelated, _SMALLER),
    (False, principal_grey, _LARGER),
    (True, np.asarray, _PLAIN),
)
_MOST_LOOKS = 24
"""On a table where many tiles are unclear each gets fewer looks: time must not explode."""


@dataclass(frozen=True, slots=True)
class HalfReadings:
    """`probabilities` (n, 2, 20), calibrated; `pips` and `markers` (n, 2) hold the places (k, 2) of each half's pips
    and of markers that stand on it, in px of the tile's crop.

    `sharpness` (n,): how much of the whole range of greys the steepest edges cross within one px of the crop;
    0.3 is a good photo, 0.1 is one on which small tiles begin to be missed. `softest` (n,) is the same of the edges
    that face the way in which they are softest, NaN for small tiles. `colours` (n, 2, 3): pip colour of each
    half in CIELAB, NaN where no pip was seen. `middles` (n, 2): what stands in the middle of a half that reads as
    a blank (`blanks.middle_of`), `UNSURE` elsewhere. `inks` (n, 2): how far marks stand out on it (`blanks.ink_of`).
    """

    probabilities: npt.NDArray[np.float32]
    pips: npt.NDArray[np.object_]
    markers: npt.NDArray[np.object_]
    sharpness: npt.NDArray[np.float32]
    softest: npt.NDArray[np.float32]
    colours: npt.NDArray[np.float32]
    middles: npt.NDArray[np.int8]
    inks: npt.NDArray[np.float32]

    def __getitem__(self, index: npt.NDArray[np.int64]) -> HalfReadings:
        return HalfReadings(*(getattr(self, part.name)[index] for part in fields(self)))

    @classmethod
    def of_nothing(cls, count: int) -> HalfReadings:
        """As many places at which no value can be seen."""
        probabilities = np.zeros((count, 2, NO_VALUE + 1), np.float32)
        probabilities[..., NO_VALUE] = 1
        spots = places_in_crops(np.zeros((count, 2, *MAP_HW), np.float32))
        colours = np.full((count, 2, 3), np.nan, np.float32)
        middles = np.zeros((count, 2), np.int8)
        sharp, softest = np.zeros(count, np.float32), np.full(count, np.nan, np.float32)
        inks = np.full((count, 2), np.nan, np.float32)
        return cls(probabilities, spots, spots.copy(), sharp, softest, colours, middles, inks)

    def with_more(self, more: HalfReadings) -> HalfReadings:
        """These and `more`."""
        return HalfReadings(
            *(np.concatenate([getattr(self, part.name), getattr(more, part.name)]) for part in fields(self))
        )

    def put(self, where: npt.NDArray[np.bool_], some: HalfReadings) -> None:
        """Write the readings `some` over those at `where` (n,)."""
        for part in fields(self):
            getattr(self, part.name)[where] = getattr(some, part.name)


def _softmax(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    raised = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(raised / raised.sum(-1, keepdims=True), np.float32)


class OnnxHalves:
    """Reads tiles by their halves: all with a small network, those that are not clear with a larger one besides.

    `temperature` of each was measured on pictures that training never saw.
    """

    def __init__(self, quick: Path, careful: Path, temperatures: tuple[float, float]) -> None:
        self._quick, self._careful = Network(quick), Network(careful)
        self._temperatures = temperatures

    def read(
        self, picture: geometry.Pyramid, corners: geometry.Array, wanted: npt.NDArray[np.bool_] | None = None
    ) -> HalfReadings:
        """Read the tiles at `corners` (n, 4, 2) px; those that are not clear at once get a second look.

        Places that are not `wanted` (n,) are not looked at and show no value.
        """
        if wanted is None or wanted.all():
            return self._read(picture, corners)
        readings = HalfReadings.of_nothing(len(corners))
        readings.put(wanted, self._read(picture, corners[wanted]))
        return readings

    def _read(self, picture: geometry.Pyramid, corners: geometry.Array) -> HalfReadings:
        first = self._look(picture, corners)
        clear = first.probabilities.max(-1).min(-1) > 0.985
        empty = (first.probabilities.argmax(-1) == NO_VALUE).all(-1)
        again = np.flatnonzero(~clear & ~empty)
        if len(again) == 0:
            return first
        said = {False: [first.probabilities[again]], True: []}
        for careful, rendered, moved in _LOOKS[: max(1, _MOST_LOOKS // len(again))]:
            crops = rendered(_crops(picture, _nudged(corners[again], *moved)))
            said[careful].append(self._shares(crops, careful=careful))
        # Means of logarithms: one look that is sure of another value must leave a doubt. Each network has half a say.
        sayings = [np.mean(np.log(np.maximum(seen, 1e-6)), axis=0) for seen in said.values()]
        probabilities = first.probabilities.copy()
        probabilities[again] = _softmax((sayings[0] + sayings[1]) / 2)
        return replace(first, probabilities=probabilities)

    def _shares(self, crops: npt.NDArray[np.uint8], *, careful: bool) -> npt.NDArray[np.float32]:
        """Probabilities (n, 2, 20) alone."""
        network = self._careful if careful else self._quick
        return _softmax(_in_batches(network, crops)[0] / self._temperatures[careful])

    def _look(self, picture: geometry.Pyramid, corners: geometry.Array) -> HalfReadings:
        """Everything that the quick network and the crops themselves say."""
        if len(corners) == 0:
            return HalfReadings.of_nothing(0)
        crops = _crops(picture, corners)
        logits, maps = _in_batches(self._quick, crops)
        shares = _softmax(logits / self._temperatures[0])
        pips, markers = places_in_crops(maps[:, :, 0]), places_in_crops(maps[:, :, 1], _LEAST_MARKER)
        sharp = np.array([of_crop(crop) for crop in crops], np.float32)
        colours = [[pip_colour(crop, places) for places in pair] for crop, pair in zip(crops, pips, strict=True)]
        middles = np.zeros((len(crops), 2), np.int8)
        for index, half in zip(*np.nonzero(shares.argmax(-1) == 0), strict=True):
            middles[index, half] = middle_of(crops[index], int(half))
        softest = _softness(crops, corners)
        inks = np.array([ink_of(crop) for crop in crops], np.float32)
        return HalfReadings(shares, pips, markers, sharp, softest, np.array(colours, np.float32), middles, inks)


def _crops(picture: geometry.Pyramid, corners: geometry.Array) -> npt.NDArray[np.uint8]:
    return geometry.cut_crops(picture, corners, geometry.TILE_TARGET, geometry.TILE_CROP_WH)


def _in_batches(network: Network, crops: npt.NDArray[np.uint8]) -> list[npt.NDArray[np.float32]]:
    """The network's outputs for one crop or more, a limited number at a time: memory must not grow with the table."""
    parts = [network.run(crops[start : start + _BATCH]) for start in range(0, len(crops), _BATCH)]
    return [np.concatenate(outputs) for outputs in zip(*parts, strict=True)]


def _softness(crops: npt.NDArray[np.uint8], corners: geometry.Array) -> npt.NDArray[np.float32]:
    """Sharpness (n,) of the softest edges of each tile; NaN for tiles that were enlarged, which softens all."""
    large = geometry.tile_lengths(corners) > geometry.TILE_IN_CROP_PX
    found = [of_softest_way(crop) if one else np.nan for crop, one in zip(crops, large, strict=True)]
    return np.array(found, np.float32)


def _nudged(corners: geometry.Array, scale: float, along: float, across: float) -> geometry.Array:
    """The same quads, scaled about their centres and moved by shares of their own sides."""
    centre = corners.mean(1, keepdims=True)
    length = (corners[:, 2] - corners[:, 1])[:, None]
    width = (corners[:, 0] - corners[:, 1])[:, None]
    return np.asarray(centre + (corners - centre) * scale + along * length + across * width, np.float32)
