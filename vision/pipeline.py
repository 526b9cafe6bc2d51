"""The reader that the product uses: find, refine, read, agree."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.agree import AgreeConfig, agree
from vision.candidates import Candidates, shared_areas
from vision.corners import NOTHING, OnnxCorners
from vision.detections import FACE_DOWN, FACE_UP, MARKER, Detections, Floats, keep_best
from vision.detector import OnnxFinder
from vision.gaps import with_gaps
from vision.geometry import Array, Pyramid
from vision.halves import OnnxHalves
from vision.reader import ReadOptions
from vision.sharpness import sharpness
from vision.tiles import BgrImage, PhotoReading

_SURE = 0.5


@dataclass(frozen=True, slots=True)
class PipelineConfig:
    """Sizes in px of the longer side as the finder sees it; lengths of tiles are measured there too.

    A first, coarse pass that sees tiles of `least_near_px` or more has seen what the picture is of; `many` sure
    tiles are a table.
    """

    near_side: int = 320
    main_side: int = 800
    far_side: int = 1536
    least_near_px: float = 18.0
    many: int = 20
    least_score: float = 0.12
    most_candidates: int = 160
    most_overlap: float = 0.5
    agree: AgreeConfig = field(default_factory=AgreeConfig)


class OnnxPhotoReader:
    """Reads photos with the three networks of `models/`. Immutable; may be shared between threads."""

    def __init__(
        self,
        finder: OnnxFinder,
        corners: OnnxCorners,
        halves: OnnxHalves,
        model_id: str,
        config: PipelineConfig | None = None,
    ) -> None:
        self.model_id = model_id
        self._finder, self._corners, self._halves = finder, corners, halves
        self._config = config or PipelineConfig()

    @classmethod
    def load(cls, files: Mapping[str, Path], temperatures: tuple[float, float], model_id: str) -> OnnxPhotoReader:
        """From the model files `finder`, `corners`, `reader` and `careful`; `temperatures` of the last two."""
        halves = OnnxHalves(files["reader"], files["careful"], temperatures)
        return cls(OnnxFinder(files["finder"]), OnnxCorners(files["corners"]), halves, model_id)

    def read(self, image: BgrImage, options: ReadOptions) -> PhotoReading:
        """Every tile, back and marker on `image`."""
        clock = _Clock()
        size_wh = image.shape[1], image.shape[0]
        picture = Pyramid(image)
        with clock("find"):
            detections = self._find(picture)
        with clock("corners"):
            corners, kinds = self._corners.refine(picture, detections.boxes, detections.score > 0.4)
        with clock("read"):
            readings = self._halves.read(picture, corners, ~_not_worth_reading(detections, corners, kinds))
        with clock("agree"):
            found = Candidates(detections.score, detections.kind, corners, kinds, readings)
            tiles, backs, markers = agree(found, size_wh, options.set_size, options.mixed, self._config.agree)
        blurred = not tiles and sharpness(picture) < self._config.agree.least_sharpness
        ms = clock.finish()
        return PhotoReading(tuple(tiles), tuple(backs), tuple(markers), size_wh, self.model_id, ms, blurred=blurred)

    def _find(self, picture: Pyramid) -> Detections:
        """A pass for tiles that fill the picture, one for the usual sizes, and a finer one where tiles are small.

        A table full of small tiles needs the fine one alone: there a pass more costs time and finds nothing new.
        """
        config = self._config
        longest = max(picture.level(0).shape[:2])
        passes = [self._pass(picture, longest, config.near_side)]
        large = _typical_length(passes[0]) * config.near_side / longest >= config.least_near_px
        if not large and longest > config.main_side:
            passes.append(self._pass(picture, longest, min(config.far_side, longest)))
        if len(passes) == 1 or int((passes[-1].score > _SURE).sum()) < config.many:
            passes.append(self._pass(picture, longest, config.main_side))
        found = keep_best(Detections.merge(passes), config.most_overlap)
        return with_gaps(found[np.arange(min(len(found), config.most_candidates))])

    def _pass(self, picture: Pyramid, longest: int, side: int) -> Detections:
        """The finder on the picture shrunk to `side` px, from the level of the pyramid just above that."""
        image, _ = picture.fitting(min(1.0, side / longest))
        found = self._finder.find(image, side, self._config.least_score)
        return found.scaled(longest / max(image.shape[:2]))


def _typical_length(found: Detections) -> float:
    """Median length of the tiles that the finder is sure of, px; 0 without any."""
    sure = found.boxes[found.score > _SURE]
    return float(np.median(sure[:, 2])) if len(sure) else 0.0


def _not_worth_reading(found: Detections, corners: Array, kinds: Floats) -> npt.NDArray[np.bool_]:
    """Places (n,) that can't become tiles, whatever their faces say: reading is what costs most on a table."""
    # Where the two that look from outside agree on a back or a marker, there is nothing to read;
    faceless = (found.kind != FACE_UP) & (kinds[:, FACE_DOWN] + kinds[:, MARKER] > 0.9)
    # nor where the finder hardly believed in anything and the close look is sure that there is nothing;
    empty = (found.score < 0.25) & (kinds[:, NOTHING] > 0.97)
    # nor where a weak one lies across a tile that both are sure of.
    sure = (found.kind == FACE_UP) & (found.score > 0.7) & (kinds[:, FACE_UP] > 0.95)
    shared = shared_areas(corners)
    across = (found.score < 0.3) & (shared[:, sure].max(1, initial=0.0) > 0.5)
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
