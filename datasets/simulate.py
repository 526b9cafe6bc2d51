"""A photo reading made from a table's truth, with the faults that finding and reading have. No picture needed."""

from __future__ import annotations

from dataclasses import dataclass, replace
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


def without(seen: Simulated, tile: int) -> Simulated:
    """The same with the tile of that truth id not found."""
    kept = [place for place, number in enumerate(seen.truth_ids) if number != tile]
    reading = replace(seen.reading, tiles=tuple(seen.reading.tiles[place] for place in kept))
    return Simulated(reading, [seen.truth_ids[place] for place in kept], seen.misread - {tile})


LOSSES = ("tail", "tail_with_marker", "tail_double", "only_tile", "last_but_one", "first", "middle", "double")
"""Which tile of a train may be lost."""


def _is_that(which: str, place: int, count: int, double: bool, marked: bool) -> bool:
    """True if the tile at `place` of a train of `count` tiles is one that `which` (of `LOSSES`) means."""
    last = place == count - 1 > 0
    fits = {
        "tail": last and not double,
        "tail_with_marker": last and marked,
        "tail_double": last and double,
        "only_tile": count == 1,
        "last_but_one": place == count - 2 > 0,
        "first": place == 0 < count - 1,
        "middle": 0 < place < count - 2 and not double,
        "double": 0 < place < count - 1 and double,
    }
    return fits[which]


def lost_tile(rng: np.random.Generator, truth: dict[str, Any], which: str) -> int | None:
    """The truth id of some tile for `which` (of `LOSSES`, or `starting_double`), if the table has one.

    Tiles that limbs leave are spared.
    """
    if which == "starting_double":
        return next(int(tile["id"]) for tile in truth["tiles"] if tile["role"] == which)
    some = []
    for train in truth["trains"]:
        count, limbed = len(train["tile_ids"]), {limb["index"] for limb in train["limbs"]}
        for place, (number, (near, far)) in enumerate(zip(train["tile_ids"], train["tiles"], strict=True)):
            if place not in limbed and _is_that(which, place, count, near == far, train["marker"]):
                some.append(number)
    return int(rng.choice(some)) if some else None


def _turned(rng: np.random.Generator, corners: np.ndarray, ends: Any) -> tuple[np.ndarray, Any]:
    """A finder does not know which end is first."""
    if rng.random() < 0.5:
        return corners, ends
    return np.roll(corners, 2, axis=0), None if ends is None else ends[::-1]


def _misread(rng: np.random.Generator, ends: tuple[int, int], top: int, share: float) -> tuple[tuple[int, int], bool]:
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
