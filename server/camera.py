"""A thread that watches the table of one game with a camera and follows it as people's taps do.

While a foul waits for a decision, what was seen since waits too, and is caught up with afterwards. A table that
nobody follows yet is looked at for aiming only.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import EngineError
from server.aiming import Aimer, aim_view, seen_on
from server.camera_acts import as_it_lies
from server.errors import UsageError
from server.following import TableSession
from server.in_picture import InPicture
from server.pictures import Newest, PictureFolder
from server.problems import NotFound, Problem
from server.put_right import Denials, put_right
from server.session import Evenings
from server.sources import FilmSource, FrameSource, Picture
from server.store import EventRow
from server.tables import CAMERA, TableGame
from server.taking_up import hear
from server.telling import corners_of
from server.watch_events import Event
from server.watch_run import WatchRun
from server.watching import WatchOptions
from vision.errors import VisionError
from vision.reader import PhotoReader, ReadOptions
from vision.tiles import BgrImage

Json = dict[str, Any]
OpenReader = Callable[[], PhotoReader]

_AIM_EVERY_S = 2.0
_DECISION_POLL_S = 0.25
_TRY_AGAIN_S = 5.0
_TOLD = ("lay", "turn")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where pictures come from. `label` is what pages call it; `hidden` is never told to them.

    `by` is the device whose camera it is. One that is `patient` is tried again when it does not open.
    """

    label: str
    open: Callable[[], FrameSource]
    hidden: str = ""
    by: str | None = None
    patient: bool = False


class NotLive(Exception):
    """Pictures that would begin anew: not what lies on the table now."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What pages are told of a camera. `state`: opening, looking, following, covered, lost, ended or failed."""

    source: str
    by: str | None = None
    state: str = "opening"
    trouble: str = ""
    advice: Json | None = None
    good: bool = False
    """Aimed well: everything that lies there is read."""
    behind: bool = False
    """Something waits for a decision on a foul."""
    picture: bool = False
    """There is one to look at."""

    def as_json(self) -> Json:
        """For pages."""
        return {"source": self.source, "by": self.by, "state": self.state, "trouble": self.trouble,
                "advice": self.advice, "good": self.good, "behind": self.behind, "picture": self.picture}


@dataclass(slots=True)
class Kept:
    """Numbers of the pictures kept before and after what was told last."""

    before: int | None = None
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """What a camera works with. `ended` is called with its game when there are no more pictures."""

    reader: OpenReader
    tables: TableSession
    evenings: Evenings
    folder: PictureFolder
    ended: Callable[[str], None]


