"""The readable form of a game record, which reads back to the same record.

    stationmaster record 1
    about place "Kitchen table"
    player A "Ann"
    player B "Bo"
    rule double_blank 50

    open laid_by=A                          a round at a real table; for a dealt one: deal 3|4 5|6 ...
    # round 1 from 12-12, A moves first
    A: A 12-3; A 3-5; pass                  a turn: moves in the form of `engine.notation`
    B: draw ?; pass marker on
    B calls
    close B=3|4,5|6                         hands that the table opened
    # round 1: A 0, B 18; totals: A 0, B 18
    score A=0 B=20 out=A                    a round written by its points
    correct 1 B 12 "a 6 was read as a 9"
    shorten 5
    undo

Lines that begin with `#` are remarks: written for the reader, passed over when read. An indented line
continues the one before.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator

from engine.errors import EngineError, NotationError
from engine.moves import Call, Catch, Move, Pass
from engine.notation import check_name, format_move, format_tiles, parse_move, parse_seats, parse_tiles
from engine.options import spell
from engine.record import VERSION, Entry, GameRecord, Player, Replay, Undone, replay, step
from engine.rules import OPTIONS, Rules
from engine.session import Closed, Corrected, Dealt, Opened, Scored, Session, Shortened
from engine.tile import Tile

_TITLE = "stationmaster record"

# -- writing -----------------------------------------------------------------------------------------


def format_record(record: GameRecord, *, remarks: bool = True) -> str:
    """The record as text; `remarks` adds what the replay shows: openings, scores, the first fault."""
    lines = [f"{_TITLE} {VERSION}"]
    lines += [f"about {check_name(key)} {_quoted(value)}" for key, value in record.about]
    lines += [f"player {check_name(player.seat)} {_quoted(player.name)}" for player in record.players]
    lines += [f"rule {name} {spell(value)}" for name, value in record.rules.changes().items()]
    done = replay(GameRecord(record.players, record.rules)) if remarks else None
    turn: list[Move] = []
    for entry in record.entries:
        if turn and not _continues(turn, entry):
            lines.append(_turn_line(turn))
            turn = []
        if isinstance(entry, Move) and not isinstance(entry, Call | Catch):
            turn.append(entry)
        else:
            lines += _entry_lines(entry)
        if done is not None and done.fault is None:
            done = step(done, entry)
            remark = _remark(done, entry)
            if remark is not None:
                lines += [_turn_line(turn)] if turn else []
                turn = []
                lines.append(f"# {remark}")
    if turn:
        lines.append(_turn_line(turn))
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _continues(turn: list[Move], entry: Entry) -> bool:
    """The entry belongs to the turn that is being written."""
    if isinstance(turn[-1], Pass) or not isinstance(entry, Move) or isinstance(entry, Call | Catch):
        return False
    return entry.seat == turn[-1].seat


def _turn_line(turn: list[Move]) -> str:
    seat = turn[0].seat
    if seat is None:
        raise NotationError("a record needs to know whose move it is")
    return f"{check_name(seat)}: {'; '.join(map(str, turn))}"


def _entry_lines(entry: Entry) -> list[str]:
    """The lines of any entry but a move inside a turn; a beginning round gets an empty line before it."""
    match entry:
        case Dealt():
            starter = "" if entry.starter is None else f" starter={entry.starter}"
            tiles = textwrap.wrap(" ".join(map(str, entry.tiles)), 100)
            return ["", f"deal{starter}", *(f"  {line}" for line in tiles)]
        case Opened():
            fields = {
                "laid_by": entry.laid_by,
                "starter": entry.starter,
                "draws": entry.draws or None,
                "double": entry.starting_double,
            }
            return ["", _with_fields("open", fields)]
        case Closed():
            return [_with_fields("close", {seat: format_tiles(tiles) for seat, tiles in entry.hands})]
        case Scored():
            fields = {"out": ",".join(entry.out) or None, "double": entry.starting_double}
            points = " ".join(f"{check_name(seat)}={count}" for seat, count in entry.points)
            return [_with_fields(f"score {points}", fields)]
        case Corrected():
            note = f" {_quoted(entry.note)}" if entry.note else ""
            return [f"correct {entry.number} {check_name(entry.seat)} {entry.points}{note}"]
        case Shortened():
            return [f"shorten {entry.rounds}"]
        case Undone():
            return ["undo"]
        case _:
            return [format_move(entry)]


def _with_fields(word: str, fields: dict[str, str | int | None]) -> str:
    return " ".join([word, *(f"{key}={value}" for key, value in fields.items() if value is not None)])


def _remark(done: Replay, entry: Entry) -> str | None:
    session = done.session
    if done.fault is not None:
        return f"this does not go in: {done.fault.reason}"
    if isinstance(entry, Dealt | Opened) and (opening := session.openings[-1]) is not None:
        double = opening.starting_double
        return f"round {session.round_number} from {double}-{double}, {opening.starter} moves first"
    if isinstance(entry, Closed | Scored):
        row = session.sheet.rounds[-1]
        return f"round {row.number}: {_scores(dict(row.points))}; totals: {_totals(session)}"
    if isinstance(entry, Corrected | Shortened):
        return f"totals: {_totals(session)}; {session.sheet.rounds_left} rounds to play"
    return None


def _scores(points: dict[str, int]) -> str:
    return ", ".join(f"{seat} {count}" for seat, count in points.items())


def _totals(session: Session) -> str:
    return _scores(session.sheet.totals())


# -- reading -----------------------------------------------------------------------------------------


def parse_record(text: str) -> GameRecord:
    """Read what `format_record` writes. Raises `NotationError` naming the line, or `RulesError` for house
    rules that contradict each other.

    Only the form is read here: whether the play is right is for `engine.record.replay` to say.
    """
    about: list[tuple[str, str]] = []
    players: list[Player] = []
    rules: dict[str, object] = {}
    entries: list[Entry] = []
    started = False
    for number, line in _lines(text):
        try:
            if not started:
                _read_title(line)
                started = True
                continue
            word, _, rest = line.partition(" ")
            if word in ("about", "player", "rule") and entries:
                raise NotationError("the header ends where the first round begins")
            if word == "about":
                key, _, value = rest.partition(" ")
                about.append((check_name(key), _unquoted(value)))
            elif word == "player":
                seat, _, name = rest.partition(" ")
                players.append(Player(check_name(seat), _unquoted(name)))
            elif word == "rule":
                name, _, value = rest.partition(" ")
                if name in rules:
                    raise NotationError(f"rule {name} is written twice")
                rules[name] = _rule_value(name, value)
            else:
                entries += _read_entries(word, rest, line)
        except (EngineError, ValueError) as error:
            raise NotationError(f"line {number}: {error}") from error
    if not started:
        raise NotationError("an empty text is not a record")
    return GameRecord(tuple(players), Rules.of(rules), tuple(entries), tuple(about))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Numbered lines without remarks and empty ones; an indented line is joined to the one before."""
    number, held = 0, ""
    # Not splitlines: a quoted text may hold signs that it takes for the end of a line.
    for count, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[0].isspace() and held:
            held += " " + line.strip()
            continue
        if held:
            yield number, held
        number, held = count, line.strip()
    if held:
        yield number, held


