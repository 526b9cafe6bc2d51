"""What to look at again before it is told: a wrong foul costs more than another look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.table import TrainId
from server.round_watch import SURE
from server.watch_events import Event
from vision.board import Board, Changes
from vision.tiles import Points

_ASKS = ("readable_tile", "intermediate_frame", "actor")


def places_in_doubt(
    events: Sequence[Event], changes: Changes, boards: tuple[Board, Board], owners: Mapping[str, TrainId]
) -> list[Points]:
    """Corners (4, 2) px of places that what would be told rests on; none if all of it is plain.

    `boards` are those before and after the look.
    """
    places = list(changes.held)
    line_of = {owner: name for name, owner in owners.items()}
    for name in changes.unsure:
        places += _tail(boards, name)
    for event in events:
        if not _weighty(event):
            continue
        if event.corners_px is not None:
            places.append(np.array(event.corners_px, np.float32))
        for train in (event.train, event.seat):
            if train is not None:
                places += _tail(boards, line_of.get(train, train))
    return places


def _weighty(event: Event) -> bool:
    if event.event in ("removed", "moved", "marker_on", "marker_off"):
        return True
    if event.verdict == "illegal" or event.ask in _ASKS or event.corrects is not None:
        return True
    return event.event == "lay" and event.confidence is not None and event.confidence < SURE


def _tail(boards: tuple[Board, Board], name: str) -> list[Points]:
    """The last two tiles of a line and its marker, as they were and as they are."""
    found: list[Points] = []
    for board in boards:
        line = board.lines.get(name)
        if line is None:
            continue
        found += [board.tiles[key].corners_px for key in line.keys[-2:]]
        if line.marker is not None:
            found.append(line.marker)
        elif not line.keys:
            half = board.tile_px / 2
            corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
            found.append((board.slot_px(name) + corners).astype(np.float32))
    return found
