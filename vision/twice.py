"""Two readings of one picture as one: what both saw is surer, what only one saw is less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.board import flipped
from vision.evidence import both
from vision.tiles import BgrImage, PhotoReading, Points, TileSighting

_SAME = 0.35
"""Two sightings are of one thing if their centres are within this many tile lengths."""
_ALONE = 0.7
"""What only one of two readings saw is believed this much less."""
_MISCUT = 0.15
"""Of two sightings of a tile whose lengths are this far apart, of a tile's length, one has not the tile's corners."""
_BRIGHT = 235.0
"""Faces as bright as this are well lit."""
_MOST_GAIN, _WORTH_IT, _DARKER = 3.0, 1.15, 0.75


def other_gain(image: BgrImage, tiles: Sequence[Points], looks: int) -> float:
    """How much brighter to look at a picture again: the same pixels are misread in the same way.

    `tiles` are corners (4, 2) px, whose faces say how it is lit; `looks` are the second looks before this one.
    """
    faces = np.zeros(image.shape[:2], np.uint8)
    for quad in tiles:
        cv2.fillConvexPoly(faces, np.round(quad).astype(np.int32), 1)
    bright = image.max(2)[faces > 0]
    gain = min(_MOST_GAIN, _BRIGHT / max(1.0, float(np.percentile(bright, 90)))) if bright.size else 1.0
    return _DARKER if looks % 2 or gain < _WORTH_IT else gain


def joined(one: Sequence[TileSighting], other: Sequence[TileSighting], tile_px: float) -> list[TileSighting]:
    """Sightings of one kind, each thing once; those of `one` keep their places and their order."""
    left = list(other)
    found = []
    for sighting in one:
        centre = np.array(sighting.centre_px)
        apart = [float(np.hypot(*(np.array(again.centre_px) - centre))) for again in left]
        best = int(np.argmin(apart)) if apart else -1
        if best < 0 or apart[best] > _SAME * tile_px:
            found.append(_less_sure(sighting))
            continue
        again = left.pop(best)
        whole = _of_true_length(sighting, again, tile_px)
        found.append(_both(sighting, again) if whole is None else whole)
    return [*found, *(_less_sure(sighting) for sighting in left)]


def _of_true_length(one: TileSighting, other: TileSighting, tile_px: float) -> TileSighting | None:
    """The sighting that is as long as tiles here are, where the other is not: that one is cut, or reaches too far."""
    if "marker" in (one.kind, other.kind):
        return None
    off = [abs(sighting.length_px / tile_px - 1) for sighting in (one, other)]
    if max(off) < _MISCUT or max(off) - min(off) < _MISCUT:
        return None
    return one if off[0] < off[1] else other


def _less_sure(sighting: TileSighting) -> TileSighting:
    return replace(sighting, confidence=_ALONE * sighting.confidence)


def _both(one: TileSighting, other: TileSighting) -> TileSighting:
    if one.kind == "marker" or None in one.ends:
        return replace(one, confidence=1 - (1 - one.confidence) * (1 - other.confidence))
    if None in other.ends:
        return one
    rows = both(one, other, flipped(one.corners_px, other.corners_px)).astype(np.float32)
    first, second = rows.argmax(1)
    doubts = one.doubts if other.doubts else ()
    return replace(one, ends=(int(first), int(second)), probabilities=rows, confidence=float(rows.max(1).prod()),
                   doubts=doubts)


def joined_in(
    box: tuple[int, int, int, int], one: PhotoReading, other: PhotoReading, tile_px: float
) -> PhotoReading:
    """The first reading, with what the second says of its box."""
    x0, y0, x1, y1 = box
    rim = 0.3 * tile_px

    def inside(sighting: TileSighting) -> bool:
        low, high = sighting.corners_px.min(0), sighting.corners_px.max(0)
        return bool((low > (x0 + rim, y0 + rim)).all() and (high < (x1 - rim, y1 - rim)).all())

    def joint(first: Sequence[TileSighting], second: Sequence[TileSighting]) -> tuple[TileSighting, ...]:
        kept = tuple(sighting for sighting in first if not inside(sighting))
        again = [sighting for sighting in second if inside(sighting)]
        return (*kept, *joined([sighting for sighting in first if inside(sighting)], again, tile_px))

    # What a marker is, tiles beside it tell: a box without any says nothing of markers.
    markers, faint = one.markers, one.faint
    if other.tiles:
        markers, faint = joint(one.markers, other.markers), joint(one.faint, other.faint)
    return replace(one, tiles=joint(one.tiles, other.tiles), face_down=joint(one.face_down, other.face_down),
                   markers=markers, faint=faint)
