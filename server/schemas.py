"""What clients may send. Unknown fields and values out of bounds are refused before anything else sees them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

Name = Annotated[str, StringConstraints(strip_whitespace=True, max_length=24)]
SeatLetter = Annotated[str, StringConstraints(pattern=r"^[A-J]$")]
Pips = Annotated[int, Field(ge=0, le=18)]
Points = Annotated[int, Field(ge=0, le=10_000)]
RoundNumber = Annotated[int, Field(ge=1, le=100)]
Version = Annotated[int, Field(ge=0)]
Ends = Annotated[list[Pips], Field(min_length=2, max_length=2)]


class Wish(BaseModel):
    """Base of everything that is sent."""

    model_config = ConfigDict(extra="forbid")


class SeatWish(Wish):
    """A player to seat; seats run clockwise in the order given."""

    name: Name
    colour: Annotated[str, StringConstraints(max_length=12)] = ""
    shape: Annotated[str, StringConstraints(max_length=12)] = ""


class RulesWish(Wish):
    """House rules: a preset and what differs from it."""

    preset: Annotated[str, StringConstraints(max_length=40)] = "published_default"
    changes: Annotated[dict[str, bool | int | str | None], Field(max_length=80)] = {}


class GameWish(RulesWish):
    """A new game."""

    title: Annotated[str, StringConstraints(strip_whitespace=True, max_length=60)] = ""
    seats: Annotated[list[SeatWish], Field(min_length=2, max_length=10)]
    rounds: Annotated[int | None, Field(ge=1, le=100)] = None
    one_phone: bool = False
    mixed: bool = False
    """Two sets are mixed: each tile is there twice."""
    host_seat: SeatLetter | None = None


class LooseWish(Wish):
    """A hand to be counted on its own."""

    set_size: Annotated[int, Field(ge=6, le=18)] = 12
    mixed: bool = False
    double_blank: Annotated[int, Field(ge=0, le=50)] = 0


class CodeWish(Wish):
    """Six letters."""

    code: Annotated[str, StringConstraints(strip_whitespace=True, to_upper=True, min_length=1, max_length=12)]


class JoinWish(CodeWish):
    """Six letters and a seat; without one, to watch."""

    seat: SeatLetter | None = None


class SeatChange(SeatWish):
    """A new name, colour or shape for a seat."""

    id: SeatLetter


class SeatsWish(Wish):
    """Changes of seats."""

    seats: Annotated[list[SeatChange], Field(min_length=1, max_length=10)]
    version: Version


class OrderWish(Wish):
    """All seats in play, clockwise."""

    order: Annotated[list[SeatLetter], Field(min_length=2, max_length=10)]
    version: Version


class PlayerWish(SeatWish):
    """One more player: seated clockwise after `after`, with points for the rounds missed."""

    after: SeatLetter | None = None
    points: Points = 0
    version: Version


class BackWish(Wish):
    """A player who left is back, with points for the rounds missed."""

    points: Points = 0
    version: Version


class SitWish(Wish):
    """A seat to sit on, or none to watch."""

    seat: SeatLetter | None


class ClaimAnswer(Wish):
    """The host's word on somebody who wants an occupied seat."""

    allow: bool


class RulesChange(RulesWish):
    """Other house rules from here on; `mixed` stays as it is unless told."""

    mixed: bool | None = None
    version: Version


class TitleWish(Wish):
    """A new title."""

    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]
    version: Version


class RoundsWish(Wish):
    """How many rounds in all."""

    rounds: Annotated[int, Field(ge=1, le=100)]
    version: Version


class StarterWish(Wish):
    """Who moves first in a round."""

    round: RoundNumber
    seat: SeatLetter
    version: Version


