"""Use cases of a game: set it up, join it, write hands on the sheet, put things right, forget it.

Each change is decided inside the writer's transaction from the evening as it stands there, so two phones
that act at once are served one after the other. A client says which version it saw; if what it wants to
change has changed since, it is refused and shown the present state.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from engine.deal import hand_size
from engine.errors import EngineError, RulesError
from engine.presets import preset
from engine.rules import Rules
from engine.tile import DominoSet, Tile
from server.access import Viewer, hash_token, new_code, new_id, new_token
from server.evening import Evening, fold, follow
from server.live import Hub
from server.players import new_seats
from server.problems import NotAllowed, NotFound, Problem, Stale
from server.store import EventRow, GameRow, Ledger, MemberRow, Store

Json = dict[str, Any]
NewEvent = tuple[str, Json]
Decide = Callable[[Evening, Ledger], list[NewEvent]]

GAME, LOOSE = "game", "loose"  # a loose hand is counted on its own, without a game around it


def utc_now() -> str:
    """The time now as it is kept."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Evenings:
    """All games."""

    def __init__(self, store: Store, hub: Hub, now: Callable[[], str] = utc_now) -> None:
        self.store = store
        self.hub = hub
        self.now = now
        self._cache: dict[str, Evening] = {}
        self._lock = threading.Lock()

    # -- reading and changing ------------------------------------------------------------------------

    def current(self, game_id: str, ledger: Ledger | None = None) -> Evening:
        """The evening as it stands."""
        if ledger is None:
            return self.store.read(lambda reading: self.current(game_id, reading))
        row = ledger.game(game_id)
        if row is None:
            raise NotFound("no_game")
        with self._lock:
            known = self._cache.get(game_id)
        if known is None or known.version > row.version:
            known = fold(game_id, ledger.events(game_id))
        elif known.version < row.version:
            for event in ledger.events(game_id, known.version):
                known = follow(known, event, _Until(ledger, game_id, event.version))
        self._remember(known)
        return known

    def change(self, game_id: str, actor: str, decide: Decide) -> Evening:
        """Ask `decide` what happens, keep it, and wake every page."""

        def work(ledger: Ledger) -> Evening:
            evening = self.current(game_id, ledger)
            try:
                for kind, data in decide(evening, ledger):
                    event = EventRow(evening.version + 1, self.now(), actor, kind, data)
                    evening = follow(evening, event, _Until(ledger, game_id, event.version))
                    ledger.append(game_id, event)
            except EngineError as error:
                raise refused(error) from error
            return evening

        evening = self.store.write(work)
        self._remember(evening)
        self.hub.publish(game_id)
        return evening

    def _remember(self, evening: Evening) -> None:
        with self._lock:
            known = self._cache.get(evening.id)
            if known is None or known.version <= evening.version:
                self._cache[evening.id] = evening
            while len(self._cache) > 200:  # a club's server may have hundreds of old evenings
                self._cache.pop(next(iter(self._cache)))

    # -- setting up ----------------------------------------------------------------------------------

    def create(self, wish: Json, kind: str = GAME) -> tuple[GameRow, str]:
        """A new game; returns it and the host's token."""
        seats = [asdict(seat) for seat in new_seats(wish["seats"])]
        mixed = bool(wish.get("mixed"))
        rules = check_rules(wish["preset"], wish["changes"], len(seats) if kind == GAME and not mixed else None)
        data = {"title": wish["title"], "one_phone": wish["one_phone"], "seats": seats, "mixed": mixed,
                "preset": wish["preset"], "changes": rules.changes(preset(wish["preset"])),
                "rounds": wish.get("rounds")}
        token, at = new_token(), self.now()

        def work(ledger: Ledger) -> GameRow:
            code = new_code()
            while ledger.game_by_code(code) is not None:
                code = new_code()
            row = GameRow(new_id(), code, kind, wish["title"], at, 0)
            host = MemberRow(new_id(), row.id, hash_token(token), True, wish.get("host_seat"), False, at)
            event = EventRow(1, at, host.id, "created", data)
            try:
                fold(row.id, [event])
            except EngineError as error:
                raise refused(error) from error
            ledger.add_game(row)
            ledger.add_member(host)
            ledger.append(row.id, event)
            return row

        return self.store.write(work), token

    def viewer(self, game_id: str, token: str | None) -> Viewer:
        """Who shows this token in this game."""
        if token is None:
            raise NotAllowed("not_joined")
        member = self.store.read(lambda ledger: ledger.member_by_token(hash_token(token)))
        if member is None or member.game_id != game_id:
            raise NotAllowed("not_joined")
        return Viewer(member)

    def join(self, game_id: str, seat: str | None) -> str:
        """Let a device in; returns its token. A seat that has a device already waits for the host's word."""
        token, at = new_token(), self.now()

        def work(ledger: Ledger) -> None:
            evening = self.current(game_id, ledger)
            if seat is not None and evening.seat(seat) is None:
                raise NotFound("no_seat")
            members = ledger.members(game_id)
            if len(members) >= 100:
                raise Problem("game_full")
            taken = any(member.seat == seat and not member.waiting for member in members)
            row = MemberRow(new_id(), game_id, hash_token(token), False, seat, seat is not None and taken, at)
            ledger.add_member(row)

        self.store.write(work)
        self.hub.publish(game_id)
        return token

    def add_host(self, game_id: str) -> str:
        """One more device with the host's rights; returns its token."""
        token = new_token()
        row = MemberRow(new_id(), game_id, hash_token(token), True, None, False, self.now())
        self.store.write(lambda ledger: ledger.add_member(row))
        return token

    def again(self, viewer: Viewer) -> Viewer:
        """The same device with the rights it has now."""
        members = self.store.read(lambda ledger: ledger.members(viewer.member.game_id))
        return next((Viewer(member) for member in members if member.id == viewer.member.id), viewer)

    def answer_claim(self, viewer: Viewer, member_id: str, allow: bool) -> None:
        """The host lets a device take an occupied seat, or sends it away. The seat's old device only watches then."""
        viewer.need_host()

        def work(ledger: Ledger) -> None:
            members = {member.id: member for member in ledger.members(viewer.member.game_id)}
            claim = members.get(member_id)
            if claim is None or not claim.waiting:
                raise NotFound("no_claim")
            if not allow:
                ledger.remove_member(claim.id)
                return
            for other in members.values():
                if other.seat == claim.seat and not other.waiting:
                    ledger.set_member(other.id, seat=None, waiting=False, host=other.host)
            ledger.set_member(claim.id, seat=claim.seat, waiting=False, host=claim.host)

        self.store.write(work)
        self.hub.publish(viewer.member.game_id)

    def take_seat(self, viewer: Viewer, seat: str | None) -> None:
        """A device that is in already sits down on a free seat, or stands up to watch."""

        def work(ledger: Ledger) -> None:
            evening = self.current(viewer.member.game_id, ledger)
            if seat is not None and evening.seat(seat) is None:
                raise NotFound("no_seat")
            others = [member for member in ledger.members(evening.id) if member.id != viewer.member.id]
            if seat is not None and any(member.seat == seat and not member.waiting for member in others):
                raise NotAllowed("seat_taken")
            ledger.set_member(viewer.member.id, seat=seat, waiting=False, host=viewer.host)

        self.store.write(work)
        self.hub.publish(viewer.member.game_id)

    def change_rules(
        self, viewer: Viewer, preset_name: str, changes: Json, mixed: bool | None, version: int
    ) -> Evening:
        """Other house rules from here on; what is written stays as it was counted."""
        viewer.need_host()

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            check_fresh(evening, "set_up", version)
            both = evening.mixed if mixed is None else mixed
            if both and evening.table is not None:
                raise Problem("mixed_table")
            alone = len(evening.seats) == 1  # a hand counted on its own: nobody deals
            rules = check_rules(preset_name, changes, None if both or alone else len(evening.seats))
            if rules.set_size != evening.rules.set_size and evening.sheet.rounds:
                raise Problem("set_is_fixed")
            return [("rules_changed", {"preset": preset_name, "changes": rules.changes(preset(preset_name)),
                                       "mixed": both})]

        return self.change(viewer.member.game_id, viewer.member.id, decide)

    def set_up(self, viewer: Viewer, kind: str, data: Json, version: int) -> Evening:
        """The host renames, shortens or says who starts a round."""
        viewer.need_host()

        def decide(evening: Evening, ledger: Ledger) -> list[NewEvent]:
            check_fresh(evening, "set_up", version)
            if kind == "starter_named" and evening.seat(data["seat"]) is None:
                raise NotFound("no_seat")
            if kind == "titled":
                ledger.set_title(evening.id, data["title"])
            return [(kind, data)]

        return self.change(viewer.member.game_id, viewer.member.id, decide)

    # -- hands and the sheet -------------------------------------------------------------------------

    def reopen_hand(self, viewer: Viewer, number: int, seat: str, version: int) -> Evening:
        """Take an accepted hand back while its round is still open."""
        viewer.need_seat_or_host(seat)

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            check_fresh(evening, f"hand:{number}:{seat}", version)
            if number <= len(evening.sheet.rounds) or seat not in evening.hands_of(number):
                raise Problem("round_written", round=number)
            return [("hand_reopened", {"round": number, "seat": seat})]

        return self.change(viewer.member.game_id, viewer.member.id, decide)

    def type_points(
        self, viewer: Viewer, number: int, points: dict[str, int], out: list[str], version: int
    ) -> Evening:
        """Typed totals for one or several seats: the way out when there is no photo."""
        for seat in points:
            viewer.need_seat_or_host(seat)

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            for seat, count in points.items():
                check_fresh(evening, f"hand:{number}:{seat}", version)
                check_open(evening, number, seat)
                if count > evening.tiles_of_a_kind * (DominoSet(evening.rules.set_size).pip_total + 50):
                    raise Problem("too_many_points", points=count)
            return [("round_typed", {"round": number, "points": points, "out": out})]

        return self.change(viewer.member.game_id, viewer.member.id, decide)

    def correct_points(
        self, viewer: Viewer, number: int, seat: str, points: int, note: str, version: int
    ) -> Evening:
        """Put right a number in a round that is written; the old one stays in the log."""
        viewer.need_seat_or_host(seat)

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            check_fresh(evening, f"cell:{number}:{seat}", version)
            if evening.seat(seat) is None or not 1 <= number <= len(evening.sheet.rounds):
                raise NotFound("no_round")
            before = evening.sheet.rounds[number - 1].of(seat)
            return [("points_corrected", {"round": number, "seat": seat, "points": points, "before": before,
                                          "note": note})]

        return self.change(viewer.member.game_id, viewer.member.id, decide)

    def undo(self, viewer: Viewer, target: int) -> Evening:
        """Take back the latest change. Players undo what they did themselves, the host anything."""
        viewer.need_player()

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            last = evening.last_undoable()
            if last is None:
                raise Problem("nothing_to_undo")
            if last.version != target:
                raise Stale()
            if last.actor != viewer.member.id:
                viewer.need_host()
            return [("undone", {"version": target})]

        return self.change(viewer.member.game_id, viewer.member.id, decide)


