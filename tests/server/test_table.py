"""The followed table: acts, fouls, taking back, disputes, and a camera's events."""

from __future__ import annotations

from collections.abc import Callable

from tests.server.conftest import Json, Person, join, new_game

People = Callable[..., Person]


def act(person: Person, do: str, expect: int = 200, **more: object) -> Json:
    body = {"do": do, "version": person.state()["version"], **more}
    answer: Json = person.ask("POST", "{g}/table/acts", expect, json=body)
    return answer


def lay(person: Person, train: str, first: int, second: int) -> Json:
    return act(person, "lay", train=train, tile=[first, second])["table"]


def followed(person: People, who: str = "A", **more: object) -> Person:
    host = new_game(person, ("Ana", "Ben", "Cara"), **more)
    host.ask("POST", "{g}/table/start", json={"who": who, "version": host.state()["version"]})
    return host


def first_turns(host: Person) -> None:
    """Everybody lays one tile in turn 1: 12-3, 12-5, 12-7."""
    for train, value in (("A", 3), ("B", 5), ("C", 7)):
        lay(host, train, 12, value)
        act(host, "end")


def train(table: Json, name: str) -> Json:
    return next(one for one in table["trains"] if one["id"] == name)


def test_who_laid_the_double_starts_and_holds_one_tile_less(person: People) -> None:
    table = followed(person, "B").state()["table"]
    assert (table["to_move"], table["mode"], table["double"]) == ("B", "build", 12)
    assert table["hands"] == {"A": 15, "B": 14, "C": 15}
    assert table["boneyard"] == 46


def test_a_tile_is_turned_the_way_it_fits(person: People) -> None:
    assert train(lay(followed(person), "A", 3, 12), "A")["tiles"] == [[12, 3]]


def test_a_foul_names_the_rule_and_waits(person: People) -> None:
    host = followed(person)
    first_turns(host)
    table = lay(host, "B", 5, 1)
    assert table["foul"]["code"] == "R_TRAIN_PRIVATE"
    assert train(table, "B")["tiles"] == [[12, 5]]
    assert act(host, "draw", 400)["error"]["code"] == "not_possible"
    host.ask("POST", "{g}/table/back", json={"target": table["foul"]["version"], "version": host.state()["version"]})
    table = host.state()["table"]
    assert table["foul"] is None
    assert table["to_move"] == "A"


def test_a_foul_let_stand_is_played_on_and_logged(person: People) -> None:
    host = followed(person)
    first_turns(host)
    lay(host, "B", 5, 1)
    host.ask("POST", "{g}/table/stand", json={"note": "we are friends", "version": host.state()["version"]})
    table = act(host, "end")["table"]
    assert train(table, "B")["tiles"] == [[12, 5], [5, 1]]
    assert (table["turns"][-1]["verdict"], table["turns"][-1]["note"]) == ("illegal", "we are friends")
    assert table["to_move"] == "B"


def test_an_open_double_is_the_next_players_duty(person: People) -> None:
    host = followed(person)
    first_turns(host)
    lay(host, "A", 3, 3)
    act(host, "draw")
    table = act(host, "end")["table"]
    assert table["owed"] == {"train": "A", "value": 3}
    assert table["to_move"] == "B"
    assert train(table, "A")["marker"]
    assert lay(host, "B", 5, 1)["foul"]["code"] == "R_OPEN_DOUBLE_FIRST"


def test_taking_an_earlier_turn_back_judges_the_later_ones_again(person: People) -> None:
    host = followed(person)
    lay(host, "A", 12, 3)
    act(host, "end")
    lay(host, "B", 12, 5)
    act(host, "end")
    first = host.state()["table"]["turns"][0]
    host.ask("POST", "{g}/table/back", json={"target": first["version"], "version": host.state()["version"]})
    table = host.state()["table"]
    assert train(table, "A")["tiles"] == []
    assert table["foul"]["code"] == "R_FIRST_TURN_OWN_ONLY"


def test_a_draw_leaves_a_question_that_only_the_hand_settles(person: People) -> None:
    host = followed(person)
    ben = join(person, host, "B")
    lay(host, "A", 12, 3)
    act(host, "end")
    act(host, "draw")
    table = act(host, "end")["table"]
    turn = table["turns"][1]
    assert (turn["verdict"], turn["code"], turn["asks"]) == ("undetermined", "ASK_MUST_PLAY", True)
    hand = [[0, n] for n in range(12)] + [[1, n] for n in range(1, 5)]
    host.ask("POST", "{g}/table/turns/2/hand", 403, json={"tiles": hand})
    assert ben.ask("POST", "{g}/table/turns/2/hand", 400, json={"tiles": hand[:3]})["error"]["code"] == "hand_count"
    state = ben.ask("POST", "{g}/table/turns/2/hand", json={"tiles": hand})
    assert state["table"]["turns"][1]["shown"] == "cleared"
    assert "tiles" not in host.ask("GET", "{g}/log")["changes"][-1]["data"]


