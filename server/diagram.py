"""The table as a drawing, as rule books have it: the hub, trains as arms that wind round it, markers, open ends.

SVG text; nothing is loaded from elsewhere. Unit of the drawing: a tile is 100 long and 50 wide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

Ends = tuple[int | None, int | None]

_LONG, _WIDE, _GAP = 100.0, 50.0, 6.0
_PITCH = 132.0  # from one arm to the next, outward: a crosswise double and some air
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#b8a800", "#d55e00", "#777777",
    "#6e3c6e", "#8c5a3c")  # fmt: skip
_PIPS = {
    1: "#5cbfe0", 2: "#2e963c", 3: "#d2322e", 4: "#78502f", 5: "#1e5abe", 6: "#d98a12", 7: "#cd328c", 8: "#19968c",
    9: "#643296", 10: "#eb6428", 11: "#8c1e32", 12: "#70707a", 13: "#3c6e28", 14: "#a03c8c", 15: "#28508c",
    16: "#965a00", 17: "#c81e64", 18: "#143c3c",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Arm:
    """One train to draw: (near, far) values outward; a limb is (index of its double, values)."""

    name: str
    tiles: tuple[Ends, ...]
    marker: bool = False
    open_double: bool = False
    limbs: tuple[tuple[int, tuple[Ends, ...]], ...] = ()


def diagram_svg(start: int | None, arms: Sequence[Arm]) -> str:
    """A picture of the table, as SVG text. `start` is the starting double's value, if it is known."""
    parts, reach = [_tile(0, 0, 90, (start, start), "#333")], 190.0
    for number, arm in enumerate(arms):
        colour = _COLOURS[number % len(_COLOURS)]
        shapes, far = _arm(arm, number, len(arms), colour)
        parts += shapes
        reach = max(reach, far)
    size = round(reach + 110)
    style = (
        "text{font-family:system-ui,sans-serif;text-anchor:middle;dominant-baseline:central}"
        "@keyframes b{50%{opacity:.25}}.open{animation:b 1s steps(2) 6}"
        "@media(prefers-reduced-motion:reduce){.open{animation:none}}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-size} {-size} {2 * size} {2 * size}" role="img">'
        f'<style>{style}</style><circle r="{_hub_radius(len(arms)) - 18:.0f}" fill="none" stroke="#999" '
        f'stroke-width="3"/>{"".join(parts)}</svg>\n'
    )


def _hub_radius(arms: int) -> float:
    return max(105.0, 62.0 * arms / math.pi)


@dataclass(slots=True)
class _Winding:
    """A point that moves outward along a spiral. `turn` is radians clockwise from the top, `radius` its distance."""

    radius: float
    turn: float
    slope: float

    def step(self, length: float) -> None:
        """Move on by a way `length` long."""
        self.turn += length / math.hypot(self.radius, self.slope)
        self.radius += self.slope * length / math.hypot(self.radius, self.slope)

    @property
    def place(self) -> tuple[float, float]:
        """x, y."""
        return self.radius * math.sin(self.turn), -self.radius * math.cos(self.turn)

    @property
    def heading(self) -> float:
        """Degrees clockwise from the right."""
        outward = math.degrees(self.turn) - 90
        return outward + math.degrees(math.atan2(self.radius, self.slope))


def _arm(arm: Arm, number: int, count: int, colour: str) -> tuple[list[str], float]:
    """All shapes of one train, and how far from the middle they reach."""
    # Each arm winds so that the next one, further out by the pitch, never meets it.
    slope = _PITCH * count / (2 * math.pi)
    winding = _Winding(_hub_radius(count), 2 * math.pi * number / count, slope)
    parts = [_text(*_beside(winding, -26), arm.name, 26, colour)]
    for index, ends in enumerate(arm.tiles):
        double = ends[0] is not None and ends[0] == ends[1]
        length = _WIDE if double else _LONG
        winding.step(length / 2 + _GAP / 2)
        x, y = winding.place
        last_open = arm.open_double and index == len(arm.tiles) - 1
        rim = "#d000dc" if last_open else colour
        parts.append(_tile(x, y, winding.heading + (90 if double else 0), ends, rim, 7 if last_open else 3))
        for limb_number, (at, tiles) in enumerate(arm.limbs):
            if at == index:
                parts += _limb(x, y, winding.heading + (68 if limb_number % 2 else -68), tiles, colour)
        winding.step(length / 2 + _GAP / 2)
    parts += _end(arm, winding, colour)
    return parts, winding.radius + 60


