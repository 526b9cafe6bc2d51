"""Every option that changes a verdict, one case or more for each, worked out from the text of the rules."""

from __future__ import annotations

from typing import Any

import pytest

from engine.judge import judge

LINES = {"A": ["12-5"], "B": ["12-3"], "C": ["12-2"], "D": ["12-7"], "M": ["12-4"]}
A9 = {**LINES, "A": ["12-9", "9-9"]}
"""A's train ends in an open 9-9."""
TWO = {**A9, "M": ["12-4", "4-4"]}
BEFORE9 = {**LINES, "A": ["12-9"]}
NINES = ["9-0", "9-1", "9-2", "9-3", "9-4", "9-5", "9-6", "9-7", "9-8"]


def turn(acts: list[list[Any]], opts: dict[str, Any] | None = None, **pre: Any) -> dict[str, Any]:
    fields = {"trains": LINES, "by": "A", "turn": 2, **pre}
    return judge({"id": "x", "kind": "turn", "opts": opts or {}, "pre": fields, "act": acts})


def first(acts: list[list[Any]], opts: dict[str, Any] | None = None, **pre: Any) -> dict[str, Any]:
    return turn(acts, opts, **{"trains": {}, "turn": 1, "firsts": "ABCD", **pre})


def lay(train: str, *tiles: str) -> list[list[Any]]:
    return [["lay", train, tile] for tile in tiles]


def marks(*seats: str) -> list[Any]:
    return ["marks", list(seats)]


def says(answer: dict[str, Any]) -> str:
    """The verdict in one word: `legal`, the reason, or `?` and what is asked."""
    assert "error" not in answer, answer["error"]
    if answer["v"] == "undetermined":
        return f"?{answer['ask']}"
    return answer["why"] or "legal"


DRAW = ["draw", "0-6"]
UNSEEN = ["draw", "?"]
NOTHING = ["0-1", "1-1"]
"""A hand that fits nowhere on LINES."""

CASES: list[tuple[str, str, dict[str, Any]]] = []


def case(name: str, expected: str, answer: dict[str, Any]) -> None:
    CASES.append((name, expected, answer))


# -- first turns ------------------------------------------------------------------------------------

case("line of one", "legal", first(lay("A", "12-5")))
case("line of many", "legal", first(lay("A", "12-5", "5-8", "8-8", "8-1")))
case("line breaks", "R_NO_MATCH", first(lay("A", "12-5", "6-8")))
case("line starts wrong", "R_NO_MATCH", first(lay("A", "5-6")))
case("line leaves own train", "R_FIRST_TURN_OWN_ONLY", first([*lay("A", "12-5"), *lay("M", "12-4")]))
case("draw after the line has begun", "R_DRAW_UNDUE", first([*lay("A", "12-5"), DRAW]))
case("first turn without draw allowed", "legal",
     first([marks("A")], {"first_turn_draw": "none"}, hand=NOTHING))
case("first turn without draw, hand unseen", "?must_play", first([marks("A")], {"first_turn_draw": "none"}))
case("first turn without draw, but a starter held", "R_MUST_PLAY",
     first([marks("A")], {"first_turn_draw": "none"}, hand=["12-1"]))
case("first turn without draw, drawing", "R_DRAW_UNDUE", first([DRAW], {"first_turn_draw": "none"}))
case("until start", "legal", first([DRAW, ["draw", "3-4"], ["draw", "12-6"], *lay("A", "12-6")],
     {"first_turn_draw": "until_start"}, hand=NOTHING))
case("until start, stopping early", "R_DRAW_REQUIRED",
     first([DRAW, marks("A")], {"first_turn_draw": "until_start"}, hand=NOTHING))
case("until start, boneyard runs out", "legal",
     first([DRAW, marks("A")], {"first_turn_draw": "until_start"}, hand=NOTHING, bone=1))
case("drawn starter kept", "R_MUST_PLAY_DRAWN", first([["draw", "12-6"], marks("A")], hand=NOTHING))
case("other tile after a draw in BUILD", "R_MUST_PLAY", first([DRAW, *lay("A", "12-6")]))
case("forbidden double end", "R_FIRST_TURN_DOUBLE_END",
     first(lay("A", "12-5", "5-5"), {"first_turn_end_double": "forbidden"}))
case("cover if able: able", "R_FIRST_TURN_DOUBLE_END",
     first(lay("A", "12-5", "5-5"), {"first_turn_end_double": "must_cover_if_able"},
           hand=["12-5", "5-5", "5-6"]))
case("cover if able: unable", "legal",
     first(lay("A", "12-5", "5-5"), {"first_turn_end_double": "must_cover_if_able"},
           hand=["12-5", "5-5", "6-7"]))
case("cover if able: hand unseen", "legal",
     first(lay("A", "12-5", "5-5"), {"first_turn_end_double": "must_cover_if_able"}))
case("deferred double binds nobody yet", "legal",
     first(lay("B", "12-3"), by="B", firsts="BCD", trains={"A": ["12-5", "5-5"]}, open=[["A", 5]]))
