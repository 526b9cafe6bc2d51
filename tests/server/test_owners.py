"""Ways to give new lines owners: the likeliest, and no more work than for those."""

from __future__ import annotations

import sys
from itertools import islice, product
from types import FrameType

from engine.rules import Rules
from server.owners import _each_another, ways


def test_each_way_is_found_in_the_order_in_which_all_rows_are_gone_through() -> None:
    rows = [["A", "B", "C", "M"], ["M", "A", "B", "C"], ["A", "B", "C", "M"]]
    assert list(_each_another(rows)) == [one for one in product(*rows) if len(set(one)) == len(one)]
    assert list(_each_another([["A"], ["A"]])) == []


def test_many_new_lines_at_once_take_a_few_steps_not_all_ways_there_are() -> None:
    seats, lines, steps = "ABCDEF", [f"t{number}" for number in range(7)], 0

    def step(frame: FrameType, event: str, _: object) -> object:
        nonlocal steps
        steps += event == "line" and frame.f_code.co_filename.endswith("owners.py")
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        found = list(islice(ways(lines, {}, {}, seats, Rules.of({}), seats), 40))
    finally:
        sys.settrace(before)
    assert len(found) == 40
    assert steps < 20_000
