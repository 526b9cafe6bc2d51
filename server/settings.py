"""Settings of the server: one typed tree; each field says what it is, its unit and its bounds."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from server.errors import UsageError


def default_data_folder() -> Path:
    """Where this system keeps a user's application data."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "Stationmaster"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Stationmaster"
    return Path(os.environ.get("XDG_DATA_HOME", home / ".local" / "share")) / "stationmaster"


@dataclass(frozen=True, slots=True)
class PhotoLimits:
    """What is taken as a photo."""

    bytes: int = 30_000_000
    """Largest upload, in bytes."""
    pixels: int = 120_000_000
    """Largest picture, in pixels; a larger one is refused before it is decoded."""
    waiting: int = 64
    """Photos that may wait to be read; further ones are asked to come back."""
    per_game: int = 600
    """Photos kept for one evening."""
    loose_days: int = 2
    """Days for which a hand that was counted on its own is kept."""


@dataclass(frozen=True, slots=True)
class JoinLimits:
    """How often codes may be tried, so that nobody finds a game by guessing."""

    attempts: int = 20
    """Wrong codes allowed for one address within the window."""
    window_s: float = 300.0
    """Length of the window, in seconds."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set."""

    data: Path = field(default_factory=default_data_folder)
    """Folder of the database and the photos."""
    host: str = "0.0.0.0"
    """Address to listen on."""
    port: int = 8000
    """Port to listen on, 1 to 65535 (0: any free one)."""
    https: bool = False
    """Serve with the local certificate."""
    cameras: tuple[str, ...] = ()
    """Sources of pictures that a host may choose from: cameras, streams, films, folders."""
    reading_processes: int = 1
    """Photos read at the same time, at least 1."""
    photos: PhotoLimits = field(default_factory=PhotoLimits)
    joining: JoinLimits = field(default_factory=JoinLimits)

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise UsageError(f"--port {self.port}: a port lies between 1 and 65535")
        if self.reading_processes < 1:
            raise UsageError("at least one photo must be read at a time")

    @property
    def scheme(self) -> str:
        """How addresses of this server begin."""
        return "https" if self.https else "http"

    @property
    def database(self) -> Path:
        """The database file."""
        return self.data / "stationmaster.db"

    @property
    def lock(self) -> Path:
        """The file that the server holds while it works in the folder."""
        return self.data / "stationmaster.lock"

    @property
    def picture_folder(self) -> Path:
        """Folder of the pictures of tables."""
        return self.data / "pictures"

    @property
    def photo_folder(self) -> Path:
        """Folder of the photos."""
        return self.data / "photos"
