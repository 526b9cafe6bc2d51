"""What tiles that lie against each other say of each other's values: people lay like to like.

A half that is not sure and the half that it lies against were seen each for itself. Where both may show the same,
that is what they show; where it is not what was read, it is told with a doubt. What was read surely stands, whether
it meets or not: faults are found, never repaired.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from engine.tile import Tile
from vision.forest import ACROSS_GAP, Ends
from vision.joins import HUB, SIDE
from vision.laid import Layout
from vision.tiles import Doubt, TileSighting

Rows = npt.NDArray[np.float64]
"""How likely each value is for both halves of a tile: (2, 19), each row sums to 1."""

_FAULT = 0.03
"""How often people lay a tile where it does not meet."""
_SURE = 0.9
"""A half that is as sure as this by itself stands."""
_MET = 0.9
"""What was read and is met by a half as sure of it as this is settled. One neighbour that is not sure settles nothing:
what is hard to read is misread alike on both."""
_MET_LIKELY = 0.5
_LIKELIER = 0.8
"""Together, a half and its neighbours tell another value than the one that was read from here on."""
_LIKELY = 0.1
"""Of two tiles that read alike, one is another if it is this likely to be that."""
_SURE_ALONE = 0.97
"""As in `AgreeConfig`: a half of which a count that disagrees makes no doubt."""
_OF_VALUES = ("half_unclear", "count_disagrees", "colour_disagrees")
_OF_PLACES = ("covered", "maybe_tile")


def settled(layout: Layout) -> tuple[TileSighting, ...]:
    """The tiles of a laid-out table, halves that were unclear settled by those that they lie against."""
    tiles = layout.reading.tiles
    own = [_shares(tile) for tile in tiles]
    said = _said(layout, own)
    both = [_normed(mine * others) for mine, others in zip(own, said, strict=True)]
    taken: dict[Tile, int] = {}
    new: list[Ends] = [tile.ends for tile in tiles]
    for index in sorted(range(len(tiles)), key=lambda i: -float(both[i].max(1).prod())):
        if np.ptp(said[index]) > 0:
            barred = set() if layout.options.mixed else set(taken)
            new[index] = _likeliest(tiles[index], own[index], both[index], barred)
        tile = _tile(new[index])
        if tile is not None:
            taken[tile] = taken.get(tile, 0) + 1
    alone = [tile is None or taken[tile] == 1 for tile in map(_tile, new)]
    return tuple(_told(*each) for each in zip(tiles, new, own, said, alone, strict=True))


def unclear_halves(tiles: Sequence[TileSighting]) -> set[tuple[int, int]]:
    """The halves (tile, 0 or 1) that may show something else than they are read as."""
    return {
        (index, half)
        for index, tile in enumerate(tiles)
        for half, (end, row) in enumerate(zip(tile.ends, tile.probabilities, strict=True))
        if end is not None and 0 < row[end] < _SURE
    }


def _tile(ends: Ends) -> Tile | None:
    first, second = ends
    return None if first is None or second is None else Tile(min(first, second), max(first, second))


def _normed(rows: Rows) -> Rows:
    return np.asarray(rows / np.maximum(rows.sum(-1, keepdims=True), 1e-12))


def _shares(tile: TileSighting) -> Rows:
    """What the tile itself says; a half on which nothing is seen may show anything."""
    rows = np.asarray(tile.probabilities, np.float64).copy()
    for row, end in zip(rows, tile.ends, strict=True):
        if row.sum() == 0 and end is not None:
            row[end] = 1.0
    return _normed(rows + np.maximum(0.0, 1 - rows.sum(1, keepdims=True)) / rows.shape[1])


def _said(layout: Layout, own: Sequence[Rows]) -> list[Rows]:
    """What the neighbours of each tile say of its halves."""
    said = [np.ones((2, 19)) for _ in own]
    hub = None if layout.hub is None else layout.hub.tile
    crosswise: set[int] = set()
    for join in layout.forest.joins:
        b, half_b = (hub, SIDE) if join.b == HUB else (join.b, join.half_b)
        if b is None or join.cost >= ACROSS_GAP:
            continue
        for one, its, other, half in ((join.a, join.half_a, b, half_b), (b, half_b, join.a, join.half_a)):
            shown = own[one][its] if its != SIDE else _normed(own[one][0] * own[one][1])
            _say(said[other], half, shown)
            if its == SIDE:
                crosswise.add(one)
    for tile in crosswise:  # What lies crosswise is a double: its halves say the same.
        for half in (0, 1):
            _say(said[tile], half, own[tile][1 - half])
    return [_normed(rows) for rows in said]


def _say(said: Rows, half: int, shown: npt.NDArray[np.float64]) -> None:
    for each in (0, 1) if half == SIDE else (half,):
        said[each] *= (1 - _FAULT) * shown + _FAULT / len(shown)


def _likeliest(tile: TileSighting, own: Rows, both: Rows, barred: set[Tile]) -> Ends:
    """The likeliest values of a tile that is not there yet; a half that is sure, or shows nothing, stays as it is."""
    choices: list[list[int | None]] = []
    for end, mine, all_of_it in zip(tile.ends, own, both, strict=True):
        if end is None and (all_of_it.max() < _LIKELIER or tile.ends == (None, None)):
            choices.append([None])
        elif end is not None and mine[end] >= _SURE:
            choices.append([end])
        else:
            choices.append([int(value) for value in np.argsort(-all_of_it)[:3]])
    pairs: list[tuple[float, Ends]] = []
    for first, second in itertools.product(*choices):
        share = 1.0
        for value, row in zip((first, second), both, strict=True):
            share *= 1.0 if value is None else float(row[value])
        pairs.append((share, (first, second)))
    pairs.sort(key=lambda pair: -pair[0])
    if pairs[0][0] < _LIKELIER and _tile(tile.ends) not in barred:
        return tile.ends
    free = [ends for share, ends in pairs if share > _LIKELY * pairs[0][0] and _tile(ends) not in barred]
    if free:
        return free[0]
    return pairs[0][1] if _tile(tile.ends) in barred else tile.ends


def _meet(own: float, said: float) -> bool:
    """Whether what a half shows and what lies against it settle the value: one of them is sure, the other likely."""
    return said > _MET or (own > _MET and said > _MET_LIKELY)


def _told(tile: TileSighting, ends: Ends, own: Rows, said: Rows, alone: bool) -> TileSighting:
    """The tile with these values, without the doubts that are settled."""
    sure = [
        end is not None and end == before and (mine[end] >= _SURE_ALONE or _meet(mine[end], row[end]))
        for end, before, mine, row in zip(ends, tile.ends, own, said, strict=True)
    ]
    own_counts = _doubted_though_sure(tile, own)
    doubts = [
        doubt for doubt in tile.doubts if doubt in own_counts or not _is_settled(doubt, tile.ends, sure, alone)
    ]
    for end, before, one in zip(ends, tile.ends, sure, strict=True):
        if end is not None and before is not None and end != before and not one:
            doubts = [d for d in doubts if not (d.code in _OF_VALUES and d.params.get("value") == before)]
            doubts.append(Doubt("half_unclear", {"value": end, "other": before}))
    return replace(tile, ends=ends, doubts=tuple(doubts))


def _doubted_though_sure(tile: TileSighting, own: Rows) -> list[Doubt]:
    """Counts that contradict a value that the reader itself is sure of: all tiles with that value look so, and that
    they meet says nothing.
    """
    sure = {end for end, row in zip(tile.ends, own, strict=True) if end is not None and row[end] >= _SURE_ALONE}
    return [doubt for doubt in tile.doubts if doubt.code == "count_disagrees" and doubt.params.get("value") in sure]


def _is_settled(doubt: Doubt, before: Ends, sure: Sequence[bool], alone: bool) -> bool:
    if doubt.code == "seen_twice":
        return alone and all(sure)
    if doubt.code in _OF_PLACES:
        return all(sure)
    if doubt.code not in _OF_VALUES:
        return False
    about = [one for one, end in zip(sure, before, strict=True) if end == doubt.params.get("value")]
    return bool(about) and all(about)
