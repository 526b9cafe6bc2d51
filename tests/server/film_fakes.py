"""Films without painting or networks: flat drawings, and a reader that knows what was drawn.

Blue and green of every pixel tell where it is, so that the reader knows which part of a picture it was handed; what
lies there is drawn in red alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from datasets.films import Film, FilmSpec, Frame, bump_matrix, film_truth, plan_film, seen_corners, table_truth
from datasets.simulate import Noise, simulate
from server.watch_events import Moment
from server.watch_run import WatchRun
from server.watching import WatchOptions
from vision.reader import ReadOptions
from vision.tiles import BgrImage, PhotoReading, TileSighting

SIZE = (1000, 600)
_CELL = 4


def small_film(seed: int, **changes: Any) -> Film:
    """A film of a small picture."""
    spec = {"size": SIZE, "turns": 20, "tile_px": 30.0, "bumps": 0, "lamps": 0, **changes}
    return plan_film(seed, FilmSpec(**spec))


def draw(film: Film, frame: Frame, light: float = 1.0) -> BgrImage:
    """A frame as flat shapes."""
    width, height = film.spec.size
    red = np.full((height, width), 70.0, np.float32)
    for number, place in enumerate(film.places[: frame.laid]):
        quad = np.round(seen_corners(film, frame, place)).astype(np.int32)
        cv2.fillConvexPoly(red, quad, 200.0)
        cv2.circle(red, tuple(int(v) for v in quad.mean(0)), 4, float(number * 37 % 190), -1)
    for _, place in frame.markers:
        cv2.fillConvexPoly(red, np.round(seen_corners(film, frame, place)).astype(np.int32), 20.0)
    if frame.kind == "hand":
        middle = np.array([width / 2, height / 2 - 20 + 9 * (frame.number % 8)])
        cv2.line(red, (int(middle[0]), int(middle[1])), (width - 1, height - 1 - 3 * (frame.number % 9)), 130.0, 60)
    red = np.clip(red * light, 0, 255)
    x, y = np.meshgrid(np.arange(width) // _CELL, np.arange(height) // _CELL)
    return np.stack([x, y, red], axis=2).astype(np.uint8)


@dataclass
class KnowingReader:
    """Reads a frame from its truth, with a reader's noise."""

    film: Film
    noise: Noise = field(default_factory=lambda: Noise(jitter_px=0.7))
    frame: Frame | None = None
    model_id: str = "knowing"
    reads: int = 0
    wrong: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Tiles by number that are read as something else, unsurely."""
    dim: bool = False
    """Nothing can be read."""

    def read(self, image: BgrImage, options: ReadOptions) -> PhotoReading:
        """What lies in this part of the picture."""
        del options
        assert self.frame is not None
        self.reads += 1
        offset = np.array([int(image[0, 0, 0]) * _CELL, int(image[0, 0, 1]) * _CELL], np.float32)
        rng = np.random.default_rng((self.frame.number, self.reads))
        seen = simulate(rng, table_truth(self.film, self.frame), self.noise)
        tiles = [
            self._misread(sighting, number) for sighting, number in zip(seen.reading.tiles, seen.truth_ids, strict=True)
        ]

        def inside(sighting: TileSighting) -> TileSighting | None:
            corners = sighting.corners_px - offset
            fits = (corners >= 0).all() and (corners < [image.shape[1], image.shape[0]]).all()
            return replace(sighting, corners_px=corners.astype(np.float32)) if fits else None

        return replace(
            seen.reading,
            tiles=tuple(found for found in map(inside, tiles) if found is not None),
            markers=tuple(found for found in map(inside, seen.reading.markers) if found is not None),
        )

    def _misread(self, sighting: TileSighting, number: int) -> TileSighting:
        ends = self.wrong.get(number)
        if self.dim:
            flat = 0.55 * sighting.probabilities + 0.45 / 19
            return replace(sighting, probabilities=np.asarray(flat, np.float32), confidence=0.3)
        if ends is None:
            return sighting
        true = sorted(x for x in sighting.ends if x is not None)
        rows = np.zeros((2, 19), np.float32)
        for half, value in enumerate(ends):
            rows[half, value] += 0.6
            rows[half, true[half]] += 0.38
        return replace(sighting, ends=ends, probabilities=rows, confidence=0.6)


def follow(film: Film, light: dict[int, float] | None = None, **options: Any) -> list[dict[str, Any]]:
    """Every frame as settled; the events as JSON."""
    run, reader = watch_of(film, **options)
    events = []
    for frame in film.frames:
        reader.frame = frame
        image = draw(film, frame, (light or {}).get(frame.number, 1.0))
        events += [event.as_json() for event in run.settled(image, Moment(frame.number, float(frame.number)))]
    return events


def watch_of(film: Film, **options: Any) -> tuple[WatchRun, KnowingReader]:
    """A watch of a film with its knowing reader."""
    reader = KnowingReader(film)
    first = options.pop("first", film.first)
    return WatchRun(reader, WatchOptions(film.spec.seats, first, **options)), reader


__all__ = ["bump_matrix", "draw", "film_truth", "follow", "small_film", "watch_of"]
