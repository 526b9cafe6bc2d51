"""Make pictures of whole game tables with exact truth: `NAME.jpg` and `NAME.json` in the folder given."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import cv2
import numpy as np

from datasets.grounds import GroundBank
from datasets.tables import TableSpec, make_table

FAULTS = ("ends_differ", "tile_twice", "marker_on_mexican")


def main() -> None:
    """Make them. The same seed and options give the same pictures, one by one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="picture k is made from seed + k")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--out", type=Path, required=True, help="folder, made if missing")
    parser.add_argument("--size", type=int, nargs=2, default=(1920, 1080), metavar=("WIDTH", "HEIGHT"))
    parser.add_argument("--laid", type=int, nargs=2, default=(8, 70), metavar=("FEWEST", "MOST"))
    parser.add_argument("--set", type=int, default=None, dest="set_size", help="highest value (default: mixed)")
    parser.add_argument("--faults", nargs="*", default=(), choices=FAULTS, help="faults to lay on purpose")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    spec = TableSpec(tuple(args.size), laid=tuple(args.laid), set_size=args.set_size, faults=tuple(args.faults))
    bank = GroundBank(np.random.default_rng(args.seed), 12)
    start = time.perf_counter()
    for seed in range(args.seed, args.seed + args.count):
        picture = make_table(np.random.default_rng(seed), bank, spec)
        name = f"table_{seed:06d}"
        cv2.imwrite(str(args.out / f"{name}.jpg"), picture.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        truth = {"path": f"{name}.jpg", **picture.truth}
        (args.out / f"{name}.json").write_text(json.dumps(truth), encoding="utf-8")
    print(f"{args.count} tables in {args.out}, {(time.perf_counter() - start) / args.count:.2f} s each")


if __name__ == "__main__":
    main()
