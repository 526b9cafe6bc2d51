"""The state of laying out a table, shared by the modules that do it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.forest import Ends, Forest
from vision.hub import HubPlace
from vision.lines import Line, Tree, outer_edge
from vision.marking import Claim
from vision.plane import Array, Plane, Rects
from vision.table_reading import LayoutOptions
from vision.tiles import PhotoReading, TileSighting


@dataclass(slots=True)
class Layout:
    """Everything known while a table is laid out; indices are those of the face-up tiles.

    `spots`: how many things like markers were left out, as print on a cloth.
    """

    reading: PhotoReading
    options: LayoutOptions
    plane: Plane
    rects: Rects
    ends: list[Ends]
    hub: HubPlace | None
    forest: Forest
    gaps: list[tuple[int, int]]
    trees: list[Tree]
    kinds: list[str]
    claims: list[Claim]
    spots: int = 0

    def edge_px(self, line: Line) -> tuple[float, float]:
        """The middle of the outer edge of a line's last tile, px."""
        corners = self.reading.tiles[line.tiles[-1]].corners_px
        one, two = outer_edge(self.rects, line)
        x, y = (corners[one] + corners[two]) / 2
        return float(x), float(y)

    @property
    def hub_value(self) -> int | None:
        """The starting double's value; `None` if it is not seen or not read as a double."""
        if self.hub is None or self.hub.tile is None:
            return None
        first, second = self.ends[self.hub.tile]
        return first if first == second else None


def quads(sightings: Sequence[TileSighting]) -> Array:
    """Corners (n, 4, 2) px of what was seen."""
    return np.array([sighting.corners_px for sighting in sightings], np.float64).reshape(-1, 4, 2)
