"""A photo reading made from a table's truth, with the faults that finding and reading have. No picture needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.tiles import Doubt, PhotoReading, TileSighting


@dataclass(frozen=True, slots=True)
class Noise:
    """`jitter_px` moves corners (standard deviation), `wrong` halves are misread without a doubt, `missing` tiles lost.

    `dropped` markers are lost. `doubted` tells misread tiles as doubtful.
    """

    jitter_px: float = 1.0
    wrong: float = 0.0
    missing: float = 0.0
    dropped: float = 0.0
    doubted: bool = False


@dataclass(frozen=True, slots=True)
class Simulated:
    """The reading, and which truth id each of its face-up tiles has; `misread` are the truth ids read wrongly."""

    reading: PhotoReading
    truth_ids: list[int]
    misread: set[int]


def simulate(rng: np.random.Generator, truth: dict[str, Any], noise: Noise) -> Simulated:
    """What a reader with that noise would see of the table."""
    up, down, ids, misread = [], [], [], set()
    for tile in rng.permutation(np.array(truth["tiles"], object)):
        if rng.random() < noise.missing:
            continue
        corners = np.array(tile["corners_px"]) + rng.normal(0, noise.jitter_px, (4, 2))
        if tile["role"] == "face_down":
            down.append(_sighting("face_down", (None, None), _turned(rng, corners, None)[0]))
            continue
        ends, wrong = _misread(rng, tuple(tile["ends"]), truth["set"], noise.wrong)
        corners, ends = _turned(rng, corners, ends)
        doubts = (Doubt("half_unclear"),) if wrong and noise.doubted else ()
        up.append(_sighting("face_up", ends, corners, doubts))
        ids.append(tile["id"])
        if wrong:
            misread.add(tile["id"])
    markers = []
    for marker in truth["markers"]:
        if rng.random() >= noise.dropped:
            corners = np.array(marker["corners_px"]) + rng.normal(0, noise.jitter_px * 1.5, (4, 2))
            markers.append(_sighting("marker", (None, None), corners))
    width, height = truth["size_wh"]
    reading = PhotoReading(tuple(up), tuple(down), tuple(markers), (width, height), "simulated", {})
    return Simulated(reading, ids, misread)


def _turned(rng: np.random.Generator, corners: np.ndarray, ends: Any) -> tuple[np.ndarray, Any]:
    """A finder does not know which end is first."""
    if rng.random() < 0.5:
        return corners, ends
    return np.roll(corners, 2, axis=0), None if ends is None else ends[::-1]


def _misread(
    rng: np.random.Generator, ends: tuple[int, int], top: int, share: float
) -> tuple[tuple[int, int], bool]:
    read = tuple(int((e + rng.integers(1, top + 1)) % (top + 1)) if rng.random() < share else e for e in ends)
    return (read[0], read[1]), read != ends


def _sighting(kind: str, ends: Any, corners: np.ndarray, doubts: tuple[Doubt, ...] = ()) -> TileSighting:
    return TileSighting(
        kind,
        ends,
        corners.astype(np.float32),
        0.99,
        np.zeros((2, 19), np.float32),
        np.zeros((0, 2), np.float32),
        doubts,
    )
