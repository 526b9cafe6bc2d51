"""A picture that was read, set against what is known: what of it changed, what stands, what is read anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.board import UNSURE, Array, Board, KnownTile
from vision.follow_markers import marker_of
from vision.steadiness import Glance, Mask, likeness, share_in
from vision.tiles import PhotoReading, Points, TileSighting
from vision.work import CHANGED

SAME = 0.12
"""A place of which no more than this changed is as it was."""
SAME_PLACE = 0.3
_ALIKE = 0.88
_AROUND, _CLOSE_AROUND, _SMALL = 0.3, 0.15, 0.8
"""How far the surroundings of a place count, of its diagonal; less where its diagonal is less than so much of a tile's
length: the tile beside a marker would outshine it."""
_SAME_TILE, _STRADDLES = 0.45, 0.25
"""Sightings nearer to a known tile than this, in tile lengths, are of it; others share less of their area with it."""
CAME_TILE = 0.3
"""A tile that came has changed this much of its place."""
_CORE, _CAME = 0.6, 0.6
"""The middle of a marker, of its size, and how much of it changes when it comes."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The picture that was just read, and what it is set against. `whole`: nothing stands but what was read."""

    seen: PhotoReading
    glance: Glance
    mask: Mask
    hidden: Mask
    board: Board
    tile_area: float
    before: Glance | None
    whole: bool
    looks: int = 0
    """Second looks at it."""
    bare: Mask | None = None
    """The mask without places that are only read at again; none if there are no such places."""


def changed_share(scene: Scene, left: Sequence[Array], reach: float, quad: Points) -> float:
    """How much of a place changed; places within `reach` px of those in `left` count as changed anyway."""
    share = share_in(scene.mask, quad, scene.glance.scale)
    # A strong change of light can look like a thing; what still looks alike is still there.
    if share <= SAME or is_near(quad.mean(0), left, reach):
        return share
    small = float(np.linalg.norm(quad[0] - quad[2])) < _SMALL * scene.board.tile_px
    around = _CLOSE_AROUND if small else _AROUND
    alike = scene.before is not None and likeness(scene.before, scene.glance, quad, around) > _ALIKE
    return 0.0 if alike else share


def came_share(scene: Scene, quad: Points) -> float:
    """How much of a place changed since the picture before, whatever is read at again."""
    mask = scene.mask if scene.bare is None else scene.bare
    return share_in(mask, quad, scene.glance.scale)


def came_as_tile(share: Callable[[Points], float | None], quad: Points) -> bool:
    """What changed there, by `share`, may be a tile that came: a shadow or a counter changes one half alone."""
    middles = (quad[1] + quad[2]) / 2, (quad[3] + quad[0]) / 2
    halves = np.array([quad[0], quad[1], *middles]), np.array([middles[1], middles[0], quad[2], quad[3]])
    shares = [share(part.astype(np.float32)) for part in (quad, *halves)]
    return all(part is None or part >= least for part, least in zip(shares, (CAME_TILE, SAME, SAME), strict=True))


def came(scene: Scene, marker: Points) -> bool:
    """Most of what is seen as a marker changed, or one is known there: else it is print that a tile came to lie on."""
    centre, near = marker.mean(0), SAME_PLACE * scene.board.tile_px
    stood = [line.marker.mean(0) for line in scene.board.lines.values() if line.marker is not None]
    core = (centre + _CORE * (marker - centre)).astype(np.float32)
    shares = (share_in(scene.mask, quad, scene.glance.scale) for quad in (marker, core))
    return is_near(centre, stood, near) or max(shares) >= _CAME


def straddles(scene: Scene, sighting: TileSighting, changed: Callable[[Points], float]) -> bool:
    """It is no tile, but halves of a known tile that still lies there and of what lies next to it."""
    quad, size = sighting.corners_px, scene.board.tile_px
    area = float(cv2.contourArea(quad))
    for tile in scene.board.tiles.values():
        apart = float(np.hypot(*(tile.centre_px - quad.mean(0)))) / size
        if _SAME_TILE < apart < 1 and changed(tile.corners_px) < CHANGED:
            shared, _ = cv2.intersectConvexConvex(quad, tile.corners_px)
            if shared > _STRADDLES * area:
                return True
    return False


def quads(seen: PhotoReading, board: Board) -> list[Points]:
    """Everything that was read, and everything that is known."""
    found = [tile.corners_px for tile in (*seen.tiles, *seen.face_down, *seen.markers)]
    found += [tile.corners_px for tile in board.tiles.values()]
    return found + [line.marker for line in board.lines.values() if line.marker is not None]


def seen_at(seen: PhotoReading, tile: KnownTile, size: float) -> bool:
    """A tile was read where this one is known."""
    return any(np.hypot(*(tile.centre_px - np.array(s.centre_px))) < 0.4 * size for s in seen.tiles)


def merged(
    seen: PhotoReading, board: Board, changed: Callable[[Points], float], size: float, anew: Sequence[Points]
) -> PhotoReading:
    """Known tiles and markers where nothing changed, and what was read where something did, or at `anew`."""
    asked = [place.mean(0) for place in anew]
    kept: list[TileSighting] = []
    places: list[np.ndarray] = []
    for tile in board.tiles.values():
        same = changed(tile.corners_px) <= SAME
        in_doubt = tile.evidence.confidence < UNSURE or is_near(tile.centre_px, asked, 0.2 * size)
        if same and not (in_doubt and seen_at(seen, tile, size)):
            kept.append(sighting_of(tile))
            places.append(tile.centre_px)
    stand: list[TileSighting] = []
    for line in board.lines.values():
        if line.marker is not None and changed(line.marker) <= SAME:
            stand.append(marker_of(line.marker, 0.9))
    tiles = [s for s in seen.tiles if not _near(s, places, _SAME_TILE * size)]
    stood = [marker.corners_px.mean(0) for marker in stand]
    marks, faint = ([s for s in few if not _near(s, stood, 0.3 * size)] for few in (seen.markers, seen.faint))
    return replace(seen, tiles=(*kept, *tiles), markers=(*stand, *marks), faint=tuple(faint))


def _near(sighting: TileSighting, places: Sequence[Array], reach: float) -> bool:
    return is_near(np.array(sighting.centre_px), places, reach)


def is_near(centre: Array, places: Sequence[Array], reach: float) -> bool:
    """One of the places is within `reach` px."""
    return any(float(np.hypot(*(centre - place))) < reach for place in places)


def sighting_of(tile: KnownTile) -> TileSighting:
    """A known tile as if it had been seen again."""
    ends = tile.ends
    rows = np.asarray(tile.evidence.probabilities, np.float32)
    return TileSighting("face_up", ends, tile.corners_px, tile.evidence.confidence, rows, np.zeros((0, 2), np.float32))
