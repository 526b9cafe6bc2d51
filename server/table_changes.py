"""What people put right on the followed table beside the values of a tile.

Something that was taken for a tile is none, a tile lies there that nobody told of, a marker stands or does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.doubles import fits
from engine.errors import PositionError
from engine.played_on import with_marks, with_open_doubles
from engine.position import Hand, Position
from engine.reducer import start_turn
from engine.rules import Rules
from engine.table import LaidTile, Limb, Seat, Train, mexican_number
from engine.tile import Tile

Json = dict[str, Any]


def changed_position(position: Position, rules: Rules, data: Mapping[str, Any]) -> Position:
    """The position before a turn, as it is with one thing put right. Raises `PositionError` where it can't lie so.

    `data` names a `train` and either a `marker` (true or false), a tile that is `gone`, or a `tile` that lies there
    `at` a place counted from the hub (at the end unless told); `seat` laid it, or did not.
    """
    if data.get("marker") is not None:
        return _with_marker(position, data["train"], bool(data["marker"]))
    train = position.table.train(data["train"])
    if data.get("gone") is not None:
        after, change = _without(train, Tile(*data["gone"]), position, rules), 1
    else:
        after, change = _with(train, data, position, rules), -1
    table = position.table.with_train(after)
    position = _with_count(replace(position, table=table, outcome=None), data.get("seat"), change)
    return start_turn(with_open_doubles(position, rules), rules, position.turn.seat)


def _with_marker(position: Position, owner: str, stands: bool) -> Position:
    if owner not in position.seats:
        raise PositionError("no marker stands on a Mexican train")
    others = [mark for mark in position.table.markers if mark != owner]
    return with_marks(position, [*others, owner] if stands else others)


def _without(train: Train, tile: Tile, position: Position, rules: Rules) -> Train:
    """The train without a tile; what lay behind it goes on from the tile before."""
    for number, limb in enumerate(train.limbs):
        if any(laid.tile == tile for laid in limb.tiles):
            kept = tuple(laid for laid in limb.tiles if laid.tile != tile)
            limbs = [*train.limbs[:number], *([replace(limb, tiles=kept)] if kept else []), *train.limbs[number + 1:]]
            return replace(train, limbs=tuple(limbs))
    place = next((place for place, laid in enumerate(train.tiles) if laid.tile == tile), None)
    if place is None:
        raise PositionError(f"the {tile} does not lie there")
    if any(limb.line == 0 and limb.index == place for limb in train.limbs):
        raise PositionError(f"other tiles lie at the {tile}")
    tiles = (*train.tiles[:place], *train.tiles[place + 1:])
    if _misfit(tiles, position, rules):
        raise PositionError(f"what lies behind the {tile} does not fit without it")
    return replace(train, tiles=tiles, limbs=_moved(train.limbs, place, -1))


def _with(train: Train, data: Mapping[str, Any], position: Position, rules: Rules) -> Train:
    """The train with one tile more, turned the way it fits."""
    tile = Tile(*data["tile"])
    place = len(train.tiles) if data.get("at") is None else data["at"]
    if not 0 <= place <= len(train.tiles):
        raise PositionError(f"there are {len(train.tiles)} tiles on this train")
    if train.owner not in position.seats and (mexican_number(train.owner) is None or not rules.mexican_present):
        raise PositionError(f"there is no train {train.owner} in this game")
    asked = train.tiles[place - 1].far if place else position.table.starting_double
    for laid in (LaidTile(tile.low, tile.high), LaidTile(tile.high, tile.low)):
        if fits(laid.near, asked, rules):
            line = (*train.tiles[:place], laid, *train.tiles[place:])
            if not _misfit(line, position, rules):
                return replace(train, tiles=line, limbs=_moved(train.limbs, place, 1))
    raise PositionError(f"the {tile} does not fit there")


def _misfit(tiles: tuple[LaidTile, ...], position: Position, rules: Rules) -> bool:
    """Some tile of a line does not lie against the one before it."""
    ends = (position.table.starting_double, *(laid.far for laid in tiles))
    return any(not fits(laid.near, end, rules) for laid, end in zip(tiles, ends, strict=False))


def _moved(limbs: tuple[Limb, ...], place: int, by: int) -> tuple[Limb, ...]:
    """Toes stay at their doubles when a tile nearer the hub comes or goes."""
    return tuple(
        replace(limb, index=limb.index + by) if limb.line == 0 and limb.index >= place else limb for limb in limbs
    )


def _with_count(position: Position, seat: Seat | None, change: int) -> Position:
    """Who laid it holds one less, or one more if nobody laid it; where hands are counted."""
    if seat not in position.seats:
        return position
    count = position.hand(seat).count
    if count is None:
        return position
    return position.with_hand(seat, Hand((), max(0, count + change)))
