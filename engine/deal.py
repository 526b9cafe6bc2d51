"""How many tiles each seat is dealt, and what stays in the boneyard (rules matrix, 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.errors import RulesError
from engine.rules import Rules
from engine.tile import DominoSet, Pips

MIN_SEATS = 2
MAX_SEATS = 10

HandTable = Mapping[int, int]  # seats -> tiles each


def _table(*spans: tuple[int, int, int]) -> HandTable:
    """Hand sizes from `(first seats, last seats, tiles each)`."""
    return MappingProxyType({seats: hand for first, last, hand in spans for seats in range(first, last + 1)})


# Larger tables than this game seats are kept where a source names them: `boneyard_after_deal` serves them.
_STANDARD: dict[Pips, HandTable] = {
    6: _table((2, 2, 9), (3, 3, 8), (4, 4, 6)),  # GB
    9: _table((2, 4, 8), (5, 7, 7), (8, 8, 6)),  # S1-V5 to four seats, GB beyond
    12: _table((2, 4, 15), (5, 6, 12), (7, 8, 10), (9, 10, 8)),  # S0-02, S1-03
    15: _table((2, 6, 15), (7, 8, 13), (9, 12, 11)),  # GB
    18: _table((2, 14, 11)),  # ruling: 14 * 11 + 1 <= 190
}

DEAL_TABLES: Mapping[str, Mapping[Pips, HandTable]] = MappingProxyType(
    {
        "standard": MappingProxyType(_STANDARD),
        "galt_11": MappingProxyType({12: _table((2, 4, 15), (5, 6, 12), (7, 8, 11))}),
        "pressman": MappingProxyType({12: _table((2, 4, 15), (5, 6, 11), (7, 8, 8))}),
        "parsons": MappingProxyType(
            {
                9: _table((2, 2, 12), (3, 3, 11), (4, 4, 10)),
                12: _table((5, 5, 12), (6, 6, 11), (7, 7, 10), (8, 8, 9)),
            }
        ),
        "idaho": MappingProxyType({12: MappingProxyType({seats: 18 - seats for seats in range(2, 9)})}),
        "ludomax": MappingProxyType(
            {12: _table((4, 4, 18), (5, 5, 14), (6, 6, 12), (7, 7, 10), (8, 8, 9))},
        ),
    }
)
"""Deal table -> set size -> seats -> tiles each. Where a table is silent, `standard` speaks (ruling)."""


def hand_size(seats: int, rules: Rules) -> int:
    """Tiles dealt to each of `seats` under the deal table in force.

    Raises `RulesError` for fewer than 2 or more than 10 seats, and where the set has too few tiles.
    """
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise RulesError(f"Mexican Train is for {MIN_SEATS} to {MAX_SEATS} players, not {seats}").named(
            "seats", least=MIN_SEATS, most=MAX_SEATS, seats=seats
        )
    size = rules.set_size
    hand: int | None
    if rules.deal_table == "custom":
        hand = rules.hand_size
        if hand is None:
            raise RulesError("deal_table is custom, but no hand_size is given").named("custom_without_hand")
    else:
        hand = DEAL_TABLES[rules.deal_table].get(size, {}).get(seats) or _STANDARD[size].get(seats)
        if hand is None:
            raise RulesError(f"no deal known for {seats} players with a double-{size} set; set hand_size").named(
                "no_deal_known", seats=seats, set_size=size
            )
    boneyard_after_deal(size, seats, hand, rules.engine_source)
    return hand


def boneyard_after_deal(set_size: Pips, seats: int, hand: int, engine_source: str) -> int:
    """Face-down tiles right after the deal (2.2.5); the starting double is gone from them only if `pulled`.

    Raises `RulesError` when `seats * hand + 1` is more than the set has, whoever lays the starting double.
    """
    tiles = len(DominoSet(set_size))
    if seats < 1 or hand < 1:
        raise RulesError(f"can't deal {hand} tiles to {seats} players")
    if seats * hand + 1 > tiles:
        raise RulesError(
            f"{seats} players with {hand} tiles each and the starting double need {seats * hand + 1} tiles; "
            f"a double-{set_size} set has {tiles}"
        ).named("too_few_tiles", seats=seats, hand=hand, set_size=set_size)
    return tiles - seats * hand - (1 if engine_source == "pulled" else 0)
