"""Everything known about each place where something may lie, before it is decided what it is."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.detections import FACE_UP, KINDS
from vision.geometry import Array
from vision.halves import NO_VALUE, HalfReadings

Floats = npt.NDArray[np.float32]

_MAYBE_FACE_UP = 0.2
_SURELY_PIPS = 0.9
"""Backs are hardly ever read as a value above 0 as surely as this."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Parallel arrays: finder's `score` (n,), `kind` (n,) and `sides` (n, 2) px of its box, longer first; `corners`
    (n, 4, 2) px and `kinds` (n, 4) of the corner network, and what the reader says.
    """

    score: Floats
    kind: npt.NDArray[np.int64]
    sides: Floats
    corners: Array
    kinds: Floats
    readings: HalfReadings

    def __len__(self) -> int:
        return len(self.score)

    def __getitem__(self, index: npt.NDArray[np.int64]) -> Candidates:
        return Candidates(
            self.score[index],
            self.kind[index],
            self.sides[index],
            self.corners[index],
            self.kinds[index],
            self.readings[index],
        )

    def with_more(self, more: Candidates) -> Candidates:
        """These and `more`."""
        return Candidates(
            np.concatenate([self.score, more.score]),
            np.concatenate([self.kind, more.kind]),
            np.concatenate([self.sides, more.sides]),
            np.concatenate([self.corners, more.corners]),
            np.concatenate([self.kinds, more.kinds]),
            self.readings.with_more(more.readings),
        )


def evidence(found: Candidates) -> Floats:
    """How much speaks for a face-up tile at each place, as log-odds (n,).

    Three opinions that fail in different ways: the finder sees the whole picture small, the corner network
    the surroundings, the reader the face. And tiles of one photo are all of one size.
    """
    finder = np.where(found.kind == FACE_UP, found.score, 1 - found.score)
    valued = 1 - found.readings.probabilities[:, :, NO_VALUE]
    opinions = [(finder, 1.0), (found.kinds[:, FACE_UP], 0.8), (valued[:, 0], 0.45), (valued[:, 1], 0.45)]
    total = np.zeros(len(found), np.float32)
    for share, weight in opinions:
        share = np.clip(share, 0.002, 0.998)
        total += weight * np.log(share / (1 - share)).astype(np.float32)
    return np.asarray(total - odd_size(found.corners, total), np.float32)


def odd_size(corners: Array, strength: Floats, tolerance: float = 0.45) -> Floats:
    """What to take from each candidate's evidence (n,) because it is larger or smaller than the sure tiles.

    Perspective makes near tiles larger, so up to `tolerance` (in logarithms: a factor of 1.6) costs nothing.
    """
    lengths = np.log(np.maximum(geometry.tile_lengths(corners), 1.0))
    if len(strength) == 0 or strength.max() < 6.0:
        return np.zeros(len(corners), np.float32)
    sure = strength > 0.7 * strength.max()
    off = np.abs(lengths - np.median(lengths[sure])) - tolerance
    return np.asarray(np.clip(off, 0, 1) * 12, np.float32)


def likely_kind(found: Candidates) -> npt.NDArray[np.int64]:
    """Finder's and corner network's opinions on the kind, taken together; index into `KINDS`.

    What shows two values is face up, unless nothing else speaks for that, and so is what surely shows pips.
    """
    votes = found.kinds[:, : len(KINDS)].copy()
    votes[np.arange(len(found)), found.kind] += found.score
    valued = 1 - found.readings.probabilities[:, :, NO_VALUE].max(1)
    votes[:, FACE_UP] += np.where(found.kinds[:, FACE_UP] > _MAYBE_FACE_UP, 2 * valued, 0.0)
    votes[:, FACE_UP] += np.where(shows_pips(found), 2.0, 0.0)
    return np.asarray(votes.argmax(1), np.int64)


def shows_pips(found: Candidates) -> npt.NDArray[np.bool_]:
    """Which places (n,) surely show a value that is no blank on one half at least."""
    return np.asarray(found.readings.probabilities[:, :, 1:NO_VALUE].max((1, 2)) > _SURELY_PIPS, np.bool_)


def shared_areas(corners: Array) -> Floats:
    """Share (n, n) of each quad's area (row) that lies under the other (column)."""
    count = len(corners)
    shared = np.zeros((count, count), np.float32)
    areas = [abs(cv2.contourArea(quad)) + 1e-6 for quad in corners]
    low, high = corners.min(1), corners.max(1)
    for i in range(count):
        near = (low[i] < high[i + 1 :]).all(1) & (high[i] > low[i + 1 :]).all(1)
        for j in np.flatnonzero(near) + i + 1:
            common, _ = cv2.intersectConvexConvex(corners[i], corners[j])
            shared[i, j], shared[j, i] = common / areas[i], common / areas[j]
    return shared


