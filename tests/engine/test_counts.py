"""Golden counts: how many different turns a position allows, against a brute force written apart.

The brute force below knows nothing of the engine: it lays tiles on plain lists by its own reading of the
rules. Both sides enumerate whole turns (what is laid where, in order, and whether a draw ends it), so a
missing or a surplus move anywhere in a turn changes the number.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import pytest

from engine.legality import legal_moves
from engine.moves import Draw, Play
from engine.position import Hand, OpenDouble, Position
from engine.presets import preset
from engine.reducer import Applied, apply, start_turn
from engine.rules import Rules
from engine.setup import first_position
from engine.table import LaidTile, Table, Train
from engine.tile import DominoSet, Tile

SEATS = "ABCD"
Turn = tuple[tuple[str, str], ...]


# -- the engine's turns -----------------------------------------------------------------------------


def engine_turns(position: Position, rules: Rules, laid: Turn = ()) -> set[Turn]:
    """Every turn up to its end or its draw; what is drawn is left to chance and not followed."""
    found: set[Turn] = set()
    for move in legal_moves(position, rules):
        if isinstance(move, Play):
            result = apply(position, move, rules)
            assert isinstance(result, Applied)
            found |= engine_turns(result.position, rules, (*laid, (move.train, str(move.laid))))
        elif isinstance(move, Draw):
            found.add((*laid, ("draw", "")))
        else:
            found.add(laid)
    return found


# -- the brute force's turns ------------------------------------------------------------------------


@dataclass
class Board:
    """A table as lists of pairs, with the few rules that the presets below differ in."""

    hub: int
    trains: dict[str, list[tuple[int, int]]]
    marks: set[str]
    open: list[str]  # trains whose last double waits, in laid order
    turn: int
    boneyard: int
    size: int = 12
    build: bool = True
    extra: str = "anywhere"  # anywhere, cover, none
    mexican: str = "second_turn"
    one_double: bool = False
    out_on_double: bool = True
    laid: list[tuple[str, tuple[int, int]]] = field(default_factory=list)

    def end(self, train: str) -> int:
        tiles = self.trains[train]
        return tiles[-1][1] if tiles else self.hub

    def dead(self, value: int) -> bool:
        seen = {(self.hub, self.hub)} | {tuple(sorted(t)) for line in self.trains.values() for t in line}
        return sum(value in tile for tile in seen) == self.size + 1

    def lay(self, train: str, tile: tuple[int, int]) -> Board:
        after = replace(self, trains={key: list(line) for key, line in self.trains.items()})
        after.trains[train].append(tile)
        waiting = [name for name in self.open if name != train] + ([train] if tile[0] == tile[1] else [])
        after.laid = [*self.laid, (train, tile)]
        after.open = [name for name in waiting if not after.dead(after.end(name))]
        return after


def brute_turns(board: Board, hand: list[tuple[int, int]]) -> set[Turn]:
    if board.turn == 1 and board.build:
        return _lines(board, hand)
    return _ordinary(board, hand)


def _told(board: Board, *more: tuple[str, str]) -> Turn:
    return (*((train, f"{a}-{b}") for train, (a, b) in board.laid), *more)


def _lines(board: Board, hand: list[tuple[int, int]]) -> set[Turn]:
    """A first line of any length on the own train; nothing fitting means a draw."""
    found: set[Turn] = set()
    for tile in hand:
        for way in {tile, tile[::-1]}:
            if way[0] == board.end("A"):
                rest = [other for other in hand if other != tile]
                found |= _lines(board.lay("A", way), rest) | {_told(board.lay("A", way))}
    if not board.laid and not found:
        return {_told(board, ("draw", ""))} if board.boneyard else {()}
    return found


def _ordinary(board: Board, hand: list[tuple[int, int]]) -> set[Turn]:
    duty = board.open[:1]
    plays = [(train, way) for train in _reach(board, duty) for way in _fitting(board, train, hand)]
    if not plays:
        return {_told(board, ("draw", ""))} if board.boneyard else {()}
    found: set[Turn] = set()
    for train, way in plays:
        found |= _after(board.lay(train, way), _without(hand, way), way)
    return found


def _after(board: Board, hand: list[tuple[int, int]], way: tuple[int, int]) -> set[Turn]:
    """What may follow a tile: nothing, or the tile that a double asks for."""
    train = board.laid[-1][0]
    if way[0] != way[1]:
        return {_told(board)}
    alive = train in board.open
    if not hand:
        if board.out_on_double or not alive:
            return {_told(board)}
        return {_told(board, ("draw", ""))} if board.boneyard else {_told(board)}
    if board.extra == "none" or (board.extra == "cover" and not alive):
        return {_told(board)}
    targets = [train] if board.extra == "cover" else _reach(board, [])
    plays = [(target, next_way) for target in targets for next_way in _fitting(board, target, hand)]
    if board.one_double:
        plays = [(target, next_way) for target, next_way in plays if next_way[0] != next_way[1]]
    if not plays:
        return {_told(board, ("draw", ""))} if board.boneyard else {_told(board)}
    found: set[Turn] = set()
    for target, next_way in plays:
        found |= _after(board.lay(target, next_way), _without(hand, next_way), next_way)
    return found


def _reach(board: Board, duty: list[str]) -> list[str]:
    if duty:
        return duty
    trains = ["A"]
    if board.turn > 1:
        trains += [seat for seat in "BCD" if seat in board.marks]
    if board.trains["M"] or board.mexican == "any_time" or board.turn > 1:
        trains.append("M")
    return trains


def _fitting(board: Board, train: str, hand: list[tuple[int, int]]) -> list[tuple[int, int]]:
    ways = [way for tile in hand for way in {tile, tile[::-1]} if way[0] == board.end(train)]
    return list(dict.fromkeys(ways))


def _without(hand: list[tuple[int, int]], way: tuple[int, int]) -> list[tuple[int, int]]:
    return [tile for tile in hand if tile not in (way, way[::-1])]


# -- positions --------------------------------------------------------------------------------------

PRESETS: dict[str, dict[str, Any]] = {
    "published_default": {},
    "squarescores": {"extra": "none", "mexican": "any_time"},
    "squarescores_extra": {"extra": "cover", "mexican": "any_time"},
    "french": {"build": False, "extra": "cover", "mexican": "any_time"},
    "tournament": {"build": False, "extra": "cover", "mexican": "any_time", "one_double": True,
                   "out_on_double": False},
}


def _set_up(seed: int, name: str, rich: bool = False) -> tuple[Position, Rules, Board, list[tuple[int, int]]]:
    """The same random table twice: for the engine and for the brute force. No preset changes the table."""
    rng = random.Random(seed)
    tiles = [(tile.low, tile.high) for tile in DominoSet(12)]
    rng.shuffle(tiles)
    hub = rng.randint(0, 12)
    tiles.remove((hub, hub))
    number = rng.choice([1, 2, 2, 2])
    trains: dict[str, list[tuple[int, int]]] = {train: [] for train in (*SEATS, "M")}
    if number > 1:
        for train in trains:
            _grow(trains[train], hub, tiles, rng.randint(0, 5))
    if rich:  # many doubles and many tiles: turns with several doubles and long lines
        tiles.sort(key=lambda tile: tile[0] == tile[1] and rng.random() < 0.45)
    hand = [tiles.pop() for _ in range(rng.randint(14, 18) if rich else rng.randint(1, 9))]
    marks = {seat for seat in SEATS if number > 1 and rng.random() < (0.8 if rich else 0.4)}
    board = Board(hub, trains, marks, [], number, rng.choice([0, 20]), **PRESETS[name])
    waits = [train for train, line in trains.items() if line and line[-1][0] == line[-1][1]]
    board.open = [train for train in waits if not board.dead(board.end(train)) and rng.random() < 0.7]
    return _position(board, hand, preset(name)), preset(name), board, hand


def _grow(line: list[tuple[int, int]], hub: int, tiles: list[tuple[int, int]], most: int) -> None:
    for _ in range(most):
        end = line[-1][1] if line else hub
        fitting = [tile for tile in tiles if end in tile]
        if not fitting:
            return
        tile = fitting[0]
        tiles.remove(tile)
        line.append(tile if tile[0] == end else tile[::-1])


def _position(board: Board, hand: list[tuple[int, int]], rules: Rules) -> Position:
    table = Table(board.hub, tuple(
        Train(name, tuple(LaidTile(a, b) for a, b in line), name in board.marks)
        for name, line in board.trains.items()
    ))
    start = first_position(rules, SEATS, board.hub, "A", (), board.boneyard, None)
    hands = (Hand.of(tuple(Tile(a, b) for a, b in hand)), *(Hand((), 9) for _ in range(3)))
    firsts = frozenset(SEATS) if board.turn == 1 else frozenset()
    doubles = tuple(OpenDouble(train, board.end(train)) for train in board.open)
    position = replace(start, table=table, hands=hands, firsts=firsts, open_doubles=doubles,
                       turns=tuple(board.turn - 1 for _ in SEATS), starter="A")
    return start_turn(position, rules, "A")


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("seed", range(80))
def test_turns_agree_with_brute_force(seed: int, name: str) -> None:
    position, rules, board, hand = _set_up(seed, name, rich=seed % 4 == 0)
    assert engine_turns(position, rules) == brute_turns(board, hand)


GOLDEN: dict[str, tuple[int, ...]] = {
    "published_default": (1, 6, 22, 32, 8, 10, 108, 64, 64, 20, 55, 10),
    "squarescores": (1, 4, 12, 7, 4, 6, 8, 7, 11, 11, 55, 6),
    "squarescores_extra": (1, 4, 16, 8, 4, 6, 9, 7, 14, 14, 55, 6),
    "french": (2, 4, 16, 8, 4, 6, 9, 7, 14, 14, 2, 6),
    "tournament": (2, 4, 16, 8, 4, 6, 9, 7, 14, 14, 2, 6),
}
"""Turns in the rich positions with seeds 1000, 1001, ...: a change of any of these numbers is a change of rules."""


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_counts(name: str) -> None:
    counts = []
    for seed in range(1000, 1000 + len(GOLDEN[name])):
        position, rules, board, hand = _set_up(seed, name, rich=True)
        turns = engine_turns(position, rules)
        assert turns == brute_turns(board, hand)
        counts.append(len(turns))
    assert tuple(counts) == GOLDEN[name]


def test_the_brute_force_joins_what_it_lays() -> None:
    """A brute force that lays nonsense would agree with anything."""
    for seed in range(30):
        _, _, board, hand = _set_up(seed, "published_default")
        for turn in brute_turns(board, hand):
            own = [text for train, text in turn if train == "A"]
            assert all(one.split("-")[1] == other.split("-")[0] for one, other in pairwise(own))