case("deferred double may not be covered from another train in BUILD", "R_FIRST_TURN_OWN_ONLY",
     first(lay("A", "5-3"), by="B", firsts="BCD", trains={"A": ["12-5", "5-5"]}, open=[["A", 5]]))
case("immediate: cover counts as first turn", "legal",
     first(lay("A", "5-3"), {"first_turn_end_double": "immediate"}, by="B", firsts="BCD",
           trains={"A": ["12-5", "5-5"]}, open=[["A", 5]]))
case("preempted seat keeps its line", "legal",
     turn(lay("B", "12-3", "3-7"), {"first_turn_end_double": "immediate"}, by="B",
          trains={"A": ["12-5", "5-5", "5-1"]}))
case("preempted seat has lost its line", "R_TOO_MANY_TILES",
     turn(lay("B", "12-3", "3-7"),
          {"first_turn_end_double": "immediate", "first_build_if_preempted": False}, by="B",
          trains={"A": ["12-5", "5-5", "5-1"]}))
case("carried line", "legal",
     turn(lay("A", "12-3", "3-3", "3-7"), {"first_build_carry": True}, trains={"B": ["12-2"]}, marks=["A"]))
case("carried line grows on the own train only", "R_TOO_MANY_TILES",
     turn([*lay("A", "12-3"), *lay("M", "12-4")], {"first_build_carry": True}, trains={"B": ["12-2"]}))
case("carried line ends with a double: next seat is bound", "legal",
     turn(lay("A", "12-3", "3-3"), {"first_build_carry": True}, trains={"B": ["12-2"]}))
case("carried line: other plays stay ordinary", "R_TOO_MANY_TILES",
     turn(lay("M", "12-3", "3-5"), {"first_build_carry": True}, trains={"B": ["12-2"]}))
case("simultaneous: any seat may build", "legal",
     first([["seat", "C"], *lay("C", "12-5")], {"first_turn_order": "simultaneous"}))
case("sequential: only the seat to move", "R_WRONG_TURN", first([["seat", "C"], *lay("C", "12-5")]))
case("starter plays one of two", "R_MARKER_MISSING",
     first([*lay("A", "12-5"), marks()], {"starter_plays_two": True, "first_turn": "one_tile"}))
case("starter plays two", "legal",
     first([*lay("A", "12-5", "5-6"), marks()], {"starter_plays_two": True, "first_turn": "one_tile"}))
case("starter plays three", "R_TOO_MANY_TILES",
     first(lay("A", "12-5", "5-6", "6-1"), {"starter_plays_two": True, "first_turn": "one_tile"}))
case("not the starter: one tile", "R_TOO_MANY_TILES",
     first(lay("B", "12-5", "5-6"), {"starter_plays_two": True, "first_turn": "one_tile"}, by="B",
           firsts="BCD"))
case("one tile: Mexican too early", "R_MEXICAN_NOT_YET", first(lay("M", "12-4"), {"first_turn": "one_tile"}))
case("one tile: another's train", "R_FIRST_TURN_OWN_ONLY",
     first(lay("A", "5-4"), {"first_turn": "one_tile"}, by="B", firsts="BCD", trains={"A": ["12-5"]},
           marks=["A"]))
case("one tile: marked train open in the first turn", "legal",
     first(lay("A", "5-4"), {"first_turn": "one_tile", "marker_public_in_first_turn": True}, by="B",
           firsts="BCD", trains={"A": ["12-5"]}, marks=["A"]))
case("one tile: double of turn 1 binds at once", "R_OPEN_DOUBLE_FIRST",
     first(lay("B", "12-3"), {"first_turn": "one_tile"}, by="B", firsts="BCD",
           trains={"A": ["12-5", "5-5"]}, open=[["A", 5]]))
case("one tile: cover owed in turn 1 on another's train", "legal",
     first(lay("A", "5-3"), {"first_turn": "one_tile"}, by="B", firsts="BCD",
           trains={"A": ["12-5", "5-5"]}, open=[["A", 5]]))

# -- trains -----------------------------------------------------------------------------------------

case("second Mexican", "R_SECOND_MEXICAN", turn(lay("M2", "12-0")))
case("second Mexican although the first has not started", "R_SECOND_MEXICAN",
     turn(lay("M2", "12-0"), trains={"A": ["12-5"]}))
case("third of two", "R_SECOND_MEXICAN", turn(lay("M3", "12-0"), {"mexican_count": 2}))
case("as many as the hub has slots", "legal", turn(lay("M3", "12-0"), {"mexican_count": "slots"}))
case("no Mexican train", "R_SECOND_MEXICAN", turn(lay("M", "4-0"), {"mexican_present": False}))
case("Mexican in turn 2", "legal", turn(lay("M", "12-9"), trains={"A": ["12-5"]}))
case("Mexican after own started", "legal",
     turn(lay("M", "12-9"), {"mexican_start": "own_started"}, trains={"A": ["12-5"]}))
case("Mexican after all trains", "legal",
     turn(lay("M", "12-9"), {"mexican_start": "after_all_trains"},
          trains={k: v for k, v in LINES.items() if k != "M"}))
