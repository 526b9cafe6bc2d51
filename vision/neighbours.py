"""Places next to tiles that are sure, where another tile may lie: in play tiles lie against each other.

In a long line of touching tiles a finder that sees the picture small loses count of where one ends and the next
begins. A tile that is sure knows where its neighbours must lie, and what they are made of.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision import candidates as cand
from vision.bodies import colours_at
from vision.candidates import Candidates
from vision.detections import Floats, overlap
from vision.geometry import Pyramid, box_corners, corners_box

PROPOSED_SCORE = 0.5
"""What stands for the finder's opinion of a place that it did not name: neither for nor against."""

_SURE_EVIDENCE = 7.0
_READ_EVIDENCE = 7.0
_SETTLED_EVIDENCE = 12.0
_CONTESTED = 0.3
_ALIKE = 0.5
_COVERED = 0.3
_ALIKE_COLOURS = 28.0
_LEAST_ALIKE = 0.4
"""A place is table where less of it has a colour that the tile beside it has too; in levels of 255."""
_AT_END = 0.6
_CROSSWISE = 0.75
"""From the middle of a tile to the middle of one that touches its end crosswise, in tile lengths."""

_ABREAST = 0.505
"""The same of one whose long side touches its own; what is shifted along it is near enough."""
_CORNERS = ((0.25, -0.75), (0.25, 0.75))
"""The same where the line turns and the end lies against the side of the last half. Where a half's side lies against
the last end, what is proposed crosswise is near enough."""


def sure_tiles(found: Candidates, most_shared: float) -> npt.NDArray[np.int64]:
    """Indices of the candidates beyond doubt, none of which lies on another by more than `most_shared`."""
    strength = cand.evidence(found)
    chosen, _ = cand.distinct(found, strength, most_shared)
    return chosen[strength[chosen] > _SURE_EVIDENCE]


def places_beside(found: Candidates, sure: npt.NDArray[np.int64], size_wh: tuple[int, int]) -> Floats:
    """Boxes (n, 5) px beside the candidates `sure` where no tile was read so far.

    In line with each, and crosswise at its ends; beside a double, which lies crosswise itself, across it. Beside one
    that nothing meets at its ends, abreast: tiles of a hand lie like that.
    """
    if len(sure) == 0:
        return np.zeros((0, 5), np.float32)
    boxes = corners_box(found.corners[sure])
    ends = found.readings.probabilities[sure, :, :-1].argmax(-1)
    double = ends[:, 0] == ends[:, 1]
    places = [_moved(boxes, side, 0.0) for side in (-1.0, 1.0)]
    places += [_moved(boxes, side * _CROSSWISE, np.pi / 2) for side in (-1.0, 1.0)]
    places += [_moved_across(boxes[double], side * _CROSSWISE) for side in (-1.0, 1.0)]
    met = {side: _met(found, boxes, side) for side in (-1.0, 1.0)}
    for side in (-1.0, 1.0):
        open_ended = boxes[~double & ~met[side]]
        places += [_round_corner(open_ended, side * along, across) for along, across in _CORNERS]
    alone = boxes[~met[-1.0] & ~met[1.0]]
    places += [_abreast(alone, side * _ABREAST) for side in (-1.0, 1.0)]
    proposed = np.concatenate(places)
    inside = ((proposed[:, :2] > 0) & (proposed[:, :2] < size_wh)).all(1)
    return _new(proposed[inside], found)


def _met(found: Candidates, boxes: Floats, side: float) -> npt.NDArray[np.bool_]:
    """Whether another tile that was read surely lies at that end of each of the boxes (n, 5), not beside it."""
    settled = found.corners[cand.evidence(found) > _SETTLED_EVIDENCE].mean(1)
    length, outward = boxes[:, None, 2], side * np.stack([np.cos(boxes[:, 4]), np.sin(boxes[:, 4])], axis=1)
    off = (settled[None] - boxes[:, None, :2]) / length[..., None]
    away = np.linalg.norm(off - outward[:, None] / 2, axis=2)
    ahead = (off * outward[:, None]).sum(2) > 0.5
    return np.asarray(((away < _AT_END) & ahead).any(1))


def _round_corner(boxes: Floats, along: float, across: float) -> Floats:
    """The boxes (n, 5), moved by shares of their length and turned by a quarter: a line turns at a half's side."""
    turned = boxes.copy()
    turned[:, 0] += boxes[:, 2] * (along * np.cos(boxes[:, 4]) - across * np.sin(boxes[:, 4]))
    turned[:, 1] += boxes[:, 2] * (along * np.sin(boxes[:, 4]) + across * np.cos(boxes[:, 4]))
    turned[:, 4] += np.pi / 2
    return turned


def _moved(boxes: Floats, share: float, turn: float) -> Floats:
    """The boxes (n, 5), moved along themselves by `share` of their length and turned by `turn` radians."""
    moved = boxes.copy()
    moved[:, 0] += share * boxes[:, 2] * np.cos(boxes[:, 4])
    moved[:, 1] += share * boxes[:, 2] * np.sin(boxes[:, 4])
    moved[:, 4] += turn
    return moved


def _abreast(boxes: Floats, share: float) -> Floats:
    """The boxes (n, 5), moved across themselves by `share` of their length."""
    return _moved(_moved_across(boxes, share), 0.0, -np.pi / 2)


def _moved_across(boxes: Floats, share: float) -> Floats:
    """The boxes (n, 5), moved across themselves by `share` of their length and turned to lie that way."""
    turned = boxes.copy()
    turned[:, 4] += np.pi / 2
    return _moved(turned, share, 0.0)


def _new(proposed: Floats, found: Candidates) -> Floats:
    """Those places where no tile was read, that no settled tile lies on, each once."""
    if len(proposed) == 0:
        return proposed
    strength, boxes = cand.evidence(found), corners_box(found.corners)
    # What the finder put there may be a little off, and read as nothing for that: only what was read bars a place,
    # and of two that lie on each other one does not lie there.
    read = strength > _READ_EVIDENCE
    shared = cand.shared_areas(found.corners[read])
    contested = np.zeros(len(found), np.bool_)
    contested[read] = shared.max(1, initial=0.0) > _CONTESTED
    known, settled = boxes[read], boxes[(strength > _SETTLED_EVIDENCE) & ~contested]
    kept = overlap(proposed, known).max(1, initial=0.0) < _ALIKE
    kept &= overlap(proposed, settled).max(1, initial=0.0) < _COVERED
    proposed = proposed[kept]
    alike = overlap(proposed, proposed) > _ALIKE
    return proposed[[index for index in range(len(proposed)) if not alike[index, :index].any()]]


def of_like_stuff(
    picture: Pyramid, boxes: Floats, found: Candidates, sure: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """Whether each of the places (n, 5) px shows mostly colours of the sure tile nearest to it.

    Most places beside tiles are bare table; to see that takes no network.
    """
    if len(boxes) == 0:
        return np.zeros(0, np.bool_)
    tiles = found.corners[sure]
    away = np.linalg.norm(boxes[:, None, :2] - tiles.mean(1)[None], axis=2)
    own, there = colours_at(picture, tiles)[away.argmin(1)], colours_at(picture, box_corners(boxes))
    apart = np.linalg.norm(there[:, :, None] - own[:, None], axis=3).min(2)
    return np.asarray((apart < _ALIKE_COLOURS).mean(1) > _LEAST_ALIKE)
