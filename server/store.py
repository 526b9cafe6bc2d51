"""Everything that is kept, and all the SQL: one SQLite file in WAL mode with a single writer thread.

A change is a function of a `Ledger`. It runs in the writer thread inside one immediate transaction, so what it
reads is what it changes; when it returns, the change is on the disk. A reader never waits for a writer.
"""

from __future__ import annotations

import json
import queue
import re
import sqlite3
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
Json = dict[str, Any]

_PHOTO_FIELDS = (
    "id, game_id, member_id, seat, round, purpose, state, created_at, width, height, bytes, reading, problem, digest"
)
_GAME_FIELDS = "id, code, kind, title, created_at, version"
_MEMBER_FIELDS = "id, game_id, token_hash, host, seat, waiting, created_at"


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as it is listed."""

    id: str
    code: str
    kind: str
    title: str
    created_at: str
    version: int


@dataclass(frozen=True, slots=True)
class EventRow:
    """One thing that happened in a game."""

    version: int
    at: str
    actor: str
    kind: str
    data: Json


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A device that joined a game; `waiting` until the host lets it take an occupied seat."""

    id: str
    game_id: str
    token_hash: str
    host: bool
    seat: str | None
    waiting: bool
    created_at: str


@dataclass(frozen=True, slots=True)
class PhotoRow:
    """A photo that was handed in. `state`: waiting, reading, read or failed."""

    id: str
    game_id: str
    member_id: str
    seat: str
    round: int
    purpose: str
    state: str
    created_at: str
    width: int | None = None
    height: int | None = None
    bytes: int | None = None
    reading: Json | None = None
    problem: Json | None = None
    digest: str | None = None  # of the file as it was handed in: the same photo is told again by it