def distinct(found: Candidates, strength: Floats, most_shared: float) -> tuple[npt.NDArray[np.int64], Floats]:
    """Indices to keep, strongest first, and for each the largest share of it that another kept one covers.

    Of candidates that share more than `most_shared` of either area, one can stay: they are the same tile found
    twice, or a place between two tiles that touch. A place between two tiles can look better than either of
    them, but not than both together, so those are kept that together are the strongest.
    """
    shared = shared_areas(found.corners)
    beyond_doubt = strength > _BEYOND_DOUBT
    lenient = beyond_doubt[:, None] & beyond_doubt[None]
    clash = np.maximum(shared, shared.T) > np.where(lenient, _LENIENT, most_shared)
    kept: list[int] = []
    for index in np.argsort(-strength, kind="stable"):
        if not clash[index, kept].any():
            kept.append(int(index))
    kept = _strongest_together(kept, clash, strength)
    chosen = np.array(sorted(kept, key=lambda index: -strength[index]), np.int64)
    if len(chosen) == 0:
        return chosen, np.zeros(0, np.float32)
    return chosen, shared[np.ix_(chosen, chosen)].max(1)


_BEYOND_DOUBT, _LENIENT = 7.0, 0.4
"""Two that are as strong as this are both there, where corners that are a little off make them share this much; what
lies across two tiles shares half of each."""
_COUNTS, _STRONG_COUNT_MORE = 4.0, 1.3
"""What is weaker than this displaces nothing."""
_MOST_AT_ONCE = 24


def _strongest_together(kept: list[int], clash: npt.NDArray[np.bool_], strength: Floats) -> list[int]:
    """The kept candidates; where several that bar each other are strong, those that are the strongest together.

    Each candidate counts by what it has beyond `_COUNTS`, strong ones more than in proportion, so that two weak ones
    do not displace a strong one.
    """
    worth = np.maximum(strength - _COUNTS, 0.0) ** _STRONG_COUNT_MORE
    strong = np.flatnonzero(worth > 0)
    result = set(kept)
    for group in _groups(strong, clash):
        if len(group) < 3 or len(group) > _MOST_AT_ONCE:
            continue
        best = _best_set(group, clash, worth)
        now = [index for index in group if index in result]
        if worth[best].sum() > worth[now].sum() + 1e-6:
            result.difference_update(now)
            result.difference_update([index for index in result if clash[index, best].any()])
            result.update(best)
    return list(result)


def _groups(members: npt.NDArray[np.int64], clash: npt.NDArray[np.bool_]) -> list[list[int]]:
    """`members` (m,) that clash with each other, directly or through others, together."""
    left, groups = set(members.tolist()), []
    while left:
        todo, group = [left.pop()], []
        while todo:
            one = todo.pop()
            group.append(one)
            near = [other for other in left if clash[one, other]]
            left.difference_update(near)
            todo += near
        groups.append(group)
    return groups


def _best_set(group: list[int], clash: npt.NDArray[np.bool_], worth: Floats) -> list[int]:
    """Those of a group, no two of which clash, that are worth most together."""
    if not group:
        return []
    # Where nothing clashes there is nothing to choose; else with the one that clashes most, or without it.
    count = clash[np.ix_(group, group)].sum(1)
    if count.max() == 0:
        return group
    one = group[int(count.argmax())]
    rest = [index for index in group if index != one]
    without = _best_set(rest, clash, worth)
    having = [one, *_best_set([index for index in rest if not clash[one, index]], clash, worth)]
    return having if worth[having].sum() > worth[without].sum() else without
