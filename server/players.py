"""Players round the table: seats clockwise, each with a name, a colour and a shape of its own."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.table import Seat as SeatId
from server.problems import NotFound, Problem

Json = dict[str, Any]

SEAT_IDS = "ABCDEFGHIJ"
COLOURS = ("blue", "orange", "green", "purple", "red", "teal", "gold", "pink", "brown", "grey")
SHAPES = ("circle", "square", "triangle", "diamond", "star", "hexagon", "heart", "cross", "drop", "moon")


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table and who sits there."""

    id: SeatId
    name: str
    colour: str
    shape: str


def new_seats(wishes: Sequence[Json]) -> list[Seat]:
    """Seats of a new game, in the order of the wishes. Colours and shapes not wished for are given."""
    if not 1 <= len(wishes) <= len(SEAT_IDS):
        raise Problem("seat_count", count=len(wishes))
    seats: list[Seat] = []
    for letter, wish in zip(SEAT_IDS, wishes, strict=False):
        seats.append(_named(letter, wish, seats))
    return _marked(seats)


def added(seats: Sequence[Seat], wish: Json) -> Seat:
    """One more player. `seats` are all that ever played: their letters and marks are taken."""
    free = [letter for letter in SEAT_IDS if letter not in {seat.id for seat in seats}]
    if not free:
        raise Problem("seat_count", count=len(seats) + 1)
    return _marked([*seats, _named(free[0], wish, seats)])[-1]


def changed(seats: Sequence[Seat], wishes: Sequence[Json]) -> list[Seat]:
    """The seats that get another name, colour or shape. What somebody else has is refused."""
    known = {seat.id: seat for seat in seats}
    for wish in wishes:
        if wish["id"] not in known:
            raise NotFound("no_seat")
        old = known[wish["id"]]
        known[old.id] = Seat(old.id, plain_name(str(wish["name"])) or old.name,
                             _known(wish.get("colour"), COLOURS) or old.colour,
                             _known(wish.get("shape"), SHAPES) or old.shape)
    for wish in wishes:
        seat = known[wish["id"]]
        others = [other for other in known.values() if other.id != seat.id]
        _check_name(seat, others)
        if any(seat.colour == other.colour for other in others):
            raise Problem("colour_taken")
        if any(seat.shape == other.shape for other in others):
            raise Problem("shape_taken")
    return [known[wish["id"]] for wish in wishes]


def plain_name(text: str) -> str:
    """A name on one line; empty if nothing of it can be seen.

    Marks that turn the direction of the text round them are left out; joiners stay, emoji need them.
    """
    kept = " ".join("".join(letter for letter in text if letter not in _TURNING).split())
    return kept if any(unicodedata.category(letter)[0] in "LNPS" for letter in kept) else ""


# Embeddings, overrides and isolates: one of them in a name would turn everything that follows it on the page.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


def _named(letter: SeatId, wish: Json, others: Sequence[Seat]) -> Seat:
    """A player who comes after others, with the marks wished for."""
    name = plain_name(str(wish["name"])) or f"Player {len(others) + 1}"
    seat = Seat(letter, name, wish.get("colour") or "", wish.get("shape") or "")
    _check_name(seat, others)
    return seat


def _marked(seats: Sequence[Seat]) -> list[Seat]:
    """The same players, each with a colour and a shape of its own."""
    colours = _spread([seat.colour for seat in seats], COLOURS)
    shapes = _spread([seat.shape for seat in seats], SHAPES)
    return [
        replace(seat, colour=colour, shape=shape) for seat, colour, shape in zip(seats, colours, shapes, strict=True)
    ]


def _check_name(seat: Seat, others: Sequence[Seat]) -> None:
    if any(seat.name.casefold() == other.name.casefold() for other in others):
        raise Problem("name_taken", name=seat.name)


def _known(word: str | None, words: tuple[str, ...]) -> str | None:
    return word if word in words else None


def _spread(wanted: list[str], known: tuple[str, ...]) -> list[str]:
    """What was wanted where it is known and free, else the next free one."""
    given: list[str] = []
    for index, wish in enumerate(wanted):
        later = wanted[index + 1 :]
        free = [word for word in known if word not in given and word not in later] or list(known)
        given.append(wish if wish in known and wish not in given else free[0])
    return given
