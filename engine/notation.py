"""One-line texts of moves, tables and positions, which read back to the same value.

tile        3|12                    laid tile   12-3  (inner half first)
move        A: M 12-3               A: M line 2 5-7          A: M side 0.2 5-7
            A: draw 3|4             A: draw ?
            A: pass marker on       A calls                  B catches A 3|4 5|6
table       12 A:12-3,3-3,3-5+ B:+ M:12-7,7-7/0.1:7-1/0.1:7-4
            starting double; each train with its tiles, its limbs (line.index of the double) and `+` for
            a marker; trains not written have neither tile nor marker
"""

from __future__ import annotations

import re

from engine.errors import NotationError
from engine.moves import Call, Catch, Draw, Move, Pass, Play
from engine.position import (
    CallWatch,
    Hand,
    Lay,
    Mode,
    Need,
    OpenDouble,
    Outcome,
    Position,
    RoundEnd,
    Turn,
)
from engine.table import LaidTile, Limb, Seat, Table, Train
from engine.tile import MAX_PIPS, Pips, Tile

_NAME = re.compile(r"[^\W_][\w'-]*")  # letters of any script; no sign that the notation uses
_WORDS = frozenset({"draw", "pass", "calls", "catches", "side", "out", "double"})
_TRAIN = re.compile(r"(?P<owner>[^:]+):(?P<tiles>[^/+]*)(?P<limbs>(?:/[^/+]+)*)(?P<marker>\+?)")
_LIMB = re.compile(r"(\d+)\.(\d+):(.+)")
_SIDE = re.compile(r"(?:(\d+)\.)?(\d+)")


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
            return Play(check_name(train), LaidTile.parse(laid), int(side[2]), int(side[1]) if side[1] else None, seat)
        case [train, "line", number, laid] if number.isdecimal():
            return Play(check_name(train), LaidTile.parse(laid), line=int(number), seat=seat)
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


# -- positions -----------------------------------------------------------------------------------------


def format_position(position: Position) -> str:
    """A position as one line: the table, then `key=value` for all else that is not at its default."""
    turn = position.turn
    fields = {
        "seats": ",".join(map(check_name, position.seats)),
        "turn": f"{check_name(turn.seat)}/{turn.number}/{turn.mode.value}/{turn.need.value}",
        "lays": ",".join(map(_format_lay, turn.lays)),
        "pending": ",".join("?" if tile is None else str(tile) for tile in turn.pending),
        "flags": ",".join(flag for flag in _TURN_FLAGS if getattr(turn, flag)),
        "hands": "/".join(_format_hand(hand) for hand in position.hands),
        "bone": _format_count(position.boneyard_count),
        "yard": "" if position.boneyard is None else f"[{format_tiles(position.boneyard)}]",
        "open": ",".join(map(_format_double, position.open_doubles)),
        "firsts": _in_order(position.firsts, position.seats),
        "turns": ",".join(map(str, position.turns)),
        "starter": position.starter or "",
        "preempted": _in_order(position.preempted, position.seats),
        "out": ",".join(position.out),
        "waiting": ",".join(f"{seat}/{train}/{value}" for seat, train, value in position.waiting),
        "passes": ",".join(f"{seat}/{'marked' if marked else 'stood'}" for seat, marked in position.passes),
        "watches": ",".join(f"{watch.seat}/{watch.until}" for watch in position.watches),
        "outcome": "" if position.outcome is None else _format_outcome(position.outcome),
        "version": str(position.version),
    }
    written = [f"{key}={value}" for key, value in fields.items() if value]
    return " ".join([format_table(position.table), *written])


def parse_position(text: str) -> Position:
    """Read what `format_position` writes. Raises `NotationError`."""
    fields: dict[str, str] = {}
    table_words = []
    for word in text.split():
        key, equals, value = word.partition("=")
        if not equals:
            table_words.append(word)
        elif key in fields or key not in _POSITION_KEYS:
            raise NotationError(f"{key!r} is {'written twice' if key in fields else 'no part of a position'}")
        else:
            fields[key] = value
    for key in ("seats", "turn", "hands", "bone"):
        if key not in fields:
            raise NotationError(f"a position needs {key}=")
    try:
        return _read_position(parse_table(" ".join(table_words)), fields)
    except NotationError:
        raise
    except (ValueError, KeyError, IndexError) as error:
        raise NotationError(f"not a position: {error}") from error


_TURN_FLAGS = ("plays_two", "may_build", "called")
_POSITION_KEYS = (
    *("seats", "turn", "lays", "pending", "flags", "hands", "bone", "yard", "open", "firsts", "turns"),
    *("starter", "preempted", "out", "waiting", "passes", "watches", "outcome", "version"),
)


