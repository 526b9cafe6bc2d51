"""An evening: everything that is true of a game, folded from its events. Frozen; an event makes a new one.

Points, places and the order of rounds come from `engine`; here stands only who said what, and when.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.deductions import conservation
from engine.errors import EngineError, PositionError, RulesError
from engine.presets import preset
from engine.rounds import next_starter
from engine.rules import Rules
from engine.scoring import ScoreSheet, hand_points, score_hands
from engine.table import Seat as SeatId
from engine.tile import Tile
from server import tables
from server.players import Seat
from server.store import EventRow
from server.tables import TableGame

Json = dict[str, Any]

TABLE_KINDS = frozenset({"table_started", "table_act", "table_taken_back", "table_overruled", "table_shown",
                         "table_stopped", "table_seen", "table_corrected", "table_changed"})
SEATING = frozenset({"seats_moved", "player_added", "player_left", "player_back"})
UNDOABLE = SEATING | {"hand_accepted", "hand_reopened", "points_corrected", "seats_changed", "starter_named",
                      "shortened", "rules_changed", "round_typed"}


@dataclass(frozen=True, slots=True)
class HandEntry:
    """What a seat was left with at the end of a round, as it was accepted. `tiles` is None for a typed total."""

    seat: SeatId
    tiles: tuple[Tile, ...] | None
    typed: int | None
    last: Tile | None
    photo: str | None
    by: str
    at: str

    @property
    def out(self) -> bool:
        """Nothing left in hand."""
        return self.tiles == ()


@dataclass(frozen=True, slots=True)
class Change:
    """A line of the log: what can be undone, and what people are told happened."""

    version: int
    at: str
    actor: str
    kind: str
    data: Json
    undone: bool = False


@dataclass(frozen=True)
class Evening:
    """A game as it stands."""

    id: str
    version: int = 0
    title: str = ""
    one_phone: bool = False
    everyone: tuple[Seat, ...] = ()
    """All who ever played, clockwise; who left keeps the place beside the neighbours."""
    mixed: bool = False
    """Two sets are mixed: each tile is there twice."""
    preset: str = "published_default"
    sheet: ScoreSheet = field(default_factory=lambda: ScoreSheet(("A",), Rules()))
    hands: Mapping[int, Mapping[SeatId, HandEntry]] = field(default_factory=dict)
    starters: Mapping[int, SeatId] = field(default_factory=dict)
    touched: Mapping[str, int] = field(default_factory=dict)
    table: TableGame | None = None
    table_events: tuple[EventRow, ...] = ()
    """Events of the round that is followed, from its start; a taken-back act is played out from there."""
    unaccounted: Mapping[int, int] = field(default_factory=dict)
    """Tiles that table, hands and boneyard lack to make up the set, for rounds that were followed to the end."""
    log: tuple[Change, ...] = ()

    @property
    def rules(self) -> Rules:
        """House rules in force."""
        return self.sheet.rules

    @property
    def round(self) -> int:
        """The round being played; after the last one, the number of rounds."""
        return min(len(self.sheet.rounds) + 1, self.sheet.rounds_planned)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who plays now, clockwise."""
        return tuple(seat for seat in self.everyone if seat.id not in self.sheet.gone)

    @property
    def seat_ids(self) -> tuple[SeatId, ...]:
        """Seats in play, clockwise."""
        return tuple(seat.id for seat in self.seats)

    def seat(self, seat_id: SeatId) -> Seat | None:
        """A seat in play by its letter."""
        return next((seat for seat in self.seats if seat.id == seat_id), None)

    @property
    def tiles_of_a_kind(self) -> int:
        """How often each tile is there."""
        return 2 if self.mixed else 1

    def hands_of(self, number: int) -> Mapping[SeatId, HandEntry]:
        """What was accepted for a round."""
        return self.hands.get(number, {})

    def changed_since(self, aspect: str, version: int) -> bool:
        """True if `aspect` (such as `hand:3:A`) changed after `version`."""
        return self.touched.get(aspect, 0) > version

    def points_of(self, entry: HandEntry) -> int:
        """Points of a hand by itself; what a round does to them shows when it is written."""
        return entry.typed if entry.tiles is None else hand_points(entry.tiles, self.rules)  # type: ignore[return-value]

    def starter(self) -> SeatId | None:
        """Who moves first in the round to come, if that is settled before the starting double is laid."""
        number = len(self.sheet.rounds) + 1
        if self.starters.get(number) in self.seat_ids:
            return self.starters[number]
        last = self.last_starter()
        if last is None:
            return None
        try:
            return next_starter(self.seat_ids, self.rules, last_starter=last, totals=self.sheet.totals())
        except EngineError:
            return None  # whoever lays the starting double moves first: nobody knows yet

    def last_starter(self) -> SeatId | None:
        """Who moved first in the last round, if known; for somebody who left since, the neighbour before."""
        last = self.starters.get(len(self.sheet.rounds))
        order = [seat.id for seat in self.everyone]
        if last is None or last not in order:
            return None
        place = order.index(last)
        return next(seat for seat in (*reversed(order[: place + 1]), *reversed(order)) if seat in self.seat_ids)

    def last_undoable(self) -> Change | None:
        """The latest change that can be taken back: none while turns at the table rest on it."""
        last = next((c for c in reversed(self.log) if c.kind in UNDOABLE and not c.undone), None)
        if last is not None and last.kind in SEATING | {"rules_changed"} and self.changed_since("table", last.version):
            return None
        return last


