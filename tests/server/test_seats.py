"""Whose train is whose."""

from __future__ import annotations

import math

import pytest

from server.errors import UsageError
from server.seats import assign_seats, kept

QUARTERS = {"t1": 0.1, "t2": 0.1 + math.pi / 2, "t3": 0.1 + math.pi, "t4": 0.1 + 1.5 * math.pi}


def test_clockwise_from_the_first_or_from_the_one_named() -> None:
    assert assign_seats(QUARTERS, "ABCD") == {"t1": "A", "t2": "B", "t3": "C", "t4": "D"}
    assert assign_seats(QUARTERS, "ABCD", first="t3") == {"t3": "A", "t4": "B", "t1": "C", "t2": "D"}


def test_directions_may_be_negative_and_in_any_order() -> None:
    around = {"t3": -1.0, "t1": 0.2, "t2": 2.0}
    assert assign_seats(around, "ABC", first="t1") == {"t1": "A", "t2": "B", "t3": "C"}


def test_the_mexican_train_at_the_hub_has_no_seat() -> None:
    five = {**QUARTERS, "t5": 0.1 + math.pi / 4}
    with pytest.raises(UsageError, match="--mexican"):
        assign_seats(five, "ABCD")
    assert "t5" not in assign_seats(five, "ABCD", mexican="t5")
    with pytest.raises(UsageError, match="name a seat for each"):
        assign_seats(five, "ABCD", apart=True)


def test_unstarted_trains_leave_their_seats_free() -> None:
    two = {"t1": QUARTERS["t1"], "t2": QUARTERS["t3"] - 0.2}
    assert assign_seats(two, "ABCD") == {"t1": "A", "t2": "C"}
    with pytest.raises(UsageError, match="evenly"):
        assign_seats({"t1": 0.0, "t2": 0.2}, "ABCD")


@pytest.mark.parametrize(("seats", "first"), [("AA", None), ("", None), ("AB", "t9")])
def test_what_cannot_be_is_said(seats: str, first: str | None) -> None:
    with pytest.raises(UsageError):
        assign_seats({"t1": 0.0}, seats, first)


def test_seats_are_kept_while_trains_come_and_sway() -> None:
    owners = {"t1": "A", "t2": "B"}
    before = {"t1": 0.0, "t2": 3.1}
    assert kept(before, owners, {"t1": 0.1, "t2": 1.5, "t3": -3.1}) == {"t1": "A", "t3": "B"}
