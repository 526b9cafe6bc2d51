"""How well games are followed: rendered films (`--films`), real sequences (`--real`). Writes CSV, prints every miss."""

from __future__ import annotations

import argparse
import csv
import json
import os
import time
from collections import defaultdict
from dataclasses import fields
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.film_pictures import Painter
from datasets.film_score import FilmScore, score_film
from datasets.filmed_rounds import FOULS
from datasets.films import Film, FilmSpec, film_truth, plan_film
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
    parser.add_argument("--films", type=int, default=0, metavar="N", help="films to render and follow")
    parser.add_argument("--seed", type=int, default=9000, help="of the first film")
    parser.add_argument("--fouls", type=int, default=2, help="fouls a film")
    parser.add_argument("--turns", type=int, default=28)
    parser.add_argument("--real", action="store_true", help="the real sequences")
    parser.add_argument("--only", default="", help="real sequences whose name contains this")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(args.threads)
    reader = open_reader()
    if args.films:
        rows = [film_row(reader, args.seed + number, args) for number in range(args.films)]
        write(RESULTS / "watch_films.csv", rows)
    if args.real:
        write(RESULTS / "watch_real.csv", real_rows(reader, args.only))


def film_row(reader: PhotoReader, seed: int, args: argparse.Namespace) -> dict[str, Any]:
    """One film rendered, followed and scored."""
    rng = np.random.default_rng(seed)
    kinds = tuple(FOULS[int(place)] for place in rng.permutation(len(FOULS))[: args.fouls])
    film = plan_film(seed, FilmSpec(turns=args.turns, fouls=kinds))
    events, slowest = follow_film(reader, film)
    numbers = {frame.number: frame.number for frame in film.frames}
    score, notes = score_film(film_truth(film), events, numbers)
    for note in notes:
        print(f"film {seed}: {note}", flush=True)
    row = {"film": seed, "model": reader.model_id, "frames": len(film.frames), "slowest_s": round(slowest, 2)}
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


def through_jpeg(image: np.ndarray) -> np.ndarray:
    """As a camera would hand it over."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))


def real_rows(reader: PhotoReader, only: str) -> list[dict[str, Any]]:
    """New tiles told exactly, in value and place, a row each sequence."""
    shared = Path(os.environ.get("STATIONMASTER_SHARED", Path(__file__).resolve().parents[2] / "shared")) / "real"
    sequences: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for entry in json.loads((shared / "sequences.json").read_text("utf-8")):
        if only in entry["sequence"]:
            sequences[entry["sequence"]].append(entry)
    rows = []
    for name, entries in sequences.items():
        watch = open_watch(reader, (), None, entries[0]["set"], free=True)
        new = exact = extra = 0
        for number, entry in enumerate(entries):
            events = watch.settled(read_image(shared / entry["file"]), Moment(entry["file"], number))  # type: ignore[arg-type]
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
