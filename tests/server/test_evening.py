"""One evening, in a real browser, from the new game to the podium; the server is killed in the middle.

This test grows with the product. It runs against the application as it is, only the reader is the little one of
these tests.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tests.server.browser import LAPTOP, PHONE, Page, Server, browser, needs_browser, new_game
from tests.server.pictures import Spec, hand_photo

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Route

pytestmark = needs_browser


def photograph(page: Page, folder: Path, tiles: list[Spec]) -> None:
    """Choose a photo in place of the phone's camera."""
    path = folder / f"{abs(hash(tuple(tiles)))}.jpg"
    path.write_bytes(hand_photo(tiles))
    page.set_input_files("label.huge input", path)
    page.wait_for_selector(".photo")


def total(page: Page) -> str:
    return str(page.get_attribute("[data-total]", "data-total"))


def tap_tile(page: Page, owner: str, *values: int) -> None:
    """Lay a tile on somebody's train: the open end is filled in, so one value is enough."""
    if not page.locator("dialog .pad").count():
        page.click(f".spoke[aria-label^=\"{owner}'s train\"]")
    page.wait_for_selector("dialog .pad")
    for value in values:
        page.click(f"dialog .pad [data-value='{value}']")
    page.wait_for_timeout(150)


def close_dialog(page: Page) -> None:
    page.wait_for_selector("dialog .pad")
    page.click("dialog button[aria-label='Close']")


def test_one_evening(tmp_path: Path) -> None:
    server = Server(tmp_path / "data")
    with browser() as people:
        people.expected = ["WebSocket", "ERR_CONNECTION", "Failed to load resource"]  # while the server is dead
        laptop = people.device(LAPTOP)
        laptop.goto(server.url)
        laptop.click("text=New game")
        laptop.fill("label:has-text('Name of the evening') input", "Sunday")
        for index, name in enumerate(("Ana", "Ben")):
            laptop.locator(".seat-list input").nth(index).fill(name)
        laptop.click("fieldset:has-text('Rounds') >> text='3'")
        laptop.click("button:text-is('Start')")
        code = laptop.inner_text(".code")
        assert re.fullmatch(r"[A-Z]{6}", code)

        ana, ben = people.device(PHONE), people.device(PHONE)
        ana.goto(f"{server.url}/j/{code}")
        ana.click("text=I'm Ana")
        ben.goto(f"{server.url}/join")
        ben.fill(".letters", code)
        ben.click("text=I'm Ben")
        ben.wait_for_selector("text=Whoever holds the 12\u201112 lays it and starts.")

        # The table is followed by taps and by a camera; its foul comes at once on everybody's page and stands.
        laptop.click("text=Follow the table")
        laptop.click("dialog >> text=Ana")
        tap_tile(laptop, "Ana", 10)
        close_dialog(laptop)
        laptop.click("text=Use a camera")
        laptop.click("dialog >> text=Table film")
        for page in (ana, ben):
            page.wait_for_selector("h2:has-text(\"Ana may not play on Ben's train: it is private.\")", timeout=90_000)
        ben.wait_for_selector(".camera img")
        assert ana.locator(".foul .evidence image").count() == 2
        ana.click("text=Let it stand")
        ana.click("dialog button.main")
        laptop.wait_for_selector("text=The pictures have ended.", timeout=60_000)
        laptop.click(".turn:has-text('9. Ana')")
        laptop.wait_for_selector("dialog .evidence .laid polygon")
        laptop.click("dialog >> text=Settled")

        # A foul that was tapped is taken back.
        ana.wait_for_selector("text=Your turn, Ana")
        tap_tile(ana, "Ben", 4)
        ben.wait_for_selector("h2:has-text(\"Ana may not play on Ben's train: it is private.\")")
        ana.click("text=Take back")
        ben.wait_for_selector(".foul", state="detached")
        ana.click("button:text-is('I drew')")
        ana.click("button:text-is('Next')")
        ben.click(".turn:has-text('11. Ana')")
        ben.wait_for_selector("text=Nothing seen against it")
        ben.click("dialog >> text=Settled")

        # Both hands are photographed; the server is killed while Ana is putting her tiles right.
        ana.click("text=count hands")
        photograph(ana, tmp_path, [(12, 7), (3, 7), (7, 7, 6), (0, 5)])
        assert total(ana) == "48"
        ana.click(".question .choices button >> nth=1")
        ana.wait_for_selector(".question", state="detached")
        assert total(ana) == "47"
        ana.wait_for_timeout(700)
        server.kill()
        ana.click(".chip >> nth=3")
        ana.click("dialog .half >> nth=1")
        ana.click("dialog .pad [data-value='6']")
        ana.click("dialog >> text=Use 0-6")
        assert total(ana) == "48"
        ana.wait_for_selector(".offline:visible")
        server.start()
        ana.wait_for_selector(".offline", state="hidden")
        ana.click("button:has-text(\"48: that's right\")")
        ana.wait_for_selector(".total.done")

        ben.click("text=count hands")
        ben.click("text=I went out")
        ben.click("text=I'm out: 0 points")
        for page in (ben, ana):
            page.wait_for_selector(".podium >> text=After round 1 of 3")
            page.wait_for_selector("text=Whoever holds the 11\u201111 lays it and starts.")

        # A page that was asleep shows the true state when it wakes.
        laptop.click(".tabs >> text=Scores")
        laptop.wait_for_selector("td.leader:has-text('0')")

        # The rest of the session, typed; a mistake is put right; the winner stands on the podium.
        for ana_points, ben_points in ((10, 20), (5, 60)):
            for page, points in ((ana, ana_points), (ben, ben_points)):
                page.click(".tabs >> text=Count")
                page.click("text=Type the total")
                for digit in str(points):
                    page.click(f"dialog .digits button:text-is('{digit}')")
                page.click("dialog .digits .main")
                page.click(f"button:has-text(\"{points}: that's right\")")
            ben.wait_for_selector(".podium")
        laptop.wait_for_selector("h2:has-text('Ana wins!')")
        laptop.click("button.cell:has-text('60')")
        laptop.click("text=Correct the number")
        laptop.click("dialog .digits button:text-is('5')")
        laptop.click("dialog .digits .main")
        laptop.wait_for_selector("h2:has-text('Ben wins!')")
        ana.wait_for_selector("h2:has-text('Ben wins!')")
    server.stop()


