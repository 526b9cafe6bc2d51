"""Mirrored pictures, as selfie cameras and some webcam programs hand them out: told, and read the right way round.

What a mirror changes: the order of trains round the hub, numerals, and which way the pips of twos and threes
slant. What it does not change: every other arrangement of pips. So a picture of a set with pips shows by itself
nothing of a mirror (makers slant their twos either way), and it takes the caller, or another picture of the same
set, to know; numerals that read better in a mirror show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.reader import PhotoReader, ReadOptions
from vision.table_reading import LineReading, TableReading
from vision.tiles import BgrImage, PhotoReading, Points, TileSighting

_FEWEST_VOTES = 3
_AGREED = 0.6
# A second look costs as much as the first: only where much is unsure, and numerals turned round would explain it.
_UNSURE_TILES, _UNSURE_SHARE = 4, 0.4
_AS_MANY = 0.8
_PLAINER = 0.12
"""So much surer, on average, are numerals the right way round; pips change by a quarter of that."""


@dataclass(frozen=True, slots=True)
class Mirror:
    """What the caller knows: that the picture is mirrored, or how the set's pips slant (see `handedness`).

    `handedness` is `None` if nobody looked, and 0 if they looked and could not tell.
    """

    known: bool = False
    handedness: int | None = None


@dataclass(frozen=True, slots=True)
class Upright:
    """A reading of the picture as the table is. `turned`: it was mirrored, and places are those in its mirror image.

    `note` is a doubt's code: `mirrored` if that was found out, `mirrored_unclear` if it could not be.
    """

    seen: PhotoReading
    turned: bool = False
    note: str | None = None


def read_upright(reader: PhotoReader, image: BgrImage, options: ReadOptions, mirror: Mirror) -> Upright:
    """Read a picture that may be mirrored."""
    if mirror.known:
        return Upright(reader.read(_mirror_image(image), options), turned=True)
    seen = reader.read(image, options)
    found = 0 if mirror.handedness is None else mirror.handedness * handedness(seen.tiles)
    if found < 0:
        return Upright(reader.read(_mirror_image(image), options), turned=True, note="mirrored")
    if found == 0 and seen.doubtful >= max(_UNSURE_TILES, _UNSURE_SHARE * len(seen.tiles)):
        other = reader.read(_mirror_image(image), options)
        if len(other.tiles) >= _AS_MANY * len(seen.tiles) and _sureness(other) > _sureness(seen) + _PLAINER:
            return Upright(other, turned=True, note="mirrored")
    asked_in_vain = mirror.handedness is not None and found == 0 and len(seen.tiles) > 0
    return Upright(seen, note="mirrored_unclear" if asked_in_vain else None)


def _mirror_image(image: BgrImage) -> BgrImage:
    return np.ascontiguousarray(image[:, ::-1])


def _sureness(seen: PhotoReading) -> float:
    return float(np.mean([tile.confidence for tile in seen.tiles])) if seen.tiles else 0.0


def reflected(reading: TableReading) -> TableReading:
    """The reading of a mirror image with all places as they are in the picture itself.

    Trains keep their order, which is the one round the real table.
    """
    width = reading.size_wh[0]

    def line(old: LineReading) -> LineReading:
        return replace(old, end_px=(width - old.end_px[0], old.end_px[1]))

    return replace(
        reading,
        trains=tuple(
            replace(train, line=line(train.line), limbs=tuple(line(limb) for limb in train.limbs))
            for train in reading.trains
        ),
        tiles=tuple(replace(tile, sighting=_reflected_tile(tile.sighting, width)) for tile in reading.tiles),
        markers=tuple(replace(marker, sighting=_reflected_tile(marker.sighting, width)) for marker in reading.markers),
        hub_px=None if reading.hub_px is None else (width - reading.hub_px[0], reading.hub_px[1]),
        doubts=tuple(
            note if note.place_px is None else replace(note, place_px=(width - note.place_px[0], note.place_px[1]))
            for note in reading.doubts
        ),
    )


def _reflected_tile(sighting: TileSighting, width: int) -> TileSighting:
    """Corners stay clockwise as seen, from the left corner of the first end."""
    corners = _reflected_points(sighting.corners_px, width)[[1, 0, 3, 2]]
    return replace(sighting, corners_px=corners, pips_px=_reflected_points(sighting.pips_px, width))


def _reflected_points(points: Points, width: int) -> Points:
    return np.asarray(points * np.array([-1, 1], np.float32) + np.array([width, 0], np.float32), np.float32)


def handedness(tiles: Sequence[TileSighting]) -> int:
    """Which way the pips of twos and threes slant: +1 or -1 for all of a set, 0 if too few were seen.

    Makers differ, so it says nothing by itself; but on a mirrored picture a set has the other hand.
    """
    votes = [vote for sighting in tiles for half in (0, 1) if (vote := _slant(sighting, half))]
    if len(votes) < _FEWEST_VOTES or abs(sum(votes)) < _AGREED * len(votes):
        return 0
    return 1 if sum(votes) > 0 else -1


def _slant(sighting: TileSighting, half: int) -> int:
    if sighting.ends[half] not in (2, 3) or len(sighting.pips_px) < 2:
        return 0
    corners = sighting.corners_px
    along = ((corners[2] - corners[1]) + (corners[3] - corners[0])) / 2
    across = ((corners[0] - corners[1]) + (corners[3] - corners[2])) / 2
    # In units of the tile: u from -0.5 to 0.5 along it, v across it.
    off: Points = sighting.pips_px - corners.mean(0)
    local = np.linalg.solve(np.stack([along, across], axis=1).astype(np.float64), off.T).T
    mine = local[(local[:, 0] > 0) == bool(half)]
    if len(mine) != sighting.ends[half]:
        return 0
    spread = mine - mine.mean(0)
    slant = float((spread[:, 0] * spread[:, 1]).sum())
    return 0 if abs(slant) < 0.01 else (1 if slant > 0 else -1)
