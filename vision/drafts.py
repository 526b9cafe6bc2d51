"""Tiles while it is being decided what they are, and the thresholds that decide."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.tiles import Doubt, Points

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class AgreeConfig:
    """Thresholds. Evidence is in log-odds (`candidates.evidence`), probabilities are calibrated."""

    tile_evidence: float = 4.0
    maybe_evidence: float = 1.5
    maybe_evidence_cut: float = -3.0
    maybe_evidence_read: float = -1.0
    most_valueless: float = 0.2
    finder_alone: float = 0.8
    back_alone: float = 0.6
    most_odd: float = 6.0
    sure_half: float = 0.90
    shared_ratio: float = 0.3
    covered_ratio: float = 0.1
    edge_ratio: float = 0.11
    least_sharpness: float = 0.12
    least_sharpness_large: float = 0.145
    least_sharpness_one_way: float = 0.125
    alternatives: int = 3
    teacher: float = 0.97
    least_teachers: int = 3
    least_counted: float = 0.85
    whole_tile: float = 1.1
    valueless: float = 0.03
    least_valueless: float = 0.1
    most_marked: int = 5
    most_marked_share: float = 0.4
    sure_without_count: float = 0.97
    guess: float = 0.5
    told_apart: int = 12
    blank_ink: float = 0.25
    blank_doubt: float = 0.04
    least_painted: int = 2
    hollow_step: float = 2.0
    least_hollow: int = 2
    hollow: float = 0.9


@dataclass(slots=True)
class Draft:
    """A tile while it is being decided."""

    corners: Points
    evidence: float
    probabilities: Floats  # (2, 19), may sum to less than 1
    pips: npt.NDArray[np.object_]  # (2,) places (k, 2) in px of the tile's crop
    markers: npt.NDArray[np.object_]  # likewise
    colours: Floats  # (2, 3)
    sharpness: float
    softest: float
    inks: Floats  # (2,)
    ends: tuple[int | None, int | None]
    doubts: list[Doubt]

    @property
    def sureness(self) -> float:
        """Probability that both values are right."""
        parts = [
            float(row[end]) if end is not None else 0.0 for row, end in zip(self.probabilities, self.ends, strict=True)
        ]
        return math.prod(parts)


Half = tuple[Draft, int]
"""A tile and which of its halves, 0 or 1."""
