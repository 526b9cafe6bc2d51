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

_WIDTH = 96

REASONS = {code.value: code for code in RESTS_ON}
"""The reasons of verdicts, by name."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One optional name."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="a house rule, a preset or a reason (R_...) to explain")


def run(args: argparse.Namespace) -> int:
    """Print the catalogue, or one entry of it."""
    if args.name is None:
        told: dict[str, Any] = {
            "rules": [option_json(option) for option in OPTIONS.values()],
            "presets": [preset_json(preset) for preset in PRESETS.values()],
        }
        lines = [*_catalogue(), "", *_presets()]
    elif args.name in OPTIONS:
        option = OPTIONS[args.name]
        told, lines = option_json(option), _explain_option(option)
    elif args.name in PRESETS:
        preset = PRESETS[args.name]
        told, lines = preset_json(preset), _explain_preset(preset)
    elif args.name in REASONS:
        code = REASONS[args.name]
        told, lines = reason_json(code), _explain_reason(code)
    else:
        raise UsageError(_unknown(args.name))
    print(json.dumps(told, ensure_ascii=False) if args.json else "\n".join(lines))
    return 0


def option_json(option: Option) -> dict[str, Any]:
    """A house rule for a program."""
    bounds = None if option.numbers is None else list(option.numbers)
    return {
        "name": option.name,
        "group": option.group,
        "sentence": option.sentence,
        "default": option.default,
        "values": list(option.words),
        "numbers": bounds,
        "source": option.source,
        "reasons": _reasons(option),
    }


def preset_json(preset: Preset) -> dict[str, Any]:
    """A preset for a program: what it changes in the published game."""
    return {
        "name": preset.name,
        "source": preset.source,
        "sentence": preset.sentence,
        "changes": dict(preset.changes),
    }


def reason_json(code: Code) -> dict[str, Any]:
    """A reason for a program: the claim it rests on and the house rules that decide it."""
    source, names = RESTS_ON[code]
    return {"name": code.value, "source": source, "rules": list(names)}


def _unknown(name: str) -> str:
    """No such name, and what may have been meant: names that hold the word, else names written much like it."""
    names = [*OPTIONS, *PRESETS, *REASONS]
    word = name.lower()
    near = [known for known in names if word in known.lower()] or get_close_matches(word, names, 4)
    hint = f"did you mean {', '.join(near)}?" if near else "see: stationmaster rules"
    return f"there is no house rule, preset or reason called {name} ({hint})"


def _reasons(option: Option) -> list[str]:
    """Reason codes of verdicts that rest on this rule."""
    return [code.value for code, (_, options) in RESTS_ON.items() if option.name in options]


def _catalogue() -> list[str]:
    lines: list[str] = []
    group = ""
    for option in OPTIONS.values():
        if option.group != group:
            group = option.group
            lines += ["", group.capitalize()] if lines else [group.capitalize()]
        lines.append(f"  {option.name} = {_value(option.default)}   [{option.allowed}]")
        lines += _wrapped(option.sentence, 6)
    return lines


def _presets() -> list[str]:
    lines = ["Presets"]
    for preset in PRESETS.values():
        lines.append(f"  {preset.name} ({preset.source})")
        lines += _wrapped(preset.sentence, 6)
    return lines


def _explain_option(option: Option) -> list[str]:
    lines = [option.name, *_wrapped(option.sentence, 2), f"  default  {_value(option.default)}"]
    lines += [f"  values   {option.allowed}", f"  source   {option.source}"]
    used = [
        f"{preset.name} ({_value(preset.changes[option.name])})"
        for preset in PRESETS.values()
        if option.name in preset.changes
    ]
    if used:
        lines.append(f"  changed by  {', '.join(used)}")
    reasons = _reasons(option)
    if reasons:
        lines.append(f"  decides  {', '.join(reasons)}")
    return lines


def _explain_preset(preset: Preset) -> list[str]:
    lines = [f"{preset.name} ({preset.source})", *_wrapped(preset.sentence, 2)]
    if not preset.changes:
        return [*lines, "  Nothing differs from the published game: it is the published game."]
    for name, value in preset.changes.items():
        lines.append(f"  {name} = {_value(value)}")
        lines += _wrapped(OPTIONS[name].sentence, 6)
    return lines


def _explain_reason(code: Code) -> list[str]:
    source, names = RESTS_ON[code]
    lines = [f"{code.value} ({source})"]
    for name in names:
        lines.append(f"  {name} = {_value(OPTIONS[name].default)}   [{OPTIONS[name].allowed}]")
        lines += _wrapped(OPTIONS[name].sentence, 6)
    return lines if names else [*lines, "  No house rule changes it."]


def _value(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent)
