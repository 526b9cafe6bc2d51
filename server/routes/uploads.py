"""Photos handed in: the body of a request is the file, and it never takes more memory than the limit allows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from fastapi import Request
from starlette.concurrency import run_in_threadpool

from server.problems import Problem, TooLarge
from server.services import Services
from server.store import PhotoRow

_UPLOADS = asyncio.Semaphore(8)  # photos in memory at once; the rest waits in the network
_UPLOAD_S = 120.0


async def hand_in(request: Request, services: Services, keep: Callable[[bytes], PhotoRow]) -> PhotoRow:
    """The photo that `keep` made of the body. Refuses what is too large, comes too slowly, or finds no room."""
    services.photos.check_room()
    try:
        async with _UPLOADS:
            data = await asyncio.wait_for(_receive(request, services.settings.photos.bytes), _UPLOAD_S)
            return await run_in_threadpool(keep, data)
    except TimeoutError as error:
        raise Problem("upload_too_slow") from error


async def _receive(request: Request, limit: int) -> bytes:
    """The body, never more than the limit. It stays in memory: what a phone adds to a photo reaches no disk."""
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > limit:
            raise TooLarge("too_many_bytes", megabytes=limit // 1_000_000)
    return bytes(data)
