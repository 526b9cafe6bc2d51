"""Keys typed at a terminal tell a watch what no picture shows, just as the page's taps do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine.codes import Param
from engine.rules import Rules
from engine.setup import new_round_unseen
from server.explaining import State
from server.messages import LANGUAGES, catalogue
from server.round_watch import RoundWatch
from server.store import EventRow
from server.tables import TableGame, followed
from server.taking_up import hear
from server.taps import Tap, Taps
from server.watch_events import Event, Moment
from server.watching import Watcher, WatchOptions
from tests.server.test_round_watch import ANGLES, SEATS, laid, second, watch

NOW = Moment(7, 7.0)


@dataclass
class Fingers:
    """Keys that are typed when the test says so."""

    keys: str = ""
    single: bool = True
    closed: bool = False

    def take(self) -> list[str]:
        """Typed since it was asked last."""
        typed, self.keys = list(self.keys), ""
        return typed

    def close(self) -> None:
        """No more."""
        self.closed = True


@dataclass
class Terminal:
    """A round that is watched, with somebody at the keyboard."""

    round: RoundWatch | None
    said: list[tuple[str, dict[str, Param]]] = field(default_factory=list)
    fingers: Fingers = field(default_factory=Fingers)

    def __post_init__(self) -> None:
        watcher = Watcher(WatchOptions(SEATS))
        watcher.round = self.round
        self.taps = Taps(watcher, self.fingers, self._say)

    def _say(self, code: str, params: Mapping[str, Param]) -> None:
        self.said.append((code, dict(params)))

    def type(self, keys: str) -> list[Event]:
        """These keys, between two pictures."""
        self.fingers.keys += keys
        return self.taps.hear(NOW)


def tapped(round_watch: RoundWatch, *acts: dict[str, Any], apart: bool = False) -> RoundWatch:
    """The round after somebody tapped these acts on the page; `apart` if pictures came between them."""
    position = round_watch.states[0].base
    game = TableGame(1, round_watch.rules, position, position)
    for act in acts:
        game = followed(game, EventRow(0, "", "", "table_act", act))
        if apart or act is acts[-1]:
            hear(round_watch, game.turn_start, game.position)
    assert game.foul is None
    return round_watch


def seats_of(round_watch: RoundWatch) -> list[str | None]:
    """Who may have laid a tile that now comes to the Mexican train."""
    told = round_watch.change([laid("t5", 4, 7)], ["t1"], ANGLES)
    return [account.seat_of(told.tiles[0][1]) for account in told.accounts]


@pytest.mark.parametrize("keys", ["p", "dp"])
def test_a_pass_by_key_means_what_one_by_tap_does(keys: str) -> None:
    """The marker of A stands already, so its pass leaves no trace: without word of it the next lay may be A's."""
    assert set(seats_of(watch("A", "A"))) == {"A", "B"}
    page = tapped(watch("A", "A"), {"do": "draw"}, {"do": "end"}, apart=len(keys) > 1)
    terminal = Terminal(watch("A", "A"))
    events = terminal.type(keys)
    assert terminal.round is not None
    assert terminal.round.states == page.states
    assert [(event.event, event.seat, event.next, event.verdict) for event in events] == [
        ("turn", "A", "B", "undetermined")
    ]
    assert seats_of(terminal.round)[0] == seats_of(page)[0] == "B"


def test_a_draw_by_key_means_what_one_by_tap_does() -> None:
    """After a lay that A or B may have made, word that somebody draws makes it surer whose turn it is."""
    def played() -> RoundWatch:
        round_watch = watch("A", "A")
        seats_of(round_watch)
        return round_watch

    page, terminal = played(), Terminal(played())
    state = page.states[0]
    hear(page, state.base, state.mid)
    terminal.type("d")
    assert terminal.round is not None
    assert terminal.round.states == page.states != played().states
    assert terminal.said == [("tap.drew", {"seat": state.seat})]


def test_what_the_rules_do_not_allow_is_not_taken_and_nobody_is_accused() -> None:
    terminal = Terminal(watch("A", "A"))
    assert terminal.round is not None
    before = terminal.round.states
    assert terminal.type("dd") == []
    assert [code for code, _ in terminal.said] == ["tap.drew", "ruling.R_DRAW_TWICE", "tap.not_taken"]
    assert [state.seat for state in terminal.round.states] == [state.seat for state in before]


def test_the_next_turn_begins_whatever_was_seen() -> None:
    """A first line may not end with a double here, so the turn can't end so; the people at the table go on."""
    rules = Rules.of({"first_turn_end_double": "forbidden"})
    round_watch = RoundWatch(rules, SEATS, (State.fresh(new_round_unseen(rules, SEATS, 12, "A")),))
    round_watch.change([laid("t1", 12, 5), second("t1", 5, 5)], [], ANGLES)
    assert round_watch.states[0].seat == "A"
    terminal = Terminal(round_watch)
    assert terminal.type("p") == []
    assert [code for code, _ in terminal.said] == ["ruling.R_FIRST_TURN_DOUBLE_END", "tap.not_taken"]
    assert round_watch.states[0].seat == "A"
    assert terminal.type("n") == []
    assert round_watch.states[0].seat == "B"
    assert terminal.said[2:] == [("tap.next", {"next": "B"})]


def test_a_tap_is_taken_back() -> None:
    terminal = Terminal(watch("A", "A"))
    assert terminal.round is not None
    before = terminal.round.states
    terminal.type("dpu")
    assert terminal.round.states[0].seat == "A"
    terminal.type("u")
    assert terminal.round.states == before
    terminal.type("u")
    assert [code for code, _ in terminal.said] == ["tap.drew", "tap.back", "tap.back", "tap.nothing_back"]


def test_what_was_played_on_is_not_taken_back() -> None:
    terminal = Terminal(watch("A", "A"))
    assert terminal.round is not None
    terminal.type("p")
    seats_of(terminal.round)
    after = terminal.round.states
    terminal.type("u")
    assert terminal.said[-1][0] == "tap.too_late"
    assert terminal.round.states == after


def test_whoever_has_one_tile_left_may_be_out_with_the_next() -> None:
    round_watch = watch("A")
    round_watch.held = dict.fromkeys(SEATS, 9)
    terminal = Terminal(round_watch)
    terminal.type("l")
    assert round_watch.held["A"] == 1
    assert round_watch.perhaps_out() is None
    round_watch.change([laid("t1", 0, 5)], [], ANGLES)
    assert round_watch.perhaps_out() == "A"
    terminal.type("u")
    assert terminal.said[-1][0] == "tap.too_late"


def test_whose_turn_it_is_is_told_with_who_else_may_be_on_move() -> None:
    terminal = Terminal(watch("A", "A"))
    assert terminal.round is not None
    terminal.type("w")
    seats_of(terminal.round)
    terminal.type("w")
    assert terminal.said[0] == ("tap.whose", {"seat": "A", "others": ""})
    assert terminal.said[1][0] == "tap.whose_perhaps"


def test_without_turns_and_with_keys_that_say_nothing_all_goes_on() -> None:
    terminal = Terminal(None)
    assert terminal.type("pxé?Q") == []
    assert [code for code, _ in terminal.said] == ["tap.no_turns", "tap.legend"]
    assert terminal.taps.ended


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_legend_names_every_key(language: str) -> None:
    for code in ("tap.legend", "tap.legend_lines"):
        words = catalogue(language)[code].replace(",", " ").split()
        assert {tap.value for tap in Tap} <= set(words)
        assert "\n" not in catalogue(language)[code]
