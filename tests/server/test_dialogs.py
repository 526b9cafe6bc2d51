"""What opens over the table: a train and its tiles, the referee's word, the voice, the camera and its aim.

Each in both sizes, light and dark, in three languages, without anything that axe complains about; with a keyboard
and with a finger.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.browser import LAPTOP, PHONE, Page, Server, browser, fake_camera, needs_browser, new_game
from tests.server.camera_fakes import evening_film
from tests.server.looking_fakes import camera_file
from tests.server.pictures import hand_photo

pytestmark = needs_browser

LOOKS = pytest.mark.parametrize(
    ("size", "scheme", "locale"),
    [(PHONE, "light", "en-GB"), (PHONE, "dark", "fr-FR"), (LAPTOP, "light", "es-ES"), (LAPTOP, "dark", "en-GB")],
    ids=["phone-light-en", "phone-dark-fr", "laptop-light-es", "laptop-dark-en"],
)

ASK = """async ([method, path, body]) => (await fetch('/api/games/' + path, {method,
    headers: {'content-type': 'application/json'}, body: body && JSON.stringify(body)})).json()"""


def ask(page: Page, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """Call the interface as this device."""
    return page.evaluate(ASK, [method, path, body])


def act(page: Page, game: str, **what: Any) -> None:
    """Something at the table, as if it had been tapped."""
    version = ask(page, "GET", game)["version"]
    answer = ask(page, "POST", f"{game}/table/acts", {**what, "version": version})
    assert "error" not in answer, answer


def followed(page: Page, server: Server, one_phone: bool = True) -> str:
    """A table of two with a first line on Ana's train; Ben is to move."""
    page.goto(server.url)
    seats = [{"name": "Ana"}, {"name": "Ben"}]
    game = str(ask(page, "POST", "", {"seats": seats, "one_phone": one_phone})["id"])
    ask(page, "POST", f"{game}/table/start", {"who": "A", "version": ask(page, "GET", game)["version"]})
    for tile in ([12, 10], [10, 4], [4, 6], [6, 6], [6, 1]):
        act(page, game, do="lay", train="A", tile=tile)
    act(page, game, do="end")
    page.goto(f"{server.url}/g/{game}/now")
    page.wait_for_selector(".hub")
    return game


@LOOKS
def test_what_opens_over_a_followed_table(
    server: Server, checked: Callable[[Page, str], None], size: dict[str, Any], scheme: str, locale: str
) -> None:
    with browser() as people:
        page = people.device(size, color_scheme=scheme, locale=locale, bypass_csp=True)
        game = followed(page, server)
        checked(page, "table")
        page.click(".spoke[data-train='A']")
        page.wait_for_selector("dialog .lies .tile >> nth=4")
        checked(page, "train")
        page.click("dialog .lies .tile >> nth=1")
        page.wait_for_selector("dialog .halves >> text=10")
        checked(page, "putting a tile right")
        page.click("dialog .row.small .small")
        page.wait_for_selector("dialog .seat-row")
        checked(page, "adding a tile")
        page.keyboard.press("Escape")
        page.click(".spoke[data-train='A']")
        page.click("dialog .lies .tile >> nth=1")
        page.click("dialog .row.small .small >> nth=1")
        page.wait_for_selector("dialog .seat")
        checked(page, "on another train")
        page.keyboard.press("Escape")
        page.click(".table > button.small")
        page.wait_for_selector("dialog input[type='checkbox'] >> nth=3")
        for box in page.locator("dialog .option").all():  # beside its words, not under them
            label, mark = box.locator("span").bounding_box(), box.locator("input").bounding_box()
            assert label is not None
            assert mark is not None
            assert label["y"] < mark["y"] + mark["height"] / 2 < label["y"] + label["height"]
        checked(page, "what is said aloud")
        page.keyboard.press("Escape")
        act(page, game, do="lay", train="A", tile=[1, 2])
        page.wait_for_selector(".foul .rests b:not(:empty)")
        checked(page, "foul")
        page.click(".foul button:not(.main)")
        page.wait_for_selector("dialog form")
        checked(page, "letting it stand")
        page.click("dialog button.main")
        page.wait_for_selector(".foul", state="detached")
        page.click(".turn >> nth=-1")
        page.wait_for_selector("dialog .before-after")
        checked(page, "a turn looked at again")


