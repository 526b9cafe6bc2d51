"""The table as it is known: every tile with its place and what all readings of it say, the lines, the markers.

A reading of one picture is laid against it: what is known stays known, and only what is new, gone or moved is
told. This module knows tiles and geometry, not rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from engine.table import LaidTile, Table, Train
from vision.evidence import Evidence
from vision.tiles import Points, TileSighting

Array = npt.NDArray[np.float64]

UNSURE = 0.8
ENOUGH_READINGS = 10
"""More readings of a tile than this tell no more."""

Share = Callable[[Points], float | None]
"""How much of a quadrilateral (4, 2) px shows something else than before, 0 to 1; `None` if not known."""


@dataclass(frozen=True, slots=True)
class KnownTile:
    """A tile that lies there. `near_half` is the half of its corners that is nearer the hub."""

    key: int
    corners_px: Points
    evidence: Evidence
    near_half: int = 0
    taken_for: tuple[int, int] | None = None
    """Values that it is taken for; only clear evidence changes them. None: what the evidence says."""
    missed: int = 0
    """Settled pictures in a row in which it was not found where it should be."""

    @property
    def ends(self) -> tuple[int, int]:
        """Values of its halves, in the order of its corners."""
        return self.taken_for or self.evidence.ends

    @property
    def laid(self) -> LaidTile:
        """As it lies in its line."""
        ends = self.ends
        return LaidTile(ends[self.near_half], ends[1 - self.near_half])

    @property
    def values(self) -> tuple[int, int]:
        """Low, high."""
        low, high = sorted(self.ends)
        return low, high

    @property
    def centre_px(self) -> Array:
        """Mean of the corners."""
        return np.asarray(self.corners_px.mean(0), np.float64)

    def far_edge_px(self, crosswise: bool, before_px: Array) -> Array:
        """The middle of the edge where the line goes on."""
        corners = np.asarray(self.corners_px, np.float64)
        if crosswise:
            sides = [(corners[1] + corners[2]) / 2, (corners[3] + corners[0]) / 2]
            apart = [float(np.hypot(*(side - before_px))) for side in sides]
            return np.asarray(sides[int(np.argmax(apart))])
        ends = [(corners[0] + corners[1]) / 2, (corners[2] + corners[3]) / 2]
        return np.asarray(ends[1 - self.near_half])


@dataclass(frozen=True, slots=True)
class KnownLine:
    """A train: the keys of its tiles outward. `angle` is its direction from the hub in the picture, radians."""

    name: str
    keys: tuple[int, ...] = ()
    angle: float | None = None
    marker: Points | None = None
    marker_missed: int = 0
    marker_sure: float = 1.0
    """How surely it was seen where it stands."""
    maybe: bool = False
    """Something came to its end that was not understood: a marker, perhaps."""
    waited: int = 0
    """Looks in which tiles behind a hole in it were kept back."""


@dataclass(frozen=True, slots=True)
class NewTile:
    """A tile that was not there before, where it lies, and what else it may be."""

    key: int
    line: str
    index: int
    laid: LaidTile
    confidence: float
    options: tuple[tuple[LaidTile, float], ...]
    late: bool = False
    """It lies between tiles that were known before it: an earlier picture missed it."""
    overlooked: bool = False
    """Its place had not changed since the look before: that one may have missed it too."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What a settled reading changed. Keys of tiles, names of lines."""

    new: tuple[NewTile, ...] = ()
    gone: tuple[KnownTile, ...] = ()
    moved: tuple[int, ...] = ()
    corrected: tuple[tuple[int, LaidTile], ...] = ()
    marked: tuple[str, ...] = ()
    unmarked: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    """Lines whose marker may stand, or be gone, against what was seen."""
    strange: bool = False
    """Something came to the end of a line that was not understood: perhaps the marker of one that is unsure."""
    blind: bool = False
    """Something as large as a tile changed, now or in the look before, and was not read."""
    merged: tuple[tuple[str, str], ...] = ()
    """Lines that turned out to be the end of others: their names, and those of the others."""
    held: tuple[Points, ...] = ()
    """Tiles kept back because there is a hole before them, and things as large as a tile that were not read."""

    @property
    def any(self) -> bool:
        """Something that may be a move."""
        tiles = self.new or self.gone or self.corrected or self.merged or self.moved
        return bool(tiles or self.marked or self.unmarked)