case("not in this set", "R_NOT_IN_SET", turn(lay("A", "5-13")))
case("not in a double-nine", "R_NOT_IN_SET", turn(lay("A", "5-10"), n=9, trains={"A": ["9-5"]}))
case("the starting double again", "R_DUPLICATE_TILE", turn(lay("A", "12-12")))
case("own train first: others", "R_OWN_TRAIN_FIRST",
     turn(lay("B", "3-8"), {"own_train_first": "others"}, trains={"B": ["12-3"]}, marks=["A", "B"]))
case("own train first: Mexican stays free", "legal",
     turn(lay("M", "4-8"), {"own_train_first": "others"}, trains={"B": ["12-3"], "M": ["12-4"]}, marks=["A"]))
case("own train first: a duty still binds", "legal",
     turn(lay("B", "3-8"), {"own_train_first": "others"}, trains={"B": ["12-3", "3-3"]}, open=[["B", 3]]))
case("own train first: all", "R_OWN_TRAIN_FIRST",
     turn(lay("M", "4-8"), {"own_train_first": "all"}, trains={"M": ["12-4"]}, marks=["A"]))
case("own train first: all, exempt from duty", "legal",
     turn(lay("A", "12-8"), {"own_train_first": "all"}, trains={"B": ["12-3", "3-3"]}, open=[["B", 3]]))
case("own train first: all, no cover either", "R_OWN_TRAIN_FIRST",
     turn(lay("B", "3-8"), {"own_train_first": "all"}, trains={"B": ["12-3", "3-3"]}, open=[["B", 3]]))
case("marked unstarted train closed to others", "R_TRAIN_PRIVATE",
     turn(lay("B", "12-8"), {"start_other_marked_train": False}, trains={"A": ["12-5"]}, marks=["B"]))
case("tile cap", "R_PUBLIC_CAP",
     turn(lay("C", "2-2", "2-8"), {"public_train_tile_cap": 1}, marks=["C"]))
case("tile cap: two trains", "legal",
     turn([*lay("C", "2-2"), *lay("B", "3-8")], {"public_train_tile_cap": 1}, marks=["B", "C"]))
case("tile cap: Mexican does not count", "legal", turn(lay("M", "4-4", "4-8"), {"public_train_tile_cap": 1}))
case("tile cap: own marked train does not count", "legal",
     turn(lay("A", "5-5", "5-8"), {"public_train_tile_cap": 1}, marks=["A"]))
case("train cap", "R_PUBLIC_CAP",
     turn([*lay("C", "2-2"), *lay("B", "3-8")], {"public_trains_per_turn_cap": 1}, marks=["B", "C"]))
case("train cap: one train twice", "legal",
     turn(lay("C", "2-2", "2-8"), {"public_trains_per_turn_cap": 1}, marks=["C"]))
case("blanks wild", "legal", turn(lay("A", "0-8"), {"blanks_wild": True}))
case("blanks not wild", "R_NO_MATCH", turn(lay("A", "0-8")))
case("anything on a wild blank", "legal",
     turn(lay("A", "7-8"), {"blanks_wild": True}, trains={**LINES, "A": ["12-0"]}))

# -- drawing ----------------------------------------------------------------------------------------

case("nothing left to draw", "R_BONEYARD_EMPTY", turn([DRAW], bone=0))
case("empty boneyard, hand unseen", "?must_play", turn([marks("A")], bone=0))
case("empty boneyard, able", "R_MUST_PLAY", turn([marks("A")], bone=0, hand=["5-8"]))
case("empty boneyard, pass only", "legal",
     turn([marks()], {"empty_boneyard": "pass_only"}, bone=0, hand=NOTHING))
case("empty boneyard, pass only, marked all the same", "R_MARKER_UNDUE",
     turn([marks("A")], {"empty_boneyard": "pass_only"}, bone=0, hand=NOTHING))
case("pass only does not speak of a failed draw", "R_MARKER_MISSING",
     turn([DRAW, marks()], {"empty_boneyard": "pass_only"}, bone=1, hand=NOTHING))
case("boneyard unknown, pass without draw", "?boneyard_count", turn([marks("A")], bone=None, hand=NOTHING))
case("boneyard unknown, extra not drawn for", "?boneyard_count",
     turn([*lay("A", "9-9"), marks("A")], trains=BEFORE9, bone=None, hand=["9-9", "0-1"]))
case("boneyard unknown, draw is never refused", "legal",
     turn([DRAW, marks("A")], bone=None, hand=NOTHING))
case("marker missing outranks a hidden hand", "R_MARKER_MISSING", turn([UNSEEN, marks()]))
case("drew although able", "R_MUST_PLAY", turn([DRAW, marks("A")], hand=["5-8"]))
case("drew although able, then laid the drawn tile", "R_MUST_PLAY",
     turn([["draw", "4-6"], *lay("M", "4-6")], hand=["5-8"]))
case("drew and laid, hand unseen", "?must_play", turn([["draw", "4-6"], *lay("M", "4-6")]))
case("unseen draw laid, hand known to be unable", "legal", turn([UNSEEN, *lay("M", "4-6")], hand=NOTHING))
case("unseen draw kept, hand known", "?must_play", turn([UNSEEN, marks("A")], hand=NOTHING))
case("unseen draw kept where drawn tiles may be kept", "legal",
     turn([UNSEEN, marks("A")], {"draw_play": "may"}, hand=NOTHING))
