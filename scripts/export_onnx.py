"""Turn trained weights into the ONNX files of `models/`.

Every network takes uint8 BGR pictures (n, h, w, 3), so that what playing feeds it is what training fed it, and
computes in whole numbers (`scripts.training.quantize`).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from datasets.grounds import GroundBank
from datasets.scene import SceneSpec, make_scene
from datasets.tables import TableSpec, paint_table

if TYPE_CHECKING:
    import torch
    from torch import nn

LEVELS = ["every_8", "every_16", "every_32"]
"""Outputs of the finder, by their stride in px."""
SEED = 8801
"""Of the made pictures on which the scales of the whole numbers are measured."""


def export_finder(weights: Path, out: Path) -> None:
    """Any height and width that are multiples of 32; a map (n, 68, h, w) for each of the strides 8, 16 and 32.

    The maps hold what the head says of every place before it is made a box: see `vision.detector`, which does that
    for the few places worth it instead of for all of them.
    """
    import torch
    from torch import nn

    from scripts.training import finder

    net = finder.build(weights).eval()
    net.fuse(verbose=False)  # type: ignore[operator]

    class Maps(nn.Module):
        """In place of the head's own way to the end: what its three branches say, level by level."""

        def __init__(self, head: nn.Module) -> None:
            super().__init__()
            self.boxes, self.kinds, self.angles = head.cv2, head.cv3, head.cv4
            self.i, self.f, self.type = head.i, head.f, head.type

        def forward(self, levels: list[torch.Tensor]) -> tuple[torch.Tensor, ...]:
            """Side distributions (64), scores (3) and angle (1) as logits."""
            branches = zip(levels, self.boxes, self.kinds, self.angles, strict=True)
            return tuple(torch.cat([box(x), kind(x), angle(x)], 1) for x, box, kind, angle in branches)

    class FromBytes(nn.Module):
        """The network with its new end."""

        def __init__(self) -> None:
            super().__init__()
            net.model[-1] = Maps(net.model[-1])  # type: ignore[index,operator]
            _take_bytes(net.model[0].conv)  # type: ignore[index]
            self.net = net

        def forward(self, pictures: torch.Tensor) -> torch.Tensor:
            """The maps."""
            return self.net(pictures.permute(0, 3, 1, 2).float())

    picture = torch.zeros(1, 256, 320, 3, dtype=torch.uint8)
    axes = {"pictures": {1: "height", 2: "width"}, **{name: {2: "h" + name, 3: "w" + name} for name in LEVELS}}
    _save(FromBytes().eval(), picture, out, ["pictures"], LEVELS, axes)
    _in_whole_numbers(out, _pictures())


