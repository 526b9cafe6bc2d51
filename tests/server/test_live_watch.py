"""A film at five frames a second: nothing is told while something moves, and little is done while nothing does."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from server.watch_events import Moment
from tests.server.film_fakes import draw, small_film, watch_of


def shown(film: Any, seconds: float = 1.6) -> list[tuple[Any, np.ndarray, bool]]:
    """Each frame held for a while, with an arm sweeping in and out before it."""
    frames = []
    for frame in film.frames:
        before = replace(frame, kind="hand", laid=frame.laid)
        for step in range(4):
            frames.append((frame, draw(film, replace(before, number=step * 2 + 1)), True))
        held = draw(film, frame)
        frames += [(frame, held, False)] * int(seconds * 5)
    return frames


def test_a_film_is_followed_and_nothing_is_told_while_an_arm_moves() -> None:
    film = small_film(1, turns=10, hands=0.0, still=0.0)
    run, reader = watch_of(film)
    events, during = [], []
    for number, (frame, image, moving) in enumerate(shown(film)):
        reader.frame = frame
        told = run.frame(image, Moment(number, number / 5))
        events += told
        during += told if moving else []
    assert {event.event for event in during} <= {"occluded", "clear"}
    lays = [(event.train, event.tile) for event in events if event.event == "lay"]
    assert lays == [(train, tile) for train, tile in film.lines[1:]]
    assert all(event.verdict != "illegal" for event in events)


def test_a_still_table_costs_little() -> None:
    film = small_film(2, turns=6, hands=0.0, still=0.0)
    run, reader = watch_of(film)
    image = np.repeat(np.repeat(draw(film, film.frames[0]), 2, 0), 2, 1)[:1080, :1920].copy()
    reader.frame = film.frames[0]
    for number in range(8):
        run.frame(image, Moment(number, number / 2))
    reads = reader.reads
    start = time.process_time()
    for number in range(8, 48):
        assert run.frame(image, Moment(number, number / 2)) == []
    assert reader.reads == reads
    assert (time.process_time() - start) / 40 < 0.1