class Ledger:
    """The statements, on one connection. Writing ones are called only through `Store.write`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    # -- games and events ----------------------------------------------------------------------------

    def add_game(self, row: GameRow) -> None:
        """Start a game."""
        self._db.execute(
            f"INSERT INTO game ({_GAME_FIELDS}) VALUES (?, ?, ?, ?, ?, ?)",
            (row.id, row.code, row.kind, row.title, row.created_at, row.version),
        )

    def game(self, game_id: str) -> GameRow | None:
        """A game by its id."""
        return self._game("id", game_id)

    def game_by_code(self, code: str) -> GameRow | None:
        """A game by its six letters."""
        return self._game("code", code)

    def _game(self, column: str, value: str) -> GameRow | None:
        found = self._db.execute(f"SELECT {_GAME_FIELDS} FROM game WHERE {column} = ?", (value,)).fetchone()
        return None if found is None else GameRow(*found)

    def games(self, kind: str) -> list[GameRow]:
        """All games of a kind, newest first."""
        order = "ORDER BY created_at DESC, id"
        rows = self._db.execute(f"SELECT {_GAME_FIELDS} FROM game WHERE kind = ? {order}", (kind,))
        return [GameRow(*row) for row in rows]

    def set_title(self, game_id: str, title: str) -> None:
        """Rename a game."""
        self._db.execute("UPDATE game SET title = ? WHERE id = ?", (title, game_id))

    def append(self, game_id: str, event: EventRow) -> None:
        """Add an event; its version follows the last one."""
        self._db.execute(
            "INSERT INTO event (game_id, version, at, actor, kind, data) VALUES (?, ?, ?, ?, ?, ?)",
            (game_id, event.version, event.at, event.actor, event.kind, _dump(event.data)),
        )
        self._db.execute("UPDATE game SET version = ? WHERE id = ?", (event.version, game_id))

    def events(self, game_id: str, after: int = 0) -> list[EventRow]:
        """Events of a game later than version `after`, in order."""
        rows = self._db.execute(
            "SELECT version, at, actor, kind, data FROM event WHERE game_id = ? AND version > ? ORDER BY version",
            (game_id, after),
        )
        return [EventRow(version, at, actor, kind, json.loads(data)) for version, at, actor, kind, data in rows]

    def delete_game(self, game_id: str) -> None:
        """Forget a game and everything that belongs to it."""
        self._db.execute("DELETE FROM game WHERE id = ?", (game_id,))

    # -- members -------------------------------------------------------------------------------------

    def add_member(self, row: MemberRow) -> None:
        """Let a device in."""
        self._db.execute(
            f"INSERT INTO member ({_MEMBER_FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (row.id, row.game_id, row.token_hash, row.host, row.seat, row.waiting, row.created_at),
        )

    def members(self, game_id: str) -> list[MemberRow]:
        """The devices of a game, oldest first."""
        rows = self._db.execute(
            f"SELECT {_MEMBER_FIELDS} FROM member WHERE game_id = ? ORDER BY created_at, id", (game_id,)
        )
        return [_member(row) for row in rows]

    def member_by_token(self, token_hash: str) -> MemberRow | None:
        """Whose token this is."""
        found = self._db.execute(
            f"SELECT {_MEMBER_FIELDS} FROM member WHERE token_hash = ?", (token_hash,)
        ).fetchone()
        return None if found is None else _member(found)

    def set_member(self, member_id: str, *, seat: str | None, waiting: bool, host: bool) -> None:
        """Change what a device may do."""
        self._db.execute(
            "UPDATE member SET seat = ?, waiting = ?, host = ? WHERE id = ?", (seat, waiting, host, member_id)
        )

    def remove_member(self, member_id: str) -> None:
        """Send a device away; its token opens nothing any more."""
        self._db.execute("DELETE FROM member WHERE id = ?", (member_id,))

    # -- photos --------------------------------------------------------------------------------------

    def add_photo(self, row: PhotoRow) -> None:
        """Note a photo that was handed in."""
        self._db.execute(
            f"INSERT INTO photo ({_PHOTO_FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, ?)",
            (row.id, row.game_id, row.member_id, row.seat, row.round, row.purpose, row.state, row.created_at,
             row.width, row.height, row.bytes, row.digest),
        )

    def photo(self, photo_id: str) -> PhotoRow | None:
        """A photo by its id."""
        found = self._db.execute(f"SELECT {_PHOTO_FIELDS} FROM photo WHERE id = ?", (photo_id,)).fetchone()
        return None if found is None else _photo(found)

    def photos(self, game_id: str) -> list[PhotoRow]:
        """All photos of a game, oldest first."""
        rows = self._db.execute(
            f"SELECT {_PHOTO_FIELDS} FROM photo WHERE game_id = ? ORDER BY created_at, id", (game_id,)
        )
        return [_photo(row) for row in rows]

    def unread_photos(self) -> list[PhotoRow]:
        """Photos whose reading was not finished when the server stopped."""
        rows = self._db.execute(
            f"SELECT {_PHOTO_FIELDS} FROM photo WHERE state IN ('waiting', 'reading') ORDER BY created_at, id"
        )
        return [_photo(row) for row in rows]

    def finish_photo(
        self, photo_id: str, reading: Json | None, problem: Json | None, size_wh: tuple[int, int] | None
    ) -> None:
        """Keep a photo's reading, or why there is none."""
        width, height = size_wh if size_wh is not None else (None, None)
        self._db.execute(
            "UPDATE photo SET state = ?, reading = ?, problem = ?, width = ?, height = ? WHERE id = ?",
            ("failed" if reading is None else "read", _dump(reading), _dump(problem), width, height, photo_id),
        )

    def delete_photo(self, photo_id: str) -> None:
        """Forget a photo's row; its file is the photo folder's business."""
        self._db.execute("DELETE FROM photo WHERE id = ?", (photo_id,))

    # -- drafts and edits ----------------------------------------------------------------------------

    def draft(self, game_id: str, number: int, seat: str) -> tuple[int, Json] | None:
        """Version and content of what a seat has entered for a round."""
        found = self._db.execute(
            "SELECT version, data FROM draft WHERE game_id = ? AND round = ? AND seat = ?", (game_id, number, seat)
        ).fetchone()
        return None if found is None else (found[0], json.loads(found[1]))

    def set_draft(self, game_id: str, number: int, seat: str, version: int, data: Json) -> None:
        """Keep what a seat has entered."""
        self._db.execute(
            "INSERT INTO draft (game_id, round, seat, version, data) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (game_id, round, seat) DO UPDATE SET version = excluded.version, data = excluded.data",
            (game_id, number, seat, version, _dump(data)),
        )

    def drafts(self, game_id: str, number: int) -> dict[str, tuple[int, Json]]:
        """All drafts of a round, by seat."""
        rows = self._db.execute(
            "SELECT seat, version, data FROM draft WHERE game_id = ? AND round = ?", (game_id, number)
        )
        return {seat: (version, json.loads(data)) for seat, version, data in rows}

    def add_edits(self, game_id: str, number: int, seat: str, edits: Iterable[Json]) -> None:
        """Note changes of a draft: each with photo, at, actor, slot, before, after."""
        self._db.executemany(
            "INSERT INTO edit (game_id, round, seat, photo_id, at, actor, slot, before, after) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (game_id, number, seat, edit["photo"], edit["at"], edit["actor"], edit["slot"],
                 _dump(edit["before"]) or "null", _dump(edit["after"]) or "null")
                for edit in edits
            ],
        )

    def edits(self, game_id: str, number: int | None = None, seat: str | None = None) -> list[Json]:
        """Changes of drafts, oldest first; of one round and seat if given."""
        rows = self._db.execute(
            "SELECT round, seat, photo_id, at, actor, slot, before, after FROM edit WHERE game_id = ? "
            "AND (? IS NULL OR round = ?) AND (? IS NULL OR seat = ?) ORDER BY id",
            (game_id, number, number, seat, seat),
        )
        names = ("round", "seat", "photo", "at", "actor", "slot")
        return [
            dict(zip(names, row[:6], strict=True))
            | {"before": json.loads(row[6]), "after": json.loads(row[7])}
            for row in rows
        ]

    def set_camera(self, game_id: str, choice: Json, at: str) -> None:
        """Note the camera in use; there is one at a time."""
        self._db.execute("INSERT OR REPLACE INTO camera VALUES (1, ?, ?, ?)", (game_id, _dump(choice), at))

    def camera(self) -> tuple[str, Json, str] | None:
        """Game, choice and since when; none if no camera is in use."""
        found = self._db.execute("SELECT game_id, choice, at FROM camera").fetchone()
        return None if found is None else (found[0], json.loads(found[1]), found[2])

    def drop_camera(self, game_id: str) -> None:
        """The game's camera was given back."""
        self._db.execute("DELETE FROM camera WHERE game_id = ?", (game_id,))


