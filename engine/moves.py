"""What a seat can do: lay a tile, draw, end the turn; and the last-tile call.

A turn is a row of `Play` and `Draw`, always closed by `Pass`. So a long first line, a double with its extra
tile and a plain pass are all told in the same words, and the marker chosen at the end has a place.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.table import LaidTile, Seat, TrainId
from engine.tile import Tile


@dataclass(frozen=True, slots=True)
class Play:
    """Lay a tile at the open end of a train, or at the side of a covered double if `branch_index` is set.

    `line` names the line of the train where it has several: at an end, only where two ask for the same value
    is it needed; for a side line it is the one with the double (none: the line from the hub).
    """

    train: TrainId
    laid: LaidTile
    branch_index: int | None = None
    line: int | None = None
    seat: Seat | None = None

    def __str__(self) -> str:
        if self.branch_index is not None:
            line = "" if self.line is None else f"{self.line}."
            return f"{self.train} side {line}{self.branch_index} {self.laid}"
        line = "" if self.line is None else f" line {self.line}"
        return f"{self.train}{line} {self.laid}"


@dataclass(frozen=True, slots=True)
class Draw:
    """Take a tile from the boneyard; `tile` is `None` when nobody saw which."""

    tile: Tile | None = None
    seat: Seat | None = None

    def __str__(self) -> str:
        return f"draw {self.tile if self.tile is not None else '?'}"


@dataclass(frozen=True, slots=True)
class Pass:
    """End the turn. `marker` says how the own marker stands then, where the rules leave a choice."""

    marker: bool | None = None
    seat: Seat | None = None

    def __str__(self) -> str:
        return "pass" if self.marker is None else f"pass marker {'on' if self.marker else 'off'}"


@dataclass(frozen=True, slots=True)
class Call:
    """Announce that one tile is left [S0-15]."""

    seat: Seat

    def __str__(self) -> str:
        return f"{self.seat} calls"


@dataclass(frozen=True, slots=True)
class Catch:
    """Notice that a seat has forgotten to call; the penalty tiles are `tiles` where they are known."""

    by: Seat
    seat: Seat
    tiles: tuple[Tile, ...] = ()

    def __str__(self) -> str:
        return f"{self.by} catches {self.seat}"


Move = Play | Draw | Pass | Call | Catch
