"""Aiming a camera: what its picture measures, how much of what lies there is read, and one piece of advice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from server.round_watch import SURE
from vision.aim import NEEDED_LIGHT, NEEDED_PX, measured
from vision.board import Board
from vision.reader import PhotoReader, ReadOptions
from vision.steadiness import Glance, StillnessGate
from vision.tiles import BgrImage, Points

Json = dict[str, Any]

FEWEST_TILES = 3
"""Tiles that must be seen before the aim can be called good."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A tile as it is seen: corners (4, 2) px, and whether its values are read surely."""

    corners_px: Points
    sure: bool


def seen_on(board: Board) -> list[Seen]:
    """The tiles of a table that is followed. Sure is what would be sure enough to call a foul."""
    return [Seen(tile.corners_px, tile.evidence.confidence >= SURE) for tile in board.tiles.values()]


def aim_view(image: BgrImage, tiles: Sequence[Seen], hub: bool | None = None) -> Json:
    """How the camera is aimed, for pages. `hub`: whether the starting double is found; `None` if that is not asked."""
    aim = measured(image, [tile.corners_px for tile in tiles])
    found = aim.advice()
    advice = None if found is None else {"code": found.code, "params": found.params}
    if advice is None and hub is False:
        advice = {"code": "no_hub", "params": {}}
    if advice is None and hub is None and len(tiles) < FEWEST_TILES:
        advice = {"code": "few_tiles", "params": {"needed": FEWEST_TILES}}
    unsure = [number for number, tile in enumerate(tiles) if not tile.sure]
    if advice is None and unsure:
        advice = {"code": "unsure", "params": {"count": len(unsure)}}
    height, width = image.shape[:2]
    return {
        "good": advice is None, "advice": advice, "size": [width, height],
        "light": {"percent": aim.light_percent, "needed": NEEDED_LIGHT, "burnt": aim.burnt_percent, "ok": aim.is_light},
        "sharp": aim.is_sharp,
        "tiles": len(tiles), "length": aim.length_px, "needed": NEEDED_PX,
        "small": list(aim.small), "cut": list(aim.cut), "unsure": unsure,
        "corners": [[[round(float(x)), round(float(y))] for x, y in tile.corners_px] for tile in tiles],
    }


@dataclass(slots=True)
class Aimer:
    """Looks at a table that nobody follows yet: reads what lies there each time the picture has come to rest."""

    reader: PhotoReader
    options: ReadOptions
    gate: StillnessGate = field(default_factory=lambda: StillnessGate(settle_s=0.5))
    _done: bool = False

    def look(self, image: BgrImage, time_s: float, settled: bool) -> Json | None:
        """The aim, if this picture was looked at."""
        if not settled:
            rest = self.gate.push(Glance.of(image), time_s)
            if self.gate.moving:
                self._done = False
            if not rest or self._done:
                return None
        self._done = True
        reading = self.reader.read(image, self.options)
        tiles = [Seen(tile.corners_px, not tile.doubtful) for tile in reading.tiles if tile.kind == "face_up"]
        return aim_view(image, tiles)
