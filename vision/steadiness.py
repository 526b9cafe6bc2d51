"""What changed between two pictures of one table: moving things, new things, hands, another light.

Works on reduced pictures. A lamp changes everything smoothly, a tile changes one place: the smooth part of the
change is fitted and taken away. Nothing here reads tiles, and time is handed in.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.tiles import BgrImage, Points

Small = npt.NDArray[np.float32]
"""A reduced picture (height, width, 3), logarithm of brightness."""
Mask = npt.NDArray[np.uint8]
"""(height, width) of a reduced picture, 0 or 1."""

SMALL_SIDE = 640
BEYOND = -1.0
"""Stands for the logarithm where a picture that was turned shows nothing."""
_DARK = 14.0
_WHITE = float(np.log(247 + _DARK))
_LEAST_CHANGE = 0.13
_FLICKER = 6.0
"""Movement, in typical changes from frame to frame: a dark picture in little light flickers everywhere."""
_GRID = 24
_STEEP = 0.06
"""Change from one reduced pixel to the next that makes an edge."""
_HARD_SHARE = 0.5
_SMALL_AREA = 60
_CORES = (2.0, 4.0)
"""So many times the least change may mark what is more than light in a region of soft outline."""


@dataclass(frozen=True, slots=True)
class Glance:
    """A reduced picture, and how many pixels of it one of the picture's is."""

    logs: Small
    scale: float

    @classmethod
    def of(cls, image: BgrImage) -> Glance:
        """Reduce a picture."""
        height, width = image.shape[:2]
        scale = min(1.0, SMALL_SIDE / max(height, width))
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        return cls.of_levels(np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8), scale)

    @classmethod
    def of_levels(cls, levels: BgrImage, scale: float) -> Glance:
        """From the brightness of a reduced picture."""
        return cls(np.log(levels.astype(np.float32) + _DARK), scale)

    @property
    def levels(self) -> Small:
        """Brightness 0 to 255."""
        return np.asarray(np.exp(self.logs) - _DARK, np.float32)

    def warped(self, matrix: npt.NDArray[np.float64]) -> Glance:
        """As seen after the picture's pixels went through `matrix` (3, 3)."""
        zoom = np.diag([self.scale, self.scale, 1.0])
        small = zoom @ matrix @ np.linalg.inv(zoom)
        size = (self.logs.shape[1], self.logs.shape[0])
        moved = cv2.warpPerspective(self.logs, small, size, borderMode=cv2.BORDER_CONSTANT, borderValue=(BEYOND,) * 3)
        return Glance(np.asarray(moved, np.float32), self.scale)


def nudge(before: Glance, after: Glance) -> npt.NDArray[np.float64] | None:
    """The map (3, 3) of full pixels from one to the other if the camera has moved by a hair; `None` if not."""
    if before.logs.shape != after.logs.shape:
        return None
    warp = np.eye(2, 3, dtype=np.float32)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-5)
    try:  # affine: a lens that focuses anew also zooms a little
        whole = np.full(after.logs.shape[:2], 255, np.uint8)
        _, found_warp = cv2.findTransformECC(_edges(after), _edges(before), warp, cv2.MOTION_AFFINE, stop, whole, 3)
        warp = np.asarray(found_warp, np.float32)
    except cv2.error:
        return None  # the two have too little in common
    back = np.vstack([warp, [0.0, 0.0, 1.0]]).astype(np.float64)
    zoom = np.diag([after.scale, after.scale, 1.0])
    found = np.linalg.inv(zoom) @ np.linalg.inv(back) @ zoom
    height, width = after.logs.shape[:2]
    corners = np.array([[0, 0, 1], [width, height, 1.0]]) / [after.scale, after.scale, 1.0]
    moved = np.abs((corners @ found.T - corners)[:, :2]).max() * after.scale
    return np.asarray(found, np.float64) if 0.15 < moved < 12 else None


def _edges(glance: Glance) -> npt.NDArray[np.float32]:
    """What light does not touch: each pixel against its surroundings."""
    grey = glance.logs.mean(2)
    return np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), 6), np.float32)


