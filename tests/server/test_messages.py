"""The sentences: all languages say the same, every code has one."""

from __future__ import annotations

import re
import string

import pytest

from server.messages import LANGUAGES, catalogue, counted, sentence
from server.speaking import sentence_of
from vision.errors import FAULTS
from vision.tiles import Doubt


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_same_keys_and_placeholders(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    assert list(other) == list(english)
    assert {key: placeholders(text) for key, text in other.items()} == {
        key: placeholders(text) for key, text in english.items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_one_line(language: str) -> None:
    for key, text in catalogue(language).items():
        assert text.strip() == text, key
        assert text, key
        assert "\n" not in text, key


def test_faults_of_the_reader_are_all_there_word_for_word() -> None:
    english = catalogue("en")
    assert {code: english.get(f"fault.{code}") for code in FAULTS} == FAULTS


def test_doubts_of_the_reader_are_all_there() -> None:
    documented = re.findall(r"`([a-z]+_[a-z_]+|covered|blurred)`", Doubt.__doc__ or "")
    assert len(documented) >= 9
    for code in documented:
        assert f"doubt.{code}" in catalogue("en")


def test_a_sentence_with_its_values() -> None:
    assert sentence("doubt.half_unclear", {"value": 11, "other": 12}, "en") == "one half may be 11 or 12"
    assert sentence("doubt.half_unclear", {"value": 11, "other": 12}, "fr") == "une moitié vaut 11 ou 12"


def test_missing_values_and_unknown_codes_never_fail() -> None:
    assert sentence("doubt.half_unclear", {"value": 11}, "en") == "one half may be 11 or ?"
    assert sentence("doubt.from_the_future", {}, "es") == "no es seguro"
    assert sentence("nothing.like_it", {}, "en") == "nothing.like_it"


@pytest.mark.parametrize(
    ("language", "count", "text"),
    [("en", 0, "0 tiles"), ("en", 1, "1 tile"), ("en", 2, "2 tiles"), ("fr", 0, "0 domino"), ("es", 1, "1 ficha")],
)
def test_one_or_several(language: str, count: int, text: str) -> None:
    assert counted("score.tiles", count, language) == text


def test_of_the_train_is_one_word_in_french_and_spanish() -> None:
    params = {"train": "M", "double_train": "A", "double": 8, "seat": "B"}
    assert " del tren de A " in sentence_of("ruling.R_OPEN_DOUBLE_FIRST", params, "es")
    assert " du train mexicain" in sentence_of("watch.marker_off", params, "fr")
    assert " del tren mexicano" in sentence_of("watch.marker_off", params, "es")
