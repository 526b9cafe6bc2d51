"""The table: followed act by act, refereed by the rules."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request

from server.routes.parts import Asking, Served
from server.routes.uploads import hand_in
from server.schemas import (
    ActWish,
    Answer,
    HandShown,
    StandWish,
    TableChange,
    TableStart,
    TakeBackWish,
    TileRight,
    VersionWish,
    WatchEvent,
)

router = APIRouter(prefix="/api/games/{game_id}/table", tags=["table"])

TurnNumber = Annotated[int, Path(ge=1, le=10_000, description="Number of the turn in this round, from 1")]


@router.post("/start")
def start(wish: TableStart, viewer: Asking, services: Served) -> Answer:
    """Begin to follow this round."""
    services.tables.start(viewer, wish.model_dump(), wish.version)
    return services.state(viewer)


@router.post("/photo", status_code=202)
async def photo(request: Request, viewer: Asking, services: Served) -> Answer:
    """Hand in a photo of the table in the middle of a round; the body is the file.

    The answer comes when it is kept. What it says comes with `/photos/{photo_id}/reading`, `table` in the form that
    `read` prints, and is nobody's word until somebody starts with it.
    """
    viewer.need_player()
    row = await hand_in(request, services, lambda data: services.photos.add_table(viewer, data))
    return {"photo": row.id}


@router.post("/acts")
def act(wish: ActWish, viewer: Asking, services: Served) -> Answer:
    """Lay, draw, end the turn, announce the last tile, or catch somebody who forgot to."""
    services.tables.act(viewer, wish.act(), wish.version)
    return services.state(viewer)


@router.post("/watch")
def watch(event: WatchEvent, viewer: Asking, services: Served) -> Answer:
    """An event of `stationmaster watch`, from a camera that the host runs."""
    viewer.need_host()
    services.tables.watched(viewer.member.game_id, event.model_dump())
    return services.state(viewer)


@router.post("/back")
def take_back(wish: TakeBackWish, viewer: Asking, services: Served) -> Answer:
    """Take an act or a whole turn back; what followed is judged again."""
    services.tables.take_back(viewer, wish.target, wish.version)
    return services.state(viewer)


@router.post("/correct")
def correct(wish: TileRight, viewer: Asking, services: Served) -> Answer:
    """Put a tile right that was misread or mistyped, or confirm it; what followed is judged again."""
    services.tables.correct(viewer, wish.model_dump(), wish.version)
    return services.state(viewer)


@router.post("/change")
def change(wish: TableChange, viewer: Asking, services: Served) -> Answer:
    """Take away what is no tile, add a tile that nobody told of, set or take a marker; the turn is judged anew."""
    services.tables.change(viewer, wish.change(), wish.version)
    return services.state(viewer)


@router.post("/stand")
def let_stand(wish: StandWish, viewer: Asking, services: Served) -> Answer:
    """Overrule the referee, with a note."""
    services.tables.let_stand(viewer, wish.note, wish.version)
    return services.state(viewer)


@router.post("/stop")
def stop(wish: VersionWish, viewer: Asking, services: Served) -> Answer:
    """Stop following the table."""
    services.tables.stop(viewer, wish.version)
    return services.state(viewer)


@router.get("/turns/{number}")
def turn(number: TurnNumber, viewer: Asking, services: Served) -> Answer:
    """A turn of this round: the table before and after, the verdict and what it rests on."""
    return services.tables.turn(viewer, number)


@router.post("/turns/{number}/hand")
def show_hand(number: TurnNumber, wish: HandShown, viewer: Asking, services: Served) -> Answer:
    """Show a hand to the referee: the others learn the verdict, nobody sees the tiles."""
    services.tables.show_hand(viewer, number, [list(tile) for tile in wish.tiles])
    return services.state(viewer)
