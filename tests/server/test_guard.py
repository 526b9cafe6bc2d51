"""Foreign pages and host names, headers, limits, fixed error shape."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from server.app import create_app
from server.settings import PhotoLimits, Settings
from tests.server.conftest import Person, new_game
from tests.server.fake_serve import services as open_fakes
from tests.server.pictures import hand_photo

People = Callable[..., Person]


@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"},
     {"origin": "http://testserver.evil.example"}],
)
def test_another_sites_page_acts_for_nobody(person: People, headers: dict[str, str]) -> None:
    host = new_game(person)
    body = {"title": "X", "version": 1}
    error = host.ask("POST", "{g}/title", 403, json=body, headers=headers)["error"]
    assert error["code"] == "wrong_origin"
    assert error["message"] == "This came from another site and was refused."
    host.ask("POST", "{g}/title", json=body, headers={"origin": "http://testserver"})


def test_another_sites_page_opens_no_websocket(person: People) -> None:
    host = new_game(person)
    path = f"/api/games/{host.game}/live"
    with pytest.raises(WebSocketDisconnect), host.client.websocket_connect(
        path, headers={"origin": "http://evil.example"}
    ) as socket:
        socket.receive_json()
    with host.client.websocket_connect(path, headers={"origin": "http://testserver"}) as socket:
        assert socket.receive_json()["state"]["id"] == host.game


@pytest.mark.parametrize(
    ("name", "status"),
    [("evil.example", 403), ("192.168.1.20:8000", 200), ("[fe80::1]:8000", 200), ("laptop.local:8000", 200),
     ("localhost", 200), ("192.168.1.20.evil.example", 403), ("", 403)],
)
def test_only_names_of_the_local_network_are_served(person: People, name: str, status: int) -> None:
    person().ask("GET", "/healthz", status, headers={"host": name})


def test_headers_keep_pages_to_themselves(person: People) -> None:
    headers = person().ask("GET", "/").headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_the_token_is_kept_from_scripts(person: People) -> None:
    answer = person().client.post("/api/games", json={"seats": [{"name": "A"}, {"name": "B"}]})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/api/nothing", 404), ("PUT", "/api/games", 405), ("POST", "/api/games", 422),
     ("GET", "/api/games/../../etc/passwd", 404), ("GET", "/static/../store.py", 404),
     ("GET", "/api/games/0123456789abcdef/photos/..%2f..%2fstationmaster.db", 404),
     ("GET", "/api/games/xyz", 422)],
)
def test_every_refusal_has_one_shape(person: People, method: str, path: str, status: int) -> None:
    error = person().ask(method, path, status)["error"]
    assert set(error) == {"code", "params", "message"}


def test_words_are_limited_in_size_before_they_are_read(person: People) -> None:
    host = new_game(person)
    body = {"title": "X" * 1_100_000, "version": 1}
    error = host.ask("POST", "{g}/title", 413, json=body)["error"]
    assert (error["code"], error["params"]) == ("too_many_bytes", {"megabytes": 1})
    endless = (part for part in [b'{"title": "', b"X", b'"}'])  # sent in chunks, its length is not told
    host.ask("POST", "{g}/title", 413, content=endless, headers={"content-type": "application/json"})
    host.ask("POST", "{g}/title", json={"title": "X", "version": 1})


def test_uploads_are_limited_in_size_and_number(tmp_path: Path) -> None:
    limits = PhotoLimits(bytes=60_000, waiting=1)
    settings = Settings(data=tmp_path, photos=limits)
    services = open_fakes(settings, slow_s=0.5)
    host = new_game(lambda: Person(TestClient(create_app(services))), one_phone=True)
    answer = host.ask("POST", "{g}/rounds/1/hands/A/photo", 413, content=b"x" * 60_001)
    assert answer["error"]["code"] == "too_many_bytes"
    host.snap("A", hand_photo([(1, 2)]))
    assert host.ask("POST", "{g}/rounds/1/hands/A/photo", 429, content=b"x")["error"]["code"] == "too_many_photos"
    services.close()


def test_a_picture_of_too_many_pixels_is_refused_undecoded(tmp_path: Path) -> None:
    services = open_fakes(Settings(data=tmp_path, photos=PhotoLimits(pixels=100_000)))
    host = new_game(lambda: Person(TestClient(create_app(services))), one_phone=True)
    answer = host.ask("POST", "{g}/rounds/1/hands/A/photo", 413, content=hand_photo([(1, 2)]))
    assert answer["error"]["code"] == "too_many_pixels"
    services.close()


def test_docs_and_pages_name_no_other_site(person: People) -> None:
    for path in ("/", "/docs", "/static/base.css", "/static/js/app.js", "/static/js/docs.js"):
        text = person().ask("GET", path).text
        for word in ("http://", "https://", "//cdn"):
            assert word not in text.replace("http://www.w3.org/2000/svg", ""), path
