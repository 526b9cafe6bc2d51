"""What a device is shown: the whole state of a game, cut to what it may see."""

from __future__ import annotations

import time
from collections import Counter
from itertools import pairwise
from typing import Any

from engine.deal import boneyard_after_deal, hand_size
from engine.errors import EngineError
from engine.scoring import Place, tile_points
from engine.tile import DominoSet, Tile
from server.access import HAND, TABLE, Viewer, may_see
from server.drafts import EMPTY, tiles_of
from server.evening import Evening
from server.live import Hub
from server.photos import Photos
from server.problems import NotFound
from server.store import Ledger, MemberRow, PhotoRow
from server.table_views import table_view

Json = dict[str, Any]


def state(viewer: Viewer, ledger: Ledger, photos: Photos, hub: Hub, evening: Evening) -> Json:
    """Everything a page needs to draw itself.

    `told`, in microseconds, orders states of one version: photos are read while nothing else happens.
    """
    told = time.time_ns() // 1000
    row = ledger.game(evening.id)
    if row is None:
        raise NotFound("no_game")
    members = ledger.members(evening.id)
    rows = ledger.photos(evening.id)
    drafts = ledger.drafts(evening.id, evening.round)
    return {
        "id": row.id,
        "code": row.code,
        "kind": row.kind,
        "title": row.title,
        "version": evening.version,
        "told": told,
        "one_phone": evening.one_phone,
        "you": _you(viewer, evening),
        "seats": _seats(evening, members, hub),
        "claims": _claims(viewer, members),
        "rules": rules_view(evening),
        "round": _round(evening),
        "hands": _hands(viewer, evening, drafts),
        "drafts": _drafts(viewer, evening, drafts, rows),
        "photos": [_photo(photo, photos) for photo in rows if may_see(viewer, photo) and _current(photo, evening)],
        "alerts": alerts(viewer, evening, drafts),
        "sheet": sheet_view(evening),
        "table": table_view(evening.table),
        "undo": _undo(viewer, evening),
        "log": [_change(change) for change in evening.log[-40:]],
    }


def _you(viewer: Viewer, evening: Evening) -> Json:
    member = viewer.member
    seat = viewer.seat if viewer.seat in evening.seat_ids else None  # who left only watches
    return {"member": member.id, "host": viewer.host, "seat": seat, "waiting": member.waiting,
            "wanted": member.seat if member.waiting else None}


def _seats(evening: Evening, members: list[MemberRow], hub: Hub) -> list[Json]:
    present = hub.present(evening.id)
    seats = []
    for seat in evening.seats:
        devices = [member for member in members if member.seat == seat.id and not member.waiting]
        seats.append({"id": seat.id, "name": seat.name, "colour": seat.colour, "shape": seat.shape,
                      "device": bool(devices), "here": any(present[member.id] for member in devices)})
    return seats


def _claims(viewer: Viewer, members: list[MemberRow]) -> list[Json]:
    if not viewer.host:
        return []
    return [{"member": member.id, "seat": member.seat} for member in members if member.waiting]


def rules_view(evening: Evening) -> Json:
    """House rules, and what each tile counts under them, so that no page has to know."""
    rules = evening.rules
    return {
        "preset": evening.preset,
        "changes": rules.changes(),
        "set_size": rules.set_size,
        "mixed": evening.mixed,
        "side_lines": rules.has_side_lines,
        "tile_points": {f"{tile.low}-{tile.high}": tile_points(tile, rules) for tile in DominoSet(rules.set_size)},
    }


def _round(evening: Evening) -> Json:
    sheet = evening.sheet
    number = evening.round
    try:
        hand: int | None = hand_size(len(evening.seats), evening.rules)
        boneyard = boneyard_after_deal(
            evening.rules.set_size, len(evening.seats), hand or 0, evening.rules.engine_source
        )
        boneyard += (evening.tiles_of_a_kind - 1) * len(DominoSet(evening.rules.set_size))
    except EngineError:
        hand, boneyard = None, 0
    double = sheet.next_starting_double
    if sheet.is_over:
        double = sheet.rounds[-1].starting_double if sheet.rounds else None
    return {"number": number, "of": sheet.rounds_planned, "over": sheet.is_over, "double": double,
            "starter": None if sheet.is_over else evening.starter(), "hand": hand, "boneyard": boneyard,
            "rotation": evening.rules.start_rotation, "source": evening.rules.engine_source}


