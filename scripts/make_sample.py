"""Make the bundled photos from a seed: the sample hand of `check` and the README, and the benchmark's photo.

Both are the compositor's own pictures, so that nobody's photograph is passed on, and each comes with its answer.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from datasets.camera import look_down
from datasets.grounds import GroundBank
from datasets.layouts import Placement
from datasets.makers import Maker, draw_maker
from datasets.scene import Scene, compose, draw_stage

ROOT = Path(__file__).resolve().parent.parent
SET_SIZE = 12


@dataclass(frozen=True, slots=True)
class Sample:
    """A picture to make: tiles in rows, each row's tiles touching along their long sides."""

    seed: int
    size_wh: tuple[int, int]
    rows: tuple[int, ...]
    tile_px: float
    quality: int
    noise: float = 0.0  # of a sensor, grey levels


HAND = Sample(seed=36, size_wh=(1600, 1200), rows=(5, 4), tile_px=330, quality=90)
# Noise and quality as phones have them, so that it weighs what a phone's photo weighs: 2 to 3 MB.
BENCHMARK = Sample(seed=62, size_wh=(4000, 3000), rows=(4, 4, 4), tile_px=620, quality=95, noise=4.0)


def make(sample: Sample) -> tuple[Scene, list[tuple[int, int]]]:
    """The scene and the tiles on it, first end first."""
    rng = np.random.default_rng(sample.seed)
    width, height = sample.size_wh
    maker = _maker(rng)
    tiles = _draw_tiles(rng, sum(sample.rows))
    camera = look_down(
        focal_px=1.2 * width,
        tile_px=sample.tile_px,
        tilt_deg=float(rng.uniform(6, 14)),
        towards_deg=90.0,
        roll_deg=float(rng.uniform(-6, 6)),
        centre_px=(width / 2, height / 2),
    )
    image = GroundBank(rng).draw(rng, width, height)
    places = _places(rng, sample.rows, tiles, maker.width)
    stage = draw_stage(rng, camera, [maker])
    scene = compose(stage, image, places, [maker] * len(places), tile_px=sample.tile_px)
    return replace(scene, image=_noisy(rng, scene.image, sample.noise)), tiles


def _noisy(rng: np.random.Generator, image: np.ndarray, strength: float) -> np.ndarray:
    if not strength:
        return image
    # A little smoothed, as phones do.
    noise = cv2.GaussianBlur(rng.standard_normal(image.shape, dtype=np.float32), (0, 0), 0.6) * 1.5 * strength
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def _maker(rng: np.random.Generator) -> Maker:
    """Ivory tiles of a double-twelve set with coloured pips, as most families have them."""
    while True:
        maker = draw_maker(rng)
        coloured = len(set(maker.pips[1:13])) > 1
        light = min(maker.body) > 180 and maker.pip_style in ("cup", "rim") and not maker.numerals and not maker.film
        if maker.top == SET_SIZE and coloured and light and maker.divider == "bar":
            return replace(maker, arrangement=0, wear=0.0)


def _draw_tiles(rng: np.random.Generator, count: int) -> list[tuple[int, int]]:
    """Different tiles of the set, turned either way."""
    pairs = [(low, high) for low in range(SET_SIZE + 1) for high in range(low, SET_SIZE + 1)]
    chosen = [pairs[index] for index in rng.choice(len(pairs), count, replace=False)]
    return [pair if rng.random() < 0.5 else pair[::-1] for pair in chosen]


def _places(
    rng: np.random.Generator, rows: tuple[int, ...], tiles: list[tuple[int, int]], width: float
) -> list[Placement]:
    places = []
    for row, count in enumerate(rows):
        for column in range(count):
            places.append(
                Placement(
                    x=(column - (count - 1) / 2) * (width + 0.008) + rng.normal(0, 0.003),
                    y=(row - (len(rows) - 1) / 2) * 1.22 + rng.normal(0, 0.02),
                    angle=math.pi / 2 + rng.normal(0, 0.008),
                    ends=tiles[len(places)],
                )
            )
    return places


def answer_of(sample: Sample, tiles: list[tuple[int, int]]) -> dict[str, object]:
    """The known answer that goes with the picture."""
    return {
        "set": SET_SIZE,
        "seed": sample.seed,
        "tiles": [list(tile) for tile in tiles],
        "total": sum(map(sum, tiles)),
    }


def write(sample: Sample, picture: Path, answer: Path | None = None) -> None:
    """Make the picture and write it, with its answer if asked for."""
    scene, tiles = make(sample)
    _, data = cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, sample.quality])
    picture.parent.mkdir(parents=True, exist_ok=True)
    picture.write_bytes(data.tobytes())
    print(f"{picture}: {len(data)} bytes, {len(tiles)} tiles, total {sum(map(sum, tiles))}")
    if answer is not None:
        answer.write_text(json.dumps(answer_of(sample, tiles)) + "\n", "utf-8")


def main() -> None:
    """Write examples/hand.jpg, its copy for `check` with the answer, and the benchmark's photo."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT, help="where to write (default: the project)")
    parser.add_argument("--only", choices=("hand", "benchmark"), help="make this one alone")
    parser.add_argument("--seed", type=int, help="another seed than the committed pictures have")
    args = parser.parse_args()
    hand, benchmark = HAND, BENCHMARK
    if args.seed is not None:
        hand, benchmark = replace(hand, seed=args.seed), replace(benchmark, seed=args.seed)
    check, examples = args.folder / "server" / "check", args.folder / "examples"
    if args.only != "benchmark":
        write(hand, check / "hand.jpg", check / "hand.json")
        examples.mkdir(parents=True, exist_ok=True)
        (examples / "hand.jpg").write_bytes((check / "hand.jpg").read_bytes())
    if args.only != "hand":
        write(benchmark, examples / "benchmark_12mp.jpg", examples / "benchmark_12mp.json")


if __name__ == "__main__":
    main()
