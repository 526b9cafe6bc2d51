"""Cameras are set up in the order that drivers need, and their exposure is held."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from server import devices
from server.devices import HeldCamera, held_exposure, open_camera
from server.errors import UsageError
from server.sources import open_source


class FakeDevice:
    """A camera that takes down what it is told."""

    def __init__(self, opens: bool = True, works: bool = True, refuses: tuple[int, ...] = ()) -> None:
        self.opens, self.works, self.refuses = opens, works, refuses
        self.told: list[tuple[int, float]] = []
        self.values: dict[int, float] = {cv2.CAP_PROP_EXPOSURE: 157.0}
        self.light, self.released = 120, False

    def isOpened(self) -> bool:  # noqa: N802
        return self.opens

    def get(self, setting: int) -> float:
        return self.values.get(setting, 0.0)

    def set(self, setting: int, value: float) -> bool:
        if setting in self.refuses:
            return False
        self.told.append((setting, value))
        self.values[setting] = value
        return True

    def grab(self) -> bool:
        return self.works

    def retrieve(self) -> tuple[bool, Any]:
        return (True, np.full((108, 192, 3), self.light, np.uint8)) if self.works else (False, None)

    def release(self) -> None:
        self.released = True


def opened(device: FakeDevice, mains_hz: int = 50) -> Any:
    return open_camera(0, mains_hz, lambda _: device, linux=True)


def look(camera: Any) -> bool:
    return bool(camera.grab() and camera.retrieve()[0])


def test_the_format_comes_before_the_size() -> None:
    device = FakeDevice()
    assert opened(device) is not None
    order = [setting for setting, _ in device.told]
    assert order.index(cv2.CAP_PROP_FOURCC) < order.index(cv2.CAP_PROP_FRAME_WIDTH)
    assert device.values[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    size = device.values[cv2.CAP_PROP_FRAME_WIDTH], device.values[cv2.CAP_PROP_FRAME_HEIGHT]
    assert (size, device.values[cv2.CAP_PROP_BUFFERSIZE]) == ((1920, 1080), 1)


@pytest.mark.parametrize(("mains", "held"), [(50, 200.0), (60, 167.0)])
def test_exposure_is_found_then_held_at_whole_half_waves(mains: int, held: float) -> None:
    device = FakeDevice()
    camera = opened(device, mains)
    assert device.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
    for _ in range(25):
        look(camera)
    assert device.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert device.values[cv2.CAP_PROP_EXPOSURE] == held


@pytest.mark.parametrize(("found", "mains", "held"), [(3.0, 50, 100.0), (249.0, 50, 200.0), (251.0, 50, 300.0),
                                                      (90.0, 60, 83.0)])
def test_whole_half_waves(found: float, mains: int, held: float) -> None:
    assert held_exposure(found, mains) == held


def test_another_light_for_good_is_exposed_for_anew_and_a_hand_is_not() -> None:
    device = FakeDevice()
    camera = opened(device)
    for light, frames, automatic in ((120, 25, False), (250, 6, False), (120, 5, False), (250, 9, True),
                                     (120, 25, False)):
        device.light = light
        for _ in range(frames):
            look(camera)
        assert (device.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3) is automatic
    camera.release()
    assert device.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
    assert device.released


def test_a_driver_that_refuses_is_left_alone() -> None:
    device = FakeDevice(refuses=(cv2.CAP_PROP_AUTO_EXPOSURE,))
    camera = opened(device)
    for _ in range(40):
        assert look(camera)
    assert cv2.CAP_PROP_EXPOSURE not in [setting for setting, _ in device.told]


def test_elsewhere_the_system_exposes() -> None:
    assert not isinstance(open_camera(0, 50, lambda _: FakeDevice(), linux=False), HeldCamera)


def test_a_camera_without_a_picture_is_given_back() -> None:
    device = FakeDevice(works=False)
    assert opened(device) is None
    assert device.released
    assert opened(FakeDevice(opens=False)) is None


def test_a_busy_camera_is_told_from_one_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "open_camera", lambda *_: None)
    monkeypatch.setattr(devices, "is_there", lambda number: number == 3)
    with pytest.raises(UsageError, match="another program"):
        open_source("3")
    with pytest.raises(UsageError, match="plugged in"):
        open_source("4")


def test_only_cameras_that_may_be_there_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "is_there", lambda number: number == 2)
    assert devices.may_be_there(4, linux=True) == [2]
    assert devices.may_be_there(4, linux=False) == [0, 1, 2, 3]
