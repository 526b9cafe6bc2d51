"""A reader that looks at drawn films through a browser's camera, and the file that Chromium takes for one.

What a camera and a JPEG make of a drawing is no longer exact to the pixel: where a part lies is told from its mean
blue and green, and what lies there from its red.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from datasets.films import Film, Frame, seen_corners, table_truth
from datasets.simulate import simulate
from tests.server.film_fakes import KnowingReader, draw
from vision.reader import ReadOptions
from vision.tiles import BgrImage, PhotoReading

_CELL = 4
_RED = 135.0


@dataclass
class LookingReader(KnowingReader):
    """Reads drawings exactly as `KnowingReader` does, and looks where they went through a camera."""

    def read(self, image: BgrImage, options: ReadOptions) -> PhotoReading:
        """What lies in this part of the picture."""
        if self.frame is not None and _untouched(image):
            return super().read(image, options)
        self.reads += 1
        last = self.film.frames[-1]
        seen = simulate(np.random.default_rng(self.reads), table_truth(self.film, last), self.noise)
        height, width = image.shape[:2]
        whole = (width, height) == self.film.spec.size
        offset = np.zeros(2, np.float32) if whole else _offset(image)
        tiles = []
        for sighting, number in zip(seen.reading.tiles, seen.truth_ids, strict=True):
            corners = (seen_corners(self.film, replace(last, turn_deg=0.0), self.film.places[number]) - offset)
            if (corners >= 0).all() and (corners < [width, height]).all() and _red(image, corners) > _RED:
                tiles.append(replace(sighting, corners_px=(sighting.corners_px - offset).astype(np.float32)))
        return replace(seen.reading, tiles=tuple(tiles), markers=(), size_wh=(width, height))


def _untouched(image: BgrImage) -> bool:
    """Exactly as it was drawn: blue grows by one every few pixels, and green stands still along a row."""
    steps = np.diff(image[0, :, 0].astype(int))
    return bool(set(steps.tolist()) <= {0, 1} and (image[0, :, 1] == image[0, 0, 1]).all())


def _offset(image: BgrImage) -> np.ndarray:
    height, width = image.shape[:2]
    mean = image[..., :2].reshape(-1, 2).mean(0) * _CELL + (_CELL - 1) / 2
    return np.asarray(mean - [(width - 1) / 2, (height - 1) / 2], np.float32)


def _red(image: BgrImage, corners: np.ndarray) -> float:
    mask = np.zeros(image.shape[:2], np.uint8)
    middle = corners.mean(0)
    cv2.fillConvexPoly(mask, np.round(middle + (corners - middle) * 0.7).astype(np.int32), 1)
    return float(np.median(image[..., 2][mask > 0]))


def camera_file(path: Path, film: Film, shown: list[tuple[Frame, int]], per_second: int = 2) -> Path:
    """A film for Chromium's fake camera (Y4M): each frame for so many seconds, with a sensor's noise."""
    width, height = film.spec.size
    rng = np.random.default_rng(1)
    with path.open("wb") as file:
        file.write(f"YUV4MPEG2 W{width} H{height} F{per_second}:1 Ip A1:1 C420jpeg\n".encode())
        for frame, seconds in shown:
            planes = cv2.cvtColor(draw(film, frame), cv2.COLOR_BGR2YUV_I420)
            for _ in range(seconds * per_second):
                noise = rng.integers(-1, 2, (height, width), np.int16)
                noisy = planes.copy()
                noisy[:height] = np.clip(planes[:height] + noise, 0, 255)
                file.write(b"FRAME\n" + noisy.tobytes())
    return path
