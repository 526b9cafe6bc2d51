"""Train the network that sees markers. Resumes from the output folder; the same command on CPU and CUDA."""

from __future__ import annotations

import argparse
import os
from pathlib import Path


def main() -> None:
    """Parse and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs/tails"), help="folder for weights and log")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--batch", type=int, default=64, help="looks a step")
    parser.add_argument("--rate", type=float, default=1.5e-3, help="peak learning rate")
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 1), help="picture makers")
    parser.add_argument("--threads", type=int, default=1, help="threads of the network on the CPU")
    parser.add_argument("--stored", type=Path, help="pictures made before, to learn from as well (datasets.stored)")
    parser.add_argument("--start", type=Path, help="weights (state dict) to start from")
    args = parser.parse_args()

    import torch

    from scripts.training import loop, tails

    torch.set_num_threads(args.threads)
    plan = loop.Plan(args.minutes, args.rate, args.out, args.device, average=0.999)
    looks = tails.batches(args.seed, args.batch, args.workers, args.stored)
    loop.train(tails.build(args.start), looks, tails.loss_of, plan)


if __name__ == "__main__":
    main()
