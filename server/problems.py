"""Refusals that the HTTP interface tells people about: a code, values for the sentence, a status.

Every answer that is not a success has one shape: `{"error": {"code", "params", "message"}}`, and `state`
beside it when what was sent was stale.
"""

from __future__ import annotations

from typing import Any

Param = str | int | float | None


class Problem(Exception):
    """Something that was asked for is refused. Nothing changed."""

    status = 400

    def __init__(self, code: str, **params: Param) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class NotFound(Problem):
    """There is no such thing, or it is nobody's business."""

    status = 404


class NotAllowed(Problem):
    """This device may not do that."""

    status = 403


class Stale(Problem):
    """Somebody changed the same thing first; `state` is how it stands now."""

    status = 409

    def __init__(self, state: dict[str, Any] | None = None) -> None:
        super().__init__("stale")
        self.state = state


class TooMany(Problem):
    """Too many attempts or too much waiting; try again later."""

    status = 429


class TooLarge(Problem):
    """More bytes or pixels than are taken."""

    status = 413
