"""Face-down tiles and markers: what has a place and nothing to read. A marker may stand on a tile."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.candidates import Candidates, Floats
from vision.corners import NOTHING
from vision.detections import FACE_DOWN, FACE_UP, KINDS, MARKER
from vision.face_maps import places_in_picture
from vision.tiles import Points, TileSighting

_LEAST_EVIDENCE, _PLAIN_EVIDENCE, _FAINT = 1.0, 2.0, -3.0
_LIKE_A_BACK = 2.0
_LEAST_LIKE = 0.05
_LEAST_SEEN = 0.4
_SURE_EVIDENCE = 6.0
_NEAREST = 5
_LEAST_BACK = 0.8
"""Shortest back, and widest marker, in lengths of the tiles round it."""
_WIDEST_MARKER, _LONGEST_MARKER = 0.72, 0.95
SMALL = 0.75
"""Shorter than this is no tile."""
_SIZE = 0.25
"""Side of the square that is told of a marker on a tile, in tile lengths: its outline is not measured."""
_SAME = 0.3
_CONFIDENCE = 0.8


def sizes(found: Candidates, strength: Floats) -> Floats:
    """Longer and shorter side (n, 2) of what the finder saw, in lengths of the sure tiles nearest to each.

    NaN where no tile is sure: a marker or a back can't be told by its size then.
    """
    sure = np.flatnonzero(strength > _SURE_EVIDENCE)
    if len(sure) == 0:
        return np.full((len(found), 2), np.nan, np.float32)
    away = np.linalg.norm(found.corners.mean(1)[:, None] - found.corners[sure].mean(1)[None], axis=2)
    near = sure[np.argsort(away, axis=1)[:, :_NEAREST]]
    return np.asarray(found.sides / np.median(geometry.tile_lengths(found.corners)[near], axis=1)[:, None], np.float32)


def on_tiles(found: Candidates, strength: Floats) -> npt.NDArray[np.bool_]:
    """Whether the middle of each candidate (n,) lies on a sure tile other than itself."""
    sure = np.flatnonzero(strength > _SURE_EVIDENCE)
    quads, middles = found.corners[sure], found.corners.mean(1)
    sides, away = np.roll(quads, -1, axis=1) - quads, middles[:, None, None] - quads[None]
    inside = (sides[None, ..., 0] * away[..., 1] - sides[None, ..., 1] * away[..., 0] > 0).all(2)
    inside[sure, np.arange(len(sure))] = False
    return np.asarray(inside.any(1))


def told_by_size(
    found: Candidates, kinds: npt.NDArray[np.int64], size: Floats, on_tile: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
    """The `kinds` (n,), but what is too small for a tile is a marker: close up, without a scale, they can look alike.

    Half a tile is small too, so a place `on_tile` (n,) keeps its kind unless that was a back.
    """
    small = size[:, 0] < _LEAST_BACK
    called = small & (found.kind == MARKER) & (found.score > _LEAST_SEEN) & ~on_tile
    return np.where(called | (small & (kinds == FACE_DOWN)), MARKER, kinds)


def evident(found: Candidates, index: int, kind: int, size: Floats, *, on_tile: bool = False) -> bool:
    """Whether finder and corner network together believe in `kind` at a place of `size` (2,) tile lengths.

    The finder sees small markers as a few px of a shrunk picture; the corner network sees them close up, so it
    has the larger say, but it does not know how large they are. Backs are as large as tiles: the finder must have
    seen one. A round or square thing about as long as a tile is a card, a cup or print on the cloth.
    """
    if (kind == FACE_DOWN and found.score[index] < _LEAST_SEEN) or (kind == MARKER and size[1] > _WIDEST_MARKER):
        return False
    likeness, other = float(found.kinds[index, kind]), 0.0
    if kind == FACE_DOWN and size[0] >= _LEAST_BACK:
        other = float(found.kinds[index, FACE_UP])
    if kind == MARKER and size[0] < _LEAST_BACK and found.score[index] > _LEAST_SEEN:
        other = float(found.kinds[index, FACE_DOWN])
        if found.kind[index] == MARKER and not on_tile:
            other += float(found.kinds[index, FACE_UP])
    return _believed(likeness + other, float(found.score[index])) > _LEAST_EVIDENCE


def plain_to_see(found: Candidates, index: int) -> bool:
    """Whether a marker is one wherever it stands.

    A patch of plain colour, such as a slot of the hub, looks much more like a back close up.
    """
    marker, back = (float(found.kinds[index, kind]) for kind in (MARKER, FACE_DOWN))
    likeness = 1 - float(found.kinds[index, NOTHING]) - (back if back > _LIKE_A_BACK * marker else 0.0)
    if found.kind[index] != MARKER:
        likeness = marker
    return _believed(likeness, float(found.score[index])) > _PLAIN_EVIDENCE


def _believed(close: float, far: float) -> float:
    """Log-odds of what the corner network says close up and of what the finder says from afar."""
    close, far = (min(max(share, 0.002), 0.998) for share in (close, far))
    return float(np.log(close / (1 - close)) + 0.5 * np.log(far / (1 - far)))


def faint(found: Candidates, size: Floats, on_tile: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which candidates (n,) may be markers if they lie where one would: small things off the tiles."""
    like = found.kinds[:, MARKER] + np.where(size[:, 0] < _LEAST_BACK, found.kinds[:, FACE_DOWN], 0.0)
    like += np.where(size[:, 0] < SMALL, found.kinds[:, FACE_UP], 0.0)
    told = (found.kind == MARKER) | (found.kinds[:, [FACE_DOWN, MARKER]].sum(1) > _LEAST_LIKE)
    believed = [_believed(*pair) > _FAINT for pair in zip(like.tolist(), found.score.tolist(), strict=True)]
    small = (size[:, 0] < _LONGEST_MARKER) & (size[:, 1] < _WIDEST_MARKER)
    return np.asarray(np.array(believed, np.bool_) & told & ~on_tile & small)


def plain(found: Candidates, index: int, kind: int) -> TileSighting:
    """A face-down tile or a marker: a place and nothing to read."""
    return _sighting(kind, found.corners[index], max(float(found.score[index]), float(found.kinds[index, kind])))


def standing_on(corners: Points, in_crop: npt.NDArray[np.object_], others: list[TileSighting]) -> list[TileSighting]:
    """Markers that stand on the tile at `corners` (4, 2) px, by their places in its crop; not those seen already."""
    places = places_in_picture(in_crop, corners)
    along = (corners[2] - corners[1] + corners[3] - corners[0]) / 2
    length = float(np.hypot(*along))
    angle = float(np.arctan2(along[1], along[0]))
    new: list[TileSighting] = []
    for x, y in places:
        if any(np.hypot(*(np.array(other.centre_px) - (x, y))) < _SAME * length for other in [*others, *new]):
            continue
        box = np.array([[x, y, _SIZE * length, _SIZE * length, angle]], np.float32)
        new.append(_sighting(MARKER, geometry.box_corners(box)[0], _CONFIDENCE))
    return new


def _sighting(kind: int, corners: Points, confidence: float) -> TileSighting:
    nothing = np.zeros((2, 19), np.float32), np.zeros((0, 2), np.float32)
    return TileSighting(KINDS[kind], (None, None), corners, confidence, *nothing)
