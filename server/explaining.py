"""What happened between two settled tables: the fewest turns that the rules allow, by every seat that may have acted.

A `State` is one way in which the round may stand: the position at the start of the turn in progress, and what has
been laid in it. Several may stand side by side, because a pass by a seat whose marker stands leaves no trace.
A turn is closed only by what proves that it is over, so nobody is accused of what can still be put right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from engine.acts import play_fault
from engine.codes import Code, Fault
from engine.errors import EngineError
from engine.moves import Draw, Play
from engine.played_on import played_on, with_boneyard, with_marks
from engine.position import Mode, Position
from engine.reducer import play
from engine.rules import Rules
from engine.ruling import Act, MarkersSeen, Ruling, Verdict, judge_turn
from engine.table import Seat, TrainId

Rows = tuple[tuple[Play, ...], ...]
"""New tiles, a row for each line they lie in, in the order in which they must have been laid."""

_MOST_TURNS = 3
_UNSEEN_DRAW = (Code.DRAW_REQUIRED, Code.EXTRA_OWED, Code.MARKER_UNDUE)
NOT_YET = frozenset((
    Code.DRAW_REQUIRED, Code.EXTRA_OWED, Code.MARKER_MISSING, Code.MARKER_KEPT, Code.DOUBLE_LIMIT,
    Code.FIRST_TURN_DOUBLE_END, Code.NOT_OUT_ON_DOUBLE,
))
"""Faults at the end of a turn that the seat can still put right as long as nobody else has acted."""


@dataclass(frozen=True, slots=True)
class State:
    """One way in which the round may stand."""

    base: Position
    mid: Position
    plays: tuple[Play, ...] = ()
    weight: float = 0.0
    """How much less likely it is than the likeliest."""
    owed: tuple[SeenTurn, ...] = ()
    """Faults that this way implies and that nobody was told of, because a likelier way had none."""
    pending: tuple[Pending, ...] = ()
    """Faults that this way implies and that were told as undetermined: what follows may prove them."""

    @classmethod
    def fresh(cls, position: Position) -> State:
        """At the start of a turn."""
        return cls(position, position)

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return self.base.turn.seat

    @property
    def identity(self) -> tuple[object, ...]:
        """Equal for states that nothing which is yet to come can tell apart."""
        return self.seat, self.plays, self.base.open_doubles, self.base.firsts, self.mid.table, self.base.turn.mode


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """A turn, or the part of it that is new. `closed` when it is known to be over."""

    seat: Seat
    plays: tuple[Play, ...]
    closed: bool
    ruling: Ruling | None = None
    fault: Fault | None = None
    traced: bool = True
    """It left something on the table: a tile or a marker."""
    at: Play | None = None
    """The tile that is at fault, if one is."""
    begun: bool = False
    """Tiles of it were told of before."""
    state: State | None = None
    """The turn as a whole: where it started, and all that was laid in it."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A lay against the rules of which it was open who made it, and how many changes ago that was."""

    turn: SeenTurn
    age: int = 0

    @property
    def identity(self) -> tuple[object, ...]:
        """Equal for accusations that are the same."""
        return self.turn.seat, self.turn.at, None if self.turn.fault is None else self.turn.fault.code


@dataclass(frozen=True, slots=True)
class Account:
    """Turns that lead to the table as it lies, and the state they leave."""

    turns: tuple[SeenTurn, ...]
    state: State
    weight: float = 0.0
    owed: tuple[SeenTurn, ...] = ()
    """Untold faults of the state from which this account goes on."""
    began: float = 0.0
    """The weight of that state."""
    pending: tuple[Pending, ...] = ()
    """Faults of that state that were told as undetermined."""

    @property
    def faults(self) -> int:
        """How many turns break a rule."""
        return sum(turn.fault is not None for turn in self.turns)

    @property
    def cost(self) -> int:
        """Turns that left something on the table."""
        return sum(turn.traced for turn in self.turns)

    def seat_of(self, tile: Play) -> Seat | None:
        """Who laid a tile."""
        return next((turn.seat for turn in self.turns if tile in turn.plays), None)


@dataclass(slots=True)
class _Search:
    """One search: what lies there now, by which rules, and how many faults may be allowed for."""

    marks: frozenset[TrainId]
    rules: Rules
    budget: int
    quiet: bool
    found: list[Account] = field(default_factory=list)
    steps: int = 0
    weight: float = 0.0
    owed: tuple[SeenTurn, ...] = ()
    pending: tuple[Pending, ...] = ()

    def spent(self) -> bool:
        """Too many ways: two pictures with that much between them have missed too much anyway."""
        self.steps += 1
        return self.steps > 6000


