"""Things that changed and were not read: what may be a marker, and what is only the edge of a new tile."""

from __future__ import annotations

import numpy as np

from vision.spots import away_from
from vision.tiles import Points

TILE = np.array([[100, 100], [130, 100], [130, 160], [100, 160]], np.float32)


def spot(x: float, y: float) -> Points:
    return np.array([[x - 5, y - 5], [x + 5, y - 5], [x + 5, y + 5], [x - 5, y + 5]], np.float32)


def test_the_edge_of_a_new_tile_is_no_marker() -> None:
    beside, inside, far = spot(145, 130), spot(115, 150), spot(115, 205)
    left = away_from([beside, inside, far], [TILE], 60.0)
    assert [float(one.mean()) for one in left] == [float(far.mean())]


def test_where_no_tile_is_new_everything_stays() -> None:
    assert len(away_from([spot(145, 130)], [], 60.0)) == 1
