"""Pictures with truth that were made before, such as path-traced ones, each time developed anew.

A picture that takes many seconds to make has to serve more than once: a part of it is cut out at some size and goes
through another camera every time.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets import photo
from datasets.scene import Scene, Truth, cropped

_LEAST, _MOST = 0.45, 1.25
"""How much smaller or larger a part may become."""


def draw_stored(rng: np.random.Generator, folder: Path, side: int) -> Scene:
    """A square of `side` px of one of the pictures in `folder` (`scripts.render_tables --crowd` makes them).

    Raises:
        ValueError: there is none, or it is no picture, or too small.
    """
    files = sorted(folder.glob("*.json"))
    if not files:
        raise ValueError(f"no pictures with truth in {folder}")
    path = files[int(rng.integers(len(files)))]
    data = json.loads(path.read_text("utf-8"))
    image = cv2.imread(str(path.with_suffix(".jpg")))
    if image is None:
        raise ValueError(f"{path.with_suffix('.jpg')} is no picture")
    height, width = image.shape[:2]
    if side > _MOST * min(height, width):
        raise ValueError(f"{path.with_suffix('.jpg')} is too small for a square of {side} px")
    scale = math.exp(rng.uniform(math.log(max(_LEAST, side / min(height, width))), math.log(_MOST)))
    part = round(side / scale)
    x, y = int(rng.integers(0, width - part + 1)), int(rng.integers(0, height - part + 1))
    whole = Scene(image, [_truth(thing) for thing in data["things"]])
    scene = cropped(whole, x, y, part)
    smoothing = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    small = cv2.resize(scene.image, (side, side), interpolation=smoothing)
    truths = [_scaled(truth, side / part) for truth in scene.truths]
    centres = np.array([truth.corners_px.mean(0) for truth in truths]).reshape(-1, 2)
    lengths = [np.linalg.norm(truth.corners_px[2] - truth.corners_px[1]) for truth in truths]
    length = float(np.median(lengths)) if lengths else 60.0
    return Scene(photo.develop(rng, small, centres, length, data["film"]), truths)


def _truth(thing: dict[str, Any]) -> Truth:
    first, second = thing["halves_visible"]
    pips = thing["pips_px"]
    return Truth(
        kind=thing["kind"],
        ends=(thing["ends"][0], thing["ends"][1]),
        corners_px=np.array(thing["corners_px"], np.float32),
        visible=(first + second) / 2,
        halves_visible=(first, second),
        pips_px=None if pips is None else (_points(pips[0]), _points(pips[1])),
    )


def _points(pairs: list[list[float]]) -> np.ndarray:
    return np.array(pairs, np.float32).reshape(-1, 2)


def _scaled(truth: Truth, scale: float) -> Truth:
    pips = truth.pips_px
    return replace(
        truth,
        corners_px=truth.corners_px * np.float32(scale),
        pips_px=None if pips is None else (pips[0] * np.float32(scale), pips[1] * np.float32(scale)),
    )
