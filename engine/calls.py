"""The last-tile call: when it is due, until when it is in time, what forgetting costs (rules matrix, 2.5)."""

from __future__ import annotations

from dataclasses import replace

from engine.codes import Code, Fault, fault
from engine.moves import Call, Catch
from engine.position import CallWatch, Position
from engine.rules import Rules
from engine.table import Seat
from engine.tile import Tile


def penalty(rules: Rules, boneyard: int | None) -> int:
    """Tiles to draw for a forgotten call: what is there, if there are fewer [S3-08, TOF]."""
    return rules.call_penalty if boneyard is None else min(rules.call_penalty, boneyard)


def call_fault(position: Position, rules: Rules, move: Call) -> Fault | None:
    """A call is for a seat that is watched, or for the seat to move on its way to one tile."""
    if not rules.one_tile_call:
        return fault(Code.NO_CALL_DUE, seat=move.seat)
    if move.seat == position.turn.seat and not position.turn.called:
        return None
    watched = any(watch.seat == move.seat for watch in position.watches)
    return None if watched else fault(Code.NO_CALL_DUE, seat=move.seat)


def call(position: Position, move: Call) -> Position:
    """The call is made: nothing is left to catch."""
    watches = tuple(watch for watch in position.watches if watch.seat != move.seat)
    position = replace(position, watches=watches)
    if move.seat == position.turn.seat:
        position = replace(position, turn=replace(position.turn, called=True))
    return position


def catch_fault(position: Position, rules: Rules, move: Catch) -> Fault | None:
    """Any other player may catch a seat while its window is open [S0-15, S3-08]."""
    watched = any(watch.seat == move.seat for watch in position.watches)
    others = move.by in position.seats and move.by != move.seat
    if rules.one_tile_call and watched and others:
        return None
    return fault(Code.NOTHING_TO_CATCH, seat=move.seat, by=move.by)


def catch(position: Position, rules: Rules, move: Catch) -> Position:
    """The caught seat draws its penalty."""
    watches = tuple(watch for watch in position.watches if watch.seat != move.seat)
    return penalise(replace(position, watches=watches), rules, move.seat, move.tiles)


def penalise(
    position: Position, rules: Rules, seat: Seat, seen: tuple[Tile, ...] = ()
) -> Position:
    """Move the penalty tiles from the boneyard to a hand; unseen ones count without being known."""
    boneyard, count = position.boneyard, position.boneyard_count
    hand = position.hand(seat)
    for number in range(penalty(rules, count)):
        tile = seen[number] if number < len(seen) else None
        if boneyard is not None:
            tile = boneyard[0] if tile is None else tile
            boneyard = tuple(other for other in boneyard if other != tile)
        hand = hand.with_tile(tile)
        count = None if count is None else count - 1
    return replace(position.with_hand(seat, hand), boneyard=boneyard, boneyard_count=count)


def after_first_action(position: Position, rules: Rules) -> Position:
    """The next player has drawn or laid: the narrow window closes [S3-09].

    Asked after the action: the tile just drawn was the player's, before any penalty came out of the boneyard.
    """
    if not position.watches or rules.call_window != "next_player_first_action":
        return position
    return _close(position, rules)


def after_turn(position: Position, rules: Rules, laid: bool) -> Position:
    """A turn has ended: close windows that end with it, open one if the seat is down to one tile.

    The trigger is the count at the end of the turn, each time it is reached by a play (ruling). `at_play`:
    the call belongs to laying the last tile but one, and needs no catcher [S4-12].
    """
    if not rules.one_tile_call:
        return position
    position = _close(position, rules)
    turn = position.turn
    if not laid or turn.called or position.hand(turn.seat).count != 1:
        return position
    if rules.call_window == "at_play":
        return penalise(position, rules, turn.seat)
    watch = CallWatch(turn.seat, position.left_of(turn.seat))
    return replace(position, watches=(*position.watches, watch))


def _close(position: Position, rules: Rules) -> Position:
    """Windows that close with the seat to move; the referee catches what nobody else has caught."""
    seat = position.turn.seat
    late = [watch for watch in position.watches if watch.until == seat]
    position = replace(position, watches=tuple(w for w in position.watches if w.until != seat))
    if rules.call_caught_by == "referee":
        for watch in late:
            position = penalise(position, rules, watch.seat)
    return position
