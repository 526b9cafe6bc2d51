"""The piece in the middle of the table, painted flat on the table top before anything is laid."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from datasets.camera import Camera
from datasets.clutter import soft_shadow


@dataclass(frozen=True, slots=True)
class Hub:
    """`style` is `none`, `plate`, `star` or `slots`; `radius` is where first tiles begin, in tile lengths."""

    x: float
    y: float
    radius: float
    slots: tuple[float, ...]
    style: str


def _ring(hub: Hub, camera: Camera, radius: np.ndarray | float, angles: np.ndarray) -> np.ndarray:
    points = np.stack(
        [hub.x + radius * np.cos(angles), hub.y + radius * np.sin(angles), np.full(len(angles), 0.03)], axis=1
    )
    return np.round(camera.project(points)).astype(np.int32)


def _slot(hub: Hub, camera: Camera, angle: float, inner: float, outer: float, half: float) -> np.ndarray:
    along, across = np.array([inner, inner, outer, outer]), np.array([half, -half, -half, half])
    cos, sin = math.cos(angle), math.sin(angle)
    points = np.stack(
        [hub.x + along * cos - across * sin, hub.y + along * sin + across * cos, np.full(4, 0.03)], axis=1
    )
    return np.round(camera.project(points)).astype(np.int32)


def paint_hub(rng: np.random.Generator, image: np.ndarray, hub: Hub, camera: Camera, width: float) -> None:
    """Paint it on BGR uint8, in place; `width` is a tile's width in tile lengths."""
    colour = rng.uniform(15, 235, 3)
    dark, light = tuple(colour * 0.55), tuple(np.minimum(255, colour * 1.25))
    if hub.style == "none":
        return
    angles = np.linspace(0, 2 * math.pi, 72, endpoint=False)
    reach: np.ndarray | float = hub.radius * (0.97 if hub.style != "slots" else 1.25)
    if hub.style == "star":
        points = len(hub.slots)
        reach = hub.radius * (0.86 + 0.1 * np.cos(points * (angles - hub.slots[0])))
    body = _ring(hub, camera, reach, angles)
    soft_shadow(image, body, 0.45)
    cv2.fillPoly(image, [body], tuple(colour), cv2.LINE_AA)
    cv2.polylines(image, [body], True, light, 2, cv2.LINE_AA)
    if hub.style == "slots":
        for angle in hub.slots:
            shape = _slot(hub, camera, angle, hub.radius * 0.9, hub.radius * 1.25, width / 2 + 0.03)
            cv2.fillPoly(image, [shape], dark, cv2.LINE_AA)
    elif rng.random() < 0.5:
        cv2.polylines(image, [_ring(hub, camera, hub.radius * 0.75, angles)], True, dark, 2, cv2.LINE_AA)
