"""A device's own camera: its page sends a picture each time it is asked for one."""

from __future__ import annotations

import asyncio
import contextlib
import time

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from starlette.concurrency import run_in_threadpool

from server.page_camera import Feed, PageCameras
from server.problems import NotAllowed, Problem
from server.routes.live import say_goodbye
from server.routes.parts import services_of, token_of

router = APIRouter()

_APART_S = 0.2
"""No more than five pictures a second are asked for: enough to see hands come and go."""
_BEAT_S = 20.0


@router.websocket("/api/games/{game_id}/camera/feed")
async def feed(socket: WebSocket, game_id: str) -> None:
    """Offer this device's camera. `next` asks for one picture (a JPEG, binary), and not before it is chosen."""
    services = services_of(socket)
    token = token_of(socket, game_id)
    await socket.accept()
    page = None
    try:
        viewer = await run_in_threadpool(services.evenings.viewer, game_id, token)
        if viewer.member.waiting:
            raise NotAllowed("not_joined")
        page = Feed(viewer.member.id, asyncio.get_running_loop())
        services.cameras.pages.join(game_id, page)
        await socket.send_json({"type": "offered"})
        await _serve(socket, services.cameras.pages, game_id, page)
    except Problem as problem:
        await say_goodbye(socket, problem)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the page went away while it was being served
    finally:
        if page is not None:
            services.cameras.pages.leave(game_id, page)


async def _serve(socket: WebSocket, pages: PageCameras, game_id: str, page: Feed) -> None:
    listening = asyncio.create_task(_listen(socket, pages, game_id, page))
    try:
        while not listening.done():
            wanted = asyncio.create_task(page.wanted.wait())
            await asyncio.wait({wanted, listening}, timeout=_BEAT_S, return_when=asyncio.FIRST_COMPLETED)
            if wanted.cancel():
                await socket.send_json({"type": "beat"})
                continue
            page.wanted.clear()
            started = time.monotonic()
            page.expecting = True
            await socket.send_json({"type": "next"})
            await asyncio.sleep(max(0.0, _APART_S - (time.monotonic() - started)))
    finally:
        listening.cancel()


async def _listen(socket: WebSocket, pages: PageCameras, game_id: str, page: Feed) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, KeyError):
        while True:
            data = await socket.receive_bytes()
            pages.put(game_id, page, data)
            page.expecting = False
