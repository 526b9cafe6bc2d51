"""Where a tile may go: one function for each rule, in the order in which reasons are given.

Every rule takes an `Ask` and answers with a `Fault` or `None`. The referee and the list of legal moves both
ask these same functions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.codes import Code, Fault, fault
from engine.doubles import blocks_going_out, due
from engine.position import Mode, Need, OpenDouble, Position
from engine.rules import Rules
from engine.spots import Spot, can_branch
from engine.table import LaidTile, mexican_number


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the rules: may the seat to move lay here, now, this tile?

    `drawn`: the tile was just taken from the boneyard. The place rules look at neither half of it.
    """

    position: Position
    rules: Rules
    spot: Spot
    drawn: bool
    laid: LaidTile


NO_TILE = LaidTile(0, 0)
"""Stands in an `Ask` about the place alone."""

Rule = Callable[[Ask], Fault | None]

_EXTRAS = (Need.EXTRA, Need.MAY_EXTRA, Need.DRAWN_EXTRA)


def owed_double(position: Position) -> OpenDouble | None:
    """The double laid last in this turn, if it is still open."""
    lay = position.turn.last_double
    if lay is None:
        return None
    for double in reversed(position.open_doubles):
        if (double.train, double.line, double.value) == (lay.train, lay.line, lay.laid.far):
            return double
    return None


def may_be_last(position: Position, rules: Rules) -> bool:
    """The turn seems done, but a hand nobody counted may have ended with this double, which must be covered.

    A draw now is then the one for that cover [S3-10, `go_out_on_double`], so the table shows no fault in it.
    """
    turn = position.turn
    if turn.need not in (Need.NOTHING, Need.MAY_EXTRA) or position.hand(turn.seat).count is not None:
        return False
    return owed_double(position) is not None and blocks_going_out(position, rules)


def _laid_this_turn(position: Position, double: OpenDouble) -> bool:
    place = (double.train, double.line, double.value)
    return any(
        lay.laid.is_double and (lay.train, lay.line, lay.laid.far) == place for lay in position.turn.lays
    )


def is_owed_cover(position: Position, rules: Rules, spot: Spot) -> bool:
    """Laying here is what the seat is bound to do, whoever's train it is [S0-14, S1-V1]."""
    if spot.covers is None or spot.branch_index is not None:
        return False
    turn = position.turn
    if turn.mode is Mode.DUTY and turn.need in (Need.TILE, Need.CHAIN):
        return spot.covers in due(position, rules)
    if turn.need is Need.CLOSE or (turn.need in _EXTRAS and rules.extra_must_cover):
        return spot.covers == owed_double(position)
    return False


# -- count ------------------------------------------------------------------------------------------


def count_rule(ask: Ask) -> Fault | None:
    """One tile a turn, one more for a double, a whole line in the first turn [S0-07, S0-08, S0-09]."""
    turn = ask.position.turn
    own = ask.spot.train == turn.seat
    surplus = fault(Code.TOO_MANY_TILES, seat=turn.seat, train=ask.spot.train)
    if turn.need is Need.NOTHING:
        return surplus
    if turn.need is Need.LINE and not own and turn.mode is not Mode.BUILD:
        return surplus  # a carried line grows on the own train only
    if turn.need is Need.SECOND and not own:
        return surplus
    if turn.need is Need.CLOSE and not ask.drawn:
        return surplus
    if turn.need is Need.DRAWN_EXTRA and not ask.drawn:
        # S3-26 to the letter: this extra tile comes from the boneyard or not at all.
        none_to_draw = ask.position.boneyard_count == 0 or turn.pending
        return surplus if none_to_draw else fault(Code.DRAW_REQUIRED, seat=turn.seat)
    return None


# -- duty -------------------------------------------------------------------------------------------


