"""Who may do what: tokens, join codes, and a brake on guessing them."""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from server.problems import NotAllowed, TooMany
from server.settings import JoinLimits
from server.store import MemberRow, PhotoRow

# No vowels (no words come out), none that read alike when called across a table.
CODE_LETTERS = "BCDFGHJKMPQRTVWXZ"
CODE_LENGTH = 6

HAND, TABLE = "hand", "table"
"""What photos are for that more than one device may see."""


def new_id() -> str:
    """A name for a game, device or photo that nobody can guess."""
    return secrets.token_hex(8)


def new_code() -> str:
    """Six letters to join by."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def new_token() -> str:
    """What a device shows to prove who it is."""
    return secrets.token_urlsafe(24)


def hash_token(token: str) -> str:
    """The form in which a token is kept."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Viewer:
    """The device that asks, in one game. Without a member it may only watch."""

    member: MemberRow

    @property
    def host(self) -> bool:
        """May change the game."""
        return self.member.host

    @property
    def seat(self) -> str | None:
        """The seat it plays, if any and if it was let in."""
        return None if self.member.waiting else self.member.seat

    def need_host(self) -> None:
        """Refuse anybody but the host."""
        if not self.host:
            raise NotAllowed("host_only")

    def need_seat_or_host(self, seat: str) -> None:
        """Refuse anybody but the seat itself and the host."""
        if not (self.host or self.seat == seat):
            raise NotAllowed("not_your_seat")

    def need_player(self) -> None:
        """Refuse spectators and devices that wait to be let in."""
        if not (self.host or self.seat is not None):
            raise NotAllowed("players_only")


class JoinBrake:
    """Counts wrong codes for each address; too many within the window and the address has to wait."""

    def __init__(self, limits: JoinLimits, now_s: Callable[[], float]) -> None:
        self._limits = limits
        self._now_s = now_s
        self._misses: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def check(self, address: str) -> None:
        """Refuse an address that guessed wrong too often."""
        with self._lock:
            times = self._recent(address)
            if len(times) >= self._limits.attempts:
                wait = self._limits.window_s - (self._now_s() - times[0])
                raise TooMany("too_many_codes", seconds=max(1, round(wait)))

    def miss(self, address: str) -> None:
        """Note a wrong code."""
        with self._lock:
            self._recent(address).append(self._now_s())

    def _recent(self, address: str) -> deque[float]:
        if len(self._misses) > 10_000:  # a flood of addresses must not fill the memory
            self._misses.clear()
        times = self._misses.setdefault(address, deque())
        while times and times[0] <= self._now_s() - self._limits.window_s:
            times.popleft()
        return times


def may_see(viewer: Viewer, row: PhotoRow) -> bool:
    """A hand is seen by the device that photographed it and by its seat; not even the host sees others'.

    The table is seen by all who play at it.
    """
    if row.purpose == TABLE and (viewer.host or viewer.seat is not None):
        return True
    return row.member_id == viewer.member.id or (row.purpose == HAND and viewer.seat == row.seat)
