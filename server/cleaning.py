"""Cutting everything but the picture out of a photo before it first touches the disk.

A phone writes where and when a photo was taken and by which device beside the pixels, often with a small copy and
a few seconds of film behind them. None of it is kept: neither while a photo waits nor when it can't be read.
"""

from __future__ import annotations

import re
import threading

import cv2

from vision import jpeg, stills
from vision.image import open_image

_MARKER = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])", re.DOTALL)
_JFIF, _EXIF, _ADOBE, _COMMENT = 0xE0, 0xE1, 0xEE, 0xFE
_NOTES = frozenset(range(0xE0, 0xF0)) | {_COMMENT}
_START_OF_SCAN, _END = 0xDA, 0xD9
_one_at_a_time = threading.Lock()
"""Unpacking takes memory: a photo that has to be written anew waits for the one before."""


def cleaned(data: bytes) -> bytes:
    """The same picture without notes: a JPEG's data as they are, every other kind written anew without loss.

    Raises `ImageUnreadable` if a kind other than JPEG can't be unpacked. `data` was opened before, so it is a
    picture of a size that is taken.
    """
    if stills.kind_of(data) == "JPEG":
        header = jpeg.parse(data)
        assert header is not None, "the picture was opened before"
        return _without_notes(data[: header.end], header.turn)
    with _one_at_a_time:
        done, written = cv2.imencode(".png", open_image(data).full(), [cv2.IMWRITE_PNG_COMPRESSION, 1])
    if not done:
        raise OSError("the photo could not be written anew")
    return written.tobytes()


def _without_notes(data: bytes, turn: int) -> bytes:
    """A JPEG without application segments and comments; what holds it upright is written anew."""
    parts = [data[:2]]
    if turn != 1:
        parts.append(_upright(turn))
    at, scanning = 2, False
    while (match := _MARKER.search(data, at)) is not None:
        code, start = match[1][0], match.start()
        if scanning:
            parts.append(data[at:start])  # the picture itself; between other segments lies filling
        if code == _END:
            parts.append(data[start : match.end()])
            return b"".join(parts)
        end = match.end() + max(2, int.from_bytes(data[match.end() : match.end() + 2], "big"))
        if code not in _NOTES or _needed(code, data[match.end() + 2 : end]):
            parts.append(data[start:end])
            scanning = code == _START_OF_SCAN
        at = end
    parts.append(data[at:])  # the file ends within the picture
    return b"".join(parts)


def _needed(code: int, body: bytes) -> bool:
    """How colours are stored. The plain form only, which has no room for anything else."""
    if code == _JFIF:
        return body[:5] == b"JFIF\0" and len(body) == 14
    return code == _ADOBE and body[:5] == b"Adobe" and len(body) == 12


def _upright(turn: int) -> bytes:
    """An EXIF segment that says nothing but how the photo is held."""
    entry = b"\x01\x12\x00\x03\x00\x00\x00\x01" + turn.to_bytes(2, "big") + b"\0\0"
    body = b"Exif\0\0MM\0*\0\0\0\x08\0\x01" + entry + b"\0\0\0\0"
    return bytes([0xFF, _EXIF]) + (len(body) + 2).to_bytes(2, "big") + body
