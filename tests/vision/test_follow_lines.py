"""Lines of a reading laid onto the known ones: tiles in one row, no picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision import geometry
from vision.board import Board, KnownLine, KnownTile, Share
from vision.evidence import Evidence
from vision.follow import match_tiles
from vision.follow_lines import take_lines
from vision.table_reading import LineReading, PlacedTile, TableReading, TrainReading
from vision.tiles import TileSighting
from vision.work import Look, Work

START = geometry.box_corners(np.array([[100, 300, 96, 48, 90]], np.float32))[0]
UNSURE = np.zeros((2, 19), np.float32)
UNSURE[0, 12], UNSURE[1, [1, 2]] = 0.9, (0.5, 0.4)
ROW = [(12, 1), (1, 5), (5, 7), (7, 3), (3, 9), (9, 4)]


def sighting(place: int) -> TileSighting:
    """The row's tile at `place`, clearly read."""
    ends = ROW[place]
    shares = np.zeros((2, 19), np.float32)
    shares[[0, 1], ends] = 0.999
    corners = geometry.box_corners(np.array([[200 + 100 * place, 300, 96, 48, 0]], np.float32))[0]
    return TileSighting("face_up", ends, corners, 0.99, shares, np.zeros((0, 2), np.float32))


def board(**lines: tuple[int, ...]) -> Board:
    """A board on which tiles of the row are known; the key of a tile is its place."""
    keys = [key for line in lines.values() for key in line]
    tiles = {key: KnownTile(key, sighting(key).corners_px, Evidence.of(sighting(key))) for key in keys}
    known = {name: KnownLine(name, keys, 0.0) for name, keys in lines.items()}
    return Board(tiles, known, hub_px=(100.0, 300.0), next_key=100, started=1)


def laid_onto(known: Board, came: Share = lambda _: 1.0) -> Work:
    """The board's work after a look that reads the whole row as one train."""
    train = TrainReading("t1", "personal", LineReading(tuple(range(len(ROW))), tuple(ROW)), (), False, 0.0)
    placed = tuple(PlacedTile(place, sighting(place), "train") for place in range(len(ROW)))
    reading = TableReading(12, None, (train,), placed, (), (), (), (1000, 600), "row", {}, (100.0, 300.0))
    work = Work(known, Look(reading, came=came), key_of={key: key for key in known.tiles})
    take_lines(work)
    return work


def test_new_tiles_go_on_at_the_end_of_their_line() -> None:
    work = laid_onto(board(t1=(0, 1, 2, 3)))
    assert [(new.line, new.index) for new in work.new] == [("t1", 4), ("t1", 5)]
    assert [(new.laid.near, new.laid.far) for new in work.new] == [(3, 9), (9, 4)]


def test_two_lines_that_are_one_become_one_and_new_tiles_go_on_from_it() -> None:
    work = laid_onto(board(t1=(0, 1), M=(2, 3)))
    assert set(work.board.lines) == {"t1"}
    assert work.board.lines["t1"].keys[:4] == (0, 1, 2, 3)
    assert [(new.line, new.index) for new in work.new] == [("t1", 4), ("t1", 5)]
    assert work.merged == [("M", "t1")]
    assert work.line_of_train == {"t1": "t1"}


def test_a_train_is_not_left_with_the_name_of_a_line_that_was_joined_to_another() -> None:
    work = laid_onto(board(t1=(0,), M=(1, 2, 3)))
    assert work.line_of_train == {"t1": "t1"}
    assert work.board.lines["t1"].keys[:4] == (0, 1, 2, 3)


def test_a_tile_overlooked_between_known_ones_is_told_late_in_its_place() -> None:
    work = laid_onto(board(t1=(0, 2, 3)))
    assert [(new.index, new.late) for new in work.new] == [(1, True), (4, False), (5, False)]


def test_the_marker_of_a_line_that_was_joined_to_another_stands_at_its_end() -> None:
    known = board(t1=(0, 1), M=(2, 3))
    marker = np.array([[700, 290], [710, 290], [710, 300], [700, 300]], np.float32)
    for name in ("t1", "M"):
        known = known.with_line(replace(known.lines[name], marker=marker if name == "M" else marker + 1))
    joined = laid_onto(known).board.lines["t1"]
    assert joined.marker is marker


def test_a_known_tile_is_not_read_anew_against_its_joins() -> None:
    """A 12-1 at a double twelve, then 1-5: seen again it looks like a 12-2, which nobody would have laid there."""
    known = board(t1=(0, 1))
    double = KnownTile(50, START, Evidence.of(sighting(0)), 0, (12, 12))
    known = replace(known.with_tile(double), start=50)
    shares = np.zeros((2, 19), np.float32)
    shares[0, 12], shares[1, [1, 2]] = 0.99, (0.002, 0.99)
    unlike = replace(sighting(0), ends=(12, 2), probabilities=shares, corners_px=sighting(0).corners_px + 1)
    placed = (PlacedTile(0, unlike, "train"),)
    again = TableReading(12, None, (), placed, (), (), (), (1000, 600), "row", {}, (100.0, 300.0))
    weak = known.with_tile(replace(known.tiles[0], evidence=Evidence.of(replace(sighting(0), probabilities=UNSURE))))
    work = match_tiles(weak, Look(again))
    assert work.board.tiles[0].evidence.ends == (12, 2)
    assert work.board.tiles[0].ends == (12, 1)
    assert work.corrected == []


def test_a_tile_whose_place_did_not_change_was_overlooked_before() -> None:
    work = laid_onto(board(t1=(0, 1, 2, 3)), lambda quad: 0.15 if quad.mean(0)[0] < 650 else 0.9)
    assert [(new.index, new.overlooked, new.late) for new in work.new] == [(4, True, False), (5, False, False)]
    assert not any(new.overlooked for new in laid_onto(board(t1=(0, 1, 2, 3))).new)
