"""What a camera and a lamp do to a picture: light, glare, colour, blur, noise, JPEG.

All functions take and return BGR float32 (height, width, 3), 0 to 255.
"""

from __future__ import annotations

import math

import cv2
import numpy as np


def light_field(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Uneven light: a slope, a lamp's cone, a cast shadow with a soft edge."""
    height, width = image.shape[:2]
    coarse = np.ones((9, 12), np.float32)
    y, x = np.mgrid[0:9, 0:12].astype(np.float32)
    angle = rng.uniform(0, 2 * math.pi)
    slope = (x / 11 - 0.5) * math.cos(angle) + (y / 8 - 0.5) * math.sin(angle)
    coarse *= 1 + rng.uniform(0, 0.5) * slope
    if rng.random() < 0.3:
        cx, cy = rng.uniform(0, 11), rng.uniform(0, 8)
        cone = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * rng.uniform(2.5, 8) ** 2))
        coarse *= rng.uniform(0.35, 0.8) + 0.9 * cone
    field = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.22:
        field *= _cast_shadow(rng, width, height)
    return image * field[..., None]


def _cast_shadow(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    small = np.zeros((height // 4 + 1, width // 4 + 1), np.float32)
    points = (rng.uniform(-0.4, 1.4, (int(rng.integers(3, 7)), 2)) * [small.shape[1], small.shape[0]]).astype(np.int32)
    cv2.fillPoly(small, [points], 1.0)
    small = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.6, 12))
    return 1 - rng.uniform(0.2, 0.65) * cv2.resize(small, (width, height))


def glare(rng: np.random.Generator, image: np.ndarray, centres: np.ndarray, tile_px: float) -> np.ndarray:
    """Bright smears of reflected light, on tiles (`centres`, (n, 2) px) more often than elsewhere."""
    height, width = image.shape[:2]
    small = np.zeros((height // 2 + 1, width // 2 + 1), np.float32)
    for _ in range(int(rng.integers(1, 7))):
        if len(centres) and rng.random() < 0.75:
            centre = centres[int(rng.integers(len(centres)))] + rng.normal(0, 0.3 * tile_px, 2)
        else:
            centre = rng.uniform(0, 1, 2) * [width, height]
        size = tile_px * rng.uniform(0.04, 0.5)
        axes = (max(1, int(size / 2)), max(1, int(size * rng.uniform(0.1, 0.8) / 2)))
        place = (int(centre[0] / 2), int(centre[1] / 2))
        cv2.ellipse(small, place, axes, rng.uniform(0, 180), 0, 360, float(rng.uniform(30, 230)), -1)
    small = cv2.GaussianBlur(small, (0, 0), max(0.5, tile_px * rng.uniform(0.005, 0.06)))
    return image + cv2.resize(small, (width, height))[..., None]


def colour_cast(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """White balance, exposure, contrast curve, sometimes grey or a heavy cast."""
    gains = np.exp(rng.normal(0, 0.07, 3)) * math.exp(rng.normal(0, 0.22))
    if rng.random() < 0.04:
        gains *= np.exp(rng.normal(0, 0.5, 3))
    if rng.random() < 0.97:
        # Cameras meter what they see: a white table is not burnt out, a black one not left in the dark.
        mean = float(image[::4, ::4].mean() * gains.mean())
        gains *= float(np.clip(mean, 38, 168)) / max(mean, 1.0)
    image = image * gains.astype(np.float32)
    if rng.random() < 0.1:
        grey = image @ np.array([0.114, 0.587, 0.299], np.float32)
        image = image + (grey[..., None] - image) * rng.uniform(0.5, 1.0)
    # A table of the tone curve; steeper in the middle is what phones do.
    levels = np.clip(np.arange(256, dtype=np.float32) / 255, 0, 1) ** math.exp(rng.normal(0, 0.22))
    bend = rng.uniform(-0.1, 0.35)
    curve = 255 * (levels + bend * levels * (1 - levels) * (2 * levels - 1))
    if rng.random() < 0.05:
        curve *= rng.uniform(0.12, 0.4)
    return np.asarray(cv2.LUT(np.clip(image, 0, 255).astype(np.uint8), curve.astype(np.float32)))


def blur(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Out of focus, or moved."""
    kind = rng.random()
    if kind < 0.45:
        return image
    if kind < 0.9:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.0) ** 1.5 * 1.7))
    length = int(rng.integers(3, 8))
    kernel = np.zeros((length, length), np.float32)
    end = (int(rng.integers(length)), int(rng.integers(length)))
    cv2.line(kernel, (length // 2, length // 2), end, 1.0)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()))


def sensor(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Noise of the sensor, smoothed as phones do, sharpening halos, JPEG."""
    height, width = image.shape[:2]
    if rng.random() < 0.6:
        strength = float(rng.uniform(0.5, 4) if rng.random() < 0.8 else rng.uniform(4, 14))
        # Noise is drawn once for a quarter of the picture and tiled: drawing it dominates the cost otherwise.
        patch = rng.standard_normal((height // 2 + 1, width // 2 + 1, 3), dtype=np.float32) * strength
        if rng.random() < 0.5:
            patch = cv2.GaussianBlur(patch, (0, 0), 0.7) * 1.6
        image = image + np.tile(patch, (2, 2, 1))[:height, :width]
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.7, 1.6))
        image = image + (image - soft) * rng.uniform(0.3, 1.3)
    return np.clip(image, 0, 255).astype(np.float32)


def jpeg(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Through a JPEG of quality 40 to 97; returns uint8."""
    out = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        return out
    _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 98))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))


def develop(rng: np.random.Generator, image: np.ndarray, centres: np.ndarray, tile_px: float, film: bool) -> np.ndarray:
    """The whole way from a clean picture to a file; returns uint8 BGR."""
    image = light_field(rng, image)
    if film or rng.random() < 0.2:
        image = glare(rng, image, centres, tile_px)
    image = blur(rng, image)
    image = colour_cast(rng, image)
    return jpeg(rng, sensor(rng, image))
