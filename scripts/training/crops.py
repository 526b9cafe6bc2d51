"""Crops of made tiles for the two small networks: where exactly are the corners, and what do the halves say."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch

from datasets.grounds import GroundBank
from datasets.scene import Scene, SceneSpec, Truth, make_scene
from datasets.stored import draw_stored
from datasets.tables import TableSpec, paint_table
from scripts.training.draws import draws
from scripts.training.loop import Batch
from vision import geometry
from vision.halves import RENDITIONS

NOTHING = 19
"""The class of a half on which no value can be read."""
IGNORE = -100
HEAT_WH = (18, 16)
"""Pip map of a half: 72 x 64 px at a quarter."""
HALF_WH = (72, 64)

TABLES = 0.25
"""Share of whole games among the pictures."""
STORED = 0.22
"""Share of stored pictures, where there are some."""
RENDERED = 0.35
"""Share of the tiles that are shown in other colours, as the second looks at unclear ones do."""

# Large sets come far more often than in homes: a value of 17 lies on few tiles of them and on none of the others.
SETS = (0.07, 0.06, 0.27, 0.2, 0.4)
"""Chances of the sizes of sets in pictures of anything, as in `datasets.makers.SETS`."""
TABLE_SETS = (0.05, 0.4, 0.2, 0.35)
"""Chances of games with 9, 12, 15 and 18 as the highest value."""

KINDS = ("face_up", "face_down", "marker", "nothing")

Sample = dict[str, np.ndarray]


def _jittered(rng: np.random.Generator, corners: np.ndarray, share: float) -> np.ndarray:
    """Corners moved together and each on its own, by about `share` of the tile's length."""
    length = float(np.linalg.norm(corners[2] - corners[1]))
    moved = corners + rng.normal(0, share * length, (1, 2)) + rng.normal(0, share * 0.6 * length, (4, 2))
    return moved.astype(np.float32)


def _turned(
    rng: np.random.Generator, corners: np.ndarray, labels: tuple[int, ...]
) -> tuple[np.ndarray, tuple[int, ...], bool]:
    """Either way round, as a finder would give it; and whether it was swapped."""
    if rng.random() < 0.5:
        return np.roll(corners, 2, axis=0), labels[::-1], True
    return corners, labels, False


def _half_label(value: int, visible: float) -> int:
    if visible >= 0.8:
        return value
    return NOTHING if visible < 0.5 else IGNORE


def _heat(points: np.ndarray, matrix: np.ndarray, flip: bool, sigma: float = 0.55) -> np.ndarray:
    """Map (16, 18) float32 with a peak of 1 at each of `points` (n, 2) px of the picture."""
    heat = np.zeros(HEAT_WH[::-1], np.float32)
    places = geometry.map_points(points, matrix)
    if flip:
        places = np.array(geometry.TILE_CROP_WH, np.float32) - places
    x, y = np.arange(HEAT_WH[0]) + 0.5, np.arange(HEAT_WH[1]) + 0.5
    for px, py in places / 4:
        spot = np.exp(-((x[None] - px) ** 2 + (y[:, None] - py) ** 2) / (2 * sigma**2))
        np.maximum(heat, spot, out=heat)
    return heat


