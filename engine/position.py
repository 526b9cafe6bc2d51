"""A position: the table, and what it does not show - hands, whose turn, what is owed.

The same type serves the game where every tile is known and the table where almost nothing is: what nobody
has seen is `None`, or a tile that counts in a hand without being among its known tiles.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace

from engine.errors import PositionError
from engine.table import LaidTile, Seat, Table, TrainId
from engine.tile import Pips, Tile


@dataclass(frozen=True, slots=True)
class Hand:
    """The tiles of a hand that are known, and how many there are in all (`None`: not known)."""

    tiles: tuple[Tile, ...] = ()
    count: int | None = None

    @classmethod
    def of(cls, tiles: tuple[Tile, ...]) -> Hand:
        """A hand that is wholly known."""
        return cls(tiles, len(tiles))

    @property
    def known(self) -> bool:
        """No tile of the hand is hidden."""
        return self.count == len(self.tiles)

    def with_tile(self, tile: Tile | None) -> Hand:
        """The hand after taking a tile, seen or not."""
        count = None if self.count is None else self.count + 1
        return Hand(self.tiles if tile is None else (*self.tiles, tile), count)

    def without(self, tile: Tile) -> Hand:
        """The hand after laying a tile. Raises `PositionError` if it cannot have been there."""
        count = None if self.count is None else self.count - 1
        if tile in self.tiles:
            place = self.tiles.index(tile)
            return Hand((*self.tiles[:place], *self.tiles[place + 1 :]), count)
        if self.known:
            raise PositionError(f"{tile} is laid, but it is not in the hand ({len(self.tiles)} tiles known)")
        return Hand(self.tiles, count)


@dataclass(frozen=True, slots=True)
class OpenDouble:
    """A double that still waits for tiles: where it lies, its value, and how many it asks for."""

    train: TrainId
    value: Pips
    line: int = 0
    answers: int = 1
    foot: bool = False
    """It asks for toes: the tiles go to its sides, not on in the line."""
    layer: Seat | None = None


class Mode(enum.Enum):
    """How a turn starts (rules matrix, 2.3 and 2.4)."""

    BUILD = "build"
    DUTY = "duty"
    FREE = "free"


class Need(enum.Enum):
    """What the seat to move may or must do next."""

    TILE = "tile"
    SECOND = "second"  # the starter's second tile (W12)
    EXTRA = "extra"  # a tile owed for a double
    MAY_EXTRA = "may_extra"
    DRAWN_EXTRA = "drawn_extra"  # owed, and it has to be drawn (S3-26)
    CLOSE = "close"  # the hand is empty, but its last double is not covered
    LINE = "line"  # the first line may go on
    CHAIN = "chain"  # another open double may be covered
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Lay:
    """A tile laid in this turn."""

    train: TrainId
    laid: LaidTile
    line: int
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """The turn in progress."""

    seat: Seat
    number: int
    mode: Mode
    need: Need = Need.TILE
    lays: tuple[Lay, ...] = ()
    pending: tuple[Tile | None, ...] = ()
    """Drawn since the last lay and still in hand."""
    plays_two: bool = False
    may_build: bool = False
    """An ordinary turn whose first own tile may grow into a line (`first_build_carry`)."""
    called: bool = False

    @property
    def begun(self) -> bool:
        """Something has been laid or drawn."""
        return bool(self.lays or self.pending)

    @property
    def last_double(self) -> Lay | None:
        """The last lay, if it is a double."""
        return self.lays[-1] if self.lays and self.lays[-1].laid.is_double else None


@dataclass(frozen=True, slots=True)
class CallWatch:
    """A seat is down to one tile and has not said so; the window closes with `until`'s turn."""

    seat: Seat
    until: Seat


class RoundEnd(enum.Enum):
    """How a round ends (rules matrix, 2.6)."""

    OUT = "out"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a round. `suspicion`: a live double binds, so somebody must hold a cover."""

    end: RoundEnd
    out: tuple[Seat, ...] = ()
    last: Tile | None = None
    suspicion: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """Everything a round is at one moment. `table` lists a train for every seat, started or not."""

    table: Table
    seats: tuple[Seat, ...]
    turn: Turn
    hands: tuple[Hand, ...]
    boneyard_count: int | None
    boneyard: tuple[Tile, ...] | None = None
    """The face-down tiles in the order they will be drawn, where a program knows them."""
    open_doubles: tuple[OpenDouble, ...] = ()
    firsts: frozenset[Seat] = field(default_factory=frozenset)
    """Seats that have not finished their first turn."""
    turns: tuple[int, ...] = ()
    """Finished turns of each seat."""
    starter: Seat | None = None
    preempted: frozenset[Seat] = field(default_factory=frozenset)
    """Seats whose first turn went on a duty, and who keep their long line."""
    out: tuple[Seat, ...] = ()
    waiting: tuple[tuple[Seat, TrainId, Pips], ...] = ()
    """Empty hands that are out only when their last double is covered (`go_out_on_double`)."""
    passes: tuple[tuple[Seat, bool], ...] = ()
    """Passes since the last lay with nothing left to draw, and whether a marker went on with each."""
    watches: tuple[CallWatch, ...] = ()
    outcome: Outcome | None = None
    version: int = 0

    @property
    def is_over(self) -> bool:
        """The round has ended."""
        return self.outcome is not None

    def hand(self, seat: Seat) -> Hand:
        """A seat's hand."""
        return self.hands[self.seats.index(seat)]

    def with_hand(self, seat: Seat, hand: Hand) -> Position:
        """The position with one hand changed."""
        place = self.seats.index(seat)
        return replace(self, hands=(*self.hands[:place], hand, *self.hands[place + 1 :]))

    def left_of(self, seat: Seat) -> Seat:
        """The next seat clockwise."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def visible_to(self, seat: Seat | None) -> Position:
        """What one seat may see: its own hand; of the others only how many tiles they hold."""
        hands = tuple(
            hand if owner == seat else Hand((), hand.count)
            for owner, hand in zip(self.seats, self.hands, strict=True)
        )
        turn = self.turn
        if turn.seat != seat:
            turn = replace(turn, pending=tuple(None for _ in turn.pending))
        return replace(self, hands=hands, boneyard=None, turn=turn)
