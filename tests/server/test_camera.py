"""The server's camera: followed from pictures, with evidence, without getting in anybody's way."""

from __future__ import annotations

import io
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from datasets.films import Film
from server.cameras import label_of
from server.pictures import Newest, PictureFolder
from server.sources import open_source
from tests.server.camera_fakes import DrawnFilm, evening_film
from tests.server.conftest import Json, Person, join, new_game
from tests.server.film_fakes import KnowingReader, draw, small_film
from tests.server.filmed import FilmedTable, on_table, until

CHOICE = {"kind": "offered", "number": 0}


class Studio(FilmedTable):
    """A server whose camera shows one picture each time it is told to."""

    def __init__(self, data: Path, film: Film, troubles: dict[int, str] | None = None) -> None:
        super().__init__(film, KnowingReader(film))
        self.gate = threading.Semaphore(0)
        self.source = DrawnFilm(film, self.reader, self.gate, troubles or {})
        self.open(data, "/home/host/films/table.mp4", lambda _: self.source)

    def show(self, count: int = 1) -> None:
        self.gate.release(count)


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Callable[..., Studio]]:
    made: list[Studio] = []

    def make(film: Film | None = None, troubles: dict[int, str] | None = None) -> Studio:
        made.append(Studio(tmp_path / "data", film or evening_film(), troubles))
        return made[-1]

    yield make
    for one in made:
        one.services.close()


def test_a_film_is_followed_to_its_end_with_a_foul_let_stand(studio: Callable[..., Studio]) -> None:
    made = studio()
    host = made.host()
    film = made.film
    state = host.ask("POST", "{g}/camera", json=CHOICE)
    assert state["camera"]["source"] == "table.mp4"
    made.show(100)
    state = until(host, lambda s: s["table"]["foul"])
    assert state["table"]["foul"]["code"] == "R_TRAIN_PRIVATE"
    until(host, lambda s: s["camera"]["behind"])
    host.ask("POST", "{g}/table/stand", json={"note": "", "version": state["version"]})
    state = until(host, lambda s: s["camera"]["state"] == "ended")
    assert sorted(state["table"]["tiles"]) == on_table(film, film.frames[-1].laid)
    fouls = [turn for turn in state["table"]["turns"] if turn["verdict"] == "illegal"]
    assert [turn["code"] for turn in fouls] == ["R_TRAIN_PRIVATE"]


def test_each_event_has_pictures_before_and_after_that_players_see(studio: Callable[..., Studio]) -> None:
    made = studio()
    host = made.host()
    spectator = join(made.person, host, None)
    ben = join(made.person, host, "B")
    host.ask("POST", "{g}/camera", json=CHOICE)
    made.show(3)
    state = until(host, lambda s: s["table"]["count"] >= 1)
    act = next(act for act in state["table"]["turns"][0]["acts"] if act.get("seen"))
    seen = act["seen"]
    assert seen["before"] != seen["after"]
    assert len(seen["corners"]) == 4
    for number in (seen["before"], seen["after"]):
        answer = ben.ask("GET", f"{{g}}/pictures/{number}")
        with Image.open(io.BytesIO(answer.content)) as image:
            assert list(image.size) == seen["size"]
            assert not image.getexif()
    spectator.ask("GET", f"{{g}}/pictures/{seen['after']}", 403)
    spectator.ask("GET", "{g}/camera/picture", 403)
    ben.ask("GET", "{g}/camera/picture")
    other = new_game(made.person)
    other.ask("GET", f"{{g}}/pictures/{seen['after']}", 404)
    folder = made.services.cameras.folder.of(host.game)
    assert list(folder.iterdir())
    host.ask("DELETE", "{g}")
    assert not folder.exists()
    assert made.source.closed


def test_a_lost_camera_is_said_and_catches_up_by_itself(studio: Callable[..., Studio]) -> None:
    film = evening_film()
    made = studio(film, {2: "black"})
    host = made.host()
    host.ask("POST", "{g}/camera", json=CHOICE)
    made.show(3)
    state = until(host, lambda s: s["camera"]["state"] == "lost")
    assert state["camera"]["trouble"] == "black"
    made.show(2)
    state = until(host, lambda s: s["camera"]["state"] == "following")
    until(host, lambda s: len(s["table"]["tiles"]) >= film.frames[2].laid)


