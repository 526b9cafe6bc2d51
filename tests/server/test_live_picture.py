"""The camera's picture is tapped: the tile there is put right, on a phone and with a mouse."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from datasets.films import seen_corners
from tests.server.browser import LAPTOP, PHONE, Page, Server, browser, fake_camera, needs_browser, wait_until
from tests.server.camera_fakes import evening_film
from tests.server.conftest import Json, join
from tests.server.filmed import until
from tests.server.looking_fakes import camera_file
from tests.server.test_camera import CHOICE, Studio
from tests.server.test_dialogs import ask


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = Studio(tmp_path / "data", evening_film())
    yield made
    made.services.close()


def test_a_tap_on_the_picture_means_a_tile_of_a_train(studio: Studio) -> None:
    host, film = studio.host(), studio.film
    ben, guest = join(studio.person, host, "B"), join(studio.person, host, None)
    assert host.ask("GET", "{g}/camera/tiles")["seen"] is None
    host.ask("POST", "{g}/camera", json=CHOICE)
    studio.show(4)
    laid = film.frames[3].laid
    state = until(host, lambda s: len(s["table"]["tiles"]) >= laid)
    seen = ben.ask("GET", "{g}/camera/tiles")["seen"]
    guest.ask("GET", "{g}/camera/tiles", 403)
    assert tuple(seen["size"]) == film.spec.size
    lies = {train["id"]: train["tiles"] for train in state["table"]["trains"]}
    found = {(tile["train"], tuple(lies[tile["train"]][tile["place"]])): tile["corners"] for tile in seen["tiles"]}
    assert len(found) == laid - 1
    for (train, ends), place in zip(film.lines[1:laid], film.places[1:laid], strict=True):
        x, y = seen_corners(film, film.frames[3], place).mean(0)
        corners = found[train, tuple(ends)]
        assert sum(c[0] for c in corners) / 4 == pytest.approx(x, abs=4)
        assert sum(c[1] for c in corners) / 4 == pytest.approx(y, abs=4)
    while state["version"] != (state := host.state())["version"]:
        time.sleep(0.3)  # until the camera has told what it has to tell
    train, ends = film.lines[laid - 1]
    body = {"train": train, "was": list(ends), "tile": other_than(state, ends), "version": state["version"]}
    host.ask("POST", "{g}/table/correct", json=body)
    after = host.ask("GET", "{g}/camera/tiles")["seen"]["tiles"]
    assert [(tile["train"], tile["place"]) for tile in after] == [(t["train"], t["place"]) for t in seen["tiles"]]


def other_than(state: Json, ends: tuple[int, int]) -> list[int]:
    """Another tile that fits where this one lies and is nowhere else."""
    return next([ends[0], far] for far in range(13) if sorted([ends[0], far]) not in state["table"]["tiles"])


def watched(page: Page, server: Server) -> tuple[str, Json]:
    """The film was followed to its foul, which stands; what lies where in its last picture."""
    page.goto(server.url)
    game = str(ask(page, "POST", "", {"seats": [{"name": "Ana"}, {"name": "Ben"}], "one_phone": True})["id"])
    first = evening_film().first
    ask(page, "POST", f"{game}/table/start", {"who": first, "version": ask(page, "GET", game)["version"]})
    ask(page, "POST", f"{game}/camera", {"kind": "offered", "number": 0})
    page.goto(f"{server.url}/g/{game}/now")
    page.wait_for_selector(".foul", timeout=90_000)
    ask(page, "POST", f"{game}/table/stand", {"note": "", "version": ask(page, "GET", game)["version"]})
    page.wait_for_selector("text=The pictures have ended.", timeout=90_000)
    page.wait_for_function("document.querySelector('.live img')?.naturalWidth > 0")
    return game, ask(page, "GET", f"{game}/camera/tiles")["seen"]


def where(page: Page, seen: Json, tile: Json, picture: str = ".live img") -> tuple[float, float]:
    """The middle of a tile on the screen."""
    page.evaluate(f"document.querySelector('{picture}').scrollIntoView({{ block: 'center' }})")
    box = page.locator(picture).bounding_box()
    assert box is not None
    shares = [sum(corner[axis] for corner in tile["corners"]) / 4 / seen["size"][axis] for axis in (0, 1)]
    return box["x"] + shares[0] * box["width"], box["y"] + shares[1] * box["height"]


def last_of(game: Json, seen: Json, train: str) -> tuple[Json, list[int]]:
    """The outermost tile of a train: as it lies in the picture, and its values."""
    tiles = next(one["tiles"] for one in game["table"]["trains"] if one["id"] == train)
    return next(tile for tile in seen["tiles"] if (tile["train"], tile["place"]) == (train, len(tiles) - 1)), tiles[-1]


@needs_browser
def test_a_tile_is_put_right_by_a_finger_on_the_picture(server: Server, checked: Any) -> None:
    with browser() as people:
        page = people.device(PHONE, bypass_csp=True)
        game, seen = watched(page, server)
        state = ask(page, "GET", game)
        tile, ends = last_of(state, seen, "A")
        page.touchscreen.tap(*where(page, seen, tile))
        page.wait_for_selector("dialog .close-up polygon")
        assert page.locator("dialog .close-up polygon").count() > 1  # a finger covers several: they are shown large
        checked(page, "which tile")
        page.locator(f"dialog .close-up polygon[aria-label='Put the {ends[0]}-{ends[1]} right']").tap()
        page.wait_for_selector("dialog .cutout polygon")
        checked(page, "putting right what the picture shows")
        low, high = other_than(state, (ends[0], ends[1]))
        page.tap("dialog .half >> nth=1")
        page.tap(f"dialog .pad [data-value='{high}']")
        page.tap("dialog button.main >> nth=-1")
        page.wait_for_selector("dialog", state="detached")
        state_now = f"fetch('/api/games/{game}').then((answer) => answer.json())"
        wait_until(page, f"{state_now}.then((s) => s.table.trains[0].tiles.at(-1)[1])", lambda end: end == high)
        assert ask(page, "GET", game)["table"]["trains"][0]["tiles"][-1] == [low, high]


@needs_browser
def test_a_mouse_hits_a_tile_and_beside_the_trains_nothing_opens(server: Server) -> None:
    with browser() as people:
        page = people.device(LAPTOP)
        game, seen = watched(page, server)
        tile, ends = last_of(ask(page, "GET", game), seen, "B")
        page.mouse.click(*where(page, seen, tile))
        page.wait_for_selector(f"dialog h2:has-text('Put the {ends[0]}-{ends[1]} right')")
        page.click("dialog >> text=This isn't a tile")
        page.wait_for_selector(".toast:has-text('Undo')")
        box = page.locator(".live img").bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + 2, box["y"] + 2)
        page.wait_for_selector(".toast >> text=No train lies there.")
        x, y = next(end["at"] for end in seen["ends"] if end["train"] == "A")
        outside = {"corners": [[x, y]] * 4}
        step = seen["length"] * (1 if x > seen["size"][0] / 2 else -1)
        outside["corners"] = [[x + step, y]] * 4  # past the end of the train: nothing lies there
        page.mouse.click(*where(page, seen, outside))
        page.click("dialog .row.small >> text=/Ana's train/i")
        page.wait_for_selector("dialog >> text=One more tile lies there")
        assert not re.search(r"undefined|null", page.inner_text("dialog"))


@needs_browser
def test_what_a_devices_own_camera_sees_is_tapped_too(server: Server, tmp_path: Path) -> None:
    film = evening_film()
    shown = [(film.frames[0], 8), (film.frames[3], 90)]
    with browser(*fake_camera(camera_file(tmp_path / "table.y4m", film, shown))) as people:
        page = people.device(LAPTOP)
        page.goto(server.url)
        game = str(ask(page, "POST", "", {"seats": [{"name": "Ana"}, {"name": "Ben"}], "one_phone": True})["id"])
        ask(page, "POST", f"{game}/table/start", {"who": film.first, "version": ask(page, "GET", game)["version"]})
        page.goto(f"{server.url}/g/{game}/now")
        page.click("text=Use a camera")
        page.click("dialog >> text=This device's camera")
        laid = film.frames[3].laid
        wait_until(page, f"fetch('/api/games/{game}').then((a) => a.json()).then((s) => s.table.tiles.length)",
                   lambda count: count >= laid)
        seen = ask(page, "GET", f"{game}/camera/tiles")["seen"]
        tile, ends = last_of(ask(page, "GET", game), seen, "A")
        page.mouse.click(*where(page, seen, tile, ".lending video"))
        page.wait_for_selector(f"dialog h2:has-text('Put the {ends[0]}-{ends[1]} right')")
        page.wait_for_selector("dialog .cutout image")