@LOOKS
def test_a_camera_is_chosen_lent_and_aimed(
    tmp_path: Path, server: Server, checked: Callable[[Page, str], None], size: dict[str, Any], scheme: str, locale: str
) -> None:
    film = evening_film()
    with browser(*fake_camera(camera_file(tmp_path / "table.y4m", film, [(film.frames[3], 20)]))) as people:
        page = people.device(size, color_scheme=scheme, locale=locale, bypass_csp=True)
        new_game(page, server, one_phone=False) if locale == "en-GB" else followed(page, server, one_phone=False)
        page.click("section.camera button")
        page.wait_for_selector("dialog button.main")
        checked(page, "choosing a camera")
        page.click("dialog button.main")
        page.wait_for_selector(".camera .lending video")
        page.wait_for_selector(".camera > .row.small button")
        assert page.locator(".camera button").count() == 2  # to aim it, and one way to switch it off
        checked(page, "lending")
        page.click(".camera > .row.small button >> nth=0")
        page.wait_for_selector("dialog .aim-list li >> nth=3", timeout=60_000)
        end = page.locator("dialog .sticky button").bounding_box()
        assert end is not None
        assert end["y"] + end["height"] <= size["viewport"]["height"]
        checked(page, "aiming")
        page.keyboard.press("Escape")
        page.click(".camera > .row.small button >> nth=1")
        page.wait_for_selector(".camera video", state="detached")


def test_a_train_is_worked_with_the_keyboard_alone(server: Server) -> None:
    with browser() as people:
        page = people.device(LAPTOP)
        followed(page, server)
        page.focus(".spoke[data-train='B']")
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog .pad")
        page.keyboard.press("Tab")  # the pad has the focus: from 0 to 1
        page.keyboard.press("Enter")
        page.wait_for_selector('dialog h2:has-text("Lay on Ben\'s train") >> nth=0')
        page.keyboard.press("Escape")
        page.wait_for_selector('.spoke[aria-label^="Ben\'s train: open end 1, 1 tile"]')
        page.focus(".spoke[data-train='A']")
        page.keyboard.press(" ")
        page.wait_for_selector("dialog .lies")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        assert page.evaluate("document.activeElement.dataset.train") == "A"


def test_a_train_is_worked_with_a_finger(server: Server) -> None:
    with browser() as people:
        page = people.device(PHONE)
        game = followed(page, server)
        page.tap(".spoke[data-train='A']")
        page.tap("dialog .lies .tile >> nth=4")
        page.tap("dialog .half >> nth=1")
        page.tap("dialog .pad [data-value='2']")
        page.tap("dialog >> text=Use 6-2")
        page.wait_for_selector('.spoke[aria-label^="Ana\'s train: open end 2, 5 tiles"]')
        assert [6, 2] in ask(page, "GET", game)["table"]["trains"][0]["tiles"]


def test_what_is_no_tile_is_taken_away_one_is_added_and_a_marker_set(server: Server) -> None:
    with browser() as people:
        page = people.device(PHONE)
        game = followed(page, server)
        page.tap(".spoke[data-train='A']")
        page.tap("dialog .lies .tile >> nth=4")
        page.tap("dialog >> text=This isn't a tile")
        page.wait_for_selector('.spoke[aria-label*="open end 6, 4 tiles"]')
        page.tap(".toast >> text=Undo")
        page.wait_for_selector('.spoke[aria-label*="open end 1, 5 tiles"]')
        page.tap(".spoke[data-train='A']")
        page.tap("dialog >> text=One more tile lies there")
        page.tap("dialog .seat >> text=Ben")
        page.tap("dialog .pad [data-value='9']")
        page.wait_for_selector('.spoke[aria-label*="open end 9, 6 tiles"]')
        assert ask(page, "GET", game)["table"]["hands"] == {"A": 9, "B": 14}
        page.tap(".spoke[data-train='A']")
        page.tap("dialog >> text=With marker")
        page.wait_for_selector('.spoke.marked[data-train="A"]')


def test_a_foul_that_was_seen_wrongly_is_put_right_in_the_drawing(server: Server) -> None:
    with browser() as people:
        page = people.device(PHONE)
        game = followed(page, server)
        act(page, game, do="lay", train="B", tile=[12, 3])
        act(page, game, do="end")
        act(page, game, do="lay", train="B", tile=[3, 5])
        page.wait_for_selector(".foul")
        page.tap(".spoke[data-train='B']")
        page.wait_for_selector("dialog .lies")
        assert not page.locator("dialog .pad").count()
        page.tap("dialog >> text=With marker")
        page.wait_for_selector(".foul", state="detached")
        page.wait_for_selector('.spoke[aria-label*="open end 5, 2 tiles"]')


