"""The record of a session: what happened, in order, and the replay that makes every position from it.

A record is never rewritten. Taking something back is an event of its own, so the record also tells what
was taken back. `engine.record_text` gives it its readable form.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.codes import Fault
from engine.rules import Rules
from engine.session import Event, Rejected, Session, advance, new_session
from engine.table import Seat

VERSION = 1
"""Version of the record's form. A reader refuses a higher one."""


@dataclass(frozen=True, slots=True)
class Undone:
    """The last event that still stands is taken back."""


Entry = Event | Undone


@dataclass(frozen=True, slots=True)
class Player:
    """A seat and who sits there."""

    seat: Seat
    name: str = ""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """Header and events of a session. `about` holds free facts such as the place and the date."""

    players: tuple[Player, ...]
    rules: Rules
    entries: tuple[Entry, ...] = ()
    about: tuple[tuple[str, str], ...] = ()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats, clockwise."""
        return tuple(player.seat for player in self.players)

    def with_entries(self, entries: Iterable[Entry]) -> GameRecord:
        """The record with more events at its end; nothing is judged."""
        return replace(self, entries=(*self.entries, *entries))


@dataclass(frozen=True, slots=True)
class ReplayFault:
    """The first entry that does not go in: its place, why, and the broken rule if it is a move."""

    index: int
    entry: Entry
    reason: str
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed record: the session after its good prefix, and the first fault if there is one.

    `sessions` are the sessions that stand, from the empty one to the present: what an `Undone` would go
    back through.
    """

    sessions: tuple[Session, ...]
    good: int
    fault: ReplayFault | None = None

    @property
    def session(self) -> Session:
        """The session after the good prefix."""
        return self.sessions[-1]


def replay(record: GameRecord) -> Replay:
    """Play a record from its start. Raises `RulesError` only if its table could not be seated at all."""
    done = Replay((new_session(record.seats, record.rules),), 0)
    for entry in record.entries:
        done = step(done, entry)
        if done.fault is not None:
            break
    return done


def step(done: Replay, entry: Entry) -> Replay:
    """One more entry. After a fault nothing goes in any more."""
    if done.fault is not None:
        return done
    if isinstance(entry, Undone):
        if len(done.sessions) == 1:
            return replace(done, fault=ReplayFault(done.good, entry, "there is nothing to take back"))
        # The version still goes up, so that whoever looked at what is taken back is told so.
        back = replace(done.sessions[-2], version=done.session.version + 1)
        return Replay((*done.sessions[:-2], back), done.good + 1)
    result = advance(done.session, entry)
    if isinstance(result, Rejected):
        return replace(done, fault=ReplayFault(done.good, entry, result.reason, result.fault))
    return Replay((*done.sessions, result.session), done.good + 1)


def good_prefix(record: GameRecord) -> GameRecord:
    """The record up to its first fault."""
    return replace(record, entries=record.entries[: replay(record).good])