def _marker_heat(markers: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Maps (2, 16, 18) with a peak at the middle of each marker (n, 2) px that stands on the tile."""
    heat = np.zeros((2, *HEAT_WH[::-1]), np.float32)
    on_it = [p for p in markers if cv2.pointPolygonTest(corners, (float(p[0]), float(p[1])), False) >= 0]
    if on_it:
        matrix = geometry.crop_transform(corners, geometry.TILE_TARGET)
        for index in range(2):
            heat[index] = _heat(np.array(on_it, np.float32), matrix, flip=index == 1, sigma=1.1)
    return heat


def _rendered(rng: np.random.Generator, crop: np.ndarray) -> np.ndarray:
    """The crop as it is, or in one of the renditions in which unclear tiles are looked at."""
    if rng.random() > RENDERED:
        return crop
    rendition = RENDITIONS[int(rng.integers(len(RENDITIONS)))]
    return np.asarray(rendition(crop[None])[0])


def _read_sample(rng: np.random.Generator, picture: geometry.Pyramid, truth: Truth, markers: np.ndarray) -> Sample:
    """One rectified crop with labels and maps of both halves; `markers` (n, 2) px are the middles of all markers."""
    labels = tuple(
        _half_label(value, seen) if truth.kind == 0 else NOTHING
        for value, seen in zip(truth.ends, truth.halves_visible, strict=True)
    )
    corners, labels, swapped = _turned(rng, truth.corners_px, labels)
    corners = _jittered(rng, corners, 0.014)
    crop = geometry.cut_crops(picture, corners[None], geometry.TILE_TARGET, geometry.TILE_CROP_WH)[0]
    heat, counted = np.zeros((2, *HEAT_WH[::-1]), np.float32), np.zeros(2, np.float32)
    if truth.pips_px is not None:
        matrix = geometry.crop_transform(corners, geometry.TILE_TARGET)
        pips = truth.pips_px[::-1] if swapped else truth.pips_px
        for index in range(2):
            if 0 <= labels[index] < NOTHING:
                heat[index], counted[index] = _heat(pips[index], matrix, flip=index == 1), 1.0
    return {
        "tile": _rendered(rng, crop),
        "value": np.array(labels, np.int64),
        "heat": heat,
        "counted": counted,
        "marked": _marker_heat(markers, corners),
    }


def _anywhere(rng: np.random.Generator, scene: Scene) -> np.ndarray:
    """A tile-shaped quad at any place and of any size: table, clutter, hands."""
    height, width = scene.image.shape[:2]
    length = math.exp(rng.uniform(math.log(18), math.log(260)))
    x, y = rng.uniform(0, 1, 2) * [width, height]
    box = np.array([[x, y, length, length / 2, rng.uniform(0, 2 * math.pi)]], np.float32)
    return geometry.box_corners(box)[0]


def _wrong_place(rng: np.random.Generator, truth: Truth) -> np.ndarray:
    """A quad that is no tile: half a length along, or across, or anywhere near, or turned by 90 degrees."""
    corners = truth.corners_px
    along, across = corners[2] - corners[1], corners[0] - corners[1]
    way = rng.random()
    if way < 0.35:
        return corners + along * rng.choice([-0.5, 0.5]) + rng.normal(0, 1, 2)
    if way < 0.6:
        return corners + across * rng.choice([-0.5, 0.5])
    if way < 0.8:
        centre = corners.mean(0)
        turned = (corners - centre) @ np.array([[0, 1], [-1, 0]])
        return centre + turned
    return corners + along * rng.uniform(-2, 2) + across * rng.uniform(-3, 3)


def _overlap(a: np.ndarray, b: np.ndarray) -> float:
    """Intersection over union of two convex quads."""
    shared, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    return float(shared) / (
        abs(cv2.contourArea(a.astype(np.float32))) + abs(cv2.contourArea(b.astype(np.float32))) - shared + 1e-6
    )


def _negative_read(rng: np.random.Generator, scene: Scene, picture: geometry.Pyramid, truth: Truth) -> Sample | None:
    corners = (_wrong_place(rng, truth) if rng.random() < 0.6 else _anywhere(rng, scene)).astype(np.float32)
    if any(_overlap(corners, other.corners_px) > 0.55 for other in scene.truths):
        return None
    crop = geometry.cut_crops(picture, corners[None], geometry.TILE_TARGET, geometry.TILE_CROP_WH)[0]
    nothing = np.full(2, NOTHING, np.int64)
    return {
        "tile": _rendered(rng, crop),
        "value": nothing,
        "heat": np.zeros((2, *HEAT_WH[::-1]), np.float32),
        "counted": np.zeros(2, np.float32),
        "marked": np.zeros((2, *HEAT_WH[::-1]), np.float32),
    }


def _search_sample(
    rng: np.random.Generator, scene: Scene, picture: geometry.Pyramid, truth: Truth | None
) -> Sample | None:
    """A crop round a box as a finder gives it, with the offsets of the true corners in crop px."""
    if truth is None and scene.printed and rng.random() < 0.7:
        box = geometry.corners_box(scene.printed[int(rng.integers(len(scene.printed)))])
    elif truth is None:
        any_truth = scene.truths[int(rng.integers(len(scene.truths)))]
        wrong = _wrong_place(rng, any_truth) if rng.random() < 0.4 else _anywhere(rng, scene)
        box = geometry.corners_box(wrong.astype(np.float32))
    else:
        box = geometry.corners_box(truth.corners_px)
    box = box + np.concatenate(
        [rng.normal(0, 0.035, 2) * box[0, 2], [0, 0, rng.normal(0, 0.05 if rng.random() < 0.8 else 0.2)]]
    ).astype(np.float32)
    box[:, 2:4] *= np.exp(rng.normal(0, 0.05, 2))
    if rng.random() < 0.5:
        box[:, 4] += np.pi
    quad = geometry.box_corners(geometry.tile_proportioned(box))[0]
    crop = geometry.cut_crops(picture, quad[None], geometry.SEARCH_TARGET, geometry.SEARCH_CROP_WH)[0]
    kind, offsets, weight = KINDS.index("nothing"), np.zeros((4, 2), np.float32), 0.0
    for other in scene.truths:
        overlap = _overlap(geometry.box_corners(box)[0], other.corners_px)
        if overlap > 0.6 and other.visible > 0.33:
            kind = other.kind
            matrix = geometry.crop_transform(quad, geometry.SEARCH_TARGET)
            found = geometry.map_points(other.corners_px, matrix)
            if np.linalg.norm(found[0] - geometry.SEARCH_TARGET[0]) > np.linalg.norm(
                found[2] - geometry.SEARCH_TARGET[0]
            ):
                found = np.roll(found, 2, axis=0)
            offsets, weight = found - geometry.SEARCH_TARGET, float(kind < 2)
        elif overlap > 0.3 and kind == KINDS.index("nothing"):
            kind = IGNORE
    return {"search": crop, "offset": offsets, "kind": np.int64(kind), "placed": np.float32(weight)}


class CropPictures(torch.utils.data.IterableDataset):  # type: ignore[type-arg]
    """Endless groups of `reads` and `searches` crops, by (seed, worker, number); without `searches` of reads alone.

    Some are of the pictures in the folder `stored`, if it is given (`datasets.stored`).
    """

    def __init__(self, seed: int, reads: int, searches: int, stored: Path | None = None, side: int = 448) -> None:
        self.seed, self.reads, self.searches, self.side = seed, reads, searches, side
        self.stored = stored

    def __iter__(self) -> Iterator[Batch]:
        reads: list[Sample] = []
        searches: list[Sample] = []
        for rng, bank in draws(self.seed):
            _collect(rng, self._scene(rng, bank), reads, searches if self.searches else None)
            while len(reads) >= self.reads and len(searches) >= self.searches:
                yield _grouped(reads[: self.reads], searches[: self.searches])
                # What is left of the more plentiful sort would only pile up.
                reads, searches = reads[self.reads :][: self.reads], searches[self.searches :][: self.searches]

    def _scene(self, rng: np.random.Generator, bank: GroundBank) -> Scene:
        if self.stored and rng.random() < STORED:
            return draw_stored(rng, self.stored, self.side * 3 // 2)
        if rng.random() < TABLES:
            size = (self.side * 5 // 2, self.side * 3 // 2)
            highest = int(rng.choice([9, 12, 15, 18], p=TABLE_SETS))
            return paint_table(rng, bank, TableSpec(size=size, tile_px=(34.0, 70.0), set_size=highest))[1]
        # Digits take longer to learn than dots, so they come more often than they do on tables.
        # The glare of wrapped tiles takes longer to learn than plain ones, too.
        spec = SceneSpec(
            size=(self.side, self.side), tile_px=(28.0, 330.0), most_tiles=50, numerals=0.42, sets=SETS, film=0.36
        )
        return make_scene(rng, bank, spec)


def _collect(rng: np.random.Generator, scene: Scene, reads: list[Sample], searches: list[Sample] | None) -> None:
    truths = [truth for truth in scene.truths if truth.visible > 0.2]
    picture = geometry.Pyramid(scene.image)
    for _ in range(min(3, len(scene.printed)) if truths and searches is not None else 0):
        sample = _search_sample(rng, scene, picture, None)
        if sample and searches is not None:
            searches.append(sample)
    rng.shuffle(truths)  # type: ignore[arg-type]
    markers = np.array([t.corners_px.mean(0) for t in truths if t.kind == KINDS.index("marker")]).reshape(-1, 2)
    for truth in truths[:40]:
        if truth.kind == 0 or rng.random() < 0.15:
            reads.append(_read_sample(rng, picture, truth, markers))
        if rng.random() < 0.10 and (wrong := _negative_read(rng, scene, picture, truth)):
            reads.append(wrong)
        if searches is not None and rng.random() < 0.4:
            sample = _search_sample(rng, scene, picture, None if rng.random() < 0.27 else truth)
            if sample:
                searches.append(sample)


def _grouped(reads: list[Sample], searches: list[Sample]) -> Batch:
    return {
        key: torch.from_numpy(np.stack([sample[key] for sample in group]))
        for group in (reads, searches)
        if group
        for key in group[0]
    }


def batches(seed: int, reads: int, searches: int, workers: int, stored: Path | None = None) -> Iterator[Batch]:
    """Endless batches made by `workers` processes."""
    pictures = CropPictures(seed, reads, searches, stored)
    loader = torch.utils.data.DataLoader(
        pictures, batch_size=None, num_workers=workers, prefetch_factor=6 if workers else None
    )
    return iter(loader)
