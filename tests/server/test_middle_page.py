"""A round taken up in the middle, on the pages: photographed, checked, said whose is whose, and followed from there."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.browser import LAPTOP, PHONE, Page, Server, browser, needs_browser
from tests.server.pictures import hand_photo, table_photo, table_seen

pytestmark = needs_browser

SEATS = [{"name": name} for name in ("Ana", "Ben", "Cara", "Dev")]
ASK = """async ([method, path, body]) => (await fetch('/api/games' + path, {method,
    headers: {'content-type': 'application/json'}, body: body && JSON.stringify(body)})).json()"""
DRAFT = "JSON.parse(localStorage.getItem(Object.keys(localStorage).find((key) => key.endsWith(':table'))))"


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("photos") / "table.jpg"
    path.write_bytes(table_photo())
    return path


def ask(page: Page, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """Call the interface as this device."""
    return page.evaluate(ASK, [method, path, body])


def game_of_four(page: Page, server: Server, **more: Any) -> str:
    page.goto(server.url)
    game = str(ask(page, "POST", "", {"seats": SEATS, "one_phone": True, **more})["id"])
    page.goto(f"{server.url}/g/{game}/now")
    page.wait_for_selector(".next-round")
    return game


def photographed(page: Page, server: Server, photo: Path) -> str:
    """The page with what the photo says."""
    game = game_of_four(page, server)
    page.goto(f"{server.url}/g/{game}/now/middle")
    page.set_input_files(".middle label.huge input", photo)
    page.wait_for_selector(".middle .taken")
    return game


def owners(page: Page) -> dict[str, str]:
    """Whose each line at the hub is, clockwise."""
    return {line["id"]: line["owner"] for line in page.evaluate(DRAFT)["lines"] if line["slot"] is not None}


def put_right(page: Page, tap: Callable[[str], None]) -> int:
    """Answer every question with what lies there in truth; how many there were."""
    truth, _ = table_seen()
    asked = 0
    while page.locator(".question").count():
        trains = page.evaluate(DRAFT)["lines"]
        open_ones = [tile for line in trains if line["owner"] for tile in line["tiles"]
                     if tile["doubtful"] and not tile["confirmed"]]
        shown = page.inner_text(".question h2")
        tile = next(one for one in open_ones if "-".join(map(str, one["ends"])) in shown)
        where = [sum(axis) / 4 for axis in zip(*tile["corners"], strict=True)]
        right = min((one for one in truth["tiles"] if one["ends"]), key=lambda one: math.dist(
            where, [sum(axis) / 4 for axis in zip(*one["corners_px"], strict=True)]))
        tap(".question >> text=Something else")
        for half, value in enumerate(right["ends"]):
            tap(f"dialog .half >> nth={half}")
            tap(f"dialog .pad [data-value='{value}']")
        tap("dialog .tilepad .main")
        page.wait_for_selector("dialog", state="detached")
        asked += 1
    return asked


def test_a_game_that_is_going_on_is_taken_up_from_a_photo(server: Server, photo: Path) -> None:
    with browser() as people:
        page = people.device(PHONE)
        game = game_of_four(page, server)
        page.click("text=Follow the table")
        page.click("dialog >> text=The game is already going on")
        page.set_input_files(".middle label.huge input", photo)
        page.wait_for_selector(".middle .photo .chip >> nth=4")
        assert page.locator("[data-key='begin']").is_disabled()
        assert put_right(page, page.click) == 2

        # Clockwise from whoever sits below; told of one train, the others follow.
        before = owners(page)
        assert "".join(before.values()) in "ABCDABC"
        first, second = list(before)[:2]
        page.click(f"[data-key='chip{first}']")
        page.click("dialog .seat-choice:has-text('Cara')")
        assert [owners(page)[first], owners(page)[second]] == ["C", "D"]

        page.click("[data-key='markA']")
        page.click("[data-key='markA']")
        page.check("input[name='turn'][value='B']", force=True)
        page.fill("[data-key='heldD']", "11")
        page.goto("about:blank")  # the phone's camera took the memory
        page.go_back()
        page.wait_for_selector("[data-key='heldD']")
        assert page.input_value("[data-key='heldD']") == "11"
        assert page.is_checked("input[name='turn'][value='B']")
        told, owned = page.evaluate(DRAFT), owners(page)
        page.click("button:has-text('Follow from here')")
        page.wait_for_selector(".table .whose:has-text('Ben')")
        assert page.url.endswith("/now")

        table = ask(page, "GET", f"/{game}")["table"]
        truth, _ = table_seen()
        lies = {train["id"]: train["tiles"] for train in table["trains"] if train["tiles"]}
        assert sorted(lies.values()) == sorted(train["tiles"] for train in truth["trains"] if train["tiles"])
        marked = {owned[line["id"]] for line in told["lines"] if line["marker"]}
        assert {train["id"] for train in table["trains"] if train["marker"]} == marked
        held = {seat: 15 - len(lies.get(seat, [])) for seat in "ABC"}
        assert table["hands"] == {**held, "D": 11}
        assert table["boneyard"] == 91 - len(table["tiles"]) - sum(held.values()) - 11


PROPOSED = """async ([slots, told, marked, rules]) => {
    const { propose, tell } = await import('/static/js/taken.js');
    const state = { seats: ['A', 'B', 'C', 'D'].map((id) => ({ id })), you: { seat: 'C' }, rules: { changes: rules } };
    const lines = slots.map((slot, place) => (
        { id: `t${place}`, owner: '', told: false, slot, marker: marked.includes(place), tiles: [] }));
    const data = { lines, double: 12, turn: null };
    propose(data, state);
    for (const [place, owner] of told) tell(data, `t${place}`, owner, state);
    return data.lines.map((line) => line.owner || '-').join(' ');
}"""
UP, RIGHT, BELOW, LEFT = -math.pi / 2, 0.0, math.pi / 2, math.pi


ROUND_THE_TABLE: list[tuple[list[float], list[tuple[int, str]], list[int], dict[str, Any], str]] = [
    ([UP, RIGHT, BELOW, LEFT], [], [], {}, "A B C D"),  # who looks is C, and sits below
    ([UP, BELOW], [], [], {}, "A C"),  # two have not started: the directions tell who
    ([UP, BELOW, LEFT], [(0, "B")], [], {}, "B D A"),
    ([UP, RIGHT, BELOW, LEFT], [(1, "C")], [], {}, "B C D A"),
    ([UP, RIGHT, BELOW, LEFT], [(1, "C"), (2, "A")], [], {}, "B C A D"),  # they sit otherwise than it was told
    ([UP, RIGHT, BELOW, LEFT, 3.6], [], [4], {}, "A B C M D"),  # a marked one isn't the Mexican train
    ([UP, RIGHT, BELOW, LEFT, 3.6], [(0, "M")], [], {}, "M B C D A"),
    ([UP, RIGHT, BELOW, LEFT, 3.6], [], [], {"mexican_present": False}, "A B C D -"),
]


def test_trains_are_given_to_the_seats_round_the_table(server: Server) -> None:
    with browser() as people:
        page = people.device(LAPTOP)
        page.goto(server.url)
        for *table, owned in ROUND_THE_TABLE:
            assert page.evaluate(PROPOSED, table) == owned, table


def test_photos_that_show_no_table_bring_one_clear_message(server: Server, tmp_path: Path) -> None:
    empty, hand, wrong = (tmp_path / name for name in ("empty.jpg", "hand.jpg", "wrong.jpg"))
    empty.write_bytes(hand_photo([]))
    hand.write_bytes(hand_photo([(3, 4), (1, 2)]))
    wrong.write_bytes(b"no picture at all")
    with browser() as people:
        people.expected = ["Failed to load resource"]  # the file that is no picture is refused
        page = people.device(PHONE)
        game = game_of_four(page, server)
        page.goto(f"{server.url}/g/{game}/now/middle")
        for file, words in ((empty, "No tiles found on this photo."), (hand, "No trains round a starting double")):
            page.set_input_files(".middle label:has-text('photo') input >> nth=0", file)
            page.wait_for_selector(f".middle .notice.bad:has-text('{words}')")
            assert page.locator(".middle .notice.bad").count() == 1
        page.set_input_files(".middle label input >> nth=0", wrong)
        page.wait_for_selector(".toast.bad:has-text(\"can't be read\")")


def test_without_a_photo_the_trains_are_tapped_in_and_what_does_not_fit_is_said(server: Server) -> None:
    with browser() as people:
        page = people.device(LAPTOP)
        game = game_of_four(page, server)
        page.goto(f"{server.url}/g/{game}/now/middle")
        page.click("text=Tap the trains in")
        for owner, second in (("A", 3), ("A", 3), ("B", 3), ("M", 7), ("M", 7)):
            page.focus(f"[data-key='add{owner}']")
            page.keyboard.press("Enter")
            page.focus(f"dialog .pad [data-value='{second}']")
            page.keyboard.press("Enter")
            page.wait_for_selector("dialog", state="detached")
        assert page.evaluate("document.activeElement.dataset.key") == "addM"
        page.click("[data-key='turnC'] >> xpath=..")
        page.wait_for_selector("button:has-text('1 place doesn')")  # the 12-3 lies there twice
        page.click("[data-train='B'] .tile.wrong")
        page.click("dialog >> text=Remove")
        page.fill("[data-key='heldA']", "80")
        page.wait_for_selector(".wrong-sum")
        assert page.locator("[data-key='begin']").is_disabled()
        page.fill("[data-key='heldA']", "")
        page.wait_for_selector("button:has-text('Tap the double that was laid first')")
        page.check("input[name='first'][value='M']", force=True)
        page.click("button:has-text('Follow from here')")
        page.wait_for_selector(".table .whose")
        table = ask(page, "GET", f"/{game}")["table"]
        lies = {train["id"]: train["tiles"] for train in table["trains"] if train["tiles"]}
        assert lies == {"A": [[12, 3], [3, 3]], "M": [[12, 7], [7, 7]]}
        assert [double["train"] for double in table["open_doubles"]] == ["M", "A"]
        assert (table["hands"]["A"], table["boneyard"], table["firsts"]) == (None, None, ["B", "C", "D"])


@pytest.mark.parametrize(
    ("size", "scheme", "locale"),
    [(PHONE, "light", "en-GB"), (PHONE, "dark", "fr-FR"), (LAPTOP, "light", "es-ES"), (LAPTOP, "dark", "en-GB")],
    ids=["phone-light-en", "phone-dark-fr", "laptop-light-es", "laptop-dark-en"],
)
def test_nothing_that_axe_complains_about(
    server: Server, photo: Path, size: dict[str, Any], scheme: str, locale: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    with browser() as people:
        page = people.device(size, color_scheme=scheme, locale=locale, bypass_csp=True)

        def check(where: str) -> None:
            page.wait_for_timeout(250)
            found = axe.run(page).response["violations"]
            assert [(one["id"], one["nodes"][0]["html"][:120]) for one in found] == [], where
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where
            assert "middle." not in page.inner_text("main"), where

        game = game_of_four(page, server)
        page.goto(f"{server.url}/g/{game}/now/middle")
        page.wait_for_selector(".middle .start")
        check("before the photo")
        page.set_input_files(".middle label.huge input", photo)
        page.wait_for_selector(".middle .photo")
        check("the photo")
        page.click(".middle .chip >> nth=0")
        page.wait_for_selector("dialog .seat-choice")
        check("whose train")
        page.keyboard.press("Escape")
        page.click(".taken .tile >> nth=0")
        page.wait_for_selector("dialog .pad")
        check("a tile")
