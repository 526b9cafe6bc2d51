"""`stationmaster serve`: the web application for the phones and the laptop."""

from __future__ import annotations

import argparse
import json
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import segno
import uvicorn
from filelock import FileLock, Timeout

from server.errors import UsageError
from server.lan import way_in
from server.messages import Param, sentence, why_not
from server.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    known = Settings()
    parser.add_argument("--host", default=known.host, metavar="ADDRESS", help="listen there (default: %(default)s)")
    parser.add_argument("--port", type=int, default=known.port, help="listen on this port (default: %(default)s)")
    parser.add_argument("--data", type=Path, default=known.data, metavar="DIR",
                        help="folder of the database and the photos (default: %(default)s)")
    parser.add_argument("--https", action="store_true", help="serve with a certificate of this computer")
    parser.add_argument("--camera", action="append", default=[], metavar="SOURCE",
                        help="offer this camera, stream, film or folder of pictures at the table (may be repeated)")
    parser.add_argument("--no-browser", action="store_true", help="do not open the page on this computer")
    parser.add_argument("--backup", type=Path, metavar="FILE", help="write a copy of the database there, and stop")


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    settings = Settings(data=args.data, host=args.host, port=args.port, https=args.https,
                        cameras=tuple(args.camera))
    if args.backup is not None:
        return _back_up(settings, args.backup, args.json, args.lang)
    _check_cameras(args.camera, args.lang)
    with _alone(settings, args.lang):
        return _serve(settings, args)


def _serve(settings: Settings, args: argparse.Namespace) -> int:
    listener = _listen(settings, args.lang)
    settings = replace(settings, port=listener.getsockname()[1])
    ways = way_in(settings.host, settings.port, settings.https)
    # Imported here: opening the services loads the model, which --help and --backup do not need.
    from server.app import create_app
    from server.compose import open_server

    services = open_server(settings, ways)
    certificate = None
    if settings.https:
        from server.certificate import certificate_for

        certificate = certificate_for(settings.data, ways)
    _announce(settings, ways, args.json, args.lang)
    if sys.stdout.isatty() and not (args.json or args.no_browser):
        # A little later, when the server answers; it may fail silently where there is no desktop.
        threading.Timer(1.0, webbrowser.open, [f"{settings.scheme}://localhost:{settings.port}"]).start()
    config = uvicorn.Config(
        create_app(services), log_level="warning", ws_ping_interval=20, ws_ping_timeout=20, server_header=False,
        timeout_graceful_shutdown=3,
        ssl_certfile=str(certificate.chain) if certificate else None,
        ssl_keyfile=str(certificate.key) if certificate else None,
    )
    uvicorn.Server(config).run(sockets=[listener])
    return 0


def _check_cameras(offered: list[str], lang: str) -> None:
    """Films and folders are there and can be read; a camera or a stream may come later."""
    if offered:
        from server.sources import check_source  # it loads the camera library

        for text in offered:
            check_source(text, lang)


@contextmanager
def _alone(settings: Settings, lang: str) -> Iterator[None]:
    """The data folder, as the only server that works in it. The system gives it back however this one ends."""
    lock = FileLock(settings.lock)
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except Timeout as error:
        raise UsageError(sentence("serve.folder_taken", {"folder": str(settings.data)}, lang)) from error
    except OSError as error:
        raise UsageError(f"--data {settings.data}: {why_not(error, lang)}") from error
    except NotImplementedError:
        pass  # a file system without locks, as some network drives: nobody can tell there
    try:
        yield
    finally:
        lock.release()


def _listen(settings: Settings, lang: str) -> socket.socket:
    """The port, taken before anything slow happens, so that a busy one is said at once."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":  # there it would let two servers share the port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        reason = error.strerror or str(error)
        params: dict[str, Param] = {"host": settings.host, "port": settings.port, "reason": reason}
        raise UsageError(sentence("serve.busy", params, lang)) from error
    return listener


def _back_up(settings: Settings, target: Path, as_json: bool, lang: str) -> int:
    from server.store import Store

    if not settings.database.exists():
        raise UsageError(sentence("serve.no_database", {"file": str(settings.database)}, lang))
    if target.exists():
        raise UsageError(sentence("serve.exists", {"file": str(target)}, lang))
    store = Store(settings.database)
    try:
        store.backup(target)
    finally:
        store.close()
    print(json.dumps({"backup": str(target)}) if as_json else sentence("serve.copied", {"file": str(target)}, lang))
    return 0


def _announce(settings: Settings, ways: list[str], as_json: bool, lang: str) -> None:
    here = f"{settings.scheme}://localhost:{settings.port}"
    if as_json:
        print(json.dumps({"here": here, "addresses": ways, "data": str(settings.data)}), flush=True)
        return
    print(sentence("serve.running", {"here": here}, lang))
    if not ways:
        print(sentence("serve.alone", {}, lang))
        print(sentence("serve.let_in", {}, lang))
    else:
        print(sentence("serve.phones", {"address": ways[0]}, lang) + "\n")
        if sys.stdout.isatty():
            segno.make(ways[0], error="m").terminal(compact=True)
        if len(ways) > 1:
            print(sentence("serve.elsewhere", {"addresses": ", ".join(ways[1:])}, lang))
    print(sentence("serve.kept", {"folder": str(settings.data)}, lang), flush=True)
