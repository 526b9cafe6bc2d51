"""Markers that stand now, each at the train it is nearest to, and those that are gone.

Seeing no marker is weak evidence where a tile was just laid: it stands askew, on a tile, or under the hand's shadow.
What is weak is told as unsure, and the rules may take it the other way.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np

from vision.board import Array, Board, KnownLine
from vision.table_reading import MarkerReading
from vision.tiles import Points, TileSighting
from vision.work import CHANGED, GONE_AFTER, Work, direction, named, turn_between

_MARKER_SEEN = 0.5
SURE = 0.85
"""A marker seen less surely than this may be none."""
_ON_FACE = 0.85
"""A marker whose middle lies in the middle part of a tile, of this share of its size, stands on the tile."""
_PIN = 0.25
"""How far from a tile's middle its pin may be seen, in tile lengths."""
_AT_HUB = 2.8
"""A marker this near the hub, in tile lengths, stands at a slot where no train has started."""
_AT_END = 1.3
_STRANGE = 1.1
"""Something not understood this near the end of a line, in tile lengths, may be its marker."""
_SLOT_DEG = 22.0


def take_markers(work: Work) -> None:
    """Markers that stand now, each at the train it is nearest to."""
    seen: dict[str, TileSighting] = {}
    faint = [np.asarray(spot.mean(0), np.float64) for spot in work.look.strange]
    for marker in _without_pips(work):
        changed = work.look.changed(marker.sighting.corners_px)
        if not _stood(work, marker.sighting):
            if changed is not None and changed < CHANGED:
                continue  # print or a part of the hub: it was there before
            if marker.sighting.confidence < _MARKER_SEEN:
                faint.append(np.array(marker.sighting.centre_px))
                continue
        name = _line_of_marker(work, marker.train, np.array(marker.sighting.centre_px))
        if name is not None and (name not in seen or seen[name].confidence < marker.sighting.confidence):
            seen[name] = marker.sighting
    for name, sighting in seen.items():
        line = work.board.lines[name]
        if line.marker is None:
            work.marked.append(name)
            if sighting.confidence < SURE or work.look.still:  # nothing came: it was overlooked, or it is none
                work.unsure.append(name)
        stands = line.marker is not None and np.allclose(line.marker, sighting.corners_px, atol=0.05)
        sure = line.marker_sure if stands else sighting.confidence
        if line.marker is not None and not stands and sure < SURE:
            work.unsure.append(name)
        work.board = work.board.with_line(
            replace(line, marker=sighting.corners_px, marker_missed=0, marker_sure=sure, maybe=False)
        )
    for name in [name for name, line in work.board.lines.items() if line.marker is not None and name not in seen]:
        _miss_marker(work, name)
    _note_strange(work, seen, faint)


def _without_pips(work: Work) -> list[MarkerReading]:
    """The markers of the look without pips that look like some.

    A marker on a tile is seen surely and stands alone there, on the last tile of a line that has none elsewhere.
    """
    markers = work.look.reading.markers
    on = {number: _tile_under(work, marker) for number, marker in enumerate(markers)}
    crowd = Counter(tile for tile in on.values() if tile is not None)
    open_trains = {marker.train for number, marker in enumerate(markers) if on[number] is None}

    def stands(number: int, marker: MarkerReading) -> bool:
        tile = on[number]
        if tile is None:
            return True
        if _is_pin(work, tile, marker):
            return False
        alone = crowd[tile] == 1 and (marker.train is None or marker.train not in open_trains)
        return alone and marker.sighting.confidence >= SURE and _is_last(work, tile)

    return [marker for number, marker in enumerate(markers) if stands(number, marker)]


def _tile_under(work: Work, marker: MarkerReading) -> int | None:
    """The tile of the look on whose face a marker stands."""
    centre = np.asarray(marker.sighting.centre_px, np.float64)
    for tile in work.look.reading.tiles:
        middle = tile.sighting.corners_px.mean(0)
        quad = (middle + _ON_FACE * (tile.sighting.corners_px - middle)).astype(np.float32)
        if cv2.pointPolygonTest(quad, (float(centre[0]), float(centre[1])), False) > 0:
            return tile.id
    return None


def _is_pin(work: Work, number: int, marker: MarkerReading) -> bool:
    """It is in the very middle of a tile that just came: the pin or the bar that the tile has there."""
    sighting = work.sighting(number)
    new = work.key_of.get(number) in {tile.key for tile in work.new}
    apart = float(np.hypot(*(np.array(marker.sighting.centre_px) - np.array(sighting.centre_px))))
    return new and apart < _PIN * work.board.tile_px


