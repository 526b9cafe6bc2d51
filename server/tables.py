"""A round at the table, followed act by act and judged by the engine.

Acts come from people tapping on a page or, in the words of the `watch` contract, from a camera; both end in the
same events. An act against the rules waits as a foul until somebody takes it back or lets it stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.cases import read_position
from engine.codes import RESTS_ON, Fault
from engine.deductions import Finding, PassEvidence, pass_evidence
from engine.errors import EngineError, PositionError
from engine.legality import why_not
from engine.moves import Call, Catch, Draw, Move, Pass, Play
from engine.position import Hand, Position
from engine.reducer import make
from engine.rules import Rules
from engine.ruling import Act, MarkersSeen, Ruling, judge_turn
from engine.setup import new_round_unseen
from engine.spots import ends
from engine.table import LaidTile, Seat
from engine.tile import DominoSet, Pips, Tile
from server.store import EventRow
from server.table_changes import changed_position

Json = dict[str, Any]

CAMERA = "camera"
"""Who acts when a camera saw it."""


@dataclass(frozen=True, slots=True)
class Foul:
    """An act against the rules, waiting for a decision. `version` names the act."""

    version: int
    act: Json
    fault: Fault


@dataclass(frozen=True, slots=True)
class TurnCard:
    """A finished turn, as it is shown when somebody asks "was that right?"."""

    number: int
    seat: Seat
    acts: tuple[Json, ...]
    versions: tuple[int, ...]
    before: Position
    after: Position
    verdict: str
    code: str
    params: Mapping[str, Any]
    rests_on: tuple[str, tuple[str, ...]]
    evidence: PassEvidence | None = None
    """What can be held against a pass once the hand is seen."""
    note: str | None = None
    """Why a foul was let stand."""
    shown: str | None = None
    """What showing the hand to the referee proved."""


@dataclass(frozen=True, slots=True)
class TableGame:
    """The table of one round. Frozen; `followed` makes the next one."""

    round: int
    rules: Rules
    position: Position
    turn_start: Position
    acts: tuple[tuple[int, Json], ...] = ()
    turns: tuple[TurnCard, ...] = ()
    foul: Foul | None = None
    stands: tuple[Fault, str] | None = None
    """A foul of the turn in progress that was let stand, and the note on it."""
    lost: tuple[tuple[int, str], ...] = ()
    """Acts that no longer make sense since an earlier one was taken back."""

    @property
    def drew(self) -> int:
        """Tiles drawn in the turn in progress."""
        return sum(act["do"] == "draw" for _, act in self.acts)


def start(round_number: int, rules: Rules, seats: tuple[Seat, ...], double: Pips, data: Json) -> TableGame:
    """The table after the starting double is laid, or in the middle of a round from a position."""
    if data.get("pre") is not None:
        position = _from_the_middle(data["pre"], data.get("hands"), seats, rules)
    else:
        position = new_round_unseen(rules, seats, double, data["starter"], data.get("laid_by"))
    return TableGame(round_number, rules, position, position)


def _from_the_middle(pre: Json, hands: Mapping[Seat, int | None] | None, seats: tuple[Seat, ...],
                     rules: Rules) -> Position:
    """A position as the table lies. `hands`: tiles in each hand as far as they were counted."""
    if hands is None:
        return read_position({**pre, "seats": list(seats)}, rules)
    position = read_position({**pre, "seats": list(seats), "bone": None}, rules)
    counts = [hands.get(seat) for seat in seats]
    known = [count for count in counts if count is not None]
    left = None
    if len(known) == len(seats):
        left = len(DominoSet(rules.set_size)) - len(list(position.table.tiles())) - sum(known)
        if left < 0:
            raise PositionError(f"{-left} tiles more on the table and in the hands than the set has")
    return replace(position, hands=tuple(Hand((), count) for count in counts), boneyard_count=left)


def opening(rows: Iterable[EventRow]) -> Json:
    """What the table was started with, tiles put right since."""
    first, *others = rows
    return _put_right(first.data, [row.data for row in others if row.kind == "table_corrected"])


def _put_right(data: Json, fixes: Iterable[Json]) -> Json:
    """A position that was told or seen as a whole, with the tiles in it that turned out to be others."""
    if data.get("pre") is None:
        return data
    trains = {owner: list(tiles) for owner, tiles in data["pre"].get("trains", {}).items()}
    for fix in fixes:
        if "was" not in fix:
            continue
        line = [LaidTile.parse(text) for text in trains.get(fix["train"], [])]
        place = next((place for place, laid in enumerate(line) if laid.tile == Tile(*fix["was"])), None)
        if place is None:
            continue
        del line[place]
        trains[fix["train"]] = [f"{laid.near}-{laid.far}" for laid in line]
        if fix.get("to") is not None:
            line = [LaidTile.parse(text) for text in trains.get(fix["to"], [])]
            place = len(line)
        asked = line[place - 1].far if place else data["pre"].get("engine")
        near, far = fix["tile"] if fix["tile"][0] == asked else reversed(fix["tile"])
        line.insert(place, LaidTile(near, far))
        trains[fix.get("to") or fix["train"]] = [f"{laid.near}-{laid.far}" for laid in line]
    return {**data, "pre": {**data["pre"], "trains": trains}}


def refold(first: TableGame, rows: Iterable[EventRow]) -> TableGame:
    """The table after `rows`, without the acts that were taken back, misread tiles put right."""
    events = list(rows)
    gone = {row.data["version"] for row in events if row.kind == "table_taken_back"}
    fixes = [row for row in events if row.kind == "table_corrected"]
    game = first
    for row in events:
        if row.version in gone or row.kind in ("table_taken_back", "table_corrected"):
            continue
        later = [fix for fix in fixes if fix.version > row.version]
        if row.kind == "table_act":
            row = replace(row, data=_act_put_right(row, later))
        elif row.kind == "table_changed" and "tile" in row.data:
            row = replace(row, data=_added_put_right(row.data, [fix.data for fix in later]))
        elif row.kind == "table_seen":
            row = replace(row, data=_put_right(row.data, [fix.data for fix in later]))
        game = followed(game, row, strict=False)
    return game


def _act_put_right(row: EventRow, fixes: Iterable[EventRow]) -> Json:
    """An act whose tile is another one, or came to another train."""
    act = row.data
    for fix in fixes:
        if fix.data.get("version") == row.version:
            told = {} if fix.actor == CAMERA else {"confirmed": True}
            act = {**act, "tile": fix.data["tile"], "train": fix.data.get("to") or act["train"], **told}
    return act


def _added_put_right(change: Json, fixes: Iterable[Json]) -> Json:
    """A tile that somebody added, and that was put right later."""
    for fix in fixes:
        if fix.get("train") == change["train"] and Tile(*fix["was"]) == Tile(*change["tile"]):
            change = {**change, "tile": fix["tile"]}
            if fix.get("to") is not None:
                change = {key: value for key, value in change.items() if key != "at"} | {"train": fix["to"]}
    return change


def laying_of(game: TableGame, train: str, tile: Tile) -> int | None:
    """The act by which a tile came to a train, if it was laid by one."""
    acts = [*game.acts, *((version, act) for card in reversed(game.turns)
                          for version, act in zip(card.versions, card.acts, strict=False))]
    return next((version for version, act in acts if _lays(act, train, tile)), None)


def _lays(act: Json, train: str, tile: Tile) -> bool:
    return bool(act["do"] == "lay" and act["train"] == train and Tile(*act["tile"]) == tile and not act.get("gone"))


def correction(game: TableGame, train: str, was: Tile, tile: Tile, to: str | None = None) -> Json | None:
    """What puts a tile right that lies on a train, or lies on the train `to`; `None` if it is not there."""
    fix: Json = {"tile": [tile.low, tile.high], **({} if to is None else {"to": to})}
    version = laying_of(game, train, was)
    if version is not None:
        return {"version": version, **fix}
    if any(laid.tile == was for laid in game.position.table.train(train).tiles):
        return {"train": train, "was": [was.low, was.high], **fix}
    return None


def followed(game: TableGame, row: EventRow, strict: bool = True) -> TableGame:
    """The table after one event. Unless `strict`, an act that makes no sense any more is noted and left out."""
    try:
        if row.kind == "table_overruled":
            return _let_stand(game, row.data.get("note", ""))
        if row.kind == "table_shown":
            return _shown(game, row.data)
        if row.kind == "table_seen":
            return _seen(game, row)
        if row.kind == "table_changed":
            return _changed(game, row.data)
        return _acted(game, row.version, row.data)
    except EngineError as error:
        if strict:
            raise
        return replace(game, lost=(*game.lost, (row.version, str(error))))


# -- acts ------------------------------------------------------------------------------------------------


def _acted(game: TableGame, version: int, act: Json) -> TableGame:
    if game.foul is not None:
        raise PositionError("a foul is waiting: take it back or let it stand")
    if game.position.is_over:
        raise PositionError("the round is over")
    if act["do"] == "end":
        return _ended(game, version, act)
    move = move_of(game.position, game.rules, act)
    found = why_not(game.position, move, game.rules)
    if found is not None:
        return replace(game, foul=Foul(version, act, found), acts=(*game.acts, (version, act)))
    after = replace(game, position=make(game.position, move, game.rules), acts=(*game.acts, (version, act)))
    if isinstance(move, Play) and after.position.hand(move.seat or after.position.turn.seat).count == 0:
        return _ended(after, version, {"do": "end"}, silent=True)
    return after


def move_of(position: Position, rules: Rules, act: Json) -> Move:
    """The engine's move for an act as it is sent. A tile is turned the way it fits."""
    if act["do"] == "lay":
        near, far = act["tile"]
        if far in ends(position, rules, act["train"]) and near not in ends(position, rules, act["train"]):
            near, far = far, near
        return Play(act["train"], LaidTile(near, far), seat=position.turn.seat)
    if act["do"] == "draw":
        return Draw(seat=position.turn.seat)
    if act["do"] == "call":
        return Call(act.get("seat") or position.turn.seat)
    if act["do"] == "catch":
        return Catch(act["by"], act["seat"])
    return Pass()


