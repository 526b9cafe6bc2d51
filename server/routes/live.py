"""Live: a page that is open is sent the state whenever it changes."""

from __future__ import annotations

import asyncio
import contextlib

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from starlette.concurrency import run_in_threadpool

from server.live import Subscriber
from server.problems import Problem
from server.routes.parts import services_of, token_of
from server.shell import shell

router = APIRouter()

_BEAT_S = 20.0


@router.websocket("/api/games/{game_id}/live")
async def live(socket: WebSocket, game_id: str) -> None:
    """Send the state at once, then after each change. Says why and closes if the device is not (or no longer) in."""
    services = services_of(socket)
    token = token_of(socket, game_id)
    await socket.accept()
    try:
        viewer = await run_in_threadpool(services.evenings.viewer, game_id, token)
    except Problem as problem:
        await say_goodbye(socket, problem)
        return
    subscriber = Subscriber(viewer.member.id, asyncio.get_running_loop())
    services.hub.join(game_id, subscriber)
    listening = asyncio.create_task(_until_closed(socket))
    try:
        while not listening.done():
            changed = asyncio.create_task(subscriber.changed.wait())
            await asyncio.wait({changed, listening}, timeout=_BEAT_S, return_when=asyncio.FIRST_COMPLETED)
            if changed.cancel():  # nothing changed: a beat, so that both sides notice a dead line
                await socket.send_json({"type": "beat"})
                continue
            subscriber.changed.clear()
            state = await run_in_threadpool(lambda: services.state(services.evenings.viewer(game_id, token)))
            await socket.send_json({"type": "state", "shell": shell().version, "state": state})
    except Problem as problem:
        await say_goodbye(socket, problem)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the page went away while it was being served
    finally:
        listening.cancel()
        services.hub.leave(game_id, subscriber)


async def _until_closed(socket: WebSocket) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await socket.receive_text()


async def say_goodbye(socket: WebSocket, problem: Problem) -> None:
    """Say why, and close."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_json({"type": "gone", "error": {"code": problem.code, "params": problem.params}})
        await socket.close(1008)