class Store:
    """The file, its writer thread and one reading connection a thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._jobs: queue.SimpleQueue[tuple[Callable[[Ledger], Any], Future[Any], str] | None] = queue.SimpleQueue()
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        connection = _connect(path)
        try:
            migrate(connection)
        finally:
            connection.close()
        self._writer = threading.Thread(target=self._work, name="store-writer", daemon=True)
        self._writer.start()

    def write(self, change: Callable[[Ledger], T], *, anew: bool = False) -> T:
        """Run `change` in one transaction; when this returns it is kept. An exception leaves nothing behind.

        With `anew`, what would be worked out again after a power cut: nobody waits for the disk.
        """
        future: Future[T] = Future()
        self._jobs.put((change, future, "NORMAL" if anew else "FULL"))
        return future.result()

    def read(self, question: Callable[[Ledger], T]) -> T:
        """Run `question` on a connection of this thread, seeing one consistent state."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = _connect(self.path)
            self._local.connection = connection
            with self._lock:
                self._readers.append(connection)
        connection.execute("BEGIN")
        try:
            return question(Ledger(connection))
        finally:
            connection.execute("COMMIT")

    def backup(self, target: Path) -> None:
        """Write a consistent copy while the server runs."""
        source, copy = _connect(self.path), sqlite3.connect(target)
        try:
            source.backup(copy)
        finally:
            copy.close()
            source.close()

    def close(self) -> None:
        """Finish what was asked for, then close every connection."""
        self._jobs.put(None)
        self._writer.join()
        with self._lock:
            for connection in self._readers:
                connection.close()

    def _work(self) -> None:
        connection = _connect(self.path)
        ledger = Ledger(connection)
        while (job := self._jobs.get()) is not None:
            change, future, safety = job
            try:
                connection.execute(f"PRAGMA synchronous = {safety}")
                connection.execute("BEGIN IMMEDIATE")
                answer = change(ledger)
                connection.execute("COMMIT")
            except BaseException as error:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                future.set_exception(error)
            else:
                future.set_result(answer)
        connection.close()


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a file to the newest form: each numbered script once, in order, all or nothing."""
    done: int = connection.execute("PRAGMA user_version").fetchone()[0]
    scripts = sorted(
        (int(match[1]), item.read_text(encoding="utf-8"))
        for item in files("server.migrations").iterdir()
        if (match := re.fullmatch(r"(\d+)_\w+\.sql", item.name))
    )
    if done > scripts[-1][0]:
        raise NewerStore(f"the database has form {done}; this version of Stationmaster knows {scripts[-1][0]}")
    for number, script in scripts:
        if number > done:
            connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")


class NewerStore(Exception):
    """The file was written by a newer version of the product."""


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    connection.execute("PRAGMA journal_mode = WAL")
    # FULL: an acknowledged change survives a power cut too, not only a killed process.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")  # "forget this evening" means it
    return connection


def _dump(data: Any) -> str | None:
    return None if data is None else json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def _member(row: tuple[Any, ...]) -> MemberRow:
    return MemberRow(row[0], row[1], row[2], bool(row[3]), row[4], bool(row[5]), row[6])


def _photo(row: tuple[Any, ...]) -> PhotoRow:
    reading, problem = (None if text is None else json.loads(text) for text in row[11:13])
    plain: list[Any] = [*row[:11], reading, problem, row[13]]
    return PhotoRow(*plain)
