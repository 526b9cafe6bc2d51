"""The rules of Mexican Train: pure values and functions, standard library only.

A word of warning about words. Players call the double in the middle of the table *the engine*.
In this code it is always the `starting_double`, placed on the `hub`; `engine` means this package.

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
