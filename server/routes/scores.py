"""The score sheet: put right, take away as CSV or JSON."""

from __future__ import annotations

import csv
import io

from fastapi import APIRouter, Response

from server.routes.parts import Asking, Served
from server.schemas import Answer, CorrectionWish
from server.views import sheet_view

router = APIRouter(prefix="/api/games/{game_id}", tags=["sheet"])


@router.post("/correct")
def correct(wish: CorrectionWish, viewer: Asking, services: Served) -> Answer:
    """Put right a number in a round that is written."""
    services.evenings.correct_points(viewer, wish.round, wish.seat, wish.points, wish.note, wish.version)
    return services.state(viewer)


@router.get("/sheet.json")
def as_json(viewer: Asking, services: Served) -> Answer:
    """The score sheet for other programs."""
    evening = services.evenings.current(viewer.member.game_id)
    return {"title": evening.title, "players": {seat.id: seat.name for seat in evening.everyone},
            "preset": evening.preset, "rules": evening.rules.changes(), **sheet_view(evening)}


@router.get("/sheet.csv", response_class=Response)
def as_csv(viewer: Asking, services: Served) -> Response:
    """The score sheet for a spreadsheet: a row a round, then the totals."""
    evening = services.evenings.current(viewer.member.game_id)
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    ids = [seat.id for seat in evening.everyone]
    writer.writerow(["round", "starting double", *(_plain(seat.name) for seat in evening.everyone)])
    brought = evening.sheet.brought()
    if any(brought.values()):
        writer.writerow(["came late", "", *(brought.get(seat, "") for seat in ids)])
    for row in evening.sheet.rounds:
        writer.writerow([row.number, row.starting_double, *("" if (n := row.get(seat)) is None else n for seat in ids)])
    totals = evening.sheet.totals()
    writer.writerow(["total", "", *(totals[seat] for seat in ids)])
    return Response(buffer.getvalue(), media_type="text/csv; charset=utf-8",
                    headers={"content-disposition": 'attachment; filename="score-sheet.csv"'})


def _plain(name: str) -> str:
    """A name that a spreadsheet does not take for a formula."""
    return f"'{name}" if name[:1] in ("=", "+", "-", "@") else name
