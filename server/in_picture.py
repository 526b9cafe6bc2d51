"""Where the tiles of the followed table lie in the camera's newest picture: what a tap on that picture means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.table import LaidTile, TrainId
from server.tables import TableGame
from vision.board import Board, KnownTile

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class InPicture:
    """What a camera knows of its newest picture, (width, height) px; `owners` of the lines that have one."""

    board: Board
    owners: Mapping[str, TrainId]
    size_wh: tuple[int, int]

    def as_json(self, table: TableGame) -> Json:
        """Tiles with corners px, clockwise, each with its train and its place there, counted from the hub.

        A tile that nobody has told of yet has no place. `ends` are where the trains go on, `length` is a tile's, px.
        """
        tiles, ends, markers = [], [], []
        for name, line in self.board.lines.items():
            owner = self.owners.get(name)
            if owner is None:
                continue
            lies = table.position.table.train(owner).tiles
            for number, key in enumerate(line.keys):
                tile = self.board.tiles[key]
                place = _place(tile, number, len(line.keys), lies)
                tiles.append({"corners": _pairs(tile.corners_px), "train": owner, "place": place})
            ends.append({"train": owner, "at": _pairs(self.board.slot_px(name)[None])[0]})
            if line.marker is not None:
                markers.append({"train": owner, "corners": _pairs(line.marker)})
        return {"size": list(self.size_wh), "tiles": tiles, "ends": ends, "markers": markers,
                "length": round(self.board.tile_px, 1)}


def _pairs(points_px: npt.NDArray[np.floating[Any]]) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in points_px]


def _place(tile: KnownTile, number: int, count: int, lies: tuple[LaidTile, ...]) -> int | None:
    """Where the train has the tile: by its values; where somebody put those right, by its number in the line."""
    found = [place for place, laid in enumerate(lies) if (laid.tile.low, laid.tile.high) == tile.values]
    if found:
        return found[0]
    return number if count == len(lies) else None
