"""Looking at a picture again: in another light, and what the second reading says of the first."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.follow_markers import marker_of
from vision.tiles import BgrImage, PhotoReading, Points, TileSighting
from vision.twice import joined_in, other_gain

FACE = np.array([[20, 20], [80, 20], [80, 50], [20, 50]], np.float32)
MARKER = np.array([[120, 60], [130, 60], [130, 70], [120, 70]], np.float32)


def picture(face: int) -> BgrImage:
    image = np.full((120, 200, 3), 90, np.uint8)
    cv2.fillConvexPoly(image, FACE.astype(np.int32), (face, face, face))
    return image


def tile(corners: Points) -> TileSighting:
    shares = np.zeros((2, 19), np.float32)
    shares[[0, 1], [3, 5]] = 0.99
    return TileSighting("face_up", (3, 5), corners, 0.98, shares, np.zeros((0, 2), np.float32))


def reading(tiles: list[TileSighting], markers: list[TileSighting]) -> PhotoReading:
    return PhotoReading(tuple(tiles), (), tuple(markers), (200, 120), "two", {})


@pytest.mark.parametrize(("face", "looks", "gain"), [(117, 0, 235 / 117), (40, 0, 3.0), (230, 0, 0.75), (117, 1, 0.75)])
def test_dark_faces_are_looked_at_brighter_and_bright_ones_darker(face: int, looks: int, gain: float) -> None:
    assert other_gain(picture(face), [FACE], looks) == pytest.approx(gain)


def test_a_part_without_tiles_says_nothing_of_markers() -> None:
    marker = marker_of(MARKER, 0.9)
    first = reading([tile(FACE)], [marker])
    assert joined_in((0, 0, 200, 120), first, reading([], []), 60.0).markers == (marker,)
    assert joined_in((0, 0, 200, 120), first, reading([tile(FACE)], []), 60.0).markers[0].confidence < 0.7


def test_faint_markers_of_both_readings_are_kept() -> None:
    one, other = marker_of(MARKER, 0.3), marker_of(MARKER - [60, 0], 0.3)
    first = replace(reading([tile(FACE)], []), faint=(one,))
    second = replace(reading([tile(FACE)], []), faint=(marker_of(MARKER, 0.3), other))
    found = joined_in((0, 0, 200, 120), first, second, 60.0).faint
    assert len(found) == 2
    assert found[0].confidence > 0.3
    part = joined_in((0, 0, 100, 120), first, replace(second, faint=()), 60.0)
    assert part.faint == (one,)


@pytest.mark.parametrize(("one", "other", "of"), [(60, 78, 0), (78, 60, 1), (60, 64, None), (78, 80, None)])
def test_of_two_lengths_of_a_tile_the_true_one_is_believed(one: int, other: int, of: int | None) -> None:
    def read(length: int, end: int) -> TileSighting:
        corners = np.array([[20, 50], [20, 20], [20 + length, 20], [20 + length, 50]], np.float32)
        shares = np.zeros((2, 19), np.float32)
        shares[[0, 1], [3, end]] = 0.9
        return replace(tile(corners), ends=(3, end), probabilities=shares, confidence=0.8)

    seen = read(one, 5), read(other, 6)
    both = joined_in((0, 0, 200, 120), reading([seen[0]], []), reading([seen[1]], []), 60.0).tiles
    assert len(both) == 1
    # Of two that are equally long, or equally wrong, both count.
    assert [np.array_equal(both[0].probabilities, one.probabilities) for one in seen] == [of == 0, of == 1]