def _hands(viewer: Viewer, evening: Evening, drafts: dict[str, tuple[int, Json]]) -> Json:
    hands: Json = {}
    accepted = {} if evening.sheet.is_over else evening.hands_of(evening.round)
    for seat in evening.seat_ids:
        entry = accepted.get(seat)
        if entry is not None:
            hands[seat] = {"state": "done", "points": evening.points_of(entry), "out": entry.out,
                           "tiles": None if entry.tiles is None else [[t.low, t.high] for t in entry.tiles],
                           "photo": entry.photo if viewer.seat == seat else None}
        else:
            hands[seat] = {"state": "counting" if seat in drafts else "waiting"}
    return hands


def _drafts(
    viewer: Viewer, evening: Evening, drafts: dict[str, tuple[int, Json]], rows: list[PhotoRow]
) -> Json:
    """Drafts this device works on: its own seat's, and for the host all others.

    Of one with somebody else's photo the host learns only that there is one: what is entered here replaces it.
    """
    visible = {row.id for row in rows if may_see(viewer, row)}
    shown: Json = {}
    for seat, (version, draft) in drafts.items():
        if evening.seat(seat) is None or not (viewer.host or viewer.seat == seat):
            continue
        hidden = viewer.seat != seat and draft["photo"] is not None and draft["photo"] not in visible
        shown[seat] = {"version": version, **(EMPTY | {"elsewhere": True} if hidden else draft)}
    return shown


def _current(photo: PhotoRow, evening: Evening) -> bool:
    return photo.purpose not in (HAND, TABLE) or photo.round >= evening.round


def _photo(photo: PhotoRow, photos: Photos) -> Json:
    shown: Json = {"id": photo.id, "seat": photo.seat, "round": photo.round, "purpose": photo.purpose,
                   "state": photo.state, "problem": photo.problem, "size": None, "at": photo.created_at}
    if photo.state == "waiting":
        shown["before"] = photos.place_in_queue(photo.id)
    if photo.reading is not None:
        shown["size"] = [photo.width, photo.height]
        shown["ms"] = photo.reading["ms"].get("total")
        shown |= {key: photo.reading[key] for key in ("face_down", "blurred") if key in photo.reading}
        if photo.purpose == HAND:
            shown["empty"] = not photo.reading["tiles"]
    return shown


def alerts(viewer: Viewer, evening: Evening, drafts: dict[str, tuple[int, Json]]) -> list[Json]:
    """Tiles that can't be where they are said to be: shown to those whose hands they are in, and to the host."""
    hands = hands_now(evening, drafts)
    found: list[Json] = []
    table = Counter(evening_table_tiles(evening))
    holders: dict[Tile, list[str]] = {}
    for seat, (tiles, _) in hands.items():
        for tile in tiles:
            holders.setdefault(tile, []).append(seat)
    for tile, seats in sorted(holders.items()):
        on_table = table[tile] > 0
        if len(seats) + table[tile] <= evening.tiles_of_a_kind or not (viewer.host or viewer.seat in seats):
            continue
        pictures = {seat: hands[seat][1] for seat in seats if hands[seat][1] is not None}
        found.append({"code": "tile_twice" if not on_table else "tile_on_table", "tile": [tile.low, tile.high],
                      "seats": list(dict.fromkeys(seats)), "pictures": pictures})
    return found


def hands_now(
    evening: Evening, drafts: dict[str, tuple[int, Json]]
) -> dict[str, tuple[list[Tile], str | None]]:
    """Tiles and photo of each seat in the round that is being counted, accepted or not."""
    hands: dict[str, tuple[list[Tile], str | None]] = {}
    if evening.sheet.is_over:
        return hands
    for seat, (_, draft) in drafts.items():
        if evening.seat(seat) is not None:
            hands[seat] = (tiles_of(draft), draft["photo"])
    for seat, entry in evening.hands_of(evening.round).items():
        hands[seat] = (list(entry.tiles or ()), entry.photo)
    return hands


def evening_table_tiles(evening: Evening) -> list[Tile]:
    """Tiles on the table of the round that is being counted, as far as the table was followed."""
    view = table_view(evening.table)
    return [] if view is None else [Tile(*tile) for tile in view["tiles"]]


