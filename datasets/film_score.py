"""How well a watcher followed a film: its events against the film's truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

Json = dict[str, Any]

_ACTS = ("lay", "moved", "removed", "marker_on", "marker_off")


@dataclass(slots=True)
class FilmScore:
    """Counts of one film. `seat_open` are exact lays whose seat the watcher left open, the true one among them."""

    lays: int = 0
    lays_exact: int = 0
    seat_open: int = 0
    lays_wrong: int = 0
    lays_extra: int = 0
    fouls: int = 0
    fouls_called: int = 0
    fouls_other_reason: int = 0
    fouls_late: int = 0
    """Fouls that were called rightly, but only when later turns had proved them: not among those called."""
    false_alarms: int = 0
    markers: int = 0
    markers_right: int = 0
    markers_extra: int = 0
    from_nothing: int = 0
    """Lays, moves, removals, markers or verdicts told of a still or hand-covered picture."""

    def plus(self, other: FilmScore) -> FilmScore:
        """The sum of two films."""
        return FilmScore(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def score_film(truth: Json, events: Sequence[Json], frame_of: dict[Any, int]) -> tuple[FilmScore, list[str]]:
    """The score, and a line on everything that went wrong. `frame_of` maps the events' frames to the truth's."""
    score, notes = FilmScore(), []
    told = [{**event, "number": frame_of[event["frame"]]} for event in events]
    for event in told:
        frame = truth["frames"][event["number"]]
        if frame["kind"] != "settled" and event["event"] in _ACTS:
            score.from_nothing += 1
            notes.append(f"{event['number']} ({frame['kind']}): told {_text(event)}")
    _lays(truth, told, score, notes)
    _fouls(truth, told, score, notes)
    _markers(truth, told, score, notes)
    return score, notes


def _lays(truth: Json, told: list[Json], score: FilmScore, notes: list[str]) -> None:
    # What was told wrongly is counted once: putting it right later is no second lay.
    left = [event for event in told if event["event"] == "lay" and not event.get("corrects")]
    for number, true in _true(truth, "lay"):
        score.lays += 1
        same = [e for e in left if e["tile"] == true["tile"] and e["train"] == true["train"]]
        match = next((e for e in same if e["number"] == number), None)
        if match is not None:
            left.remove(match)
        if match is not None and match["seat"] == true["seat"]:
            score.lays_exact += 1
        elif match is not None and match["seat"] is None and true["seat"] in match["seats"]:
            score.lays_exact += 1
            score.seat_open += 1
        else:
            score.lays_wrong += 1
            notes.append(f"{number}: lay {true['seat']} {true['train']} {true['tile']} told as {_text(match)}")
    score.lays_extra += len(left)
    notes += [f"{event['number']}: extra {_text(event)}" for event in left]


def _fouls(truth: Json, told: list[Json], score: FilmScore, notes: list[str]) -> None:
    left = [event for event in told if event["verdict"] == "illegal"]
    missed: list[tuple[int, Json]] = []
    for number, frame in enumerate(truth["frames"]):
        for true in frame["events"]:
            why = true.get("why")
            if why is None:
                continue
            score.fouls += 1
            near = [event for event in left if number <= event["number"] <= number + 2]
            match = next((event for event in near if event["why"] == why), None)
            if match is not None:
                score.fouls_called += 1
                left.remove(match)
                continue
            other = next((event for event in near if event["number"] == number), None)
            if other is not None:
                score.fouls_other_reason += 1
                left.remove(other)
            else:
                missed.append((number, true))
            notes.append(f"{number}: foul {true['seat']} {why} told as {_text(other)}")
    for number, true in missed:
        late = next((e for e in left if e["number"] > number and (e["seat"], e["why"]) == _accused(true)), None)
        if late is not None:
            score.fouls_late += 1
            left.remove(late)
            notes.append(f"{late['number']}: late, of {number}, {_text(late)}")
    score.false_alarms += len(left)
    notes += [f"{event['number']}: false alarm {_text(event)}" for event in left]


def _accused(true: Json) -> tuple[str, str]:
    return true["seat"], true["why"]


def _markers(truth: Json, told: list[Json], score: FilmScore, notes: list[str]) -> None:
    left = [event for event in told if event["event"] in ("marker_on", "marker_off")]
    for kind in ("marker_on", "marker_off"):
        for number, true in _true(truth, kind):
            score.markers += 1
            match = next(
                (e for e in left if (e["event"], e["train"], e["number"]) == (kind, true["train"], number)), None
            )
            if match is None:
                notes.append(f"{number}: {kind} {true['train']} not told")
            else:
                score.markers_right += 1
                left.remove(match)
    score.markers_extra += len(left)
    notes += [f"{event['number']}: extra {_text(event)}" for event in left]


def _true(truth: Json, kind: str) -> list[tuple[int, Json]]:
    return [
        (number, event)
        for number, frame in enumerate(truth["frames"])
        for event in frame["events"]
        if event["event"] == kind
    ]


def _text(event: Json | None) -> str:
    if event is None:
        return "nothing"
    parts = [event["event"], event["seat"] or "/".join(event["seats"]), event["train"], event["tile"]]
    parts += [event["verdict"], event["why"], event["ask"]]
    return " ".join(str(part) for part in parts if part)
