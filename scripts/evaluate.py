"""Measure the reader on real photographs in game units: one CSV row a photo, a table per source on the screen.

A photo is `exact` when its total is right, `silent` when the total is wrong and nothing is doubtful, and
`clear` when nothing is doubtful.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from scripts.shared import shared

# Home-made tiles of paper are outside what the reader is for.
LEFT_OUT = ("paper_tiles", "hand_drawn")
MIXED = ("teal_board_sets",)
SURE = 0.99
FIELDS = (
    "file",
    "source",
    "kind",
    "tiles",
    "total",
    "read_total",
    "exact",
    "wrong",
    "missed",
    "invented",
    "doubtful",
    "silent",
)


def compare(truth: list[list[int]], read: list[tuple[int | None, int | None]]) -> tuple[int, int, int]:
    """(wrong, missed, invented): tiles read as others, tiles not found, tiles found that are not there."""
    wanted = Counter((min(t), max(t)) for t in truth)
    seen = Counter((min(t), max(t)) if None not in t else t for t in read)  # type: ignore[type-var]
    lacking, extra = sum((wanted - seen).values()), sum((seen - wanted).values())
    wrong = min(lacking, extra)
    return wrong, lacking - wrong, extra - wrong


def sure_halves(truth: list[list[int]], tiles: Any) -> tuple[int, int]:
    """(halves given `SURE` or more, how many of them are right); values only, places are not known."""
    left = Counter((min(t), max(t)) for t in truth)
    pending, sure, right = [], 0, 0
    for tile in tiles:
        marks = [
            (end, float(row[end]) >= SURE)
            for end, row in zip(tile.ends, tile.probabilities, strict=True)
            if end is not None
        ]
        pair = (min(tile.ends), max(tile.ends)) if len(marks) == 2 else None
        sure += sum(mark for _, mark in marks)
        if pair and left[pair] > 0:
            left[pair] -= 1
            right += sum(mark for _, mark in marks)
        else:
            pending.append(marks)
    # A tile read wrong: credit the halves it shares with a tile that was not accounted for.
    for marks in pending:
        sharing = [pair for pair, count in left.items() if count > 0 and any(end in pair for end, _ in marks)]
        if sharing:
            best = max(sharing, key=lambda pair: sum(end in pair for end, _ in marks))
            left[best] -= 1
            right += sum(mark for end, mark in marks if end in best)
    return sure, right


def row_of(entry: dict[str, Any], reading: Any) -> dict[str, Any]:
    """One photo's row."""
    ends = [tile.ends for tile in reading.tiles]
    total = sum(value or 0 for pair in ends for value in pair)
    wrong, missed, invented = compare(entry["tiles"], ends)
    exact = total == entry["total_pips"]
    sure, right = sure_halves(entry["tiles"], reading.tiles)
    return {
        "file": entry["file"],
        "source": entry["file"].split("/")[0],
        "kind": entry["kind"],
        "tiles": len(entry["tiles"]),
        "total": entry["total_pips"],
        "read_total": total,
        "exact": int(exact),
        "wrong": wrong,
        "missed": missed,
        "invented": invented,
        "doubtful": reading.doubtful,
        "silent": int(not exact and reading.doubtful == 0),
        "sure_halves": sure,
        "sure_right": right,
        **{f"ms_{stage}": ms for stage, ms in reading.ms.items()},
    }


def summary(rows: list[dict[str, Any]]) -> str:
    """A table with one line a source and one for all."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[row["source"]].append(row)
    lines = ["| source | photos | exact total | silently wrong | without doubt | tiles | wrong | missed | invented |"]
    lines.append("|---|---|---|---|---|---|---|---|---|")
    for name, group in [*sorted(groups.items()), ("all", rows)]:
        total = {
            key: sum(row[key] for row in group) for key in ("exact", "silent", "tiles", "wrong", "missed", "invented")
        }
        clear = sum(row["doubtful"] == 0 for row in group)
        lines.append(
            f"| {name} | {len(group)} | {total['exact']} | {total['silent']} | {clear} | {total['tiles']} "
            f"| {total['wrong']} | {total['missed']} | {total['invented']} |"
        )
    sure, right = (sum(row[key] for row in rows) for key in ("sure_halves", "sure_right"))
    lines.append(f"\nHalves given {SURE} or more: {sure}, right: {right}")
    return "\n".join(lines)


def main() -> None:
    """Read every photo and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", default="hand,single", help="kinds of truth.json to read")
    parser.add_argument("--only", default="", help="only files whose name contains this")
    parser.add_argument("--models", type=Path, help="folder of the ONNX files (default: the shipped ones)")
    parser.add_argument("--csv", type=Path, help="write one row a photo here")
    parser.add_argument("--verbose", action="store_true", help="print every photo that is not clear and exact")
    args = parser.parse_args()

    from scripts.loading import load_reader
    from vision.image import read_image
    from vision.reader import ReadOptions

    truth = json.loads(shared("real", "truth.json").read_text())
    reader = load_reader(args.models)
    rows = []
    for entry in truth:
        source = entry["file"].split("/")[0]
        if entry["kind"] not in args.kinds.split(",") or source in LEFT_OUT or args.only not in entry["file"]:
            continue
        # Every photo is read as a player would, with the double-twelve default; only sets that truly repeat
        # tiles are told to be mixed.
        options = ReadOptions(set_size=12, mixed=source in MIXED)
        reading = reader.read(read_image(shared("real", entry["file"])), options)
        rows.append(row_of(entry, reading))
        if args.verbose and (not rows[-1]["exact"] or rows[-1]["doubtful"]):
            print({key: rows[-1][key] for key in FIELDS})
            for tile in reading.tiles:
                if tile.doubts:
                    print("   ", tile.ends, f"{tile.confidence:.2f}", [(d.code, d.params) for d in tile.doubts])
    if args.csv and rows:
        args.csv.parent.mkdir(parents=True, exist_ok=True)
        with args.csv.open("w", newline="") as out:
            writer = csv.DictWriter(out, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    print(summary(rows))


if __name__ == "__main__":
    main()
