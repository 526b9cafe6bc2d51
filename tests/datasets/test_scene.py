"""The compositor: the same seed makes the same picture, and truth says what is to be seen."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.arrangements import ARRANGEMENTS, pip_centres
from datasets.grounds import GroundBank, make_ground
from datasets.layouts import FACE_UP, Placement, outline
from datasets.makers import draw_maker
from datasets.scene import Scene, SceneSpec, make_scene

SPEC = SceneSpec(size=(320, 256), tile_px=(30, 150))


@pytest.fixture(scope="module")
def bank() -> GroundBank:
    return GroundBank(np.random.default_rng(5), count=3, side=512)


def scene(bank: GroundBank, seed: int, spec: SceneSpec = SPEC) -> Scene:
    return make_scene(np.random.default_rng([903_000, seed]), bank, spec)


def test_the_same_seed_makes_the_same_picture_and_another_seed_another(bank: GroundBank) -> None:
    first, again, other = scene(bank, 1), scene(bank, 1), scene(bank, 2)
    assert (first.image == again.image).all()
    assert [t.ends for t in first.truths] == [t.ends for t in again.truths]
    assert (first.image != other.image).any()


def test_pictures_are_what_the_reader_takes(bank: GroundBank) -> None:
    for seed in range(8):
        made = scene(bank, seed)
        assert made.image.shape == (256, 320, 3)
        assert made.image.dtype == np.uint8
        for truth in made.truths:
            assert 0 <= truth.visible <= 1
            assert truth.corners_px.shape == (4, 2)


def test_corners_run_clockwise_as_seen(bank: GroundBank) -> None:
    quads = [t.corners_px for seed in range(8) for t in scene(bank, seed).truths]
    assert quads
    assert all(cv2.contourArea(quad, oriented=True) > 0 for quad in quads)


def test_every_pip_lies_on_its_tile(bank: GroundBank) -> None:
    seen = 0
    for seed in range(12):
        for truth in scene(bank, seed).truths:
            if truth.kind == FACE_UP and truth.pips_px is not None:
                for value, pips in zip(truth.ends, truth.pips_px, strict=True):
                    assert len(pips) == value
                    seen += value
                    for x, y in pips:
                        assert cv2.pointPolygonTest(truth.corners_px, (float(x), float(y)), False) >= 0
    assert seen > 50


def test_print_on_a_board_is_no_tile(bank: GroundBank) -> None:
    made = scene(bank, 3, replace(SPEC, printed=1.0, tile_px=(40, 60)))
    assert made.printed
    centres = {tuple(np.round(t.corners_px.mean(0))) for t in made.truths}
    assert not centres & {tuple(np.round(quad.mean(0))) for quad in made.printed}


def test_a_picture_with_nothing_on_the_table_is_made_too(bank: GroundBank) -> None:
    assert any(not scene(bank, seed).truths for seed in range(120))


@pytest.mark.parametrize("scheme", range(len(ARRANGEMENTS)))
def test_arrangements_have_as_many_pips_as_the_value_and_none_twice(scheme: int) -> None:
    for value in range(19):
        places = pip_centres(scheme, value, mirrored=False)
        assert len(places) == value
        assert len({(round(float(u), 3), round(float(v), 3)) for u, v in places}) == value
        assert (np.abs(places) < 0.45).all()


def test_pips_can_be_told_from_the_body() -> None:
    for seed in range(200):
        maker = draw_maker(np.random.default_rng(seed))
        gaps = [np.abs(np.array(colour) - maker.body).sum() for colour in maker.pips[1 : maker.top + 1]]
        assert min(gaps) > 60


def test_the_first_end_points_against_the_angle() -> None:
    corners = outline(Placement(0, 0, 0.0))
    assert corners[:2, 0] == pytest.approx([-0.5, -0.5])
    assert corners[0, 1] > corners[1, 1]


def test_table_tops_are_pictures() -> None:
    for seed in range(20):
        ground = make_ground(np.random.default_rng(seed), 128)
        assert ground.shape == (128, 128, 3)
        assert np.isfinite(ground).all()
        assert ground.min() >= 0
        assert ground.max() <= 255


def test_rows_of_four_stand_as_far_apart_as_rows_of_five_in_some_sets() -> None:
    """Or pips would be told by their distance instead of being counted."""
    makers = [draw_maker(np.random.default_rng(seed)) for seed in range(200)]
    plain = [maker for maker in makers if maker.arrangement == 0]
    spans = {value: [np.ptp(maker.pip_places(value)[:, 1]) for maker in plain] for value in (12, 15)}
    assert np.quantile(spans[12], 0.95) > np.median(spans[15]) * 1.02
    assert all(np.abs(maker.pip_places(value)).max(initial=0) < 0.45 for maker in makers for value in range(19))


def test_moulded_cups_and_pips_have_one_mould() -> None:
    makers = [draw_maker(np.random.default_rng(seed)) for seed in range(300)]
    for maker in (maker for maker in makers if maker.recesses and maker.top > 6):
        cups = {tuple(place) for place in maker.pip_places(9).round(4).tolist()}
        assert {tuple(place) for place in maker.pip_places(5).round(4).tolist()} <= cups
