"""Small real stand-ins for what a command is composed of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.reader import ReadOptions
from vision.tiles import BgrImage, Doubt, PhotoReading, TileSighting

Ends = tuple[int | None, int | None]


def sighting(ends: Ends, *doubts: Doubt, place: int = 0, kind: str = "face_up") -> TileSighting:
    """An upright tile, the `place`th of a row."""
    x = 10.0 + 30 * place
    corners = np.array([[x, 10], [x + 25, 10], [x + 25, 60], [x, 60]], np.float32)
    return TileSighting(kind, ends, corners, 0.99, np.zeros((2, 19), np.float32), corners[:1], doubts)


@dataclass
class FakeReader:
    """Sees the same tiles on every photo, and remembers with which options it was asked."""

    tiles: Sequence[TileSighting] = ()
    face_down: Sequence[TileSighting] = ()
    model_id: str = "fake-1"
    asked: list[tuple[tuple[int, int], ReadOptions]] = field(default_factory=list)

    def read(self, image: BgrImage, options: ReadOptions) -> PhotoReading:
        """The tiles it was made with."""
        size_wh = image.shape[1], image.shape[0]
        self.asked.append((size_wh, options))
        return PhotoReading(tuple(self.tiles), tuple(self.face_down), (), size_wh, self.model_id, {"total": 1.5})
