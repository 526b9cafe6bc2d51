"""Mirrored pictures: what shows a mirror, what does not, and where things then are."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from tests.vision.mirrors import mirror_image, with_slanting_pips
from tests.vision.tables import planned
from vision.layout import read_layout
from vision.mirror import Mirror, handedness, read_upright, reflected
from vision.reader import ReadOptions
from vision.tiles import BgrImage, Doubt, PhotoReading

OPTIONS = ReadOptions()


@dataclass
class Seer:
    """Sees one thing on a picture and another on its mirror image, and counts its looks."""

    plain: PhotoReading
    turned: PhotoReading
    model_id: str = "seer"
    looks: int = 0

    def read(self, image: BgrImage, options: ReadOptions) -> PhotoReading:
        """By the white pixel at the left edge of `PICTURE`."""
        del options
        self.looks += 1
        return self.plain if image[0, 0, 0] else self.turned


PICTURE = np.zeros((4, 6, 3), np.uint8)
PICTURE[0, 0] = 255


def unsure(reading: PhotoReading, confidence: float) -> PhotoReading:
    doubt = (Doubt("half_unclear", {"value": 1, "other": 2}),)
    return replace(reading, tiles=tuple(replace(t, confidence=confidence, doubts=doubt) for t in reading.tiles))


def pair(slope: int = 1) -> tuple[PhotoReading, PhotoReading]:
    reading = with_slanting_pips(planned(20_003)[1].reading, slope)
    return reading, mirror_image(reading)


@pytest.mark.parametrize("slope", [-1, 1])
def test_the_mirror_image_of_a_set_has_the_other_hand(slope: int) -> None:
    plain, turned = pair(slope)
    assert handedness(plain.tiles) == -handedness(turned.tiles) == slope
    assert handedness(plain.tiles[:1]) == 0


@pytest.mark.parametrize("slope", [-1, 1])
def test_pips_alone_show_no_mirror(slope: int) -> None:
    """Makers slant twos and threes either way: without another picture of the set nothing is claimed."""
    plain, turned = pair(slope)
    for seen, other in ((plain, turned), (turned, plain)):
        seer = Seer(seen, other)
        upright = read_upright(seer, PICTURE, OPTIONS, Mirror())
        assert (upright.turned, upright.note, seer.looks) == (False, None, 1)


@pytest.mark.parametrize("slope", [-1, 1])
def test_a_set_that_is_known_shows_a_mirror(slope: int) -> None:
    plain, turned = pair(slope)
    known = Mirror(handedness=slope)
    assert read_upright(Seer(plain, turned), PICTURE, OPTIONS, known).note is None
    upright = read_upright(Seer(turned, plain), PICTURE, OPTIONS, known)
    assert (upright.turned, upright.note, upright.seen) == (True, "mirrored", plain)


def test_too_few_pips_leave_it_open_and_say_so() -> None:
    plain, turned = pair()
    assert read_upright(Seer(plain, turned), PICTURE, OPTIONS, Mirror(handedness=0)).note == "mirrored_unclear"
    few = replace(plain, tiles=plain.tiles[:1])
    assert read_upright(Seer(few, few), PICTURE, OPTIONS, Mirror(handedness=1)).note == "mirrored_unclear"


def test_numerals_that_read_better_in_a_mirror_show_it() -> None:
    plain, turned = pair()
    upright = read_upright(Seer(unsure(turned, 0.5), unsure(plain, 0.8)), PICTURE, OPTIONS, Mirror())
    assert (upright.turned, upright.note) == (True, "mirrored")
    # Read the right way round a hard picture is no better in a mirror, nor is one of pips by this much.
    for better in (0.3, 0.55):
        upright = read_upright(Seer(unsure(plain, 0.5), unsure(turned, better)), PICTURE, OPTIONS, Mirror())
        assert (upright.turned, upright.note) == (False, None)


def test_places_are_those_in_the_picture_itself() -> None:
    plain, turned = pair()
    straight, back = read_layout(turned), reflected(read_layout(plain))
    for here, there in zip(straight.tiles, back.tiles, strict=True):
        assert np.allclose(here.sighting.corners_px, there.sighting.corners_px, atol=0.01)
        assert np.allclose(here.sighting.pips_px, there.sighting.pips_px, atol=0.01)
    assert straight.hub_px == pytest.approx(back.hub_px)
    assert {train.line.tile_ids: pytest.approx(train.line.end_px, abs=0.01) for train in straight.trains} == {
        train.line.tile_ids: train.line.end_px for train in back.trains
    }
    # The order round the hub is that of the table, against the one that the mirror shows.
    order = [train.line.tile_ids for train in straight.trains if train.slot is not None]
    real = [train.line.tile_ids for train in back.trains if train.slot is not None]
    assert len(order) > 2
    turned_round = order[::-1]
    start = turned_round.index(real[0])
    assert turned_round[start:] + turned_round[:start] == real
