"""Laying a whole game: a hub, its trains, the Mexican train, as geometry and values with exact truth.

Unit: one tile length; x right, y down; angles in radians clockwise as seen; see `datasets.layouts.Placement`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from datasets.layouts import FACE_UP, Placement, outline, overlap

Inside = Callable[[np.ndarray], bool]
"""True if all points (n, 2) of the table are in the picture."""


@dataclass(slots=True)
class Line:
    """Tiles in order from the hub: numbers of placements, and (near, far) values."""

    ids: list[int] = field(default_factory=list)
    tiles: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class Limb:
    """A toe: leaves the double at `index` of the train's line."""

    index: int
    line: Line


@dataclass(slots=True)
class LaidTrain:
    """One train. `angle` is its slot's direction from the hub; `kind` is `personal` or `mexican`."""

    kind: str
    at_hub: bool
    angle: float
    line: Line = field(default_factory=Line)
    limbs: list[Limb] = field(default_factory=list)
    marker: int | None = None


@dataclass(slots=True)
class Habits:
    """How the players of one table lay tiles. Angles in radians, lengths in tile lengths."""

    width: float
    wobble: float
    bend: float
    gap: float
    clearance: float
    front: float
    turn: float
    crosswise: float
    doubles: float
    toes: float


def draw_habits(rng: np.random.Generator, width: float, *, toes: float) -> Habits:
    """Neat, ordinary or careless players."""
    careless = float(rng.choice([0.3, 1.0, 1.7], p=[0.3, 0.5, 0.2]))
    return Habits(
        width=width,
        wobble=0.045 * careless,
        bend=float(rng.normal(0, 0.07)) if rng.random() < 0.4 else 0.0,
        gap=0.035 * careless,
        clearance=float(rng.uniform(0.06, 0.3)),
        front=float(rng.uniform(0.15, 0.5)),
        turn=float(rng.choice([0.02, 0.08, 0.2])),
        crosswise=float(rng.choice([0.8, 0.97])),
        doubles=float(rng.uniform(0.08, 0.25)),
        toes=toes,
    )


@dataclass(slots=True)
class Head:
    """An open end: its middle, the direction outward, its value, and the tile it belongs to.

    A line with `away` = (x, y, radius) keeps out of that circle.
    """

    x: float
    y: float
    angle: float
    value: int
    tile: int
    crosswise: bool = False
    bend: float = 0.0
    first: bool = False
    away: tuple[float, float, float] | None = None

    def ahead(self, along: float, across: float = 0.0) -> tuple[float, float]:
        """The point `along` outward and `across` to the right (as seen) of the end."""
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return self.x + along * cos - across * sin, self.y + along * sin + across * cos


class Felt:
    """What lies on the table, in a grid, so that asking for room costs the same on a full table."""

    def __init__(self, inside: Inside) -> None:
        self.places: list[Placement] = []
        self._inside = inside
        self._shapes: list[np.ndarray] = []
        self._cells: dict[tuple[int, int], list[int]] = {}
        self._kept: dict[int, np.ndarray] = {}

    def add(self, place: Placement) -> int:
        """Lay it without asking; returns its number."""
        self.places.append(place)
        self._shapes.append(outline(place))
        self._cells.setdefault((math.floor(place.x / 1.5), math.floor(place.y / 1.5)), []).append(len(self.places) - 1)
        return len(self.places) - 1

    def keep(self, key: int, head: Head | None, length: float, width: float) -> None:
        """Keep a strip before an open end clear; one strip a key, `None` gives it up."""
        self._kept.pop(key, None)
        if head is not None:
            x, y = head.ahead(length / 2 + 0.01)
            self._kept[key] = outline(Placement(x, y, head.angle, length=length, width=width))

    def near(self, x: float, y: float) -> list[int]:
        """Numbers of what lies within one and a half of the point, and some more."""
        column, row = math.floor(x / 1.5), math.floor(y / 1.5)
        cells = [(column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        return [number for cell in cells for number in self._cells.get(cell, ())]

    def free(
        self, place: Placement, clearance: float, *, touching: int | None = None, key: int | None = None
    ) -> bool:
        """True if it is in the picture and `clearance` away from all else.

        Tile number `touching` may be touched, and the strip kept under `key` may be entered.
        """
        shape = outline(place)
        if not self._inside(shape):
            return False
        for number in self.near(place.x, place.y):
            slack = 0.035 if number == touching else -clearance
            if overlap(shape, self._shapes[number], slack):
                return False
        return not any(overlap(shape, kept, 0.0) for name, kept in self._kept.items() if name != key)

    def near_rim(self, point: tuple[float, float]) -> bool:
        """True if a tile's length around the point is not all in the picture."""
        around = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]])
        return not self._inside(around + np.array(point))


