"""From a settled picture to a look at the table: only what changed is read anew.

The picture is set against the one before it. Where nothing changed, what is known stands; a hand hides what lies
below it; when everything seems to have changed the camera was bumped, and is found again by the tiles.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import cv2
import numpy as np

from vision.board import Array, Board
from vision.denied import Denied, without_denied
from vision.follow import moved_board, register_board
from vision.layout import read_layout
from vision.reader import PhotoReader, ReadOptions
from vision.regions import Box, around, box_of, whole
from vision.scene import (
    SAME,
    SAME_PLACE,
    Scene,
    came,
    came_as_tile,
    came_share,
    changed_share,
    is_near,
    merged,
    quads,
    seen_at,
    straddles,
)
from vision.spots import away_from, explaining, likely_markers, marker_spots, unread_tiles
from vision.steadiness import Blob, Glance, Mask, blobs, changed_mask, nudge, share_in, without
from vision.table_reading import LayoutOptions, PlacedTile, TableReading
from vision.tiles import BgrImage, PhotoReading, Points, TileSighting
from vision.twice import joined_in, other_gain
from vision.work import CHANGED, Look

_BUMPED = 0.22
"""Share of the picture that changed; more than this is no hand."""
_LEAST_SHIFTED, _MOST_OF_THEM = 5, 0.6
"""Tiles that changed, at least, and their share, where the camera was pushed."""
_HAND_TILES = 2.2
"""A region that is no tile and larger than this many tiles is a hand or another thing in the way."""
_ARM_TILES = 9.0
_THICK = 0.4
"""No hand is thinner than this many tile lengths: a camera that is pushed brings in a strip at the rim."""
_RESTS = 0.0015
_MAYBE_NUDGED = 0.004
_MOST_TRIES = 2
"""More looks at a place that nothing explains than this tell no more."""
_CELL = 0.3
"""Tries are counted for squares of this many tile lengths."""
_CUT = 0.5
"""Where nothing came, what is seen nearer to a known tile than this, in tile lengths, is that tile, cut by the rim of
what was read."""
_ENOUGH_PX = 1.2e6
"""With so much of a picture read, one second look is enough; what it leaves open the next picture may tell."""
_AGAIN_PAD = 1.6
_MARKER_MARGIN = 0.12
"""How far round a tile, in tile lengths, its shadow may have changed the picture."""


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
    board: Board | None = None
    """The board carried to where the camera looks now."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A place (4, 2) px that may not be understood, and whether something came there: else only the reader says so."""

    place: Points
    came: bool

    @property
    def centre_px(self) -> Array:
        """Mean of its corners."""
        return np.asarray(self.place.mean(0), np.float64)


