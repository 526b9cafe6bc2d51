"""Looks at places where markers may stand, and the network that finds them there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from datasets.grounds import GroundBank
from datasets.layouts import FACE_DOWN, FACE_UP, MARKER
from datasets.scene import Scene, SceneSpec, make_scene
from datasets.stored import draw_stored
from datasets.tables import TableSpec, View, paint_table
from scripts.training.draws import draws
from scripts.training.layers import Residual, conv, images, widened
from scripts.training.loop import Batch
from vision import geometry
from vision.tails import CELL_PX, CHANNELS, MAP_WH, TARGET, cut_looks, open_sides, places_round

TABLES = 0.75
"""Share of whole games among the pictures."""
STORED = 0.5
"""Share of stored pictures, where there are some."""
PALE = 0.3
"""Share of the markers that hardly stand out, as few on tables do: the others are soon learnt."""
LEAST_VISIBLE = 0.4
_SIGMA = 1.1
_SIDES, _SLOTS, _ELSEWHERE = 12, 3, 4
"""Looks of each picture: before open sides, at slots of the hub, and anywhere near tiles."""

_BEND = nn.ReLU
"""The runtime folds it into the convolutions."""

Sample = dict[str, np.ndarray]


def _slots(view: View) -> np.ndarray:
    """Where trains that have not started would have their markers, (n, 2) px."""
    hub = view.game.hub
    angles = np.array(hub.slots)
    points = np.stack([hub.x + hub.radius * np.cos(angles), hub.y + hub.radius * np.sin(angles)], 1)
    return view.camera.project(np.hstack([points, np.zeros((len(points), 1))])).astype(np.float32)


def looks_at(rng: np.random.Generator, scene: Scene, slots: np.ndarray) -> np.ndarray:
    """Boxes (n, 5) px of the looks that playing would take of a picture, and some that it would not."""
    tiles = [truth for truth in scene.truths if truth.kind in (FACE_UP, FACE_DOWN) and truth.visible > 0.3]
    if not tiles:
        return np.zeros((0, 5), np.float32)
    corners = np.array([truth.corners_px for truth in tiles], np.float32)
    up = np.array([truth.kind == FACE_UP for truth in tiles])
    double = np.array([truth.ends[0] == truth.ends[1] or rng.random() < 0.05 for truth in tiles])
    sides = open_sides(corners[up], double[up]) if up.any() else np.zeros((0, 5), np.float32)
    sides = sides[rng.permutation(len(sides))[:_SIDES]]
    markers = np.array([t.corners_px.mean(0) for t in scene.truths if t.kind == MARKER], np.float32).reshape(-1, 2)
    near = corners[rng.integers(len(corners), size=_ELSEWHERE)].mean(1)
    near = near + rng.normal(0, 1.2, near.shape) * float(np.median(geometry.tile_lengths(corners)))
    some = slots[rng.permutation(len(slots))[:_SLOTS]]
    spots = np.concatenate([markers, near, some]).astype(np.float32)
    boxes = np.concatenate([sides, places_round(spots, corners)])
    length = boxes[:, 2:3]
    boxes[:, :2] += rng.normal(0, 0.06, (len(boxes), 2)) * length
    boxes[len(sides) :, :2] += rng.normal(0, 0.2, (len(boxes) - len(sides), 2)) * length[len(sides) :]
    boxes[:, 2:4] *= np.exp(rng.normal(0, 0.06, (len(boxes), 1)))
    boxes[:, 4] += rng.normal(0, 0.05, len(boxes)) + np.pi * (rng.random(len(boxes)) < 0.05)
    return boxes.astype(np.float32)


def _heat(scene: Scene, matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Map (16, 24) with a peak of 1 at each marker's middle, and the weight of its cells: 0 at half-hidden ones."""
    heat, weight = np.zeros(MAP_WH[::-1], np.float32), np.ones(MAP_WH[::-1], np.float32)
    x, y = np.arange(MAP_WH[0]) + 0.5, np.arange(MAP_WH[1]) + 0.5
    for truth in scene.truths:
        if truth.kind != MARKER:
            continue
        px, py = geometry.map_points(truth.corners_px.mean(0)[None], matrix)[0] / CELL_PX
        away = (x[None] - px) ** 2 + (y[:, None] - py) ** 2
        if truth.visible < LEAST_VISIBLE:
            weight[away < 9] = 0
        else:
            np.maximum(heat, np.exp(-away / (2 * _SIGMA**2)), out=heat)
    return heat, weight


