"""One-line texts read back to the same value, and nonsense is refused with its reason."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import NotationError
from engine.moves import Call, Catch, Draw, Move, Pass, Play
from engine.notation import (
    format_move,
    format_position,
    format_table,
    parse_move,
    parse_position,
    parse_table,
)
from engine.position import (
    CallWatch,
    Hand,
    Lay,
    Mode,
    Need,
    OpenDouble,
    Outcome,
    Position,
    RoundEnd,
    Turn,
)
from engine.table import LaidTile, Limb, Table, Train
from engine.tile import Tile

calm = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For machines that are busy with other things: what takes long is not wrong."""

pips = st.integers(0, 18)
seats = st.sampled_from(["A", "B", "Cara", "Zoë", "O'Neil", "P-2", "7"])
owners = st.one_of(seats, st.sampled_from(["M", "M2", "M18"]))
tiles = st.builds(Tile, pips, pips)
laid = st.builds(LaidTile, pips, pips)
lines = st.lists(laid, max_size=5).map(tuple)


@st.composite
def trains(draw: st.DrawFn, owner: str) -> Train:
    limbs: list[Limb] = []
    for number in range(draw(st.integers(0, 3))):
        some = draw(st.lists(laid, min_size=1, max_size=3).map(tuple))
        limbs.append(Limb(draw(st.integers(0, number)), draw(st.integers(0, 30)), some))
    return Train(owner, draw(lines), draw(st.booleans()), tuple(limbs))


@st.composite
def tables(draw: st.DrawFn) -> Table:
    names = draw(st.lists(owners, unique=True, max_size=6))
    return Table(draw(pips), tuple(draw(trains(name)) for name in names))


counts = st.integers(0, 91)
seat_lists = st.lists(seats, max_size=3).map(tuple)
few_tiles = st.lists(tiles, max_size=4).map(tuple)
turns = st.builds(
    Turn,
    seat=seats,
    number=st.integers(1, 30),
    mode=st.sampled_from(Mode),
    need=st.sampled_from(Need),
    lays=st.lists(st.builds(Lay, owners, laid, st.integers(0, 5), st.booleans()), max_size=3).map(tuple),
    pending=st.lists(st.none() | tiles, max_size=2).map(tuple),
    plays_two=st.booleans(),
    may_build=st.booleans(),
    called=st.booleans(),
)
doubles = st.builds(OpenDouble, owners, pips, st.integers(0, 5), st.integers(1, 3), st.booleans(), st.none() | seats)
outcomes = st.builds(Outcome, st.sampled_from(RoundEnd), seat_lists, st.none() | tiles, st.booleans())


@st.composite
def positions(draw: st.DrawFn) -> Position:
    names = tuple(draw(st.lists(seats, unique=True, min_size=2)))
    some = st.frozensets(st.sampled_from(names))
    return Position(
        table=draw(tables()),
        seats=names,
        turn=draw(turns),
        hands=tuple(Hand(draw(few_tiles), draw(st.none() | counts)) for _ in names),
        boneyard_count=draw(st.none() | counts),
        boneyard=draw(st.none() | few_tiles),
        open_doubles=tuple(draw(st.lists(doubles, max_size=3))),
        firsts=draw(some),
        turns=tuple(draw(counts) for _ in names),
        starter=draw(st.none() | st.sampled_from(names)),
        preempted=draw(some),
        out=draw(seat_lists),
        waiting=tuple(draw(st.lists(st.tuples(seats, owners, pips), max_size=2))),
        passes=tuple(draw(st.lists(st.tuples(seats, st.booleans()), max_size=4))),
        watches=tuple(draw(st.lists(st.builds(CallWatch, seats, seats), max_size=2))),
        outcome=draw(st.none() | outcomes),
        version=draw(counts),
    )


maybe_seat = st.none() | seats
places = st.integers(0, 40)
moves: st.SearchStrategy[Move] = st.one_of(
    st.builds(Play, owners, laid, seat=maybe_seat),
    st.builds(Play, owners, laid, st.none() | places, st.none() | places, maybe_seat),
    st.builds(Draw, st.none() | tiles, maybe_seat),
    st.builds(Pass, st.none() | st.booleans(), maybe_seat),
    st.builds(Call, seats),
    st.builds(Catch, seats, seats, st.lists(tiles, max_size=2).map(tuple)),
)


