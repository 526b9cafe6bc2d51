"""`infer`: which moves explain two tables, one after the other.

Ambiguity is a normal answer: the order of tiles inside a turn, the seat that acted, and whether one turn or
two went by are often not to be seen. Explanations that break no rule come first, but none is dropped for
breaking one: a foul has to be explained like anything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice

from engine.codes import Code
from engine.errors import PositionError
from engine.moves import Draw, Play
from engine.position import Hand, Mode, OpenDouble, Position, Turn
from engine.reducer import start_turn
from engine.rules import Rules
from engine.ruling import Act, MarkersSeen, Ruling, Verdict, judge_turn
from engine.table import LaidTile, Seat, Table, Train, TrainId, mexican_number

_MAX_ORDERS = 120
"""Orders of laid tiles that are tried. Two photos with more between them have missed too much anyway."""


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """One turn of an explanation. No plays: the seat passed."""

    seat: Seat
    plays: tuple[Play, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A tile that lay on the table before and does not lie there now, or has moved."""

    train: TrainId
    laid: LaidTile
    moved_to: TrainId | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Turns that lead from one table to the other, with the ruling on each as far as it could be judged."""

    turns: tuple[SeenTurn, ...]
    rulings: tuple[Ruling, ...]
    differences: tuple[Difference, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The worst of the rulings; removed or moved tiles are never legal."""
        if self.differences or any(ruling.verdict is Verdict.ILLEGAL for ruling in self.rulings):
            return Verdict.ILLEGAL
        if any(ruling.verdict is Verdict.UNDETERMINED for ruling in self.rulings):
            return Verdict.UNDETERMINED
        return Verdict.LEGAL

    @property
    def position(self) -> Position | None:
        """The position after the last turn, if every turn stands."""
        return self.rulings[-1].position if self.rulings and self.verdict is not Verdict.ILLEGAL else None


def infer(
    before: Table,
    after: Table,
    rules: Rules,
    position: Position | None = None,
    *,
    seats: Sequence[Seat] = (),
    max_turns: int = 2,
    limit: int = 10,
) -> list[Explanation]:
    """Explanations of the step from `before` to `after`, best first.

    `position` is what is known about `before`; without it every seat may have acted, and `seats` names them
    (else the personal trains do). Equal tables with nothing to explain give an empty list.
    """
    lays, differences = _changes(before, after)
    if not lays and not differences and set(before.markers) == set(after.markers):
        return []
    starts = [position] if position is not None else _guesses(before, rules, seats)
    found: list[Explanation] = []
    for start in starts:
        legal = 0
        for order in _orders(lays):
            split = list(_split(start, order, after, rules, max_turns, differences))
            found += split
            legal += sum(explanation.verdict is Verdict.LEGAL for explanation in split)
            if legal >= limit:
                break  # more would only be cut off
    found.sort(key=_rank)
    return found[:limit]


def _rank(explanation: Explanation) -> tuple[int, int, int]:
    order = (Verdict.LEGAL, Verdict.UNDETERMINED, Verdict.ILLEGAL)
    broken = sum(ruling.verdict is Verdict.ILLEGAL for ruling in explanation.rulings)
    return order.index(explanation.verdict), len(explanation.turns), broken


# -- what has changed -------------------------------------------------------------------------------


def _changes(before: Table, after: Table) -> tuple[list[list[Play]], list[Difference]]:
    """Rows of tiles added to each line, in the order in which they must have been laid; and what is gone."""
    rows: list[list[Play]] = []
    missing: list[Difference] = []
    owners = dict.fromkeys([train.owner for train in (*before.trains, *after.trains)])
    for owner in owners:
        old, new = before.train(owner), after.train(owner)
        for number, tiles in enumerate(new.lines):
            known = old.lines[number] if number < len(old.lines) else ()
            kept = _common(known, tiles)
            missing += [Difference(owner, laid) for laid in known[kept:]]
            row = [_play(new, number, laid, first=kept + step == 0) for step, laid in enumerate(tiles[kept:])]
            if row:
                rows.append(row)
        for tiles in old.lines[len(new.lines) :]:
            missing += [Difference(owner, laid) for laid in tiles]
    where = {play.laid.tile: play.train for row in rows for play in row}
    return rows, [replace(gone, moved_to=where.get(gone.laid.tile)) for gone in missing]


def _common(old: Sequence[LaidTile], new: Sequence[LaidTile]) -> int:
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def _play(train: Train, number: int, laid: LaidTile, first: bool) -> Play:
    if not train.limbs:
        return Play(train.owner, laid)
    if number == 0 or not first:
        return Play(train.owner, laid, line=number)
    limb = train.limbs[number - 1]
    if limb.index == len(train.lines[limb.line]) - 1:
        return Play(train.owner, laid, line=limb.line)  # a toe
    return Play(train.owner, laid, limb.index, limb.line)


def _orders(rows: list[list[Play]]) -> Iterator[tuple[Play, ...]]:
    """Every order that keeps each row's own order; those with doubles first come first."""
    orders = sorted(islice(_merge(rows), _MAX_ORDERS), key=_double_first)
    return iter(dict.fromkeys(orders))


