"""Painting one tile from above: the face with its pips or numerals, or the back.

A face is a BGRA uint8 picture, shape (round(length * width), length, 4): the tile lies with its first end at
the left; alpha is the rounded outline.
"""

from __future__ import annotations

import functools
import glob
import math
from collections.abc import Sequence

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from datasets.makers import Colour, Maker

_SHIFT = 4  # sub-pixel bits of OpenCV's drawing functions
_FONT_DIRS = ("/usr/share/fonts/**/*.[to]t[fc]", "/Library/Fonts/*.ttf", "C:/Windows/Fonts/*.ttf")
_NOT_LATIN = ("Symbol", "Emoji", "Math", "Dingbat", "Braille", "D050", "Standard", "Icon", "CJK", "Display")


@functools.cache
def font_files() -> tuple[str, ...]:
    """Latin fonts of this machine, in a stable order; matplotlib's own where it is installed."""
    found = [path for pattern in _FONT_DIRS for path in glob.glob(pattern, recursive=True)]
    try:
        import matplotlib

        found += glob.glob(matplotlib.get_data_path() + "/fonts/ttf/DejaVu*.ttf")
    except ImportError:
        pass
    return tuple(sorted(path for path in found if not any(word in path for word in _NOT_LATIN)))


def _circle(image: np.ndarray, centre: np.ndarray, radius: float, colour: Sequence[float], width: int = -1) -> None:
    scale = 1 << _SHIFT
    point = (round(float(centre[0]) * scale), round(float(centre[1]) * scale))
    cv2.circle(image, point, max(1, round(radius * scale)), tuple(colour), width, cv2.LINE_AA, _SHIFT)


def _scaled(colour: Colour, factor: float) -> Colour:
    return tuple(min(255.0, max(0.0, channel * factor)) for channel in colour)  # type: ignore[return-value]


def _mix(a: Colour, b: Colour, share: float) -> Colour:
    return tuple(x * (1 - share) + y * share for x, y in zip(a, b, strict=True))  # type: ignore[return-value]


def _pip(image: np.ndarray, maker: Maker, centre: np.ndarray, radius: float, colour: Colour, light: np.ndarray) -> None:
    """One pip. A drilled cup is dark on the side towards the light and shines on the far one."""
    if maker.pip_style == "flat":
        _circle(image, centre, radius, colour)
        return
    if maker.pip_style == "ring":
        _circle(image, centre, radius, colour)
        _circle(image, centre, radius * 0.45, _mix(colour, maker.body, 0.7))
        return
    _circle(image, centre, radius, _scaled(colour, 0.45) if maker.pip_style == "cup" else (25, 25, 25))
    _circle(image, centre - light * radius * 0.14, radius * 0.84, colour)
    _circle(image, centre - light * radius * 0.3, radius * 0.5, _mix(colour, (255, 255, 255), 0.12))
    if radius > 2.5:
        _circle(image, centre - light * radius * 0.5, radius * 0.17, _mix(colour, (255, 255, 255), 0.75))


def _recess(image: np.ndarray, maker: Maker, centre: np.ndarray, radius: float, light: np.ndarray) -> None:
    """A cup that was moulded but not painted."""
    _circle(image, centre, radius, _scaled(maker.body, 0.72))
    _circle(image, centre - light * radius * 0.2, radius * 0.8, _mix(maker.body, (128, 128, 128), 0.10))


def face_pips(maker: Maker, value: int) -> np.ndarray:
    """Pip centres (value, 2) of a first half on the face: x 0 to 1 along the whole tile, y 0 to 1 across it."""
    places = maker.pip_places(value)
    squeeze = min(1.0, maker.width * 2)
    return np.stack([0.25 + places[:, 0] / 2, 0.5 + places[:, 1] * squeeze / (2 * maker.width)], axis=1).astype(
        np.float32
    )


def pip_radius(maker: Maker, value: int) -> float:
    """Radius of the pips of `value`, in half lengths: the more there are, the smaller."""
    radius = maker.pip_radius * (1.0 if value <= 6 else maker.shrink)
    return min(radius, 0.068 if value >= 13 else 0.098 if value >= 10 else 1.0)


def _dots(image: np.ndarray, maker: Maker, value: int, centre: np.ndarray, half: float, light: np.ndarray) -> None:
    radius = pip_radius(maker, value) * half
    squeeze = np.array([1.0, min(1.0, maker.width * 2)])
    places = maker.pip_places(value) * squeeze
    if maker.recesses:
        for place in maker.pip_places(7 if maker.top <= 6 else 9) * squeeze:
            _recess(image, maker, centre + place * half, radius, light)
    for place in places:
        _pip(image, maker, centre + place * half, radius, maker.pips[value], light)


