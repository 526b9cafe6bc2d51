"""Choosing joins: cheapest first, each half once, no rings. The result is a forest rooted at the hub.

Values are looked at only where two joins compete and lie about equally well; a join whose values differ is kept
if it is what geometry shows.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from vision.joins import HUB, SIDE, Join

Ends = tuple[int | None, int | None]

OPEN_MARGIN = 0.12
"""Joins whose costs differ by less than this are left open by geometry: matching values decide."""
UNSURE_MARGIN = 0.04
"""Rivals closer than this that values do not tell apart are a doubt."""

ACROSS_GAP = 1.0
"""Joins that cost this or more span a tile that was not seen: their values need not meet."""

SIDE_COST = 0.12
"""A third tile against one that is no double must lie against it as well as this, and its value must meet."""

_SPOTS_APART, _BESIDE_APART = 0.3, 0.25
_MOST_AT_DOUBLE = 5
_MOST_BESIDE = 3
_LIMB_COST = 0.5
# Of joins that people lay, 995 in 1000 cost less.
SLOPPY, _SLOPPY_HUB = 0.22, 0.2
_UNREAD: Ends = (None, None)
_UNREAD_COST = 0.18
"""What shows no value at all may be no tile: at the end of a line it has to lie as tiles do."""


def facing_values(ends: Ends, half: int) -> tuple[int | None, ...]:
    """What the tile may show at a contact."""
    return ends if half == SIDE else (ends[half],)


@dataclass(slots=True)
class Forest:
    """Accepted joins. `ends` are the values of all tiles; `hub_value` is the starting double's, if known.

    A join whose values do not meet is none if it costs more than `sloppy`. `unclear` halves (tile, 0 or 1) may show
    something else than they are read as.
    """

    ends: Sequence[Ends]
    hub_value: int | None = None
    sloppy: float = SLOPPY
    unclear: Collection[tuple[int, int]] = ()
    joins: list[Join] = field(default_factory=list)
    unsure: list[tuple[Join, Join]] = field(default_factory=list)
    at: list[list[Join]] = field(default_factory=list)
    _parent: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.at = [[] for _ in self.ends]
        self._parent = list(range(len(self.ends) + 1))

    def root(self, tile: int) -> int:
        """The name of the tree that the tile (or `HUB`) stands in."""
        node = len(self.ends) if tile == HUB else tile
        while self._parent[node] != node:
            self._parent[node] = self._parent[self._parent[node]]
            node = self._parent[node]
        return node

    def rooted(self, tile: int) -> bool:
        """True if the tile hangs together with the hub."""
        return self.root(tile) == self.root(HUB)

    def matches(self, join: Join) -> bool | None:
        """Do the values that meet agree? `None` if one of them is not known."""
        first = facing_values(self.ends[join.a], join.half_a)
        second = (self.hub_value,) if join.b == HUB else facing_values(self.ends[join.b], join.half_b)
        if None in first or None in second:
            return None
        if set(first) & set(second):
            return True
        return None if self._unclear(join.a, join.half_a) or self._unclear(join.b, join.half_b) else False

    def _unclear(self, tile: int, half: int) -> bool:
        return any((tile, each) in self.unclear for each in ((0, 1) if half == SIDE else (half,)))

    def free(self, tile: int, half: int, spot: tuple[float, float]) -> bool:
        """True if the contact is not taken yet."""
        if tile == HUB:
            return True
        ends, taken = self.ends[tile], self.at[tile]
        double = ends[0] is not None and ends[0] == ends[1]
        if len(taken) >= (_MOST_AT_DOUBLE if double else 2):
            return False
        for join in taken:
            if not double and half != SIDE and join.half(tile) == half:
                return False
            if _apart(spot, join.spot(tile)) < _SPOTS_APART:
                return False
        return True

    def fits_beside(self, join: Join) -> bool:
        """True if the join can be added as a side line: against a tile that is no double and has its two joins.

        No rules allow it, but people lay it.
        """
        if join.b == HUB or join.cost > SIDE_COST or SIDE in (join.half_a, join.half_b):
            return False
        return (
            self.root(join.a) != self.root(join.b)
            and self.matches(join) is True
            and all(len(self.at[tile]) < _MOST_BESIDE and self._untouched(tile, join) for tile in (join.a, join.b))
        )

    def _untouched(self, tile: int, join: Join) -> bool:
        spot = join.spot(tile)
        return all(_apart(spot, taken.spot(tile)) >= _BESIDE_APART for taken in self.at[tile])

    def fits(self, join: Join) -> bool:
        """True if the join can be added."""
        return (
            self.root(join.a) != self.root(join.b)
            and self.free(join.a, join.half_a, join.spot_a)
            and self.free(join.b, join.half_b, join.spot_b)
            and not self._strays(join)
        )

    def _strays(self, join: Join) -> bool:
        """Something that only lies close by: farther off than tiles are laid, and the values do not meet or none shows.

        A third tile at a double is a limb only if its values meet.
        """
        if join.cost >= ACROSS_GAP:
            return False
        if join.cost > _UNREAD_COST and any(tile != HUB and self.ends[tile] == _UNREAD for tile in (join.a, join.b)):
            return True
        sloppy = join.cost > (_SLOPPY_HUB if join.b == HUB else self.sloppy)
        third = any(tile != HUB and len(self.at[tile]) > 1 for tile in (join.a, join.b))
        if third and join.cost > _LIMB_COST:
            return True
        return (third or sloppy) and self.matches(join) is False

    def add(self, join: Join) -> None:
        """Accept it."""
        self.joins.append(join)
        self.at[join.a].append(join)
        if join.b != HUB:
            self.at[join.b].append(join)
        self._parent[self.root(join.a)] = self.root(join.b)


def _apart(one: tuple[float, float], two: tuple[float, float]) -> float:
    return math.hypot(one[0] - two[0], one[1] - two[1])


def add_side_lines(forest: Forest, joins: Iterable[Join]) -> None:
    """Tie what lies against the lines where a line has no place for it; last, so that it displaces nothing."""
    for join in sorted(joins, key=lambda join: join.cost):
        if forest.fits_beside(join):
            forest.add(join)
    # What fits one place equally well is no doubt if both lie there.
    forest.unsure = [pair for pair in forest.unsure if pair[1] not in forest.joins]


def grow_forest(
    ends: Sequence[Ends],
    joins: list[Join],
    hub_value: int | None,
    most: float,
    sloppy: float = SLOPPY,
    unclear: Collection[tuple[int, int]] = (),
) -> Forest:
    """Take joins up to cost `most`, the cheapest first; values decide between those that lie about as well."""
    forest = Forest(ends, hub_value, sloppy, unclear)
    by_tile: list[list[Join]] = [[] for _ in ends]
    # What does not meet waits for what meets and lies about as well: a tile may be tied to the hub's side of a line
    # by either of two joins, and both together would be a ring.
    waits = {True: 0.0, None: 0.0, False: OPEN_MARGIN}
    ordered = [join for join in joins if join.cost <= most]
    ordered.sort(key=lambda join: join.cost + waits[forest.matches(join)])
    for join in ordered:
        by_tile[join.a].append(join)
        if join.b != HUB:
            by_tile[join.b].append(join)
    for join in ordered:
        if not forest.fits(join):
            continue
        rivals = _rivals(forest, join, by_tile)
        better = None
        if forest.matches(join) is False:
            better = next((rival for rival in rivals if forest.matches(rival)), None)
        if better is not None:
            forest.add(better)
            if forest.fits(join):
                forest.add(join)
            continue
        _note_unsure(forest, join, rivals)
        forest.add(join)
    return forest


def _rivals(forest: Forest, join: Join, by_tile: list[list[Join]]) -> list[Join]:
    """Joins that want the same contact and lie about as well."""
    found = []
    for tile in (join.a, join.b):
        if tile == HUB:
            continue
        for other in by_tile[tile]:
            close = abs(other.cost - join.cost) <= OPEN_MARGIN
            if other is not join and close and _same_contact(join, other, tile) and forest.fits(other):
                found.append(other)
    return sorted(found, key=lambda rival: rival.cost)


def _same_contact(join: Join, other: Join, tile: int) -> bool:
    one, two = join.spot(tile), other.spot(tile)
    if join.half(tile) == other.half(tile) != SIDE:
        return True
    return _apart(one, two) < _SPOTS_APART


def _note_unsure(forest: Forest, join: Join, rivals: list[Join]) -> None:
    """Another tile fits the same contact as well, and the values do not say which."""
    for rival in rivals:
        other_tile = {rival.a, rival.b} != {join.a, join.b}
        same_values = forest.matches(rival) == forest.matches(join)
        if other_tile and same_values and rival.cost - join.cost < UNSURE_MARGIN:
            forest.unsure.append((join, rival))
            return