def fold(game_id: str, events: Iterable[EventRow]) -> Evening:
    """The evening after all `events`; undone ones are kept in the log and have no effect."""
    rows = list(events)
    undone = {row.data["version"] for row in rows if row.kind == "undone"}
    evening = Evening(game_id)
    for row in rows:
        evening = _apply(evening, row, row.version in undone)
    return evening


def follow(evening: Evening, row: EventRow, before: Iterable[EventRow]) -> Evening:
    """The evening after one more event; `before` is needed only when that event undoes an earlier one."""
    if row.kind == "undone":
        return fold(evening.id, [*before, row])
    return _apply(evening, row, False)


def _apply(evening: Evening, row: EventRow, undone: bool) -> Evening:
    change = Change(row.version, row.at, row.actor, row.kind, row.data, undone)
    log = evening.log if row.kind in TABLE_KINDS else (*evening.log, change)
    evening = replace(evening, version=row.version, log=log)
    touched = dict(evening.touched)
    for aspect in _aspects(row, evening):
        touched[aspect] = row.version
    evening = replace(evening, touched=touched)
    if undone:
        return evening
    if row.kind in TABLE_KINDS:
        return _at_table(evening, row)
    handler = _HANDLERS.get(row.kind)
    return evening if handler is None else handler(evening, row)


def _aspects(row: EventRow, evening: Evening) -> list[str]:
    """What an event changes, in the words that a client's `version` is checked against."""
    data = row.data
    if row.kind == "undone":
        target = next((c for c in evening.log if c.version == data["version"]), None)
        if target is None:
            return []
        return _aspects(EventRow(row.version, row.at, row.actor, target.kind, target.data), evening)
    if row.kind in ("hand_accepted", "hand_reopened"):
        return [f"hand:{data['round']}:{data['seat']}"]
    if row.kind == "points_corrected":
        return [f"cell:{data['round']}:{data['seat']}"]
    if row.kind == "round_typed":
        return [f"hand:{data['round']}:{seat}" for seat in data["points"]]
    if row.kind in TABLE_KINDS:
        return ["table"]
    return ["set_up"]


