"""`stationmaster read PHOTO`: a photo of a game becomes the state of the table."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from engine.errors import RulesError
from engine.presets import PRESETS, load_rules, preset
from engine.rules import Rules
from engine.table import MEXICAN
from engine.tile import SET_SIZES
from server import compose, overlays
from server.diagram import Arm, diagram_svg
from server.errors import UsageError
from server.hands import Asked, Fault, open_or_explain
from server.messages import counted as several
from server.messages import sentence, shown_name, why_not
from server.rulings import line_called
from server.seats import assign_seats
from server.table_json import ReadTable, as_json, kind_of, note_sentence
from server.terminal import BOLD, DIM, RED, YELLOW, Paint, Progress
from vision.annotate_table import annotated_table
from vision.errors import ImageUnreadable
from vision.image import ImageSource, open_image
from vision.layout import read_layout
from vision.mirror import Mirror, handedness, read_upright, reflected
from vision.reader import PhotoReader, ReadOptions
from vision.table_reading import LayoutOptions, LineReading, Note, TableReading, TrainReading


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("photo", metavar="PHOTO", help="a picture of the table")
    parser.add_argument("--set", type=int, default=12, choices=SET_SIZES, dest="set_size", help="highest value")
    parser.add_argument("--mixed", action="store_true", help="tiles of several sets: the same tile may lie there twice")
    parser.add_argument("--mirrored", action="store_true", help="the picture is mirrored, as selfie cameras make them")
    parser.add_argument(
        "--same-set", metavar="PHOTO", help="a photo of the same tiles that is not mirrored: shows whether this one is"
    )
    parser.add_argument("--overlay", metavar="OUT.jpg", help="write the photo with the reading drawn on it")
    parser.add_argument("--diagram", metavar="OUT.svg", help="write a drawing of the table")
    parser.add_argument("--seats", metavar="A,B,C", help="who sits there, clockwise as seen from above")
    parser.add_argument(
        "--first-train", metavar="NUMBER", help="the train of the first of --seats (default: the first)"
    )
    parser.add_argument("--mexican", metavar="NUMBER", help="the line at the hub that is the Mexican train")
    parser.add_argument("--rules", metavar="FILE|PRESET", help="judge by these house rules too")


def run(args: argparse.Namespace, opener: Callable[[], PhotoReader] = compose.open_reader) -> int:
    """Read the photo and print what lies there. Exit code 1 if the picture proves a fault."""
    rules = None if args.rules is None else _rules(args.rules, args.lang)
    asked = [Asked(args.photo)]
    target = overlays.targets(args.overlay, asked, args.lang)[0] if args.overlay else None
    if args.diagram:
        overlays.spare_photos("--diagram", [Path(args.diagram)], asked, args.lang)
    with Progress(1, args.lang) as progress:
        progress.show(1, args.photo)
        source = _opened(args.photo, args.lang)
        read = read_table(source, open_or_explain(opener, args.lang), args, rules)
    if target is not None:
        drawn = annotated_table(source.full(), read.reading, names_of(read, args.lang))
        data = overlays.encoded(target, drawn)
        if isinstance(data, Fault):
            raise UsageError(data.message(args.lang))
        _write(target, data, args.lang)
    if args.diagram:
        diagram = diagram_svg(read.reading.starting_double, arms_of(read, args.lang))
        _write(Path(args.diagram), diagram.encode(), args.lang)
    if args.json:
        print(json.dumps(as_json(read, args.photo, args.lang), ensure_ascii=False))
    else:
        print("\n".join(table_lines(read, args.lang, Paint(sys.stdout))))
        for drawn_to in filter(None, (target, args.diagram)):
            print(sentence("score.drawn", {"file": shown_name(str(drawn_to))}, args.lang))
    return 1 if read.findings else 0


def read_table(source: ImageSource, reader: PhotoReader, args: argparse.Namespace, rules: Rules | None) -> ReadTable:
    """Photo to table, with seats given to trains."""
    set_size = rules.set_size if rules is not None else args.set_size
    options = ReadOptions(set_size=set_size, mixed=args.mixed)
    mirror = Mirror(args.mirrored, _handedness(args, reader, options))
    upright = read_upright(reader, source.full(), options, mirror)
    seen = upright.seen.from_damaged() if source.damaged else upright.seen
    reading = read_layout(seen, LayoutOptions(set_size=set_size, mixed=args.mixed, settle=True))
    if upright.turned:
        reading = reflected(reading)
    if upright.note is not None:
        reading = reading.doubted(upright.note)
    return ReadTable(reading, _seats(reading, args), rules, set_size, upright.turned)


def _opened(path: str, language: str) -> ImageSource:
    """The photo, decoded."""
    try:
        source = open_image(path)
        source.full()
    except ImageUnreadable as error:
        reason = Fault(error.code, error.params).message(language)
        raise UsageError(f"{shown_name(path)}: {reason}") from error
    return source


def _handedness(args: argparse.Namespace, reader: PhotoReader, options: ReadOptions) -> int | None:
    """How the set's pips slant on the photo of `--same-set`."""
    if args.same_set is None or args.mirrored:
        return None
    return handedness(reader.read(_opened(args.same_set, args.lang).full(), options).tiles)