class Looks(torch.utils.data.IterableDataset):  # type: ignore[type-arg]
    """Endless groups of `size` looks, by (seed, worker, number); some at the pictures in the folder `stored`."""

    def __init__(self, seed: int, size: int, stored: Path | None = None) -> None:
        self.seed, self.size, self.stored = seed, size, stored

    def __iter__(self) -> Iterator[Batch]:
        ready: list[Sample] = []
        for rng, bank in draws(self.seed):
            scene, slots = _picture(rng, bank, self.stored)
            ready += samples(rng, scene, slots)
            # Looks of one picture are alike: they are spread over several batches.
            while len(ready) >= 4 * self.size:
                rng.shuffle(ready)  # type: ignore[arg-type]
                group, ready = ready[: self.size], ready[self.size :]
                yield {key: torch.from_numpy(np.stack([sample[key] for sample in group])) for key in group[0]}


def _picture(rng: np.random.Generator, bank: GroundBank, stored: Path | None) -> tuple[Scene, np.ndarray]:
    if stored and rng.random() < STORED:
        return draw_stored(rng, stored, 672), np.zeros((0, 2), np.float32)
    if rng.random() < TABLES:
        spec = TableSpec(size=(1120, 672), tile_px=(26.0, 72.0), laid=(8, 40), pale_markers=PALE)
        view, scene = paint_table(rng, bank, spec)
        return scene, _slots(view)
    anything = SceneSpec(size=(640, 512), tile_px=(26.0, 110.0), most_tiles=24, pale_markers=PALE)
    return make_scene(rng, bank, anything), np.zeros((0, 2), np.float32)


def samples(rng: np.random.Generator, scene: Scene, slots: np.ndarray) -> list[Sample]:
    """The looks of one picture with their maps."""
    boxes = looks_at(rng, scene, slots)
    quads = geometry.box_corners(boxes)
    looks = cut_looks(geometry.Pyramid(scene.image), quads)
    found = []
    for look, quad in zip(looks, quads, strict=True):
        heat, weight = _heat(scene, geometry.crop_transform(quad, TARGET))
        if rng.random() < 0.5:  # a line runs as well the other way round its axis
            look, heat, weight = look[::-1].copy(), heat[::-1].copy(), weight[::-1].copy()
        found.append({"look": look, "heat": heat, "weight": weight})
    return found


def batches(seed: int, size: int, workers: int, stored: Path | None = None) -> Iterator[Batch]:
    """Endless batches made by `workers` processes."""
    loader = torch.utils.data.DataLoader(
        Looks(seed, size, stored), batch_size=None, num_workers=workers, prefetch_factor=6 if workers else None
    )
    return iter(loader)


class TailNet(nn.Module):
    """Looks (n, 6, 64, 96) 0..1, stretched RGB and RGB, to logits of where markers stand (n, 16, 24)."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(
            conv(CHANNELS, 16, 1, _BEND),
            conv(16, 32, 2, _BEND),
            Residual(32, _BEND),
            conv(32, 64, 2, _BEND),
            Residual(64, _BEND),
        )
        self.wide = nn.Sequential(
            conv(64, 96, 2, _BEND), Residual(96, _BEND), Residual(96, _BEND), conv(96, 64, 1, _BEND)
        )
        self.head = nn.Sequential(conv(128, 48, 1, _BEND), nn.Conv2d(48, 1, 1))
        nn.init.constant_(self.head[1].bias, -4.0)  # type: ignore[arg-type]

    def forward(self, looks: torch.Tensor) -> torch.Tensor:
        """Logits."""
        fine = self.fine(looks)
        wide = functional.interpolate(self.wide(fine), scale_factor=2.0, mode="nearest")
        return self.head(torch.cat([fine, wide], 1))[:, 0]


def build(start: Path | None = None) -> TailNet:
    """From nothing, or from the weights at `start`."""
    torch.manual_seed(0)
    net = TailNet()
    if start is not None:
        state = widened(torch.load(start, map_location="cpu"))
        first = "fine.0.0.weight"
        # Weights of a time when looks had no stretched colours start with none for these.
        state[first] = functional.pad(state[first], (0, 0, 0, 0, CHANNELS - state[first].shape[1], 0))
        net.load_state_dict(state)
    return net


def loss_of(net: nn.Module, batch: Batch) -> tuple[torch.Tensor, dict[str, float]]:
    """Cross entropy with the map, cells near a middle counting less the nearer they are; one term a marker.

    Law and Deng, "CornerNet", 2018: with a plain one the few peaks would drown in empty cells.
    """
    with torch.autocast(batch["look"].device.type, dtype=torch.bfloat16):
        logits = net(images(batch["look"]))
    logits, heat = logits.float(), batch["heat"]
    share = logits.sigmoid()
    at = heat > 0.8
    here = functional.logsigmoid(logits) * (1 - share) ** 2 * at
    none = functional.logsigmoid(-logits) * share**2 * (1 - heat) ** 4 * ~at
    loss = -((here + none) * batch["weight"]).sum() / at.sum().clamp(min=8)
    marked = heat.amax((1, 2)) > 0.8
    seen = share.amax((1, 2)) > 0.5
    right = float((marked == seen)[batch["weight"].amin((1, 2)) > 0].float().mean())
    return loss, {"right": right, "marked": float(marked.float().mean()), "loss": float(loss.detach())}