def _beside(winding: _Winding, along: float) -> tuple[float, float]:
    angle = math.radians(winding.heading)
    x, y = winding.place
    return x + along * math.cos(angle), y + along * math.sin(angle)


def _limb(x: float, y: float, heading: float, tiles: Sequence[Ends], colour: str) -> Iterator[str]:
    """A toe, at half size so that it keeps clear of the next arm."""
    cos, sin = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    for index, ends in enumerate(tiles):
        away = 68 + 52 * index
        yield _tile(x + away * cos, y + away * sin, heading, ends, colour, 5, 0.5)


def _end(arm: Arm, winding: _Winding, colour: str) -> list[str]:
    parts = []
    value = arm.tiles[-1][1] if arm.tiles else None
    if arm.tiles:
        x, y = _beside(winding, 26)
        shown = "?" if value is None else str(value)
        fill = "#ffe000" if arm.open_double else colour
        ink = "#000" if arm.open_double else "#fff"
        kind = ' class="open"' if arm.open_double else ""
        disc = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="22" fill="{fill}"/>'
        parts.append(f"<g{kind}>{disc}{_text(x, y, shown, 26, ink)}</g>")
    if arm.marker:
        x, y = _beside(winding, 74 if arm.tiles else 30)
        parts.append(
            f'<path d="M{x - 22:.1f} {y + 16:.1f}h44v-20h-14v-14h-12v14h-18z" fill="{colour}" stroke="#222" '
            f'stroke-width="3"><title>{escape(arm.name)}</title></path>'
        )
    return parts


def _text(x: float, y: float, text: str, size: float, colour: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.0f}" fill="{colour}">{escape(text)}</text>'


def _tile(
    x: float, y: float, degrees: float, ends: Ends, rim: str, width: float = 3, scale: float = 1.0
) -> str:
    """A domino whose first end points back along `degrees`."""
    pips = "".join(_half(value, -25 if half == 0 else 25) for half, value in enumerate(ends))
    return (
        f'<g transform="translate({x:.1f} {y:.1f}) rotate({degrees:.1f}) scale({scale})">'
        f'<rect x="-50" y="-25" width="100" height="50" rx="7" fill="#fdfbf3" stroke="{rim}" '
        f'stroke-width="{width}"/><path d="M0 -19V19" stroke="#333" stroke-width="2"/>{pips}</g>'
    )


def _half(value: int | None, x: float) -> str:
    if value is None:
        return f'<text x="{x}" y="0" font-size="30" fill="#c00">?</text>'
    radius = 4.6 if value <= 9 else 3.6 if value <= 12 else 2.9
    fill = _PIPS.get(value, "#333")
    return "".join(
        f'<circle cx="{x + 17 * u:.1f}" cy="{17 * v:.1f}" r="{radius}" fill="{fill}"/>' for u, v in _places(value)
    )


def _places(value: int) -> list[tuple[float, float]]:
    """Where the pips of a value are, each coordinate -1 to 1; `u` runs along the tile."""
    corners = [(-0.8, -0.8), (0.8, 0.8), (-0.8, 0.8), (0.8, -0.8)]
    six = [(u, v) for v in (-0.8, 0.8) for u in (-0.8, 0.0, 0.8)]
    small = {
        0: [], 1: [(0.0, 0.0)], 2: corners[:2], 3: [*corners[:2], (0.0, 0.0)], 4: corners,
        5: [*corners, (0.0, 0.0)], 6: six, 7: [*six, (0.0, 0.0)], 8: [*six, (-0.8, 0.0), (0.8, 0.0)],
        9: [*six, (-0.8, 0.0), (0.8, 0.0), (0.0, 0.0)],
    }  # fmt: skip
    if value in small:
        return small[value]
    outer = 4 if value <= 12 else 5 if value <= 15 else 6
    middle = value - 2 * outer
    return [(u, v) for v, count in ((-0.8, outer), (0.0, middle), (0.8, outer)) for u in _line(count, outer)]


def _line(count: int, outer: int) -> list[float]:
    """`count` places in a row where a full row has `outer`; short rows keep to the ends and the middle."""
    if count == 1:
        return [0.0]
    return [-0.9 + 1.8 * k / (count - 1) for k in range(count)] if count <= outer else []