def _read_title(line: str) -> None:
    if not line.startswith(f"{_TITLE} "):
        raise NotationError(f"a record begins with {_TITLE!r}")
    version = int(line.removeprefix(f"{_TITLE} "))
    if version > VERSION:
        raise NotationError(f"the record has version {version}; this program reads up to {VERSION}")


def _unquoted(text: str) -> str:
    value = json.loads(text)
    if not isinstance(value, str):
        raise NotationError(f"{text} is not a quoted text")
    return value


def _rule_value(name: str, text: str) -> object:
    """The option's value that is spelled so; other texts are left for the rules to refuse."""
    if name in OPTIONS:
        for word in OPTIONS[name].words:
            if spell(word) == text:
                return word
    return int(text) if text.isdigit() else text


def _read_entries(word: str, rest: str, line: str) -> list[Entry]:
    match word:
        case "deal":
            return [_read_deal(rest.split())]
        case "open":
            fields = _fields(rest, ("laid_by", "starter", "draws", "double"))
            return [
                Opened(
                    laid_by=fields.get("laid_by"),
                    starter=fields.get("starter"),
                    draws=int(fields.get("draws", "0")),
                    starting_double=int(fields["double"]) if "double" in fields else None,
                )
            ]
        case "close":
            return [Closed(tuple((seat, parse_tiles(tiles)) for seat, tiles in _fields(rest).items()))]
        case "score":
            fields = _fields(rest)
            out = parse_seats(fields.pop("out", ""))
            double = fields.pop("double", None)
            points = tuple((seat, int(count)) for seat, count in fields.items())
            return [Scored(points, out, None if double is None else int(double))]
        case "correct":
            number, seat, points_text, *note = rest.split(" ", 3)
            return [Corrected(int(number), seat, int(points_text), _unquoted(note[0]) if note else "")]
        case "shorten":
            return [Shortened(int(rest))]
        case "undo" if not rest:
            return [Undone()]
    if word.endswith(":"):
        return [parse_move(f"{word} {move}") for move in rest.split(";")]
    return [parse_move(line)]


def _read_deal(words: list[str]) -> Dealt:
    starter = None
    if words and words[0].startswith("starter="):
        starter = check_name(words.pop(0).removeprefix("starter="))
    return Dealt(tuple(Tile.parse(word) for word in words), starter)


def _fields(text: str, allowed: tuple[str, ...] | None = None) -> dict[str, str]:
    fields: dict[str, str] = {}
    for word in text.split():
        key, equals, value = word.partition("=")
        if not equals or key in fields or (allowed is not None and key not in allowed):
            raise NotationError(f"{word!r} is not understood here")
        fields[key] = value
    return fields
