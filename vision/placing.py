"""Following placement alone: any tiles anywhere, without hub or lines."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.board import Board, Changes, KnownTile, NewTile
from vision.evidence import Evidence
from vision.follow import carried_board, match_tiles, missing_tiles
from vision.scene import CAME_TILE, came_as_tile
from vision.table_reading import TableReading
from vision.tiles import Points, TileSighting
from vision.work import Look, Work

_LEAST = 0.5
"""What is likelier misread than not is no lay that can be told."""
_BESIDE, _CAME, _SURE = 0.25, 0.6, 0.9
_FAR, _MOST_AT_ONCE = 2.0, 2
"""A tile that is pushed stays nearer than this, in tile lengths."""
_PUSHED = 0.8
"""A tile seen farther from its place than this, in tile lengths, is known again by its values alone."""
_PLAIN, _REACHES_IN = 0.93, 0.1
"""A new tile read less surely is looked at again, and one of which more lies on a known tile."""


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
    _part_those_that_stay(work, carried)
    missing_tiles(work)
    taken = _laid_elsewhere(work, carried)
    new = [NewTile(key, "", 0, work.board.tiles[key].laid, work.board.tiles[key].evidence.confidence, ())
           for key in taken]
    for number, sighting in enumerate(look.reading.tiles):
        if sighting.role == "face_down" or number in work.key_of or not _believed(sighting.sighting):
            continue
        if not _is_new(look, sighting.sighting.corners_px):
            continue  # it was there before, whatever it is: print, or a tile that was overlooked
        work.board = _with(work.board, sighting.sighting)
        key = work.board.next_key - 1
        tile = work.board.tiles[key]
        new.append(NewTile(key, "", 0, tile.laid, tile.evidence.confidence, ()))
    moved = tuple(key for key in dict.fromkeys(work.moved) if key not in taken)
    return work.board, Changes(tuple(new), tuple(work.gone), moved, tuple(work.corrected), held=look.unread)


def placed_in_doubt(before: Board, board: Board, changes: Changes) -> list[Points]:
    """Places to look at once more before anything is told: tiles read unsurely or cut wrongly, and those not read."""
    fresh = {tile.key for tile in changes.new}
    known = [tile.corners_px for key, tile in board.tiles.items() if key in before.tiles and key not in fresh]

    def reaches_in(quad: Points) -> bool:
        most = _REACHES_IN * float(cv2.contourArea(quad))
        return any(cv2.intersectConvexConvex(quad, other)[0] > most for other in known)

    new = [board.tiles[tile.key] for tile in changes.new]
    doubtful = [tile for tile in new if tile.evidence.confidence < _PLAIN or reaches_in(tile.corners_px)]
    return [*changes.held, *(tile.corners_px for tile in doubtful)]


def _is_new(look: Look, quad: Points) -> bool:
    """A tile came there, now or in a look before that could not read it; not only the shadow of one."""
    changed, now = look.changed(quad), look.came(quad)
    if changed is not None and changed < CAME_TILE:
        return False
    return now is None or now < CAME_TILE or came_as_tile(look.came, quad)


def _part_those_that_stay(work: Work, before: Board) -> None:
    """A known tile whose place looks as it did still lies there: what has its values elsewhere is another."""
    reach = _PUSHED * before.tile_px
    for number, key in list(work.key_of.items()):
        known = before.tiles[key]
        apart = float(np.hypot(*(known.centre_px - np.array(work.sighting(number).centre_px))))
        left = work.look.came(known.corners_px)
        if apart > reach and left is not None and left < CAME_TILE:
            del work.key_of[number]
            work.board = work.board.with_tile(known)
            _forget(work, key)


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
            _forget(work, key)


def _forget(work: Work, key: int) -> None:
    work.moved = [other for other in work.moved if other != key]
    work.corrected = [one for one in work.corrected if one[0] != key]


def _laid_elsewhere(work: Work, before: Board) -> list[int]:
    """Keys of tiles that were taken up, from a rack that the camera sees too, and laid down far from there.

    Several at once are no moves: the camera was pushed, and is not found again.
    """
    reach = _FAR * before.tile_px
    far = [key for key in dict.fromkeys(work.moved)
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
