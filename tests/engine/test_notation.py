"""One-line texts read back to the same value, and nonsense is refused with its reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import NotationError
from engine.moves import Call, Catch, Draw, Move, Pass, Play
from engine.notation import format_move, format_table, parse_move, parse_table
from engine.table import LaidTile, Limb, Table, Train
from engine.tile import Tile

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


maybe_seat = st.none() | seats
places = st.integers(0, 40)
moves: st.SearchStrategy[Move] = st.one_of(
    st.builds(Play, owners, laid, seat=maybe_seat),
    st.builds(Play, owners, laid, places, places, maybe_seat),
    st.builds(Draw, st.none() | tiles, maybe_seat),
    st.builds(Pass, st.none() | st.booleans(), maybe_seat),
    st.builds(Call, seats),
    st.builds(Catch, seats, seats, st.lists(tiles, max_size=2).map(tuple)),
)


@given(moves)
def test_moves_read_back(move: Move) -> None:
    assert parse_move(format_move(move)) == move


@given(tables())
def test_tables_read_back(table: Table) -> None:
    assert parse_table(format_table(table)) == table


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
    "text", ["", "A:", "A: draw", "A: M 12|3", "A: pass marker", "A calls B", "A: B calls", "A: M side 2 1-1"]
)
def test_nonsense_moves_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_move(text)


@pytest.mark.parametrize("name", ["", "a b", "draw", "A:", "A,B", "-x"])
def test_names_that_the_notation_can_not_write_are_refused(name: str) -> None:
    with pytest.raises(NotationError, match="seat"):
        format_move(Pass(None, name))