def explain(
    states: Iterable[State], rows: Rows, marks: Iterable[TrainId], rules: Rules, quiet: bool = False, budget: int = 0
) -> list[Account]:
    """Every account of what is new with no more than `budget` faults, the likeliest first.

    `quiet`: the table was seen settled and unchanged since the last change, so that a pass is likely.
    """
    search = _Search(frozenset(marks), rules, budget, quiet)
    for state in states:
        search.weight, search.owed, search.pending, search.steps = state.weight, state.owed, state.pending, 0
        _turns(search, state, rows, (), 0)
    return sorted(search.found, key=lambda account: account.weight)


def _account(search: _Search, turns: tuple[SeenTurn, ...], state: State) -> None:
    state = replace(state, base=_unmarked(state.base, search.marks), mid=_unmarked(state.mid, search.marks))
    account = Account(turns, state, 0.0, search.owed, search.weight, search.pending)
    odd = sum(_oddness(turn, search.quiet) for turn in turns)
    search.found.append(replace(account, weight=search.weight + account.cost + 3 * account.faults + odd))


def _oddness(turn: SeenTurn, quiet: bool) -> float:
    """Of several faults that would explain the same table, the one that people commit more easily."""
    if turn.fault is None:
        return 0.0
    if not turn.plays and turn.fault.code is Code.MARKER_MISSING:
        return 0.0 if quiet else 1.5
    if turn.fault.code is Code.FIRST_TURN_OWN_ONLY:
        return 2.0  # that a first line went on elsewhere is less likely than that the next seat laid there
    if turn.fault.code is Code.TRAIN_PRIVATE:
        return 1.0
    if turn.fault.code is Code.MARKER_REMOVED_WRONGLY and any(
        play.train == turn.fault.params.get("train") for play in turn.plays
    ):
        return 1.5  # who lays on a train and takes its marker off is its owner
    return 0.0 if turn.at is None else 0.5


# -- the search -----------------------------------------------------------------------------------------


def _turns(search: _Search, state: State, rows: Rows, before: tuple[SeenTurn, ...], faults: int) -> None:
    """Every way to go on from `state`, turn after turn."""
    traced = sum(turn.traced for turn in before)
    if search.spent() or traced > _MOST_TURNS or len(before) > len(state.base.seats) + 1 or state.base.is_over:
        return
    for now, left, bad in _extended(search, state, rows, faults):
        new = now.plays[len(state.plays) :]
        if bad is not None:
            _after_bad_play(search, now, left, (before, new, faults + 1), bad)
            continue
        if not left:
            _finish(search, now, before, new, faults)
        if left or _marks_of(now) != search.marks:
            _close_and_go_on(search, now, left, before, new, faults)


def _extended(
    search: _Search, state: State, rows: Rows, faults: int
) -> Iterator[tuple[State, Rows, tuple[Play, Fault] | None]]:
    """The turn with none, one or more of the new tiles laid in it."""
    yield state, rows, None
    for number, row in enumerate(rows):
        head, rest = row[0], row[1:]
        left = tuple(r for r in (*rows[:number], rest, *rows[number + 1 :]) if r)
        try:
            found = play_fault(state.mid, search.rules, head)
        except EngineError:
            continue
        if found is None:
            after = replace(state, mid=play(state.mid, head, search.rules), plays=(*state.plays, head))
            yield from _extended(search, after, left, faults)
        elif faults < search.budget:
            yield replace(state, plays=(*state.plays, head)), left, (head, found)


def _after_bad_play(
    search: _Search,
    now: State,
    left: Rows,
    so_far: tuple[tuple[SeenTurn, ...], tuple[Play, ...], int],
    bad: tuple[Play, Fault],
) -> None:
    """A lay against the rules ends the turn; the table as it lies is played on."""
    before, new, faults = so_far
    turn = SeenTurn(now.seat, new, True, None, bad[1], True, bad[0], False, now)
    after = played_on(now.base, now.plays, search.rules, _own_mark(now, search.marks))
    if left:
        _turns(search, State.fresh(after), left, (*before, turn), faults)
    else:
        after = with_marks(after, search.marks)
        _account(search, (*before, turn), State.fresh(after))


