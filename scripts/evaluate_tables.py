"""Measure table reading in the units of the game: one CSV row a picture, a summary on the screen.

Four sorts of pictures: `made` (fast compositor, from seeds), `folder` (pictures with truth made before, such as
path-traced ones), `real` (photographs of kinds table and table+hand) and `sequences` (the last pictures of games
that were photographed move by move, tiles with their places). A made table is `exact` when starting double, every
train, every value and every marker is right, and `silent` when it is not and no doubt is told. A photograph is
`exact` when every tile is right, and its `chain` is 1 when everything joined, and nothing else, is read as joined, in
order (see `datasets.chains`); where nobody wrote down what is joined, it is empty.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.chains import Joined, joined_as_read, known_chains
from datasets.compare_tables import Comparison, compare
from datasets.grounds import GroundBank
from datasets.legible import illegible_halves
from datasets.tables import TableSpec, paint_table, truth_of
from scripts.evaluate import compare as compare_tiles
from scripts.loading import load_reader
from scripts.shared import shared
from vision.annotate_table import annotated_table
from vision.image import read_image
from vision.layout import LayoutOptions, read_layout
from vision.reader import PhotoReader, ReadOptions
from vision.table_reading import TableReading
from vision.tiles import BgrImage, PhotoReading

RESULTS = Path(__file__).resolve().parents[1] / "models" / "results"

Row = dict[str, Any]


def made(seed: int, count: int, spec: TableSpec) -> Iterator[tuple[str, BgrImage, Row]]:
    """Fast-rendered tables that nothing was trained on, if the seed is kept for that."""
    for number in range(seed, seed + count):
        rng = np.random.default_rng(number)
        view, scene = paint_table(rng, GroundBank(rng, 2), spec)
        yield f"seed {number}", scene.image, truth_of(view, scene) | {"illegible": illegible_halves(scene)}


def stored(folder: Path) -> Iterator[tuple[str, BgrImage, Row]]:
    """Pictures with truth beside them."""
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text("utf-8"))
        yield path.stem, read_image(path.with_name(truth["path"])), truth


def found_of(truth: Row, things: Any, role: str) -> tuple[int, int, int]:
    """(there, missed, invented) of face-down tiles or markers, by place."""
    if role == "marker":
        real = [np.array(marker["centre_px"]) for marker in truth["markers"]]
    else:
        real = [np.mean(tile["corners_px"], axis=0) for tile in truth["tiles"] if tile["role"] == role]
    left = [thing.corners_px.mean(0) for thing in things]
    there, missed = len(real), 0
    for place in real:
        near = [index for index, seen in enumerate(left) if np.linalg.norm(seen - place) < 0.5 * truth["tile_px"]]
        if near:
            left.pop(near[0])
        else:
            missed += 1
    return there, missed, len(left)


def row_of(name: str, truth: Row, seen: PhotoReading, reading: TableReading, result: Comparison) -> Row:
    """One made picture's row."""
    told = [marker.sighting for marker in reading.markers]
    markers, face_down = found_of(truth, told, "marker"), found_of(truth, seen.face_down, "face_down")
    return {
        "picture": name,
        "set": truth["set"],
        "tile_px": truth["tile_px"],
        "laid": result.tiles,
        "illegible_halves": truth.get("illegible", 0),
        "exact": int(result.exact),
        "structure": int(result.structure),
        "silent": int(not result.exact and not reading.doubts),
        "doubts": len(reading.doubts),
        "wrong_tiles": result.wrong_values,
        "missed": result.missed,
        "invented": result.invented,
        "joins_wrong": result.wrong_joins,
        "markers": markers[0],
        "markers_missed": markers[1],
        "markers_invented": markers[2],
        "markers_wrong": result.markers_wrong,
        "face_down": face_down[0],
        "face_down_missed": face_down[1],
        "findings": len(truth["findings"]),
        "findings_missed": len(result.findings_missed),
        "findings_invented": len(result.findings_invented),
        **{f"ms_{stage}": round(ms, 1) for stage, ms in reading.ms.items()},
    }


