"""Following placement alone: any tiles anywhere, without hub or lines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.board import Board, Changes, KnownTile, NewTile
from vision.evidence import Evidence
from vision.follow import carried_board, match_tiles, missing_tiles
from vision.table_reading import TableReading
from vision.tiles import TileSighting
from vision.work import Look, Work

_LEAST = 0.3
_CHANGED = 0.3
_BESIDE, _CAME, _SURE = 0.25, 0.6, 0.9
_FAR, _MOST_AT_ONCE = 2.0, 2
"""A tile that is pushed stays nearer than this, in tile lengths."""


def begin_free(look: Look) -> Board | None:
    """The first board: whatever lies there."""
    board = Board()
    for sighting in _faces(look.reading):
        board = _with(board, sighting)
    return board if board.tiles else None


def follow_free(board: Board, look: Look) -> tuple[Board, Changes]:
    """What is new and what is gone."""
    carried = carried_board(board, look)
    if carried is None:
        return board, Changes()
    work = match_tiles(carried, look)
    _part_others(work, carried)
    missing_tiles(work)
    taken = _laid_elsewhere(work, carried)
    new = [NewTile(key, "", 0, work.board.tiles[key].laid, work.board.tiles[key].evidence.confidence, ())
           for key in taken]
    for number, sighting in enumerate(look.reading.tiles):
        if sighting.role == "face_down" or number in work.key_of or not _believed(sighting.sighting):
            continue
        changed = look.changed(sighting.sighting.corners_px)
        if changed is not None and changed < _CHANGED:
            continue  # it was there before, whatever it is: print, or a tile that was overlooked
        work.board = _with(work.board, sighting.sighting)
        key = work.board.next_key - 1
        tile = work.board.tiles[key]
        new.append(NewTile(key, "", 0, tile.laid, tile.evidence.confidence, ()))
    moved = tuple(key for key in work.moved if key not in taken)
    return work.board, Changes(tuple(new), tuple(work.gone), moved, tuple(work.corrected))


def _part_others(work: Work, before: Board) -> None:
    """What came to lie beside a known tile, and surely shows other values, is another tile: the known one is gone."""
    reach = _BESIDE * before.tile_px
    for number, key in list(work.key_of.items()):
        sighting, known = work.sighting(number), before.tiles[key]
        seen = Evidence.of(sighting)
        apart = float(np.hypot(*(known.centre_px - np.array(sighting.centre_px))))
        came = (work.look.changed(sighting.corners_px) or 0.0) > _CAME
        if apart > reach and came and seen.confidence > _SURE and tuple(sorted(seen.ends)) != known.values:
            del work.key_of[number]
            work.board = work.board.without_tile(key)
            work.gone.append(known)
            work.moved = [other for other in work.moved if other != key]
            work.corrected = [one for one in work.corrected if one[0] != key]


def _laid_elsewhere(work: Work, before: Board) -> list[int]:
    """Keys of tiles that were taken up, from a rack that the camera sees too, and laid down far from there.

    Several at once are no moves: the camera was pushed, and is not found again.
    """
    reach = _FAR * before.tile_px
    far = [key for key in work.moved
           if float(np.hypot(*(work.board.tiles[key].centre_px - before.tiles[key].centre_px))) > reach]
    return far if len(far) <= _MOST_AT_ONCE else []


def _faces(reading: TableReading) -> list[TileSighting]:
    return [tile.sighting for tile in reading.tiles if tile.role != "face_down" and _believed(tile.sighting)]


def _believed(sighting: TileSighting) -> bool:
    return None not in sighting.ends and Evidence.of(sighting).confidence > _LEAST


def _with(board: Board, sighting: TileSighting) -> Board:
    key = board.next_key
    tile = KnownTile(key, np.asarray(sighting.corners_px, np.float32), Evidence.of(sighting))
    return replace(board.with_tile(tile), next_key=key + 1)
