"""What a house rule is: a name, a sentence, a default, the values it may take and who says so."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from engine.errors import RulesError

Value = bool | int | str | None
"""What an option can be set to; `None` stands for "no limit" or "not set"."""


def option(
    default: Value, group: str, source: str, sentence: str, *, low: int = 0, high: int = 0
) -> Any:  # the caller's annotation is the type
    """A field of `Rules`. `low..high` bound the whole numbers where the annotation says `int`."""
    meta: dict[str, object] = {"default": default, "group": group, "source": source, "sentence": sentence}
    meta |= {"low": low, "high": high}
    return dataclasses.field(default=default, metadata=meta)


@dataclass(frozen=True, slots=True)
class Option:
    """One house rule as people read it."""

    name: str
    group: str
    sentence: str
    default: Value
    words: tuple[Value, ...]
    """Values that are written out: words, true and false, none."""
    numbers: tuple[int, int] | None
    """Bounds of the whole numbers it also takes, if any."""
    source: str

    @property
    def allowed(self) -> str:
        """The values as a reader sees them, e.g. `none, 1..10`."""
        parts = [spell(word) for word in self.words]
        if self.numbers is not None:
            parts.append(f"{self.numbers[0]}..{self.numbers[1]}")
        return ", ".join(parts)

    def accepts(self, value: object) -> bool:
        """True if the option may be set to `value`. `True` is not the number 1 here."""
        if any(value is word or (type(value) is type(word) and value == word) for word in self.words):
            return True
        if self.numbers is None or type(value) is not int:
            return False
        return self.numbers[0] <= value <= self.numbers[1]

    def read(self, value: object) -> Value:
        """`value` as the option keeps it. Raises `RulesError` naming the option and what it may be."""
        if value == "none" and None in self.words and "none" not in self.words:
            value = None  # TOML has no null
        if not self.accepts(value):
            raise RulesError(f"{self.name} can't be {value!r}; it is one of: {self.allowed}")
        return value  # type: ignore[return-value]  # accepted values are Values


def spell(value: Value) -> str:
    """A value as it is written in a rules file."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


@cache
def options_of(rules_class: type) -> Mapping[str, Option]:
    """The catalogue behind a dataclass of options, in the order of its fields."""
    hints = get_type_hints(rules_class)
    found = {}
    for field in dataclasses.fields(rules_class):
        words, has_numbers = _values(hints[field.name])
        meta: Mapping[str, Any] = field.metadata
        found[field.name] = Option(
            name=field.name,
            group=meta["group"],
            sentence=meta["sentence"],
            default=meta["default"],
            words=words,
            numbers=(meta["low"], meta["high"]) if has_numbers else None,
            source=meta["source"],
        )
    return types.MappingProxyType(found)


def _values(hint: Any) -> tuple[tuple[Value, ...], bool]:
    """Words and "also whole numbers" out of an annotation such as `Literal["slots"] | int`."""
    if hint is bool:
        return (True, False), False
    if hint is int:
        return (), True
    if hint is type(None):
        return (None,), False
    if get_origin(hint) is Literal:
        return get_args(hint), False
    if get_origin(hint) in (Union, types.UnionType):
        words: tuple[Value, ...] = ()
        numbers = False
        for part in get_args(hint):
            more, also = _values(part)
            words, numbers = words + more, numbers or also
        return words, numbers
    raise TypeError(f"an option can't have the type {hint}")
