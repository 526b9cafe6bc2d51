"""One-line texts of moves, tables and positions, which read back to the same value.

tile        3|12                    laid tile   12-3  (inner half first)
move        A: M 12-3               A: M side 0.2 5-7        A: draw 3|4      A: draw ?
            A: pass marker on       A calls                  B catches A 3|4 5|6
table       12 A:12-3,3-3,3-5+ B:+ M:12-7,7-7/0.1:7-1/0.1:7-4
            starting double; each train with its tiles, its limbs (line.index of the double) and `+` for
            a marker; trains not written have neither tile nor marker
"""

from __future__ import annotations

import re

from engine.errors import NotationError
from engine.moves import Call, Catch, Draw, Move, Pass, Play
from engine.table import LaidTile, Limb, Seat, Table, Train
from engine.tile import MAX_PIPS, Pips, Tile

_NAME = re.compile(r"[^\W_][\w'-]*")  # letters of any script; no sign that the notation uses
_WORDS = frozenset({"draw", "pass", "calls", "catches", "side"})
_TRAIN = re.compile(r"(?P<owner>[^:]+):(?P<tiles>[^/+]*)(?P<limbs>(?:/[^/+]+)*)(?P<marker>\+?)")
_LIMB = re.compile(r"(\d+)\.(\d+):(.+)")
_SIDE = re.compile(r"(\d+)\.(\d+)")


def check_name(name: str) -> str:
    """A seat's name as the notation can write it. Raises `NotationError` for one that it can't."""
    if _NAME.fullmatch(name) is None:
        raise NotationError(f"{name!r} can't be a seat's name: one word of letters and digits")
    if name in _WORDS:
        raise NotationError(f"a seat can't be called {name!r}: the notation uses that word")
    return name


# -- moves -------------------------------------------------------------------------------------------


def format_move(move: Move) -> str:
    """One move as text, with who makes it where that is known."""
    match move:
        case Call():
            return f"{check_name(move.seat)} calls"
        case Catch():
            tiles = "".join(f" {tile}" for tile in move.tiles)
            return f"{check_name(move.by)} catches {check_name(move.seat)}{tiles}"
    return str(move) if move.seat is None else f"{check_name(move.seat)}: {move}"


def parse_move(text: str) -> Move:
    """Read what `format_move` writes. Raises `NotationError`."""
    head, colon, rest = text.partition(":")
    words = (rest if colon else text).split()
    seat = check_name(head.strip()) if colon else None
    match words:
        case [by, "calls"] if not colon:
            return Call(check_name(by))
        case [by, "catches", caught, *tiles] if not colon:
            return Catch(check_name(by), check_name(caught), tuple(Tile.parse(tile) for tile in tiles))
        case ["draw", "?"]:
            return Draw(None, seat)
        case ["draw", tile]:
            return Draw(Tile.parse(tile), seat)
        case ["pass"]:
            return Pass(None, seat)
        case ["pass", "marker", ("on" | "off") as stands]:
            return Pass(stands == "on", seat)
        case [train, "side", place, laid] if (side := _SIDE.fullmatch(place)) is not None:
            return Play(check_name(train), LaidTile.parse(laid), int(side[2]), int(side[1]), seat)
        case [train, laid]:
            return Play(check_name(train), LaidTile.parse(laid), seat=seat)
    raise NotationError(f"{text!r} is not a move")


# -- tables ------------------------------------------------------------------------------------------


def format_table(table: Table) -> str:
    """A table as one line."""
    return " ".join([str(table.starting_double), *map(_format_train, table.trains)])


def parse_table(text: str) -> Table:
    """Read what `format_table` writes; the table may be impossible. Raises `NotationError`."""
    words = text.split()
    if not words:
        raise NotationError("an empty line is not a table")
    trains: list[Train] = []
    for word in words[1:]:
        train = _parse_train(word)
        if any(known.owner == train.owner for known in trains):
            raise NotationError(f"train {train.owner} is written twice")
        trains.append(train)
    return Table(parse_pips(words[0]), tuple(trains))


def parse_pips(text: str) -> Pips:
    """Read a value of 0 to 18."""
    if not re.fullmatch(r"\d{1,2}", text) or int(text) > MAX_PIPS:
        raise NotationError(f"{text!r} is not a value of 0 to {MAX_PIPS}")
    return int(text)


def _format_train(train: Train) -> str:
    limbs = "".join(f"/{limb.line}.{limb.index}:{_format_line(limb.tiles)}" for limb in train.limbs)
    return f"{check_name(train.owner)}:{_format_line(train.tiles)}{limbs}{'+' if train.marker else ''}"


def _parse_train(word: str) -> Train:
    match = _TRAIN.fullmatch(word)
    if match is None:
        raise NotationError(f"{word!r} is not a train (write it like A:12-3,3-5+)")
    limbs: list[Limb] = []
    for text in match["limbs"].split("/")[1:]:
        limb = _LIMB.fullmatch(text)
        if limb is None:
            raise NotationError(f"{text!r} is not a limb (write it like 0.2:5-7)")
        line, index = int(limb[1]), int(limb[2])
        if line > len(limbs):
            raise NotationError(f"limb {text!r} leaves line {line}, which is not written before it")
        limbs.append(Limb(line, index, _parse_line(limb[3])))
    return Train(
        owner=check_name(match["owner"]),
        tiles=_parse_line(match["tiles"]),
        marker=bool(match["marker"]),
        limbs=tuple(limbs),
    )


def _format_line(tiles: tuple[LaidTile, ...]) -> str:
    return ",".join(map(str, tiles))


def _parse_line(text: str) -> tuple[LaidTile, ...]:
    return tuple(LaidTile.parse(word) for word in text.split(",")) if text else ()


# -- lists of seats and tiles, for positions and records ------------------------------------------------


def format_tiles(tiles: tuple[Tile, ...]) -> str:
    """Tiles as a list with commas; an empty text for none."""
    return ",".join(map(str, tiles))


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Read what `format_tiles` writes."""
    return tuple(Tile.parse(word) for word in text.split(",")) if text else ()


def parse_seats(text: str) -> tuple[Seat, ...]:
    """Read names with commas between."""
    return tuple(check_name(word) for word in text.split(",")) if text else ()
