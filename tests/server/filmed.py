"""A server whose camera shows a film: what the tests of its cameras share."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from datasets.films import Film
from server.app import create_app
from server.services import open_services
from server.settings import Settings
from server.sources import FrameSource
from tests.server.conftest import Json, Person, new_game
from tests.server.film_fakes import KnowingReader


class FilmedTable:
    """People at a table of two that is filmed; nobody hands in a photo."""

    def __init__(self, film: Film, reader: KnowingReader) -> None:
        self.film, self.reader = film, reader

    def open(self, data: Path, camera: str, source: Callable[[str], FrameSource]) -> None:
        """Start the server on a folder."""
        def read(_: Any) -> Json:
            raise AssertionError("nobody hands in a photo")

        self.services = open_services(
            Settings(data=data, cameras=(camera,)), read, lambda: self.reader,
            lambda: ThreadPoolExecutor(1), {"id": self.reader.model_id}, source=source,
        )
        self.app = create_app(self.services)

    def person(self, game: str = "", address: str = "192.168.1.50") -> Person:
        """Another device."""
        return Person(TestClient(self.app, client=(address, 50000)), game)

    def host(self) -> Person:
        """The host of a round that is followed."""
        host = new_game(self.person, ("Ana", "Ben"))
        host.ask("POST", "{g}/table/start", json={"who": self.film.first, "version": host.state()["version"]})
        return host


def until(person: Person, true: Callable[[Json], Any]) -> Json:
    """The state once something is true of it."""
    deadline = time.monotonic() + 60
    while True:
        state = person.state()
        if true(state):
            return state
        assert time.monotonic() < deadline, state["table"] and state["camera"]
        time.sleep(0.02)


def on_table(film: Film, laid: int) -> list[list[int]]:
    """The first tiles of a film, in order."""
    return sorted(sorted(tile) for _, tile in film.lines[:laid])
