"""The only decoder: a path or bytes to `BgrImage`, as a person sees the photo, EXIF applied to both.

Reads JPEG, PNG, HEIC, WebP, TIFF, GIF, BMP and AVIF; of animated files the first picture. What can't be read
raises `ImageUnreadable` with one clear sentence (without the file's name, which bytes don't have).
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import Protocol

from vision import jpeg, raster, stills
from vision.errors import ImageUnreadable
from vision.tiles import BgrImage

ImageInput = str | os.PathLike[str] | bytes | bytearray | memoryview

FACTORS = (1, 2, 4, 8)
MAX_BYTES = 1_000_000_000
# What a phone, a camera or a messenger calls a photo that can be read.
ENDINGS = frozenset(
    {".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".apng", ".heic", ".heif", ".hif", ".webp", ".tif", ".tiff"}
    | {".gif", ".bmp", ".avif"}
)
_HEAD_BYTES = 64


class _Picture(Protocol):
    """A picture that was opened but not decoded; everything as stored, before `turn` (EXIF, 1..8)."""

    @property
    def size_wh(self) -> tuple[int, int]: ...
    @property
    def turn(self) -> int: ...
    @property
    def damaged(self) -> bool: ...
    def decode(self, factor: int) -> BgrImage: ...


class ImageSource:
    """A photo that was opened: its size is known, its pixels are decoded when asked for, once.

    Arrays are shared between callers: draw on a copy.
    """

    def __init__(self, picture: _Picture) -> None:
        self._picture = picture
        self._decoded: dict[int, BgrImage] = {}

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height as a person sees the photo, px."""
        width, height = self._picture.size_wh
        return (height, width) if raster.swaps_sides(self._picture.turn) else (width, height)

    @property
    def damaged(self) -> bool:
        """The file has a hole, and a part of the picture is not as it was taken. Known once pixels were asked for."""
        return self._picture.damaged

    def full(self) -> BgrImage:
        """The whole photo. Raises `ImageUnreadable`."""
        return self.reduced(1)

    def reduced(self, factor: int) -> BgrImage:
        """The photo at 1/`factor` of its size (1, 2, 4 or 8), sides rounded up. Raises `ImageUnreadable`.

        A JPEG is decoded at that size, at 1/8 in a quarter of the time, unless the whole photo is there
        already: shrinking that takes a few ms.
        """
        if factor not in FACTORS:
            raise ValueError(f"factor {factor}: one of {FACTORS}")
        image = self._decoded.get(factor)
        if image is None:
            full = self._decoded.get(1)
            if full is None:
                image = raster.turned(self._picture.decode(factor), self._picture.turn)
            else:
                image = raster.shrunk(full, factor)
            self._decoded[factor] = image
        return image


def open_image(source: ImageInput) -> ImageSource:
    """Open a photo given as path or bytes; sizes and kinds that can't be read are refused here, undecoded.

    Raises `ImageUnreadable`; damage further in shows when the pixels are asked for.
    """
    data = _bytes_of(source)
    kind = stills.kind_of(data)
    if kind is None or kind == "film":
        raise ImageUnreadable.of("not_a_picture" if kind is None else "is_film")
    picture: _Picture
    if kind == "JPEG":
        header = jpeg.parse(data)
        if header is None:
            raise ImageUnreadable.of("damaged")
        picture, weight = jpeg.JpegPicture(data, header), header.end
    else:
        still = stills.open_still(kind, data)
        picture, weight = still, len(still.data)
    stills.check_size(picture.size_wh, weight)
    return ImageSource(picture)


def read_image(source: ImageInput) -> BgrImage:
    """The whole photo. Raises `ImageUnreadable`."""
    return open_image(source).full()


def pictures_in(folder: str | os.PathLike[str]) -> list[Path]:
    """The pictures that lie in a folder (not in its sub-folders), in natural name order: 2 before 10.

    Hidden and helper files, films and all other kinds are passed over. Raises `ImageUnreadable` if the folder
    can't be listed.
    """
    try:
        with os.scandir(folder) as entries:
            found = [Path(entry.path) for entry in entries if _is_picture(entry)]
    except OSError as error:
        raise _disk_fault(error) from error
    return sorted(found, key=lambda path: natural_key(path.name))


_NaturalParts = tuple[tuple[int, int, str], ...]


def natural_key(name: str) -> tuple[_NaturalParts, _NaturalParts, str]:
    """Sorts file names as people number them, the ending last: photo, photo2, photo10."""
    stem, ending = os.path.splitext(name)
    return _parts(stem), _parts(ending), name


def _parts(text: str) -> _NaturalParts:
    found = re.findall(r"(\d+)|(\D+)", text.casefold())
    return tuple((0, int(digits), "") if digits else (1, 0, letters) for digits, letters in found)


def _is_picture(entry: os.DirEntry[str]) -> bool:
    name = entry.name
    return not name.startswith((".", "~")) and Path(name).suffix.lower() in ENDINGS and entry.is_file()


def _bytes_of(source: ImageInput) -> bytes:
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
    elif not os.fspath(source):  # a path would take it for the folder that one is in
        raise ImageUnreadable.of("no_name")
    else:
        data = _read_file(Path(source))
    if not data:
        raise ImageUnreadable.of("empty")
    if len(data) > MAX_BYTES:
        raise ImageUnreadable.of("too_heavy", limit=MAX_BYTES // 1_000_000)
    return data


def _read_file(path: Path) -> bytes:
    """The file's bytes; one that is no picture is not read beyond its head."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise ImageUnreadable.of("is_folder")
        if not stat.S_ISREG(mode):  # a pipe would wait for a writer, and a device may never end
            raise ImageUnreadable.of("not_a_file")
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
            # A film may weigh gigabytes; its head is enough to say what it is.
            if stills.kind_of(head) in (None, "film"):
                return head
            return head + file.read(MAX_BYTES + 1 - len(head))
    except (OSError, ValueError) as error:
        raise _disk_fault(error) from error


def _disk_fault(error: Exception) -> ImageUnreadable:
    if isinstance(error, FileNotFoundError):
        return ImageUnreadable.of("no_such_file")
    if isinstance(error, PermissionError):
        return ImageUnreadable.of("no_permission")
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return ImageUnreadable.of("disk_failed", reason=reason)
