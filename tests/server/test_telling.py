"""What a fault rests on, on boards made by hand: whether it is told as one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from engine.codes import Code
from engine.moves import Play
from engine.table import LaidTile
from server.explaining import SeenTurn
from server.round_watch import RoundWatch
from server.telling import Telling
from server.told import Fresh, Told
from server.watch_events import Event, Moment
from vision.board import Board, Changes

MOMENT = Moment(3, 1.0)


def telling(line: list[tuple[int, int]], share: float = 0.99, marker: float | None = None) -> Telling:
    """B's train as it lies; its last tile but one was read with this share. `marker`: the Mexican train instead, with
    one that was seen this surely.
    """
    sures = ([0.99] * len(line) + [share, 0.99])[-len(line) :]
    tiles = {
        key: SimpleNamespace(laid=LaidTile(*ends), evidence=SimpleNamespace(confidence=sure))
        for key, (ends, sure) in enumerate(zip(line, sures, strict=True))
    }
    known = SimpleNamespace(keys=tuple(tiles), marker=None if marker is None else (), marker_sure=marker or 1.0)
    board = SimpleNamespace(lines={"t2": known}, tiles=tiles, starting_double=9)
    owners = SimpleNamespace(owners={"t2": "B" if marker is None else "M"})
    return Telling(cast(Board, board), cast(RoundWatch, owners), MOMENT, cast(Changes, None))


def verdict(told_by: Telling, code: Code, **params: object) -> tuple[str | None, str | None]:
    """Of a turn in which the last tile of the line was laid, with this fault."""
    key = max(told_by.board.tiles)
    play = Play("B", told_by.board.tiles[key].laid)
    fresh = Fresh(key, "t2", play.laid)
    turn = cast(SeenTurn, SimpleNamespace(fault=SimpleNamespace(code=code, params=params), at=play, seat="B"))
    event = told_by._accused(Event("lay", MOMENT, "B"), Told((), ((fresh, play),)), turn)
    return event.verdict, event.ask


@pytest.mark.parametrize(
    ("last", "told"), [((8, 5), ("illegal", None)), ((12, 5), ("undetermined", "readable_tile"))]
)
def test_a_tile_that_lies_like_to_like_does_not_fail_to_match(
    last: tuple[int, int], told: tuple[str, str | None]
) -> None:
    """The train is taken to end otherwise, because a tile before it was misread."""
    assert verdict(telling([(10, 3), (3, 12), last]), Code.NO_MATCH) == told


@pytest.mark.parametrize(
    ("share", "told"), [(0.99, ("illegal", None)), (0.6, ("undetermined", "readable_tile"))]
)
def test_a_double_that_is_not_surely_one_binds_nobody(share: float, told: tuple[str, str | None]) -> None:
    by = telling([(10, 11), (11, 11), (11, 6)], share)
    assert verdict(by, Code.OPEN_DOUBLE_FIRST, double=11, double_train="B") == told
    other = telling([(10, 11), (11, 2), (2, 6)], share)
    assert verdict(other, Code.OPEN_DOUBLE_FIRST, double=11, double_train="B") == ("illegal", None)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ([(9, 3), (3, 12)], ("illegal", None)),
        ([(9, 3), (4, 12)], ("undetermined", "readable_tile")),
        ([(9, 3)], ("illegal", None)),
        ([(2, 3)], ("undetermined", "readable_tile")),
    ],
)
def test_a_tile_that_matches_nothing_was_rather_misread_than_laid_against_two_rules(
    line: list[tuple[int, int]], told: tuple[str, str | None]
) -> None:
    assert verdict(telling(line), Code.TRAIN_PRIVATE) == told


@pytest.mark.parametrize(
    ("marker", "last", "told"),
    [
        (0.98, 0.99, ("illegal", None)),
        (0.8, 0.99, ("undetermined", "readable_tile")),
        (0.98, 0.6, ("undetermined", "readable_tile")),
    ],
)
def test_a_glint_is_no_marker_on_the_mexican_train(marker: float, last: float, told: tuple[str, str | None]) -> None:
    by = telling([(9, 3), (3, 12)], marker=marker)
    by.board.tiles[1].evidence.confidence = last  # type: ignore[misc]
    fault = SimpleNamespace(code=Code.MEXICAN_MARKED, params={})
    turn = cast(SeenTurn, SimpleNamespace(fault=fault, at=None, seat="B"))
    event = by._accused(Event("marker_on", MOMENT, "B"), Told((), ()), turn)
    assert (event.verdict, event.ask) == told
