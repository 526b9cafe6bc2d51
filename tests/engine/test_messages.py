"""Sentences: one for every code, each naming what it speaks of."""

from __future__ import annotations

import string

import pytest

from engine.codes import Code, fault
from engine.messages import SENTENCES, explain, sentence, train_name
from engine.table import LaidTile
from engine.turn_end import Question

PARAMS = {"seat": "A", "to_move": "B", "tile": "7|12", "train": "M", "set_size": 12, "double": 9,
          "double_train": "C", "end": 4, "cap": 2, "of": "tiles", "limit": 2, "by": "B"}


@pytest.mark.parametrize("code", SENTENCES)
def test_every_sentence_is_whole(code: str) -> None:
    base = code.split(".", maxsplit=1)[0]
    told = sentence(base, PARAMS)
    assert "?" not in told
    assert told[0].isupper()
    assert told.endswith(".")
    names = {name for _, name, _, _ in string.Formatter().parse(SENTENCES[code]) if name}
    assert names <= {*PARAMS, "train_name", "train_name_start", "double_train_name"}


def test_every_code_and_question_has_a_sentence() -> None:
    assert {code.value for code in Code} <= set(SENTENCES)
    assert {f"ASK_{question.name}" for question in Question} <= set(SENTENCES)


def test_a_fault_names_tile_and_train() -> None:
    told = explain(fault(Code.NO_MATCH, train="M2", tile=LaidTile(5, 9), end=4))
    assert told == "The 5-9 does not fit on the Mexican train 2, which asks for a 4."
    assert explain(fault(Code.MARKER_KEPT, train="A")).startswith("A's train was played on")
    assert train_name("M") == "the Mexican train"


def test_other_words_where_the_case_differs() -> None:
    here = fault(Code.OPEN_DOUBLE_FIRST, seat="A", train="C", double=9, double_train="C")
    assert "anything else" in explain(here)
    assert "private" not in explain(fault(Code.TRAIN_PRIVATE, seat="A", train="A"))
    assert "5|8" in explain(fault(Code.MUST_PLAY, seat="A", tile="5|8", train="A"))


def test_a_missing_parameter_is_no_error() -> None:
    assert "?" in sentence(Code.NO_MATCH, {})