class Camera(threading.Thread):
    """Watches for one game until it is stopped, the source ends or the game is forgotten."""

    def __init__(self, game_id: str, origin: Origin, work: Work) -> None:
        super().__init__(daemon=True, name="camera-watch")
        self.game_id, self.newest, self.shown = game_id, Newest(), Shown(origin.label, origin.by)
        self.aim: Json | None = None
        """How the newest picture that was measured is aimed."""
        self.lies: InPicture | None = None
        """What lies where in the newest picture, while the table is followed."""
        self._origin, self._work = origin, work
        self._tables, self._evenings, self._folder = work.tables, work.evenings, work.folder
        self._end = threading.Event()
        self._source: FrameSource | None = None
        self._watch: WatchRun | None = None
        self._aimer: Aimer | None = None
        self._round = 0
        self._waiting: deque[tuple[Json, Json | None]] = deque()
        self._kept = Kept()
        self._aimed_s = 0.0
        self._heard = 0
        self._denials = Denials()

    # -- from outside -----------------------------------------------------------------------------------

    def stop(self) -> None:
        """Stop watching and give the camera back."""
        self._end.set()
        source = self._source
        if source is not None:
            source.close()  # it may be waiting for a picture

    # -- the thread -------------------------------------------------------------------------------------

    def run(self) -> None:
        """Follow the source."""
        try:
            source = self._source = self._opened()
            if source is None or self._end.is_set():
                return
            reader = self._work.reader()
            self._say(state="looking")
            self._follow(source, reader)
            if not self._end.is_set():
                self._ended()
        except NotLive:
            self._ended()
        except (UsageError, VisionError) as error:
            self._failed(error)
        except NotFound:
            pass  # the game was forgotten
        except Exception as error:  # whatever happens, the game goes on by hand
            self._say(state="failed", trouble=type(error).__name__)
            raise
        finally:
            if self._source is not None:
                self._source.close()

    def _opened(self) -> FrameSource | None:
        """The source; one that was in use before a restart may need a while until it is there again."""
        while not self._end.is_set():
            try:
                return self._origin.open()
            except UsageError as error:
                if not self._origin.patient:
                    raise
                self._say(state="lost", trouble=self._without_secrets(error))
                self._end.wait(_TRY_AGAIN_S)
        return None

    def _ended(self) -> None:
        self._say(state="ended")
        self._work.ended(self.game_id)

    def _failed(self, error: Exception) -> None:
        self._say(state="failed", trouble=self._without_secrets(error))
        self._work.ended(self.game_id)

    def _without_secrets(self, error: Exception) -> str:
        """Nobody but the person at the server is told a path, or an address with its password."""
        text, hidden = str(error), self._origin.hidden
        return text.replace(hidden, self.shown.source) if hidden else text

    def _follow(self, source: FrameSource, reader: PhotoReader) -> None:
        start = time.monotonic()
        for picture in source.pictures():
            if isinstance(source, FilmSource):  # a film is shown as fast as it was taken
                self._end.wait(max(0.0, start + picture.moment.time_s - time.monotonic()))
            if self._end.is_set():
                return
            self._take(picture, reader)
            self._hand_on()
            while self._waiting and not source.live and not self._end.wait(_DECISION_POLL_S):
                self._hand_on()
        while self._waiting and not self._end.wait(_DECISION_POLL_S):
            self._hand_on()

    def _take(self, picture: Picture, reader: PhotoReader) -> None:
        if picture.image is not None:
            self.newest.put(picture.image)
            self._say(picture=True)
        table = self._evenings.current(self.game_id).table
        if table is None or table.rules.has_side_lines:  # chosen after the camera was
            self._watch = self.lies = None
            self._look_only(picture, reader)
            return
        watch = self._watch_of(table, reader)
        events = self._events(watch, picture)
        self._denials.tell(watch.watcher)
        if picture.image is None:
            return
        self.lies = _in_picture(watch, picture.image)
        self._show(watch, picture)
        told = [event for event in events if event.event in _TOLD and not _waits_already(table, event)]
        if not told:
            if watch.watcher.board is not None and self._kept.last is None:
                self._kept.last = self._folder.keep(self.game_id, picture.image)
            return
        self._kept = Kept(self._kept.last, self._folder.keep(self.game_id, picture.image))
        height, width = picture.image.shape[:2]
        lies = None if watch.watcher.round is None else as_it_lies(watch.watcher.round)
        self._waiting.extend((self._told(event, (width, height)), lies) for event in told)

    def _watch_of(self, table: TableGame, reader: PhotoReader) -> WatchRun:
        """The watch of this round, which has heard what people said; begun anew where they put the table right."""
        watch = self._watch
        if watch is not None and self._round == table.round and self._hear(watch):
            return watch
        if self._round != table.round:
            self._denials = Denials()
        evening = self._evenings.current(self.game_id)
        watch = WatchRun(reader, self._options(evening.table or table))
        watch.looker.denied = self._denials.denied
        self._watch, self._round, self._heard = watch, table.round, evening.version
        return watch

    def _look_only(self, picture: Picture, reader: PhotoReader) -> None:
        """Nobody follows the table yet: is the camera aimed well?"""
        if picture.image is None:
            if picture.trouble:
                self._say(state="lost", trouble=picture.trouble, good=False)
            return
        evening = self._evenings.current(self.game_id)
        options = ReadOptions(evening.rules.set_size, evening.mixed)
        if self._aimer is None or self._aimer.options != options:
            # Before the first round another set may still be chosen.
            self._aimer = Aimer(reader, options)
        found = self._aimer.look(picture.image, picture.moment.time_s, picture.settled)
        if found is not None:
            self.aim = found
            self._say(state="looking", trouble="", advice=found["advice"], good=found["good"])
        elif self.shown.state == "lost":
            self._say(state="looking", trouble="")

    def _events(self, watch: WatchRun, picture: Picture) -> list[Event]:
        if picture.image is None:
            if picture.trouble:
                self._say(state="lost", trouble=picture.trouble, good=False)
                return watch.watcher.lost(picture.moment, picture.trouble)
            return []
        events = watch.watcher.recovered(picture.moment)
        return events + (watch.settled if picture.settled else watch.frame)(picture.image, picture.moment)

    def _told(self, event: Event, size: tuple[int, int]) -> Json:
        told = event.as_json()
        told["seen"] = {"before": self._kept.before, "after": self._kept.last, "size": list(size),
                        "corners": told["corners_px"], "sure": event.confidence, "options": self._may_be(event)}
        marks = [act[1] for act in (event.case or {}).get("act", ()) if act[0] == "marks"]
        if marks:
            told["marks"] = marks[0]
        return told

    def _may_be(self, event: Event) -> list[list[int]]:
        """What else a new tile may be, the likeliest first."""
        board = None if self._watch is None else self._watch.watcher.board
        for tile in () if board is None or event.corners_px is None else board.tiles.values():
            if corners_of(tile) == event.corners_px:
                return [sorted(pair) for pair, _ in tile.evidence.options() if sorted(pair) != sorted(tile.ends)][:5]
        return []

    def _hand_on(self) -> None:
        """Bring what was seen into the game, in order; stop where a foul waits for a decision."""
        while self._waiting:
            event, lies = self._waiting[0]
            try:
                self._tables.watched(self.game_id, event, lies)
            except NotFound:
                raise
            except Problem as problem:
                if problem.code == "foul_waits":
                    self._say(behind=True)
                    return
                # What fits nothing is left to people; the next thing that is seen brings the table into line.
            except (EngineError, ValueError, KeyError):
                pass
            self._waiting.popleft()
        self._say(behind=False)

    def _options(self, table: TableGame) -> WatchOptions:
        evening, position = self._evenings.current(self.game_id), table.turn_start
        return WatchOptions(evening.seat_ids, position.turn.seat, table.rules, start=position)

    def _hear(self, watch: WatchRun) -> bool:
        """What people told since: a pass that left no trace, a turn taken back. False where the watch begins anew."""
        evening = self._evenings.current(self.game_id)
        news = [row for row in evening.table_events if row.version > self._heard and row.actor != CAMERA]
        self._heard = evening.version
        if not news or evening.table is None or watch.watcher.round is None:
            return True
        wrong = put_right(news)
        for row in wrong:
            self._denials.hear(row, _gone(row, evening.table_events), watch.watcher)
        if not wrong and not self._waiting:
            hear(watch.watcher.round, evening.table.turn_start, evening.table.position)
        return not wrong

    # -- telling ----------------------------------------------------------------------------------------

    def _show(self, watch: WatchRun, picture: Picture) -> None:
        board = watch.watcher.board
        state = "looking" if board is None else "covered" if watch.watcher.is_covered else "following"
        now = time.monotonic()
        changes: Json = {}
        if picture.image is not None and (board is None or now - self._aimed_s > _AIM_EVERY_S):
            self._aimed_s = now
            self.aim = aim_view(picture.image, [] if board is None else seen_on(board), board is not None)
            changes = {"advice": self.aim["advice"], "good": self.aim["good"]}
        self._say(state=state, trouble="", **changes)

    def _say(self, **changes: Any) -> None:
        shown = replace(self.shown, **changes)
        if shown != self.shown:
            self.shown = shown
            self._evenings.hub.publish(self.game_id)


def _in_picture(watch: WatchRun, image: BgrImage) -> InPicture | None:
    board, following = watch.watcher.board, watch.watcher.round
    if board is None or following is None:
        return None
    return InPicture(board, dict(following.owners), (image.shape[1], image.shape[0]))


def _gone(row: EventRow, rows: Iterable[EventRow]) -> tuple[int, int] | None:
    """Values of the tile that somebody said is none."""
    tile = row.data.get("gone")
    if row.data.get("none"):
        tile = next((one.data.get("tile") for one in rows if one.version == row.data["version"]), None)
    return None if tile is None else (min(tile), max(tile))


def _waits_already(table: TableGame, event: Event) -> bool:
    """It is the foul that waits for a decision: told before the camera was taken up again."""
    if table.foul is None or event.verdict != "illegal":
        return False
    act = table.foul.act
    if event.event == "lay":
        return act["do"] == "lay" and act["train"] == event.train and sorted(act["tile"]) == sorted(event.tile or ())
    return bool(act["do"] == "end")