def test_only_the_host_chooses_and_no_path_is_told_or_taken(studio: Callable[..., Studio]) -> None:
    made = studio()
    host = made.host()
    ben = join(made.person, host, "B")
    ben.ask("POST", "{g}/camera", 403, json=CHOICE)
    choices = host.ask("GET", "{g}/camera/choices")["choices"]
    assert choices[0] == {"kind": "offered", "number": 0, "label": "table.mp4"}
    assert "/home" not in str(choices)
    assert host.ask("POST", "{g}/camera", 403, json={"kind": "camera", "number": 0})["error"]["code"]
    here = made.person(host.game, "127.0.0.1")
    here.ask("POST", "{g}/host")
    for address in ("/etc/passwd", "file:///etc/passwd", "", "concat:/etc/passwd"):
        answer = here.ask("POST", "{g}/camera", 400, json={"kind": "address", "address": address})
        assert answer["error"]["code"] == "no_camera"
    host.ask("POST", "{g}/camera", 400, json={"kind": "offered", "number": 5})
    assert host.state()["camera"] is None


def test_chicken_feet_are_not_followed_by_camera(studio: Callable[..., Studio]) -> None:
    """Toes are not understood in pictures, so a double would seem to be owed for ever."""
    made = studio()
    host = new_game(made.person, ("Ana", "Ben"), preset="mtf_chickenfoot")
    assert host.ask("POST", "{g}/camera", 400, json=CHOICE)["error"]["code"] == "side_lines"
    assert host.state()["camera"] is None


def test_the_camera_is_given_back(studio: Callable[..., Studio]) -> None:
    made = studio()
    host = made.host()
    host.ask("POST", "{g}/camera", json=CHOICE)
    made.show(1)
    until(host, lambda s: s["camera"]["picture"])
    assert host.ask("DELETE", "{g}/camera")["camera"] is None
    host.ask("GET", "{g}/camera/picture", 404)
    assert made.source.closed


def test_what_somebody_tapped_is_not_told_twice(studio: Callable[..., Studio]) -> None:
    made = studio()
    host = made.host()
    train, tile = made.film.lines[1]
    host.ask("POST", "{g}/table/acts", json={"do": "lay", "train": train, "tile": list(tile),
                                             "version": host.state()["version"]})
    host.ask("POST", "{g}/camera", json=CHOICE)
    made.show(100)
    state = until(host, lambda s: s["table"]["foul"] or s["camera"]["state"] == "ended")
    assert state["table"]["foul"]["code"] == "R_TRAIN_PRIVATE"


def test_a_misread_tile_is_put_right_where_it_was_told(studio: Callable[..., Studio]) -> None:
    host = new_game(studio().person, ("Ana", "Ben"))
    host.ask("POST", "{g}/table/start", json={"who": "A", "version": host.state()["version"]})
    for event in ({"event": "lay", "train": "A", "tile": [12, 3], "seat": "A"}, {"event": "turn", "seat": "A"},
                  {"event": "lay", "train": "B", "tile": [12, 5], "seat": "B"}):
        host.ask("POST", "{g}/table/watch", json=event)
    fixed = {"event": "lay", "train": "A", "tile": [12, 8], "corrects": [12, 3], "verdict": "undetermined"}
    table = host.ask("POST", "{g}/table/watch", json=fixed)["table"]
    assert [train["tiles"] for train in table["trains"][:2]] == [[[12, 8]], [[12, 5]]]
    assert table["turns"][0]["acts"][0]["tile"] == [12, 8]


def test_a_foul_that_only_later_turns_prove_ends_no_turn(studio: Callable[..., Studio]) -> None:
    made = studio()
    host = new_game(made.person, ("Ana", "Ben", "Cara"))
    host.ask("POST", "{g}/table/start", json={"who": "A", "version": host.state()["version"]})
    for event in ({"event": "lay", "train": "A", "tile": [12, 3], "seat": "A"}, {"event": "turn", "seat": "A"},
                  {"event": "lay", "train": "B", "tile": [12, 5], "seat": "B"}, {"event": "turn", "seat": "B"}):
        host.ask("POST", "{g}/table/watch", json=event)
    before = host.state()["version"]
    proven = {"event": "turn", "seat": "A", "verdict": "illegal", "why": "R_TOO_MANY_TILES", "late": True}
    made.services.tables.watched(host.game, proven)
    assert (host.state()["version"], host.state()["table"]["to_move"]) == (before, "C")


def test_what_fits_nothing_is_no_accusation_the_table_is_taken_as_it_lies(studio: Callable[..., Studio]) -> None:
    made = studio()
    host = new_game(made.person, ("Ana", "Ben"))
    host.ask("POST", "{g}/table/start", json={"who": "A", "version": host.state()["version"]})
    lies = {"pre": {"n": 12, "engine": 12, "seats": ["A", "B"], "by": "B", "turn": 2, "bone": 61,
                    "firsts": [], "trains": {"A": ["12-3", "3-5"], "B": ["12-1"]}, "marks": [], "open": []},
            "acts": [{"do": "lay", "train": "B", "tile": [1, 9], "by": "camera"}]}
    event = {"event": "lay", "train": "B", "tile": [1, 9], "seat": "B", "verdict": "legal"}
    made.services.tables.watched(host.game, event, lies)
    table = host.state()["table"]
    assert table["foul"] is None
    assert [train["tiles"] for train in table["trains"][:2]] == [[[12, 3], [3, 5]], [[12, 1], [1, 9]]]
    assert table["hands"] == {"A": 14, "B": 14}
    made.services.tables.watched(host.game, {"event": "turn", "seat": "B", "verdict": "legal"}, lies)
    assert host.state()["table"]["to_move"] == "A"


