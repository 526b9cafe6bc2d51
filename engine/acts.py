"""Single acts: may this tile be laid, may one be drawn, and could the seat have played?

`play_fault` and `draw_fault` speak of what the table shows; `playable` and `could_play` of the hand.
"""

from __future__ import annotations

import enum

from engine.codes import Code, Fault, fault
from engine.doubles import exhausted, fits
from engine.laying import lay
from engine.moves import Play
from engine.placement import doubles_laid, limit_fault, may_be_last, place_fault
from engine.position import Mode, Need, Position
from engine.rules import Rules
from engine.spots import Spot, branch_spots, spot_for, spots, trains_in_play
from engine.table import LaidTile
from engine.tile import Tile

_DRAWING = (Need.TILE, Need.EXTRA, Need.DRAWN_EXTRA, Need.CLOSE)


class Answer(enum.Enum):
    """Could the seat have played? `UNKNOWN` while tiles of its hand are unseen."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


# -- plays ------------------------------------------------------------------------------------------


def play_fault(position: Position, rules: Rules, play: Play) -> Fault | None:
    """Why a tile may not be laid there, as far as the table shows it.

    Order: turn, set, duplicate, then place, match and limits; last, that only the drawn tile may follow a
    draw (rules matrix, 5).
    """
    turn = position.turn
    if play.seat is not None and play.seat != turn.seat:
        return fault(Code.WRONG_TURN, seat=play.seat, to_move=turn.seat)
    if max(play.laid.near, play.laid.far) > rules.set_size:
        return fault(Code.NOT_IN_SET, tile=play.laid.tile, set_size=rules.set_size)
    if position.table.has(play.laid.tile):
        return fault(Code.DUPLICATE_TILE, tile=play.laid.tile)
    drawn = is_drawn_tile(position, play.laid.tile)
    spot = spot_for(position, rules, play)
    found = place_fault(position, rules, spot, drawn)
    if found is None and spot.end is not None and not fits(play.laid.near, spot.end, rules):
        found = fault(Code.NO_MATCH, train=play.train, tile=play.laid, end=spot.end)
    if found is None:
        found = limit_fault(position, rules, spot, play.laid)
    if found is None and turn.pending and not drawn:
        # It lies well, so it could have been laid before drawing.
        return fault(Code.MUST_PLAY, seat=turn.seat, tile=play.laid.tile, train=play.train)
    return found


def is_drawn_tile(position: Position, tile: Tile) -> bool:
    """The tile is one drawn since the last lay: seen, or unseen and not known to be in the hand."""
    pending = position.turn.pending
    if not pending:
        return False
    return tile in pending or (None in pending and tile not in position.hand(position.turn.seat).tiles)


def follow_up_missing(position: Position, rules: Rules, spot: Spot, laid: LaidTile) -> Fault | None:
    """A double that would leave the seat stuck, judged from a wholly known hand.

    Under `two_if_followed` the second double needs a third tile from the hand, or empties it [RAM]; a first
    line that may not end with a double needs its cover in the hand [DCR].
    """
    seat = position.turn.seat
    hand = position.hand(seat)
    if not laid.is_double or not hand.known:
        return None
    rest = [tile for tile in hand.tiles if tile != laid.tile]
    building = position.turn.mode is Mode.BUILD or position.turn.need is Need.LINE
    if building:
        if rules.first_turn_end_double != "forbidden":
            return None
        goes_on = not position.turn.pending or rules.first_turn_after_draw == "line"
        covers = [tile for tile in rest if goes_on and not tile.is_double]
        if any(fits(half, laid.far, rules) for tile in covers for half in (tile.low, tile.high)):
            return None
        return fault(Code.FIRST_TURN_DOUBLE_END, seat=seat, tile=laid.tile)
    if rules.max_doubles_per_turn != "two_if_followed" or doubles_laid(position) != 1 or not rest:
        return None
    play = Play(spot.train, laid, spot.branch_index, spot.line)
    ahead = lay(position, rules, play, spot, drawn=bool(position.turn.pending))
    return None if playable(ahead, rules) else fault(Code.DOUBLE_LIMIT, seat=seat, tile=laid.tile, limit=2)


def open_spots(position: Position, rules: Rules, drawn: bool) -> list[Spot]:
    """Every spot the seat to move may use now, whatever tiles it holds."""
    return [
        spot
        for train in trains_in_play(position, rules)
        for spot in (*spots(position, rules, train), *branch_spots(position, rules, train))
        if place_fault(position, rules, spot, drawn) is None
    ]


def playable(position: Position, rules: Rules, tiles: tuple[Tile, ...] | None = None) -> list[Play]:
    """The plays the seat to move could make from the known tiles of its hand.

    `tiles` narrows it to some of them; drawn tiles are judged as drawn where that matters.
    """
    hand = position.hand(position.turn.seat).tiles if tiles is None else tiles
    pending = position.turn.pending
    if pending:
        hand = tuple(tile for tile in hand if tile in pending)
    found: list[Play] = []
    if not hand:
        return found
    usable = open_spots(position, rules, bool(pending))
    for spot in usable:
        if spot.end is None:
            continue
        line = _line_to_name(spot, usable)
        for tile in hand:
            for laid in _ways(tile, spot.end, rules):
                if limit_fault(position, rules, spot, laid) is not None:
                    continue
                if laid.is_double and follow_up_missing(position, rules, spot, laid) is not None:
                    continue
                found.append(Play(spot.train, laid, spot.branch_index, line))
    return found


def _line_to_name(spot: Spot, usable: list[Spot]) -> int | None:
    """The line, where the train alone would not say which end is meant."""
    if spot.branch_index is not None:
        return spot.line
    rivals = [
        other for other in usable if other.train == spot.train and other.branch_index is None and other != spot
    ]
    return spot.line if rivals else None


def _ways(tile: Tile, end: int, rules: Rules) -> list[LaidTile]:
    if not rules.blanks_wild:
        if tile.low == end:
            return [LaidTile(tile.low, tile.high)]
        return [LaidTile(tile.high, tile.low)] if tile.high == end else []
    ways = [LaidTile(tile.low, tile.high)] if fits(tile.low, end, rules) else []
    if not tile.is_double and fits(tile.high, end, rules):
        ways.append(LaidTile(tile.high, tile.low))
    return ways


def could_play(position: Position, rules: Rules) -> Answer:
    """Whether the seat could lay a tile from its hand now (rules matrix, 6.1 no. 1 and "Hidden tiles")."""
    hand = position.hand(position.turn.seat)
    if hand.tiles and (plays := playable(position, rules)):
        return _certain(position, rules, plays)
    if hand.known:
        return Answer.NO
    usable = open_spots(position, rules, drawn=False)
    if all(spot.end is None or exhausted(position.table, spot.end, rules) for spot in usable):
        return Answer.NO
    return Answer.UNKNOWN


def _certain(position: Position, rules: Rules, plays: list[Play]) -> Answer:
    """`YES`, unless all that could be laid are doubles that need a follow-up from a hand nobody has seen."""
    hand = position.hand(position.turn.seat)
    if hand.known or not all(play.laid.is_double for play in plays):
        return Answer.YES
    if position.turn.mode is Mode.BUILD or position.turn.need is Need.LINE:
        needs = rules.first_turn_end_double == "forbidden"
    else:
        needs = rules.max_doubles_per_turn == "two_if_followed" and doubles_laid(position) == 1 and hand.count != 1
    return Answer.UNKNOWN if needs else Answer.YES


def drawn_fits(position: Position, rules: Rules, tile: Tile | None) -> Answer:
    """Whether a drawn tile that is still in hand could be laid."""
    if tile is not None:
        plays = playable(position, rules, (tile,))
        return _certain(position, rules, plays) if plays else Answer.NO
    usable = open_spots(position, rules, drawn=True)
    if all(spot.end is None or exhausted(position.table, spot.end, rules) for spot in usable):
        return Answer.NO
    return Answer.UNKNOWN


# -- draws ------------------------------------------------------------------------------------------


def draws_on(position: Position, rules: Rules) -> bool:
    """The seat draws until a tile fits [RC, FUN: `draw_count`, `first_turn_draw`]."""
    turn = position.turn
    if turn.need is Need.CLOSE:
        return False
    if turn.mode is Mode.BUILD and rules.first_turn_draw == "until_start":
        return True
    return rules.draw_count == "until_playable"


def draw_fault(position: Position, rules: Rules) -> Fault | None:
    """Why no tile may be drawn now, as far as the table shows it [S0-12]."""
    turn = position.turn
    if lacks_third_tile(position, rules):
        return fault(Code.DOUBLE_LIMIT, seat=turn.seat, tile=turn.lays[-1].laid.tile, limit=2)
    if position.boneyard_count == 0:
        return fault(Code.BONEYARD_EMPTY, seat=turn.seat)
    if turn.need not in _DRAWING and not may_be_last(position, rules):
        return fault(Code.DRAW_UNDUE, seat=turn.seat)
    if turn.mode is Mode.BUILD and turn.need is Need.TILE and rules.first_turn_draw == "none":
        return fault(Code.DRAW_UNDUE, seat=turn.seat)
    if not turn.pending:
        return None
    if not draws_on(position, rules):
        return fault(Code.DRAW_TWICE, seat=turn.seat)
    if turn.pending[-1] is not None and drawn_fits(position, rules, turn.pending[-1]) is Answer.YES:
        code = Code.MUST_PLAY_DRAWN if rules.draw_play == "must" else Code.DRAW_UNDUE
        return fault(code, seat=turn.seat, tile=turn.pending[-1])
    return None


def lacks_third_tile(position: Position, rules: Rules) -> bool:
    """`two_if_followed`: two doubles lie, and the third tile from the hand is missing [RAM]."""
    turn = position.turn
    if rules.max_doubles_per_turn != "two_if_followed" or turn.need is Need.CLOSE:
        return False
    if turn.mode is Mode.BUILD or turn.need is Need.LINE or turn.last_double is None:
        return False
    return doubles_laid(position) == 2 and position.hand(turn.seat).count != 0
