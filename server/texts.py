"""The texts of the pages, in the languages of the catalogue; beside them the sentences that codes stand for."""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Mapping
from importlib.resources import files

from engine.messages import SENTENCES
from engine.rules import OPTIONS
from server.messages import LANGUAGES
from server.messages import catalogue as sentences

__all__ = ["LANGUAGES", "chosen_language", "english", "page_catalogue", "page_texts", "rule_catalogue",
           "rule_in_words", "rule_texts", "rule_word"]


@functools.cache
def page_catalogue(language: str) -> Mapping[str, str]:
    """All texts of the pages in a language, by key."""
    text = (files("server") / "locales" / f"pages.{language}.toml").read_text(encoding="utf-8")
    return {key: str(value) for key, value in tomllib.loads(text).items()}


def _rules_in_english() -> dict[str, str]:
    """What the engine says itself; the other languages say it in their own files."""
    rulings = {f"ruling.{code}": sentence for code, sentence in SENTENCES.items()}
    return rulings | {f"rule.{option.name}": option.sentence.rstrip(".") for option in OPTIONS.values()}


@functools.cache
def page_texts(language: str) -> bytes:
    """What a page fetches: its texts and every sentence that it may have to say for a code, as JSON."""
    texts = {**_rules_in_english(), **sentences(language), **page_catalogue(language)}
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode()


@functools.cache
def rule_catalogue(language: str) -> Mapping[str, str]:
    """The words of all house rules, which pages fetch when somebody opens them."""
    text = (files("server") / "locales" / f"rules.{language}.toml").read_text(encoding="utf-8")
    return {key: str(value) for key, value in tomllib.loads(text).items()}


@functools.cache
def rule_texts(language: str) -> bytes:
    """The words of all house rules as JSON."""
    return json.dumps(dict(rule_catalogue(language)), ensure_ascii=False, separators=(",", ":")).encode()


def rule_word(key: str, language: str) -> str | None:
    """What a key of the house rules (`rule.`, `preset.`, `group.`, `word.`) says; nothing if there is no such text."""
    found: Mapping[str, str] = {**_rules_in_english(), **page_catalogue(language), **rule_catalogue(language)}
    return found.get(key)


def rule_in_words(name: str, value: object, language: str) -> str:
    """A house rule and what was chosen for it, as the pages say it; `value` as `Rules` holds it."""
    spelt = json.dumps(value) if value is None or isinstance(value, bool) else str(value)
    word = rule_word(f"word.{name}.{spelt}", language) or rule_word(f"word.{spelt}", language) or spelt
    return f"{rule_word(f'rule.{name}', language) or name}: {word}"


def english(key: str, params: Mapping[str, object]) -> str:
    """The English text of a key for programs and logs; the key itself if there is none."""
    text = page_catalogue("en").get(key, key)
    for name, value in params.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text


def chosen_language(accepted: str) -> str:
    """The first language of a browser's list that the pages speak; English if there is none."""
    wishes: list[tuple[float, str]] = []
    for part in accepted.lower().split(","):
        name, _, weight = part.strip().partition(";q=")
        try:
            wishes.append((-float(weight or 1), name[:2]))
        except ValueError:
            continue
    return next((name for _, name in sorted(wishes, key=lambda wish: wish[0]) if name in LANGUAGES), LANGUAGES[0])
