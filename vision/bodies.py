"""What tiles are made of. A face shows its body round its pips, and in many sets a back has a colour of its own.

Networks that look at single tiles take the blank of a set that they never saw for a back. Its picture knows better:
there the body of the faces is seen many times over, and often the backs' too. Colours are CIELAB, see `vision.colours`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.candidates import Candidates
from vision.colours import WEIGHTS, to_lab
from vision.detections import FACE_DOWN, FACE_UP, Detections
from vision.drafts import AgreeConfig
from vision.geometry import Array, Pyramid, tile_lengths
from vision.halves import NO_VALUE

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


def _points(along: npt.NDArray[np.float64], across: npt.NDArray[np.float64]) -> Floats:
    return np.stack(np.meshgrid(along, across), axis=-1).reshape(-1, 2).astype(np.float32)


_GRID = _points(np.linspace(0.1, 0.9, 9), np.linspace(0.2, 0.8, 3))
_SAMPLED_PX = 24.0
_FINE = _points(np.linspace(0.06, 0.94, 16), np.linspace(0.14, 0.86, 5))
_HALVES = _FINE[:, 0] < 0.5, _FINE[:, 0] > 0.5
_FINE_PX = 48.0
_OF_ONE_COLOUR = 7
"""A body shows at so many of the 40 points of a half at least."""
_NEAREST = 5
_LEAST_FACES = 4
_ALIKE, _TIMES_SPREAD = 6.0, 2.5
"""Bodies nearer to each other than this, or than so many times what those of the sure faces differ, are alike."""
_OTHER, _TIMES_OTHER = 12.0, 4.0
"""Backs farther off than this, and than so many times that, are of another colour."""

_SURE_FACE, _CLOSE_FACE, _SURE_BACK, _CLOSE_BACK = 0.7, 0.95, 0.5, 0.8
_A_FACE, _SURE_VALUE = 0.9, 0.95
_BLANK = 0.85
"""A half that shows nothing but the body of a face is a blank, but below what is sure: whether it bears marks is
measured later (`weighing.weigh_inks`)."""


def colours_at(picture: Pyramid, corners: Array) -> Floats:
    """Colours (n, 27, 3) BGR at points spread over each quad (n, 4, 2) px, its rim left out."""
    return _sampled(picture, corners, _GRID, _SAMPLED_PX)


def _sampled(picture: Pyramid, corners: Array, points: Floats, length_px: float) -> Floats:
    """Colours (n, m, 3) BGR at `points` (m, 2) along and across each quad, tiles shrunk to about `length_px`."""
    if len(corners) == 0:
        return np.zeros((0, len(points), 3), np.float32)
    length = float(np.median(tile_lengths(corners)))
    image, scale = picture.fitting(min(1.0, length_px / max(length, 1.0)))
    along, across = points[:, 0, None], points[:, 1, None]
    near = corners[:, None, 0] * (1 - along) + corners[:, None, 3] * along
    far = corners[:, None, 1] * (1 - along) + corners[:, None, 2] * along
    places = (near * (1 - across) + far * across) * scale
    x = np.clip(places[..., 0].astype(int), 0, image.shape[1] - 1)
    y = np.clip(places[..., 1].astype(int), 0, image.shape[0] - 1)
    return np.asarray(image[y, x], np.float32)


def body_colours(picture: Pyramid, corners: Array) -> Floats:
    """Colour (n, 2, 3) of the body of both halves of each quad: the one that most of its points are near to."""
    if len(corners) == 0:
        return np.zeros((0, 2, 3), np.float32)
    lab = to_lab(np.asarray(_sampled(picture, corners, _FINE, _FINE_PX), np.uint8))
    return np.stack([_usual(lab[:, half]) for half in _HALVES], axis=1).astype(np.float32)


def _usual(colours: Floats) -> Floats:
    """Mean (n, 3) of those of the `colours` (n, m, 3) that lie closest together."""
    weighed = (colours - colours.mean(1, keepdims=True)) * WEIGHTS
    square = (weighed**2).sum(2)
    apart = square[:, :, None] + square[:, None] - 2 * weighed @ weighed.transpose(0, 2, 1)
    nearest = np.argpartition(apart, _OF_ONE_COLOUR, axis=2)[:, :, :_OF_ONE_COLOUR]
    densest = np.take_along_axis(apart, nearest, axis=2).sum(2).argmin(1)
    chosen = nearest[np.arange(len(colours)), densest]
    return np.asarray(np.take_along_axis(colours, chosen[:, :, None], axis=1).mean(1), np.float32)


def made_as_faces(bodies: Floats, middles: Floats, faces: Bools, backs: Bools) -> tuple[Bools, Bools]:
    """Which halves (n, 2) have the body of the `faces` (n,) nearest to them, and which tiles (n,) are faces for that.

    `bodies` (n, 2, 3) as in `body_colours`, `middles` (n, 2) px. Where the `backs` (n,) are of another colour, a tile
    that is made as the faces are is no back, whatever it looks like. One thing of another colour may be a phone; it
    says nothing against backs that look like faces.
    """
    alike, told = np.zeros((len(bodies), 2), np.bool_), np.zeros(len(bodies), np.bool_)
    if faces.sum() < _LEAST_FACES:
        return alike, told
    sure = np.flatnonzero(faces)
    away = np.linalg.norm(middles[:, None] - middles[sure][None], axis=2)
    away[sure, np.arange(len(sure))] = np.inf
    near = sure[np.argsort(away, axis=1)[:, :_NEAREST]]
    usual = np.median(bodies[near].reshape(len(bodies), -1, 3), axis=1)
    off = np.linalg.norm((bodies - usual[:, None]) * WEIGHTS, axis=2)
    spread = float(np.median(off[sure]))
    alike = np.asarray(off < max(_ALIKE, _TIMES_SPREAD * spread))
    other = backs & (off.min(1) > max(_OTHER, _TIMES_OTHER * spread))
    if other.sum() > min(1, (backs & alike.all(1)).sum()):
        told = np.asarray(off.max(1) < 0.4 * float(np.median(off[other])))
    return alike, told


def sure_faces(found: Detections, kinds: Floats) -> Bools:
    """Which of the finder's `found` (n,) are face-up tiles for the close look (`kinds` (n, 4)) too, beyond doubt."""
    return np.asarray((found.kind == FACE_UP) & (found.score > _SURE_FACE) & (kinds[:, FACE_UP] > _CLOSE_FACE))


