"""The server's camera: a thread that watches the table of one game and follows it as people's taps do.

A client chooses among what the person at the server offered, a camera's number or a stream's address; it never names
a file. While a foul waits for a decision, what was seen since waits too, and is caught up with afterwards.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.position import Position
from server.camera_acts import as_it_lies
from server.errors import UsageError
from server.following import TableSession
from server.live import Hub
from server.pictures import Newest, PictureFolder
from server.problems import NotFound, Problem
from server.session import Evenings
from server.sources import STREAMS, FilmSource, FrameSource, LiveSource, Picture, open_source
from server.tables import TableGame
from server.watch_events import Event
from server.watch_run import WatchRun
from server.watching import WatchOptions
from vision.aim import advice
from vision.errors import VisionError
from vision.reader import PhotoReader

Json = dict[str, Any]
OpenSource = Callable[[str], FrameSource]
OpenReader = Callable[[], PhotoReader]

CAMERAS = 4
_AIM_EVERY_S = 2.0
_DECISION_POLL_S = 0.25
_TOLD = ("lay", "turn")


@dataclass(frozen=True, slots=True)
class Shown:
    """What pages are told of a camera. `state`: opening, looking, following, covered, lost, ended or failed."""

    source: str
    state: str = "opening"
    trouble: str = ""
    advice: Json | None = None
    behind: bool = False
    """Something waits for a decision on a foul."""
    picture: bool = False
    """There is one to look at."""

    def as_json(self) -> Json:
        """For pages."""
        return {"source": self.source, "state": self.state, "trouble": self.trouble, "advice": self.advice,
                "behind": self.behind, "picture": self.picture}


@dataclass(slots=True)
class Kept:
    """Numbers of the pictures kept before and after what was told last."""

    before: int | None = None
    last: int | None = None


class Camera(threading.Thread):
    """Watches for one game until it is stopped, the source ends or the game is forgotten."""

    def __init__(
        self, game_id: str, text: str, opened: OpenSource, reader: OpenReader, tables: TableSession,
        evenings: Evenings, folder: PictureFolder,
    ) -> None:
        super().__init__(daemon=True, name="camera-watch")
        self.game_id, self.newest, self.shown = game_id, Newest(), Shown(label_of(text))
        self._text = text
        self._open, self._reader, self._tables, self._evenings = opened, reader, tables, evenings
        self._folder = folder
        self._end = threading.Event()
        self._source: FrameSource | None = None
        self._watch: WatchRun | None = None
        self._round = 0
        self._waiting: deque[tuple[Json, Json | None]] = deque()
        self._kept = Kept()
        self._aimed_s = 0.0

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
            source = self._source = self._open(self._text)
            reader = self._reader()
            self._say(state="looking")
            self._follow(source, reader)
            self._say(state="ended")
        except (UsageError, VisionError) as error:
            # Nobody but the person at the server is told a path, or an address with its password.
            self._say(state="failed", trouble=str(error).replace(self._text, self.shown.source))
        except NotFound:
            pass  # the game was forgotten
        except Exception as error:  # whatever happens, the game goes on by hand
            self._say(state="failed", trouble=type(error).__name__)
            raise
        finally:
            if self._source is not None:
                self._source.close()

    def _follow(self, source: FrameSource, reader: PhotoReader) -> None:
        start, live = time.monotonic(), isinstance(source, LiveSource)
        for picture in source.pictures():
            if isinstance(source, FilmSource):  # a film is shown as fast as it was taken
                self._end.wait(max(0.0, start + picture.moment.time_s - time.monotonic()))
            if self._end.is_set():
                return
            self._take(picture, reader)
            self._hand_on()
            while self._waiting and not live and not self._end.wait(_DECISION_POLL_S):
                self._hand_on()
        while self._waiting and not self._end.wait(_DECISION_POLL_S):
            self._hand_on()

    def _take(self, picture: Picture, reader: PhotoReader) -> None:
        if picture.image is not None:
            self.newest.put(picture.image)
            self._say(picture=True)
        table = self._evenings.current(self.game_id).table
        if table is None:
            self._watch = None
            return
        if self._watch is None or self._round != table.round:
            self._watch, self._round = WatchRun(reader, self._options(table)), table.round
        events = self._events(self._watch, picture)
        if picture.image is None:
            return
        self._show(self._watch, picture)
        watch = self._watch
        if not any(event.event in _TOLD for event in events):
            if watch.watcher.board is not None and self._kept.last is None:
                self._kept.last = self._folder.keep(self.game_id, picture.image)
            return
        self._kept = Kept(self._kept.last, self._folder.keep(self.game_id, picture.image))
        height, width = picture.image.shape[:2]
        lies = None if watch.watcher.round is None else as_it_lies(watch.watcher.round)
        for event in events:
            if event.event in _TOLD:
                self._waiting.append((self._told(event, (width, height)), lies))

    def _events(self, watch: WatchRun, picture: Picture) -> list[Event]:
        if picture.image is None:
            if picture.trouble:
                self._say(state="lost", trouble=picture.trouble)
                return watch.watcher.lost(picture.moment, picture.trouble)
            return []
        events = watch.watcher.recovered(picture.moment)
        events += (watch.settled if picture.settled else watch.frame)(picture.image, picture.moment)
        return events

    def _told(self, event: Event, size: tuple[int, int]) -> Json:
        told = event.as_json()
        told["seen"] = {"before": self._kept.before, "after": self._kept.last, "size": list(size),
                        "corners": told["corners_px"], "sure": event.confidence}
        marks = [act[1] for act in (event.case or {}).get("act", ()) if act[0] == "marks"]
        if marks:
            told["marks"] = marks[0]
        return told

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
        begun = any(train.tiles for train in position.table.trains)
        start: Position | None = position if begun else None
        return WatchOptions(evening.seat_ids, position.turn.seat, table.rules, start=start)

    # -- telling ----------------------------------------------------------------------------------------

    def _show(self, watch: WatchRun, picture: Picture) -> None:
        board = watch.watcher.board
        state = "looking" if board is None else "covered" if watch.watcher.is_covered else "following"
        now = time.monotonic()
        hint = self.shown.advice
        if picture.image is not None and (board is None or now - self._aimed_s > _AIM_EVERY_S):
            self._aimed_s = now
            tiles = [] if board is None else [tile.corners_px for tile in board.tiles.values()]
            found = advice(picture.image, tiles)
            hint = None if found is None else {"code": found.code, "params": found.params}
            if hint is None and board is None:
                hint = {"code": "no_hub", "params": {}}
        self._say(state=state, trouble="", advice=hint)

    def _say(self, **changes: Any) -> None:
        shown = replace(self.shown, **changes)
        if shown != self.shown:
            self.shown = shown
            self._evenings.hub.publish(self.game_id)


@dataclass(slots=True)
class Cameras:
    """The server's camera, lent to one game at a time. `offered`: sources that the person at the server named."""

    tables: TableSession
    evenings: Evenings
    hub: Hub
    folder: PictureFolder
    reader: OpenReader
    offered: Sequence[str] = ()
    source: OpenSource = open_source
    _camera: Camera | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def choices(self) -> list[Json]:
        """What may be chosen, without any path."""
        named = [{"kind": "offered", "number": number, "label": label_of(text)}
                 for number, text in enumerate(self.offered)]
        return [*named, *({"kind": "camera", "number": number, "label": str(number)} for number in range(CAMERAS))]

    def start(self, game_id: str, choice: Json) -> None:
        """Watch with a source of that choice; whoever had a camera gives it back."""
        if self.evenings.current(game_id).table is None:
            raise Problem("not_followed")
        text = self._chosen(choice)
        with self._lock:
            before = self._camera
            camera = Camera(game_id, text, self.source, self.reader, self.tables, self.evenings, self.folder)
            self._camera = camera
        if before is not None:
            before.stop()
            before.join(timeout=5.0)
            self.hub.publish(before.game_id)
        camera.start()
        self.hub.publish(game_id)

    def stop(self, game_id: str) -> None:
        """Give the camera back."""
        with self._lock:
            camera = self._camera
            if camera is None or camera.game_id != game_id:
                return
            self._camera = None
        camera.stop()
        camera.join(timeout=5.0)
        self.hub.publish(game_id)

    def forget(self, game_id: str) -> None:
        """Stop, and delete every picture of a game."""
        self.stop(game_id)
        self.folder.forget(game_id)

    def of(self, game_id: str) -> Camera | None:
        """The camera of a game."""
        with self._lock:
            camera = self._camera
        return camera if camera is not None and camera.game_id == game_id else None

    def view(self, game_id: str) -> Json | None:
        """What pages are told."""
        camera = self.of(game_id)
        return None if camera is None else camera.shown.as_json()

    def close(self) -> None:
        """The server stops."""
        camera = self._camera
        if camera is not None:
            camera.stop()
            camera.join(timeout=5.0)

    def _chosen(self, choice: Json) -> str:
        kind, number = choice["kind"], choice.get("number")
        if kind == "offered" and number is not None and 0 <= number < len(self.offered):
            return self.offered[number]
        if kind == "camera" and number is not None:
            return str(number)
        address = choice.get("address") or ""
        if kind == "address" and STREAMS.match(address):
            return str(address)
        raise Problem("no_camera")


def label_of(text: str) -> str:
    """What a page calls a source: a file's name or an address without its secrets, never a path."""
    if STREAMS.match(text):
        return text.split("://", 1)[1].rsplit("@", 1)[-1].split("/")[0]
    return Path(text).name or text
