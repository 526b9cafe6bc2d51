"""What the routes work with. Built once by `open_services`, handed to `create_app`, closed at the end."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from server.access import JoinBrake, Viewer
from server.camera import OpenReader
from server.cameras import Cameras, OpenSource
from server.drafts import Drafts
from server.following import TableSession
from server.live import Hub
from server.photos import PhotoFolder, Photos, ReadPhoto
from server.pictures import PictureFolder
from server.seating import Seating
from server.session import Evenings
from server.settings import Settings
from server.sources import open_source
from server.store import Ledger, Store
from server.views import state


@dataclass(frozen=True, slots=True)
class Services:
    """All collaborators of the application."""

    settings: Settings
    store: Store
    hub: Hub
    evenings: Evenings
    seating: Seating
    drafts: Drafts
    tables: TableSession
    photos: Photos
    cameras: Cameras
    brake: JoinBrake
    model: dict[str, Any]
    """Id and version of the model that reads photos."""
    ways_in: list[str] = field(default_factory=list)
    """Web addresses for phones, best first."""

    def state(self, viewer: Viewer) -> dict[str, Any]:
        """What a device is shown of its game now."""

        def work(ledger: Ledger) -> dict[str, Any]:
            evening = self.evenings.current(viewer.member.game_id, ledger)
            return {**state(viewer, ledger, self.photos, self.hub, evening),
                    "camera": self.cameras.view(evening.id), "lent": self.cameras.lent(evening.id)}

        return self.store.read(work)

    def close(self) -> None:
        """Stop watching and reading, then close the database."""
        self.cameras.close()
        self.photos.close()
        self.store.close()


def open_services(
    settings: Settings,
    read: ReadPhoto,
    reader: OpenReader,
    executor: Callable[[], Executor],
    model: dict[str, Any],
    ways_in: list[str] | None = None,
    now_s: Callable[[], float] = time.monotonic,
    source: OpenSource = open_source,
) -> Services:
    """Open the data folder and put everything together; photos left unread are read now."""
    settings.data.mkdir(parents=True, exist_ok=True)
    store = Store(settings.database)
    hub = Hub()
    evenings = Evenings(store, hub)
    photos = Photos(evenings, PhotoFolder(settings.photo_folder), read, executor, settings.photos)
    photos.sweep(datetime.now(UTC))
    photos.resume()
    tables = TableSession(evenings)
    cameras = Cameras(tables, evenings, PictureFolder(settings.picture_folder), reader, settings.cameras, source)
    cameras.resume()
    return Services(settings, store, hub, evenings, Seating(evenings), Drafts(evenings), tables, photos, cameras,
                    JoinBrake(settings.joining, now_s), model, ways_in or [])
