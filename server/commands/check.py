"""`stationmaster check`: reads a bundled photo and compares with the known answer."""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any

from server import compose
from server.hands import HandRules, open_or_explain, total_of
from server.messages import counted, sentence
from vision.image import read_image
from vision.reader import PhotoReader
from vision.tiles import PhotoReading

Json = dict[str, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """There are none: everything is bundled."""
    del parser


def run(args: argparse.Namespace, opener: Callable[[], PhotoReader] = compose.open_reader) -> int:
    """0 if every tile of the bundled photo is read right, 1 if not."""
    reader = open_or_explain(opener, args.lang)
    folder = files("server") / "check"
    answer: Json = json.loads((folder / "hand.json").read_text("utf-8"))
    rules = HandRules(set_size=answer["set"])
    start = time.perf_counter()
    reading = reader.read(read_image((folder / "hand.jpg").read_bytes()), rules.options)
    found = compared(reading, rules, answer, round((time.perf_counter() - start) * 1000, 1))
    print(json.dumps(found) if args.json else "\n".join(_lines(found, args.lang)))
    return 0 if found["ok"] else 1


def compared(reading: PhotoReading, rules: HandRules, answer: Json, ms: float) -> Json:
    """Reading and answer side by side; `missing` and `extra` hold the tiles in which they differ."""
    expected = Counter(_either_way(ends) for ends in answer["tiles"])
    seen = Counter(_either_way(tile.ends) for tile in reading.tiles)
    total = total_of(reading, rules)
    missing, extra = expected - seen, seen - expected
    return {
        "ok": not missing and not extra and total == answer["total"],
        "total": total,
        "expected": answer["total"],
        "tiles": len(reading.tiles),
        "doubtful": reading.doubtful,
        "missing": [list(ends) for ends in missing.elements()],
        "extra": [list(ends) for ends in extra.elements()],
        "model": reading.model_id,
        "ms": ms,
    }


def _either_way(ends: Sequence[int | None]) -> tuple[int | None, ...]:
    """The same for both ways round; an unreadable half (`None`) last."""
    return tuple(sorted(ends, key=lambda end: (end is None, end or 0)))


def _lines(found: Json, language: str) -> list[str]:
    if found["ok"]:
        tiles = counted("score.tiles", found["tiles"], language)
        params = {"tiles": tiles, "total": found["total"], "ms": round(found["ms"])}
        return [sentence("check.passed", params, language)]
    lines = [sentence("check.failed", {"total": found["total"], "expected": found["expected"]}, language)]
    for key, code in (("missing", "not_found"), ("extra", "not_there")):
        if found[key]:
            names = ", ".join("-".join("?" if end is None else str(end) for end in tile) for tile in found[key])
            lines.append(sentence(f"check.{code}", {"tiles": names}, language))
    return lines
