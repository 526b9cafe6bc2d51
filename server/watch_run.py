"""One watch: pictures in, events out. Settled pictures are looked at; a live source first has to come to rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from server.watch_events import Event, Moment
from server.watching import Watcher, WatchOptions
from vision.looking import Looker, Sight
from vision.reader import PhotoReader, ReadOptions
from vision.steadiness import Glance, StillnessGate
from vision.tiles import BgrImage

if TYPE_CHECKING:
    from server.sources import Picture
    from server.taps import Taps

Keep = Callable[[BgrImage, list[Event], "Picture"], None]
"""Called with every picture that was looked at, and what it said."""

_SETTLE_S = 0.5
_COVERED_AFTER_S = 1.0


@dataclass(slots=True)
class WatchRun:
    """Looker and watcher together."""

    reader: PhotoReader
    options: WatchOptions
    watcher: Watcher = field(init=False)
    looker: Looker = field(init=False)
    gate: StillnessGate = field(default_factory=lambda: StillnessGate(settle_s=_SETTLE_S))
    _done: bool = False
    """The table was looked at since it came to rest."""
    _moving_since: float | None = None

    def __post_init__(self) -> None:
        self.watcher = Watcher(self.options)
        read = ReadOptions(self.options.rules.set_size, self.options.mixed)
        self.looker = Looker(self.reader, read, self.options.free)

    def settled(self, image: BgrImage, moment: Moment, resting: bool = False) -> list[Event]:
        """A picture that counts as settled. `resting`: another one of a table that has not moved since the last."""
        reference, board = self.looker.reference, self.watcher.board
        looked = self.looker.look(image, board)
        if looked.sight is Sight.COVERED:
            return self.watcher.occluded(moment)
        if looked.sight is Sight.LOST:
            return []
        if looked.look is None:
            self.watcher.quiet()
            return self.watcher.clear(moment)
        again = None
        if looked.board is not None:
            self.watcher.board = looked.board
            again = partial(self.looker.again, image)
        look = replace(looked.look, resting=resting)
        events = self.watcher.settled(look, moment, again)
        if self.watcher.is_blind:
            self.looker.reference, self.watcher.board = reference, board
            return events
        if not [event for event in events if event.event != "clear"]:
            self.watcher.quiet()
        return events

    def frame(self, image: BgrImage, moment: Moment) -> list[Event]:
        """A frame of a live source or a film: looked at once it has come to rest, once each time."""
        glance = Glance.of(image)
        rest = self.gate.push(glance, moment.time_s)
        if self.gate.moving:
            self._done = False
            if self._moving_since is None:
                self._moving_since = moment.time_s
            long = moment.time_s - self._moving_since >= _COVERED_AFTER_S
            covered = long and self.looker.is_covered(glance, self.watcher.board)
            return self.watcher.occluded(moment) if covered else []
        if not rest or (self._done and not self._looks_again()):
            return []
        resting = self._done
        self._done, self._moving_since = True, None
        return self.settled(image, moment, resting)

    def _looks_again(self) -> bool:
        """The table still lies there, and another frame of it may tell more than the one that was looked at."""
        return self.looker.is_puzzled(self.watcher.board)

    def finish(self) -> list[Event]:
        """The source has ended."""
        return self.watcher.finish()

    def state(self) -> dict[str, Any]:
        """Everything that a later watch needs to go on."""
        return {"board": self.watcher.board, "round": self.watcher.round, "reference": self.looker.reference,
                "seats": self.options.seats}

    def resume(self, state: Any) -> bool:
        """Go on from a kept state; false if it is of another game."""
        if not isinstance(state, dict) or state.get("seats") != self.options.seats:
            return False
        self.watcher.board, self.watcher.round = state["board"], state["round"]
        self.looker.reference = state["reference"]
        return True


def watched(
    run: WatchRun, pictures: Iterator[Picture], keep: Keep | None = None, taps: Taps | None = None
) -> Iterator[Event]:
    """The events of a source, as they happen, and what people said between its pictures."""
    said: list[Event] = []
    for picture in pictures:
        if taps is not None:
            heard = taps.hear(picture.moment)
            yield from heard
            said += heard
            if taps.ended:
                return
        if picture.image is None:
            events = (
                run.watcher.lost(picture.moment, picture.trouble) if picture.trouble
                else run.watcher.recovered(picture.moment)
            )
        else:
            events = run.watcher.recovered(picture.moment)
            events += (run.settled if picture.settled else run.frame)(picture.image, picture.moment)
        if keep is not None and picture.image is not None:
            keep(picture.image, [*said, *events], picture)
            said = []
        yield from events