class Box:
    """The tiles that nobody has laid yet: one of each pair of 0..size."""

    def __init__(self, rng: np.random.Generator, size: int) -> None:
        self.left = {(a, b) for a in range(size + 1) for b in range(a, size + 1)}
        self.laid: list[tuple[int, int]] = []
        self._rng = rng

    def _pick(self, some: list[tuple[int, int]]) -> tuple[int, int] | None:
        return some[int(self._rng.integers(len(some)))] if some else None

    def take(self, tile: tuple[int, int]) -> tuple[int, int]:
        """Take that one."""
        self.left.discard((min(tile), max(tile)))
        self.laid.append((min(tile), max(tile)))
        return tile

    def matching(self, value: int, *, double: bool) -> tuple[int, int] | None:
        """Some tile that shows `value`, as (value, other)."""
        some = sorted(t for t in self.left if value in t and (t[0] == t[1]) == double)
        tile = self._pick(some)
        return None if tile is None else (value, tile[1] if tile[0] == value else tile[0])

    def unlike(self, value: int) -> tuple[int, int] | None:
        """Some tile that does not show `value` and is no double."""
        return self._pick(sorted(t for t in self.left if value not in t and t[0] != t[1]))

    def again(self, value: int) -> tuple[int, int] | None:
        """Some tile laid before that shows `value` and is no double, as (value, other)."""
        tile = self._pick(sorted(t for t in set(self.laid) if value in t and t[0] != t[1]))
        return None if tile is None else (value, tile[1] if tile[0] == value else tile[0])


def _tries(rng: np.random.Generator, habits: Habits, felt: Felt, head: Head) -> list[float]:
    """Turns to try for the next tile, the likeliest first; quarter turns early where the rim is near."""
    if head.first:  # at the hub tiles point outward
        return [0.0, 0.0, 0.12, -0.12, 0.25, -0.25]
    quarter = [math.pi / 2, -math.pi / 2]
    if rng.random() < 0.5:
        quarter.reverse()
    straight = [0.0, 0.0, 0.2, -0.2, 0.45, -0.45]
    early = rng.random() < (0.7 if felt.near_rim(head.ahead(0.8)) else habits.turn)
    return [*quarter, *straight] if early else [*straight, *quarter]


def _straight(
    rng: np.random.Generator, habits: Habits, head: Head, turn: float, across: bool
) -> tuple[Placement, float]:
    """The next tile in line (or crosswise), and the direction of the line after it."""
    turn = turn if across else turn + head.bend
    angle = head.angle + turn + rng.normal(0, habits.wobble)
    gap = abs(rng.normal(0, habits.gap))
    half = habits.width / 2 if across else 0.5
    # The near edge touches the last tile with its inner corner, so a bend needs some room.
    touching = (0.5 if across else habits.width / 2) * abs(math.sin(angle - head.angle))
    reach = gap + min(touching, 0.14) + half
    side = rng.normal(0, habits.gap * (1.5 if across else 0.7))
    x, y = head.ahead(0.0, side)
    x, y = x + math.cos(angle) * reach, y + math.sin(angle) * reach
    return Placement(x, y, angle + (math.pi / 2 if across else 0.0), width=habits.width), angle


def _corner(rng: np.random.Generator, habits: Habits, head: Head, turn: float) -> tuple[Placement, float]:
    """The next tile at a right angle: beside the last half, or across the last end."""
    angle = head.angle + turn + rng.normal(0, habits.wobble)
    gap, sign = abs(rng.normal(0, habits.gap)), math.copysign(1.0, turn)
    if head.crosswise:  # the line turns at a double: out by the double's own end
        x, y = head.ahead(-habits.width / 2 + rng.normal(0, habits.gap), sign * (1.0 + gap))
    elif rng.random() < 0.6:  # its end against the side of the last half
        x, y = head.ahead(-0.25 + rng.normal(0, habits.gap), sign * (habits.width / 2 + gap + 0.5))
    else:  # its first half's side against the last end
        x, y = head.ahead(habits.width / 2 + gap, sign * 0.25 + rng.normal(0, habits.gap))
    return Placement(x, y, angle, width=habits.width), angle


def _propose(
    rng: np.random.Generator, habits: Habits, head: Head, turn: float, double: bool
) -> tuple[Placement, float, bool]:
    """A place for the next tile, the line's direction after it, and whether it lies crosswise."""
    if abs(turn) > 1 and not double:
        return *_corner(rng, habits, head, turn), False
    across = double and rng.random() < habits.crosswise
    return *_straight(rng, habits, head, 0.0 if abs(turn) > 1 else turn, across), across


def lay_next(
    rng: np.random.Generator, habits: Habits, felt: Felt, head: Head, tile: tuple[int, int], key: int
) -> Head | None:
    """Lay `tile` (near, far) at the head, wherever there is room; returns the new head, or `None`.

    `key` names the line: the strip before its end is kept clear.
    """
    for turn in _tries(rng, habits, felt, head):
        place, angle, across = _propose(rng, habits, head, turn, tile[0] == tile[1])
        if head.away and math.hypot(place.x - head.away[0], place.y - head.away[1]) < head.away[2]:
            continue
        if not felt.free(place, habits.clearance, touching=head.tile, key=key):
            continue
        half = habits.width / 2 if across else 0.5
        end = place.x + math.cos(angle) * half, place.y + math.sin(angle) * half
        flip = rng.random() < 0.5
        number = felt.add(
            Placement(
                place.x,
                place.y,
                place.angle + (math.pi if flip else 0.0),
                FACE_UP,
                tile[::-1] if flip else tile,
                width=habits.width,
            )
        )
        after = Head(*end, angle, tile[1], number, across, head.bend, away=head.away)
        felt.keep(key, after, habits.front, habits.width)
        return after
    return None
