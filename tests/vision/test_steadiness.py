"""What changed between two pictures: things, not light, not the camera."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.steadiness import Glance, StillnessGate, blobs, changed_mask, likeness, nudge, share_in, without
from vision.tiles import BgrImage

TILE = np.array([[300, 330], [300, 290], [380, 290], [380, 330]], np.float32)


def table(seed: int = 0) -> BgrImage:
    """A wooden table with some things on it."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (600, 1000)).astype(np.float32), (0, 0), 6) * 60
    image = np.clip(np.stack([60 + grain, 90 + grain, 120 + grain], axis=2), 0, 255).astype(np.uint8)
    for x, y in rng.integers(60, 540, (12, 2)):
        cv2.rectangle(image, (int(x) + 300, int(y)), (int(x) + 340, int(y) + 20), (230, 235, 240), -1)
    return image


def with_tile(image: BgrImage, quad: np.ndarray = TILE) -> BgrImage:
    image = image.copy()
    cv2.fillConvexPoly(image, quad.astype(np.int32), (235, 240, 240))
    return image


def changes(before: BgrImage, after: BgrImage) -> list[int]:
    return [blob.area for blob in blobs(changed_mask(Glance.of(before), Glance.of(after)), 20)]


def test_a_new_tile_is_one_region_where_it_lies() -> None:
    before, after = Glance.of(table()), Glance.of(with_tile(table()))
    mask = changed_mask(before, after)
    assert len(blobs(mask, 20)) == 1
    assert share_in(mask, TILE, after.scale) > 0.9
    assert share_in(mask, TILE + 200, after.scale) == 0
    assert blobs(without(mask, [TILE], after.scale, 8.0), 20) == []


@pytest.mark.parametrize("gain", [0.6, 0.8, 1.2])
def test_another_lamp_is_no_change_and_hides_none(gain: float) -> None:
    slope = np.linspace(0.85, 1.15, 1000)[None, :, None] * gain * np.array([0.95, 1.0, 1.04])
    lit = np.clip(table() * slope, 0, 255).astype(np.uint8)
    assert changes(table(), lit) == []
    assert len(changes(table(), np.clip(with_tile(table()) * slope, 0, 255).astype(np.uint8))) == 1


def test_a_soft_shadow_is_light_and_a_hand_is_not() -> None:
    shade = np.ones((600, 1000), np.float32)
    cv2.circle(shade, (150, 300), 200, 0.55, -1)
    soft = cv2.GaussianBlur(shade, (0, 0), 60)[..., None]
    assert changes(table(), (table() * soft).astype(np.uint8)) == []
    hand = table()
    cv2.line(hand, (999, 500), (500, 300), (90, 120, 190), 90)
    found = blobs(changed_mask(Glance.of(table()), Glance.of(hand)), 20)
    assert found[0].at_rim
    assert found[0].area > 5000


def test_noise_is_no_change() -> None:
    rng = np.random.default_rng(1)
    noisy = [np.clip(table() + rng.normal(0, 6, (600, 1000, 3)), 0, 255).astype(np.uint8) for _ in range(2)]
    assert changes(*noisy) == []


def test_a_camera_that_moved_by_a_hair_is_found() -> None:
    moved = cv2.warpAffine(table(), np.array([[1.002, 0.003, 2.5], [-0.003, 1.002, -1.5]]), (1000, 600))
    before, after = Glance.of(table()), Glance.of(moved)
    matrix = nudge(before, after)
    assert matrix is not None
    assert matrix[:2, 2] == pytest.approx([2.5, -1.5], abs=1.0)
    steadied = changed_mask(before.warped(matrix), after)
    assert steadied.mean() < 0.3 * changed_mask(before, after).mean()
    assert nudge(before, before) is None


def test_the_gate_waits_until_nothing_moves() -> None:
    gate = StillnessGate(settle_s=0.5)
    still = [Glance.of(table()) for _ in range(2)]
    assert [gate.push(still[0], t) for t in (0.0, 0.2, 0.4)] == [False, False, False]
    assert gate.push(still[1], 0.8)
    hand = table()
    cv2.line(hand, (999, 500), (500, 300), (90, 120, 190), 90)
    assert not gate.push(Glance.of(hand), 1.0)
    assert gate.moving
    assert not gate.push(still[0], 1.2)
    assert not gate.push(still[1], 1.4)
    assert gate.push(still[0], 2.0)


def test_a_dark_picture_that_flickers_lies_still() -> None:
    """A sensor in little light, and what a codec makes of it: every second pixel changes by a few levels."""
    rng = np.random.default_rng(2)
    gate = StillnessGate(settle_s=0.5)
    dark = np.full((360, 640, 3), 12, np.uint8)
    noisy = [np.clip(dark + rng.normal(0, 5, (360, 640, 1)), 0, 255).astype(np.uint8) for _ in range(4)]
    assert [gate.push(Glance.of(image), 0.3 * n) for n, image in enumerate(noisy)][-1]
    hand = noisy[0].copy()
    cv2.line(hand, (639, 300), (300, 200), (90, 120, 190), 20)
    assert not gate.push(Glance.of(hand), 1.2)
    assert gate.moving


def test_a_counter_as_bright_as_the_wood_does_not_look_like_it() -> None:
    wood = np.full((300, 400, 3), (60, 100, 150), np.uint8)
    cv2.rectangle(wood, (100, 100), (180, 140), (230, 235, 235), -1)
    with_counter = wood.copy()
    levels = np.exp(np.log(np.array([60.0, 100.0, 150.0]) + 14).mean()) - 14  # its brightness, in another colour
    cv2.circle(with_counter, (193, 120), 11, (levels * 2.2, levels, levels * 0.3), -1)
    corners = np.array([[182, 109], [204, 109], [204, 131], [182, 131]], np.float32)
    assert likeness(Glance.of(wood), Glance.of(with_counter), corners) < 0.88
    lit = np.clip(wood * np.array([0.7, 0.75, 0.8]), 0, 255).astype(np.uint8)
    assert likeness(Glance.of(wood), Glance.of(lit), corners) > 0.95


def test_a_thing_in_a_soft_shadow_is_seen() -> None:
    shade = np.ones((600, 1000), np.float32)
    cv2.circle(shade, (150, 300), 200, 0.7, -1)
    soft = cv2.GaussianBlur(shade, (0, 0), 60)[..., None]
    counter = table()
    cv2.circle(counter, (170, 310), 12, (30, 200, 40), -1)
    mask = changed_mask(Glance.of(table()), Glance.of((counter * soft).astype(np.uint8)))
    assert [value / 640 * 1000 for value in np.argwhere(mask).mean(0)] == pytest.approx([310, 170], abs=4)


def test_a_strip_at_the_rim_is_thin() -> None:
    strip, arm = np.zeros((360, 640), np.uint8), np.zeros((360, 640), np.uint8)
    strip[:2, :400] = 1
    arm[:300, 100:140] = 1
    assert [round(blobs(mask, 3)[0].thickness) for mask in (strip, arm)] == [2, 38]
