"""Placement alone, told: what was laid, taken away and pushed. What somebody has before them was not laid."""

from __future__ import annotations

from server.telling import corners_of, corrected_event, moved_events
from server.watch_events import Event, Moment
from vision.board import Board, Changes, KnownTile
from vision.in_hand import in_hand


def begun_events(board: Board, moment: Moment) -> list[Event]:
    """A game that begins with its first tile was begun by laying it; of several nobody knows how they came."""
    held = in_hand(board)
    ready = Event("ready", moment, code="watch.ready_free", params={"count": len(board.tiles)})
    laid = [tile for tile in board.tiles.values() if tile.key not in held]
    return [ready, *(_placed(tile, moment) for tile in laid if len(laid) == 1)]


def placed_events(boards: tuple[Board, Board], changes: Changes, moment: Moment) -> list[Event]:
    """What a look changed; `boards` are those before and after it."""
    before, after = boards
    held, was_held = in_hand(after), in_hand(before)
    events = [
        Event("removed", moment, tile=tile.values, corners_px=corners_of(tile), code="watch.removed_free",
              params={"tile": f"{tile.values[0]}-{tile.values[1]}"}, confidence=tile.evidence.confidence)
        for tile in changes.gone if tile.key not in was_held
    ]
    moved = [key for key in changes.moved if key not in held or key not in was_held]
    events += moved_events(after, moved, {}, moment)
    events += [_placed(after.tiles[new.key], moment) for new in changes.new if new.key not in held]
    for key, was in changes.corrected:
        if key not in held:
            events.append(corrected_event(after.tiles[key], None, (was.near, was.far), moment))
    return events


def _placed(tile: KnownTile, moment: Moment) -> Event:
    laid = tile.laid
    return Event("lay", moment, tile=(laid.near, laid.far), corners_px=corners_of(tile),
                 confidence=tile.evidence.confidence, code="watch.placed", params={"tile": str(laid)})
