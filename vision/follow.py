"""Laying one settled reading against the known table: registration, matching, then what is new, gone or moved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.board import Array, Board, Changes, KnownTile, flipped
from vision.evidence import Evidence
from vision.follow_lines import take_lines
from vision.follow_markers import take_markers
from vision.registration import STILL, Registration, register
from vision.table_reading import TableReading
from vision.tiles import TileSighting
from vision.work import CHANGED, GONE_AFTER, Look, Work

_NEAR = 0.45
"""A tile is where it was if its centre is within this many tile lengths."""
_CLEAR = 2.0
"""How far, in nats, other values must lead before a tile is taken for them."""
_JOIN = 3.5
"""How much more they must lead for each join that they break: tiles nearly always lie where they fit."""
_THINKABLE_LEAD = 5.0
"""A lone tile whose likeliest values lead by no more than this over those of a double is the starting double."""


_MOST_FACES = 4
"""More tiles face up are no table before the first turn: somebody's hand, perhaps."""


def begin(look: Look, value: int | None = None) -> Board | None:
    """The first board: the starting double must be seen, if not read; `value` is its value where that is known."""
    number = _starting_tile(look.reading, value)
    if number is None:
        return None
    first = look.reading.tile(number).sighting
    evidence = Evidence.of(first)
    double = evidence.double if value is None else value
    start = KnownTile(0, first.corners_px, evidence, taken_for=(double, double))
    board = Board({0: start}, {}, 0, first.centre_px, 1)
    work = Work(board, look, {number: 0})
    take_lines(work)
    if any(line.keys for line in work.board.lines.values()):  # before the first turn nobody has a marker
        take_markers(work)
    return work.board


def _starting_tile(reading: TableReading, value: int | None) -> int | None:
    """The tile on the hub; before anything else is laid, the one double that lies there, however unsurely read."""
    if reading.starting_tile is not None:
        return reading.starting_tile
    faces = _faces(reading)
    if any(len(train.line.tile_ids) > 1 for train in reading.trains) or len(faces) > _MOST_FACES:
        return None
    doubles = [number for number in faces if _is_double(reading.tile(number).sighting, value)]
    if len(doubles) == 1:
        return doubles[0]
    alone = len(faces) == 1 and not any(train.line.tile_ids for train in reading.trains)
    return faces[0] if alone and _may_be_double(reading.tile(faces[0]).sighting, value) else None


def _is_double(sighting: TileSighting, value: int | None) -> bool:
    tile = sighting.tile
    return tile is not None and tile.is_double and value in (None, tile.low)


def _may_be_double(sighting: TileSighting, value: int | None) -> bool:
    if sighting.ends == (None, None):
        return False
    evidence = Evidence.of(sighting)
    double = evidence.double if value is None else value
    return evidence.lead((double, double)) < _THINKABLE_LEAD


def follow(board: Board, look: Look) -> tuple[Board, Changes]:
    """The board after a settled reading, and what it changed."""
    carried = carried_board(board, look)
    if carried is None:
        return board, Changes()
    work = match_tiles(carried, look)
    missing_tiles(work)
    take_lines(work)
    take_markers(work)
    blind = bool(look.unread or work.held)
    changes = Changes(
        tuple(work.new), tuple(work.gone), tuple(work.moved), tuple(work.corrected),
        tuple(work.marked), tuple(work.unmarked), tuple(work.unsure),
        any(work.board.lines[name].maybe for name in work.unsure), blind or board.blind,
        tuple(work.merged), (*work.held, *look.unread),
    )
    return replace(work.board, blind=blind), changes


def moved_board(board: Board, matrix: Array) -> Board:
    """The board after the picture's pixels went through `matrix` (3, 3)."""
    return _carried(board, Registration(matrix, 0))


def register_board(board: Board, look: Look) -> tuple[Board, Array] | None:
    """The board as the camera sees it now, and the map (3, 3) of old pixels to new ones."""
    moved = _registration(board, look)
    return None if moved is None else (_carried(board, moved), moved.matrix)


def carried_board(board: Board, look: Look) -> Board | None:
    """The board as the camera sees it now; `None` if the known tiles are not found again."""
    moved = _registration(board, look)
    return None if moved is None else _carried(board, moved)


# -- where things are now -------------------------------------------------------------------------------


def _faces(reading: TableReading) -> list[int]:
    return [tile.id for tile in reading.tiles if tile.role != "face_down"]


def _registration(board: Board, look: Look) -> Registration | None:
    known = [(tile.values, tile.centre_px) for tile in board.tiles.values()]
    seen = []
    for number in _faces(look.reading):
        sighting = look.reading.tile(number).sighting
        tile = sighting.tile
        values = None if tile is None else (tile.low, tile.high)
        seen.append((values, np.array(sighting.centre_px)))
    if not seen:
        return None
    found = register(known, seen, board.tile_px)
    if found is None and len(known) < 3:
        return STILL
    return found


def _carried(board: Board, moved: Registration) -> Board:
    """The board as the camera sees it now."""
    tiles = {
        key: replace(tile, corners_px=moved.apply(tile.corners_px).astype(np.float32))
        for key, tile in board.tiles.items()
    }
    hub = None if board.hub_px is None else moved.apply(np.array(board.hub_px))[0]
    # Directions turn with the picture.
    ahead = moved.apply(np.array([[0.0, 0.0], [100.0, 0.0]]))
    turn = math.atan2(ahead[1, 1] - ahead[0, 1], ahead[1, 0] - ahead[0, 0])
    lines = {
        name: replace(
            line,
            angle=None if line.angle is None else line.angle + turn,
            marker=None if line.marker is None else moved.apply(line.marker).astype(np.float32),
        )
        for name, line in board.lines.items()
    }
    return replace(board, tiles=tiles, lines=lines, hub_px=None if hub is None else (float(hub[0]), float(hub[1])))


