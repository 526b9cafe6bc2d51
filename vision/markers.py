"""Face-down tiles, and what looks from afar as if it might be a marker: `vision.tails` looks at that close up."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.candidates import Candidates, Floats
from vision.detections import FACE_DOWN, FACE_UP, KINDS, MARKER
from vision.face_maps import places_in_picture
from vision.tiles import Points, TileSighting

_LEAST_EVIDENCE, _FAINT = 1.0, -3.0
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
    inside = geometry.inside(found.corners.mean(1), found.corners[sure])
    inside[sure, np.arange(len(sure))] = False
    return np.asarray(inside.any(axis=1))


def told_by_size(
    found: Candidates, kinds: npt.NDArray[np.int64], size: Floats, on_tile: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
    """The `kinds` (n,), but what is too small for a tile is a marker: close up, without a scale, they can look alike.

    Half a tile is small too, so a place `on_tile` (n,) keeps its kind unless that was a back.
    """
    small = size[:, 0] < _LEAST_BACK
    called = small & (found.kind == MARKER) & (found.score > _LEAST_SEEN) & ~on_tile
    return np.where(called | (small & (kinds == FACE_DOWN)), MARKER, kinds)


def evident(found: Candidates, index: int, size: Floats) -> bool:
    """Whether finder and corner network together believe in a back at a place of `size` (2,) tile lengths.

    The corner network sees it close up, so it has the larger say, but it does not know how large things are. Backs are
    as large as tiles: the finder must have seen one.
    """
    if found.score[index] < _LEAST_SEEN:
        return False
    likeness = float(found.kinds[index, FACE_DOWN])
    if size[0] >= _LEAST_BACK:
        likeness += float(found.kinds[index, FACE_UP])
    return _believed(likeness, float(found.score[index])) > _LEAST_EVIDENCE


def _believed(close: float, far: float) -> float:
    """Log-odds of what the corner network says close up and of what the finder says from afar."""
    close, far = (min(max(share, 0.002), 0.998) for share in (close, far))
    return float(np.log(close / (1 - close)) + 0.5 * np.log(far / (1 - far)))


def maybe_markers(found: Candidates, size: Floats) -> npt.NDArray[np.bool_]:
    """Which candidates (n,) are worth a close look: small things in which anyone saw anything like a marker."""
    like = found.kinds[:, MARKER] + np.where(size[:, 0] < _LEAST_BACK, found.kinds[:, FACE_DOWN], 0.0)
    like += np.where(size[:, 0] < SMALL, found.kinds[:, FACE_UP], 0.0)
    told = (found.kind == MARKER) | (found.kinds[:, [FACE_DOWN, MARKER]].sum(1) > _LEAST_LIKE)
    believed = [_believed(*pair) > _FAINT for pair in zip(like.tolist(), found.score.tolist(), strict=True)]
    large = (size[:, 0] > _LONGEST_MARKER) | (size[:, 1] > _WIDEST_MARKER)
    return np.asarray(np.array(believed, np.bool_) & told & ~large)


def plain(found: Candidates, index: int, kind: int) -> TileSighting:
    """A face-down tile or a marker: a place and nothing to read."""
    confidence = max(float(found.score[index]), float(found.kinds[index, kind]))
    return TileSighting.faceless(KINDS[kind], found.corners[index], confidence)


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
        new.append(TileSighting.faceless(KINDS[MARKER], geometry.box_corners(box)[0], _CONFIDENCE))
    return new
