"""What a set of dominoes looks like: a `Maker` is drawn at random, once a picture (or twice, for mixed sets)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.arrangements import ARRANGEMENTS, pip_centres

Colour = tuple[float, float, float]
"""Blue, green, red; each 0 to 255."""

SETS = (6, 9, 12, 15, 18)
"""Sizes of sets: the highest value."""

# Colours that makers give to the values 1 to 12, as (red, green, blue); facts seen on real sets.
_SCHEMES: tuple[tuple[tuple[int, int, int], ...], ...] = (
    ((110, 200, 232), (46, 150, 60), (210, 50, 46), (120, 80, 50), (30, 90, 190), (238, 160, 30),
     (205, 50, 140), (25, 150, 140), (100, 50, 150), (235, 100, 40), (140, 30, 50), (140, 140, 145)),
    ((60, 150, 220), (30, 130, 60), (200, 30, 40), (90, 60, 40), (40, 60, 160), (240, 170, 20),
     (245, 205, 40), (30, 140, 150), (110, 60, 160), (240, 120, 30), (25, 25, 25), (205, 40, 40)),
    ((20, 20, 20), (20, 110, 60), (190, 30, 50), (120, 60, 30), (20, 60, 150), (220, 120, 20),
     (150, 30, 110), (0, 120, 120), (70, 40, 120), (220, 70, 30), (60, 60, 60), (110, 110, 110)),
)  # fmt: skip


_RIM = 0.435
"""No pip's centre lies farther out, in half lengths."""


@dataclass(frozen=True, slots=True)
class Maker:
    """The look of one set. Lengths are in tile lengths, except `pip_radius`, which is in half lengths.

    `stretch` moves the pips of each value further apart or closer, along and across the half.
    """

    top: int
    body: Colour
    side: Colour
    back: Colour
    pips: tuple[Colour, ...]
    arrangement: int
    mirrored: bool
    spread: float
    stretch: tuple[tuple[float, float], ...]
    pip_radius: float
    shrink: float
    pip_style: str
    recesses: bool
    numerals: bool
    font: int
    divider: str
    divider_colour: Colour
    divider_length: float
    divider_width: float
    pin: float
    pin_colour: Colour
    width: float
    thickness: float
    corner: float
    bevel: float
    grain: float
    wear: float
    back_style: str
    film: bool

    def pip_places(self, value: int) -> np.ndarray:
        """Pip centres (value, 2) as (u, v) in the unit half, with this maker's distances."""
        places = pip_centres(self.arrangement, value, mirrored=self.mirrored) * self.spread
        if self.recesses and value <= 9:
            return places  # one mould for all of them
        return np.clip(places * np.array(self.stretch[value]), -_RIM, _RIM)


def _tint(rng: np.random.Generator, base: Colour, spread: float) -> Colour:
    shifted = np.clip(np.array(base) + rng.normal(0, spread, 3), 0, 255)
    return float(shifted[0]), float(shifted[1]), float(shifted[2])


def _body(rng: np.random.Generator) -> Colour:
    kind = rng.choice(["light", "black", "wood", "bright"], p=[0.66, 0.17, 0.07, 0.10])
    if kind == "light":
        level = rng.uniform(185, 254)
        return float(level * rng.uniform(0.74, 1.0)), float(level * rng.uniform(0.92, 1.0)), float(level)
    if kind == "black":
        level = rng.uniform(6, 48)
        return _tint(rng, (level, level, level), 3)
    if kind == "wood":
        return float(rng.uniform(40, 120)), float(rng.uniform(90, 165)), float(rng.uniform(130, 215))
    hue = rng.uniform(0, 6)
    ramp = np.clip(np.abs((np.array([hue + 2, hue + 4, hue]) % 6) - 3) - 1, 0, 1)
    pale = rng.uniform(0.0, 0.6)
    colour = 255 * rng.uniform(0.45, 1.0) * (ramp * (1 - pale) + pale)
    return float(colour[0]), float(colour[1]), float(colour[2])


def _distinct(colour: np.ndarray, body: np.ndarray) -> np.ndarray:
    """Move a pip colour away from the body until a person could see it."""
    if np.abs(colour - body).sum() >= 150:
        return colour
    return colour * 0.35 if body.mean() > 110 else colour * 0.35 + 165