def _at_table(evening: Evening, row: EventRow) -> Evening:
    if row.kind == "table_stopped":
        return replace(evening, table=None, table_events=())
    if row.kind == "table_started":
        number = len(evening.sheet.rounds) + 1
        double = row.data.get("double")
        if double is None:
            double = evening.sheet.next_starting_double
        if double is None:
            raise RulesError("name the starting double: the hands decide it")
        table = tables.start(number, evening.rules, evening.seat_ids, double, row.data)
        starters = {**evening.starters, number: row.data["starter"]} if row.data.get("starter") else evening.starters
        return replace(evening, table=table, table_events=(row,), starters=starters)
    if evening.table is None:
        raise PositionError("the table is not followed")
    rows = (*evening.table_events, row)
    if row.kind not in ("table_taken_back", "table_corrected"):
        return replace(evening, table=tables.followed(evening.table, row), table_events=rows)
    first = tables.start(evening.table.round, evening.table.rules, evening.seat_ids,
                         evening.table.position.table.starting_double, tables.opening(rows))
    return replace(evening, table=tables.refold(first, rows[1:]), table_events=rows)


def _created(evening: Evening, row: EventRow) -> Evening:
    data = row.data
    seats = tuple(Seat(**seat) for seat in data["seats"])
    rules = Rules.of(data["changes"], preset(data["preset"]))
    sheet = ScoreSheet(tuple(seat.id for seat in seats), rules)
    if data.get("rounds") is not None:
        sheet = sheet.shortened(data["rounds"])
    return replace(evening, title=data["title"], one_phone=data["one_phone"], everyone=seats, preset=data["preset"],
                   sheet=sheet, mixed=data.get("mixed", False))


def _seats_changed(evening: Evening, row: EventRow) -> Evening:
    changed = {seat["id"]: Seat(**seat) for seat in row.data["seats"]}
    return replace(evening, everyone=tuple(changed.get(seat.id, seat) for seat in evening.everyone))


def _seats_moved(evening: Evening, row: EventRow) -> Evening:
    known = {seat.id: seat for seat in evening.everyone}
    return _seated(evening, [known[seat_id] for seat_id in row.data["order"]], evening.sheet)


def _player_added(evening: Evening, row: EventRow) -> Evening:
    seat = Seat(**row.data["player"])
    order = [other.id for other in evening.everyone]
    place = order.index(row.data["after"]) + 1 if row.data["after"] in order else len(order)
    everyone = [*evening.everyone[:place], seat, *evening.everyone[place:]]
    return _seated(evening, everyone, evening.sheet.joined(seat.id, row.data["points"]))


def _player_back(evening: Evening, row: EventRow) -> Evening:
    return replace(evening, sheet=evening.sheet.joined(row.data["seat"], row.data["points"]))


def _player_left(evening: Evening, row: EventRow) -> Evening:
    seat, number = row.data["seat"], len(evening.sheet.rounds) + 1
    kept = {key: entry for key, entry in evening.hands_of(number).items() if key != seat}
    evening = replace(evening, sheet=evening.sheet.left(seat))
    return _with_hands(evening, number, kept)  # perhaps everybody else has counted already


def _seated(evening: Evening, everyone: list[Seat], sheet: ScoreSheet) -> Evening:
    return replace(evening, everyone=tuple(everyone), sheet=sheet.seated([seat.id for seat in everyone]))


def _titled(evening: Evening, row: EventRow) -> Evening:
    return replace(evening, title=row.data["title"])


def _rules_changed(evening: Evening, row: EventRow) -> Evening:
    rules = Rules.of(row.data["changes"], preset(row.data["preset"]))
    sheet = replace(evening.sheet, rules=rules)
    return replace(evening, preset=row.data["preset"], sheet=sheet, mixed=row.data.get("mixed", evening.mixed))


def _starter_named(evening: Evening, row: EventRow) -> Evening:
    return replace(evening, starters={**evening.starters, row.data["round"]: row.data["seat"]})


def _shortened(evening: Evening, row: EventRow) -> Evening:
    return replace(evening, sheet=evening.sheet.shortened(row.data["rounds"]))


