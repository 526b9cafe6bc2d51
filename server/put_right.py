"""What people put right on a followed table, brought to the camera that follows it.

The camera begins anew from the table as it stands then, and leaves out what was said to be none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from server.store import EventRow
from server.watching import Watcher
from vision.board import Board
from vision.denied import Denied, Values, middles
from vision.follow_markers import with_marker
from vision.tiles import Points


def put_right(rows: Iterable[EventRow]) -> list[EventRow]:
    """Those of the events after which the camera's own idea of the table is wrong."""
    return [row for row in rows if row.kind == "table_changed" or row.data.get("none") or row.data.get("to")]


@dataclass(slots=True)
class Denials:
    """What people said against the camera in this round."""

    denied: tuple[Denied, ...] = ()
    _said: set[str] = field(default_factory=set)
    """Trains on which a marker stands that the camera may not see."""

    def hear(self, row: EventRow, gone: tuple[int, int] | None, watcher: Watcher) -> None:
        """Somebody put something right. `gone`: values of the tile that is none."""
        if watcher.board is None or watcher.round is None:
            return
        if gone is not None:
            beside = tuple((values, middle) for values, middle in _lying(watcher.board).items() if values != gone)
            tiles = watcher.board.tiles.values()
            self.denied += tuple(Denied(tile.corners_px, gone, beside) for tile in tiles if tile.values == gone)
        elif row.data.get("marker") is not None:
            self._hear_marker(row.data["train"], row.data["marker"], watcher.board, watcher.round.owners)

    def _hear_marker(self, train: str, stands: bool, board: Board, owners: dict[str, str]) -> None:
        places = _markers(board, owners, train)
        if stands:
            self._said.add(train)
            slots = [board.slot_px(name) for name in board.lines if owners.get(name, name) == train]
            near, lying = 1.5 * board.tile_px, _lying(board)
            self.denied = tuple(
                one for one in self.denied if one.values is not None
                or all(abs(one.place_px(lying).mean(0) - slot).max() > near for slot in slots)
            )
        else:
            self._said.discard(train)
            beside = tuple(_lying(board).items())
            self.denied += tuple(Denied(place, None, beside) for place in places)

    def tell(self, watcher: Watcher) -> None:
        """After its first look: markers that people said stand there and that it did not see are known to it."""
        if watcher.board is None or watcher.round is None:
            return
        for name, line in list(watcher.board.lines.items()):
            if watcher.round.owners.get(name, name) in self._said:
                board = watcher.board
                watcher.board = board.with_line(with_marker(line, board.slot_px(name), board.tile_px))
        self._said.clear()


def _lying(board: Board) -> dict[Values, tuple[float, float]]:
    return middles((tile.values, tile.corners_px) for tile in board.tiles.values())


def _markers(board: Board, owners: dict[str, str], train: str) -> list[Points]:
    return [line.marker for name, line in board.lines.items()
            if line.marker is not None and owners.get(name, name) == train]
