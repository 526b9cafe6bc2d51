"""Installed on a phone: the shell opens without the server, holds no data, and never hides an update."""

from __future__ import annotations

import json
import time
import urllib.request
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from scripts.make_icons import FOLDER, ICONS, draw_icon
from server.shell import shell
from tests.server.browser import PHONE, Page, Server, browser, needs_browser
from tests.server.pictures import hand_photo

KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
  return found;
}"""


@pytest.mark.parametrize("name", ICONS)
def test_the_icons_are_as_they_are_drawn(name: str) -> None:
    drawn = draw_icon(*ICONS[name])
    with Image.open(FOLDER / name) as kept:
        difference = ImageChops.difference(kept.convert("RGBA"), drawn)
    assert max(most for _, most in difference.getextrema()) < 24  # type: ignore[misc, operator]


def test_the_version_names_every_file_of_the_shell() -> None:
    root = FOLDER.parent
    names = {f"/static/{path.relative_to(root).as_posix()}" for path in root.rglob("*") if path.is_file()}
    assert names <= set(shell().paths)
    assert shell().version in shell().page
    assert shell().version in shell().worker


def installed(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")


@needs_browser
def test_the_browser_offers_to_install_it(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with browser() as people:
        page = people.device(PHONE)
        installed(page, server)
        line = page.context.new_cdp_session(page)
        manifest = line.send("Page.getAppManifest")
        assert manifest["errors"] == []
        for icon in json.loads(manifest["data"])["icons"]:
            assert urllib.request.urlopen(server.url + icon["src"], timeout=10).status == 200
        problems = [one["errorId"] for one in line.send("Page.getInstallabilityErrors")["installabilityErrors"]]
        assert [one for one in problems if one != "in-incognito"] == []
    server.stop()


@needs_browser
def test_the_shell_opens_without_the_server_and_holds_neither_data_nor_photos(tmp_path: Path) -> None:
    server = Server(tmp_path / "data")
    photo = tmp_path / "hand.jpg"
    photo.write_bytes(hand_photo([(1, 2), (12, 12)]))
    with browser() as people:
        people.expected = ["WebSocket", "ERR_CONNECTION", "Failed to load resource", "Failed to fetch"]
        page = people.device(PHONE)
        installed(page, server)
        page.click("text=Count a hand")
        page.set_input_files("label.huge input", photo)
        page.wait_for_selector("[data-total='27']")
        page.wait_for_selector(".photo image")
        kept = page.evaluate(KEPT)
        assert set(kept) == set(shell().paths)
        assert not [path for path in kept if path.startswith(("/api", "/g/", "/j/"))]
        server.kill()
        page.goto(server.url)
        page.wait_for_selector("h1:has-text('Mexican Train')")
        page.goto(f"{server.url}/new")
        page.wait_for_selector("text=can't be reached")
        server.start()
        page.click("text=Try again")
        page.wait_for_selector(".seat-list")
    server.stop()


@needs_browser
def test_after_an_update_the_new_page_is_shown_and_the_old_shell_is_gone(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with browser() as people:
        people.expected = ["WebSocket", "ERR_CONNECTION", "Failed to load resource", "Failed to fetch"]
        page = people.device(PHONE)
        installed(page, server)
        page.goto(f"{server.url}/new")
        page.click("button.huge.main")
        page.wait_for_selector(".next-round")
        server.kill()
        server.start(STATIONMASTER_TEST_SHELL="updated")
        page.wait_for_selector("meta[name=shell][content=updated]", state="attached")
        page.wait_for_selector(".next-round")
        deadline = time.monotonic() + 15
        while page.evaluate("caches.keys()") != ["shell-updated"]:
            assert time.monotonic() < deadline, "the old shell is still kept"
            page.wait_for_timeout(100)
    server.stop()


@needs_browser
def test_plain_http_works_without(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with browser() as people:
        page = people.device(PHONE)
        page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false });"
                             "delete Navigator.prototype.serviceWorker; delete Navigator.prototype.wakeLock;")
        page.goto(f"{server.url}/new")
        page.click("button.huge.main")
        page.wait_for_selector(".next-round")
        assert page.evaluate("caches.keys()") == []
    server.stop()


@needs_browser
def test_the_screen_stays_on_while_a_game_is_open_and_again_after_waking(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with browser() as people:
        page = people.device(PHONE)
        page.add_init_script("""window.locks = [];
            Object.defineProperty(navigator, 'wakeLock', { value: { request: async (kind) => {
              window.locks.push(kind); return { release() { window.locks.push('released'); } }; } } });""")
        page.goto(f"{server.url}/new")
        page.click("button.huge.main")
        page.wait_for_selector(".next-round")
        assert page.evaluate("window.locks") == ["screen"]
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_function("window.locks.filter((lock) => lock === 'screen').length === 2")
        page.click("header a")
        page.wait_for_selector(".big-links")
        assert page.evaluate("window.locks").count("released") >= 1
    server.stop()