def _hand_accepted(evening: Evening, row: EventRow) -> Evening:
    data = row.data
    tiles = None if data["tiles"] is None else tuple(Tile(*pair) for pair in data["tiles"])
    last = None if data.get("last") is None else Tile(*data["last"])
    entry = HandEntry(data["seat"], tiles, data.get("typed"), last, data.get("photo"), row.actor, row.at)
    return _with_hands(evening, data["round"], {**evening.hands_of(data["round"]), data["seat"]: entry})


def _hand_reopened(evening: Evening, row: EventRow) -> Evening:
    number, seat = row.data["round"], row.data["seat"]
    kept = {key: entry for key, entry in evening.hands_of(number).items() if key != seat}
    return replace(evening, hands={**evening.hands, number: kept})


def _round_typed(evening: Evening, row: EventRow) -> Evening:
    number = row.data["round"]
    typed = {
        seat: HandEntry(seat, () if points == 0 and seat in row.data["out"] else None, points, None, None,
                        row.actor, row.at)
        for seat, points in row.data["points"].items()
    }
    return _with_hands(evening, number, {**evening.hands_of(number), **typed})


def _points_corrected(evening: Evening, row: EventRow) -> Evening:
    data = row.data
    sheet = evening.sheet.corrected(data["round"], data["seat"], data["points"], data.get("note", ""))
    return replace(evening, sheet=sheet)


def _with_hands(evening: Evening, number: int, hands: Mapping[SeatId, HandEntry]) -> Evening:
    """The evening with a round's hands; when the last one comes in, the round goes on the sheet."""
    evening = replace(evening, hands={**evening.hands, number: hands})
    if evening.sheet.is_over or number != len(evening.sheet.rounds) + 1 or set(hands) != set(evening.seat_ids):
        return evening
    out = [seat for seat, entry in hands.items() if entry.out]
    sheet = evening.sheet.with_round(round_points(evening, hands), out)
    missing = {**evening.unaccounted, number: _missing(evening, hands)}
    return replace(evening, sheet=sheet, unaccounted=missing, table=None, table_events=())


def _missing(evening: Evening, hands: Mapping[SeatId, HandEntry]) -> int:
    """Tiles unaccounted for, where the table was followed and every hand is known tile by tile."""
    tiles = {seat: entry.tiles for seat, entry in hands.items() if entry.tiles is not None}
    table = evening.table
    if evening.mixed or table is None or len(tiles) < len(hands) or table.position.boneyard_count is None:
        return 0
    if not table.position.is_over:
        return 0  # laid on after people stopped tapping: the table is not what it was
    return conservation(table.position.table, tiles, table.position.boneyard_count, evening.rules).unaccounted


def round_points(evening: Evening, hands: Mapping[SeatId, HandEntry]) -> dict[SeatId, int]:
    """Each seat's points for a round. A typed total stands as it was typed; only tiles are counted."""
    last = next((entry.last for entry in hands.values() if entry.last is not None), None)
    if last is None and evening.table is not None and evening.table.position.outcome is not None:
        last = evening.table.position.outcome.last
    tiles = {seat: entry.tiles for seat, entry in hands.items() if entry.tiles is not None}
    points = score_hands(tiles, evening.rules, last) if len(tiles) == len(hands) else {
        seat: hand_points(kept, evening.rules) for seat, kept in tiles.items()
    }
    return {
        seat: points.get(seat, entry.typed or 0) for seat, entry in hands.items()
    }


_HANDLERS = {
    "created": _created,
    "seats_changed": _seats_changed,
    "seats_moved": _seats_moved,
    "player_added": _player_added,
    "player_left": _player_left,
    "player_back": _player_back,
    "titled": _titled,
    "rules_changed": _rules_changed,
    "starter_named": _starter_named,
    "shortened": _shortened,
    "hand_accepted": _hand_accepted,
    "hand_reopened": _hand_reopened,
    "round_typed": _round_typed,
    "points_corrected": _points_corrected,
}
