"""From picture to table: tilt and lens are undone from the tiles alone."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.tables import TableSpec, corners_of, plan_table
from vision.plane import fit_plane, rectangles


@pytest.mark.parametrize("seed", range(12))
def test_neighbours_are_as_far_apart_as_on_the_table(seed: int) -> None:
    rng = np.random.default_rng(seed)
    view = plan_table(rng, TableSpec())
    tiles = [n for n, place in enumerate(view.game.places) if place.kind != 2]
    quads = np.array([corners_of(view)[n] for n in tiles])
    seen = quads + rng.normal(0, 1.0, quads.shape)
    rects = rectangles(fit_plane(seen, view.spec.size), seen)
    real = np.array([[view.game.places[n].x, view.game.places[n].y] for n in tiles])
    apart = np.linalg.norm(real[:, None] - real[None], axis=2)
    read = np.linalg.norm(rects.centre[:, None] - rects.centre[None], axis=2)
    near = (apart > 0) & (apart < 1.5)
    assert np.abs(apart - read)[near].max() < 0.09
    assert np.abs(rects.length - 1).max() < 0.12


def test_no_tile_and_one_tile_give_a_plane() -> None:
    assert fit_plane(np.zeros((0, 4, 2)), (640, 480)).to_plane(np.array([320.0, 240.0])).tolist() == [0.0, 0.0]
    quad = np.array([[[100.0, 140], [100, 100], [180, 100], [180, 140]]])
    rects = rectangles(fit_plane(quad, (640, 480)), quad)
    assert rects.length[0] == pytest.approx(1, abs=0.03)
    assert rects.end(0, 1) - rects.end(0, 0) == pytest.approx([1, 0], abs=0.03)
    assert rects.side[0] == pytest.approx([0, 1], abs=0.01)  # the right of a tile that runs right is down
    assert rects.distance(0, rects.centre[0] + [0.8, 0]) == pytest.approx(0.3, abs=0.01)


def test_a_tile_that_fits_badly_does_not_bend_the_plane() -> None:
    rng = np.random.default_rng(3)
    view = plan_table(rng, TableSpec(laid=(30, 40)))
    quads = np.array([c for c, p in zip(corners_of(view), view.game.places, strict=True) if p.kind != 2])
    cut = quads.copy()
    cut[:6, 2:] = (cut[:6, 2:] + cut[:6, [1, 0]]) / 2  # a half is all that is seen of six
    whole = rectangles(fit_plane(quads, view.spec.size), quads)
    bent = rectangles(fit_plane(cut, view.spec.size), quads)
    assert np.abs(whole.length - bent.length).max() < 0.02
