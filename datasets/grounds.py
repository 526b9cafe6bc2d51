"""Table tops, made from noise: wood, cloth, felt, leather, stone, prints and plain ones.

Every function returns BGR float32 (side, side, 3), 0 to 255.
"""

from __future__ import annotations

import itertools
import math

import cv2
import numpy as np


def _noise(rng: np.random.Generator, side: int, cells_x: int, cells_y: int, channels: int = 1) -> np.ndarray:
    """Smooth noise around 0 with deviation about 1, shape (side, side, channels)."""
    small = rng.normal(0, 1, (max(2, cells_y), max(2, cells_x), channels)).astype(np.float32)
    large = cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC)
    return large.reshape(side, side, channels)


def _base(rng: np.random.Generator) -> np.ndarray:
    """A plausible table colour, BGR."""
    kind = rng.choice(["dark", "wood", "grey", "any", "light"], p=[0.25, 0.25, 0.15, 0.2, 0.15])
    if kind == "dark":
        return rng.uniform(3, 55) * rng.uniform(0.7, 1.2, 3)
    if kind == "wood":
        level = rng.uniform(70, 220)
        return np.array([level * rng.uniform(0.3, 0.65), level * rng.uniform(0.6, 0.8), level])
    if kind == "grey":
        return rng.uniform(60, 200) * rng.uniform(0.93, 1.07, 3)
    if kind == "light":
        return rng.uniform(200, 250) * rng.uniform(0.9, 1.02, 3)
    return rng.uniform(10, 240, 3)


