"""Hubs, markers and what else stands on a table, from Blender's simple shapes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import bpy
import numpy as np

from datasets.blender.surfaces import glossy

Thing = dict[str, Any]


def _last(material: Any) -> Any:
    thing = bpy.context.object
    thing.data.materials.append(material)
    return thing


def _cylinder(place: tuple[float, float, float], radius: float, height: float, material: Any) -> Any:
    """Stands on `place`."""
    x, y, z = place
    bpy.ops.mesh.primitive_cylinder_add(radius=radius, depth=height, location=(x, y, z + height / 2), vertices=48)
    return _last(material)


def _ball(place: tuple[float, float, float], radius: float, material: Any) -> Any:
    bpy.ops.mesh.primitive_uv_sphere_add(radius=radius, location=place, segments=24, ring_count=14)
    bpy.ops.object.shade_smooth()
    return _last(material)


def _box(
    place: tuple[float, float, float], size: tuple[float, float, float], angle: float, material: Any, soft: float = 0.0
) -> Any:
    """Stands on `place`; `angle` counter-clockwise; `soft` rounds the edges."""
    x, y, z = place
    bpy.ops.mesh.primitive_cube_add(size=1, location=(x, y, z + size[2] / 2), rotation=(0, 0, angle))
    thing = _last(material)
    thing.scale = size
    if soft:
        bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
        rounding = thing.modifiers.new("soft", "BEVEL")
        rounding.width, rounding.segments = soft, 3
    return thing


def add_hub(rng: np.random.Generator, hub: Thing) -> None:
    """The piece in the middle, low enough that the starting double lies as high as the others."""
    if hub["style"] == "none":
        return
    body = glossy(rng.uniform(0.02, 0.7, 3), float(rng.uniform(0.2, 0.7)))
    x, y = hub["x"], -hub["y"]
    reach = hub["radius"] * (1.25 if hub["style"] == "slots" else 0.95)
    _cylinder((x, y, -0.02), reach, 0.035, body)
    if hub["style"] == "slots":
        ink = glossy(rng.uniform(0.01, 0.3, 3), 0.6)
        for slot in hub["slots"]:
            middle = hub["radius"] * 1.07
            place = (x + middle * math.cos(slot), y - middle * math.sin(slot), 0.0)
            _box(place, (hub["radius"] * 0.35, 0.52, 0.02), -slot, ink)


def add_marker(thing: Thing) -> None:
    """A coin, button, bead, pawn or toy train, as high as the truth says its top is (pawns stick out)."""
    x, y, z = thing["x"], -thing["y"], thing["z"]
    small = min(thing["length"], thing["width"])
    high, colour = 0.35 * small, thing["colour"]
    radius = small / 2
    shape = thing["shape"]
    if shape == "coin":
        _cylinder((x, y, z), radius, high, glossy([0.7, 0.55, 0.25], 0.3, 1.0))
    elif shape == "button":
        _cylinder((x, y, z), radius, high, glossy(colour, 0.3))
        for k in range(4):
            hole = (x + 0.3 * radius * math.cos(k * 1.57), y + 0.3 * radius * math.sin(k * 1.57), z + high - 0.005)
            _cylinder(hole, 0.1 * radius, 0.01, glossy([0.01, 0.01, 0.01], 0.8))
    elif shape == "bead":
        bead = _ball((x, y, z + high / 2), radius, glossy(colour, 0.08))
        bead.scale = (1, 1, high / (2 * radius) * 1.4)
    elif shape == "pawn":
        _cylinder((x, y, z), radius, high * 0.5, glossy(colour, 0.25))
        _ball((x, y, z + high * 0.9), radius * 0.62, glossy(colour, 0.25))
    else:
        _toy_train(thing, (x, y, z), high, glossy(colour, 0.3))


def _toy_train(thing: Thing, place: tuple[float, float, float], high: float, body: Any) -> None:
    x, y, z = place
    angle, length, width = -thing["angle"], thing["length"], thing["width"]
    _box(place, (length, width, high * 0.55), angle, body, 0.02)
    along = np.array([math.cos(angle), math.sin(angle)]) * length
    dark = glossy([0.03, 0.03, 0.03], 0.4)
    cab = (x - 0.28 * along[0], y - 0.28 * along[1], z + high * 0.5)
    _box(cab, (length * 0.34, width * 0.9, high * 0.6), angle, dark, 0.02)
    _cylinder((x + 0.3 * along[0], y + 0.3 * along[1], z + high * 0.5), width * 0.16, high * 0.6, dark)


def _cup(rng: np.random.Generator, thing: Thing) -> None:
    outer = glossy(thing["colour"], 0.2)
    _cylinder((thing["x"], -thing["y"], 0), 0.8 * thing["size"], 1.6, outer)
    drink = glossy(rng.uniform(0.01, 0.3, 3), 0.05)
    _cylinder((thing["x"], -thing["y"], 1.58), 0.7 * thing["size"], 0.03, drink)


def _phone(_: np.random.Generator, thing: Thing) -> None:
    size = (1.9 * thing["size"], 0.9 * thing["size"], 0.16)
    _box((thing["x"], -thing["y"], 0.0), size, thing["angle"], glossy([0.02, 0.02, 0.025], 0.05), 0.05)


def _pad(rng: np.random.Generator, thing: Thing) -> None:
    x, y, angle, size = thing["x"], -thing["y"], thing["angle"], thing["size"]
    _box((x, y, 0), (1.9 * size, 1.3 * size, 0.06), angle, glossy([0.8, 0.8, 0.76], 0.9))
    ink = glossy(rng.uniform(0.01, 0.15, 3), 0.8)
    cos, sin = math.cos(angle), math.sin(angle)
    for row in np.linspace(-0.5, 0.5, 8):
        across = row * 1.1 * size
        place = (x - across * sin, y + across * cos, 0.06)
        _box(place, (float(rng.uniform(0.4, 1.6)) * size, 0.025, 0.002), angle, ink)


def _bowl(rng: np.random.Generator, thing: Thing) -> None:
    x, y, size = thing["x"], -thing["y"], thing["size"]
    _cylinder((x, y, 0), 0.95 * size, 0.35, glossy(thing["colour"], 0.2))
    snack = glossy(np.array([0.6, 0.4, 0.15]) * rng.uniform(0.3, 1.2), 0.6)
    for _ in range(14):
        angle, reach = rng.uniform(0, 6.28), rng.uniform(0, 0.7) * size
        _ball((x + reach * math.cos(angle), y + reach * math.sin(angle), 0.4), 0.16 * size, snack)


def _rack(_: np.random.Generator, thing: Thing) -> None:
    x, y, angle, size = thing["x"], -thing["y"], thing["angle"], thing["size"]
    wood = glossy(thing["colour"], 0.5)
    _box((x, y, 0), (1.9 * size, 0.5, 0.2), angle, wood, 0.03)
    _box((x + 0.2 * math.sin(angle), y - 0.2 * math.cos(angle), 0.2), (1.9 * size, 0.12, 0.25), angle, wood)


def _arm(rng: np.random.Generator, thing: Thing) -> None:
    """A fist at the rim and the sleeve behind it, leading out of the picture."""
    x, y, size = thing["x"], -thing["y"], thing["size"] * 0.7
    outward = -thing["angle"]
    skin = glossy(np.array([0.75, 0.45, 0.32]) * rng.uniform(0.12, 1.1), 0.5)
    hand = _ball((x, y, 0.4), 0.75 * size, skin)
    hand.scale = (1, 0.85, 0.55)
    for finger in range(4):
        turn = outward + math.pi + (finger - 1.5) * 0.3
        _ball((x + 0.75 * size * math.cos(turn), y + 0.75 * size * math.sin(turn), 0.25), 0.2 * size, skin)
    cloth = glossy(thing["colour"], 0.9)
    for step in range(1, 30):
        _ball((x + step * 0.6 * math.cos(outward), y + step * 0.6 * math.sin(outward), 0.6), 0.75 * size, cloth)


def _pen(_: np.random.Generator, thing: Thing) -> None:
    x, y = thing["x"], -thing["y"]
    rotation = (0, math.pi / 2, thing["angle"])
    long = 1.9 * thing["size"]
    bpy.ops.mesh.primitive_cylinder_add(radius=0.09, depth=long, location=(x, y, 0.09), rotation=rotation)
    _last(glossy(thing["colour"], 0.2))


_PROPS: dict[str, Callable[[np.random.Generator, Thing], None]] = {
    "cup": _cup,
    "phone": _phone,
    "pad": _pad,
    "bowl": _bowl,
    "rack": _rack,
    "arm": _arm,
    "pen": _pen,
}


def add_clutter(rng: np.random.Generator, thing: Thing) -> None:
    """One thing that is no domino."""
    _PROPS[thing["kind"]](rng, thing)
