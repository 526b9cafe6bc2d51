"""The beginning of a round: deal, starting double, and the first position (rules matrix, 2.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.deal import hand_size
from engine.errors import PositionError
from engine.position import Hand, Mode, Position, Turn
from engine.reducer import start_turn
from engine.rounds import clockwise_from
from engine.rules import Rules
from engine.table import Seat, Table, Train, mexican_number
from engine.tile import DominoSet, Pips, Tile


@dataclass(frozen=True, slots=True)
class Deal:
    """Hands and boneyard once the starting double lies on the hub."""

    starting_double: Pips
    hands: Mapping[Seat, tuple[Tile, ...]]
    boneyard: tuple[Tile, ...]
    laid_by: Seat | None
    """The seat that laid the starting double; nobody when it was pulled out first."""
    draws: tuple[tuple[Seat, Tile], ...] = ()
    """Tiles drawn while looking for the starting double, in order; they are kept."""


def deal_round(
    rules: Rules, seats: Sequence[Seat], shuffled: Sequence[Tile], double: Pips, first_drawer: Seat
) -> Deal:
    """Deal a round from a shuffled set and find its starting double.

    `double` is the round's double; `highest_held` looks for the highest double in any hand instead
    [S4-01]. `first_drawer` draws first when nobody holds it: the seat left of the last round's starter
    (2.2.3, ruling).
    """
    if sorted(shuffled) != sorted(DominoSet(rules.set_size)):
        raise PositionError(f"not a whole double-{rules.set_size} set, each tile once")
    size = hand_size(len(seats), rules)
    wanted = Tile(double, double)
    tiles = list(shuffled)
    if rules.engine_source == "pulled":
        tiles.remove(wanted)
    hands = {seat: tiles[place * size : (place + 1) * size] for place, seat in enumerate(seats)}
    boneyard = tiles[len(seats) * size :]
    if rules.engine_source == "pulled":
        return _dealt(double, hands, boneyard, None, [])
    return _find_double(rules, hands, boneyard, wanted, clockwise_from(first_drawer, seats))


def _find_double(
    rules: Rules, hands: dict[Seat, list[Tile]], boneyard: list[Tile], wanted: Tile, order: Sequence[Seat]
) -> Deal:
    """Look through the hands, then draw one each until the double turns up [S1-V2, PG]."""
    draws: list[tuple[Seat, Tile]] = []
    found = _holder(rules, hands, wanted)
    while found is None:
        if not boneyard:
            raise PositionError(f"the boneyard is empty and {wanted} has not turned up")
        for seat in order:
            if not boneyard:
                break
            tile = boneyard.pop(0)
            hands[seat].append(tile)
            draws.append((seat, tile))
            found = _holder(rules, hands, wanted)
            if found is not None and rules.engine_draw == "one_each_in_turn":
                break
    seat, tile = found
    hands[seat].remove(tile)
    return _dealt(tile.low, hands, boneyard, seat, draws)


def _holder(rules: Rules, hands: Mapping[Seat, list[Tile]], wanted: Tile) -> tuple[Seat, Tile] | None:
    if rules.engine_source == "highest_held":
        doubles = [(tile, seat) for seat, hand in hands.items() for tile in hand if tile.is_double]
        if not doubles:
            return None
        tile, seat = max(doubles, key=lambda entry: entry[0].low)
        return seat, tile
    for seat, hand in hands.items():
        if wanted in hand:
            return seat, wanted
    return None


def _dealt(
    double: Pips,
    hands: Mapping[Seat, list[Tile]],
    boneyard: list[Tile],
    laid_by: Seat | None,
    draws: list[tuple[Seat, Tile]],
) -> Deal:
    frozen = {seat: tuple(hand) for seat, hand in hands.items()}
    return Deal(double, frozen, tuple(boneyard), laid_by, tuple(draws))


def new_round(rules: Rules, seats: Sequence[Seat], deal: Deal, starter: Seat) -> Position:
    """The first position of a round where every tile is known."""
    hands = tuple(Hand.of(deal.hands[seat]) for seat in seats)
    return first_position(
        rules, seats, deal.starting_double, starter, hands, len(deal.boneyard), deal.boneyard
    )


def new_round_unseen(
    rules: Rules,
    seats: Sequence[Seat],
    double: Pips,
    starter: Seat,
    laid_by: Seat | None = None,
    draws: Mapping[Seat, int] | None = None,
) -> Position:
    """The first position of a round at a real table: counts are known, tiles are not (2.2.5).

    `draws`: tiles each seat drew while looking for the starting double; `laid_by` counts its own.
    """
    size = hand_size(len(seats), rules)
    drawn = draws or {}
    counts = {seat: size + drawn.get(seat, 0) - (seat == laid_by) for seat in seats}
    hands = tuple(Hand((), counts[seat]) for seat in seats)
    boneyard = len(DominoSet(rules.set_size)) - 1 - sum(counts.values())
    return first_position(rules, seats, double, starter, hands, boneyard, None)


def first_position(
    rules: Rules,
    seats: Sequence[Seat],
    double: Pips,
    starter: Seat,
    hands: tuple[Hand, ...],
    boneyard_count: int | None,
    boneyard: tuple[Tile, ...] | None,
) -> Position:
    """A position before anybody has moved; `starter` has the turn [S0-06]."""
    for seat in seats:
        if mexican_number(seat) is not None:
            raise PositionError(f"a seat can't be called {seat}: that is the Mexican train")
    empty = Position(
        table=Table(double, tuple(Train(seat) for seat in seats)),
        seats=tuple(seats),
        turn=Turn(starter, 1, Mode.FREE),
        hands=hands,
        boneyard_count=boneyard_count,
        boneyard=boneyard,
        firsts=frozenset(seats),
        turns=tuple(0 for _ in seats),
        starter=starter,
    )
    return start_turn(empty, rules, starter)