class TileWish(Wish):
    """A tile of a draft. Ids of the reader's tiles are kept; added ones bring their place in the photo."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{1,16}$")]
    ends: Annotated[list[Pips | None], Field(min_length=2, max_length=2)]
    confirmed: bool = False
    at: Annotated[list[Annotated[float, Field(ge=0, le=100_000)]] | None, Field(min_length=2, max_length=2)] = None


class DraftWish(Wish):
    """What a phone shows of a hand."""

    version: Version
    tiles: Annotated[list[TileWish], Field(max_length=190)]
    out: bool = False
    typed: Points | None = None


class AcceptWish(Wish):
    """Put a hand on the sheet. `last`: the tile that ended the round, from who went out."""

    version: Version
    draft_version: Version
    last: Ends | None = None


class VersionWish(Wish):
    """Only the version that was seen."""

    version: Version


class TypedWish(Wish):
    """Typed totals."""

    points: Annotated[dict[SeatLetter, Points], Field(min_length=1, max_length=10)]
    out: Annotated[list[SeatLetter], Field(max_length=10)] = []
    version: Version


class CorrectionWish(Wish):
    """A new number in a round that is written."""

    round: RoundNumber
    seat: SeatLetter
    points: Points
    note: Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)] = ""
    version: Version


class UndoWish(Wish):
    """The version of the change to take back."""

    target: Version


class LineWish(Wish):
    """A hand to find the best first line of."""

    tiles: Annotated[list[Ends], Field(max_length=190)]
    start: Pips
    most: Annotated[str, StringConstraints(pattern=r"^(tiles|pips)$")] = "tiles"


class TableStart(Wish):
    """Begin to follow a round. `who` laid the starting double, or starts where nobody lays it."""

    who: SeatLetter
    double: Pips | None = None
    pre: Annotated[dict[str, Any] | None, Field(max_length=20)] = None
    """The table in the middle of a round, as `judge` takes it."""
    hands: Annotated[dict[SeatLetter, Annotated[int, Field(ge=0, le=190)] | None] | None, Field(max_length=10)] = None
    """With `pre`: how many tiles each hand has, where that was counted."""
    version: Version


TrainName = Annotated[str, StringConstraints(pattern=r"^([A-J]|M([2-9]|1[0-9])?)$")]


class ActWish(Wish):
    """Something that happened at the table."""

    do: Annotated[str, StringConstraints(pattern=r"^(lay|draw|end|call|catch)$")]
    train: TrainName | None = None
    tile: Ends | None = None
    marks: Annotated[list[TrainName] | None, Field(max_length=10)] = None
    seat: SeatLetter | None = None
    by: SeatLetter | None = None
    version: Version

    @model_validator(mode="after")
    def _whole(self) -> ActWish:
        if self.do == "lay" and (self.train is None or self.tile is None):
            raise ValueError("a lay names its train and its tile")
        if self.do == "catch" and (self.seat is None or self.by is None):
            raise ValueError("a catch names who (seat) was caught by whom (by)")
        return self

    def act(self) -> dict[str, Any]:
        """The act as it is kept."""
        return {key: value for key, value in self.model_dump(exclude={"version"}).items() if value is not None}


class TakeBackWish(Wish):
    """The act or turn to take back, by the version of one of its acts."""

    target: Version
    version: Version


class TileRight(Wish):
    """A tile on a train (`was`) is `tile`; the same one twice: it is surely that. `to`: it lies on that train."""

    train: TrainName
    was: Ends
    tile: Ends
    to: TrainName | None = None
    version: Version


class TableChange(Wish):
    """One thing to put right on a train: what was taken for a tile is none (`gone`), a `tile` lies there, `at` so
    many tiles from the hub (at the end unless told), laid by `seat`; or its `marker` stands or does not.
    """

    train: TrainName
    gone: Ends | None = None
    tile: Ends | None = None
    at: Annotated[int | None, Field(ge=0, le=200)] = None
    seat: SeatLetter | None = None
    marker: bool | None = None
    version: Version

    @model_validator(mode="after")
    def _one(self) -> TableChange:
        if sum(one is not None for one in (self.gone, self.tile, self.marker)) != 1:
            raise ValueError("name one of gone, tile and marker")
        return self

    def change(self) -> dict[str, Any]:
        """The change as it is kept."""
        return self.model_dump(exclude={"version"}, exclude_none=True)


class StandWish(Wish):
    """Why a foul is let stand."""

    note: Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)] = ""
    version: Version


class HandShown(Wish):
    """A hand, for the referee only."""

    tiles: Annotated[list[Ends], Field(max_length=190)]


class CameraWish(Wish):
    """Which camera follows the table: one that the server offers, a camera's number, a stream's address, or a page's.

    `page` without a member is the camera of the device that asks.
    """

    kind: Literal["offered", "camera", "address", "page"]
    number: Annotated[int, Field(ge=0, le=20)] | None = None
    address: Annotated[str, StringConstraints(max_length=300)] | None = None
    member: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16}$")] | None = None


class WatchEvent(BaseModel):
    """A line of `watch`; what is not used here may be there too."""

    model_config = ConfigDict(extra="allow")

    event: Annotated[str, StringConstraints(max_length=20)]
    train: TrainName | None = None
    tile: Ends | None = None


Answer = dict[str, Any]
