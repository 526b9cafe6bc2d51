"""The camera that follows a table: chosen, lent to one game at a time, and taken up again after a restart.

A client chooses among what the person at the server offered, a camera's number, a stream's address, and cameras of
devices that joined; it never names a file.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from server import devices
from server.access import Viewer
from server.camera import Camera, NotLive, OpenReader, Origin, Work
from server.following import TableSession
from server.page_camera import PageCameras
from server.pictures import PictureFolder
from server.problems import Problem
from server.session import Evenings
from server.sources import STREAMS, FrameSource, open_source
from server.store import Ledger

Json = dict[str, Any]
OpenSource = Callable[[str], FrameSource]

CAMERAS = 4
PAGE = "page"
RESUMED_WITHIN = timedelta(hours=12)
"""A camera is not switched on again, without anybody asking, for an evening that is long over."""


@dataclass(slots=True)
class Cameras:
    """The camera in use. `offered`: sources that the person at the server named."""

    tables: TableSession
    evenings: Evenings
    folder: PictureFolder
    reader: OpenReader
    offered: Sequence[str] = ()
    source: OpenSource = open_source
    pages: PageCameras = field(init=False)
    _camera: Camera | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.pages = PageCameras(self.evenings.hub.publish)

    # -- choosing ---------------------------------------------------------------------------------------

    def choices(self, viewer: Viewer) -> list[Json]:
        """What may be chosen, without any path."""
        game_id = viewer.member.game_id
        seats = {member.id: member.seat for member in self.evenings.store.read(lambda kept: kept.members(game_id))}
        named = [{"kind": "offered", "number": number, "label": label_of(text)}
                 for number, text in enumerate(self.offered)]
        lent = [{"kind": PAGE, "member": member, "seat": seats.get(member), "label": ""}
                for member in self.pages.offers(game_id) if member != viewer.member.id]
        own = [{"kind": "camera", "number": number, "label": str(number)}
               for number in devices.may_be_there(CAMERAS)]
        return [*lent, *named, *own]

    def start(self, game_id: str, choice: Json) -> None:
        """Watch with a source of that choice; whoever had a camera gives it back."""
        if choice["kind"] == PAGE:
            self.pages.check_offered(game_id, choice["member"])
        origin = self._origin(game_id, choice)
        kept = {key: value for key, value in choice.items() if value is not None}

        def keep(ledger: Ledger) -> None:
            if self.evenings.current(game_id, ledger).rules.has_side_lines:
                raise Problem("side_lines")
            ledger.set_camera(game_id, kept, self.evenings.now())

        self.evenings.store.write(keep)
        self._begin(game_id, origin)

    def resume(self) -> None:
        """After a restart: take up the camera that was in use."""
        found = self.evenings.store.read(lambda ledger: ledger.camera())
        if found is None:
            return
        game_id, choice, at = found
        try:
            origin = self._origin(game_id, choice)
            last = max([at, *(change.at for change in self.evenings.current(game_id).log[-1:])])
            fresh = datetime.fromisoformat(self.evenings.now()) - datetime.fromisoformat(last) < RESUMED_WITHIN
        except Problem:
            fresh = False
        if not fresh:
            self._drop(game_id)
            return
        self._begin(game_id, Origin(origin.label, self._still_live(origin), origin.hidden, origin.by, patient=True))

    def _still_live(self, origin: Origin) -> Callable[[], FrameSource]:
        """A film that was being watched would begin anew: only what shows the table as it is now is taken up."""

        def opened() -> FrameSource:
            source = origin.open()
            if not source.live:
                source.close()
                raise NotLive
            return source

        return opened

    def _begin(self, game_id: str, origin: Origin) -> None:
        work = Work(self.reader, self.tables, self.evenings, self.folder, self._drop)
        with self._lock:
            before = self._camera
            camera = Camera(game_id, origin, work)
            self._camera = camera
        if before is not None:
            before.stop()
            before.join(timeout=5.0)
            self.evenings.hub.publish(before.game_id)
        camera.start()
        self.evenings.hub.publish(game_id)

    # -- giving back ------------------------------------------------------------------------------------

    def stop(self, game_id: str) -> None:
        """Give the camera back."""
        with self._lock:
            camera = self._camera
            if camera is None or camera.game_id != game_id:
                return
            self._camera = None
        self._drop(game_id)
        camera.stop()
        camera.join(timeout=5.0)
        self.evenings.hub.publish(game_id)

    def _drop(self, game_id: str) -> None:
        """Nothing to take up again after a restart."""
        self.evenings.store.write(lambda ledger: ledger.drop_camera(game_id))

    def forget(self, game_id: str) -> None:
        """Stop, and delete every picture of a game."""
        self.stop(game_id)
        self.folder.forget(game_id)

    def close(self) -> None:
        """The server stops; what was chosen is taken up when it starts again."""
        camera = self._camera
        if camera is not None:
            camera.stop()
            camera.join(timeout=5.0)

    # -- looking ----------------------------------------------------------------------------------------

    def of(self, game_id: str) -> Camera | None:
        """The camera of a game."""
        with self._lock:
            camera = self._camera
        return camera if camera is not None and camera.game_id == game_id else None

    def view(self, game_id: str) -> Json | None:
        """What pages are told."""
        camera = self.of(game_id)
        return None if camera is None else camera.shown.as_json()

    def lent(self, game_id: str) -> list[str]:
        """Devices that offer their camera and are not asked for pictures."""
        camera = self.of(game_id)
        by = None if camera is None else camera.shown.by
        return [member for member in self.pages.offers(game_id) if member != by]

    def _origin(self, game_id: str, choice: Json) -> Origin:
        if choice["kind"] == PAGE and choice.get("member"):
            member = str(choice["member"])
            return Origin("", lambda: self.pages.source(game_id, member), by=member)
        text = self._text(choice)
        return Origin(label_of(text), lambda: self.source(text), hidden=text)

    def _text(self, choice: Json) -> str:
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
