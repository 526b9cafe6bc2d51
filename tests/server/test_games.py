"""Games over the interface: set up, join, rights, stale changes, undo, forget."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from server.services import Services
from tests.server.conftest import Person, join, new_game
from tests.server.pictures import hand_photo

People = Callable[..., Person]


def test_healthz_names_the_model(person: People) -> None:
    assert person().ask("GET", "/healthz") == {"ok": True, "model": {"id": "band-1"}}


def test_a_new_game_deals_by_the_rules(person: People) -> None:
    state = new_game(person, ("Ana", "Ben", "Cara", "Dev")).state()
    assert state["round"] == {
        "number": 1, "of": 13, "over": False, "double": 12, "starter": None, "hand": 15, "boneyard": 31,
        "rotation": "engine_placer", "source": "held_or_draw",
    }
    assert [seat["name"] for seat in state["seats"]] == ["Ana", "Ben", "Cara", "Dev"]
    assert len({seat["colour"] for seat in state["seats"]}) == len({seat["shape"] for seat in state["seats"]}) == 4


def test_tile_points_follow_the_house_rules(person: People) -> None:
    points = new_game(person, changes={"double_blank": 50}).state()["rules"]["tile_points"]
    assert (points["0-0"], points["7-12"], len(points)) == (50, 19, 91)


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"seats": [{"name": "Ana"}, {"name": "ana"}]}, "name_taken"),
        ({"seats": [{"name": str(n)} for n in range(10)], "changes": {"set_size": 6}}, "rules"),
        ({"seats": [{"name": "A"}, {"name": "B"}], "changes": {"nonsense": 1}}, "rules"),
        ({"seats": [{"name": "A"}, {"name": "B"}], "preset": "nonsense"}, "rules"),
    ],
)
def test_impossible_games_are_refused_with_a_reason(person: People, wish: dict[str, object], code: str) -> None:
    assert person().ask("POST", "/api/games", 400, json=wish)["error"]["code"] == code


def test_unknown_fields_are_refused(person: People) -> None:
    body = {"seats": [{"name": "A"}, {"name": "B"}], "host": True}
    assert person().ask("POST", "/api/games", 422, json=body)["error"]["code"] == "invalid"


def test_joining_by_code_gives_the_seat(person: People) -> None:
    host = new_game(person)
    ben = join(person, host, "B")
    assert ben.state()["you"]["seat"] == "B"
    assert [seat["device"] for seat in host.state()["seats"]] == [False, True]


def test_an_occupied_seat_waits_for_the_host_and_the_old_phone_then_only_watches(person: People) -> None:
    host = new_game(person)
    old = join(person, host, "B")
    new = join(person, host, "B")
    assert new.state()["you"] | {"member": ""} == {
        "member": "", "host": False, "seat": None, "waiting": True, "wanted": "B"}
    claim = host.state()["claims"][0]["member"]
    new.ask("POST", f"{{g}}/claims/{claim}", 403, json={"allow": True})
    host.ask("POST", f"{{g}}/claims/{claim}", json={"allow": True})
    assert new.state()["you"]["seat"] == "B"
    assert old.state()["you"]["seat"] is None


def test_a_refused_claim_is_out(person: People) -> None:
    host = new_game(person)
    join(person, host, "B")
    new = join(person, host, "B")
    host.ask("POST", f"{{g}}/claims/{host.state()['claims'][0]['member']}", json={"allow": False})
    assert new.ask("GET", "{g}", 403)["error"]["code"] == "not_joined"


def test_wrong_codes_are_braked_for_each_address(person: People, services: Services) -> None:
    guesser, other = person(address="10.0.0.9"), person(address="10.0.0.8")
    for _ in range(services.settings.joining.attempts):
        guesser.ask("POST", "/api/lobby", 404, json={"code": "WRONGX"})
    assert guesser.ask("POST", "/api/lobby", 429, json={"code": "WRONGX"})["error"]["code"] == "too_many_codes"
    other.ask("POST", "/api/lobby", 404, json={"code": "WRONGX"})


def test_strangers_and_spectators_change_nothing(person: People) -> None:
    host = new_game(person)
    stranger, watcher = person(host.game), join(person, host, None)
    stranger.ask("GET", "{g}", 403)
    for path, body in (
        ("{g}/rounds/1/points", {"points": {"A": 3}, "version": 9}),
        ("{g}/undo", {"target": 1}),
        ("{g}/length", {"rounds": 3, "version": 9}),
        ("{g}/table/start", {"who": "A", "version": 9}),
        ("{g}/seats", {"seats": [{"id": "A", "name": "X"}], "version": 9}),
    ):
        stranger.ask("POST", path, 403, json=body)
        watcher.ask("POST", path, 403, json=body)
    watcher.ask("DELETE", "{g}", 403)
    watcher.ask("GET", "{g}/log", 403)


def test_players_change_their_own_name_only(person: People) -> None:
    host = new_game(person)
    ben = join(person, host, "B")
    version = ben.state()["version"]
    ben.ask("POST", "{g}/seats", 403, json={"seats": [{"id": "A", "name": "X"}], "version": version})
    state = ben.ask("POST", "{g}/seats", json={"seats": [{"id": "B", "name": "Benny", "shape": "star"}],
                                               "version": version})
    assert state["seats"][1]["name"] == "Benny"
    assert state["seats"][1]["shape"] == "star"


def test_the_second_of_two_changes_is_refused_with_the_present_state(person: People) -> None:
    host = new_game(person)
    version = host.state()["version"]
    host.ask("POST", "{g}/title", json={"title": "Sunday", "version": version})
    answer = host.ask("POST", "{g}/title", 409, json={"title": "Monday", "version": version})
    assert answer["error"]["code"] == "stale"
    assert answer["state"]["title"] == "Sunday"


def test_typed_totals_fill_the_sheet_and_name_the_next_round(person: People) -> None:
    host = new_game(person, one_phone=True)
    state = host.ask("POST", "{g}/rounds/1/points",
                     json={"points": {"A": 0, "B": 41}, "out": ["A"], "version": host.state()["version"]})
    assert state["sheet"]["totals"] == {"A": 0, "B": 41}
    assert state["sheet"]["rounds"][0]["out"] == ["A"]
    assert (state["round"]["number"], state["round"]["double"]) == (2, 11)


def test_a_correction_keeps_what_stood_there(person: People) -> None:
    host = new_game(person, one_phone=True)
    host.ask("POST", "{g}/rounds/1/points", json={"points": {"A": 5, "B": 41}, "version": host.state()["version"]})
    state = host.ask("POST", "{g}/correct", json={"round": 1, "seat": "B", "points": 14, "note": "upside down",
                                                  "version": host.state()["version"]})
    assert state["sheet"]["totals"] == {"A": 5, "B": 14}
    assert state["sheet"]["rounds"][0]["corrected"] == {"B": 41}
    change = host.ask("GET", "{g}/log")["changes"][-1]
    assert (change["kind"], change["data"]["before"], change["data"]["points"]) == ("points_corrected", 41, 14)


def test_undo_takes_the_last_change_back_and_only_that(person: People) -> None:
    host = new_game(person, one_phone=True)
    host.ask("POST", "{g}/rounds/1/points", json={"points": {"A": 5, "B": 41}, "version": host.state()["version"]})
    target = host.state()["undo"]["version"]
    state = host.ask("POST", "{g}/undo", json={"target": target})
    assert state["sheet"]["rounds"] == []
    assert state["undo"] is None
    host.ask("POST", "{g}/undo", 400, json={"target": target})


def test_ties_are_explained_by_the_ladder(person: People) -> None:
    host = new_game(person, ("Ana", "Ben", "Cara"), one_phone=True)
    for number, points in enumerate(({"A": 0, "B": 10, "C": 9}, {"A": 20, "B": 10, "C": 11}), 1):
        host.ask("POST", f"{{g}}/rounds/{number}/points", json={"points": points, "version": host.state()["version"]})
    assert [(tie["upper"], tie["lower"], tie["by"]) for tie in host.state()["sheet"]["ties"]] == [
        ("A", "C", "zero_rounds"), ("C", "B", "lowest_round")]


def test_a_short_session_ends(person: People) -> None:
    host = new_game(person, rounds=1, one_phone=True)
    state = host.ask("POST", "{g}/rounds/1/points", json={"points": {"A": 3, "B": 4}, "version": 1})
    assert state["sheet"]["over"]
    assert state["sheet"]["winners"] == ["A"]
    host.ask("POST", "{g}/rounds/2/points", 400, json={"points": {"A": 3, "B": 4}, "version": state["version"]})


def test_csv_and_json_go_to_other_programs(person: People) -> None:
    host = new_game(person, ("=Ana", "Ben"), one_phone=True)
    host.ask("POST", "{g}/rounds/1/points", json={"points": {"A": 3, "B": 4}, "version": 1})
    text = host.ask("GET", "{g}/sheet.csv").text
    assert text.splitlines() == ["round,starting double,'=Ana,Ben", "1,12,3,4", "total,,3,4"]
    assert host.ask("GET", "{g}/sheet.json")["totals"] == {"A": 3, "B": 4}


def test_forgetting_deletes_rows_and_files(person: People, services: Services) -> None:
    host = new_game(person, one_phone=True)
    host.read(host.snap("A", hand_photo([(1, 2)])))
    assert list(services.settings.photo_folder.rglob("*.jpg"))
    host.ask("DELETE", "{g}")
    time.sleep(0.3)  # a photo that is just being kept must not come back
    assert not list(services.settings.photo_folder.rglob("*.jpg"))
    assert person(host.game).ask("GET", "{g}", 403)
    assert services.store.read(lambda ledger: ledger.games("game")) == []


def test_the_list_shows_a_device_its_own_games_only(person: People) -> None:
    host = new_game(person)
    assert [game["id"] for game in host.ask("GET", "/api/games")["games"]] == [host.game]
    assert person().ask("GET", "/api/games")["games"] == []
    assert len(person(address="127.0.0.1").ask("GET", "/api/games")["games"]) == 1


def test_only_the_servers_own_computer_becomes_host_again(person: People) -> None:
    host = new_game(person)
    person(host.game).ask("POST", "{g}/host", 403)
    proxied = person(host.game, address="127.0.0.1")
    proxied.ask("POST", "{g}/host", 403, headers={"x-forwarded-for": "192.168.1.9"})
    laptop = person(host.game, address="127.0.0.1")
    laptop.ask("POST", "{g}/host")
    assert laptop.state()["you"]["host"]


def test_the_invitation_carries_an_address_that_phones_reach(person: People) -> None:
    host = new_game(person)
    answer = host.ask("GET", "{g}/invite")
    assert answer["links"][0]["url"] == f"http://192.168.1.20:8000/j/{answer['code']}"
    assert answer["links"][0]["qr"].startswith("<svg")
