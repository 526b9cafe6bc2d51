"""`infer`: which moves explain two tables, one after the other.

Ambiguity is a normal answer: the order of tiles inside a turn, the seat that acted, and whether one turn or
two went by are often not to be seen. Explanations that break no rule come first, but none is dropped for
breaking one: a foul has to be explained like anything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice

from engine.acts import play_fault
from engine.codes import Code
from engine.errors import PositionError
from engine.moves import Draw, Play
from engine.position import Hand, Mode, OpenDouble, Position, Turn
from engine.reducer import play, start_turn
from engine.rules import Rules
from engine.ruling import Act, MarkersSeen, Ruling, Verdict, judge_turn
from engine.table import LaidTile, Seat, Table, Train, TrainId, mexican_number

_MAX_STEPS = 400
"""Lays that the search for lawful explanations tries for each seat that may have begun."""

_MAX_FOULS = 24
"""Explanations for each such seat that are told without looking for lawful ones: fouls among them."""

Rows = tuple[tuple[Play, ...], ...]
"""Tiles added to each line, in the order in which they must have been laid there."""


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
    rows, differences = _changes(before, after)
    if not rows and not differences and set(before.markers) == set(after.markers):
        return []
    found: dict[tuple[SeenTurn, ...], Explanation] = {}
    for start in [position] if position is not None else _guesses(before, rules, seats):
        lawful = _lawful(start, rows, after, rules, max_turns, differences)
        anyhow = _anyhow(start, rows, after, rules, max_turns, differences)
        for explanation in (*islice(lawful, limit), *islice(anyhow, _MAX_FOULS)):
            found.setdefault(explanation.turns, explanation)
    return sorted(found.values(), key=_rank)[:limit]


def _rank(explanation: Explanation) -> tuple[int, int, int]:
    order = (Verdict.LEGAL, Verdict.UNDETERMINED, Verdict.ILLEGAL)
    broken = sum(ruling.verdict is Verdict.ILLEGAL for ruling in explanation.rulings)
    return order.index(explanation.verdict), len(explanation.turns), broken


# -- what has changed -------------------------------------------------------------------------------


def _changes(before: Table, after: Table) -> tuple[Rows, tuple[Difference, ...]]:
    """Rows of tiles added to each line, and what is gone."""
    rows: list[tuple[Play, ...]] = []
    missing: list[Difference] = []
    owners = dict.fromkeys([train.owner for train in (*before.trains, *after.trains)])
    for owner in owners:
        old, new = before.train(owner), after.train(owner)
        for number, tiles in enumerate(new.lines):
            known = old.lines[number] if number < len(old.lines) else ()
            kept = _common(known, tiles)
            missing += [Difference(owner, laid) for laid in known[kept:]]
            row = (_play(new, number, laid, first=kept + step == 0) for step, laid in enumerate(tiles[kept:]))
            rows.append(tuple(row))
        for tiles in old.lines[len(new.lines) :]:
            missing += [Difference(owner, laid) for laid in tiles]
    where = {play.laid.tile: play.train for row in rows for play in row}
    moved = tuple(replace(gone, moved_to=where.get(gone.laid.tile)) for gone in missing)
    return tuple(row for row in rows if row), moved


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


def _orders(rows: Rows) -> Iterator[tuple[Play, ...]]:
    """Orders that keep each row's own order; a few, those with doubles first before the others."""
    return iter(sorted(islice(_merge(rows), _MAX_FOULS), key=_singles_before_the_last))


def _merge(rows: Rows) -> Iterator[tuple[Play, ...]]:
    if not rows:
        yield ()
    for head, rest in _heads(rows):
        for tail in _merge(rest):
            yield (head, *tail)


def _heads(rows: Rows) -> Iterator[tuple[Play, Rows]]:
    """Each tile that may have been laid first, doubles before others, and what is left then."""
    order = sorted(range(len(rows)), key=lambda place: not rows[place][0].laid.is_double)
    for place in order:
        rest = (*rows[:place], rows[place][1:], *rows[place + 1 :])
        yield rows[place][0], tuple(row for row in rest if row)


