"""Readings as they would be of a mirrored picture, for the tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.tiles import PhotoReading, Points, TileSighting


def with_slanting_pips(reading: PhotoReading, slope: int = 1) -> PhotoReading:
    """The same, with the pips of twos and threes in their places; all slant the same way."""
    return replace(reading, tiles=tuple(replace(tile, pips_px=_pips(tile, slope)) for tile in reading.tiles))


def _pips(tile: TileSighting, slope: int) -> Points:
    corners = tile.corners_px.astype(np.float64)
    along = (corners[2] - corners[1] + corners[3] - corners[0]) / 2
    across = (corners[0] - corners[1] + corners[3] - corners[2]) / 2
    steps = {2: (-1, 1), 3: (-1, 0, 1)}
    places = [
        corners.mean(0) + along * (0.5 * half - 0.25 + 0.15 * step) + across * 0.25 * slope * step
        for half, end in enumerate(tile.ends)
        for step in steps.get(end or 0, ())
    ]
    return np.array(places, np.float32).reshape(-1, 2)


def mirror_image(reading: PhotoReading) -> PhotoReading:
    """What a reader sees on the mirrored picture: corners clockwise as seen there."""
    width = reading.size_wh[0]

    def turned(sighting: TileSighting) -> TileSighting:
        corners = sighting.corners_px.copy()
        corners[:, 0] = width - corners[:, 0]
        pips = sighting.pips_px.copy()
        pips[:, 0] = width - pips[:, 0]
        return replace(sighting, corners_px=corners[[1, 0, 3, 2]], pips_px=pips)

    return replace(
        reading,
        tiles=tuple(map(turned, reading.tiles)),
        face_down=tuple(map(turned, reading.face_down)),
        markers=tuple(map(turned, reading.markers)),
    )
