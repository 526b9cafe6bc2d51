"""A planned film as a real video file: five frames a second, an arm that comes and goes before every turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets import clutter
from datasets.film_pictures import Painter
from datasets.films import Film, film_truth

Json = dict[str, Any]
RATE = 5.0
_ARM, _REST = 4, 7
"""Frames in which the arm moves, and frames of rest after it."""
_NOISE = 2.0


@dataclass(slots=True)
class Video:
    """Where the parts of a video lie in it: `truth` has a frame for each part, `part_of` the part of each frame."""

    truth: Json
    part_of: dict[int, int] = field(default_factory=dict)


def write_video(film: Film, path: Path) -> Video:
    """Write the film as Motion JPEG. Raises `OSError` if it can't be written."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), RATE, film.spec.size)
    if not writer.isOpened():
        raise OSError(f"{path} can't be written")
    video = Video({**film_truth(film), "frames": []})
    number = 0
    for kind, events, images in _parts(film):
        part = len(video.truth["frames"])
        video.truth["frames"].append({"frame": part, "kind": kind, "events": events})
        for image in images:
            writer.write(image)
            video.part_of[number] = part
            number += 1
    writer.release()
    return video


def read_video(path: Path) -> Iterator[tuple[int, float, np.ndarray]]:
    """Frames with their numbers and times."""
    film = cv2.VideoCapture(str(path))
    try:
        number = 0
        while True:
            good, image = film.read()
            if not good:
                return
            yield number, number / RATE, np.asarray(image)
            number += 1
    finally:
        film.release()


def _parts(film: Film) -> Iterator[tuple[str, list[Json], list[np.ndarray]]]:
    """Before each frame an arm over the table as it was, then the frame at rest."""
    before: np.ndarray | None = None
    for frame, image in Painter.of(film).frames():
        rng = np.random.default_rng((film.seed, 13, frame.number))
        if frame.kind == "hand":
            yield "hand", [], [_noisy(rng, image) for _ in range(_REST)]
            continue
        if before is not None and frame.kind == "settled":
            yield "hand", [], [_noisy(rng, _arm(rng, before, film.tile_px)) for _ in range(_ARM)]
        yield frame.kind, list(frame.events), [_noisy(rng, image) for _ in range(_REST)]
        before = image


def _arm(rng: np.random.Generator, image: np.ndarray, tile_px: float) -> np.ndarray:
    covered = image.copy()
    clutter.paint_hand(np.random.default_rng(4), covered, clutter.hand_mask(rng, image.shape[:2], tile_px))
    return covered


def _noisy(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    noise = rng.normal(0, _NOISE, (image.shape[0] // 2 + 1, image.shape[1] // 2 + 1, 1)).astype(np.float32)
    noise = np.repeat(np.repeat(noise, 2, 0), 2, 1)[: image.shape[0], : image.shape[1]]
    return np.asarray(np.clip(image + noise, 0, 255), np.uint8)