def test_a_tile_that_was_told_on_the_wrong_train_is_put_on_the_right_one(server: Server) -> None:
    with browser() as people:
        page = people.device(PHONE)
        game = followed(page, server)
        act(page, game, do="lay", train="B", tile=[12, 1])
        act(page, game, do="end")
        act(page, game, do="lay", train="B", tile=[1, 5])
        page.wait_for_selector(".foul")
        page.tap(".foul >> text=The 1-5 was seen wrongly")
        page.tap("dialog >> text=It lies on another train")
        page.tap("dialog .seat >> text=Ana's train")
        page.wait_for_selector(".foul", state="detached")
        page.wait_for_selector('.spoke[data-train="A"][aria-label*="open end 5, 6 tiles"]')


@pytest.mark.parametrize(
    ("taps", "end"),
    [(["text=This isn't a tile"], "1, 5 tiles"),
     ([".half >> nth=0", "[data-value='1']", "text=Use 1-8"], "8, 6 tiles"),
     (["text=One is missing before the 7-8", ".seat >> text=Ana", "[data-value='7']"], "8, 7 tiles")],
    ids=["none", "another", "one before"],
)
def test_a_tile_that_was_seen_wrongly_is_put_right_in_the_foul(server: Server, taps: list[str], end: str) -> None:
    with browser() as people:
        page = people.device(PHONE)
        game = followed(page, server)
        act(page, game, do="lay", train="B", tile=[12, 1])
        act(page, game, do="end")
        act(page, game, do="lay", train="A", tile=[7, 8])
        page.tap(".foul >> text=The 7-8 was seen wrongly")
        for tap in taps:
            page.tap(f"dialog >> {tap}")
        page.wait_for_selector(".foul", state="detached")
        page.wait_for_selector(f'.spoke[data-train="A"][aria-label*="open end {end}"]')


def test_what_is_open_goes_with_the_evening_that_is_forgotten(server: Server) -> None:
    with browser() as people:
        people.expected = ["Failed to load resource"]
        page = people.device(PHONE)
        game = followed(page, server)
        page.tap(".spoke[data-train='A']")
        page.wait_for_selector("dialog .pad")
        page.evaluate(f"fetch('/api/games/{game}', {{method: 'DELETE'}})")
        page.wait_for_selector(".big-links")
        assert not page.locator("dialog").count()


def test_a_hand_for_the_best_line_shows_its_owner_what_was_not_read_surely(server: Server, tmp_path: Path) -> None:
    photo = tmp_path / "hand.jpg"
    photo.write_bytes(hand_photo([(12, 9, 8), (9, 2)]))
    with browser() as people:
        host, ana = people.device(LAPTOP), people.device(PHONE)
        game = new_game(host, server)
        code = ask(host, "GET", game)["code"]
        ana.goto(f"{server.url}/j/{code}")
        ana.tap("text=I'm Ana")
        ana.tap("text=Best first line")
        ana.set_input_files("dialog input[type='file']", photo)
        ana.wait_for_selector("dialog .coach >> text=2 tiles in a line")
        ana.tap("dialog .tile.doubtful")
        ana.wait_for_selector("dialog .options")
        ana.tap("dialog .options .tile >> nth=0")
        ana.wait_for_selector("dialog >> text=1 tile; 11 pips stay in hand.")
        assert not ana.locator("dialog .tile.doubtful").count()
        assert [len(ask(page, "GET", game)["photos"]) for page in (ana, host)] == [1, 0]


def test_a_photo_given_twice_is_told_and_counted_again_only_on_purpose(server: Server, tmp_path: Path) -> None:
    photo = tmp_path / "hand.jpg"
    photo.write_bytes(hand_photo([(12, 9), (9, 2)]))
    with browser() as people:
        page = people.device(PHONE)
        game = new_game(page, server, one_phone=True)
        page.goto(f"{server.url}/g/{game}/hand/A")
        page.set_input_files("label.huge input", photo)
        page.wait_for_selector("[data-total='32']")
        page.set_input_files(".row.small input[type='file']", photo)
        page.wait_for_selector("dialog >> text=This photo was counted already")
        page.tap("dialog button:not(.main):not(.plain)")
        page.wait_for_selector("dialog", state="detached")
        assert len(ask(page, "GET", game)["photos"]) == 1
        page.goto(f"{server.url}/g/{game}/hand/B")
        page.set_input_files("label.huge input", photo)
        page.wait_for_selector("dialog >> text=for Ana in round 1")
        page.tap("dialog button.main")
        page.wait_for_selector("[data-total='32']")


