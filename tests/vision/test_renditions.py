"""Marks that hardly differ from the body of their tile, after it was rendered in other colours."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from vision import geometry
from vision.face_maps import MAP_HW
from vision.halves import OnnxHalves
from vision.renditions import decorrelated, principal_grey

Colour = tuple[int, int, int]
Rendition = Callable[[np.ndarray], np.ndarray]

PLACES = [(32, 20), (32, 44), (96, 32)]


def crop(body: Colour, pips: Colour) -> np.ndarray:
    """A tile on a dark table, with pips at `PLACES`."""
    image = np.full((64, 128, 3), 20, np.uint8)
    cv2.rectangle(image, (8, 4), (120, 60), body, -1)
    for place in PLACES:
        cv2.circle(image, place, 5, pips, -1)
    return image


def steps(image: np.ndarray) -> list[float]:
    """How far each pip differs from the face beside it."""
    seen = image.astype(float)
    return [float(np.linalg.norm(seen[y, x] - seen[y, x + 12])) for x, y in PLACES]


@pytest.mark.parametrize("rendition", [principal_grey, decorrelated])
@pytest.mark.parametrize(
    ("body", "pips"),
    [((120, 60, 190), (120, 75, 180)), ((240, 235, 238), (226, 238, 229)), ((60, 58, 61), (72, 60, 60))],
)
def test_pale_marks_stand_out(rendition: Rendition, body: Colour, pips: Colour) -> None:
    before = crop(body, pips)
    assert min(steps(rendition(before[None])[0])) > 2.5 * max(steps(before))


@pytest.mark.parametrize(("body", "pips"), [((240, 240, 240), (30, 30, 30)), ((30, 30, 30), (240, 240, 240))])
def test_marks_are_dark_on_light_in_grey(body: Colour, pips: Colour) -> None:
    grey = principal_grey(crop(body, pips)[None])[0]
    for x, y in PLACES:
        assert grey[y, x].max() < 80 < 180 < grey[y, x + 12].min()


@pytest.mark.parametrize("rendition", [principal_grey, decorrelated])
def test_no_crops_and_plain_ones_are_rendered_too(rendition: Rendition) -> None:
    assert rendition(np.zeros((0, 64, 128, 3), np.uint8)).shape == (0, 64, 128, 3)
    plain = rendition(np.full((2, 64, 128, 3), 77, np.uint8))
    assert plain.dtype == np.uint8
    assert plain.std() < 1


class _Network:
    """Remembers what it was shown; sure of nothing."""

    def __init__(self) -> None:
        self.seen: list[np.ndarray] = []

    def run(self, crops: np.ndarray) -> list[np.ndarray]:
        self.seen.append(crops)
        return [np.zeros((len(crops), 2, 20), np.float32), np.zeros((len(crops), 2, 2, *MAP_HW), np.float32)]


def reader_of(quick: _Network, careful: _Network) -> OnnxHalves:
    reader = object.__new__(OnnxHalves)
    reader._quick, reader._careful, reader._temperatures = quick, careful, (1.0, 1.0)  # type: ignore[assignment]
    return reader


def test_a_tile_that_is_not_clear_is_read_in_both_renditions() -> None:
    quick, careful = _Network(), _Network()
    picture = np.full((200, 300, 3), (90, 120, 60), np.uint8)
    corners = geometry.box_corners(np.array([[150, 100, 113, 56, 0]], np.float32))
    picture[70:130, 90:210] = crop((120, 60, 190), (120, 75, 180))[2:62, 4:124]
    reader_of(quick, careful).read(geometry.Pyramid(picture), corners)
    plain = max(steps(quick.seen[0][0]))
    for network in (quick, careful):
        stronger = [max(steps(seen[0])) > 2 * plain for seen in network.seen]
        assert (stronger.count(True), stronger.count(False)) == (1, 1)


def test_of_many_unclear_tiles_each_gets_one_look_by_the_larger_network() -> None:
    quick, careful = _Network(), _Network()
    boxes = np.array([[60 + 20 * n, 100, 80, 40, 0] for n in range(30)], np.float32)
    picture = geometry.Pyramid(np.full((200, 700, 3), 90, np.uint8))
    reader_of(quick, careful).read(picture, geometry.box_corners(boxes))
    assert [len(seen) for seen in quick.seen] == [30]
    assert [len(seen) for seen in careful.seen] == [30]
