"""A device's own camera: its page sends pictures over a WebSocket, one at a time, each of them asked for.

A page offers its camera; the host takes the offer up. From then on the page is asked for the next picture whenever
the last one was taken up, so no more than one is under way and the newest is always fresh. A page that comes back
after a reload, a dropped line or a restart of the server goes on where it was.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from server.problems import NotFound, TooMany
from server.sources import Picture, live_pictures
from vision.errors import ImageUnreadable
from vision.image import open_image
from vision.tiles import BgrImage

Json = dict[str, Any]

MOST_BYTES = 6_000_000
MOST_PIXELS = 9_000_000
_MOST_OFFERS = 8
_WAIT_S = 0.5


class Feed:
    """One open page that offers its camera. `wanted` is set while a picture is asked for."""

    def __init__(self, member: str, loop: asyncio.AbstractEventLoop) -> None:
        self.member = member
        self.wanted = asyncio.Event()
        self.expecting = False
        """A picture was asked for and has not come yet."""
        self._loop = loop

    def ask(self) -> None:
        """Ask for the next picture; from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.wanted.set)

    def hold(self) -> None:
        """No more pictures for now; from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.wanted.clear)


class PageSource:
    """A source of pictures that a device sends, whichever page of it is open at the moment."""

    def __init__(self, closed: Callable[[], None], now_s: Callable[[], float] = time.monotonic) -> None:
        self._closed, self._now_s = closed, now_s
        self._lock = threading.Condition()
        self._stop = threading.Event()
        self._feed: Feed | None = None
        self._data: tuple[int, float, bytes] | None = None
        self._count = 0
        self.dropped = 0

    @property
    def live(self) -> bool:
        """Always."""
        return True

    def attach(self, feed: Feed) -> None:
        """A page of the device is open."""
        with self._lock:
            self._feed = feed
        feed.ask()

    def detach(self, feed: Feed) -> None:
        """It was closed or lost."""
        with self._lock:
            if self._feed is feed:
                self._feed = None

    def put(self, data: bytes) -> None:
        """The picture that was asked for."""
        with self._lock:
            self.dropped += self._data is not None
            self._data = (self._count, self._now_s(), data)
            self._count += 1
            self._lock.notify_all()

    def pictures(self) -> Iterator[Picture]:
        """The newest picture each time, and word when none comes for a while."""
        return live_pictures(self._take, self._stop, self._now_s)

    def close(self) -> None:
        """Ask for no more."""
        self._stop.set()
        with self._lock:
            feed, self._feed = self._feed, None
            self._lock.notify_all()
        if feed is not None:
            feed.hold()
        self._closed()

    def _take(self) -> tuple[int, float, BgrImage] | None:
        with self._lock:
            if self._data is None:
                self._lock.wait(_WAIT_S)
            taken, self._data = self._data, None
            feed = self._feed
        if taken is None:
            return None
        image = _decoded(taken[2])
        if feed is not None:  # only now: the page sends no faster than pictures are used
            feed.ask()
        return None if image is None else (taken[0], taken[1], image)


def _decoded(data: bytes) -> BgrImage | None:
    """The picture; nothing if it is none, or too large to be decoded."""
    try:
        source = open_image(data)
        width, height = source.size_wh
        return None if width * height > MOST_PIXELS else source.full()
    except ImageUnreadable:
        return None


@dataclass(slots=True)
class PageCameras:
    """Pages that offer their device's camera, and the sources made of them. `changed` wakes a game's pages."""

    changed: Callable[[str], None]
    _feeds: dict[tuple[str, str], Feed] = field(default_factory=dict)
    _sources: dict[tuple[str, str], PageSource] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def join(self, game_id: str, feed: Feed) -> None:
        """A page offers its camera. If it was taken up already, it is asked for pictures at once."""
        key = game_id, feed.member
        with self._lock:
            if key not in self._feeds and sum(game == game_id for game, _ in self._feeds) >= _MOST_OFFERS:
                raise TooMany("too_many_cameras")
            self._feeds[key] = feed
            source = self._sources.get(key)
        if source is not None:
            source.attach(feed)
        self.changed(game_id)

    def leave(self, game_id: str, feed: Feed) -> None:
        """The page was closed, lost, or takes its offer back."""
        key = game_id, feed.member
        with self._lock:
            if self._feeds.get(key) is feed:
                del self._feeds[key]
            source = self._sources.get(key)
        if source is not None:
            source.detach(feed)
        self.changed(game_id)

    def put(self, game_id: str, feed: Feed, data: bytes) -> None:
        """A picture came from a page; one that nobody asked for is left."""
        with self._lock:
            source = self._sources.get((game_id, feed.member))
        if source is not None and feed.expecting and len(data) <= MOST_BYTES:
            source.put(data)

    def offers(self, game_id: str) -> list[str]:
        """The devices that offer their camera."""
        with self._lock:
            return [member for game, member in self._feeds if game == game_id]

    def check_offered(self, game_id: str, member: str) -> None:
        """Refuse a device that offers nothing."""
        if member not in self.offers(game_id):
            raise NotFound("no_camera_offer")

    def source(self, game_id: str, member: str) -> PageSource:
        """The pictures of a device; it may be away for now."""
        key = game_id, member

        def closed() -> None:
            with self._lock:
                if self._sources.get(key) is source:
                    del self._sources[key]

        source = PageSource(closed)
        with self._lock:
            self._sources[key] = source
            feed = self._feeds.get(key)
        if feed is not None:
            source.attach(feed)
        return source
