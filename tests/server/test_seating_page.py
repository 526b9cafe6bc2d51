"""Seats on the pages: dragged with the mouse or a finger, moved with the keyboard, people who come and go."""

from __future__ import annotations

import pytest

from tests.server.browser import LAPTOP, PHONE, Page, Server, browser, needs_browser

pytestmark = needs_browser


def four(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/new")
    for index, name in enumerate(("Ana", "Ben", "Cara", "Dev")):
        if index > 1:
            page.click("text=Add a player")
        page.locator(".seat-list input").nth(index).fill(name)


def order(page: Page) -> str:
    return " ".join(field.input_value() for field in page.locator(".seat-list input").all())


def drag(page: Page, selector: str, target: tuple[float, float]) -> None:
    box = page.locator(selector).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(*target, steps=8)
    page.mouse.up()


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_people_are_dragged_in_the_list_and_round_the_table(server: Server, size: dict[str, object]) -> None:
    with browser() as people:
        page = people.device(size)
        four(page, server)
        below = page.locator(".handle").nth(2).bounding_box()
        assert below is not None
        drag(page, ".handle >> nth=0", (below["x"] + 9, below["y"] + below["height"] + 2))
        assert order(page) == "Ben Cara Ana Dev"
        page.locator(".round-table").scroll_into_view_if_needed()
        page.evaluate("scrollTo(0, 0)")
        table = page.locator(".round-table").bounding_box()
        assert table is not None
        middle = table["x"] + table["width"] / 2, table["y"] + table["height"] / 2
        drag(page, ".mark >> nth=0", (middle[0] + table["width"] * 0.35, middle[1]))  # from the top to the right
        assert order(page) == "Cara Ben Ana Dev"
        drag(page, ".mark >> nth=0", (middle[0], middle[1] + table["height"] * 0.35))
        assert order(page) == "Ben Ana Cara Dev"


def test_seats_are_moved_with_the_keyboard_and_it_is_said_aloud(server: Server) -> None:
    with browser() as people:
        page = people.device(PHONE)
        four(page, server)
        page.focus(".handle >> nth=0")
        for _ in range(2):
            page.keyboard.press("ArrowDown")
        assert order(page) == "Ben Cara Ana Dev"
        assert page.inner_text(".seating [aria-live]") == "Ana now has place 3 of 4"
        assert "Ana, place 3 of 4" in str(page.evaluate("document.activeElement.ariaLabel"))
        page.keyboard.press("ArrowUp")
        assert order(page) == "Ben Ana Cara Dev"
        page.focus(".up >> nth=0")
        page.keyboard.press("Enter")  # the table is round: from the first place to the last
        assert order(page) == "Ana Cara Dev Ben"
        page.click("button.huge.main")
        page.wait_for_selector(".seats")
        shown = [text.split()[0] for text in page.locator(".seats li").all_inner_texts()]
        assert shown == ["Ana", "Cara", "Dev", "Ben"]


def test_in_the_middle_of_a_game_people_move_leave_and_come(server: Server) -> None:
    with browser() as people:
        page = people.device(PHONE)
        four(page, server)
        page.click("button.huge.main")
        page.wait_for_selector(".seats")
        game = page.url.split("/")[4]
        page.evaluate(
            "(g) => fetch(`/api/games/${g}/rounds/1/points`, {method: 'POST', headers: {'content-type':"
            " 'application/json'}, body: JSON.stringify({points: {A: 3, B: 4, C: 10, D: 11}, version: 1})})", game)
        page.click(".tabs >> text=More")
        page.click("text=Change the seats")
        page.focus("dialog .handle >> nth=3")
        page.keyboard.press("ArrowUp")
        page.click("dialog >> text=Save")
        page.wait_for_selector(".log >> text=Other seats")
        page.click("[aria-label='Change: Ben']")
        page.click("dialog >> text=Ben goes home")
        page.click("dialog .danger")
        page.wait_for_selector("text=went home")
        page.click("text=Add a player")
        page.fill("dialog input", "Eve")
        page.click("dialog >> text=8: as the others on average")
        page.click("dialog .main")
        page.wait_for_selector(".log >> text=Eve joined in")
        page.click(".tabs >> text=Scores")
        page.wait_for_selector("thead th:has-text('Eve')")
        assert page.locator("thead th").all_inner_texts()[1:] == ["Ana", "Ben", "Dev", "Cara", "Eve"]
        assert page.locator("tfoot td").all_inner_texts() == ["3", "4", "11", "10", "8"]
        assert page.locator(".places .name").all_inner_texts() == ["Ana", "Eve", "Cara", "Dev"]
        page.click(".tabs >> text=More")
        page.click("text=Undo: Eve joined in")
        page.wait_for_selector(".log .undone:has-text('Eve joined in')")
        page.click("text=Ben is back")
        page.click("dialog .main") if page.locator("dialog").count() else None
        page.wait_for_selector("[aria-label='Change: Ben']")


def test_a_colour_that_somebody_has_cannot_be_chosen(server: Server) -> None:
    with browser() as people:
        page = people.device(PHONE)
        four(page, server)
        page.click("[aria-label='Name, colour and shape'] >> nth=0")
        assert page.is_disabled("dialog [aria-label='orange']")
        page.click("dialog [aria-label='red']")
        page.click("dialog [aria-label='star']")
        page.click("dialog >> text=Save")
        page.click("button.huge.main")
        page.wait_for_selector(".seats")
        state = page.evaluate("fetch('/api' + location.pathname.replace('/g/', '/games/').replace('/now', ''))"
                              ".then((answer) => answer.json())")
        assert (state["seats"][0]["colour"], state["seats"][0]["shape"]) == ("red", "star")