case("a tile of the known hand after an unseen draw", "R_MUST_PLAY",
     turn([UNSEEN, *lay("A", "5-8")], hand=["5-8"]))
case("another tile after a seen draw", "R_MUST_PLAY", turn([DRAW, *lay("A", "5-8")]))
case("another tile after a draw that does not even fit", "R_NO_MATCH", turn([DRAW, *lay("A", "6-8")]))
case("may draw although able", "legal", turn([DRAW, marks("A")], {"must_play": "optional"}, hand=["5-8"]))
case("hand unseen is no question where play is optional", "legal",
     turn([DRAW, marks("A")], {"must_play": "optional"}))
case("optional play still draws", "R_DRAW_REQUIRED", turn([marks("A")], {"must_play": "optional"}))
case("until playable", "legal",
     turn([DRAW, ["draw", "0-8"], ["draw", "4-6"], *lay("M", "4-6")], {"draw_count": "until_playable"},
          hand=NOTHING))
case("until playable, stopping", "R_DRAW_REQUIRED",
     turn([DRAW, marks("A")], {"draw_count": "until_playable"}, hand=NOTHING))
case("until playable, keeping what fits", "R_MUST_PLAY_DRAWN",
     turn([["draw", "4-6"], marks("A")], {"draw_count": "until_playable"}, hand=NOTHING))
case("hand known to be empty at the draw", "legal",
     turn([*lay("A", "9-9"), ["draw", "0-6"], marks("A")], {"go_out_on_double": "must_cover"},
          trains=BEFORE9, handcount=1))
EXHAUSTED = {"A": ["12-6"], "M": ["12-11", "11-6", "6-6", "6-0", "0-1", "1-6", "6-2", "2-3", "3-6", "6-4",
             "4-5", "5-6", "6-7", "7-8", "8-6", "6-9", "9-10", "10-6"]}
case("every usable end is exhausted: the pass is proven right", "legal",
     turn([UNSEEN, marks("A")], trains=EXHAUSTED))

# -- markers ----------------------------------------------------------------------------------------

case("may leave the marker", "legal", turn([*lay("A", "5-8"), marks()], {"marker_removal": "optional"},
     marks=["A"]))
case("optional removal needs an own play", "R_MARKER_REMOVED_WRONGLY",
     turn([*lay("M", "4-8"), marks()], {"marker_removal": "optional"}, marks=["A"]))
case("any play clears it: and it has to go", "R_MARKER_KEPT",
     turn([*lay("M", "4-8"), marks("A")], {"marker_removal": "any_play"}, marks=["A"]))
case("kept after an own play", "R_MARKER_KEPT", turn([*lay("A", "5-8"), marks("A")], marks=["A"]))
case("no own play marks", "R_MARKER_MISSING",
     turn([*lay("M", "4-8"), marks()], {"marker_trigger": "no_own_play"}))
case("own play does not mark", "legal", turn([*lay("A", "5-8"), marks()], {"marker_trigger": "no_own_play"}))
case("uncovered own double leaves the marker", "legal",
     turn([*lay("A", "9-9"), marks("A")],
          {"marker_removed_by_open_double": False, "double_extra_tile": "none"}, trains=BEFORE9, marks=["A"]))
case("covered own double takes it off", "R_MARKER_KEPT",
     turn([*lay("A", "9-9", "9-1"), marks("A")], {"marker_removed_by_open_double": False}, trains=BEFORE9,
          marks=["A"]))
case("voluntary marker cannot be left after an own play", "R_MARKER_KEPT",
     turn([*lay("A", "5-8"), marks("A")], {"voluntary_marker": True}, marks=["A"]))
case("another seat's marker appears", "R_MARKER_UNDUE", turn([*lay("A", "5-8"), marks("C")]))
case("Mexican marked comes before the others", "R_MEXICAN_MARKED",
     turn([*lay("A", "5-8"), marks("M", "C")]))
case("unstarted train without a place for a marker", "legal",
     first([["draw", "3-4"], marks()], {"marker_at_hub": False}, hand=NOTHING))

# -- doubles ----------------------------------------------------------------------------------------

case("lone double", "R_EXTRA_OWED", turn([*lay("A", "9-9"), marks("A")], trains=BEFORE9))
case("extra anywhere", "legal", turn([*lay("A", "9-9"), *lay("M", "4-6")], trains=BEFORE9))
case("extra on a private train of another", "R_TRAIN_PRIVATE",
     turn([*lay("A", "9-9"), *lay("B", "3-6")], trains=BEFORE9))
case("three doubles and a tile", "legal",
     turn([*lay("A", "9-9"), *lay("M", "4-4"), *lay("C", "2-2", "2-5")], trains=BEFORE9, marks=["C"]))