def changed_mask(before: Glance, after: Glance) -> Mask:
    """Where the two show different things, light aside: soft shadows too are light."""
    if before.logs.shape != after.logs.shape:
        return np.ones(after.logs.shape[:2], np.uint8)
    known = before.logs[..., 0] > 0  # a warped picture knows nothing beyond its rim
    known = cv2.erode(known.astype(np.uint8), np.ones((5, 5), np.uint8), borderValue=1) > 0
    change = _without_light(after.logs - before.logs, known)
    # Where a picture is as bright as it can be, it says only that the other may be brighter still.
    around = np.ones((5, 5), np.uint8)
    change = np.where(cv2.dilate(after.logs, around) > _WHITE, np.maximum(change, 0), change)
    change = np.where(cv2.dilate(before.logs, around) > _WHITE, np.minimum(change, 0), change)
    rest = np.abs(change).max(2)
    rest[~known] = 0
    noise = float(np.median(rest[known])) if known.any() else 0.0
    least = max(_LEAST_CHANGE, 5.0 * noise)
    mask = _above(rest, least)
    hard = _hard(mask, change, _SMALL_AREA)
    # In a region that is soft as a whole, where the light has changed, a thing may have come or gone.
    for times in _CORES:
        hard = np.asarray(hard | _hard(_above(rest, times * least) * (1 - hard), change, 0), np.uint8)
    return hard


def _above(change: npt.NDArray[np.float32], least: float) -> Mask:
    """Where it is more than `least`, single pixels left out."""
    mask = (change > least).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)


def _hard(mask: Mask, change: Small, small: int) -> Mask:
    """The mask without regions whose outline is soft: shadows and reflections of people who move about.

    Regions of less than `small` reduced pixels are kept however soft they are.
    """
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    if count < 2:
        return mask
    steep = np.max([np.hypot(cv2.Sobel(change[..., k], cv2.CV_32F, 1, 0), cv2.Sobel(change[..., k], cv2.CV_32F, 0, 1))
                    for k in range(3)], axis=0) / 8
    outline = mask - cv2.erode(mask, np.ones((3, 3), np.uint8), borderValue=1)
    steep = cv2.dilate(steep, np.ones((3, 3), np.uint8))
    rim = np.bincount(labels[outline > 0], minlength=count)
    hard = np.bincount(labels[(outline > 0) & (steep > _STEEP)], minlength=count)
    keep = hard >= _HARD_SHARE * np.maximum(1, rim)
    keep |= stats[:, cv2.CC_STAT_AREA] < small
    keep[0] = False
    return np.asarray(keep[labels], np.uint8)


def _without_light(ratio: Small, known: npt.NDArray[np.bool_]) -> Small:
    """The change without its smooth part: a surface of second order, fitted to what most of the picture does."""
    height, width = ratio.shape[:2]
    ys, xs = (np.linspace(0, size - 1, _GRID).astype(int) for size in (height, width))
    grid = ratio[np.ix_(ys, xs)].reshape(-1, 3)
    fits = known[np.ix_(ys, xs)].ravel()
    if fits.sum() < 20:
        return ratio
    basis = _basis(*(axis.ravel() for axis in np.meshgrid(xs / width - 0.5, ys / height - 0.5)))
    weights = fits.astype(np.float64)
    factors = np.zeros((basis.shape[1], 3))
    for _ in range(6):
        weighted = basis * weights[:, None]
        factors = np.linalg.lstsq(weighted.T @ basis + 1e-6 * np.eye(len(factors)), weighted.T @ grid, rcond=None)[0]
        off = np.abs(grid - basis @ factors).max(1)
        weights = fits / (1 + (off / 0.06) ** 2)
    x, y = np.meshgrid((np.arange(width) / width - 0.5), (np.arange(height) / height - 0.5))
    surface = _basis(x.ravel(), y.ravel()).astype(np.float32) @ factors.astype(np.float32)
    return np.asarray(ratio - surface.reshape(height, width, 3), np.float32)


def _basis(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)