def export_crops(weights: Path, reader_out: Path, corners_out: Path) -> None:
    """The half reader (values and pip maps of both ends of a tile) and the corner network."""
    import torch
    from torch import nn

    from scripts.training import reader

    net = reader.build(weights).eval()
    _take_bytes(net.halves.body[0][0])
    _take_bytes(net.corners.body[0][0])

    class Tiles(nn.Module):
        """Tiles (n, 64, 128, 3) to logits (n, 2, 20) and maps (n, 2, 2, 16, 18) of pips and of markers.

        The second end is read turned round.
        """

        def __init__(self) -> None:
            super().__init__()
            self.halves = net.halves

        def forward(self, tiles: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            """Logits and maps."""
            logits, maps = self.halves(_halves(tiles))
            logits = logits.reshape(2, -1, reader.VALUES).transpose(0, 1)
            return logits, maps.reshape(2, -1, 2, 16, 18).transpose(0, 1).sigmoid()

    class Search(nn.Module):
        """Search crops (n, 64, 96, 3) to offsets (n, 8) and kind probabilities (n, 4)."""

        def __init__(self) -> None:
            super().__init__()
            self.corners = net.corners

        def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            """Offsets and kinds."""
            offsets, kinds = self.corners(crops.permute(0, 3, 1, 2).float())
            return offsets, kinds.softmax(1)

    tiles, crops = torch.zeros(2, 64, 128, 3, dtype=torch.uint8), torch.zeros(2, 64, 96, 3, dtype=torch.uint8)
    axes = {"tiles": {0: "n"}, "logits": {0: "n"}, "maps": {0: "n"}}
    _save(Tiles().eval(), tiles, reader_out, ["tiles"], ["logits", "maps"], axes)
    _in_whole_numbers(reader_out, _crops("tile"))
    axes = {"crops": {0: "n"}, "offsets": {0: "n"}, "kinds": {0: "n"}}
    _save(Search().eval(), crops, corners_out, ["crops"], ["offsets", "kinds"], axes)
    _in_whole_numbers(corners_out, _crops("search"))


def export_careful(weights: Path, out: Path) -> None:
    """The larger half reader: tiles (n, 64, 128, 3) to logits (n, 2, 20) alone."""
    import torch
    from torch import nn

    from scripts.training import reader

    net = reader.build(weights, reader.CAREFUL).eval()
    _take_bytes(net.halves.body[0][0])

    class Tiles(nn.Module):
        """Both ends of each tile."""

        def __init__(self) -> None:
            super().__init__()
            self.halves = net.halves

        def forward(self, tiles: torch.Tensor) -> torch.Tensor:
            """Logits."""
            logits, _ = self.halves(_halves(tiles))
            return logits.reshape(2, -1, reader.VALUES).transpose(0, 1)

    tiles = torch.zeros(2, 64, 128, 3, dtype=torch.uint8)
    _save(Tiles().eval(), tiles, out, ["tiles"], ["logits"], {"tiles": {0: "n"}, "logits": {0: "n"}})
    _in_whole_numbers(out, _crops("tile"))


def export_tails(weights: Path, out: Path) -> None:
    """The network that sees markers: looks (n, 64, 96, 6) to maps (n, 16, 24)."""
    import torch
    from torch import nn

    from scripts.training import tails

    net = tails.build(weights).eval()
    _take_bytes(net.fine[0][0])

    class Looks(nn.Module):
        """As a share of 1 in each cell."""

        def __init__(self) -> None:
            super().__init__()
            self.net = net

        def forward(self, looks: torch.Tensor) -> torch.Tensor:
            """The maps."""
            return self.net(looks.permute(0, 3, 1, 2).float()).sigmoid()

    looks = torch.zeros(2, 64, 96, tails.CHANNELS, dtype=torch.uint8)
    _save(Looks().eval(), looks, out, ["looks"], ["maps"], {"looks": {0: "n"}, "maps": {0: "n"}})
    batches = tails.batches(SEED, 64, workers=0)
    _in_whole_numbers(out, (next(batches)["look"].numpy() for _ in range(24)))


def _take_bytes(first: nn.Conv2d) -> None:
    """Let the first layer take BGR bytes where it was trained on RGB from 0 to 1: nothing is left to do before it."""
    import torch

    with torch.no_grad():
        first.weight.copy_(first.weight.flip(1) / 255)


def _halves(tiles: torch.Tensor) -> torch.Tensor:
    """Tiles (n, 64, 128, 3) bytes to halves (2n, 3, 64, 72), in the order of `reader.split_halves`."""
    import torch

    from scripts.training.crops import HALF_WH

    width = HALF_WH[0]
    halves = torch.cat([tiles[:, :, :width], tiles.flip((1, 2))[:, :, :width]])
    return halves.permute(0, 3, 1, 2).float()


def _pictures() -> Iterator[np.ndarray]:
    """Tables and other scenes, as the finder gets them."""
    rng = np.random.default_rng(SEED)
    bank = GroundBank(rng)
    for number in range(48):
        bank.renew(rng)
        if number % 3:
            yield make_scene(rng, bank, SceneSpec(size=(640, 640))).image[None]
        else:
            yield paint_table(rng, bank, TableSpec(size=(1280, 736)))[1].image[None]


def _crops(name: str) -> Iterator[np.ndarray]:
    """Batches of crops, as the small networks get them."""
    from scripts.training import crops

    batches = crops.batches(SEED, 64, 21, workers=0)
    return (next(batches)[name].numpy() for _ in range(24))


def _in_whole_numbers(path: Path, batches: Iterator[np.ndarray]) -> None:
    from scripts.training.quantize import quantize

    quantize(path, batches)
    _halve(path)
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


def _save(net: object, example: object, out: Path, inputs: list[str], outputs: list[str], axes: dict) -> None:
    import torch

    out.parent.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        torch.onnx.export(
            net, (example,), str(out), input_names=inputs, output_names=outputs, dynamic_axes=axes,
            opset_version=17, dynamo=False,
        )  # fmt: skip


def _halve(path: Path) -> None:
    """Store what weights are left as fractions in half precision; the runtime widens them once, when it loads them.

    Their arithmetic stays in single precision, so this costs nothing but the last digits of the weights.
    """
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(path)
    graph = model.graph
    casts = []
    for tensor in graph.initializer:
        if tensor.data_type == TensorProto.FLOAT and np.prod(tensor.dims) >= 256:
            name, values = tensor.name, numpy_helper.to_array(tensor).astype(np.float16)
            tensor.CopyFrom(numpy_helper.from_array(values, name + "_half"))
            casts.append(helper.make_node("Cast", [name + "_half"], [name], to=TensorProto.FLOAT))
    for node in reversed(casts):
        graph.node.insert(0, node)
    onnx.save(model, path)


def main() -> None:
    """Parse and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--finder", type=Path, help="averaged.pt of a finder training")
    parser.add_argument("--crops", type=Path, help="averaged.pt of a reader training")
    parser.add_argument("--careful", type=Path, help="averaged.pt of a reader training with --careful")
    parser.add_argument("--tails", type=Path, help="averaged.pt of a training of the tails")
    parser.add_argument("--out", type=Path, default=Path("models"))
    args = parser.parse_args()
    if args.finder:
        export_finder(args.finder, args.out / "finder.onnx")
    if args.crops:
        export_crops(args.crops, args.out / "reader.onnx", args.out / "corners.onnx")
    if args.careful:
        export_careful(args.careful, args.out / "careful.onnx")
    if args.tails:
        export_tails(args.tails, args.out / "tails.onnx")


if __name__ == "__main__":
    main()
