"""A whole session as one value: the score sheet, who opened each round, and the round in play.

`advance` is the only way on. It takes an event, checks it, and gives the next session; a refusal gives the
same session and the reason. A session needs no tile to be seen: a round can be dealt (every tile known),
opened (the table is followed, the hands are hidden), or only scored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.codes import Code, Fault, fault
from engine.deal import hand_size
from engine.errors import EngineError, PositionError, RulesError
from engine.messages import explain
from engine.moves import Call, Catch, Draw, Move, Pass, Play
from engine.position import Position
from engine.reducer import Refused, apply
from engine.rounds import clockwise_from, first_starter, left_of, next_starter, starting_double
from engine.rules import Rules
from engine.scoring import ScoreSheet, score_hands
from engine.setup import deal_round, new_round, new_round_unseen
from engine.table import Seat, mexican_number
from engine.tile import Pips, Tile

Points = tuple[tuple[Seat, int], ...]
Hands = tuple[tuple[Seat, tuple[Tile, ...]], ...]

# -- events ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dealt:
    """A round begins from a whole shuffled set. `starter` where it is settled at the table."""

    tiles: tuple[Tile, ...]
    starter: Seat | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A round begins at a real table: who laid the starting double, after how many draws in turn.

    `starting_double` only where the hands decide it (`highest_held`).
    """

    laid_by: Seat | None = None
    starter: Seat | None = None
    draws: int = 0
    starting_double: Pips | None = None


@dataclass(frozen=True, slots=True)
class Closed:
    """A round that is over is counted; `hands` are those that the table opened, the others are known."""

    hands: Hands = ()


@dataclass(frozen=True, slots=True)
class Scored:
    """A round is written by its points, whatever is known of its play."""

    points: Points
    out: tuple[Seat, ...] = ()
    starting_double: Pips | None = None


@dataclass(frozen=True, slots=True)
class Corrected:
    """One seat's points of an earlier round are changed."""

    number: int
    seat: Seat
    points: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Shortened:
    """The session ends after so many rounds in all."""

    rounds: int


Event = Dealt | Opened | Move | Closed | Scored | Corrected | Shortened

# -- the session -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Opening:
    """How a round began."""

    starting_double: Pips
    starter: Seat
    laid_by: Seat | None


@dataclass(frozen=True, slots=True)
class Session:
    """State of a session. `openings` has one entry for each round begun; None where only points are known."""

    rules: Rules
    seats: tuple[Seat, ...]
    sheet: ScoreSheet
    openings: tuple[Opening | None, ...] = ()
    position: Position | None = None
    version: int = 0

    @property
    def in_play(self) -> bool:
        """A round has begun and is not yet counted."""
        return self.position is not None

    @property
    def is_over(self) -> bool:
        """Every planned round is counted."""
        return self.sheet.is_over

    @property
    def round_number(self) -> int:
        """Number of the round in play, or of the one to come."""
        return len(self.sheet.rounds) + 1


@dataclass(frozen=True, slots=True)
class Advanced:
    """The event is in."""

    session: Session


@dataclass(frozen=True, slots=True)
class Rejected:
    """The event is not in; `session` is the very one it was tried on. `fault` if a move broke a rule."""

    session: Session
    reason: str
    fault: Fault | None = None


def new_session(seats: Sequence[Seat], rules: Rules) -> Session:
    """A session before its first round. Raises `RulesError` for a table that these rules can't seat."""
    seats = tuple(seats)
    if len(set(seats)) != len(seats):
        raise RulesError("two seats have the same name")
    for seat in seats:
        if not seat or mexican_number(seat) is not None:
            raise RulesError(f"a seat can't be called {seat!r}: that names a Mexican train")
    if rules.players not in (None, len(seats)):
        raise RulesError(f"these rules are for {rules.players} players, not {len(seats)}")
    hand_size(len(seats), rules)  # refuses a deal that the set can't give
    return Session(rules, seats, ScoreSheet(seats, rules))


def advance(session: Session, event: Event, version: int | None = None) -> Advanced | Rejected:
    """Take one event in, or say why not. `version`: the session that the sender was looking at."""
    if version is not None and version != session.version:
        stale = fault(Code.STALE, version=version, now=session.version)
        return Rejected(session, "something has changed since you looked", stale)
    try:
        after = _after(session, event)
    except _FaultError as error:
        return Rejected(session, str(error), error.fault)
    except EngineError as error:
        return Rejected(session, str(error))
    return Advanced(replace(after, version=session.version + 1))


