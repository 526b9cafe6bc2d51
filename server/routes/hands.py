"""Hands: photograph, put right, accept."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from engine.longest import Most, longest_line
from engine.tile import Tile
from server.access import HAND
from server.routes.parts import Asking, RoundPath, SeatPath, Served
from server.routes.uploads import hand_in
from server.schemas import AcceptWish, Answer, DraftWish, LineWish, TypedWish, VersionWish
from server.store import Ledger, PhotoRow
from server.views import hand_view

router = APIRouter(prefix="/api", tags=["hands"])

@router.post("/games/{game_id}/rounds/{number}/hands/{seat}/photo", status_code=202)
async def upload(
    number: RoundPath, seat: SeatPath, request: Request, viewer: Asking, services: Served,
    purpose: Annotated[str, Query(pattern="^(hand|coach)$")] = HAND,
    anew: Annotated[bool, Query(description="Count it though it was counted already")] = False,
) -> Answer:
    """Hand in a photo; the body is the file. The answer comes when it is kept; reading it goes on by itself.

    One that was counted already is left, unless it is to be counted `anew`: the answer then says for whom it was.
    """
    viewer.need_seat_or_host(seat)
    before: list[PhotoRow] = []

    def keep(data: bytes) -> PhotoRow:
        known = services.photos.counted_already(viewer, seat, number, data) if purpose == HAND and not anew else None
        before.extend([] if known is None else [known])
        return known or services.photos.add(viewer, seat, number, purpose, data)

    row = await hand_in(request, services, keep)
    return {"photo": row.id, **({"counted": {"seat": row.seat, "round": row.round}} if before else {})}


@router.get("/games/{game_id}/rounds/{number}/hands/{seat}")
def counted_hand(number: RoundPath, seat: SeatPath, viewer: Asking, services: Served) -> Answer:
    """How an accepted hand came to its points."""

    def work(ledger: Ledger) -> Answer:
        evening = services.evenings.current(viewer.member.game_id, ledger)
        return hand_view(viewer, ledger, evening, number, seat)

    return services.store.read(work)


@router.put("/games/{game_id}/rounds/{number}/hands/{seat}/draft")
def save_draft(number: RoundPath, seat: SeatPath, wish: DraftWish, viewer: Asking, services: Served) -> Answer:
    """Keep what the phone shows. The total follows on the page; this is what survives."""
    sent = wish.model_dump()
    return {"version": services.drafts.save(viewer, number, seat, wish.version, sent)}


@router.post("/games/{game_id}/rounds/{number}/hands/{seat}/accept")
def accept(number: RoundPath, seat: SeatPath, wish: AcceptWish, viewer: Asking, services: Served) -> Answer:
    """Put the hand on the sheet."""
    services.drafts.accept(viewer, number, seat, wish.version, wish.draft_version, wish.last)
    return services.state(viewer)


@router.post("/games/{game_id}/rounds/{number}/hands/{seat}/reopen")
def reopen(number: RoundPath, seat: SeatPath, wish: VersionWish, viewer: Asking, services: Served) -> Answer:
    """Take an accepted hand back while the round is open."""
    services.evenings.reopen_hand(viewer, number, seat, wish.version)
    return services.state(viewer)


@router.post("/games/{game_id}/rounds/{number}/points")
def type_points(number: RoundPath, wish: TypedWish, viewer: Asking, services: Served) -> Answer:
    """Typed totals, for one seat or for all."""
    services.evenings.type_points(viewer, number, dict(wish.points), list(wish.out), wish.version)
    return services.state(viewer)


@router.post("/line")
def line(wish: LineWish) -> Answer:
    """The best first line of a hand."""
    tiles = list(dict.fromkeys(Tile(*ends) for ends in wish.tiles))
    answer = longest_line(tiles, wish.start, Most(wish.most), time_limit_s=2.0)
    return {"line": [list(laid) for laid in answer.line], "left": [[tile.low, tile.high] for tile in answer.left],
            "left_pips": answer.left_pips, "proven": answer.proven}


