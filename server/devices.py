"""A camera set up to watch a table: compressed frames at full size, the newest only, and an exposure that stays.

A camera that exposes by itself answers every hand with another brightness, and under lamps on the mains its picture
beats. So it finds its exposure, and is then held at the nearest whole number of the lamps' half waves; when the light
changes for good it finds it anew. What a driver refuses is left as it is.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np

from vision.tiles import BgrImage

WIDTH, HEIGHT = 1920, 1080
MAINS_HZ = (50, 60)

_SETTLING = 20
"""Frames in which a camera finds its exposure."""
_WRONG_FOR = 8
"""Frames looked at, too dark or too bright, after which it looks for it again."""
_DARK, _BRIGHT = 14.0, 238.0
_UNITS_A_S = 10_000
"""Video4Linux counts exposure in tenths of a millisecond. Other systems count in steps too coarse to be held."""
_AUTOMATIC, _BY_HAND = 3.0, 1.0


class Capture(Protocol):
    """What OpenCV's capture offers, as far as it is used."""

    def grab(self) -> bool:
        """Take the next frame, without decoding it."""

    def retrieve(self) -> tuple[bool, Any]:
        """The frame that was taken."""

    def release(self) -> None:
        """Give the device back."""


class Device(Capture, Protocol):
    """A capture with settings, numbered as OpenCV numbers them."""

    def isOpened(self) -> bool:  # noqa: N802  # OpenCV's name
        """It belongs to us."""

    def get(self, setting: int) -> float:
        """A setting as it is."""

    def set(self, setting: int, value: float) -> bool:
        """Change a setting; false if the driver refuses."""


def open_camera(
    number: int, mains_hz: int = 50, opener: Callable[[int], Device] = cv2.VideoCapture, linux: bool | None = None
) -> Capture | None:
    """The camera of that number, set up; `None` if it does not open or brings no picture."""
    on_linux = sys.platform.startswith("linux") if linux is None else linux
    if opener is cv2.VideoCapture and on_linux and not is_there(number):
        return None  # OpenCV would complain at length
    device = opener(number)
    if not device.isOpened():
        return None
    # The format first: at full size a camera sends five uncompressed frames a second.
    device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    device.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
    device.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
    device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    if not device.grab() or not device.retrieve()[0]:
        device.release()
        return None
    return HeldCamera(device, mains_hz) if on_linux else device


def is_there(number: int) -> bool:
    """The system knows a camera of that number, whoever uses it."""
    return os.path.exists(f"/dev/video{number}")


def may_be_there(most: int, linux: bool | None = None) -> list[int]:
    """Numbers below `most` under which a camera may be found: elsewhere than on Linux only opening one would tell."""
    on_linux = sys.platform.startswith("linux") if linux is None else linux
    return [number for number in range(most) if not on_linux or is_there(number)]


def held_exposure(found: float, mains_hz: int) -> float:
    """The whole number of the lamps' half waves that is nearest to an exposure, in Video4Linux units; at least one."""
    half_wave = _UNITS_A_S / (2 * mains_hz)
    return float(round(max(1, round(found / half_wave)) * half_wave))


@dataclass(slots=True)
class HeldCamera:
    """A camera whose exposure is held."""

    device: Device
    mains_hz: int
    _frames: int = 0
    _wrong: int = 0
    _held: bool = False

    def __post_init__(self) -> None:
        self.device.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTOMATIC)

    def grab(self) -> bool:
        """Take the next frame, without decoding it."""
        self._frames += 1
        if not self._held and self._frames >= _SETTLING:
            self._hold()
        return self.device.grab()

    def retrieve(self) -> tuple[bool, Any]:
        """The frame that was taken."""
        good, image = self.device.retrieve()
        if good and image is not None:
            self._watch_light(np.asarray(image))
        return good, image

    def release(self) -> None:
        """Give the device back, exposing by itself as other programs expect."""
        self.device.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTOMATIC)
        self.device.release()

    def _watch_light(self, image: BgrImage) -> None:
        if not self._held:
            return
        light = float(image[::16, ::16].mean())
        self._wrong = 0 if _DARK < light < _BRIGHT else self._wrong + 1
        if self._wrong >= _WRONG_FOR:
            self._held, self._frames, self._wrong = False, 0, 0
            self.device.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTOMATIC)

    def _hold(self) -> None:
        self._held = True
        found = self.device.get(cv2.CAP_PROP_EXPOSURE)
        if found > 0 and self.device.set(cv2.CAP_PROP_AUTO_EXPOSURE, _BY_HAND):
            self.device.set(cv2.CAP_PROP_EXPOSURE, held_exposure(found, self.mains_hz))


def cameras(most: int = 10) -> list[tuple[int, BgrImage]]:
    """Cameras that open, each with a picture."""
    found = []
    for number in range(most):
        capture = open_camera(number)
        if capture is None:
            continue
        for _ in range(5):  # the first frames of many cameras are dark
            capture.grab()
        good, image = capture.retrieve()
        capture.release()
        if good:
            found.append((number, np.asarray(image)))
    return found
