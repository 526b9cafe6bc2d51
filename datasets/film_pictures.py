"""Painting planned films on the fast compositor: one table top, one lamp, one camera; only what happens changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from datasets import clutter, photo, scene
from datasets.films import Film, Frame, bump_matrix
from datasets.grounds import make_ground
from datasets.hubs import paint_hub
from datasets.layouts import Placement

Image = np.ndarray


@dataclass(slots=True)
class Painter:
    """Paints the frames of one film in order. Tiles are painted once, so that they look the same in every frame."""

    film: Film
    stage: scene.Stage
    clean: Image
    laid: int = 0

    @classmethod
    def of(cls, film: Film) -> Painter:
        """The table before anything lies on it."""
        rng = np.random.default_rng((film.seed, 77))
        stage = scene.draw_stage(rng, film.camera, [film.maker])
        width, height = film.spec.size
        side = max(width, height)
        ground = cv2.resize(make_ground(rng, 1024), (side, side), interpolation=cv2.INTER_LINEAR)
        image = np.ascontiguousarray(np.clip(ground[:height, :width], 0, 255).astype(np.uint8))
        paint_hub(rng, image, film.hub, film.camera, film.maker.width)
        return cls(film, stage, image)

    def frames(self) -> Iterator[tuple[Frame, Image]]:
        """Every frame with its picture, BGR uint8."""
        for frame in self.film.frames:
            yield frame, self.paint(frame)

    def paint(self, frame: Frame) -> Image:
        """One frame; frames are asked for in order."""
        while self.laid < frame.laid:
            self._lay(self.clean, self.film.places[self.laid], self.laid)
            self.laid += 1
        image = self.clean.copy()
        for number, (train, place) in enumerate(frame.markers):
            del number
            self._lay(image, place, 10_000 + sum(train.encode()))
        if frame.kind == "hand":
            self._hand(image, frame)
        return self._developed(image, frame)

    def _lay(self, image: Image, place: Placement, seed: int) -> None:
        stage = replace(self.stage, rng=np.random.default_rng((self.film.seed, seed)))
        scene.lay_on(stage, image, place, self.film.maker)

    def _hand(self, image: Image, frame: Frame) -> None:
        rng = np.random.default_rng((self.film.seed, 99, frame.number))
        mask = clutter.hand_mask(rng, image.shape[:2], self.film.tile_px)
        clutter.paint_hand(rng, image, mask)

    def _developed(self, image: Image, frame: Frame) -> Image:
        """Camera and lamp: the same for the whole film, but for bumps, another light, and fresh noise."""
        film, (width, height) = self.film, self.film.spec.size
        lit = image.astype(np.float32)
        lit = photo.light_field(np.random.default_rng((film.seed, 5)), lit)
        lit = photo.colour_cast(np.random.default_rng((film.seed, 6)), lit)
        lit = np.clip(lit * _gains(frame.lamp), 0, 255)
        if frame.turn_deg or any(frame.shift_px):
            lit = cv2.warpAffine(lit, bump_matrix(film, frame), (width, height), borderMode=cv2.BORDER_REPLICATE)
        rng = np.random.default_rng((film.seed, 7, frame.number))
        noise = rng.normal(0, 2.0, (height // 2 + 1, width // 2 + 1, 1)).astype(np.float32)
        noise = np.tile(noise, (2, 2, 1))[:height, :width]
        return np.clip(lit + noise, 0, 255).astype(np.uint8)


def _gains(lamp: float) -> Image:
    """A warm lamp brightens red most."""
    if lamp == 1.0:
        return np.ones(3, np.float32)
    return np.array([lamp**0.7, lamp, lamp**1.15], np.float32)
