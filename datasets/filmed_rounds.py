"""Whole rounds played by the engine's own players, with fouls of many kinds: what a film shows, turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from engine.acts import play_fault
from engine.errors import EngineError
from engine.legality import legal_moves
from engine.moves import Draw, Move, Pass, Play
from engine.played_on import played_on, with_marks
from engine.position import Mode, Position
from engine.reducer import Applied, apply
from engine.rules import Rules
from engine.setup import deal_round, new_round
from engine.table import MEXICAN, LaidTile, Seat, TrainId
from engine.tile import DominoSet, Tile

FOULS = (
    "R_NO_MATCH", "R_TRAIN_PRIVATE", "R_TOO_MANY_TILES", "R_OPEN_DOUBLE_FIRST", "R_MARKER_MISSING",
    "R_MARKER_UNDUE", "R_MARKER_KEPT", "R_MEXICAN_MARKED", "R_MARKER_REMOVED_WRONGLY",
)


@dataclass(frozen=True, slots=True)
class FilmedTurn:
    """One turn: who, what was laid in order, the markers after it, the foul if it is one.

    `late` fouls show only when the next seat has acted: until then they can be put right.
    """

    seat: Seat
    plays: tuple[Play, ...]
    marks: tuple[TrainId, ...]
    before: Position
    after: Position
    foul: str | None = None
    at: Play | None = None
    late: bool = False
    drew: bool = False


def begin(rng: np.random.Generator, rules: Rules, seats: tuple[Seat, ...], double: int | None = None) -> Position:
    """A dealt round; whoever laid the starting double begins."""
    tiles = list(DominoSet(rules.set_size))
    order = [tiles[int(place)] for place in rng.permutation(len(tiles))]
    value = int(rng.integers(rules.set_size + 1)) if double is None else double
    deal = deal_round(rules, seats, order, value, seats[0])
    return new_round(rules, seats, deal, deal.laid_by or seats[0])


def play_round(
    rng: np.random.Generator, rules: Rules, start: Position, fouls: list[str], most: int = 60
) -> Iterator[FilmedTurn]:
    """Turn after turn until the round is over; each wanted foul as soon as it can be committed."""
    position = start
    wanted = list(fouls)
    turn: FilmedTurn | None = None
    for number in range(most):
        if position.is_over:
            return
        # What can still be put right is a foul only once the next seat has acted, and shown to have.
        turn = _proving(rules, position) if turn is not None and turn.late else None
        if turn is None and wanted and number >= len(position.seats) and rng.random() < 0.45:
            turn = _foul(rng, rules, position, wanted)
        turn = turn or _legal(rng, rules, position)
        yield turn
        position = turn.after


def _legal(rng: np.random.Generator, rules: Rules, position: Position) -> FilmedTurn:
    """A turn by the rules: heavy tiles first, mostly; a first line not always as long as it could be."""
    plays: list[Play] = []
    drew = False
    now, seat = position, position.turn.seat
    while not now.is_over and now.turn.seat == seat:
        move = _choice(rng, now, legal_moves(now, rules), len(plays))
        if isinstance(move, Play):
            plays.append(move)
        drew = drew or isinstance(move, Draw)
        result = apply(now, move, rules)
        assert isinstance(result, Applied)
        now = result.position
        if isinstance(move, Pass):
            break
    return FilmedTurn(seat, tuple(plays), now.table.markers, position, now, drew=drew)


def _proving(rules: Rules, position: Position) -> FilmedTurn | None:
    """A turn that nobody else can have taken: a tile on the own train, which is closed to the others."""
    seat = position.turn.seat
    own = position.table.train(seat)
    if position.is_over or position.open_doubles or own.marker or not own.started:
        return None
    for move in legal_moves(position, rules):
        if not isinstance(move, Play) or move.train != seat or move.laid.is_double:
            continue
        result = apply(position, move, rules)
        if isinstance(result, Applied) and result.position.turn.seat == seat and not result.position.is_over:
            result = apply(result.position, Pass(), rules)
        if isinstance(result, Applied) and not result.position.is_over:
            return FilmedTurn(seat, (move,), result.position.table.markers, position, result.position)
    return None


def _choice(rng: np.random.Generator, now: Position, moves: list[Move], laid: int) -> Move:
    plays = [move for move in moves if isinstance(move, Play)]
    others = [move for move in moves if not isinstance(move, Play)]
    stop = now.turn.mode is Mode.BUILD and others and laid >= 2 and rng.random() < 0.35
    if not plays or stop:
        return next((move for move in others if isinstance(move, Pass)), others[0])
    if rng.random() < 0.3:
        return plays[int(rng.integers(len(plays)))]
    return max(plays, key=lambda play: (play.train == now.turn.seat, play.laid.near + play.laid.far))


# -- fouls ----------------------------------------------------------------------------------------------


def _foul(rng: np.random.Generator, rules: Rules, position: Position, wanted: list[str]) -> FilmedTurn | None:
    if position.firsts:
        return None
    for kind in list(wanted):
        turn = _MAKERS[kind](rng, rules, position)
        if turn is not None:
            wanted.remove(kind)
            return turn
    return None


def _tiles(rng: np.random.Generator, position: Position) -> list[Tile]:
    hand = [tile for tile in position.hand(position.turn.seat).tiles if not tile.is_double]
    return [hand[int(place)] for place in rng.permutation(len(hand))] if len(hand) > 2 else []


def _ways(tile: Tile) -> tuple[LaidTile, LaidTile]:
    return LaidTile(tile.low, tile.high), LaidTile(tile.high, tile.low)


def _bad_lay(
    rng: np.random.Generator, rules: Rules, position: Position, code: str, trains: list[TrainId], fits: bool
) -> FilmedTurn | None:
    seat = position.turn.seat
    for tile in _tiles(rng, position):
        for train in trains:
            end = position.table.train(train).open_end(position.table.starting_double)
            for laid in _ways(tile):
                if (laid.near == end) != fits:
                    continue
                play = Play(train, laid)
                found = _fault(position, rules, play)
                if found == code:
                    after = played_on(position, (play,), rules, None)
                    return FilmedTurn(seat, (play,), after.table.markers, position, after, code, play)
    return None


def _fault(position: Position, rules: Rules, play: Play) -> str | None:
    try:
        found = play_fault(position, rules, play)
    except EngineError:
        return None
    return None if found is None else found.code.value


def _no_match(rng: np.random.Generator, rules: Rules, position: Position) -> FilmedTurn | None:
    own = position.turn.seat
    if position.open_doubles or not position.table.train(own).started:
        return None
    clear = not position.table.train(own).marker
    return _bad_lay(rng, rules, position, "R_NO_MATCH", [own], False) if clear else None


def _private(rng: np.random.Generator, rules: Rules, position: Position) -> FilmedTurn | None:
    others = [seat for seat in position.seats if seat != position.turn.seat and position.table.train(seat).started]
    return _bad_lay(rng, rules, position, "R_TRAIN_PRIVATE", others, True)


def _duty(rng: np.random.Generator, rules: Rules, position: Position) -> FilmedTurn | None:
    own = position.turn.seat
    if position.table.train(own).marker:
        return None
    return _bad_lay(rng, rules, position, "R_OPEN_DOUBLE_FIRST", [own], True)


def _too_many(rng: np.random.Generator, rules: Rules, position: Position) -> FilmedTurn | None:
    seat = position.turn.seat
    if position.open_doubles or position.table.train(seat).marker or not position.table.train(seat).started:
        return None
    for first in _tiles(rng, position):
        for one in _ways(first):
            play = Play(seat, one)
            if _fault(position, rules, play) is not None or one.near != _end(position, seat):
                continue
            for second in _tiles(rng, position):
                for two in _ways(second):
                    if second != first and two.near == one.far:
                        plays = (play, Play(seat, two))
                        after = played_on(position, plays, rules, None)
                        marks = after.table.markers
                        return FilmedTurn(seat, plays, marks, position, after, "R_TOO_MANY_TILES", plays[1])
    return None


def _end(position: Position, train: TrainId) -> int:
    return position.table.train(train).open_end(position.table.starting_double)


def _missing(rng: np.random.Generator, rules: Rules, position: Position) -> FilmedTurn | None:
    """Passes, and puts no marker up."""
    seat = position.turn.seat
    turn = _legal(rng, rules, position)
    if turn.plays or position.table.train(seat).marker or turn.after.is_over or seat not in turn.marks:
        return None
    after = played_on(position, (), rules, False)
    if _proving(rules, after) is None:
        return None
    return replace(turn, marks=after.table.markers, after=after, foul="R_MARKER_MISSING", late=True)


def _kept(rng: np.random.Generator, rules: Rules, position: Position) -> FilmedTurn | None:
    """Plays on the own train and leaves the marker."""
    seat = position.turn.seat
    turn = _legal(rng, rules, position)
    own = any(play.train == seat for play in turn.plays)
    if not own or turn.drew or not position.table.train(seat).marker or seat in turn.marks or turn.after.is_over:
        return None
    after = played_on(position, turn.plays, rules, True)
    if _proving(rules, after) is None:
        return None
    return replace(turn, marks=after.table.markers, after=after, foul="R_MARKER_KEPT", late=True)


def _undue(rng: np.random.Generator, rules: Rules, position: Position) -> FilmedTurn | None:
    """Plays and puts a marker up for nothing."""
    seat = position.turn.seat
    turn = _legal(rng, rules, position)
    plain = len(turn.plays) == 1 and not turn.plays[0].laid.is_double and not turn.drew
    if not plain or position.table.train(seat).marker or seat in turn.marks or turn.after.is_over:
        return None
    after = played_on(position, turn.plays, rules, True)
    return replace(turn, marks=after.table.markers, after=after, foul="R_MARKER_UNDUE")


def _mexican_marked(rng: np.random.Generator, rules: Rules, position: Position) -> FilmedTurn | None:
    """A marker goes onto the Mexican train with a lay; it is taken off again in the next turn."""
    turn = _legal(rng, rules, position)
    if not position.table.train(MEXICAN).started or len(turn.plays) != 1 or turn.after.is_over:
        return None
    if set(turn.marks) != set(position.table.markers):
        return None
    return replace(turn, marks=(*turn.marks, MEXICAN), foul="R_MEXICAN_MARKED")


def _removed(rng: np.random.Generator, rules: Rules, position: Position) -> FilmedTurn | None:
    """Takes somebody else's marker off."""
    turn = _legal(rng, rules, position)
    seat = turn.seat
    others = [mark for mark in turn.marks if mark != seat and mark in position.table.markers]
    if not others or len(turn.plays) != 1 or turn.plays[0].train in others or turn.after.is_over:
        return None
    if set(turn.marks) != set(position.table.markers):
        return None
    marks = tuple(mark for mark in turn.marks if mark != others[0])
    after = with_marks(turn.after, marks)
    return replace(turn, marks=marks, after=after, foul="R_MARKER_REMOVED_WRONGLY")


_MAKERS: dict[str, Callable[[np.random.Generator, Rules, Position], FilmedTurn | None]] = {
    "R_NO_MATCH": _no_match,
    "R_TRAIN_PRIVATE": _private,
    "R_TOO_MANY_TILES": _too_many,
    "R_OPEN_DOUBLE_FIRST": _duty,
    "R_MARKER_MISSING": _missing,
    "R_MARKER_UNDUE": _undue,
    "R_MARKER_KEPT": _kept,
    "R_MEXICAN_MARKED": _mexican_marked,
    "R_MARKER_REMOVED_WRONGLY": _removed,
}
