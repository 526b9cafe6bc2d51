"""Photos: their folder, the queue in which they wait to be read, and who may look at them.

Reading is one seam, a job in and a reading out, run by an executor: a process beside the server at home, more
of them in a club. The queue is bounded; a full one asks people to come back instead of slowing everybody.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from server.access import HAND, TABLE, Viewer, may_see, new_id
from server.drafts import EMPTY, draft_from_reading, is_entered
from server.evening import Evening
from server.following import check_begins
from server.live import Hub
from server.problems import NotFound, Problem, TooMany
from server.reading import ReadJob, keep_photo, make_safe, take_in
from server.session import LOOSE, Evenings, check_open
from server.settings import PhotoLimits
from server.store import Ledger, PhotoRow, Store
from vision.reader import ReadOptions

Json = dict[str, Any]
ReadPhoto = Callable[[ReadJob], Json]

_AFTER_SHOWN_S = 1.0
"""Writing the full photo takes a processor that the page needs just then, to fetch and to draw the reading."""


class PhotoFolder:
    """Where photos lie. Names come from the database only; nothing a client sends becomes a path."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.incoming = root / "incoming"
        self.incoming.mkdir(parents=True, exist_ok=True)

    def arriving(self, photo_id: str) -> Path:
        """An upload without its notes, until it was read and written anew."""
        return self.incoming / f"{photo_id}.upload"

    def photo(self, row: PhotoRow) -> Path:
        """The cleaned photo in full size."""
        return self.root / row.game_id / f"{row.id}.jpg"

    def view(self, row: PhotoRow) -> Path:
        """The copy that pages show."""
        return self.root / row.game_id / f"{row.id}.view.jpg"

    def forget_photo(self, row: PhotoRow) -> None:
        """Delete the files of one photo."""
        for path in (self.arriving(row.id), self.photo(row), self.view(row)):
            path.unlink(missing_ok=True)

    def forget_game(self, game_id: str) -> None:
        """Delete all photos of a game."""
        shutil.rmtree(self.root / game_id, ignore_errors=True)


