"""What `watch` says, in the words of its contract: one event, one line of JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

EVENTS = (
    "ready", "lay", "marker_on", "marker_off", "turn", "open_double", "double_covered", "removed", "moved",
    "occluded", "clear", "lost", "recovered", "round_over",
)


@dataclass(frozen=True, slots=True)
class Moment:
    """Where in the source something was seen: the file's name or the frame's number, and when."""

    frame: str | int
    time_s: float


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `seat` is who acted, and `seats` who may have where the table leaves it open.

    On `turn`, `next` is whose turn it is now; on `open_double` it is who owes the cover. `corrects` is the tile
    as it was told before, where more pictures have shown that it was misread.
    """

    event: str
    moment: Moment
    seat: str | None = None
    seats: tuple[str, ...] = ()
    train: str | None = None
    tile: tuple[int, int] | None = None
    corners_px: tuple[tuple[float, float], ...] | None = None
    verdict: str | None = None
    why: str | None = None
    ask: str | None = None
    message: str = ""
    confidence: float | None = None
    next: str | None = None
    corrects: tuple[int, int] | None = None
    code: str = ""
    params: Json = field(default_factory=dict)
    late: bool = False
    """A fault of an earlier turn, told as undetermined then: the table has been played on since."""
    case: Json | None = None
    """The turn as a case of `judge`, for the log."""

    def as_json(self) -> Json:
        """The contract's form."""
        shown: Json = {
            "event": self.event,
            "frame": self.moment.frame,
            "time_s": round(self.moment.time_s, 3),
            "seat": self.seat,
            "seats": list(self.seats),
            "train": self.train,
            "tile": None if self.tile is None else list(self.tile),
            "corners_px": None if self.corners_px is None else [list(point) for point in self.corners_px],
            "verdict": self.verdict,
            "why": self.why,
            "ask": self.ask,
            "message": self.message,
            "confidence": None if self.confidence is None else round(self.confidence, 4),
            "code": self.code,
            "params": self.params,
        }
        if self.next is not None or self.event == "turn":
            shown["next"] = self.next
        if self.corrects is not None:
            shown["corrects"] = list(self.corrects)
        if self.late:
            shown["late"] = True
        return shown
