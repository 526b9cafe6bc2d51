"""Games: create, list, set up, undo, forget."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from server.catalogue import catalogue
from server.evening import fold
from server.problems import NotAllowed, NotFound
from server.routes.parts import Asking, GameId, Served, give_token, is_local, token_of
from server.schemas import (
    Answer,
    GameWish,
    LooseWish,
    RoundsWish,
    RulesChange,
    StarterWish,
    TitleWish,
    UndoWish,
)
from server.session import GAME, LOOSE
from server.views import listing

router = APIRouter(prefix="/api", tags=["games"])


@router.get("/rules")
def rules() -> Answer:
    """All house rules with their sentences, the presets, and the six questions that families quarrel about."""
    return catalogue()


@router.post("/games", status_code=201)
def create(wish: GameWish, request: Request, response: Response, services: Served) -> Answer:
    """Start a game; whoever starts it is its host."""
    row, token = services.evenings.create(wish.model_dump())
    give_token(request, response, row.id, token)
    return {"id": row.id, "code": row.code}


@router.post("/loose", status_code=201)
def count_one_hand(wish: LooseWish, request: Request, response: Response, services: Served) -> Answer:
    """Count a hand on its own, without a game around it."""
    made = {"title": "", "one_phone": True, "mixed": wish.mixed, "seats": [{"name": "A"}], "rounds": None,
            "preset": "published_default", "changes": {"set_size": wish.set_size, "double_blank": wish.double_blank},
            "host_seat": "A"}
    row, token = services.evenings.create(made, LOOSE)
    give_token(request, response, row.id, token)
    return {"id": row.id}


@router.get("/games")
def games(request: Request, services: Served) -> Answer:
    """Evenings that this device belongs to, newest first; at the server's own computer, all of them."""
    local = is_local(request)
    rows = services.store.read(lambda ledger: ledger.games(GAME))
    mine = [row for row in rows if local or token_of(request, row.id) is not None]
    return {"local": local, "games": [listing(services.evenings.current(row.id), row.code, row.created_at)
                                      for row in mine]}


@router.get("/games/{game_id}")
def game(viewer: Asking, services: Served) -> Answer:
    """The game as this device may see it."""
    return services.state(viewer)


@router.delete("/games/{game_id}")
def forget(viewer: Asking, services: Served) -> Answer:
    """Forget the evening for good: score sheet, photos, everything."""
    viewer.need_host()
    services.cameras.forget(viewer.member.game_id)
    services.photos.forget(viewer.member.game_id)
    services.cameras.forget(viewer.member.game_id)  # a picture taken meanwhile goes too
    return {"forgotten": True}


@router.delete("/games/{game_id}/photos")
def forget_photos(viewer: Asking, services: Served) -> Answer:
    """Forget the evening's photos and keep its score sheet."""
    viewer.need_host()
    services.cameras.forget(viewer.member.game_id)
    services.photos.forget_pictures(viewer.member.game_id)
    return services.state(viewer)


@router.post("/games/{game_id}/host")
def host_here(game_id: GameId, request: Request, response: Response, services: Served) -> Answer:
    """Become host again from the computer that the server runs on, for instance when the host's phone died."""
    if not is_local(request):
        raise NotAllowed("host_only")
    if services.store.read(lambda ledger: ledger.game(game_id)) is None:
        raise NotFound("no_game")
    give_token(request, response, game_id, services.evenings.add_host(game_id))
    return {"id": game_id}


@router.post("/games/{game_id}/rules")
def change_rules(wish: RulesChange, viewer: Asking, services: Served) -> Answer:
    """Other house rules from here on."""
    services.evenings.change_rules(viewer, wish.preset, dict(wish.changes), wish.mixed, wish.version)
    return services.state(viewer)


@router.post("/games/{game_id}/title")
def rename(wish: TitleWish, viewer: Asking, services: Served) -> Answer:
    """Give the evening another title."""
    services.evenings.set_up(viewer, "titled", {"title": wish.title}, wish.version)
    return services.state(viewer)


@router.post("/games/{game_id}/length")
def change_length(wish: RoundsWish, viewer: Asking, services: Served) -> Answer:
    """Play fewer or more rounds."""
    services.evenings.set_up(viewer, "shortened", {"rounds": wish.rounds}, wish.version)
    return services.state(viewer)


@router.post("/games/{game_id}/starter")
def name_starter(wish: StarterWish, viewer: Asking, services: Served) -> Answer:
    """Say who moves first in a round."""
    services.evenings.set_up(viewer, "starter_named", {"round": wish.round, "seat": wish.seat}, wish.version)
    return services.state(viewer)


@router.post("/games/{game_id}/undo")
def undo(wish: UndoWish, viewer: Asking, services: Served) -> Answer:
    """Take back the latest change."""
    services.evenings.undo(viewer, wish.target)
    return services.state(viewer)


@router.get("/games/{game_id}/log")
def log(viewer: Asking, services: Served) -> Answer:
    """Everything that happened, and each correction of what the reader saw: who, when, before, after."""
    viewer.need_player()
    game_id = viewer.member.game_id
    events, edits = services.store.read(lambda ledger: (ledger.events(game_id), ledger.edits(game_id)))
    evening = fold(game_id, events)
    return {
        "changes": [{"version": change.version, "at": change.at, "by": change.actor, "kind": change.kind,
                     "data": change.data, "undone": change.undone} for change in evening.log],
        "edits": [edit for edit in edits if edit["seat"] == viewer.seat or edit["actor"] == viewer.member.id
                  or edit["round"] <= len(evening.sheet.rounds)],
    }
