"""Measure the reader on made pictures of seeds that no training uses: halves right, doubts, silent errors.

Also fits the temperature that makes the half reader's probabilities mean what they say, and the slope and shift that
do the same for the network that sees markers.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.legible import legible_halves

SEED = 900_000
"""Training seeds are small numbers; everything from here on is for measuring."""


def match(truth_corners: np.ndarray, read_corners: np.ndarray) -> int | None:
    """Index of the truth whose middle lies nearest, if within a third of its length."""
    if len(truth_corners) == 0:
        return None
    centres = truth_corners.mean(1)
    distance = np.linalg.norm(centres - read_corners.mean(0), axis=1)
    index = int(distance.argmin())
    length = float(np.linalg.norm(truth_corners[index][2] - truth_corners[index][1]))
    return index if distance[index] < length / 3 else None


def compare(scene: Any, tiles: Any, counts: dict[str, int]) -> None:
    """Add one picture's halves to `counts`; tiles that are not wholly visible are left out of the score.

    Halves that nobody could read in the picture (`datasets.legible`) are counted apart.
    """
    readable = dict(zip(map(id, scene.truths), legible_halves(scene), strict=True))
    whole = [t for t in scene.truths if t.kind == 0 and t.visible > 0.97]
    partly = [t for t in scene.truths if t.kind == 0 and t.visible <= 0.97]
    corners = np.array([t.corners_px for t in whole]) if whole else np.zeros((0, 4, 2))
    found: set[int] = set()
    for tile in tiles:
        index = match(corners, tile.corners_px)
        if index is None:
            near = match(np.array([t.corners_px for t in partly]) if partly else np.zeros((0, 4, 2)), tile.corners_px)
            if near is None:
                counts["invented"] += 1
                counts["invented_undoubted"] += not tile.doubtful
            continue
        if index in found:
            continue
        found.add(index)
        ends = whole[index].ends
        turned = np.linalg.norm(tile.corners_px[0] - corners[index][0]) > np.linalg.norm(
            tile.corners_px[0] - corners[index][2]
        )
        seen = readable[id(whole[index])]
        wanted, clear = (ends[::-1], seen[::-1]) if turned else (ends, seen)
        for got, want, legible in zip(tile.ends, wanted, clear, strict=True):
            counts["halves"] += 1
            counts["right"] += got == want
            counts["legible"] += legible
            counts["legible_right"] += legible and got == want
            if not tile.doubtful:
                counts["undoubted"] += 1
                counts["undoubted_right"] += got == want
    counts["missed"] += len(whole) - len(found)
    counts["tiles"] += len(whole)


def run_pictures(args: argparse.Namespace) -> None:
    """Read whole made pictures as photos and print shares."""
    from datasets.grounds import GroundBank
    from datasets.scene import SceneSpec, make_scene
    from scripts.loading import load_reader
    from vision.reader import ReadOptions

    reader = load_reader(args.models)
    bank = GroundBank(np.random.default_rng([SEED, 0]))
    counts: dict[str, int] = defaultdict(int)
    spec = SceneSpec(size=(1280, 960), tile_px=(args.least_px, 420.0), most_tiles=40)
    for number in range(args.count):
        scene = make_scene(np.random.default_rng([SEED, number]), bank, spec)
        reading = reader.read(scene.image, ReadOptions(set_size=18, mixed=True))
        compare(scene, reading.tiles, counts)
    print(dict(counts))
    print(f"legible halves right {counts['legible_right'] / max(1, counts['legible']):.4f}")
    print(f"halves right {counts['right'] / max(1, counts['halves']):.4f}")
    print(f"undoubted halves right {counts['undoubted_right'] / max(1, counts['undoubted']):.4f}")
    print(f"undoubted share {counts['undoubted'] / max(1, counts['halves']):.4f}")


def run_temperature(args: argparse.Namespace) -> None:
    """Fit the temperature on made crops, and print how often each band of probabilities is right."""
    from scripts.training.crops import CropPictures
    from vision.runtime import Network

    network = Network((args.models or Path("models")) / "reader.onnx")
    logits, labels = [], []
    crops = iter(CropPictures(SEED, 64, 1))
    for _ in range(args.count):
        batch = next(crops)
        logits.append(network.run(batch["tile"].numpy())[0].reshape(-1, 20))
        labels.append(batch["value"].numpy().reshape(-1))
    rows, wanted = np.concatenate(logits), np.concatenate(labels)
    rows, wanted = rows[wanted >= 0], wanted[wanted >= 0]
    print(f"{len(rows)} halves, {(rows.argmax(1) == wanted).mean():.4f} right")
    temperatures = np.exp(np.linspace(-1.2, 1.0, 45))
    losses = [_loss(rows / t, wanted) for t in temperatures]
    best = float(temperatures[int(np.argmin(losses))])
    print(f"temperature {best:.3f}")
    shares = _shares(rows / best)
    for low, high in ((0, 0.5), (0.5, 0.9), (0.9, 0.97), (0.97, 0.99), (0.99, 0.999), (0.999, 1.01)):
        band = (shares.max(1) >= low) & (shares.max(1) < high)
        if band.any():
            right = float((shares.argmax(1) == wanted)[band].mean())
            print(f"  {low:.3f} to {min(high, 1):.3f}: {band.sum():6d} halves, {right:.4f} right")


def run_markers(args: argparse.Namespace) -> None:
    """Fit slope and shift of what the network says of markers, and print how often each band of shares is right."""
    from scripts.training.tails import batches
    from vision.runtime import Network

    network = Network((args.models or Path("models")) / "tails.onnx")
    inner, seen, there = (slice(None), slice(2, -2), slice(2, -2)), [], []
    looks = batches(SEED, 64, workers=0)
    for _ in range(args.count):
        batch = next(looks)
        plain = batch["weight"].amin((1, 2)).numpy() > 0
        heat = batch["heat"].numpy()[inner].max((1, 2))
        # Where a marker's middle lies at the rim of what counts, neither answer is wrong.
        plain &= (heat > 0.8) | (heat < 0.1)
        seen.append(network.run(batch["look"].numpy())[0][inner].max((1, 2))[plain])
        there.append(heat[plain] > 0.8)
    shares, marked = np.concatenate(seen).clip(1e-4, 1 - 1e-4), np.concatenate(there)
    logits = np.log(shares / (1 - shares))
    grid = [(slope, shift) for slope in np.linspace(0.8, 3.0, 45) for shift in np.linspace(-3, 3, 121)]
    losses = [np.logaddexp(0, np.where(marked, -1, 1) * (slope * logits + shift)).mean() for slope, shift in grid]
    slope, shift = grid[int(np.argmin(losses))]
    print(f"{len(marked)} looks, {marked.mean():.3f} with a marker; slope {slope:.2f}, shift {shift:.2f}")
    fitted = 1 / (1 + np.exp(-slope * logits - shift))
    for least in (0.15, 0.3, 0.5, 0.7, 0.85):
        missed, invented = (fitted < least)[marked].mean(), (fitted >= least)[~marked].mean()
        print(f"  from {least:.2f}: missed {missed:.4f}, invented on {invented:.4f} of the others")
    for low, high in ((0, 0.15), (0.15, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.85), (0.85, 0.95), (0.95, 1.01)):
        band = (fitted >= low) & (fitted < high)
        if band.any():
            print(f"  {low:.2f} to {min(high, 1):.2f}: {band.sum():6d} looks, {marked[band].mean():.4f} with a marker")


def _shares(logits: np.ndarray) -> np.ndarray:
    raised = np.exp(logits - logits.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


def _loss(logits: np.ndarray, labels: np.ndarray) -> float:
    return float(-np.log(np.maximum(_shares(logits)[np.arange(len(labels)), labels], 1e-9)).mean())


def main() -> None:
    """Parse and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("pictures", "temperature", "markers"))
    parser.add_argument("--models", type=Path, help="folder of the ONNX files (default: the shipped ones)")
    parser.add_argument("--count", type=int, default=100, help="pictures, or batches of 64 crops")
    parser.add_argument("--least-px", type=float, default=60.0, help="shortest tiles in the pictures, px")
    args = parser.parse_args()
    cv2.setNumThreads(2)
    {"pictures": run_pictures, "temperature": run_temperature, "markers": run_markers}[args.what](args)


if __name__ == "__main__":
    main()
