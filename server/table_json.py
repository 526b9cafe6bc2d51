"""A table reading in the form that `read --json` prints, with sentences in the person's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.rules import Rules
from engine.table import Table
from engine.violations import Violation, ViolationCode, audit
from server.messages import sentence
from server.rulings import train_called
from vision.table_reading import LineReading, Note, PlacedTile, TableReading, TrainReading

Json = dict[str, Any]

# What vision finds by itself, with places; the audit says the same of these and is not repeated.
_SEEN_ALREADY = {
    ViolationCode.JOIN,
    ViolationCode.HUB_JOIN,
    ViolationCode.DUPLICATE_TILE,
    ViolationCode.NOT_IN_SET,
    ViolationCode.MEXICAN_MARKED,
}
# What no house rule allows.
_ALWAYS = {ViolationCode.STARTING_DOUBLE, ViolationCode.TOO_MANY_TRAINS}


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A reading with what the caller knows: seats of trains, and house rules if they are to be applied."""

    reading: TableReading
    seats: Mapping[str, str]
    rules: Rules | None
    set_size: int
    mirrored: bool = False
    """The picture was mirrored and read the right way round."""

    @property
    def findings(self) -> tuple[Note, ...]:
        """Faults that the picture proves: those seen, then those that the rules add."""
        return (*self.reading.findings, *_audited(self))


def _audited(read: ReadTable) -> list[Note]:
    table = owned(read.reading, read.seats)
    if table is None:
        return []
    rules = read.rules if read.rules is not None else Rules.of({"set_size": read.set_size})
    found = audit(table, rules, list(read.seats.values()) if read.seats else None)
    by_owner = {read.seats.get(train.id, train.id): train for train in read.reading.trains}
    notes = []
    for violation in found:
        wanted = violation.code in _ALWAYS or read.rules is not None
        if wanted and violation.code not in _SEEN_ALREADY:
            notes.append(_note(violation, by_owner.get(violation.train or "")))
    return notes


def _note(violation: Violation, train: TrainReading | None) -> Note:
    ids: tuple[int, ...] = ()
    if train is not None and violation.index is not None:
        line = (train.line, *train.limbs)[violation.line]
        ids = line.tile_ids[violation.index : violation.index + 1]
    params: dict[str, int | float | str] = {
        name: value for name, value in violation.params.items() if isinstance(value, (int, float, str))
    }
    return Note(violation.code.value.lower(), ids, None if train is None else train.id, params)


def owned(reading: TableReading, seats: Mapping[str, str]) -> Table | None:
    """The table with trains named by seat where known. `None` while a value on it is not read."""
    table = reading.table()
    if table is None:
        return None
    trains = tuple(replace(train, owner=seats.get(train.owner, train.owner)) for train in table.trains)
    return replace(table, trains=trains)


def kind_of(train: TrainReading, seats: Mapping[str, str]) -> str:
    """`personal`, `mexican` or `unknown`: a train with a seat is personal, the one left over is the Mexican train."""
    if train.id in seats:
        return "personal"
    return "mexican" if seats and train.kind == "unknown" and train.line.tile_ids else train.kind


def as_json(read: ReadTable, path: str, lang: str) -> Json:
    """The contract's form."""
    reading = read.reading
    return {
        "path": path,
        "starting_double": reading.starting_double,
        "trains": [_train(reading, train, read.seats) for train in reading.trains],
        "tiles": [_tile(tile) for tile in reading.tiles],
        "markers": [
            {"train": marker.train, "centre_px": _rounded(marker.sighting.centre_px)} for marker in reading.markers
        ],
        "doubts": [note_json(note, "layout", lang) for note in reading.doubts],
        "findings": [note_json(note, "finding", lang) for note in read.findings],
        "mirrored": read.mirrored,
        "model": reading.model_id,
        "ms": round(sum(ms for stage, ms in reading.ms.items() if stage in ("total", "layout")), 1),
        "stages_ms": {stage: round(ms, 1) for stage, ms in reading.ms.items()},
    }


def _train(reading: TableReading, train: TrainReading, seats: Mapping[str, str]) -> Json:
    shown: Json = {
        "id": train.id,
        "kind": kind_of(train, seats),
        "tiles": _values(train.line),
        "tile_ids": list(train.line.tile_ids),
        "open_end": reading.open_end(train),
        "open_double": train.open_double,
        "marker": train.marker,
    }
    if train.id in seats:
        shown["seat"] = seats[train.id]
    if train.limbs:
        shown["limbs"] = [
            {
                "line": limb.parent,
                "index": limb.index,
                "at_near": limb.at_near,
                "tiles": _values(limb),
                "tile_ids": list(limb.tile_ids),
                "open_end": limb.tiles[-1][1],
            }
            for limb in train.limbs
        ]
    return shown


def _values(line: LineReading) -> list[list[int | None]]:
    return [list(ends) for ends in line.tiles]


def _tile(tile: PlacedTile) -> Json:
    sighting = tile.sighting
    return {
        "id": tile.id,
        "ends": None if tile.role == "face_down" else list(sighting.ends),
        "corners_px": [_rounded(corner) for corner in sighting.corners_px.tolist()],
        "confidence": round(float(sighting.confidence), 4),
        "doubtful": sighting.doubtful,
        "role": tile.role,
    }


def _rounded(point: Sequence[float]) -> list[float]:
    return [round(float(value), 1) for value in point]


def note_json(note: Note, section: str, lang: str) -> Json:
    """A doubt or finding with its sentence."""
    shown: Json = {"code": note.code, "tile_ids": list(note.tile_ids)}
    if section == "finding" or note.train is not None:
        shown["train"] = note.train
    shown["params"] = dict(note.params)
    if note.place_px is not None:
        shown["place_px"] = _rounded(note.place_px)
    shown["message"] = note_sentence(note, section, lang)
    return shown


def note_sentence(note: Note, section: str, lang: str) -> str:
    """The sentence of a note; tile doubts have theirs among the doubts of tiles."""
    params = {"train": note.train or "", **note.params}
    params["train_name"] = train_called(str(params["train"]), lang)
    known = sentence(f"{section}.{note.code}", params, lang)
    return sentence(f"doubt.{note.code}", params, lang) if known == f"{section}.{note.code}" else known
