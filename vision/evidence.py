"""What several readings of one tile say together: log-probabilities that add up, not votes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.tiles import TileSighting

Logs = npt.NDArray[np.float64]

VALUES = 19
_FLOOR = 1e-3
"""No single reading rules a value out: networks are surer than they are right."""
AGAIN = 0.8
"""What a second reading counts if it is of another picture; a later one counts less again."""
_MOST_PULL = 14.0
"""Evidence is kept relative to the best value; what lies further back than this may still come back."""


def log_rows(sighting: TileSighting) -> Logs:
    """Log-probabilities (2, 19) of a sighting's halves; flat where nothing can be read."""
    rows = np.asarray(sighting.probabilities, np.float64)
    logs = np.zeros((2, VALUES))
    for half in (0, 1):
        row = rows[half]
        if row.sum() < 0.05:  # no probabilities were given: the value alone, as sure as the sighting
            value = sighting.ends[half]
            row = np.zeros(VALUES)
            if value is not None:
                row[value] = sighting.confidence
        row = row + _FLOOR
        logs[half] = np.log(row / row.sum())
    return logs


@dataclass(frozen=True, slots=True)
class Evidence:
    """What all readings of a tile say together, and how many there were.

    `logs` (2, 19) are log-probabilities, best value at 0: their mean times what so many readings are worth.
    """

    logs: Logs
    readings: int = 1

    @classmethod
    def of(cls, sighting: TileSighting) -> Evidence:
        """One reading."""
        return cls(_relative(log_rows(sighting)))

    def plus(self, sighting: TileSighting, flipped: bool) -> Evidence:
        """One reading more; `flipped` if its first half is this tile's second. All readings count alike.

        Together they count less than as many tiles: the same pips in the same light are misread in the same way.
        """
        logs, readings = log_rows(sighting), self.readings + 1
        total = self.logs * (self.readings / _worth(self.readings)) + (logs[::-1] if flipped else logs)
        return Evidence(_relative(total * (_worth(readings) / readings)), readings)

    @property
    def probabilities(self) -> Logs:
        """(2, 19), each row summing to 1."""
        rows = np.exp(self.logs)
        return np.asarray(rows / rows.sum(1, keepdims=True))

    @property
    def typical(self) -> Logs:
        """(2, 19), each row summing to 1: what one reading says on average. Many alike may be wrong alike."""
        rows = np.exp(self.logs / _worth(self.readings))
        return np.asarray(rows / rows.sum(1, keepdims=True))

    @property
    def ends(self) -> tuple[int, int]:
        """The likeliest values."""
        first, second = self.logs.argmax(1)
        return int(first), int(second)

    @property
    def double(self) -> int:
        """The likeliest value if both halves show the same."""
        return int(self.logs.sum(0).argmax())

    def lead(self, ends: tuple[int, int]) -> float:
        """How far the likeliest values lead over these, in nats."""
        return float(-self.logs[0, ends[0]] - self.logs[1, ends[1]])

    @property
    def confidence(self) -> float:
        """That both values are right."""
        return float(self.probabilities.max(1).prod())

    def options(self, least: float = 0.02) -> list[tuple[tuple[int, int], float]]:
        """Pairs of values that may be meant, the likeliest first, with their probabilities."""
        rows = self.probabilities
        likely = [[int(value) for value in np.argsort(-row)[:3] if row[value] >= least] for row in rows]
        pairs = [((a, b), float(rows[0, a] * rows[1, b])) for a in likely[0] for b in likely[1]]
        return sorted(pairs, key=lambda pair: -pair[1])[:6]


def both(one: TileSighting, other: TileSighting, flipped: bool) -> Logs:
    """Probabilities (2, 19) from two looks at one picture, which are worth one reading: their geometric mean.

    `flipped` if the first half of `other` is the second of `one`.
    """
    again = log_rows(other)
    rows = np.exp((log_rows(one) + (again[::-1] if flipped else again)) / 2)
    rows = np.maximum(rows / rows.sum(1, keepdims=True) - _FLOOR, 0.0)  # whoever takes it as a reading adds it again
    return np.asarray(rows / rows.sum(1, keepdims=True))


def _worth(readings: int) -> float:
    """How many readings of different tiles so many of one tile are worth."""
    return 1 + AGAIN * sum(1 / number for number in range(1, readings))


def _relative(logs: Logs) -> Logs:
    return np.asarray(np.maximum(logs - logs.max(1, keepdims=True), -_MOST_PULL))
