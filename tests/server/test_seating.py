"""Seats: another order, late comers, people who leave and come back; two sets mixed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.server.conftest import Json, Person, join, new_game
from tests.server.pictures import hand_photo

People = Callable[..., Person]


def send(host: Person, path: str, expect: int = 200, **body: object) -> Json:
    answer: Json = host.ask("POST", f"{{g}}{path}", expect, json=body | {"version": host.state()["version"]})
    return answer


def write_round(host: Person, number: int, **points: int) -> Json:
    return send(host, f"/rounds/{number}/points", points=points)


def ids(state: Json) -> list[str]:
    return [seat["id"] for seat in state["seats"]]


def test_a_new_order_keeps_hands_points_and_devices_with_their_people(person: People) -> None:
    host = new_game(person, ("Ana", "Ben", "Cara"))
    ben = join(person, host, "B")
    write_round(host, 1, A=1, B=2, C=3)
    ben.read(ben.snap("B", hand_photo([(1, 2)]), number=2))
    state = send(host, "/order", order=["C", "A", "B"])
    assert ids(state) == ["C", "A", "B"]
    assert state["sheet"]["totals"] == {"A": 1, "B": 2, "C": 3}
    assert ben.state()["drafts"]["B"]["tiles"][0]["ends"] == [1, 2]
    send(host, "/seats", seats=[{"id": "A", "name": "Anna"}])
    assert [seat["name"] for seat in host.state()["seats"]] == ["Cara", "Anna", "Ben"]
    for wrong in (["A", "B"], ["A", "A", "B"], ["A", "B", "D"]):
        send(host, "/order", 409, order=wrong)
    ben.ask("POST", "{g}/order", 403, json={"order": ["A", "B", "C"], "version": 99})


def test_the_next_starter_follows_the_new_order(person: People) -> None:
    host = new_game(person, ("Ana", "Ben", "Cara"), preset="squarescores")
    send(host, "/starter", round=1, seat="A")
    write_round(host, 1, A=1, B=2, C=3)
    assert host.state()["round"]["starter"] == "B"
    assert send(host, "/order", order=["A", "C", "B"])["round"]["starter"] == "C"
    assert send(host, "/players/A/leave")["round"]["starter"] == "C"  # after the empty chair


def test_a_late_comer_plays_from_the_round_that_is_on(person: People) -> None:
    host = new_game(person)
    write_round(host, 1, A=10, B=30)
    state = send(host, "/players", name="Cara", after="A", points=20)
    assert ids(state) == ["A", "C", "B"]
    assert state["sheet"]["totals"] == {"A": 10, "C": 20, "B": 30}
    assert [place["seat"] for place in state["sheet"]["places"]] == ["A", "C", "B"]
    assert state["sheet"]["rounds"][0]["points"] == {"A": 10, "B": 30}
    write_round(host, 2, A=0, B=0)
    assert len(host.state()["sheet"]["rounds"]) == 1  # Cara's hand is still missing
    state = write_round(host, 2, C=5)
    assert state["sheet"]["totals"] == {"A": 10, "C": 25, "B": 30}
    rows = host.ask("GET", "{g}/sheet.csv").text.splitlines()
    assert rows[1:] == ["came late,,,20,", "1,12,10,,30", "2,11,0,5,0", "total,,10,25,30"]


def test_who_leaves_keeps_points_but_no_place_and_may_come_back(person: People) -> None:
    host = new_game(person, ("Ana", "Ben", "Cara"))
    cara = join(person, host, "C")
    write_round(host, 1, A=10, B=30, C=5)
    write_round(host, 2, A=1, B=2)
    state = send(host, "/players/C/leave")  # Cara's hand was the last one missing
    assert [row["points"] for row in state["sheet"]["rounds"]] == [{"A": 10, "B": 30, "C": 5}, {"A": 1, "B": 2}]
    assert [place["seat"] for place in state["sheet"]["places"]] == ["A", "B"]
    assert cara.state()["you"]["seat"] is None
    cara.ask("POST", "{g}/rounds/3/points", 404, json={"points": {"C": 1}, "version": 99})
    assert send(host, "/players/B/leave", 400)["error"]["code"] == "too_few_players"
    state = send(host, "/players/C/back", points=7)
    assert state["sheet"]["totals"]["C"] == 12
    assert cara.state()["you"]["seat"] == "C"
    assert write_round(host, 3, A=1, B=1, C=1)["sheet"]["totals"] == {"A": 12, "B": 33, "C": 13}


def test_seating_can_be_undone(person: People) -> None:
    host = new_game(person, ("Ana", "Ben", "Cara"))
    before = host.state()
    for path, body in (("/order", {"order": ["B", "A", "C"]}), ("/players", {"name": "Dev"}), ("/players/B/leave", {})):
        state = send(host, path, **body)
        assert ids(state) != ids(before)
        state = host.ask("POST", "{g}/undo", json={"target": state["undo"]["version"]})
        assert (ids(state), state["sheet"]["totals"]) == (ids(before), before["sheet"]["totals"])


def test_chairs_stay_while_the_table_is_followed_and_turns_rest_on_them(person: People) -> None:
    host = new_game(person, ("Ana", "Ben", "Cara"))
    send(host, "/order", order=["B", "A", "C"])
    send(host, "/table/start", who="A")
    for path, body in (("/order", {"order": ["A", "B", "C"]}), ("/players", {"name": "Dev"}), ("/players/B/leave", {})):
        assert send(host, path, 400, **body)["error"]["code"] == "seats_in_play"
    assert host.state()["undo"] is None
    send(host, "/table/stop")
    assert host.state()["undo"] is None


def test_marks_and_names_are_each_persons_own(person: People) -> None:
    host = new_game(person)
    ana, ben = host.state()["seats"]
    for field, code in (("colour", "colour_taken"), ("shape", "shape_taken"), ("name", "name_taken")):
        wish = {"id": "A", "name": "Ana"} | {field: ben[field]}
        assert send(host, "/seats", 400, seats=[wish])["error"]["code"] == code
    swap = [{"id": "A", "name": "Ben", "colour": ben["colour"]}, {"id": "B", "name": "Ana", "colour": ana["colour"]}]
    state = send(host, "/seats", seats=swap)
    assert [(seat["name"], seat["colour"]) for seat in state["seats"]] == [
        ("Ben", ben["colour"]), ("Ana", ana["colour"])]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("👩‍👩‍👧 Zoë", "👩‍👩‍👧 Zoë"), ("דנה", "דנה"), ("x\u202egnp", "xgnp"), ("a\n b", "a b"),
     ("\u200b\u202e", "Player 1")],
)
def test_names_in_any_script_but_nothing_that_turns_the_page(person: People, typed: str, kept: str) -> None:
    host = new_game(person, (typed, "Ben"))
    assert host.state()["seats"][0]["name"] == kept


def test_ten_may_play_and_no_eleventh(person: People) -> None:
    host = new_game(person, tuple(f"P{number}" for number in range(9)))
    assert len(send(host, "/players", name="Ten")["seats"]) == 10
    assert send(host, "/players", 400, name="Eleven")["error"]["code"] in ("seat_count", "rules")


def test_mixed_sets_have_every_tile_twice(person: People) -> None:
    for mixed, warned in ((False, True), (True, False)):
        host = new_game(person, mixed=mixed)
        ana, ben = join(person, host, "A"), join(person, host, "B")
        ana.read(ana.snap("A", hand_photo([(5, 6), (1, 2)])))
        ben.read(ben.snap("B", hand_photo([(5, 6)])))
        assert bool(ana.state()["alerts"]) == warned
        boneyard = host.state()["round"]["boneyard"]
        assert boneyard == (152 if mixed else 61)
    ben.read(ben.snap("B", hand_photo([(5, 6), (6, 5)])))
    assert ana.state()["alerts"][0]["tile"] == [5, 6]
    ana.accept("A")
    assert ben.accept("B")["sheet"]["rounds"][0]["points"] == {"A": 14, "B": 22}
    assert send(host, "/table/start", 400, who="A")["error"]["code"] == "mixed_table"


def test_mixing_can_be_switched_later(person: People) -> None:
    host = new_game(person)
    state = send(host, "/rules", preset="published_default", changes={}, mixed=True)
    assert state["rules"]["mixed"] is True
    state = send(host, "/rules", preset="published_default", changes={"double_blank": 25})
    assert state["rules"]["mixed"] is True
    state = host.ask("POST", "{g}/undo", json={"target": state["undo"]["version"]})
    assert state["rules"]["mixed"] is True
    state = host.ask("POST", "{g}/undo", json={"target": state["undo"]["version"]})
    assert state["rules"]["mixed"] is False


def test_the_reader_is_told_that_sets_are_mixed(person: People) -> None:
    from tests.server.pictures import BandReader
    from vision.reader import ReadOptions

    asked: list[ReadOptions] = []
    known = BandReader.read
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BandReader, "read",
                      lambda self, image, options: (asked.append(options), known(self, image, options))[1])
        for mixed in (False, True):
            host = new_game(person, mixed=mixed, one_phone=True)
            host.read(host.snap("A", hand_photo([(1, 2)])))
    assert [options.mixed for options in asked] == [False, True]
