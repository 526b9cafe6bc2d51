"""Draw the icons with which the pages are installed on a phone: the domino of `icon.svg`, in the sizes phones ask for.

    python -m scripts.make_icons [--folder server/static/icons]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "server" / "static" / "icons"
GREEN, IVORY, INK, RED, BLUE = "#1f6f5c", "#fbf8ef", "#1c2321", "#d3382f", "#2747a8"
ICONS = {"192.png": (192, False), "512.png": (512, False), "maskable.png": (512, True), "apple.png": (180, True)}
"""Name: side in px, and whether the system cuts its own shape out of it (then it has no corners of its own)."""
_UNITS = 64
_FINER = 4
_THREE = [(25, 13), (32, 19), (39, 25)]
_FOUR_ONE = [(25, 39), (39, 39), (32, 45), (25, 51), (39, 51)]


def draw_icon(side: int, whole: bool) -> Image.Image:
    """The icon. Drawn larger and shrunk, so that edges are smooth."""
    scale = side * _FINER / _UNITS
    image = Image.new("RGBA", (side * _FINER, side * _FINER), GREEN if whole else (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    if not whole:
        pen.rounded_rectangle((0, 0, image.width - 1, image.height - 1), 14 * scale, GREEN)
    inset = 0.78 if whole else 1.0  # what a system cuts away must not reach the domino

    def at(value: float) -> float:
        return (_UNITS / 2 + (value - _UNITS / 2) * inset) * scale

    pen.rounded_rectangle((at(18), at(6), at(46), at(58)), 6 * scale * inset, IVORY)
    pen.line((at(22), at(32), at(42), at(32)), INK, round(2 * scale * inset))
    for points, colour in ((_THREE, RED), (_FOUR_ONE, BLUE)):
        for x, y in points:
            pen.ellipse((at(x - 3), at(y - 3), at(x + 3), at(y + 3)), colour)
    return image.resize((side, side), Image.Resampling.LANCZOS)


def main() -> None:
    """Write all icons."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where they are written (default: %(default)s)")
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, (side, whole) in ICONS.items():
        draw_icon(side, whole).save(folder / name, optimize=True)


if __name__ == "__main__":
    main()