class _FaultError(EngineError):
    """A move that the rules refuse, on its way out of `_after`."""

    def __init__(self, found: Fault) -> None:
        super().__init__(explain(found))
        self.fault = found


def _after(session: Session, event: Event) -> Session:
    match event:
        case Play() | Draw() | Pass() | Call() | Catch():
            return _moved(session, event)
        case Dealt():
            return _dealt(session, event)
        case Opened():
            return _opened(session, event)
        case Closed():
            return _closed(session, event)
        case Scored():
            return _scored(session, event)
        case Corrected():
            sheet = session.sheet.corrected(event.number, event.seat, event.points, event.note)
            return replace(session, sheet=sheet)
        case Shortened():
            begun = session.round_number if session.in_play else session.round_number - 1
            if event.rounds < begun:
                raise RulesError(f"round {begun} has begun, so the game can't end after {event.rounds}")
            return replace(session, sheet=session.sheet.shortened(event.rounds))


def _moved(session: Session, move: Move) -> Session:
    if session.position is None:
        raise PositionError("no round is in play")
    result = apply(session.position, move, session.rules)
    if isinstance(result, Refused):
        raise _FaultError(result.fault)
    return replace(session, position=result.position)


# -- beginning a round -------------------------------------------------------------------------------


def first_to_draw(session: Session, starter: Seat | None = None) -> Seat:
    """Who draws first when nobody holds the starting double: left of the last starter (ruling, 2.2.3).

    In round 1 the seat that `first_starter` names, or the first one when nobody is known yet.
    """
    if session.openings and (last := session.openings[-1]) is not None:
        return left_of(last.starter, session.seats)
    return session.seats[0] if starter is None else starter


def _ready(session: Session) -> None:
    if session.in_play:
        raise PositionError(f"round {session.round_number} is still in play")
    if session.is_over:
        raise RulesError("the session is over")


def _asked_double(session: Session) -> Pips:
    return starting_double(session.round_number, session.rules.set_size, session.rules.start_double)


def _starter(session: Session, laid_by: Seat | None, named: Seat | None) -> Seat:
    """Who moves first, by the rules; a name is used only where they leave it to the table."""
    rules, seats = session.rules, session.seats
    if not session.openings:
        return first_starter(seats, rules, laid_by=laid_by, named=named)
    last = session.openings[-1]
    if last is not None:
        return next_starter(
            seats,
            rules,
            last_starter=last.starter,
            laid_by=laid_by,
            last_laid_by=last.laid_by,
            totals=session.sheet.totals(),
        )
    # The round before was only scored, so nobody knows who began it.
    if rules.start_rotation == "engine_placer" and laid_by is not None:
        return laid_by
    if named is None:
        raise RulesError("who began the last round is not known: name the seat that moves first")
    return named


def _begun(session: Session, opening: Opening, position: Position) -> Session:
    # Its number goes on from the session's, so that an action meant for an earlier round is stale.
    position = replace(position, version=session.version + 1)
    return replace(session, openings=(*session.openings, opening), position=position)


def _known_seat(session: Session, seat: Seat | None) -> None:
    if seat is not None and seat not in session.seats:
        raise RulesError(f"no seat {seat} at this table ({', '.join(session.seats)})")


def _dealt(session: Session, event: Dealt) -> Session:
    _ready(session)
    _known_seat(session, event.starter)
    rules, seats = session.rules, session.seats
    first = first_to_draw(session, event.starter)
    deal = deal_round(rules, seats, event.tiles, _asked_double(session), first)
    starter = _starter(session, deal.laid_by, event.starter)
    position = new_round(rules, seats, deal, starter)
    return _begun(session, Opening(deal.starting_double, starter, deal.laid_by), position)