def _ended(game: TableGame, version: int, act: Json, silent: bool = False) -> TableGame:
    """Judge the whole turn. `silent`: the last tile was laid, so the round may end by itself."""
    acts = game.acts if silent else (*game.acts, (version, act))
    if game.stands is not None:
        return _closed(replace(game, acts=acts), None, make(game.position, Pass(act.get("marker")), game.rules))
    ruling = judge_turn(game.turn_start, _judged(game, act), game.rules)
    if ruling.fault is None:
        return _closed(replace(game, acts=acts), ruling, ruling.position)
    if silent:
        return game  # the last tile does not end it: a double to be covered
    return replace(game, foul=Foul(version, act, ruling.fault), acts=acts)


def _judged(game: TableGame, ending: Json) -> list[Act]:
    """The turn in the referee's words."""
    position = game.turn_start
    acts: list[Act] = []
    for _, act in game.acts:
        if act["do"] in ("lay", "draw"):
            move = move_of(position, game.rules, act)
            assert isinstance(move, (Play, Draw))
            acts.append(move)
            position = make(position, move, game.rules)
    if ending.get("marks") is not None:
        acts.append(MarkersSeen(tuple(ending["marks"])))
    return acts


def _closed(game: TableGame, ruling: Ruling | None, after: Position) -> TableGame:
    start_of_turn = game.turn_start
    card = TurnCard(
        number=len(game.turns) + 1, seat=start_of_turn.turn.seat,
        acts=tuple(act for _, act in game.acts), versions=tuple(version for version, _ in game.acts),
        before=start_of_turn, after=after, verdict="legal", code="LEGAL", params={"seat": start_of_turn.turn.seat},
        rests_on=("", ()),
    )
    if ruling is not None:
        card = replace(card, verdict=ruling.verdict.value, code=ruling.message_code, rests_on=ruling.rests_on)
    elif game.stands is not None:
        found, note = game.stands
        card = replace(card, verdict="illegal", code=found.code.value, params=dict(found.params), note=note,
                       rests_on=RESTS_ON.get(found.code, ("", ())))
    if ruling is not None and ruling.ask is not None:
        card = replace(card, evidence=pass_evidence(_before_drawing(game), game.rules, game.drew))
    turns = tuple(_drawn_since(turn, game) for turn in game.turns)
    return replace(game, position=after, turn_start=after, acts=(), turns=(*turns, card), stands=None, foul=None)


