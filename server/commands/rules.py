"""`stationmaster rules [NAME]`: list the house rules and presets, or explain one."""

from __future__ import annotations

import argparse
import json
import textwrap
from difflib import get_close_matches
from typing import Any

from engine.codes import RESTS_ON, Code
from engine.options import Option
from engine.presets import PRESETS, Preset
from engine.rules import OPTIONS
from server.errors import UsageError
from server.messages import sentence
from server.texts import rule_word

_WIDTH = 96

REASONS = {code.value: code for code in RESTS_ON}
"""The reasons of verdicts, by name."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One optional name."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="a house rule, a preset or a reason (R_...) to explain")


def run(args: argparse.Namespace) -> int:
    """Print the catalogue, or one entry of it."""
    lang = args.lang
    if args.name is None:
        told: dict[str, Any] = {
            "rules": [option_json(option, lang) for option in OPTIONS.values()],
            "presets": [preset_json(preset, lang) for preset in PRESETS.values()],
        }
        lines = [*_catalogue(lang), "", *_presets(lang)]
    elif args.name in OPTIONS:
        option = OPTIONS[args.name]
        told, lines = option_json(option, lang), _explain_option(option, lang)
    elif args.name in PRESETS:
        preset = PRESETS[args.name]
        told, lines = preset_json(preset, lang), _explain_preset(preset, lang)
    elif args.name in REASONS:
        code = REASONS[args.name]
        told, lines = reason_json(code), _explain_reason(code, lang)
    else:
        raise UsageError(_unknown(args.name, lang))
    print(json.dumps(told, ensure_ascii=False) if args.json else "\n".join(lines))
    return 0


def option_json(option: Option, language: str = "en") -> dict[str, Any]:
    """A house rule for a program; its sentence is for people."""
    bounds = None if option.numbers is None else list(option.numbers)
    return {
        "name": option.name,
        "group": option.group,
        "sentence": _of_option(option, language),
        "default": option.default,
        "values": list(option.words),
        "numbers": bounds,
        "source": option.source,
        "reasons": _reasons(option),
    }


def preset_json(preset: Preset, language: str = "en") -> dict[str, Any]:
    """A preset for a program: what it changes in the published game."""
    return {
        "name": preset.name,
        "source": preset.source,
        "sentence": _of_preset(preset, language),
        "changes": dict(preset.changes),
    }


def reason_json(code: Code) -> dict[str, Any]:
    """A reason for a program: the claim it rests on and the house rules that decide it."""
    source, names = RESTS_ON[code]
    return {"name": code.value, "source": source, "rules": list(names)}


def _of_option(option: Option, language: str) -> str:
    """English is what the engine says itself."""
    said = None if language == "en" else rule_word(f"rule.{option.name}", language)
    return option.sentence if said is None else f"{said}."


def _of_preset(preset: Preset, language: str) -> str:
    said = None if language == "en" else rule_word(f"preset.{preset.name}", language)
    return preset.sentence if said is None else said


def _unknown(name: str, language: str) -> str:
    """No such name, and what may have been meant: names that hold the word, else names written much like it."""
    names = [*OPTIONS, *PRESETS, *REASONS]
    word = name.lower()
    near = [known for known in names if word in known.lower()] or get_close_matches(word, names, 4)
    hint = sentence("rules.meant" if near else "rules.see", {"names": ", ".join(near)}, language)
    return sentence("rules.unknown", {"name": name, "hint": hint}, language)


def _reasons(option: Option) -> list[str]:
    """Reason codes of verdicts that rest on this rule."""
    return [code.value for code, (_, options) in RESTS_ON.items() if option.name in options]


def _catalogue(language: str) -> list[str]:
    lines: list[str] = []
    group = ""
    for option in OPTIONS.values():
        if option.group != group:
            group = option.group
            said = rule_word(f"group.{group}", language) if language != "en" else None
            lines += ["", said or group.capitalize()] if lines else [said or group.capitalize()]
        lines.append(f"  {option.name} = {_value(option.default)}   [{option.allowed}]")
        lines += _wrapped(_of_option(option, language), 6)
    return lines


def _presets(language: str) -> list[str]:
    lines = [sentence("rules.presets", {}, language)]
    for preset in PRESETS.values():
        lines.append(f"  {preset.name} ({preset.source})")
        lines += _wrapped(_of_preset(preset, language), 6)
    return lines


def _explain_option(option: Option, language: str) -> list[str]:
    used = [
        f"{preset.name} ({_value(preset.changes[option.name])})"
        for preset in PRESETS.values()
        if option.name in preset.changes
    ]
    facts = {"default": _value(option.default), "values": option.allowed, "source": option.source,
             "changed_by": ", ".join(used), "decides": ", ".join(_reasons(option))}
    told = {sentence(f"rules.{key}", {}, language): text for key, text in facts.items() if text}
    width = max(map(len, told))
    return [option.name, *_wrapped(_of_option(option, language), 2),
            *(f"  {label:<{width}}  {text}" for label, text in told.items())]


def _explain_preset(preset: Preset, language: str) -> list[str]:
    lines = [f"{preset.name} ({preset.source})", *_wrapped(_of_preset(preset, language), 2)]
    if not preset.changes:
        return [*lines, f"  {sentence('rules.published', {}, language)}"]
    for name, value in preset.changes.items():
        lines.append(f"  {name} = {_value(value)}")
        lines += _wrapped(_of_option(OPTIONS[name], language), 6)
    return lines


def _explain_reason(code: Code, language: str) -> list[str]:
    source, names = RESTS_ON[code]
    lines = [f"{code.value} ({source})"]
    for name in names:
        lines.append(f"  {name} = {_value(OPTIONS[name].default)}   [{OPTIONS[name].allowed}]")
        lines += _wrapped(_of_option(OPTIONS[name], language), 6)
    return lines if names else [*lines, f"  {sentence('rules.fixed', {}, language)}"]


def _value(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent)
