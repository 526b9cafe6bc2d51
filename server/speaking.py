"""Sentences for the events of a watch, in the person's language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.codes import Param
from engine.messages import values_of
from server.messages import catalogue, sentence
from server.rulings import ruling_sentence, train_called
from server.watch_events import Event


def spoken(event: Event, language: str) -> Event:
    """The event with its sentence; why nothing is sure follows it."""
    return replace(event, message=said(event.code, event.ask, event.params, language))


def said(code: str | None, ask: str | None, params: Mapping[str, Param], language: str) -> str:
    """What is said of an event with this code, and what would settle it."""
    codes = [*([code] if code else []), *([f"watch.ask_{ask}"] if ask is not None else [])]
    return " ".join(sentence_of(one, params, language) for one in codes)


def sentence_of(code: str, params: Mapping[str, Param], language: str) -> str:
    """The sentence of a code; trains and seats by the names people use."""
    section, _, name = code.partition(".")
    if section == "ruling":
        return ruling_sentence(name, params, language)
    values = dict(values_of(params, lambda train: train_called(train, language)))
    given = {key: value for key, value in values.items() if value is not None}
    return sentence(_without_seat(code, params, language), given, language)


def _without_seat(code: str, params: Mapping[str, Param], language: str) -> str:
    """Where nobody knows who acted, another sentence, if the usual one names somebody."""
    nobody = f"{code}_nobody"
    return nobody if "seat" in params and params["seat"] is None and nobody in catalogue(language) else code