case("tile after the extra", "R_TOO_MANY_TILES", turn(lay("A", "9-9", "9-0", "0-5"), trains=BEFORE9))
case("no extra: second tile", "R_TOO_MANY_TILES",
     turn(lay("A", "9-9", "9-0"), {"double_extra_tile": "none"}, trains=BEFORE9))
case("optional extra: drawing for it", "R_DRAW_UNDUE",
     turn([*lay("A", "9-9"), DRAW], {"double_extra_tile": "optional"}, trains=BEFORE9))
case("optional extra laid", "legal", turn(lay("A", "9-9", "9-0"), {"double_extra_tile": "optional"},
     trains=BEFORE9))
case("must cover: covered", "legal", turn(lay("A", "9-9", "9-0"), {"double_extra_placement": "must_cover"},
     trains=BEFORE9))
case("must cover: drawn tile elsewhere", "R_OPEN_DOUBLE_FIRST",
     turn([*lay("A", "9-9"), ["draw", "4-6"], *lay("M", "4-6")], {"double_extra_placement": "must_cover"},
          trains=BEFORE9, hand=["9-9", "4-7"]))
DEAD = {**LINES, "A": ["12-9"], "B": ["12-0", "0-9", "9-1", "1-2", "2-9"],
        "M": ["12-3", "3-9", "9-4", "4-5", "5-9", "9-6", "6-7", "7-9", "9-8", "8-10", "10-9", "9-11"]}
case("must cover: a dead double owes nothing", "legal",
     turn([*lay("A", "9-9"), marks()], {"double_extra_placement": "must_cover"}, trains=DEAD))
case("anywhere: a dead double still earns an extra", "R_EXTRA_OWED",
     turn([*lay("A", "9-9"), marks("A")], trains=DEAD))
case("dead doubles count where they are not exempt", "R_OPEN_DOUBLE_FIRST",
     turn(lay("C", "2-8"), {"dead_double_exempt": False}, by="C",
          trains={**DEAD, "A": ["12-9", "9-9"]}, open=[["A", 9]]))
case("layer only: the extra covers", "R_OPEN_DOUBLE_FIRST",
     turn([*lay("A", "9-9"), *lay("M", "4-6")], {"double_duty": "layer_only"}, trains=BEFORE9))
case("layer only: others are free", "legal",
     turn(lay("B", "3-8"), {"double_duty": "layer_only"}, by="B", trains=A9, open=[["A", 9]]))
case("nobody is bound", "legal",
     turn(lay("B", "3-8"), {"double_duty": "none"}, by="B", trains=A9, open=[["A", 9]]))
case("own train: anyone may cover", "legal",
     turn(lay("A", "9-8"), {"double_duty": "own_train", "closed_train_cover_access": "anyone"}, by="B",
          trains=A9, open=[["A", 9]]))
case("own train: its owner covers", "legal",
     turn(lay("A", "9-8"), {"double_duty": "own_train"}, trains=A9, open=[["A", 9]]))
case("duty, not drawn for", "R_DRAW_REQUIRED", turn([marks("B")], by="B", trains=A9, open=[["A", 9]]))
case("duty, drawn and failed", "legal",
     turn([DRAW, marks("B")], by="B", trains=A9, open=[["A", 9]], hand=NOTHING))
case("duty, drawn tile elsewhere", "R_OPEN_DOUBLE_FIRST",
     turn([["draw", "4-6"], *lay("M", "4-6")], by="B", trains=A9, open=[["A", 9]], hand=NOTHING))
case("duty, cover held", "R_MUST_PLAY",
     turn([DRAW, marks("B")], by="B", trains=A9, open=[["A", 9]], hand=["9-1"]))
case("duty, other tiles in hand do not matter", "legal",
     turn([DRAW, marks("B")], by="B", trains=A9, open=[["A", 9]], hand=["3-1"]))
case("duty, drawn cover kept", "R_MUST_PLAY_DRAWN",
     turn([["draw", "9-1"], marks("B")], by="B", trains=A9, open=[["A", 9]], hand=NOTHING))
case("two open: wrong order", "R_WRONG_DOUBLE_ORDER",
     turn(lay("M", "4-0"), by="B", trains=TWO, open=[["A", 9], ["M", 4]]))
case("two open: something else", "R_OPEN_DOUBLE_FIRST",
     turn(lay("B", "3-0"), by="B", trains=TWO, open=[["A", 9], ["M", 4]]))
case("two open: both at once", "R_TOO_MANY_TILES",
     turn([*lay("A", "9-0"), *lay("M", "4-1")], by="B", trains=TWO, open=[["A", 9], ["M", 4]]))
case("two open: chain", "legal",
     turn([*lay("A", "9-0"), *lay("M", "4-1")], {"cover_chain": "same_player"}, by="B", trains=TWO,
          open=[["A", 9], ["M", 4]]))
case("chain is over with the last double", "R_TOO_MANY_TILES",
     turn([*lay("A", "9-0"), *lay("M", "4-1"), *lay("B", "3-1")], {"cover_chain": "same_player"}, by="B",
          trains=TWO, open=[["A", 9], ["M", 4]]))
case("last first: the older one", "R_WRONG_DOUBLE_ORDER",
     turn(lay("A", "9-0"), {"double_order": "last_first"}, by="B", trains=TWO, open=[["A", 9], ["M", 4]]))
