"""Counting hands: photos in, tiles put right, hands accepted, and who may see what."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PIL import Image
from starlette.testclient import TestClient

from server import reading
from server.app import create_app
from server.services import Services
from server.settings import Settings
from tests.server.conftest import Json, Person, join, new_game
from tests.server.fake_serve import services as open_fakes
from tests.server.pictures import BACK, hand_photo
from vision.tiles import BgrImage

People = Callable[..., Person]


def tiles_of(draft: Json) -> list[Json]:
    """The draft as a phone sends it back."""
    return [{"id": tile["id"], "ends": tile["ends"], "confirmed": tile["confirmed"]} for tile in draft["tiles"]]


def kept_files(services: Services) -> list[Path]:
    """Files of the photo folder once every photo that was read is kept."""
    folder = services.photos.folder
    deadline = time.monotonic() + 10
    while list(folder.incoming.iterdir()):
        assert time.monotonic() < deadline, "an upload was left behind"
        time.sleep(0.02)
    return [path for path in folder.root.rglob("*") if path.is_file()]


def save(person: Person, seat: str, draft: Json, expect: int = 200, **changes: object) -> Json:
    body = {"version": draft["version"], "tiles": tiles_of(draft), "out": False, "typed": None} | changes
    answer: Json = person.ask("PUT", f"{{g}}/rounds/1/hands/{seat}/draft", expect, json=body)
    return answer


def test_a_photo_becomes_a_hand_on_the_sheet(person: People) -> None:
    host = new_game(person)
    ana, ben = join(person, host, "A"), join(person, host, "B")
    state = ana.read(ana.snap("A", hand_photo([(12, 11), (3, 7), (0, 5)])))
    assert [tile["ends"] for tile in state["drafts"]["A"]["tiles"]] == [[12, 11], [3, 7], [0, 5]]
    assert host.state()["hands"]["A"] == {"state": "counting"}
    state = ana.accept("A")
    assert state["hands"]["A"]["points"] == 38
    save(ben, "B", {"version": 0, "tiles": []}, out=True)
    state = ben.accept("B")
    assert state["sheet"]["rounds"][0]["points"] == {"A": 38, "B": 0}
    assert state["sheet"]["rounds"][0]["out"] == ["B"]


def test_a_photo_that_the_disk_does_not_take_is_not_acknowledged_and_leaves_nothing(
    person: People, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path) -> None:
        assert path.exists()
        raise OSError("no space left on device")

    host = new_game(person, one_phone=True)
    monkeypatch.setattr("server.photos.make_safe", full)
    with pytest.raises(OSError, match="no space"):
        host.snap("A", hand_photo([(9, 9)]))
    assert kept_files(services) == []
    state = host.state()
    assert (state["photos"], state["drafts"]) == ([], {})


def test_a_photo_can_be_shown_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = reading._write_view

    def slowly(image: BgrImage, view: Path) -> None:
        time.sleep(0.3)  # the page asks before the copy for pages is there
        write(image, view)

    monkeypatch.setattr(reading, "_write_view", slowly)
    services = open_fakes(Settings(data=tmp_path / "data"), slow_s=1.0)
    app = create_app(services)
    host = new_game(lambda: Person(TestClient(app)), one_phone=True)
    photo = host.snap("A", hand_photo([(9, 9)]))
    assert host.ask("GET", f"{{g}}/photos/{photo}").headers["content-type"] == "image/jpeg"
    assert host.state()["photos"][0]["state"] == "waiting"
    services.close()


def test_doubtful_tiles_must_be_answered_first(person: People) -> None:
    host = new_game(person, one_phone=True)
    state = host.read(host.snap("A", hand_photo([(9, 9, 8), (1, 2)])))
    draft = state["drafts"]["A"]
    assert draft["tiles"][0]["doubtful"]
    assert draft["tiles"][0]["options"][0] == [9, 8]
    assert host.accept("A", expect=400)["error"]["code"] == "doubts_left"
    tiles = tiles_of(draft)
    tiles[0] |= {"ends": [9, 8], "confirmed": True}
    save(host, "A", draft, tiles=tiles)
    assert host.accept("A")["hands"]["A"]["points"] == 20


def test_every_correction_is_kept_with_before_and_after(person: People) -> None:
    host = new_game(person, one_phone=True)
    photo = host.snap("A", hand_photo([(9, 9), (1, 2)]))
    draft = host.read(photo)["drafts"]["A"]
    tiles = tiles_of(draft)
    tiles[1]["ends"] = [1, 3]
    del tiles[0]
    tiles.append({"id": "n1", "ends": [4, 4], "confirmed": True, "at": [10, 20]})
    save(host, "A", draft, tiles=tiles)
    edits = host.ask("GET", "{g}/log")["edits"]
    assert [(edit["slot"], edit["before"], edit["after"], edit["photo"]) for edit in edits] == [
        ("t0", [9, 9], None, photo), ("t1", [1, 2], [1, 3], photo), ("n1", None, [4, 4], photo)]
    assert host.ask("GET", f"{{g}}/photos/{photo}/reading")["reading"]["tiles"][1]["ends"] == [1, 2]


def test_a_client_cannot_unmake_a_doubt_or_move_a_tile(person: People) -> None:
    host = new_game(person, one_phone=True)
    draft = host.read(host.snap("A", hand_photo([(9, 9, 8)])))["drafts"]["A"]
    tile = tiles_of(draft)[0] | {"doubtful": False}
    save(host, "A", draft, 422, tiles=[tile])
    save(host, "A", draft, tiles=[tiles_of(draft)[0]])
    assert host.state()["drafts"]["A"]["tiles"][0]["corners"] == draft["tiles"][0]["corners"]


def test_a_stale_draft_is_refused_with_the_present_one(person: People) -> None:
    host = new_game(person, one_phone=True)
    draft = host.read(host.snap("A", hand_photo([(9, 9)])))["drafts"]["A"]
    save(host, "A", draft, tiles=[])
    answer = save(host, "A", draft, 409, typed=5)
    assert answer["state"]["drafts"]["A"]["tiles"] == []


@pytest.mark.parametrize(
    ("tiles", "code"),
    [([{"id": "n1", "ends": [13, 1]}], "not_in_set"), ([{"id": "n1", "ends": [1, 1]}] * 2, "tile_named_twice")],
)
def test_tiles_that_cannot_be_are_refused(person: People, tiles: list[Json], code: str) -> None:
    host = new_game(person, one_phone=True)
    assert save(host, "A", {"version": 0, "tiles": []}, 400, tiles=tiles)["error"]["code"] == code


def test_nothing_entered_and_out_with_tiles_are_refused(person: People) -> None:
    host = new_game(person, one_phone=True)
    save(host, "A", {"version": 0, "tiles": []})
    assert host.accept("A", expect=400)["error"]["code"] == "nothing_entered"
    save(host, "A", {"version": 1, "tiles": []}, tiles=[{"id": "n1", "ends": [1, 1]}], out=True)
    assert host.accept("A", expect=400)["error"]["code"] == "out_with_tiles"


def test_nobody_sees_anothers_photo_not_even_the_host(person: People) -> None:
    host = new_game(person)
    ana, ben, watcher = join(person, host, "A"), join(person, host, "B"), join(person, host, None)
    photo = ana.snap("A", hand_photo([(1, 2)]))
    ana.read(photo)
    assert ana.ask("GET", f"{{g}}/photos/{photo}").headers["content-type"] == "image/jpeg"
    for other in (host, ben, watcher):
        other.ask("GET", f"{{g}}/photos/{photo}", 404)
        other.ask("GET", f"{{g}}/photos/{photo}/reading", 404)
        assert other.state()["photos"] == []
    assert all("A" not in other.state()["drafts"] for other in (ben, watcher))
    hidden = host.state()["drafts"]["A"]
    assert (hidden["tiles"], hidden["photo"], hidden["elsewhere"]) == ([], None, True)
    person(host.game).ask("GET", f"{{g}}/photos/{photo}", 403)


def test_a_tile_in_two_hands_is_shown_to_both_and_to_no_third(person: People) -> None:
    host = new_game(person, ("Ana", "Ben", "Cara"))
    ana, ben, cara = (join(person, host, seat) for seat in "ABC")
    ana.read(ana.snap("A", hand_photo([(1, 2), (5, 6)])))
    ben.read(ben.snap("B", hand_photo([(6, 5), (8, 8)])))
    for one in (ana, ben):
        alert = one.state()["alerts"][0]
        assert (alert["code"], alert["tile"], alert["seats"]) == ("tile_twice", [5, 6], ["A", "B"])
        for seat in "AB":
            cut = one.ask("GET", f"{{g}}/tiles/5-6/{seat}")
            assert max(Image.open(io.BytesIO(cut.content)).size) <= 400
        one.ask("GET", "{g}/tiles/8-8/B", 404)
    assert cara.state()["alerts"] == []
    cara.ask("GET", "{g}/tiles/5-6/A", 404)


def test_place_and_device_data_do_not_reach_the_disk(person: People, services: Services) -> None:
    exif = Image.Exif()
    exif[0x010F] = "SecretPhoneMaker"
    exif.get_ifd(0x8825)[2] = (48.0, 12.0, 0.5)
    host = new_game(person, one_phone=True)
    host.read(host.snap("A", hand_photo([(1, 2)], exif=exif.tobytes())))
    files = kept_files(services)
    assert len(files) == 2
    for path in files:
        assert b"SecretPhoneMaker" not in path.read_bytes()
        assert b"Exif" not in path.read_bytes()
        assert not Image.open(path).getexif()


def test_a_turned_photo_is_read_as_a_person_sees_it(person: People) -> None:
    upright = Image.open(io.BytesIO(hand_photo([(1, 2), (7, 8)])))
    exif = Image.Exif()
    exif[0x0112] = 6
    buffer = io.BytesIO()
    upright.rotate(90, expand=True).save(buffer, "JPEG", quality=92, exif=exif.tobytes())
    host = new_game(person, one_phone=True)
    state = host.read(host.snap("A", buffer.getvalue()))
    assert [tile["ends"] for tile in state["drafts"]["A"]["tiles"]] == [[1, 2], [7, 8]]
    assert state["photos"][0]["size"] == list(upright.size)


@pytest.mark.parametrize("body", [b"", b"not a photo", b"\xff\xd8\xff" + b"0" * 200, b"<svg></svg>"])
def test_what_is_no_photo_is_refused_and_leaves_nothing(person: People, services: Services, body: bytes) -> None:
    host = new_game(person, one_phone=True)
    answer = host.ask("POST", "{g}/rounds/1/hands/A/photo", 400, content=body)
    assert answer["error"]["code"] == "unreadable"
    assert [path for path in services.settings.photo_folder.rglob("*") if path.is_file()] == []
    assert host.state()["photos"] == []


def test_a_photo_without_dominoes_says_so_and_is_kept(person: People) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (640, 480), "green").save(buffer, "PNG")
    host = new_game(person, one_phone=True)
    state = host.read(host.snap("A", buffer.getvalue()))
    assert state["photos"][0]["problem"]["code"] == "unreadable"
    host.ask("GET", f"{{g}}/photos/{state['photos'][0]['id']}")


@pytest.mark.parametrize("entered", [{}, {"tiles": [], "typed": 31}, {"tiles": [], "out": True}])
def test_a_photo_of_nothing_takes_no_count_away(person: People, entered: Json) -> None:
    host = new_game(person)
    draft = host.read(host.snap("A", hand_photo([(12, 9, 8), (1, 2)])))["drafts"]["A"]
    save(host, "A", draft, **entered)
    before = host.state()["drafts"]["A"]
    state = host.read(host.snap("A", hand_photo([])))
    assert state["drafts"]["A"] == before
    assert [photo["empty"] for photo in state["photos"]] == [False, True]
    state = host.read(host.snap("A", hand_photo([(5, 5)])))
    assert [tile["ends"] for tile in state["drafts"]["A"]["tiles"]] == [[5, 5]]


def test_photos_for_anothers_seat_or_a_written_round_are_refused(person: People) -> None:
    host = new_game(person)
    ben = join(person, host, "B")
    ben.snap("A", hand_photo([(1, 2)]), expect=403)
    ben.snap("B", hand_photo([(1, 2)]), number=4, expect=400)


def test_an_accepted_hand_can_be_taken_back_while_the_round_is_open(person: People) -> None:
    host = new_game(person)
    ana = join(person, host, "A")
    ana.read(ana.snap("A", hand_photo([(1, 2)])))
    version = ana.accept("A")["version"]
    state = ana.ask("POST", "{g}/rounds/1/hands/A/reopen", json={"version": version})
    assert state["hands"]["A"]["state"] == "counting"
    assert state["drafts"]["A"]["tiles"][0]["ends"] == [1, 2]


def test_a_counted_hand_shows_how_it_came_to_its_points(person: People) -> None:
    host = new_game(person)
    ana = join(person, host, "A")
    photo = ana.snap("A", hand_photo([(9, 9, 8), (1, 2)]))
    draft = ana.read(photo)["drafts"]["A"]
    tiles = tiles_of(draft)
    tiles[0] |= {"ends": [9, 8], "confirmed": True}
    host.ask("GET", "{g}/rounds/1/hands/A", 404)
    save(ana, "A", draft, tiles=tiles)
    ana.accept("A")
    own = ana.ask("GET", "{g}/rounds/1/hands/A")
    assert own["tiles"] == [[8, 9], [1, 2]]
    assert [(edit["before"], edit["after"]) for edit in own["edits"]] == [([9, 9], [9, 8])]
    assert own["photo"]["id"] == photo
    assert host.ask("GET", "{g}/rounds/1/hands/A")["photo"] is None


def test_the_best_first_line(person: People) -> None:
    answer = person().ask("POST", "/api/line", json={"tiles": [[12, 3], [3, 5], [5, 5], [7, 8]], "start": 12})
    assert answer == {"line": [[12, 3], [3, 5], [5, 5]], "left": [[7, 8]], "left_pips": 15, "proven": True}


def test_hands_counted_on_their_own_are_forgotten_after_some_days(person: People, services: Services) -> None:
    alone = person()
    alone.game = alone.ask("POST", "/api/loose", 201, json={})["id"]
    alone.read(alone.snap("A", hand_photo([(1, 2)])))
    assert kept_files(services)
    host = new_game(person, one_phone=True)
    services.photos.sweep(datetime.now(UTC))
    assert alone.state()["photos"]
    services.photos.sweep(datetime.now(UTC) + timedelta(days=3))
    alone.ask("GET", "{g}", 403)
    assert not list(services.settings.photo_folder.rglob("*.jpg"))
    host.state()


def test_tiles_that_lie_face_down_are_told(person: Callable[..., Person]) -> None:
    host = new_game(person)
    photo = host.snap("A", hand_photo([(3, 4), (BACK, BACK), (5, 6)]))
    state = host.read(photo)
    assert [tile["ends"] for tile in state["drafts"]["A"]["tiles"]] == [[3, 4], [5, 6]]
    assert (state["photos"][-1]["face_down"], state["photos"][-1]["blurred"]) == (1, False)


def test_the_host_counts_for_somebody_whose_phone_died_over_its_photo(person: People) -> None:
    host = new_game(person)
    ana = join(person, host, "A")
    ana.read(ana.snap("A", hand_photo([(1, 2), (5, 6)])))
    draft = host.state()["drafts"]["A"]
    save(host, "A", draft, typed=14)
    state = host.accept("A")
    assert state["hands"]["A"]["points"] == 14
    assert state["hands"]["A"]["tiles"] is None


def test_the_same_photo_is_not_counted_twice_unless_on_purpose(person: People) -> None:
    host = new_game(person)
    photo = hand_photo([(12, 9, 8), (1, 2)])
    first = host.snap("A", photo)
    draft = host.read(first)["drafts"]["A"]
    tiles = tiles_of(draft)
    save(host, "A", draft, tiles=[{**tiles[0], "ends": [12, 8], "confirmed": True}, tiles[1]])
    again = host.ask("POST", "{g}/rounds/1/hands/A/photo", 202, content=photo)
    assert again == {"photo": first, "counted": {"seat": "A", "round": 1}}
    state = host.state()
    assert [tile["ends"] for tile in state["drafts"]["A"]["tiles"]] == [[12, 8], [1, 2]]  # what was put right stands
    assert len(state["photos"]) == 1
    for_ben = host.ask("POST", "{g}/rounds/1/hands/B/photo", 202, content=photo)
    assert for_ben["counted"] == {"seat": "A", "round": 1}
    assert "B" not in host.state()["drafts"]
    for_ben = host.ask("POST", "{g}/rounds/1/hands/B/photo?anew=true", 202, content=photo)
    assert "counted" not in for_ben
    assert len(host.read(for_ben["photo"])["drafts"]["B"]["tiles"]) == 2


def test_a_photo_is_counted_again_after_its_tiles_were_removed(person: People) -> None:
    host = new_game(person)
    photo = hand_photo([(12, 9), (1, 2)])
    draft = host.read(host.snap("A", photo))["drafts"]["A"]
    save(host, "A", draft, tiles=[])
    again = host.ask("POST", "{g}/rounds/1/hands/A/photo", 202, content=photo)
    assert "counted" not in again
    assert len(host.read(again["photo"])["drafts"]["A"]["tiles"]) == 2
