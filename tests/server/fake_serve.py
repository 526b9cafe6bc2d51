"""The application with the little reader of these tests, in a process that tests can kill.

    python -m tests.server.fake_serve DATA PORT [SECONDS A PHOTO TAKES]
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import uvicorn

from server.app import create_app
from server.reading import ReadJob, as_answer
from server.routes import live, pages
from server.services import Services, open_services
from server.settings import Settings
from server.shell import Shell, shell
from server.sources import FrameSource, open_source
from tests.server.camera_fakes import DrawnFilm, evening_film
from tests.server.looking_fakes import LookingReader
from tests.server.pictures import BandReader

FILM = "Table film"
"""What a camera shows here."""


def services(settings: Settings, slow_s: float = 0.0, ways_in: list[str] | None = None) -> Services:
    """Everything real but the reader."""
    reader = BandReader(slow_s=slow_s)

    def read(job: ReadJob) -> dict[str, object]:
        return as_answer(job, reader)

    seeing = LookingReader(evening_film())

    def source(text: str) -> FrameSource:
        return DrawnFilm(seeing.film, seeing) if text == FILM else open_source(text)

    return open_services(
        replace(settings, cameras=(FILM,)), read, lambda: seeing, lambda: ThreadPoolExecutor(1),
        {"id": reader.model_id}, ways_in, source=source,
    )


def as_updated(version: str) -> None:
    """Serve the same shell under another version, as after an update."""
    known = shell()
    updated = Shell(version, known.paths, known.page.replace(known.version, version),
                    known.worker.replace(known.version, version))
    for module in (pages, live):
        module.shell = lambda: updated  # type: ignore[attr-defined]


def main() -> None:
    """Serve until killed."""
    data, port = Path(sys.argv[1]), int(sys.argv[2])
    slow_s = float(sys.argv[3]) if len(sys.argv) > 3 else 0.0
    settings = Settings(data=data, host="127.0.0.1", port=port)
    if "STATIONMASTER_TEST_SHELL" in os.environ:
        as_updated(os.environ["STATIONMASTER_TEST_SHELL"])
    app = create_app(services(settings, slow_s, [f"http://127.0.0.1:{port}", f"http://localhost:{port}"]))
    uvicorn.run(app, host=settings.host, port=port, log_level="warning")


if __name__ == "__main__":
    main()
