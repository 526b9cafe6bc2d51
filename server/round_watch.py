"""A round followed by what lies on the table: every way in which it may stand, and what a change means.

Nothing here knows pictures. Whatever was seen, the round stands afterwards as the table lies: a foul is told once
and played on from, and what no rule explains is undetermined, never an accusation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.codes import Code
from engine.moves import Play
from engine.played_on import with_boneyard, with_marks, with_open_doubles
from engine.position import Hand, Position
from engine.reducer import start_turn
from engine.rules import Rules
from engine.table import LaidTile, Seat, Table, Train, TrainId
from server.explaining import Account, Rows, SeenTurn, State, explain
from server.owners import ways

_HISTORY = 6
_MOST_STATES = 12

SURE = 0.93
"""A foul needs its tiles read at least as surely as this."""
_ALSO_LIKELY = 0.2
_THINKABLE = 0.02
_MOST_FAULTS = 2
_LESS_LIKELY = 4.2
"""States that are less likely than the likeliest by no more than this are kept."""
_LOOK_BACK = 5
_MANY_FOULS = 2
_OTHER_MOVER = 3.0
_MOST_MISSED = 2
"""Turns in one step between two pictures; with more in it, too much was missed to accuse anybody."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """A new tile in a line: as read, how surely, and what else it may be."""

    key: int
    line: str
    laid: LaidTile
    confidence: float = 1.0
    options: tuple[tuple[LaidTile, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What a change means. `tiles` are the new ones as they are now taken to be, with their plays, in laid order.

    `sure` is false where the values were not read surely enough to accuse anybody.
    """

    accounts: tuple[Account, ...]
    tiles: tuple[tuple[Fresh, Play], ...] = ()
    sure: bool = True
    explained: bool = True


@dataclass(slots=True)
class RoundWatch:
    """The round: states that may be, owners of lines, and how it stood before."""

    rules: Rules
    seats: tuple[Seat, ...]
    states: tuple[State, ...]
    owners: dict[str, TrainId] = field(default_factory=dict)
    history: list[tuple[Table, tuple[State, ...]]] = field(default_factory=list)
    quiet: bool = False
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
        self, fresh: Sequence[Fresh], marked: Sequence[str], angles: Mapping[str, float | None]
    ) -> Told:
        """New tiles lie there and the lines in `marked` have markers now (all of them, not only the new ones)."""
        unnamed = list(dict.fromkeys(
            [tile.line for tile in fresh if tile.line not in self.owners]
            + [line for line in marked if line not in self.owners]
        ))
        best: tuple[float, Told, dict[str, str]] | None = None
        for budget in range(1, _MOST_FAULTS + 1):
            for rank, given in enumerate(ways(unnamed, self.owners, angles, self.seats, self.rules, self.due())):
                owners = {**self.owners, **given}
                # A marker where none belongs was told of when it came.
                marks = [owners[line] for line in marked if owners[line] not in self.strays]
                told = self._told(fresh, marks, owners, budget)
                if told is not None and (best is None or told.accounts[0].weight + 0.5 * rank < best[0]):
                    best = told.accounts[0].weight + 0.5 * rank, told, owners
                if best is not None and best[0] <= 1:
                    break
            if best is not None:
                break
        if best is None:
            return self._unexplained(fresh, marked, angles, unnamed)
        _, told, owners = best
        self.owners = owners
        self.strays = frozenset(owners[line] for line in marked if owners[line] not in self.seats)
        self._remember()
        self.states = _weighed(told.accounts)
        self.quiet = False
        self.count(told)
        told = replace(told, accounts=_alike(told.accounts))
        return self._doubted(told) if _faults(told.accounts[0]) else self._trusted(told)

    def _trusted(self, told: Told) -> Told:
        self.fouls = [*self.fouls[-_LOOK_BACK:], False]
        return told

    def _doubted(self, told: Told) -> Told:
        """One foul is a foul; one after the other, it is likelier that the wrong seat is taken to be on move."""
        told = replace(told, sure=told.sure and sum(self.fouls[-_LOOK_BACK:]) < _MANY_FOULS)
        self.fouls = [*self.fouls[-_LOOK_BACK:], True]
        movers = {state.seat for state in self.states}
        base = self.states[0].base
        others = [State.fresh(start_turn(base, self.rules, seat)) for seat in self.seats if seat not in movers]
        self.states += tuple(replace(state, weight=_OTHER_MOVER) for state in others if not state.base.is_over)
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
        sure = few and other is None and all(tile.confidence >= SURE for tile in fresh) and not _duplicate(told)
        return replace(told, sure=sure)

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

    def _unexplained(
        self, fresh: Sequence[Fresh], marked: Sequence[str], angles: Mapping[str, float | None], unnamed: list[str]
    ) -> Told:
        """Nothing explains it: the table as it lies is taken over."""
        given = next(ways(unnamed, self.owners, angles, self.seats, self.rules, self.due()), {})
        self.owners = {**self.owners, **given}
        plays = [(tile, Play(self.owners.get(tile.line, tile.line), tile.laid)) for tile in fresh]
        table = self.now.table
        for _, play in plays:
            table = table.with_train(table.train(play.train).with_tile(play.laid))
        self._remember()
        self.take_over(table, [self.owners.get(line, line) for line in marked])
        return Told((), tuple(plays), False, False)

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
        started = start_turn(position, self.rules, mover or position.turn.seat)
        self.states = (State.fresh(started),)

    def restate(self, train: TrainId, was: LaidTile, now: LaidTile) -> None:
        """A tile that lies there turned out to be another."""
        self.states = tuple(_restated(state, train, was, now) for state in self.states)
        self.history = [
            (_with_other(table, train, was, now), tuple(_restated(state, train, was, now) for state in states))
            for table, states in self.history
        ]

    def back_to(self, table: Table) -> bool:
        """Stand again as when the table was this one, if it was not long ago."""
        for past, states in reversed(self.history):
            if same_tiles(past, table):
                self.states = states
                return True
        return False

    def _remember(self) -> None:
        self.history.append((self.now.table, self.states))
        del self.history[:-_HISTORY]


