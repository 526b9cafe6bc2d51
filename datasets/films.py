"""Filmed games: one fixed camera, one set of dominoes, a whole round laid turn by turn, with the truth of each frame.

`plan_film` decides everything; `datasets.film_pictures` paints it. The truth of a frame is in the form of `watch`:
the events that a perfect watcher would tell of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from datasets.camera import Camera, look_down
from datasets.filmed_rounds import FilmedTurn, begin, play_round
from datasets.hubs import Hub
from datasets.layouts import FACE_UP, MARKER, Placement, outline
from datasets.makers import Maker, draw_maker
from datasets.trains import Felt, Habits, Head, lay_next
from engine.rules import Rules

Json = dict[str, object]

SEATS = ("A", "B", "C", "D")


@dataclass(frozen=True, slots=True)
class FilmSpec:
    """What a film shows. `fouls` are committed as soon as each can be; shares are chances a turn."""

    size: tuple[int, int] = (1920, 1080)
    turns: int = 30
    seats: tuple[str, ...] = SEATS
    set_size: int = 12
    fouls: tuple[str, ...] = ()
    hands: float = 0.4
    still: float = 0.15
    bumps: int = 1
    lamps: int = 1
    numerals: bool = False
    tile_px: float = 0.0


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: what lies there (indices of `Film.places`), the markers, what is special, and its events.

    `kind` is `settled`, `still` (settled and nothing new) or `hand`. `turn_deg` and `shift_px` are where a bump
    has turned the camera; `lamp` is the light (gain, colour).
    """

    number: int
    kind: str
    laid: int
    markers: tuple[tuple[str, Placement], ...]
    events: tuple[Json, ...] = ()
    turn_deg: float = 0.0
    shift_px: tuple[float, float] = (0.0, 0.0)
    lamp: float = 1.0


@dataclass(slots=True)
class Film:
    """A planned film. `lines` says for each of `places` (0 is the starting double) its train and (near, far)."""

    spec: FilmSpec
    seed: int
    camera: Camera
    maker: Maker
    hub: Hub
    tile_px: float
    places: list[Placement] = field(default_factory=list)
    lines: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    first: str = "A"

    def corners(self, place: Placement) -> np.ndarray:
        """Pixel corners (4, 2) of a face or a marker's top, before any bump."""
        thick = self.maker.thickness if place.kind != MARKER else 0.35 * min(place.length, place.width)
        return self.camera.project(np.hstack([outline(place), np.full((4, 1), place.z + thick)]))


def bump_matrix(film: Film, frame: Frame) -> np.ndarray:
    """(2, 3): where a bump has turned the picture to."""
    width, height = film.spec.size
    angle = math.radians(frame.turn_deg)
    cos, sin = math.cos(angle), math.sin(angle)
    matrix = np.array([[cos, -sin, 0.0], [sin, cos, 0.0]])
    middle = np.array([width / 2, height / 2])
    matrix[:, 2] = middle - matrix[:, :2] @ middle + frame.shift_px
    return matrix


def seen_corners(film: Film, frame: Frame, place: Placement) -> np.ndarray:
    """Pixel corners (4, 2) in a frame."""
    matrix = bump_matrix(film, frame)
    return film.corners(place) @ matrix[:, :2].T + matrix[:, 2]


# -- planning -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Table:
    """The table while it is laid."""

    rng: np.random.Generator
    film: Film
    felt: Felt
    habits: Habits
    heads: dict[str, Head]
    marked: dict[str, Placement] = field(default_factory=dict)


def plan_film(seed: int, spec: FilmSpec) -> Film:
    """A film from its seed alone. A game for which there is no room is begun anew."""
    for attempt in range(40):
        rng = np.random.default_rng((seed, attempt))
        film = _try_film(rng, seed, spec)
        if film is not None:
            return film
    raise ValueError(f"no room for film {seed}")


