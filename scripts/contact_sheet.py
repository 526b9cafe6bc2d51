"""Look at what the compositor makes: one big picture of many small ones, truth drawn on request."""

from __future__ import annotations

import argparse
import time

import cv2
import numpy as np

from datasets.grounds import GroundBank
from datasets.scene import Scene, SceneSpec, make_scene

_COLOURS = ((60, 220, 60), (220, 160, 40), (60, 60, 240))


def _drawn(scene: Scene) -> np.ndarray:
    image = scene.image.copy()
    for truth in scene.truths:
        if truth.visible > 0.3:
            cv2.polylines(image, [np.round(truth.corners_px).astype(np.int32)], True, _COLOURS[truth.kind], 1)
    return image


def main() -> None:
    """Make the sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", help="picture to write")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--side", type=int, default=416, help="size of each picture, px")
    parser.add_argument("--columns", type=int, default=5)
    parser.add_argument("--rows", type=int, default=4)
    parser.add_argument("--truth", action="store_true", help="draw the outlines of what is there")
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    bank = GroundBank(rng)
    spec = SceneSpec(size=(args.side, args.side))
    start = time.perf_counter()
    scenes = [make_scene(rng, bank, spec) for _ in range(args.columns * args.rows)]
    took = time.perf_counter() - start
    tiles = [_drawn(scene) if args.truth else scene.image for scene in scenes]
    rows = [np.hstack(tiles[i : i + args.columns]) for i in range(0, len(tiles), args.columns)]
    cv2.imwrite(args.out, np.vstack(rows))
    print(f"{len(scenes)} pictures, {len(scenes) / took:.0f} a second")


if __name__ == "__main__":
    main()
