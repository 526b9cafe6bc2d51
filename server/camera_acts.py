"""From what a camera saw, in the words of `watch`, to acts at the followed table.

A watch leaves out what left no trace, such as the pass of a seat whose marker stood already: whose turn it was is
brought into line first. What fits nothing is no accusation: the table is then taken over as it lies.
"""

from __future__ import annotations

from typing import Any

from engine.errors import EngineError
from engine.table import Seat
from engine.tile import Tile
from server.cases import pre_of
from server.round_watch import RoundWatch
from server.store import EventRow
from server.tables import TableGame, correction, followed

Json = dict[str, Any]
Step = tuple[str, Json]
"""An event of the table's: its kind and data."""

_BY = {"by": "camera"}
_ACCUSES = (None, "illegal")


def steps_of(game: TableGame, event: Json, as_it_lies: Json | None = None) -> list[Step]:
    """What an event of `watch` does to the table. `as_it_lies`: the position to take over if it fits nothing."""
    if event.get("corrects"):
        return _corrected(game, event)
    if event.get("event") not in ("lay", "turn") or event.get("late"):
        return []
    try:
        steps, after = _played(game, event)
    except (EngineError, ValueError, KeyError):
        if as_it_lies is None:
            raise
        return [("table_seen", as_it_lies)]
    if after.foul is not None and event.get("verdict") not in _ACCUSES and as_it_lies is not None:
        return [("table_seen", as_it_lies)]
    return steps


def _played(game: TableGame, event: Json) -> tuple[list[Step], TableGame]:
    steps: list[Step] = []

    def act(what: Json) -> None:
        nonlocal game
        game = followed(game, EventRow(0, "", "", "table_act", what))
        steps.append(("table_act", what))

    def end(what: Json) -> None:
        """End the turn; a seat that could not go on otherwise has drawn, which no camera sees."""
        nonlocal game
        ended = followed(game, EventRow(0, "", "", "table_act", what))
        if ended.foul is not None and event.get("verdict") != "illegal" and game.drew == 0:
            drawn = followed(game, EventRow(0, "", "", "table_act", {"do": "draw", **_BY}))
            if drawn.foul is None and followed(drawn, EventRow(0, "", "", "table_act", what)).foul is None:
                act({"do": "draw", **_BY})
        act(what)

    seen = {"seen": event["seen"]} if event.get("seen") else {}
    lays = event["event"] == "lay" and bool(event.get("tile")) and bool(event.get("train"))
    if game.position.is_over or (lays and Tile(*event["tile"]) in game.position.table.tiles()):
        return [], game  # told already, by somebody's tap
    seat = _seat(game, event)
    if not lays and not game.acts and game.turns and game.turns[-1].seat == seat != game.position.turn.seat:
        return [], game  # ended already
    if event.get("why") != "R_WRONG_TURN":
        for _ in game.position.seats:
            if game.position.turn.seat == seat or game.foul is not None or game.position.is_over:
                break
            end({"do": "end", **_BY})
    if game.foul is not None or game.position.is_over:
        return steps, game
    if lays:
        act({"do": "lay", "train": event["train"], "tile": list(event["tile"]), **_BY, **seen})
    elif event["event"] == "turn":
        marks = event.get("marks") if event.get("verdict") == "illegal" else None
        end({"do": "end", **_BY, **seen, **({} if marks is None else {"marks": marks})})
    return steps, game


def _seat(game: TableGame, event: Json) -> Seat:
    """Who acted; where the table leaves it open, whose turn it is if that may be."""
    now = game.position.turn.seat
    may = [seat for seat in (event.get("seats") or ()) if seat in game.position.seats]
    seat = event.get("seat")
    if seat in game.position.seats:
        return str(seat)
    return now if not may or now in may else str(may[0])


def _corrected(game: TableGame, event: Json) -> list[Step]:
    """A tile that was told turned out to be another: the act is put right, and what followed is judged again."""
    if not event.get("tile"):
        return []
    data = correction(game, event.get("train") or "", Tile(*event["corrects"]), Tile(*event["tile"]))
    if data is None or data.get("version") in _confirmed(game):
        return []  # what somebody said of a tile stands
    return [("table_corrected", {**data, "tile": list(event["tile"])})]


def _confirmed(game: TableGame) -> set[int]:
    """Acts whose tile somebody put right or confirmed."""
    told = [*game.acts, *(pair for card in game.turns for pair in zip(card.versions, card.acts, strict=False))]
    return {version for version, act in told if act.get("confirmed")}


# -- the table as it lies --------------------------------------------------------------------------------


def as_it_lies(watch: RoundWatch) -> Json:
    """The likeliest way in which the round stands, in the form of a position before a turn and its acts."""
    state = watch.states[0]
    lays = [{"do": "lay", "train": play.train, "tile": [play.laid.near, play.laid.far], **_BY} for play in state.plays]
    return {"pre": pre_of(state.base, watch.rules), "acts": lays}