def test_a_source_that_does_not_open_is_said_without_its_path(studio: Callable[..., Studio]) -> None:
    made = studio()
    made.services.cameras.source = open_source
    host = made.host()
    host.ask("POST", "{g}/camera", json=CHOICE)
    state = until(host, lambda s: s["camera"]["state"] == "failed")
    assert "table.mp4" in state["camera"]["trouble"]
    assert "/home" not in str(state["camera"])


def test_evidence_is_limited_and_the_oldest_goes_first(tmp_path: Path) -> None:
    film = evening_film()
    image = draw(film, film.frames[0])
    folder = PictureFolder(tmp_path, most_bytes=1)
    numbers = [folder.keep("a" * 16, image) for _ in range(5)]
    assert numbers == [1, 2, 3, 4, 5]
    assert [path.name for path in sorted(folder.of("a" * 16).iterdir())] == [f"{n:06d}.jpg" for n in (3, 4, 5)]


def test_the_newest_picture_is_encoded_at_most_so_often() -> None:
    film = evening_film()
    newest = Newest(every_s=1.0)
    assert newest.jpeg(0.0) is None
    newest.put(draw(film, film.frames[0]))
    first = newest.jpeg(5.0)
    newest.put(draw(film, film.frames[-1]))
    assert newest.jpeg(5.5) is first
    assert newest.jpeg(6.5) != first


def test_an_address_is_shown_without_its_password() -> None:
    assert label_of("rtsp://me:secret@192.168.1.40:554/live") == "192.168.1.40:554"
    assert label_of("/home/host/film.mp4") == "film.mp4"
    assert label_of("0") == "0"


def test_what_somebody_said_is_no_tile_is_not_told_again(studio: Callable[..., Studio]) -> None:
    made = studio()
    host = made.host()
    host.ask("POST", "{g}/camera", json=CHOICE)
    made.show(4)
    laid = made.film.frames[3].laid
    until(host, lambda s: len(s["table"]["tiles"]) >= laid)
    train, tile = made.film.lines[laid - 1]
    _change(host, train=train, gone=list(tile))
    made.show(3)
    of_ben = [sorted(tile) for owner, tile in made.film.lines[laid : made.film.frames[6].laid] if owner == "B"]
    assert train == "A"
    assert len(of_ben) > 1  # what lies on another train is followed as before
    state = until(host, lambda s: all(tile in s["table"]["tiles"] for tile in of_ben))
    assert sorted(tile) not in state["table"]["tiles"]


def test_a_marker_that_somebody_said_is_none_is_not_told_again(studio: Callable[..., Studio]) -> None:
    films = (small_film(seed, turns=10, seats=("A", "B"), still=0.0, hands=0.0) for seed in range(1, 900))
    film = next(film for film in films if film.lines[0][1] == (12, 12) and _marked(film) is not None)
    first = _marked(film)
    assert first is not None
    made = studio(film)
    host = made.host()
    host.ask("POST", "{g}/camera", json=CHOICE)
    made.show(first + 1)

    def marks(state: Json) -> list[str]:
        return [train["id"] for train in state["table"]["trains"] if train["marker"]]

    state = until(host, marks)
    train = marks(state)[0]
    assert not marks(_change(host, train=train, marker=False))
    made.show(1)
    laid = film.frames[first + 1].laid
    state = until(host, lambda s: len(s["table"]["tiles"]) >= laid)
    assert state["table"]["foul"] is None
    assert train not in marks(state)
    seen = host.ask("GET", "{g}/camera/tiles")["seen"]
    assert len(seen["tiles"]) >= laid - 1  # it looked anew at all that lies there
    assert train not in [marker["train"] for marker in seen["markers"]]


def _change(host: Person, **what: object) -> Json:
    """Put something right once the camera has told what it had to tell."""
    version = -1
    while version != (version := host.state()["version"]):
        time.sleep(0.3)
    state: Json = host.ask("POST", "{g}/table/change", json={**what, "version": version})
    return state


def _marked(film: Film) -> int | None:
    """The first frame with a marker, if the next one only brings a tile beside it."""
    for one, after in itertools.pairwise(film.frames):
        if one.markers and one.kind == after.kind == "settled":
            return one.number if one.markers == after.markers and after.laid == one.laid + 1 else None
    return None