def _singles_before_the_last(order: tuple[Play, ...]) -> int:
    """Each of them would have ended an ordinary turn."""
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


def _lawful(
    start: Position,
    rows: Rows,
    after: Table,
    rules: Rules,
    max_turns: int,
    differences: tuple[Difference, ...],
) -> Iterator[Explanation]:
    """Explanations in which every turn may stand, found turn by turn so that dead ends are left early."""
    steps = _Steps(_MAX_STEPS)
    for path in _walk(start, rows, after, rules, max_turns, steps):
        turns = tuple(turn for turn, _ in path)
        yield Explanation(turns, tuple(ruling for _, ruling in path), differences)


@dataclass
class _Steps:
    left: int


def _walk(
    now: Position, rows: Rows, after: Table, rules: Rules, turns: int, steps: _Steps
) -> Iterator[tuple[tuple[SeenTurn, Ruling], ...]]:
    seat = now.turn.seat
    for plays, rest in _beginnings(_unseen(now), rows, rules, steps):
        explained = False
        if not rest:
            ruling = _rule(now, plays, MarkersSeen(after.markers), rules)
            explained = ruling is not None and ruling.fault is None
            if ruling is not None and explained:
                yield ((SeenTurn(seat, plays), ruling),)
        if turns > 1 and not explained and steps.left > 0:
            ruling = _rule(now, plays, None, rules)
            if ruling is not None and ruling.fault is None and not ruling.position.is_over:
                for path in _walk(ruling.position, rest, after, rules, turns - 1, steps):
                    yield ((SeenTurn(seat, plays), ruling), *path)


def _beginnings(
    now: Position, rows: Rows, rules: Rules, steps: _Steps, laid: tuple[Play, ...] = ()
) -> Iterator[tuple[tuple[Play, ...], Rows]]:
    """What the seat to move may have laid in its turn, longest first, and what others laid after it."""
    for head, rest in _heads(rows):
        steps.left -= 1
        if steps.left < 0:
            return
        if play_fault(now, rules, head) is None:
            yield from _beginnings(play(now, head, rules), rest, rules, steps, (*laid, head))
    yield laid, rows


def _unseen(now: Position) -> Position:
    """The position without the count of the hand: draws that nobody saw may have filled it."""
    return now.with_hand(now.turn.seat, Hand())


def _anyhow(
    start: Position,
    rows: Rows,
    after: Table,
    rules: Rules,
    max_turns: int,
    differences: tuple[Difference, ...],
) -> Iterator[Explanation]:
    """Explanations whatever the rules say, fewest turns first."""
    for count in range(1, max_turns + 1):
        for order in _orders(rows):
            if count > 1 and not order and set(after.markers) <= set(start.table.markers):
                continue
            for cuts in combinations(range(len(order) + count - 1), count - 1):
                yield _judge(start, _parts(order, cuts), after, rules, differences)


def _parts(order: tuple[Play, ...], cuts: tuple[int, ...]) -> list[tuple[Play, ...]]:
    """Stars and bars: `cuts` are the places of the bars among tiles and bars together."""
    parts: list[tuple[Play, ...]] = []
    taken = 0
    for number, cut in enumerate(cuts):
        parts.append(order[taken : cut - number])
        taken = cut - number
    return [*parts, order[taken:]]


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
        if acts == plays and ruling.fault.code not in _UNSEEN_DRAW:
            return ruling
        first = first or ruling
    return first


_UNSEEN_DRAW = (Code.DRAW_REQUIRED, Code.EXTRA_OWED, Code.MARKER_UNDUE, Code.TOO_MANY_TILES)
"""Faults that may come of a draw which the two tables do not show."""


def _with_draws(plays: tuple[Play, ...]) -> Iterator[tuple[Act, ...]]:
    """The plays without a draw, then with one draw at each place, then with more."""
    places = range(min(len(plays), 3), -1, -1)  # at the end first: a draw that did not help
    for count in range(len(places) + 1):
        for chosen in combinations(places, count):
            acts: list[Act] = []
            for place, laid in enumerate(plays):
                acts += [Draw(), laid] if place in chosen else [laid]
            yield (*acts, Draw()) if len(plays) in chosen else tuple(acts)
