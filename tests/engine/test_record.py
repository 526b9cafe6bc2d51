"""Records read back, replay to the same session, and stop at the first fault."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.codes import Code
from engine.errors import NotationError, RulesError
from engine.legality import legal_moves
from engine.moves import Call, Catch, Draw, Move, Pass, Play
from engine.position import Position
from engine.presets import PRESETS, preset
from engine.record import Entry, GameRecord, Player, Replay, Undone, good_prefix, replay, step
from engine.record_text import format_record, parse_record
from engine.rules import Rules
from engine.session import Closed, Corrected, Dealt, Opened, Scored, Shortened
from engine.table import LaidTile
from engine.tile import DominoSet, Tile

calm = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For machines that are busy with other things: what takes long is not wrong."""

BASE = Rules()
TWO = (Player("A", "Ann"), Player("B", "Bo"))


def with_seat(move: Move, position: Position) -> Move:
    """The move as a record keeps it: with who made it."""
    if isinstance(move, Call | Catch):
        return move
    return replace(move, seat=position.turn.seat)


def played(rules: Rules, seed: int, rounds: int) -> GameRecord:
    """A record of random play that takes things back now and then, and corrects a score."""
    chance = random.Random(seed)
    record = GameRecord((*TWO, Player("C", 'Cé "the knife"')), rules, about=(("place", "Ann's # kitchen"),))
    done = replay(record)
    entries: list[Entry] = []

    def put(entry: Entry) -> None:
        nonlocal done
        done = step(done, entry)
        assert done.fault is None, done.fault
        entries.append(entry)

    while len(done.session.sheet.rounds) < rounds:
        position = done.session.position
        if position is None:
            tiles = list(DominoSet(rules.set_size))
            chance.shuffle(tiles)
            put(Dealt(tuple(tiles), "B"))
        elif position.is_over:
            put(Closed())
            put(Corrected(1, "A", chance.randrange(50), "a 6 was read as a 9"))
        elif chance.random() < 0.05:
            put(Undone())
        else:
            put(with_seat(chance.choice(legal_moves(position, rules)), position))
    return record.with_entries(entries)


@pytest.mark.parametrize("name", PRESETS)
def test_played_records_read_back_and_replay_to_the_same_session(name: str) -> None:
    record = played(preset(name), seed=len(name), rounds=2)
    for remarks in (True, False):
        again = parse_record(format_record(record, remarks=remarks))
        assert again == record
        assert replay(again) == replay(record)
    done = replay(record)
    assert done.fault is None
    assert done.good == len(record.entries)
    assert len(done.session.sheet.corrections) == 2


names = st.sampled_from(["A", "B", "Zoë"])
pips = st.integers(0, 12)
tiles = st.builds(Tile, pips, pips)
laid = st.builds(LaidTile, pips, pips)
few = st.lists(tiles, max_size=3).map(tuple)
notes = st.text(max_size=20)
maybe_name = st.none() | names
entries = st.one_of(
    st.builds(Dealt, few, maybe_name),
    st.builds(Opened, maybe_name, maybe_name, st.integers(0, 9), st.none() | pips),
    st.builds(Play, st.sampled_from(["A", "M", "M2"]), laid, st.none() | pips, st.just(0), names),
    st.builds(Draw, st.none() | tiles, names),
    st.builds(Pass, st.none() | st.booleans(), names),
    st.builds(Call, names),
    st.builds(Catch, names, names, few),
    st.builds(Closed, st.lists(st.tuples(names, few), unique_by=lambda hand: hand[0]).map(tuple)),
    st.builds(
        Scored,
        st.lists(st.tuples(names, pips), unique_by=lambda points: points[0]).map(tuple),
        st.lists(names, max_size=2).map(tuple),
        st.none() | pips,
    ),
    st.builds(Corrected, pips, names, pips, notes),
    st.builds(Shortened, st.integers(1, 20)),
    st.just(Undone()),
)


@calm
@given(
    st.lists(entries, max_size=12).map(tuple),
    st.lists(st.tuples(names, notes), max_size=2).map(tuple),
    notes,
)
def test_any_record_reads_back(some: tuple[Entry, ...], about: tuple[tuple[str, str], ...], name: str) -> None:
    """Also one that no game could follow: the form knows nothing of the rules."""
    record = GameRecord((Player("A", name), Player("B")), BASE, some, about)
    assert parse_record(format_record(record)) == record


@pytest.mark.parametrize("name", PRESETS)
def test_house_rules_read_back(name: str) -> None:
    record = GameRecord(TWO, preset(name))
    assert parse_record(format_record(record)).rules == preset(name)


