"""A table reading against the truth, in the units of the game: trains, tiles, values, markers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vision.table_reading import TableReading, TrainReading

Lines = list[tuple[tuple[int, ...], tuple[Any, ...]]]


@dataclass(slots=True)
class Comparison:
    """What differs. `exact` is everything right that people would see; `structure` is all but the values."""

    tiles: int = 0
    missed: int = 0
    invented: int = 0
    wrong_values: int = 0
    wrong_joins: int = 0
    markers_wrong: int = 0
    starting_right: bool = True
    kinds_wrong: int = 0
    doubts: int = 0
    findings_missed: list[str] = field(default_factory=list)
    findings_invented: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def structure(self) -> bool:
        """Starting double, every train in order, every marker's owner."""
        return self.starting_right and not (
            self.missed or self.invented or self.wrong_joins or self.markers_wrong or self.kinds_wrong
        )

    @property
    def exact(self) -> bool:
        """The whole table state is right."""
        return self.structure and not self.wrong_values


def match_tiles(truth: dict[str, Any], reading: TableReading) -> dict[int, int]:
    """Reading id -> truth id of the tiles of trains and hub, by nearest centre within half a tile."""
    tiles = [tile for tile in truth["tiles"] if tile["role"] != "face_down"]
    if not tiles:
        return {}
    centres = np.array([np.mean(tile["corners_px"], axis=0) for tile in tiles])
    lengths = [np.linalg.norm(np.subtract(t["corners_px"][1], t["corners_px"][2])) for t in tiles]
    pairs = []
    for placed in reading.tiles:
        if placed.role == "face_down":
            continue
        away = np.linalg.norm(centres - placed.sighting.corners_px.mean(0), axis=1) / lengths
        for index in np.flatnonzero(away < 0.4):
            pairs.append((float(away[index]), placed.id, tiles[index]["id"]))
    matched: dict[int, int] = {}
    for _, seen, real in sorted(pairs):
        if seen not in matched and real not in matched.values():
            matched[seen] = real
    return matched


def compare(truth: dict[str, Any], reading: TableReading) -> Comparison:
    """Everything that differs between truth and reading."""
    result = Comparison(doubts=len(reading.doubts))
    matched = match_tiles(truth, reading)
    roles = {tile["id"]: tile["role"] for tile in truth["tiles"]}
    needed = {number for number, role in roles.items() if role in ("train", "starting_double")}
    result.tiles = len(needed)
    lost = needed - set(matched.values())
    result.missed = len(lost)
    result.invented = sum(
        tile.role in ("train", "starting_double") and tile.id not in matched for tile in reading.tiles
    )
    _compare_start(truth, reading, matched, result)
    _compare_values(truth, reading, matched, result)
    _compare_trains(truth, reading, matched, result)
    _compare_markers(truth, reading, result)
    _compare_findings(truth, reading, matched, result)
    return result


def _compare_start(
    truth: dict[str, Any], reading: TableReading, matched: dict[int, int], result: Comparison
) -> None:
    real = next(tile["id"] for tile in truth["tiles"] if tile["role"] == "starting_double")
    seen = None if reading.starting_tile is None else matched.get(reading.starting_tile)
    result.starting_right = seen == real
    if not result.starting_right:
        result.problems.append(f"starting double is {real}, read {seen}")


def _compare_values(
    truth: dict[str, Any], reading: TableReading, matched: dict[int, int], result: Comparison
) -> None:
    real = {tile["id"]: tile for tile in truth["tiles"]}
    for placed in reading.tiles:
        number = matched.get(placed.id)
        if number is None or real[number]["role"] == "loose":
            continue
        if sorted(map(str, placed.sighting.ends)) != sorted(map(str, real[number]["ends"])):
            result.wrong_values += 1
            result.problems.append(f"tile {number} is {real[number]['ends']}, read {placed.sighting.ends}")


def _truth_lines(train: dict[str, Any]) -> dict[tuple[int, ...], list[Any]]:
    lines = [train, *train.get("limbs", ())]
    return {tuple(line["tile_ids"]): [tuple(tile) for tile in line["tiles"]] for line in lines}


def _read_lines(train: TrainReading, matched: dict[int, int]) -> dict[tuple[int, ...], list[Any]]:
    return {
        tuple(matched.get(number, -1 - number) for number in line.tile_ids): list(line.tiles)
        for line in (train.line, *train.limbs)
    }


def _compare_trains(
    truth: dict[str, Any], reading: TableReading, matched: dict[int, int], result: Comparison
) -> None:
    started = [train for train in truth["trains"] if train["tile_ids"]]
    real = {line: tiles for train in started for line, tiles in _truth_lines(train).items()}
    seen = {line: tiles for train in reading.trains for line, tiles in _read_lines(train, matched).items() if line}
    for line in real:
        if line not in seen:
            result.wrong_joins += 1
            result.problems.append(f"line {line} is not read")
        else:
            misread = sum(one != two for one, two in zip(real[line], seen[line], strict=True))
            turned = sum(one == two[::-1] != two for one, two in zip(real[line], seen[line], strict=True))
            result.wrong_joins += turned
            if misread and turned:
                result.problems.append(f"line {line}: {turned} tiles turned")
    for line in seen:
        if line not in real:
            result.wrong_joins += 1
            result.problems.append(f"line {line} was read")
    kinds = {tuple(train["tile_ids"]): train["kind"] for train in started}
    for train in reading.trains:
        line = tuple(matched.get(number, -1) for number in train.line.tile_ids)
        if line in kinds and kinds[line] != train.kind:
            result.kinds_wrong += 1
            result.problems.append(f"line {line} is {kinds[line]}, read {train.kind}")


def _compare_markers(truth: dict[str, Any], reading: TableReading, result: Comparison) -> None:
    """Markers by place: each must be seen, and its train must end (or be unstarted) where the truth says."""
    matched = match_tiles(truth, reading)
    by_id = {train["id"]: tuple(train["tile_ids"][:1]) for train in truth["trains"]}
    firsts = {train.id: tuple(matched.get(n, -1) for n in train.line.tile_ids[:1]) for train in reading.trains}
    left = list(reading.markers)
    for marker in truth["markers"]:
        place = np.array(marker["centre_px"])
        reach = 0.6 * truth["tile_px"]
        near = [seen for seen in left if np.linalg.norm(place - seen.sighting.corners_px.mean(0)) < reach]
        if not near:
            result.markers_wrong += 1
            result.problems.append("a marker is not seen")
            continue
        seen = min(near, key=lambda seen: float(np.linalg.norm(place - seen.sighting.corners_px.mean(0))))
        left = [other for other in left if other is not seen]
        want = by_id.get(marker["train"])
        got = None if seen.train is None else firsts[seen.train]
        if want != got:
            result.markers_wrong += 1
            result.problems.append(f"marker of {want} is given to {got}")
    result.markers_wrong += sum(seen.train is not None for seen in left)


def _compare_findings(
    truth: dict[str, Any], reading: TableReading, matched: dict[int, int], result: Comparison
) -> None:
    real = {(f["code"], frozenset(f["tile_ids"])) for f in truth["findings"]}
    seen = {(note.code, frozenset(matched.get(n, -1) for n in note.tile_ids)) for note in reading.findings}
    real = {(code, frozenset() if code == "marker_on_mexican" else ids) for code, ids in real}
    seen = {(code, frozenset() if code == "marker_on_mexican" else ids) for code, ids in seen}
    result.findings_missed = sorted(f"{code} {sorted(ids)}" for code, ids in real - seen)
    result.findings_invented = sorted(f"{code} {sorted(ids)}" for code, ids in seen - real)