def real_row(entry: Row, seen: PhotoReading, reading: TableReading, joined: Joined | None) -> Row:
    """One photograph's row: tiles by value, and whether what lies joined was read so."""
    wrong, missed, invented = compare_tiles(entry["tiles"], [tile.ends for tile in seen.tiles])
    in_lines = sum(len(list(train.all_tile_ids)) for train in reading.trains) + (reading.starting_tile is not None)
    return {
        "picture": entry["file"],
        "source": entry["file"].split("/")[0],
        "laid": len(entry["tiles"]),
        "exact": int(not wrong and not missed and not invented),
        "chain": "" if joined is None else int(joined_as_read(reading) == joined),
        "wrong_tiles": wrong,
        "missed": missed,
        "invented": invented,
        "in_lines": in_lines,
        "lines": sum(1 + len(train.limbs) for train in reading.trains if train.line.tile_ids),
        "joins_wrong": sum(note.code == "ends_differ" for note in reading.findings),
        "doubts": len(reading.doubts),
        **{f"ms_{stage}": round(ms, 1) for stage, ms in reading.ms.items()},
    }


def sequence_row(entry: Row, seen: PhotoReading) -> Row:
    """The row of a game's last picture: tiles by place. What is read elsewhere is invented."""
    places = np.array(entry["quads"], np.float64).mean(1)
    left = {index: np.array(tile.centre_px) for index, tile in enumerate(seen.tiles)}
    missed, wrong, doubtful = 0, 0, 0
    for place, tile, quad in zip(places, entry["tiles"], entry["quads"], strict=True):
        reach = 0.4 * float(np.linalg.norm(np.subtract(quad[1], quad[2])))
        near = min(left, key=lambda index: float(np.linalg.norm(left[index] - place)), default=None)
        if near is None or np.linalg.norm(left[near] - place) > reach:
            missed += 1
            continue
        del left[near]
        sighting = seen.tiles[near]
        wrong += sorted(map(str, sighting.ends)) != sorted(map(str, tile))
        doubtful += sighting.doubtful
    return {
        "picture": entry["file"],
        "source": entry["file"].split("/")[0],
        "laid": len(entry["tiles"]),
        "exact": int(not wrong and not missed and not left),
        "wrong_tiles": wrong,
        "missed": missed,
        "invented": len(left),
        "doubts": doubtful,
        **{f"ms_{stage}": round(ms, 1) for stage, ms in seen.ms.items()},
    }


def last_of_sequences() -> list[Row]:
    """The last picture of each game of free placement."""
    entries: list[Row] = json.loads(shared("real", "sequences.json").read_text("utf-8"))
    last = {entry["sequence"]: entry for entry in entries if entry["file"].startswith("teal_board_games/")}
    return list(last.values())


def summary(rows: list[Row]) -> str:
    """What the table of results says, in one paragraph."""
    if not rows:
        return "no pictures"
    figures = [key for key, value in rows[0].items() if isinstance(value, (int, float)) and key != "chain"]
    total = {key: sum(row[key] for row in rows) for key in figures}
    clear = sum(row["doubts"] == 0 for row in rows)
    # A photograph's truth says nothing of what a doubt is worth.
    silent = f", {total['silent']} silently wrong" if "silent" in total else ""
    lines = [f"{len(rows)} pictures, {total['exact']} exact, {clear} without doubt{silent}"]
    known = [row for row in rows if row.get("chain", "") != ""]
    if known:
        right = sum(row["chain"] for row in known)
        both = sum(row["chain"] and row["exact"] for row in known)
        lines.append(f"chains {len(known)}: {right} in the right order, {both} with every tile right too")
    lines.append(
        f"tiles {total['laid']}: wrong {total['wrong_tiles']}, missed {total['missed']}, invented {total['invented']}"
    )
    if total.get("illegible_halves"):
        clear = [row for row in rows if not row["illegible_halves"]]
        exact, silent = (sum(row[key] for row in clear) for key in ("exact", "silent"))
        lines.append(
            f"tables on which every half can be read (datasets.legible) {len(clear)}: {exact} exact, "
            f"{silent} silently wrong"
        )
    if "markers" in total:
        lines.append(
            f"markers {total['markers']}: missed {total['markers_missed']}, invented {total['markers_invented']}; "
            f"findings {total['findings']}: missed {total['findings_missed']}, invented {total['findings_invented']}"
        )
    stages = [key for key in total if key.startswith("ms_")]
    lines.append(", ".join(f"{key[3:]} {total[key] / len(rows):.0f} ms" for key in stages))
    return "\n".join(lines)


