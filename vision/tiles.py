"""What was seen of one tile, and of everything in one picture."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from engine.tile import Tile

BgrImage = npt.NDArray[np.uint8]
"""Height x width x 3, blue-green-red, as a person sees the photo (EXIF turned)."""

Points = npt.NDArray[np.float32]
"""(n, 2) pixels: x right, y down."""

Kind = str
"""`face_up`, `face_down` or `marker`."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a tile is not sure: a code for programs, values for the sentence.

    Codes: `half_unclear` (a half reads as two values), `half_unreadable`, `cut_by_edge`, `covered`,
    `maybe_tile` (something here may be a tile), `seen_twice` (one set has this tile once), `blurred`,
    `colour_disagrees`, `count_disagrees`, `picture_damaged` (the file has a hole), `maybe_face_down` (a double-blank at
    the end of a line, which looks like a back).
    """

    code: str
    params: dict[str, int | float | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TileSighting:
    """One tile in a picture.

    `corners_px` (4, 2) float32: clockwise as seen, from the left corner of the first end when that end is held
    up; `ends[0]` is the half between corners 0 and 1 (the contract counts them 1 and 2). `ends` are `None`
    where a half can't be read and for face-down tiles. `probabilities` (2, 19) are calibrated, one row a half;
    what a row lacks to 1 is "no value here". `pips_px` (n, 2) are the pips that were counted.
    """

    kind: Kind
    ends: tuple[int | None, int | None]
    corners_px: Points
    confidence: float
    probabilities: npt.NDArray[np.float32]
    pips_px: Points
    doubts: tuple[Doubt, ...] = ()

    @classmethod
    def faceless(cls, kind: Kind, corners_px: Points, confidence: float) -> TileSighting:
        """A face-down tile or a marker: a place and nothing to read."""
        nothing = np.zeros((2, 19), np.float32), np.zeros((0, 2), np.float32)
        return cls(kind, (None, None), corners_px, confidence, *nothing)

    @property
    def doubtful(self) -> bool:
        """Someone should look at it."""
        return bool(self.doubts)

    @property
    def tile(self) -> Tile | None:
        """The tile, if both halves were read."""
        first, second = self.ends
        return None if first is None or second is None else Tile(first, second)

    @property
    def centre_px(self) -> tuple[float, float]:
        """Mean of the corners."""
        x, y = self.corners_px.mean(0)
        return float(x), float(y)

    @property
    def length_px(self) -> float:
        """Of the side from one end to the other."""
        return float(np.linalg.norm(self.corners_px[2] - self.corners_px[1]))


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """Everything found in one picture: face-up tiles (doubtful ones too), face-down tiles and markers.

    `ms` has one entry a stage and `total`. `size_wh` is the photo's size in px. `damaged`: the file has a hole.
    `blurred`: no tile was found, on a picture on which none could be. `faint` are things that
    may be markers, not sure enough to be told as such.
    """

    tiles: tuple[TileSighting, ...]
    face_down: tuple[TileSighting, ...]
    markers: tuple[TileSighting, ...]
    size_wh: tuple[int, int]
    model_id: str
    ms: dict[str, float]
    damaged: bool = False
    blurred: bool = False
    faint: tuple[TileSighting, ...] = ()

    def from_damaged(self) -> PhotoReading:
        """The reading of a photo whose file has a hole: where it is nobody knows, so that no tile is sure."""
        doubt = Doubt("picture_damaged")
        tiles = tuple(replace(tile, doubts=(*tile.doubts, doubt)) for tile in self.tiles)
        return replace(self, tiles=tiles, damaged=True)

    @property
    def doubtful(self) -> int:
        """Number of doubtful tiles, or 1 where an empty picture is no proof that nothing lies there.

        With 0 the values are a promise.
        """
        if not self.tiles:
            return int(self.damaged or self.blurred)
        return sum(tile.doubtful for tile in self.tiles)
