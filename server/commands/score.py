"""`stationmaster score PHOTO...`: counts the dominoes on photos of hands."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from engine.tile import SET_SIZES
from server import compose, overlays
from server.hands import (
    Asked,
    Counted,
    Fault,
    HandRules,
    Json,
    asked_for,
    count_photo,
    fault_json,
    lies_as_table,
    open_or_explain,
    photo_json,
)
from server.messages import sentence, shown_name
from server.terminal import Paint, Progress, Summary, photo_lines, summary_line
from vision.reader import PhotoReader

DOUBLE_BLANK = (0, 25, 50)
_FEWEST_ON_TABLE = 7


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="a photo, or a folder of photos")
    add_hand_rules(parser)
    parser.add_argument(
        "--overlay", metavar="OUT.jpg", help="draw what was read; for several photos OUT-name.jpg for each"
    )


def add_hand_rules(parser: argparse.ArgumentParser) -> None:
    """The arguments that say what is played with."""
    parser.add_argument(
        "--set", type=int, choices=SET_SIZES, default=12, dest="set_size", help="highest double (default: %(default)s)"
    )
    parser.add_argument("--mixed", action="store_true", help="tiles of several sets: duplicates are normal")
    parser.add_argument(
        "--double-blank",
        type=int,
        choices=DOUBLE_BLANK,
        default=0,
        help="what the double-blank counts (default: %(default)s)",
    )


@dataclass(slots=True)
class _Run:
    """One call of the command: what was asked for, and what came of it so far."""

    rules: HandRules
    language: str
    as_json: bool
    targets: list[Path] | None
    progress: Progress
    photos: list[Json] = field(default_factory=list)
    total: int = 0
    doubtful: int = 0
    failed: int = 0
    unwritten: int = 0


def run(args: argparse.Namespace, opener: Callable[[], PhotoReader] = compose.open_reader) -> int:
    """Count every photo. 2 if one of them, or an overlay, failed; the others are counted all the same."""
    asked = asked_for(args.photos)
    targets = overlays.targets(args.overlay, asked, args.lang) if args.overlay else None
    reader = open_or_explain(opener, args.lang)
    rules = HandRules(args.set_size, args.mixed, args.double_blank)
    job = _Run(rules, args.lang, args.json, targets, Progress(len(asked), args.lang))
    with job.progress:
        for index, photo in enumerate(asked):
            job.progress.show(index + 1, photo.path)
            _take(job, index, photo, count_photo(photo, reader, rules))
    if job.as_json:
        print(json.dumps({"photos": job.photos, "total": job.total}))
    elif len(asked) > 1:
        counts = Summary(len(asked) - job.failed, job.failed, job.doubtful)
        print(summary_line(counts, job.total, job.language, Paint(sys.stdout)))
    return 2 if job.failed or job.unwritten else 0


def _take(job: _Run, index: int, photo: Asked, outcome: Counted | Fault) -> None:
    """Note what came of one photo, and tell people at once."""
    if isinstance(outcome, Fault):
        job.failed += 1
        job.photos.append(fault_json(photo.path, outcome, job.language))
        _complain(job, f"{shown_name(photo.path)}: {outcome.message(job.language)}")
        return
    entry = photo_json(outcome, job.rules, job.language)
    job.photos.append(entry)
    job.total += entry["total"]
    job.doubtful += entry["doubtful"]
    if not job.as_json:
        job.progress.clear()
        lines = photo_lines(outcome, job.rules, job.language, Paint(sys.stdout))
        if len(outcome.reading.tiles) >= _FEWEST_ON_TABLE and lies_as_table(outcome.reading, job.rules):
            lines.append("  " + sentence("score.table", {}, job.language))
        print("\n".join(lines) + "\n", flush=True)
    if job.targets is not None:
        target = job.targets[index]
        fault = overlays.write(target, outcome, job.rules, job.language)
        if fault is None:
            entry["overlay"] = str(target)
            if not job.as_json:
                print(sentence("score.drawn", {"file": shown_name(str(target))}, job.language) + "\n", flush=True)
        else:
            job.unwritten += 1
            _complain(job, fault.message(job.language))


def _complain(job: _Run, line: str) -> None:
    job.progress.clear()
    print(f"stationmaster: {line}", file=sys.stderr, flush=True)
