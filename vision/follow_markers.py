"""Markers that stand now, each at the train it is nearest to, and those that are gone."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from vision.board import Array
from vision.tiles import Points, TileSighting
from vision.work import CHANGED, GONE_AFTER, Work, direction, named, turn_between

_MARKER_SURE = 0.5
_AT_HUB = 2.8
"""A marker this near the hub, in tile lengths, stands at a slot where no train has started."""


def take_markers(work: Work) -> None:
    """Markers that stand now, each at the train it is nearest to."""
    seen: dict[str, Points] = {}
    for marker in work.look.reading.markers:
        changed = work.look.changed(marker.sighting.corners_px)
        if not _stood(work, marker.sighting) and (
            marker.sighting.confidence < _MARKER_SURE or (changed is not None and changed < CHANGED)
        ):
            continue  # print or a part of the hub: it was there before
        name = _line_of_marker(work, marker.train, np.array(marker.sighting.centre_px))
        if name is not None and name not in seen:
            seen[name] = marker.sighting.corners_px
    for name, corners in seen.items():
        line = work.board.lines[name]
        if line.marker is None:
            work.marked.append(name)
        work.board = work.board.with_line(replace(line, marker=corners, marker_missed=0))
    for name in [name for name, line in work.board.lines.items() if line.marker is not None and name not in seen]:
        _miss_marker(work, name)


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
    if apart and apart[0][0] < 1.3 * board.tile_px:
        return apart[0][1]
    if board.hub_px is None:
        return None
    hub = np.array(board.hub_px)
    if train is None and float(np.hypot(*(centre - hub))) > _AT_HUB * board.tile_px:
        return None  # it lies about somewhere
    angle = direction(hub, centre)
    for name, line in board.lines.items():
        if not line.keys and line.angle is not None and abs(turn_between(line.angle, angle)) < math.radians(22):
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
    if missed >= GONE_AFTER or changed is not None:
        work.unmarked.append(name)
        work.board = work.board.with_line(replace(line, marker=None, marker_missed=0))
        if not line.keys and name.startswith("t"):
            return  # the slot stays known: whose it is was learnt from its marker
    else:
        work.board = work.board.with_line(replace(line, marker_missed=missed))
