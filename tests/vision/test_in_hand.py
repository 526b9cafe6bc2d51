"""Tiles that somebody has before them, side by side and apart from what is laid, and what is told of them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.table import LaidTile
from server.placed import begun_events, placed_events
from server.watch_events import Moment
from vision import geometry
from vision.board import Board, Changes, KnownTile, NewTile
from vision.evidence import Evidence
from vision.in_hand import in_hand
from vision.tiles import TileSighting

Place = tuple[float, float, float]
LINE: list[Place] = [(500, 300, 0), (562, 300, 0), (609, 300, 90)]
HAND: list[Place] = [(100, 100, 0), (102, 170, 6), (95, 240, -4)]
NOW = Moment("1.jpg", 1.0)


def board(*places: Place) -> Board:
    """Tiles of 60 x 30 px at these centres, turned by so many degrees; their keys are in this order."""
    found = Board()
    for key, (x, y, degrees) in enumerate(places):
        shares = np.zeros((2, 19), np.float32)
        shares[[0, 1], [key % 7, 6]] = 0.999
        corners = geometry.box_corners(np.array([[x, y, 60, 30, np.radians(degrees)]], np.float32))[0]
        sighting = TileSighting("face_up", (key % 7, 6), corners, 0.99, shares, np.zeros((0, 2), np.float32))
        found = found.with_tile(KnownTile(key, corners, Evidence.of(sighting)))
    return found


def new(key: int) -> NewTile:
    return NewTile(key, "", 0, LaidTile(key % 7, 6), 0.99, ())


@pytest.mark.parametrize(
    ("places", "held"),
    [
        ([*LINE, *HAND], {3, 4, 5}),
        ([*LINE, (100, 100, 0), (190, 100, 0)], set()),  # one behind the other: a line with a gap
        ([*LINE, (100, 100, 0), (100, 170, 90)], set()),  # crosswise, as a double is laid
        ([*LINE, (100, 100, 0), (100, 131, 0)], set()),  # they lie at each other
        ([*LINE, (100, 100, 0)], set()),
        ([*HAND], set()),  # nothing else lies there: so that is how tiles are laid here
    ],
)
def test_loose_tiles_side_by_side_are_a_hand_where_others_are_laid(places: list[Place], held: set[int]) -> None:
    assert in_hand(board(*places)) == held


def test_a_drawn_tile_is_not_laid_and_one_that_leaves_the_hand_is_not_taken_away() -> None:
    before, after = board(*LINE, *HAND[:2]), board(*LINE, *HAND)
    assert placed_events((before, after), Changes(new=(new(5),)), NOW) == []
    less = after.without_tile(4)
    assert placed_events((after, less), Changes(gone=(after.tiles[4],)), NOW) == []
    on_line = board(*LINE, *HAND, (656, 300, 0))
    told = placed_events((after, on_line), Changes(new=(new(6),), gone=(after.tiles[0],)), NOW)
    assert [event.event for event in told] == ["removed", "lay"]


def test_a_game_that_begins_beside_somebodys_hand_was_begun_by_laying_its_first_tile() -> None:
    assert [event.event for event in begun_events(board(LINE[0], *HAND), NOW)] == ["ready", "lay"]
    assert [event.event for event in begun_events(board(*LINE, *HAND), NOW)] == ["ready"]
    assert [event.event for event in begun_events(board(LINE[0]), NOW)] == ["ready", "lay"]
