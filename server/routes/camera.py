"""The server's camera: choose it, look at its newest picture, and the pictures kept as evidence."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import FileResponse

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
    return {"choices": services.cameras.choices()}


@router.post("/camera")
def start(wish: CameraWish, request: Request, viewer: Asking, services: Served) -> Answer:
    """Follow the table with a camera of the server's. One that nobody offered is chosen at the server itself."""
    viewer.need_host()
    if wish.kind != "offered" and not is_local(request):
        raise NotAllowed("camera_here_only")
    services.cameras.start(viewer.member.game_id, wish.model_dump())
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


@router.get("/pictures/{number}", response_class=FileResponse)
def kept(number: PictureNumber, viewer: Asking, services: Served) -> FileResponse:
    """A picture of the table that was kept as evidence."""
    viewer.need_player()
    path = services.cameras.folder.picture(viewer.member.game_id, number)
    if not path.exists():
        raise NotFound("no_photo")
    return FileResponse(path, media_type="image/jpeg", headers=_PRIVATE)
