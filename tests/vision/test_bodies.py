"""Faces told from backs by what they are made of: flat colours painted on a picture, no networks."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.test_candidates import places
from vision.bodies import bodies_told, body_colours, made_as_faces, no_backs, with_blanks
from vision.candidates import Candidates
from vision.detections import FACE_DOWN, FACE_UP, Detections
from vision.drafts import AgreeConfig
from vision.geometry import Pyramid, box_corners
from vision.halves import NO_VALUE

IVORY, ORANGE, BLUE = (220, 240, 245), (60, 150, 240), (200, 90, 40)
AT = np.array([[60 + 120 * column, 60 + 80 * row, 100, 50, 0.3] for row in range(3) for column in range(4)], np.float32)


def table(bodies: list[tuple[int, int, int]]) -> Pyramid:
    """Tiles of these colours (BGR) at the first places of `AT`, a third of each covered by dark pips."""
    image = np.full((300, 520, 3), (70, 90, 110), np.uint8)
    for quad, body in zip(box_corners(AT), bodies, strict=False):
        cv2.fillConvexPoly(image, quad.round().astype(np.int32), body, cv2.LINE_AA)
        for share in (0.15, 0.3, 0.7, 0.85):
            for across in (0.3, 0.7):
                x, y = quad[0] + share * (quad[3] - quad[0]) + across * (quad[1] - quad[0])
                cv2.circle(image, (round(float(x)), round(float(y))), 6, (30, 30, 30), -1, cv2.LINE_AA)
    return Pyramid(image)


def told(bodies: list[tuple[int, int, int]], backs: list[int]) -> list[bool]:
    """Which of the tiles are faces for their body, those numbered in `backs` being taken for backs."""
    picture, corners = table(bodies), box_corners(AT[: len(bodies)])
    back = np.isin(np.arange(len(bodies)), backs)
    return made_as_faces(body_colours(picture, corners), corners.mean(1), ~back, back)[1].tolist()


def test_the_body_is_seen_between_the_pips() -> None:
    seen = body_colours(table([IVORY, BLUE]), box_corners(AT[:2]))
    alone = body_colours(Pyramid(np.full((300, 520, 3), IVORY, np.uint8)), box_corners(AT[:1]))
    assert np.abs(seen[0] - alone[0]).max() < 1
    assert np.linalg.norm(seen[1, 0] - seen[0, 0]) > 40


def test_a_tile_made_as_the_faces_are_is_no_back_where_backs_are_blue() -> None:
    assert told([ORANGE] * 6 + [BLUE, BLUE, ORANGE], backs=[6, 7, 8])[6:] == [False, False, True]


def test_where_nothing_lies_nothing_is_told() -> None:
    nothing = Detections(AT[:0], np.zeros(0, np.int64), np.zeros(0, np.float32))
    alike, faces = bodies_told(table([]), nothing, box_corners(AT[:0]), np.zeros((0, 4), np.float32))
    assert (alike.shape, faces.shape) == ((0, 2), (0,))


@pytest.mark.parametrize(
    ("bodies", "backs"),
    [
        ([IVORY] * 9, [6, 7, 8]),  # backs look as faces do
        ([IVORY] * 6 + [BLUE, IVORY, IVORY], [6, 7, 8]),  # one blue thing, perhaps a phone
        ([IVORY] * 3 + [BLUE, BLUE, IVORY], [3, 4, 5]),  # too few faces
    ],
)
def test_where_the_picture_does_not_know_nothing_is_told(
    bodies: list[tuple[int, int, int]], backs: list[int]
) -> None:
    assert not any(told(bodies, backs))


def test_what_is_told_is_a_face_for_finder_and_close_look() -> None:
    corners = box_corners(AT[:9])
    kind = np.array([FACE_UP] * 6 + [FACE_DOWN] * 3)
    found = Detections(AT[:9], kind, np.full(9, 0.9, np.float32))
    kinds = np.zeros((9, 4), np.float32)
    kinds[np.arange(9), kind] = 1
    _, faces = bodies_told(table([ORANGE] * 6 + [BLUE, BLUE, ORANGE]), found, corners, kinds)
    found, kinds = no_backs(found, kinds, faces)
    assert found.kind.tolist() == [FACE_UP] * 6 + [FACE_DOWN, FACE_DOWN, FACE_UP]
    assert kinds[8].tolist() == [1, 0, 0, 0]


def seen(first: int, second: int, ink: float) -> Candidates:
    """A tile with pips and one whose halves are read as `first` and `second`; `ink` is how far its marks stand out."""
    found = places(100, 300)
    found.readings.probabilities[:] = 0.001
    found.readings.probabilities[0, :, 4] = 1
    found.readings.probabilities[1, 0, first] = found.readings.probabilities[1, 1, second] = 0.98
    found.readings.inks[:] = 40, 40
    found.readings.inks[1, 1] = ink
    return found


def test_a_half_that_shows_nothing_but_the_body_of_faces_is_a_blank_but_not_surely() -> None:
    alike, not_told = np.ones((2, 2), np.bool_), np.zeros(2, np.bool_)
    row = with_blanks(seen(7, NO_VALUE, ink=3), alike, not_told, AgreeConfig()).readings.probabilities[1, 1]
    assert row.argmax() == 0
    assert 0.5 < row[0] < 0.9
    assert row.sum() == pytest.approx(1, abs=0.01)
    unlike = alike & np.array([[True, True], [True, False]])
    for found, same in ((seen(7, NO_VALUE, ink=30), alike), (seen(7, NO_VALUE, ink=3), unlike)):
        assert with_blanks(found, same, not_told, AgreeConfig()).readings.probabilities[1, 1].argmax() == NO_VALUE


def test_a_tile_that_shows_nothing_at_all_is_a_double_blank_only_where_it_is_told_to_be_a_face() -> None:
    alike, nothing = np.ones((2, 2), np.bool_), seen(NO_VALUE, NO_VALUE, ink=3)
    nothing.readings.inks[1] = 3
    for is_told, value in ((np.array([False, True]), 0), (np.zeros(2, np.bool_), NO_VALUE)):
        rows = with_blanks(nothing, alike, is_told, AgreeConfig()).readings.probabilities[1]
        assert rows.argmax(1).tolist() == [value, value]


def test_a_value_seen_up_close_makes_a_face_of_what_the_finder_took_for_a_back() -> None:
    found = seen(7, NO_VALUE, ink=3)
    found.kind[1] = FACE_DOWN
    assert with_blanks(found, np.ones((2, 2), np.bool_), np.zeros(2, np.bool_), AgreeConfig()).kind[1] == FACE_UP
