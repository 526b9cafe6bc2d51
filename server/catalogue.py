"""House rules as pages offer them: three cards, six questions, and all the rest."""

from __future__ import annotations

import functools
from typing import Any

from engine.presets import PRESETS
from engine.rules import OPTIONS

Json = dict[str, Any]

CARDS: tuple[Json, ...] = (
    {"name": "published", "preset": "published_default", "changes": {}, "rounds": None},
    {"name": "family", "preset": "published_default", "rounds": 5,
     "changes": {"first_turn": "one_tile", "mexican_start": "any_time"}},
    {"name": "tournament", "preset": "tournament", "changes": {}, "rounds": None},
)
"""As published, quick family, tournament."""

QUESTIONS: tuple[tuple[str, tuple[bool | int | str, ...]], ...] = (
    ("double_duty", ("table", "own_train", "layer_only", "none")),
    ("first_turn", ("build", "one_tile")),
    ("double_blank", (0, 25, 50)),
    ("go_out_on_double", ("allowed", "must_cover")),
    ("one_tile_call", (False, True)),
    ("mexican_start", ("second_turn", "any_time", "after_all_trains")),
)
"""What families quarrel about: the option and the answers offered. The texts say what follows from each."""


@functools.cache
def catalogue() -> Json:
    """Everything a page needs to let people choose."""
    return {
        "cards": list(CARDS),
        "questions": [{"name": name, "answers": list(answers), "default": OPTIONS[name].default}
                      for name, answers in QUESTIONS],
        "presets": [{"name": preset.name, "sentence": preset.sentence, "changes": dict(preset.changes)}
                    for preset in PRESETS.values()],
        "options": [{"name": option.name, "group": option.group, "sentence": option.sentence,
                     "default": option.default, "words": list(option.words),
                     "numbers": list(option.numbers) if option.numbers is not None else None}
                    for option in OPTIONS.values()],
    }
