"""A device's own camera: offered by its page, taken up by the host, asked for one picture after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest
from starlette.testclient import TestClient

from server.page_camera import MOST_BYTES, PageSource
from server.sources import FrameSource, Picture
from server.watch_events import Moment
from tests.server.camera_fakes import evening_film
from tests.server.conftest import Json, Person, join
from tests.server.film_fakes import KnowingReader, draw
from tests.server.filmed import FilmedTable, on_table, until


class House(FilmedTable):
    """A server that is stopped and started on the same folder, and the film that its players' table is."""

    def __init__(self, data: Path) -> None:
        film = evening_film()
        super().__init__(film, KnowingReader(film))
        self.data = data
        self.sources: list[Standing] = []
        self.start()

    def start(self) -> None:
        self.open(self.data, "Above the table", self.source)

    def restart(self, *people: Person) -> None:
        self.services.close()
        self.start()
        for person in people:
            cookies = person.client.cookies
            person.client = TestClient(self.app, client=("192.168.1.50", 50000), cookies=cookies)

    def source(self, _: str) -> FrameSource:
        self.sources.append(Standing(self))
        return self.sources[-1]

    def show(self, number: int) -> bytes:
        """What the camera sees from now on, as a file."""
        self.reader.frame = self.film.frames[number]
        return bytes(cv2.imencode(".png", draw(self.film, self.film.frames[number]))[1].tobytes())


class Standing:
    """A live camera of the server's: always what lies there now."""

    live = True
    dropped = 0

    def __init__(self, house: House) -> None:
        self.house, self.closed = house, False

    def pictures(self) -> Iterator[Picture]:
        start = time.monotonic()
        while not self.closed:
            frame = self.house.reader.frame or self.house.film.frames[0]
            self.house.reader.frame = frame
            yield Picture(draw(self.house.film, frame), Moment(frame.number, time.monotonic() - start), True)
            time.sleep(0.05)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path / "data")
    yield made
    made.services.close()


def feed(person: Person) -> Any:
    return person.client.websocket_connect(f"/api/games/{person.game}/camera/feed")


def hear(line: Any, kind: str) -> None:
    while (said := line.receive_json())["type"] != kind:
        assert said["type"] in ("beat", "offered"), said


def show_until(line: Any, data: bytes, person: Person, true: Callable[[Json], Any]) -> Json:
    """Send the picture each time one is asked for, until something is true."""
    for _ in range(200):
        hear(line, "next")
        line.send_bytes(data)
        state = person.state()
        if true(state):
            return state
    raise AssertionError(state["table"] and state["camera"])


def laid(house: House, number: int) -> Callable[[Json], bool]:
    tiles = on_table(house.film, house.film.frames[number].laid)
    return lambda state: sorted(sorted(tile) for tile in state["table"]["tiles"]) == tiles


def filmed(house: House) -> Person:
    """The host of a table that a camera of the server's follows."""
    host = house.host()
    house.show(0)
    host.ask("POST", "{g}/camera", json={"kind": "offered", "number": 0})
    until(host, lambda s: s["camera"]["state"] == "following")
    return host


def test_a_watching_phones_camera_is_offered_taken_up_and_followed(house: House) -> None:
    host = house.host()
    phone = join(house.person, host, None)
    with feed(phone) as line:
        hear(line, "offered")
        assert host.state()["camera"] is None
        member = host.state()["lent"][0]
        choices = host.ask("GET", "{g}/camera/choices")["choices"]
        assert choices[0] == {"kind": "page", "member": member, "seat": None, "label": ""}
        phone.ask("POST", "{g}/camera", 403, json={"kind": "page", "member": member})
        state = host.ask("POST", "{g}/camera", json={"kind": "page", "member": member})
        assert (state["camera"]["by"], state["lent"]) == (member, [])
        show_until(line, house.show(0), host, lambda s: s["camera"]["state"] == "following")
        show_until(line, house.show(1), host, laid(house, 1))
        host.ask("DELETE", "{g}/camera")
        assert host.state()["lent"] == [member]


def test_nothing_that_was_not_asked_for_is_taken(house: House) -> None:
    host = house.host()
    with feed(host) as line:
        hear(line, "offered")
        line.send_bytes(house.show(0))
        host.ask("POST", "{g}/camera", json={"kind": "page"})
        hear(line, "next")
        line.send_bytes(b"x" * (MOST_BYTES + 1))
        time.sleep(0.3)
        assert not host.state()["camera"]["picture"]
    host.ask("POST", "{g}/camera", 404, json={"kind": "page"})


