"""Lines read, laid onto the known lines: what goes on from them, what lies behind a hole, and lines that are one."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from engine.table import LaidTile
from vision.board import KnownTile, NewTile, half_of
from vision.evidence import Evidence
from vision.table_reading import TrainReading
from vision.work import Work, direction, named, turn_between

_PATIENCE = 2
"""Looks after which a tile behind a hole is taken to go on from the line all the same."""
_SLOT_DEG = 22.0
_LEAST = 0.2
_UNTRUSTED = 0.5
"""What lies behind a hole may belong elsewhere: nobody is accused by it."""

Ends = tuple[int | None, int | None]


def take_lines(work: Work) -> None:
    """New tiles of each line read, laid onto the known lines."""
    trains = sorted(work.look.reading.trains, key=lambda train: -_known_in(work, train))
    for train in trains:
        if train.line.tile_ids:
            _take_line(work, train)


def _known_in(work: Work, train: TrainReading) -> int:
    return sum(number in work.key_of for number in train.line.tile_ids)


@dataclass(slots=True)
class _Walk:
    """A line read, walked outward."""

    ids: list[int]
    ends: list[Ends]

    @classmethod
    def along(cls, work: Work, train: TrainReading) -> _Walk:
        """Outward, as the known tiles in it have it."""
        ids, ends = list(train.line.tile_ids), list(train.line.tiles)
        known = _known_spots(work, ids)
        if len(known) > 1 and known[0][0] == known[-1][0] and known[0][1] > known[-1][1]:
            return cls(ids[::-1], [(far, near) for near, far in ends[::-1]])
        return cls(ids, ends)


def _spot(work: Work, number: int) -> tuple[str, int] | None:
    """Where a tile of the look stands on the known lines, if it does."""
    return work.board.line_of(work.key_of[number]) if number in work.key_of else None


def _known_spots(work: Work, ids: list[int]) -> list[tuple[str, int]]:
    return [spot for number in ids if (spot := _spot(work, number)) is not None]


def _take_line(work: Work, train: TrainReading) -> None:
    """Walk a line outward; each new tile goes after the known tile before it."""
    walk = _Walk.along(work, train)
    known = _known_spots(work, walk.ids)
    if known:
        work.line_of_train[train.id] = Counter(name for name, _ in known).most_common(1)[0][0]
    current = known[0][0] if known else None
    at = -1
    for place, number in enumerate(walk.ids):
        # Asked anew at each step: two lines may just have become one.
        spot = _spot(work, number)
        if spot is not None:
            if current is not None and spot[0] != current and spot[1] == 0:
                spot = _one_line(work, current, at, spot[0])
            current, at = spot
            continue
        if number in work.key_of:
            continue
        if current is None:
            current, at = _line_for(work, train, number)
            work.line_of_train.setdefault(train.id, current)
        if work.sighting(number).kind != "face_up":
            continue
        if not _believed(work, number, last=place == len(walk.ids) - 1):
            if _held_back(work, current, walk.ids[place:]):
                return
            continue
        hole = _hole_before(work, walk.ids, place)
        if hole:
            at, bridged = _past_known(work, current, at)
            hole = not bridged
            if hole and _held_back(work, current, walk.ids[place:]):
                return
        at += 1
        _add(work, number, walk.ends[place], (current, at), _UNTRUSTED if hole else 1.0)


def _hole_before(work: Work, ids: list[int], place: int) -> bool:
    pair = frozenset(ids[max(0, place - 1) : place + 1])
    return pair in work.look.gaps


def _past_known(work: Work, name: str, at: int) -> tuple[int, bool]:
    """Beyond known tiles that this look did not find: they are what the hole is."""
    keys, seen, start = work.board.lines[name].keys, set(work.key_of.values()), at
    while at + 1 < len(keys) and keys[at + 1] not in seen:
        at += 1
    return at, at > start


def _held_back(work: Work, name: str, ids: list[int]) -> bool:
    """A tile behind a hole waits until the tile in the hole is seen too, but not for ever."""
    line = work.board.lines[name]
    if line.waited >= _PATIENCE:
        return False
    work.board = work.board.with_line(replace(line, waited=line.waited + 1))
    work.held += [work.sighting(number).corners_px for number in ids]
    return True


def _one_line(work: Work, name: str, at: int, other: str) -> tuple[str, int]:
    """Two lines turn out to be one: the second goes on from the first. Tiles between them were overlooked."""
    board = work.board
    first, second = board.lines[name], board.lines[other]
    if at + 1 != len(first.keys) or not second.keys:
        return other, 0
    marked = first if second.marker is None else second
    joined = replace(first, keys=(*first.keys, *second.keys), marker=marked.marker, marker_sure=marked.marker_sure)
    lines = {key: line for key, line in board.lines.items() if key != other}
    work.board = replace(board, lines={**lines, name: joined})
    work.merged.append((other, name))
    work.line_of_train = {train: name if line == other else line for train, line in work.line_of_train.items()}
    return name, at + 1


def _believed(work: Work, number: int, last: bool) -> bool:
    """It is a tile with values, or with one that the tile after it will tell."""
    sighting = work.sighting(number)
    unread = sighting.ends.count(None)
    if unread == 1 and not last:
        return True
    return unread == 0 and Evidence.of(sighting).confidence > _LEAST


def _line_for(work: Work, train: TrainReading, number: int) -> tuple[str, int]:
    """The line that a wholly new piece belongs to: one that it goes on from, a marked slot, or a new one."""
    board, sighting = work.board, work.sighting(number)
    corners = np.asarray(sighting.corners_px, np.float64)
    edges = [(corners[0] + corners[1]) / 2, (corners[2] + corners[3]) / 2]
    hub = None if board.hub_px is None else np.array(board.hub_px)
    if train.slot is None:
        for name, line in board.lines.items():
            end = board.end_px(name)
            if end is not None and min(float(np.hypot(*(edge - end))) for edge in edges) < 0.8 * board.tile_px:
                return name, len(line.keys) - 1
        return named(work, "M", None), -1
    angle = direction(hub, np.array(sighting.centre_px))
    for name, line in board.lines.items():
        if not line.keys and line.angle is not None and abs(turn_between(line.angle, angle)) < math.radians(_SLOT_DEG):
            return name, -1
    return named(work, f"t{board.started + 1}", angle), -1


def _add(work: Work, number: int, ends: Ends, spot: tuple[str, int], trust: float) -> None:
    """A new tile in a line, at its name and place."""
    board, sighting, (name, index) = work.board, work.sighting(number), spot
    likely = Evidence.of(sighting).ends
    turned = ends != sighting.ends
    guess = likely[::-1] if turned else likely
    near, far = (value if value is not None else other for value, other in zip(ends, guess, strict=True))
    line = board.lines[name]
    before = board.tiles[line.keys[index - 1]].centre_px if 0 < index <= len(line.keys) else None
    if before is None:
        before = np.array(board.hub_px) if board.hub_px is not None else np.array(sighting.centre_px)
    half = int(turned) if None in ends else half_of(sighting, LaidTile(near, far), before)
    key = board.next_key
    tile = KnownTile(key, sighting.corners_px, Evidence.of(sighting), half)
    keys = (*line.keys[:index], key, *line.keys[index:])
    board = replace(board.with_tile(tile).with_line(replace(line, keys=keys, waited=0)), next_key=key + 1)
    work.board = board
    work.key_of[number] = key
    options = tuple(
        (LaidTile(pair[half], pair[1 - half]), share) for pair, share in tile.evidence.options()
    )
    confidence = trust * tile.evidence.confidence * (0.5 if sighting.doubtful else 1.0)
    late = index < len(keys) - 1
    stood = work.look.stood(sighting.corners_px)
    work.new.append(NewTile(key, name, index, tile.laid, confidence, options, late, stood))
