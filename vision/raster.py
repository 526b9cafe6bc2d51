"""From the stored array to the picture a person sees: EXIF orientation, and shrinking."""

from __future__ import annotations

import struct

import cv2
import numpy as np

from vision.tiles import BgrImage

ORIENTATION, WIDTH, HEIGHT = 0x0112, 0x0100, 0x0101
_MOST_ENTRIES = 1000
_LONG = 4


def tag(block: bytes, wanted: int) -> int | None:
    """A number of the first directory of a TIFF or of a raw EXIF block, with or without its `Exif` prefix.

    `None` if it isn't there. Never raises: damaged metadata don't spoil a photo.
    """
    start = 6 if block[:4] == b"Exif" else 0
    order = {b"II": "<", b"MM": ">"}.get(block[start : start + 2])
    if order is None:
        return None
    try:
        (directory,) = struct.unpack_from(order + "I", block, start + 4)
        (count,) = struct.unpack_from(order + "H", block, start + directory)
        for entry in range(min(count, _MOST_ENTRIES)):
            at = start + directory + 2 + 12 * entry
            found, kind = struct.unpack_from(order + "HH", block, at)
            if found == wanted:
                (value,) = struct.unpack_from(order + ("I" if kind == _LONG else "H"), block, at + 8)
                return int(value)
    except struct.error:
        pass
    return None


def orientation(block: bytes) -> int:
    """The orientation (1..8) in a TIFF or a raw EXIF block; 1 if it can't be found."""
    value = tag(block, ORIENTATION)
    return value if value is not None and 1 <= value <= 8 else 1


def swaps_sides(turn: int) -> bool:
    """True if width and height change places under this orientation."""
    return turn >= 5


def turned(image: BgrImage, turn: int) -> BgrImage:
    """The stored picture as a person sees it, under EXIF orientation 1..8."""
    if turn == 2:
        return np.asarray(cv2.flip(image, 1), np.uint8)
    if turn == 3:
        return np.asarray(cv2.rotate(image, cv2.ROTATE_180), np.uint8)
    if turn == 4:
        return np.asarray(cv2.flip(image, 0), np.uint8)
    if turn == 5:
        return np.asarray(cv2.transpose(image), np.uint8)
    if turn == 6:
        return np.asarray(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE), np.uint8)
    if turn == 7:
        return np.asarray(cv2.rotate(cv2.transpose(image), cv2.ROTATE_180), np.uint8)
    if turn == 8:
        return np.asarray(cv2.rotate(image, cv2.ROTATE_90_COUNTERCLOCKWISE), np.uint8)
    return image


def shrunk(image: BgrImage, factor: int) -> BgrImage:
    """The picture at 1/`factor` of its size, each pixel the mean of what it covers; sides rounded up."""
    if factor == 1:
        return image
    height, width = image.shape[:2]
    size_wh = -(-width // factor), -(-height // factor)
    return np.asarray(cv2.resize(image, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
