"""What people put right on the followed table: no tile after all, one that nobody told of, markers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.server.conftest import Json, Person, join
from tests.server.test_table import MIDDLE, act, first_turns, followed, in_the_middle, lay, train
from vision.denied import Denied, middles, without_denied
from vision.follow_markers import marker_of
from vision.tiles import PhotoReading, TileSighting

People = Callable[..., Person]


def change(person: Person, expect: int = 200, **what: Any) -> Json:
    body = {"version": person.state()["version"], **what}
    answer: Json = person.ask("POST", "{g}/table/change", expect, json=body)
    return answer["table"] if expect == 200 else answer


def test_a_tile_of_this_turn_that_was_none_is_taken_back(person: People) -> None:
    host = followed(person)
    first_turns(host)
    lay(host, "A", 3, 8)
    table = change(host, train="A", gone=[3, 8])
    assert train(table, "A")["tiles"] == [[12, 3]]
    assert (table["to_move"], table["acts"], table["hands"]["A"]) == ("A", [], 13)


def test_a_tile_of_an_earlier_turn_goes_and_the_turns_stay(person: People) -> None:
    host = followed(person)
    first_turns(host)
    table = change(host, train="B", gone=[5, 12])
    assert train(table, "B")["tiles"] == []
    assert table["foul"] is None
    assert (table["to_move"], table["lost"], table["hands"]["B"]) == ("A", 0, 15)
    assert table["turns"][1]["acts"][0]["gone"]
    assert train(change(host, train="B", tile=[5, 12], seat="B"), "B")["tiles"] == [[12, 5]]
    assert host.state()["table"]["hands"]["B"] == 14


def test_one_of_several_tiles_is_taken_away_as_if_it_had_never_been_told(person: People) -> None:
    host = followed(person)
    lay(host, "A", 12, 3)
    lay(host, "A", 3, 8)
    act(host, "end")
    table = change(host, train="A", gone=[3, 8])
    assert [act["tile"] for act in table["turns"][0]["acts"] if act["do"] == "lay"] == [[12, 3]]
    assert table["to_move"] == "B"


def test_a_tile_in_the_middle_of_a_train_stays_while_others_rest_on_it(person: People) -> None:
    host = followed(person)
    lay(host, "A", 12, 3)
    lay(host, "A", 3, 8)
    act(host, "end")
    assert change(host, 400, train="A", gone=[12, 3])["error"]["code"] == "does_not_fit"
    assert change(host, 400, train="A", gone=[1, 2])["error"]["code"] == "does_not_fit"


def test_a_tile_that_nobody_told_of_is_added_where_it_fits(person: People) -> None:
    host = followed(person)
    first_turns(host)
    table = change(host, train="A", tile=[8, 3], seat="A")
    assert train(table, "A")["tiles"] == [[12, 3], [3, 8]]
    assert (table["to_move"], table["hands"]["A"]) == ("A", 12)
    table = change(host, train="A", tile=[3, 3], at=1)
    assert train(table, "A")["tiles"] == [[12, 3], [3, 3], [3, 8]]
    assert change(host, 400, train="A", tile=[1, 2])["error"]["code"] == "does_not_fit"
    assert change(host, 400, train="A", tile=[3, 12])["error"]["code"] == "lies_already"
    assert change(host, 400, train="D", tile=[12, 9])["error"]["code"] == "does_not_fit"
    change(host, 422, train="A")
    table = change(host, train="M", tile=[12, 1])
    assert train(table, "M")["tiles"] == [[12, 1]]


def test_a_double_that_was_overlooked_is_owed(person: People) -> None:
    host = followed(person)
    first_turns(host)
    table = change(host, train="B", tile=[5, 5], seat="B")
    assert table["owed"] == {"train": "B", "value": 5}
    assert change(host, train="B", gone=[5, 5])["owed"] is None


def test_a_marker_that_was_not_told_makes_a_foul_none(person: People) -> None:
    host = followed(person)
    first_turns(host)
    assert lay(host, "B", 5, 1)["foul"]["code"] == "R_TRAIN_PRIVATE"
    table = change(host, train="B", marker=True)
    assert table["foul"] is None
    assert train(table, "B")["marker"]
    assert train(table, "B")["tiles"] == [[12, 5], [5, 1]]
    table = change(host, train="B", marker=False)
    assert table["foul"]["code"] == "R_TRAIN_PRIVATE"
    assert change(host, 400, train="M", marker=True)["error"]["code"] == "does_not_fit"


def moved(person: Person, owner: str, was: list[int], to: str, expect: int = 200) -> Json:
    body = {"train": owner, "was": was, "tile": was, "to": to, "version": person.state()["version"]}
    answer: Json = person.ask("POST", "{g}/table/correct", expect, json=body)
    return answer["table"] if expect == 200 else answer


def test_a_tile_that_lies_on_another_train_is_put_there_and_judged_there(person: People) -> None:
    host = followed(person)
    first_turns(host)
    assert lay(host, "B", 5, 3)["foul"]["code"] == "R_TRAIN_PRIVATE"
    table = moved(host, "B", [5, 3], "A")
    assert table["foul"] is None
    assert (train(table, "A")["tiles"], train(table, "B")["tiles"]) == ([[12, 3], [3, 5]], [[12, 5]])
    act(host, "end")
    table = moved(host, "A", [3, 5], "B")
    assert table["foul"]["code"] == "R_TRAIN_PRIVATE"
    assert moved(host, "B", [5, 3], "A")["foul"] is None
    assert moved(host, "A", [3, 5], "D", 404)["error"]["code"] == "no_seat"


def test_a_tile_of_a_table_taken_up_in_the_middle_is_put_on_its_train(person: People) -> None:
    host = in_the_middle(person, MIDDLE)
    table = moved(host, "B", [12, 1], "C")
    assert (train(table, "C")["tiles"], train(table, "B")["tiles"]) == ([[12, 1]], [])
    assert moved(host, "A", [12, 3], "M", 400)["error"]["code"] == "table_as_it_lies"


def test_a_tile_that_was_added_can_be_put_right_and_moved(person: People) -> None:
    host = followed(person)
    first_turns(host)
    change(host, train="A", tile=[3, 8], seat="A")
    body = {"train": "A", "was": [3, 8], "tile": [3, 9], "version": host.state()["version"]}
    assert train(host.ask("POST", "{g}/table/correct", json=body)["table"], "A")["tiles"] == [[12, 3], [3, 9]]
    assert moved(host, "A", [3, 9], "C", 400)["error"]["code"] == "does_not_fit"
    change(host, train="A", tile=[9, 7], seat="A")
    assert train(moved(host, "A", [9, 7], "C"), "C")["tiles"] == [[12, 7], [7, 9]]


def test_only_players_put_the_table_right_and_nobody_over_anothers_act(person: People) -> None:
    host = followed(person)
    first_turns(host)
    version = host.state()["version"]
    wish = {"train": "A", "marker": True, "version": version}
    join(person, host, None).ask("POST", "{g}/table/change", 403, json=wish)
    lay(host, "A", 3, 8)
    host.ask("POST", "{g}/table/change", 409, json=wish)


def test_a_round_that_ended_with_what_was_no_tile_goes_on(person: People) -> None:
    host = followed(person, changes={"first_turn_out": "immediate_end"})
    lay(host, "A", 12, 0)
    for _ in range(13):
        state = host.state()["table"]
        end = train(state, "A")["tiles"][-1][1]
        lay(host, "A", end, next(v for v in range(13) if v != end and sorted([v, end]) not in state["tiles"]))
    state = host.state()["table"]
    assert state["over"]["out"] == ["A"]
    table = change(host, train="A", gone=train(state, "A")["tiles"][-1])
    assert table["over"] is None
    assert table["hands"]["A"] == 1


# -- what a camera reads -----------------------------------------------------------------------------------


def _tile(x: float, ends: tuple[int, int]) -> TileSighting:
    corners = np.array([[x, 0], [x + 20, 0], [x + 20, 40], [x, 40]], np.float32)
    return TileSighting("face_up", ends, corners, 0.9, np.zeros((2, 19), np.float32), np.zeros((0, 2), np.float32))


def test_what_was_denied_is_not_read_again_and_another_tile_there_is() -> None:
    false, moved, other = _tile(0, (3, 8)), _tile(5, (8, 3)), _tile(0, (3, 9))
    elsewhere, mark = _tile(60, (3, 8)), marker_of(_tile(0, (0, 0)).corners_px, 0.9)
    seen = PhotoReading((moved, other, elsewhere), (), (mark,), (100, 100), "test", {})
    left = without_denied(seen, [Denied(false.corners_px, (3, 8))])
    assert left.tiles == (other, elsewhere)
    assert left.markers == (mark,)
    assert without_denied(seen, [Denied(false.corners_px)]).markers == ()


@pytest.mark.parametrize(("scale", "degrees"), [(1.0, 0.0), (1.0, 14.0), (0.8, -25.0), (1.3, 5.0)])
def test_what_was_denied_stays_so_where_the_camera_was_moved(scale: float, degrees: float) -> None:
    false, mark = _tile(160, (3, 8)), marker_of(_tile(220, (0, 0)).corners_px, 0.9)
    there = [_tile(0, (12, 12)), _tile(60, (12, 3)), _tile(100, (3, 7)), _tile(400, (1, 2))]
    beside = tuple(middles(((min(one.ends), max(one.ends)), one.corners_px) for one in there).items())
    denied = [Denied(false.corners_px, (3, 8), beside), Denied(mark.corners_px, None, beside)]
    angle = np.radians(degrees)
    matrix = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def moved(sighting: TileSighting) -> TileSighting:
        return replace(sighting, corners_px=(sighting.corners_px @ matrix.T + [90, 35]).astype(np.float32))

    others = [moved(one) for one in there[:3]] + [there[3]]  # one was pushed away
    seen = PhotoReading((*others, moved(false)), (), (moved(mark),), (900, 900), "test", {})
    left = without_denied(seen, denied)
    assert left.tiles == tuple(others)
    assert left.markers == ()