case("one double a turn", "R_DOUBLE_LIMIT",
     turn([*lay("A", "9-9"), *lay("M", "4-4")], {"max_doubles_per_turn": 1}, trains=BEFORE9))
case("two if followed: third tile missing at the end", "R_DOUBLE_LIMIT",
     turn([*lay("A", "9-9"), *lay("M", "4-4"), marks("A")], {"max_doubles_per_turn": "two_if_followed"},
          trains=BEFORE9))
case("two if followed: out with both", "legal",
     turn([*lay("A", "9-9"), *lay("M", "4-4"), ["out"]], {"max_doubles_per_turn": "two_if_followed"},
          trains=BEFORE9, handcount=2))
case("two if followed: a third double", "R_DOUBLE_LIMIT",
     turn([*lay("A", "9-9"), *lay("M", "4-4"), *lay("C", "2-2")],
          {"max_doubles_per_turn": "two_if_followed"}, trains=BEFORE9, marks=["C"]))
case("two if followed: a drawn second double is kept, the hand unseen", "?must_play",
     turn([*lay("A", "9-9"), ["draw", "4-4"], marks("A")], {"max_doubles_per_turn": "two_if_followed"},
          trains=BEFORE9, handcount=6))
case("two if followed: a drawn second double is kept, and nothing could follow it", "legal",
     turn([*lay("A", "9-9"), ["draw", "4-4"], marks("A")], {"max_doubles_per_turn": "two_if_followed"},
          trains=BEFORE9, hand=["9-9", "0-1"]))
case("a drawn second double is kept without that rule", "R_MUST_PLAY_DRAWN",
     turn([*lay("A", "9-9"), ["draw", "4-4"], marks("A")], {}, trains=BEFORE9, handcount=6))
case("limits do not speak of first lines", "legal",
     first(lay("A", "12-5", "5-5", "5-6", "6-6", "6-1"), {"max_doubles_per_turn": 1}))
case("drawn double ends the turn", "legal",
     turn([*lay("A", "9-9"), ["draw", "4-4"], *lay("M", "4-4"), marks()], {"drawn_double_repeats": False},
          trains=BEFORE9, hand=["9-9", "0-1"]))
case("drawn double: extra from the hand", "?must_play",
     turn([["draw", "4-4"], *lay("M", "4-4", "4-1")]))
case("drawn double: extra drawn again", "legal",
     turn([["draw", "4-4"], *lay("M", "4-4"), ["draw", "4-1"], *lay("M", "4-1")], hand=NOTHING))
case("drawn double: extra must be drawn", "R_DRAW_REQUIRED",
     turn([["draw", "4-4"], *lay("M", "4-4", "4-1")], {"drawn_double_followup": "draw_only"}))
case("layer exempt: no draw, no marker", "legal",
     turn([*lay("A", "9-9"), marks()], {"marker_on_failed_cover": "layer_exempt"}, trains=BEFORE9))
case("layer exempt: marked all the same", "R_MARKER_UNDUE",
     turn([*lay("A", "9-9"), marks("A")], {"marker_on_failed_cover": "layer_exempt"}, trains=BEFORE9))
case("layer exempt: able all the same", "R_MUST_PLAY",
     turn([*lay("A", "9-9"), marks()], {"marker_on_failed_cover": "layer_exempt"}, trains=BEFORE9,
          hand=["9-9", "9-1"]))
case("layer exempt speaks of the layer only", "R_MARKER_MISSING",
     turn([DRAW, marks()], {"marker_on_failed_cover": "layer_exempt"}, by="B", trains=A9, open=[["A", 9]],
          hand=NOTHING))
NARROW = {"double_extra_placement": "double_or_public"}
case("double or public: the double", "legal", turn(lay("A", "9-9", "9-0"), NARROW, trains=BEFORE9))
case("double or public: Mexican", "legal", turn([*lay("A", "9-9"), *lay("M", "4-0")], NARROW, trains=BEFORE9))
case("double or public: own private train", "R_TRAIN_PRIVATE",
     turn([*lay("M", "4-4"), *lay("A", "9-0")], NARROW, trains=BEFORE9))
case("double or public: own marked train", "legal",
     turn([*lay("M", "4-4"), *lay("A", "9-0")], NARROW, trains=BEFORE9, marks=["A"]))
case("drawn extra narrowed, hand extra free", "legal",
     turn([*lay("M", "4-4"), *lay("A", "9-0")], {"extra_draw_placement": "double_or_public"}, trains=BEFORE9))
case("drawn extra narrowed", "R_TRAIN_PRIVATE",
     turn([*lay("M", "4-4"), ["draw", "9-0"], *lay("A", "9-0")],
          {"extra_draw_placement": "double_or_public"}, trains=BEFORE9, hand=["4-4", "1-1"]))
case("drawn extra that may not go on the own train is kept", "legal",
     turn([*lay("M", "4-4"), ["draw", "9-0"], marks("A")],
          {"extra_draw_placement": "double_or_public"}, trains=BEFORE9, hand=["4-4", "1-1"]))

