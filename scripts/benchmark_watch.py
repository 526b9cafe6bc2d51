"""What following a table costs: a still table, the time from a hand leaving to the event, and memory over hours.

Everything is measured on a made film with the reader of this installation, in processor time, so that other programs
on the machine don't count. Exit code 1 if a figure misses its target.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.film_pictures import Painter
from datasets.films import Film, FilmSpec, Frame, plan_film
from server.compose import open_reader, open_watch

STILL_SHARE, EVENT_S, GROWTH_MB = 0.05, 1.5, 40.0
"""Targets: share of one core at two frames a second, seconds to the event, megabytes in three hours."""
_A_SECOND = 2.0
_MOVING_A_SECOND = 8.0
_WARM = 40


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=9003, help="of the film")
    parser.add_argument("--turns", type=int, default=6, help="turns laid before the table lies still")
    parser.add_argument("--still", type=int, default=200, help="frames of a still table that are timed")
    parser.add_argument("--hours", type=float, default=3.0, help="hours' worth of frames for the memory")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(words)
    cv2.setNumThreads(1)
    film = plan_film(args.seed, FilmSpec(turns=max(6, args.turns), hands=0.0, still=0.0, bumps=0, lamps=0))
    figures = measure(film, args.turns, args.still, args.hours)
    print(json.dumps(figures) if args.json else "\n".join(f"{name}: {value}" for name, value in figures.items()))
    met = figures["still_share"] < STILL_SHARE and figures["event_s"] < EVENT_S
    return 0 if met and figures["growth_mb"] < GROWTH_MB else 1


def measure(film: Film, turns: int, still: int, hours: float) -> dict[str, float]:
    """The figures of one film."""
    painter = Painter.of(film)
    frames = [(frame, painter.paint(frame)) for frame in film.frames[: turns + 1]]
    run = open_watch(open_reader(), film.spec.seats, film.first, film.spec.set_size)
    clock = Clock()
    slowest = max(_until_told(run, clock, frame, image) for frame, image in frames)
    share = _still_share(run, clock, frames[-1][1], still)
    growth, count = _growth(run, clock, frames[-1][1], hours)
    return {"still_share": round(share, 4), "event_s": round(slowest, 2), "growth_mb": round(growth, 1),
            "frames": count, "width": film.spec.size[0]}


class Clock:
    """Frame numbers and the time in the film."""

    def __init__(self) -> None:
        self.frame, self.time_s = 0, 0.0

    def after(self, seconds: float) -> Clock:
        """A moment later."""
        later = Clock()
        self.frame, self.time_s = self.frame + 1, self.time_s + seconds
        later.frame, later.time_s = self.frame, self.time_s
        return later


def _until_told(run: Any, clock: Clock, frame: Frame, image: np.ndarray) -> float:
    """Seconds from the first frame without the hand to the events: waiting for rest, and the processor's work."""
    for step in range(4):
        run.frame(_with_hand(image, step), clock.after(1 / _MOVING_A_SECOND))
    start, worked = clock.time_s, 0.0
    for _ in range(40):
        noisy = _noisy(image)
        moment = clock.after(1 / _MOVING_A_SECOND)
        begun = time.process_time()
        told = run.frame(noisy, moment)
        worked += time.process_time() - begun
        if told and frame.number:
            return clock.time_s - start + worked
    return 0.0


def _still_share(run: Any, clock: Clock, image: np.ndarray, count: int) -> float:
    """Processor time of a frame of a still table, as a share of the time until the next; decoding it included."""
    coded = [cv2.imencode(".jpg", _noisy(image), [cv2.IMWRITE_JPEG_QUALITY, 90])[1] for _ in range(8)]
    spent = 0.0
    for number in range(_WARM + count):
        moment = clock.after(1 / _A_SECOND)
        begun = time.process_time()
        told = run.frame(np.asarray(cv2.imdecode(coded[number % 8], cv2.IMREAD_COLOR)), moment)
        if number >= _WARM:
            spent += time.process_time() - begun
            assert not told, f"a still table told {told}"
    return spent / count * _A_SECOND


def _growth(run: Any, clock: Clock, image: np.ndarray, hours: float) -> tuple[float, int]:
    """Megabytes that the process grew by over so many hours' worth of frames; a hand comes by now and then."""
    few = [_noisy(image) for _ in range(8)]
    hands = [_with_hand(image, step) for step in range(4)]
    count = int(hours * 3600 * _A_SECOND)
    before = 0.0
    for number in range(count + _WARM):
        if number == _WARM:
            before = _resident_mb()
        by = number % 500
        run.frame(hands[by] if by < 4 else few[number % 8], clock.after(1 / _A_SECOND))
    return _resident_mb() - before, count


def _noisy(image: np.ndarray) -> np.ndarray:
    """A frame of a camera: the same picture with fresh noise."""
    height, width = image.shape[:2]
    noise = np.zeros((height, width, 3), np.int16)
    cv2.randn(noise, 0, 2)
    return np.asarray(np.clip(image.astype(np.int16) + noise, 0, 255), np.uint8)


def _with_hand(image: np.ndarray, step: int) -> np.ndarray:
    """An arm that reaches in from the rim."""
    height, width = image.shape[:2]
    tip = int(width * (0.5 + 0.08 * step)), int(height * (0.45 + 0.05 * step))
    return np.asarray(cv2.line(image.copy(), tip, (width - 1, height - 1), (90, 120, 170), height // 8))


def _resident_mb() -> float:
    """Memory that the process holds."""
    status = Path("/proc/self/statm")
    if not status.exists():
        return 0.0
    return int(status.read_text().split()[1]) * 4096 / 1e6


if __name__ == "__main__":
    sys.exit(main())
