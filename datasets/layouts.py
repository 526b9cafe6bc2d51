"""Where tiles lie: hands in rows, blocks and heaps, trains round a hub, single tiles, chains.

Unit: one tile length; x right, y down; angles in radians clockwise as seen; a tile's first end points towards
angle + pi.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

FACE_UP, FACE_DOWN, MARKER = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Placement:
    """One thing on the table: a tile, or a marker `length` by `width`."""

    x: float
    y: float
    angle: float
    kind: int = FACE_UP
    ends: tuple[int, int] = (0, 0)
    z: float = 0.0
    length: float = 1.0
    width: float = 0.5


@dataclass(frozen=True, slots=True)
class Area:
    """Half sizes of the visible table, and how many tiles to lay."""

    half_x: float
    half_y: float
    count: int


def outline(place: Placement) -> np.ndarray:
    """Corners (4, 2): first end's left corner when that end is held up, then clockwise."""
    half = np.array([[-0.5, 0.5], [-0.5, -0.5], [0.5, -0.5], [0.5, 0.5]]) * [place.length, place.width]
    cos, sin = math.cos(place.angle), math.sin(place.angle)
    return half @ np.array([[cos, sin], [-sin, cos]]) + [place.x, place.y]


def overlap(a: np.ndarray, b: np.ndarray, slack: float) -> bool:
    """Separating axes of two rectangles; `slack` is how deep they may dig into each other."""
    for polygon in (a, b):
        for index in (0, 1):
            axis = polygon[index + 1] - polygon[index]
            axis = axis / (float(np.hypot(*axis)) + 1e-9)
            first, second = a @ axis, b @ axis
            if first.max() - slack <= second.min() or second.max() - slack <= first.min():
                return False
    return True


class Ground:
    """Keeps what lies already, so that the next thing can be refused where it would overlap."""

    def __init__(self) -> None:
        self.placed: list[Placement] = []
        self._outlines: list[np.ndarray] = []

    def add(self, place: Placement, *, slack: float = 0.03, check: bool = True) -> bool:
        """Lay it if there is room."""
        shape = outline(place)
        if check:
            for other in self._outlines:
                near = np.abs(shape.mean(0) - other.mean(0)).max() < 1.3
                if near and overlap(shape, other, slack):
                    return False
        self.placed.append(place)
        self._outlines.append(shape)
        return True


def _ends(rng: np.random.Generator, top: int) -> tuple[int, int]:
    first = int(rng.integers(0, top + 1))
    return (first, first) if rng.random() < 0.08 else (first, int(rng.integers(0, top + 1)))


def _loose(rng: np.random.Generator, area: Area, top: int, ground: Ground) -> None:
    for _ in range(area.count):
        for _ in range(12):
            x, y = rng.uniform(-1.02, 1.02, 2) * [area.half_x, area.half_y]
            kind = FACE_DOWN if rng.random() < 0.08 else FACE_UP
            if ground.add(Placement(x, y, rng.uniform(0, 2 * math.pi), kind, _ends(rng, top))):
                break


