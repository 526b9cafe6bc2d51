"""Reason codes: why a play is not allowed, in the order in which reasons are given (rules matrix, 5)."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

Param = str | int | bool | None


class Code(enum.StrEnum):
    """What is wrong with an act, a turn or a request. The `R_` codes are faults at the table."""

    # turn, set
    WRONG_TURN = "R_WRONG_TURN"
    NOT_IN_SET = "R_NOT_IN_SET"
    DUPLICATE_TILE = "R_DUPLICATE_TILE"
    # duty, first turn, count
    OPEN_DOUBLE_FIRST = "R_OPEN_DOUBLE_FIRST"
    WRONG_DOUBLE_ORDER = "R_WRONG_DOUBLE_ORDER"
    FIRST_TURN_OWN_ONLY = "R_FIRST_TURN_OWN_ONLY"
    FIRST_TURN_DOUBLE_END = "R_FIRST_TURN_DOUBLE_END"
    TOO_MANY_TILES = "R_TOO_MANY_TILES"
    # access, match
    SECOND_MEXICAN = "R_SECOND_MEXICAN"
    MEXICAN_NOT_YET = "R_MEXICAN_NOT_YET"
    OWN_TRAIN_FIRST = "R_OWN_TRAIN_FIRST"
    TRAIN_PRIVATE = "R_TRAIN_PRIVATE"
    NO_MATCH = "R_NO_MATCH"
    # limits
    PUBLIC_CAP = "R_PUBLIC_CAP"
    DOUBLE_LIMIT = "R_DOUBLE_LIMIT"
    BRANCH = "R_BRANCH"
    # drawing and the end of the turn
    BONEYARD_EMPTY = "R_BONEYARD_EMPTY"
    DRAW_TWICE = "R_DRAW_TWICE"
    DRAW_UNDUE = "R_DRAW_UNDUE"
    DRAW_REQUIRED = "R_DRAW_REQUIRED"
    EXTRA_OWED = "R_EXTRA_OWED"
    MUST_PLAY = "R_MUST_PLAY"
    MUST_PLAY_DRAWN = "R_MUST_PLAY_DRAWN"
    NOT_OUT_ON_DOUBLE = "R_NOT_OUT_ON_DOUBLE"
    # markers
    MEXICAN_MARKED = "R_MEXICAN_MARKED"
    MARKER_MISSING = "R_MARKER_MISSING"
    MARKER_UNDUE = "R_MARKER_UNDUE"
    MARKER_KEPT = "R_MARKER_KEPT"
    MARKER_REMOVED_WRONGLY = "R_MARKER_REMOVED_WRONGLY"
    # requests that a program can make and a table cannot
    STALE = "STALE"
    ROUND_OVER = "ROUND_OVER"
    NOT_IN_HAND = "NOT_IN_HAND"
    NOT_IN_BONEYARD = "NOT_IN_BONEYARD"
    NO_CALL_DUE = "NO_CALL_DUE"
    NOTHING_TO_CATCH = "NOTHING_TO_CATCH"
    NOTHING_TO_UNDO = "NOTHING_TO_UNDO"


@dataclass(frozen=True, slots=True)
class Fault:
    """A code with the tile, train, seat and values it speaks of; `engine.messages` makes the sentence."""

    code: Code
    params: Mapping[str, Param] = field(default_factory=dict)


def fault(code: Code, **params: object) -> Fault:
    """A fault; tiles and trains are kept by their text."""
    return Fault(code, {key: _plain(value) for key, value in params.items()})


def _plain(value: object) -> Param:
    return value if value is None or isinstance(value, (bool, int)) else str(value)


RESTS_ON: Mapping[Code, tuple[str, tuple[str, ...]]] = {
    Code.WRONG_TURN: ("S0-06", ("first_turn_order",)),
    Code.NOT_IN_SET: ("S0-01", ("set_size",)),
    Code.DUPLICATE_TILE: ("S0-01", ()),
    Code.OPEN_DOUBLE_FIRST: ("S0-14", ("double_duty", "double_extra_placement", "duty_draw_placement")),
    Code.WRONG_DOUBLE_ORDER: ("PG, PHP", ("double_order",)),
    Code.FIRST_TURN_OWN_ONLY: ("S0-07, S0-10", ("first_turn", "marker_public_in_first_turn")),
    Code.FIRST_TURN_DOUBLE_END: ("DCR", ("first_turn_end_double",)),
    Code.TOO_MANY_TILES: (
        "S0-08", ("first_turn", "first_build_carry", "double_extra_tile", "drawn_double_repeats", "cover_chain")
    ),
    Code.SECOND_MEXICAN: ("S3-03", ("mexican_count", "mexican_present")),
    Code.MEXICAN_NOT_YET: ("S0-10", ("mexican_start",)),
    Code.OWN_TRAIN_FIRST: ("W12, TW", ("own_train_first",)),
    Code.TRAIN_PRIVATE: (
        "S0-08", ("start_other_marked_train", "double_extra_placement", "extra_draw_placement")
    ),
    Code.NO_MATCH: ("S0-07, S4-06", ("blanks_wild",)),
    Code.PUBLIC_CAP: ("S0-V2", ("public_train_tile_cap", "public_trains_per_turn_cap")),
    Code.DOUBLE_LIMIT: ("W12, RAM", ("max_doubles_per_turn",)),
    Code.BRANCH: ("S0-V3", ("double_branching",)),
    Code.BONEYARD_EMPTY: ("S1-13", ("empty_boneyard",)),
    Code.DRAW_TWICE: ("S0-12", ("draw_count",)),
    Code.DRAW_UNDUE: ("S0-12", ("double_extra_tile", "first_turn_draw")),
    Code.DRAW_REQUIRED: ("S0-12", ("draw_count", "first_turn_draw")),
    Code.EXTRA_OWED: ("S0-09", ("double_extra_tile", "go_out_on_double")),
    Code.MUST_PLAY: ("S3-24", ("must_play",)),
    Code.MUST_PLAY_DRAWN: ("S3-23", ("draw_play",)),
    Code.NOT_OUT_ON_DOUBLE: ("S3-10", ("go_out_on_double",)),
    Code.MEXICAN_MARKED: ("S0-11", ()),
    Code.MARKER_MISSING: ("S0-12", ("marker_trigger", "empty_boneyard")),
    Code.MARKER_UNDUE: ("S0-12", ("voluntary_marker", "empty_boneyard", "marker_at_hub")),
    Code.MARKER_KEPT: ("S0-13", ("marker_removal", "marker_removed_by_open_double")),
    Code.MARKER_REMOVED_WRONGLY: ("S0-13", ("marker_removal", "marker_removed_by_open_double")),
}
"""The claim of the rules matrix a fault rests on, and the house rules that decide it."""
