"""What lies joined on photographs of tables, and how a reading is set against it.

`real_chains.json` was written by looking at the pictures: file name -> chains, each a text of tiles in order as
they meet, `3-4 4-1 1-0`. A chain that leaves another begins with the tile that it leaves, turned so that its
second value is the one that is touched. Tiles that lie alone (a hand, a boneyard) are not there.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from vision.forest import Ends
from vision.table_reading import TableReading

Contact = tuple[tuple[int, ...], int | None]
"""A tile, low value first, and the value by which it touches."""
Joined = frozenset[frozenset[Contact]]

FILE = Path(__file__).with_name("real_chains.json")


def known_chains() -> dict[str, Joined]:
    """What lies joined, by file name."""
    texts: dict[str, list[str]] = json.loads(FILE.read_text("utf-8"))
    return {name: joined_in(chains) for name, chains in texts.items()}


def joined_in(chains: Iterable[str]) -> Joined:
    """The joins of chains written as texts."""
    lines = [[_tile(word) for word in chain.split()] for chain in chains]
    return frozenset(
        frozenset((_contact(one, one[1]), _contact(two, two[0]))) for line in lines for one, two in _pairs(line)
    )


def joined_as_read(reading: TableReading) -> Joined:
    """The joins that a reading claims. An order along a line is a set of joins, so equal sets are equal orders."""
    return frozenset(frozenset(pair) for pair in _joins(reading))


def _joins(reading: TableReading) -> Iterator[tuple[Contact, Contact]]:
    start = None if reading.starting_tile is None else reading.tile(reading.starting_tile).sighting.ends
    for train in reading.trains:
        lines = (train.line, *train.limbs)
        for line in lines:
            for one, two in _pairs(line.tiles):
                yield _contact(one, one[1]), _contact(two, two[0])
            if line.parent >= 0:
                left = lines[line.parent].tiles[line.index]
                yield _contact(left, left[0 if line.at_near else 1]), _contact(line.tiles[0], line.tiles[0][0])
        if train.slot is not None and train.line.tiles and start is not None:
            yield _contact(start, start[0]), _contact(train.line.tiles[0], train.line.tiles[0][0])


def _pairs(line: Iterable[Ends]) -> Iterator[tuple[Ends, Ends]]:
    yield from itertools.pairwise(line)


def _tile(word: str) -> Ends:
    first, second = word.split("-")
    return int(first), int(second)


def _contact(ends: Ends, touching: int | None) -> Contact:
    return tuple(sorted(-1 if end is None else end for end in ends)), touching
