"""Tiles and sets: the values every other module talks about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.errors import NotationError

Pips = int
"""The value of one half of a tile: 0 (blank) to 18."""

MAX_PIPS = 18
SET_SIZES = (6, 9, 12, 15, 18)

_TILE_TEXT = re.compile(r"\s*([0-9]{1,2})\s*[-|]\s*([0-9]{1,2})\s*")


@dataclass(frozen=True, order=True, slots=True, repr=False)
class Tile:
    """A domino: an unordered pair of values, kept as `low <= high`; text form `7|12`."""

    low: Pips
    high: Pips

    def __post_init__(self) -> None:
        if self.low > self.high:
            low, high = self.high, self.low
            object.__setattr__(self, "low", low)
            object.__setattr__(self, "high", high)
        if self.low < 0 or self.high > MAX_PIPS:
            raise NotationError(f"no domino has the values {self.low} and {self.high}")

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Read `7|12` or `12-7`. Raises `NotationError`."""
        match = _TILE_TEXT.fullmatch(text)
        if match is None:
            raise NotationError(f"{text!r} is not a tile (write it like 7|12 or 7-12)")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.low}|{self.high}"

    def __repr__(self) -> str:
        return f"Tile.parse('{self}')"

    @property
    def is_double(self) -> bool:
        """Both halves show the same value."""
        return self.low == self.high

    @property
    def pip_total(self) -> int:
        """Sum of both halves, before any house rule about the double-blank."""
        return self.low + self.high

    def has(self, pips: Pips) -> bool:
        """True if one of the halves shows `pips`."""
        return pips in (self.low, self.high)

    def other(self, pips: Pips) -> Pips:
        """The value at the other end from `pips`. Raises `ValueError` if the tile does not show `pips`."""
        if pips == self.low:
            return self.high
        if pips == self.high:
            return self.low
        raise ValueError(f"{self} has no end showing {pips}")


@dataclass(frozen=True, slots=True)
class DominoSet:
    """One tile of each unordered pair of 0..size."""

    size: Pips

    def __post_init__(self) -> None:
        if self.size not in SET_SIZES:
            raise NotationError(f"no double-{self.size} set; known: {', '.join(map(str, SET_SIZES))}")

    def __iter__(self) -> Iterator[Tile]:
        for low in range(self.size + 1):
            for high in range(low, self.size + 1):
                yield Tile(low, high)

    def __len__(self) -> int:
        return (self.size + 1) * (self.size + 2) // 2

    def __contains__(self, tile: object) -> bool:
        return isinstance(tile, Tile) and tile.high <= self.size

    @property
    def pip_total(self) -> int:
        """All pips of the set: N(N+1)(N+2)/2."""
        return self.size * (self.size + 1) * (self.size + 2) // 2