class Photos:
    """Takes photos in, has them read, and gives them out."""

    def __init__(
        self,
        evenings: Evenings,
        folder: PhotoFolder,
        read: ReadPhoto,
        executor: Callable[[], Executor],
        limits: PhotoLimits,
    ) -> None:
        self._evenings = evenings
        self.folder = folder
        self.limits = limits
        self._read = read
        self._open_executor = executor
        self._executor = executor()
        self._queue: OrderedDict[str, str] = OrderedDict()  # photo -> game, in order of reading
        self._lock = threading.Lock()
        self._timers: set[threading.Timer] = set()

    @property
    def _store(self) -> Store:
        return self._evenings.store

    @property
    def _hub(self) -> Hub:
        return self._evenings.hub

    # -- taking in -----------------------------------------------------------------------------------

    def check_room(self) -> None:
        """Refuse a further photo while too many wait."""
        with self._lock:
            if len(self._queue) >= self.limits.waiting:
                raise TooMany("too_many_photos")

    def add(self, viewer: Viewer, seat: str, number: int, purpose: str, data: bytes) -> PhotoRow:
        """Take a photo of a hand in. When this returns it is kept, without place and device, and will be read."""
        viewer.need_seat_or_host(seat)

        def check(evening: Evening) -> None:
            if purpose == HAND:
                check_open(evening, number, seat)

        return self._take(self._row_for(viewer, seat, number, purpose, data), data, check)

    def counted_already(self, viewer: Viewer, seat: str, number: int, data: bytes) -> PhotoRow | None:
        """The photo that is the same file, where it was counted: for this hand, or else for another of the game."""
        viewer.need_seat_or_host(seat)
        game_id, digest = viewer.member.game_id, _digest(data)

        def work(ledger: Ledger) -> list[PhotoRow]:
            evening = self._evenings.current(game_id, ledger)
            same = [photo for photo in ledger.photos(game_id) if photo.digest == digest and photo.purpose == HAND]
            return [photo for photo in same if _counts(photo, evening, ledger)]

        same = self._store.read(work)
        here = [photo for photo in same if (photo.seat, photo.round) == (seat, number)]
        return next(iter([*here, *same]), None)

    def add_table(self, viewer: Viewer, data: bytes) -> PhotoRow:
        """Take a photo of the table in, with which to begin in the middle of the present round."""
        viewer.need_player()
        number = self._evenings.current(viewer.member.game_id).round
        return self._take(self._row_for(viewer, "", number, TABLE, data), data, check_begins)

    def _row_for(self, viewer: Viewer, seat: str, number: int, purpose: str, data: bytes) -> PhotoRow:
        return PhotoRow(new_id(), viewer.member.game_id, viewer.member.id, seat, number, purpose, "waiting",
                        self._evenings.now(), bytes=len(data), digest=_digest(data))

    def _take(self, row: PhotoRow, data: bytes, check: Callable[[Evening], None]) -> PhotoRow:
        """Reading begins while the disk is still at work; nobody hears of either before the photo is kept."""
        arriving = self.folder.arriving(row.id)

        def allowed(ledger: Ledger) -> None:
            check(self._evenings.current(row.game_id, ledger))
            if len(ledger.photos(row.game_id)) >= self.limits.per_game:
                raise Problem("too_many_photos_kept", count=self.limits.per_game)

        def work(ledger: Ledger) -> None:
            allowed(ledger)
            ledger.add_photo(row)

        self._store.read(allowed)  # so that what is refused costs no reading
        take_in(data, arriving, self.limits.pixels)
        reading = self._begin(row)
        try:
            make_safe(arriving)
            self._store.write(work)
        except BaseException:
            self._drop(row, reading)
            raise
        self._follow(row, 1, reading)
        return row

    def _drop(self, row: PhotoRow, reading: Future[Json]) -> None:
        """Leave nothing of a photo that could not be kept."""
        with self._lock:
            self._queue.pop(row.id, None)
        reading.cancel()
        reading.add_done_callback(lambda _: self.folder.forget_photo(row))

    def resume(self) -> None:
        """Read what was waiting when the server stopped, and sweep up uploads that never got in."""
        unread = self._store.read(lambda ledger: ledger.unread_photos())
        for row in unread:
            self._submit(row)
        for path in self.folder.incoming.iterdir():
            known = self._row(path.stem)
            if known is None:
                path.unlink(missing_ok=True)
            elif known.state in ("read", "failed"):
                self._keep(known)

    def sweep(self, today: datetime) -> None:
        """Forget hands that were counted on their own some days ago; evenings stay until somebody forgets them."""
        limit = (today - timedelta(days=self.limits.loose_days)).isoformat()
        for game in self._store.read(lambda ledger: ledger.games(LOOSE)):
            if game.created_at < limit:
                self.forget(game.id)

    def _row(self, photo_id: str) -> PhotoRow | None:
        return self._store.read(lambda ledger: ledger.photo(photo_id))

    def _job(self, row: PhotoRow) -> ReadJob:
        evening = self._evenings.current(row.game_id)
        return ReadJob(self.folder.arriving(row.id), self.folder.photo(row), self.folder.view(row),
                       ReadOptions(set_size=evening.rules.set_size, mixed=evening.mixed), row.purpose == TABLE)

    def _run(self, work: Callable[[ReadJob], Any], job: ReadJob) -> Future[Any]:
        """Hand a job to the executor; one that broke (a reading process was killed) is replaced."""
        try:
            return self._executor.submit(work, job)
        except BrokenExecutor:
            self._executor = self._open_executor()
            return self._executor.submit(work, job)

    def _keep_later(self, row: PhotoRow) -> None:
        def due() -> None:
            with self._lock:
                if timer not in self._timers:
                    return  # the server stops
                self._timers.discard(timer)
            if self._row(row.id) is None:  # forgotten meanwhile
                self.folder.forget_photo(row)
            else:
                self._keep(row)

        timer = threading.Timer(_AFTER_SHOWN_S, due)
        timer.daemon = True
        with self._lock:
            self._timers.add(timer)
        timer.start()

    def _keep(self, row: PhotoRow) -> None:
        """Have the clean photo written."""
        def done(_: Future[Any]) -> None:
            if self._row(row.id) is None:  # forgotten meanwhile
                self.folder.forget_photo(row)

        with self._lock, contextlib.suppress(RuntimeError):  # the server stops: it is kept after the next start
            self._run(keep_photo, self._job(row)).add_done_callback(done)

    def _submit(self, row: PhotoRow, attempt: int = 1) -> None:
        self._follow(row, attempt, self._begin(row))

    def _begin(self, row: PhotoRow) -> Future[Json]:
        job = self._job(row)
        with self._lock:
            self._queue[row.id] = row.game_id
            return self._run(self._read, job)

    def _follow(self, row: PhotoRow, attempt: int, reading: Future[Json]) -> None:
        self._hub.publish(row.game_id)
        reading.add_done_callback(lambda done: self._done(row, attempt, done))

    def _done(self, row: PhotoRow, attempt: int, future: Future[Json]) -> None:
        with self._lock:
            self._queue.pop(row.id, None)
            games = set(self._queue.values()) | {row.game_id}
        if future.cancelled():
            return  # the server stops; the photo is read when it starts again
        error = future.exception()
        if isinstance(error, BrokenExecutor) and attempt == 1:
            self._submit(row, attempt + 1)
            return
        answer = future.result() if error is None else _broken(error)
        problem = answer.get("problem")
        reading = None if problem else answer
        self._store.write(lambda ledger: self._keep_reading(ledger, row, reading, problem), anew=True)
        for game_id in games:  # everybody behind moved up
            self._hub.publish(game_id)
        self._keep_later(row)

    def _keep_reading(self, ledger: Ledger, row: PhotoRow, reading: Json | None, problem: Json | None) -> None:
        if ledger.photo(row.id) is None:  # forgotten while it was read
            self.folder.forget_photo(row)
            return
        size = (reading["size"][0], reading["size"][1]) if reading is not None else None
        ledger.finish_photo(row.id, reading, problem, size)
        if reading is not None and row.purpose == HAND:
            version, draft = ledger.draft(row.game_id, row.round, row.seat) or (0, EMPTY)
            if reading["tiles"] or not is_entered(draft):  # a photo of nothing takes no count away
                ledger.set_draft(row.game_id, row.round, row.seat, version + 1, draft_from_reading(row.id, reading))

    def place_in_queue(self, photo_id: str) -> int:
        """How many photos are read before this one; 0 when it is its turn."""
        with self._lock:
            return list(self._queue).index(photo_id) if photo_id in self._queue else 0

    # -- giving out ----------------------------------------------------------------------------------

    def of_viewer(self, viewer: Viewer, photo_id: str) -> PhotoRow:
        """A photo that this device may see: its own, its own seat's, the table's. To others it does not exist."""
        row = self._store.read(lambda ledger: ledger.photo(photo_id))
        if row is None or row.game_id != viewer.member.game_id or not may_see(viewer, row):
            raise NotFound("no_photo")
        return row

    # -- forgetting ----------------------------------------------------------------------------------

    def forget(self, game_id: str) -> None:
        """Delete a game with all its photos, for good."""
        self._store.write(lambda ledger: ledger.delete_game(game_id))
        self.folder.forget_game(game_id)
        self._hub.publish(game_id)

    def forget_pictures(self, game_id: str) -> None:
        """Delete the photos of a game and keep its score sheet."""

        def work(ledger: Ledger) -> list[PhotoRow]:
            rows = ledger.photos(game_id)
            for row in rows:
                ledger.delete_photo(row.id)
            return rows

        for row in self._store.write(work):
            self.folder.forget_photo(row)
        self.folder.forget_game(game_id)
        self._hub.publish(game_id)

    def close(self) -> None:
        """Stop reading; what waits is read, and what was read kept in full, after the next start."""
        with self._lock:
            timers, self._timers = self._timers, set()
        for timer in timers:
            timer.cancel()
        self._executor.shutdown(wait=True, cancel_futures=True)


def _counts(photo: PhotoRow, evening: Evening, ledger: Ledger) -> bool:
    """A hand on the sheet or being counted rests on this photo, or will once it is read."""
    if photo.state == "failed":
        return False
    entry = evening.hands_of(photo.round).get(photo.seat)
    if entry is not None:
        return entry.photo == photo.id
    _, draft = ledger.draft(evening.id, photo.round, photo.seat) or (0, None)
    return photo.state != "read" or (draft is not None and draft["photo"] == photo.id and bool(draft["tiles"]))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _broken(error: BaseException) -> Json:
    return {"problem": {"code": "reader_broken", "params": {"reason": f"{type(error).__name__}: {error}"}}}