# -- chickenfoot, side lines ------------------------------------------------------------------------

FOOT = {"double_answers": 3, "double_extra_tile": "none"}
TOES = {"A": ["9-8", "9-1"]}
case("third toe", "legal", turn(lay("A", "9-2"), FOOT, by="B", trains=A9, open=[["A", 9]], toes=TOES))
case("two toes in one turn", "R_TOO_MANY_TILES",
     turn(lay("A", "9-2", "9-3"), FOOT, by="B", trains=A9, open=[["A", 9]]))
case("toes are not played on before the foot is complete", "R_NO_MATCH",
     turn(lay("A", "8-3"), FOOT, by="B", trains=A9, open=[["A", 9]], toes=TOES))
case("nothing else while the foot is incomplete", "R_OPEN_DOUBLE_FIRST",
     turn(lay("M", "4-3"), FOOT, by="B", trains=A9, open=[["A", 9]], toes=TOES))
case("complete foot: a toe goes on", "legal",
     turn(lay("A", "1-3"), FOOT, trains=A9, toes={"A": ["9-8", "9-1", "9-2"]}))
case("complete foot: only the centre toe goes on", "R_NO_MATCH",
     turn(lay("A", "1-3"), {**FOOT, "chickenfoot_open_ends": 1}, trains=A9,
          toes={"A": ["9-8", "9-1", "9-2"]}))
case("scope personal: the Mexican double asks for one", "legal",
     turn(lay("M", "4-1"), {**FOOT, "chickenfoot_scope": "personal"}, by="B",
          trains={**LINES, "M": ["12-4", "4-4"]}, open=[["M", 4]]))
BRANCH = {"double_branching": "optional"}
SIDE = {**LINES, "A": ["12-5", "5-5", "5-8"]}
case("side line", "legal", turn([["branch", "A", 1, "5-1"]], BRANCH, trains=SIDE))
case("side line does not fit", "R_NO_MATCH", turn([["branch", "A", 1, "6-1"]], BRANCH, trains=SIDE))
case("side line at no double", "R_BRANCH", turn([["branch", "A", 0, "5-1"]], BRANCH, trains=SIDE))
case("side line before the cover", "R_BRANCH",
     turn([["branch", "A", 1, "5-1"]], {**BRANCH, "double_duty": "none"},
          trains={**LINES, "A": ["12-5", "5-5"]}, open=[["A", 5]]))
case("side line on a private train", "R_TRAIN_PRIVATE",
     turn([["branch", "A", 1, "5-1"]], BRANCH, by="B", trains=SIDE))
case("side line is the tile of the turn", "R_TOO_MANY_TILES",
     turn([["branch", "A", 1, "5-1"], *lay("M", "4-1")], BRANCH, trains=SIDE))
case("side line while a double is open", "R_OPEN_DOUBLE_FIRST",
     turn([["branch", "A", 1, "5-1"]], BRANCH, trains={**SIDE, "M": ["12-4", "4-4"]}, open=[["M", 4]]))

# -- going out --------------------------------------------------------------------------------------

COVER = {"go_out_on_double": "must_cover"}
case("out with a tile", "legal", turn(lay("A", "5-8"), handcount=1))
case("out waives the extra", "legal", turn([*lay("A", "9-9"), ["out"]], trains=BEFORE9))
case("no going out on a double", "R_NOT_OUT_ON_DOUBLE",
     turn([*lay("A", "9-9"), ["out"]], COVER, trains=BEFORE9, handcount=1))
case("no going out on a double, count unknown", "R_NOT_OUT_ON_DOUBLE",
     turn([*lay("A", "9-9"), ["out"]], COVER, trains=BEFORE9))
case("last double, no draw", "R_EXTRA_OWED",
     turn([*lay("A", "9-9"), marks("A")], {**COVER, "double_extra_tile": "none"}, trains=BEFORE9, handcount=1))
case("last double, drawn tile elsewhere", "R_OPEN_DOUBLE_FIRST",
     turn([*lay("A", "9-9"), ["draw", "4-2"], *lay("M", "4-2")], COVER, trains=BEFORE9, handcount=1))
case("last double, empty boneyard: waits", "legal",
     turn([*lay("A", "9-9"), marks("A")], COVER, trains=BEFORE9, handcount=1, bone=0))
case("dead last double: out", "legal", turn([*lay("A", "9-9"), ["out"]], COVER, trains=DEAD, handcount=1))
case("not while boneyard: empty", "legal",
     turn([*lay("A", "9-9"), ["out"]], {"go_out_on_double": "not_while_boneyard"}, trains=BEFORE9,
          handcount=1, bone=0))
case("not while boneyard: unknown", "?boneyard_count",
     turn([*lay("A", "9-9"), ["out"]], {"go_out_on_double": "not_while_boneyard"}, trains=BEFORE9,
          handcount=1, bone=None))


@pytest.mark.parametrize(("name", "expected", "answer"), CASES, ids=[name for name, _, _ in CASES])
def test_verdict(name: str, expected: str, answer: dict[str, Any]) -> None:
    assert says(answer) == expected, name


