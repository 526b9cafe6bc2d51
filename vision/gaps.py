"""Where a row of tiles has a hole as large as a tile: a place to look at again, because a missed tile is silent.

Boxes are (n, 5): cx, cy, length, width in px, angle in radians clockwise. Nothing here looks at the picture.
"""

from __future__ import annotations

import math

import numpy as np

from vision.detections import FACE_UP, Detections, Floats, overlap

PROPOSED_SCORE = 0.3
"""What a place is given that the finder did not name: it has to convince the corner network and the reader."""

_SURE = 0.5
_TURN = math.radians(8)
_MOST = 40


def with_gaps(found: Detections) -> Detections:
    """The detections, and a box in each hole between two alike tiles that lie in one row or one column."""
    proposed = _free(_between(found.boxes[(found.score > _SURE) & (found.kind == FACE_UP)]), found)[:_MOST]
    if len(proposed) == 0:
        return found
    kinds = np.full(len(proposed), FACE_UP, np.int64)
    return Detections.merge([found, Detections(proposed, kinds, np.full(len(proposed), PROPOSED_SCORE, np.float32))])


def _between(boxes: Floats) -> Floats:
    """Boxes (m, 5) half-way between two of `boxes` that are two tiles apart, side by side or end to end."""
    if len(boxes) < 2:
        return np.zeros((0, 5), np.float32)
    first, second = (index.ravel() for index in np.triu_indices(len(boxes), 1))
    a, b = boxes[first], boxes[second]
    turn = (b[:, 4] - a[:, 4] + math.pi / 2) % math.pi - math.pi / 2
    alike = (np.abs(turn) < _TURN) & (np.abs(np.log(a[:, 2] / b[:, 2])) < 0.15)
    cos, sin = np.cos(a[:, 4]), np.sin(a[:, 4])
    dx, dy = b[:, 0] - a[:, 0], b[:, 1] - a[:, 1]
    length, width = (a[:, 2] + b[:, 2]) / 2, (a[:, 3] + b[:, 3]) / 2
    along, across = np.abs(dx * cos + dy * sin), np.abs(dy * cos - dx * sin)
    beside = (along < 0.15 * length) & (across > 1.85 * width) & (across < 2.3 * width)
    behind = (across < 0.2 * width) & (along > 1.9 * length) & (along < 2.2 * length)
    pick = alike & (beside | behind)
    middle = (a + b) / 2
    middle[:, 4] = a[:, 4] + turn / 2
    return np.asarray(middle[pick], np.float32)


def _free(proposed: Floats, found: Detections) -> Floats:
    """Those that nothing found lies on, and each place once."""
    if len(proposed) == 0:
        return proposed
    empty = overlap(proposed, found.boxes[found.score > 0.2]).max(1, initial=0.0) < 0.35
    proposed = proposed[empty]
    alike = overlap(proposed, proposed) > 0.5
    once = [index for index in range(len(proposed)) if not alike[index, :index].any()]
    return proposed[once]
