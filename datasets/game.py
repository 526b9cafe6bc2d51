"""Playing out a table: which tile goes where, who is marked, what else lies about.

Not a legal game move by move, but a table as one looks: trains of uneven length, values that match (or faults
laid on purpose), markers, a boneyard, loose tiles. Units as in `datasets.trains`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from datasets.hubs import Hub
from datasets.layouts import FACE_DOWN, FACE_UP, MARKER, Placement
from datasets.trains import Box, Felt, Habits, Head, Inside, LaidTrain, Limb, Line, draw_habits, lay_next

_TOE_TURN = 0.75
_TOE_KEY = 100
_START_KEY = 200


@dataclass(frozen=True, slots=True)
class GameSpec:
    """`laid` tiles are aimed at; `half_x`, `half_y` is about half of the table seen; `width` of a tile."""

    set_size: int
    laid: int
    width: float
    thickness: float
    half_x: float
    half_y: float
    chickenfoot: bool
    faults: tuple[str, ...] = ()


@dataclass(slots=True)
class Game:
    """Everything on the table; `hub_tile` is the number of the starting double's place."""

    spec: GameSpec
    hub: Hub
    hub_tile: int
    places: list[Placement]
    trains: list[LaidTrain]
    findings: list[dict[str, object]] = field(default_factory=list)

    def roles(self) -> list[str]:
        """`starting_double`, `train`, `loose`, `face_down` or `marker` for every place."""
        named = {FACE_UP: "loose", FACE_DOWN: "face_down", MARKER: "marker"}
        roles = [named[place.kind] for place in self.places]
        roles[self.hub_tile] = "starting_double"
        for train in self.trains:
            for line in (train.line, *(limb.line for limb in train.limbs)):
                for number in line.ids:
                    roles[number] = "train"
        return roles