def duty_rule(ask: Ask) -> Fault | None:
    """An open double comes before any other play [S0-14]; the layer's extra as agreed [S1-V1, C3]."""
    turn = ask.position.turn
    if turn.mode is Mode.DUTY and turn.need in (Need.TILE, Need.CHAIN):
        if ask.drawn and ask.rules.duty_draw_placement == "anywhere":
            return None
        wanted = due(ask.position, ask.rules)
        if is_owed_cover(ask.position, ask.rules, ask.spot):
            return None
        code = Code.OPEN_DOUBLE_FIRST if ask.spot.covers is None else Code.WRONG_DOUBLE_ORDER
        first = wanted[-1] if ask.rules.double_order == "last_first" else wanted[0]
        return fault(code, seat=turn.seat, train=ask.spot.train, double=first.value, double_train=first.train)
    must_cover = turn.need is Need.CLOSE or (turn.need in _EXTRAS and ask.rules.extra_must_cover)
    if must_cover and not is_owed_cover(ask.position, ask.rules, ask.spot):
        lay = turn.lays[-1]
        return fault(
            Code.OPEN_DOUBLE_FIRST,
            seat=turn.seat,
            train=ask.spot.train,
            double=lay.laid.far,
            double_train=lay.train,
        )
    return None


# -- first turn -------------------------------------------------------------------------------------


def first_turn_rule(ask: Ask) -> Fault | None:
    """In the first turn only the own train; under `one_tile` also the Mexican train [S0-07, S3-21]."""
    turn = ask.position.turn
    if turn.number != 1 or ask.spot.train == turn.seat or is_owed_cover(ask.position, ask.rules, ask.spot):
        return None
    own_only = fault(Code.FIRST_TURN_OWN_ONLY, seat=turn.seat, train=ask.spot.train)
    if ask.rules.first_turn == "build":
        return own_only
    if mexican_number(ask.spot.train) is not None:
        return None
    if ask.rules.marker_public_in_first_turn and ask.position.table.train(ask.spot.train).marker:
        return None
    return own_only


# -- access -----------------------------------------------------------------------------------------


def second_mexican_rule(ask: Ask) -> Fault | None:
    """No more Mexican trains than agreed, and none where there is none [S3-03, WP]."""
    number = mexican_number(ask.spot.train)
    if number is None:
        return None
    allowed = ask.rules.mexican_count
    if ask.rules.mexican_present and (allowed == "slots" or number <= allowed):
        return None
    return fault(Code.SECOND_MEXICAN, train=ask.spot.train, present=ask.rules.mexican_present)


def mexican_start_rule(ask: Ask) -> Fault | None:
    """When the first tile of a Mexican train may be laid [S0-10, S1-10, `mexican_start`]."""
    if mexican_number(ask.spot.train) is None or ask.position.table.train(ask.spot.train).started:
        return None
    seat = ask.position.turn.seat
    if ask.rules.mexican_start == "second_turn":
        early = ask.position.turn.number < 2
    elif ask.rules.mexican_start == "own_started":
        early = not ask.position.table.train(seat).started
    elif ask.rules.mexican_start == "after_all_trains":
        early = not all(ask.position.table.train(owner).started for owner in ask.position.seats)
    else:
        early = False
    if not early:
        return None
    return fault(Code.MEXICAN_NOT_YET, seat=seat, train=ask.spot.train, when=ask.rules.mexican_start)


def own_train_first_rule(ask: Ask) -> Fault | None:
    """The own train is started before others are played on [W12, TW, `own_train_first`]."""
    seat = ask.position.turn.seat
    if ask.rules.own_train_first == "none" or ask.spot.train == seat:
        return None
    if ask.position.table.train(seat).started:
        return None
    if is_owed_cover(ask.position, ask.rules, ask.spot):
        return None
    if ask.rules.own_train_first == "others" and mexican_number(ask.spot.train) is not None:
        return None
    return fault(Code.OWN_TRAIN_FIRST, seat=seat, train=ask.spot.train)


def private_rule(ask: Ask) -> Fault | None:
    """Another seat's train only while it is marked [S0-08]; an extra tile perhaps nowhere private [S3-25]."""
    turn = ask.position.turn
    if mexican_number(ask.spot.train) is not None or is_owed_cover(ask.position, ask.rules, ask.spot):
        return None
    train = ask.position.table.train(ask.spot.train)
    private = fault(Code.TRAIN_PRIVATE, seat=turn.seat, train=ask.spot.train)
    if _extra_is_narrowed(ask.position, ask.rules, ask.drawn):
        covers_own_double = ask.spot.covers is not None and _laid_this_turn(ask.position, ask.spot.covers)
        if not train.marker and not covers_own_double:
            return private
    if ask.spot.train == turn.seat:
        return None
    anyone = ask.rules.double_duty == "own_train" and ask.rules.closed_train_cover_access == "anyone"
    if anyone and ask.spot.covers is not None:
        return None
    if not train.marker:
        return private
    if not train.started and not ask.rules.start_other_marked_train:
        return private
    return None


