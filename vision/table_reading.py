"""A table as read from one photo: a claim with evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from engine.table import LaidTile, Limb, Table, Train
from vision.forest import Ends, Forest
from vision.joins import SIDE
from vision.lines import Line, Tree
from vision.tiles import TileSighting

OF_PHOTO = ("picture_damaged", "blurred")
"""Doubts about the photo, which its tiles have because of it."""


@dataclass(frozen=True, slots=True)
class LayoutOptions:
    """What the caller knows: the set's highest value, and whether sets are mixed.

    `settle`: this picture is all that is known of the table, so values that meet may settle each other, and what lies
    far from every line is not doubted. Who sees more pictures weighs each by itself.
    """

    set_size: int = 12
    mixed: bool = False
    settle: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A doubt or a finding: a code for programs, the tiles meant, values for the sentence; `place_px` in the photo
    where it is about no tile.

    Doubts: `starting_double_unseen`, `starting_double_unclear`, `hub_unclear`, `no_hub`, `gap`, `two_joins`,
    `join_unsure`, `crosswise_not_double`, `free_line`, `loose_or_mexican`, `marker_unclear`, `may_go_on`, `marker_far`,
    `marker_odd`, `marker_maybe`, `markers_unseen`, `tile_beyond`, `back_at_end`, `mirrored`, `mirrored_unclear`, and
    the codes of `vision.tiles.Doubt`. Findings: `ends_differ`, `tile_twice`, `marker_on_mexican`, `not_in_set`.
    """

    code: str
    tile_ids: tuple[int, ...] = ()
    train: str | None = None
    params: dict[str, int | float | str] = field(default_factory=dict)
    place_px: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class LineReading:
    """Tiles outward: their ids and (near, far) values. A limb leaves line `parent` at tile `index`.

    `at_near`: the limb lies against the near half of that tile. `end_px` is the middle of the last tile's outer edge
    in the photo.
    """

    tile_ids: tuple[int, ...] = ()
    tiles: tuple[Ends, ...] = ()
    end_px: tuple[float, float] = (0.0, 0.0)
    parent: int = -1
    index: int = -1
    at_near: bool = False


@dataclass(frozen=True, slots=True)
class TrainReading:
    """One train. `slot` is the direction from the hub in radians clockwise on the table, `None` away from it."""

    id: str
    kind: str
    line: LineReading
    limbs: tuple[LineReading, ...]
    marker: bool
    slot: float | None

    @property
    def all_tile_ids(self) -> Iterator[int]:
        """Ids of the line and of all limbs."""
        yield from self.line.tile_ids
        for limb in self.limbs:
            yield from limb.tile_ids

    @property
    def open_double(self) -> bool:
        """The last tile is a double with nothing against it."""
        if not self.line.tiles:
            return False
        near, far = self.line.tiles[-1]
        last = len(self.line.tiles) - 1
        covered = any(limb.parent == 0 and limb.index == last for limb in self.limbs)
        return near is not None and near == far and not covered

    def named(self, name: str) -> TrainReading:
        """The same train under a name."""
        return replace(self, id=name)


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """A sighting with its id and role: `starting_double`, `train`, `loose` or `face_down`."""

    id: int
    sighting: TileSighting
    role: str


@dataclass(frozen=True, slots=True)
class MarkerReading:
    """A marker and the train whose it is, if any."""

    train: str | None
    sighting: TileSighting


@dataclass(frozen=True, slots=True)
class TableReading:
    """Everything that one photo says about a table. `ms` has one entry a stage."""

    starting_double: int | None
    starting_tile: int | None
    trains: tuple[TrainReading, ...]
    tiles: tuple[PlacedTile, ...]
    markers: tuple[MarkerReading, ...]
    doubts: tuple[Note, ...]
    findings: tuple[Note, ...]
    size_wh: tuple[int, int]
    model_id: str
    ms: dict[str, float]
    hub_px: tuple[float, float] | None = None

    def doubted(self, code: str) -> TableReading:
        """The same with one more doubt, about the picture as a whole."""
        return replace(self, doubts=(*self.doubts, Note(code)))

    def open_end(self, train: TrainReading) -> int | None:
        """What the train asks for; the starting double's value if it has not started."""
        return train.line.tiles[-1][1] if train.line.tiles else self.starting_double

    def tile(self, number: int) -> PlacedTile:
        """The tile with that id."""
        return self.tiles[number]

    def table(self) -> Table | None:
        """The table as the rules package takes it; `None` while a value on it is not read."""
        if self.starting_double is None:
            return None
        trains = []
        for train in self.trains:
            lines = [train.line, *train.limbs]
            if any(value is None for line in lines for ends in line.tiles for value in ends):
                return None
            limbs = tuple(Limb(limb.parent, limb.index, _laid(limb)) for limb in train.limbs)
            trains.append(Train(train.id, _laid(train.line), train.marker, limbs))
        return Table(self.starting_double, tuple(trains))


def _laid(line: LineReading) -> tuple[LaidTile, ...]:
    return tuple(LaidTile(near, far) for near, far in line.tiles if near is not None and far is not None)


def line_readings(forest: Forest, tree: Tree, ends_px: Sequence[tuple[float, float]]) -> list[LineReading]:
    """Lines with values; one empty line for a train that has not started. `ends_px` has one entry a line."""
    if not tree.lines:
        return [LineReading()]
    return [_line_reading(forest, line, end) for line, end in zip(tree.lines, ends_px, strict=True)]


def _line_reading(forest: Forest, line: Line, end_px: tuple[float, float]) -> LineReading:
    tiles: list[Ends] = []
    for position, (tile, near) in enumerate(zip(line.tiles, line.near, strict=True)):
        first, second = forest.ends[tile]
        if near == SIDE and first != second and position > 0:
            # No double, yet crosswise: which half is meant only the values can say.
            near = 1 if second is not None and second == tiles[-1][1] else 0
        tiles.append((second, first) if near == 1 else (first, second))
    return LineReading(tuple(line.tiles), tuple(tiles), end_px, line.parent, line.index, line.at_near)


def asked_before(reading: TrainReading, line: LineReading, position: int, start: int | None) -> int | None:
    """The value that tile `position` of `line` has to meet."""
    if position > 0:
        return line.tiles[position - 1][1]
    if line.parent < 0:
        return start
    lines: Sequence[LineReading] = (reading.line, *reading.limbs)
    near, far = lines[line.parent].tiles[line.index]
    return near if line.at_near else far
