"""The followed table as pages are shown it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.acts import could_play
from engine.codes import RESTS_ON, Code
from engine.messages import variant
from engine.position import Mode, Position
from engine.rules import Rules
from engine.spots import ends
from engine.table import MEXICAN, TrainId
from engine.tile import Pips, Tile
from server.round_watch import SURE
from server.tables import Foul, TableGame, TurnCard

Json = dict[str, Any]


def table_view(game: TableGame | None) -> Json | None:
    """The table as pages draw it."""
    if game is None:
        return None
    position = game.position
    shown = snapshot(position, game.rules)
    for train in shown["trains"]:
        train.update(_doubts(game, train["id"], train["tiles"]))
    return {
        "round": game.round,
        **shown,
        "acts": [act for _, act in game.acts],
        "can_undo": game.acts[-1][0] if game.acts else (game.turns[-1].versions[-1] if game.turns else None),
        "foul": None if game.foul is None else _foul(game.foul),
        "stands": game.stands is not None,
        "turns": [turn_view(card) for card in game.turns[-40:]],
        "count": len(game.turns),
        "lost": len(game.lost),
        "tiles": [[tile.low, tile.high] for tile in position.table.tiles()],
        "stuck": could_play(position, game.rules).value == "no" if not position.is_over else False,
        "call": game.rules.one_tile_call,
        "watched": [watch.seat for watch in position.watches],
    }


def _doubts(game: TableGame, train: TrainId, tiles: list[list[Pips]]) -> Json:
    """Places of tiles that a camera read unsurely and nobody has confirmed, and what else each may be."""
    acts = [act for card in game.turns for act in card.acts] + [act for _, act in game.acts]
    seen = {Tile(*act["tile"]): act["seen"] for act in acts
            if act["do"] == "lay" and act["train"] == train and act.get("seen") and not act.get("confirmed")}
    unsure = {place: seen[Tile(*ends)] for place, ends in enumerate(tiles)
              if Tile(*ends) in seen and (seen[Tile(*ends)].get("sure") or 0.0) < SURE}
    return {"doubts": list(unsure), "maybe": {place: one.get("options", []) for place, one in unsure.items()}}


def snapshot(position: Position, rules: Rules) -> Json:
    """A position without what nobody may see."""
    trains = [_train(position, rules, seat) for seat in position.seats]
    mexican = [train.owner for train in position.table.trains if train.owner not in position.seats]
    trains += [_train(position, rules, owner) for owner in (mexican or ([MEXICAN] if rules.mexican_present else []))]
    turn = position.turn
    owed = position.open_doubles[0] if position.open_doubles and turn.mode is Mode.DUTY else None
    return {
        "double": position.table.starting_double,
        "trains": trains,
        "to_move": None if position.is_over else turn.seat,
        "mode": turn.mode.value,
        "need": turn.need.value,
        "drawn": len(turn.pending),
        "owed": None if owed is None else {"train": owed.train, "value": owed.value},
        "open_doubles": [{"train": double.train, "value": double.value} for double in position.open_doubles],
        "hands": {seat: position.hand(seat).count for seat in position.seats},
        "boneyard": position.boneyard_count,
        "firsts": sorted(position.firsts),
        "over": None if position.outcome is None else {
            "end": position.outcome.end.value, "out": list(position.outcome.out),
            "last": None if position.outcome.last is None else [position.outcome.last.low, position.outcome.last.high]},
    }


def _train(position: Position, rules: Rules, owner: TrainId) -> Json:
    train = position.table.train(owner)
    return {
        "id": owner,
        "tiles": [[laid.near, laid.far] for laid in train.tiles],
        "limbs": [{"index": limb.index, "tiles": [[laid.near, laid.far] for laid in limb.tiles]}
                  for limb in train.limbs],
        "ends": ends(position, rules, owner),
        "marker": train.marker,
        "open_double": any(double.train == owner for double in position.open_doubles),
    }


def _foul(foul: Foul) -> Json:
    source, options = RESTS_ON.get(foul.fault.code, ("", ()))
    return {"version": foul.version, "act": foul.act, "code": _variant(foul.fault.code, foul.fault.params),
            "params": dict(foul.fault.params), "source": source, "options": list(options)}


def turn_view(card: TurnCard) -> Json:
    """A turn as a line of the event feed."""
    return {"number": card.number, "seat": card.seat, "acts": list(card.acts), "verdict": card.verdict,
            "code": _variant(card.code, card.params), "params": dict(card.params), "source": card.rests_on[0],
            "options": list(card.rests_on[1]), "note": card.note, "shown": card.shown,
            "version": card.versions[-1] if card.versions else None, "asks": card.evidence is not None}


def _variant(code: str, params: Mapping[str, Any]) -> str:
    return variant(code.value if isinstance(code, Code) else code, params)