@dataclass(frozen=True, slots=True)
class Blob:
    """A connected region that changed: its mask, area in reduced pixels, and whether it reaches the picture's rim."""

    mask: Mask
    area: int
    at_rim: bool

    @property
    def thickness(self) -> float:
        """Of its thickest part, in reduced pixels."""
        padded = cv2.copyMakeBorder(self.mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
        return 2 * float(cv2.distanceTransform(padded, cv2.DIST_L2, 3).max())


def blobs(mask: Mask, least: int) -> list[Blob]:
    """Connected regions of at least `least` reduced pixels, the largest first."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    found = []
    height, width = mask.shape
    for label in range(1, count):
        x, y, w, h, area = (int(value) for value in stats[label])
        if area >= least:
            rim = x <= 1 or y <= 1 or x + w >= width - 1 or y + h >= height - 1
            found.append(Blob((labels == label).astype(np.uint8), area, rim))
    return sorted(found, key=lambda blob: -blob.area)


def share_in(mask: Mask, corners_px: Points, scale: float) -> float:
    """How much of a quadrilateral (4, 2) px of the full picture the mask covers, 0 to 1."""
    polygon = np.asarray(corners_px, np.float64) * scale
    x0, y0 = np.maximum(np.floor(polygon.min(0)).astype(int), 0)
    x1, y1 = np.ceil(polygon.max(0)).astype(int) + 1
    part = mask[y0 : max(y0, y1), x0 : max(x0, x1)]
    if part.size == 0:
        return 0.0
    inside = np.zeros(part.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(polygon - [x0, y0]).astype(np.int32), 1)
    return float((part * inside).sum()) / max(1.0, float(inside.sum()))


def likeness(before: Glance, after: Glance, corners_px: Points, around: float = 0.3) -> float:
    """How alike a place and its surroundings look in both, whatever the light: correlation of pixels, -1 to 1.

    `around` is how far the surroundings reach, of the place's diagonal.
    """
    if before.logs.shape != after.logs.shape:
        return 0.0
    quad = np.asarray(corners_px, np.float64) * after.scale
    pad = around * float(np.linalg.norm(quad[0] - quad[2]))
    x0, y0 = np.maximum(np.floor(quad.min(0) - pad).astype(int), 0)
    x1, y1 = np.ceil(quad.max(0) + pad).astype(int) + 1
    one, other = (glance.logs[y0:y1, x0:x1] for glance in (before, after))
    if one.size == 0:
        return 0.0
    # Every colour by itself: a blue counter is as bright as the wood on which it stands.
    one, other = (part - part.mean((0, 1)) for part in (one, other))
    spread = float(one.std() * other.std())
    if spread < 4e-4:  # bare table in both, or in neither
        return 1.0 if abs(float(one.std() - other.std())) < 0.02 else 0.0
    return float((one * other).mean()) / spread


def without(mask: Mask, quads: list[Points], scale: float, grow_px: float) -> Mask:
    """The mask without what lies in the quadrilaterals, each grown by `grow_px` px of the full picture."""
    left = mask.copy()
    for quad in quads:
        centre = quad.mean(0)
        reach = float(np.linalg.norm(quad[0] - quad[2])) / 2 + 1e-6
        grown = centre + (quad - centre) * (1 + grow_px / reach)
        cv2.fillConvexPoly(left, np.round(grown * scale).astype(np.int32), 0)
    return left


def _moved_share(before: Glance, after: Glance) -> float:
    """Share of pixels that differ: the quick way, for frames that follow each other."""
    change = after.logs[::2, ::2] - before.logs[::2, ::2]
    change = np.abs(change - np.median(change[::4, ::4], axis=(0, 1))).max(2)
    return float((change > max(_LEAST_CHANGE, _FLICKER * float(np.median(change[::4, ::4])))).mean())


@dataclass(slots=True)
class StillnessGate:
    """Says when nothing has moved for long enough. `settle_s` of rest; hunting focus and noise are no movement."""

    settle_s: float = 0.6
    least_share: float = 0.0012
    last: Glance | None = None
    still_since: float | None = None
    moving: bool = field(default=True)

    def push(self, glance: Glance, now_s: float) -> bool:
        """One frame more; true if the table lies still now."""
        if self.last is None or self.last.logs.shape != glance.logs.shape:
            self.last, self.still_since = glance, now_s
            return False
        self.moving = _moved_share(self.last, glance) > self.least_share
        self.last = glance
        if self.moving:
            self.still_since = None
            return False
        if self.still_since is None:
            self.still_since = now_s
        return now_s - self.still_since >= self.settle_s
