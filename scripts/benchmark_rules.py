"""How fast the rules are: judging and making moves, a whole session, the longest first line.

    python -m scripts.benchmark_rules [--quick] [--only moves,sessions,longest]

Everything runs from fixed seeds, so two runs do the same work; times are processor time, so that a busy
machine does not count. The PyPI package `dominoes` (a far simpler
game: one line, seven tiles each, no drawing) plays beside for scale where it is installed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from engine.legality import legal_moves
from engine.longest import longest_line
from engine.presets import PRESETS, preset
from engine.reducer import Refused, apply
from engine.rules import Rules
from engine.session import Closed, Dealt, Event, Rejected, Session, advance, new_session
from engine.setup import deal_round, new_round
from engine.tile import DominoSet, Pips, Tile

Result = TypeVar("Result")


def plain_search(hand: Sequence[Tile], start: Pips, budget_s: float) -> int | None:
    """Most tiles in a line by trying every line; None if `budget_s` ran out."""
    at: dict[Pips, list[tuple[int, Pips]]] = {}
    for index, tile in enumerate(hand):
        at.setdefault(tile.low, []).append((index, tile.high))
        if not tile.is_double:
            at.setdefault(tile.high, []).append((index, tile.low))
    used = [False] * len(hand)
    best = steps = 0
    deadline = time.thread_time() + budget_s

    def go(end: Pips, laid: int) -> bool:
        nonlocal best, steps
        steps += 1
        if steps % 4096 == 0 and time.thread_time() > deadline:
            return False
        best = max(best, laid)
        for index, far in at.get(end, ()):
            if not used[index]:
                used[index] = True
                finished = go(far, laid + 1)
                used[index] = False
                if not finished:
                    return False
        return True

    return best if go(start, 0) else None


def longest_against_plain(hands: int, budget_s: float) -> None:
    """Random hands of 15 to 20 tiles. A plain search that is cut off counts with its budget: too little."""
    print("longest first line, mean milliseconds a hand: plain depth-first search against ours")
    for size in (6, 9, 12):
        all_plain = all_ours = 0.0
        for count in range(15, 21):
            plain, ours, cut = 0.0, 0.0, 0
            for seed in range(hands):
                chance = random.Random(seed * 100 + count)
                hand = chance.sample(list(DominoSet(size)), count)
                start = chance.randrange(size + 1)
                begun = time.thread_time()
                tiles = plain_search(hand, start, budget_s)
                between = time.thread_time()
                answer = longest_line(hand, start)
                ours += time.thread_time() - between
                plain += between - begun
                cut += tiles is None
                if tiles is not None and tiles != len(answer.line):
                    raise SystemExit(f"the two searches differ on {hand} from {start}")
            all_plain, all_ours = all_plain + plain, all_ours + ours
            note = f"  ({cut} of {hands} plain searches cut off)" if cut else ""
            print(
                f"  double-{size:<2} {count} tiles: {plain / hands * 1e3:10.3f} {ours / hands * 1e3:8.3f}"
                f"   {plain / ours:8.1f} times{note}"
            )
        print(f"  double-{size:<2} 15 to 20 tiles together: {all_plain / all_ours:.0f} times")


def longest_of_large_hands(hands: int) -> None:
    """Hands of every size up to the whole set: the slowest one counts."""
    print("longest first line, any hand up to the whole set, milliseconds")
    for size in (6, 9, 12, 15, 18):
        tiles = list(DominoSet(size))
        times = []
        for seed in range(hands):
            chance = random.Random(seed)
            hand = tiles if seed == 0 else chance.sample(tiles, chance.randrange(1, len(tiles) + 1))
            begun = time.thread_time()
            proven = longest_line(hand, chance.randrange(size + 1)).proven
            times.append((time.thread_time() - begun) * 1e3)
            if not proven:
                raise SystemExit("an answer without a limit was not proven")
        print(
            f"  double-{size:<2} {hands} hands: median {statistics.median(times):.3f}, slowest {max(times):.3f}, "
            f"whole set of {len(tiles)} {times[0]:.3f}"
        )


def longest(quick: bool) -> None:
    """All about the longest first line."""
    longest_of_large_hands(50 if quick else 1000)
    longest_against_plain(3 if quick else 20, 0.2 if quick else 5.0)


# -- moves and judging -------------------------------------------------------------------------------


def shuffled_set(rules: Rules, chance: random.Random) -> list[Tile]:
    """A shuffled set."""
    tiles = list(DominoSet(rules.set_size))
    chance.shuffle(tiles)
    return tiles


def timed(times: list[float], work: Callable[[], Result]) -> Result:
    """Do it and note how many milliseconds it took."""
    begun = time.thread_time()
    result = work()
    times.append((time.thread_time() - begun) * 1e3)
    return result


def moves(quick: bool) -> None:
    """Finding, judging and making moves, in rounds of four random players under every preset."""
    print("moves of random players, milliseconds (mean, slowest of all)")
    for name in PRESETS:
        rules = preset(name)
        find: list[float] = []
        make: list[float] = []
        for seed in range(1 if quick else 13):
            chance = random.Random(seed)
            deal = deal_round(rules, "ABCD", shuffled_set(rules, chance), rules.set_size, "A")
            position = new_round(rules, "ABCD", deal, deal.laid_by or "A")
            while not position.is_over:
                choices = timed(find, partial(legal_moves, position, rules))
                result = timed(make, partial(apply, position, chance.choice(choices), rules))
                if isinstance(result, Refused):
                    raise SystemExit(f"a legal move was refused: {result.fault}")
                position = result.position
        print(
            f"  {name:18} {len(make):5} moves: judging and making one {statistics.mean(make):.3f}, {max(make):.3f}; "
            f"finding all {statistics.mean(find):.3f}, {max(find):.3f}"
        )


# -- sessions ----------------------------------------------------------------------------------------


def random_session(rules: Rules, seed: int) -> tuple[Session, int]:
    """Thirteen rounds of four random players, from the deal to the winner; and how many moves that took."""
    chance = random.Random(seed)
    session = new_session("ABCD", rules)
    count = 0

    def go(event: Event) -> None:
        nonlocal session
        result = advance(session, event)
        if isinstance(result, Rejected):
            raise SystemExit(result.reason)
        session = result.session

    while not session.is_over:
        position = session.position
        if position is None:
            go(Dealt(tuple(shuffled_set(rules, chance)), "A"))
        elif position.is_over:
            go(Closed())
        else:
            go(chance.choice(legal_moves(position, rules)))
            count += 1
    return session, count


def sessions(quick: bool) -> None:
    """Whole sessions, and the package `dominoes` beside them."""
    print("whole sessions of thirteen rounds, four random players, seconds")
    for name in ("published_default", "tournament", "mtf_chickenfoot"):
        times = []
        count = 0
        for seed in range(1 if quick else 5):
            begun = time.thread_time()
            count += random_session(preset(name), seed)[1]
            times.append(time.thread_time() - begun)
        each = sum(times) / count * 1e3
        print(f"  {name:18} mean {statistics.mean(times):.2f}, slowest {max(times):.2f}; {each:.3f} ms a move")
    _package_games(13 if quick else 65)


def _package_games(games: int) -> None:
    """The PyPI package `dominoes`: random games of its own, far simpler kind."""
    try:
        import dominoes
    except ImportError:
        print("  (package dominoes is not installed: pip install dominoes)")
        return
    state = random.getstate()
    random.seed(0)  # the package shuffles with the shared generator
    begun = time.thread_time()
    count = 0
    for _ in range(games):
        game = dominoes.Game.new(starting_domino=dominoes.Domino(6, 6))
        while game.result is None:
            game.make_move(*random.choice(game.valid_moves))
            count += 1
    spent = time.thread_time() - begun
    random.setstate(state)
    print(
        f"  package dominoes: 13 games {spent / games * 13:.2f}; {spent / count * 1e3:.3f} ms a move "
        f"(28 tiles, one line, no drawing)"
    )


PARTS: dict[str, Callable[[bool], None]] = {"moves": moves, "sessions": sessions, "longest": longest}


def main(argv: Sequence[str]) -> int:
    """Run the chosen parts."""
    parser = argparse.ArgumentParser(prog="benchmark_rules", description="How fast the rules are.")
    parser.add_argument("--quick", action="store_true", help="a few cases only, to see that it runs")
    parser.add_argument("--only", default=",".join(PARTS), help="parts to run (default: %(default)s)")
    args = parser.parse_args(argv)
    chosen = args.only.split(",")
    for name in chosen:
        if name not in PARTS:
            parser.error(f"no part {name}; there are {', '.join(PARTS)}")
    for name in chosen:
        PARTS[name](args.quick)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