def _opened(session: Session, event: Opened) -> Session:
    _ready(session)
    _known_seat(session, event.starter)
    _known_seat(session, event.laid_by)
    rules, seats = session.rules, session.seats
    pulled = rules.engine_source == "pulled"
    if pulled and (event.laid_by is not None or event.draws):
        raise RulesError("the starting double is pulled before the deal: nobody lays it or draws for it")
    if not pulled and event.laid_by is None:
        raise RulesError("name the seat that laid the starting double")
    double = _asked_double(session)
    if event.starting_double is not None and event.starting_double != double:
        if rules.engine_source != "highest_held":
            raise RulesError(f"this round's starting double is {double}, not {event.starting_double}")
        double = event.starting_double
        if not 0 <= double <= rules.set_size:
            raise RulesError(f"a double-{rules.set_size} set has no double {double}")
    starter = _starter(session, event.laid_by, event.starter)
    order = clockwise_from(first_to_draw(session, event.starter), seats)
    last_drawer = order[(event.draws - 1) % len(order)]
    if event.draws and rules.engine_draw == "one_each_in_turn" and last_drawer != event.laid_by:
        raise PositionError(f"after {event.draws} draws {last_drawer} would have found it, not {event.laid_by}")
    draws = Counter(order[number % len(order)] for number in range(event.draws))
    position = new_round_unseen(rules, seats, double, starter, event.laid_by, draws)
    if position.boneyard_count is not None and position.boneyard_count < 0:
        raise PositionError(f"{event.draws} draws are more than the boneyard has")
    return _begun(session, Opening(double, starter, event.laid_by), position)


# -- ending a round ----------------------------------------------------------------------------------


def _closed(session: Session, event: Closed) -> Session:
    position = session.position
    if position is None or position.outcome is None:
        raise PositionError("no round has ended; a round that was not played out is scored by its points")
    hands = opened_hands(position, session.rules, dict(event.hands))
    outcome = position.outcome
    points = score_hands(hands, session.rules, outcome.last, outcome.out)
    return _written(session, points, outcome.out, position.table.starting_double)


def _scored(session: Session, event: Scored) -> Session:
    for seat in event.out:
        _known_seat(session, seat)
    if len(dict(event.points)) != len(event.points):
        raise RulesError("a seat is scored twice")
    double = event.starting_double
    if session.position is not None:
        if double not in (None, session.position.table.starting_double):
            raise RulesError(f"the round in play starts with {session.position.table.starting_double}")
        double = session.position.table.starting_double
    elif session.rules.engine_source != "highest_held" and double not in (None, _asked_double(session)):
        raise RulesError(f"this round's starting double is {_asked_double(session)}, not {double}")
    return _written(session, dict(event.points), event.out, double)


def _written(session: Session, points: Mapping[Seat, int], out: Sequence[Seat], double: Pips | None) -> Session:
    openings = session.openings if session.in_play else (*session.openings, None)
    sheet = session.sheet.with_round(points, out, double)
    return replace(session, sheet=sheet, openings=openings, position=None)


def opened_hands(
    position: Position, rules: Rules, shown: Mapping[Seat, tuple[Tile, ...]]
) -> dict[Seat, tuple[Tile, ...]]:
    """Each seat's tiles at the end of a round: as known, or as the table showed them.

    What is shown must agree with what is known [6.1 no. 6]: as many tiles as were counted, none that lies
    on the table or in another hand. Raises `PositionError` naming what does not fit: then something was
    misread, and nobody is accused.
    """
    hands: dict[Seat, tuple[Tile, ...]] = {}
    for seat in shown:
        if seat not in position.seats:
            raise PositionError(f"no seat {seat} at this table ({', '.join(position.seats)})")
    for seat in position.seats:
        hand = position.hand(seat)
        tiles = shown.get(seat)
        if tiles is None:
            if not hand.known:
                raise PositionError(f"{seat}'s hand is not known: show it to be counted")
            tiles = hand.tiles
        elif hand.count is not None and len(tiles) != hand.count:
            raise PositionError(f"{seat} shows {len(tiles)} tiles, but should hold {hand.count}")
        elif missing := [str(tile) for tile in hand.tiles if tile not in tiles]:
            raise PositionError(f"{seat} should hold {', '.join(missing)}, which is not shown")
        hands[seat] = tiles
    seen = Counter(tile for tiles in hands.values() for tile in tiles)
    seen.update(position.table.tiles())
    if position.boneyard is not None:
        seen.update(position.boneyard)
    for tile, times in seen.items():
        if times > 1:
            raise PositionError(f"{tile} is there {times} times on the table and in the hands")
        if tile.high > rules.set_size:
            raise PositionError(f"{tile} is not in a double-{rules.set_size} set")
    return hands
