"""Tiles of several makers scattered over one table, as plain data for the renderer.

No game: as many looks in one picture as it holds, for the networks that look at single tiles.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from datasets.blender.plan import MARKERS, camera_data, clutter_data, maker_data, things_data
from datasets.camera import draw_camera
from datasets.layouts import FACE_DOWN, FACE_UP, MARKER, Area, Ground, Placement, draw_layout
from datasets.makers import Maker, draw_maker
from datasets.scene import Truth, truths_unpainted

_TILE_PX, _MARKED_TILE_PX = (52.0, 115.0), (44.0, 84.0)
_MAKERS = (3, 8)
_COUNT, _MARKED_COUNT = (40, 130), (80, 170)
_SETS = (0.1, 0.1, 0.35, 0.2, 0.25)
"""Chances of `makers.SETS`: what only large sets have is rare enough."""
_BACKS = 0.1
_MARKED = 0.5
"""Share of pictures with more than a few markers."""
_MARKERS, _MANY_MARKERS = (6, 24), (60, 140)
_SMALL = 0.4
"""Share of the markers that are a bead or a coin on the middle of a tile: they are the hardest to see."""
_MATCHING = 0.35
"""Share of the markers of nearly the colour of the tile at which they stand, or of its pips."""


def plan_crowd(seed: int, size: tuple[int, int], *, marked: bool = False) -> tuple[dict[str, Any], dict[str, Any]]:
    """(scene, truth) of one picture of `size` (width, height); the truth's `things` are as `thing_data` has them.

    `marked`: many markers on smaller tiles; every second picture has some anyway.
    """
    rng = np.random.default_rng(seed)
    tile_px = math.exp(rng.uniform(*np.log(_MARKED_TILE_PX if marked else _TILE_PX)))
    camera = draw_camera(rng, tile_px=tile_px, size=size, tilt_max_deg=40.0)
    makers = [draw_maker(rng, numerals=0.25, sets=_SETS) for _ in range(rng.integers(*_MAKERS))]
    half = size[0] / tile_px / 2, size[1] / tile_px / 2
    places, used = _thrown(rng, makers, half, marked)
    scene = {
        "seed": seed,
        "size": list(size),
        "camera": camera_data(camera),
        "makers": [maker_data(maker) for maker in makers],
        "hub": {"style": "none"},
        "things": [_varied(rng, thing, makers) for thing in things_data(rng, places, used)],
        "clutter": clutter_data(rng, places, half),
    }
    truths = truths_unpainted(camera, places, [makers[number] for number in used], size)
    return scene, {"size_wh": list(size), "film": makers[0].film, "things": [thing_data(truth) for truth in truths]}


def _thrown(
    rng: np.random.Generator, makers: list[Maker], half: tuple[float, float], marked: bool
) -> tuple[list[Placement], list[int]]:
    """Tiles and markers, and the number of each one's maker."""
    count = int(min(rng.integers(*(_MARKED_COUNT if marked else _COUNT)), half[0] * half[1] * 4 * 0.9))
    places, used = [], []
    for place in draw_layout(rng, Area(*half, count), top=18):
        number = int(rng.integers(len(makers)))
        if place.kind == FACE_UP:
            top = makers[number].top
            kind = FACE_DOWN if rng.random() < _BACKS else FACE_UP
            place = replace(place, ends=(place.ends[0] % (top + 1), place.ends[1] % (top + 1)), kind=kind)
        places.append(place)
        used.append(number)
    if marked or rng.random() < _MARKED:
        count = int(rng.integers(*(_MANY_MARKERS if marked else _MARKERS)))
        for place, number in _markers(rng, places, used, makers, count):
            places.append(place)
            used.append(number)
    return places, used


def _markers(
    rng: np.random.Generator, places: list[Placement], used: list[int], makers: list[Maker], count: int
) -> list[tuple[Placement, int]]:
    """At most `count` markers on tiles and before their ends, where nothing else is; each with its tile's maker."""
    table, tops = Ground(), Ground()
    for place in places:
        (table if place.z == 0 else tops).add(place, check=False)
    tiles = [index for index, place in enumerate(places) if place.kind != MARKER and place.z == 0]
    found = []
    for index in rng.choice(tiles, count).tolist() if tiles else []:
        spot = _beside_or_on(rng, places[index], makers[used[index]])
        if (tops if spot.z else table).add(spot, slack=0.0):
            found.append((spot, used[index]))
    return found


def _beside_or_on(rng: np.random.Generator, tile: Placement, maker: Maker) -> Placement:
    """A marker on a tile, or before one of its ends as at the end of a train."""
    small = bool(rng.random() < _SMALL)
    long = not small and bool(rng.random() < 0.4)
    length = float(rng.uniform(0.4, 0.9) if long else rng.uniform(0.13, 0.24) if small else rng.uniform(0.16, 0.5))
    width = float(rng.uniform(0.2, 0.42)) if long else length
    on_it = small or bool(rng.random() < 0.25)
    spread = 0.04 if small else 0.25
    along = float(rng.normal(0, spread) if on_it else rng.choice([-1, 1]) * rng.uniform(0.55, 0.8 + length / 2))
    across = float(rng.normal(0, 0.04 if small else 0.08))
    cos, sin = math.cos(tile.angle), math.sin(tile.angle)
    x, y = tile.x + along * cos - across * sin, tile.y + along * sin + across * cos
    angle = tile.angle + float(rng.normal(0, 0.3))
    return Placement(x, y, angle, MARKER, z=maker.thickness if on_it else 0.0, length=length, width=width)


def _varied(rng: np.random.Generator, thing: dict[str, Any], makers: list[Maker]) -> dict[str, Any]:
    """The thing; a marker gets a shape and a colour of its own, not the same all over the table as in a game."""
    if thing["kind"] != "marker":
        return thing
    colour = rng.uniform(0.02, 0.95, 3)
    if rng.random() < _MATCHING:
        maker = makers[thing["maker"]]
        near = maker.body if rng.random() < 0.6 else maker.pips[int(rng.integers(1, len(maker.pips)))]
        # The renderer takes colours as light, those of makers are as a picture has them.
        colour = np.clip((np.array(near[::-1]) / 255) ** 2.2 * rng.uniform(0.8, 1.2, 3), 0.02, 0.95)
    shape = thing["shape"] if thing["shape"] == "train" else str(rng.choice(MARKERS))
    return thing | {"shape": shape, "colour": colour.round(3).tolist()}


def thing_data(truth: Truth) -> dict[str, Any]:
    """A scene's truth as JSON."""
    return {
        "kind": truth.kind,
        "ends": list(truth.ends),
        "corners_px": truth.corners_px.round(2).tolist(),
        "halves_visible": [round(share, 3) for share in truth.halves_visible],
        "pips_px": None if truth.pips_px is None else [points.round(2).tolist() for points in truth.pips_px],
    }
