"""The end of a turn: what must have happened before it, in the order in which reasons are given.

Order (rules matrix, 5): double limit, a first line ending with a double, not out on a double, draw or extra
tile owed, must play, must play the drawn tile, markers.
"""

from __future__ import annotations

import enum
from collections.abc import Collection
from dataclasses import dataclass

from engine.acts import Answer, could_play, drawn_fits, draws_on, lacks_third_tile
from engine.codes import Code, Fault, fault
from engine.doubles import blocks_going_out, fits
from engine.markers import ends_line_with_double, markers_fault, own_marker
from engine.moves import Pass
from engine.placement import owed_double
from engine.position import Mode, Need, Position
from engine.rules import Rules


class Question(enum.StrEnum):
    """What would settle an undetermined verdict."""

    BONEYARD = "boneyard_count"
    MUST_PLAY = "must_play"


@dataclass(frozen=True, slots=True)
class Closing:
    """The end of a turn, judged: a fault, or the questions that remain."""

    fault: Fault | None
    questions: tuple[Question, ...] = ()
    out: bool = False


def close_turn(
    position: Position,
    rules: Rules,
    *,
    claims_out: bool = False,
    able: Answer = Answer.NO,
    seen: Collection[str] | None = None,
) -> Closing:
    """Judge the end of the turn in progress.

    `able`: whether the seat could have played when it drew in this turn; `seen`: the markers seen, if any
    were looked at. A fault outranks every question (rules matrix, 6.2).
    """
    out = is_out(position, rules, claims_out)
    questions: list[Question] = []
    for found in (
        _third_tile(position, rules, out),
        _first_line_end(position, rules),
        _out_on_double(position, rules, claims_out, questions),
        None if out else _draw_owed(position, rules, questions),
        None if out else _must_play(position, rules, able, questions),
        None if out else _must_play_drawn(position, rules, questions),
        None if seen is None else markers_fault(position, rules, seen, out),
    ):
        if found is not None:
            return Closing(found)
    return Closing(None, tuple(dict.fromkeys(questions)), out)


def is_out(position: Position, rules: Rules, claims_out: bool = False) -> bool:
    """The seat has no tile left and its last one ends the matter [S0-20]. An unknown hand is believed."""
    turn = position.turn
    count = position.hand(turn.seat).count
    if count == 0:
        return bool(turn.lays) and turn.need is not Need.CLOSE
    if count is not None or not claims_out:
        return False
    return owed_double(position) is None or not blocks_going_out(position, rules)


def _third_tile(position: Position, rules: Rules, out: bool) -> Fault | None:
    if out or not lacks_third_tile(position, rules):
        return None
    turn = position.turn
    return fault(Code.DOUBLE_LIMIT, seat=turn.seat, tile=turn.lays[-1].laid.tile, limit=2)


def _first_line_end(position: Position, rules: Rules) -> Fault | None:
    """A first line that ends with a double where that is not allowed [DCR, `first_turn_end_double`]."""
    if not ends_line_with_double(position):
        return None
    seat, last = position.turn.seat, position.turn.lays[-1].laid
    found = fault(Code.FIRST_TURN_DOUBLE_END, seat=seat, tile=last.tile)
    if rules.first_turn_end_double == "forbidden":
        return found
    if rules.first_turn_end_double != "must_cover_if_able":
        return None
    hand = position.hand(seat).tiles
    able = any(fits(half, last.far, rules) for tile in hand for half in (tile.low, tile.high))
    return found if able else None


def _out_on_double(
    position: Position, rules: Rules, claims_out: bool, questions: list[Question]
) -> Fault | None:
    """A claim to be out on a double that cannot end the round [S3-10]."""
    turn = position.turn
    count = position.hand(turn.seat).count
    owed = owed_double(position)
    if not claims_out or owed is None or count not in (0, None) or not blocks_going_out(position, rules):
        return None
    if rules.go_out_on_double == "not_while_boneyard" and position.boneyard_count is None:
        questions.append(Question.BONEYARD)
        return None
    return fault(Code.NOT_OUT_ON_DOUBLE, seat=turn.seat, tile=turn.lays[-1].laid.tile)


def _draw_owed(position: Position, rules: Rules, questions: list[Question]) -> Fault | None:
    """Who cannot lay draws, while there is something to draw [S0-12, S0-09]."""
    turn = position.turn
    if not draw_is_due(position, rules):
        return None
    code = Code.DRAW_REQUIRED if turn.need is Need.TILE else Code.EXTRA_OWED
    if turn.pending:
        last = turn.pending[-1]
        fitting = drawn_fits(position, rules, last)
        if fitting is Answer.YES:
            return None  # keeping it is the fault, if it is one
        if fitting is Answer.UNKNOWN and rules.draw_play == "may":
            questions.append(Question.MUST_PLAY)
            return None
        code = Code.DRAW_REQUIRED
    if position.boneyard_count is None:
        questions.append(Question.BONEYARD)
        return None
    return fault(code, seat=turn.seat)


def draw_is_due(position: Position, rules: Rules) -> bool:
    """A tile is owed and the seat has not drawn for it, or not enough; an empty boneyard ends it."""
    turn = position.turn
    if position.boneyard_count == 0 or turn.need not in (
        Need.TILE, Need.EXTRA, Need.DRAWN_EXTRA, Need.CLOSE,
    ):
        return False
    if turn.need is Need.TILE and turn.mode is Mode.BUILD and rules.first_turn_draw == "none":
        return False
    if turn.need in (Need.EXTRA, Need.DRAWN_EXTRA) and rules.marker_on_failed_cover == "layer_exempt":
        return False
    return not turn.pending or draws_on(position, rules)


def _must_play(
    position: Position, rules: Rules, able: Answer, questions: list[Question]
) -> Fault | None:
    """Whoever can lay must [S3-24]: judged on the position at the draw, or at the pass."""
    if rules.must_play != "strict":
        return None
    turn = position.turn
    answers = [able]
    if not turn.pending and turn.need in (Need.TILE, Need.EXTRA, Need.CLOSE, Need.SECOND):
        at_pass = could_play(position, rules)
        lays_alone = turn.need is Need.SECOND or (turn.need is Need.EXTRA and position.boneyard_count != 0)
        if at_pass is Answer.UNKNOWN and lays_alone:
            at_pass = Answer.NO  # turns of lays alone never raise the question
        answers.append(at_pass)
    if Answer.YES in answers:
        return fault(Code.MUST_PLAY, seat=turn.seat)
    if Answer.UNKNOWN in answers:
        questions.append(Question.MUST_PLAY)
    return None


def _must_play_drawn(position: Position, rules: Rules, questions: list[Question]) -> Fault | None:
    """A drawn tile that fits is laid [S1-12, S3-23, `draw_play`]."""
    if rules.draw_play != "must":
        return None
    for tile in position.turn.pending:
        fitting = drawn_fits(position, rules, tile)
        if fitting is Answer.YES:
            return fault(Code.MUST_PLAY_DRAWN, seat=position.turn.seat, tile=tile)
        if fitting is Answer.UNKNOWN:
            questions.append(Question.MUST_PLAY)
    return None


def pass_fault(position: Position, rules: Rules, move: Pass) -> Fault | None:
    """Why the turn may not end here. Hidden tiles are given the benefit of the doubt."""
    closing = close_turn(position, rules)
    if closing.fault is not None or move.marker is None:
        return closing.fault
    seat = position.turn.seat
    code = own_marker(position, rules, closing.out).fault(move.marker)
    return None if code is None else fault(code, train=seat, seat=seat)
