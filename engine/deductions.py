"""What hidden hands turn out to have been (rules matrix, 6.1).

A pass is kept with the ends that were open to the seat. Tiles the seat shows later, by laying them or when
hands are opened, are set against the tiles it has drawn since.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.acts import open_spots
from engine.codes import Code
from engine.doubles import fits
from engine.position import Position
from engine.rules import Rules
from engine.table import Seat, Table
from engine.tile import DominoSet, Pips, Tile


class Proof(enum.StrEnum):
    """What is known about an earlier pass."""

    PROVEN = "proven"
    CLEARED = "cleared"
    UNDETERMINED = "undetermined"


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict on a pass: the codes one of which it must have been, and the tiles that show it."""

    proof: Proof
    seat: Seat
    codes: tuple[Code, ...] = ()
    tiles: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class PassEvidence:
    """A turn that ended for want of a tile, and all that has been seen of the hand since.

    `fitting` are the tiles that would have fitted and were not on the table then. `turn_draws` were drawn
    in that very turn, `later_draws` since. `shown` are tiles of the seat seen since; `complete` when no tile
    of the hand of that moment can still be hidden. `others_drew`: seats that have drawn since, whose opened
    hands therefore say nothing about this moment.
    """

    seat: Seat
    fitting: frozenset[Tile]
    turn_draws: int
    later_draws: int = 0
    shown: tuple[Tile, ...] = ()
    elsewhere: frozenset[Tile] = frozenset()
    complete: bool = False
    others_drew: frozenset[Seat] = frozenset()

    def drew(self, seat: Seat) -> PassEvidence:
        """A seat has drawn a tile that nobody saw."""
        if seat != self.seat:
            return replace(self, others_drew=self.others_drew | {seat})
        return replace(self, later_draws=self.later_draws + 1)

    def showed(self, tiles: Iterable[Tile], complete: bool = False) -> PassEvidence:
        """The seat has laid tiles or opened its hand; `complete` when the whole hand lies open."""
        return replace(self, shown=(*self.shown, *tiles), complete=self.complete or complete)

    def found_elsewhere(self, tiles: Iterable[Tile]) -> PassEvidence:
        """Tiles proven to have been in another hand or in the boneyard then (deduction 5)."""
        return replace(self, elsewhere=self.elsewhere | frozenset(tiles))

    def finding(self, rules: Rules) -> Finding:
        """What follows (deductions 3, 4 and 5).

        More fitting tiles shown than drawn since: at least one was there. The tile drawn in the passing
        turn is no excuse while a drawn tile must be played.
        """
        possible = self.fitting - self.elsewhere
        shown = tuple(tile for tile in dict.fromkeys(self.shown) if tile in possible)
        kept = len(shown) - self.later_draws
        if rules.must_play == "strict" and kept > self.turn_draws:
            return Finding(Proof.PROVEN, self.seat, (Code.MUST_PLAY,), shown)
        if kept > 0 and rules.draw_play == "must":
            if rules.must_play == "strict":
                return Finding(Proof.PROVEN, self.seat, (Code.MUST_PLAY, Code.MUST_PLAY_DRAWN), shown)
            return Finding(Proof.UNDETERMINED, self.seat)
        if not possible or (self.complete and not shown):
            return Finding(Proof.CLEARED, self.seat)
        return Finding(Proof.UNDETERMINED, self.seat)


def pass_evidence(position: Position, rules: Rules, turn_draws: int) -> PassEvidence:
    """Begin a record at the moment before the draw, or at the pass: `position` has the seat to move."""
    ends = {spot.end for spot in open_spots(position, rules, drawn=False) if spot.end is not None}
    return PassEvidence(position.turn.seat, fitting_tiles(position.table, ends, rules), turn_draws)


def fitting_tiles(table: Table, ends: Iterable[Pips], rules: Rules) -> frozenset[Tile]:
    """Tiles that fit one of the ends and are not on the table."""
    on_table = set(table.tiles())
    wanted = tuple(ends)
    return frozenset(
        tile
        for tile in DominoSet(rules.set_size)
        if tile not in on_table
        and any(fits(half, end, rules) for end in wanted for half in (tile.low, tile.high))
    )


@dataclass(frozen=True, slots=True)
class Count:
    """Whether table, hands and boneyard make up the set (deduction 6). A wrong sum is a misread, no foul."""

    twice: tuple[Tile, ...]
    foreign: tuple[Tile, ...]
    missing: tuple[Tile, ...]
    """Tiles that are nowhere; with a boneyard that is not opened, those it may hold."""
    unaccounted: int
    """How many of the missing are not even in the boneyard by count; negative when there are too many."""

    @property
    def adds_up(self) -> bool:
        """Nothing lies twice, nothing is foreign, and the numbers agree."""
        return not self.twice and not self.foreign and self.unaccounted == 0


def conservation(
    table: Table, hands: Mapping[Seat, Sequence[Tile]], boneyard: int | Sequence[Tile], rules: Rules
) -> Count:
    """Set every known tile against the set (deduction 6). `boneyard`: its count, or its tiles if opened."""
    opened = () if isinstance(boneyard, int) else tuple(boneyard)
    hidden = boneyard if isinstance(boneyard, int) else 0
    tiles = Counter([*table.tiles(), *(tile for hand in hands.values() for tile in hand), *opened])
    whole = DominoSet(rules.set_size)
    missing = tuple(tile for tile in whole if tile not in tiles)
    return Count(
        twice=tuple(sorted(tile for tile, count in tiles.items() if count > 1)),
        foreign=tuple(sorted(tile for tile in tiles if tile not in whole)),
        missing=missing,
        unaccounted=len(missing) - hidden,
    )


def scoring_photos(
    records: Iterable[PassEvidence], hands: Mapping[Seat, Sequence[Tile]], rules: Rules
) -> list[Finding]:
    """Audit every kept pass once all hands lie open (deductions 4 and 5).

    A tile in the hand of a seat that has not drawn since was there at the pass already, so no other seat
    held it then.
    """
    found = []
    for record in records:
        others = [
            tile
            for seat, hand in hands.items()
            if seat != record.seat and seat not in record.others_drew
            for tile in hand
        ]
        own = hands.get(record.seat)
        shown = record if own is None else record.showed(own, complete=True)
        found.append(shown.found_elsewhere(others).finding(rules))
    return found
