"""A round followed by what lies on the table: every way in which it may stand, and what a change means.

Nothing here knows pictures. Whatever was seen, the round stands afterwards as the table lies: a foul is told once
and played on from, and what no rule explains is undetermined, never an accusation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice

from engine.codes import Code
from engine.moves import Play
from engine.played_on import with_boneyard, with_marks, with_open_doubles
from engine.position import Position
from engine.reducer import start_turn
from engine.rules import Rules
from engine.table import LaidTile, Seat, Table, Train, TrainId
from engine.tile import Pips
from server.explaining import Rows, SeenTurn, State, explain
from server.owners import ways
from server.restating import restarted, restated, same_tiles, with_other
from server.told import PLAIN, Blur, Choice, Fresh, Scene, Told
from server.weighing import alike, at_fault, began, duplicate, faults_of, on_own, proven, rivalled, stood_open, weighed

_HISTORY = 6

SURE = 0.93
"""A foul needs its tiles read at least as surely as this."""
_LIKELY, _ALL_OF_IT = 0.5, 0.97
_FITS_TOO, _LIES_THERE = 0.9, 0.7
"""How surely tiles are read that are not at fault; and if none is, because it is enough that one lies there."""
_ALSO_LIKELY = 0.2
_THINKABLE = 0.02
_MOST_FAULTS = 2
_LOOK_BACK = 5
_MANY_FOULS = 2
_OTHER_MOVER, _OTHER_AFTER_ALL = 3.0, 4.5
"""What counts against a seat being on move out of its order after a foul; and where who committed it is known."""
_MOST_UNSURE = 4
_NOT_UNDERSTOOD = 1.2
"""What counts against an account in which a thing that came to a line's end is no marker."""
_MOST_MISSED = 2
"""Turns in one step between two pictures; with more in it, too much was missed to accuse anybody."""
_MOST_THOUGHT = 400
"""Ways in which new lines may have owners that one picture is worth, times the square of the tiles that came: each of
them may also be another, and each way is that much longer."""
_WHOEVER_ACTS = frozenset((
    Code.NO_MATCH, Code.MEXICAN_MARKED, Code.DUPLICATE_TILE, Code.NOT_IN_SET, Code.MARKER_REMOVED_WRONGLY,
))
"""Faults that are faults whoever committed them."""


