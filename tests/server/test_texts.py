"""The pages' texts: the same keys and placeholders in every language, and none that a page asks for is missing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engine.codes import RESTS_ON
from engine.messages import SENTENCES
from engine.presets import PRESETS
from engine.rules import OPTIONS
from server.catalogue import CARDS, QUESTIONS
from server.players import COLOURS, SHAPES
from server.speaking import sentence_of
from server.texts import LANGUAGES, chosen_language, page_catalogue, page_texts, rule_catalogue

SERVER = Path(__file__).parents[2] / "server"
SAID_BY_ENGINE = ("ruling.", "rule.")


def own(language: str) -> dict[str, str]:
    return {key: text for key, text in page_catalogue(language).items() if not key.startswith(SAID_BY_ENGINE)}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_languages_have_the_same_keys_and_placeholders(language: str) -> None:
    english, other = own("en"), own(language)
    assert set(english) == set(other)
    for key, text in english.items():
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", other[key])), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_the_referee_says_is_there(language: str) -> None:
    texts = json.loads(page_texts(language))
    assert {f"ruling.{code}" for code in SENTENCES} <= set(texts)
    rules = {f"rule.{name}" for _, names in RESTS_ON.values() for name in names}
    assert rules <= set(texts)
    if language != "en":
        assert {f"ruling.{code}" for code in SENTENCES} | rules <= set(page_catalogue(language))


def test_every_text_that_a_page_asks_for_exists() -> None:
    texts = set(json.loads(page_texts("en")))
    asked = set()
    for path in (SERVER / "static" / "js").glob("*.js"):
        asked |= set(re.findall(r"\bt\('([^']+)'", path.read_text(encoding="utf-8")))
    asked |= {f"colour.{name}" for name in COLOURS} | {f"shape.{name}" for name in SHAPES}
    asked |= {f"card.{card['name']}{end}" for card in CARDS for end in ("", ".why")}
    asked |= {f"q.{name}" for name, _ in QUESTIONS}
    asked |= {f"q.{name}.{json.dumps(answer).strip(chr(34))}{end}" for name, answers in QUESTIONS
              for answer in answers for end in ("", ".why")}
    assert asked - texts == set()


def test_every_problem_has_a_sentence() -> None:
    raised = set()
    pattern = re.compile(r"(?:Problem|NotFound|NotAllowed|TooMany|TooLarge)\(\s*\"(\w+)\"")
    for path in SERVER.rglob("*.py"):
        raised |= set(pattern.findall(path.read_text(encoding="utf-8")))
    assert {f"problem.{code}" for code in raised} - set(page_catalogue("en")) == set()


@pytest.mark.parametrize(
    ("header", "language"),
    [("fr-CH, fr;q=0.9, en;q=0.8", "fr"), ("de, es;q=0.5, en;q=0.4", "es"), ("", "en"), ("de", "en"), ("fr;q=x", "en")],
)
def test_the_browsers_language_is_taken_if_the_pages_speak_it(header: str, language: str) -> None:
    assert chosen_language(header) == language


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "The 12-7 was laid on train 3."), ("fr", "Le 12-7 a été posé sur le train 3."),
     ("es", "Se ha puesto el 12-7 en el tren 3.")],
)
def test_a_watch_calls_trains_without_an_owner_as_read_does(language: str, words: str) -> None:
    assert sentence_of("watch.lay", {"tile": "12-7", "train": "t3", "seat": None}, language) == words


@pytest.mark.parametrize(("language", "words"), [("en", "train"), ("fr", "train"), ("es", "tren")])
def test_a_watch_speaks_of_fouls_in_the_persons_language(language: str, words: str) -> None:
    told = sentence_of("ruling.R_TRAIN_PRIVATE", {"tile": "3-4", "train": "B", "seat": "A"}, language)
    assert words in told
    english = sentence_of("ruling.R_TRAIN_PRIVATE", {"tile": "3-4", "train": "B", "seat": "A"}, "en")
    assert (told == english) == (language == "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_house_rule_value_and_preset_is_said_in_plain_words(language: str) -> None:
    texts = json.loads(page_texts(language)) | dict(rule_catalogue(language))
    asked = {f"rule.{name}" for name in OPTIONS} | {f"preset.{name}" for name in PRESETS}
    asked |= {f"word.{option.name}.{word}" for option in OPTIONS.values() for word in option.words
              if isinstance(word, str)} | {"word.true", "word.false", "word.null"}
    assert asked - set(texts) == set()
    if language != "en":
        own_words = set(page_catalogue(language)) | set(rule_catalogue(language))
        assert asked - own_words == set()


def test_every_contradiction_is_said_in_the_readers_language() -> None:
    named = set()
    for path in (SERVER.parent / "engine").glob("*.py"):
        named |= set(re.findall(r"named\(\s*\"(\w+)\"", path.read_text(encoding="utf-8")))
    rules = (SERVER.parent / "engine" / "rules.py").read_text(encoding="utf-8")
    named |= set(re.findall(r"^            \"(\w+)\",$", rules, re.MULTILINE))
    assert len(named) > 12
    assert {f"clash.{code}" for code in named} == {key for key in page_catalogue("en") if key.startswith("clash.")}


def test_no_text_with_places_for_names_and_numbers_is_asked_for_without_them() -> None:
    texts = json.loads(page_texts("en"))
    bare = set()
    for path in (SERVER / "static" / "js").glob("*.js"):
        bare |= set(re.findall(r"\bt\('([^']+)'\)", path.read_text(encoding="utf-8")))
    assert {key for key in bare if re.search(r"\{\w+\}", texts.get(key, ""))} == set()