def _try_film(rng: np.random.Generator, seed: int, spec: FilmSpec) -> Film | None:
    maker = draw_maker(rng)
    while maker.numerals and not spec.numerals:
        maker = draw_maker(rng)
    width, height = spec.size
    tile_px = spec.tile_px or float(rng.uniform(0.028, 0.036) * width)
    camera = look_down(
        focal_px=width * float(rng.uniform(0.9, 1.5)), tile_px=tile_px, tilt_deg=float(rng.uniform(0, 22)),
        towards_deg=float(rng.uniform(0, 360)), roll_deg=float(rng.uniform(0, 360)),
        centre_px=(width * float(rng.uniform(0.47, 0.53)), height * float(rng.uniform(0.47, 0.53))),
    )
    slots = len(spec.seats) + 1
    first = float(rng.uniform(0, 2 * math.pi))
    angles = tuple(first + 2 * math.pi * k / slots for k in range(slots))
    hub = Hub(0.0, 0.0, float(rng.uniform(1.0, 1.3)), angles, str(rng.choice(["none", "plate", "star"])))
    film = Film(spec, seed, camera, maker, hub, tile_px)

    def inside(points: np.ndarray) -> bool:
        seen = camera.project(np.hstack([points, np.full((len(points), 1), maker.thickness)]))
        margin = 0.05 * height
        return bool((seen > margin).all() and (seen < np.array(spec.size) - margin).all())

    return film if _lay_round(rng, film, Felt(inside)) else None


def _lay_round(rng: np.random.Generator, film: Film, felt: Felt) -> bool:
    spec, hub = film.spec, film.hub
    rules = Rules.of({"set_size": spec.set_size})
    start = begin(rng, rules, spec.seats)
    film.first = start.turn.seat
    value = start.table.starting_double
    habits = Habits(
        width=film.maker.width, wobble=0.02, bend=0.0, gap=0.02, clearance=0.16, front=0.35, turn=0.03,
        crosswise=0.97, doubles=0.0, toes=0.0,
    )
    felt.add(Placement(0.0, 0.0, float(rng.uniform(0, 2 * math.pi)), FACE_UP, (value, value), width=habits.width))
    film.places.append(felt.places[0])
    film.lines.append(("", (value, value)))
    table = _Table(rng, film, felt, habits, {})
    for number, owner in enumerate((*spec.seats, "M")):
        angle = hub.slots[number]
        x, y = hub.x + hub.radius * math.cos(angle), hub.y + hub.radius * math.sin(angle)
        table.heads[owner] = Head(x, y, angle, value, 0, first=True)
    _frame(table, "settled", ({"event": "ready", "tile": [value, value]},))
    late: list[Json] = []
    for turn in play_round(rng, rules, start, list(spec.fouls), spec.turns):
        if not _lay_turn(table, turn):
            return len(film.frames) > spec.turns  # the table is full: the film ends here
        _pauses(table)
        late = _settle(table, turn, late)
    return True


def _lay_turn(table: _Table, turn: FilmedTurn) -> bool:
    for play in turn.plays:
        laid = (play.laid.near, play.laid.far)
        key = int.from_bytes(play.train.encode(), "big")
        head = table.heads[play.train]
        after = lay_next(table.rng, table.habits, table.felt, head, laid, key)
        if after is None:
            return False
        table.heads[play.train] = after
        table.film.places.append(table.felt.places[-1])
        table.film.lines.append((play.train, laid))
    return True


def _settle(table: _Table, turn: FilmedTurn, late: list[Json]) -> list[Json]:
    """The frames after a turn; returns the fouls that only the next turn proves.

    A marker that is put up for nothing comes in a frame of its own: with the lay in one picture, a pass by this seat
    and a lay by the next would look the same.
    """
    before = set(table.marked)
    events = [*late, *lays_of(turn)]
    if turn.foul == "R_MARKER_UNDUE":
        _frame(table, "settled", tuple(events))
        events = []
    _move_markers(table, turn)
    now = set(table.marked)
    events += [{"event": "marker_on", "train": train} for train in sorted(now - before)]
    events += [{"event": "marker_off", "train": train} for train in sorted(before - now)]
    foul: Json = {"event": "foul", "seat": turn.seat, "why": turn.foul}
    if turn.foul is not None and turn.at is None and not turn.late:
        events.append(foul)
    _frame(table, "settled" if turn.plays or now != before else "still", tuple(events))
    return [foul] if turn.late else []