@dataclass(slots=True)
class RoundWatch:
    """The round: states that may be, owners of lines, and how it stood before."""

    rules: Rules
    seats: tuple[Seat, ...]
    states: tuple[State, ...]
    owners: dict[str, TrainId] = field(default_factory=dict)
    history: list[tuple[Table, tuple[State, ...]]] = field(default_factory=list)
    quiet: bool = False
    anchored: bool = True
    """It is known whose turn it is."""
    held: dict[Seat, int] = field(default_factory=dict)
    """The fewest tiles that each seat can hold: draws that led to a lay were not seen."""
    last: Seat | None = None
    fouls: list[bool] = field(default_factory=list)
    """Whether each of the last changes was told as a foul."""
    strays: frozenset[TrainId] = frozenset()
    """Trains that nobody owns and on which a marker stands."""

    @property
    def now(self) -> Position:
        """The likeliest position."""
        return self.states[0].mid

    def left_of(self, seat: Seat) -> Seat:
        """The next seat clockwise."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def perhaps_out(self) -> Seat | None:
        """The seat that laid last, if it has laid as many tiles as it was dealt and drew in its passes."""
        return self.last if self.last is not None and self.held.get(self.last, 1) <= 0 else None

    def count(self, told: Told) -> None:
        """Keep the fewest tiles that each hand can still hold."""
        if not told.accounts:
            return
        for turn in told.accounts[0].turns:
            drew = turn.ruling is not None and turn.ruling.ask is not None
            self.held[turn.seat] = self.held.get(turn.seat, 99) - len(turn.plays) + drew
            if turn.plays:
                self.last = turn.seat

    def due(self) -> tuple[Seat, ...]:
        """Seats in the order in which their turns come."""
        first = self.states[0].seat
        at = self.seats.index(first)
        return (*self.seats[at:], *self.seats[:at])

    # -- changes ----------------------------------------------------------------------------------------

    def change(
        self, fresh: Sequence[Fresh], marked: Sequence[str], angles: Mapping[str, float | None],
        blur: Blur = PLAIN,
    ) -> Told:
        """New tiles lie there and the lines in `marked` have markers now (all of them, not only the new ones).

        `blur` is what the picture leaves open: nobody is accused by it.
        """
        unsure, strange = blur.markers, blur.strange
        if blur.blind:
            self._perhaps_moved()
        scene = Scene(tuple(fresh), frozenset(marked), angles)
        best = self._best(scene)
        other = self._by_other_markers(scene, unsure) if unsure else None
        if other is not None:
            # Where a tile was laid just now, it is its edge or its shadow that was not understood.
            elsewhere = set(other.told.flipped) - {tile.line for tile in fresh}
            against = _NOT_UNDERSTOOD if strange and elsewhere else 0.0
            if best is None or at_fault(best.told) or other.weight < best.weight + against:
                best = other
        if best is None or at_fault(best.told):
            never = self._nothing_came(scene, unsure)
            if never:
                return Told((), flipped=never)
        if best is None:
            return self._unexplained(scene)
        told = self._with_proof(self._with_doubt(best.told, blur), blur, other)
        self._anchor(told, blur)
        told = self._after_others(told)
        self.owners = best.owners
        self.strays = frozenset(
            best.owners[line] for line in scene.other(best.told.flipped).marked if best.owners[line] not in self.seats
        )
        self._remember()
        self.states = weighed(best.told.accounts, told.doubt)
        if told.proven:
            self.states = tuple(replace(state, pending=()) for state in self.states)
        self.quiet = False
        self.count(best.told)
        told = replace(told, accounts=alike(told.accounts))
        return self._doubted(told) if faults_of(told.accounts[0]) else self._trusted(told)

    def _perhaps_moved(self) -> None:
        """A tile that nobody could read lies there: who is taken to be on move may have laid it."""
        first = self.states[0]
        following = self.left_of(first.seat)
        if not first.base.is_over and all(state.seat != following for state in self.states):
            moved = State.fresh(start_turn(first.mid, self.rules, following))
            self.states = (*self.states, replace(moved, weight=first.weight))

    def _with_doubt(self, told: Told, blur: Blur) -> Told:
        """Who may not be accused, and why."""
        faults = faults_of(told.accounts[0])
        if not faults or told.doubt:
            return told
        by_place = all(map(_is_fault_anyhow, faults))
        # That a marker was gone in an earlier picture is weak: there it may only have been overlooked.
        gone = any(turn.fault is not None and turn.fault.code is Code.MARKER_REMOVED_WRONGLY
                   for turn in told.accounts[0].owed)
        stood = any(stood_open(turn, told.accounts[0]) for turn in faults)
        if blur.blind or gone or stood or rivalled(told.accounts) or any(map(self._at_no_train, faults)):
            return replace(told, doubt="intermediate_frame")
        return told if self.anchored or by_place else replace(told, doubt="actor")

    def _with_proof(self, told: Told, blur: Blur, other: Choice | None) -> Told:
        """What this picture proves of earlier ones: a lay on one's own closed train shows whose turn it is.

        `other` is what it means if markers stand otherwise than they were seen.
        """
        first = told.accounts[0]
        plain = first.cost == 1 and not first.owed and not told.doubt and not told.flipped and not blur.blind
        if not plain or not on_own(first, went=True) or began(first):
            return told
        return replace(told, proven=proven((*told.accounts, *(() if other is None else other.told.accounts))))

    def _at_no_train(self, turn: SeenTurn) -> bool:
        """A marker that is said to stand on a Mexican train where none has begun."""
        fault = turn.fault
        train = "" if fault is None else str(fault.params.get("train"))
        return fault is not None and fault.code is Code.MEXICAN_MARKED and not self.now.table.train(train).started

    def _anchor(self, told: Told, blur: Blur) -> None:
        """Whether it is known whose turn it is: a lay on one's own closed train proves it, what was missed hides it."""
        accounts = alike(told.accounts)
        first = accounts[0]
        plain = len(accounts) == 1 and first.cost == 1 and not first.faults and not told.doubt
        if plain and on_own(first, went=not blur.markers):
            self.anchored = True
            self.fouls = []  # whoever was taken to be on move before, it is known from here on
        elif blur.blind or told.doubt or any(account.cost != first.cost for account in accounts):
            self.anchored = False
        elif len(accounts) > 1 and first.cost > 1:
            self.anchored = False  # several turns in one picture, and several ways to deal them out
        elif told.flipped and any(turn.traced and not turn.plays for account in accounts for turn in account.turns):
            self.anchored = False  # a turn of which a marker is all that tells, and none was seen

    def _best(self, scene: Scene, most: int = _MOST_FAULTS, lawful: bool = False) -> Choice | None:
        """The likeliest account, over all owners that new lines may have."""
        best: Choice | None = None
        # The more tiles came at once, the longer each way takes to think through; the likeliest come first.
        ways = list(islice(self._ways(scene), max(1, _MOST_THOUGHT // max(1, len(scene.fresh) ** 2))))
        for budget in range(1, most + 1):
            for rank, given in enumerate(ways):
                owners = {**self.owners, **given}
                # A marker where none belongs was told of when it came.
                marks = [owners[line] for line in scene.marked if owners[line] not in self.strays]
                told = self._told(scene.fresh, marks, owners, 0 if lawful else budget)
                if told is not None and (best is None or told.accounts[0].weight + 0.5 * rank < best.weight):
                    best = Choice(told.accounts[0].weight + 0.5 * rank, told, owners)
                if best is not None and best.weight <= 1:
                    break
            if best is not None:
                break
        return best

    def _by_other_markers(self, scene: Scene, unsure: Sequence[str]) -> Choice | None:
        """An account without a fault, if some markers that are unsure stand otherwise than they were seen."""
        found: list[Choice] = []
        for count in (1, 2):
            for names in combinations(unsure[:_MOST_UNSURE], count):
                choice = self._best(scene.other(names), 1, lawful=True)
                if choice is not None and not at_fault(choice.told):
                    found.append(replace(choice, told=replace(choice.told, flipped=names)))
            if found:
                return min(found, key=lambda choice: choice.weight)
        return None

    def _nothing_came(self, scene: Scene, unsure: Sequence[str]) -> tuple[str, ...]:
        """Lines whose markers, if they stand otherwise than they were seen, leave nothing that has changed."""
        if scene.fresh:
            return ()
        stand = set(self.now.table.markers)
        for count in (1, 2):
            for names in combinations(unsure[:_MOST_UNSURE], count):
                marks = {self.owners.get(line, line) for line in scene.other(names).marked}
                if marks - self.strays == stand - self.strays:
                    return names
        return ()

    def _ways(self, scene: Scene) -> Iterator[dict[str, str]]:
        unnamed = [line for line in scene.lines if line not in self.owners]
        return ways(unnamed, self.owners, scene.angles, self.seats, self.rules, self.due())

    def _trusted(self, told: Told) -> Told:
        self.fouls = [*self.fouls[-_LOOK_BACK:], False]
        return told

    def _after_others(self, told: Told) -> Told:
        """One foul is a foul; one after the other, it is likelier that the wrong seat is taken to be on move."""
        many = sum(self.fouls[-_LOOK_BACK:]) >= _MANY_FOULS
        return replace(told, doubt="actor") if many and told.sure and faults_of(told.accounts[0]) else told

    def _doubted(self, told: Told) -> Told:
        """Somebody else than who is due may be on move."""
        self.fouls = [*self.fouls[-_LOOK_BACK:], True]
        known = told.sure and self.anchored and all(map(_is_fault_anyhow, faults_of(told.accounts[0])))
        weight = _OTHER_AFTER_ALL if known else _OTHER_MOVER
        movers = {state.seat for state in self.states}
        base = self.states[0].base
        others = [State.fresh(start_turn(base, self.rules, seat)) for seat in self.seats if seat not in movers]
        self.states += tuple(replace(state, weight=weight) for state in others if not state.base.is_over)
        return told

    def _told(
        self, fresh: Sequence[Fresh], marks: Sequence[TrainId], owners: Mapping[str, str], budget: int
    ) -> Told | None:
        told = self._accounts(fresh, marks, owners, budget)
        if told is not None and not told.accounts[0].faults and not told.accounts[0].owed:
            return told
        other = self._other_values(fresh, marks, owners)
        if other is not None and other[1] >= _ALSO_LIKELY:
            return other[0]
        if told is None:
            return None
        few = told.accounts[0].cost <= _MOST_MISSED
        wrong = {turn.at for turn in told.accounts[0].turns if turn.at is not None}
        enough = _FITS_TOO if wrong else _LIES_THERE
        read = other is None and not duplicate(told) and all(
            _is_read(tile) or (play not in wrong and _is_likely(tile, enough)) for tile, play in told.tiles
        )
        doubt = "readable_tile" if not read else "" if few else "intermediate_frame"
        return replace(told, doubt=doubt)

    def _accounts(
        self, fresh: Sequence[Fresh], marks: Sequence[TrainId], owners: Mapping[str, str], budget: int
    ) -> Told | None:
        plays = {tile.key: Play(owners[tile.line], tile.laid) for tile in fresh}
        rows: dict[str, list[Play]] = {}
        for tile in fresh:
            rows.setdefault(owners[tile.line], []).append(plays[tile.key])
        lines: Rows = tuple(tuple(row) for row in rows.values())
        found = explain(self.states, lines, marks, self.rules, self.quiet, budget)
        if not found:
            return None
        order = [play for turn in found[0].turns for play in turn.plays]
        by_play = {plays[tile.key]: tile for tile in fresh}
        return Told(tuple(found), tuple((by_play[play], play) for play in order if play in by_play))

    def _other_values(
        self, fresh: Sequence[Fresh], marks: Sequence[TrainId], owners: Mapping[str, str]
    ) -> tuple[Told, float] | None:
        """A legal account in which one tile is what it may also be read as, and how likely that is."""
        best: tuple[Told, float] | None = None
        for place, tile in enumerate(fresh):
            for laid, share in tile.options:
                if laid == tile.laid or share < _THINKABLE or (best is not None and share <= best[1]):
                    continue
                changed = [*fresh[:place], replace(tile, laid=laid, confidence=share), *fresh[place + 1 :]]
                told = self._accounts(changed, marks, owners, 0)
                if told is not None:
                    best = told, share
        return best

    def _unexplained(self, scene: Scene) -> Told:
        """Nothing explains it: the table as it lies is taken over."""
        self.owners = {**self.owners, **next(self._ways(scene), {})}
        plays = [(tile, Play(self.owners.get(tile.line, tile.line), tile.laid)) for tile in scene.fresh]
        table = self.now.table
        for _, play in plays:
            table = table.with_train(table.train(play.train).with_tile(play.laid))
        self._remember()
        self.take_over(table, [self.owners.get(line, line) for line in sorted(scene.marked)])
        return Told((), tuple(plays), "readable_tile", False)

    # -- the table as it lies ---------------------------------------------------------------------------

    def take_over(self, table: Table, marks: Sequence[TrainId], mover: Seat | None = None) -> None:
        """Go on from a table as it lies; whose turn it is stays as it was, unless `mover` says."""
        position = self.states[0].base
        trains = [train if train.owner in self.seats else replace(train, marker=False) for train in table.trains]
        known = {train.owner for train in trains}
        trains += [Train(seat) for seat in self.seats if seat not in known]
        position = replace(position, table=Table(table.starting_double, tuple(trains)), outcome=None, out=())
        position = with_marks(position, [mark for mark in marks if mark in self.seats])
        position = with_open_doubles(with_boneyard(position), self.rules)
        seat = mover or position.turn.seat
        self.anchored = mover is not None
        states = [State.fresh(start_turn(position, self.rules, seat))]
        for other in () if mover is not None else self.seats:
            if other != seat:
                weight = 0.0 if other == self.left_of(seat) else _OTHER_MOVER / 2
                states.append(replace(State.fresh(start_turn(position, self.rules, other)), weight=weight))
        self.states = tuple(states)

    def restart(self, value: Pips) -> None:
        """The starting double turned out to be another."""
        self.states = tuple(restarted(state, value) for state in self.states)
        self.history = [
            (replace(table, starting_double=value), tuple(restarted(state, value) for state in states))
            for table, states in self.history
        ]

    def restate(self, train: TrainId, was: LaidTile, now: LaidTile) -> None:
        """A tile that lies there turned out to be another."""
        self.states = tuple(restated(state, train, was, now) for state in self.states)
        self.history = [
            (with_other(table, train, was, now), tuple(restated(state, train, was, now) for state in states))
            for table, states in self.history
        ]

    def back_to(self, table: Table) -> bool:
        """Stand again as when the table was this one, if it was not long ago."""
        for past, states in reversed(self.history):
            if same_tiles(past, table):
                self.states = states
                return True
        return False

    def copy(self) -> RoundWatch:
        """To try something: what is done to the copy is not done to this."""
        return replace(self, owners=dict(self.owners), history=list(self.history), held=dict(self.held))

    def _remember(self) -> None:
        self.history.append((self.now.table, self.states))
        del self.history[:-_HISTORY]


def _is_fault_anyhow(turn: SeenTurn) -> bool:
    """Whoever acted, it was against the rules."""
    return turn.fault is not None and turn.fault.code in _WHOEVER_ACTS


def _is_likely(tile: Fresh, enough: float) -> bool:
    """Read well enough for a tile that is not at fault itself: that it fits where it lies speaks for it too."""
    return bool(tile.options) and tile.options[0][0] == tile.laid and tile.options[0][1] >= enough


def _is_read(tile: Fresh) -> bool:
    """Surely read, or as one of a few tiles, of which none would be lawful there."""
    shares = sum(share for _, share in tile.options)
    return tile.confidence >= SURE or (tile.confidence >= _LIKELY and shares >= _ALL_OF_IT)