def _block(rng: np.random.Generator, area: Area, top: int, ground: Ground) -> None:
    """Rows and columns as people lay a hand for counting, touching or with gaps, more or less straight."""
    gap = float(rng.choice([0.0, 0.008, 0.03, 0.1, 0.35]))
    columns = int(rng.integers(1, max(2, min(9, area.count) + 1)))
    upright = rng.random() < 0.6
    step = (0.5 + gap, 1.0 + gap) if upright else (1.0 + gap, 0.5 + gap)
    turn = rng.uniform(0, 2 * math.pi) if rng.random() < 0.5 else rng.normal(0, 0.06)
    ox, oy = rng.uniform(-0.3, 0.3, 2) * [area.half_x, area.half_y]
    sloppy = rng.choice([0.004, 0.015, 0.05])
    stagger = rng.normal(0, 0.12) if rng.random() < 0.2 else 0.0
    rows = -(-area.count // columns)
    for index in range(area.count):
        row, column = divmod(index, columns)
        x = (column - (columns - 1) / 2) * step[0] + rng.normal(0, sloppy * 0.4)
        y = (row - (rows - 1) / 2) * step[1] + rng.normal(0, sloppy) + stagger * (column % 2)
        angle = (math.pi / 2 if upright else 0.0) + rng.normal(0, sloppy * (0.3 + gap))
        if rng.random() < 0.5:
            angle += math.pi
        cos, sin = math.cos(turn), math.sin(turn)
        kind = FACE_DOWN if rng.random() < 0.02 else FACE_UP
        place = Placement(ox + x * cos - y * sin, oy + x * sin + y * cos, angle + turn, kind, _ends(rng, top))
        ground.add(place, slack=0.06)


def _heap(rng: np.random.Generator, area: Area, top: int, ground: Ground) -> None:
    """Tiles thrown together, some on top of others."""
    spread = rng.uniform(0.4, 1.0)
    for _ in range(area.count):
        x, y = rng.normal(0, 0.5 * spread, 2) * [area.half_x, area.half_y]
        kind = FACE_DOWN if rng.random() < 0.35 else FACE_UP
        place = Placement(x, y, rng.uniform(0, 2 * math.pi), kind, _ends(rng, top))
        if not ground.add(place) and rng.random() < 0.5:
            ground.add(replace(place, z=0.18), check=False)


@dataclass(slots=True)
class _Head:
    x: float
    y: float
    angle: float
    value: int
    after_double: bool = False


def _grow(rng: np.random.Generator, head: _Head, area: Area, top: int, ground: Ground) -> None:
    """Lay the next tile of a line, values matching, doubles crosswise."""
    double = rng.random() < 0.13 and not head.after_double
    extent = 0.5 if double and rng.random() < 0.85 else 1.0
    turn = float(rng.choice([math.pi / 2, -math.pi / 2])) if rng.random() < 0.12 and not double else 0.0
    angle = head.angle + turn + rng.normal(0, 0.045)
    x0, y0 = head.x, head.y
    if turn:
        x0 += 0.25 * (math.cos(angle) - math.cos(head.angle))
        y0 += 0.25 * (math.sin(angle) - math.sin(head.angle))
    reach = extent / 2 + float(rng.choice([0.0, 0.01, 0.04]))
    x, y = x0 + math.cos(angle) * reach, y0 + math.sin(angle) * reach
    far = head.value if double else int(rng.integers(0, top + 1))
    crosswise = math.pi / 2 if double and extent == 0.5 else 0.0
    if abs(x) > area.half_x * 1.03 or abs(y) > area.half_y * 1.03:
        return
    if ground.add(Placement(x, y, angle + crosswise, FACE_UP, (head.value, far)), slack=0.04):
        head.x, head.y = x + math.cos(angle) * extent / 2, y + math.sin(angle) * extent / 2
        head.angle, head.value, head.after_double = angle, far, double


def _trains(rng: np.random.Generator, area: Area, top: int, ground: Ground) -> None:
    """A hub with up to ten lines, markers at their ends, face-down tiles beside them."""
    lines = int(rng.integers(1, 11))
    cx, cy = rng.uniform(-0.3, 0.3, 2) * [area.half_x, area.half_y]
    start = int(rng.integers(0, top + 1))
    ground.add(Placement(cx, cy, rng.uniform(0, 2 * math.pi), FACE_UP, (start, start)))
    first = rng.uniform(0, 2 * math.pi)
    radius = max(rng.uniform(0.6, 1.2), 0.55 * lines / math.pi)
    heads = []
    for index in range(lines):
        angle = first + 2 * math.pi * index / lines
        heads.append(_Head(cx + math.cos(angle) * radius, cy + math.sin(angle) * radius, angle, start))
    for _ in range(area.count * 3):
        if len(ground.placed) >= area.count:
            break
        _grow(rng, heads[int(rng.integers(lines))], area, top, ground)
    for head in heads:
        if rng.random() < 0.6:
            # Beyond the last tile, or standing on it.
            on_tile = rng.random() < 0.5
            reach = rng.uniform(-0.75, -0.15) if on_tile else 0.4
            x, y = head.x + math.cos(head.angle) * reach, head.y + math.sin(head.angle) * reach
            _marker(rng, ground, x, y, head.angle, height=_TILE_HEIGHT if on_tile else 0.0)
    for _ in range(int(rng.integers(0, 12))):
        x, y = rng.uniform(-1, 1, 2) * [area.half_x, area.half_y]
        ground.add(Placement(x, y, rng.uniform(0, 2 * math.pi), FACE_DOWN))


def _chain(rng: np.random.Generator, area: Area, top: int, ground: Ground) -> None:
    """One line wandering over the table, and a few loose tiles: an ordinary game of dominoes."""
    x, y = rng.uniform(-0.7, 0.7, 2) * [area.half_x, area.half_y]
    head = _Head(x, y, float(rng.integers(4)) * math.pi / 2 + rng.normal(0, 0.2), int(rng.integers(0, top + 1)))
    for _ in range(area.count):
        _grow(rng, head, area, top, ground)
    _loose(rng, replace(area, count=int(rng.integers(0, 6))), top, ground)


_TILE_HEIGHT = 0.18


def _marker(rng: np.random.Generator, ground: Ground, x: float, y: float, angle: float, height: float = 0.0) -> None:
    """A round or a long one, on the table or (with `height`) on a tile."""
    long = rng.random() > 0.55
    length = rng.uniform(0.4, 0.9) if long else rng.uniform(0.14, 0.55)
    width = rng.uniform(0.2, 0.42) if long else length
    place = Placement(x, y, angle, MARKER, z=height, length=length, width=width)
    ground.add(place, slack=0.1, check=height == 0)


_Layout = Callable[[np.random.Generator, Area, int, Ground], None]
_LAYOUTS: tuple[_Layout, ...] = (_loose, _block, _heap, _trains, _chain)
_WEIGHTS = (0.22, 0.28, 0.07, 0.31, 0.12)


def draw_layout(rng: np.random.Generator, area: Area, top: int) -> list[Placement]:
    """Tiles and markers for one picture, in no particular order; values 0 to `top`."""
    ground = Ground()
    if area.count:
        _LAYOUTS[int(rng.choice(len(_LAYOUTS), p=_WEIGHTS))](rng, area, top, ground)
    if rng.random() < 0.4:
        for _ in range(int(rng.integers(1, 8))):
            x, y = rng.uniform(-1, 1, 2) * [area.half_x, area.half_y]
            _marker(rng, ground, float(x), float(y), rng.uniform(0, 2 * math.pi))
    if rng.random() < 0.25:
        _stand_on_some(rng, ground)
    return ground.placed


def _stand_on_some(rng: np.random.Generator, ground: Ground) -> None:
    """Markers on a few of the tiles, anywhere on them."""
    tiles = [place for place in ground.placed if place.kind != MARKER and place.z == 0]
    for tile in tiles[:: max(1, len(tiles) // int(rng.integers(1, 6)))]:
        along, across = rng.uniform(-0.42, 0.42), rng.uniform(-0.15, 0.15)
        cos, sin = math.cos(tile.angle), math.sin(tile.angle)
        x, y = tile.x + along * cos - across * sin, tile.y + along * sin + across * cos
        _marker(rng, ground, x, y, tile.angle + rng.normal(0, 0.3), height=_TILE_HEIGHT)