def unseen_hands(position: Position) -> Position:
    """The position with nothing known of hands: draws are not counted."""
    return with_boneyard(replace(position, hands=tuple(Hand() for _ in position.seats)))


def same_tiles(one: Table, other: Table) -> bool:
    """The same tiles in the same lines; markers aside."""
    return _lines(one) == _lines(other)


def _lines(table: Table) -> dict[TrainId, tuple[LaidTile, ...]]:
    return {train.owner: train.tiles for train in table.trains if train.tiles}


def _with_other(table: Table, train: TrainId, was: LaidTile, now: LaidTile) -> Table:
    line = table.train(train)
    return table.with_train(replace(line, tiles=tuple(now if laid == was else laid for laid in line.tiles)))


def _restated(state: State, train: TrainId, was: LaidTile, now: LaidTile) -> State:
    def position(old: Position) -> Position:
        doubles = tuple(
            replace(double, value=now.far) if double.train == train and was.is_double and double.value == was.far
            else double
            for double in old.open_doubles
        )
        lays = tuple(
            replace(lay, laid=now) if lay.train == train and lay.laid == was else lay for lay in old.turn.lays
        )
        return replace(old, table=_with_other(old.table, train, was, now), open_doubles=doubles,
                       turn=replace(old.turn, lays=lays))

    plays = tuple(replace(play, laid=now) if play.train == train and play.laid == was else play for play in state.plays)
    return replace(state, base=position(state.base), mid=position(state.mid), plays=plays)


def _duplicate(told: Told) -> bool:
    """A tile lies there twice, or a line begins where none can: likelier misread than done."""
    codes = (Code.DUPLICATE_TILE, Code.NOT_IN_SET, Code.SECOND_MEXICAN)
    return any(turn.fault is not None and turn.fault.code in codes for turn in told.accounts[0].turns)


def _weighed(accounts: Sequence[Account]) -> tuple[State, ...]:
    """The states that the likely accounts leave, each once, the likeliest at 0.

    An account that needs a fault is kept beside the likelier one that needs none, with the fault untold: later
    pictures may leave nothing else.
    """
    first = accounts[0]
    told = _faults(first)
    found: dict[object, State] = {}
    for account in accounts:
        if account.weight <= first.weight + _LESS_LIKELY:
            # One foul is told of a picture; what else might have been one there is no second.
            other = account.owed if first.faults else _faults(account)
            owed = tuple(turn for turn in other if turn not in told and account.weight > first.weight + 0.1)
            weight = account.weight - first.weight + _unlikely(account, first)
            if weight > _LESS_LIKELY:
                continue
            state = replace(account.state, weight=weight, owed=owed)
            found.setdefault(state.identity, state)
    return tuple(found.values())[:_MOST_STATES]


def _unlikely(account: Account, first: Account) -> float:
    """What counts against an account once it was not the likeliest: turns that nobody saw, tiles laid wrongly."""
    missed = 3.0 * max(0, account.cost - first.cost) if account.faults == 0 else 0.0
    wrong = 1.5 * sum(turn.at is not None for turn in account.turns) if account is not first else 0.0
    return missed + (wrong if account.weight > first.weight + 0.1 else 0.0)


def _faults(account: Account) -> list[SeenTurn]:
    return [*account.owed, *(turn for turn in account.turns if turn.fault is not None)]


def _alike(accounts: Sequence[Account]) -> tuple[Account, ...]:
    """The accounts that nothing tells apart from the first: as likely, and with the same reason if one is at fault."""

    def reason(account: Account) -> tuple[str, ...]:
        return tuple(turn.fault.code.value for turn in _faults(account) if turn.fault is not None)

    first = accounts[0]
    return tuple(
        account
        for account in accounts
        if account.weight <= first.weight + 0.1 and reason(account) == reason(first)
    )
