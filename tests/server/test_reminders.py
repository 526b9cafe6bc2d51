"""What is easily forgotten is said in a low voice; what was photographed survives a page that is dropped."""

from __future__ import annotations

from pathlib import Path

from tests.server.browser import PHONE, Page, Server, browser, needs_browser, new_game
from tests.server.pictures import hand_photo

pytestmark = needs_browser


def type_total(page: Page, points: int) -> None:
    page.click("text=Type the total")
    for digit in str(points):
        page.click(f"dialog .digits button:text-is('{digit}')")
    page.click("dialog .digits .main")
    page.click(f"button:has-text(\"{points}: that's right\")")


def photo_that_waits(page: Page, server: Server, folder: Path) -> str:
    """A photo of Ana's hand that can't be sent; the game."""
    photo = folder / "hand.jpg"
    photo.write_bytes(hand_photo([(1, 2), (12, 12)]))
    game = new_game(page, server, one_phone=True)
    page.goto(f"{server.url}/g/{game}/hand/A")
    page.wait_for_selector(".start")
    page.context.route("**/photo", lambda route: route.abort("connectionrefused"))
    page.set_input_files("label.huge input", photo)
    page.wait_for_selector(".waiting >> text=waits")
    return game


def test_who_has_not_counted_is_reminded_once_and_led_to_the_camera(server: Server) -> None:
    with browser() as people:
        host, ben = people.device(PHONE), people.device(PHONE)
        game = new_game(host, server)
        code = host.evaluate(f"fetch('/api/games/{game}').then((a) => a.json()).then((s) => s.code)")
        ben.clock.install()
        ben.goto(f"{server.url}/j/{code}")
        ben.click("text=I'm Ben")
        ben.wait_for_selector(".next-round")
        host.goto(f"{server.url}/g/{game}/hand/A")
        host.click("text=Ana went out")
        host.click("text=Ana is out: 0 points")
        ben.wait_for_selector("text=Ana is out. Lay your tiles flat")
        assert not ben.locator(".toast").count()
        ben.clock.run_for(26_000)
        ben.wait_for_selector(".toast:has-text(\"Your hand isn't counted yet.\")")
        ben.clock.run_for(60_000)
        assert not ben.locator(".toast").count()
        host.click(".tabs >> text=Table")
        host.wait_for_selector("text=Still counting: Ben")
        host.wait_for_selector("button:text-is('Count for Ben')")
        ben.click("text=Count my hand")
        ben.wait_for_selector(".start")


def test_one_phone_is_passed_on_to_who_comes_next(server: Server) -> None:
    with browser() as people:
        page = people.device(PHONE)
        new_game(page, server, one_phone=True)
        page.click(".tabs >> text=Count")
        page.click("button.seat:has-text('Ana')")
        type_total(page, 12)
        page.click("text=Next: Ben")
        page.wait_for_selector("button.seat.chosen:has-text('Ben')")
        type_total(page, 3)
        page.wait_for_selector(".podium >> text=After round 1")


def test_a_photo_that_waited_on_a_dropped_page_is_sent_by_the_next_one(server: Server, tmp_path: Path) -> None:
    with browser() as people:
        people.expected = ["ERR_", "Failed to load resource", "WebSocket"]
        page = people.device(PHONE)
        game = photo_that_waits(page, server, tmp_path)
        page.goto("about:blank")
        page.context.unroute("**/photo")
        page.goto(f"{server.url}/g/{game}/hand/A")
        page.wait_for_selector("[data-total='27']")
        assert page.evaluate("new Promise((done) => { const asked = indexedDB.open('stationmaster', 1);"
                             " asked.onsuccess = () => { const kept = asked.result.transaction('photos')"
                             ".objectStore('photos').count(); kept.onsuccess = () => done(kept.result); }; })") == 0


def test_a_forgotten_evening_leaves_nothing_on_the_phone_either(server: Server, tmp_path: Path) -> None:
    with browser() as people:
        people.expected = ["ERR_", "Failed to load resource", "WebSocket"]
        page = people.device(PHONE)
        game = photo_that_waits(page, server, tmp_path)
        page.goto(f"{server.url}/g/{game}/hand/B")
        page.click("text=Ben went out")
        count = ("new Promise((done) => { const asked = indexedDB.open('stationmaster', 1); asked.onsuccess = () => {"
                 " const kept = asked.result.transaction('photos').objectStore('photos').count();"
                 " kept.onsuccess = () => done([kept.result, Object.keys(localStorage)"
                 ".filter((key) => key.startsWith('draft:')).length]); }; })")
        assert min(page.evaluate(count)) > 0
        page.evaluate(f"fetch('/api/games/{game}', {{method: 'DELETE'}})")
        page.wait_for_selector(".big-links")
        page.wait_for_timeout(300)
        assert page.evaluate(count) == [0, 0]
