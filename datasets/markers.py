"""Markers as players use them: coins, buttons, beads, pawns, cubes, figures, toy trains and their wagons.

Each is a few solids stacked on its place on the table, seen from where the camera is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from datasets.clutter import soft_shadow

Colour = tuple[float, ...]

_DARK: Colour = (25.0, 25.0, 25.0)
_METALS: tuple[Colour, ...] = ((70.0, 130.0, 190.0), (175.0, 180.0, 180.0), (60.0, 190.0, 220.0))
_LIKE_AROUND = 0.06
"""Chance that a marker has a colour of what it stands on, of the pips, the tile or the table: players choose some that
they can see, but not all of them with care.
"""


@dataclass(frozen=True, slots=True)
class _View:
    """Where the points of one marker come to lie: lengths along and across are its own, heights its thickness."""

    middle: np.ndarray
    along: np.ndarray
    across: np.ndarray
    lift: np.ndarray

    @classmethod
    def of(cls, quad: np.ndarray, top: np.ndarray) -> _View:
        """From the corners (4, 2) px of its foot and of its upper side."""
        along, across = (quad[2] - quad[1] + quad[3] - quad[0]) / 2, (quad[0] - quad[1] + quad[3] - quad[2]) / 2
        return cls(quad.mean(0), along, across, top.mean(0) - quad.mean(0))

    def at(self, outline: np.ndarray, height: float) -> np.ndarray:
        """Points (n, 2) from -0.5 to 0.5 along and across, to px (n, 2) int32."""
        px = self.middle + outline[:, :1] * self.along + outline[:, 1:] * self.across + height * self.lift
        return np.round(px).astype(np.int32)


@dataclass(frozen=True, slots=True)
class _Brush:
    rng: np.random.Generator
    image: np.ndarray
    view: _View

    def flat(self, outline: np.ndarray, height: float, colour: Colour) -> None:
        """A painted area at a height."""
        cv2.fillPoly(self.image, [self.view.at(outline, height)], colour, cv2.LINE_AA)

    def solid(self, outline: np.ndarray, low: float, high: float, colour: Colour) -> None:
        """An upright solid from one height to another; its sides are darker than its upper face."""
        steps = 2 + int(np.hypot(*self.view.lift) * (high - low) / 1.5)
        for height in np.linspace(low, high, min(steps, 12)):
            self.flat(outline, float(height), shade(colour, 0.55))
        self.flat(outline, high, colour)

    def any_colour(self) -> Colour:
        """Of any hue."""
        return tuple(float(channel) for channel in self.rng.uniform(0, 255, 3))


def shade(colour: Colour, factor: float) -> Colour:
    """Lighter or darker."""
    return tuple(min(255.0, channel * factor) for channel in colour)


def paint_marker(
    rng: np.random.Generator, image: np.ndarray, quad: np.ndarray, top: np.ndarray, pale: float = 0.0
) -> None:
    """A marker whose foot is `quad` (4, 2) px and whose upper side is `top` (4, 2); `image` is painted in place.

    `pale` is the chance of a colour that is hardly another than that of what it stands on, to learn from.
    """
    brush = _Brush(rng, image, _View.of(quad, top))
    drawn = rng.random()
    colour = _like_around(brush) if drawn < _LIKE_AROUND + pale else brush.any_colour()
    if _LIKE_AROUND <= drawn < _LIKE_AROUND + pale:
        share = float(rng.uniform(0.1, 0.6))
        colour = tuple(a + share * (b - a) for a, b in zip(colour, brush.any_colour(), strict=True))
    length, width = np.linalg.norm(brush.view.along), np.linalg.norm(brush.view.across)
    is_round = max(length, width) < 1.15 * min(length, width)
    foot = _circle(0.5) if is_round else _rectangle(-0.5, 0.5, 0.5)
    soft_shadow(image, np.vstack([brush.view.at(foot, 0.0), brush.view.at(foot, 1.0)]), float(rng.uniform(0.2, 0.6)))
    shapes, chances = (_SMALL, _SMALL_CHANCES) if is_round else (_LONG, _LONG_CHANCES)
    shapes[int(rng.choice(len(shapes), p=chances))](brush, colour)


def _like_around(brush: _Brush) -> Colour:
    reach = brush.rng.uniform(-0.9, 0.9, 2)
    x, y = brush.view.middle + reach[0] * brush.view.along + reach[1] * brush.view.across
    height, width = brush.image.shape[:2]
    pixel = brush.image[int(np.clip(y, 0, height - 1)), int(np.clip(x, 0, width - 1))]
    return tuple(float(channel) for channel in pixel)


def _circle(radius: float, u: float = 0.0, v: float = 0.0, squash: float = 1.0) -> np.ndarray:
    """Outline (20, 2); `squash` makes it round again where length and width of the marker differ."""
    turn = np.linspace(0, 2 * math.pi, 20, endpoint=False)
    return np.stack([u + squash * radius * np.cos(turn), v + radius * np.sin(turn)], 1)


def _rectangle(back: float, front: float, half: float) -> np.ndarray:
    return np.array([[back, half], [back, -half], [front, -half], [front, half]])


def _coin(brush: _Brush, colour: Colour) -> None:
    rng = brush.rng
    if rng.random() < 0.4:
        colour = _METALS[int(rng.integers(len(_METALS)))]
    high = float(rng.uniform(0.25, 1.0))
    brush.solid(_circle(0.5), 0.0, high, colour)
    for radius in (0.43, 0.3, 0.16)[: int(rng.integers(0, 4))]:
        ring = [brush.view.at(_circle(radius), high)]
        cv2.polylines(brush.image, ring, True, shade(colour, float(rng.uniform(0.5, 1.4))), 1, cv2.LINE_AA)


def _chip(brush: _Brush, colour: Colour) -> None:
    """A counter with a middle of another shade, or none."""
    brush.solid(_circle(0.5), 0.0, 1.0, colour)
    if brush.rng.random() < 0.6:
        radius = float(brush.rng.uniform(0.2, 0.4))
        brush.flat(_circle(radius), 1.0, shade(colour, float(brush.rng.uniform(0.6, 1.5))))


def _button(brush: _Brush, colour: Colour) -> None:
    brush.solid(_circle(0.5), 0.0, 0.8, colour)
    if brush.rng.random() < 0.6:
        brush.flat(_circle(0.38), 0.8, shade(colour, 0.88))
    turn, holes = brush.rng.uniform(0, math.pi), int(brush.rng.choice([2, 4]))
    for number in range(holes):
        angle = turn + 2 * math.pi * number / holes
        hole = _circle(0.07, 0.16 * math.cos(angle), 0.16 * math.sin(angle))
        brush.flat(hole, 0.8, shade(colour, 0.25))


def _ball(brush: _Brush, colour: Colour, radius: float, height: float) -> None:
    """Darker towards its rim, a spot of light on one side."""
    side, angle = brush.rng.uniform(0.05, 0.2) * radius, brush.rng.uniform(0, 2 * math.pi)
    for share, factor in ((1.0, 0.7), (0.8, 0.92), (0.5, 1.12)):
        u, v = side * (1 - share) * 3 * math.cos(angle), side * (1 - share) * 3 * math.sin(angle)
        brush.flat(_circle(radius * share, u, v), height, shade(colour, factor))
    gloss = float(brush.rng.uniform(0.0, 0.7))
    bright = tuple(channel * (1 - gloss) + 255 * gloss for channel in colour)
    brush.flat(_circle(0.2 * radius, 2 * side * math.cos(angle), 2 * side * math.sin(angle)), height, bright)


def _bead(brush: _Brush, colour: Colour) -> None:
    _ball(brush, colour, 0.5, 0.8)
    if brush.rng.random() < 0.3:
        brush.flat(_circle(0.13), 1.2, shade(colour, 0.3))


def _pawn(brush: _Brush, colour: Colour) -> None:
    """A wide foot and a head above it, which a leaning camera sees beside the foot."""
    brush.solid(_circle(0.5), 0.0, 0.6, colour)
    tall = float(brush.rng.uniform(1.6, 3.2))
    for height, radius in ((0.6, 0.36), (0.5 * tall, 0.24)):
        brush.solid(_circle(radius), height, height + 0.5, shade(colour, 0.85))
    _ball(brush, colour, 0.31, tall)


def _cube(brush: _Brush, colour: Colour) -> None:
    half = float(brush.rng.uniform(0.36, 0.5))
    brush.solid(_rectangle(-half, half, half), 0.0, float(brush.rng.uniform(1.0, 2.4)), colour)


def _star(brush: _Brush, colour: Colour) -> None:
    turn = np.linspace(0, 2 * math.pi, 10, endpoint=False)
    reach = np.where(np.arange(10) % 2, brush.rng.uniform(0.2, 0.34), 0.5)
    brush.solid(np.stack([reach * np.cos(turn), reach * np.sin(turn)], 1), 0.0, 0.9, colour)


def _figure(brush: _Brush, colour: Colour) -> None:
    """A flat wooden man, lying: head, arms, legs."""
    half = [(-0.5, 0.42), (-0.5, 0.1), (-0.28, 0.0)]
    upper = [(0.5, 0.1), (0.42, 0.2), (0.25, 0.2), (0.14, 0.48), (-0.02, 0.48), (-0.08, 0.22)]
    outline = np.array([*upper, *half, *((u, -v) for u, v in reversed([*upper, *half[:2]]))])
    brush.solid(outline, 0.0, 1.0, colour)


def _toy_train(brush: _Brush, colour: Colour) -> None:
    """An engine from above: chassis, boiler with its shine, cab with a roof, chimney, often wheels and a bumper."""
    rng, view = brush.rng, brush.view
    squash = float(np.linalg.norm(view.across) / max(np.linalg.norm(view.along), 1e-3))
    dark = _DARK if rng.random() < 0.5 else shade(colour, 0.4)
    if rng.random() < 0.4:
        for place in np.linspace(-0.32, 0.32, int(rng.integers(2, 5))):
            brush.flat(_rectangle(place - 0.09, place + 0.09, 0.56), 0.1, _DARK)
    chassis = dark if rng.random() < 0.3 else colour
    brush.solid(_rectangle(-0.5, 0.5, 0.5), 0.0, 0.55, chassis)
    if rng.random() < 0.25:
        brush.solid(np.array([[0.45, 0.4], [0.45, -0.4], [0.62, 0.0]]), 0.0, 0.5, dark)
    split = float(rng.uniform(-0.22, 0.0))
    if rng.random() < 0.7:
        boiler, half = shade(colour, float(rng.uniform(0.8, 1.2))), float(rng.uniform(0.25, 0.45))
        brush.solid(_rectangle(split, 0.48, half), 0.5, 1.0, boiler)
        brush.flat(_rectangle(split, 0.46, half * 0.4), 1.0, shade(boiler, float(rng.uniform(1.0, 1.35))))
    roof = dark if rng.random() < 0.4 else (brush.any_colour() if rng.random() < 0.6 else shade(colour, 0.8))
    brush.solid(_rectangle(float(rng.uniform(-0.5, -0.42)), split, float(rng.uniform(0.36, 0.5))), 0.5, 1.3, roof)
    chimney = _circle(float(rng.uniform(0.11, 0.22)), float(rng.uniform(0.2, 0.36)), 0.0, squash)
    brush.solid(chimney, 0.9, float(rng.uniform(1.2, 1.8)), dark)
    if rng.random() < 0.3:
        brush.solid(_circle(0.1, split + 0.14, 0.0, squash), 0.9, 1.2, shade(colour, 1.2))


def _wagon(brush: _Brush, colour: Colour) -> None:
    """A block, or a box with or without a load."""
    rng = brush.rng
    brush.solid(_rectangle(-0.5, 0.5, 0.5), 0.0, 1.0, colour)
    if rng.random() < 0.7:
        inner = float(rng.uniform(0.3, 0.44))
        load = brush.any_colour() if rng.random() < 0.3 else shade(colour, float(rng.uniform(0.5, 1.4)))
        brush.flat(_rectangle(-inner, inner, inner), float(rng.uniform(0.8, 1.1)), load)


_Shape = Callable[[_Brush, Colour], None]
_SMALL: tuple[_Shape, ...] = (_coin, _chip, _button, _bead, _pawn, _cube, _star, _figure)
_SMALL_CHANCES = (0.15, 0.15, 0.15, 0.14, 0.2, 0.09, 0.05, 0.07)
_LONG: tuple[_Shape, ...] = (_toy_train, _wagon, _figure)
_LONG_CHANCES = (0.7, 0.2, 0.1)
