"""The finder: an oriented-box YOLO network and the pictures it learns from."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import nn

from datasets.grounds import GroundBank
from datasets.scene import Scene, SceneSpec, cropped, make_scene
from datasets.stored import draw_stored
from datasets.tables import TableSpec, paint_table
from scripts.training.draws import draws
from scripts.training.loop import Batch, to_float

CLASSES = ("face_up", "face_down", "marker")
ARCHITECTURE = "yolo11n-obb.yaml"
LEAST_VISIBLE = 0.33
"""Tiles cut by the edge or mostly covered are labelled whole: a place where a tile is half seen must raise a doubt."""
LEAST_PX = 6.0
TABLES = 0.4
"""Share of whole games among the pictures: hubs, trains and markers as they stand in play."""

STORED = 0.2
"""Share of stored pictures, where there are some."""


def oriented_box(corners: np.ndarray) -> tuple[float, float, float, float, float]:
    """(cx, cy, long side, short side, angle) of a quadrilateral (4, 2) px, angle in [-pi/4, 3pi/4)."""
    along = ((corners[2] - corners[1]) + (corners[3] - corners[0])) / 2
    across = ((corners[1] - corners[0]) + (corners[2] - corners[3])) / 2
    length, width, angle = float(np.hypot(*along)), float(np.hypot(*across)), math.atan2(along[1], along[0])
    if width > length:
        length, width, angle = width, length, math.atan2(across[1], across[0])
    centre = corners.mean(0)
    return float(centre[0]), float(centre[1]), length, width, (angle + math.pi / 4) % math.pi - math.pi / 4


def boxes_of(scene: Scene) -> np.ndarray:
    """Labels of a scene, (n, 6): class, then the oriented box in shares of the (square) picture."""
    side = float(scene.image.shape[1])
    rows = []
    for truth in scene.truths:
        cx, cy, length, width, angle = oriented_box(truth.corners_px)
        if truth.visible >= LEAST_VISIBLE and length >= LEAST_PX:
            rows.append((truth.kind, cx / side, cy / side, length / side, width / side, angle))
    return np.array(rows, np.float32).reshape(-1, 6)


class FinderPictures(torch.utils.data.IterableDataset):  # type: ignore[type-arg]
    """Endless made pictures with their labels, by (seed, worker, number); some from the folder `stored`."""

    def __init__(self, seed: int, side: int, stored: Path | None = None) -> None:
        self.seed, self.side, self.stored = seed, side, stored

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for rng, bank in draws(self.seed):
            for scene in self._scenes(rng, bank):
                yield scene.image, boxes_of(scene)

    def _scenes(self, rng: np.random.Generator, bank: GroundBank) -> Iterator[Scene]:
        """A picture of anything, or the two halves of a picture of a game."""
        side = self.side
        if self.stored and rng.random() < STORED:
            yield draw_stored(rng, self.stored, side)
            return
        if rng.random() < TABLES:
            _, wide = paint_table(rng, bank, TableSpec(size=(2 * side, side), tile_px=(15.0, 48.0), hands=0.2))
            yield from (cropped(wide, x, 0, side) for x in (0, side))
            return
        top = float(side * rng.choice([0.5, 0.9, 1.6], p=[0.6, 0.3, 0.1]))
        yield make_scene(rng, bank, SceneSpec(size=(side, side), tile_px=(14.0, top)))


def collate(items: list[tuple[np.ndarray, np.ndarray]]) -> Batch:
    """Pictures to RGB tensors 0..1 and labels in ultralytics' form."""
    images = np.stack([image[..., ::-1] for image, _ in items])
    labels = np.concatenate([boxes for _, boxes in items])
    index = np.concatenate([np.full(len(boxes), i, np.float32) for i, (_, boxes) in enumerate(items)])
    return {
        "img": torch.from_numpy(np.ascontiguousarray(images.transpose(0, 3, 1, 2))),
        "batch_idx": torch.from_numpy(index),
        "cls": torch.from_numpy(labels[:, :1].copy()),
        "bboxes": torch.from_numpy(labels[:, 1:].copy()),
    }


def batches(seed: int, side: int, size: int, workers: int, stored: Path | None = None) -> Iterator[Batch]:
    """Endless batches made by `workers` processes."""
    loader = torch.utils.data.DataLoader(
        FinderPictures(seed, side, stored),
        batch_size=size,
        num_workers=workers,
        collate_fn=collate,
        prefetch_factor=4 if workers else None,
    )
    return iter(loader)


def supply_torchvision() -> None:
    """Make `import torchvision` survive beside a torch build that its compiled part does not fit."""
    try:
        import torchvision  # noqa: F401  (only to see whether it loads)
    except RuntimeError:
        library = torch.library.Library("torchvision", "DEF")
        signature = "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"
        library.define("nms" + signature)
        library.define("qnms" + signature)
        globals()["_library"] = library  # the definitions live as long as this object


def build(start: Path | None = None) -> nn.Module:
    """The network, from nothing or from the weights (a state dict) at `start`."""
    supply_torchvision()
    from ultralytics.cfg import get_cfg
    from ultralytics.nn.tasks import OBBModel

    torch.manual_seed(0)
    net = OBBModel(ARCHITECTURE, nc=len(CLASSES), verbose=False)
    net.args = get_cfg()
    net.names = dict(enumerate(CLASSES))
    if start is not None:
        saved = torch.load(start, map_location="cpu")
        net.load_state_dict({k: v.float() if v.is_floating_point() else v for k, v in saved.items()})
    return net


def loss_of(net: nn.Module, batch: Batch) -> tuple[torch.Tensor, dict[str, float]]:
    """Ultralytics' oriented-box loss, the network itself in bfloat16."""
    image = batch["img"].float().div_(255).to(memory_format=torch.channels_last)
    with torch.autocast(image.device.type, dtype=torch.bfloat16):
        predicted = net(image)
    loss, items = net.loss({**batch, "img": image}, to_float(predicted))  # type: ignore[operator]
    values = items.values() if isinstance(items, dict) else items.flatten()
    parts = dict(zip(("box", "cls", "dfl", "angle"), (float(v) for v in values), strict=False))
    return loss.sum() / len(image), parts
