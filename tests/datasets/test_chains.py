"""What lies joined on photographs: the written truth, and a reading set against it."""

from __future__ import annotations

import numpy as np

from datasets.chains import joined_as_read, joined_in, known_chains
from scripts.evaluate_tables import real_row, sequence_row, summary
from tests.vision.laying import laid, row
from vision.layout import read_layout


def test_written_chains_meet_in_their_values() -> None:
    """Real players laid them by the rules: a slip of the pen would show."""
    for name, joined in known_chains().items():
        for join in joined:
            assert len({value for _, value in join}) == 1, (name, join)
    assert len(known_chains()) >= 27


def test_a_chain_is_the_same_from_either_end_and_a_wrong_order_is_not() -> None:
    reading = read_layout(row((5, 3), (3, 3), (3, 1)))
    assert joined_as_read(reading) == joined_in(["5-3 3-3 3-1"]) == joined_in(["1-3 3-3 3-5"])
    assert joined_as_read(reading) != joined_in(["3-3 3-5"])
    assert joined_as_read(reading) != joined_in(["3-5 5-5 3-1"])


def test_arms_of_a_hub_and_side_lines_are_joins_too() -> None:
    reading = read_layout(laid((0, 0, 0, (4, 2)), (1, 0, 0, (2, 1)), (0.25, 0.75, 90, (2, 6))))
    assert joined_as_read(reading) == joined_in(["4-2 2-1", "4-2 2-6"])


def test_rows_and_their_summary() -> None:
    seen = row((5, 3), (3, 3), (3, 1))
    entry = {"file": "a/b.jpg", "tiles": [[5, 3], [3, 3], [3, 1]]}
    reading = read_layout(seen)
    rows = [real_row(entry, seen, reading, joined) for joined in (None, joined_in(["5-3 3-3 3-1"]), joined_in([]))]
    assert [one["chain"] for one in rows] == ["", 1, 0]
    assert "chains 2: 1 in the right order, 1 with every tile right too" in summary(rows)
    assert "chains" not in summary(rows[:1])


def test_tiles_of_free_placement_are_found_by_place() -> None:
    seen = row((5, 3), (3, 3), (3, 1))
    quads = [tile.corners_px.tolist() for tile in seen.tiles]
    entry = {"file": "a/b.jpg", "tiles": [[3, 5], [3, 2]], "quads": quads[:2]}
    found = sequence_row(entry, seen)
    assert [found[key] for key in ("laid", "wrong_tiles", "missed", "invented", "exact")] == [2, 1, 0, 1, 0]
    far = (np.array(quads) + np.array([0, 40])).tolist()
    assert sequence_row({**entry, "quads": far[:2]}, seen)["missed"] == 2
    assert sequence_row({"file": "x", "tiles": [[5, 3], [3, 3], [3, 1]], "quads": quads}, seen)["exact"] == 1
