"""Points of a round, and the score sheet of a session (rules matrix, 2.7 and 3.9)."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.errors import RulesError
from engine.rounds import planned_rounds
from engine.rounds import starting_double as double_of_round
from engine.rules import Rules
from engine.tile import Pips, Tile


def tile_points(tile: Tile, rules: Rules) -> int:
    """What one tile in hand counts.

    0|0 counts `double_blank` [S0-18, S3-14]. Under `blank_value` each other tile with a blank counts that
    much, whatever its pips [CF]; `double_blank` still speaks for 0|0 (ruling).
    """
    if tile.high == 0:
        return rules.double_blank
    if tile.low == 0 and rules.blank_value is not None:
        return rules.blank_value
    return tile.pip_total


def hand_points(hand: Iterable[Tile], rules: Rules) -> int:
    """Sum of the tiles left in a hand [S0-16]."""
    return sum(tile_points(tile, rules) for tile in hand)


def score_hands(
    hands: Mapping[str, Sequence[Tile]],
    rules: Rules,
    last: Tile | None = None,
    out: Collection[str] | None = None,
) -> dict[str, int]:
    """Each seat's points for a round from the hands as they were opened; `last` is the tile that ended it.

    Who is `out` scores 0 (if not told: whose hand is empty); in a blocked round everybody counts [S0-16,
    S0-17]. Under `out_on_double_doubles_scores` the others count double when `last` was a double [RB].
    Under `winner_collects` every seat that is out gets what the others hold, and they get nothing [BUL];
    nobody out, nobody collects (ruling).
    """
    if out is None:
        out = [seat for seat, hand in hands.items() if not hand]
    doubled = rules.out_on_double_doubles_scores and bool(out) and last is not None and last.is_double
    points = {seat: hand_points(hand, rules) * (2 if doubled else 1) for seat, hand in hands.items()}
    if rules.scoring_direction == "winner_collects":
        pot = sum(points.values())
        return {seat: pot if seat in out else 0 for seat in hands}
    return points


class DecidedBy(enum.Enum):
    """Which step of the ladder puts a player above the next one [S3-13, WP]."""

    TOTAL = "total"
    ZERO_ROUNDS = "zero_rounds"
    LOWEST_ROUND = "lowest_round"
    SHARED = "shared"
    NOBODY_BELOW = "nobody_below"


@dataclass(frozen=True, slots=True)
class Place:
    """A player's place in the standing; players with equal `rank` share it."""

    player: str
    rank: int
    total: int
    zero_rounds: int
    lowest_round: int | None
    above_next_by: DecidedBy


def standing(
    rounds: Mapping[str, Sequence[int]], rules: Rules, brought: Mapping[str, int] | None = None
) -> tuple[Place, ...]:
    """Players from first to last, with the reason why each stands above the next.

    `brought`: points that late comers were given for the rounds they missed; they count in the total only.

    Lowest total first [S0-19]. Level totals under `zeros_then_low`: more zero-point rounds, then the lowest
    non-zero round [S3-13, WP], then shared (ruling). Under `winner_collects` the highest total is first
    and level totals share, since the ladder speaks of penalty points (ruling).
    """
    collects = rules.scoring_direction == "winner_collects"
    ladder = rules.tie_break == "zeros_then_low" and not collects
    extra = brought or {}

    def steps(player: str) -> tuple[int, int, int]:
        points = rounds[player]
        total = sum(points) + extra.get(player, 0)
        if collects:
            total = -total
        if not ladder:
            return (total, 0, 0)
        return (total, -sum(1 for count in points if count == 0), min((c for c in points if c), default=0))

    order = sorted(rounds, key=steps)  # stable: sharing players stay in seating order
    places: list[Place] = []
    for index, player in enumerate(order):
        points = rounds[player]
        shares = index > 0 and steps(order[index - 1]) == steps(player)
        places.append(
            Place(
                player=player,
                rank=places[-1].rank if shares else index + 1,
                total=sum(points) + extra.get(player, 0),
                zero_rounds=sum(1 for count in points if count == 0),
                lowest_round=min((count for count in points if count), default=None),
                above_next_by=_decided(steps(player), steps(order[index + 1]))
                if index + 1 < len(order)
                else DecidedBy.NOBODY_BELOW,
            )
        )
    return tuple(places)


def _decided(upper: tuple[int, int, int], lower: tuple[int, int, int]) -> DecidedBy:
    names = (DecidedBy.TOTAL, DecidedBy.ZERO_ROUNDS, DecidedBy.LOWEST_ROUND)
    for name, high, low in zip(names, upper, lower, strict=True):
        if high != low:
            return name
    return DecidedBy.SHARED


