"""Whole sessions: dealt, followed without seeing hands, or only scored."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.codes import Code
from engine.errors import RulesError
from engine.legality import legal_moves
from engine.moves import Draw, Pass, Play
from engine.position import Hand, Outcome, Position, RoundEnd
from engine.presets import PRESETS, preset
from engine.rules import Rules
from engine.session import (
    Advanced,
    Closed,
    Corrected,
    Dealt,
    Event,
    Opened,
    Rejected,
    Scored,
    Session,
    Shortened,
    advance,
    new_session,
    opened_hands,
)
from engine.table import LaidTile
from engine.tile import DominoSet, Tile

BASE = Rules()


def go(session: Session, *events: Event) -> Session:
    for event in events:
        result = advance(session, event)
        assert isinstance(result, Advanced), (event, result)
        session = result.session
    return session


def refused(session: Session, event: Event) -> Rejected:
    result = advance(session, event)
    assert isinstance(result, Rejected), event
    assert result.session is session
    return result


def shuffled(rules: Rules, seed: int) -> tuple[Tile, ...]:
    tiles = list(DominoSet(rules.set_size))
    random.Random(seed).shuffle(tiles)
    return tuple(tiles)


def all_tiles(position: Position) -> list[Tile]:
    assert position.boneyard is not None
    held = [tile for hand in position.hands for tile in hand.tiles]
    return sorted([*position.table.tiles(), *held, *position.boneyard])


def play_round(session: Session, chance: random.Random, starter: str | None = None) -> Session:
    """Deal and play one round with random legal moves, watching that no tile is lost."""
    rules = session.rules
    session = go(session, Dealt(shuffled(rules, chance.randrange(10**6)), starter))
    whole = list(DominoSet(rules.set_size))
    for _ in range(3000):
        assert session.position is not None
        if session.position.is_over:
            return session
        session = go(session, chance.choice(legal_moves(session.position, rules)))
        assert all_tiles(session.position) == whole if session.position else True
    raise AssertionError("the round does not end")


def starters_of(session: Session) -> str:
    return "".join(opening.starter if opening else "?" for opening in session.openings)


@pytest.mark.parametrize("name", PRESETS)
def test_a_whole_session_under_every_preset(name: str) -> None:
    rules = preset(name)
    chance = random.Random(name)
    session = new_session("ABCD", rules)
    while not session.is_over:
        session = play_round(session, chance, starter="B")
        ended = session.position
        assert ended is not None
        assert ended.outcome is not None
        session = go(session, Closed())
        row = session.sheet.rounds[-1]
        for seat in session.seats:
            if seat in ended.outcome.out:
                assert row.of(seat) == 0
        assert row.out == tuple(seat for seat in session.seats if seat in ended.outcome.out)
    assert len(session.sheet.rounds) == (10 if name == "double_nine" else 13)
    assert session.sheet.winners
    if name != "french":  # there the hands decide which double starts
        top = 9 if name == "double_nine" else 12
        assert [row.starting_double for row in session.sheet.rounds] == list(range(top, -1, -1))
    if rules.start_rotation == "left":
        assert starters_of(session) == ("BCDA" * 4)[:13]


@pytest.mark.parametrize("players", range(2, 11))
def test_every_number_of_players_gets_a_round(players: int) -> None:
    session = new_session("ABCDEFGHIJ"[:players], BASE)
    session = go(play_round(session, random.Random(players)), Closed())
    assert len(session.sheet.rounds[0].points) == players


def test_who_lays_the_starting_double_moves_first() -> None:
    session = play_round(new_session("ABCD", BASE), random.Random(5))
    opening = session.openings[0]
    assert opening is not None
    assert opening.starter == opening.laid_by
    assert opening.starting_double == 12


def deal_with(double: Tile, place: int, rules: Rules = BASE) -> tuple[Tile, ...]:
    """The set in order, with one tile moved to a place of the deal."""
    rest = [tile for tile in DominoSet(rules.set_size) if tile != double]
    return (*rest[:place], double, *rest[place:])


def test_the_search_for_the_starting_double() -> None:
    session = new_session("ABCD", BASE)
    # Four seats with 15 each: the 62nd tile is the second one drawn, by B, who keeps nothing else.
    begun = go(session, Dealt(deal_with(Tile(12, 12), 61)))
    assert begun.position is not None
    assert begun.openings[-1].laid_by == "B"  # type: ignore[union-attr]
    assert [hand.count for hand in begun.position.hands] == [16, 15, 15, 15]
    # At a real table the same is told in two words.
    followed = go(session, Opened("B", draws=2))
    assert followed.position is not None
    assert [hand.count for hand in followed.position.hands] == [16, 15, 15, 15]
    assert followed.position.boneyard_count == begun.position.boneyard_count
    assert followed.position.turn == begun.position.turn
    assert "C would have found it" in refused(session, Opened("B", draws=3)).reason


def test_left_of_the_last_starter_draws_first() -> None:
    scored = Scored((("A", 0), ("B", 1), ("C", 2), ("D", 3)))
    session = new_session("ABCD", BASE)
    session = go(session, Opened("C"), scored)
    begun = go(session, Dealt(deal_with(Tile(11, 11), 60)))
    assert begun.openings[-1].laid_by == "D"  # type: ignore[union-attr]


def test_the_start_follows_the_house_rule_from_round_to_round() -> None:
    def begun_by(rules: Rules) -> str:
        session = new_session("ABCD", rules)
        for laid_by in "CBB":
            points = (("A", 7), ("B", 5), ("C", 0), ("D", 9))
            session = go(session, Opened(laid_by), Scored(points, ("C",)))
        return starters_of(session)

    assert begun_by(BASE) == "CBB"
    assert begun_by(replace(BASE, start_rotation="left")) == "CDA"
    # Left of C who opened round 1, then left of B who opened round 2, though D moved first in it.
    assert begun_by(replace(BASE, start_rotation="left_of_last_opener")) == "CDC"
    assert begun_by(replace(BASE, start_rotation="lowest_score")) == "CCC"


def test_a_round_followed_without_seeing_a_hand() -> None:
    session = go(new_session("AB", BASE), Opened("A"))
    assert session.position is not None
    assert [hand.count for hand in session.position.hands] == [14, 15]
    session = go(session, Play("A", LaidTile(12, 3)), Play("A", LaidTile(3, 5)), Pass(), Draw(None), Pass())
    assert session.position.boneyard_count == 60
    assert "no round has ended" in refused(session, Closed()).reason
    assert refused(session, Play("B", LaidTile(12, 3), seat="A")).fault.code is Code.DUPLICATE_TILE  # type: ignore[union-attr]
    assert refused(session, Opened("A")).reason == "round 1 is still in play"


def test_a_round_can_be_scored_whatever_was_seen_of_it() -> None:
    session = go(new_session("AB", BASE), Opened("A"), Scored((("A", 0), ("B", 31)), out=("A",)))
    assert session.position is None
    assert session.sheet.totals() == {"A": 0, "B": 31}
    session = go(session, Scored((("A", 5), ("B", 0))))
    # Nobody saw who began round 2, but who lays the double of round 3 begins it.
    assert starters_of(session) == "A?"
    session = go(session, Opened("B"))
    assert starters_of(session) == "A?B"
    left = replace(BASE, start_rotation="left")
    session = go(new_session("AB", left), Opened("A"), Scored((("A", 5), ("B", 0))), Scored((("A", 5), ("B", 0))))
    assert "name the seat" in refused(session, Opened("B")).reason
    assert starters_of(go(session, Opened("B", starter="A"))) == "A?A"


def ended(tiles: Sequence[int | None]) -> Position:
    """A round of A and B that is over, A being out; hands hold so many unseen tiles."""
    position = go(new_session("AB", BASE), Opened("A")).position
    assert position is not None
    hands = tuple(replace(hand, count=count) for hand, count in zip(position.hands, tiles, strict=True))
    return replace(position, hands=hands, outcome=Outcome(RoundEnd.OUT, ("A",), Tile(7, 7)))


def test_opened_hands_are_counted_by_the_house_rules() -> None:
    session = go(new_session("AB", replace(BASE, double_blank=50, out_on_double_doubles_scores=True)), Opened("A"))
    session = replace(session, position=ended([0, 2]))
    session = go(session, Closed((("B", (Tile(0, 0), Tile(3, 4))),)))
    assert session.sheet.rounds[0].points == (("A", 0), ("B", 114))


@pytest.mark.parametrize(
    ("shown", "reason"),
    [
        ({}, "B's hand is not known"),
        ({"B": (Tile(1, 2),)}, "B shows 1 tiles, but should hold 2"),
        ({"B": (Tile(1, 2), Tile(1, 2))}, "1|2 is there 2 times"),
        ({"B": (Tile(1, 2), Tile(12, 12))}, "12|12 is there 2 times"),
        ({"B": (Tile(1, 2), Tile(13, 2))}, "2|13 is not in a double-12 set"),
        ({"C": (), "B": (Tile(1, 2), Tile(3, 2))}, "no seat C"),
    ],
)
def test_hands_that_can_not_be_are_not_counted(shown: dict[str, tuple[Tile, ...]], reason: str) -> None:
    with pytest.raises(ValueError, match=reason.replace("|", r"\|")):
        opened_hands(ended([0, 2]), BASE, shown)


def test_a_tile_known_to_be_in_a_hand_must_be_shown() -> None:
    position = ended([0, 2])
    known = replace(position, hands=(position.hands[0], Hand((Tile(5, 6),), 2)))
    assert opened_hands(known, BASE, {"B": (Tile(5, 6), Tile(1, 2))})["B"] == (Tile(5, 6), Tile(1, 2))
    with pytest.raises(ValueError, match=r"B should hold 5\|6, which is not shown"):
        opened_hands(known, BASE, {"B": (Tile(3, 4), Tile(1, 2))})


def test_corrections_and_shorter_games() -> None:
    one = Scored((("A", 10), ("B", 20)))
    session = go(new_session("AB", BASE), one, one, Corrected(1, "B", 2, "misread"))
    assert session.sheet.totals() == {"A": 20, "B": 22}
    session = go(session, Shortened(3), one)
    assert session.is_over
    assert session.sheet.winners == ("A",)
    assert refused(session, one).reason.startswith("all 3 rounds are written")
    assert refused(session, Opened("A")).reason == "the session is over"
    # A correction after the end can still change the winner.
    assert go(session, Corrected(3, "A", 60)).sheet.winners == ("B",)
    assert "round 3 has begun" in refused(go(new_session("AB", BASE), one, one, Opened("A")), Shortened(2)).reason


def test_a_stale_event_changes_nothing() -> None:
    session = new_session("AB", BASE)
    later = go(session, Opened("A"))
    result = advance(later, Pass(), version=session.version)
    assert isinstance(result, Rejected)
    assert result.session is later
    assert result.fault is not None
    assert result.fault.code is Code.STALE


def test_a_session_that_can_not_be_seated_is_refused() -> None:
    for seats, rules, reason in (
        ("AA", BASE, "same name"),
        ("AM", BASE, "Mexican"),
        ("A", BASE, "2 to 10"),
        ("ABC", replace(BASE, players=4), "for 4 players"),
        ("ABCDEFGH", replace(BASE, deal_table="custom", hand_size=12), "need 97 tiles"),
    ):
        with pytest.raises(RulesError, match=reason):
            new_session(seats, rules)


def test_a_deal_needs_the_whole_set() -> None:
    assert "set" in refused(new_session("AB", BASE), Dealt(shuffled(BASE, 1)[1:])).reason


def test_the_starting_double_is_the_round_s() -> None:
    session = new_session("AB", BASE)
    assert "is 12, not 7" in refused(session, Opened("A", starting_double=7)).reason
    french = new_session("AB", preset("french"))
    assert go(french, Opened("A", starting_double=7)).position.table.starting_double == 7  # type: ignore[union-attr]
    pulled = new_session("AB", preset("squarescores"))
    assert "nobody lays it" in refused(pulled, Opened("A", starter="B")).reason
    assert starters_of(go(pulled, Opened(starter="B"))) == "B"
