"""A look at a settled picture, and a known board while the look is laid against it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from engine.table import LaidTile
from vision.board import UNSURE, Array, Board, KnownLine, KnownTile, NewTile, Share
from vision.table_reading import TableReading
from vision.tiles import Points, TileSighting

CHANGED = 0.35
GONE_AFTER = 2
_ENOUGH = 4
"""Fewer tiles than this say nothing of the light."""


def _not_known(_: Points) -> float | None:
    return None


@dataclass(frozen=True, slots=True)
class Look:
    """One settled picture: the reading, and what the picture itself says of places.

    `changed` is how much of a place shows something else than in the picture before; `hidden` how much of it
    is behind a hand or another thing.
    """

    reading: TableReading
    changed: Share = _not_known
    hidden: Share = _not_known
    mixed: bool = False
    still: bool = False
    """Nothing changed since the last look: the same table read once more."""
    resting: bool = False
    """It came to rest before the last look and has not moved since: what this look tells came then."""
    strange: tuple[Points, ...] = ()
    """Small places that changed and show nothing that was read: a marker may stand there unread."""
    unread: tuple[Points, ...] = ()
    """Places as large as a tile that changed and show nothing that was read."""
    came: Share = _not_known
    """As `changed`, without places that count as changed only because they are read at again."""

    @property
    def unsure_share(self) -> float:
        """How much of what lies there can't be read, of 1; 0 for a few tiles."""
        seen = [tile.sighting for tile in self.reading.tiles]
        unsure = sum(one.confidence < UNSURE or None in one.ends for one in seen)
        return unsure / len(seen) if len(seen) >= _ENOUGH else 0.0

    def stood(self, quad: Points) -> bool:
        """What is seen there lay there in the look before, which overlooked it."""
        share = None if self.still else self.came(quad)
        return share is not None and share < CHANGED

    @property
    def gaps(self) -> frozenset[frozenset[int]]:
        """Tile ids on both sides of a hole in a line; one id alone where the hole is at the hub."""
        return frozenset(frozenset(note.tile_ids) for note in self.reading.doubts if note.code == "gap")


@dataclass(slots=True)
class Work:
    """The board while a reading is laid against it, and what was found so far."""

    board: Board
    look: Look
    key_of: dict[int, int] = field(default_factory=dict)
    """Known tile of each sighting."""
    line_of_train: dict[str, str] = field(default_factory=dict)
    new: list[NewTile] = field(default_factory=list)
    gone: list[KnownTile] = field(default_factory=list)
    moved: list[int] = field(default_factory=list)
    corrected: list[tuple[int, LaidTile]] = field(default_factory=list)
    marked: list[str] = field(default_factory=list)
    unmarked: list[str] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)
    """Lines whose marker may also stand, or be gone, against what was seen."""
    merged: list[tuple[str, str]] = field(default_factory=list)
    """Lines that turned out to be the end of others: their names, and those of the others."""
    held: list[Points] = field(default_factory=list)
    """Tiles behind a hole in their line, kept back until the hole is understood."""

    def sighting(self, number: int) -> TileSighting:
        """The sighting of a tile id."""
        return self.look.reading.tile(number).sighting


def named(work: Work, name: str, angle: float | None) -> str:
    """A new line under that name, or under the next free one."""
    board = work.board
    number = 1
    while name in board.lines and board.lines[name].keys:
        number += 1
        name = f"M{number}" if name.startswith("M") else f"t{board.started + number}"
    board = board.with_line(KnownLine(name, (), angle, board.lines[name].marker if name in board.lines else None))
    work.board = replace(board, started=board.started + (not name.startswith("M")))
    return name


def direction(hub: Array | None, point: Array) -> float:
    """Of a point from the hub, radians clockwise in the picture."""
    if hub is None:
        return 0.0
    return math.atan2(point[1] - hub[1], point[0] - hub[0])


def turn_between(one: float, other: float) -> float:
    """Radians, -pi to pi."""
    return math.remainder(one - other, 2 * math.pi)