@dataclass(slots=True)
class Looker:
    """Looks at settled pictures of one table, one after the other."""

    reader: PhotoReader
    options: ReadOptions
    free: bool = False
    reference: Glance | None = None
    denied: tuple[Denied, ...] = ()  # what somebody said is none
    suspect: Glance | None = None
    """The last picture in which something was in the way."""
    _scene: Scene | None = None
    _open: list[_Open] = field(default_factory=list)
    """Places of the last picture that may not be understood."""
    _left: list[_Open] = field(default_factory=list)
    """Those that the picture now looked at is read at again: they count as changed, though they look as before."""
    _tries: dict[tuple[int, int], int] = field(default_factory=dict)
    _read_px: float = 0.0
    """Pixels of the picture now looked at that were read, each as often as it was."""

    def look(self, image: BgrImage, board: Board | None) -> Looked:
        """What the picture shows beside what is known."""
        glance = Glance.of(image)
        self._read_px = 0.0
        if board is None or self.reference is None:
            return self._first(image, glance)
        tile_area = max(4.0, 0.5 * (board.tile_px * glance.scale) ** 2)
        mask = changed_mask(self.reference, glance)
        if float(mask.mean()) > _MAYBE_NUDGED:
            mask, board = self._steadied(mask, glance, board)
        if float(mask.mean()) > _BUMPED or _shifted(mask, board, glance.scale):
            return self._bumped(image, glance, board, tile_area)
        changed = blobs(mask, max(3, int(0.07 * tile_area)))
        self._forget_tries(changed, glance.scale, board.tile_px)
        left, unsure = self._left_open(board), board.doubtful
        if not changed and not left and not unsure:
            self.reference = glance
            return Looked(Sight.STILL)
        thick = _THICK * board.tile_px * glance.scale
        arms = [blob for blob in changed if blob.at_rim and blob.area > _ARM_TILES * tile_area]
        if any(blob.thickness > thick for blob in arms) and not self.free and not self._stays(glance):
            return Looked(Sight.COVERED)
        bare = _union(changed, mask)
        mask = _with_places(bare.copy(), [one.place for one in left], glance.scale)
        seen = self._read(image, box_of(mask, glance.scale, board.tile_px, image, unsure))
        self._left = left
        looked = self._against(seen, glance, mask, board, tile_area, bare=bare)
        if looked.look is None or changed:
            return looked
        return replace(looked, look=replace(looked.look, still=True))

    def is_puzzled(self, board: Board | None) -> bool:
        """Another look at the same table may tell more."""
        if board is None:
            return False
        tries = dict(self._tries)
        puzzled = bool(self._left_open(board) or (board.doubtful and not self.free))
        self._tries = tries
        return puzzled

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
        seen = self._read(image, whole(image))
        self.reference = glance
        return Looked(Sight.READ, Look(self._laid_out(seen)))

    def _bumped(self, image: BgrImage, glance: Glance, board: Board, tile_area: float) -> Looked:
        assert self.reference is not None
        self._left = []
        self._tries.clear()  # every place is another one now
        seen = self._read(image, whole(image))
        found = register_board(board, Look(self._laid_out(seen)))
        if found is None:
            return Looked(Sight.LOST)
        carried, matrix = found
        reference = self.reference.warped(matrix)
        mask = changed_mask(reference, glance)
        finer = nudge(reference, glance)  # a few tiles near the hub say little of the picture's rim
        if finer is not None:
            again = self.reference.warped(finer @ matrix)
            finer_mask = changed_mask(again, glance)
            if float(finer_mask.mean()) < 0.8 * float(mask.mean()):
                reference, mask, carried = again, finer_mask, moved_board(carried, finer)
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
        bare: Mask | None = None,
    ) -> Looked:
        """Set what was read against what is known: what did not change stands."""
        scale, size = glance.scale, board.tile_px
        rest = blobs(without(mask, quads(seen, board), scale, 0.3 * size), max(3, int(0.4 * tile_area)))
        in_the_way = [
            blob for blob in rest if blob.area > _HAND_TILES * tile_area and blob.thickness > _THICK * size * scale
        ]
        found = {tile.key for tile in board.tiles.values() if seen_at(seen, tile, size)}
        covering = [
            blob for blob in in_the_way
            if (blob.at_rim and not self.free) or any(
                share_in(_grown(blob.mask), tile.corners_px, scale) > 0.1
                for tile in board.tiles.values() if tile.key not in found
            )
        ]
        if covering and not self._stays(glance):
            return Looked(Sight.COVERED)
        whole = reference is not None and self.free
        self._scene = Scene(seen, glance, mask, _union(in_the_way, mask), board, tile_area,
                            reference or self.reference, whole, bare=bare)
        self.reference = glance
        return Looked(Sight.READ, self._seen(tuple(board.doubtful)), board)

    def again(self, image: BgrImage, places: Sequence[Points]) -> Look | None:
        """The picture that was just looked at, read once more round these places; `None` if that was done enough."""
        scene = self._scene
        assert scene is not None
        if scene.looks and self._read_px > _ENOUGH_PX:
            return None
        # What is cut wrongly in a part is cut so in one like it; where no line says what to expect, all is looked at.
        box = whole(image) if self.free else around(places, _AGAIN_PAD * scene.board.tile_px, image)
        gain = other_gain(image, [tile.corners_px for tile in scene.seen.tiles], scene.looks)
        other = self._read(image, box, gain)
        self._scene = replace(
            scene, seen=joined_in(box, scene.seen, other, scene.board.tile_px), looks=scene.looks + 1
        )
        return self._seen(tuple(places))

    def _seen(self, anew: tuple[Points, ...]) -> Look:
        """What the scene says; known tiles at `anew` are read anew though they did not change."""
        scene = self._scene
        assert scene is not None
        seen, board, scale, size = scene.seen, scene.board, scene.glance.scale, scene.board.tile_px
        left = [one.centre_px for one in self._left]
        idle = [one.place for one in self._left if not one.came]
        mask, hidden = scene.mask, scene.hidden
        strange: list[Points] = []
        unread: list[Points] = []
        changed = partial(changed_share, scene, left, SAME_PLACE * size)
        if not scene.whole:
            seen = replace(seen, tiles=tuple(s for s in seen.tiles if not straddles(scene, s, changed)))
        if not self.free:
            seen = replace(seen, markers=tuple(m for m in seen.markers if came(scene, m.corners_px)),
                           faint=tuple(m for m in seen.faint if came(scene, m.corners_px)))
            explained = quads(seen, board)
            spots = blobs(without(mask, explained, scale, _MARKER_MARGIN * size), max(3, int(0.04 * scene.tile_area)))
            strange = away_from(marker_spots(spots, board, scale, scene.tile_area), explaining(seen, board), size)
            strange = [spot for spot in strange if changed(spot) > SAME]
            # At a place that is only read at again nothing came.
            again = any(is_near(spot.mean(0), left, SAME_PLACE * size) for spot in strange)
            marks = [] if again else likely_markers(strange)
            seen = replace(seen, markers=(*seen.markers, *marks))
            strange = [] if marks else strange
            # Where nothing ever came, nothing lies that could not be read.
            bare = without(mask, [*explained, *idle], scale, 0.3 * size)
            unread = unread_tiles(blobs(bare, max(3, int(0.4 * scene.tile_area))), board, scale, scene.tile_area)
        else:
            bare = without(mask, quads(seen, board), scale, 0.3 * size)
            rest = blobs(bare, max(3, int(0.4 * scene.tile_area)))
            unread = unread_tiles(rest, board, scale, scene.tile_area, anywhere=True)
        faint = [s.corners_px for s in seen.markers if share_in(mask, s.corners_px, scale) > CHANGED]
        self._open = [_Open(place, True) for place in (*strange, *unread, *faint)]
        never = [place.mean(0) for place in idle]
        for quad in (tile.corners_px for tile in seen.tiles):
            came_there = came_as_tile(changed, quad) if self.free else changed(quad) > SAME
            came_there = came_there and not is_near(quad.mean(0), never, SAME_PLACE * size)
            self._open.append(_Open(quad, came_there))

        stands = seen if scene.whole else merged(seen, board, changed, size, anew)
        return Look(
            self._laid_out(stands), changed=changed, hidden=lambda quad: share_in(hidden, quad, scale),
            strange=tuple(strange), unread=tuple(unread), came=partial(came_share, scene),
        )

    def _forget_tries(self, changed: Sequence[Blob], scale: float, tile_px: float) -> None:
        """Where something changed lies another thing now, which may be looked at anew."""
        if not changed or not self._tries:
            return
        cell = _CELL * tile_px * scale
        mask = np.maximum.reduce([blob.mask for blob in changed])
        ys, xs = np.nonzero(mask)
        for spot in set(zip((xs / cell).astype(int).tolist(), (ys / cell).astype(int).tolist(), strict=True)):
            self._tries.pop(spot, None)

    def _left_open(self, board: Board) -> list[_Open]:
        """Places that the last looks did not understand, as long as they are worth another."""
        known = [tile.corners_px for tile in board.tiles.values()]
        known += [line.marker for line in board.lines.values() if line.marker is not None]
        reach = _CELL * board.tile_px
        left = []
        for one in self._open:
            if self.free and not one.came:
                continue  # no move, whatever the reader makes of it: only what comes is told
            centre = one.centre_px
            near = reach if one.came else _CUT * board.tile_px
            if any(float(np.hypot(*(quad.mean(0) - centre))) < near for quad in known):
                continue
            spot = int(centre[0] / reach), int(centre[1] / reach)
            self._tries[spot] = self._tries.get(spot, 0) + 1
            if self._tries[spot] <= _MOST_TRIES:
                left.append(one)
        return left

    def _stays(self, glance: Glance) -> bool:
        """What is in the way was there just so in the picture before: it is a thing, not a hand, and hides."""
        before, self.suspect = self.suspect, glance
        return before is not None and float(changed_mask(before, glance).mean()) < _RESTS

    def _read(self, image: BgrImage, box: Box, gain: float = 1.0) -> PhotoReading:
        """Read a part of the picture, made brighter by `gain`; positions are those of the whole."""
        x0, y0, x1, y1 = box
        part = np.ascontiguousarray(image[y0:y1, x0:x1])
        self._read_px += part.shape[0] * part.shape[1]
        whole = (image.shape[1], image.shape[0])
        seen = self.reader.read(part, replace(self.options, gain=gain))
        offset = np.array([x0, y0], np.float32)

        def moved(sighting: TileSighting) -> TileSighting:
            pips = sighting.pips_px + offset if len(sighting.pips_px) else sighting.pips_px
            return replace(sighting, corners_px=sighting.corners_px + offset, pips_px=pips)

        return PhotoReading(
            tuple(moved(s) for s in seen.tiles), tuple(moved(s) for s in seen.face_down),
            tuple(moved(s) for s in seen.markers), whole, seen.model_id, seen.ms,
            faint=tuple(moved(s) for s in seen.faint))

    def _laid_out(self, seen: PhotoReading) -> TableReading:
        if not self.free:
            options = LayoutOptions(self.options.set_size, self.options.mixed)
            return read_layout(without_denied(seen, self.denied), options)
        tiles = tuple(PlacedTile(number, sighting, "loose") for number, sighting in enumerate(seen.tiles))
        return TableReading(None, None, (), tiles, (), (), (), seen.size_wh, seen.model_id, dict(seen.ms))


def _shifted(mask: Mask, board: Board, scale: float) -> bool:
    """Most of what lies there changed: no arm covers so much, so the camera was pushed, if only a little."""
    tiles = board.tiles.values()
    changed = sum(share_in(mask, tile.corners_px, scale) > SAME for tile in tiles)
    return changed >= max(_LEAST_SHIFTED, _MOST_OF_THEM * len(tiles))


def _with_places(mask: Mask, places: Sequence[Points], scale: float) -> Mask:
    """The mask with these places in it."""
    for place in places:
        cv2.fillConvexPoly(mask, np.round(place * scale).astype(np.int32), 1)
    return mask


def _union(parts: list[Blob], like: Mask) -> Mask:
    return np.maximum.reduce([blob.mask for blob in parts]) if parts else np.zeros_like(like)


def _grown(mask: Mask) -> Mask:
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.uint8)