def _read_position(table: Table, fields: dict[str, str]) -> Position:
    """Build the position; a `ValueError` of any kind means that a field is not what it should be."""
    seats = parse_seats(fields["seats"])
    hands = tuple(_parse_hand(text) for text in fields["hands"].split("/"))
    if len(hands) != len(seats):
        raise NotationError(f"{len(seats)} seats, but {len(hands)} hands")
    yard = fields.get("yard")
    outcome = fields.get("outcome")
    return Position(
        table=table,
        seats=seats,
        turn=_parse_turn(fields),
        hands=hands,
        boneyard_count=_parse_count(fields["bone"]),
        boneyard=None if yard is None else parse_tiles(yard.removeprefix("[").removesuffix("]")),
        open_doubles=tuple(_parse_double(word) for word in _words(fields, "open")),
        firsts=frozenset(_words(fields, "firsts")),
        turns=tuple(int(word) for word in _words(fields, "turns")),
        starter=fields.get("starter"),
        preempted=frozenset(_words(fields, "preempted")),
        out=tuple(_words(fields, "out")),
        waiting=tuple(
            (seat, train, parse_pips(value))
            for seat, train, value in (word.split("/") for word in _words(fields, "waiting"))
        ),
        passes=tuple(
            (seat, {"marked": True, "stood": False}[how])
            for seat, how in (word.split("/") for word in _words(fields, "passes"))
        ),
        watches=tuple(CallWatch(*word.split("/")) for word in _words(fields, "watches")),
        outcome=None if outcome is None else _parse_outcome(outcome),
        version=int(fields.get("version", "0")),
    )


def _words(fields: dict[str, str], key: str) -> list[str]:
    return fields[key].split(",") if fields.get(key) else []


def _in_order(some: frozenset[Seat], seats: tuple[Seat, ...]) -> str:
    return ",".join(seat for seat in seats if seat in some)


def _format_count(count: int | None) -> str:
    return "?" if count is None else str(count)


def _parse_count(text: str) -> int | None:
    return None if text == "?" else int(text)


def _format_hand(hand: Hand) -> str:
    return f"{format_tiles(hand.tiles)}#{_format_count(hand.count)}"


def _parse_hand(text: str) -> Hand:
    tiles, count = text.split("#")
    return Hand(parse_tiles(tiles), _parse_count(count))


def _parse_turn(fields: dict[str, str]) -> Turn:
    seat, number, mode, need = fields["turn"].split("/")
    flags = _words(fields, "flags")
    if not set(flags) <= set(_TURN_FLAGS):
        raise NotationError(f"flags are {', '.join(_TURN_FLAGS)}")
    return Turn(
        seat=check_name(seat),
        number=int(number),
        mode=Mode(mode),
        need=Need(need),
        lays=tuple(_parse_lay(word) for word in _words(fields, "lays")),
        pending=tuple(None if word == "?" else Tile.parse(word) for word in _words(fields, "pending")),
        plays_two="plays_two" in flags,
        may_build="may_build" in flags,
        called="called" in flags,
    )


def _format_lay(lay: Lay) -> str:
    return f"{lay.train}/{lay.laid}/{lay.line}/{'drawn' if lay.drawn else 'held'}"


def _parse_lay(word: str) -> Lay:
    train, laid, line, how = word.split("/")
    return Lay(train, LaidTile.parse(laid), int(line), {"drawn": True, "held": False}[how])


def _format_double(double: OpenDouble) -> str:
    kind = "foot" if double.foot else "line"
    return f"{double.train}/{double.value}/{double.line}/{double.answers}/{kind}/{double.layer or '?'}"


def _parse_double(word: str) -> OpenDouble:
    train, value, line, answers, kind, layer = word.split("/")
    return OpenDouble(
        train=train,
        value=parse_pips(value),
        line=int(line),
        answers=int(answers),
        foot={"foot": True, "line": False}[kind],
        layer=None if layer == "?" else layer,
    )


def _format_outcome(outcome: Outcome) -> str:
    last = "?" if outcome.last is None else str(outcome.last)
    return f"{outcome.end.value}/{','.join(outcome.out)}/{last}/{'suspicion' if outcome.suspicion else 'clear'}"


def _parse_outcome(text: str) -> Outcome:
    end, out, last, how = text.split("/")
    return Outcome(
        end=RoundEnd(end),
        out=parse_seats(out),
        last=None if last == "?" else Tile.parse(last),
        suspicion={"suspicion": True, "clear": False}[how],
    )