def _before_drawing(game: TableGame) -> Position:
    """The position at the draw of this turn, or at its end if nothing was drawn."""
    position = game.turn_start
    for _, act in game.acts:
        if act["do"] != "lay":
            break
        position = make(position, move_of(position, game.rules, act), game.rules)
    return position


def _drawn_since(card: TurnCard, game: TableGame) -> TurnCard:
    """What this turn tells about earlier passes: tiles laid were held or drawn, and draws excuse."""
    if card.evidence is None:
        return card
    evidence, seat = card.evidence, game.turn_start.turn.seat
    for _, act in game.acts:
        if act["do"] == "draw":
            evidence = evidence.drew(seat)
        elif act["do"] == "lay" and seat == evidence.seat:
            evidence = evidence.showed([Tile(*act["tile"])])
    return replace(card, evidence=evidence)


def _let_stand(game: TableGame, note: str) -> TableGame:
    """The table as it lies is played on."""
    foul = game.foul
    if foul is None:
        raise PositionError("there is nothing to let stand")
    kept = replace(game, foul=None, stands=(foul.fault, note))
    if foul.act["do"] == "end":
        return _closed(kept, None, make(game.position, Pass(foul.act.get("marker")), game.rules))
    try:
        position = make(game.position, move_of(game.position, game.rules, foul.act), game.rules)
    except (EngineError, ValueError, IndexError, KeyError) as error:
        raise PositionError("that can't lie on the table as it is: take it back") from error
    return replace(kept, position=position)


