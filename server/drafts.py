"""What a player has entered and not yet accepted: tiles from a photo or typed, put right tile by tile.

The reader's word is never overwritten: each change is noted with who, when, before and after.
"""

from __future__ import annotations

from typing import Any

from engine.tile import Tile
from server.access import Viewer, may_see
from server.evening import Evening
from server.problems import Problem, Stale
from server.session import Evenings, check_fresh, check_open, check_tiles
from server.store import Ledger

Json = dict[str, Any]

EMPTY: Json = {"photo": None, "tiles": [], "out": False, "typed": None}


def draft_from_reading(photo_id: str, reading: Json) -> Json:
    """What the reader saw, as a draft to be confirmed."""
    return {"photo": photo_id, "tiles": reading["tiles"], "out": False, "typed": None}


def is_entered(draft: Json) -> bool:
    """Whether somebody's work would be lost with this draft."""
    return bool(draft["tiles"] or draft["out"] or draft["typed"] is not None)


class Drafts:
    """Use cases of hands that are being counted."""

    def __init__(self, evenings: Evenings) -> None:
        self._evenings = evenings

    def save(self, viewer: Viewer, number: int, seat: str, version: int, wish: Json) -> int:
        """Keep what the phone shows; returns the draft's new version. Refused if the draft changed meanwhile."""
        viewer.need_seat_or_host(seat)
        at = self._evenings.now()

        def work(ledger: Ledger) -> int:
            evening = self._evenings.current(viewer.member.game_id, ledger)
            check_open(evening, number, seat)
            known, draft = ledger.draft(evening.id, number, seat) or (0, EMPTY)
            if known != version:
                raise Stale()
            photo = ledger.photo(draft["photo"]) if draft["photo"] else None
            if photo is not None and viewer.seat != seat and not may_see(viewer, photo):
                photo, draft = None, EMPTY  # the host counts anew for somebody whose photo is not for the host's eyes
            merged = _merge(draft, wish, (photo.reading or EMPTY)["tiles"] if photo else [])
            check_tiles(evening, [tile["ends"] for tile in merged["tiles"] if None not in tile["ends"]])
            edits = [
                edit | {"photo": draft["photo"], "at": at, "actor": viewer.member.id}
                for edit in _differences(draft, merged)
            ]
            ledger.add_edits(evening.id, number, seat, edits)
            ledger.set_draft(evening.id, number, seat, known + 1, merged)
            return known + 1

        kept = self._evenings.store.write(work)
        self._evenings.hub.publish(viewer.member.game_id)
        return kept

    def accept(
        self, viewer: Viewer, number: int, seat: str, version: int, draft_version: int, last: list[int] | None
    ) -> Evening:
        """Put a hand on the sheet as it is drafted. Doubts must be answered first."""
        viewer.need_seat_or_host(seat)

        def decide(evening: Evening, ledger: Ledger) -> list[tuple[str, Json]]:
            check_fresh(evening, f"hand:{number}:{seat}", version)
            check_open(evening, number, seat)
            known, draft = ledger.draft(evening.id, number, seat) or (0, EMPTY)
            if known != draft_version:
                raise Stale()
            return [("hand_accepted", _accepted(evening, draft, number, seat, last))]

        return self._evenings.change(viewer.member.game_id, viewer.member.id, decide)


def _accepted(evening: Evening, draft: Json, number: int, seat: str, last: list[int] | None) -> Json:
    if draft["typed"] is not None:
        return {"round": number, "seat": seat, "tiles": None, "typed": draft["typed"], "photo": draft["photo"],
                "last": None}
    open_doubts = [tile for tile in draft["tiles"] if tile["doubtful"] and not tile["confirmed"]]
    if open_doubts:
        raise Problem("doubts_left", count=len(open_doubts))
    if not draft["tiles"] and not draft["out"]:
        raise Problem("nothing_entered")
    if draft["tiles"] and draft["out"]:
        raise Problem("out_with_tiles", count=len(draft["tiles"]))
    pairs = [tile["ends"] for tile in draft["tiles"]]
    check_tiles(evening, pairs)
    if last is not None:
        check_tiles(evening, [last])
    return {"round": number, "seat": seat, "tiles": pairs, "typed": None, "photo": draft["photo"],
            "last": last if not pairs else None}


def _merge(draft: Json, wish: Json, read: list[Json]) -> Json:
    """What the phone sent, on top of what the reader saw: a client can't move a tile or unmake a doubt.

    A tile that was removed and is taken back is the one that was `read`, with its place and its doubts.
    """
    seen = {tile["id"]: tile for tile in [*read, *draft["tiles"]]}
    tiles = []
    for sent in wish["tiles"]:
        known = seen.get(sent["id"])
        if known is None:
            tiles.append({"id": sent["id"], "ends": sent["ends"], "corners": None, "at": sent.get("at"),
                          "doubtful": False, "doubts": [], "options": [], "by": "person", "confirmed": True})
        else:
            changed = sent["ends"] != known["ends"]
            confirmed = None not in sent["ends"] and (changed or bool(sent["confirmed"]))
            tiles.append(known | {"ends": sent["ends"], "confirmed": confirmed or (known["confirmed"] and not changed),
                                  "by": "person" if changed else known["by"]})
    if len({tile["id"] for tile in tiles}) != len(tiles):
        raise Problem("tile_named_twice")
    return {"photo": draft["photo"], "tiles": tiles, "out": wish["out"], "typed": wish["typed"]}


def _differences(before: Json, after: Json) -> list[Json]:
    """Each slot whose value changed, with both values."""
    old = {tile["id"]: tile["ends"] for tile in before["tiles"]}
    new = {tile["id"]: tile["ends"] for tile in after["tiles"]}
    changes = [
        {"slot": slot, "before": old.get(slot), "after": new.get(slot)}
        for slot in [*old, *(name for name in new if name not in old)]
        if old.get(slot) != new.get(slot)
    ]
    for slot in ("out", "typed"):
        if before[slot] != after[slot]:
            changes.append({"slot": slot, "before": before[slot], "after": after[slot]})
    return changes


def tiles_of(draft: Json) -> list[Tile]:
    """The tiles of a draft that have both values."""
    return [Tile(*tile["ends"]) for tile in draft["tiles"] if None not in tile["ends"]]
