"""JPEG: what the markers say, and decoding at the codec's own speed.

The markers are walked once, without decoding: size, orientation, colour components and where the picture's
data end. OpenCV decodes; Pillow, the same codec at half the speed, takes what OpenCV gets wrong.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image, ImageChops

from vision import raster
from vision.decoder_words import listening
from vision.errors import ImageUnreadable
from vision.tiles import BgrImage

_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_PROGRESSIVE = frozenset({0xC2, 0xC6, 0xCA, 0xCE})
_BETWEEN_SCANS = frozenset({0xC4, 0xCC, 0xDA, 0xDB, 0xDC, 0xDD, *range(0xE0, 0xF0), 0xFE})
_STANDS_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
_START_OF_SCAN, _END = 0xDA, 0xD9
_END_MARK = b"\xff\xd9"
_MARKER = re.compile(rb"\xff([^\x00\xff])", re.DOTALL)
# In the data of a scan FF 00 is a byte and FF D0..D7 are restart marks: anything else ends the scan.
_MARKER_IN_SCAN = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])", re.DOTALL)
_MOST_SCANS = 200
_FLAGS = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
# What the codec says of data that it could not follow; it paints the rest of them grey, or guesses.
_DAMAGE = (b"Corrupt JPEG data",)
# Data that no encoder wrote, to stand where rows may be missing.
_NOISE = bytes((i * i * 7 + i * 131 + 89) % 251 for i in range(4096))


@dataclass(slots=True)
class JpegHeader:
    """What the markers say. `size_wh` is as stored; the picture's data are `data[:end]`.

    `interleaved`: all colours come in one scan. `ended`: an end mark stands where the data end.
    """

    size_wh: tuple[int, int] = (0, 0)
    components: int = 0
    progressive: bool = False
    interleaved: bool = False
    adobe: bool = False
    turn: int = 1
    end: int = 0
    ended: bool = False


def parse(data: bytes) -> JpegHeader | None:
    """Walk the markers; `None` if no picture stands behind them (no size, or no scan)."""
    header, seen_exif, at = JpegHeader(), False, 2
    while match := _MARKER.search(data, at):
        code, at = match[1][0], match.end()
        if code in _STANDS_ALONE:
            continue
        length = max(2, int.from_bytes(data[at : at + 2], "big"))
        if code == _START_OF_SCAN:
            header.interleaved = not header.progressive and data[at + 2 : at + 3] == bytes([header.components])
            _find_end(header, data, at)
            return header if min(header.size_wh) > 0 else None
        body = data[at + 2 : at + length]
        if code in _SIZES and len(body) >= 6:
            header.size_wh = int.from_bytes(body[3:5], "big"), int.from_bytes(body[1:3], "big")
            header.components, header.progressive = body[5], code in _PROGRESSIVE
        elif code == 0xE1 and not seen_exif and body[:4] == b"Exif":
            header.turn, seen_exif = raster.orientation(body), True
        elif code == 0xEE and body[:5] == b"Adobe":
            header.adobe = True
        at += length
    return None


def _find_end(header: JpegHeader, data: bytes, at: int) -> None:
    """Set `end` and `ended`; `at` stands behind the first start-of-scan mark.

    A film or a second picture may follow the end mark, and a thumbnail with its own came before.
    """
    scans = 1
    while match := _MARKER_IN_SCAN.search(data, at + int.from_bytes(data[at : at + 2], "big")):
        code, at = match[1][0], match.end()
        if code == _END:
            header.end, header.ended = at, True
            return
        scans += code == _START_OF_SCAN
        if header.interleaved or code not in _BETWEEN_SCANS or scans > _MOST_SCANS:
            header.end = match.start()
            return
    # No end mark. Zeros at the end are room that a broken transfer never filled.
    header.end = len(data.rstrip(b"\0"))


@dataclass(slots=True)
class JpegPicture:
    """A JPEG whose markers were read. `size_wh` and the arrays are as stored, before `turn` is applied.

    `damaged`: the decoder found a hole in the data, so that a part of the picture is not as it was taken. Known
    once the picture was decoded.
    """

    data: bytes
    header: JpegHeader
    damaged: bool = False

    @property
    def size_wh(self) -> tuple[int, int]:
        """Stored width and height, px."""
        return self.header.size_wh

    @property
    def turn(self) -> int:
        """EXIF orientation, 1..8."""
        return self.header.turn

    def decode(self, factor: int) -> BgrImage:
        """The picture at 1/`factor` (1, 2, 4 or 8) of its size, sides rounded up. Raises `ImageUnreadable`."""
        data = self.data
        if not self.header.ended:
            if not self._holds_all_rows():
                raise ImageUnreadable.of("cut_short")
            data = data[: self.header.end] + _END_MARK
        image = None if self.header.components == 4 else self._by_opencv(data, factor)
        if image is None:
            return self._by_pillow(data, factor)
        # Rows that are missing before an end mark come out as this grey. Grey photos exist too.
        if self.header.ended and bool((image[-4:, -4:] == 128).all()) and not self._holds_all_rows():
            raise ImageUnreadable.of("cut_short")
        return image

    def _holds_all_rows(self) -> bool:
        """Whether the decoder has every block by the time the data end: then what follows changes nothing.

        At an eighth of the size, where each block still shows; a progressive picture also lacks what its last
        scans would add, which shows at full size only.
        """
        end = self.header.end - (len(_END_MARK) if self.header.ended else 0)
        body = self.data[:end].rstrip(b"\xff")
        factor = 1 if self.header.progressive else 8
        try:
            nothing = _pillow(body + _END_MARK, factor)
            noise = _pillow(body + _NOISE + _END_MARK, factor)
        except Exception:  # Pillow raises nearly anything on damaged data
            return False
        return np.array_equal(np.asarray(nothing), np.asarray(noise))

    def _by_opencv(self, data: bytes, factor: int) -> BgrImage | None:
        with listening(_DAMAGE) as words:
            image = _opencv(data, factor)
        self.damaged = self.damaged or bool(words.lines)
        return image

    def _by_pillow(self, data: bytes, factor: int) -> BgrImage:
        try:
            image = _pillow(data, 1)
        except Exception as error:  # see above
            raise ImageUnreadable.of("damaged") from error
        if image.mode == "CMYK" and not self.header.adobe:
            # Pillow takes all inks for inverted, as Adobe writes them; without Adobe's mark they are not.
            image = ImageChops.invert(image)
        pixels = cv2.cvtColor(np.asarray(image.convert("RGB")), cv2.COLOR_RGB2BGR)
        return raster.shrunk(np.asarray(pixels, np.uint8), factor)


def _opencv(data: bytes, factor: int) -> BgrImage | None:
    try:
        # Orientation is ours to apply: OpenCV's versions differ in when they do.
        image = cv2.imdecode(np.frombuffer(data, np.uint8), _FLAGS[factor] | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


def _pillow(data: bytes, factor: int) -> Image.Image:
    image = Image.open(io.BytesIO(data), formats=("JPEG",))
    if factor > 1:
        image.draft(None, (max(1, image.width // factor), max(1, image.height // factor)))
    image.load()
    return image
