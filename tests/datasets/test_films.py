"""Planned films: fouls of many kinds that the pictures prove, and a video that can be read again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from datasets.film_score import score_film
from datasets.film_video import RATE, read_video, write_video
from datasets.filmed_rounds import FOULS
from datasets.films import FilmSpec, film_truth, plan_film
from scripts.evaluate_watch import PLAN


def test_the_plan_holds_fouls_of_many_kinds() -> None:
    kinds = Counter(kind for planned in PLAN for kind in planned.fouls)
    assert len(PLAN) == 20
    assert len({planned.seed for planned in PLAN}) == 20
    assert set(kinds) == set(FOULS)
    assert min(kinds.values()) >= 4
    assert sum(kinds.values()) >= 50
    assert sum(planned.video for planned in PLAN) >= 2


@pytest.mark.parametrize("kind", ["R_MARKER_MISSING", "R_MARKER_KEPT"])
def test_what_can_be_put_right_is_a_foul_once_the_next_seat_laid_on_its_own_train(kind: str) -> None:
    spec = FilmSpec(size=(1000, 600), turns=30, tile_px=30.0, fouls=(kind,), hands=0.0, still=0.0)
    films = (plan_film(seed, spec) for seed in range(40))
    film = next(f for f in films if any(e.get("why") == kind for frame in f.frames for e in frame.events))
    events = next(frame.events for frame in film.frames if any(e.get("why") == kind for e in frame.events))
    lays = [event for event in events if event["event"] == "lay"]
    foul = next(event for event in events if event.get("why") == kind)
    assert [(lay["seat"] == lay["train"], lay["seat"] != foul["seat"]) for lay in lays] == [(True, True)]


def test_a_marker_for_nothing_comes_in_a_picture_of_its_own() -> None:
    spec = FilmSpec(size=(1000, 600), turns=20, tile_px=30.0, fouls=("R_MARKER_UNDUE",), hands=0.0, still=0.0)
    film = next(f for f in (plan_film(seed, spec) for seed in range(40))
                if any(e.get("why") for frame in f.frames for e in frame.events))
    events = next(frame.events for frame in film.frames if any(e.get("why") for e in frame.events))
    assert [event["event"] for event in events] == ["marker_on", "foul"]


def test_a_video_is_read_again_part_by_part(tmp_path: Path) -> None:
    film = plan_film(3, FilmSpec(size=(480, 288), turns=6, tile_px=16.0, bumps=0, lamps=0))
    film.frames = film.frames[:4]
    video = write_video(film, tmp_path / "film.avi")
    frames = list(read_video(tmp_path / "film.avi"))
    assert [number for number, _, _ in frames] == sorted(video.part_of)
    assert frames[1][1] == pytest.approx(1 / RATE)
    assert frames[0][2].shape == (288, 480, 3)
    told = [event for part in video.truth["frames"] for event in part["events"] if event["event"] == "lay"]
    true = [event for frame in film_truth(film)["frames"] for event in frame["events"] if event["event"] == "lay"]  # type: ignore[attr-defined]
    assert told == true
    score, _ = score_film(video.truth, [], video.part_of)
    assert (score.lays, score.lays_exact) == (len(true), 0)


def test_a_foul_called_once_later_turns_have_proved_it_is_late_and_no_false_alarm() -> None:
    foul = {"event": "lay", "seat": "B", "train": "B", "tile": [5, 9], "why": "R_TOO_MANY_TILES"}
    frames = [{"kind": "settled", "events": [foul] if number == 1 else []} for number in range(6)]

    def score(seat: str) -> tuple[int, int, int]:
        told = {"event": "turn", "seat": seat, "seats": [], "train": None, "tile": None, "verdict": "illegal",
                "why": "R_TOO_MANY_TILES", "ask": None, "frame": 5}
        found, _ = score_film({"frames": frames}, [told], {number: number for number in range(6)})
        return found.fouls_called, found.fouls_late, found.false_alarms

    assert score("B") == (0, 1, 0)
    assert score("C") == (0, 0, 1)
