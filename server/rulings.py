"""The sentences of the referee in the person's language: the engine says them in English, the pages in the others."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.codes import Param
from engine.messages import sentence, train_name, values_of, variant
from engine.table import mexican_number
from server.messages import catalogue, joined
from server.texts import page_catalogue

_LINE = re.compile(r"t(\d+)")
"""What the picture calls a train of which nobody knows whose it is."""


def line_called(train: str, language: str) -> str:
    """A train on its own, as in a list or a drawing: what has no owner by its number, everything else as it is."""
    line = _LINE.fullmatch(train)
    return train if line is None else catalogue(language)["read.train"].format(number=line[1])


def ruling_sentence(code: str, params: Mapping[str, Param], language: str) -> str:
    """The sentence of a ruling's code; in English where the language has none yet."""
    template = page_catalogue(language).get(f"ruling.{variant(code, params)}")
    if template is None:
        return sentence(code, params)
    return joined(template.format_map(values_of(params, lambda train: train_called(train, language))), language)


def train_called(train: str, language: str) -> str:
    """A train as it is spoken of inside a sentence."""
    if (line := _LINE.fullmatch(train)) is not None:
        return catalogue(language)["read.train_inside"].format(number=line[1])
    if language == "en":
        return train_name(train)
    number = mexican_number(train)
    known = page_catalogue(language)
    if number is None:
        return known["train.of"].format(name=train)
    return known["train.mexican"] if number == 1 else known["train.mexican_n"].format(number=number)
