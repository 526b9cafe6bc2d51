"""Pictures other than JPEG: PNG, WebP, GIF, BMP, TIFF and AVIF by Pillow, HEIC by pillow-heif.

Each is opened without decoding, so that its size can be refused first.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import re
import struct
import threading
import warnings
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from vision import raster
from vision.errors import ImageUnreadable
from vision.tiles import BgrImage

MAX_PIXELS = 120_000_000
# A black photo in the plainest JPEG unpacks to 192 times its weight. Under 16 megapixels nothing is refused:
# a flat picture of that size is no burden.
_MOST_RATIO = 200
_FREE_PIXELS = 16_000_000
_PNG_START = b"\x89PNG\r\n\x1a\n"
# Chunks without which a PNG looks different. Everything else (text, profiles, animation) may be damaged
# or unpack to gigabytes; the picture does not need it.
_PNG_NEEDED = frozenset({b"IHDR", b"PLTE", b"tRNS", b"IDAT"})
_DNG_VERSION = 50706
_HEIF_BRANDS = frozenset(b"heic heix heim heis hevc hevx hevm hevs mif1 msf1".split())
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_FILM_STARTS = (b"\x1aE\xdf\xa3", b"\x00\x00\x01\xba", b"FLV\x01")
_QUIET_LOCK = threading.Lock()


def kind_of(data: bytes) -> str | None:
    """The format by its first bytes: a Pillow format name, `HEIF`, `film`, or `None` if it is no picture."""
    if data[:3] == b"\xff\xd8\xff":
        return "JPEG"
    if data[:8] == _PNG_START:
        return "PNG"
    if data[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"):
        return "TIFF"
    if data[:6] in (b"GIF87a", b"GIF89a"):
        return "GIF"
    if data[:2] == b"BM" and data[6:10] == b"\0\0\0\0":
        return "BMP"
    if data[:4] == b"RIFF":
        return {b"WEBP": "WEBP", b"AVI ": "film"}.get(data[8:12])
    if data[4:8] == b"ftyp":
        brands = {data[8:12], *(data[at : at + 4] for at in range(16, min(len(data), data[3], 128), 4))}
        if brands & _AVIF_BRANDS:
            return "AVIF"
        return "HEIF" if brands & _HEIF_BRANDS else "film"
    return "film" if data.startswith(_FILM_STARTS) else None


@dataclass(frozen=True, slots=True)
class StillPicture:
    """An opened picture. `size_wh` and the arrays are as stored, before `turn` is applied.

    `image` is a Pillow or pillow-heif picture, or `None` for a TIFF that only OpenCV may know.
    """

    image: Any
    kind: str
    data: bytes
    size_wh: tuple[int, int]
    turn: int

    @property
    def damaged(self) -> bool:
        """Never: damage makes these kinds unreadable."""
        return False

    def decode(self, factor: int) -> BgrImage:
        """The picture at 1/`factor` of its size, sides rounded up. Raises `ImageUnreadable`."""
        full = self._full()
        if full.shape[:2] != self.size_wh[::-1]:
            raise ImageUnreadable.of("damaged")
        return raster.shrunk(full, factor)

    def _full(self) -> BgrImage:
        try:
            if self.kind == "HEIF":
                return _any_bgr(np.asarray(self.image), self.image.size[0])
            with _quiet():
                self.image.load()
                return _bgr(self.image)
        except Exception as error:  # decoders raise nearly anything on damaged data
            image = _tiff_by_opencv(self.data) if self.kind == "TIFF" else None
            if image is not None:
                return image
            raise ImageUnreadable.of("cut_short" if _says_cut(error) else "damaged") from error


def open_still(kind: str, data: bytes) -> StillPicture:
    """Open a picture of this kind (see `kind_of`) without decoding. Raises `ImageUnreadable`."""
    turn = 1
    if kind == "PNG":
        data, turn = _png_essentials(data)
    try:
        if kind == "HEIF":
            image = importlib.import_module("pillow_heif").open_heif(data, bgr_mode=True)
            # The container's own turn is applied by the codec; EXIF only repeats it there.
            return StillPicture(image, kind, data, image.size, 1)
        with _quiet():
            opened = Image.open(io.BytesIO(data), formats=(kind,))
    except Image.DecompressionBombError as error:
        raise _too_large(_pixels_in(str(error))) from error
    except Exception as error:  # see above
        width, height = raster.tag(data, raster.WIDTH), raster.tag(data, raster.HEIGHT)
        if kind == "TIFF" and width and height:
            return StillPicture(None, kind, data, (width, height), turn)
        raise ImageUnreadable.of("cut_short" if _says_cut(error) else "damaged") from error
    if kind == "TIFF":
        if _DNG_VERSION in getattr(opened, "tag_v2", ()):
            raise ImageUnreadable.of("is_raw")
    elif kind != "PNG":
        turn = _turn(opened)
    return StillPicture(opened, kind, data, opened.size, turn)


def check_size(size_wh: tuple[int, int], weight: int) -> None:
    """Refuse a picture that is too large, or too light (bytes) for its size. Raises `ImageUnreadable`."""
    pixels = size_wh[0] * size_wh[1]
    if min(size_wh) < 1:
        raise ImageUnreadable.of("damaged")
    if pixels > MAX_PIXELS:
        raise _too_large(pixels)
    ratio = 3 * pixels // max(1, weight)
    if pixels > _FREE_PIXELS and ratio > _MOST_RATIO:
        raise ImageUnreadable.of("bomb", ratio=ratio)


def _too_large(pixels: int) -> ImageUnreadable:
    # Rounded up, or 120.3 would be told off for being 120.
    return ImageUnreadable.of("too_large", megapixels=-(-pixels // 1_000_000), limit=MAX_PIXELS // 1_000_000)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Pillow's warnings about odd metadata are not for the person. One thread at a time: filters are global."""
    with _QUIET_LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _png_essentials(data: bytes) -> tuple[bytes, int]:
    """The PNG with only the chunks its picture needs, and its EXIF orientation. Raises `ImageUnreadable`."""
    parts, turn, at = [_PNG_START], 1, len(_PNG_START)
    while at + 8 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        name, end = data[at + 4 : at + 8], at + 12 + length
        if name == b"IEND":
            break
        if name in _PNG_NEEDED:
            if end > len(data):
                raise ImageUnreadable.of("cut_short")
            parts.append(data[at:end])
        elif name == b"eXIf":
            turn = raster.orientation(data[at + 8 : end - 4])
        at = end
    parts.append(struct.pack(">I4sI", 0, b"IEND", zlib.crc32(b"IEND")))
    return b"".join(parts), turn


