"""Turn trained weights into the ONNX files of `models/`.

Every network takes uint8 BGR pictures (n, h, w, 3), so that what playing feeds it is what training fed it.
"""

from __future__ import annotations

import argparse
from pathlib import Path


def export_finder(weights: Path, out: Path) -> None:
    """Any height and width that are multiples of 32; output (n, 8, places): cx, cy, w, h, three scores, angle."""
    import torch
    from torch import nn

    from scripts.training import finder

    net = finder.build(weights).eval()
    net.fuse(verbose=False)  # type: ignore[operator]
    head = net.model[-1]  # type: ignore[index]
    head.export, head.format, head.dynamic = True, "onnx", True

    class FromBytes(nn.Module):
        """Bytes to what the network was trained on."""

        def __init__(self) -> None:
            super().__init__()
            self.net = net

        def forward(self, pictures: torch.Tensor) -> torch.Tensor:
            """Boxes."""
            return self.net(pictures.flip(-1).permute(0, 3, 1, 2).float() / 255)

    picture = torch.zeros(1, 256, 320, 3, dtype=torch.uint8)
    axes = {"pictures": {1: "height", 2: "width"}, "boxes": {2: "places"}}
    _save(FromBytes().eval(), picture, out, ["pictures"], ["boxes"], axes)


def export_crops(weights: Path, reader_out: Path, corners_out: Path) -> None:
    """The half reader (values and pip maps of both ends of a tile) and the corner network."""
    import torch
    from torch import nn

    from scripts.training import reader

    net = reader.build(weights).eval()

    class Tiles(nn.Module):
        """Tiles (n, 64, 128, 3) to logits (n, 2, 20) and maps (n, 2, 2, 16, 18) of pips and of markers.

        The second end is read turned round.
        """

        def __init__(self) -> None:
            super().__init__()
            self.halves = net.halves

        def forward(self, tiles: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            """Logits and maps."""
            images = tiles.flip(-1).permute(0, 3, 1, 2).float() / 255
            logits, maps = self.halves(reader.split_halves(images))
            logits = logits.reshape(2, -1, reader.VALUES).transpose(0, 1)
            return logits, maps.reshape(2, -1, 2, 16, 18).transpose(0, 1).sigmoid()

    class Search(nn.Module):
        """Search crops (n, 64, 96, 3) to offsets (n, 8) and kind probabilities (n, 4)."""

        def __init__(self) -> None:
            super().__init__()
            self.corners = net.corners

        def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            """Offsets and kinds."""
            offsets, kinds = self.corners(crops.flip(-1).permute(0, 3, 1, 2).float() / 255)
            return offsets, kinds.softmax(1)

    axes = {"tiles": {0: "n"}, "logits": {0: "n"}, "maps": {0: "n"}}
    _save(
        Tiles().eval(), torch.zeros(2, 64, 128, 3, dtype=torch.uint8), reader_out, ["tiles"], ["logits", "maps"], axes
    )
    axes = {"crops": {0: "n"}, "offsets": {0: "n"}, "kinds": {0: "n"}}
    _save(
        Search().eval(),
        torch.zeros(2, 64, 96, 3, dtype=torch.uint8),
        corners_out,
        ["crops"],
        ["offsets", "kinds"],
        axes,
    )


def export_careful(weights: Path, out: Path) -> None:
    """The larger half reader: tiles (n, 64, 128, 3) to logits (n, 2, 20) alone."""
    import torch
    from torch import nn

    from scripts.training import reader

    net = reader.build(weights, reader.CAREFUL).eval()

    class Tiles(nn.Module):
        """Both ends of each tile."""

        def __init__(self) -> None:
            super().__init__()
            self.halves = net.halves

        def forward(self, tiles: torch.Tensor) -> torch.Tensor:
            """Logits."""
            images = tiles.flip(-1).permute(0, 3, 1, 2).float() / 255
            logits, _ = self.halves(reader.split_halves(images))
            return logits.reshape(2, -1, reader.VALUES).transpose(0, 1)

    tiles = torch.zeros(2, 64, 128, 3, dtype=torch.uint8)
    _save(Tiles().eval(), tiles, out, ["tiles"], ["logits"], {"tiles": {0: "n"}, "logits": {0: "n"}})


def _save(net: object, example: object, out: Path, inputs: list[str], outputs: list[str], axes: dict) -> None:
    import torch

    out.parent.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        torch.onnx.export(
            net, (example,), str(out), input_names=inputs, output_names=outputs, dynamic_axes=axes,
            opset_version=17, dynamo=False,
        )  # fmt: skip
    _halve(out)
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB")


def _halve(path: Path) -> None:
    """Store the weights in half precision; the runtime widens them once, when it loads the file.

    The arithmetic stays in single precision, so this costs nothing but the last digits of the weights.
    """
    import numpy as np
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
    parser.add_argument("--out", type=Path, default=Path("models"))
    args = parser.parse_args()
    if args.finder:
        export_finder(args.finder, args.out / "finder.onnx")
    if args.crops:
        export_crops(args.crops, args.out / "reader.onnx", args.out / "corners.onnx")
    if args.careful:
        export_careful(args.careful, args.out / "careful.onnx")


if __name__ == "__main__":
    main()
