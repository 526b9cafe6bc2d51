"""Everything known about each place where something may lie, before it is decided what it is."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.detections import FACE_UP, KINDS
from vision.geometry import Array
from vision.halves import NO_VALUE, HalfReadings

Floats = npt.NDArray[np.float32]


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
    """Finder's and corner network's opinions on the kind, taken together; index into `KINDS`."""
    votes = found.kinds[:, : len(KINDS)].copy()
    votes[np.arange(len(found)), found.kind] += found.score
    return np.asarray(votes.argmax(1), np.int64)


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
    them, but not than both together, so after the strongest were chosen two may replace one.
    """
    shared = shared_areas(found.corners)
    clash = np.maximum(shared, shared.T) > most_shared
    kept: list[int] = []
    for index in np.argsort(-strength, kind="stable"):
        if not clash[index, kept].any():
            kept.append(int(index))
    kept = _two_for_one(kept, clash, strength)
    chosen = np.array(sorted(kept, key=lambda index: -strength[index]), np.int64)
    if len(chosen) == 0:
        return chosen, np.zeros(0, np.float32)
    return chosen, shared[np.ix_(chosen, chosen)].max(1)


def _two_for_one(kept: list[int], clash: npt.NDArray[np.bool_], strength: Floats) -> list[int]:
    """Replace a kept candidate by two that only it keeps out, where each is at least half as strong."""
    result = list(kept)
    for one in kept:
        others = np.array([index for index in result if index != one], np.int64)
        barred = [
            int(index)
            for index in np.flatnonzero(clash[one] & (strength > 0.5 * strength[one]))
            if index != one and not clash[index, others].any()
        ]
        pairs = [(strength[a] + strength[b], a, b) for a, b in itertools.combinations(barred, 2) if not clash[a, b]]
        best = max(pairs, default=(0.0, -1, -1))
        if strength[one] > 0 and best[0] > strength[one]:
            result.remove(one)
            result += [best[1], best[2]]
    return result