def state(answer: dict[str, Any], *keys: str) -> list[Any]:
    assert "error" not in answer, answer["error"]
    return [answer[key] for key in keys]


def test_states_after_the_turn() -> None:
    answer = first(lay("A", "12-5", "5-5"))
    assert state(answer, "open", "next", "round_over") == [[["A", 5]], "B", False]
    answer = first(lay("D", "12-5"), by="D", firsts="D", handcount=1)
    assert state(answer, "next", "round_over") == [None, True]
    answer = turn(lay("A", "9-2"), FOOT, by="B", trains=A9, open=[["A", 9]], toes=TOES)
    assert answer["ends"]["A"] == [1, 2, 8]
    assert answer["open"] == []
    answer = turn(lay("A", "9-2"), {**FOOT, "chickenfoot_open_ends": 1}, by="B", trains=A9, open=[["A", 9]],
                  toes=TOES)
    assert answer["ends"]["A"] == [2]
    answer = turn(lay("A", "9-8"), FOOT, by="B", trains=A9, open=[["A", 9]])
    assert answer["ends"]["A"] == [9]
    answer = turn([["branch", "A", 1, "5-1"]], BRANCH, trains=SIDE)
    assert answer["ends"]["A"] == [1, 8]
    answer = turn([*lay("A", "9-9"), marks("A")], COVER, trains=BEFORE9, handcount=1, bone=0)
    assert state(answer, "open", "marks", "next", "round_over") == [[["A", 9]], ["A"], "B", False]
    answer = turn(lay("A", "9-8"), by="D", trains=A9, open=[["A", 9]])
    assert state(answer, "open", "next") == [[], "A"]


def test_an_illegal_turn_leaves_the_state_before_it() -> None:
    answer = turn(lay("B", "3-8"))
    assert state(answer, "ends", "next", "round_over") == [
        {"A": [5], "B": [3], "C": [2], "D": [7], "M": [4]}, "A", False,
    ]


def test_the_answer_has_exactly_these_keys() -> None:
    keys = ["id", "v", "why", "ask", "ends", "marks", "open", "next", "round_over", "message"]
    assert list(turn(lay("A", "5-8"))) == keys
    assert list(turn(lay("A", "6-8"))) == keys


@pytest.mark.parametrize(
    ("opts", "pre", "acts"),
    [
        ({"no_such_rule": 1}, {}, []),
        ({"double_duty": "everybody"}, {}, []),
        ({"double_answers": 3, "double_branching": "optional"}, {}, []),
        ({}, {"by": "Z"}, []),
        ({}, {"wind": 3}, []),
        ({}, {"n": 7}, []),
        ({}, {"engine": 13}, []),
        ({}, {"trains": {"A": ["12-5", "6-7"]}}, []),
        ({}, {"trains": {"A": ["12-5"], "B": ["5-12"]}}, []),
        ({}, {"trains": {"Q": ["12-5"]}}, []),
        ({}, {"trains": {"A": ["12-5", "5-13"]}}, []),
        ({}, {"marks": ["M"]}, []),
        ({}, {"open": [["A", 9]]}, []),
        ({}, {"toes": {"A": ["5-1"]}}, []),
        ({}, {"hand": ["5-12"]}, []),
        ({}, {"hand": ["1-1", "1-1"]}, []),
        ({}, {"hand": ["1-1"], "handcount": 2}, []),
        ({}, {"bone": -1}, []),
        ({}, {"bone": 88}, []),
        ({}, {"turn": 0}, []),
        ({}, {"turn": 2, "firsts": "A"}, []),
        ({}, {"hand": ["1-1"]}, lay("A", "5-8")),
        ({}, {"handcount": 0}, lay("A", "5-8")),
        ({}, {"handcount": 3}, [*lay("A", "5-8"), ["out"]]),
        ({}, {}, [["out"]]),
        ({}, {}, [["dance"]]),
        ({}, {}, [["lay", "A"]]),
        ({}, {}, [["lay", "A", "five"]]),
        ({}, {}, [["lay", "Q", "5-8"]]),
        ({}, {}, [["draw", "12-5"]]),
        ({}, {}, ["lay"]),
        ({}, {}, 5),
    ],
)
def test_impossible_cases_are_errors(opts: dict[str, Any], pre: dict[str, Any], acts: Any) -> None:
    answer = turn(acts, opts, **pre)
    assert list(answer) == ["id", "error"]


@pytest.mark.parametrize(
    "junk", [None, 3, "x", [], {}, {"kind": "turn"}, {"kind": "dance"}, {"kind": []}, {"kind": "score"},
             {"kind": "turn", "pre": []}, {"id": {}, "kind": "deal", "players": "four"},
             {"kind": "deal", "players": 8, "hand": 12}, {"kind": "blocked"}, {"kind": "starter"},
             {"kind": "engines", "rounds": 0}, {"kind": "rank", "rounds": {"A": [1], "B": []}},
             {"kind": "score", "hands": {"A": ["1-1"], "B": ["1-1"]}}]
)
def test_junk_never_raises(junk: Any) -> None:
    assert list(judge(junk)) == ["id", "error"]
