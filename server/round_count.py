"""The end of a round: every hand counted, and table, hands and boneyard set against the set.

What does not add up is a misreading until people have looked: each contradiction comes with the pictures to look at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.deductions import conservation
from engine.rules import Rules
from engine.scoring import hand_points
from engine.table import Seat, Table
from engine.tile import Tile

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class HandSeen:
    """One hand as a photo shows it."""

    tiles: tuple[Tile, ...]
    picture: str | None = None
    doubtful: int = 0


@dataclass(frozen=True, slots=True)
class Contradiction:
    """`tile_twice`, `tile_on_table`, `not_in_set`, `tiles_missing` or `tiles_too_many`, and where to look."""

    code: str
    tile: Tile | None = None
    seats: tuple[Seat, ...] = ()
    pictures: tuple[str, ...] = ()
    count: int = 0

    @property
    def params(self) -> dict[str, str | int]:
        """For its sentence."""
        return {"tile": "" if self.tile is None else f"{self.tile.low}-{self.tile.high}",
                "names": ", ".join(self.seats), "count": self.count}


@dataclass(frozen=True, slots=True)
class RoundCount:
    """Points of each seat, and what does not add up."""

    points: Mapping[Seat, int]
    contradictions: tuple[Contradiction, ...]
    doubtful: int = 0

    @property
    def is_sure(self) -> bool:
        """Nothing contradicts and no tile is doubtful."""
        return not self.contradictions and not self.doubtful

    def as_json(self) -> Json:
        """For programs."""
        return {
            "points": dict(self.points), "doubtful": self.doubtful, "sure": self.is_sure,
            "contradictions": [
                {"code": one.code, "tile": None if one.tile is None else [one.tile.low, one.tile.high],
                 "seats": list(one.seats), "pictures": list(one.pictures), "count": one.count}
                for one in self.contradictions
            ],
        }


@dataclass(frozen=True, slots=True)
class TableSeen:
    """The table at the end, and the picture that shows each tile on it."""

    table: Table
    pictures: Mapping[Tile, str] = field(default_factory=dict)


def count_round(
    seen: TableSeen, hands: Mapping[Seat, HandSeen], boneyard: int | None, rules: Rules, mixed: bool = False
) -> RoundCount:
    """Count the hands and look for what can't be. `boneyard`: how many tiles are left in it; `None` if not counted."""
    points = {seat: hand_points(hand.tiles, rules) for seat, hand in hands.items()}
    doubtful = sum(hand.doubtful for hand in hands.values())
    if mixed:
        return RoundCount(points, (), doubtful)
    tiles = {seat: hand.tiles for seat, hand in hands.items()}
    count = conservation(seen.table, tiles, boneyard or 0, rules)
    found = [_twice(tile, seen, hands) for tile in count.twice]
    found += [
        Contradiction("not_in_set", tile, *_holders(tile, hands)) for tile in count.foreign
    ]
    if boneyard is not None and count.unaccounted:
        code = "tiles_missing" if count.unaccounted > 0 else "tiles_too_many"
        found.append(Contradiction(code, count=abs(count.unaccounted)))
    return RoundCount(points, tuple(found), doubtful)


def _twice(tile: Tile, seen: TableSeen, hands: Mapping[Seat, HandSeen]) -> Contradiction:
    seats, pictures = _holders(tile, hands)
    on_table = tile in set(seen.table.tiles())
    table = (seen.pictures[tile],) if on_table and tile in seen.pictures else ()
    return Contradiction("tile_on_table" if on_table else "tile_twice", tile, seats, (*table, *pictures))


def _holders(tile: Tile, hands: Mapping[Seat, HandSeen]) -> tuple[tuple[Seat, ...], tuple[str, ...]]:
    seats = tuple(seat for seat, hand in hands.items() if tile in hand.tiles)
    return seats, tuple(dict.fromkeys(picture for seat in seats if (picture := hands[seat].picture) is not None))


def pictures_of(entries: Sequence[Json]) -> dict[Tile, str]:
    """From a log: the picture that shows each laid tile best, its cut-out."""
    found: dict[Tile, str] = {}
    for entry in entries:
        if entry.get("event") == "lay" and entry.get("tile"):
            picture = entry.get("crop") or entry.get("after")
            if picture:
                found[Tile(*sorted(entry["tile"]))] = picture
    return found
