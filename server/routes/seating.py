"""Seats: names and marks, their order, players who come late, leave or come back."""

from __future__ import annotations

from fastapi import APIRouter

from server.routes.parts import Asking, SeatPath, Served
from server.schemas import Answer, BackWish, OrderWish, PlayerWish, SeatsWish, VersionWish

router = APIRouter(prefix="/api/games/{game_id}", tags=["seats"])


@router.post("/seats")
def change_seats(wish: SeatsWish, viewer: Asking, services: Served) -> Answer:
    """New names, colours and shapes."""
    services.seating.change(viewer, [seat.model_dump() for seat in wish.seats], wish.version)
    return services.state(viewer)


@router.post("/order")
def move_seats(wish: OrderWish, viewer: Asking, services: Served) -> Answer:
    """Another order round the table."""
    services.seating.move(viewer, list(wish.order), wish.version)
    return services.state(viewer)


@router.post("/players")
def add_player(wish: PlayerWish, viewer: Asking, services: Served) -> Answer:
    """One more player, in the middle of a game too."""
    services.seating.add(viewer, wish.model_dump(exclude={"version"}), wish.version)
    return services.state(viewer)


@router.post("/players/{seat}/leave")
def leave(seat: SeatPath, wish: VersionWish, viewer: Asking, services: Served) -> Answer:
    """A player goes home: what is written stays."""
    services.seating.leave(viewer, seat, wish.version)
    return services.state(viewer)


@router.post("/players/{seat}/back")
def come_back(seat: SeatPath, wish: BackWish, viewer: Asking, services: Served) -> Answer:
    """A player who left is back."""
    services.seating.come_back(viewer, seat, wish.points, wish.version)
    return services.state(viewer)
