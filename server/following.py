"""Use cases of the followed table: start, act, take back, let stand, show a hand to the referee.

This is the seam for every source of acts: a page and a camera end in `act`.
"""

from __future__ import annotations

from typing import Any

from engine.deductions import Proof
from engine.errors import EngineError
from engine.rounds import first_starter, next_starter
from engine.table import mexican_number
from engine.tile import Tile
from server.access import Viewer
from server.camera_acts import steps_of
from server.evening import Evening, follow
from server.problems import NotAllowed, NotFound, Problem, Stale
from server.session import Evenings, NewEvent, check_fresh, check_tiles
from server.store import EventRow, Ledger
from server.table_views import snapshot, turn_view
from server.tables import CAMERA, TableGame, correction, finding_of, laying_of, opening, start

Json = dict[str, Any]


class TableSession:
    """The table of every game."""

    def __init__(self, evenings: Evenings) -> None:
        self._evenings = evenings

    def start(self, viewer: Viewer, wish: Json, version: int) -> Evening:
        """Begin to follow the round. `who` laid the starting double, or moves first where nobody lays it."""
        viewer.need_player()

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            check_fresh(evening, "table", version)
            check_begins(evening)
            data = _opening(evening, wish)
            if data["pre"] is not None:
                _check_start(evening, data)
            return [("table_started", data)]

        return self._change(viewer, decide)

    def act(self, viewer: Viewer, act: Json, version: int) -> Evening:
        """Something happened at the table. An act against the rules is kept as a foul to be decided on."""
        viewer.need_player()

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            check_fresh(evening, "table", version)
            _table(evening)
            if act["do"] == "lay":
                check_tiles(evening, [act["tile"]])
            return [("table_act", act)]

        return self._change(viewer, decide)

    def watched(self, game_id: str, event: Json, as_it_lies: Json | None = None) -> Evening:
        """What a camera saw, in the words of `watch`. It never waits for a version: it saw it happen."""

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            table = _table(evening)
            if table.foul is not None:
                raise Problem("foul_waits")
            return steps_of(table, event, as_it_lies)

        return self._evenings.change(game_id, CAMERA, decide)

    def take_back(self, viewer: Viewer, target: int, version: int) -> Evening:
        """Take an act or a turn back; what followed is judged again."""
        viewer.need_player()

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            check_fresh(evening, "table", version)
            table = _table(evening)
            versions = _versions_of(table, target)
            if not versions:
                raise NotFound("no_turn")
            return [("table_taken_back", {"version": one}) for one in reversed(versions)]

        return self._change(viewer, decide)

    def correct(self, viewer: Viewer, wish: Json, version: int) -> Evening:
        """A tile on the table is another one, or surely the one it is taken for; what followed is judged again."""
        viewer.need_player()

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            check_fresh(evening, "table", version)
            table = _table(evening)
            was, tile = Tile(*wish["was"]), check_tiles(evening, [wish["tile"]])[0]
            if tile != was and tile in table.position.table.tiles():
                raise Problem("lies_already", tile=f"{tile.low}-{tile.high}")
            to = wish.get("to")
            if to is not None and to not in table.position.seats and not _mexican(table, to):
                raise NotFound("no_seat")
            data = correction(table, wish["train"], was, tile, to)
            if data is None:
                raise NotFound("no_tile")
            if "was" in data:  # it was told with the table as it lay: that has to fit together still
                row = EventRow(evening.version + 1, "", "", "table_corrected", data)
                _check_start(evening, opening([*evening.table_events, row]))
            corrected, after = _tried(evening, ("table_corrected", data))
            if tile not in after.position.table.tiles() and after.foul is None:
                raise Problem("does_not_fit", detail=f"the {tile}")
            return [corrected]

        return self._change(viewer, decide)

    def change(self, viewer: Viewer, wish: Json, version: int) -> Evening:
        """Something on the table is no tile, a tile lies there that nobody told of, or a marker stands or does not."""
        viewer.need_player()

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            check_fresh(evening, "table", version)
            table = _table(evening)
            data = {key: value for key, value in wish.items() if value is not None}
            if "tile" in data:
                tile = check_tiles(evening, [data["tile"]])[0]
                if tile in table.position.table.tiles():
                    raise Problem("lies_already", tile=f"{tile.low}-{tile.high}")
            try:
                return [_removal(evening, data) if "gone" in data else _tried(evening, ("table_changed", data))[0]]
            except EngineError as error:
                raise Problem("does_not_fit", detail=str(error)) from error

        return self._change(viewer, decide)

    def let_stand(self, viewer: Viewer, note: str, version: int) -> Evening:
        """Overrule the referee: the foul stays on the table, with a note why."""
        viewer.need_player()

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            check_fresh(evening, "table", version)
            _table(evening)
            return [("table_overruled", {"note": note})]

        return self._change(viewer, decide)

    def stop(self, viewer: Viewer, version: int) -> Evening:
        """Stop following; the round goes on without the referee."""
        viewer.need_host()

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            check_fresh(evening, "table", version)
            return [("table_stopped", {})]

        return self._change(viewer, decide)

    def turn(self, viewer: Viewer, number: int) -> Json:
        """A turn with the table before and after it."""
        table = _table(self._evenings.current(viewer.member.game_id))
        card = next((card for card in table.turns if card.number == number), None)
        if card is None:
            raise NotFound("no_turn")
        return {**turn_view(card), "before": snapshot(card.before, table.rules),
                "after": snapshot(card.after, table.rules)}

    def show_hand(self, viewer: Viewer, number: int, pairs: list[list[int]]) -> Evening:
        """Show a hand to the referee. Only what it proves is kept and told, never the tiles."""
        evening = self._evenings.current(viewer.member.game_id)
        table = _table(evening)
        card = next((card for card in table.turns if card.number == number), None)
        if card is None:
            raise NotFound("no_turn")
        if viewer.seat != card.seat and not (viewer.host and evening.one_phone):
            raise NotAllowed("not_your_seat")
        tiles = check_tiles(evening, pairs)
        count = table.position.hand(card.seat).count
        if count is not None and count != len(tiles):
            raise Problem("hand_count", shown=len(tiles), count=count)
        found = finding_of(table, number, tiles)
        proof = Proof.UNDETERMINED if found is None else found.proof
        data = {"turn": number, "proof": proof.value}
        return self._change(viewer, lambda _evening, _ledger: [("table_shown", data)])

    def _change(self, viewer: Viewer, decide: Any) -> Evening:
        return self._evenings.change(viewer.member.game_id, viewer.member.id, decide)


