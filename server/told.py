"""What a picture says of a round, and what that means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.moves import Play
from engine.table import LaidTile, TrainId
from server.explaining import Account, SeenTurn


@dataclass(frozen=True, slots=True)
class Fresh:
    """A new tile in a line: as read, how surely, and what else it may be."""

    key: int
    line: str
    laid: LaidTile
    confidence: float = 1.0
    options: tuple[tuple[LaidTile, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Blur:
    """What a picture leaves open.

    `markers`: lines whose marker may stand, or be gone, against what was seen; `strange`: something that may be one of
    those was seen and not understood; `blind`: a tile may lie there that nobody could read.
    """

    markers: tuple[str, ...] = ()
    strange: bool = False
    blind: bool = False


PLAIN = Blur()


@dataclass(frozen=True, slots=True)
class Told:
    """What a change means. `tiles` are the new ones as they are now taken to be, with their plays, in laid order.

    `doubt` is why nobody may be accused, as a question: the values were not read surely enough, who acted is open,
    or something was missed.
    """

    accounts: tuple[Account, ...]
    tiles: tuple[tuple[Fresh, Play], ...] = ()
    doubt: str = ""
    explained: bool = True
    flipped: tuple[str, ...] = ()
    """Lines whose marker is taken to stand, or to be gone, against what was seen: only so the rules explain it."""

    proven: tuple[SeenTurn, ...] = ()
    """Lays of earlier pictures, told as undetermined then, that this picture proves to have been against the rules."""

    @property
    def sure(self) -> bool:
        """Somebody may be accused."""
        return not self.doubt


@dataclass(frozen=True, slots=True)
class Scene:
    """What a picture shows: new tiles, all lines with markers, directions of lines."""

    fresh: tuple[Fresh, ...]
    marked: frozenset[str]
    angles: Mapping[str, float | None]

    @property
    def lines(self) -> list[str]:
        """Lines that need an owner to be spoken of."""
        return list(dict.fromkeys([*(tile.line for tile in self.fresh), *sorted(self.marked)]))

    def other(self, names: Sequence[str]) -> Scene:
        """With the markers of these lines the other way round."""
        return replace(self, marked=self.marked ^ frozenset(names))


@dataclass(frozen=True, slots=True)
class Choice:
    """An account with whose lines are whose, and what speaks against it."""

    weight: float
    told: Told
    owners: dict[str, TrainId]
