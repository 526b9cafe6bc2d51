"""The measurement of what watching costs: it runs, on a tiny film, with a reader that knows it."""

from __future__ import annotations

import pytest

from datasets.films import FilmSpec, plan_film
from scripts import benchmark_watch
from server.compose import open_watch
from tests.server.film_fakes import KnowingReader, draw


def test_a_still_table_costs_little_and_keeps_nothing() -> None:
    film = plan_film(2, FilmSpec(size=(1000, 600), turns=6, tile_px=30.0, bumps=0, lamps=0, hands=0.0, still=0.0))
    reader = KnowingReader(film)
    reader.frame = film.frames[2]
    run, clock = open_watch(reader, film.spec.seats, film.first), benchmark_watch.Clock()
    image = draw(film, film.frames[2])
    share = benchmark_watch._still_share(run, clock, image, 10)
    growth, count = benchmark_watch._growth(run, clock, image, 0.02)
    assert 0 < share < 0.2
    assert count == 144
    assert growth < 60


def test_help() -> None:
    with pytest.raises(SystemExit) as stop:
        benchmark_watch.main(["--help"])
    assert stop.value.code == 0
