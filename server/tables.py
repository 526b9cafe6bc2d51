"""The table without a camera, for now: nothing is followed yet."""

from __future__ import annotations

from typing import Any

from server.evening import Evening


def table_view(evening: Evening) -> dict[str, Any] | None:
    """The table as it stands, or None if nobody started to follow it."""
    return None if not evening.table_events else {"tiles": []}
