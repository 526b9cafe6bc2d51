"""Which sizes the finder looks at, and what is not worth reading: a finder of the test's own, no network."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from vision import geometry
from vision.candidates import Candidates
from vision.corners import OnnxCorners
from vision.detections import FACE_DOWN, FACE_UP, Detections
from vision.detector import OnnxFinder
from vision.geometry import Pyramid
from vision.halves import NO_VALUE, HalfReadings, OnnxHalves
from vision.pipeline import OnnxPhotoReader, _not_worth_reading
from vision.tails import OnnxTails


class Rows:
    """Finds `count` tiles side by side, `share` of the picture's width long, at every size where they are 14 px."""

    def __init__(self, count: int, share: float) -> None:
        self.count, self.share = count, share
        self.sides: list[int] = []

    def find(self, image: np.ndarray, side: int, _: float) -> Detections:
        self.sides.append(side)
        # Boxes are told in px of `image`, which may be larger than the `side` that the network sees.
        length = self.share * image.shape[1]
        count = self.count if self.share * side >= 14 else 0
        places = np.arange(count)
        x, y = (places % 10 + 0.7) * 0.8 * length, (places // 10 + 0.7) * 1.3 * length
        boxes = np.stack([x, y, np.full(count, length), np.full(count, length / 2), np.full(count, np.pi / 2)], 1)
        return Detections(boxes.astype(np.float32), np.zeros(count, np.int64), np.full(count, 0.9, np.float32))


def looked_at(count: int, share: float, size: tuple[int, int] = (1920, 1080), finder: type[Rows] = Rows) -> list[int]:
    eye = finder(count, share)
    others = cast(OnnxCorners, None), cast(OnnxHalves, None), cast(OnnxTails, None)
    reader = OnnxPhotoReader(cast(OnnxFinder, eye), *others, "rows")
    reader._find(Pyramid(np.zeros((size[1], size[0], 3), np.uint8)))
    return eye.sides


@pytest.mark.parametrize(
    ("what", "count", "share", "sides"),
    [
        ("a hand that fills the picture", 12, 0.12, [320, 800]),
        ("a table full of small tiles", 60, 0.03, [320, 1536]),
        ("a few small tiles far away", 5, 0.03, [320, 1536, 800]),
        ("nothing at all", 0, 0.1, [320, 1536, 800]),
    ],
)
def test_the_sizes_that_the_finder_sees(what: str, count: int, share: float, sides: list[int]) -> None:
    assert looked_at(count, share) == sides, what


class WithCard(Rows):
    """Takes a card for a large tile at the coarsest size."""

    def find(self, image: np.ndarray, side: int, least: float) -> Detections:
        found = super().find(image, side, least)
        if side > 320:
            return found
        card = np.array([[0.5 * image.shape[1], 100, 0.1 * image.shape[1], 0.05 * image.shape[1], 0]], np.float32)
        return Detections.merge([found, Detections(card, np.zeros(1, np.int64), np.full(1, 0.6, np.float32))])


def test_a_card_among_small_tiles_does_not_hide_that_they_are_small() -> None:
    assert looked_at(60, 0.04, finder=WithCard) == [320, 800, 1536]
    assert looked_at(12, 0.12, finder=WithCard) == [320, 800]


def test_a_small_picture_is_not_made_larger() -> None:
    assert looked_at(0, 0.1, (640, 480)) == [320, 800]


class ByPlace:
    """Reads the value that stands at the middle of each half of a place: `there` has (x px, value)."""

    def __init__(self, *there: tuple[float, int]) -> None:
        self.there = there

    def read(self, _: Pyramid, corners: geometry.Array) -> HalfReadings:
        readings = HalfReadings.of_nothing(len(corners))
        for number, quad in enumerate(corners):
            ends = quad[[0, 1]].mean(0), quad[[2, 3]].mean(0)
            for half, share in enumerate((0.25, 0.75)):
                x = float((ends[0] + share * (ends[1] - ends[0]))[0])
                off, value = min((abs(x - place), value) for place, value in self.there)
                sure = max(0.0, 1 - off / 40)
                readings.probabilities[number, half] = 0
                readings.probabilities[number, half, [value, NO_VALUE]] = sure, 1 - sure
        return readings


def set_right(centre: float, ratio: float, *there: tuple[float, int]) -> list[tuple[float, list[int]]]:
    """Middles and values of what is made of a place `ratio` times 100 px long, its middle at `centre` px."""
    boxes = np.array([[centre, 100, 100 * ratio, 50, 0]], np.float32)
    halves, kinds = ByPlace(*there), np.array([[0.9, 0, 0, 0.1]], np.float32)
    others = cast(OnnxFinder, None), cast(OnnxCorners, None), cast(OnnxHalves, halves), cast(OnnxTails, None)
    picture, corners = Pyramid(np.zeros((200, 600, 3), np.uint8)), geometry.box_corners(boxes)
    readings = halves.read(picture, corners)
    score, kind = np.full(1, 0.5, np.float32), np.full(1, FACE_UP)
    found = Candidates(score, kind, boxes[:, 2:4], corners, kinds, readings)
    found = OnnxPhotoReader(*others, "made")._set_right(picture, found, np.array([ratio], np.float32))
    values = found.readings.probabilities.argmax(2).tolist()
    return [(float(quad[:, 0].mean()), ends) for quad, ends in zip(found.corners, values, strict=True)]


def test_a_place_that_lacks_an_end_is_read_at_full_length_where_it_is_clearest() -> None:
    tile = (275, 12), (325, 6)  # from 250 to 350
    assert set_right(306.0, 0.88, *tile) == [(pytest.approx(300, abs=0.5), [12, 6])]
    assert set_right(294.0, 0.88, *tile) == [(pytest.approx(300, abs=0.5), [12, 6])]


def test_a_place_nearly_as_long_as_two_tiles_is_two() -> None:
    two = (225, 3), (275, 4), (325, 4), (375, 9)  # from 200 to 300, and on to 400
    assert [ends for _, ends in set_right(300.0, 1.68, *two)] == [[3, 4], [4, 9]]
    assert len(set_right(300.0, 1.2, *two)) == 1


def test_what_shows_nothing_at_full_length_either_is_left_as_it_was() -> None:
    assert set_right(100.0, 0.8, (500, 1)) == [(100.0, [NO_VALUE, NO_VALUE])]


def test_a_weak_box_across_a_sure_tile_is_not_read() -> None:
    boxes = np.array([[100, 100, 80, 40, 0], [100, 100, 80, 40, 1.2], [300, 100, 80, 40, 0]], np.float32)
    found = Detections(boxes, np.full(3, FACE_UP), np.array([0.9, 0.2, 0.2], np.float32))
    kinds = np.array([[0.99, 0, 0, 0.01], [0.5, 0, 0, 0.5], [0.5, 0, 0, 0.5]], np.float32)
    corners = geometry.box_corners(boxes)
    assert _not_worth_reading(found, corners, kinds).tolist() == [False, True, False]


def test_an_empty_place_is_not_read_and_of_many_backs_only_the_weakest() -> None:
    boxes = np.array([[100 + 60 * n, 100, 50, 25, 0] for n in range(14)], np.float32)
    score = np.array([0.2, 0.4, *np.linspace(0.95, 0.7, 12)], np.float32)
    found = Detections(boxes, np.array([FACE_UP, FACE_UP, *[FACE_DOWN] * 12]), score)
    kinds = np.array([[0, 0, 0.01, 0.99]] * 2 + [[0, 0.98, 0, 0.02]] * 12, np.float32)
    skipped = _not_worth_reading(found, geometry.box_corners(boxes), kinds)
    assert skipped.tolist() == [True, False, *[True] * 4, *[False] * 8]
