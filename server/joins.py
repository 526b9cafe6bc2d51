"""Values that two halves against each other agree on.

A tile is laid where it fits, far more often than not. Where a half may be read as either of two values, the half it
lies against decides; halves that are both surely read and differ are left as they are: that is for the referee.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine.table import LaidTile
from vision.board import Board, KnownTile, NewTile

Row = npt.NDArray[np.float64]

_LEAST = 0.03
"""How likely an agreement must be, against the likeliest values alone: fouls are rarer than this."""
_LIES_ALONG = 0.1
_THINKABLE = 0.02


@dataclass(frozen=True, slots=True)
class Settled:
    """The board with values as they agree, and the known tiles that turned out to be others: key, tile before."""

    board: Board
    corrected: tuple[tuple[int, LaidTile], ...]


def settle_joins(board: Board, new: Sequence[NewTile], mixed: bool = False) -> Settled:
    """Go along the new tiles of each line and let every join agree if it can."""
    corrected: list[tuple[int, LaidTile]] = []
    fresh = {tile.key for tile in new}
    for tile in sorted(new, key=lambda tile: (tile.line, tile.index)):
        line = board.lines[tile.line]
        here = board.tiles[tile.key]
        if tile.index == 0:
            before_it = None if board.start is None else board.tiles[board.start].laid
            board = _as_it_lies(_at_the_hub(board, here, fresh), tile)
            if board.start is not None and before_it is not None and board.tiles[board.start].laid != before_it:
                corrected.append((board.start, before_it))
            continue
        before = board.tiles[line.keys[tile.index - 1]]
        value = _agreed(_row(before, far=True), _row(here, far=False))
        if value is None:
            continue
        if before.laid.far != value:
            if before.key not in fresh and tile.confidence < 0.6:
                continue
            if before.key not in fresh:
                corrected.append((before.key, before.laid))
            board = board.with_tile(_with_laid(before, LaidTile(before.laid.near, value)))
        board = _as_it_lies(board.with_tile(_near_as(here, value)), tile)
    if not mixed:
        for tile in new:
            board = _once(board, tile)
    return Settled(board, tuple(corrected))


def _at_the_hub(board: Board, here: KnownTile, fresh: set[int]) -> Board:
    """The first tile of a line and the starting double agree, if they can; the first tiles of other lines count too."""
    if board.start is None:
        return board
    start = board.tiles[board.start]
    row = np.prod(np.asarray(start.evidence.probabilities, np.float64), axis=0)
    firsts = [board.tiles[line.keys[0]] for line in board.lines.values() if line.keys]
    for first in firsts:
        if first.key != here.key and first.key not in fresh:
            row = row * _row(first, far=False)
    value = _agreed(row / max(float(row.max()), 1e-300), _row(here, far=False))
    if value is None:
        return board
    if start.ends != (value, value):
        board = board.with_tile(replace(start, taken_for=(value, value)))
    return board.with_tile(_near_as(here, value))


def _row(tile: KnownTile, far: bool) -> Row:
    half = 1 - tile.near_half if far else tile.near_half
    return np.asarray(tile.evidence.probabilities[half], np.float64)


def _agreed(one: Row, other: Row) -> int | None:
    """The value that both halves are likeliest to show, if that is likely enough."""
    both = one * other
    value = int(both.argmax())
    return value if both[value] >= _LEAST * one.max() * other.max() else None


def _near_as(tile: KnownTile, value: int) -> KnownTile:
    """The near half shows `value`, if it can be read so; a double stays a double."""
    laid, row = tile.laid, _row(tile, far=False)
    if laid.near == value or row[value] < _LEAST * row.max():
        return tile
    far = value if laid.near == laid.far else laid.far
    return _with_laid(tile, LaidTile(value, far))


def _as_it_lies(board: Board, new: NewTile) -> Board:
    """Doubles lie crosswise, other tiles do not, nearly always: that is evidence where a value is unsure."""
    tile, keys = board.tiles[new.key], board.lines[new.line].keys
    before = np.asarray(board.tiles[keys[new.index - 1]].centre_px if new.index > 0 else board.hub_px, np.float64)
    along = np.asarray(tile.corners_px[2] - tile.corners_px[1], np.float64)
    ahead = tile.centre_px - before
    cosine = abs(float(along @ ahead)) / (float(np.linalg.norm(along) * np.linalg.norm(ahead)) + 1e-6)
    laid, row = tile.laid, _row(tile, far=True)
    if cosine > 0.8 and laid.near == laid.far:
        others = row.copy()
        others[laid.near] = 0
        if others.max() >= _LIES_ALONG:
            return board.with_tile(_with_laid(tile, LaidTile(laid.near, int(others.argmax()))))
    if cosine < 0.4 and laid.near != laid.far and row[laid.near] >= _LEAST * row.max():
        return board.with_tile(_with_laid(tile, LaidTile(laid.near, laid.near)))
    return board


def _with_laid(tile: KnownTile, laid: LaidTile) -> KnownTile:
    ends = (laid.near, laid.far) if tile.near_half == 0 else (laid.far, laid.near)
    return replace(tile, taken_for=ends)


def _once(board: Board, new: NewTile) -> Board:
    """One set has each tile once: a new one that lies there already is read as the next likely one, if any is."""
    tile = board.tiles[new.key]
    others = {other.values for key, other in board.tiles.items() if key != new.key}
    if tile.values not in others:
        return board
    row, near = _row(tile, far=True), tile.laid.near
    for value in np.argsort(-row)[:4]:
        far = int(value)
        if row[far] >= _THINKABLE and (min(near, far), max(near, far)) not in others:
            return board.with_tile(_with_laid(tile, LaidTile(near, far)))
    return board
