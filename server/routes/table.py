"""The table: followed by hand, refereed by the rules."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter(prefix="/api/games/{game_id}/table", tags=["table"])