def _write(path: Path, rows: list[Row]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, list(rows[0]), restval=0)
        writer.writeheader()
        writer.writerows(rows)


def _keep_picture(folder: Path | None, name: str, image: BgrImage, reading: TableReading) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(folder / f"{name.replace('/', '_').replace(' ', '_')}.jpg"), annotated_table(image, reading))


Read = Callable[[BgrImage, int, bool], tuple[PhotoReading, TableReading]]


def read_with(reader: PhotoReader) -> Read:
    """A picture of a set (highest value, mixed or not), read and laid out."""

    def read(image: BgrImage, set_size: int, mixed: bool) -> tuple[PhotoReading, TableReading]:
        seen = reader.read(image, ReadOptions(set_size, mixed))
        return seen, read_layout(seen, LayoutOptions(set_size, mixed, settle=True))

    return read


def real_rows(read: Read, overlays: Path | None) -> Iterator[Row]:
    """Photographs of tables."""
    chains = known_chains()
    for entry in json.loads(shared("real", "truth.json").read_text("utf-8")):
        if entry["kind"] not in ("table", "table+hand"):
            continue
        image = read_image(shared("real", entry["file"]))
        seen, reading = read(image, ReadOptions().set_size, False)
        row = real_row(entry, seen, reading, chains.get(entry["file"]))
        if not row["exact"] or row["joins_wrong"] or row["chain"] == 0:
            _keep_picture(overlays, entry["file"], image, reading)
        yield row


def sequence_rows(read: Read, overlays: Path | None) -> Iterator[Row]:
    """Last pictures of games; that board is played with two sets."""
    for entry in last_of_sequences():
        image = read_image(shared("real", entry["file"]))
        seen, reading = read(image, entry["set"], True)
        _keep_picture(overlays, entry["file"], image, reading)
        yield sequence_row(entry, seen)


def made_rows(read: Read, pictures: Iterable[tuple[str, BgrImage, Row]], overlays: Path | None) -> Iterator[Row]:
    """Pictures with whole truths."""
    for name, image, truth in pictures:
        seen, reading = read(image, truth["set"], False)
        result = compare(truth, reading)
        if not result.exact:
            _keep_picture(overlays, name, image, reading)
        problems = {"problems": result.problems, "told": [note.code for note in reading.doubts]}
        yield row_of(name, truth, seen, reading, result) | problems


def main() -> None:
    """Read every picture and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=900_000, help="first seed of the made tables")
    parser.add_argument("--count", type=int, default=200, help="made tables; 0 for none")
    parser.add_argument("--faults", nargs="*", default=(), help="faults laid on purpose")
    parser.add_argument("--folder", type=Path, help="pictures with truth beside them")
    parser.add_argument("--real", action="store_true", help="the photographs, where they are at hand")
    parser.add_argument("--sequences", action="store_true", help="last pictures of photographed games")
    parser.add_argument("--models", type=Path, help="folder of the ONNX files (default: the shipped ones)")
    parser.add_argument("--csv", type=Path, help=f"where the rows go (default: in {RESULTS.name}/)")
    parser.add_argument("--overlays", type=Path, help="folder for pictures of tables that were not exact")
    parser.add_argument("--verbose", action="store_true", help="say what is wrong with each table")
    args = parser.parse_args()
    read = read_with(load_reader(args.models))
    if args.real:
        which, found = "tables_real", real_rows(read, args.overlays)
    elif args.sequences:
        which, found = "tables_sequences", sequence_rows(read, args.overlays)
    else:
        which = "tables_stored" if args.folder else "tables_made"
        spec = TableSpec(faults=tuple(args.faults))
        pictures = stored(args.folder) if args.folder else made(args.seed, args.count, spec)
        found = made_rows(read, pictures, args.overlays)
    rows: list[Row] = []
    for row in found:
        told = {key: row.pop(key, []) for key in ("problems", "told")}
        rows.append(row)
        if args.verbose and not row["exact"]:
            print(*(row["picture"], *told.values()) if told["problems"] else row.values(), flush=True)
    if rows:
        _write(args.csv or RESULTS / f"{which}.csv", rows)
    print(summary(rows))


if __name__ == "__main__":
    main()