def _pip_colours(rng: np.random.Generator, body: Colour) -> tuple[Colour, ...]:
    ground = np.array(body)
    kind = rng.choice(["scheme", "shuffled", "one", "random"], p=[0.2, 0.3, 0.38, 0.12])
    if kind == "one":
        dark = rng.uniform(0, 45)
        one = np.full(3, dark) if ground.mean() > 100 else np.full(3, rng.uniform(185, 255))
        if rng.random() < 0.3:
            one = rng.uniform(0, 255, 3)
        colours = np.tile(_distinct(one, ground), (19, 1))
    elif kind in ("scheme", "shuffled"):
        scheme = np.array(_SCHEMES[rng.integers(len(_SCHEMES))], float)[:, ::-1]
        if kind == "shuffled":
            # Or the reader would learn that yellow means six, and believe it of a set where all pips are yellow.
            scheme = rng.permutation(scheme)
        rows = np.vstack([scheme[:1], scheme, rng.uniform(0, 230, (6, 3))])
        rows = rows + rng.normal(0, 14, (1, 3)) + rng.normal(0, 10, (19, 3))
        colours = np.array([_distinct(row, ground) for row in rows])
    else:
        colours = np.array([_distinct(rng.uniform(0, 255, 3), ground) for _ in range(19)])
    return tuple((float(c[0]), float(c[1]), float(c[2])) for c in np.clip(colours, 0, 255))


def _stretch(rng: np.random.Generator) -> tuple[tuple[float, float], ...]:
    # A reader that could tell a fifteen by how far apart its rows stand would not count the pips in a row.
    steps = np.exp(rng.normal(0, 0.07, (19, 2)) * (rng.random() < 0.8)).clip(0.82, 1.2)
    return tuple((float(u), float(v)) for u, v in steps)


def draw_maker(
    rng: np.random.Generator,
    numerals: float = 0.17,
    sets: tuple[float, ...] = (0.22, 0.13, 0.45, 0.11, 0.09),
    film: float = 0.14,
) -> Maker:
    """One set's look; `numerals` is the chance that it has digits in place of pips, `sets` the chance of each size,
    `film` that its tiles are wrapped.
    """
    body = _body(rng)
    dark = float(np.mean(body)) < 90
    divider = str(rng.choice(["bar", "line", "groove", "none"], p=[0.45, 0.21, 0.22, 0.12]))
    contrast: Colour = (20.0, 20.0, 20.0) if not dark else (225.0, 225.0, 225.0)
    pips = _pip_colours(rng, body)
    return Maker(
        top=int(rng.choice(SETS, p=sets)),
        body=body,
        side=_tint(rng, body, 6) if rng.random() < 0.8 else _tint(rng, (60, 60, 60), 50),
        back=_tint(rng, body, 4) if rng.random() < 0.6 else _tint(rng, (120, 120, 120), 70),
        pips=pips,
        arrangement=int(rng.integers(len(ARRANGEMENTS))) if rng.random() < 0.6 else 0,
        mirrored=bool(rng.random() < 0.5),
        spread=float(rng.uniform(0.88, 1.1)),
        stretch=_stretch(rng.spawn(1)[0]),
        pip_radius=float(rng.uniform(0.068, 0.125)),
        shrink=float(rng.uniform(0.72, 1.0)),
        pip_style=str(rng.choice(["flat", "cup", "rim", "ring"], p=[0.36, 0.40, 0.19, 0.05])),
        recesses=bool(rng.random() < (0.35 if dark else 0.06)),
        numerals=bool(rng.random() < numerals),
        font=int(rng.integers(1000)),
        divider=divider,
        divider_colour=_tint(rng, contrast if rng.random() < 0.75 else pips[int(rng.integers(1, 13))], 10),
        divider_length=float(rng.uniform(0.5, 0.85) if divider == "bar" else rng.uniform(0.6, 1.0)),
        divider_width=float(rng.uniform(0.018, 0.05) if divider == "bar" else rng.uniform(0.006, 0.02)),
        pin=float(rng.uniform(0.022, 0.045)) if rng.random() < 0.2 else 0.0,
        pin_colour=_tint(rng, (170, 175, 180) if rng.random() < 0.6 else (70, 150, 190), 15),
        width=float(rng.uniform(0.465, 0.525)),
        thickness=float(rng.uniform(0.12, 0.24)),
        corner=float(rng.choice([0.015, 0.04, 0.07, 0.1]) * rng.uniform(0.7, 1.3)),
        bevel=float(rng.uniform(0.0, 0.05)),
        grain=float(rng.uniform(0.0, 0.05)),
        wear=float(rng.uniform(0.0, 0.5) if rng.random() < 0.25 else 0.0),
        back_style=str(rng.choice(["plain", "logo", "lines", "dots"], p=[0.65, 0.17, 0.12, 0.06])),
        film=bool(rng.random() < film),
    )
