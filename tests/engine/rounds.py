"""Rounds played by a random or a greedy player, for tests that need many positions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from engine.errors import RulesError
from engine.legality import legal_moves
from engine.moves import Move, Play
from engine.options import Option
from engine.position import Position
from engine.reducer import Applied, apply
from engine.rules import OPTIONS, Rules
from engine.session import Advanced, Event, Session, advance
from engine.setup import deal_round, new_round
from engine.tile import DominoSet, Tile

SEATS = "ABCDEFGHIJ"
LONGEST_ROUND = 5000
"""Moves after which a round counts as stuck."""


def random_rules(rng: random.Random, changes: int) -> Rules:
    """The published game with a few options changed at random; contradictions are drawn again."""
    fixed = ("set_size", "players", "deal_table", "hand_size", "start_double")
    names = [name for name in OPTIONS if name not in fixed]
    while True:
        chosen = {name: _value(OPTIONS[name], rng) for name in rng.sample(names, changes)}
        chosen["set_size"] = rng.choice([6, 9, 12])
        try:
            return Rules.of(chosen)
        except RulesError:
            continue


def _value(option: Option, rng: random.Random) -> object:
    values: list[object] = list(option.words)
    if option.numbers is not None:
        values += [option.numbers[0], option.numbers[0] + 1]
    return rng.choice(values)


def shuffled(rules: Rules, rng: random.Random) -> tuple[Tile, ...]:
    """The whole set, face down."""
    tiles = list(DominoSet(rules.set_size))
    rng.shuffle(tiles)
    return tuple(tiles)


def begin(rules: Rules, seats: int, rng: random.Random) -> Position:
    """A dealt round; whoever laid the starting double begins."""
    tiles = shuffled(rules, rng)
    names = SEATS[:seats]
    deal = deal_round(rules, names, tiles, rng.randint(0, rules.set_size), "A")
    return new_round(rules, names, deal, deal.laid_by or "A")


def choose(moves: list[Move], rng: random.Random, greedy: bool) -> Move:
    """Any move; or the play that gets rid of most pips, else the first other move."""
    if not greedy:
        return rng.choice(moves)
    plays = [move for move in moves if isinstance(move, Play)]
    return max(plays, key=lambda play: play.laid.near + play.laid.far) if plays else moves[0]


def played(
    rules: Rules, position: Position, rng: random.Random, greedy: bool = False
) -> Iterator[tuple[Position, list[Move], Move, Position]]:
    """Play a round to its end: position before, its legal moves, the one made, position after."""
    for _ in range(LONGEST_ROUND):
        if position.is_over:
            return
        moves = legal_moves(position, rules)
        assert moves, f"stuck: {position.turn} under {rules.changes()}"
        move = choose(moves, rng, greedy)
        result = apply(position, move, rules)
        assert isinstance(result, Applied), (move, result.fault, rules.changes())
        yield position, moves, move, result.position
        position = result.position
    raise AssertionError(f"no end after {LONGEST_ROUND} moves under {rules.changes()}")


def assert_conserved(position: Position, rules: Rules) -> None:
    """Each tile once over table, hands and boneyard, and the counts agree (rules matrix, 2.8)."""
    assert position.boneyard is not None
    assert position.boneyard_count == len(position.boneyard)
    tiles: Counter[Tile] = Counter(position.table.tiles())
    for hand in position.hands:
        assert hand.known
        tiles.update(hand.tiles)
    tiles.update(position.boneyard)
    assert tiles == Counter(DominoSet(rules.set_size))


def end_of(rules: Rules, position: Position, rng: random.Random, greedy: bool = False) -> Position:
    """The last position of a round played to its end."""
    for _, _, _, after in played(rules, position, rng, greedy):
        position = after
    return position


def go_on(session: Session, event: Event) -> Session:
    """The session after an event that it must take."""
    result = advance(session, event)
    assert isinstance(result, Advanced), (event, result, session.rules.changes())
    return result.session


def played_on(session: Session, rng: random.Random, greedy: bool) -> Session:
    """The session with the round in play brought to its end."""
    for _ in range(LONGEST_ROUND):
        assert session.position is not None
        if session.position.is_over:
            return session
        moves = legal_moves(session.position, session.rules)
        assert moves, f"stuck: {session.position.turn} under {session.rules.changes()}"
        session = go_on(session, choose(moves, rng, greedy))
    raise AssertionError(f"no end after {LONGEST_ROUND} moves under {session.rules.changes()}")
