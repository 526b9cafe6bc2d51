"""Use cases of seats: names and marks, another order, players who come late, leave or come back.

A seat keeps its letter for the whole evening, whatever its place, so that hands, photos and devices stay with it.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from engine.deal import MIN_SEATS, hand_size
from server.access import Viewer
from server.evening import Evening
from server.players import added, changed
from server.problems import NotFound, Problem, Stale
from server.session import Evenings, NewEvent, check_fresh
from server.store import Ledger

Json = dict[str, Any]


class Seating:
    """The seats of every game."""

    def __init__(self, evenings: Evenings) -> None:
        self._evenings = evenings

    def change(self, viewer: Viewer, wishes: list[Json], version: int) -> Evening:
        """New names, colours or shapes; players change their own, the host everybody's."""
        for wish in wishes:
            viewer.need_seat_or_host(wish["id"])

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            check_fresh(evening, "set_up", version)
            if any(evening.seat(wish["id"]) is None for wish in wishes):
                raise NotFound("no_seat")
            return [("seats_changed", {"seats": [asdict(seat) for seat in changed(evening.everyone, wishes)]})]

        return self._change(viewer, decide)

    def move(self, viewer: Viewer, order: list[str], version: int) -> Evening:
        """Another order round the table. Who left keeps the place after the same neighbour."""
        viewer.need_host()

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            _check_free(evening, version)
            if sorted(order) != sorted(evening.seat_ids):
                raise Stale()
            whole = list(order)
            ids = [seat.id for seat in evening.everyone]
            for place, seat_id in enumerate(ids):
                if seat_id not in whole:
                    whole.insert(whole.index(ids[place - 1]) + 1 if place else 0, seat_id)
            return [("seats_moved", {"order": whole})]

        return self._change(viewer, decide)

    def add(self, viewer: Viewer, wish: Json, version: int) -> Evening:
        """One more player, seated after another, with points for the rounds missed."""
        viewer.need_host()

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            _check_free(evening, version)
            _check_deal(evening, len(evening.seats) + 1)
            seat = added(evening.everyone, wish)
            return [("player_added", {"player": asdict(seat), "seat": seat.id, "name": seat.name,
                                      "after": wish.get("after"), "points": wish["points"]})]

        return self._change(viewer, decide)

    def leave(self, viewer: Viewer, seat: str, version: int) -> Evening:
        """A player goes home: what is written stays, the others play on."""
        viewer.need_host()

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            _check_free(evening, version)
            if evening.seat(seat) is None:
                raise NotFound("no_seat")
            if len(evening.seats) <= MIN_SEATS:
                raise Problem("too_few_players")
            return [("player_left", {"seat": seat})]

        return self._change(viewer, decide)

    def come_back(self, viewer: Viewer, seat: str, points: int, version: int) -> Evening:
        """A player who left is back, with points for the rounds missed."""
        viewer.need_host()

        def decide(evening: Evening, _: Ledger) -> list[NewEvent]:
            _check_free(evening, version)
            if seat not in evening.sheet.gone:
                raise NotFound("no_seat")
            _check_deal(evening, len(evening.seats) + 1)
            return [("player_back", {"seat": seat, "points": points})]

        return self._change(viewer, decide)

    def _change(self, viewer: Viewer, decide: Any) -> Evening:
        return self._evenings.change(viewer.member.game_id, viewer.member.id, decide)


def _check_free(evening: Evening, version: int) -> None:
    """Refuse a change that others overtook, or that would pull chairs from under a table that is followed."""
    check_fresh(evening, "set_up", version)
    if evening.sheet.is_over:
        raise Problem("session_over")
    if evening.table is not None:
        raise Problem("seats_in_play")


def _check_deal(evening: Evening, seats: int) -> None:
    """Refuse more players than the set can be dealt to. Two sets mixed serve everybody."""
    if not evening.mixed:
        hand_size(seats, evening.rules)
