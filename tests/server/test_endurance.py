"""The server under stress: killed at any moment, thirty phones at once, nonsense on every door."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from server.app import create_app
from server.settings import Settings
from tests.server.browser import Server
from tests.server.conftest import Person, new_game
from tests.server.fake_serve import services as open_fakes
from tests.server.pictures import hand_photo


class Phone:
    """A device that speaks HTTP to a server process."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.cookie = ""

    def ask(self, method: str, path: str, body: Any = None, raw: bytes | None = None) -> Any:
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server.url + path, data, method=method)
        request.add_header("content-type", "application/json")
        if self.cookie:
            request.add_header("cookie", self.cookie)
        with urllib.request.urlopen(request, timeout=30) as answer:
            if answer.headers.get("set-cookie"):
                self.cookie = answer.headers["set-cookie"].split(";")[0]
            return json.loads(answer.read() or b"null")


def test_everything_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    server = Server(tmp_path, slow_s=1.5)  # the photo is still being read when the server is killed
    phone = Phone(server)
    game = phone.ask("POST", "/api/games", {"seats": [{"name": "A"}, {"name": "B"}], "one_phone": True})["id"]
    acknowledged: list[int] = []
    photo = phone.ask("POST", f"/api/games/{game}/rounds/1/hands/A/photo", raw=hand_photo([(3, 4), (5, 6)]))["photo"]
    stop = threading.Event()

    def work() -> None:
        points = 0
        while not stop.is_set():
            points += 1
            try:
                version = phone.ask("GET", f"/api/games/{game}")["version"]
                title = {"title": str(points), "version": version}
                phone.ask("POST", f"/api/games/{game}/title", title)
            except (urllib.error.URLError, OSError):
                return
            acknowledged.append(points)

    for _ in range(3):
        stop.clear()
        worker = threading.Thread(target=work)
        worker.start()
        time.sleep(0.4)
        server.kill()
        stop.set()
        worker.join()
        server.start()
        state = phone.ask("GET", f"/api/games/{game}")
        assert int(state["title"]) >= acknowledged[-1]
    deadline = time.monotonic() + 20
    while phone.ask("GET", f"/api/games/{game}/photos/{photo}/reading")["state"] != "read":
        assert time.monotonic() < deadline, "the photo that was handed in was lost"
        time.sleep(0.05)
    server.stop()


def test_thirty_phones_at_once_lose_and_mix_up_nothing(tmp_path: Path) -> None:
    server = Server(tmp_path, slow_s=0.05)
    phones = [Phone(server) for _ in range(30)]
    games = [phone.ask("POST", "/api/loose", {})["id"] for phone in phones]
    hands = [[(number % 13, number % 7), (number // 13, 12)] for number in range(30)]
    photos: list[str] = [""] * 30

    def hand_in(number: int) -> None:
        path = f"/api/games/{games[number]}/rounds/1/hands/A/photo"
        photos[number] = phones[number].ask("POST", path, raw=hand_photo(list(hands[number])))["photo"]

    workers = [threading.Thread(target=hand_in, args=(number,)) for number in range(30)]
    for worker in workers:
        worker.start()
    slowest = 0.0
    while any(worker.is_alive() for worker in workers):
        started = time.monotonic()
        urllib.request.urlopen(server.url + "/", timeout=10).read()
        slowest = max(slowest, time.monotonic() - started)
    for phone, game, photo, hand in zip(phones, games, photos, hands, strict=True):
        deadline = time.monotonic() + 60
        while (answer := phone.ask("GET", f"/api/games/{game}/photos/{photo}/reading"))["state"] != "read":
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert [tile["ends"] for tile in answer["reading"]["tiles"]] == [list(tile) for tile in hand]
    assert slowest < 1.5, f"a page took {slowest:.2f} s; it is under 0.3 s on an idle machine"
    server.stop()


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The interface as it describes itself, with a device that is the host of a game."""
    schemathesis = pytest.importorskip("schemathesis")
    services = open_fakes(Settings(data=tmp_path_factory.mktemp("fuzz")))
    app = create_app(services)
    host = new_game(lambda: Person(TestClient(app)))
    found = schemathesis.openapi.from_asgi("/openapi.json", app)
    return found, host


def test_nonsense_on_every_door_breaks_nothing(schema: Any) -> None:
    found, host = schema
    from hypothesis import HealthCheck, Phase, given, settings

    cookies = dict(host.client.cookies)
    broken: list[str] = []
    for operation in found.get_all_operations():
        endpoint = operation.ok()

        @given(case=endpoint.as_strategy())
        @settings(max_examples=15, deadline=None, derandomize=True, phases=[Phase.generate],
                  suppress_health_check=list(HealthCheck))
        def ask(case: Any) -> None:
            if "game_id" in (case.path_parameters or {}):
                case.path_parameters["game_id"] = host.game
            if case.method == "DELETE":
                return  # forgetting the game would end the test's own
            answer = case.call(cookies=cookies)
            if answer.status_code >= 500:
                broken.append(f"{case.method} {case.path}: {case.body!r} {answer.text[:200]}")

        ask()
    assert broken == []