def sheet_view(evening: Evening) -> Json:
    """The score sheet with totals, places and why level players stand as they do."""
    sheet = evening.sheet
    movement = sheet.movement()
    places = sheet.standing() if sheet.rounds else ()
    corrected = {(change.number, change.player): change for change in sheet.corrections}
    rounds = []
    for row, totals in zip(sheet.rounds, sheet.running_totals(), strict=True):
        standing = {place.player: place.rank for place in sheet.standing(row.number)}
        rounds.append({
            "number": row.number, "double": row.starting_double, "points": dict(row.points), "out": list(row.out),
            "totals": totals, "ranks": standing, "unaccounted": evening.unaccounted.get(row.number, 0),
            "corrected": {seat: corrected[row.number, seat].before for seat in evening.seat_ids
                          if (row.number, seat) in corrected},
        })
    return {
        "rounds": rounds,
        "players": [{"id": seat.id, "name": seat.name, "colour": seat.colour, "shape": seat.shape,
                     "gone": seat.id in sheet.gone, "brought": sheet.brought().get(seat.id, 0)}
                    for seat in evening.everyone],
        "planned": sheet.rounds_planned,
        "over": sheet.is_over,
        "totals": sheet.totals(),
        "places": [_place(place, movement) for place in places],
        "ties": [_tie(upper, lower) for upper, lower in pairwise(places)
                 if upper.total == lower.total],
        "winners": list(sheet.winners),
        "direction": evening.rules.scoring_direction,
    }


def _place(place: Place, movement: dict[str, int]) -> Json:
    return {"seat": place.player, "rank": place.rank, "total": place.total, "moved": movement[place.player],
            "zero_rounds": place.zero_rounds}


def _tie(upper: Place, lower: Place) -> Json:
    return {"upper": upper.player, "lower": lower.player, "total": upper.total, "by": upper.above_next_by.value,
            "zeros": [upper.zero_rounds, lower.zero_rounds], "lowest": [upper.lowest_round, lower.lowest_round]}


def _undo(viewer: Viewer, evening: Evening) -> Json | None:
    last = evening.last_undoable()
    if last is None or not (viewer.host or last.actor == viewer.member.id):
        return None
    return _change(last)


_NOT_TOLD = frozenset({"seats", "changes", "tiles", "photo", "player", "order"})


def _change(change: Any) -> Json:
    data = {key: value for key, value in change.data.items() if key not in _NOT_TOLD}
    return {"version": change.version, "at": change.at, "kind": change.kind, "data": data, "undone": change.undone}


def listing(evening: Evening, code: str, created_at: str) -> Json:
    """A line of "past evenings"."""
    sheet = evening.sheet
    return {
        "id": evening.id, "title": evening.title, "at": created_at, "round": len(sheet.rounds),
        "of": sheet.rounds_planned, "over": sheet.is_over, "code": code,
        "players": [{"name": seat.name, "colour": seat.colour, "shape": seat.shape,
                     "total": sheet.totals()[seat.id], "won": seat.id in sheet.winners}
                    for seat in evening.seats],
    }


def lobby(evening: Evening, members: list[MemberRow], hub: Hub) -> Json:
    """What somebody sees who has the code and has not joined yet."""
    return {"id": evening.id, "title": evening.title, "seats": _seats(evening, members, hub),
            "round": len(evening.sheet.rounds) + 1, "one_phone": evening.one_phone}




def hand_view(viewer: Viewer, ledger: Ledger, evening: Evening, number: int, seat: str) -> Json:
    """How a hand came to its points: tiles, corrections of what the reader saw, and the photo for those who may."""
    entry = evening.hands_of(number).get(seat)
    if entry is None:
        raise NotFound("no_round")
    row = None if entry.photo is None else ledger.photo(entry.photo)
    seen = row is not None and row.reading is not None and may_see(viewer, row)
    return {
        "points": evening.points_of(entry),
        "typed": entry.tiles is None,
        "out": entry.out,
        "at": entry.at,
        "tiles": [[tile.low, tile.high] for tile in entry.tiles or ()],
        "photo": None if row is None or not seen else {"id": row.id, "size": [row.width, row.height]},
        "edits": [{"at": edit["at"], "before": edit["before"], "after": edit["after"]}
                  for edit in ledger.edits(evening.id, number, seat)
                  if edit["photo"] == entry.photo and edit["slot"] not in ("out", "typed")],
        "corrections": [{"before": change.before, "after": change.after, "note": change.note}
                        for change in evening.sheet.corrections
                        if (change.number, change.player) == (number, seat)],
    }