@functools.lru_cache(maxsize=512)
def numeral(font: int, value: int, size: int, turns: int) -> np.ndarray:
    """A numeral as a mask (size, size) 0..1, turned by quarter turns; 6 and 9 are underlined."""
    files = font_files()
    mask = Image.new("L", (size, size))
    draw = ImageDraw.Draw(mask)
    height = int(size * (0.62 + 0.03 * (font % 7)))
    face = ImageFont.truetype(files[font % len(files)], height) if files else ImageFont.load_default(height)
    stroke = 1 + size // 40 if font % 5 == 0 else 0
    draw.text((size / 2, size / 2), str(value), font=face, anchor="mm", fill=255, stroke_width=stroke)
    box = mask.getbbox()
    if value in (6, 9) and box:
        y = min(size - 2, box[3] + size * 0.04)
        draw.line([box[0], y, box[2], y], fill=255, width=max(1, size // 18))
    # Condensed and extended faces.
    wide = max(4, int(size * (0.76 + 0.12 * (font // 13 % 5))))
    stretched = cv2.resize(np.asarray(mask, np.float32) / 255, (wide, size), interpolation=cv2.INTER_AREA)
    if wide > size:
        stretched = stretched[:, (wide - size) // 2 :][:, :size]
    else:
        stretched = np.pad(stretched, ((0, 0), ((size - wide) // 2, size - wide - (size - wide) // 2)))
    return np.rot90(stretched, turns).copy()


def numeral_share(maker: Maker) -> float:
    """Side of the square that a numeral fills, as a share of a half's length."""
    return 0.62 + 0.04 * (maker.font % 8)


def shows_nothing(maker: Maker, value: int) -> bool:
    """Most sets with numerals leave the blank blank."""
    return value == 0 and maker.font % 3 > 0


def numeral_turns(maker: Maker, half: int) -> int:
    """Quarter turns of the numeral on the first (0) or the second half: both upright, or each towards its end."""
    turns = maker.font % 4
    return (turns + 2 * half) % 4 if turns % 2 else turns


def _numeral(
    image: np.ndarray, maker: Maker, value: int, centre: np.ndarray, half: float, turns: int, light: np.ndarray
) -> None:
    size = int(half * numeral_share(maker))
    if shows_nothing(maker, value) or size < 4:
        return
    mask = numeral(maker.font, value, size, turns)[..., None]
    x, y = int(centre[0] - size / 2), int(centre[1] - size / 2)
    if x < 0 or y < 0 or y + size > image.shape[0] or x + size > image.shape[1]:
        return
    patch = image[y : y + size, x : x + size].astype(np.float32)
    style = maker.font // 31 % 4
    if style == 1:  # printed with an edge of another tone
        edge = cv2.dilate(mask, np.ones((3, 3), np.uint8), iterations=1 + size // 40)[..., None]
        patch = patch * (1 - edge) + np.array(_mix(maker.body, maker.divider_colour, 0.8), np.float32) * edge
    elif style == 2:  # engraved: a bright rim on the side away from the light
        shift = np.array([[1, 0, light[0] * -0.03 * size], [0, 1, light[1] * -0.03 * size]], np.float32)
        rim = cv2.warpAffine(mask, shift, (size, size))[..., None]
        patch = patch * (1 - rim) + np.array(_mix(maker.body, (255, 255, 255), 0.5), np.float32) * rim
    image[y : y + size, x : x + size] = patch * (1 - mask) + np.array(maker.pips[value], np.float32) * mask


def _divider(image: np.ndarray, maker: Maker, light: np.ndarray) -> None:
    height, length = image.shape[:2]
    middle = np.array([length / 2, height / 2])
    if maker.divider != "none":
        reach = height * maker.divider_length / 2
        width = max(1, round(length * maker.divider_width))
        top, bottom = (int(length / 2), int(middle[1] - reach)), (int(length / 2), int(middle[1] + reach))
        if maker.divider == "groove":
            shade = 0.72 if light[0] > 0 else 1.12
            cv2.line(image, top, bottom, _scaled(maker.body, shade), width, cv2.LINE_AA)
            other = (top[0] + width, top[1]), (bottom[0] + width, bottom[1])
            cv2.line(image, *other, _scaled(maker.body, 1.84 - shade), width, cv2.LINE_AA)
        else:
            cv2.line(image, top, bottom, maker.divider_colour, width, cv2.LINE_AA)
    if maker.pin:
        radius = maker.pin * length
        _circle(image, middle, radius, _scaled(maker.pin_colour, 0.55))
        _circle(image, middle - light * radius * 0.15, radius * 0.8, maker.pin_colour)
        _circle(image, middle - light * radius * 0.35, radius * 0.3, (250, 250, 250))


def _outline(length: int, height: int, corner: float) -> np.ndarray:
    """Rounded outline as a mask (height, length) uint8."""
    mask = np.zeros((height, length), np.uint8)
    r = max(1, int(corner * length))
    cv2.rectangle(mask, (r, 0), (length - 1 - r, height - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (length - 1, height - 1 - r), 255, -1)
    for x in (r, length - 1 - r):
        for y in (r, height - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    return mask


def _ground(rng: np.random.Generator, maker: Maker, colour: Colour, length: int, height: int) -> np.ndarray:
    image = np.empty((height, length, 3), np.float32)
    image[:] = colour
    if maker.grain > 0.012:
        coarse = rng.normal(0, maker.grain, (max(2, height // 6), max(2, length // 24), 1)).astype(np.float32)
        image *= 1 + cv2.resize(coarse, (length, height), interpolation=cv2.INTER_LINEAR)[..., None]
    return np.clip(image, 0, 255).astype(np.uint8)


def _bevel(image: np.ndarray, maker: Maker, light: np.ndarray) -> None:
    """Moulded edge: the rims that lean towards the light are brighter, the others darker."""
    length = image.shape[1]
    rim = int(maker.bevel * length)
    if rim < 1:
        return
    strength = 0.16
    # Light comes from the negative side when `light` is negative: the rim that faces it is the brighter one.
    for part, lit in (
        (image[:rim], -light[1]),
        (image[-rim:], light[1]),
        (image[:, :rim], -light[0]),
        (image[:, -rim:], light[0]),
    ):
        part[:] = np.clip(part * (1 + strength * lit), 0, 255)


def _worn(rng: np.random.Generator, maker: Maker, image: np.ndarray) -> np.ndarray:
    """Dirt in blotches and scratches."""
    height, length = image.shape[:2]
    blotch = cv2.resize(rng.random((5, 9)).astype(np.float32), (length, height), interpolation=cv2.INTER_CUBIC)
    image = (image * (1 - maker.wear * 0.5 * np.clip(blotch - 0.5, 0, 1)[..., None])).astype(np.uint8)
    for _ in range(int(rng.integers(0, 5))):
        ends = rng.integers(0, [length, height, length, height])
        tone = float(rng.uniform(60, 220))
        cv2.line(image, (int(ends[0]), int(ends[1])), (int(ends[2]), int(ends[3])), (tone, tone, tone), 1, cv2.LINE_AA)
    return image


def paint_face(
    rng: np.random.Generator, maker: Maker, ends: tuple[int, int], length: int, light_deg: float
) -> np.ndarray:
    """The face of a tile `length` px long, BGRA.

    `light_deg` is the direction the light comes from, in degrees clockwise as seen, in the face's own frame.
    """
    height = max(4, round(length * maker.width))
    image = _ground(rng, maker, maker.body, length, height)
    light = np.array([math.cos(math.radians(light_deg)), math.sin(math.radians(light_deg))])
    _bevel(image, maker, light)
    half = length / 2
    for index, value in enumerate(ends):
        centre = np.array([half * (0.5 + index), height / 2])
        # The second half is the first one turned by 180 degrees, as makers do.
        if maker.numerals:
            _numeral(image, maker, value, centre, half, numeral_turns(maker, index), light)
        elif index == 0:
            _dots(image, maker, value, centre, half, light)
        else:
            turned = image[::-1, ::-1]
            work = np.ascontiguousarray(turned)
            _dots(work, maker, value, np.array([half * 0.5, height / 2]), half, -light)
            image = np.ascontiguousarray(work[::-1, ::-1])
    _divider(image, maker, light)
    if rng.random() < 0.6:
        image = _smudged(rng, image)
    if maker.wear:
        image = _worn(rng, maker, image)
    if maker.film:
        image = _filmed(rng, image)
    return _with_outline(image, maker)


def _smudged(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Faint grey clouds, as marbled plastic and fingers leave them: a blank is never quite empty."""
    height, length = image.shape[:2]
    grid = int(rng.integers(3, 9)), int(rng.integers(4, 18))
    clouds = cv2.resize(rng.normal(0, 1, grid).astype(np.float32), (length, height), interpolation=cv2.INTER_CUBIC)
    depth = rng.uniform(0.01, 0.09)
    return np.clip(image * (1 - depth * np.clip(clouds, 0, 1.5))[..., None], 0, 255).astype(np.uint8)


def _mottled(rng: np.random.Generator, length: int, height: int, focus: np.ndarray) -> np.ndarray:
    """A lamp's reflection torn up by crumpled film, (height, length) float32: white where the wrinkles lean to it."""
    y, x = np.mgrid[0:height, 0:length].astype(np.float32)
    turn = rng.uniform(0, math.pi)
    along = (x - focus[0]) * math.cos(turn) + (y - focus[1]) * math.sin(turn)
    across = (y - focus[1]) * math.cos(turn) - (x - focus[0]) * math.sin(turn)
    reach = length * rng.uniform(0.08, 0.4, 2)
    height_map = 1.3 * np.exp(-((along / reach[0]) ** 2) - (across / reach[1]) ** 2)
    if rng.random() < 0.4:  # the lamp's own edge
        height_map[across > rng.uniform(0, 1) * reach[1]] -= 0.7
    for cells, depth in ((8, 0.35), (20, 0.4), (45, 0.4)):
        cells = int(cells * rng.uniform(0.7, 1.6))
        noise = rng.normal(0, depth, (max(2, round(cells * height / length)), cells)).astype(np.float32)
        height_map += cv2.resize(noise, (length, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip((height_map - rng.uniform(0.75, 1.1)) * rng.uniform(3, 9), 0, 1) * rng.uniform(90, 255))


def _filmed(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Clear film round the tile: a soft sheen, and hard flecks, creases and mottles of light that hide pips."""
    height, length = image.shape[:2]
    light = np.zeros((height, length), np.float32)
    focus = rng.uniform(0, 1, 2) * [length, height]
    kind = rng.choice(["sheen", "mottles", "flecks"], p=[0.4, 0.3, 0.3])  # most tiles don't mirror the lamp
    if kind == "sheen":
        return np.clip(image + rng.uniform(0, 40), 0, 255).astype(np.uint8)
    if kind == "mottles":
        light = _mottled(rng, length, height, focus).astype(np.float32)
        return np.clip(image + cv2.GaussianBlur(light, (0, 0), max(0.3, length * 0.002))[..., None], 0, 255).astype(
            np.uint8
        )
    for _ in range(int(rng.integers(2, 26))):
        centre = (
            focus + rng.normal(0, 0.22, 2) * [length, length]
            if rng.random() < 0.8
            else rng.uniform(0, 1, 2) * [length, height]
        )
        size = length * rng.uniform(0.008, 0.06)
        corners = centre + rng.normal(0, 1, (int(rng.integers(3, 6)), 2)) * size * [1, rng.uniform(0.2, 1)]
        cv2.fillConvexPoly(
            light, cv2.convexHull(corners.astype(np.float32)).astype(np.int32), float(rng.uniform(60, 240))
        )
    for _ in range(int(rng.integers(0, 4))):
        ends = rng.uniform(-0.1, 1.1, (2, 2)) * [length, height]
        cv2.line(light, *[(int(x), int(y)) for x, y in ends], float(rng.uniform(30, 160)), max(1, length // 110))
    light = cv2.GaussianBlur(light, (0, 0), max(0.4, length * 0.004))
    y, x = np.mgrid[0:height, 0:length].astype(np.float32)
    sheen = np.exp(-((x - focus[0]) ** 2 + (y - focus[1]) ** 2) / (2 * (length * rng.uniform(0.1, 0.5)) ** 2))
    glow = light + sheen * rng.uniform(0, 70)
    return np.clip(image + glow[..., None], 0, 255).astype(np.uint8)


def paint_back(rng: np.random.Generator, maker: Maker, length: int, light_deg: float) -> np.ndarray:
    """The back of a tile, BGRA: plain, or with a maker's ornament that is not a value."""
    height = max(4, round(length * maker.width))
    image = _ground(rng, maker, maker.back, length, height)
    light = np.array([math.cos(math.radians(light_deg)), math.sin(math.radians(light_deg))])
    _bevel(image, maker, light)
    ink = _scaled(maker.back, 0.6) if np.mean(maker.back) > 90 else _mix(maker.back, (255, 255, 255), 0.3)
    middle = (length // 2, height // 2)
    if maker.back_style == "logo":
        cv2.ellipse(
            image, middle, (int(length * 0.28), int(height * 0.3)), 0, 0, 360, ink, max(1, length // 50), cv2.LINE_AA
        )
        cv2.ellipse(image, middle, (int(length * 0.12), int(height * 0.16)), 0, 0, 360, ink, -1, cv2.LINE_AA)
    elif maker.back_style == "lines":
        for x in range(int(length * 0.1), int(length * 0.9), max(3, length // 12)):
            cv2.line(image, (x, int(height * 0.15)), (x + length // 20, int(height * 0.85)), ink, max(1, length // 90))
    elif maker.back_style == "dots":
        for x in np.linspace(length * 0.08, length * 0.92, 14):
            for y in (height * 0.14, height * 0.86):
                _circle(image, np.array([x, y]), max(0.7, length * 0.008), ink)
    return _with_outline(image, maker)


def _with_outline(image: np.ndarray, maker: Maker) -> np.ndarray:
    height, length = image.shape[:2]
    face = np.empty((height, length, 4), np.uint8)
    face[..., :3] = np.clip(image, 0, 255)
    face[..., 3] = _outline(length, height, maker.corner)
    return face
