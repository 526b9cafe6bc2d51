"""From picture to table: where tiles lie when seen from straight above, in tile lengths.

All tiles of a table have one shape. That is enough to undo the camera's tilt and the bend of its lens: the
parameters are those under which the quads become equal rectangles. Plane coordinates: x right, y down, unit one
tile length; origin and direction are arbitrary, clockwise stays clockwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

# How far corners are off, in tile lengths; what tables, cameras and makers are like beyond that.
_EDGE_NOISE = 0.05
_WIDTH, _WIDTH_SPREAD = 0.495, 0.025
_SHEAR_SPREAD, _TILT_SPREAD, _LENS_SPREAD = 0.25, 0.35, 0.05


@dataclass(frozen=True, slots=True)
class Plane:
    """`to_plane` maps px to table coordinates. `width` is a tile's width in tile lengths."""

    centre_px: tuple[float, float]
    reach_px: float
    params: Array
    width: float

    def to_plane(self, points_px: npt.NDArray[np.floating]) -> Array:
        """Pixels (..., 2) to the table (..., 2)."""
        points = (np.asarray(points_px, np.float64) - self.centre_px) / self.reach_px
        return _apply(self.params, points)


@dataclass(frozen=True, slots=True)
class Rects:
    """Tiles on the table as equal rectangles: `centre` (n, 2), unit `axis` (n, 2) from the first end to the other.

    `side` (n, 2) is the axis turned a quarter clockwise as seen; `width` is shared; `length` (n,) is as measured.
    """

    centre: Array
    axis: Array
    length: Array
    width: float

    @property
    def side(self) -> Array:
        """Unit vectors (n, 2) to the right of the axis."""
        return np.stack([-self.axis[:, 1], self.axis[:, 0]], axis=1)

    def __len__(self) -> int:
        return len(self.centre)

    def end(self, tile: int, half: int) -> Array:
        """Middle (2,) of the short edge at that half."""
        return np.asarray(self.centre[tile] + self.axis[tile] * (half - 0.5))

    def inside(self, tile: int, point: Array, margin: float = 0.0) -> bool:
        """True if the point lies on the tile or within `margin` of it."""
        return self.distance(tile, point) <= margin

    def distance(self, tile: int, point: Array) -> float:
        """From the point to the tile's rim; 0 on the tile."""
        off_x, off_y = (point - self.centre[tile]).tolist()
        axis_x, axis_y = self.axis[tile].tolist()
        along = abs(off_x * axis_x + off_y * axis_y) - 0.5
        across = abs(off_y * axis_x - off_x * axis_y) - self.width / 2
        return math.hypot(max(along, 0.0), max(across, 0.0))

    def distances(self, tiles: Sequence[int], points: Array) -> Array:
        """The same for each of the points (n, 2) and of `tiles` (m): (n, m)."""
        index = np.asarray(tiles, np.int64)
        off = points[:, None] - self.centre[index]
        along = np.abs((off * self.axis[index]).sum(2)) - 0.5
        across = np.abs((off * self.side[index]).sum(2)) - self.width / 2
        return np.asarray(np.hypot(np.maximum(along, 0), np.maximum(across, 0)))


def _apply(params: Array, points: Array) -> Array:
    """params (..., 6 or 7): scale x, shear, scale y, tilt x, tilt y, lens, (width). Points (..., 2) normalised.

    Rows of params are tried on all points: (m, 7) and (n, 4, 2) give (m, n, 4, 2).
    """
    rows = params.reshape(*params.shape[:-1], *(1,) * (points.ndim - 1), params.shape[-1])
    x_scale, shear, y_scale, tilt_x, tilt_y, lens = (rows[..., index] for index in range(6))
    straight = points * (1 + lens * (points**2).sum(-1))[..., None]
    x, y = straight[..., 0], straight[..., 1]
    depth = 1 + x * tilt_x + y * tilt_y
    return np.stack([(x_scale * x + shear * y) / depth, y_scale * y / depth], axis=-1)