@calm
@given(moves)
def test_moves_read_back(move: Move) -> None:
    assert parse_move(format_move(move)) == move


@calm
@given(tables())
def test_tables_read_back(table: Table) -> None:
    assert parse_table(format_table(table)) == table


@calm
@given(positions())
def test_positions_read_back(position: Position) -> None:
    text = format_position(position)
    assert "\n" not in text
    assert parse_position(text) == position


WRITTEN = {
    Position: "table seats turn hands boneyard_count boneyard open_doubles firsts turns starter preempted out "
    "waiting passes watches outcome version",
    Turn: "seat number mode need lays pending plays_two may_build called",
    OpenDouble: "train value line answers foot layer",
    Outcome: "end out last suspicion",
    Lay: "train laid line drawn",
    Hand: "tiles count",
    CallWatch: "seat until",
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_every_part_of_a_position_is_written(kind: type) -> None:
    """Whoever adds a field to a position adds it to the notation and to this list."""
    assert [field.name for field in dataclasses.fields(kind)] == WRITTEN[kind].split()


def test_moves_as_people_read_them() -> None:
    assert format_move(Play("M", LaidTile(12, 3), seat="A")) == "A: M 12-3"
    assert format_move(Play("A", LaidTile(5, 7), 2, 0)) == "A side 0.2 5-7"
    assert format_move(Draw(None, "B")) == "B: draw ?"
    assert format_move(Pass(True, "B")) == "B: pass marker on"
    assert format_move(Catch("B", "A", (Tile(3, 4),))) == "B catches A 3|4"


def test_a_table_as_people_read_it() -> None:
    text = "12 A:12-3,3-3,3-5+ B:+ M:12-7,7-7/0.1:7-1/0.1:7-4"
    table = parse_table(text)
    assert table.train("A").open_end(12) == 5
    assert table.markers == ("A", "B")
    assert table.train("M").limbs_at(0, 1) == (1, 2)
    assert format_table(table) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("19", "not a value"),
        ("x A:12-3", "not a value"),
        ("12 A", "not a train"),
        ("12 A:12|3", "not a laid tile"),
        ("12 A:12-3 A:12-4", "twice"),
        ("12 A:12-3/0.0", "not a limb"),
        ("12 A:12-3/2.0:1-2", "not written before"),
        ("12 A:12-99", "no domino"),
    ],
)
def test_nonsense_tables_are_refused(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        parse_table(text)


@pytest.mark.parametrize(
    "text",
    ["", "A:", "A: draw", "A: M 12|3", "A: pass marker", "A calls B", "A: B calls", "A: M side x 1-1", "A: M line 1-1"],
)
def test_nonsense_moves_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_move(text)


@pytest.mark.parametrize("name", ["", "a b", "draw", "A:", "A,B", "-x"])
def test_names_that_the_notation_can_not_write_are_refused(name: str) -> None:
    with pytest.raises(NotationError, match="seat"):
        format_move(Pass(None, name))


POSITION = "12 A:12-3 B:+ seats=A,B turn=A/2/free/tile hands=3|4,5|6#2/#7 bone=20"


def test_a_position_as_people_read_it() -> None:
    position = parse_position(POSITION)
    assert position.hand("A") == Hand.of((Tile(3, 4), Tile(5, 6)))
    assert position.hand("B") == Hand((), 7)
    assert position.boneyard is None
    assert format_position(position) == f"{POSITION} version=0"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (" seats=A,B", "", "needs seats="),
        ("/#7", "", "2 seats, but 1 hands"),
        ("free", "lazy", "not a position"),
        ("bone=20", "bone=many", "not a position"),
        ("bone=20", "bone=20 bone=21", "written twice"),
        ("bone=20", "bone=20 colour=red", "no part of a position"),
        ("#7", "7", "not a"),
        ("A:12-3", "A:12-33", "no domino"),
        ("bone=20", "bone=20 flags=late", "flags are"),
        ("bone=20", "bone=20 passes=A/perhaps", "not a position"),
    ],
)
def test_nonsense_positions_are_refused(old: str, new: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        parse_position(POSITION.replace(old, new))