def test_a_hand_that_could_have_played_proves_it(person: People) -> None:
    host = followed(person)
    ben = join(person, host, "B")
    lay(host, "A", 12, 3)
    act(host, "end")
    act(host, "draw")
    act(host, "end")
    hand = [[12, 1], [12, 2]] + [[0, n] for n in range(12)] + [[1, 1], [1, 2]]
    state = ben.ask("POST", "{g}/table/turns/2/hand", json={"tiles": hand})
    assert state["table"]["turns"][1]["shown"] == "proven"


def test_what_was_drawn_since_excuses_an_earlier_pass(person: People) -> None:
    host = followed(person)
    ben = join(person, host, "B")
    lay(host, "A", 12, 3)
    act(host, "end")
    for _ in range(4):  # Ben draws, Cara and Ana too, and Ben once more
        act(host, "draw")
        act(host, "end")
    hand = [[12, 1]] + [[0, n] for n in range(12)] + [[1, 1], [1, 2], [1, 3], [1, 4]]
    state = ben.ask("POST", "{g}/table/turns/2/hand", json={"tiles": hand})
    assert state["table"]["turns"][1]["shown"] == "undetermined"


def test_a_turn_shows_the_table_before_and_after(person: People) -> None:
    host = followed(person)
    first_turns(host)
    turn = host.ask("GET", "{g}/table/turns/2")
    assert train(turn["before"], "B")["tiles"] == []
    assert train(turn["after"], "B")["tiles"] == [[12, 5]]
    host.ask("GET", "{g}/table/turns/9", 404)


def test_two_phones_that_act_on_the_same_table_are_served_one_after_the_other(person: People) -> None:
    host = followed(person)
    version = host.state()["version"]
    body = {"do": "lay", "train": "A", "tile": [12, 3], "version": version}
    host.ask("POST", "{g}/table/acts", json=body)
    answer = host.ask("POST", "{g}/table/acts", 409, json=body)
    assert train(answer["state"]["table"], "A")["tiles"] == [[12, 3]]


def test_the_last_tile_ends_the_round_after_everybodys_first_turn(person: People) -> None:
    host = followed(person, changes={"deal_table": "custom", "hand_size": 2})
    table = lay(host, "A", 12, 3)
    assert table["hands"] == {"A": 0, "B": 2, "C": 2}
    assert (table["to_move"], table["over"]) == ("B", None)
    for seat, value in (("B", 5), ("C", 7)):
        lay(host, seat, 12, value)
        act(host, "end")
    table = host.state()["table"]
    assert table["over"] == {"end": "out", "out": ["A"], "last": [7, 12]}
    assert act(host, "draw", 400)["error"]["code"] == "not_possible"


def test_camera_events_are_acts(person: People) -> None:
    host = followed(person)
    event = {"event": "lay", "frame": 7, "train": "A", "tile": [12, 3], "verdict": "legal", "confidence": 0.99}
    host.ask("POST", "{g}/table/watch", json=event)
    state = host.ask("POST", "{g}/table/watch", json={"event": "turn", "frame": 8})
    assert state["table"]["to_move"] == "B"
    assert state["table"]["turns"][0]["acts"][0]["by"] == "camera"
    before = state["version"]
    assert host.ask("POST", "{g}/table/watch", json={"event": "occluded"})["version"] == before


def test_a_round_can_be_followed_from_the_middle(person: People) -> None:
    host = new_game(person, ("Ana", "Ben", "Cara"))
    pre = {"engine": 12, "by": "B", "turn": 3, "trains": {"A": ["12-3", "3-3"], "B": ["12-5"], "M": ["12-9"]},
           "open": [["A", 3]], "marks": ["C"], "bone": 20}
    state = host.ask("POST", "{g}/table/start", json={"who": "B", "pre": pre, "version": host.state()["version"]})
    assert state["table"]["owed"] == {"train": "A", "value": 3}
    assert train(state["table"], "M")["tiles"] == [[12, 9]]


def test_a_tile_on_the_table_and_in_a_hand_is_pointed_out(person: People) -> None:
    host = followed(person, one_phone=True)
    lay(host, "A", 12, 3)
    body = {"version": 0, "tiles": [{"id": "n1", "ends": [3, 12], "confirmed": True}]}
    host.ask("PUT", "{g}/rounds/1/hands/B/draft", json=body)
    assert [(a["code"], a["tile"]) for a in host.state()["alerts"]] == [("tile_on_table", [3, 12])]