def _is_last(work: Work, number: int) -> bool:
    spot = work.board.line_of(work.key_of[number]) if number in work.key_of else None
    return spot is not None and spot[1] == len(work.board.lines[spot[0]].keys) - 1


def dim_markers(board: Board) -> tuple[str, ...]:
    """Lines with a marker that nobody saw surely."""
    return tuple(name for name, line in board.lines.items() if line.marker is not None and line.marker_sure < SURE)


def with_marker(line: KnownLine, end_px: Array, tile_px: float) -> KnownLine:
    """The line with a marker that was not seen but must stand there."""
    if line.marker is not None:
        return line
    half = 0.15 * tile_px
    corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) + end_px
    return replace(line, marker=corners.astype(np.float32), marker_sure=0.0, maybe=False)


def _stood(work: Work, sighting: TileSighting) -> bool:
    """A known marker stands there."""
    centre, near = np.array(sighting.centre_px), 0.3 * work.board.tile_px
    return any(
        line.marker is not None and float(np.hypot(*(line.marker.mean(0) - centre))) < near
        for line in work.board.lines.values()
    )


def _line_of_marker(work: Work, train: str | None, centre: Array) -> str | None:
    board = work.board
    for name, line in board.lines.items():  # it stands where it stood
        if line.marker is not None and float(np.hypot(*(line.marker.mean(0) - centre))) < 0.3 * board.tile_px:
            return name
    if train is not None and train in work.line_of_train:
        return work.line_of_train[train]
    ends = {name: board.end_px(name) for name in board.lines}
    apart = sorted((float(np.hypot(*(end - centre))), name) for name, end in ends.items() if end is not None)
    if apart and apart[0][0] < _AT_END * board.tile_px:
        return apart[0][1]
    return _slot(work, centre, far=train is not None)


def _slot(work: Work, centre: Array, far: bool = False) -> str | None:
    """The line that has not begun and whose slot at the hub is there; `None` away from the hub, unless `far`."""
    board = work.board
    if board.hub_px is None:
        return None
    hub = np.array(board.hub_px)
    if not far and float(np.hypot(*(centre - hub))) > _AT_HUB * board.tile_px:
        return None  # it lies about somewhere
    angle = direction(hub, centre)
    for name, line in board.lines.items():
        if not line.keys and line.angle is not None and abs(turn_between(line.angle, angle)) < math.radians(_SLOT_DEG):
            return name
    return named(work, f"t{board.started + 1}", angle)


def _miss_marker(work: Work, name: str) -> None:
    line = work.board.lines[name]
    assert line.marker is not None
    if (work.look.hidden(line.marker) or 0.0) > 0.1:
        return
    changed = work.look.changed(line.marker)
    if changed is not None and changed < CHANGED:
        return
    missed = line.marker_missed + 1
    if changed is None and missed < GONE_AFTER:
        work.board = work.board.with_line(replace(line, marker_missed=missed))
        return
    work.unmarked.append(name)
    if any(tile.line == name for tile in work.new) or _near_strange(work, line.marker.mean(0)):
        work.unsure.append(name)  # it had to move over for the new tile, and may stand unread
    work.board = work.board.with_line(replace(line, marker=None, marker_missed=0))


def _note_strange(work: Work, seen: dict[str, TileSighting], strange: list[Array]) -> None:
    """Lines at whose end something came to lie that nobody could read surely."""
    reach = _STRANGE * work.board.tile_px
    at: dict[str, bool] = dict.fromkeys(work.board.lines, False)
    for spot in strange:
        ends = {name: work.board.end_px(name) for name in work.board.lines}
        near = [name for name, end in ends.items() if end is not None and float(np.hypot(*(end - spot))) < reach]
        slot = None if near else _slot(work, spot)
        at.update(dict.fromkeys([*near, *([slot] if slot is not None else [])], True))
    for name, maybe in at.items():
        line = work.board.lines[name]
        maybe = maybe and name not in seen and line.marker is None
        if maybe != line.maybe:
            work.board = work.board.with_line(replace(line, maybe=maybe))
        if maybe and name not in work.unsure:
            work.unsure.append(name)


def _near_strange(work: Work, place: Array) -> bool:
    reach = _STRANGE * work.board.tile_px
    return any(float(np.hypot(*(spot.mean(0) - place))) < reach for spot in work.look.strange)


def marker_of(points: Points, sure: float) -> TileSighting:
    """A marker with these corners."""
    return TileSighting.faceless("marker", points, sure)
