"""What people at a terminal say with a key, told to a watch as the taps of the page are: evidence like pixels.

Nothing is required of them, and nobody is accused by a key: what the rules do not allow is not taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from engine.codes import Fault, Param
from engine.errors import EngineError
from engine.legality import why_not
from engine.moves import Draw, Play
from engine.reducer import make, start_turn
from engine.ruling import Ruling, judge_turn
from engine.table import Seat
from server.cases import case_of
from server.explaining import SeenTurn, State
from server.keyboard import Typed
from server.restating import same_tiles
from server.round_watch import RoundWatch
from server.taking_up import hear
from server.watch_events import Event, Moment
from server.watching import Watcher

Say = Callable[[str, Mapping[str, Param]], None]
"""Tells the person a sentence: its code and what is in it."""


class Tap(Enum):
    """What a key says."""

    PASS = "p"
    DREW = "d"
    LAST = "l"
    NEXT = "n"
    WHOSE = "w"
    BACK = "u"
    QUIT = "q"
    HELP = "?"


def is_quit(key: str) -> bool:
    """This key says that the person wants no more."""
    return key.lower() == Tap.QUIT.value


@dataclass(frozen=True, slots=True)
class _Said:
    """The round before a tap, and the states that it left."""

    states: tuple[State, ...]
    held: dict[Seat, int]
    draws: tuple[int, ...]
    left: tuple[State, ...]


@dataclass(slots=True)
class Taps:
    """Hears keys between two pictures, so that they never meet a picture that is being looked at."""

    watcher: Watcher
    typed: Typed
    say: Say
    ended: bool = False
    """The person wants no more."""
    _turn: object = None
    _draws: tuple[int, ...] = ()
    """Draws that were told in that turn: how many tiles had been laid in it before each."""
    _past: list[_Said] = field(default_factory=list)

    def legend(self) -> None:
        """Say which keys there are."""
        self.say("tap.legend" if self.typed.single else "tap.legend_lines", {})

    def hear(self, moment: Moment) -> list[Event]:
        """What was typed since the last picture: events, as if it had been seen."""
        events: list[Event] = []
        for key in self.typed.take():
            tap = next((tap for tap in Tap if tap.value == key.lower()), None)
            if tap is Tap.QUIT:
                self.ended = True
            elif tap is Tap.HELP:
                self.legend()
            elif tap is not None:
                try:
                    events += self._heard(tap, moment)
                except EngineError:  # a table that lies as no rule has it: the pictures go on without the tap
                    self.say("tap.not_taken", {})
        return events

    def _heard(self, tap: Tap, moment: Moment) -> list[Event]:
        following = self.watcher.round
        if following is None:
            self.say("tap.no_turns", {})
            return []
        if tap is Tap.WHOSE:
            self._whose(following)
        elif tap is Tap.BACK:
            self._back(following)
        elif following.states[0].base.is_over:
            self.say("tap.over", {})
        else:
            return self._taken(tap, following, moment)
        return []

    def _taken(self, tap: Tap, following: RoundWatch, moment: Moment) -> list[Event]:
        """A tap that changes what is known, kept so that it can be taken back."""
        state = following.states[0]
        if _turn_of(state) != self._turn:
            self._turn, self._draws = _turn_of(state), ()
        before = _Said(following.states, dict(following.held), self._draws, ())
        events: list[Event] = []
        if tap is Tap.LAST:
            self._last(following, state)
        elif tap is Tap.DREW:
            self._drew(following, state)
        else:
            events = self._over(following, state, moment, whatever=tap is Tap.NEXT)
        now = _Said(following.states, dict(following.held), self._draws, ())
        if now != before:
            self._past.append(replace(before, left=following.states))
        return events

    # -- what each of them means ------------------------------------------------------------------------

    def _drew(self, following: RoundWatch, state: State) -> None:
        """The seat on move has drawn: it is on move, then, if the rules let it draw."""
        position = state.base
        for act in _acts(state, self._draws):
            position = make(position, act, following.rules)
        found = why_not(position, Draw(seat=state.seat), following.rules)
        if found is not None:
            self._refused(found)
            return
        self._draws = (*self._draws, len(state.plays))
        hear(following, state.base, state.mid)
        self.say("tap.drew", {"seat": state.seat})

    def _over(self, following: RoundWatch, state: State, moment: Moment, whatever: bool) -> list[Event]:
        """The turn of the seat on move is over; `whatever` was seen of it, the next one's has begun."""
        ruling = judge_turn(state.base, _acts(state, self._draws), following.rules)
        if ruling.fault is not None and not self._draws:
            # Who passes has drawn, as far as there was something to draw: no camera sees it.
            drawn = judge_turn(state.base, _acts(state, (len(state.plays),)), following.rules)
            ruling = drawn if drawn.fault is None else ruling
        if ruling.fault is None:
            now = ruling.position
        elif whatever:
            now = start_turn(state.mid, following.rules, following.left_of(state.seat))
        else:
            self._refused(ruling.fault)
            return []
        hear(following, now, now)
        if ruling.fault is not None:
            self.say("tap.next", {"next": now.turn.seat})
            return []
        return [_turn_event(state, ruling, following, moment)]

    def _last(self, following: RoundWatch, state: State) -> None:
        """Whoever laid last holds one tile more: the next one that it lays is its last."""
        seat = state.seat if state.plays or following.last is None else following.last
        following.held = {**following.held, seat: 1}
        self.say("tap.last", {"seat": seat})

    def _whose(self, following: RoundWatch) -> None:
        seats = list(dict.fromkeys(state.seat for state in following.states))
        others = ", ".join(seats[1:])
        self.say("tap.whose_perhaps" if others else "tap.whose", {"seat": seats[0], "others": others})

    def _back(self, following: RoundWatch) -> None:
        """As if the last tap had not been: where something was seen since, as far as the table lies the same."""
        if not self._past:
            self.say("tap.nothing_back", {})
            return
        said = self._past.pop()
        state = said.states[0]
        if following.states is not said.left and not same_tiles(state.mid.table, following.now.table):
            self._past.clear()
            self.say("tap.too_late", {})
            return
        if following.states is said.left:
            following.states = said.states
        else:
            hear(following, state.base, state.mid)
        following.held = said.held
        self._turn, self._draws = _turn_of(state), said.draws
        self.say("tap.back", {"seat": state.seat})

    def _refused(self, found: Fault) -> None:
        self.say(f"ruling.{found.code.value}", found.params)
        self.say("tap.not_taken", {})


def _turn_of(state: State) -> object:
    """Equal for states of one turn."""
    return state.base.turn.seat, state.base.turn.number, state.base.table


def _acts(state: State, draws: tuple[int, ...]) -> list[Play | Draw]:
    """The turn in the referee's words, with the draws where they were told."""
    acts: list[Play | Draw] = []
    for place in range(len(state.plays) + 1):
        acts += [Draw(seat=state.seat)] * draws.count(place)
        acts += state.plays[place : place + 1]
    return acts


def _turn_event(state: State, ruling: Ruling, following: RoundWatch, moment: Moment) -> Event:
    now = ruling.position
    turn = SeenTurn(state.seat, state.plays, True, ruling, state=state)
    following_seat = None if now.is_over else now.turn.seat
    return Event(
        "turn", moment, state.seat, verdict=ruling.verdict.value, next=following_seat, code="watch.turn",
        ask=None if ruling.ask is None else ruling.ask.value, params={"seat": state.seat, "next": following_seat},
        case=case_of(turn, state, sorted(now.table.markers), following.rules),
    )
