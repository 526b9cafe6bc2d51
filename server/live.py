"""Who is looking at which game, and waking them when it changes.

Nobody is sent a list of changes: a woken page gets the whole state, so a page that slept through ten changes
and one that missed none show the same.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, defaultdict


class Subscriber:
    """One open page. `changed` is set when there is something new to send."""

    def __init__(self, member_id: str, loop: asyncio.AbstractEventLoop) -> None:
        self.member_id = member_id
        self.changed = asyncio.Event()
        self._loop = loop

    def wake(self) -> None:
        """Called from any thread. Many calls before the page is served come to one."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.changed.set)


class Hub:
    """All open pages, by game."""

    def __init__(self) -> None:
        self._games: dict[str, set[Subscriber]] = defaultdict(set)
        self._lock = threading.Lock()

    def join(self, game_id: str, subscriber: Subscriber) -> None:
        """A page was opened."""
        with self._lock:
            self._games[game_id].add(subscriber)
        self.publish(game_id)

    def leave(self, game_id: str, subscriber: Subscriber) -> None:
        """A page was closed or lost."""
        with self._lock:
            self._games[game_id].discard(subscriber)
            if not self._games[game_id]:
                del self._games[game_id]
        self.publish(game_id)

    def publish(self, game_id: str) -> None:
        """The game changed: wake everybody who looks at it."""
        with self._lock:
            subscribers = tuple(self._games.get(game_id, ()))
        for subscriber in subscribers:
            subscriber.wake()

    def present(self, game_id: str) -> Counter[str]:
        """How many pages each device has open."""
        with self._lock:
            return Counter(subscriber.member_id for subscriber in self._games.get(game_id, ()))