def _table(evening: Evening) -> TableGame:
    if evening.table is None:
        raise Problem("not_followed")
    return evening.table


def _mexican(table: TableGame, train: str) -> bool:
    return table.rules.mexican_present and mexican_number(train) is not None


def _tried(evening: Evening, event: NewEvent) -> tuple[NewEvent, TableGame]:
    """The event, and the table after it. Raises `EngineError` where it makes no sense."""
    after = follow(evening, EventRow(evening.version + 1, "", "", *event), ()).table
    assert after is not None
    return event, after


def _removal(evening: Evening, data: Json) -> NewEvent:
    """What takes away something that was taken for a tile: as if it had never been told, where all else stands then."""
    table, tile = _table(evening), Tile(*data["gone"])
    version = laying_of(table, data["train"], tile)
    if version is None:
        return _tried(evening, ("table_changed", data))[0]
    back: NewEvent = ("table_taken_back", {"version": version, "none": True})
    if any(one == version for one, _ in table.acts):
        return back
    seat = next(card.seat for card in table.turns if version in card.versions)
    changed, wanted = _tried(evening, ("table_changed", {**data, "seat": seat}))
    _, judged = _tried(evening, back)
    same = judged.position.table == wanted.position.table and judged.position.turn.seat == wanted.position.turn.seat
    return back if same and judged.foul == table.foul and len(judged.lost) == len(table.lost) else changed


def check_begins(evening: Evening) -> None:
    """Refuse to begin with a table that is followed already, or can't be."""
    if evening.sheet.is_over:
        raise Problem("round_written", round=evening.round)
    if evening.table is not None:
        raise Stale()
    if evening.mixed:
        raise Problem("mixed_table")


def _check_start(evening: Evening, data: Json) -> None:
    """Refuse a table that can't lie so."""
    try:
        start(evening.round, evening.rules, evening.seat_ids, 0, data)
    except EngineError as error:
        raise Problem("table_as_it_lies", detail=str(error)) from error


def _versions_of(table: TableGame, target: int) -> list[int]:
    """The acts to take back: one act of the turn in progress, or all of a finished turn."""
    if any(version == target for version, _ in table.acts):
        return [target]
    for card in table.turns:
        if target in card.versions:
            return list(dict.fromkeys(card.versions))
    return []


def _opening(evening: Evening, wish: Json) -> Json:
    """Who lays and who starts, by the rules where they say it and by what people say where not."""
    who, rules, seats = wish["who"], evening.rules, evening.seat_ids
    if evening.seat(who) is None:
        raise NotFound("no_seat")
    laid_by = None if rules.engine_source == "pulled" else who
    last = evening.last_starter()
    if wish.get("pre") is not None:
        return {"laid_by": None, "starter": None, "double": wish.get("double"), "pre": wish["pre"],
                "hands": wish.get("hands")}
    if laid_by is None:
        starter = who
    elif last is None:
        starter = first_starter(seats, rules, laid_by=laid_by, named=who)
    else:
        starter = next_starter(seats, rules, last_starter=last, laid_by=laid_by, totals=evening.sheet.totals())
    return {"laid_by": laid_by, "starter": starter, "double": wish.get("double"), "pre": wish.get("pre")}
