"""The nine named sets of house rules (rules matrix, 3.10), and rules kept in a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from engine.errors import RulesError
from engine.options import Value, spell
from engine.rules import OPTIONS, Rules


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of house rules: what it changes in the published game."""

    name: str
    source: str
    sentence: str
    changes: Mapping[str, Value]

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return Rules.of(self.changes)


_S1: dict[str, Value] = {
    "engine_source": "pulled",
    "start_rotation": "left",
    "first_starter": "agreed",
    "mexican_start": "any_time",
    "double_extra_tile": "none",
}

_ALL = (
    Preset("published_default", "S0", "The double-twelve game as most groups mean it.", {}),
    Preset("squarescores", "S1", "A double is simply covered by the next player; no extra tile.", _S1),
    Preset(
        "squarescores_extra",
        "S1-V1",
        "As squarescores, but whoever lays a double covers it at once if possible.",
        {**_S1, "double_extra_tile": "mandatory", "double_extra_placement": "must_cover"},
    ),
    Preset(
        "mtf_chickenfoot",
        "S3-01..17",
        "Every double asks for three tiles, and the last tile is announced.",
        {
            "double_extra_tile": "none",
            "double_answers": 3,
            "go_out_on_double": "must_cover",
            "one_tile_call": True,
            "call_window": "next_player_first_action",
            "mexican_start": "any_time",
        },
    ),
    Preset(
        "long_first_turn",
        "S3-18..27",
        "You may leave your train open, and what you draw after a double goes on it or on public trains.",
        {"marker_removal": "optional", "extra_draw_placement": "double_or_public"},
    ),
    Preset(
        "parsons",
        "S3-28..31, TXG",
        "The starting double is taken out first; you may go out with a double.",
        {"engine_source": "pulled", "deal_table": "parsons", "go_out_on_double": "allowed"},
    ),
    Preset(
        "french",
        "S4",
        "One tile a turn from the start; who lays a double covers it; tap with your last tile but one.",
        {
            "engine_source": "highest_held",
            "first_turn": "one_tile",
            "mexican_start": "any_time",
            "double_extra_placement": "must_cover",
            "one_tile_call": True,
            "call_window": "at_play",
        },
    ),
    Preset(
        "tournament",
        "W12, WP, MTR",
        "One tile a turn, one double a turn, no going out with a double; the double-blank counts 50.",
        {
            "engine_source": "pulled",
            "start_rotation": "left",
            "first_turn": "one_tile",
            "mexican_start": "any_time",
            "double_extra_placement": "must_cover",
            "max_doubles_per_turn": 1,
            "go_out_on_double": "must_cover",
            "double_blank": 50,
        },
    ),
    Preset(
        "double_nine",
        "S1-V5",
        "The small set: ten rounds, eight tiles each.",
        {"set_size": 9, "rounds": 10, "deal_table": "custom", "hand_size": 8},
    ),
)

PRESETS: Mapping[str, Preset] = MappingProxyType({preset.name: preset for preset in _ALL})
"""Every preset by name; the published game first."""

_FILE_KEYS = ("preset", "name", "rules")


def preset(name: str) -> Rules:
    """The rules of a preset. Raises `RulesError` naming those that exist."""
    if name not in PRESETS:
        raise RulesError(f"there is no preset called {name}; known: {', '.join(PRESETS)}")
    return PRESETS[name].rules


def load_rules(text: str) -> Rules:
    """Rules from TOML: an optional `preset`, an optional `name`, and the changes under `[rules]`.

    Unknown keys are refused, not passed over: a misspelt rule would else be played wrongly all evening.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"not a rules file: {error}") from error
    for key in data:
        if key not in _FILE_KEYS:
            hint = " (house rules go under [rules])" if key in OPTIONS else ""
            raise RulesError(f"a rules file has no key {key}{hint}")
    base_name = data.get("preset", "published_default")
    changes = data.get("rules", {})
    if not isinstance(base_name, str) or not isinstance(changes, dict):
        raise RulesError("in a rules file preset is a name and [rules] a table")
    return Rules.of(changes, preset(base_name))


def save_rules(rules: Rules, base: str = "published_default", name: str | None = None) -> str:
    """The TOML text that `load_rules` reads back; each change comes with its sentence."""
    lines = [] if name is None else [f"name = {_quoted(name)}"]
    lines += [f"preset = {_quoted(base)}", "", "[rules]"]
    for key, value in rules.changes(preset(base)).items():
        lines.append(f"# {OPTIONS[key].sentence}")
        bare = isinstance(value, (bool, int))
        lines.append(f"{key} = {spell(value) if bare else _quoted(spell(value))}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    if any(ord(char) < 32 or ord(char) == 127 for char in escaped):
        raise RulesError("a name in a rules file is one line of plain text")
    return f'"{escaped}"'
