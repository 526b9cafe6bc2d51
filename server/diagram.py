"""The table as a drawing, as rule books have it: the hub, trains as arms that wind round it, markers, open ends.

SVG text; nothing is loaded from elsewhere. Unit of the drawing: a tile is 100 long and 50 wide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

Ends = tuple[int | None, int | None]

_LONG, _WIDE, _GAP = 100.0, 50.0, 6.0
_PITCH = 132.0  # from one arm to the next, outward: a crosswise double and some air
_REACH, _RIM = 58.0, 20  # from a tile's middle to its corners; white round the whole
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


@dataclass(slots=True)
class _Sheet:
    """Shapes, and how far they reach: left, top, right, bottom."""

    shapes: list[str] = field(default_factory=list)
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)

    def add(self, shape: str, x: float, y: float, reach: float) -> None:
        """A shape that lies within `reach` of (x, y)."""
        self.shapes.append(shape)
        left, top, right, bottom = self.box
        self.box = min(left, x - reach), min(top, y - reach), max(right, x + reach), max(bottom, y + reach)


def diagram_svg(start: int | None, arms: Sequence[Arm]) -> str:
    """A picture of the table, as SVG text. `start` is the starting double's value, if it is known."""
    sheet = _Sheet()
    # Lines begin beside the rim; a double, crosswise, needs more room.
    crosswise = any(arm.tiles and _is_double(arm.tiles[0]) for arm in arms)
    radius = max(62.0, _hub_radius(len(arms)) - (58 if crosswise else 18))
    sheet.add(f'<circle r="{radius:.0f}" fill="none" stroke="#999" stroke-width="3"/>', 0, 0, radius)
    sheet.add(_tile(0, 0, 90, (start, start), "#333"), 0, 0, _REACH)
    for number, arm in enumerate(arms):
        _draw_arm(sheet, arm, number, len(arms), _COLOURS[number % len(_COLOURS)])
    style = (
        "text{font-family:system-ui,sans-serif;text-anchor:middle;dominant-baseline:central}"
        "@keyframes b{50%{opacity:.25}}.open{animation:b 1s steps(2) 6}"
        "@media(prefers-reduced-motion:reduce){.open{animation:none}}"
    )
    left, top, right, bottom = (round(side) for side in sheet.box)
    view = f"{left - _RIM} {top - _RIM} {right - left + 2 * _RIM} {bottom - top + 2 * _RIM}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" role="img">'
        f"<style>{style}</style>{''.join(sheet.shapes)}</svg>\n"
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


def _draw_arm(sheet: _Sheet, arm: Arm, number: int, count: int, colour: str) -> None:
    """All shapes of one train."""
    # Each arm winds so that the next one, further out by the pitch, never meets it.
    slope = _PITCH * count / (2 * math.pi)
    winding = _Winding(_hub_radius(count), 2 * math.pi * number / count, slope)
    x, y = _beside(winding, -26)
    sheet.add(_text(x, y, arm.name, 26, colour), x, y, 10 + 8 * len(arm.name))
    for index, ends in enumerate(arm.tiles):
        length = _WIDE if _is_double(ends) else _LONG
        winding.step(length / 2 + _GAP / 2)
        x, y = winding.place
        last_open = arm.open_double and index == len(arm.tiles) - 1
        rim, turn = "#d000dc" if last_open else colour, 90 if _is_double(ends) else 0
        sheet.add(_tile(x, y, winding.heading + turn, ends, rim, 7 if last_open else 3), x, y, _REACH)
        for limb_number, (at, tiles) in enumerate(arm.limbs):
            if at == index:
                _draw_limb(sheet, x, y, winding.heading + (68 if limb_number % 2 else -68), tiles, colour)
        winding.step(length / 2 + _GAP / 2)
    _draw_end(sheet, arm, winding, colour)


def _is_double(ends: Ends) -> bool:
    return ends[0] is not None and ends[0] == ends[1]


def _beside(winding: _Winding, along: float) -> tuple[float, float]:
    angle = math.radians(winding.heading)
    x, y = winding.place
    return x + along * math.cos(angle), y + along * math.sin(angle)


def _draw_limb(sheet: _Sheet, x: float, y: float, heading: float, tiles: Sequence[Ends], colour: str) -> None:
    """A toe, at half size so that it keeps clear of the next arm."""
    cos, sin = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    for index, ends in enumerate(tiles):
        away = 68 + 52 * index
        at_x, at_y = x + away * cos, y + away * sin
        sheet.add(_tile(at_x, at_y, heading, ends, colour, 5, 0.5), at_x, at_y, _REACH / 2)


def _draw_end(sheet: _Sheet, arm: Arm, winding: _Winding, colour: str) -> None:
    """The open end and the marker."""
    if arm.tiles:
        x, y = _beside(winding, 26)
        value = arm.tiles[-1][1]
        fill = "#ffe000" if arm.open_double else colour
        ink = "#000" if arm.open_double else "#fff"
        kind = ' class="open"' if arm.open_double else ""
        disc = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="22" fill="{fill}"/>'
        shown = "?" if value is None else str(value)
        sheet.add(f"<g{kind}>{disc}{_text(x, y, shown, 26, ink)}</g>", x, y, 22)
    if arm.marker:
        x, y = _beside(winding, 74 if arm.tiles else 30)
        piece = (
            f'<path d="M{x - 22:.1f} {y + 16:.1f}h44v-20h-14v-14h-12v14h-18z" fill="{colour}" stroke="#222" '
            f'stroke-width="3"><title>{escape(arm.name)}</title></path>'
        )
        sheet.add(piece, x, y, 26)


def _text(x: float, y: float, text: str, size: float, colour: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.0f}" fill="{colour}">{escape(text)}</text>'


def _tile(x: float, y: float, degrees: float, ends: Ends, rim: str, width: float = 3, scale: float = 1.0) -> str:
    """A domino whose first end points back along `degrees`."""
    pips = "".join(_half(value, -25 if half == 0 else 25, degrees) for half, value in enumerate(ends))
    return (
        f'<g transform="translate({x:.1f} {y:.1f}) rotate({degrees:.1f}) scale({scale})">'
        f'<rect x="-50" y="-25" width="100" height="50" rx="7" fill="#fdfbf3" stroke="{rim}" '
        f'stroke-width="{width}"/><path d="M0 -19V19" stroke="#333" stroke-width="2"/>{pips}</g>'
    )


def _half(value: int | None, x: float, degrees: float) -> str:
    if value is None:  # upright, however the tile lies
        return f'<text transform="translate({x} 0) rotate({-degrees:.1f})" font-size="30" fill="#c00">?</text>'
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
