"""Joining: by code or QR, coming back after a dead battery, taking a seat."""

from __future__ import annotations

import io

import segno
from fastapi import APIRouter, Path, Request, Response

from server.access import hash_token
from server.problems import NotFound
from server.routes.parts import Asking, Served, address_of, give_token, token_of
from server.schemas import Answer, ClaimAnswer, CodeWish, JoinWish, SitWish
from server.services import Services
from server.session import GAME
from server.store import GameRow
from server.views import lobby

router = APIRouter(prefix="/api", tags=["joining"])


def _by_code(request: Request, services: Services, code: str) -> GameRow:
    """The game of a code. Wrong codes are counted for each address."""
    address = address_of(request)
    services.brake.check(address)
    row = services.store.read(lambda ledger: ledger.game_by_code(code))
    if row is None or row.kind != GAME:
        services.brake.miss(address)
        raise NotFound("wrong_code")
    return row


@router.post("/lobby")
def look_in(wish: CodeWish, request: Request, services: Served) -> Answer:
    """What is behind a code: the evening's title and its seats."""
    row = _by_code(request, services, wish.code)
    members = services.store.read(lambda ledger: ledger.members(row.id))
    mine = token_of(request, row.id)
    member = None if mine is None else next((m for m in members if m.token_hash == hash_token(mine)), None)
    return lobby(services.evenings.current(row.id), members, services.hub) | {
        "joined": member is not None and not member.waiting and (member.seat is not None or member.host)}


@router.post("/join", status_code=201)
def join(wish: JoinWish, request: Request, response: Response, services: Served) -> Answer:
    """Take a seat, or watch. A seat that has a device already waits for the host's word."""
    row = _by_code(request, services, wish.code)
    give_token(request, response, row.id, services.evenings.join(row.id, wish.seat))
    return {"id": row.id}


@router.post("/games/{game_id}/seat")
def sit(wish: SitWish, viewer: Asking, services: Served) -> Answer:
    """Sit down on a free seat, or stand up to watch."""
    services.evenings.take_seat(viewer, wish.seat)
    return services.state(services.evenings.again(viewer))


@router.post("/games/{game_id}/claims/{member_id}")
def answer_claim(
    wish: ClaimAnswer, viewer: Asking, services: Served, member_id: str = Path(pattern=r"^[0-9a-f]{16}$")
) -> Answer:
    """The host lets somebody take an occupied seat, or sends them away."""
    services.evenings.answer_claim(viewer, member_id, wish.allow)
    return services.state(viewer)


@router.get("/games/{game_id}/invite")
def invite(viewer: Asking, services: Served) -> Answer:
    """Addresses to join at, best first, each with its QR code as SVG. None when only this computer is served."""
    row = services.store.read(lambda ledger: ledger.game(viewer.member.game_id))
    if row is None:
        raise NotFound("no_game")
    links = [f"{base}/j/{row.code}" for base in services.ways_in]
    return {"code": row.code, "links": [{"url": url, "qr": _qr(url)} for url in links]}


def _qr(text: str) -> str:
    buffer = io.BytesIO()
    segno.make(text, error="m").save(buffer, kind="svg", border=2, xmldecl=False, svgns=True, nl=False,
                                     dark="#111", light="#fff", omitsize=True)
    return buffer.getvalue().decode()
