"""A photo of the table in the middle of a round: kept, read, seen by all who play, and the round begun with it."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.server.conftest import Json, Person, join, new_game
from tests.server.pictures import hand_photo, table_photo, table_seen

People = Callable[..., Person]
NAMES = ("Ana", "Ben", "Cara", "Dev")


def show(person: Person, photo: bytes, expect: int = 202) -> Json:
    """Hand in a photo of the table."""
    answer: Json = person.ask("POST", "{g}/table/photo", expect, content=photo)
    return answer


def reading(person: Person, photo: str) -> Json:
    """What the photo says, when it is read."""
    for _ in range(400):
        answer: Json = person.ask("GET", f"{{g}}/photos/{photo}/reading")
        if answer["state"] in ("read", "failed"):
            return answer
        time.sleep(0.01)
    raise AssertionError("the photo was not read in time")


@pytest.fixture(scope="module")
def photo() -> bytes:
    return table_photo()


def test_the_table_is_read_in_the_form_of_the_contract(person: People, photo: bytes) -> None:
    host = new_game(person, NAMES)
    kept = show(host, photo)["photo"]
    found = reading(host, kept)["reading"]
    truth, _ = table_seen()
    table = found["table"]
    assert set(table) >= {"path", "starting_double", "trains", "tiles", "markers", "doubts", "findings", "model", "ms"}
    assert table["starting_double"] == 12
    assert sorted(len(train["tiles"]) for train in table["trains"]) == sorted(len(t["tiles"]) for t in truth["trains"])
    assert [train["id"] for train in table["trains"] if train["kind"] == "mexican"] == ["M"]
    assert set(found["slots"]) == {train["id"] for train in table["trains"]} - {"M"}
    assert (found["trouble"], found["size"]) == (None, truth["size_wh"])
    doubtful = [tile for tile in table["tiles"] if tile["doubtful"]]
    assert doubtful
    assert {"code": "half_unclear", "params": {}} in doubtful[0]["doubts"]
    shown = next(one for one in host.state()["photos"] if one["id"] == kept)
    assert (shown["purpose"], shown["state"], shown["size"]) == ("table", "read", truth["size_wh"])


def test_all_who_play_see_the_table_and_nobody_else(person: People, photo: bytes) -> None:
    host = new_game(person, NAMES)
    ben, watcher = join(person, host, "B"), join(person, host, None)
    kept = show(ben, photo)["photo"]
    reading(ben, kept)
    for one in (host, ben):
        assert one.ask("GET", f"{{g}}/photos/{kept}").headers["content-type"] == "image/jpeg"
        assert kept in [row["id"] for row in one.state()["photos"]]
    watcher.ask("GET", f"{{g}}/photos/{kept}", 404)
    assert watcher.state()["photos"] == []
    assert show(watcher, photo, 403)["error"]["code"] == "players_only"
    assert host.state()["drafts"] == {}


def test_what_is_no_table_says_so(person: People) -> None:
    host = new_game(person, NAMES)
    empty = reading(host, show(host, hand_photo([]))["photo"])
    assert (empty["state"], empty["reading"]["trouble"]) == ("read", "nothing")
    hand = reading(host, show(host, hand_photo([(3, 4), (1, 2)]))["photo"])
    assert hand["reading"]["trouble"] == "no_hub"
    assert show(host, b"no picture at all", 400)["error"]["code"] == "unreadable"


def test_a_table_that_is_followed_or_mixed_needs_no_photo(person: People, photo: bytes) -> None:
    host = new_game(person, NAMES)
    host.ask("POST", "{g}/table/start", json={"who": "A", "version": host.state()["version"]})
    assert show(host, photo, 409)["error"]["code"] == "stale"
    mixed = new_game(person, NAMES, mixed=True)
    assert show(mixed, photo, 400)["error"]["code"] == "mixed_table"


def test_a_table_is_not_shown_any_more_in_the_next_round(person: People, photo: bytes) -> None:
    host = new_game(person, NAMES)
    reading(host, show(host, photo)["photo"])
    points = dict.fromkeys("ABCD", 5)
    host.ask("POST", "{g}/rounds/1/points", json={"points": points, "version": host.state()["version"]})
    assert host.state()["photos"] == []


def test_a_round_begins_with_what_the_photo_shows(person: People, photo: bytes) -> None:
    host = new_game(person, NAMES)
    table = reading(host, show(host, photo)["photo"])["reading"]["table"]
    truth, _ = table_seen()
    right = {tuple(sorted(tile["ends"])) for tile in truth["tiles"] if tile["role"] == "train"}
    owners = dict(zip([train["id"] for train in table["trains"] if train["kind"] != "mexican"], "ABCD", strict=True))
    # Put right what was read wrongly: the values of a line are the ones it has in truth.
    lines = {len(train["tiles"]): train["tiles"] for train in truth["trains"]}
    trains = {owners.get(train["id"], "M"): [f"{near}-{far}" for near, far in lines[len(train["tiles"])]]
              for train in table["trains"] if train["tiles"]}
    marks = [owners[train["id"]] for train in table["trains"] if train["marker"]]
    pre = {"engine": 12, "by": "B", "firsts": [], "trains": trains, "marks": marks, "open": []}
    hands = {"A": 4, "B": 5, "C": 6, "D": 7}
    body = {"who": "B", "double": 12, "pre": pre, "hands": hands, "version": host.state()["version"]}
    state = host.ask("POST", "{g}/table/start", json=body)
    laid = {tuple(sorted(tile)) for tile in state["table"]["tiles"]}
    assert laid == right | {(12, 12)}
    assert state["table"]["boneyard"] == 91 - len(laid) - 22
