"""What every request passes: whose page it comes from, under which name the server was called, how much it sends.

A page of another site must not act in the name of somebody who plays here, neither by a form nor by a
WebSocket; and a foreign host name that resolves to this machine must not make its pages ours.
"""

from __future__ import annotations

import ipaddress
import json
import socket
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.texts import english

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_MOST_BYTES = 1_000_000
"""More than anything that is told here in words; a parser of JSON takes several times its bytes of memory."""


class Guard:
    """ASGI middleware: refuses foreign origins and host names, adds security headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._names = {"localhost", "testserver", socket.gethostname().lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, then pass on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        if not self._known_host(host):
            await _refuse(scope, send, "wrong_host")
            return
        acts = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if acts and not _same_origin(headers, host):
            await _refuse(scope, send, "wrong_origin")
            return
        if acts and scope["type"] == "http" and not _is_photo(scope) and not _small(headers):
            await _refuse(scope, send, "too_many_bytes", 413, megabytes=_MOST_BYTES // 1_000_000)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_security_headers(scope, host)]
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _known_host(self, host: str) -> bool:
        """An address, this machine's name, or a name of the local network; never one from the wide net."""
        name = (urlsplit(f"//{host}").hostname or "").lower()
        if name in self._names or name.endswith((".local", ".lan", ".home", ".internal", ".fritz.box")):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return "." not in name and name != ""
        return True


def _is_photo(scope: Scope) -> bool:
    """Photos have a limit of their own, where they are received."""
    return str(scope.get("path", "")).endswith("/photo")


def _small(headers: dict[str, str]) -> bool:
    """Whether the body is said to be small; one that does not say how long it is could be of any length."""
    length = headers.get("content-length", "0" if "transfer-encoding" not in headers else "")
    return length.isdigit() and int(length) <= _MOST_BYTES


def _same_origin(headers: dict[str, str], host: str) -> bool:
    """True if the browser says the request comes from our own page, or it is no browser at all."""
    origin = headers.get("origin")
    if origin is not None:
        return origin != "null" and urlsplit(origin).netloc.lower() == host.lower()
    return headers.get("sec-fetch-site", "none") in ("same-origin", "none")


def _security_headers(scope: Scope, host: str) -> list[tuple[bytes, bytes]]:
    # 'self' does not cover WebSockets in every browser, so they are named.
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        f"connect-src 'self' ws://{host} wss://{host}; manifest-src 'self'; media-src 'self' blob:; "
        "worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    headers = [
        (b"content-security-policy", policy.encode("latin-1", "ignore")),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"x-frame-options", b"DENY"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"permissions-policy", b"geolocation=(), microphone=(), camera=(self)"),
    ]
    if scope.get("scheme") == "https":  # elsewhere browsers ignore it, and complain in the console
        headers.append((b"cross-origin-opener-policy", b"same-origin"))
    path = scope.get("path", "")
    if path.startswith("/api/"):
        headers.append((b"cache-control", b"no-store"))
    elif path.startswith("/static/"):
        headers.append((b"cache-control", b"no-cache"))
    return headers


async def _refuse(scope: Scope, send: Send, code: str, status: int = 403, **params: int) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    body = json.dumps({"error": {"code": code, "params": params,
                                 "message": english(f"problem.{code}", params)}}).encode()
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": body})