def _residuals(params: Array, quads: Array, start: Array) -> tuple[Array, Array]:
    """Edge errors (m, n, 5) in units of their noise, and prior errors (m, 6), for params (m, 7)."""
    flat = _apply(params, quads)
    width = params[:, 6, None]
    along_a, along_b = flat[:, :, 2] - flat[:, :, 1], flat[:, :, 3] - flat[:, :, 0]
    across_a, across_b = flat[:, :, 0] - flat[:, :, 1], flat[:, :, 3] - flat[:, :, 2]
    along, across = (along_a + along_b) / 2, (across_a + across_b) / 2
    errors = np.stack(
        [
            np.hypot(along_a[..., 0], along_a[..., 1]) - 1,
            np.hypot(along_b[..., 0], along_b[..., 1]) - 1,
            np.hypot(across_a[..., 0], across_a[..., 1]) - width,
            np.hypot(across_b[..., 0], across_b[..., 1]) - width,
            (along * across).sum(2) / np.maximum(width, 0.2),
        ],
        axis=2,
    )
    scale = start[0]
    priors = np.stack(
        [
            (params[:, 6] - _WIDTH) / _WIDTH_SPREAD,
            (params[:, 0] - params[:, 2]) / (_SHEAR_SPREAD * scale),
            params[:, 1] / (_SHEAR_SPREAD * scale),
            params[:, 3] / _TILT_SPREAD,
            params[:, 4] / _TILT_SPREAD,
            params[:, 5] / _LENS_SPREAD,
        ],
        axis=1,
    )
    return errors / _EDGE_NOISE, priors


def fit_plane(quads_px: npt.NDArray[np.floating], size_wh: tuple[int, int]) -> Plane:
    """The plane in which the quads (n, 4, 2) px are most nearly equal rectangles. `n` may be 0."""
    centre = (size_wh[0] / 2, size_wh[1] / 2)
    reach = float(np.hypot(*size_wh)) / 2
    quads = (np.asarray(quads_px, np.float64).reshape(-1, 4, 2) - centre) / reach
    lengths = np.linalg.norm(quads[:, 2] - quads[:, 1] + quads[:, 3] - quads[:, 0], axis=1) / 2
    scale = 1 / max(float(np.median(lengths)), 1e-6) if len(quads) else reach / 60
    params = np.array([scale, 0.0, scale, 0.0, 0.0, 0.0, _WIDTH])
    if len(quads):
        params = _refine(params, quads)
    return Plane(centre, reach, params, float(np.clip(params[6], 0.4, 0.6)))


def _refine(start: Array, quads: Array) -> Array:
    """Damped least squares, with tiles that fit badly (cut, covered, misfound) counting less and less."""
    steps = np.array([start[0] * 1e-4, start[0] * 1e-4, start[0] * 1e-4, 1e-4, 1e-4, 1e-4, 1e-4])
    params, damp = start.copy(), 1e-3
    (errors,), (priors,) = _residuals(params[None], quads, start)
    for _ in range(14):
        weights = 1 / np.sqrt(1 + np.abs(errors / 1.5) ** 2)
        base = np.concatenate([(errors * weights).ravel(), priors])
        all_errors, all_priors = _residuals(params + np.diag(steps), quads, start)
        moved = np.concatenate([(all_errors * weights).reshape(len(steps), -1), all_priors], axis=1)
        slope = ((moved - base) / steps[:, None]).T
        normal = slope.T @ slope
        change = np.linalg.solve(normal + damp * np.diag(np.diag(normal)), -slope.T @ base)
        trial = params + change
        (new_errors,), (new_priors,) = _residuals(trial[None], quads, start)
        if not np.isfinite(new_errors).all() or _loss(new_errors, new_priors) > _loss(errors, priors):
            damp *= 10
            if damp > 1e4:
                break
            continue
        small = bool((np.abs(change) < 3 * steps).all())
        params, errors, priors, damp = trial, new_errors, new_priors, damp / 5
        if small:
            break
    return params


def _loss(errors: Array, priors: Array) -> float:
    """Sum of robust squared errors."""
    return float((2 * 1.5**2 * (np.sqrt(1 + (errors / 1.5) ** 2) - 1)).sum() + (priors**2).sum())


def rectangles(plane: Plane, quads_px: npt.NDArray[np.floating]) -> Rects:
    """The quads (n, 4, 2) px as rectangles of one size on the table."""
    flat = plane.to_plane(np.asarray(quads_px, np.float64).reshape(-1, 4, 2))
    along = (flat[:, 2] - flat[:, 1] + flat[:, 3] - flat[:, 0]) / 2
    # The short edges say the direction too, turned by a quarter; each counts by its length.
    across = (flat[:, 1] - flat[:, 0] + flat[:, 2] - flat[:, 3]) / 2
    turned = np.stack([-across[:, 1], across[:, 0]], axis=1)
    axis = along + turned * 0.5
    length = np.linalg.norm(along, axis=1)
    axis = axis / np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-9)
    return Rects(flat.mean(1), axis, length, plane.width)
