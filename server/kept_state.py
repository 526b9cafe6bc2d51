"""A watcher's state as text and back: values only, so that a file from anybody can be read without running anything.

Values that are shared are written once. Only classes of the modules named here are made again, from their fields.
"""

from __future__ import annotations

import base64
import binascii
import enum
import json
import zlib
from dataclasses import fields, is_dataclass
from types import ModuleType
from typing import Any

import numpy as np

import engine.codes
import engine.moves
import engine.position
import engine.rules
import engine.ruling
import engine.table
import engine.tile
import engine.turn_end
import server.explaining
import server.round_watch
import vision.board
import vision.evidence
from vision.steadiness import BEYOND, Glance

VERSION = 2
_MODULES: tuple[ModuleType, ...] = (
    engine.codes, engine.moves, engine.position, engine.rules, engine.ruling, engine.table, engine.tile,
    engine.turn_end, server.explaining, server.round_watch, vision.board, vision.evidence,
)
_MOST_BYTES = 64 << 20
"""An array unpacks to no more than this."""


class StateUnreadableError(ValueError):
    """This is no state, or one of another version."""


def _known() -> dict[str, type]:
    found: dict[str, type] = {}
    for module in _MODULES:
        for name, value in vars(module).items():
            own = isinstance(value, type) and value.__module__ == module.__name__
            if own and (is_dataclass(value) or issubclass(value, enum.Enum)):
                found[f"{module.__name__}.{name}"] = value
    return found


_CLASSES = _known()
_NAMES = {made: name for name, made in _CLASSES.items()}


def as_text(state: Any) -> str:
    """The state as JSON. Raises `TypeError` for what is no plain value."""
    writer = _Writer()
    root = writer.value(state)
    return json.dumps({"kept": VERSION, "objects": writer.objects, "root": root}, separators=(",", ":"))


def from_text(text: str) -> Any:
    """The state again. Raises `StateUnreadableError`."""
    try:
        kept = json.loads(text)
        if not isinstance(kept, dict) or kept.get("kept") != VERSION:
            raise StateUnreadableError("another version")
        reader = _Reader()
        for one in kept["objects"]:
            reader.objects.append(reader.made(one))
        return reader.value(kept["root"])
    except StateUnreadableError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, zlib.error,
            binascii.Error) as error:
        raise StateUnreadableError(str(error)) from error


class _Writer:
    def __init__(self) -> None:
        self.objects: list[Any] = []
        self._places: dict[int, int] = {}
        self._alive: list[Any] = []

    def value(self, value: Any) -> Any:
        """What JSON can hold."""
        if value is None or (isinstance(value, bool | int | float | str) and not isinstance(value, enum.Enum)):
            return value
        if isinstance(value, list):
            return [self.value(one) for one in value]
        if isinstance(value, tuple):
            return {"t": [self.value(one) for one in value]}
        if isinstance(value, frozenset | set):
            return {"s": [self.value(one) for one in sorted(value, key=repr)]}
        if isinstance(value, dict):
            return {"d": [[self.value(key), self.value(one)] for key, one in value.items()]}
        if isinstance(value, np.generic):
            return value.item()
        if isinstance(value, np.ndarray):
            return {"a": [value.dtype.str, list(value.shape), _packed(value)]}
        return {"r": self._place(value)}

    def _place(self, value: Any) -> int:
        if id(value) in self._places:
            return self._places[id(value)]
        made = self._object(value)
        self.objects.append(made)
        self._alive.append(value)  # so that no other value gets its id
        self._places[id(value)] = len(self.objects) - 1
        return self._places[id(value)]

    def _object(self, value: Any) -> Any:
        if isinstance(value, Glance):
            levels = np.clip(np.round(value.levels), 0, 255).astype(np.uint8)
            beyond = value.logs[..., 0] <= 0  # what a picture that was turned does not show
            more = [_packed(np.packbits(beyond))] if beyond.any() else []
            return {"glance": [value.scale, list(levels.shape), _packed(levels), *more]}
        name = _NAMES.get(type(value))
        if name is None:
            raise TypeError(f"{type(value).__name__} does not belong in a state")
        if isinstance(value, enum.Enum):
            return {"of": name, "is": value.value}
        return {"of": name, "f": {field.name: self.value(getattr(value, field.name)) for field in fields(value)}}


class _Reader:
    def __init__(self) -> None:
        self.objects: list[Any] = []

    def value(self, kept: Any) -> Any:
        """The value again."""
        if isinstance(kept, list):
            return [self.value(one) for one in kept]
        if not isinstance(kept, dict):
            return kept
        (kind, inside), = kept.items()
        if kind == "t":
            return tuple(self.value(one) for one in inside)
        if kind == "s":
            return frozenset(self.value(one) for one in inside)
        if kind == "d":
            return {self.value(key): self.value(one) for key, one in inside}
        if kind == "a":
            return _unpacked(np.dtype(inside[0]), inside[1], inside[2])
        if kind == "r":
            return self.objects[inside]
        raise StateUnreadableError(kind)

    def made(self, kept: Any) -> Any:
        """An object from its fields."""
        if "glance" in kept:
            scale, shape, data, *more = kept["glance"]
            glance = Glance.of_levels(_unpacked(np.dtype(np.uint8), shape, data), float(scale))
            if more:
                height, width = shape[:2]
                bits = _unpacked(np.dtype(np.uint8), [-(-height * width // 8)], more[0])
                glance.logs[np.unpackbits(bits, count=height * width).reshape(height, width) > 0] = BEYOND
            return glance
        made = _CLASSES[kept["of"]]
        if "is" in kept:
            return made(kept["is"])
        return made(**{name: self.value(one) for name, one in kept["f"].items()})


def _packed(array: np.ndarray[Any, Any]) -> str:
    return base64.b64encode(zlib.compress(np.ascontiguousarray(array).tobytes(), 1)).decode("ascii")


def _unpacked(kind: np.dtype[Any], shape: list[int], data: str) -> np.ndarray[Any, Any]:
    if kind.hasobject:
        raise StateUnreadableError("an array of numbers was expected")
    unpack = zlib.decompressobj()
    raw = unpack.decompress(base64.b64decode(data, validate=True), _MOST_BYTES)
    return np.frombuffer(raw, kind).reshape(shape).copy()