def winners(rounds: Mapping[str, Sequence[int]], rules: Rules) -> tuple[str, ...]:
    """Everybody who shares the first place."""
    return tuple(place.player for place in standing(rounds, rules) if place.rank == 1)


@dataclass(frozen=True, slots=True)
class RoundScore:
    """One row of the sheet: the round's number and starting double, and the points of each who played it."""

    number: int
    starting_double: Pips
    points: tuple[tuple[str, int], ...]
    out: tuple[str, ...] = ()

    def of(self, player: str) -> int:
        """Points of one player. Raises `RulesError` if the player had no part in the round."""
        count = self.get(player)
        if count is None:
            raise RulesError(f"{player} did not play round {self.number}")
        return count

    def get(self, player: str) -> int | None:
        """Points of one player; None if the player had no part in the round."""
        return next((count for name, count in self.points if name == player), None)


@dataclass(frozen=True, slots=True)
class Correction:
    """A change to a row written earlier: who stood with what, and what stands now."""

    number: int
    player: str
    before: int
    after: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A player who came, or came back, when `after` rounds were written, and the points given for those missed."""

    player: str
    after: int
    points: int = 0


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """All rounds written so far. Frozen: each change is a new sheet, and corrections stay on record.

    `players` are all that ever played. Who has `gone` keeps the points written, but has no place any more.
    """

    players: tuple[str, ...]
    rules: Rules
    rounds: tuple[RoundScore, ...] = ()
    corrections: tuple[Correction, ...] = ()
    shortened_to: int | None = None
    entries: tuple[Entry, ...] = ()
    gone: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if len(set(self.players)) != len(self.players) or not self.players:
            raise RulesError("a score sheet needs players with different names")

    # -- writing -------------------------------------------------------------------------------------

    def with_round(
        self, points: Mapping[str, int], out: Iterable[str] = (), starting_double: Pips | None = None
    ) -> ScoreSheet:
        """Write the next row: one number for each player who is there.

        `starting_double` is needed only where the deal decides it, not the round (`highest_held`).
        """
        if self.is_over:
            raise RulesError(f"all {self.rounds_planned} rounds are written; correct or lengthen the game")
        if set(points) != set(self.present):
            raise RulesError(f"a round needs one score for each of {', '.join(self.present)}")
        for player, count in points.items():
            _check_points(player, count)
        number = len(self.rounds) + 1
        if starting_double is None:
            starting_double = double_of_round(number, self.rules.set_size, self.rules.start_double)
        gone = frozenset(out)
        row = RoundScore(
            number=number,
            starting_double=starting_double,
            points=tuple((player, points[player]) for player in self.present),
            out=tuple(player for player in self.present if player in gone),
        )
        return replace(self, rounds=(*self.rounds, row))

    def corrected(self, number: int, player: str, points: int, note: str = "") -> ScoreSheet:
        """Change one player's points in any round written before; totals and places follow."""
        _check_points(player, points)
        if not 1 <= number <= len(self.rounds):
            raise RulesError(f"round {number} is not written yet; {len(self.rounds)} are")
        row = self.rounds[number - 1]
        change = Correction(number, player, row.of(player), points, note)
        new_points = tuple((name, points if name == player else count) for name, count in row.points)
        rows = (*self.rounds[: number - 1], replace(row, points=new_points), *self.rounds[number:])
        return replace(self, rounds=rows, corrections=(*self.corrections, change))

    def shortened(self, rounds: int) -> ScoreSheet:
        """End the session after `rounds` rounds in all [S0-21]; also lengthens it again."""
        if rounds < max(1, len(self.rounds)):
            raise RulesError(f"{len(self.rounds)} rounds are written; the game can't end after {rounds}").named(
                "rounds_written", written=len(self.rounds), rounds=rounds
            )
        return replace(self, shortened_to=rounds)

    def joined(self, player: str, points: int = 0) -> ScoreSheet:
        """Somebody comes late, or comes back, with these points for the rounds missed."""
        _check_points(player, points)
        if player in self.present:
            raise RulesError(f"{player} plays already")
        players = self.players if player in self.players else (*self.players, player)
        entry = Entry(player, len(self.rounds), points)
        return replace(self, players=players, entries=(*self.entries, entry), gone=self.gone - {player})

    def left(self, player: str) -> ScoreSheet:
        """Somebody leaves: what is written stays, later rounds need no score of theirs."""
        if player not in self.present:
            raise RulesError(f"{player} does not play")
        return replace(self, gone=self.gone | {player})

    def seated(self, order: Sequence[str]) -> ScoreSheet:
        """The same players in another seating order."""
        if sorted(order) != sorted(self.players):
            raise RulesError("a new seating order names every player once")
        return replace(self, players=tuple(order))

    # -- reading -------------------------------------------------------------------------------------

    @property
    def present(self) -> tuple[str, ...]:
        """Who plays the next round."""
        return tuple(player for player in self.players if player not in self.gone)

    @property
    def rounds_planned(self) -> int:
        """Rounds of the session: as the rules say, or as it was shortened."""
        return planned_rounds(self.rules) if self.shortened_to is None else self.shortened_to

    @property
    def rounds_left(self) -> int:
        """Rounds still to play."""
        return self.rounds_planned - len(self.rounds)

    @property
    def is_over(self) -> bool:
        """Every planned round is written."""
        return self.rounds_left <= 0

    @property
    def next_starting_double(self) -> Pips | None:
        """The double of the round to come; None when the session is over, or when the deal will decide."""
        if self.is_over or self.rules.engine_source == "highest_held":
            return None
        return double_of_round(len(self.rounds) + 1, self.rules.set_size, self.rules.start_double)

    def points(self, upto: int | None = None) -> dict[str, list[int]]:
        """Each player's points in the rounds played, of the first `upto` rounds or of all."""
        known = self._come(upto)
        rows = self.rounds[:upto]
        return {
            player: [count for row in rows if (count := row.get(player)) is not None]
            for player in self.players
            if player in known
        }

    def brought(self, upto: int | None = None) -> dict[str, int]:
        """Points given to late comers for the rounds they missed."""
        last = len(self.rounds) if upto is None else upto
        given: dict[str, int] = {}
        for entry in self.entries:
            if entry.after <= last:
                given[entry.player] = given.get(entry.player, 0) + entry.points
        return given

    def _come(self, upto: int | None) -> set[str]:
        """Who had come by then."""
        last = len(self.rounds) if upto is None else upto
        late = {entry.player for entry in self.entries if entry.after > last}
        played = {player for row in self.rounds[:last] for player, _ in row.points}
        return {player for player in self.players if player not in late or player in played}

    def totals(self, upto: int | None = None) -> dict[str, int]:
        """The total of each player who had come after `upto` rounds, or after all."""
        extra = self.brought(upto)
        return {player: sum(counts) + extra.get(player, 0) for player, counts in self.points(upto).items()}

    def running_totals(self) -> list[dict[str, int]]:
        """Totals after each round, as the sheet shows them row by row."""
        return [self.totals(number) for number in range(1, len(self.rounds) + 1)]

    def standing(self, upto: int | None = None) -> tuple[Place, ...]:
        """Places after `upto` rounds, or after all, of those who still play."""
        points = {player: counts for player, counts in self.points(upto).items() if player not in self.gone}
        return standing(points, self.rules, self.brought(upto))

    @property
    def leaders(self) -> tuple[str, ...]:
        """Who stands first; several share it only when the whole ladder leaves them level."""
        return tuple(place.player for place in self.standing() if place.rank == 1)

    @property
    def last(self) -> tuple[str, ...]:
        """Who stands last."""
        places = self.standing()
        return tuple(place.player for place in places if place.rank == places[-1].rank)

    @property
    def winners(self) -> tuple[str, ...]:
        """The leaders once the session is over; nobody before."""
        return self.leaders if self.is_over else ()

    def movement(self) -> dict[str, int]:
        """Places gained (positive) or lost by each player in the last round written."""
        if len(self.rounds) < 2:
            return dict.fromkeys(self.present, 0)
        before = {place.player: place.rank for place in self.standing(len(self.rounds) - 1)}
        now = {place.player: place.rank for place in self.standing()}
        return {player: before.get(player, rank) - rank for player, rank in now.items()}

    def explain(self) -> list[str]:
        """One sentence for each pair of neighbours that stand level on totals, naming what decides."""
        places = self.standing()
        return [
            _explain(upper, lower) for upper, lower in pairwise(places) if upper.above_next_by is not DecidedBy.TOTAL
        ]


def _check_points(player: str, points: int) -> None:
    if points < 0:
        raise RulesError(f"{player} can't score {points}: points are never negative")


def _explain(upper: Place, lower: Place) -> str:
    start = f"{upper.player} and {lower.player} both stand on {upper.total}"
    if upper.above_next_by is DecidedBy.ZERO_ROUNDS:
        return (
            f"{start}; {upper.player} is ahead with more zero-point rounds, "
            f"{upper.zero_rounds} against {lower.zero_rounds}"
        )
    if upper.above_next_by is DecidedBy.LOWEST_ROUND:
        return (
            f"{start} with as many zero-point rounds; {upper.player} is ahead with "
            f"the lowest other round, {upper.lowest_round} against {lower.lowest_round}"
        )
    return f"{start} and share the place"