class _Until:
    """The events before a version, fetched only if somebody asks (undoing folds from the beginning)."""

    def __init__(self, ledger: Ledger, game_id: str, version: int) -> None:
        self._ledger, self._game_id, self._version = ledger, game_id, version

    def __iter__(self) -> Any:
        return (row for row in self._ledger.events(self._game_id) if row.version < self._version)


def check_fresh(evening: Evening, aspect: str, version: int) -> None:
    """Refuse a change of something that changed after `version`."""
    if evening.changed_since(aspect, version):
        raise Stale()


def refused(error: EngineError) -> Problem:
    """What the rules say no to; rules that contradict each other bring a code, so that pages can say it."""
    if isinstance(error, RulesError):
        return Problem("rules", detail=str(error), clash=error.code, **error.params)
    return Problem("not_possible", detail=str(error))


def check_open(evening: Evening, number: int, seat: str) -> None:
    """Refuse a hand for a seat that is not there, or for a round that is not being counted."""
    if evening.seat(seat) is None:
        raise NotFound("no_seat")
    if number != len(evening.sheet.rounds) + 1 or evening.sheet.is_over:
        raise Problem("round_written", round=number)


def check_tiles(evening: Evening, pairs: list[list[int]]) -> tuple[Tile, ...]:
    """Tiles of the set in play; refuses values it does not have and more tiles than it holds."""
    tiles = DominoSet(evening.rules.set_size)
    if len(pairs) > len(tiles) * evening.tiles_of_a_kind:
        raise Problem("too_many_tiles", count=len(pairs))
    found = tuple(Tile(*pair) for pair in pairs)
    for tile in found:
        if tile not in tiles:
            raise Problem("not_in_set", tile=str(tile), set=evening.rules.set_size)
    return found


def check_rules(preset_name: str, changes: Json, seats: int | None) -> Rules:
    """The rules asked for; refuses unknown ones, contradictions, and a deal that the set can't serve."""
    try:
        rules = Rules.of(changes, preset(preset_name))
        if seats is not None:
            hand_size(seats, rules)
    except EngineError as error:
        raise refused(error) from error
    return rules
