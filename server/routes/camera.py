"""The camera: choose it, look at its newest picture, its aim, and the pictures kept as evidence."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import FileResponse

from server.cameras import PAGE
from server.problems import NotAllowed, NotFound
from server.routes.parts import Asking, Served, is_local
from server.schemas import Answer, CameraWish

router = APIRouter(prefix="/api/games/{game_id}", tags=["camera"])

PictureNumber = Annotated[int, Path(ge=1, le=999_999, description="Number of a kept picture")]
_PRIVATE = {"cache-control": "private, max-age=86400, immutable"}


@router.get("/camera/choices")
def choices(viewer: Asking, services: Served) -> Answer:
    """Cameras to choose from, for the host."""
    viewer.need_host()
    return {"choices": services.cameras.choices(viewer)}


@router.post("/camera")
def start(wish: CameraWish, request: Request, viewer: Asking, services: Served) -> Answer:
    """Follow the table with a camera. One of the server's that nobody offered is chosen at the server itself."""
    viewer.need_host()
    if wish.kind in ("camera", "address") and not is_local(request):
        raise NotAllowed("camera_here_only")
    choice = wish.model_dump()
    if wish.kind == PAGE and wish.member is None:
        choice["member"] = viewer.member.id
    services.cameras.start(viewer.member.game_id, choice)
    return services.state(viewer)


@router.delete("/camera")
def stop(viewer: Asking, services: Served) -> Answer:
    """Follow by hand again."""
    viewer.need_host()
    services.cameras.stop(viewer.member.game_id)
    return services.state(viewer)


@router.get("/camera/picture", response_class=Response)
def picture(viewer: Asking, services: Served) -> Response:
    """The newest picture, for those who play."""
    viewer.need_player()
    camera = services.cameras.of(viewer.member.game_id)
    data = None if camera is None else camera.newest.jpeg(time.monotonic())
    if data is None:
        raise NotFound("no_photo")
    return Response(data, media_type="image/jpeg")


@router.get("/camera/tiles")
def tiles(viewer: Asking, services: Served) -> Answer:
    """What lies where in the newest picture of a table that is followed: so that a tile can be tapped there."""
    viewer.need_player()
    game_id = viewer.member.game_id
    camera, table = services.cameras.of(game_id), services.evenings.current(game_id).table
    lies = None if camera is None else camera.lies
    return {"seen": None if lies is None or table is None else lies.as_json(table)}


@router.get("/camera/aim")
def aim(viewer: Asking, services: Served) -> Answer:
    """How the newest picture that was measured is aimed: light, sharpness, size of the tiles, what is cut off."""
    viewer.need_player()
    camera = services.cameras.of(viewer.member.game_id)
    return {"aim": None if camera is None else camera.aim}


@router.get("/pictures/{number}", response_class=FileResponse)
def kept(number: PictureNumber, viewer: Asking, services: Served) -> FileResponse:
    """A picture of the table that was kept as evidence."""
    viewer.need_player()
    path = services.cameras.folder.picture(viewer.member.game_id, number)
    if not path.exists():
        raise NotFound("no_photo")
    return FileResponse(path, media_type="image/jpeg", headers=_PRIVATE)
