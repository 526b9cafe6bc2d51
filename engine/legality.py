"""What the seat to move may do, and why not: every kind of move through one door."""

from __future__ import annotations

from engine import calls, turn_end
from engine.acts import Answer, could_play, draw_fault, follow_up_missing, play_fault, playable
from engine.codes import Code, Fault, fault
from engine.moves import Call, Catch, Draw, Move, Pass, Play
from engine.position import Position
from engine.rules import Rules
from engine.spots import spot_for


def why_not(position: Position, move: Move, rules: Rules) -> Fault | None:
    """Why a move is refused, or `None` if it is legal. Hidden tiles are given the benefit of the doubt."""
    if position.is_over:
        return fault(Code.ROUND_OVER)
    if isinstance(move, Call):
        return calls.call_fault(position, rules, move)
    if isinstance(move, Catch):
        return calls.catch_fault(position, rules, move)
    turn = position.turn
    if move.seat is not None and move.seat != turn.seat:
        return fault(Code.WRONG_TURN, seat=move.seat, to_move=turn.seat)
    if isinstance(move, Play):
        return _why_not_play(position, move, rules)
    if isinstance(move, Draw):
        return _why_not_draw(position, move, rules)
    return turn_end.pass_fault(position, rules, move)


def _why_not_play(position: Position, play: Play, rules: Rules) -> Fault | None:
    found = play_fault(position, rules, play)
    if found is not None:
        return found
    hand = position.hand(position.turn.seat)
    if hand.known and play.laid.tile not in hand.tiles:
        return fault(Code.NOT_IN_HAND, seat=position.turn.seat, tile=play.laid.tile)
    if not play.laid.is_double:
        return None
    return follow_up_missing(position, rules, spot_for(position, rules, play), play.laid)


def _why_not_draw(position: Position, move: Draw, rules: Rules) -> Fault | None:
    found = draw_fault(position, rules)
    if found is not None:
        return found
    boneyard = position.boneyard
    if boneyard is not None and move.tile is not None and move.tile not in boneyard:
        return fault(Code.NOT_IN_BONEYARD, tile=move.tile)
    asked = not position.turn.pending and rules.must_play == "strict"
    if asked and could_play(position, rules) is Answer.YES:
        return fault(Code.MUST_PLAY, seat=position.turn.seat)
    return None


def is_legal(position: Position, move: Move, rules: Rules) -> bool:
    """True if the move is not refused."""
    return why_not(position, move, rules) is None


def legal_moves(position: Position, rules: Rules) -> list[Move]:
    """What the seat to move may do, from the known tiles of its hand: plays, then draw, then pass."""
    if position.is_over:
        return []
    moves: list[Move] = []
    moves += playable(position, rules)
    must_lay = bool(moves) and rules.must_play == "strict" and not position.turn.pending
    if not must_lay and draw_fault(position, rules) is None:
        moves.append(Draw())
    if is_legal(position, Pass(), rules):
        moves.append(Pass())
    return moves
