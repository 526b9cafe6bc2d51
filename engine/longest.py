"""The longest first line that a hand can make, proven optimal (base rule: rules matrix, first turn).

A line is a *trail* from the starting value: values are vertices, tiles are edges, every tile is used
at most once and each joins the one before it. What the trail leaves out therefore repairs parity: apart
from the start and one free end, every value must be touched an even number of times. Without the demand
that the rest hangs together, the lightest tiles to leave out are a minimum *T-join*: the values of odd
degree are paired off along shortest paths, and one of them stays unpaired as the end of the line.

Where the rest falls apart, any valid line either keeps one of the tiles that would bridge the gap, or
stays out of the part cut off. Splitting the cases by the first bridging tile kept, and always opening the
case with the smallest lower bound, finds the optimum; nearly every hand needs no split at all.
"""

from __future__ import annotations

import enum
import heapq
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.tile import Pips, Tile

# One number orders two wishes: the first one counts this much. A set has at most 190 tiles and 3420
# pips (3470 with the double-blank at 50), so the second wish never outweighs one step of the first.
_FIRST_WISH = 10_000


class Most(enum.Enum):
    """What the line should have most of; the other one breaks ties."""

    TILES = "tiles"
    PIPS = "pips"


@dataclass(frozen=True, slots=True)
class FirstLine:
    """The best line: tiles as `(near, far)` outward from the hub, what stays in hand, and its pips."""

    line: tuple[tuple[Pips, Pips], ...]
    left: tuple[Tile, ...]
    left_pips: int
    proven: bool

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles of the line, in order."""
        return tuple(Tile(near, far) for near, far in self.line)


def longest_line(
    hand: Iterable[Tile],
    start: Pips,
    most: Most = Most.TILES,
    *,
    double_blank: int = 0,
    time_limit_s: float | None = None,
) -> FirstLine:
    """The best line from `start`: most tiles (then fewest pips left), or most pips (then most tiles).

    Exact for a hand of any size; `proven` is False only when `time_limit_s` ran out first.
    `double_blank` is what 0|0 counts in hand under the house rules.
    """
    tiles = sorted(hand)
    pips = [double_blank if tile.high == 0 else tile.pip_total for tile in tiles]
    if most is Most.TILES:
        weights = [_FIRST_WISH + count for count in pips]
    else:
        weights = [_FIRST_WISH * count + 1 for count in pips]
    graph = _Graph(tiles, weights, start)
    deadline = None if time_limit_s is None else time.monotonic() + time_limit_s
    kept, proven = graph.best(deadline)
    placed = set(kept)
    left = [index for index in range(len(tiles)) if index not in placed]
    return FirstLine(
        line=_walk(tiles, kept, start),
        left=tuple(tiles[index] for index in left),
        left_pips=sum(pips[index] for index in left),
        proven=proven,
    )


@dataclass(frozen=True, slots=True)
class _Case:
    """A case of the search, bit sets of edges: those that must stay in the line, those already left out."""

    must: int
    out: int


@dataclass(frozen=True, slots=True)
class _Relaxed:
    """Best answer of a case if the kept edges need not hang together."""

    cost: int
    kept: int


class _Graph:
    """The hand as a weighted multigraph; edge sets are bit sets over the sorted hand.

    Doubles never change parity, so they are left out of the search: a double stays in the line exactly
    if its value is on the line, and its weight is added to the value's.
    """

    def __init__(self, tiles: Sequence[Tile], weights: Sequence[int], start: Pips) -> None:
        self.start = start
        self.weights = weights
        self.low = [tile.low for tile in tiles]
        self.high = [tile.high for tile in tiles]
        size = max([start, *self.high]) + 1
        self.size = size
        self.touching = [0] * size  # edges (no doubles) at each value
        self.doubles = [0] * size
        self.double_weight = [0] * size
        self.total = sum(weights)
        for index, (low, high) in enumerate(zip(self.low, self.high, strict=True)):
            if low == high:
                self.doubles[low] |= 1 << index
                self.double_weight[low] += weights[index]
            else:
                self.touching[low] |= 1 << index
                self.touching[high] |= 1 << index

    def best(self, deadline: float | None) -> tuple[list[int], bool]:
        """Edges of the best line, and whether it is proven. Cases are opened by rising lower bound."""
        best_cost, best_kept = self._line_of(0)
        first = self._relax(_Case(0, 0))
        queue: list[tuple[int, int, _Case, _Relaxed]] = []
        order = 0  # keeps the heap from comparing cases, and the search deterministic
        if first is not None:
            queue.append((first.cost, order, _Case(0, 0), first))
        while queue:
            cost, _, case, relaxed = heapq.heappop(queue)
            if cost >= best_cost:
                break
            line_cost, line_kept = self._line_of(relaxed.kept)
            if line_cost < best_cost:
                best_cost, best_kept = line_cost, line_kept
            if line_cost <= cost:
                break
            if deadline is not None and time.monotonic() >= deadline:
                return _indices(best_kept), False
            for split in self._split(case, relaxed.kept):
                answer = self._relax(split)
                if answer is not None and answer.cost < best_cost:
                    order += 1
                    heapq.heappush(queue, (answer.cost, order, split, answer))
        return _indices(best_kept), True

    def _reach(self, usable: int, source: Pips) -> tuple[list[Pips], int]:
        """Values that hang together with `source` over `usable` edges, and those edges."""
        low, high, touching = self.low, self.high, self.touching
        values = [source]
        seen = 1 << source
        edges = 0
        for value in values:
            fresh = touching[value] & usable & ~edges
            edges |= fresh
            while fresh:
                bit = fresh & -fresh
                fresh ^= bit
                index = bit.bit_length() - 1
                other = low[index] + high[index] - value
                if not seen >> other & 1:
                    seen |= 1 << other
                    values.append(other)
        return values, edges

    def _line_of(self, kept: int) -> tuple[int, int]:
        """The part of `kept` that hangs on the start, with its doubles: a valid line, and what it leaves.

        Its parity is right: a part of a graph can't hold just one odd value, so if the start is odd in
        `kept`, the other odd value lies in the same part.
        """
        values, edges = self._reach(kept, self.start)
        for value in values:
            edges |= self.doubles[value]
        return self.total - sum(self.weights[index] for index in _indices(edges)), edges

    def _relax(self, case: _Case) -> _Relaxed | None:
        """Cheapest parity repair of a case: a lower bound. None if the case has no answer."""
        values, edges = self._reach(~case.out, self.start)
        if case.must & ~edges:
            return None
        odd = [
            value
            for value in values
            if (self.touching[value] & edges).bit_count() & 1 != (value == self.start)
        ]
        cost = self.total - sum(self.double_weight[value] for value in values)
        join = 0
        if len(odd) > 1:
            found = self._cheapest_join(odd, edges & ~case.must)
            if found is None:
                return None
            join = found
        kept = edges & ~join
        return _Relaxed(cost - sum(self.weights[index] for index in _indices(kept)), kept)

    def _cheapest_join(self, odd: list[Pips], usable: int) -> int | None:
        """Lightest edges that pair off all of `odd` but one (which becomes an end of the line)."""
        paths = [self._paths_from(value, usable) for value in odd]
        lengths = [[reached[other][0] if other in reached else None for other in odd] for reached in paths]
        pairs = _cheapest_pairing(lengths)
        if pairs is None:
            return None
        join = 0
        for one, other in pairs:
            join ^= paths[one][odd[other]][1]
        return join

    def _paths_from(self, source: Pips, usable: int) -> dict[Pips, tuple[int, int]]:
        """Shortest path from `source` to each value it reaches: length and edges (Dijkstra)."""
        low, high, weights, touching = self.low, self.high, self.weights, self.touching
        done: dict[Pips, tuple[int, int]] = {}
        queue = [(0, source, 0)]
        while queue:
            length, value, path = heapq.heappop(queue)
            if value in done:
                continue
            done[value] = (length, path)
            fresh = touching[value] & usable
            while fresh:
                bit = fresh & -fresh
                fresh ^= bit
                index = bit.bit_length() - 1
                other = low[index] + high[index] - value
                if other not in done:
                    heapq.heappush(queue, (length + weights[index], other, path | bit))
        return done

    def _split(self, case: _Case, kept: int) -> list[_Case]:
        """Cases that together hold every line of `case`, but not the broken answer `kept`.

        Let P be a part of `kept` cut off from the start: some values with kept tiles among them, or one
        value with nothing but its double. A line either keeps a first one of the tiles between P and the
        rest, or none of them, and then nothing of P. The part with the fewest such tiles is taken.
        """
        settled = set(self._reach(kept, self.start)[0])
        bridges: int | None = None
        for value in self._reach(~case.out, self.start)[0]:
            if value in settled or not (self.doubles[value] or self.touching[value] & kept):
                continue
            part, _ = self._reach(kept, value)
            settled.update(part)
            around = 0
            for member in part:  # an edge inside the part is met twice and drops out
                around ^= self.touching[member]
            around &= ~case.out
            if bridges is None or around.bit_count() < bridges.bit_count():
                bridges = around
        assert bridges is not None, "a broken answer has a part cut off"
        cases = []
        out = case.out
        for index in _indices(bridges):
            cases.append(_Case(case.must | 1 << index, out))
            out |= 1 << index
        cases.append(_Case(case.must, out))
        return cases


def _cheapest_pairing(lengths: list[list[int | None]]) -> list[tuple[int, int]] | None:
    """Cheapest way to pair off all of an odd number of items but one; None if there is no way.

    The one that stays alone is paired with an extra last item at no cost. Dynamic programming over sets
    of unpaired items, always pairing the highest: at most 20 items, since a set has at most 19 values.
    """
    count = len(lengths)
    states: dict[int, tuple[int, int, int]] = {}  # unpaired items -> cost, items before, partner
    full = (1 << count) - 1
    layer = {}
    for alone in range(count):
        layer[full ^ 1 << alone] = (0, full, alone)
    for _ in range(count // 2):
        states.update(layer)
        following: dict[int, tuple[int, int, int]] = {}
        for items, (cost, _, _) in layer.items():
            first = items.bit_length() - 1
            row = lengths[first]
            rest = items ^ 1 << first
            others = rest
            while others:
                bit = others & -others
                others ^= bit
                partner = bit.bit_length() - 1
                length = row[partner]
                if length is None:
                    continue
                known = following.get(rest ^ bit)
                if known is None or cost + length < known[0]:
                    following[rest ^ bit] = (cost + length, items, partner)
        layer = following
    if 0 not in layer:
        return None
    pairs = []
    _, before, partner = layer[0]
    while before != full:
        pairs.append((before.bit_length() - 1, partner))
        _, before, partner = states[before]
    return pairs


def _indices(edges: int) -> list[int]:
    """The members of a bit set, ascending."""
    found = []
    while edges:
        bit = edges & -edges
        edges ^= bit
        found.append(bit.bit_length() - 1)
    return found


def _walk(tiles: Sequence[Tile], kept: Sequence[int], start: Pips) -> tuple[tuple[Pips, Pips], ...]:
    """Lay the kept tiles in one line from the start (Hierholzer: walk until stuck, then back up)."""
    at: dict[Pips, list[int]] = {}
    for index in reversed(kept):
        at.setdefault(tiles[index].low, []).append(index)
        if not tiles[index].is_double:
            at.setdefault(tiles[index].high, []).append(index)
    used: set[int] = set()
    stack: list[tuple[Pips, Pips | None]] = [(start, None)]  # value reached, value come from
    line: list[tuple[Pips, Pips]] = []
    while stack:
        value, source = stack[-1]
        choices = at.get(value, [])
        while choices and choices[-1] in used:
            choices.pop()
        if choices:
            index = choices.pop()
            used.add(index)
            stack.append((tiles[index].other(value), value))
        else:
            stack.pop()
            if source is not None:
                line.append((source, value))
    line.reverse()
    return tuple(line)
