"""The referee: judge a turn from what was seen.

It replays the acts through the same rule functions that list legal moves. A fault that the table shows
outranks everything; what only a hidden hand or an uncounted boneyard could tell makes the verdict
undetermined, never an accusation (rules matrix, 6.2).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine import laying, reducer
from engine.acts import Answer, could_play, draw_fault, play_fault
from engine.codes import RESTS_ON, Code, Fault, Param, fault
from engine.errors import PositionError
from engine.messages import sentence
from engine.moves import Draw, Play
from engine.placement import may_be_last, owed_double
from engine.position import Hand, Position
from engine.rules import Rules
from engine.table import Seat, TrainId
from engine.turn_end import Question, close_turn


class Verdict(enum.StrEnum):
    """The three verdicts."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNDETERMINED = "undetermined"


@dataclass(frozen=True, slots=True)
class ActedBy:
    """Who acted."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class MarkersSeen:
    """The markers that stand at the end of the turn."""

    trains: tuple[TrainId, ...]


@dataclass(frozen=True, slots=True)
class ClaimsOut:
    """The seat says that it is out."""


Act = Play | Draw | ActedBy | MarkersSeen | ClaimsOut


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict with its reason, and the position that follows.

    `position` is the one after the turn if it stands; for an illegal turn the one before it, as when the
    turn is taken back.
    """

    verdict: Verdict
    seat: Seat
    position: Position
    fault: Fault | None = None
    ask: Question | None = None

    @property
    def rests_on(self) -> tuple[str, tuple[str, ...]]:
        """The source of the rule broken, and the house rules that decide it."""
        return RESTS_ON.get(self.fault.code, ("", ())) if self.fault is not None else ("", ())

    @property
    def message(self) -> str:
        """One plain sentence, in English."""
        return sentence(self.message_code, self.message_params)

    @property
    def message_code(self) -> str:
        """The code of the sentence."""
        if self.fault is not None:
            return self.fault.code
        if self.ask is not None:
            return f"ASK_{self.ask.name}"
        if self.seat in self.position.out:
            return "ROUND_WON" if self.position.is_over else "LEGAL_OUT"
        return "LEGAL"

    @property
    def message_params(self) -> Mapping[str, Param]:
        """The parameters of the sentence: those of the fault, or the seat alone."""
        return self.fault.params if self.fault is not None else {"seat": self.seat}


def judge_turn(position: Position, acts: Sequence[Act], rules: Rules) -> Ruling:
    """Judge the turn of the seat to move. The acts are in order; their end is the end of the turn.

    Raises `PositionError` when the acts cannot have been seen as told (a tile that a known hand does not
    hold, more tiles than the hand has): a misread, not a foul (rules matrix, 6.1 no. 6).
    """
    now = position
    able = Answer.NO
    seen: tuple[TrainId, ...] | None = None
    claims_out = False
    for act in acts:
        found: Fault | None = None
        if isinstance(act, Play):
            found = play_fault(now, rules, act)
            _check_count(now, act, found)
            if found is None:
                now = reducer.play(now, act, rules)
        elif isinstance(act, Draw):
            found = draw_fault(now, rules)
            if found is None:
                if not now.turn.pending:
                    # Drawn for a last double: right if the hand was empty, which nobody counted.
                    uncounted = may_be_last(now, rules)
                    able = _worse(able, Answer.UNKNOWN if uncounted else could_play(now, rules))
                now = laying.draw(now, rules, act.tile)
        elif isinstance(act, ActedBy):
            now, found = _acted(now, act.seat, rules)
        elif isinstance(act, MarkersSeen):
            seen = act.trains
        else:
            claims_out = True
        if found is not None:
            return Ruling(Verdict.ILLEGAL, position.turn.seat, position, found)
    return _close(position, now, rules, able, seen, claims_out)


def _worse(one: Answer, other: Answer) -> Answer:
    """Of several draws in a turn, the one that tells most against the seat."""
    for answer in (Answer.YES, Answer.UNKNOWN):
        if answer in (one, other):
            return answer
    return Answer.NO


def _acted(now: Position, seat: Seat, rules: Rules) -> tuple[Position, Fault | None]:
    if seat == now.turn.seat:
        return now, None
    at_once = rules.first_turn_order == "simultaneous" and now.turn.number == 1
    if at_once and seat in now.firsts and not now.turn.begun:
        return reducer.start_turn(now, rules, seat), None
    return now, fault(Code.WRONG_TURN, seat=seat, to_move=now.turn.seat)


def _close(
    before: Position,
    now: Position,
    rules: Rules,
    able: Answer,
    seen: tuple[TrainId, ...] | None,
    claims_out: bool,
) -> Ruling:
    seat = now.turn.seat
    _check_claim(now, claims_out)
    closing = close_turn(now, rules, claims_out=claims_out, able=able, seen=seen)
    if closing.fault is not None:
        return Ruling(Verdict.ILLEGAL, seat, before, closing.fault)
    if closing.out:
        now = now.with_hand(seat, Hand.of(()))
    own = None if seen is None else seat in seen
    after = reducer.end_turn(now, rules, own, closing.out)
    after = replace(after, version=before.version + 1)
    ask = closing.questions[0] if closing.questions else None
    verdict = Verdict.LEGAL if ask is None else Verdict.UNDETERMINED
    return Ruling(verdict, seat, after, None, ask)


def _check_count(now: Position, play: Play, found: Fault | None) -> None:
    """A tile laid from a hand that the counts have emptied is a misread; a foreign tile is one by itself."""
    seat = now.turn.seat
    foreign = found is not None and found.code in (Code.WRONG_TURN, Code.NOT_IN_SET, Code.DUPLICATE_TILE)
    if now.hand(seat).count == 0 and not foreign:
        raise PositionError(f"{seat} lays the {play.laid.tile}, but has no tile left by count")


def _check_claim(now: Position, claims_out: bool) -> None:
    """A claim to be out that the counts contradict is a misread somewhere."""
    count = now.hand(now.turn.seat).count
    if not claims_out or count == 0:
        return
    if count is not None:
        raise PositionError(f"{now.turn.seat} claims to be out, but holds {count} tiles by count")
    if not now.turn.lays or (now.turn.pending and owed_double(now) is None):
        raise PositionError(f"{now.turn.seat} claims to be out without laying a last tile")
