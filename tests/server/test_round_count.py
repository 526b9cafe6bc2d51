"""The end of a round: hands, table and boneyard must make the set."""

from __future__ import annotations

from engine.rules import Rules
from engine.table import LaidTile, Table, Train
from engine.tile import DominoSet, Tile
from server.round_count import HandSeen, TableSeen, count_round, pictures_of

RULES = Rules()
TABLE = Table(12, (Train("A", (LaidTile(12, 3), LaidTile(3, 5))),))
SEEN = TableSeen(TABLE, {Tile(3, 12): "pictures/00003_crop.jpg"})


def hand(*tiles: tuple[int, int], photo: str = "hand.jpg") -> HandSeen:
    return HandSeen(tuple(Tile(*sorted(tile)) for tile in tiles), photo)


def test_a_round_that_adds_up() -> None:
    hands = {"A": hand(), "B": hand((1, 2), (9, 9))}
    left = len(list(DominoSet(12))) - 3 - 2
    count = count_round(SEEN, hands, left, RULES)
    assert count.points == {"A": 0, "B": 21}
    assert count.is_sure


def test_a_tile_on_the_table_and_in_a_hand_shows_both_pictures() -> None:
    count = count_round(SEEN, {"B": hand((12, 3), photo="b.jpg")}, None, RULES)
    (found,) = count.contradictions
    assert (found.code, found.tile, found.seats) == ("tile_on_table", Tile(3, 12), ("B",))
    assert found.pictures == ("pictures/00003_crop.jpg", "b.jpg")


def test_a_tile_in_two_hands_and_one_that_no_set_has() -> None:
    hands = {"A": hand((1, 2), photo="a.jpg"), "B": hand((1, 2), (13, 14), photo="b.jpg")}
    found = {one.code: one for one in count_round(SEEN, hands, None, RULES).contradictions}
    assert found["tile_twice"].pictures == ("a.jpg", "b.jpg")
    assert found["not_in_set"].seats == ("B",)


def test_tiles_that_nobody_has() -> None:
    hands = {"A": hand(), "B": hand((1, 2))}
    whole = len(list(DominoSet(12)))
    short, over = (count_round(SEEN, hands, whole - 4 + more, RULES) for more in (-2, 1))
    assert [(one.code, one.count) for one in short.contradictions] == [("tiles_missing", 2)]
    assert [(one.code, one.count) for one in over.contradictions] == [("tiles_too_many", 1)]
    assert count_round(SEEN, hands, None, RULES).contradictions == ()


def test_mixed_sets_contradict_nothing() -> None:
    assert count_round(SEEN, {"A": hand((12, 3))}, None, RULES, mixed=True).contradictions == ()


def test_the_picture_of_a_tile_is_the_last_that_showed_it() -> None:
    entries = [{"event": "lay", "tile": [3, 12], "crop": None, "after": "1.jpg"},
               {"event": "lay", "tile": [12, 3], "crop": "2_crop.jpg", "after": "2.jpg"}, {"event": "turn"}]
    assert pictures_of(entries) == {Tile(3, 12): "2_crop.jpg"}
