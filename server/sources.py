"""Where pictures come from: a folder, a film, a camera, a stream.

A folder and a film are read to their end, every picture counts. A camera or stream is read by a thread of its own
into a slot that holds the newest frame only: frames that nobody had time for are dropped, and counted.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from server import devices
from server.devices import Capture
from server.errors import UsageError
from server.messages import sentence
from server.watch_events import Moment
from vision.errors import ImageUnreadable
from vision.image import pictures_in, read_image
from vision.tiles import BgrImage

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".bmp", ".tif", ".tiff", ".avif", ".gif")
STREAMS = re.compile(r"(https?|rtsps?|rtmp|udp|tcp)://", re.IGNORECASE)

LOST_AFTER_S = 5.0
_RETRY_S = 2.0
_BLACK = 4.0
"""Mean brightness of a picture in which nothing is to be seen."""
_STEP, _FEW = 30, 0.003
"""More than so few pixels that differ by so much are something that moves."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture of a source. `settled`: it counts as such. Without an image, `trouble` says what is wrong."""

    image: BgrImage | None
    moment: Moment
    settled: bool = False
    trouble: str = ""


class FrameSource(Protocol):
    """Anything that pictures come from."""

    @property
    def live(self) -> bool:
        """It goes on for ever and shows what is there now; a film or a folder ends."""

    @property
    def dropped(self) -> int:
        """Frames that nobody had time for."""

    def pictures(self) -> Iterator[Picture]:
        """Until there are no more, or for ever."""

    def close(self) -> None:
        """Stop, and give the device back."""


def open_source(text: str, language: str = "en", mains_hz: int = 50) -> FrameSource:
    """The source of that name. Raises `UsageError` with one clear line."""
    if STREAMS.match(text):
        return LiveSource(lambda: _opened(text), language, text)
    if _is_camera(text):
        number = int(text)
        return LiveSource(lambda: devices.open_camera(number, mains_hz), language, text)
    path = Path(text)
    if path.is_dir():
        try:
            found = pictures_in(path)
        except ImageUnreadable as error:
            raise UsageError(f"{text}: {sentence(f'fault.{error.code}', error.params, language)}") from error
        if not found:
            raise UsageError(f"{text}: {sentence('fault.no_pictures', {}, language)}")
        return FolderSource(found)
    if not path.exists():
        raise UsageError(f"{text}: {sentence('source.nothing', {'source': text}, language)}")
    if path.suffix.lower() in PICTURES:
        return FolderSource([path])
    return FilmSource(path, language)


def check_source(text: str, language: str) -> None:
    """Refuse a film, folder or picture that can't be read, with one clear line (`UsageError`)."""
    if STREAMS.match(text) or _is_camera(text):
        return
    first = next(open_source(text, language).pictures(), None)
    if first is None:
        code = "fault.no_pictures" if Path(text).is_dir() else "source.no_film"
        raise UsageError(f"{text}: {sentence(code, {}, language)}")


def _is_camera(text: str) -> bool:
    return bool(re.fullmatch(r"\d{1,2}", text)) and not os.path.exists(text)


@dataclass(slots=True)
class FolderSource:
    """Pictures one after the other, each settled."""

    paths: list[Path]
    failed: list[tuple[Path, ImageUnreadable]] = field(default_factory=list)

    @property
    def live(self) -> bool:
        """It ends."""
        return False

    @property
    def dropped(self) -> int:
        """None are."""
        return 0

    def pictures(self) -> Iterator[Picture]:
        """All that can be read; those that can't are kept in `failed`."""
        for number, path in enumerate(self.paths):
            try:
                yield Picture(read_image(path), Moment(path.name, float(number)), True)
            except ImageUnreadable as error:
                self.failed.append((path, error))

    def close(self) -> None:
        """Nothing is open."""


@dataclass(slots=True)
class FilmSource:
    """A film, frame by frame; as many a second as are needed to see hands come and go."""

    path: Path
    language: str = "en"
    per_second: float = 5.0

    @property
    def live(self) -> bool:
        """It ends."""
        return False

    @property
    def dropped(self) -> int:
        """None are: a film waits."""
        return 0

    def pictures(self) -> Iterator[Picture]:
        """Frames with their numbers and times in the film."""
        film = _quietly_opened(str(self.path))
        if not film.isOpened():
            raise UsageError(f"{self.path}: {sentence('source.no_film', {}, self.language)}")
        try:
            rate = film.get(cv2.CAP_PROP_FPS) or 25.0
            step = max(1, round(rate / self.per_second))
            number = 0
            while film.grab():
                if number % step == 0:
                    good, image = film.retrieve()
                    if good:
                        yield Picture(np.asarray(image), Moment(number, number / rate))
                number += 1
        finally:
            film.release()

    def close(self) -> None:
        """Closed with its last frame."""


# -- live -----------------------------------------------------------------------------------------------