def _merge(rows: list[list[Play]]) -> Iterator[tuple[Play, ...]]:
    if not any(rows):
        yield ()
        return
    for place, row in enumerate(rows):
        if row:
            rest = [*rows[:place], row[1:], *rows[place + 1 :]]
            for tail in _merge(rest):
                yield (row[0], *tail)


def _double_first(order: tuple[Play, ...]) -> int:
    """Non-doubles before the last tile: each of them would have ended an ordinary turn."""
    return sum(1 for play in order[:-1] if not play.laid.is_double)


# -- who, and how many turns ------------------------------------------------------------------------


def _guesses(before: Table, rules: Rules, seats: Sequence[Seat]) -> list[Position]:
    """A position for each seat that may have acted, when nothing but the table is known."""
    players = tuple(seats) or tuple(t.owner for t in before.trains if mexican_number(t.owner) is None)
    doubles = tuple(
        OpenDouble(train.owner, train.tiles[-1].far)
        for train in before.trains
        if train.tiles and train.tiles[-1].is_double and not train.limbs
    )
    found = []
    for seat in players:
        fresh = not before.train(seat).started and not before.train(seat).marker
        firsts = frozenset({seat}) if fresh else frozenset()
        position = Position(
            table=before,
            seats=players,
            turn=Turn(seat, 1, Mode.FREE),
            hands=tuple(Hand() for _ in players),
            boneyard_count=None,
            open_doubles=doubles,
            firsts=firsts,
            turns=tuple(0 if owner in firsts else 1 for owner in players),
        )
        found.append(start_turn(position, rules, seat))
    return found


def _split(
    start: Position,
    order: tuple[Play, ...],
    after: Table,
    rules: Rules,
    max_turns: int,
    differences: Sequence[Difference],
) -> Iterator[Explanation]:
    """Cut a row of lays into one or more turns of neighbouring seats; a turn may be a pass."""
    for count in range(1, max_turns + 1):
        places = range(len(order) + count - 1)
        for cuts in combinations(places, count - 1):
            parts = _parts(order, cuts)
            if count > 1 and not order and not _marks_added(start.table, after):
                continue
            yield _judge(start, parts, after, rules, tuple(differences))


def _parts(order: tuple[Play, ...], cuts: tuple[int, ...]) -> list[tuple[Play, ...]]:
    """Stars and bars: `cuts` are the places of the bars among tiles and bars together."""
    parts: list[tuple[Play, ...]] = []
    taken = 0
    for number, cut in enumerate(cuts):
        parts.append(order[taken : cut - number])
        taken = cut - number
    return [*parts, order[taken:]]


def _marks_added(before: Table, after: Table) -> bool:
    return bool(set(after.markers) - set(before.markers))


def _judge(
    start: Position,
    parts: list[tuple[Play, ...]],
    after: Table,
    rules: Rules,
    differences: tuple[Difference, ...],
) -> Explanation:
    """Judge each turn in a row; after a foul the rest is told, but not judged."""
    turns: list[SeenTurn] = []
    rulings: list[Ruling] = []
    now = start
    seat = start.turn.seat
    for number, plays in enumerate(parts):
        turns.append(SeenTurn(seat, plays))
        last = number == len(parts) - 1
        marks = MarkersSeen(after.markers) if last else None
        if not rulings or rulings[-1].verdict is not Verdict.ILLEGAL:
            ruling = _rule(now, plays, marks, rules)
            if ruling is not None:
                rulings.append(ruling)
                now = ruling.position
        seat = start.left_of(seat)
    return Explanation(tuple(turns), tuple(rulings), differences)


def _rule(now: Position, plays: tuple[Play, ...], marks: MarkersSeen | None, rules: Rules) -> Ruling | None:
    """Judge a turn. Draws that nobody could see are put where they make it legal, as few as will do."""
    if now.is_over:
        return None
    seen: tuple[Act, ...] = () if marks is None else (marks,)
    first: Ruling | None = None
    for acts in _with_draws(plays):
        try:
            ruling = judge_turn(now, (*acts, *seen), rules)
        except PositionError:
            continue  # a known count does not allow it
        if ruling.fault is None:
            return ruling
        if first is None:
            first = ruling
            if ruling.fault.code not in _UNSEEN_DRAW:
                return ruling
    return first


_UNSEEN_DRAW = (Code.DRAW_REQUIRED, Code.EXTRA_OWED, Code.MARKER_UNDUE, Code.TOO_MANY_TILES)
"""Faults that may come of a draw which the two tables do not show."""


def _with_draws(plays: tuple[Play, ...]) -> Iterator[tuple[Act, ...]]:
    """The plays without a draw, then with one draw at each place, then with more."""
    places = range(min(len(plays), 3), -1, -1)  # at the end first: a draw that did not help
    for count in range(len(places) + 1):
        for chosen in combinations(places, count):
            acts: list[Act] = []
            for place, play in enumerate(plays):
                acts += [Draw(), play] if place in chosen else [play]
            yield (*acts, Draw()) if len(plays) in chosen else tuple(acts)