def test_only_the_host_stops_following(person: People) -> None:
    host = followed(person)
    ben = join(person, host, "B")
    version = host.state()["version"]
    ben.ask("POST", "{g}/table/stop", 403, json={"version": version})
    assert host.ask("POST", "{g}/table/stop", json={"version": version})["table"] is None


MIDDLE = {"n": 12, "engine": 12, "by": "B", "firsts": ["C"], "marks": ["A"], "open": [],
          "trains": {"A": ["12-3", "3-5"], "B": ["12-1"], "M": ["12-4"]}}


def in_the_middle(person: People, pre: Json, expect: int = 200, **more: object) -> Person:
    host = new_game(person, ("Ana", "Ben", "Cara"))
    body = {"who": pre["by"], "pre": pre, "version": host.state()["version"], **more}
    host.ask("POST", "{g}/table/start", expect, json=body)
    return host


def test_a_round_is_taken_up_in_the_middle(person: People) -> None:
    host = in_the_middle(person, MIDDLE, hands={"A": 11, "B": 12, "C": 14})
    table = host.state()["table"]
    assert (table["to_move"], table["hands"]) == ("B", {"A": 11, "B": 12, "C": 14})
    assert table["boneyard"] == 91 - 5 - 37
    assert train(table, "A")["marker"]
    assert host.state()["round"]["starter"] is None
    lay(host, "A", 5, 9)
    assert act(host, "end")["table"]["to_move"] == "C"


def test_hands_that_nobody_counted_stay_unknown(person: People) -> None:
    table = in_the_middle(person, MIDDLE, hands={"A": 11, "B": None}).state()["table"]
    assert (table["hands"], table["boneyard"]) == ({"A": 11, "B": None, "C": None}, None)


def test_a_table_that_can_not_lie_so_is_refused_with_the_tile(person: People) -> None:
    wrong = {**MIDDLE, "trains": {"A": ["12-3", "4-5"]}, "marks": []}
    host = new_game(person, ("Ana", "Ben", "Cara"))
    body = {"who": "B", "pre": wrong, "version": host.state()["version"]}
    error = host.ask("POST", "{g}/table/start", 400, json=body)["error"]
    assert error["code"] == "table_as_it_lies"
    assert "4-5" in error["params"]["detail"]
    too_many = {**body, "pre": MIDDLE, "hands": {"A": 60, "B": 20, "C": 20}}
    assert host.ask("POST", "{g}/table/start", 400, json=too_many)["error"]["code"] == "table_as_it_lies"
    assert host.state()["table"] is None


def correct(person: Person, owner: str, was: list[int], tile: list[int], expect: int = 200) -> Json:
    body = {"train": owner, "was": was, "tile": tile, "version": person.state()["version"]}
    answer: Json = person.ask("POST", "{g}/table/correct", expect, json=body)
    return answer


def test_a_tile_is_put_right_and_what_followed_is_judged_again(person: People) -> None:
    host = followed(person)
    first_turns(host)
    lay(host, "A", 3, 7)
    act(host, "end")
    assert correct(host, "A", [3, 7], [3, 5])["table"]["turns"][3]["acts"][0]["tile"] == [3, 5]
    table = correct(host, "A", [12, 3], [12, 8])["table"]
    assert table["foul"]["code"] == "R_NO_MATCH"
    assert correct(host, "A", [9, 9], [9, 8], 404)["error"]["code"] == "no_tile"
    assert correct(host, "B", [12, 5], [12, 7], 400)["error"]["code"] == "lies_already"


def test_a_tile_of_a_table_taken_up_in_the_middle_is_put_right(person: People) -> None:
    host = in_the_middle(person, MIDDLE)
    lay(host, "A", 5, 9)
    assert correct(host, "A", [12, 3], [9, 12], 400)["error"]["code"] == "table_as_it_lies"
    table = correct(host, "B", [12, 1], [6, 12])["table"]
    assert train(table, "B")["tiles"] == [[12, 6]]
    assert train(table, "A")["tiles"][-1] == [5, 9]


def test_what_a_camera_read_unsurely_is_marked_until_somebody_confirms_it(person: People) -> None:
    host = followed(person)
    seen = {"before": None, "after": 1, "size": [10, 10], "corners": None, "sure": 0.7, "options": [[8, 12]]}
    event = {"event": "lay", "train": "A", "tile": [12, 3], "seat": "A", "verdict": "legal", "seen": seen}
    table = host.ask("POST", "{g}/table/watch", json=event)["table"]
    assert (train(table, "A")["doubts"], train(table, "A")["maybe"]) == ([0], {"0": [[8, 12]]})
    table = correct(host, "A", [3, 12], [3, 12])["table"]
    assert train(table, "A")["doubts"] == []