def _turn(image: Image.Image) -> int:
    block = image.info.get("exif")
    return raster.orientation(block) if isinstance(block, bytes) else 1


def _bgr(image: Image.Image) -> BgrImage:
    """Any Pillow mode to BGR: 16 bits to their upper 8, transparent over white."""
    if image.mode.startswith(("I", "F")):
        return _grey(_eight_bits(np.asarray(image)))
    if image.mode in ("RGBA", "RGBa", "LA", "La", "PA") or "transparency" in image.info:
        pixels = np.asarray(image.convert("RGBA"))
        return _over_white(pixels[..., :3], pixels[..., 3:])[..., ::-1].copy()
    return np.asarray(cv2.cvtColor(np.asarray(image.convert("RGB")), cv2.COLOR_RGB2BGR), np.uint8)


def _any_bgr(pixels: npt.NDArray[Any], width: int) -> BgrImage:
    """Grey, BGR or BGR with alpha, of any depth; rows may be padded beyond `width`."""
    pixels = _eight_bits(pixels)[:, :width]
    if pixels.ndim == 2 or pixels.shape[2] == 1:
        return _grey(np.ascontiguousarray(pixels.reshape(pixels.shape[:2])))
    if pixels.shape[2] == 4:
        return _over_white(pixels[..., :3], pixels[..., 3:])
    return np.ascontiguousarray(pixels)


def _grey(pixels: npt.NDArray[np.uint8]) -> BgrImage:
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR), np.uint8)


def _over_white(colour: npt.NDArray[np.uint8], alpha: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """(h, w, 3) over white by (h, w, 1). Some writers leave an alpha of zeros that nobody is meant to use."""
    if int(alpha.min(initial=255)) == 255 or not alpha.any():
        return np.ascontiguousarray(colour)
    share = alpha.astype(np.uint16)
    return ((colour * share + 255 * (255 - share) + 127) // 255).astype(np.uint8)


def _eight_bits(pixels: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Wider samples to bytes. Floats run to 1 or to 255, integers over 16 bits unless they say otherwise."""
    if pixels.dtype == np.uint8:
        return np.asarray(pixels, np.uint8)
    if pixels.dtype.kind == "f":
        finite = np.nan_to_num(pixels)
        return _bytes(finite * (255 if finite.max(initial=0) <= 1 else 1))
    highest = int(pixels.max(initial=0))
    if pixels.dtype != np.uint16 and highest <= 255:
        return _bytes(pixels)
    shift = 8 if highest <= 65535 else 16 if highest < 1 << 24 else 24
    return _bytes(pixels >> shift)


def _bytes(pixels: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    return np.asarray(np.clip(pixels, 0, 255), np.uint8)


def _tiff_by_opencv(data: bytes) -> BgrImage | None:
    """Kinds of TIFF that Pillow lacks (floats in colour, planes), turned as Pillow turns TIFF."""
    # On a damaged file OpenCV prints lines of its own, which are not for the person.
    with _QUIET_LOCK:
        level = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
        except cv2.error:
            return None
        finally:
            cv2.utils.logging.setLogLevel(level)
    if image is None:
        return None
    return raster.turned(_any_bgr(np.asarray(image), image.shape[1]), raster.orientation(data))


def _says_cut(error: Exception) -> bool:
    text = str(error).lower()
    return isinstance(error, EOFError) or "truncated" in text or "end of file" in text


def _pixels_in(text: str) -> int:
    """The size that Pillow refused, from its sentence."""
    match = re.search(r"\d+", text)
    return int(match[0]) if match else 0
