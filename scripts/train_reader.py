"""Train the half reader and the corner network on made pictures. Resumes; the same command on CPU and CUDA."""

from __future__ import annotations

import argparse
import os
from pathlib import Path


def main() -> None:
    """Parse and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs/reader"), help="folder for weights and log")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--batch", type=int, default=64, help="tiles a step; corner crops are a third as many")
    parser.add_argument("--rate", type=float, default=1e-3, help="peak learning rate")
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 1), help="picture makers")
    parser.add_argument("--threads", type=int, default=1, help="threads of the networks on the CPU")
    parser.add_argument("--careful", action="store_true", help="the larger half reader, for tiles that are not clear")
    parser.add_argument("--stored", type=Path, help="pictures made before, to learn from as well (datasets.stored)")
    parser.add_argument("--start", type=Path, help="weights of both networks to start from")
    args = parser.parse_args()

    import torch

    from scripts.training import crops, loop, reader

    torch.set_num_threads(args.threads)
    plan = loop.Plan(args.minutes, args.rate, args.out, args.device, average=0.999)
    # The corner network comes with the quick reader; training it again beside the careful one would be in vain.
    searches = 0 if args.careful else args.batch // 3
    pictures = crops.batches(args.seed, args.batch, searches, args.workers, args.stored)
    shape = reader.CAREFUL if args.careful else reader.QUICK
    loop.train(reader.build(args.start, shape), pictures, reader.loss_of, plan)


if __name__ == "__main__":
    main()
