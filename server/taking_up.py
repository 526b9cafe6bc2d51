"""What a watch takes over from the game: the table when it begins in the middle of a round, and what people say.

What the game knows already stands, what lies there beside it is new. So nothing is lost while the server or the
camera was off: tiles laid meanwhile are told as if they came just now.
"""

from __future__ import annotations

from dataclasses import replace

from engine.position import Position
from engine.table import LaidTile, Table
from server.explaining import State
from server.restating import same_tiles, unseen_hands
from server.round_watch import RoundWatch
from vision.board import Board, KnownLine

_SAID = 3.0
"""How much likelier than anything seen is what people say."""
_MOST_STATES = 12


def owners_by_tiles(board: Board, table: Table) -> dict[str, str]:
    """Whose lines these are, by the tiles that are said to lie in them."""
    found: dict[str, str] = {}
    for name, line in board.lines.items():
        seen = {board.tiles[key].values for key in line.keys}
        best = max(
            table.trains,
            key=lambda train: len(seen & {(t.tile.low, t.tile.high) for t in train.tiles}),
            default=None,
        )
        if best is not None and seen & {(t.tile.low, t.tile.high) for t in best.tiles}:
            found[name] = best.owner
    return found


def known_part(board: Board, position: Position) -> Board:
    """The board with only those tiles that the position knows, and no markers: the rest is to be found as new."""
    owners = owners_by_tiles(board, position.table)
    for name, line in list(board.lines.items()):
        tiles = position.table.train(owners[name]).tiles if name in owners else ()
        count = _known_keys(board, line, tiles)
        for place, key in enumerate(line.keys):
            if place >= count:
                board = board.without_tile(key)
            elif count == len(tiles):
                board = _as_known(board, key, tiles[place])
        kept = board.lines[name]
        lines = {**board.lines, name: replace(kept, marker=None)}
        if not kept.keys:
            del lines[name]
        board = replace(board, lines=lines)
    return replace(board, started=sum(not name.startswith("M") for name in board.lines))


def _known_keys(board: Board, line: KnownLine, tiles: tuple[LaidTile, ...]) -> int:
    """How many tiles of a line, from the hub, the game knows: up to the last one that is found, however read."""
    values = [board.tiles[key].values for key in line.keys]
    for left, laid in enumerate(reversed(tiles)):
        if (laid.tile.low, laid.tile.high) in values:
            place = len(values) - 1 - values[::-1].index((laid.tile.low, laid.tile.high))
            return min(len(values), place + 1 + left)
    return 0


def _as_known(board: Board, key: int, laid: LaidTile) -> Board:
    """A tile that was read as another is taken for what the game knows it to be."""
    tile = board.tiles[key]
    if tile.values == (laid.tile.low, laid.tile.high):
        return board
    ends = (laid.near, laid.far) if tile.near_half == 0 else (laid.far, laid.near)
    return board.with_tile(replace(tile, taken_for=ends))


def hear(watch: RoundWatch, base: Position, now: Position) -> None:
    """People say how the round stands, which no picture shows: likelier than what was made of the pictures.

    `base` is the position at the start of the turn, `now` the one in it. Where the table does not lie so, the
    pictures are right.
    """
    if not same_tiles(now.table, watch.now.table):
        return
    if same_tiles(base.table, now.table):
        likely = State.fresh(unseen_hands(base))
    else:
        found = next((state for state in watch.states if state.seat == base.turn.seat), None)
        if found is None:
            return
        likely = replace(found, weight=0.0, owed=())
    others = [replace(one, weight=one.weight + _SAID) for one in watch.states if one.identity != likely.identity]
    watch.states = (likely, *others)[:_MOST_STATES]
