"""The whole reader on pictures: made ones of seeds that no training uses, and real ones where they are at hand."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.camera import look_down
from datasets.grounds import GroundBank
from datasets.layouts import FACE_DOWN, FACE_UP, Placement
from datasets.makers import Maker, draw_maker
from datasets.scene import Scene, compose, draw_stage
from server.compose import open_reader
from vision.image import read_image
from vision.reader import PhotoReader, ReadOptions
from vision.tiles import PhotoReading

SEED = 901_000
SHARED = Path(os.environ.get("STATIONMASTER_SHARED", Path(__file__).resolve().parents[3] / "shared"))
HAND = [(3, 7), (12, 12), (0, 5), (10, 2), (6, 6), (9, 1), (4, 11), (8, 0)]


@pytest.fixture(scope="module")
def reader() -> PhotoReader:
    return open_reader()


@pytest.fixture(scope="module")
def bank() -> GroundBank:
    return GroundBank(np.random.default_rng([SEED, 1]), count=6)


def plain_maker(rng: np.random.Generator) -> Maker:
    """A set that a person reads without effort."""
    while True:
        maker = draw_maker(rng)
        easy = not maker.numerals and maker.wear == 0 and not maker.recesses and not maker.film
        if easy and np.mean(maker.body) > 150 and maker.pip_radius > 0.085 and maker.top >= 12:
            return maker


def row_of_tiles(tiles: list[tuple[int, int]], gap: float = 0.25) -> list[Placement]:
    columns = 4
    return [
        Placement((i % columns - 1.5) * (0.5 + gap), (i // columns - 0.5) * (1 + gap), np.pi / 2, FACE_UP, ends)
        for i, ends in enumerate(tiles)
    ]


def picture(
    bank: GroundBank, seed: int, places: list[Placement], size: tuple[int, int] = (1200, 900), tile_px: float = 190
) -> Scene:
    rng = np.random.default_rng([SEED, seed])
    middle = (size[0] / 2, size[1] / 2)
    camera = look_down(
        focal_px=1500,
        tile_px=tile_px,
        tilt_deg=8,
        towards_deg=float(rng.uniform(0, 360)),
        roll_deg=float(rng.uniform(0, 360)),
        centre_px=middle,
    )
    maker = plain_maker(rng)
    ground = bank.draw(rng, *size)
    return compose(draw_stage(rng, camera, [maker]), ground, places, [maker] * len(places), tile_px=tile_px)


def tiles_of(reading: PhotoReading) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(t.ends)) for t in reading.tiles if None not in t.ends)  # type: ignore[type-var]


def as_counter(tiles: list[tuple[int, int]]) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(t)) for t in tiles)


def test_made_hands_are_read_and_none_is_silently_wrong(reader: PhotoReader, bank: GroundBank) -> None:
    exact = 0
    for seed in range(12):
        reading = reader.read(picture(bank, seed, row_of_tiles(HAND)).image, ReadOptions())
        right = tiles_of(reading) == as_counter(HAND)
        exact += right
        assert right or reading.doubtful > 0, f"seed {seed} is wrong without a doubt"
    assert exact >= 10


def test_a_picture_is_read_brighter_where_that_is_asked(reader: PhotoReader, bank: GroundBank) -> None:
    image = picture(bank, 3, row_of_tiles(HAND[:3])).image
    brighter = np.clip(image.astype(np.float32) * 1.5 + 0.5, 0, 255).astype(np.uint8)
    one, other = reader.read(image, ReadOptions(gain=1.5)), reader.read(brighter, ReadOptions())
    assert [tile.ends for tile in one.tiles] == [tile.ends for tile in other.tiles]
    plain = reader.read(image, ReadOptions())
    assert not np.allclose(one.tiles[0].probabilities, plain.tiles[0].probabilities, atol=1e-9)


def test_corners_are_right_to_a_hundredth_of_the_tile(reader: PhotoReader, bank: GroundBank) -> None:
    scene = picture(bank, 3, row_of_tiles(HAND))
    reading = reader.read(scene.image, ReadOptions())
    errors = []
    for tile in reading.tiles:
        truth = min(
            (t.corners_px for t in scene.truths), key=lambda c: float(np.abs(c.mean(0) - tile.corners_px.mean(0)).sum())
        )
        turned = np.roll(truth, 2, axis=0)
        length = float(np.linalg.norm(truth[2] - truth[1]))
        either = [float(np.linalg.norm(tile.corners_px - c, axis=1).mean()) for c in (truth, turned)]
        errors.append(min(either) / length)
    assert np.median(errors) < 0.015


def test_pips_that_were_counted_lie_where_they_are_painted(reader: PhotoReader, bank: GroundBank) -> None:
    scene = picture(bank, 5, row_of_tiles([(6, 5), (9, 4)], gap=0.6))
    for tile in reader.read(scene.image, ReadOptions()).tiles:
        truth = min(scene.truths, key=lambda t: float(np.abs(t.corners_px.mean(0) - tile.corners_px.mean(0)).sum()))
        assert truth.pips_px is not None
        wanted = np.concatenate(truth.pips_px)
        assert len(tile.pips_px) == len(wanted)
        nearest = np.linalg.norm(tile.pips_px[:, None] - wanted[None], axis=2).min(1)
        assert nearest.max() < 0.04 * np.linalg.norm(tile.corners_px[2] - tile.corners_px[1])


def test_a_table_without_dominoes_has_none(reader: PhotoReader, bank: GroundBank) -> None:
    for seed in range(40, 46):
        reading = reader.read(picture(bank, seed, []).image, ReadOptions())
        assert sum(not t.doubtful for t in reading.tiles) == 0


def test_backs_are_not_counted_as_double_blanks(reader: PhotoReader, bank: GroundBank) -> None:
    places = row_of_tiles(HAND[:4], gap=0.5)
    places += [Placement(p.x, p.y + 1.6, p.angle, FACE_DOWN) for p in places]
    reading = reader.read(picture(bank, 7, places, tile_px=140).image, ReadOptions())
    assert tiles_of(reading) == as_counter(HAND[:4])
    assert len(reading.face_down) == 4


def test_half_a_tile_at_the_edge_is_told_of(reader: PhotoReader, bank: GroundBank) -> None:
    tried, told = 0, 0
    for seed in range(13, 34):
        scene = picture(bank, seed, row_of_tiles([(3, 7), (5, 2)], gap=0.9))
        corners = scene.truths[0].corners_px
        if corners.min() < 5 or (corners > [1195, 895]).any():
            continue  # cut already: less than half would be left
        middle = int(corners[:, 0].mean())
        for cut in (scene.image[:, middle:], scene.image[:, :middle]):
            reading = reader.read(np.ascontiguousarray(cut), ReadOptions())
            tried += 1
            told += any(abs(t.centre_px[1] - corners[:, 1].mean()) < 60 and t.doubtful for t in reading.tiles)
    assert tried >= 16
    # Measured: 26 of 30 cut tiles are told of. The others are the next thing to train for.
    assert told >= 0.8 * tried


def test_a_blurred_photo_is_doubtful(reader: PhotoReader, bank: GroundBank) -> None:
    image = cv2.GaussianBlur(picture(bank, 11, row_of_tiles(HAND)).image, (0, 0), 9)
    reading = reader.read(np.asarray(image, np.uint8), ReadOptions())
    assert all(t.doubtful for t in reading.tiles)


def test_turning_the_picture_does_not_change_the_hand(reader: PhotoReader, bank: GroundBank) -> None:
    image = picture(bank, 2, row_of_tiles(HAND)).image
    hands = [tiles_of(reader.read(np.ascontiguousarray(np.rot90(image, k)), ReadOptions())) for k in range(4)]
    assert hands[0] == hands[1] == hands[2] == hands[3]


def _real(kinds: tuple[str, ...]) -> list[dict]:  # type: ignore[type-arg]
    path = SHARED / "real" / "truth.json"
    if not path.exists():
        return []
    left_out = ("paper_tiles", "hand_drawn")
    entries = json.loads(path.read_text())
    return [e for e in entries if e["kind"] in kinds and e["file"].split("/")[0] not in left_out]


@pytest.mark.skipif(not _real(("hand",)), reason="the folder of real photographs (STATIONMASTER_SHARED) is not here")
def test_real_hands_no_photo_is_silently_wrong(reader: PhotoReader) -> None:
    exact, silent, entries = 0, [], _real(("hand", "single"))
    for entry in entries:
        mixed = entry["file"].startswith("teal_board")
        reading = reader.read(read_image(SHARED / "real" / entry["file"]), ReadOptions(12, mixed))
        right = sum(v or 0 for t in reading.tiles for v in t.ends) == entry["total_pips"]
        exact += right
        if not right and reading.doubtful == 0:
            silent.append(entry["file"])
    assert not silent
    assert exact / len(entries) > 0.85


@pytest.mark.parametrize("size", [(1, 1), (640, 480), (1600, 1200)])
@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_picture_of_nothing_at_all_is_read_as_nothing(reader: PhotoReader, size: tuple[int, int], level: int) -> None:
    seen = reader.read(np.full((size[1], size[0], 3), level, np.uint8), ReadOptions())
    assert (seen.tiles, seen.face_down, seen.markers) == ((), (), ())
