"""The overlay: a copy, everything visible at any size, sure and doubtful told apart without colour."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.annotate import DOUBTFUL, SURE, Caption, annotated
from vision.tiles import Doubt, PhotoReading, TileSighting

Array = npt.NDArray[np.uint8]
GREY = 90


def sighting(
    x: float, y: float, length: float, *, doubtful: bool = False, kind: str = "face_up", pips: int = 4
) -> TileSighting:
    """An upright tile whose face's top left is at (x, y) px."""
    wide = length / 2
    corners = np.array([[x, y], [x + wide, y], [x + wide, y + length], [x, y + length]], np.float32)
    places = np.array([[x + wide * (0.3 + 0.13 * k), y + length * 0.6] for k in range(pips)], np.float32)
    return TileSighting(
        kind=kind,
        ends=(1, None) if doubtful else (1, 3),
        corners_px=corners,
        confidence=0.9,
        probabilities=np.zeros((2, 19), np.float32),
        pips_px=places if kind == "face_up" else places[:0],
        doubts=(Doubt("half_unreadable"),) if doubtful else (),
    )


def reading_of(*tiles: TileSighting, size: tuple[int, int] = (800, 600)) -> PhotoReading:
    up = tuple(tile for tile in tiles if tile.kind == "face_up")
    down = tuple(tile for tile in tiles if tile.kind != "face_up")
    return PhotoReading(up, down, (), size, "test", {"total": 1.0})


def grey(width: int = 800, height: int = 600) -> Array:
    return np.full((height, width, 3), GREY, np.uint8)


def near(image: Array, colour: tuple[int, int, int]) -> npt.NDArray[np.bool_]:
    return np.asarray(np.abs(image.astype(int) - colour).max(2) < 30)


def test_the_photo_itself_is_untouched() -> None:
    image = grey()
    drawn = annotated(image, reading_of(sighting(300, 200, 200)), Caption("4"))
    assert (image == GREY).all()
    assert drawn.shape == image.shape
    assert drawn.dtype == np.uint8
    assert (drawn != image).any()


def test_sure_and_doubtful_differ_in_colour_and_form() -> None:
    sure = annotated(grey(), reading_of(sighting(300, 200, 200)), Caption("4"))
    unsure = annotated(grey(), reading_of(sighting(300, 200, 200, doubtful=True)), Caption("4"))
    assert near(sure, SURE).sum() > 500
    assert near(sure, DOUBTFUL).sum() == 0
    assert near(unsure, DOUBTFUL).sum() > 500
    assert near(unsure, SURE).sum() == 0
    # The left side: a whole line, and a broken one.
    side = slice(210, 390), slice(296, 305)
    assert near(sure, SURE)[side].any(axis=1).all()
    broken = near(unsure, DOUBTFUL)[side].any(axis=1)
    assert broken.any()
    assert not broken.all()
    # Hatched inside, where the sure one is clear.
    inside = slice(300, 380), slice(310, 390)
    assert (sure[inside] != GREY).any(axis=2).mean() < 0.12
    assert (unsure[inside] != GREY).any(axis=2).mean() > 0.1 + (sure[inside] != GREY).any(axis=2).mean()


def test_every_counted_pip_is_dotted() -> None:
    tile = sighting(300, 200, 200, pips=4)
    drawn = annotated(grey(), reading_of(tile), Caption("4"))
    for x, y in tile.pips_px:
        assert near(drawn, SURE)[round(float(y)), round(float(x))]


@pytest.mark.parametrize("size", [(60, 200), (160, 120), (800, 600), (4000, 3000), (300, 2000), (2000, 90)])
def test_the_total_is_legible_at_any_size(size: tuple[int, int]) -> None:
    drawn = annotated(grey(*size), reading_of(size=size), Caption("73", "Total", "9 tiles, 2 of them to check by eye"))
    ink = near(drawn, (255, 255, 255))
    rows, _ = np.where(ink)
    assert len(rows), "no total"
    assert rows.max() - rows.min() >= max(10, 0.08 * min(size))
    assert drawn[:, -3:].max() < 120, "the line below runs out of the photo"


def test_the_plate_hides_no_tile() -> None:
    tiles = [sighting(20 + 110 * k, 250, 200) for k in range(7)] + [sighting(20, 10, 200), sighting(20, 390, 200)]
    with_plate = annotated(grey(), reading_of(*tiles), Caption("73", "Total", "9 tiles"))
    ink = near(with_plate, (34, 28, 24))
    for tile in tiles:
        x, y = tile.centre_px
        middle = slice(round(y) - 60, round(y) - 20), slice(round(x) - 20, round(x) + 20)
        assert ink[middle].mean() < 0.5


def test_face_down_tiles_are_faint() -> None:
    drawn = annotated(grey(), reading_of(sighting(300, 200, 200, kind="face_down")), Caption("0"))
    assert near(drawn, SURE).sum() == 0
    line = drawn[300, 290:310].astype(int)
    assert GREY + 20 < line.max() < 200


@pytest.mark.parametrize("place", [(-40, -60), (760, 560), (-500, -500), (780, -90)])
def test_tiles_across_and_beyond_the_edge(place: tuple[int, int]) -> None:
    for doubtful in (False, True):
        tile = sighting(*place, 200, doubtful=doubtful)
        drawn = annotated(grey(), reading_of(tile, sighting(*place, 200, kind="face_down")), Caption("4"))
        assert drawn.shape == (600, 800, 3)


def test_chips_of_facing_rows_do_not_hide_each_other() -> None:
    """Two rows close together: four values, four chips, none on top of another."""
    tiles = reading_of(sighting(300, 80, 200), sighting(346, 300, 200))
    dark = near(annotated(grey(), tiles, Caption("8")), (34, 28, 24)).astype(np.uint8)
    dark[:, :250] = 0
    _, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    chips = [row for row in stats[1:] if row[cv2.CC_STAT_AREA] > 400]
    assert len(chips) == 4