def _seats(reading: TableReading, args: argparse.Namespace) -> dict[str, str]:
    if not args.seats:
        return {}
    directions = {train.id: train.slot for train in reading.trains if train.slot is not None}
    names = [name.strip() for name in args.seats.split(",") if name.strip()]
    apart = any(train.id == MEXICAN for train in reading.trains)
    mexican = None if apart and args.mexican == MEXICAN else _train_meant(args.mexican)
    return assign_seats(directions, names, _train_meant(args.first_train), mexican, apart=apart)


def _train_meant(word: str | None) -> str | None:
    """People name a train by the number they are shown, programs by its id."""
    return f"t{word}" if word is not None and word.isdecimal() else word


def _rules(name: str, language: str) -> Rules:
    try:
        return preset(name) if name in PRESETS else load_rules(Path(name).read_text("utf-8"))
    except OSError as error:
        known = sentence("rules.presets_are", {"names": ", ".join(PRESETS)}, language)
        raise UsageError(f"--rules {name}: {why_not(error, language)} ({known})") from error
    except (RulesError, UnicodeDecodeError) as error:
        raise UsageError(f"--rules {name}: {error}") from error


def names_of(read: ReadTable, language: str) -> dict[str, str]:
    """What each train is called: by its seat, or by the number that the picture gives it."""
    return {train.id: read.seats.get(train.id, line_called(train.id, language)) for train in read.reading.trains}


def arms_of(read: ReadTable, language: str) -> list[Arm]:
    """The trains as the diagram draws them."""
    names = names_of(read, language)
    return [
        Arm(
            names[train.id],
            train.line.tiles,
            train.marker,
            train.open_double,
            tuple((limb.index, limb.tiles) for limb in train.limbs if limb.parent == 0),
        )
        for train in read.reading.trains
    ]


def _write(target: Path, data: bytes, language: str) -> None:
    try:
        target.write_bytes(data)
    except OSError as error:
        params = {"file": str(target), "reason": error.strerror or str(error)}
        raise UsageError(Fault("overlay_failed", params).message(language)) from error


def table_lines(read: ReadTable, language: str, paint: Paint) -> list[str]:
    """The table for people: a line for each train, then faults and doubts."""
    reading = read.reading
    laid = sum(len(list(train.all_tile_ids)) for train in reading.trains)
    code = "read.start" if reading.starting_double is not None else "read.start_unknown"
    start = sentence(code, {"value": reading.starting_double or 0}, language)
    counts = f"{several('read.trains', len(reading.trains), language)}, {several('read.tiles', laid, language)}."
    lines = [paint(f"{start} {counts}", BOLD)]
    names = names_of(read, language)
    wide = max((len(name) for name in names.values()), default=0)
    for train in reading.trains:
        name = paint(f"{names[train.id]:>{wide}}", BOLD)
        lines.append(f"{name}  {_train_line(read, train, language, paint)}")
        lines += [f"{'':{wide}}   + {_tiles(limb)}" for limb in train.limbs]
    loose = ["-".join(_value(end) for end in tile.sighting.ends) for tile in reading.tiles if tile.role == "loose"]
    if loose:
        lines.append(sentence("read.loose", {"tiles": ", ".join(loose)}, language))
    if any(note.code == "no_hub" for note in reading.doubts):
        lines.append(sentence("read.hand", {}, language))
    lines += [_note_line(read, note, "finding", language, paint) for note in read.findings]
    # What is doubted of both halves of a tile is said once.
    lines += dict.fromkeys(_note_line(read, note, "layout", language, paint) for note in reading.doubts)
    if not read.findings and not reading.doubts:
        lines.append(sentence("read.clean" if reading.tiles else "read.no_domino", {}, language))
    return lines


def _note_line(read: ReadTable, note: Note, section: str, language: str, paint: Paint) -> str:
    kind, style = ("read.fault", RED) if section == "finding" else ("read.doubt", YELLOW)
    where = [] if note.train is None else [read.seats.get(note.train, line_called(note.train, language))]
    where += ["-".join(_value(end) for end in read.reading.tile(number).sighting.ends) for number in note.tile_ids]
    place = f" ({', '.join(where)})" if where else ""
    said = f"{note_sentence(note, section, language)}{place}"
    return paint(sentence(kind, {"note": said}, language), style)


def _train_line(read: ReadTable, train: TrainReading, language: str, paint: Paint) -> str:
    notes = [sentence("read.asks", {"value": _value(read.reading.open_end(train))}, language)]
    if train.open_double:
        notes.append(paint(sentence("read.open_double", {}, language), BOLD, YELLOW))
    if train.marker:
        notes.append(paint(sentence("read.marker", {}, language), BOLD))
    if kind_of(train, read.seats) == "mexican":
        notes.append(sentence("read.mexican", {}, language))
    unstarted = sentence("read.unstarted", {}, language)
    told = f"{paint('(', DIM)}{', '.join(notes)}{paint(')', DIM)}"
    return f"{_tiles(train.line) or unstarted}  {told}"


def _tiles(line: LineReading) -> str:
    return "  ".join(f"{_value(near)}-{_value(far)}" for near, far in line.tiles)


def _value(value: int | None) -> str:
    return "?" if value is None else str(value)
