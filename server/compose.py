"""The composition root: the only module that opens the models (and, for those who serve, camera and database).

Everything is imported when it is opened, so that a command that needs none of it does not wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.services import Services
    from server.settings import Settings
    from server.watch_run import WatchRun
    from vision.reader import PhotoReader


def open_reader() -> PhotoReader:
    """The reader of photos with the models of this installation. Raises `ModelMissing` or `ModelCorrupt`."""
    from vision import model_store
    from vision.pipeline import OnnxPhotoReader

    models = model_store.load()
    files = {name: spec.path for name, spec in models.specs.items()}
    settings = {name: spec.settings for name, spec in models.specs.items()}
    return OnnxPhotoReader.load(files, settings, models.model_id)


def open_server(settings: Settings, ways_in: list[str]) -> Services:
    """Everything the web application works with; photos are read in processes of their own."""
    import multiprocessing
    from concurrent.futures import Executor, ProcessPoolExecutor

    from server.reading import open_in_process, read_in_process
    from server.services import open_services
    from vision import model_store

    models = model_store.load()  # here too, so that a missing model is said before anybody joins

    def executor() -> Executor:
        # Spawned, not forked: the server has threads, and Windows and macOS know no other way.
        pool = ProcessPoolExecutor(
            settings.reading_processes, multiprocessing.get_context("spawn"), open_in_process, (open_reader,)
        )
        pool.submit(int)  # starts a process now, so that the first photo finds the model loaded
        return pool

    return open_services(settings, read_in_process, open_reader, executor, {"id": models.model_id}, ways_in)


def open_watch(
    reader: PhotoReader, seats: tuple[str, ...], first: str | None, set_size: int = 12, free: bool = False
) -> WatchRun:
    """A watch of one table by the published rules, for whoever hands it pictures."""
    from engine.rules import Rules
    from server.watch_run import WatchRun
    from server.watching import WatchOptions

    return WatchRun(reader, WatchOptions(seats, first, Rules.of({"set_size": set_size}), free=free))
