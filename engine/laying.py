"""The change a laid or drawn tile makes, and what the seat may do after it. No rule is tested here."""

from __future__ import annotations

from dataclasses import replace

from engine.doubles import answers_for, blocks_going_out, due, without_dead
from engine.errors import PositionError
from engine.moves import Play
from engine.placement import may_be_last
from engine.position import Lay, Mode, Need, OpenDouble, Position
from engine.rules import Rules
from engine.spots import Spot
from engine.table import Train
from engine.tile import Tile


def lay(position: Position, rules: Rules, play: Play, spot: Spot, drawn: bool = False) -> Position:
    """Put a tile down at a spot. Raises `PositionError` if a known hand does not hold it."""
    turn = position.turn
    train, line = _with_laid(position.table.train(play.train), play, spot)
    table = position.table.with_train(train)
    doubles = _after_answer(position.open_doubles, spot)
    if play.laid.is_double:
        doubles += (_opened(position, rules, play, line),)
    doubles = without_dead(doubles, table, rules)
    hand = position.hand(turn.seat).without(play.laid.tile)
    made = Lay(play.train, play.laid, line, drawn)
    after = replace(
        position.with_hand(turn.seat, hand),
        table=table,
        open_doubles=doubles,
        turn=replace(turn, lays=(*turn.lays, made), pending=()),
    )
    return replace(after, turn=replace(after.turn, need=_need_after(after, rules, made, spot.covers)))


def _with_laid(train: Train, play: Play, spot: Spot) -> tuple[Train, int]:
    """The train with the tile on it, and the number of the line where the tile lies."""
    if spot.branch_index is not None:
        return train.with_limb(spot.line, spot.branch_index, play.laid), len(train.limbs) + 1
    if spot.covers is not None and spot.covers.foot:
        index = len(train.lines[spot.line]) - 1
        return train.with_limb(spot.line, index, play.laid), len(train.limbs) + 1
    return train.with_tile(play.laid, spot.line), spot.line


def _after_answer(doubles: tuple[OpenDouble, ...], spot: Spot) -> tuple[OpenDouble, ...]:
    if spot.covers is None or spot.branch_index is not None:
        return doubles
    if spot.covers.answers == 1:
        return tuple(double for double in doubles if double != spot.covers)
    fewer = replace(spot.covers, answers=spot.covers.answers - 1)
    return tuple(fewer if double == spot.covers else double for double in doubles)


def _opened(position: Position, rules: Rules, play: Play, line: int) -> OpenDouble:
    """A double inside a first line is covered by the line itself; what ends it is settled with the turn."""
    seat = position.turn.seat
    if position.turn.mode is Mode.BUILD or position.turn.need is Need.LINE:
        return OpenDouble(play.train, play.laid.far, line, layer=seat)
    answers = answers_for(play.train, seat, rules)
    return OpenDouble(play.train, play.laid.far, line, answers, answers > 1, seat)


def _need_after(after: Position, rules: Rules, made: Lay, covered: OpenDouble | None) -> Need:
    """What the seat may do after a lay (rules matrix, 2.3, 2.4, 3.3, 3.7, 3.8)."""
    turn = after.turn
    own = made.train == turn.seat
    still_open = _is_open(after, made)
    if after.hand(turn.seat).count == 0:
        return Need.CLOSE if still_open and blocks_going_out(after, rules) else Need.NOTHING
    if turn.mode is Mode.BUILD or turn.need is Need.LINE or (turn.may_build and own and len(turn.lays) == 1):
        return Need.NOTHING if made.drawn and rules.first_turn_after_draw == "single" else Need.LINE
    if made.laid.is_double:
        return _need_after_double(rules, made, still_open)
    if turn.mode is Mode.DUTY and covered is not None and turn.need in (Need.TILE, Need.CHAIN):
        others = [double for double in due(after, rules) if double.train != made.train]
        return Need.CHAIN if rules.cover_chain == "same_player" and others else Need.NOTHING
    if turn.plays_two and own and len(turn.lays) == 1:
        return Need.SECOND
    return Need.NOTHING


def _need_after_double(rules: Rules, made: Lay, still_open: bool) -> Need:
    if rules.double_extra_tile == "none" or (made.drawn and not rules.drawn_double_repeats):
        return Need.NOTHING
    if rules.extra_must_cover and not still_open:
        return Need.NOTHING  # dead: it owes no extra tile, no draw, no marker [S4-11]
    if rules.double_extra_tile == "optional":
        return Need.MAY_EXTRA
    if made.drawn and rules.drawn_double_followup == "draw_only":
        return Need.DRAWN_EXTRA
    return Need.EXTRA


def _is_open(position: Position, made: Lay) -> bool:
    place = (made.train, made.line, made.laid.far)
    return made.laid.is_double and any(
        (double.train, double.line, double.value) == place for double in position.open_doubles
    )


def draw(position: Position, rules: Rules, tile: Tile | None) -> Position:
    """Take a tile from the boneyard into the hand: the named one, else the next one, else an unseen one."""
    boneyard, count = position.boneyard, position.boneyard_count
    if boneyard is not None:
        if tile is None:
            tile, boneyard = boneyard[0], boneyard[1:]
        else:
            boneyard = tuple(other for other in boneyard if other != tile)
    if tile is not None and tile.high > rules.set_size:
        raise PositionError(f"{tile} is drawn, but a double-{rules.set_size} set has no such tile")
    if tile is not None and position.table.has(tile):
        raise PositionError(f"{tile} is drawn, but it lies on the table")
    turn = position.turn
    hand = position.hand(turn.seat)
    if tile is not None and tile in hand.tiles:
        raise PositionError(f"{tile} is drawn, but it is in the hand already")
    hand = hand.with_tile(tile)
    need = Need.CLOSE if may_be_last(position, rules) else turn.need
    return replace(
        position.with_hand(turn.seat, hand),
        boneyard=boneyard,
        boneyard_count=None if count is None else count - 1,
        turn=replace(turn, pending=(*turn.pending, tile), need=need),
    )