@dataclass(frozen=True, slots=True)
class Board:
    """Everything known. Frozen: each settled picture gives a new one, so going back is keeping the old one."""

    tiles: dict[int, KnownTile] = field(default_factory=dict)
    lines: dict[str, KnownLine] = field(default_factory=dict)
    start: int | None = None
    hub_px: tuple[float, float] | None = None
    next_key: int = 0
    started: int = 0
    """Lines at the hub that were ever named."""
    blind: bool = False
    """Something as large as a tile changed in the last look and was not read."""

    @property
    def starting_double(self) -> int | None:
        """Its value."""
        return None if self.start is None else self.tiles[self.start].ends[0]

    @property
    def tile_px(self) -> float:
        """Length of a tile."""
        if not self.tiles:
            return 60.0
        lengths = [float(np.linalg.norm(tile.corners_px[2] - tile.corners_px[1])) for tile in self.tiles.values()]
        return float(np.median(lengths))

    def line_of(self, key: int) -> tuple[str, int] | None:
        """The line that a tile lies in, and where."""
        for line in self.lines.values():
            if key in line.keys:
                return line.name, line.keys.index(key)
        return None

    def end_px(self, name: str) -> Array | None:
        """Where the line goes on."""
        keys = self.lines[name].keys
        if not keys:
            return None
        last = self.tiles[keys[-1]]
        if len(keys) > 1:
            before = self.tiles[keys[-2]].centre_px
        else:
            before = np.array(self.hub_px) if self.hub_px is not None else last.centre_px - 1
        along = np.asarray(last.corners_px[2] - last.corners_px[1], np.float64)
        across = abs(float(along @ (last.centre_px - before))) < 0.5 * float(
            np.linalg.norm(along) * np.linalg.norm(last.centre_px - before)
        )
        return last.far_edge_px(across and last.laid.is_double, before)

    @property
    def doubtful(self) -> list[Points]:
        """Tiles whose values more readings may settle: those read unsurely, and both sides of a join that differs.

        Those read least often come first.
        """
        keys = [key for key, tile in self.tiles.items() if tile.evidence.confidence < UNSURE]
        for line in self.lines.values():
            for one, other in pairwise(line.keys):
                if self.tiles[one].laid.far != self.tiles[other].laid.near:
                    keys += [one, other]
        times = {key: self.tiles[key].evidence.readings for key in sorted(set(keys))}
        worth = [key for key in sorted(times, key=times.__getitem__) if times[key] < ENOUGH_READINGS]
        return [self.tiles[key].corners_px for key in worth]

    def slot_px(self, name: str) -> Array:
        """Where a marker of the line would stand: at its end, or a little off the hub where it has not begun."""
        end = self.end_px(name)
        if end is not None:
            return end
        angle = self.lines[name].angle or 0.0
        hub = np.zeros(2) if self.hub_px is None else np.array(self.hub_px)
        return np.asarray(hub + 1.5 * self.tile_px * np.array([np.cos(angle), np.sin(angle)]))

    def table(self, owners: dict[str, str] | None = None) -> Table | None:
        """As the rules package takes it; lines named by `owners` where they have one."""
        start = self.starting_double
        if start is None:
            return None
        names = owners or {}
        trains = tuple(
            Train(names.get(line.name, line.name), tuple(self.tiles[key].laid for key in line.keys),
                  line.marker is not None)
            for line in self.lines.values()
        )
        return Table(start, trains)

    def with_tile(self, tile: KnownTile) -> Board:
        """A tile changed or added."""
        return replace(self, tiles={**self.tiles, tile.key: tile})

    def with_line(self, line: KnownLine) -> Board:
        """A line changed or added."""
        return replace(self, lines={**self.lines, line.name: line})

    def without_tile(self, key: int) -> Board:
        """A tile taken away, also from its line."""
        tiles = {other: tile for other, tile in self.tiles.items() if other != key}
        lines = {
            name: replace(line, keys=tuple(other for other in line.keys if other != key))
            for name, line in self.lines.items()
        }
        return replace(self, tiles=tiles, lines=lines, start=None if self.start == key else self.start)


def flipped(tile_px: Points, seen_px: Points) -> bool:
    """The sighting's first half lies where the tile's second does."""
    first = (tile_px[0] + tile_px[1]) / 2
    ends = (seen_px[0] + seen_px[1]) / 2, (seen_px[2] + seen_px[3]) / 2
    return bool(np.hypot(*(first - ends[1])) < np.hypot(*(first - ends[0])))


def half_of(sighting: TileSighting, laid: LaidTile, towards_px: Array) -> int:
    """Which half of a sighting is the near one: by its values, or where they are equal by where it lies."""
    first, second = sighting.ends
    if first != second and (first, second) == (laid.near, laid.far):
        return 0
    if first != second and (second, first) == (laid.near, laid.far):
        return 1
    corners = np.asarray(sighting.corners_px, np.float64)
    ends = (corners[0] + corners[1]) / 2, (corners[2] + corners[3]) / 2
    return int(np.hypot(*(ends[1] - towards_px)) < np.hypot(*(ends[0] - towards_px)))
