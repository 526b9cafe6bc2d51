"""What the server's tests share: an application on a fresh folder, and people who use it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from server.app import create_app
from server.services import Services
from server.settings import Settings
from tests.server.browser import Server
from tests.server.fake_serve import services as open_fakes

Json = dict[str, Any]


class Person:
    """A device: its own cookies, the game it is in."""

    def __init__(self, client: TestClient, game: str = "") -> None:
        self.client = client
        self.game = game

    def ask(self, method: str, path: str, expect: int = 200, **more: Any) -> Any:
        """Call the interface; the answer's JSON."""
        answer = self.client.request(method, path.replace("{g}", f"/api/games/{self.game}"), **more)
        assert answer.status_code == expect, f"{method} {path}: {answer.status_code} {answer.text[:400]}"
        return answer.json() if "json" in answer.headers.get("content-type", "") else answer

    def state(self) -> Json:
        """The game as this device sees it."""
        found: Json = self.ask("GET", "{g}")
        return found

    def snap(self, seat: str, photo: bytes, number: int = 1, expect: int = 202) -> str:
        """Hand in a photo; its id."""
        answer = self.ask("POST", f"{{g}}/rounds/{number}/hands/{seat}/photo", expect, content=photo)
        return str(answer.get("photo", ""))

    def read(self, photo: str) -> Json:
        """Wait until a photo is read; the state then."""
        for _ in range(400):
            state = self.state()
            if next(p for p in state["photos"] if p["id"] == photo)["state"] in ("read", "failed"):
                return state
            time.sleep(0.01)
        raise AssertionError("the photo was not read in time")

    def accept(self, seat: str, number: int = 1, expect: int = 200, **more: Any) -> Json:
        """Put the drafted hand on the sheet."""
        state = self.state()
        body = {"version": state["version"], "draft_version": state["drafts"][seat]["version"]} | more
        answer: Json = self.ask("POST", f"{{g}}/rounds/{number}/hands/{seat}/accept", expect, json=body)
        return answer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server process that the tests of one module share."""
    made = Server(tmp_path_factory.mktemp("data"))
    yield made
    made.stop()


@pytest.fixture(scope="module")
def checked() -> Callable[[Any, str], None]:
    """Fails on what axe complains about, on a page wider than its screen, and on what no person would write."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def check(page: Any, where: str) -> None:
        page.wait_for_timeout(250)
        found = axe.run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"][:120]) for one in found] == [], where
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where
        assert not re.search(r"\b(null|undefined|NaN)\b|\{\w+\}", page.inner_text("body")), where

    return check


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    made = open_fakes(Settings(data=tmp_path / "data"), ways_in=["http://192.168.1.20:8000"])
    yield made
    made.close()


@pytest.fixture
def person(services: Services) -> Callable[..., Person]:
    """Makes devices of one server."""
    app = create_app(services)

    def make(game: str = "", address: str = "192.168.1.50") -> Person:
        return Person(TestClient(app, client=(address, 50000)), game)

    return make


def new_game(person: Callable[..., Person], names: tuple[str, ...] = ("Ana", "Ben"), **more: Any) -> Person:
    """A game, seen by its host."""
    host = person()
    made = host.ask("POST", "/api/games", 201, json={"seats": [{"name": name} for name in names], **more})
    host.game = made["id"]
    return host


def join(person: Callable[..., Person], host: Person, seat: str | None) -> Person:
    """Another device joins by the code."""
    guest = person()
    guest.game = guest.ask("POST", "/api/join", 201, json={"code": host.state()["code"], "seat": seat})["id"]
    return guest
