"""What nobody could read in a made picture is known as such."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from datasets.legible import illegible_halves, legible_halves
from datasets.scene import Scene, Truth

TILE = Truth(
    kind=0,
    ends=(1, 2),
    corners_px=np.array([[50, 150], [50, 50], [250, 50], [250, 150]], np.float32),
    visible=1.0,
    halves_visible=(1.0, 1.0),
    pips_px=(np.array([[100, 100]], np.float32), np.array([[175, 75], [225, 125]], np.float32)),
    pip_px=(14.0, 14.0),
)


def painted(ink: int = 20, body: int = 230) -> np.ndarray:
    image = np.full((200, 300, 3), 90, np.uint8)
    cv2.rectangle(image, (50, 50), (250, 150), (body,) * 3, -1)
    for x, y in np.vstack(TILE.pips_px or ()):
        cv2.circle(image, (int(x), int(y)), 7, (ink,) * 3, -1)
    return image


def test_black_on_white_is_legible() -> None:
    assert legible_halves(Scene(painted(), [TILE])) == [(True, True)]


def test_pips_as_bright_as_the_face_are_not() -> None:
    assert legible_halves(Scene(painted(ink=226), [TILE])) == [(False, False)]


def test_glare_over_one_pip_makes_its_half_illegible() -> None:
    image = painted()
    cv2.circle(image, (225, 125), 16, (255, 255, 255), -1)
    assert legible_halves(Scene(image, [TILE])) == [(True, False)]


def test_pips_of_a_px_are_not_legible() -> None:
    assert legible_halves(Scene(painted(), [replace(TILE, pip_px=(1.5, 14.0))])) == [(False, True)]


def test_a_half_that_something_covers_is_not_legible() -> None:
    assert legible_halves(Scene(painted(), [replace(TILE, halves_visible=(1.0, 0.6))])) == [(True, False)]


def test_a_blank_is_always_legible_and_a_back_never() -> None:
    nothing = np.zeros((0, 2), np.float32)
    blank = replace(TILE, ends=(0, 0), pips_px=(nothing, nothing))
    back = replace(TILE, kind=1)
    assert legible_halves(Scene(painted(), [blank, back])) == [(True, True), (False, False)]


def test_numerals_need_size_and_ink() -> None:
    numerals = replace(TILE, pips_px=None)
    image = painted()
    cv2.putText(image, "8", (80, 120), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (10, 10, 10), 4)
    image[50:150, 150:250] = 230
    assert legible_halves(Scene(image, [numerals])) == [(True, False)]


def test_what_a_marker_stands_on_is_not_counted_against_a_table() -> None:
    assert illegible_halves(Scene(painted(), [TILE])) == 0
    assert illegible_halves(Scene(painted(ink=226), [TILE])) == 2
    assert illegible_halves(Scene(painted(ink=226), [replace(TILE, halves_visible=(1.0, 0.4))])) == 1
