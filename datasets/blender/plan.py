"""A planned table as plain data, for the renderer. Lengths in tile lengths; y runs down the table as in pictures."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from datasets.camera import Camera
from datasets.faces import numeral, numeral_share, numeral_turns, shows_nothing
from datasets.layouts import FACE_UP, MARKER, Placement
from datasets.makers import Maker
from datasets.tables import TableSpec, plan_table, truth_of

KINDS = {0: "face_up", 1: "face_down", 2: "marker"}
MARKERS = ("coin", "pawn", "bead", "button")
NUMERAL_PX = 48
"""Side of a numeral's mask: about as fine as the grid of which tiles are made."""
CLUTTER = ("cup", "phone", "pad", "bowl", "rack", "arm", "pen")


def plan_scene(seed: int, spec: TableSpec) -> tuple[dict[str, Any], dict[str, Any]]:
    """(scene, truth) of one table. The lens is straight: the renderer's camera has no bend."""
    rng = np.random.default_rng(seed)
    view = plan_table(rng, spec)
    view = replace(view, camera=Camera(view.camera.matrix, view.camera.place))
    scene = {
        "seed": seed,
        "size": list(spec.size),
        "camera": camera_data(view.camera),
        "makers": [maker_data(view.maker)],
        "hub": {
            "x": view.game.hub.x,
            "y": view.game.hub.y,
            "radius": view.game.hub.radius,
            "slots": list(view.game.hub.slots),
            "style": view.game.hub.style,
        },
        "things": things_data(rng, view.game.places),
        "clutter": clutter_data(rng, view.game.places, (view.game.spec.half_x, view.game.spec.half_y)),
    }
    return scene, truth_of(view)


def camera_data(camera: Camera) -> dict[str, Any]:
    """Place, axes (right, down, forward), focal length and principal point in px, from the projection matrix."""
    forward = camera.matrix[2, :3]
    middle = camera.matrix[:2, :3] @ forward
    right = camera.matrix[0, :3] - middle[0] * forward
    down = camera.matrix[1, :3] - middle[1] * forward
    focal = float(np.linalg.norm(right))
    return {
        "place": camera.place.tolist(),
        "right": (right / focal).tolist(),
        "down": (down / np.linalg.norm(down)).tolist(),
        "forward": forward.tolist(),
        "focal_px": focal,
        "middle_px": middle.tolist(),
    }


def maker_data(maker: Maker) -> dict[str, Any]:
    """Colours (red, green, blue; 0 to 1) and measures of a set."""

    def rgb(colour: tuple[float, float, float]) -> list[float]:
        return [round(min(1.0, max(0.0, channel / 255)), 4) for channel in colour[::-1]]

    return {
        "body": rgb(maker.body),
        "back": rgb(maker.back),
        "pips": [rgb(colour) for colour in maker.pips],
        "divider_colour": rgb(maker.divider_colour),
        "pin_colour": rgb(maker.pin_colour),
        "divider": maker.divider,
        "divider_length": maker.divider_length,
        "divider_width": maker.divider_width,
        "pin": maker.pin,
        "cups": maker.pip_style in ("cup", "rim"),
        "pip_places": [maker.pip_places(value).round(4).tolist() for value in range(19)],
        "pip_radius": maker.pip_radius,
        "shrink": maker.shrink,
        "top": maker.top,
        "width": maker.width,
        "thickness": maker.thickness,
        "corner": maker.corner,
        "film": maker.film,
        "numerals": _numerals(maker) if maker.numerals else None,
    }


def _numerals(maker: Maker) -> dict[str, Any]:
    """Side of a numeral in tile lengths, and the masks of each half's values as rows of the digits 0 to 9."""

    def rows(value: int, half: int) -> list[str]:
        if shows_nothing(maker, value):
            return []
        mask = numeral(maker.font, value, NUMERAL_PX, numeral_turns(maker, half))
        return ["".join(map(str, row)) for row in np.round(mask * 9).astype(int)]

    masks = [[rows(value, half) for value in range(19)] for half in (0, 1)]
    return {"side": numeral_share(maker) / 2, "masks": masks}


def things_data(
    rng: np.random.Generator, places: list[Placement], makers: list[int] | None = None
) -> list[dict[str, Any]]:
    """Tiles and markers; `makers` has the number of each one's maker, the first's without it."""
    kind = str(rng.choice(MARKERS))
    colour = rng.uniform(0.02, 0.95, 3).round(3).tolist()
    things = []
    for number, place in enumerate(places):
        thing: dict[str, Any] = {
            "kind": KINDS[place.kind],
            "maker": makers[number] if makers else 0,
            "x": place.x,
            "y": place.y,
            "z": place.z,
            "angle": place.angle,
        }
        if place.kind == FACE_UP:
            thing["ends"] = list(place.ends)
        if place.kind == MARKER:
            long = place.length > 1.15 * place.width
            shape = "train" if long else kind
            mixed = rng.uniform(0.02, 0.95, 3).round(3).tolist() if rng.random() < 0.5 else colour
            thing |= {"shape": shape, "colour": mixed, "length": place.length, "width": place.width}
        things.append(thing)
    return things


def clutter_data(
    rng: np.random.Generator, places: list[Placement], half: tuple[float, float]
) -> list[dict[str, Any]]:
    """What else stands on a table of `half` its size, where no tile is: kind, place, size (radius kept clear),
    direction, colour.
    """
    taken = np.array([[place.x, place.y] for place in places]).reshape(-1, 2)
    things = []
    for _ in range(int(rng.integers(0, 7))):
        size = float(rng.uniform(0.7, 1.8))
        for _ in range(20):
            spot = rng.uniform(-1.15, 1.15, 2) * half
            if np.hypot(*(taken - spot).T).min(initial=9.0) > size + 0.8:
                break
        else:
            continue
        kind = str(rng.choice(CLUTTER))
        outward = math.atan2(spot[1], spot[0])
        things.append(
            {
                "kind": kind,
                "x": float(spot[0]),
                "y": float(spot[1]),
                "size": size,
                "angle": outward if kind == "arm" else float(rng.uniform(0, 2 * math.pi)),
                "colour": rng.uniform(0.02, 0.9, 3).round(3).tolist(),
            }
        )
        taken = np.vstack([taken, spot])
    return things