def match_tiles(board: Board, look: Look) -> Work:
    """Sightings to known tiles: nearest places first, then equal values elsewhere (a tile pushed along)."""
    work = Work(board, look)
    size = board.tile_px
    faces = _faces(work.look.reading)
    pairs = []
    for number in faces:
        sighting = work.sighting(number)
        values = None if sighting.tile is None else (sighting.tile.low, sighting.tile.high)
        centre = np.array(sighting.centre_px)
        for key, tile in board.tiles.items():
            apart = float(np.hypot(*(tile.centre_px - centre))) / size
            same = values == tile.values
            if apart < (0.8 if same else _NEAR):
                pairs.append((apart + (0.0 if same else 0.3), number, key))
    taken: set[int] = set()
    for _, number, key in sorted(pairs):
        if number not in work.key_of and key not in taken:
            taken.add(key)
            _same_tile(work, number, key)
    if not work.look.mixed:
        _match_pushed(work, [number for number in faces if number not in work.key_of], taken)
    return work


def _match_pushed(work: Work, left: Sequence[int], taken: set[int]) -> None:
    by_values = {tile.values: key for key, tile in work.board.tiles.items() if key not in taken}
    for number in left:
        sighting = work.sighting(number)
        values = None if sighting.tile is None else (sighting.tile.low, sighting.tile.high)
        key = None if values is None else by_values.get(values)
        if key is not None and Evidence.of(sighting).confidence > 0.8:
            _same_tile(work, number, key)


def _same_tile(work: Work, number: int, key: int) -> None:
    """One reading more of a known tile."""
    tile, sighting = work.board.tiles[key], work.sighting(number)
    size = work.board.tile_px
    work.key_of[number] = key
    seen = Evidence.of(sighting)
    turned = flipped(tile.corners_px, sighting.corners_px)
    other = seen.ends[::-1] if turned else seen.ends
    start = key == work.board.start
    if not start and other != tile.ends and seen.confidence > 0.9 and (work.look.changed(tile.corners_px) or 0.0) > 0.6:
        # The place was seen to change and shows another tile: it was exchanged.
        del work.key_of[number]
        return
    apart = float(np.hypot(*(tile.centre_px - np.array(sighting.centre_px)))) / size
    if apart > 0.25:
        work.moved.append(key)
        if apart > 0.8:  # so far that which half is which only the values can say
            turned = seen.ends[::-1] == tile.ends and seen.ends != tile.ends
    again = np.allclose(sighting.corners_px, tile.corners_px, atol=0.05)  # what is known stands: nothing was read
    evidence = tile.evidence if again else tile.evidence.plus(sighting, turned)
    corners = np.roll(sighting.corners_px, 2, axis=0) if turned else sighting.corners_px
    before = tile.laid
    likely = (evidence.double, evidence.double) if start else evidence.ends
    if start and any(line.keys for line in work.board.lines.values()):
        likely = tile.ends  # by now the lines that begin at it say more
    broken = 0 if start else _misfits(work.board, tile, likely) - _misfits(work.board, tile, tile.ends)
    taken = tile.ends if evidence.lead(tile.ends) - evidence.lead(likely) < _CLEAR + _JOIN * broken else likely
    after = replace(tile, corners_px=corners, evidence=evidence, taken_for=taken, missed=0)
    work.board = work.board.with_tile(after)
    if after.laid != before:
        work.corrected.append((key, before))


def _misfits(board: Board, tile: KnownTile, ends: tuple[int, int]) -> int:
    """Joins of a known tile at which the halves would differ if it had these values, in the order of its corners."""
    spot = board.line_of(tile.key)
    if spot is None:
        return 0
    keys, place = board.lines[spot[0]].keys, spot[1]
    before = board.starting_double if place == 0 else board.tiles[keys[place - 1]].laid.far
    after = board.tiles[keys[place + 1]].laid.near if place + 1 < len(keys) else None
    near, far = ends[tile.near_half], ends[1 - tile.near_half]
    return (before is not None and before != near) + (after is not None and after != far)


def missing_tiles(work: Work) -> None:
    """Known tiles that were not found: hidden, overlooked, or gone; the starting double never is."""
    for key in set(work.board.tiles) - {work.board.start, *work.key_of.values()}:
        tile = work.board.tiles[key]
        if (work.look.hidden(tile.corners_px) or 0.0) > 0.1:
            continue
        changed = work.look.changed(tile.corners_px)
        if changed is not None and changed < CHANGED and not _replaced(work, tile):
            continue  # it still looks as it did: the reader overlooked it
        missed = tile.missed + 1
        if missed >= GONE_AFTER or changed is not None:
            work.gone.append(tile)
            work.board = work.board.without_tile(key)
        else:
            work.board = work.board.with_tile(replace(tile, missed=missed))


def _replaced(work: Work, tile: KnownTile) -> bool:
    """Another tile was seen right there."""
    near = _NEAR * work.board.tile_px
    return any(
        number not in work.key_of
        and float(np.hypot(*(tile.centre_px - np.array(work.sighting(number).centre_px)))) < near
        for number in _faces(work.look.reading)
    )
