"""Exceptions of the rules package.

ValueError
    EngineError
        NotationError       a text that does not name a tile, move, table or record
        RulesError          unknown house rule, bad value, or options that contradict each other
        PositionError       a position that cannot be (asked to play on from it)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self


class EngineError(ValueError):
    """Base of everything this package raises on purpose.

    `code` and `params` say the same to whoever puts it in another language; most errors have none.
    """

    code: str = ""
    params: Mapping[str, int | str]

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.params = {}

    def named(self, code: str, **params: int | str) -> Self:
        """The same error with a code and values for its sentence."""
        self.code, self.params = code, params
        return self


class NotationError(EngineError):
    """A text does not follow the notation."""


class RulesError(EngineError):
    """An unknown house rule, a value it cannot take, or a combination that contradicts itself."""


class PositionError(EngineError):
    """A position that no game can reach, where one was needed to go on."""
