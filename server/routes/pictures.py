"""Photos as they are given out: to their own seat; to others at most the one tile that both claim to hold."""

from __future__ import annotations

import io
import time
from pathlib import Path as FilePath
from typing import Annotated

from fastapi import APIRouter, Path, Response
from fastapi.responses import FileResponse
from PIL import Image

from engine.tile import Tile
from server.problems import NotFound
from server.routes.parts import Asking, PhotoId, Served
from server.schemas import Answer
from server.views import alerts

router = APIRouter(prefix="/api", tags=["photos"])

_PATIENCE_S = 3.0
_LOOK_S = 0.01
_PRIVATE = {"cache-control": "private, max-age=86400, immutable"}


@router.get("/games/{game_id}/photos/{photo_id}", response_class=FileResponse)
def photo(photo_id: PhotoId, viewer: Asking, services: Served, full: bool = False) -> FileResponse:
    """A photo, in the size that pages show or in full. Only the device and the seat it belongs to get it."""
    row = services.photos.of_viewer(viewer, photo_id)
    folder = services.photos.folder
    path = _when_written(folder.photo(row)) if full else _when_written(folder.view(row), folder.photo(row))
    return FileResponse(path, media_type="image/jpeg", headers=_PRIVATE)


@router.get("/games/{game_id}/photos/{photo_id}/reading")
def reading(photo_id: PhotoId, viewer: Asking, services: Served) -> Answer:
    """What the reader saw, before any correction."""
    row = services.photos.of_viewer(viewer, photo_id)
    return {"state": row.state, "reading": row.reading, "problem": row.problem}


@router.get("/games/{game_id}/tiles/{ends}/{seat}", response_class=Response)
def doubled_tile(
    viewer: Asking,
    services: Served,
    ends: Annotated[str, Path(pattern=r"^\d{1,2}-\d{1,2}$")],
    seat: Annotated[str, Path(pattern="^[A-J]$")],
) -> Response:
    """A picture of a tile that is claimed twice, cut from another's photo: that tile and nothing else of the hand."""
    evening = services.evenings.current(viewer.member.game_id)
    drafts = services.store.read(lambda ledger: ledger.drafts(evening.id, evening.round))
    wanted = sorted(int(part) for part in ends.split("-"))
    alert = next((a for a in alerts(viewer, evening, drafts) if a["tile"] == wanted and seat in a["pictures"]), None)
    row = None if alert is None else services.store.read(lambda ledger: ledger.photo(alert["pictures"][seat]))
    draft = drafts.get(seat, (0, {"tiles": []}))[1]
    corners = next((tile["corners"] for tile in draft["tiles"]
                    if None not in tile["ends"] and Tile(*tile["ends"]) == Tile(*wanted)), None)
    if row is None or corners is None:
        raise NotFound("no_photo")
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    margin = 0.08 * max(max(xs) - min(xs), max(ys) - min(ys))
    box = (int(min(xs) - margin), int(min(ys) - margin), int(max(xs) + margin), int(max(ys) + margin))
    buffer = io.BytesIO()
    with Image.open(_when_written(services.photos.folder.photo(row))) as image:
        cut = image.crop(box)
        cut.thumbnail((400, 400))
        cut.save(buffer, "JPEG", quality=85)
    return Response(buffer.getvalue(), media_type="image/jpeg")


def _when_written(*paths: FilePath) -> FilePath:
    """The first of these that is there. Pages ask for a photo while it is being read, or just after: wait for it."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        for path in paths:
            if path.exists():
                return path
        if time.monotonic() > deadline:
            raise NotFound("no_photo")
        time.sleep(_LOOK_S)
