"""What handlers share: the services, who asks, and the cookie that says so."""

from __future__ import annotations

import ipaddress
from typing import Annotated, cast

from fastapi import Depends, Path, Request, Response
from starlette.requests import HTTPConnection

from server.access import Viewer
from server.lan import addresses
from server.services import Services

_COOKIE_AGE_S = 180 * 24 * 3600

GameId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$", description="Id of the game")]
PhotoId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$", description="Id of the photo")]
SeatPath = Annotated[str, Path(pattern=r"^[A-J]$", description="Letter of the seat")]
RoundPath = Annotated[int, Path(ge=1, le=100, description="Number of the round, from 1")]


def services_of(connection: HTTPConnection) -> Services:
    """The services that the application was built with."""
    return cast(Services, connection.app.state.services)


def token_of(connection: HTTPConnection, game_id: str) -> str | None:
    """The device's token for a game."""
    return connection.cookies.get(f"seat_{game_id}")


def viewer_of(request: Request, game_id: GameId) -> Viewer:
    """Who asks. Refuses devices that did not join."""
    return services_of(request).evenings.viewer(game_id, token_of(request, game_id))


def give_token(request: Request, response: Response, game_id: str, token: str) -> None:
    """Let the browser keep the token where no script can read it."""
    response.set_cookie(f"seat_{game_id}", token, max_age=_COOKIE_AGE_S, path="/", httponly=True,
                        samesite="strict", secure=request.url.scheme == "https")


def address_of(request: Request) -> str:
    """The address that asks."""
    return request.client.host if request.client is not None else ""


def is_local(request: Request) -> bool:
    """True if the request comes from this computer itself, and not through a proxy on it."""
    if "x-forwarded-for" in request.headers or "forwarded" in request.headers:
        return False
    text = address_of(request)
    try:
        return ipaddress.ip_address(text).is_loopback or text in {address.ip for address in addresses()}
    except ValueError:
        return False


Served = Annotated[Services, Depends(services_of)]
Asking = Annotated[Viewer, Depends(viewer_of)]