def test_two_phones_submit_at_the_same_moment(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", slow_s=0.3)
    with browser() as people:
        laptop = people.device(LAPTOP)
        laptop.goto(f"{server.url}/new")
        laptop.click("button:text-is('Start')")
        code = laptop.inner_text(".code")
        phones = [people.device(PHONE) for _ in range(2)]
        hands: list[list[Spec]] = [[(1, 2), (3, 4)], [(5, 6), (7, 8), (9, 10)]]
        for number, phone in enumerate(phones, 1):
            phone.goto(f"{server.url}/j/{code}")
            phone.click(f"text=I'm Player {number}")
            phone.click("text=count hands")
            phone.wait_for_selector(".start")
        for number, phone in enumerate(phones):
            path = tmp_path / f"{number}.jpg"
            path.write_bytes(hand_photo(hands[number]))
            phone.set_input_files("label.huge input", path)
        for phone, points in zip(phones, (10, 45), strict=True):
            phone.wait_for_selector(".photo")
            assert total(phone) == str(points)
        for phone, points in zip(phones, (10, 45), strict=True):
            phone.click(f"button:has-text(\"{points}: that's right\")", no_wait_after=True)
        for page in phones:
            page.wait_for_selector(".podium >> text=After round 1 of 13")
            assert page.locator(".places .number").all_inner_texts() == ["10", "45"]
    server.stop()


def test_an_answer_that_was_overtaken_changes_nothing(tmp_path: Path) -> None:
    """The page asks how things stand while a photo is read, as one that wakes does; meanwhile the line says more."""
    server = Server(tmp_path / "data", slow_s=1.0)
    with browser() as people:
        phone = people.device(PHONE)
        new_game(phone, server)
        phone.click(".tabs >> text=Count")
        phone.click("button.seat >> nth=0")
        phone.wait_for_selector(".start")
        late: list[tuple[Route, APIResponse]] = []
        phone.route(re.compile(r"/api/games/[^/]+$"), lambda route: late.append((route, route.fetch())))
        phone.evaluate("""() => new MutationObserver((_, seen) => {
          if (!document.querySelector('.waiting')) return;
          seen.disconnect();
          dispatchEvent(new Event('pageshow'));
        }).observe(document, { subtree: true, childList: true })""")
        photograph(phone, tmp_path, [(1, 2), (3, 4)])  # what the line says
        assert late
        for route, answer in late:
            assert [photo["state"] for photo in answer.json()["photos"]] != ["read"]
            route.fulfill(response=answer)
        phone.wait_for_timeout(300)
        assert total(phone) == "10"
    server.stop()
