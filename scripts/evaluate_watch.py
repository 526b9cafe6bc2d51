"""How well games are followed: made films (`--films`, or the plan of twenty, `--plan`), real sequences (`--real`).

Writes CSV, prints every miss.
"""

from __future__ import annotations

import argparse
import csv
import json
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.film_pictures import Painter
from datasets.film_score import FilmScore, score_film
from datasets.film_video import read_video, write_video
from datasets.filmed_rounds import FOULS
from datasets.films import Film, FilmSpec, film_truth, plan_film
from scripts.shared import shared
from server.compose import open_reader, open_watch
from vision.image import read_image
from vision.reader import PhotoReader

RESULTS = Path(__file__).resolve().parent.parent / "models" / "results"


class Moment:
    """A frame's number or name, and the seconds since the first."""

    def __init__(self, frame: int | str, time_s: float) -> None:
        self.frame, self.time_s = frame, time_s


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plan", action="store_true", help="the twenty films that the figures are told of")
    parser.add_argument("--number", type=int, action="append", metavar="N", help="only these of the plan, from 0")
    parser.add_argument("--csv", type=Path, help="where the figures go (default: among the results)")
    parser.add_argument("--films", type=int, default=0, metavar="N", help="films to render and follow")
    parser.add_argument("--seed", type=int, default=9000, help="of the first film")
    parser.add_argument("--fouls", type=int, default=2, help="fouls a film")
    parser.add_argument("--turns", type=int, default=28)
    parser.add_argument("--real", action="store_true", help="the real sequences")
    parser.add_argument("--only", default="", help="real sequences whose name contains this")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    if args.number is not None and args.csv is None:
        parser.error("--number makes a part of the figures: say with --csv where they go")
    cv2.setNumThreads(args.threads)
    reader = open_reader()
    if args.plan:
        wanted = [planned for number, planned in enumerate(PLAN) if args.number is None or number in args.number]
        write(args.csv or RESULTS / "watch_films.csv", [film_row(reader, planned) for planned in wanted])
    if args.films:
        planned = [Planned(args.seed + number, fouls_of(args.seed + number, args.fouls), args.turns)
                   for number in range(args.films)]
        write(args.csv or RESULTS / "watch_films.csv", [film_row(reader, one) for one in planned])
    if args.real:
        write(args.csv or RESULTS / "watch_real.csv", real_rows(reader, args.only))


@dataclass(frozen=True, slots=True)
class Planned:
    """A film of the plan. `video`: a real file at five frames a second, else one picture a turn."""

    seed: int
    fouls: tuple[str, ...]
    turns: int = 30
    video: bool = False


def fouls_of(seed: int, count: int) -> tuple[str, ...]:
    """Kinds of fouls, drawn from a film's seed."""
    order = np.random.default_rng(seed).permutation(len(FOULS))
    return tuple(FOULS[int(place)] for place in order[:count])


PLAN = tuple(
    # Every kind of foul comes up in turn, so that each is in several films.
    Planned(9100 + number, tuple(FOULS[(3 * number + step) % len(FOULS)] for step in range(3)), 34, number >= 17)
    for number in range(20)
)


def film_row(reader: PhotoReader, planned: Planned) -> dict[str, Any]:
    """One film made, followed and scored."""
    film = plan_film(planned.seed, FilmSpec(turns=planned.turns, fouls=planned.fouls))
    if planned.video:
        truth, events, numbers, slowest = follow_video(reader, film)
    else:
        events, slowest = follow_film(reader, film)
        truth, numbers = film_truth(film), {frame.number: frame.number for frame in film.frames}
    score, notes = score_film(truth, events, numbers)
    for note in notes:
        print(f"film {planned.seed}: {note}", flush=True)
    row = {"film": planned.seed, "kind": "video" if planned.video else "pictures", "model": reader.model_id,
           "frames": len(numbers), "slowest_s": round(slowest, 2)}
    row |= {field.name: getattr(score, field.name) for field in fields(FilmScore)}
    print(row, flush=True)
    return row


def follow_film(reader: PhotoReader, film: Film) -> tuple[list[dict[str, Any]], float]:
    """The events of a film, every frame taken as settled, and the seconds that the slowest picture took."""
    watch = open_watch(reader, film.spec.seats, film.first, film.spec.set_size)
    events, slowest = [], 0.0
    for frame, image in Painter.of(film).frames():
        start = time.perf_counter()
        told = watch.settled(through_jpeg(image), Moment(frame.number, float(frame.number)))  # type: ignore[arg-type]
        slowest = max(slowest, time.perf_counter() - start)
        events += [event.as_json() for event in told]
    return events, slowest


def follow_video(
    reader: PhotoReader, film: Film
) -> tuple[dict[str, Any], list[dict[str, Any]], dict[int, int], float]:
    """Truth, events, the part of each frame and the slowest frame of a film written as a video."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.avi"
        video = write_video(film, path)
        watch = open_watch(reader, film.spec.seats, film.first, film.spec.set_size)
        events, slowest = [], 0.0
        for number, time_s, image in read_video(path):
            start = time.perf_counter()
            told = watch.frame(image, Moment(number, time_s))  # type: ignore[arg-type]
            slowest = max(slowest, time.perf_counter() - start)
            events += [event.as_json() for event in told]
    return video.truth, events, video.part_of, slowest


def through_jpeg(image: np.ndarray) -> np.ndarray:
    """As a camera would hand it over."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))


def real_rows(reader: PhotoReader, only: str) -> list[dict[str, Any]]:
    """New tiles told exactly, in value and place, a row each sequence."""
    sequences: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for entry in json.loads(shared("real", "sequences.json").read_text("utf-8")):
        if only in entry["sequence"]:
            sequences[entry["sequence"]].append(entry)
    rows = []
    for name, entries in sequences.items():
        watch = open_watch(reader, (), None, entries[0]["set"], free=True)
        new = exact = extra = 0
        for number, entry in enumerate(entries):
            events = watch.settled(read_image(shared("real", entry["file"])), Moment(entry["file"], number))  # type: ignore[arg-type]
            told = [event for event in events if event.event == "lay" and event.corrects is None]
            if entry["new_tile"] is None or number == 0:
                extra += len(told) if number else 0
                continue
            new += 1
            right = [event for event in told if _is(event, entry["new_tile"])]
            exact += bool(right)
            extra += len(told) - bool(right)
            if not right or len(told) > 1:
                seen = [(event.tile, round(event.confidence or 0, 2)) for event in told]
                kinds = [event.event for event in events]
                print(f"{entry['file']}: {entry['new_tile']['tile']} told as {seen} {kinds}", flush=True)
        rows.append({"sequence": name, "model": reader.model_id, "new": new, "exact": exact, "extra": extra})
        print(rows[-1], flush=True)
    return rows


def _is(event: Any, true: dict[str, Any]) -> bool:
    if sorted(event.tile) != sorted(true["tile"]) or "quad" not in true:
        return sorted(event.tile) == sorted(true["tile"])  # where it lies is not known of every sequence
    quad = np.array(true["quad"])
    length = max(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1]))
    apart = float(np.linalg.norm(np.array(event.corners_px).mean(0) - quad.mean(0)))
    return apart < 0.35 * float(length)


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    """As CSV with a last row of sums."""
    if not rows:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    names = list(rows[0])
    total = {name: sum(row[name] for row in rows) if isinstance(rows[0][name], int) else "" for name in names}
    total[names[0]] = "all"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows([*rows, total])
    print(total)


if __name__ == "__main__":
    main()
