"""Following whole games, with a reader that knows what lies there: seats, fouls, hands, bumps, lamps, restarts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from datasets.film_score import score_film
from datasets.films import film_truth
from server.watch_events import EVENTS, Moment
from tests.server.film_fakes import draw, follow, small_film, watch_of

ACTS = {"lay", "moved", "removed", "marker_on", "marker_off"}


def scored(film: Any, events: list[dict[str, Any]]) -> tuple[Any, list[str]]:
    return score_film(film_truth(film), events, {frame.number: frame.number for frame in film.frames})


@pytest.mark.parametrize("seed", range(2))
def test_a_legal_game_is_followed_to_the_letter(seed: int) -> None:
    film = small_film(seed)
    score, notes = scored(film, follow(film))
    assert score.lays > 20
    assert (score.lays_exact, score.lays_extra, score.false_alarms, score.from_nothing) == (score.lays, 0, 0, 0), notes
    assert score.markers_right == score.markers, notes


@pytest.mark.parametrize(
    "kind", ["R_NO_MATCH", "R_TRAIN_PRIVATE", "R_TOO_MANY_TILES", "R_MEXICAN_MARKED", "R_OPEN_DOUBLE_FIRST"]
)
def test_a_foul_is_called_once_with_its_reason(kind: str) -> None:
    films = (small_film(seed, fouls=(kind,), turns=16, hands=0.1, still=0.0) for seed in range(100, 160))
    film = next(film for film in films if any(event.get("why") == kind for f in film.frames for event in f.events))
    score, notes = scored(film, follow(film))
    assert (score.fouls, score.fouls_called, score.false_alarms) == (1, 1, 0), notes


@pytest.mark.parametrize("seed", range(3))
def test_a_marker_that_another_took_away_is_told_of_whoever_did_it(seed: int) -> None:
    kind = "R_MARKER_REMOVED_WRONGLY"
    films = (small_film(number, fouls=(kind,), turns=16, hands=0.1, still=0.0) for number in range(100, 260))
    shown = [film for film in films if any(event.get("why") == kind for f in film.frames for event in f.events)][seed]
    score, notes = scored(shown, follow(shown))
    assert (score.fouls, score.fouls_called, score.false_alarms, score.lays_wrong) == (1, 1, 0, 0), notes


def test_events_have_the_form_of_the_contract() -> None:
    events = follow(small_film(0))
    keys = {"event", "frame", "time_s", "seat", "seats", "train", "tile", "corners_px", "verdict", "why", "ask",
            "message", "confidence"}
    for event in events:
        assert keys <= set(event)
        assert event["event"] in EVENTS
        assert event["verdict"] in (None, "legal", "illegal", "undetermined")
        assert event["seat"] is None or not event["seats"]
    assert events[0]["event"] == "ready"


def test_a_hand_gives_occluded_and_nothing_else() -> None:
    film = small_film(1, hands=1.0)
    events = follow(film)
    for frame in film.frames:
        if frame.kind == "hand":
            assert {event["event"] for event in events if event["frame"] == frame.number} <= {"occluded"}
    assert sum(event["event"] == "occluded" for event in events) > 5


def test_a_still_table_is_not_read_again() -> None:
    film = small_film(2, hands=0.0, still=0.0)
    run, reader = watch_of(film)
    last = film.frames[-1]
    for frame in film.frames:
        reader.frame = frame
        run.settled(draw(film, frame), Moment(frame.number, 0.0))
    before = reader.reads
    for number in range(20):
        assert run.settled(draw(film, last), Moment(1000 + number, 0.0)) == []
    assert reader.reads == before


def test_a_strip_at_the_rim_is_no_hand() -> None:
    """A pushed camera brings in a little that it did not see before."""
    film = small_film(1, hands=0.0, still=0.0)
    run, reader = watch_of(film)
    events = []
    for frame in film.frames:
        reader.frame = frame
        image = draw(film, frame)
        if frame.number > 4:
            image[:4, :, 2] = 200
        events += [event.as_json() for event in run.settled(image, Moment(frame.number, 0.0))]
    score, notes = scored(film, events)
    assert not any(event["event"] == "occluded" for event in events)
    assert score.lays_exact == score.lays, notes


def test_a_table_that_cannot_be_read_is_said_once_and_followed_again_by_itself() -> None:
    film = small_film(2, hands=0.0, still=0.0)
    run, reader = watch_of(film)
    told = []
    for frame in film.frames[:6]:
        reader.frame, reader.dim = frame, frame.number < 5
        events = run.settled(draw(film, frame), Moment(frame.number, 0.0))
        told.append([event.event for event in events])
    assert run.watcher.board is not None
    assert len(run.watcher.board.tiles) == film.frames[5].laid
    lost = [number for number, kinds in enumerate(told) if "lost" in kinds]
    assert len(lost) == 1
    assert lost[0] < 5
    assert all(kinds == [] for kinds in told[lost[0] + 1:5])
    assert told[5][0] == "recovered"


def test_a_lamp_is_no_move() -> None:
    film = small_film(3, hands=0.0)
    light = {frame.number: 0.8 if frame.number % 5 == 2 else 1.0 for frame in film.frames}
    score, notes = scored(film, follow(film, light))
    assert (score.lays_exact, score.lays_extra, score.from_nothing) == (score.lays, 0, 0), notes


def test_a_bump_of_fifty_pixels_and_ten_degrees_loses_nothing() -> None:
    film = small_film(5, hands=0.0)
    middle = len(film.frames) // 2
    film.frames[middle:] = [replace(f, turn_deg=10.0, shift_px=(30.0, -20.0)) for f in film.frames[middle:]]
    score, notes = scored(film, follow(film))
    assert score.lays_exact >= score.lays - 1, notes
    assert (score.false_alarms, score.lays_extra) == (0, 0), notes


def test_a_misread_never_jams() -> None:
    """An unsure value is put right or left undetermined, and what follows is told as it lies."""
    film = small_film(6, hands=0.0)
    run, reader = watch_of(film)
    number = len(film.places) // 2
    ends = film.places[number].ends
    reader.wrong = {number: (min(ends), (max(ends) + 1) % 13)}
    events = []
    for frame in film.frames:
        reader.frame = frame
        if frame.laid > number + 1:
            reader.wrong = {}
        events += [e.as_json() for e in run.settled(draw(film, frame), Moment(frame.number, 0.0))]
    score, notes = scored(film, events)
    assert score.false_alarms == 0, notes
    assert score.lays_exact >= score.lays - 1, notes


def test_a_watch_goes_on_from_its_kept_state() -> None:
    film = small_film(7, hands=0.0)
    whole = follow(film)
    run, reader = watch_of(film)
    events: list[dict[str, Any]] = []
    for frame in film.frames:
        if frame.number == len(film.frames) // 2:
            state = run.state()
            run, reader = watch_of(film)
            assert run.resume(state)
        reader.frame = frame
        events += [e.as_json() for e in run.settled(draw(film, frame), Moment(frame.number, float(frame.number)))]

    def acts(told: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
        return [(e["frame"], e["event"], e["seat"], e["train"], e["tile"]) for e in told]

    assert acts(events) == acts(whole)


def test_a_tile_taken_back_is_told_and_laid_again() -> None:
    film = small_film(8, hands=0.0, still=0.0)
    frames = film.frames[:8]
    back = replace(frames[6], number=8, markers=frames[6].markers)
    again = replace(frames[7], number=9)
    run, reader = watch_of(film)
    events = []
    for frame in [*frames, back, again]:
        reader.frame = frame
        events += [e.as_json() for e in run.settled(draw(film, frame), Moment(frame.number, 0.0))]
    new = frames[7].laid - frames[6].laid
    if new:
        assert sum(e["event"] == "removed" for e in events) == new
        first = [(e["seat"], e["train"], e["tile"]) for e in events if e["event"] == "lay" and e["frame"] == 7]
        second = [(e["seat"], e["train"], e["tile"]) for e in events if e["event"] == "lay" and e["frame"] == 9]
        assert first == second
    assert all(e["verdict"] != "illegal" for e in events)


def test_without_seats_trains_are_numbered_and_nobody_is_named() -> None:
    film = small_film(0, hands=0.0)
    run, reader = watch_of(film)
    run.watcher.options = replace(run.watcher.options, seats=())
    events = []
    for frame in film.frames[:8]:
        reader.frame = frame
        events += run.settled(draw(film, frame), Moment(frame.number, 0.0))
    lays = [event for event in events if event.event == "lay"]
    assert lays
    assert all(event.train is not None and event.train[0] in "tM" and event.seat is None for event in lays)


def test_lost_and_recovered_are_told_once() -> None:
    run, _ = watch_of(small_film(0))
    moment = Moment(0, 0.0)
    assert [e.event for e in run.watcher.lost(moment, "black") + run.watcher.lost(moment, "black")] == ["lost"]
    assert [e.event for e in run.watcher.recovered(moment) + run.watcher.recovered(moment)] == ["recovered"]


def test_the_seed_makes_the_film() -> None:
    one, other = small_film(4), small_film(4)
    assert film_truth(one) == film_truth(other)
    assert np.array_equal(draw(one, one.frames[-1]), draw(other, other.frames[-1]))