def test_what_is_no_picture_is_passed_over(house: House) -> None:
    host = house.host()
    with feed(host) as line:
        hear(line, "offered")
        host.ask("POST", "{g}/camera", json={"kind": "page"})
        hear(line, "next")
        line.send_bytes(b"no picture")
        show_until(line, house.show(0), host, lambda s: s["camera"]["picture"])


def test_a_page_that_is_gone_is_said_and_its_camera_goes_on_when_it_is_back(house: House) -> None:
    host = house.host()
    with feed(host) as line:
        hear(line, "offered")
        host.ask("POST", "{g}/camera", json={"kind": "page"})
        show_until(line, house.show(0), host, lambda s: s["camera"]["state"] == "following")
    until(host, lambda s: s["camera"]["state"] == "lost")
    with feed(host) as line:
        show_until(line, house.show(2), host, laid(house, 2))


def test_after_a_restart_the_page_is_asked_again_and_nothing_is_lost(house: House) -> None:
    host = house.host()
    with feed(host) as line:
        hear(line, "offered")
        host.ask("POST", "{g}/camera", json={"kind": "page"})
        show_until(line, house.show(0), host, lambda s: s["camera"]["state"] == "following")
        show_until(line, house.show(2), host, laid(house, 2))
    before = host.state()["table"]["tiles"]
    house.restart(host)
    assert host.state()["table"]["tiles"] == before
    assert host.state()["camera"]["by"] == host.state()["you"]["member"]
    with feed(host) as line:  # a tile was laid while the server was away
        show_until(line, house.show(3), host, laid(house, 3))
        show_until(line, house.show(5), host, laid(house, 5))
    assert host.state()["table"]["foul"] is None


def test_after_a_restart_a_camera_of_the_servers_is_taken_up_by_itself(house: House) -> None:
    host = filmed(house)
    house.show(3)
    until(host, laid(house, 3))
    house.show(5)  # while the server is away
    house.restart(host)
    until(host, laid(house, 5))
    assert host.state()["table"]["foul"] is None
    host.ask("DELETE", "{g}/camera")
    house.restart(host)
    assert host.state()["camera"] is None


def test_a_foul_that_waits_over_a_restart_is_not_told_twice(house: House) -> None:
    host, film = house.host(), house.film
    last = next(frame.number for frame in film.frames if any(e.get("verdict") == "illegal" for e in frame.events))
    host.ask("POST", "{g}/camera", json={"kind": "offered", "number": 0})
    for number in range(last + 1):
        house.show(number)
        until(host, lambda s, laid=film.frames[number].laid: s["table"]["foul"] or len(s["table"]["tiles"]) >= laid)
    foul = until(host, lambda s: s["table"]["foul"])["table"]["foul"]
    assert foul["code"] == "R_TRAIN_PRIVATE"
    house.restart(host)
    until(host, lambda s: s["camera"]["state"] == "following")
    host.ask("POST", "{g}/table/back", json={"target": foul["version"], "version": host.state()["version"]})
    time.sleep(1.0)
    assert host.state()["table"]["foul"] is None


def test_a_film_does_not_begin_anew_after_a_restart(house: House) -> None:
    host = filmed(house)
    Standing.live = False
    try:
        house.restart(host)
        until(host, lambda s: s["camera"]["state"] == "ended")
        house.restart(host)
        assert host.state()["camera"] is None
    finally:
        Standing.live = True


class Asked:
    """A page that only counts how often it is asked."""

    def __init__(self) -> None:
        self.count, self.held = 0, False

    def ask(self) -> None:
        self.count += 1

    def hold(self) -> None:
        self.held = True


def test_the_next_picture_is_asked_for_when_the_last_was_taken_and_only_the_newest_is_kept() -> None:
    page, ended = Asked(), []
    source = PageSource(lambda: ended.append(True))
    source.attach(page)  # type: ignore[arg-type]
    assert page.count == 1
    film = evening_film()
    pictures = [bytes(cv2.imencode(".png", draw(film, frame))[1].tobytes()) for frame in film.frames[:2]]
    source.put(pictures[0])
    source.put(pictures[1])
    assert source.dropped == 1
    first = next(source.pictures())
    assert first.image is not None
    assert (first.image == draw(film, film.frames[1])).all()
    assert page.count == 2
    source.close()
    assert page.held
    assert ended == [True]
