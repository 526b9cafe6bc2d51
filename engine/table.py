"""What lies on the table, as a camera can see it: the hub, the trains, the markers.

No opinion on legality: a table may be impossible, and `engine.violations.audit` says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.errors import NotationError
from engine.tile import Pips, Tile

Seat = str
"""A player's place at the table, e.g. `A`."""

TrainId = str
"""A seat, for its personal train, or `MEXICAN`; further Mexican trains are `M2`, `M3`, ..."""

MEXICAN: TrainId = "M"

_MEXICAN_TEXT = re.compile(r"M([2-9]|1[0-9])?")
_LAID_TEXT = re.compile(r"\s*([0-9]{1,2})\s*-\s*([0-9]{1,2})\s*")


def mexican_number(train: TrainId) -> int | None:
    """1 for `M`, 2 for `M2`, ...; `None` for a personal train."""
    match = _MEXICAN_TEXT.fullmatch(train)
    if match is None:
        return None
    return int(match[1]) if match[1] else 1


@dataclass(frozen=True, slots=True, repr=False)
class LaidTile:
    """A tile as it lies in a line: `near` is the half nearer the hub. Text form `12-5`."""

    near: Pips
    far: Pips

    @classmethod
    def parse(cls, text: str) -> LaidTile:
        """Read `12-5`, inner half first. Raises `NotationError`."""
        match = _LAID_TEXT.fullmatch(text)
        if match is None:
            raise NotationError(f"{text!r} is not a laid tile (write it inner half first, like 12-5)")
        laid = cls(int(match[1]), int(match[2]))
        Tile(laid.near, laid.far)  # refuses values that no tile has
        return laid

    def __str__(self) -> str:
        return f"{self.near}-{self.far}"

    def __repr__(self) -> str:
        return f"LaidTile.parse('{self}')"

    @property
    def tile(self) -> Tile:
        """The tile, whichever way round it lies."""
        return Tile(self.near, self.far)

    @property
    def is_double(self) -> bool:
        """Both halves show the same value."""
        return self.near == self.far


@dataclass(frozen=True, slots=True)
class Limb:
    """A line that leaves the side of a double: a toe of a chicken's foot, or a side line.

    `line` and `index` say where: line 0 runs from the hub, line k is the k-th limb of the train.
    """

    line: int
    index: int
    tiles: tuple[LaidTile, ...]


@dataclass(frozen=True, slots=True)
class Train:
    """A line of tiles from the hub outward, with its limbs if doubles may have some."""

    owner: TrainId
    tiles: tuple[LaidTile, ...] = ()
    marker: bool = False
    limbs: tuple[Limb, ...] = ()

    @property
    def started(self) -> bool:
        """At least one tile lies there."""
        return bool(self.tiles)

    @property
    def lines(self) -> tuple[tuple[LaidTile, ...], ...]:
        """The line from the hub, then each limb."""
        return (self.tiles, *(limb.tiles for limb in self.limbs)) if self.limbs else (self.tiles,)

    def __iter__(self) -> Iterator[LaidTile]:
        yield from self.tiles
        for limb in self.limbs:
            yield from limb.tiles

    def open_end(self, starting_double: Pips) -> Pips:
        """The value that the line from the hub now asks for; the hub's value for an unstarted train."""
        return self.tiles[-1].far if self.tiles else starting_double

    def limbs_at(self, line: int, index: int) -> tuple[int, ...]:
        """Numbers of the lines that leave the double at `index` of `line`, in laid order."""
        return tuple(
            number for number, limb in enumerate(self.limbs, 1) if limb.line == line and limb.index == index
        )

    def with_tile(self, laid: LaidTile, line: int = 0) -> Train:
        """The train with a tile added at the end of a line."""
        if line == 0:
            return replace(self, tiles=(*self.tiles, laid))
        limb = self.limbs[line - 1]
        longer = replace(limb, tiles=(*limb.tiles, laid))
        return replace(self, limbs=(*self.limbs[: line - 1], longer, *self.limbs[line:]))

    def with_limb(self, line: int, index: int, laid: LaidTile) -> Train:
        """The train with a new limb that starts with one tile."""
        return replace(self, limbs=(*self.limbs, Limb(line, index, (laid,))))


@dataclass(frozen=True, slots=True)
class Table:
    """The hub's value and the trains. Trains that are not listed have no tile and no marker."""

    starting_double: Pips
    trains: tuple[Train, ...] = ()

    def train(self, owner: TrainId) -> Train:
        """The train of a seat, or a Mexican train; an empty one if nothing lies there."""
        for train in self.trains:
            if train.owner == owner:
                return train
        return Train(owner)

    def with_train(self, changed: Train) -> Table:
        """The table with one train replaced or added."""
        if any(train.owner == changed.owner for train in self.trains):
            trains = tuple(changed if train.owner == changed.owner else train for train in self.trains)
        else:
            trains = (*self.trains, changed)
        return replace(self, trains=trains)

    @property
    def markers(self) -> tuple[TrainId, ...]:
        """Trains on which a marker stands."""
        return tuple(train.owner for train in self.trains if train.marker)

    def tiles(self) -> Iterator[Tile]:
        """Every tile on the table, the starting double first."""
        yield Tile(self.starting_double, self.starting_double)
        for train in self.trains:
            for laid in train:
                yield laid.tile

    def count_showing(self, pips: Pips) -> int:
        """How many tiles on the table show `pips`, the starting double and all limbs counted."""
        count = 1 if self.starting_double == pips else 0
        for train in self.trains:
            for laid in train.tiles:
                if laid.near == pips or laid.far == pips:
                    count += 1
            for limb in train.limbs:
                for laid in limb.tiles:
                    if laid.near == pips or laid.far == pips:
                        count += 1
        return count

    def has(self, tile: Tile) -> bool:
        """True if the tile lies on the table already."""
        low, high = tile.low, tile.high
        if low == high == self.starting_double:
            return True
        for train in self.trains:
            for laid in train:
                if (laid.near == low and laid.far == high) or (laid.near == high and laid.far == low):
                    return True
        return False
