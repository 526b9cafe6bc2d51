"""`judge`: one case in, one answer out, for every kind in the rules matrix, 5. JSON values on both sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from engine.blocked import blocked_after
from engine.cases import (
    DEFAULT_SEATS,
    items,
    mapping,
    read_acts,
    read_position,
    read_rules,
    read_seats,
    read_tile,
    whole,
)
from engine.codes import Param
from engine.deal import boneyard_after_deal, hand_size
from engine.errors import EngineError, NotationError, PositionError
from engine.messages import sentence
from engine.position import Position
from engine.rounds import left_of, planned_rounds, starters, starting_doubles
from engine.rules import Rules
from engine.ruling import Ruling, Verdict, judge_turn
from engine.scoring import score_hands, standing, winners
from engine.spots import ends, trains_in_play
from engine.tile import SET_SIZES, DominoSet

Answer = dict[str, Any]


Say = Callable[[str, Mapping[str, Param]], str]
"""Makes a sentence of a code and its parameters, in whatever language."""


def judge(case: object, say: Say = sentence) -> Answer:
    """Judge a case. Never raises: what cannot be judged gives `{"id", "error"}`."""
    identity = case.get("id") if isinstance(case, dict) else None
    try:
        fields = mapping(case, "a case")
        kind = fields.get("kind")
        if kind == "turn":
            return {"id": identity, **_turn(fields, say)}
        if not isinstance(kind, str) or kind not in KINDS:
            raise NotationError(f"unknown kind {kind!r}; known: turn, {', '.join(KINDS)}")
        return {"id": identity, "exp": KINDS[kind](fields)}
    except EngineError as error:
        return {"id": identity, "error": str(error)}
    except Exception as error:  # a case out of shape must not stop the ones after it
        return {"id": identity, "error": f"this case can't be read ({type(error).__name__}: {error})"}


# -- turns ------------------------------------------------------------------------------------------


TURN_KEYS = frozenset(("id", "kind", "src", "note", "opts", "pre", "act", "exp", "ask"))


def _turn(fields: Mapping[str, Any], say: Say) -> Answer:
    for key in fields:
        if key not in TURN_KEYS:
            raise PositionError(f"a turn has no key {key}")  # misspelt acts or rules would be judged as none
    pre = mapping(fields.get("pre"), "pre")
    rules = read_rules(fields.get("opts"), pre.get("n"))
    position = read_position(pre, rules)
    ruling = judge_turn(position, read_acts(fields.get("act"), position.seats), rules)
    return answer_of(ruling, rules, say)


def answer_of(ruling: Ruling, rules: Rules, say: Say = sentence) -> Answer:
    """A ruling in the form of the vectors."""
    return {
        "v": ruling.verdict.value,
        "why": ruling.fault.code.value if ruling.fault is not None else None,
        "ask": ruling.ask.value if ruling.ask is not None else None,
        **state_of(ruling.position, rules),
        "message": say(ruling.message_code, ruling.message_params),
    }


def state_of(position: Position, rules: Rules) -> Answer:
    """Ends, markers, open doubles, who is next and whether the round is over."""
    return {
        "ends": {train: ends(position, rules, train) for train in trains_in_play(position, rules)},
        "marks": [seat for seat in position.seats if position.table.train(seat).marker],
        "open": [[double.train, double.value] for double in position.open_doubles],
        "next": None if position.is_over else position.turn.seat,
        "round_over": position.is_over,
    }


def is_illegal(answer: Answer) -> bool:
    """The answer is "no"."""
    return answer.get("v") == Verdict.ILLEGAL.value


# -- the other kinds --------------------------------------------------------------------------------


def _score(fields: Mapping[str, Any]) -> Answer:
    rules = read_rules(fields.get("opts"), fields.get("set_size"))
    hands = {
        seat: [read_tile(text, rules) for text in items(tiles, "a hand")]
        for seat, tiles in mapping(fields.get("hands"), "hands").items()
    }
    every = [tile for tiles in hands.values() for tile in tiles]
    if len(set(every)) != len(every):
        raise PositionError("a tile is in these hands twice")
    last = fields.get("last")
    tile = None if last is None else read_tile(last, rules)
    if tile is not None and tile in every:
        raise PositionError(f"the {tile} was laid last and is in a hand too")
    return dict(score_hands(hands, rules, tile))


def _rounds(fields: Mapping[str, Any]) -> dict[str, list[int]]:
    rounds = {
        player: [whole(points, "points", 0, 100_000) for points in items(row, "rounds")]
        for player, row in mapping(fields.get("rounds"), "rounds").items()
    }
    if not rounds or len({len(row) for row in rounds.values()}) != 1:
        raise PositionError("each player needs one score for each round")
    return rounds


def _totals(fields: Mapping[str, Any]) -> Answer:
    rules = read_rules(fields.get("opts"))
    rounds = _rounds(fields)
    places = standing(rounds, rules)
    played = len(next(iter(rounds.values())))
    leaders = [place.player for place in places if place.rank == 1]
    last = [place.player for place in places if place.rank == places[-1].rank]
    return {
        "totals": {player: sum(row) for player, row in rounds.items()},
        "leader": leaders[0] if len(leaders) == 1 else leaders,
        "last": last[0] if len(last) == 1 else last,
        "rounds_left": max(0, planned_rounds(rules) - played),
    }


def _rank(fields: Mapping[str, Any]) -> Answer:
    rounds = _rounds(fields)
    first = set(winners(rounds, read_rules(fields.get("opts"))))
    return {"winners": [player for player in rounds if player in first]}


def _deal(fields: Mapping[str, Any]) -> Answer:
    opts = dict(mapping(fields.get("opts") or {}, "opts"))
    for key in ("set_size", "engine_source", "deal_table"):
        if key in fields:
            opts[key] = fields[key]
    hand = fields.get("hand")
    if opts.get("deal_table") == "custom" and hand is not None:
        opts.setdefault("hand_size", hand)
    rules = read_rules(opts)
    players = whole(fields.get("players"), "players", 2, 30)
    size = hand_size(players, rules) if hand is None else whole(hand, "hand", 1, 190)
    return {"boneyard": boneyard_after_deal(rules.set_size, players, size, rules.engine_source)}


def _blocked(fields: Mapping[str, Any]) -> Answer:
    rules = read_rules(fields.get("opts"))
    seats = read_seats(fields.get("seats", DEFAULT_SEATS))
    marks, passes = (items(fields.get(key, []), key) for key in ("marks", "passes"))
    for seat in (*marks, *passes):
        if seat not in seats:
            raise PositionError(f"there is no seat {seat!r} at this table")
    if any(after != left_of(seat, seats) for seat, after in pairwise(passes)):
        raise PositionError("passes go round the table seat by seat")
    live = bool(items(fields.get("open", []), "open"))
    after = blocked_after(
        seats,
        marks,
        passes,
        rules,
        boneyard=whole(fields.get("boneyard"), "boneyard", 0, 190),
        live_double=live,
    )
    binds = live and rules.double_duty == "table"
    return {"blocked_after": after, "suspicion": after is not None and binds}


def _starter(fields: Mapping[str, Any]) -> str:
    rules = read_rules(fields.get("opts"))
    seats = read_seats(fields.get("seats", DEFAULT_SEATS))
    laid_by = fields.get("laid_by")
    if laid_by is not None:
        if laid_by not in seats:
            raise PositionError(f"there is no seat {laid_by!r} at this table")
        if rules.start_rotation == "left_of_last_opener":
            return left_of(laid_by, seats)
        if rules.start_rotation == "engine_placer" and rules.engine_source != "pulled":
            return str(laid_by)
    if "first" not in fields:
        raise PositionError("say who takes the first turn of round 1 (first)")
    return "".join(starters(seats, fields["first"], planned_rounds(rules), rules))


def _engines(fields: Mapping[str, Any]) -> list[int]:
    rules = read_rules(fields.get("opts"), fields.get("set_size"))
    start, rounds = fields.get("start", rules.start_double), fields.get("rounds", rules.rounds)
    return starting_doubles(
        None if rounds is None else whole(rounds, "rounds", 1, 1000),
        rules.set_size,
        None if start is None else whole(start, "start", 0, rules.set_size),
    )


def _set(fields: Mapping[str, Any]) -> dict[str, list[int]]:
    size = fields.get("set_size")
    sizes = SET_SIZES if size is None else (whole(size, "set_size", 0, 18),)
    return {str(number): [len(DominoSet(number)), DominoSet(number).pip_total] for number in sizes}


KINDS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "score": _score,
    "totals": _totals,
    "rank": _rank,
    "deal": _deal,
    "blocked": _blocked,
    "starter": _starter,
    "engines": _engines,
    "set": _set,
}
