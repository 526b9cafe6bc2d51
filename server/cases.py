"""A turn that was seen, as a case of `judge`: it can be judged again, with a hand that was unknown then."""

from __future__ import annotations

from typing import Any

from engine.position import Position
from engine.rules import Rules
from server.explaining import SeenTurn, State

Json = dict[str, Any]


def pre_of(position: Position, rules: Rules) -> Json:
    """The position before a turn in the form of the rules matrix, 5."""
    table, turn = position.table, position.turn
    return {
        "n": rules.set_size,
        "engine": table.starting_double,
        "seats": list(position.seats),
        "by": turn.seat,
        "turn": turn.number,
        "firsts": [seat for seat in position.seats if seat in position.firsts],
        "trains": {train.owner: [str(laid) for laid in train.tiles] for train in table.trains if train.tiles},
        "marks": [mark for mark in table.markers if mark in position.seats],
        "open": [[double.train, double.value] for double in position.open_doubles],
        "bone": position.boneyard_count,
    }


def case_of(turn: SeenTurn, state: State, marks: list[str], rules: Rules) -> Json:
    """The whole turn, with the draw that its verdict rests on."""
    acts: list[list[Any]] = [["lay", play.train, str(play.laid)] for play in state.plays]
    if turn.ruling is not None and turn.ruling.ask is not None:
        acts.append(["draw", "?"])
    acts.append(["marks", marks])
    return {"kind": "turn", "opts": dict(rules.changes()), "pre": pre_of(state.base, rules), "act": acts}