def test_a_photo_without_tiles_offers_another_one_under_the_thumb(server: Server, tmp_path: Path) -> None:
    photo = tmp_path / "hand.jpg"
    photo.write_bytes(hand_photo([]))
    with browser() as people:
        page = people.device(PHONE)
        game = new_game(page, server, one_phone=True)
        page.goto(f"{server.url}/g/{game}/hand/A")
        page.set_input_files("label.huge input", photo)
        page.wait_for_selector(".total label.huge >> text=New photo")
        assert not page.locator(".total button").count()


def test_a_photo_of_nothing_leaves_the_count_and_its_photo_and_says_so(server: Server, tmp_path: Path) -> None:
    hand, nothing = tmp_path / "hand.jpg", tmp_path / "nothing.jpg"
    hand.write_bytes(hand_photo([(12, 9), (9, 2)]))
    nothing.write_bytes(hand_photo([]))
    with browser() as people:
        page = people.device(PHONE)
        game = new_game(page, server, one_phone=True)
        page.goto(f"{server.url}/g/{game}/hand/A")
        page.set_input_files("label.huge input", hand)
        page.wait_for_selector("[data-total='32']")
        page.set_input_files(".row.small input[type='file']", nothing)
        page.wait_for_selector("text=What was counted before stands")
        assert page.locator("[data-total='32']").count() == 1
        assert page.locator(".photo .chip").count() == 2


def test_the_button_to_join_is_no_taller_than_others_and_asks_once(server: Server) -> None:
    with browser() as people:
        people.expected = ["Failed to load resource"]
        page = people.device(PHONE)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url) if "lobby" in request.url else None)
        page.goto(f"{server.url}/join")
        box = page.locator("button.huge").bounding_box()
        assert box is not None
        assert box["height"] < 120
        page.fill("input.letters", "ZZZZZZ")
        page.tap("button.huge")
        page.wait_for_selector(".toast.bad")
        assert len(asked) <= 2  # the sixth letter asks; the tap may, once that was answered
        page.goto(f"{server.url}/new")
        page.locator(".seat-list input").nth(0).fill("Zoe")
        page.wait_for_selector(".seating >> text=Zoe")


def test_french_and_spanish_say_of_the_train_in_one_word(server: Server) -> None:
    with browser() as people:
        page = people.device(PHONE, locale="es-ES")
        game = followed(page, server)
        act(page, game, do="lay", train="B", tile=[12, 3])
        act(page, game, do="end")
        act(page, game, do="lay", train="A", tile=[1, 1])
        act(page, game, do="draw")
        act(page, game, do="end")
        act(page, game, do="lay", train="B", tile=[3, 5])
        page.wait_for_selector(".foul h2:has-text('del tren de Ana')")


def test_why_a_round_with_chicken_feet_is_not_taken_up_from_a_photo_is_said(server: Server) -> None:
    with browser() as people:
        page = people.device(PHONE)
        page.goto(server.url)
        seats = [{"name": "Ana"}, {"name": "Ben"}]
        game = ask(page, "POST", "", {"seats": seats, "one_phone": True, "changes": {"double_answers": 3}})["id"]
        page.goto(f"{server.url}/g/{game}/now")
        page.tap("text=Follow the table")
        page.wait_for_selector("dialog >> text=chicken feet")
        assert not page.locator("dialog >> text=The game is already going on").count()


def test_whoever_forgets_an_evening_is_told_that_it_is_forgotten(server: Server) -> None:
    with browser() as people:
        people.expected = ["Failed to load resource"]
        page = people.device(PHONE)
        game = followed(page, server)
        page.goto(f"{server.url}/g/{game}/more")
        page.evaluate("""new MutationObserver(() => { window.told = (window.told || '')
            + toasts.innerText; }).observe(toasts, { childList: true })""")
        page.tap("text=Forget this evening")
        page.tap("dialog .danger")
        page.wait_for_selector(".toast >> text=Forgotten.")
        page.wait_for_timeout(500)
        assert page.evaluate("window.told") == "Forgotten."
