"""The reader that the product uses: find, refine, read, agree."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

import cv2
import numpy as np
import numpy.typing as npt

from vision import neighbours
from vision.agree import agree
from vision.bodies import bodies_told, no_backs, sure_faces, with_blanks
from vision.candidates import Candidates, evidence, shared_areas
from vision.corners import NOTHING, OnnxCorners
from vision.detections import FACE_DOWN, FACE_UP, MARKER, Detections, Floats, keep_best
from vision.detector import OnnxFinder
from vision.drafts import AgreeConfig
from vision.gaps import with_gaps
from vision.geometry import Array, Pyramid
from vision.halves import NO_VALUE, OnnxHalves
from vision.lengths import evened, length_ratios, misfits, set_right
from vision.reader import ReadOptions
from vision.sharpness import sharpness
from vision.tails import OnnxTails, looked_at
from vision.tiles import BgrImage, PhotoReading

_SURE = 0.5
_MAYBE_TILE, _MAYBE_FACE = 0.15, 0.4
"""Of the finder and of the close look: such places are worth setting right."""
_NEARLY_TWO = 1.25
"""Places this many tiles long may be two."""


@dataclass(frozen=True, slots=True)
class PipelineConfig:
    """Sizes in px of the longer side as the finder sees it; lengths of tiles are measured there too.

    A first, coarse pass that sees tiles of `least_near_px` or more has seen what the picture is of, unless the main
    pass then sees that they are smaller than `least_main_px`; `many` sure tiles are a table. Tiles of `least_hand_px`
    or more are a hand, or so near that no marker is overlooked from afar. `most_beside` places beside sure tiles are
    looked at in a round.
    """

    near_side: int = 320
    main_side: int = 800
    far_side: int = 1536
    least_near_px: float = 18.0
    least_main_px: float = 45.0
    least_hand_px: float = 70.0
    many: int = 20
    least_score: float = 0.12
    most_candidates: int = 160
    most_overlap: float = 0.5
    most_rounds: int = 12
    most_beside: int = 100
    agree: AgreeConfig = field(default_factory=AgreeConfig)


class OnnxPhotoReader:
    """Reads photos with the five networks of `models/`. Immutable; may be shared between threads."""

    def __init__(
        self,
        finder: OnnxFinder,
        corners: OnnxCorners,
        halves: OnnxHalves,
        tails: OnnxTails,
        model_id: str,
        config: PipelineConfig | None = None,
    ) -> None:
        self.model_id = model_id
        self._finder, self._corners, self._halves, self._tails = finder, corners, halves, tails
        self._config = config or PipelineConfig()

    @classmethod
    def load(cls, files: Mapping[str, Path], settings: Mapping[str, Mapping[str, float]], model_id: str) -> Self:
        """From the files of the five models by name, and the settings that belong to their weights."""
        temperatures = [settings.get(name, {}).get("temperature", 1.0) for name in ("reader", "careful")]
        halves = OnnxHalves(files["reader"], files["careful"], (temperatures[0], temperatures[1]))
        tails = OnnxTails(files["tails"], **settings.get("tails", {}))
        return cls(OnnxFinder(files["finder"]), OnnxCorners(files["corners"]), halves, tails, model_id)

    def read(self, image: BgrImage, options: ReadOptions) -> PhotoReading:
        """Every tile, back and marker on `image`."""
        clock = _Clock()
        size_wh = image.shape[1], image.shape[0]
        if options.gain != 1.0:
            image = np.asarray(cv2.convertScaleAbs(image, alpha=options.gain), np.uint8)
        picture = Pyramid(image)
        with clock("find"):
            detections = self._find(picture)
        with clock("corners"):
            corners, kinds = self._corners.refine(picture, detections.boxes, detections.score > 0.4)
            alike, told = bodies_told(picture, detections, corners, kinds)
            detections, kinds = no_backs(detections, kinds, told)
            ratios = length_ratios(corners, sure_faces(detections, kinds), size_wh)
            corners = evened(corners, ratios)
        with clock("read"):
            readings = self._halves.read(picture, corners, ~_not_worth_reading(detections, corners, kinds))
            sides = detections.boxes[:, 2:4]
            found = Candidates(detections.score, detections.kind, sides, corners, kinds, readings)
            found = self._set_right(picture, with_blanks(found, alike, told, self._config.agree), ratios)
        length = _typical_length(detections) * self._config.main_side / max(size_wh)
        with clock("beside"):
            found = self._with_neighbours(picture, found)
        with clock("agree"):
            tiles, backs, spots = agree(found, size_wh, options.set_size, options.mixed, self._config.agree)
        with clock("markers"):
            anywhere = length < self._config.least_hand_px
            markers, maybe = looked_at(self._tails, picture, tiles, spots, anywhere=anywhere)
        blurred = not tiles and sharpness(picture) < self._config.agree.least_sharpness
        ms = clock.finish()
        found_there = tuple(tiles), tuple(backs), tuple(markers)
        return PhotoReading(*found_there, size_wh, self.model_id, ms, blurred=blurred, faint=tuple(maybe))

    def _find(self, picture: Pyramid) -> Detections:
        """A pass for tiles that fill the picture, one for the usual sizes, and a finer one where tiles are small.

        A table full of small tiles needs the fine one alone: there a pass more costs time and finds nothing new.
        """
        config = self._config
        longest = max(picture.level(0).shape[:2])
        fine = min(config.far_side, longest)
        passes = [self._pass(picture, longest, config.near_side)]
        small = _typical_length(passes[0]) * config.near_side / longest < config.least_near_px
        if small and longest > config.main_side:
            passes.append(self._pass(picture, longest, fine))
        if len(passes) == 1 or int((passes[-1].score > _SURE).sum()) < config.many:
            passes.append(self._pass(picture, longest, config.main_side))
        # What the coarse pass took for a large tile may have been a card, a hub or two tiles end to end.
        length = _typical_length(passes[-1]) * config.main_side / longest
        if not small and longest > config.main_side and length < config.least_main_px:
            passes.append(self._pass(picture, longest, fine))
        found = keep_best(Detections.merge(passes), config.most_overlap)
        return with_gaps(found[np.arange(min(len(found), config.most_candidates))])

    def _set_right(self, picture: Pyramid, found: Candidates, ratios: Floats) -> Candidates:
        """The candidates, tiles that are not as long as the others read again at full length.

        What lacks an end, or has too much of one, is the clearest of the places to either side; what is nearly as long
        as two tiles may be one at each end.
        """
        likely = (found.kind == FACE_UP) & (found.kinds[:, FACE_UP] > _MAYBE_FACE) & (found.score > _MAYBE_TILE)
        wrong = np.flatnonzero(misfits(ratios) & likely)
        if len(wrong) == 0:
            return found
        places = np.stack(set_right(found.corners[wrong], ratios[wrong]))
        read = self._halves.read(picture, places.reshape(-1, 4, 2))
        valued = read.probabilities[:, :, :NO_VALUE].max(2).reshape(len(places), -1, 2)
        # What nobody much believed in has to show two values at full length.
        shown = (evidence(found)[wrong] > self._config.agree.maybe_evidence) | (valued.min(2) > _SURE).any(0)
        wrong, places, valued = wrong[shown], places[:, shown], valued[:, shown]
        read = read[np.flatnonzero(np.tile(shown, len(places)))]
        number, every = np.log(valued + 1e-6).sum(2).argmax(0), np.arange(len(wrong))
        double = ratios[wrong] > _NEARLY_TWO
        number[double] = 0
        corners, readings = found.corners.copy(), found.readings
        corners[wrong] = places[number, every]
        readings.put(np.isin(np.arange(len(found)), wrong), read[number * len(wrong) + every])
        found = replace(found, corners=corners)
        others = replace(
            found[wrong[double]],
            corners=places[-1, double],
            readings=read[(len(places) - 1) * len(wrong) + every[double]],
        )
        return found.with_more(others)

    def _with_neighbours(self, picture: Pyramid, found: Candidates) -> Candidates:
        """The candidates, and tiles that the finder passed over beside sure ones, from each to the next."""
        asked: set[int] = set()
        height, width = picture.level(0).shape[:2]
        for _ in range(self._config.most_rounds):
            sure = neighbours.sure_tiles(found, self._config.agree.shared_ratio)
            new = np.array([index for index in sure if index not in asked], np.int64)
            asked.update(new.tolist())
            boxes = neighbours.places_beside(found, new, (width, height))
            # On a table of the tiles' own colour everything is of like stuff; the likeliest places come first.
            boxes = boxes[neighbours.of_like_stuff(picture, boxes, found, new)][: self._config.most_beside]
            more = self._seen(picture, boxes)
            if len(more) == 0:
                break
            found = found.with_more(more)
        return found

    def _seen(self, picture: Pyramid, boxes: Floats) -> Candidates:
        """The face-up tiles among places (n, 5) px that the finder did not name."""
        corners, kinds = self._corners.refine(picture, boxes)
        seen = np.flatnonzero(kinds.argmax(1) == FACE_UP)
        corners, kinds = corners[seen], kinds[seen]
        score = np.full(len(seen), neighbours.PROPOSED_SCORE, np.float32)
        readings = self._halves.read(picture, corners)
        kind, sides = np.full(len(seen), FACE_UP, np.int64), boxes[seen, 2:4]
        found = Candidates(score, kind, sides, corners, kinds, readings)
        # What the finder passed over has to show two values, or it is the table's edge, or half of another tile.
        valued = (readings.probabilities[:, :, :NO_VALUE].max(2) > _SURE).all(1)
        return found[np.flatnonzero(valued & (evidence(found) > self._config.agree.tile_evidence))]

    def _pass(self, picture: Pyramid, longest: int, side: int) -> Detections:
        """The finder on the picture shrunk to `side` px, from the level of the pyramid just above that."""
        image, _ = picture.fitting(min(1.0, side / longest))
        found = self._finder.find(image, side, self._config.least_score)
        return found.scaled(longest / max(image.shape[:2]))


def _typical_length(found: Detections) -> float:
    """Median length of the tiles that the finder is sure of, px; 0 without any."""
    sure = found.boxes[found.score > _SURE]
    return float(np.median(sure[:, 2])) if len(sure) else 0.0


_BACKS_READ = 8
"""So many cost hardly more than none."""


def _not_worth_reading(found: Detections, corners: Array, kinds: Floats) -> npt.NDArray[np.bool_]:
    """Places (n,) that can't become tiles, whatever their faces say: reading is what costs most on a table."""
    # Where the two that look from outside agree on a back or a marker, there is nothing to read;
    faceless = (found.kind != FACE_UP) & (kinds[:, FACE_DOWN] + kinds[:, MARKER] > 0.9)
    # except for the weakest backs: blanks and pale pips in odd light have been taken for them;
    backs = np.flatnonzero(faceless & (found.kind == FACE_DOWN))
    faceless[backs[np.argsort(found.score[backs], kind="stable")[:_BACKS_READ]]] = False
    # nor where the finder hardly believed in anything and the close look is sure that there is nothing;
    empty = (found.score < 0.25) & (kinds[:, NOTHING] > 0.97)
    # nor where a weak one lies across a tile that both are sure of.
    shared = shared_areas(corners)
    across = (found.score < 0.3) & (shared[:, sure_faces(found, kinds)].max(1, initial=0.0) > 0.5)
    return np.asarray(faceless | empty | across)


class _Clock:
    """Milliseconds of each stage and of the whole."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._stages: dict[str, float] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """Time what happens inside."""
        begin = time.perf_counter()
        yield
        self._stages[stage] = (time.perf_counter() - begin) * 1000

    def finish(self) -> dict[str, float]:
        """All stages, rounded, with `total`."""
        stages = {**self._stages, "total": (time.perf_counter() - self._start) * 1000}
        return {name: round(ms, 1) for name, ms in stages.items()}
