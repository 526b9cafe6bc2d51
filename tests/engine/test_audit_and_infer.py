"""What single tables show, what two tables tell, and what hidden hands turn out to have been."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.codes import Code
from engine.deductions import PassEvidence, Proof, conservation, fitting_tiles, pass_evidence, scoring_photos
from engine.infer import infer
from engine.moves import Pass, Play
from engine.position import Position
from engine.reducer import start_turn
from engine.rules import Rules
from engine.ruling import Verdict
from engine.setup import first_position
from engine.table import LaidTile, Limb, Table, Train
from engine.tile import DominoSet, Tile
from engine.violations import NOT_PROVEN, ViolationCode, audit
from tests.engine.rounds import begin, played, random_rules

RULES = Rules()


def train(owner: str, text: str = "", marker: bool = False, limbs: tuple[Limb, ...] = ()) -> Train:
    return Train(owner, tuple(LaidTile.parse(word) for word in text.split()), marker, limbs)


def table(*trains: Train, hub: int = 12) -> Table:
    return Table(hub, trains)


def limb(line: int, index: int, *texts: str) -> Limb:
    return Limb(line, index, tuple(LaidTile.parse(text) for text in texts))


CLEAN = table(train("A", "12-5 5-5 5-8"), train("B", marker=True), train("M", "12-4"))


# -- audit ------------------------------------------------------------------------------------------


def test_a_clean_table_has_no_fault_and_proves_little() -> None:
    assert audit(CLEAN, RULES, "AB") == ()
    assert NOT_PROVEN


@pytest.mark.parametrize(
    ("seen", "rules", "expected"),
    [
        (table(train("A", "12-5 6-8")), {}, [(ViolationCode.JOIN, "A", 1)]),
        (table(train("A", "5-6 6-8")), {}, [(ViolationCode.HUB_JOIN, "A", 0)]),
        (table(train("A", "12-5"), train("B", "12-5")), {}, [(ViolationCode.DUPLICATE_TILE, "B", 0)]),
        (table(train("A", "12-12 12-5")), {}, [(ViolationCode.DUPLICATE_TILE, "A", 0)]),
        (table(train("A", "12-15")), {}, [(ViolationCode.NOT_IN_SET, "A", 0)]),
        (table(hub=15), {}, [(ViolationCode.STARTING_DOUBLE, None, None)]),
        (table(train("M", "12-4", marker=True)), {}, [(ViolationCode.MEXICAN_MARKED, "M", None)]),
        (table(train("M2", "12-4")), {}, [(ViolationCode.SECOND_MEXICAN, "M2", None)]),
        (table(train("M", "12-4")), {"mexican_present": False}, [(ViolationCode.SECOND_MEXICAN, "M", None)]),
        (table(train("M2", "12-4")), {"mexican_count": 2}, []),
        (table(train("Q", "12-4")), {}, [(ViolationCode.UNKNOWN_TRAIN, "Q", None)]),
        (table(train("A"), train("A")), {}, [(ViolationCode.TWO_TRAINS, "A", None)]),
        (table(train("B", marker=True)), {"marker_at_hub": False}, [(ViolationCode.HUB_MARKER, "B", None)]),
        (table(train("A", "12-5"), train("M", "12-4")), {"mexican_start": "after_all_trains"},
         [(ViolationCode.MEXICAN_TOO_EARLY, "B", None)]),
        (table(train("A", "12-5 5-5 5-8", limbs=(limb(0, 1, "5-1"),))), {},
         [(ViolationCode.SIDE_LINE, "A", 0)]),
        (table(train("A", "12-5 5-5 5-8", limbs=(limb(0, 1, "5-1"),))), {"double_branching": "optional"}, []),
        (table(train("A", "12-5 5-5 5-8", limbs=(limb(0, 1, "6-1"),))), {"double_branching": "optional"},
         [(ViolationCode.JOIN, "A", 0)]),
        (table(train("A", "12-5 5-5", limbs=(limb(0, 1, "5-1"), limb(0, 1, "5-2")))), {"double_answers": 3}, []),
        (table(train("A", "12-5", limbs=(limb(0, 7, "5-1"),))), {"double_branching": "optional"},
         [(ViolationCode.SIDE_LINE, "A", 0)]),
    ],
)
def test_faults_with_their_place(
    seen: Table, rules: dict[str, object], expected: list[tuple[ViolationCode, str | None, int | None]]
) -> None:
    found = audit(seen, Rules.of(rules), "AB")
    assert [(one.code, one.train, one.index) for one in found] == expected
    assert all(one.message.endswith(".") for one in found)


def test_audit_never_raises() -> None:
    wild = table(
        Train("", (LaidTile(-3, 99), LaidTile(99, 0)), True, (Limb(5, -1, ()), Limb(0, 0, ()))), train("A"), hub=-1
    )
    assert audit(wild, RULES)
    many = table(*(train(f"S{number}", f"6-{number}") for number in range(8) if number != 6), hub=6)
    assert next(one.code for one in audit(many, Rules.of({"set_size": 6}))) is ViolationCode.TOO_MANY_TRAINS


def test_played_tables_are_clean() -> None:
    for seed in range(40):
        rng = random.Random(seed)
        rules = random_rules(rng, 6)
        for _, _, _, after in played(rules, begin(rules, 3, rng), rng):
            assert audit(after.table, rules, after.seats) == ()


# -- infer ------------------------------------------------------------------------------------------


def position_on(seen: Table, by: str = "A", boneyard: int = 20) -> Position:
    start = first_position(RULES, "ABCD", 12, by, (), boneyard, None)
    trains = tuple(seen.train(seat) for seat in "ABCD") + tuple(t for t in seen.trains if t.owner == "M")
    hands = tuple(replace_count(9) for _ in "ABCD")
    whole = replace(start, table=Table(12, trains), hands=hands, firsts=frozenset(), turns=(1, 1, 1, 1))
    return start_turn(whole, RULES, by)


def replace_count(count: int):  # type: ignore[no-untyped-def]
    from engine.position import Hand

    return Hand((), count)


BEFORE = table(train("A", "12-5"), train("B", "12-3"), train("C", "12-2"), train("D", "12-7"), train("M", "12-4"))


def grown(seen: Table, owner: str, *texts: str, marker: bool | None = None) -> Table:
    old = seen.train(owner)
    laid = tuple(LaidTile.parse(text) for text in texts)
    return seen.with_train(replace(old, tiles=old.tiles + laid, marker=old.marker if marker is None else marker))


def test_one_tile_on_the_own_train() -> None:
    best = infer(BEFORE, grown(BEFORE, "A", "5-8"), RULES, position_on(BEFORE))[0]
    assert best.verdict is Verdict.LEGAL
    assert best.turns[0].seat == "A"
    assert best.turns[0].plays == (Play("A", LaidTile(5, 8)),)
    assert best.position is not None
    assert best.position.turn.seat == "B"


def test_a_double_and_its_extra_in_the_only_order_that_is_legal() -> None:
    start = table(train("A", "12-9"), *BEFORE.trains[1:])
    after = grown(grown(start, "M", "4-8"), "A", "9-9")
    best = infer(start, after, RULES, position_on(start))[0]
    assert best.verdict is Verdict.LEGAL
    assert [str(play) for play in best.turns[0].plays] == ["A 9-9", "M 4-8"]


def test_two_doubles_leave_the_order_open() -> None:
    start = table(train("A", "12-9"), *BEFORE.trains[1:])
    after = grown(grown(grown(start, "A", "9-9"), "M", "4-4"), "A", "9-1")
    found = [one for one in infer(start, after, RULES, position_on(start)) if one.verdict is Verdict.LEGAL]
    assert len(found) > 1


def test_two_turns_between_two_photos() -> None:
    after = grown(grown(BEFORE, "A", "5-8"), "B", "3-6")
    best = infer(BEFORE, after, RULES, position_on(BEFORE))[0]
    assert best.verdict is Verdict.LEGAL
    assert [turn.seat for turn in best.turns] == ["A", "B"]


def test_a_foul_is_explained_too() -> None:
    best = infer(BEFORE, grown(BEFORE, "C", "2-8"), RULES, position_on(BEFORE), max_turns=1)[0]
    assert best.verdict is Verdict.ILLEGAL
    assert best.rulings[0].fault is not None
    assert best.rulings[0].fault.code is Code.TRAIN_PRIVATE
    wrong = infer(BEFORE, grown(BEFORE, "A", "6-8"), RULES, position_on(BEFORE), max_turns=1)[0]
    assert wrong.rulings[0].fault is not None
    assert wrong.rulings[0].fault.code is Code.NO_MATCH


def test_a_pass_shows_by_its_marker() -> None:
    after = grown(BEFORE, "A", marker=True)
    best = infer(BEFORE, after, RULES, position_on(BEFORE))[0]
    assert best.verdict is Verdict.UNDETERMINED
    assert best.turns[0].plays == ()
    assert best.rulings[0].position.table.train("A").marker


def test_removed_and_moved_tiles_are_told() -> None:
    after = table(train("A", "12-5"), train("B", "12-3"), train("C", "12-2"), train("D"), train("M", "12-4 4-8"))
    start = grown(BEFORE, "A", "5-8")
    (found, *_) = infer(start, after, RULES, position_on(start))
    assert found.verdict is Verdict.ILLEGAL
    assert {(gone.train, str(gone.laid)) for gone in found.differences} == {("A", "5-8"), ("D", "12-7")}


def test_nothing_happened() -> None:
    assert infer(BEFORE, BEFORE, RULES, position_on(BEFORE)) == []


def test_without_a_position_every_seat_may_have_acted() -> None:
    found = infer(BEFORE, grown(BEFORE, "M", "4-8"), RULES, max_turns=1)
    assert {one.turns[0].seat for one in found} == {"A", "B", "C", "D"}
    own = infer(BEFORE, grown(BEFORE, "B", "3-8"), RULES, max_turns=1)[0]
    assert own.turns[0].seat == "B"
    assert own.verdict is Verdict.LEGAL


@pytest.mark.parametrize("seed", range(25))
def test_played_turns_are_found_again(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng, 4)
    start: Position | None = None
    plays: list[Play] = []
    for before, _, move, after in played(rules, begin(rules, 3, rng), rng):
        start = before if start is None else start
        if isinstance(move, Play):
            plays.append(move)
        if not isinstance(move, Pass):
            continue
        if plays:
            seen = start.visible_to(None)
            found = infer(seen.table, after.table, rules, seen, max_turns=1)
            best = [one for one in found if one.verdict is not Verdict.ILLEGAL]
            assert best, (rules.changes(), plays)
            tables = [one.rulings[-1].position.table for one in best]
            assert after.table in tables
        start, plays = None, []


# -- deductions -------------------------------------------------------------------------------------


def evidence(turn_draws: int = 1, ends: tuple[int, ...] = (0,)) -> PassEvidence:
    return PassEvidence("A", fitting_tiles(table(train("M", "12-0")), ends, RULES), turn_draws)


def test_later_draws_excuse_as_many_tiles() -> None:
    assert evidence().drew("A").showed([Tile(0, 3)]).finding(RULES).proof is Proof.UNDETERMINED
    assert evidence().drew("A").showed([Tile(0, 3), Tile(0, 4)]).finding(RULES).proof is Proof.PROVEN
    assert evidence().drew("B").showed([Tile(0, 3)]).finding(RULES).proof is Proof.PROVEN
    assert evidence().showed([Tile(3, 4)]).finding(RULES).proof is Proof.UNDETERMINED


def test_a_drawn_tile_may_be_kept_where_agreed() -> None:
    rules = Rules.of({"draw_play": "may"})
    assert evidence().showed([Tile(0, 3)]).finding(rules).proof is Proof.UNDETERMINED
    assert evidence(0).showed([Tile(0, 3)]).finding(rules).codes == (Code.MUST_PLAY,)
    optional = Rules.of({"must_play": "optional"})
    assert evidence().showed([Tile(0, 3)]).finding(optional).proof is Proof.UNDETERMINED


def test_an_open_hand_clears() -> None:
    assert evidence().showed([Tile(3, 4)], complete=True).finding(RULES).proof is Proof.CLEARED


def test_tiles_elsewhere_clear() -> None:
    zeros = [tile for tile in DominoSet(12) if tile.has(0)]
    assert evidence().found_elsewhere(zeros).finding(RULES).proof is Proof.CLEARED


def test_scoring_photos_settle_every_pass() -> None:
    hands = {"A": [Tile(0, 9)], "B": [Tile(3, 4)], "C": [Tile(5, 6)]}
    other = replace(evidence(), seat="B")
    found = scoring_photos([evidence(), other], hands, RULES)
    assert [(one.seat, one.proof) for one in found] == [("A", Proof.PROVEN), ("B", Proof.CLEARED)]


def test_evidence_begins_with_the_ends_open_to_the_seat() -> None:
    record = pass_evidence(position_on(BEFORE), RULES, turn_draws=1)
    assert Tile(5, 8) in record.fitting
    assert Tile(4, 8) in record.fitting
    assert Tile(3, 8) not in record.fitting  # B's train is private
    assert Tile(5, 12) not in record.fitting  # on the table


def test_the_set_is_counted() -> None:
    rest = [tile for tile in DominoSet(12) if not BEFORE.has(tile)]
    hands = {"A": rest[:10], "B": rest[10:20]}
    assert conservation(BEFORE, hands, len(rest) - 20, RULES).adds_up
    assert conservation(BEFORE, hands, rest[20:], RULES).adds_up
    assert conservation(BEFORE, hands, 3, RULES).unaccounted == len(rest) - 23
    twice = conservation(BEFORE, {**hands, "C": rest[:1]}, len(rest) - 20, RULES)
    assert twice.twice == (rest[0],)
    assert conservation(BEFORE, {"A": [Tile(13, 13)]}, len(rest), RULES).foreign == (Tile(13, 13),)


def test_four_turns_are_found_in_time() -> None:
    """A camera that was covered for a while: whole rounds of the table between two photos."""
    after = BEFORE
    for owner, text in (("A", "5-8"), ("B", "3-3"), ("B", "3-6"), ("M", "4-0"), ("D", "7-9")):
        after = grown(after, owner, text)
    best = infer(BEFORE, after, RULES, position_on(BEFORE), max_turns=4)[0]
    assert best.verdict is Verdict.LEGAL
    assert [turn.seat for turn in best.turns] == ["A", "B", "C", "D"]


def test_a_pass_between_two_plays() -> None:
    after = grown(grown(grown(BEFORE, "A", "5-8"), "B", marker=True), "C", "2-9")
    best = infer(BEFORE, after, RULES, position_on(BEFORE), max_turns=3)[0]
    assert [len(turn.plays) for turn in best.turns] == [1, 0, 1]
    assert best.verdict is Verdict.UNDETERMINED
