"""Reading a case: house rules, a position and the acts of a turn, in the JSON form of the rules matrix, 5.

Whatever does not fit raises `PositionError`, `NotationError` or `RulesError` with one clear sentence: a
referee never guesses what a broken report may have meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.doubles import answers_for, fits, without_dead
from engine.errors import NotationError, PositionError, RulesError
from engine.moves import Draw, Play
from engine.position import Hand, Mode, OpenDouble, Position, Turn
from engine.reducer import start_turn
from engine.rules import Rules
from engine.ruling import Act, ActedBy, ClaimsOut, MarkersSeen
from engine.table import LaidTile, Limb, Seat, Table, Train, TrainId, mexican_number
from engine.tile import DominoSet, Tile

PRE_KEYS = frozenset(
    (
        *("n", "engine", "seats", "by", "turn", "firsts"),
        *("trains", "toes", "marks", "open"),
        *("bone", "hand", "handcount"),
    )
)
DEFAULT_SEATS = "ABCD"
DEFAULT_BONEYARD = 20


def read_rules(opts: object, set_size: object = None) -> Rules:
    """House rules as differences from the published game; `set_size` if the position names one."""
    changes = dict(mapping(opts or {}, "opts"))
    if set_size is not None:
        if changes.get("set_size", set_size) != set_size:
            raise RulesError(f"the rules speak of a double-{changes['set_size']} set, the table of {set_size}")
        changes["set_size"] = set_size
    return Rules.of(changes)


def read_position(pre: object, rules: Rules) -> Position:
    """The position before a turn."""
    fields = mapping(pre, "pre")
    for key in fields:
        if key not in PRE_KEYS:
            raise PositionError(f"a position has no key {key}")
    seats = read_seats(fields.get("seats", DEFAULT_SEATS))
    if "by" not in fields:
        raise PositionError("the position does not say who is to move (by)")
    by = _seat(fields["by"], seats)
    table = _table(fields, rules, seats)
    firsts, turns = _turns(fields, seats, by)
    boneyard = _boneyard(fields)
    hand = _hand(fields, rules, table)
    doubles = _open_doubles(fields, rules, table)
    _conserved(fields, rules, table, hand, boneyard)
    number = turns[seats.index(by)] + 1
    position = Position(
        table=table,
        seats=seats,
        turn=Turn(by, number, Mode.FREE),
        hands=tuple(hand if seat == by else Hand() for seat in seats),
        boneyard_count=boneyard,
        open_doubles=without_dead(doubles, table, rules),
        firsts=firsts,
        turns=turns,
        # The first seat of the round is known while nobody has had a turn.
        starter=by if firsts == set(seats) else None,
        # Nobody reports how a first turn was spent: the seat gets the benefit of the doubt.
        preempted=frozenset({by}) if number > 1 and not table.train(by).started else frozenset(),
    )
    return start_turn(position, rules, by)


def read_acts(acts: object, seats: Sequence[Seat]) -> list[Act]:
    """The acts of a turn in order."""
    return [_act(act, seats) for act in items(acts, "act")]


# -- parts of a position ----------------------------------------------------------------------------


def read_seats(value: object) -> tuple[Seat, ...]:
    """Seats clockwise, as a row of letters or a list of names."""
    seats = tuple(value) if isinstance(value, str) else tuple(items(value, "seats"))
    if not all(isinstance(seat, str) and seat.strip() for seat in seats):
        raise PositionError("seats are letters or names")
    if len(set(seats)) != len(seats) or len(seats) < 2:
        raise PositionError("a table has at least two seats, each named once")
    for seat in seats:
        if mexican_number(seat) is not None:
            raise PositionError(f"a seat can't be called {seat}: that is the Mexican train")
    return seats


def _table(fields: Mapping[str, Any], rules: Rules, seats: Sequence[Seat]) -> Table:
    engine = whole(fields.get("engine", rules.set_size), "engine", 0, rules.set_size)
    marks = [_seat(mark, seats) for mark in items(fields.get("marks", []), "marks")]
    lines = {
        _train(train, seats): _line(tiles, engine, rules)
        for train, tiles in mapping(fields.get("trains", {}), "trains").items()
    }
    toes = {
        _train(train, seats): _toes(train, tiles, lines, rules)
        for train, tiles in mapping(fields.get("toes", {}), "toes").items()
    }
    owners = [*seats, *(train for train in lines if train not in seats)]
    trains = tuple(
        Train(owner, lines.get(owner, ()), owner in marks, toes.get(owner, ())) for owner in owners
    )
    table = Table(engine, trains)
    seen: set[Tile] = set()
    for tile in table.tiles():
        if tile in seen:
            raise PositionError(f"the {tile} lies on the table twice")
        seen.add(tile)
    return table


def _line(value: object, engine: int, rules: Rules) -> tuple[LaidTile, ...]:
    end = engine
    line = []
    for text in items(value, "a train"):
        laid = _laid(text, rules)
        if not fits(laid.near, end, rules):
            raise PositionError(f"{laid} lies where a {end} is asked for")
        line.append(laid)
        end = laid.far
    return tuple(line)


def _toes(
    train: TrainId, value: object, lines: Mapping[TrainId, tuple[LaidTile, ...]], rules: Rules
) -> tuple[Limb, ...]:
    line = lines.get(train, ())
    toes = [_laid(text, rules) for text in items(value, "toes")]
    if not toes:
        return ()
    if answers_for(train, None, rules) == 1:
        raise PositionError(f"{train} has toes, but its doubles ask for one tile only")
    if not line or not line[-1].is_double or len(toes) > 3:
        raise PositionError(f"the toes of {train} do not lie at a double, or are too many")
    for toe in toes:
        if not fits(toe.near, line[-1].far, rules):
            raise PositionError(f"the toe {toe} does not fit the {line[-1]}")
    return tuple(Limb(0, len(line) - 1, (toe,)) for toe in toes)


def _open_doubles(fields: Mapping[str, Any], rules: Rules, table: Table) -> tuple[OpenDouble, ...]:
    doubles: list[OpenDouble] = []
    for entry in items(fields.get("open", []), "open"):
        pair = items(entry, "an open double")
        if len(pair) != 2 or not isinstance(pair[0], str):
            raise PositionError("an open double is [train, value]")
        train, value = table.train(pair[0]), whole(pair[1], "an open double", 0, rules.set_size)
        if not train.tiles or train.tiles[-1] != LaidTile(value, value):
            raise PositionError(f"{pair[0]} does not end with the {value}-{value}")
        answers = answers_for(train.owner, None, rules)
        left = answers - len(train.limbs)
        if left < 1:
            raise PositionError(f"the {value}-{value} on {train.owner} has all its tiles and is not open")
        doubles.append(OpenDouble(train.owner, value, 0, left, answers > 1))
    if len({double.train for double in doubles}) != len(doubles):
        raise PositionError("a train has one open double at most")
    return tuple(doubles)


def _turns(
    fields: Mapping[str, Any], seats: tuple[Seat, ...], by: Seat
) -> tuple[frozenset[Seat], tuple[int, ...]]:
    firsts_value = fields.get("firsts", "")
    listed = tuple(firsts_value) if isinstance(firsts_value, str) else items(firsts_value, "firsts")
    firsts = frozenset(_seat(seat, seats) for seat in listed)
    number = whole(fields.get("turn", 1 if by in firsts else 2), "turn", 1, 10_000)
    if by in firsts and number > 1:
        raise PositionError(f"{by} has not finished a first turn, so this can't be turn {number}")
    if number == 1 and by not in firsts:
        if firsts:
            raise PositionError(f"{by} has finished a first turn, so this can't be turn 1")
        firsts = frozenset({by})
    turns = tuple(number - 1 if seat == by else int(seat not in firsts) for seat in seats)
    return firsts, turns


def _boneyard(fields: Mapping[str, Any]) -> int | None:
    value = fields.get("bone", DEFAULT_BONEYARD)
    return None if value is None else whole(value, "bone", 0, 190)


def _hand(fields: Mapping[str, Any], rules: Rules, table: Table) -> Hand:
    value, count = fields.get("hand"), fields.get("handcount")
    number = None if count is None else whole(count, "handcount", 0, 190)
    if value is None:
        return Hand((), number)
    tiles = tuple(read_tile(text, rules) for text in items(value, "hand"))
    if len(set(tiles)) != len(tiles):
        raise PositionError("a tile is in the hand twice")
    for tile in tiles:
        if table.has(tile):
            raise PositionError(f"the {tile} is in the hand and on the table")
    if number is not None and number != len(tiles):
        raise PositionError(f"the hand shows {len(tiles)} tiles, but the count is {number}")
    return Hand.of(tiles)


def _conserved(
    fields: Mapping[str, Any], rules: Rules, table: Table, hand: Hand, boneyard: int | None
) -> None:
    """Table, hand and boneyard cannot be more than the set. A boneyard nobody counted is left out."""
    known = sum(1 for _ in table.tiles()) + max(hand.count or 0, len(hand.tiles))
    if "bone" in fields:
        known += boneyard or 0
    if known > len(DominoSet(rules.set_size)):
        raise PositionError(f"{known} tiles in all are more than a double-{rules.set_size} set has")


# -- acts -------------------------------------------------------------------------------------------


def _act(value: object, seats: Sequence[Seat]) -> Act:
    parts = items(value, "an act")
    if not parts or not isinstance(parts[0], str):
        raise NotationError("an act is a list that begins with its name")
    name, rest = parts[0], parts[1:]
    if name == "lay" and len(rest) == 2:
        return Play(_train(rest[0], seats), _any_laid(rest[1]))
    if name == "branch" and len(rest) == 3:
        index = whole(rest[1], "the place of a side line", 0, 1000)
        return Play(_train(rest[0], seats), _any_laid(rest[2]), branch_index=index)
    if name == "draw" and len(rest) <= 1:
        return Draw(None if not rest or rest[0] in ("?", None) else read_tile(rest[0], None))
    if name == "marks" and len(rest) == 1:
        return MarkersSeen(tuple(_train(train, seats) for train in items(rest[0], "marks")))
    if name == "seat" and len(rest) == 1:
        return ActedBy(_seat(rest[0], seats))
    if name == "out" and not rest:
        return ClaimsOut()
    raise NotationError(f"{value!r} is not an act")


# -- small readers ----------------------------------------------------------------------------------


def mapping(value: object, name: str) -> Mapping[str, Any]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise PositionError(f"{name} is not an object")
    return value


def items(value: object, name: str) -> list[Any]:
    """A JSON list."""
    if not isinstance(value, (list, tuple)):
        raise PositionError(f"{name} is not a list")
    return list(value)


def whole(value: object, name: str, low: int, high: int) -> int:
    """A whole number within bounds; true and false are none."""
    if type(value) is not int or not low <= value <= high:
        raise PositionError(f"{name} is {value!r}; it should be a whole number from {low} to {high}")
    return value


def read_tile(value: object, rules: Rules | None) -> Tile:
    """A tile, within the set if the rules are given."""
    if not isinstance(value, str):
        raise NotationError(f"{value!r} is not a tile")
    tile = Tile.parse(value)
    if rules is not None and tile.high > rules.set_size:
        raise PositionError(f"there is no {tile} in a double-{rules.set_size} set")
    return tile


def _any_laid(value: object) -> LaidTile:
    if not isinstance(value, str):
        raise NotationError(f"{value!r} is not a laid tile")
    return LaidTile.parse(value)


def _laid(value: object, rules: Rules) -> LaidTile:
    laid = _any_laid(value)
    if max(laid.near, laid.far) > rules.set_size:
        raise PositionError(f"there is no {laid.tile} in a double-{rules.set_size} set")
    return laid


def _seat(value: object, seats: Sequence[Seat]) -> Seat:
    if value not in seats or not isinstance(value, str):
        raise PositionError(f"there is no seat {value!r} at this table")
    return value


def _train(value: object, seats: Sequence[Seat]) -> TrainId:
    if isinstance(value, str) and (value in seats or mexican_number(value) is not None):
        return value
    raise PositionError(f"there is no train {value!r} at this table")


