"""Speed of reading a table, side by side in one run with one forward pass of the nano network at 1280 px.

The measure is the network as ultralytics ships it, exported as it comes, over 1280 x 1280 px (what its weights are
makes no difference to its time); reading means everything from the decoded 1920 x 1080 picture to the table's state.
Tables of several sizes show how the cost grows.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from datasets.grounds import GroundBank
from datasets.tables import TableSpec, make_table
from scripts.loading import load_reader
from vision.layout import LayoutOptions, read_layout
from vision.reader import ReadOptions
from vision.runtime import default_threads
from vision.tiles import BgrImage

MOST_PASSES = 2.5
SIDE = 1280
SEED = 905_000


def tables(laid: int, count: int) -> list[BgrImage]:
    """Pictures of games with `laid` tiles on the table."""
    spec = TableSpec(laid=(laid, laid), numerals=False)
    pictures = []
    for seed in range(SEED, SEED + count):
        rng = np.random.default_rng(seed)
        pictures.append(make_table(rng, GroundBank(rng, 2), spec).image)
    return pictures


def stock_network() -> onnxruntime.InferenceSession:
    """The nano oriented-box network with ultralytics' own head, in float32; its weights are drawn."""
    import torch

    from scripts.training.finder import build

    net = build().eval()
    net.fuse(verbose=False)  # type: ignore[operator]
    net.model[-1].export, net.model[-1].format = True, "onnx"  # type: ignore[index]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = default_threads()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "nano.onnx"
        torch.onnx.export(
            net, (torch.zeros(1, 3, SIDE, SIDE),), str(path), input_names=["images"], opset_version=17, dynamo=False
        )
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def main() -> None:
    """Measure in turns and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, help="folder of the ONNX files (default: the shipped ones)")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each (default: %(default)s)")
    parser.add_argument("--pictures", type=int, default=4, help="tables of each size (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    args = parser.parse_args()
    reader = load_reader(args.models)
    nano = stock_network()
    square = np.zeros((1, 3, SIDE, SIDE), np.float32)
    rows: list[dict[str, Any]] = []
    for laid in (15, 30, 60):
        passes, reads, found = [], [], []
        for image in tables(laid, args.pictures):
            reader.read(image, ReadOptions())
            for _ in range(args.rounds):
                passes.append(_ms(lambda: nano.run(None, {"images": square})))
                start = time.perf_counter()
                seen = reader.read(image, ReadOptions())
                read_layout(seen, LayoutOptions(settle=True))
                reads.append((time.perf_counter() - start) * 1000)
            found.append(len(seen.tiles) + len(seen.face_down))
        rows.append(
            {
                "laid": laid,
                "tiles_found": statistics.mean(found),
                "pass_ms": round(statistics.median(passes), 1),
                "read_ms": round(statistics.median(reads), 1),
                "passes": round(statistics.median(reads) / statistics.median(passes), 2),
            }
        )
    if args.json:
        print(json.dumps(rows))
        return
    for row in rows:
        print("{laid} laid ({tiles_found:.0f} found): {read_ms} ms, {passes} passes of {pass_ms} ms".format(**row))
    print(f"limit: {MOST_PASSES} passes for a table of 60")


def _ms(work: Any) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
