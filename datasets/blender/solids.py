"""Meshes made from numbers: tiles with drilled pips, hubs. Arrays only, no Blender.

Blender's axes: x right, y up (away), z towards the viewer; what comes from pictures has its y turned before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_COLUMNS, _ROWS = 112, 56


def tile_mesh(maker: dict[str, Any], ends: tuple[int, int] | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A tile lying at the origin, first end to the left: vertices (n, 3), quads (m, 4), colours (n, 3) linear.

    The top is a fine grid whose points sink into the pips and the groove; the sides hang from its rim.
    `ends` is `None` for a tile that lies face down.
    """
    width, thick = maker["width"], maker["thickness"]
    u, v = np.meshgrid(np.linspace(-1, 1, _COLUMNS), np.linspace(-1, 1, _ROWS))
    # Points gather at the rim, where the edge is rounded.
    x = 0.5 * np.sin(u * np.pi / 2 * 0.98) / np.sin(np.pi / 2 * 0.98)
    y = width / 2 * np.sin(v * np.pi / 2 * 0.96) / np.sin(np.pi / 2 * 0.96)
    x, y, rim = _rounded(x, y, width, maker["corner"] + 0.02)
    depth, colours = _face(maker, ends, x, y)
    bevel = 0.03
    edge = np.clip(1 - rim / bevel, 0, 1)
    z = thick - bevel * (1 - np.sqrt(np.clip(1 - edge**2, 0, 1))) - depth
    top = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    index = np.arange(top.shape[0]).reshape(x.shape)
    quads = np.stack([index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]], axis=-1).reshape(-1, 4)
    ring = np.concatenate([index[0, :-1], index[:-1, -1], index[-1, :0:-1], index[:0:-1, 0]])
    foot = top[ring] * [1, 1, 0]
    below = top.shape[0] + np.arange(len(ring))
    after = np.roll(np.arange(len(ring)), -1)
    sides = np.stack([ring, below, below[after], ring[after]], axis=1)
    body = np.array(maker["body"])
    return (
        np.vstack([top, foot]),
        np.vstack([quads, sides]),
        np.vstack([colours.reshape(-1, 3), np.tile(linear(body), (len(ring), 1))]),
    )


def linear(colour: np.ndarray) -> np.ndarray:
    """Picture colours (0 to 1) to light."""
    colour = np.asarray(colour, float)
    return np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)


def _rounded(
    x: np.ndarray, y: np.ndarray, width: float, radius: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pull the corners of a grid in to arcs; also each point's distance from the outline."""
    radius = min(radius, width / 2 - 0.01)
    cx, cy = 0.5 - radius, width / 2 - radius
    dx, dy = np.abs(x) - cx, np.abs(y) - cy
    in_corner = (dx > 0) & (dy > 0)
    away = np.hypot(dx, dy)
    most = np.maximum(dx, dy)
    scale = np.where(in_corner, most / np.maximum(away, 1e-9), 1.0)
    nx = np.where(in_corner, np.sign(x) * (cx + dx * scale), x)
    ny = np.where(in_corner, np.sign(y) * (cy + dy * scale), y)
    inner = np.where(in_corner, radius - np.minimum(most, radius), np.minimum(0.5 - np.abs(x), width / 2 - np.abs(y)))
    return nx, ny, np.maximum(inner, 0)


def _face(
    maker: dict[str, Any], ends: tuple[int, int] | None, x: np.ndarray, y: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """How deep each point is drilled, and its colour in light."""
    depth = np.zeros(x.shape)
    colours = np.tile(linear(np.array(maker["body"])), (*x.shape, 1))
    if ends is None:
        colours[:] = linear(np.array(maker["back"]))
        return depth, colours
    for half, value in enumerate(ends):
        if maker["numerals"]:
            inked = _inked(maker["numerals"], half, value, x, y)
            colours[:] += inked[..., None] * (linear(np.array(maker["pips"][value])) - colours)
            continue
        radius = maker["pip_radius"] * 0.5 * (1.0 if value <= 6 else maker["shrink"])
        radius = min(radius, 0.034) if value >= 13 else min(radius, 0.049) if value >= 10 else radius
        squeeze = np.array([1.0, min(1.0, maker["width"] * 2)])
        spots = np.array(maker["pip_places"][value]).reshape(-1, 2) * squeeze * 0.5
        turn = 1 if half == 0 else -1
        for u, v in spots:
            # The y of faces runs down; here it runs up.
            away = np.hypot(x - (turn * u + (half - 0.5) * 0.5), y + turn * v)
            inside = away < radius
            colours[inside] = linear(np.array(maker["pips"][value]))
            if maker["cups"]:
                depth = np.maximum(depth, np.where(inside, 0.55 * radius * (1 - (away / radius) ** 2), 0))
    if maker["divider"] != "none":
        thin = np.abs(x) < max(0.006, maker["divider_width"] / 2)
        bar = thin & (np.abs(y) < maker["width"] * maker["divider_length"] / 2)
        depth[bar] = np.maximum(depth[bar], 0.012)
        if maker["divider"] != "groove":
            colours[bar] = linear(np.array(maker["divider_colour"]))
    if maker["pin"]:
        head = np.hypot(x, y) < maker["pin"]
        colours[head] = linear(np.array(maker["pin_colour"]))
        depth[head] = -0.012
    return depth, colours


def _inked(numerals: dict[str, Any], half: int, value: int, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How much of each point, 0 to 1, the numeral of a half covers."""
    rows = numerals["masks"][half][value]
    if not rows:
        return np.zeros(x.shape)
    mask = np.array([[int(digit) for digit in row] for row in rows]) / 9
    # Rows of the mask run down; here y runs up.
    column = np.floor(((x - (half - 0.5) * 0.5) / numerals["side"] + 0.5) * len(mask)).astype(int)
    row = np.floor((0.5 - y / numerals["side"]) * len(mask)).astype(int)
    inside = (column >= 0) & (column < len(mask)) & (row >= 0) & (row < len(mask))
    return np.where(inside, mask[np.clip(row, 0, len(mask) - 1), np.clip(column, 0, len(mask) - 1)], 0.0)
