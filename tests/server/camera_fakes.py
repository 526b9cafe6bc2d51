"""A camera that shows a drawn film, picture by picture, and the reader that knows what was drawn."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from datasets.films import Film
from server.sources import Picture
from server.watch_events import Moment
from tests.server.film_fakes import KnowingReader, draw, small_film


@dataclass
class DrawnFilm:
    """A source of settled pictures. With `gate`, each picture waits to be released."""

    film: Film
    reader: KnowingReader
    gate: threading.Semaphore | None = None
    troubles: dict[int, str] = field(default_factory=dict)
    """Frames before which the camera sees nothing, and why."""
    closed: bool = False
    dropped: int = 0
    live: bool = False

    def pictures(self) -> Iterator[Picture]:
        """Every frame once."""
        for frame in self.film.frames:
            if self.gate is not None:
                self.gate.acquire()
            if self.closed:
                return
            moment = Moment(frame.number, float(frame.number))
            if frame.number in self.troubles:
                yield Picture(None, moment, False, self.troubles[frame.number])
                if self.gate is not None:
                    self.gate.acquire()
            self.reader.frame = frame
            yield Picture(draw(self.film, frame), moment, True)

    def close(self) -> None:
        """No more."""
        self.closed = True
        if self.gate is not None:
            self.gate.release()


def evening_film(seed: int = 26) -> Film:
    """Two players, the 12-12 in the middle; one lays on the other's private train near the end."""
    return small_film(seed, turns=10, seats=("A", "B"), fouls=("R_TRAIN_PRIVATE",), still=0.0, hands=0.1)
