"""Looking at settled pictures: which part of one is read, what of a part's reading is kept, how often it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from server.watch_events import Moment
from tests.server.film_fakes import SIZE, KnowingReader, draw, small_film, watch_of
from vision.board import Board, KnownTile
from vision.evidence import Evidence
from vision.follow_markers import marker_of
from vision.looking import Looker, _Open
from vision.reader import ReadOptions
from vision.regions import box_of, whole
from vision.tiles import BgrImage, PhotoReading, Points, TileSighting

PICTURE = np.zeros((1080, 1920, 3), np.uint8)
TILE_PX = 60.0


def square(x: float, y: float, half: float = 15.0) -> Points:
    return np.array([[-half, -half], [half, -half], [half, half], [-half, half]], np.float32) + np.float32([x, y])


def mask_at(*points: tuple[int, int]) -> np.ndarray:
    mask = np.zeros((360, 640), np.uint8)
    for x, y in points:
        mask[y // 3, x // 3] = 1
    return mask


def test_unsure_tiles_near_what_changed_are_read_with_it_and_those_far_off_wait() -> None:
    near, far = square(500, 400), square(1700, 900)
    box = box_of(mask_at((400, 400), (450, 420)), 1 / 3, TILE_PX, PICTURE, [far, near])
    assert box[2] >= 515 + TILE_PX
    assert box[2] < 800
    assert box_of(mask_at((100, 100), (1800, 1000)), 1 / 3, TILE_PX, PICTURE, [far, near]) == whole(PICTURE)


def test_where_nothing_changed_the_first_unsure_tile_is_read_and_what_lies_round_it() -> None:
    first, near, far = square(500, 400), square(560, 430), square(1700, 900)
    left, top, right, bottom = box_of(mask_at(), 1 / 3, TILE_PX, PICTURE, [first, far, near])
    assert left < 485
    assert top < 385
    assert 575 < right < 800
    assert 445 < bottom < 600


class OneFaint:
    """Reads a faint marker at (30, 20) of whatever it is handed."""

    model_id = "faint"

    def read(self, image: BgrImage, options: ReadOptions) -> PhotoReading:
        del options
        return PhotoReading((), (), (), (image.shape[1], image.shape[0]), self.model_id, {},
                            faint=(marker_of(square(30, 20, 5), 0.3),))


def test_a_faint_marker_of_a_part_is_one_of_the_picture() -> None:
    seen = Looker(OneFaint(), ReadOptions())._read(PICTURE, (400, 300, 700, 500))
    assert [marker.centre_px for marker in seen.faint] == [(430.0, 320.0)]


@dataclass
class CuttingReader(KnowingReader):
    """Sees tiles at the rim of a part too, cut by it."""

    def read(self, image: BgrImage, options: ReadOptions) -> PhotoReading:
        """What lies in this part, whole or in part."""
        seen, corner = super().read(image, options), image[0, 0, :2].astype(np.float32) * 4
        size = np.array([image.shape[1], image.shape[0]], np.float32)
        assert self.frame is not None
        cut = [self._cut(place - corner, size) for place in self._quads()]
        return replace(seen, tiles=(*seen.tiles, *(tile for tile in cut if tile is not None)))

    def _quads(self) -> list[Points]:
        assert self.frame is not None
        places = self.film.places[: self.frame.laid]
        return [self.film.corners(place).astype(np.float32) for place in places]

    def _cut(self, quad: Points, size: np.ndarray) -> TileSighting | None:
        inside = np.clip(quad, 1, size - 1).astype(np.float32)
        share = cv2.contourArea(inside) / cv2.contourArea(quad)
        if np.allclose(inside, quad) or share < 0.3:
            return None
        rows = np.full((2, 19), 0.05, np.float32)
        return TileSighting("face_up", (None, None), inside, 0.4, rows, np.zeros((0, 2), np.float32))


def test_a_known_tile_cut_by_the_rim_of_a_part_is_not_looked_for_again() -> None:
    film = small_film(2, hands=0.0, still=0.0)
    run, _ = watch_of(film)
    reader = CuttingReader(film)
    run.looker.reader = reader
    puzzled = []
    for frame in film.frames:
        reader.frame = frame
        run.settled(draw(film, frame), Moment(frame.number, 0.0))
        puzzled.append(run.looker.is_puzzled(run.watcher.board))
        assert run.watcher.board is not None
        assert not run.watcher.board.blind
    assert not any(puzzled)


def test_of_a_picture_that_was_read_at_length_no_third_look_is_taken() -> None:
    film = small_film(2, hands=0.0, still=0.0)
    run, reader = watch_of(film)
    image = draw(film, film.frames[0])
    for frame in film.frames[:4]:
        reader.frame, image = frame, draw(film, frame)
        run.settled(image, Moment(frame.number, 0.0))
    part = [square(SIZE[0] / 2, SIZE[1] / 2)]
    assert all(run.looker.again(image, part) is not None for _ in range(3))
    run.looker._read_px = 2e6
    assert run.looker.again(image, part) is None


def test_without_rules_a_place_where_nothing_came_is_not_read_again() -> None:
    """What the reader sees there, in whatever picture, is print: a lay of it would be told that never happened."""
    known = KnownTile(0, square(900, 900, 30), Evidence(np.zeros((2, 19))))
    places = [_Open(square(200, 200), came=False), _Open(square(400, 200), came=True)]
    for free, left in ((False, 2), (True, 1)):
        looker = Looker(OneFaint(), ReadOptions(), free)
        looker._open = places
        assert len(looker._left_open(Board({0: known}))) == left


@dataclass
class Printed(OneFaint):
    """Sees a tile that lies there, and from the second picture on one more in the print beside it."""

    reads: int = 0

    def read(self, image: BgrImage, options: ReadOptions) -> PhotoReading:
        """Both, wherever the part begins."""
        self.reads += 1
        corner = image[0, 0, :2].astype(np.float32) * 4
        places = [square(300, 300, 20), square(500, 300, 20)][: min(2, self.reads)]
        rows = np.zeros((2, 19), np.float32)
        rows[:, 4] = 1.0
        tiles = tuple(TileSighting("face_up", (4, 4), place - corner, 0.99, rows, np.zeros((0, 2), np.float32))
                      for place in places)
        return replace(super().read(image, options), tiles=tiles)


def something_moves(image: BgrImage, number: int) -> None:
    cv2.circle(image, (360 + 60 * number, 320 + 20 * number), 12, (0, 0, 230), -1)


def a_shadow_falls_on_the_print(image: BgrImage, number: int) -> None:
    image[280:300, 480:520, 2] += np.uint8(60 * (number > 0))
    cv2.circle(image, (360 + 60 * number, 420), 12, (0, 0, 230), -1)  # something else moves about


@pytest.mark.parametrize(("happens", "pictures"), [(something_moves, 5), (a_shadow_falls_on_the_print, 3)])
def test_print_that_is_read_as_a_tile_only_sometimes_is_never_laid(
    happens: Callable[[BgrImage, int], None], pictures: int
) -> None:
    film = small_film(2, hands=0.0, still=0.0)
    run, _ = watch_of(film, free=True)
    run.looker.reader = Printed()
    told = []
    for number in range(pictures):
        image = draw(film, replace(film.frames[0], laid=0, markers=()))
        happens(image, number)
        told += [event.event for event in run.settled(image, Moment(number, float(number)))]
    assert told == ["ready", "lay"]


def test_without_rules_a_still_table_is_read_again_only_where_something_came() -> None:
    known = KnownTile(0, square(900, 900, 30), Evidence(np.zeros((2, 19))))
    board = Board({0: known})
    assert Looker(OneFaint(), ReadOptions()).is_puzzled(board)
    looker = Looker(OneFaint(), ReadOptions(), free=True)
    assert not looker.is_puzzled(board)
    looker._open = [_Open(square(400, 200), came=True)]
    assert looker.is_puzzled(board)


def test_without_rules_the_second_look_is_at_all_of_the_picture() -> None:
    film = small_film(2, hands=0.0, still=0.0)
    sizes = {}
    for free in (False, True):
        run, reader = watch_of(film, free=free)
        for frame in film.frames[:4]:
            reader.frame, image = frame, draw(film, frame)
            run.settled(image, Moment(frame.number, 0.0))
        run.looker._read_px = 0.0
        run.looker.again(image, [square(SIZE[0] / 2, SIZE[1] / 2)])
        sizes[free] = run.looker._read_px
    assert sizes[False] < sizes[True] == SIZE[0] * SIZE[1]