class Slot:
    """Holds the newest frame. Putting never waits; a frame that was not taken is dropped and counted."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._frame: tuple[int, float, BgrImage] | None = None
        self.dropped = 0

    def put(self, number: int, time_s: float, image: BgrImage) -> None:
        """A new frame."""
        with self._lock:
            self.dropped += self._frame is not None
            self._frame = (number, time_s, image)
            self._lock.notify_all()

    def take(self, wait_s: float) -> tuple[int, float, BgrImage] | None:
        """The newest frame; `None` if none comes in time."""
        with self._lock:
            if self._frame is None:
                self._lock.wait(wait_s)
            frame, self._frame = self._frame, None
            return frame


@dataclass(slots=True)
class Pace:
    """How often a frame is looked at: seldom while the table lies still, often while something moves and after it."""

    still_s: float = 0.5
    moving_s: float = 0.12
    calm_after_s: float = 2.0
    _next_s: float = -1.0
    _moved_s: float = -1.0e9
    _last: np.ndarray[Any, np.dtype[np.int16]] | None = None

    def is_due(self, now_s: float) -> bool:
        """It is time to look."""
        return now_s >= self._next_s

    def saw(self, image: BgrImage, now_s: float) -> None:
        """A frame was looked at."""
        few = image[:: max(1, image.shape[0] // 60), :: max(1, image.shape[1] // 80)].astype(np.int16)
        if self._last is None or few.shape != self._last.shape or self._differ(few, self._last):
            self._moved_s = now_s
        self._last = few
        calm = now_s - self._moved_s > self.calm_after_s
        self._next_s = now_s + (self.still_s if calm else self.moving_s)

    @staticmethod
    def _differ(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> bool:
        return float((np.abs(one - other).max(2) > _STEP).mean()) > _FEW


@dataclass(slots=True)
class Liveness:
    """Says when a live source brings nothing: no frame, the same bytes again and again, only black."""

    seen_s: float
    fresh_s: float
    lit_s: float
    last: bytes | None = None

    @classmethod
    def begin(cls, now_s: float) -> Liveness:
        """Everything is well so far."""
        return cls(now_s, now_s, now_s)

    def saw(self, image: BgrImage, now_s: float) -> None:
        """A frame came."""
        self.seen_s = now_s
        # A sensor's noise makes every true frame differ; a few thousand of its bytes tell.
        digest = image[:: max(1, image.shape[0] // 48), :: max(1, image.shape[1] // 64)].tobytes()
        if digest != self.last:
            self.last, self.fresh_s = digest, now_s
        if float(image[::16, ::16].mean()) >= _BLACK:
            self.lit_s = now_s

    def trouble(self, now_s: float, after_s: float = LOST_AFTER_S) -> str:
        """`silent`, `frozen`, `black`, or nothing."""
        if now_s - self.seen_s >= after_s:
            return "silent"
        if now_s - self.fresh_s >= after_s:
            return "frozen"
        if now_s - self.lit_s >= after_s:
            return "black"
        return ""


Take = Callable[[], tuple[int, float, BgrImage] | None]
"""The newest frame with its number and time; `None` if none came in time."""


def live_pictures(take: Take, stop: threading.Event, now_s: Callable[[], float]) -> Iterator[Picture]:
    """Frames as they are taken, and word when they bring nothing for a while."""
    start = now_s()
    health = Liveness.begin(start)
    while not stop.is_set():
        frame = take()
        now = now_s()
        if frame is not None:
            health.saw(frame[2], now)
        trouble = health.trouble(now)
        if trouble:
            yield Picture(None, Moment(frame[0] if frame else -1, now - start), False, trouble)
        elif frame is not None:
            yield Picture(frame[2], Moment(frame[0], frame[1] - start))


class LiveSource:
    """A camera or a stream: read by a thread, opened again when it breaks off."""

    def __init__(
        self, opener: Callable[[], Capture | None], language: str, name: str, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._opener, self._now, self._name = opener, now, name
        self._slot, self._stop = Slot(), threading.Event()
        first = opener()
        if first is None:
            code = "source.no_stream"
            if name.isdigit():
                code = "source.busy_camera" if devices.is_there(int(name)) else "source.no_camera"
            raise UsageError(f"{name}: {sentence(code, {'source': name}, language)}")
        self._thread = threading.Thread(target=self._run, args=(first,), daemon=True, name="camera")
        self._thread.start()

    @property
    def live(self) -> bool:
        """Always."""
        return True

    @property
    def dropped(self) -> int:
        """Frames that nobody had time for."""
        return self._slot.dropped

    def pictures(self) -> Iterator[Picture]:
        """The newest frame each time, and word when there is none for a while."""
        return live_pictures(lambda: self._slot.take(0.5), self._stop, self._now)

    def close(self) -> None:
        """Stop the thread."""
        self._stop.set()
        self._thread.join(timeout=3.0)

    def _run(self, first: Capture) -> None:
        capture: Capture | None = first
        number, pace = 0, Pace()
        while not self._stop.is_set():
            if capture is None:
                self._stop.wait(_RETRY_S)
                capture = None if self._stop.is_set() else self._opener()
                continue
            good, image = capture.grab(), None
            if good and not pace.is_due(self._now()):
                continue  # the camera's own rate is not ours: what nobody looks at is not decoded either
            if good:
                good, image = capture.retrieve()
            if not good or image is None:
                capture.release()
                capture = None
                continue
            pace.saw(np.asarray(image), self._now())
            self._slot.put(number, self._now(), np.asarray(image))
            number += 1
        if capture is not None:
            capture.release()


def _opened(address: str) -> Capture | None:
    os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", "rtsp_transport;tcp|stimeout;5000000|timeout;5000000")
    capture = _quietly_opened(address)
    if not capture.isOpened():
        return None
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def _quietly_opened(name: str) -> cv2.VideoCapture:
    """OpenCV's capture of a film or stream. What its libraries print of a dead one is not for the person."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    level = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        return cv2.VideoCapture(name)
    finally:
        cv2.utils.logging.setLogLevel(level)