TEXT = """\
stationmaster record 1
about place "Kitchen table"
player A "Ann"
player B "Bo"
rule double_blank 50

open laid_by=A
# round 1 from 12-12, A moves first
A: A 12-3; A 3-5; pass
B: draw ?; pass
A: A 5-5; draw ?; pass
score A=0 B=20 out=A
# round 1: A 0, B 20; totals: A 0, B 20
correct 1 B 12 "a 9 was read as a 17"
# totals: A 0, B 12; 12 rounds to play
shorten 5
# totals: A 0, B 12; 4 rounds to play
undo
"""


def test_a_record_as_people_read_it() -> None:
    record = parse_record(TEXT)
    assert format_record(record) == TEXT
    assert record.players == TWO
    assert record.rules == replace(BASE, double_blank=50)
    done = replay(record)
    assert done.fault is None
    assert done.session.sheet.totals() == {"A": 0, "B": 12}
    assert done.session.sheet.rounds_planned == 13


def test_replay_gives_the_good_prefix_and_the_first_fault() -> None:
    wrong = TEXT.replace("A: A 5-5", "A: A 6-5")
    record = parse_record(wrong)
    done = replay(record)
    assert done.good == 6
    assert done.fault is not None
    assert done.fault.index == 6
    assert done.fault.entry == Play("A", LaidTile(6, 5), seat="A")
    assert done.fault.fault is not None
    assert done.fault.fault.code is Code.NO_MATCH
    position = done.session.position
    assert position is not None
    assert position.turn.seat == "A"
    assert "# this does not go in" in format_record(record)
    assert parse_record(format_record(record)) == record
    good = good_prefix(record)
    assert len(good.entries) == 6
    assert replay(good).fault is None
    assert replay(good).session == done.session
    # Nothing goes in after a fault.
    assert step(done, Undone()) is done


def test_taking_back_restores_what_was_there_and_stays_on_record() -> None:
    base = GameRecord(TWO, BASE, (Opened("A"),))
    before = replay(base)
    lay = Play("A", LaidTile(12, 3), seat="A")
    after = replay(base.with_entries([lay, Pass(seat="A"), Undone(), Undone()]))
    assert after.session.position == before.session.position
    assert after.good == 5
    assert after.session.version == 5  # nobody can act on what was taken back
    assert len(after.sessions) == len(before.sessions)


def test_a_whole_round_can_be_taken_back_and_no_further_than_the_start() -> None:
    scored = Scored((("A", 0), ("B", 9)))
    done = replay(GameRecord(TWO, BASE, (scored, Undone())))
    assert done.session.sheet.rounds == ()
    assert done.session.openings == ()
    fault = replay(GameRecord(TWO, BASE, (scored, Undone(), Undone()))).fault
    assert fault is not None
    assert fault.reason == "there is nothing to take back"


def test_a_move_needs_to_say_whose_it_is() -> None:
    with pytest.raises(NotationError, match="whose move"):
        format_record(GameRecord(TWO, BASE, (Opened("A"), Pass())))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (TEXT, "", "empty"),
        ("stationmaster record 1", "game record 1", "line 1: a record begins"),
        ("record 1", "record 2", "line 1: the record has version 2"),
        ('player A "Ann"', "player A Ann", "line 3"),
        ("shorten 5", 'player C "Cy"', "line 16: the header ends"),
        ("A: A 5-5", "A: A 5-55", "line 11: no domino"),
        ("open laid_by=A", "open by=A", "line 7: 'by=A' is not understood"),
        ("undo", "undo twice", "line 18"),
        ("score A=0", "score A=none", "line 12"),
        ("rule double_blank 50", "rule double_blank 50\nrule double_blank 25", "line 6: rule double_blank"),
    ],
)
def test_nonsense_is_refused_with_its_line(old: str, new: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        parse_record(TEXT.replace(old, new))


@pytest.mark.parametrize("rule", ["double_blank 51", "colour red"])
def test_house_rules_that_do_not_exist_are_refused(rule: str) -> None:
    with pytest.raises(RulesError):
        parse_record(TEXT.replace("double_blank 50", rule))


def test_an_indented_line_goes_on_with_the_one_before() -> None:
    text = 'stationmaster record 1\nplayer A ""\nplayer B ""\ndeal\n  3|4\n  5|6\nundo\n'
    assert parse_record(text).entries == (Dealt((Tile(3, 4), Tile(5, 6))), Undone())
    assert isinstance(replay(parse_record(text)), Replay)
