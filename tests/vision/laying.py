"""Tiles laid by hand for the tests: places in tile lengths, seen from straight above."""

from __future__ import annotations

import numpy as np

from vision.tiles import Doubt, PhotoReading, TileSighting

Ends = tuple[int | None, int | None]
Laid = tuple[float, float, float, Ends]
"""x, y of the centre; degrees clockwise of the direction from the first end to the second; the ends."""

LENGTH_PX, WIDTH = 60.0, 0.5


def laid(
    *tiles: Laid, doubts: dict[int, Doubt] | None = None, markers: tuple[tuple[float, float], ...] = ()
) -> PhotoReading:
    """What a reader sees of these tiles and of markers at these places."""
    seen = [_sighting(tile, (doubts or {}).get(number)) for number, tile in enumerate(tiles)]
    marks = [_marker(x, y) for x, y in markers]
    return PhotoReading(tuple(seen), (), tuple(marks), (1200, 900), "laid", {})


def row(*ends: Ends, gap: float = 0.0, doubts: dict[int, Doubt] | None = None) -> PhotoReading:
    """Tiles lying end to end, first end left."""
    return laid(*((number * (1 + gap), 0.0, 0.0, pair) for number, pair in enumerate(ends)), doubts=doubts)


def _sighting(tile: Laid, doubt: Doubt | None) -> TileSighting:
    x, y, degrees, ends = tile
    return TileSighting(
        "face_up",
        ends,
        _corners(x, y, degrees, 1.0, WIDTH),
        0.99,
        np.zeros((2, 19), np.float32),
        np.zeros((0, 2), np.float32),
        () if doubt is None else (doubt,),
    )


def _marker(x: float, y: float) -> TileSighting:
    corners = _corners(x, y, 0.0, 0.3, 0.3)
    return TileSighting(
        "marker", (None, None), corners, 0.98, np.zeros((2, 19), np.float32), np.zeros((0, 2), np.float32)
    )


def _corners(x: float, y: float, degrees: float, length: float, width: float) -> np.ndarray:
    turn = np.radians(degrees)
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    signs = ((-1, 1), (-1, -1), (1, -1), (1, 1))
    places = [np.array([x, y]) + along * u * length / 2 + across * v * width / 2 for u, v in signs]
    return (np.array(places) * LENGTH_PX + [600, 450]).astype(np.float32)
