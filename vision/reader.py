"""The pipeline: a picture in, every tile out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from vision.tiles import BgrImage, PhotoReading


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the caller knows: the set played with (highest value), and whether several sets are mixed.

    `gain` is how much brighter than it is the picture is looked at.
    """

    set_size: int = 12
    mixed: bool = False
    gain: float = 1.0


class PhotoReader(Protocol):
    """Reads photos; immutable and safe to share between threads."""

    model_id: str

    def read(self, image: BgrImage, options: ReadOptions) -> PhotoReading:
        """Find and read every tile on `image`."""