def _seen(game: TableGame, row: EventRow) -> TableGame:
    """The table as a camera sees it lie, where what was followed led to another one."""
    pre = {**row.data["pre"], "seats": list(game.position.seats)}
    position = read_position(pre, game.rules)
    known = {seat: game.position.hand(seat) for seat in position.seats}
    position = replace(position, hands=tuple(known[seat] for seat in position.seats))
    taken = replace(game, position=position, turn_start=position, acts=(), foul=None, stands=None)
    for act in row.data["acts"]:
        taken = _acted(taken, row.version, act)
    return taken


def _changed(game: TableGame, data: Json) -> TableGame:
    """The table with one thing put right, and the turn in progress judged anew on it."""
    position = changed_position(game.turn_start, game.rules, data)
    turns = game.turns
    if data.get("gone") is not None:
        turns = tuple(_without_act(card, data["train"], Tile(*data["gone"])) for card in turns)
    taken = replace(game, position=position, turn_start=position, turns=turns, acts=(), foul=None, stands=None)
    for version, act in game.acts:
        taken = _acted(taken, version, act)
        if taken.foul is not None and game.stands is not None:
            taken = _let_stand(taken, game.stands[1])
    return taken


def _without_act(card: TurnCard, train: str, tile: Tile) -> TurnCard:
    """The turn, with it noted that this tile was none."""
    return replace(card, acts=tuple({**act, "gone": True} if _lays(act, train, tile) else act for act in card.acts))


def _shown(game: TableGame, data: Json) -> TableGame:
    turns = tuple(
        replace(card, shown=data["proof"]) if card.number == data["turn"] else card for card in game.turns
    )
    return replace(game, turns=turns)


def finding_of(game: TableGame, number: int, tiles: Iterable[Tile]) -> Finding | None:
    """What a hand shown to the referee says about an earlier pass; None if that turn left no question."""
    card = next((turn for turn in game.turns if turn.number == number), None)
    if card is None or card.evidence is None:
        return None
    return card.evidence.showed(tiles, complete=True).finding(game.rules)