def bodies_told(picture: Pyramid, found: Detections, corners: Array, kinds: Floats) -> tuple[Bools, Bools]:
    """As `made_as_faces`, the finder's `found` and the close look's `kinds` (n, 4) telling which are sure."""
    backs = (found.kind == FACE_DOWN) & (found.score > _SURE_BACK) & (kinds[:, FACE_DOWN] > _CLOSE_BACK)
    return made_as_faces(body_colours(picture, corners), corners.mean(1), sure_faces(found, kinds), backs)


def no_backs(found: Detections, kinds: Floats, told: Bools) -> tuple[Detections, Floats]:
    """What finder and close look say, the backs among those `told` (n,) being faces."""
    back = told & (found.kind == FACE_DOWN)
    kinds = kinds.copy()
    kinds[told, FACE_UP] += kinds[told, FACE_DOWN]
    kinds[told, FACE_DOWN] = 0
    return Detections(found.boxes, np.where(back, FACE_UP, found.kind), found.score), kinds


def with_blanks(found: Candidates, alike: Bools, told: Bools, config: AgreeConfig) -> Candidates:
    """The candidates, halves that show no value but the body of faces being blanks where the tile is a face.

    It is one where that is `told` (n,), and where both networks say so and the other half shows a value; a value seen
    up close makes a face of what the finder took for a back from afar.
    """
    rows = found.readings.probabilities
    valued = rows[:, :, :NO_VALUE].max(2)
    close = found.kinds[:, FACE_UP]
    shown = (found.kind == FACE_DOWN) & (close > _A_FACE) & (valued.max(1) > _SURE_VALUE)
    kind = np.where(shown, FACE_UP, found.kind)
    face = told | ((kind == FACE_UP) & (found.score + close >= config.whole_tile))
    other = told[:, None] | (valued[:, ::-1] > _SURE_VALUE)
    blank = face[:, None] & alike & other & (rows[:, :, NO_VALUE] > config.least_valueless) & _unmarked(found)
    probabilities = rows.copy()
    for index, half in zip(*np.nonzero(blank), strict=True):
        row = probabilities[index, half]
        row[0] += row[NO_VALUE]
        row[NO_VALUE] = 0
        row *= _BLANK
        row[:NO_VALUE] += (1 - _BLANK) / NO_VALUE
    return replace(found, kind=kind, readings=replace(found.readings, probabilities=probabilities))


def _unmarked(found: Candidates) -> Bools:
    """Which halves (n, 2) bear no mark that stands out half as far as the faintest pips of the picture."""
    rows, inks = found.readings.probabilities, found.readings.inks
    pips = (rows[:, :, 1:NO_VALUE].max(2) > _SURE_VALUE) & np.isfinite(inks)
    return np.asarray(inks < 0.5 * inks[pips].min(initial=np.inf)) if pips.any() else np.zeros(inks.shape, np.bool_)