@dataclass(slots=True)
class _Play:
    """The state while a table is laid."""

    rng: np.random.Generator
    spec: GameSpec
    habits: Habits
    felt: Felt
    box: Box
    hub: Hub
    start: int
    hub_tile: int
    trains: list[LaidTrain] = field(default_factory=list)
    heads: dict[int, Head] = field(default_factory=dict)
    findings: list[dict[str, object]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def laid(self) -> int:
        """Tiles in lines."""
        return sum(len(train.line.ids) + sum(len(t.line.ids) for t in train.limbs) for train in self.trains)


def plan_game(rng: np.random.Generator, spec: GameSpec, inside: Inside) -> Game:
    """Lay a game that fits into what `inside` says is seen."""
    felt, box = Felt(inside), Box(rng, spec.set_size)
    start = int(rng.integers(0, spec.set_size + 1))
    box.take((start, start))
    laid = max(1, min(spec.laid, int(len(box.left) * 0.75)))
    hub = _draw_hub(rng, spec, laid)
    habits = draw_habits(rng, spec.width, toes=0.6 if spec.chickenfoot else 0.0)
    hub_tile = felt.add(
        Placement(hub.x, hub.y, float(rng.uniform(0, 2 * math.pi)), FACE_UP, (start, start), width=spec.width)
    )
    play = _Play(rng, spec, habits, felt, box, hub, start, hub_tile, faults=list(spec.faults))
    _start_trains(play, laid)
    _grow(play, laid)
    _mark(play)
    _surroundings(play)
    return Game(spec, hub, hub_tile, felt.places, play.trains, play.findings)


def _draw_hub(rng: np.random.Generator, spec: GameSpec, laid: int) -> Hub:
    lines = int(np.clip(rng.integers(2, 11), 1, max(2, laid // 2)))
    lines = max(lines, min(10, laid // 9))
    style = str(rng.choice(["none", "plate", "star", "slots"], p=[0.4, 0.2, 0.15, 0.25]))
    slots = lines if style == "none" and rng.random() < 0.6 else int(rng.choice([8, 8, 10]))
    slots = max(slots, lines)
    # Neighbouring first tiles may nearly touch with their inner corners.
    least = max(0.5 + spec.width / 2 + 0.03, (spec.width + 0.07) * slots / (2 * math.pi) + 0.05)
    radius = float(rng.uniform(least, least + 0.6))
    first = rng.uniform(0, 2 * math.pi)
    sloppy = 0.06 if style == "none" else 0.015
    angles = [first + 2 * math.pi * k / slots + float(rng.normal(0, sloppy)) for k in range(slots)]
    keep = sorted(rng.permutation(slots)[:lines].tolist())
    x, y = rng.uniform(-0.18, 0.18, 2) * [spec.half_x, spec.half_y]
    return Hub(float(x), float(y), radius, tuple(angles[k] for k in keep), style)


def _hub_head(play: _Play, angle: float) -> Head:
    reach = play.hub.radius + float(play.rng.normal(0, 0.02))
    bend = play.habits.bend * float(play.rng.choice([-1, 0, 1]))
    x, y = play.hub.x + reach * math.cos(angle), play.hub.y + reach * math.sin(angle)
    return Head(x, y, angle, play.start, play.hub_tile, bend=bend, first=True)


def _start_trains(play: _Play, laid: int) -> None:
    """A train at each slot that is in use; some stay unstarted; one may be the Mexican train."""
    rng, slots = play.rng, list(play.hub.slots)
    mexican = int(rng.integers(len(slots))) if rng.random() < 0.2 and len(slots) > 1 else -1
    unstarted = 0.5 if laid < 8 else 0.12
    started = 0
    for number, angle in enumerate(slots):
        kind = "mexican" if number == mexican else "personal"
        train = LaidTrain(kind, True, angle)
        play.trains.append(train)
        play.heads[len(play.trains) - 1] = _hub_head(play, angle)
        if started and rng.random() < unstarted:
            continue
        started += _lay(play, len(play.trains) - 1)
    rng.shuffle(play.faults)


def _next_tile(play: _Play, head: Head, first: bool) -> tuple[tuple[int, int], str | None] | None:
    """The tile to lay there, and the fault that it makes."""
    rng = play.rng
    wanted = [fault for fault in play.faults if fault != "marker_on_mexican"]
    if wanted and not first and rng.random() < 0.35:
        tile = play.box.unlike(head.value) if wanted[0] == "ends_differ" else play.box.again(head.value)
        if tile is not None:
            return tile, wanted[0]
    after_double = head.crosswise
    double = not after_double and rng.random() < play.habits.doubles
    tile = play.box.matching(head.value, double=double) or play.box.matching(head.value, double=False)
    return None if tile is None else (tile, None)


def _lay(play: _Play, number: int) -> bool:
    """Lay one tile on a train; False if there is no tile or no room (the train is stuck then)."""
    train, head = play.trains[number], play.heads.get(number)
    if head is None:
        return False
    choice = _next_tile(play, head, not train.line.ids)
    after = None if choice is None else lay_next(play.rng, play.habits, play.felt, head, choice[0], number)
    if choice is None or after is None:
        if train.line.ids:
            del play.heads[number]
        return False
    tile, fault = choice
    _note_fault(play, number, head, after.tile, tile, fault)
    play.box.take(tile)
    train.line.ids.append(after.tile)
    train.line.tiles.append(tile)
    play.heads[number] = after
    if play.habits.toes and after.crosswise and play.rng.random() < play.habits.toes:
        _lay(play, number)
        _toes(play, train, after)
    return True


def _note_fault(
    play: _Play, number: int, head: Head, laid: int, tile: tuple[int, int], fault: str | None
) -> None:
    if fault is None:
        return
    play.faults.remove(fault)
    ids = [head.tile, laid]
    if fault == "tile_twice":
        same = (min(tile), max(tile))
        roles = [i for i, p in enumerate(play.felt.places) if p.kind == FACE_UP and i != laid]
        ids = [next(i for i in roles if tuple(sorted(play.felt.places[i].ends)) == same), laid]
    play.findings.append({"code": fault, "train": f"t{number + 1}", "tile_ids": ids})


def _toes(play: _Play, train: LaidTrain, head: Head) -> None:
    """Two more answers to a crosswise double, at its outer corners, once the middle one lies."""
    after = play.heads.get(play.trains.index(train), head)
    if after is head or abs(math.remainder(after.angle - head.angle, 2 * math.pi)) > 0.3:
        return
    for side in (-1.0, 1.0):
        x, y = head.ahead(0.2, side * 0.47)
        toe = Head(x, y, head.angle + side * _TOE_TURN, head.value, head.tile)
        tile = play.box.matching(head.value, double=False)
        if tile is None:
            return
        place = Placement(*toe.ahead(0.5), toe.angle, FACE_UP, tile, width=play.habits.width)
        key = _TOE_KEY + len(play.felt.places)
        if not play.felt.free(place, 0.0, touching=head.tile, key=play.trains.index(train)):
            continue
        number = play.felt.add(place)
        play.box.take(tile)
        limb = Limb(len(train.line.ids) - 2, Line([number], [tile]))
        train.limbs.append(limb)
        play.felt.keep(key, Head(*toe.ahead(1.0), toe.angle, tile[1], number), play.habits.front, play.habits.width)


def _grow(play: _Play, laid: int) -> None:
    """Uneven trains: each is as keen as its weight says."""
    rng = play.rng
    weights = {number: float(rng.exponential(1.0)) + 0.15 for number in range(len(play.trains))}
    at = rng.uniform(0.1, 0.7) * laid if rng.random() < 0.72 else math.inf
    if any(train.kind == "mexican" for train in play.trains):
        at = math.inf
    for _ in range(laid * 4):
        if play.laid >= laid:
            break
        if play.laid >= at:
            at = math.inf
            _start_mexican(play, weights)
        alive = [n for n in play.heads if play.trains[n].line.ids or rng.random() < 0.05]
        if not alive:
            break
        share = np.array([weights[n] for n in alive])
        _lay(play, alive[int(rng.choice(len(alive), p=share / share.sum()))])


def _start_mexican(play: _Play, weights: dict[int, float]) -> None:
    """The Mexican train somewhere on the table, or close along another train."""
    rng, felt, width = play.rng, play.felt, play.habits.width
    for _ in range(40):
        if rng.random() < 0.3:
            place = felt.places[int(rng.integers(len(felt.places)))]
            side = (width + rng.uniform(0.08, 0.3)) * rng.choice([-1, 1])
            x, y = place.x - side * math.sin(place.angle), place.y + side * math.cos(place.angle)
            angle, room = place.angle + math.pi * rng.integers(2), 0.07
        else:
            x, y = rng.uniform(-0.9, 0.9, 2) * [play.spec.half_x, play.spec.half_y]
            angle, room = rng.uniform(0, 2 * math.pi), 0.6
        first = Placement(float(x), float(y), float(angle), width=width)
        far = math.hypot(x - play.hub.x, y - play.hub.y) > play.hub.radius + 1.6
        if not far or not felt.free(first, room):
            continue
        around = (play.hub.x, play.hub.y, play.hub.radius + 1.5)
        head = Head(*_end(first, -0.5), float(angle), play.start, -1, away=around)
        back = Head(head.x, head.y, float(angle) + math.pi, play.start, -1)
        if not felt.free(Placement(*back.ahead(0.5), back.angle, length=0.9, width=width), 0.0):
            continue
        play.trains.append(LaidTrain("mexican", False, 0.0))
        number = len(play.trains) - 1
        play.heads[number], weights[number] = head, float(rng.exponential(1.0)) + 0.15
        if _lay(play, number):
            felt.keep(_START_KEY, back, 0.4, width)
            return
        play.trains.pop()
        play.heads.pop(number, None)
        return


def _end(place: Placement, along: float) -> tuple[float, float]:
    return place.x + along * math.cos(place.angle), place.y + along * math.sin(place.angle)


def _mark(play: _Play) -> None:
    """Markers: on some trains, at the hub slots of those that have not started, on the Mexican train as a fault."""
    rng = play.rng
    style = _draw_marker(rng)
    share = float(rng.choice([0.15, 0.4, 0.8]))
    ends = _ends(play)
    for number, train in enumerate(play.trains):
        wrong = train.kind == "mexican" and not train.at_hub and "marker_on_mexican" in play.faults
        if train.kind == "mexican" and not wrong:
            continue
        if not wrong and rng.random() > share:
            continue
        train.marker = _place_marker(play, train, ends[number], style, [e for n, e in ends.items() if n != number])
        if wrong and train.marker is not None:
            play.findings.append({"code": "marker_on_mexican", "train": f"t{number + 1}", "tile_ids": []})
    # An unstarted train without a marker is a slot like any other: not part of the picture's truth.
    play.trains[:] = [train for train in play.trains if train.line.ids or train.marker is not None]
    _rename_findings(play)


def _rename_findings(play: _Play) -> None:
    for finding in play.findings:
        ids = finding["tile_ids"]
        for index, train in enumerate(play.trains, 1):
            if (ids and ids[-1] in train.line.ids) or (not ids and train.kind == "mexican"):  # type: ignore[index]
                finding["train"] = f"t{index}"


def _ends(play: _Play) -> dict[int, Head]:
    """The last end of every train, stuck ones too."""
    ends = {}
    for number, train in enumerate(play.trains):
        if not train.line.ids:
            ends[number] = _hub_head(play, train.angle)
            continue
        last = play.felt.places[train.line.ids[-1]]
        head = play.heads.get(number)
        if head is None:
            head = Head(last.x, last.y, last.angle, 0, train.line.ids[-1])
            if len(train.line.ids) > 1:
                before = play.felt.places[train.line.ids[-2]]
                head.angle = math.atan2(last.y - before.y, last.x - before.x)
            along = 0.5 if abs(math.cos(head.angle - last.angle)) > 0.7 else play.habits.width / 2
            head.x, head.y = head.ahead(along)
        ends[number] = head
    return ends


def _draw_marker(rng: np.random.Generator) -> tuple[float, float]:
    """Length and width of this table's markers."""
    if rng.random() < 0.6:
        size = float(rng.uniform(0.22, 0.5))
        return size, size
    return float(rng.uniform(0.4, 0.8)), float(rng.uniform(0.2, 0.38))


def _place_marker(
    play: _Play, train: LaidTrain, end: Head, style: tuple[float, float], others: list[Head]
) -> int | None:
    rng, felt, width = play.rng, play.felt, play.habits.width
    length, wide = style
    options: list[Placement] = []
    if not train.line.ids:
        for _ in range(6):
            x, y = end.ahead(length / 2 + rng.uniform(-0.15, 0.3), rng.normal(0, 0.05))
            options.append(Placement(x, y, end.angle + rng.normal(0, 0.3), MARKER, length=length, width=wide))
    else:
        for _ in range(4):
            x, y = end.ahead(length / 2 + rng.uniform(0.05, 0.3), rng.normal(0, 0.06))
            options.append(Placement(x, y, end.angle + rng.normal(0, 0.4), MARKER, length=length, width=wide))
        if rng.random() < 0.35:
            last, size = felt.places[train.line.ids[-1]], float(rng.uniform(0.14, 0.2))
            spot = Placement(last.x, last.y, last.angle, MARKER, z=play.spec.thickness, length=size, width=size)
            return felt.add(spot)
        gap = play.hub.radius - 0.5 - wide
        if train.at_hub and rng.random() < 0.15 and gap > 0.12:
            head = _hub_head(play, train.angle)
            small = min(length, gap)
            spot = Placement(*head.ahead(-small / 2 - 0.03), head.angle, MARKER, length=small, width=min(wide, width))
            options.insert(0, spot)
    for place in options:
        own = math.hypot(place.x - end.x, place.y - end.y)
        # Whose marker it is must be plain: the next train's end is much farther.
        plain = all(math.hypot(place.x - o.x, place.y - o.y) > max(0.8, 1.8 * own) for o in others)
        if train.line.ids and own < 0.9:
            # Beyond the end of a short train it could as well stand at the next slot.
            plain = plain and math.hypot(place.x - play.hub.x, place.y - play.hub.y) > play.hub.radius + 1.0
        if plain and felt.free(place, 0.02, key=play.trains.index(train)):
            return felt.add(place)
    return None


def _surroundings(play: _Play) -> None:
    """The boneyard, face down in a heap or scattered, and a few loose face-up tiles."""
    rng, felt, spec = play.rng, play.felt, play.spec
    width = play.habits.width
    count = int(rng.choice([0, rng.integers(1, 8), rng.integers(8, 30)], p=[0.35, 0.35, 0.3]))
    heap = rng.uniform(-0.85, 0.85, 2) * [spec.half_x, spec.half_y]
    spread = float(rng.uniform(0.8, 3.0))
    for _ in range(count * 3):
        if count <= 0:
            break
        x, y = heap + rng.normal(0, spread, 2)
        place = Placement(float(x), float(y), float(rng.uniform(0, 2 * math.pi)), FACE_DOWN, width=width)
        if felt.free(place, 0.02 if rng.random() < 0.5 else 0.2):
            felt.add(place)
            count -= 1
    spare = [tile for tile in sorted(play.box.left) if play.start not in tile]
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.55, 0.2, 0.15, 0.1]))):
        for _ in range(12):
            x, y = rng.uniform(-1, 1, 2) * [spec.half_x, spec.half_y]
            if not spare:
                return
            ends = spare[int(rng.integers(len(spare)))]
            place = Placement(float(x), float(y), float(rng.uniform(0, 2 * math.pi)), FACE_UP, ends, width=width)
            beside = math.hypot(x - play.hub.x, y - play.hub.y) > play.hub.radius + 1.5
            if beside and felt.free(place, float(rng.uniform(0.15, 0.6))):
                felt.add(place)
                spare.remove(ends)
                break
