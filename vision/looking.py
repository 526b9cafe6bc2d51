"""From a settled picture to a look at the table: only what changed is read anew.

The picture is set against the one before it. Where nothing changed, what is known stands; a hand hides what lies
below it; when everything seems to have changed the camera was bumped, and is found again by the tiles.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.board import Board, KnownTile
from vision.follow import moved_board, register_board
from vision.layout import read_layout
from vision.reader import PhotoReader, ReadOptions
from vision.steadiness import Blob, Glance, Mask, blobs, changed_mask, likeness, nudge, share_in, without
from vision.table_reading import LayoutOptions, PlacedTile, TableReading
from vision.tiles import BgrImage, PhotoReading, Points, TileSighting
from vision.work import Look

_BUMPED = 0.22
"""Share of the picture that changed; more than this is no hand."""
_HAND_TILES = 2.2
"""A region that is no tile and larger than this many tiles is a hand or another thing in the way."""
_ARM_TILES = 9.0
_MARKER_TILES = 0.6
_RESTS = 0.0015
_MAYBE_NUDGED = 0.004
_ALIKE = 0.88
_SAME = 0.12
"""A tile of which no more than this changed still lies there as it did."""
_UNSURE = 0.8


class Sight(enum.Enum):
    """What a settled picture is good for."""

    STILL = "still"
    COVERED = "covered"
    LOST = "lost"
    READ = "read"


@dataclass(frozen=True, slots=True)
class Looked:
    """A settled picture looked at; `look` if it was read."""

    sight: Sight
    look: Look | None = None
    reading: PhotoReading | None = None
    board: Board | None = None
    """The board carried to where the camera looks now."""


@dataclass(slots=True)
class Looker:
    """Looks at settled pictures of one table, one after the other."""

    reader: PhotoReader
    options: ReadOptions
    free: bool = False
    reference: Glance | None = None
    suspect: Glance | None = None
    """The last picture in which something was in the way."""

    def look(self, image: BgrImage, board: Board | None) -> Looked:
        """What the picture shows beside what is known."""
        glance = Glance.of(image)
        if board is None or self.reference is None:
            return self._first(image, glance)
        tile_area = max(4.0, 0.5 * (board.tile_px * glance.scale) ** 2)
        mask = changed_mask(self.reference, glance)
        if float(mask.mean()) > _MAYBE_NUDGED:
            mask, board = self._steadied(mask, glance, board)
        if float(mask.mean()) > _BUMPED:
            return self._bumped(image, glance, board, tile_area)
        changed = blobs(mask, max(3, int(0.07 * tile_area)))
        if not changed:
            self.reference = glance
            return Looked(Sight.STILL)
        arms = [blob for blob in changed if blob.at_rim and blob.area > _ARM_TILES * tile_area]
        if arms and not self.free and not self._stays(glance):
            return Looked(Sight.COVERED)
        seen = self._read(image, _box(changed, glance.scale, board.tile_px, image))
        return self._against(seen, glance, _union(changed, mask), board, tile_area)

    def is_covered(self, glance: Glance, board: Board | None) -> bool:
        """An arm reaches into the picture; the quick way, for moving pictures."""
        if board is None or self.reference is None:
            return False
        tile_area = max(4.0, 0.5 * (board.tile_px * glance.scale) ** 2)
        changed = blobs(changed_mask(self.reference, glance), max(3, int(_HAND_TILES * tile_area)))
        return any(blob.at_rim for blob in changed)

    def _steadied(self, mask: Mask, glance: Glance, board: Board) -> tuple[Mask, Board]:
        """The change without what a camera that moved by a hair makes of every edge."""
        assert self.reference is not None
        matrix = nudge(self.reference, glance)
        if matrix is None:
            return mask, board
        steadied = changed_mask(self.reference.warped(matrix), glance)
        if float(steadied.mean()) > 0.8 * float(mask.mean()):
            return mask, board
        self.reference = self.reference.warped(matrix)
        return steadied, moved_board(board, matrix)

    def _first(self, image: BgrImage, glance: Glance) -> Looked:
        seen = self.reader.read(image, self.options)
        self.reference = glance
        return Looked(Sight.READ, Look(self._laid_out(seen)), seen)

    def _bumped(self, image: BgrImage, glance: Glance, board: Board, tile_area: float) -> Looked:
        assert self.reference is not None
        seen = self.reader.read(image, self.options)
        found = register_board(board, Look(self._laid_out(seen)))
        if found is None:
            return Looked(Sight.LOST)
        carried, matrix = found
        reference = self.reference.warped(matrix)
        mask = changed_mask(reference, glance)
        if float(mask.mean()) > _BUMPED * 1.6 and not self._stays(glance):
            return Looked(Sight.COVERED)
        changed = blobs(mask, max(3, int(0.07 * tile_area)))
        return self._against(seen, glance, _union(changed, mask), carried, tile_area, reference)

    def _against(
        self,
        seen: PhotoReading,
        glance: Glance,
        mask: Mask,
        board: Board,
        tile_area: float,
        reference: Glance | None = None,
    ) -> Looked:
        """Set what was read against what is known: what did not change stands."""
        scale, size = glance.scale, board.tile_px
        quads = [tile.corners_px for tile in (*seen.tiles, *seen.face_down, *seen.markers)]
        quads += [tile.corners_px for tile in board.tiles.values()]
        quads += [line.marker for line in board.lines.values() if line.marker is not None]
        rest = blobs(without(mask, quads, scale, 0.3 * size), max(3, int(0.4 * tile_area)))
        in_the_way = [blob for blob in rest if blob.area > _HAND_TILES * tile_area]
        found = {tile.key for tile in board.tiles.values() if _seen_at(seen, tile, size)}
        covering = [
            blob for blob in in_the_way
            if (blob.at_rim and not self.free) or any(
                share_in(_grown(blob.mask), tile.corners_px, scale) > 0.1
                for tile in board.tiles.values() if tile.key not in found
            )
        ]
        if covering and not self._stays(glance):
            return Looked(Sight.COVERED)
        hidden = _union(in_the_way, mask)
        if not self.free:
            spots = blobs(without(mask, quads, scale, 0.3 * size), max(3, int(0.04 * tile_area)))
            seen = replace(seen, markers=(*seen.markers, *_likely_markers(spots, board, scale, tile_area)))
        before = reference or self.reference

        def changed(quad: Points) -> float:
            share = share_in(mask, quad, scale)
            # A strong change of light can look like a thing; what still looks alike is still there.
            return 0.0 if before is not None and share > _SAME and likeness(before, glance, quad) > _ALIKE else share

        merged = seen if reference is not None and self.free else _merged(seen, board, changed, size)
        look = Look(
            self._laid_out(merged),
            changed=changed,
            hidden=lambda quad: share_in(hidden, quad, scale),
        )
        self.reference = glance
        return Looked(Sight.READ, look, merged, board)

    def _stays(self, glance: Glance) -> bool:
        """What is in the way was there just so in the picture before: it is a thing, not a hand, and hides."""
        before, self.suspect = self.suspect, glance
        return before is not None and float(changed_mask(before, glance).mean()) < _RESTS

    def _read(self, image: BgrImage, box: tuple[int, int, int, int]) -> PhotoReading:
        """Read a part of the picture; positions are those of the whole."""
        x0, y0, x1, y1 = box
        part = np.ascontiguousarray(image[y0:y1, x0:x1])
        whole = (image.shape[1], image.shape[0])
        seen = self.reader.read(part, self.options)
        offset = np.array([x0, y0], np.float32)

        def moved(sighting: TileSighting) -> TileSighting:
            pips = sighting.pips_px + offset if len(sighting.pips_px) else sighting.pips_px
            return replace(sighting, corners_px=sighting.corners_px + offset, pips_px=pips)

        return PhotoReading(
            tuple(moved(s) for s in seen.tiles), tuple(moved(s) for s in seen.face_down),
            tuple(moved(s) for s in seen.markers), whole, seen.model_id, seen.ms,
        )

    def _laid_out(self, seen: PhotoReading) -> TableReading:
        if not self.free:
            return read_layout(seen, LayoutOptions(self.options.set_size, self.options.mixed))
        tiles = tuple(PlacedTile(number, sighting, "loose") for number, sighting in enumerate(seen.tiles))
        return TableReading(None, None, (), tiles, (), (), (), seen.size_wh, seen.model_id, dict(seen.ms))


def _box(changed: list[Blob], scale: float, tile_px: float, image: BgrImage) -> tuple[int, int, int, int]:
    """The part of the picture to read: what changed, with room for whole tiles around it."""
    union = np.maximum.reduce([blob.mask for blob in changed])
    ys, xs = np.nonzero(union)
    pad = 1.6 * tile_px
    height, width = image.shape[:2]
    x0, y0 = max(0, int(xs.min() / scale - pad)), max(0, int(ys.min() / scale - pad))
    x1, y1 = min(width, int(xs.max() / scale + pad)), min(height, int(ys.max() / scale + pad))
    if (x1 - x0) * (y1 - y0) > 0.5 * width * height:
        return 0, 0, width, height
    return x0, y0, x1, y1


def _union(parts: list[Blob], like: Mask) -> Mask:
    return np.maximum.reduce([blob.mask for blob in parts]) if parts else np.zeros_like(like)


def _grown(mask: Mask) -> Mask:
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.uint8)


def _seen_at(seen: PhotoReading, tile: KnownTile, size: float) -> bool:
    return any(np.hypot(*(tile.centre_px - np.array(s.centre_px))) < 0.4 * size for s in seen.tiles)


def _merged(seen: PhotoReading, board: Board, changed: Callable[[Points], float], size: float) -> PhotoReading:
    """Known tiles and markers where nothing changed, and what was read where something did."""
    kept: list[TileSighting] = []
    places: list[np.ndarray] = []
    for tile in board.tiles.values():
        same = changed(tile.corners_px) <= _SAME
        unsure = tile.evidence.confidence < _UNSURE and _seen_at(seen, tile, size)
        if same and not unsure:
            kept.append(sighting_of(tile))
            places.append(tile.centre_px)
    stand: list[TileSighting] = []
    for line in board.lines.values():
        if line.marker is not None and changed(line.marker) <= _SAME:
            stand.append(_marker(line.marker))
    tiles = [s for s in seen.tiles if not _near(s, places, 0.45 * size)]
    marks = [s for s in seen.markers if not _near(s, [m.corners_px.mean(0) for m in stand], 0.3 * size)]
    return replace(seen, tiles=(*kept, *tiles), markers=(*stand, *marks))


def _likely_markers(spots: list[Blob], board: Board, scale: float, tile_area: float) -> list[TileSighting]:
    """Small compact things that have come to an open end or to the hub: markers, whatever they look like."""
    found = []
    ends = [end for end in (board.end_px(name) for name in board.lines) if end is not None]
    for spot in spots:
        points = np.argwhere(spot.mask)[:, ::-1].astype(np.float32)
        box = cv2.minAreaRect(points)
        long, short = max(box[1]) + 1, min(box[1]) + 1
        compact = spot.area > 0.5 * long * short and long < 2.2 * short
        if spot.at_rim or not compact or not 0.04 * tile_area < spot.area < _MARKER_TILES * tile_area:
            continue
        corners = (cv2.boxPoints(box) / scale).astype(np.float32)
        centre = corners.mean(0)
        at_end = any(float(np.hypot(*(end - centre))) < 0.9 * board.tile_px for end in ends)
        at_hub = board.hub_px is not None and 0.7 < float(np.hypot(*(board.hub_px - centre))) / board.tile_px < 2.4
        if at_end or at_hub:
            found.append(replace(_marker(corners), confidence=0.55))
    # Several at once are no markers: a lamp was switched, and what looks like things are edges of the hub.
    return found if len(found) == 1 else []


def _near(sighting: TileSighting, places: list[np.ndarray], reach: float) -> bool:
    return any(float(np.hypot(*(np.array(sighting.centre_px) - place))) < reach for place in places)


def sighting_of(tile: KnownTile) -> TileSighting:
    """A known tile as if it had been seen again."""
    ends = tile.ends
    rows = np.asarray(tile.evidence.probabilities, np.float32)
    return TileSighting("face_up", ends, tile.corners_px, tile.evidence.confidence, rows, np.zeros((0, 2), np.float32))


def _marker(corners: Points) -> TileSighting:
    empty = np.zeros((2, 19), np.float32)
    return TileSighting("marker", (None, None), corners, 0.9, empty, np.zeros((0, 2), np.float32))