def lays_of(turn: FilmedTurn) -> list[Json]:
    """What is told of the tiles of a turn."""
    found: list[Json] = []
    for play in turn.plays:
        illegal = turn.foul is not None and turn.at is play
        found.append({
            "event": "lay", "seat": turn.seat, "train": play.train, "tile": [play.laid.near, play.laid.far],
            "verdict": "illegal" if illegal else "legal", "why": turn.foul if illegal else None,
        })
    return found


def _move_markers(table: _Table, turn: FilmedTurn) -> None:
    for train in [train for train in table.marked if train not in turn.marks]:
        del table.marked[train]
    for train in turn.marks:
        moved = any(play.train == train for play in turn.plays)
        if train not in table.marked or moved:
            table.marked[train] = _marker(table, train)


def _marker(table: _Table, train: str) -> Placement:
    """Beyond the open end, or at the slot; a little to the side, so that the next tile has room."""
    head, rng = table.heads[train], table.rng
    size = 0.3
    best, room = None, -1.0
    for along, across in ((0.35, 0.0), (0.3, 0.25), (0.3, -0.25), (0.1, 0.55), (0.1, -0.55), (-0.3, 0.5), (-0.3, -0.5)):
        x, y = head.ahead(along + rng.normal(0, 0.02), across)
        place = Placement(x, y, head.angle, MARKER, length=size, width=size)
        others = [abs(complex(x - other.x, y - other.y)) for other in table.felt.places]
        free = min((d for d in others), default=9.0)
        if table.felt.free(place, 0.02, key=int.from_bytes(train.encode(), "big")):
            return place
        if free > room:
            best, room = place, free
    assert best is not None
    return best


def _pauses(table: _Table) -> None:
    """Hands that come in, and looks at the table while nothing happens."""
    rng, spec = table.rng, table.film.spec
    last = table.film.frames[-1]
    if rng.random() < spec.hands:
        # The hand may carry the tiles of the turn: what it covers is not told.
        _again(table, last, "hand", ({"event": "occluded"},))
    if rng.random() < spec.still:
        _again(table, last, "still", ())


def _again(table: _Table, last: Frame, kind: str, events: tuple[Json, ...]) -> None:
    table.film.frames.append(
        Frame(len(table.film.frames), kind, last.laid, last.markers, events, last.turn_deg, last.shift_px, last.lamp)
    )


def _frame(table: _Table, kind: str, events: tuple[Json, ...]) -> None:
    film, rng = table.film, table.rng
    number = len(film.frames)
    last = film.frames[-1] if film.frames else None
    turn = last.turn_deg if last else 0.0
    shift = last.shift_px if last else (0.0, 0.0)
    lamp = last.lamp if last else 1.0
    due = film.spec.turns * 1.4
    if last and rng.random() < film.spec.bumps / due:
        turn, shift = float(rng.uniform(-4, 4)), (float(rng.uniform(-22, 22)), float(rng.uniform(-16, 16)))
    if last and rng.random() < film.spec.lamps / due:
        lamp = float(rng.choice([0.75, 1.25]))
    marked = tuple(sorted(table.marked.items()))
    film.frames.append(Frame(number, kind, len(film.places), marked, events, turn, shift, lamp))


# -- truth ----------------------------------------------------------------------------------------------


def table_truth(film: Film, frame: Frame) -> Json:
    """What lies in a frame, in the form that `datasets.simulate` takes."""
    tiles = [
        {"id": number, "ends": list(place.ends), "role": "train" if number else "starting_double",
         "corners_px": seen_corners(film, frame, place).tolist()}
        for number, place in enumerate(film.places[: frame.laid])
    ]
    markers = [
        {"train": train, "corners_px": seen_corners(film, frame, place).tolist()} for train, place in frame.markers
    ]
    return {"tiles": tiles, "markers": markers, "set": film.spec.set_size, "size_wh": list(film.spec.size)}


def film_truth(film: Film) -> Json:
    """Everything that is true of a film, as plain JSON."""
    return {
        "seed": film.seed, "seats": list(film.spec.seats), "first": film.first, "set": film.spec.set_size,
        "frames": [
            {"frame": frame.number, "kind": frame.kind, "events": list(frame.events),
             "bumped": [frame.turn_deg, *frame.shift_px], "lamp": frame.lamp}
            for frame in film.frames
        ],
    }
