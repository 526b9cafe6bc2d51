"""What the finder saw: one checked bundle of equally long arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

FACE_UP, FACE_DOWN, MARKER = 0, 1, 2
KINDS = ("face_up", "face_down", "marker")


@dataclass(frozen=True, slots=True)
class Detections:
    """`boxes` (n, 5): cx, cy, length, width in px of the photo, angle in radians clockwise, length >= width.

    `kind` (n,) indexes `KINDS`; `score` (n,) is 0 to 1.
    """

    boxes: Floats
    kind: npt.NDArray[np.int64]
    score: Floats

    def __post_init__(self) -> None:
        count = len(self.boxes)
        if self.boxes.shape != (count, 5) or self.kind.shape != (count,) or self.score.shape != (count,):
            raise ValueError("boxes (n, 5), kind (n,) and score (n,) must describe the same things")

    def __len__(self) -> int:
        return len(self.boxes)

    def __getitem__(self, index: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> Detections:
        return Detections(self.boxes[index], self.kind[index], self.score[index])

    def scaled(self, factor: float) -> Detections:
        """The same things in a picture `factor` times as large."""
        boxes = self.boxes * np.array([factor, factor, factor, factor, 1], np.float32)
        return Detections(boxes, self.kind, self.score)

    @classmethod
    def empty(cls) -> Detections:
        """Nothing seen."""
        return cls(np.zeros((0, 5), np.float32), np.zeros(0, np.int64), np.zeros(0, np.float32))

    @classmethod
    def merge(cls, several: list[Detections]) -> Detections:
        """One after the other."""
        if not several:
            return cls.empty()
        return cls(
            np.concatenate([d.boxes for d in several]),
            np.concatenate([d.kind for d in several]),
            np.concatenate([d.score for d in several]),
        )


def _gaussians(boxes: Floats) -> tuple[npt.NDArray[np.floating], ...]:
    """Each box as a Gaussian of the same spread: centre x, y and covariance a, b, c."""
    length, width = boxes[:, 2] ** 2 / 12, boxes[:, 3] ** 2 / 12
    cos, sin = np.cos(boxes[:, 4]), np.sin(boxes[:, 4])
    return (
        boxes[:, 0],
        boxes[:, 1],
        length * cos**2 + width * sin**2,
        length * sin**2 + width * cos**2,
        (length - width) * cos * sin,
    )


def overlap(first: Floats, second: Floats) -> Floats:
    """Likeness (n, m) of oriented boxes by the Hellinger distance of their Gaussians ("ProbIoU"), 0 to 1."""
    x1, y1, a1, b1, c1 = (v[:, None] for v in _gaussians(first))
    x2, y2, a2, b2, c2 = (v[None] for v in _gaussians(second))
    a, b, c = a1 + a2, b1 + b2, c1 + c2
    whole = a * b - c**2 + 1e-7
    apart = (a * (y1 - y2) ** 2 + b * (x1 - x2) ** 2 - 2 * c * (x1 - x2) * (y1 - y2)) / whole / 4
    det1, det2 = np.maximum(a1 * b1 - c1**2, 0), np.maximum(a2 * b2 - c2**2, 0)
    shape = 0.5 * np.log(whole / (4 * np.sqrt(det1 * det2) + 1e-7) + 1e-7)
    distance = np.sqrt(np.maximum(1 - np.exp(-np.clip(apart + shape, 0, 100)), 1e-7))
    return np.asarray(1 - distance, np.float32)


def keep_best(found: Detections, most_overlap: float) -> Detections:
    """Drop what overlaps a better one, whatever its kind; best first."""
    found = found[np.argsort(-found.score, kind="stable")]
    if len(found) < 2:
        return found
    alike = overlap(found.boxes, found.boxes)
    kept: list[int] = []
    dropped = np.zeros(len(found), bool)
    for index in range(len(found)):
        if not dropped[index]:
            kept.append(index)
            dropped |= alike[index] > most_overlap
    return found[np.array(kept, np.int64)]