def _finish(
    search: _Search, now: State, before: tuple[SeenTurn, ...], new: tuple[Play, ...], faults: int
) -> None:
    """The last turn: over, or still going on, or at fault."""
    if not new and _marks_of(now) == search.marks and not before:
        return
    ruling = rule(now.base, now.plays, search.marks, search.rules)
    if ruling is None:
        return
    traced = bool(new) or (now.seat in search.marks) != now.base.table.train(now.seat).marker
    others_fit = _marks_of(now) - {now.seat} == search.marks - {now.seat}
    if ruling.fault is None:
        if not new and not traced and before:
            return  # a pass after everything that was seen: nothing tells of it
        going_on = now.mid.turn.mode is Mode.BUILD and bool(now.plays) and now.seat not in search.marks
        state = now if going_on else State.fresh(ruling.position)
        turn = SeenTurn(now.seat, new, not going_on, ruling, None, traced, None, False, now)
        _account(search, (*before, turn), state)
    elif ruling.fault.code in NOT_YET and others_fit and now.plays:
        turn = SeenTurn(now.seat, new, False, None, None, traced)
        _account(search, (*before, turn), now)
    elif faults < search.budget:
        after = with_marks(played_on(now.base, now.plays, search.rules, None), search.marks)
        turn = SeenTurn(now.seat, new, True, None, ruling.fault, True, None, False, now)
        # Markers alone tell nothing of whose turn it is: the seat to move stays to move.
        kept = replace(now.base, table=after.table)
        state = State.fresh(after) if now.plays else State.fresh(kept)
        _account(search, (*before, turn), state)


def _close_and_go_on(
    search: _Search, now: State, left: Rows, before: tuple[SeenTurn, ...], new: tuple[Play, ...], faults: int
) -> None:
    """The turn ended here and the next seat acted."""
    seat, on = now.seat, now.seat in search.marks
    was = now.base.table.train(seat).marker
    _closed(search, now, left, (before, new, faults), on)
    if was and not on and not new:
        _closed(search, now, left, (before, new, faults), was)  # somebody else took the marker away later


def _closed(
    search: _Search,
    now: State,
    left: Rows,
    so_far: tuple[tuple[SeenTurn, ...], tuple[Play, ...], int],
    on: bool,
) -> None:
    """The turn ended with the own marker `on`."""
    before, new, faults = so_far
    seat, was = now.seat, now.base.table.train(now.seat).marker
    seen = (_marks_of(now) - {seat}) | ({seat} if on else set())
    ruling = rule(now.base, now.plays, seen, search.rules)
    if ruling is None:
        return
    traced = bool(new) or on != was
    if ruling.fault is None:
        turn = SeenTurn(seat, new, True, ruling, None, traced, None, bool(now.plays), now)
        _turns(search, State.fresh(ruling.position), left, (*before, turn), faults)
    elif faults < search.budget:
        after = played_on(now.base, now.plays, search.rules, on)
        turn = SeenTurn(seat, new, True, None, _named(ruling.fault, now), traced, None, bool(now.plays), now)
        _turns(search, State.fresh(after), left, (*before, turn), faults + 1)


def _unmarked(position: Position, marks: frozenset[TrainId]) -> Position:
    """A marker that stood where none belongs and is gone: no rule speaks of that."""
    stray = {train for train in position.table.markers if train not in position.seats and train not in marks}
    return with_marks(position, set(position.table.markers) - stray) if stray else position


def _named(fault: Fault, now: State) -> Fault:
    """A pass that shows nothing at all: what the table proves is the marker, not the draw."""
    if fault.code is Code.DRAW_REQUIRED and not now.plays:
        return Fault(Code.MARKER_MISSING, {"train": now.seat, "seat": now.seat})
    return fault


def rule(base: Position, plays: tuple[Play, ...], marks: Iterable[TrainId], rules: Rules) -> Ruling | None:
    """Judge a whole turn; a draw that nobody could see is put where it makes the turn legal."""
    first: Ruling | None = None
    seen = MarkersSeen(tuple(sorted(marks)))
    tries: list[tuple[Act, ...]] = [(*plays, seen), (*plays, Draw(), seen)]
    for acts in tries:
        try:
            ruling = judge_turn(base, acts, rules)
        except EngineError:
            continue
        if ruling.fault is None:
            return replace(ruling, position=with_boneyard(ruling.position))
        if first is None:
            first = ruling
        elif not plays and first.fault is not None and first.fault.code is Code.DRAW_REQUIRED:
            first = ruling  # what remains after the draw is what the table shows
        if first.fault is not None and first.fault.code not in _UNSEEN_DRAW:
            break
    return first


# -- positions as the table lies ------------------------------------------------------------------------


def _marks_of(state: State) -> frozenset[TrainId]:
    return frozenset(state.mid.table.markers)


def _own_mark(state: State, marks: frozenset[TrainId]) -> bool:
    return state.seat in marks


def undetermined(ruling: Ruling | None) -> bool:
    """Only a hidden hand or an uncounted boneyard could tell."""
    return ruling is not None and ruling.verdict is Verdict.UNDETERMINED


