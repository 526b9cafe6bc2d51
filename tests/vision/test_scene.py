"""A picture set against the one before: print is no marker, a dark marker beside a bright tile is one."""

from __future__ import annotations

import cv2
import numpy as np

from vision.board import Board, KnownLine, KnownTile
from vision.evidence import Evidence
from vision.scene import SAME, Scene, came, changed_share, straddles
from vision.steadiness import Glance, changed_mask
from vision.tiles import BgrImage, PhotoReading, Points, TileSighting

SIZE = (640, 360)
KNOWN = np.array([[200, 120], [200, 100], [240, 100], [240, 120]], np.float32)


def cloth() -> BgrImage:
    grain = np.random.default_rng(5).normal(0, 2, (SIZE[1], SIZE[0], 3))
    return np.clip(grain + np.array([30, 34, 32]), 0, 255).astype(np.uint8)


def with_tile(image: BgrImage, quad: Points) -> BgrImage:
    image = image.copy()
    cv2.fillConvexPoly(image, quad.astype(np.int32), (225, 235, 240))
    return image


def square(x: float, y: float, half: float) -> Points:
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    return np.asarray(unit * half + np.array([x, y]), np.float32)


def moved(right: float) -> Points:
    """The known tile's place, so far to the right."""
    return np.asarray(KNOWN + np.array([right, 0]), np.float32)


def sighting(quad: Points) -> TileSighting:
    shares = np.zeros((2, 19), np.float32)
    shares[[0, 1], [3, 5]] = 0.99
    return TileSighting("face_up", (3, 5), quad, 0.98, shares, np.zeros((0, 2), np.float32))


def scene(before: BgrImage, after: BgrImage) -> Scene:
    """With one known tile, which lies there in both pictures."""
    tile = KnownTile(0, KNOWN, Evidence.of(sighting(KNOWN)))
    board = Board({0: tile}, {"t1": KnownLine("t1", (0,), 0.0)}, hub_px=(100.0, 110.0), next_key=1)
    old, new = Glance.of(before), Glance.of(after)
    seen = PhotoReading((sighting(KNOWN),), (), (), SIZE, "known", {})
    mask = changed_mask(old, new)
    return Scene(seen, new, mask, np.zeros_like(mask), board, 200.0, old, False)


def test_a_dark_marker_beside_a_bright_tile_has_come() -> None:
    before = with_tile(cloth(), KNOWN)
    after = before.copy()
    cv2.circle(after, (251, 110), 5, (62, 70, 60), -1)
    there = scene(before, after)
    marker = square(251, 110, 6.5)
    assert came(there, marker)
    assert changed_share(there, [], 1.0, marker) > 0.35


def test_print_that_a_tile_came_to_lie_on_is_no_marker() -> None:
    before = with_tile(cloth(), KNOWN)
    cv2.circle(before, (400, 200), 10, (40, 200, 220), 4)
    ring = square(400, 200, 12)
    after = with_tile(before, np.array([[360, 150], [394, 150], [394, 240], [360, 240]], np.float32))
    assert not came(scene(before, after), ring)
    assert came(scene(with_tile(cloth(), KNOWN), before), ring)


def test_halves_of_two_tiles_are_no_tile() -> None:
    before = with_tile(cloth(), KNOWN)
    new = moved(40)
    there = scene(before, with_tile(before, new))

    def changed(quad: Points) -> float:
        return changed_share(there, [], 1.0, quad)

    assert changed(new) > SAME
    assert straddles(there, sighting(moved(20)), changed)
    assert not straddles(there, sighting(new), changed)
