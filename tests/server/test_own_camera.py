"""A device's own camera in a real browser: lent, aimed, followed, and taken up again by itself."""

from __future__ import annotations

from pathlib import Path

from tests.server.browser import LAPTOP, PHONE, Page, Server, browser, fake_camera, needs_browser, new_game, wait_until
from tests.server.camera_fakes import evening_film
from tests.server.looking_fakes import camera_file

pytestmark = needs_browser


def follow(page: Page, who: str) -> None:
    page.click("text=Follow the table")
    page.click(f"dialog >> text={who}")
    page.wait_for_selector("dialog", state="detached")


ON_TABLE = "fetch('/api/games/{g}').then((a) => a.json()).then((s) => s.table.tiles.length)"


def on_table(page: Page, game: str) -> int:
    return int(page.evaluate(ON_TABLE.replace("{g}", game)))


def test_a_phones_camera_follows_the_table_over_a_reload_and_a_restart(tmp_path: Path) -> None:
    film = evening_film()
    shown = camera_file(tmp_path / "table.y4m", film, [(film.frames[0], 12), (film.frames[3], 60)])
    server = Server(tmp_path / "data")
    with browser(*fake_camera(shown)) as people:
        people.expected = ["WebSocket", "ERR_CONNECTION", "Failed to load resource"]  # while the server is dead
        laptop, phone = people.device(LAPTOP), people.device(PHONE)
        game = new_game(laptop, server)
        phone.goto(f"{server.url}/j/{laptop.inner_text('.code')}")
        phone.click("text=Just watch")
        phone.click("text=Lend this device's camera")
        phone.wait_for_selector("text=Offered. The host can use it now.")
        follow(laptop, "Ana" if film.first == "A" else "Ben")
        laptop.click(".camera .notice >> text=Use it")
        phone.wait_for_selector("text=This device is the table's camera.")
        laptop.wait_for_selector(".camera img")
        laptop.wait_for_selector("text=Following with", timeout=60_000)
        wait_until(laptop, ON_TABLE.replace("{g}", game), lambda count: count >= film.frames[3].laid)
        before = on_table(laptop, game)
        laptop.click(".camera >> text=Aim")
        laptop.wait_for_selector("dialog .aim-list li >> nth=4")
        laptop.click("dialog button[aria-label='Close']")

        phone.reload()
        phone.wait_for_selector("text=This device is the table's camera.", timeout=60_000)
        server.kill()
        phone.wait_for_selector("text=No connection. It goes on by itself.")
        server.start()
        phone.wait_for_selector("text=This device is the table's camera.", timeout=60_000)
        laptop.wait_for_selector("text=Following with", timeout=60_000)
        assert on_table(laptop, game) == before
        phone.click("text=Stop lending")
        laptop.wait_for_selector("text=Can't see the table.", timeout=30_000)
    server.stop()


def test_where_the_page_is_not_secure_the_way_out_is_said(tmp_path: Path) -> None:
    server = Server(tmp_path / "data")
    with browser("--host-resolver-rules=MAP table.local 127.0.0.1") as people:
        page = people.device(PHONE)
        page.goto(server.url)
        insecure = server.url.replace("127.0.0.1", "table.local")
        page.goto(f"{insecure}/new")
        page.click("button.huge.main")
        page.click("text=Use a camera")
        page.click("dialog >> text=This device's camera")
        page.wait_for_selector("dialog >> text=Browsers give the camera only to pages with a secure connection")
        page.wait_for_selector(f"dialog >> text=http://localhost:{server.port}")
        page.click("dialog >> text=How to trust it")
        page.wait_for_selector("h1:has-text('A safe connection')")
    server.stop()