def _wood(rng: np.random.Generator, side: int) -> np.ndarray:
    base = _base(rng)
    y = np.linspace(0, rng.uniform(2, 9), side, dtype=np.float32)[:, None]
    warp = _noise(rng, side, 3, 5)[..., 0] * rng.uniform(0.05, 0.5)
    rings = np.sin((y + warp) * rng.uniform(4, 30) * 2) * 0.5 + 0.5
    fibre = _noise(rng, side, 12, side // 2)[..., 0]
    shade = 1 + rng.uniform(0.03, 0.22) * (rings - 0.5) + rng.uniform(0.01, 0.06) * fibre
    board = int(rng.integers(2, 7))
    if rng.random() < 0.4:
        edges = np.linspace(0, side, board + 1).astype(int)
        for start, stop in itertools.pairwise(edges):
            shade[start:stop] *= rng.uniform(0.85, 1.15)
            shade[max(0, start - 1) : start + 1] *= 0.6
    return base * shade[..., None]


def _plain(rng: np.random.Generator, side: int) -> np.ndarray:
    shade = 1 + rng.uniform(0, 0.06) * _noise(rng, side, 4, 4) + rng.uniform(0, 0.05) * _noise(rng, side, 90, 90)
    return _base(rng) * shade


def _cloth(rng: np.random.Generator, side: int) -> np.ndarray:
    x = np.arange(side, dtype=np.float32)
    period = rng.uniform(2.5, 9)
    weave = np.sin(x * 2 * math.pi / period)
    shade = (
        1
        + rng.uniform(0.02, 0.14) * weave[:, None] * weave[None]
        + rng.uniform(0.02, 0.09) * _noise(rng, side, 160, 160)[..., 0]
    )
    folds = _noise(rng, side, 3, 5)[..., 0]
    shade = shade * (1 + rng.uniform(0, 0.14) * folds)
    return _base(rng) * shade[..., None]


def _leather(rng: np.random.Generator, side: int) -> np.ndarray:
    cracks = np.abs(_noise(rng, side, 45, 45)[..., 0]) + 0.5 * np.abs(_noise(rng, side, 90, 90)[..., 0])
    shade = 0.75 + rng.uniform(0.05, 0.35) * cracks + rng.uniform(0.05, 0.4) * _noise(rng, side, 3, 3)[..., 0]
    return _base(rng) * 0.6 * np.clip(shade, 0.1, 2)[..., None]


def _cells(rng: np.random.Generator, side: int) -> np.ndarray:
    """Bright islands between dark cracks, or the reverse: grained leather under a lamp, gravel, knitting, bark."""
    count = int(rng.integers(150, 6000))
    seeds = np.full((side, side), 255, np.uint8)
    seeds[rng.integers(0, side, count), rng.integers(0, side, count)] = 0
    apart = cv2.distanceTransform(seeds, cv2.DIST_L2, 3)
    island = np.clip(1.3 - apart / (apart.mean() * 2.0), 0, 1) ** rng.uniform(0.5, 2.0)
    if rng.random() < 0.3:
        island = 1 - island
    stretch = cv2.warpAffine(
        island.astype(np.float32),
        np.array([[1, 0, 0], [0, rng.uniform(0.5, 1.0), 0]], np.float32),
        (side, side),
        borderMode=cv2.BORDER_REFLECT,
    )
    relief = 1 + rng.uniform(0.2, 0.8) * _noise(rng, side, 40, 40)[..., 0] + 0.3 * _noise(rng, side, 4, 4)[..., 0]
    shade = rng.uniform(0.05, 0.5) + rng.uniform(0.3, 1.2) * stretch * np.clip(relief, 0.1, 2.5)
    return _base(rng) * shade[..., None]


def _stone(rng: np.random.Generator, side: int) -> np.ndarray:
    veins = np.exp(-np.abs(_noise(rng, side, 5, 5) + 0.5 * _noise(rng, side, 14, 14)) * rng.uniform(4, 14))
    speckle = _noise(rng, side, side // 3, side // 3, 3) * rng.uniform(0, 22)
    return _base(rng) * (1 - rng.uniform(0.05, 0.5) * veins) + speckle


def _checks(rng: np.random.Generator, side: int) -> np.ndarray:
    cells = int(rng.integers(4, 26))
    index = (np.arange(side) * cells // side) % 2
    mode = rng.random()
    if mode < 0.4:
        pattern = (index[:, None] ^ index[None]).astype(np.float32)
    elif mode < 0.7:
        pattern = (index[:, None] + index[None]).astype(np.float32) / 2
    else:
        pattern = np.broadcast_to(index[:, None], (side, side)).astype(np.float32)
    first, second = _base(rng), _base(rng)
    image = first + (second - first) * pattern[..., None]
    return image * (1 + 0.03 * _noise(rng, side, 120, 120))


def _print(rng: np.random.Generator, side: int) -> np.ndarray:
    """A printed cloth or rug: flowers, dots, rings, blotches."""
    image = np.ascontiguousarray(np.broadcast_to(_base(rng), (side, side, 3)), np.float32)
    colours = [_base(rng) for _ in range(4)]
    regular = rng.random() < 0.5
    step = int(rng.integers(24, 130))
    spots = (
        [(x, y) for x in range(0, side, step) for y in range(0, side, step)]
        if regular
        else [tuple(rng.integers(0, side, 2)) for _ in range(int(rng.integers(20, 160)))]
    )
    petals = int(rng.integers(0, 8))
    radius = step * rng.uniform(0.08, 0.4)
    for number, (x, y) in enumerate(spots[:700]):
        colour = colours[number % 4].tolist()
        centre = (int(x), int(y))
        if petals < 3:
            cv2.circle(
                image, centre, max(1, int(radius)), colour, -1 if petals else max(1, int(radius * 0.3)), cv2.LINE_AA
            )
        else:
            for k in range(petals):
                angle = 2 * math.pi * k / petals
                place = (int(x + radius * math.cos(angle)), int(y + radius * math.sin(angle)))
                cv2.circle(image, place, max(1, int(radius * 0.45)), colour, -1, cv2.LINE_AA)
    return image * (1 + 0.04 * _noise(rng, side, 100, 100))


def _blotches(rng: np.random.Generator, side: int) -> np.ndarray:
    """Many scales of coloured noise: carpet, bedspread, grass, anything."""
    image = np.broadcast_to(_base(rng), (side, side, 3)).astype(np.float32)
    for cells in (3, 9, 28, 90, side // 3):
        image = image + _noise(rng, side, cells, cells, 3 if rng.random() < 0.4 else 1) * rng.uniform(0, 22)
    return image


_MAKERS = (_wood, _plain, _cloth, _leather, _cells, _stone, _checks, _print, _blotches)
_WEIGHTS = (0.24, 0.22, 0.13, 0.04, 0.08, 0.06, 0.06, 0.09, 0.08)


def make_ground(rng: np.random.Generator, side: int = 1024) -> np.ndarray:
    """One table top, BGR float32 (side, side, 3), 0 to 255."""
    maker = _MAKERS[int(rng.choice(len(_MAKERS), p=_WEIGHTS))]
    return np.clip(maker(rng, side), 0, 255).astype(np.float32)


class GroundBank:
    """A few table tops kept for reuse, because making one costs more than everything else in a picture."""

    def __init__(self, rng: np.random.Generator, count: int = 24, side: int = 1024) -> None:
        self._grounds = [make_ground(rng, side).astype(np.uint8) for _ in range(count)]
        self._side = side

    def renew(self, rng: np.random.Generator) -> None:
        """Replace one of the kept tops."""
        self._grounds[int(rng.integers(len(self._grounds)))] = make_ground(rng, self._side).astype(np.uint8)

    def draw(self, rng: np.random.Generator, width: int, height: int) -> np.ndarray:
        """A piece of one of them, turned and scaled at random; BGR uint8 (height, width, 3)."""
        ground = self._grounds[int(rng.integers(len(self._grounds)))]
        scale = max(width, height) / self._side * math.exp(rng.uniform(-0.3, 1.3))
        angle = rng.uniform(0, 2 * math.pi)
        cos, sin = scale * math.cos(angle), scale * math.sin(angle)
        centre = rng.uniform(0.2, 0.8, 2) * self._side
        matrix = np.array([[cos, -sin, 0], [sin, cos, 0]], np.float32)
        matrix[:, 2] = np.array([width / 2, height / 2]) - matrix[:, :2] @ centre
        flags = cv2.INTER_AREA if scale < 0.7 else cv2.INTER_LINEAR
        piece = cv2.warpAffine(ground, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REFLECT_101)
        return np.asarray(piece)