def _extra_is_narrowed(position: Position, rules: Rules, drawn: bool) -> bool:
    """`double_or_public`: the tile after a double goes on a double of this turn or a public train [S3-25]."""
    if position.turn.need not in _EXTRAS:
        return False
    if rules.double_extra_placement == "double_or_public":
        return True
    return drawn and rules.extra_draw_placement == "double_or_public"


PLACE_RULES: tuple[Rule, ...] = (
    count_rule,
    duty_rule,
    first_turn_rule,
    second_mexican_rule,
    mexican_start_rule,
    own_train_first_rule,
    private_rule,
)
"""Duty, first turn, count, access. Count goes first: it only speaks of tiles the seat had no right to lay."""


def place_fault(position: Position, rules: Rules, spot: Spot, drawn: bool) -> Fault | None:
    """The first rule that forbids this spot to the seat to move, whatever the tile."""
    ask = Ask(position, rules, spot, drawn, NO_TILE)
    for rule in PLACE_RULES:
        found = rule(ask)
        if found is not None:
            return found
    return None


# -- limits -----------------------------------------------------------------------------------------


def public_cap_rule(ask: Ask) -> Fault | None:
    """Caps on other seats' marked trains in one turn [S0-V2]; own and Mexican trains do not count."""
    if ask.rules.public_train_tile_cap is None and ask.rules.public_trains_per_turn_cap is None:
        return None
    turn = ask.position.turn

    def counts(train: str) -> bool:
        return train != turn.seat and mexican_number(train) is None and ask.position.table.train(train).marker

    if not counts(ask.spot.train):
        return None
    used = [lay.train for lay in turn.lays if counts(lay.train)] + [ask.spot.train]
    cap, trains_cap = ask.rules.public_train_tile_cap, ask.rules.public_trains_per_turn_cap
    if cap is not None and used.count(ask.spot.train) > cap:
        return fault(Code.PUBLIC_CAP, seat=turn.seat, train=ask.spot.train, cap=cap, of="tiles")
    if trains_cap is not None and len(set(used)) > trains_cap:
        return fault(Code.PUBLIC_CAP, seat=turn.seat, train=ask.spot.train, cap=trains_cap, of="trains")
    return None


def double_limit_rule(ask: Ask) -> Fault | None:
    """Doubles in one turn [W12, RAM, `max_doubles_per_turn`]; the long first line is free of it."""
    turn = ask.position.turn
    if ask.rules.max_doubles_per_turn == "unlimited" or not ask.laid.is_double:
        return None
    if turn.mode is Mode.BUILD or turn.need is Need.LINE:
        return None
    limit = 2 if ask.rules.max_doubles_per_turn == "two_if_followed" else 1
    if doubles_laid(ask.position) < limit:
        return None
    return fault(Code.DOUBLE_LIMIT, seat=turn.seat, tile=ask.laid.tile, limit=limit)


def branch_rule(ask: Ask) -> Fault | None:
    """Side lines only where agreed, at a covered double, two at most [S0-V3, `double_branching`]."""
    if ask.spot.branch_index is None:
        return None
    turn = ask.position.turn
    allowed = (
        ask.rules.double_branching == "optional"
        and turn.mode is not Mode.BUILD
        and turn.need is not Need.LINE
        and can_branch(ask.position.table.train(ask.spot.train), ask.spot.line, ask.spot.branch_index)
    )
    return None if allowed else fault(Code.BRANCH, train=ask.spot.train, tile=ask.laid.tile)


LIMIT_RULES: tuple[Rule, ...] = (public_cap_rule, double_limit_rule, branch_rule)


def limit_fault(position: Position, rules: Rules, spot: Spot, laid: LaidTile) -> Fault | None:
    """The first limit that this tile would break at a spot that is otherwise allowed."""
    ask = Ask(position, rules, spot, False, laid)
    for rule in LIMIT_RULES:
        found = rule(ask)
        if found is not None:
            return found
    return None


def doubles_laid(position: Position) -> int:
    """Doubles laid in this turn."""
    return sum(1 for lay in position.turn.lays if lay.laid.is_double)
