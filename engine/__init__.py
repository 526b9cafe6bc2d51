"""The rules of Mexican Train: pure values and functions, standard library only.

A word of warning about words. Players call the double in the middle of the table *the engine*.
In this code it is always the `starting_double`, placed on the `hub`; `engine` means this package.

The main path, in the order of a reading:

    tile, table, moves      what lies on the table, and what a player does
    rules, presets          the house rules, each with default, values, source and a sentence
    position                a round at one moment: table, hands, open doubles, whose turn and how far it is
    spots, doubles          where a tile could lie; which open doubles wait and whom they bind
    placement, acts         may this seat lay here, lay this tile, draw? could it have played?
    laying                  the change that a tile makes, and what the seat may do after it
    turn_end, markers       what must have happened before a turn ends, and how the marker stands then
    reducer                 `apply`: the one place where a position changes
    ruling, judge           the referee: a turn as it was seen, replayed through the same functions

Beside it: `setup`, `deal`, `rounds` begin a round, `blocked` and `calls` are what their names say, `scoring` and
`session` count rounds, `record` and `notation` write them down; `infer` explains two tables by turns, `deductions`
and `violations` tell what a table or a hand proves; `longest` finds the best first line.

Where a rule is: a house rule is decided where `rules.NAME` is asked, in one or two of the modules above
(`grep -rn rules.double_order engine`). A reason such as R_TRAIN_PRIVATE is given where its code stands
(`grep -rn Code.TRAIN_PRIVATE engine`); `codes.RESTS_ON` tells which house rules it rests on. For players,
`stationmaster rules NAME` explains a rule, a preset or a reason.

The names below are the public ones. `engine.judge.judge` and `engine.infer.infer` carry the names of their
modules and are imported from there.
"""

from __future__ import annotations

from engine.acts import Answer, could_play
from engine.codes import Code, Fault
from engine.deal import hand_size
from engine.deductions import PassEvidence, conservation, pass_evidence, scoring_photos
from engine.errors import EngineError, NotationError, PositionError, RulesError
from engine.infer import Explanation
from engine.legality import is_legal, legal_moves, why_not
from engine.moves import Call, Catch, Draw, Move, Pass, Play
from engine.options import Option
from engine.position import Hand, Outcome, Position, RoundEnd
from engine.presets import PRESETS, load_rules, preset, save_rules
from engine.reducer import Applied, History, Refused, apply
from engine.rules import OPTIONS, Rules
from engine.ruling import ActedBy, ClaimsOut, MarkersSeen, Ruling, Verdict, judge_turn
from engine.setup import Deal, deal_round, new_round, new_round_unseen
from engine.table import MEXICAN, LaidTile, Limb, Table, Train
from engine.tile import DominoSet, Tile
from engine.violations import NOT_PROVEN, Violation, ViolationCode, audit

__all__ = [
    "MEXICAN",
    "NOT_PROVEN",
    "OPTIONS",
    "PRESETS",
    "ActedBy",
    "Answer",
    "Applied",
    "Call",
    "Catch",
    "ClaimsOut",
    "Code",
    "Deal",
    "DominoSet",
    "Draw",
    "EngineError",
    "Explanation",
    "Fault",
    "Hand",
    "History",
    "LaidTile",
    "Limb",
    "MarkersSeen",
    "Move",
    "NotationError",
    "Option",
    "Outcome",
    "Pass",
    "PassEvidence",
    "Play",
    "Position",
    "PositionError",
    "Refused",
    "RoundEnd",
    "Rules",
    "RulesError",
    "Ruling",
    "Table",
    "Tile",
    "Train",
    "Verdict",
    "Violation",
    "ViolationCode",
    "apply",
    "audit",
    "conservation",
    "could_play",
    "deal_round",
    "hand_size",
    "is_legal",
    "judge_turn",
    "legal_moves",
    "load_rules",
    "new_round",
    "new_round_unseen",
    "pass_evidence",
    "preset",
    "save_rules",
    "scoring_photos",
    "why_not",
]
