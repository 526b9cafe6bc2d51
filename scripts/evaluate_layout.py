"""Measure laying out alone: tables with exact truth, seen with a little noise, without a picture or a network.

First whole tables: how many are exact, and how many leave a doubt. Then the same tables with one tile lost, as if it
had not been found: in how many is there a doubt that was not there before, and in how many none at all.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from datasets.compare_tables import compare
from datasets.simulate import LOSSES, Noise, Simulated, lost_tile, simulate, without
from datasets.tables import TableSpec, plan_table, truth_of
from vision.layout import LayoutOptions, read_layout
from vision.table_reading import TableReading

Truth = dict[str, Any]
Doubts = set[tuple[str, tuple[int, ...]]]


@dataclass(slots=True)
class Told:
    """Of `tables` with a tile lost: `told` have a new doubt, `silent` none at all, `accused` a fault that is none.

    `codes` are the new doubts.
    """

    tables: int = 0
    told: int = 0
    silent: int = 0
    accused: int = 0
    codes: Counter[str] = field(default_factory=Counter)


def layout_of(truth: Truth, seen: Simulated) -> TableReading:
    """The table as laid out from what was seen."""
    return read_layout(seen.reading, LayoutOptions(set_size=truth["set"]))


def doubts_of(reading: TableReading, seen: Simulated) -> Doubts:
    """Codes and truth ids, so that two readings of one table can be compared."""
    return {(note.code, tuple(sorted(seen.truth_ids[n] for n in note.tile_ids if n < len(seen.truth_ids)))) for note
            in reading.doubts}  # fmt: skip


def told_of_losses(tables: Iterable[tuple[int, Truth]], which: str, jitter_px: float = 1.0) -> Told:
    """Loses one tile of each table (seed, truth) that has one to lose."""
    result = Told()
    for seed, truth in tables:
        rng = np.random.default_rng(seed)
        seen = simulate(rng, truth, Noise(jitter_px))
        lost = lost_tile(rng, truth, which)
        if lost is None:
            continue
        less = without(seen, lost)
        reading = layout_of(truth, less)
        new = doubts_of(reading, less) - doubts_of(layout_of(truth, seen), seen)
        result.tables += 1
        result.told += bool(new)
        result.silent += not reading.doubts
        result.accused += bool(reading.findings)
        result.codes.update({code for code, _ in new})
    return result


def whole_tables(tables: Iterable[tuple[int, Truth]], jitter_px: float, verbose: bool) -> str:
    """The line about tables of which nothing was lost."""
    exact, doubtful, silent, count = 0, 0, 0, 0
    codes: Counter[str] = Counter()
    ms = []
    for seed, truth in tables:
        reading = layout_of(truth, simulate(np.random.default_rng(seed), truth, Noise(jitter_px)))
        result = compare(truth, reading)
        count += 1
        exact += result.exact
        doubtful += bool(reading.doubts)
        silent += not result.exact and not reading.doubts
        codes.update(note.code for note in reading.doubts)
        ms.append(reading.ms["layout"])
        if verbose and not result.exact:
            print(f"  seed {seed}: {result.problems}", flush=True)
    told = f"{exact} exact, {silent} wrong without a doubt, {doubtful} with doubts {dict(codes)}"
    return f"{count} whole tables: {told}; {statistics.median(ms):.1f} ms"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=40_000, help="first seed (default: %(default)s)")
    parser.add_argument("--count", type=int, default=150, help="tables (default: %(default)s)")
    parser.add_argument("--laid", type=int, nargs=2, default=(20, 60), metavar=("FEWEST", "MOST"))
    parser.add_argument("--chickenfoot", type=float, default=0.12, help="share of tables with toes")
    parser.add_argument("--jitter", type=float, default=1.0, help="how far corners are off, px (default: %(default)s)")
    parser.add_argument("--lost", nargs="*", default=[*LOSSES, "starting_double"], help="which tiles to lose")
    parser.add_argument("--verbose", action="store_true", help="say what is wrong with each table")
    args = parser.parse_args()
    spec = TableSpec(laid=tuple(args.laid), chickenfoot=args.chickenfoot)
    seeds = range(args.seed, args.seed + args.count)
    tables = [(seed, truth_of(plan_table(np.random.default_rng(seed), spec))) for seed in seeds]
    print(whole_tables(tables, args.jitter, args.verbose), flush=True)
    for which in args.lost:
        told = told_of_losses(tables, which, args.jitter)
        found = f"told in {told.told}, no doubt at all in {told.silent}, a fault invented in {told.accused}"
        print(f"{which}: lost in {told.tables}, {found} {dict(told.codes)}", flush=True)


if __name__ == "__main__":
    main()
