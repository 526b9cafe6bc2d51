"""Whole rounds as a reader with faults sees them, without a pixel: straight lines round a hub, played by the engine.

`plan_round` plays; `Eyes` hands out readings of its frames. The truth is in the form of `datasets.films`, so that
`datasets.film_score` scores what a watcher makes of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from datasets.filmed_rounds import FilmedTurn, begin, play_round
from datasets.films import lays_of
from engine.rules import Rules
from vision.board import Board
from vision.follow_markers import marker_of
from vision.scene import sighting_of
from vision.table_reading import LineReading, MarkerReading, Note, PlacedTile, TableReading, TrainReading
from vision.tiles import Points, TileSighting
from vision.twice import joined
from vision.work import Look

Json = dict[str, Any]
LENGTH, WIDTH = 60.0, 30.0
SEATS = ("A", "B", "C", "D")


@dataclass(frozen=True, slots=True)
class Faults:
    """Shares of what a reader gets wrong, and of what people do.

    `unclear` halves may be read as a second value in every reading, and say so; a `slip` is one sure reading of a half
    as something else. `missed` tiles and `unseen` markers are lost from one reading; `shy` ones from every other. A
    `ghost` is a marker that is none, at some tile. `skipped` turns have no picture of their own; in `nudged` turns a
    tile is pushed aside, far enough to be told or not; `hands` lie over the table in a picture.
    """

    unclear: float = 0.0
    slip: float = 0.0
    missed: float = 0.0
    unseen: float = 0.0
    shy: float = 0.0
    ghost: float = 0.0
    skipped: float = 0.0
    nudged: float = 0.0
    hands: float = 0.0


@dataclass(frozen=True, slots=True)
class Lying:
    """A tile that lies there: its train (none: the starting double), its place in it, its values outward."""

    train: str
    index: int
    laid: tuple[int, int]
    corners_px: Points


@dataclass(frozen=True, slots=True)
class QuickFrame:
    """One settled picture: how many tiles lie there, where markers stand, and what a perfect watcher tells of it."""

    number: int
    kind: str
    laid: int
    markers: dict[str, Points]
    events: tuple[Json, ...]
    shifts: dict[int, tuple[float, float]] = field(default_factory=dict)
    """How far tiles were pushed from where they were laid, by number."""

    def quad(self, number: int, tile: Lying) -> Points:
        """Where a tile lies now."""
        return tile.corners_px + np.array(self.shifts.get(number, (0.0, 0.0)), np.float32)


@dataclass(slots=True)
class QuickRound:
    """A round to be watched."""

    seed: int
    first: str
    lying: list[Lying] = field(default_factory=list)
    frames: list[QuickFrame] = field(default_factory=list)
    seats: tuple[str, ...] = SEATS

    @property
    def truth(self) -> Json:
        """As `datasets.film_score` wants it."""
        return {"frames": [{"frame": f.number, "kind": f.kind, "events": list(f.events)} for f in self.frames]}


def plan_round(seed: int, faults: Faults, fouls: tuple[str, ...] = (), turns: int = 30) -> QuickRound:
    """A round from its seed alone."""
    rng = np.random.default_rng((seed, 11))
    rules = Rules()
    start = begin(rng, rules, SEATS)
    value = start.table.starting_double
    told = QuickRound(seed, start.turn.seat)
    told.lying.append(Lying("", 0, (value, value), _quad(np.zeros(2), np.array([0.0, 1.0]))))
    told.frames.append(QuickFrame(0, "settled", 1, {}, ({"event": "ready", "tile": [value, value]},)))
    reach = dict.fromkeys((*SEATS, "M"), 80.0)
    late: list[Json] = []
    events: list[Json] = []
    for turn in play_round(rng, rules, start, list(fouls), turns):
        before = set(told.frames[-1].markers)
        _lay(told, turn, reach)
        markers = {train: _marker(train, reach[train]) for train in turn.marks}
        events += late
        if turn.foul == "R_MARKER_UNDUE":  # in a picture of its own, or a pass and the next lay would look the same
            told.frames.append(QuickFrame(len(told.frames), "settled", len(told.lying), told.frames[-1].markers,
                                          (*events, *lays_of(turn)), told.frames[-1].shifts))
            events = []
        else:
            events += lays_of(turn)
        events += _marks(turn, before, set(markers))
        late = [{"event": "foul", "seat": turn.seat, "why": turn.foul}] if turn.late else []
        if rng.random() < faults.skipped and turn.foul is None and not turn.after.is_over:
            continue
        if rng.random() < faults.hands:
            last = told.frames[-1]
            told.frames.append(replace(last, number=len(told.frames), kind="hand", events=()))
        shifts, pushed = _nudge(rng, told, faults.nudged)
        events += pushed
        still = not events and len(told.lying) == told.frames[-1].laid and set(markers) == set(told.frames[-1].markers)
        told.frames.append(QuickFrame(len(told.frames), "still" if still else "settled", len(told.lying), markers,
                                      tuple(events), shifts))
        events = []
    return told


def _nudge(
    rng: np.random.Generator, told: QuickRound, share: float
) -> tuple[dict[int, tuple[float, float]], list[Json]]:
    """A tile that is not the last of its line is pushed sideways, by a hair or by most of its width."""
    last = told.frames[-1]
    shifts = dict(last.shifts)
    lying = told.lying[: last.laid]
    inner = [n for n, tile in enumerate(lying) if tile.train and any(t.train == tile.train for t in lying[n + 1 :])]
    if not inner or rng.random() >= share:
        return shifts, []
    number = int(rng.choice(inner))
    tile = told.lying[number]
    if number in shifts:
        return shifts, []
    ahead = _ahead(tile.train)
    far = rng.random() < 0.5
    reach = (0.4 if far else 0.1) * LENGTH
    shifts[number] = float(-ahead[1] * reach), float(ahead[0] * reach)
    return shifts, [{"event": "moved", "train": tile.train, "tile": list(tile.laid)}] if far else []


def _lay(told: QuickRound, turn: FilmedTurn, reach: dict[str, float]) -> None:
    for play in turn.plays:
        ahead = _ahead(play.train)
        laid = (play.laid.near, play.laid.far)
        double = laid[0] == laid[1]
        deep = WIDTH if double else LENGTH
        centre = ahead * (reach[play.train] + deep / 2)
        index = sum(tile.train == play.train for tile in told.lying)
        along = np.array([-ahead[1], ahead[0]]) if double else ahead
        told.lying.append(Lying(play.train, index, laid, _quad(centre, along)))
        reach[play.train] += deep + 1.0


def _ahead(train: str) -> np.ndarray:
    angle = 2 * math.pi * (*SEATS, "M").index(train) / 5 + 0.4
    return np.array([math.cos(angle), math.sin(angle)])


def _quad(centre: np.ndarray, along: np.ndarray, length: float = LENGTH, width: float = WIDTH) -> Points:
    """The first half is the one against the direction `along`: the near one."""
    right = np.array([along[1], -along[0]])
    up = -along * length / 2
    side = right * width / 2
    return np.array([centre + up - side, centre + up + side, centre - up + side, centre - up - side], np.float32)


def _marker(train: str, reach: float) -> Points:
    ahead = _ahead(train)
    return _quad(ahead * (reach + 20.0), ahead, 18.0, 18.0)


def _marks(turn: FilmedTurn, before: set[str], now: set[str]) -> list[Json]:
    events: list[Json] = [{"event": "marker_on", "train": train} for train in sorted(now - before)]
    events += [{"event": "marker_off", "train": train} for train in sorted(before - now)]
    if turn.foul is not None and turn.at is None and not turn.late:
        events.append({"event": "foul", "seat": turn.seat, "why": turn.foul})
    return events


# -- seeing ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Eyes:
    """Looks at the frames of a round, one after the other, with a reader's faults."""

    round: QuickRound
    faults: Faults
    reads: int = 0
    quads: list[Points] = field(default_factory=list)
    markers: dict[str, Points] = field(default_factory=dict)
    places: list[np.ndarray] = field(default_factory=list)
    """What changed since the picture before, and what was not understood in it."""
    last: tuple[list[TileSighting], list[TileSighting]] = ([], [])
    frame: QuickFrame | None = None
    anew: list[np.ndarray] = field(default_factory=list)
    """What is read again though it did not change."""
    came: list[np.ndarray] = field(default_factory=list)  # what changed since the picture before

    def look(self, frame: QuickFrame, board: Board | None, doubts: list[Points]) -> Look | None:
        """What a settled picture shows; `None` if nothing changed and nothing is in doubt."""
        told = self.round
        before, was = self.quads, self.markers
        pushed = [n for n, shift in frame.shifts.items() if self.frame is None or self.frame.shifts.get(n) != shift]
        self.anew = [quad.mean(0) for quad in doubts]
        self.frame, self.quads = frame, [frame.quad(n, tile) for n, tile in enumerate(told.lying[: frame.laid])]
        self.markers = dict(frame.markers)
        changed = [quad.mean(0) for quad in self.quads[len(before) :]]
        changed += [quad[n].mean(0) for n in pushed for quad in (self.quads, before) if n < len(quad)]
        for train in set(was) | set(frame.markers):
            one, other = was.get(train), frame.markers.get(train)
            if one is None or other is None or not np.allclose(one, other):
                changed += [quad.mean(0) for quad in (one, other) if quad is not None]
        missed = [] if board is None else [place for place in self.places if not _known(board, place)]
        self.places = self.came = changed
        if board is not None and not changed and not missed and not doubts:
            return None
        self.places = [*changed, *missed]
        self.last = self._read([*self.places, *self.anew] if board is not None else None)
        return replace(self._laid_out(board), still=board is not None and not changed)

    def again(self, board: Board, places: list[Points]) -> Look:
        """The same picture read once more, round these places."""
        self.anew = [quad.mean(0) for quad in places]
        seen = self._read([*self.places, *self.anew])
        self.last = joined(self.last[0], seen[0], LENGTH), joined(self.last[1], seen[1], LENGTH)
        return self._laid_out(board)

    def _read(self, places: list[np.ndarray] | None) -> tuple[list[TileSighting], list[TileSighting]]:
        assert self.frame is not None
        self.reads += 1
        rng = np.random.default_rng((self.round.seed, self.frame.number, self.reads))
        tiles, markers = [], []
        low, high = (-np.full(2, 1e9), np.full(2, 1e9))
        if places:
            low, high = np.min(places, 0) - 1.6 * LENGTH, np.max(places, 0) + 1.6 * LENGTH
        for number, tile in enumerate(self.round.lying[: self.frame.laid]):
            quad = self.frame.quad(number, tile)
            if (quad.min(0) < low).any() or (quad.max(0) > high).any():
                continue
            shy = np.random.default_rng((self.round.seed, 31, number)).random() < self.faults.shy
            if number and rng.random() < (0.4 if shy else self.faults.missed):
                continue
            rows = np.stack([self._row(rng, number, half, tile.laid[half]) for half in (0, 1)])
            ends = int(rows[0].argmax()), int(rows[1].argmax())
            quad = quad + rng.normal(0, 0.8, (4, 2)).astype(np.float32)
            if rng.random() < 0.5:
                quad, rows, ends = np.roll(quad, 2, axis=0), rows[::-1].copy(), ends[::-1]
            sure = float(rows.max(1).prod())
            tiles.append(TileSighting("face_up", ends, quad, sure, rows, np.zeros((0, 2), np.float32)))
        for train, quad in self.frame.markers.items():
            if (quad.min(0) < low).any() or (quad.max(0) > high).any():
                continue
            place = int(abs(quad.sum())), len(train)
            shy = np.random.default_rng((self.round.seed, 41, *place)).random() < 2 * self.faults.shy
            if rng.random() >= (0.5 if shy else self.faults.unseen):
                quad = quad + rng.normal(0, 1.0, 2).astype(np.float32)
                markers.append(marker_of(quad, float(rng.uniform(0.55, 0.95))))
        if tiles and rng.random() < self.faults.ghost:
            near = tiles[int(rng.integers(len(tiles)))].corners_px.mean(0) + rng.normal(0, 20.0, 2)
            markers.append(marker_of(_quad(near, np.array([1.0, 0.0]), 18.0, 18.0), float(rng.uniform(0.3, 0.9))))
        return tiles, markers

    def _row(self, rng: np.random.Generator, number: int, half: int, value: int) -> np.ndarray:
        """Probabilities of one half: its value, and what it may be mistaken for."""
        always = np.random.default_rng((self.round.seed, 37, number, half))
        other = value + 1 if value < 12 and always.random() < 0.5 else value - 1
        other = other if other >= 0 else 1
        share = 0.992
        if always.random() < self.faults.unclear:
            share = float(np.clip(always.uniform(0.35, 0.9) + rng.normal(0, 0.15), 0.03, 0.97))
        elif rng.random() < self.faults.slip:
            share = 0.04
        row = np.full(19, 0.005 / 19, np.float32)
        row[value] += share
        row[other] += 0.995 - share
        return row

    # -- laid out -------------------------------------------------------------------------------------------

    def _changed(self, quad: Points) -> float:
        return float(_close(quad.mean(0), self.places, 0.45 * LENGTH))

    def _came(self, quad: Points) -> float:
        return float(_close(quad.mean(0), self.came, 0.45 * LENGTH))

    def _asked(self, centre: np.ndarray) -> bool:
        return any(np.hypot(*(place - centre)) < 0.3 * LENGTH for place in self.anew)

    def _laid_out(self, board: Board | None) -> Look:
        tiles, markers = self.last
        known = [] if board is None else list(board.tiles.values())
        stand = [
            sighting_of(tile) for tile in known
            if not self._changed(tile.corners_px)
            and not (_near(tile.centre_px, [s.corners_px for s in tiles], 25.0) and self._asked(tile.centre_px))
            and (tile.evidence.confidence >= 0.8 or not _near(tile.centre_px, [s.corners_px for s in tiles], 25.0))
        ]
        tiles = [*stand, *(s for s in tiles if not _near(s.corners_px.mean(0), [k.corners_px for k in stand], 25.0))]
        marked = [] if board is None else [
            marker_of(line.marker, 0.9) for line in board.lines.values()
            if line.marker is not None and not self._changed(line.marker)
        ]
        stood = [sighting.corners_px for sighting in marked]
        markers = [*marked, *(s for s in markers if not _near(s.corners_px.mean(0), stood, 18.0))]
        read = [sighting.corners_px for sighting in (*tiles, *markers)]
        read += [line.marker for line in ([] if board is None else board.lines.values()) if line.marker is not None]
        strange = [
            quad for quad in self.markers.values()
            if self._changed(quad) and not _near(quad.mean(0), read, 22.0)
        ]
        unread = [
            quad for quad in self.quads
            if self._changed(quad) and not _near(quad.mean(0), [s.corners_px for s in tiles], 25.0)
        ]
        return Look(self._table(tiles, markers), self._changed, lambda _: 0.0, strange=tuple(strange),
                    unread=tuple(unread), came=self._came)

    def _table(self, tiles: list[TileSighting], markers: list[TileSighting]) -> TableReading:
        lying = self.round.lying[: self.frame.laid if self.frame else 0]
        number = {}
        for place, sighting in enumerate(tiles):
            apart = [float(np.hypot(*(quad.mean(0) - sighting.corners_px.mean(0)))) for quad in self.quads]
            number.setdefault(int(np.argmin(apart)), place)
        trains, doubts = [], []
        for train in dict.fromkeys(tile.train for tile in lying if tile.train):
            found_line = self._train(train, lying, number, tiles)
            if found_line is not None:
                trains.append(found_line[0])
                doubts += found_line[1]
        named = {train.id: train for train in trains}
        found = []
        for sighting in markers:
            centre = sighting.corners_px.mean(0)
            ends = {train.id: float(np.hypot(*(centre - train.line.end_px))) for train in trains}
            best = min(ends, key=lambda name: ends[name], default=None)
            if best is not None and ends[best] < 1.1 * LENGTH:
                named[best] = replace(named[best], marker=True)
                found.append(MarkerReading(best, sighting))
            elif np.hypot(*centre) < 2.0 * LENGTH:
                found.append(MarkerReading(None, sighting))
        placed = tuple(
            PlacedTile(place, sighting, "starting_double" if number.get(0) == place else "train")
            for place, sighting in enumerate(tiles)
        )
        start = None if 0 not in number else tiles[number[0]].ends[0]
        return TableReading(start, number.get(0), tuple(named.values()), placed, tuple(found), tuple(doubts), (),
                            (2000, 2000), "quick", {}, (0.0, 0.0))

    def _train(
        self, train: str, lying: list[Lying], number: dict[int, int], tiles: list[TileSighting]
    ) -> tuple[TrainReading, list[Note]] | None:
        """The line as far as it was seen, with a note on each hole in it."""
        row = [place for place, tile in enumerate(lying) if tile.train == train]
        seen = [place for place in row if place in number]
        if not seen:
            return None
        ends, notes = [], []
        for count, place in enumerate(seen):
            sighting, tile = tiles[number[place]], lying[place]
            turned = np.hypot(*(sighting.corners_px[:2].mean(0) - self.quads[place][:2].mean(0))) > WIDTH / 2
            ends.append(sighting.ends[::-1] if turned else sighting.ends)
            before = seen[count - 1] if count else None
            if (lying[before].index if before is not None else -1) + 1 != tile.index:
                pair = (number[place],) if before is None else (number[before], number[place])
                notes.append(Note("gap", pair))
        last = lying[seen[-1]]
        deep = WIDTH if last.laid[0] == last.laid[1] else LENGTH
        x, y = last.corners_px.mean(0) + _ahead(train) * deep / 2
        line = LineReading(tuple(number[place] for place in seen), tuple(ends), (float(x), float(y)))
        slot = math.atan2(_ahead(train)[1], _ahead(train)[0])
        return TrainReading(train, "unknown", line, (), False, slot), notes


def _near(centre: np.ndarray, quads: list[Points], reach: float) -> bool:
    return _close(centre, [quad.mean(0) for quad in quads], reach)


def _close(centre: np.ndarray, places: list[np.ndarray], reach: float) -> bool:
    return any(float(np.hypot(*(place - centre))) < reach for place in places)


def _known(board: Board, place: np.ndarray) -> bool:
    quads = [tile.corners_px for tile in board.tiles.values()]
    quads += [line.marker for line in board.lines.values() if line.marker is not None]
    return _near(place, quads, 0.3 * LENGTH)
