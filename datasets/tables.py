"""Whole game tables with exact truth: what lies there, then its picture.

`plan_game` lays a game; `make_table` also paints it. The truth is in the form that `stationmaster read --json`
prints, with a few keys more (see `truth_of`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from datasets import clutter
from datasets.camera import Camera, look_down
from datasets.game import Game, GameSpec, plan_game
from datasets.grounds import GroundBank
from datasets.hubs import paint_hub
from datasets.layouts import FACE_UP, MARKER, outline
from datasets.makers import Maker, draw_maker
from datasets.scene import Scene, compose, draw_stage


@dataclass(frozen=True, slots=True)
class TableSpec:
    """What to vary over. `faults` are laid on purpose: `ends_differ`, `tile_twice`, `marker_on_mexican`."""

    size: tuple[int, int] = (1920, 1080)
    tile_px: tuple[float, float] = (40.0, 90.0)
    tilt_max_deg: float = 35.0
    laid: tuple[int, int] = (8, 70)
    set_size: int | None = None
    chickenfoot: float = 0.12
    faults: tuple[str, ...] = ()
    numerals: bool = True
    cut: float = 0.0
    hands: float = 0.0
    pale_markers: float = 0.0


@dataclass(frozen=True, slots=True)
class TablePicture:
    """BGR uint8 picture, and the truth as plain JSON data."""

    image: np.ndarray
    truth: dict[str, object]


@dataclass(frozen=True, slots=True)
class View:
    """A planned table and the camera that sees it."""

    game: Game
    camera: Camera
    maker: Maker
    tile_px: float
    spec: TableSpec = field(default_factory=TableSpec)


def plan_table(rng: np.random.Generator, spec: TableSpec) -> View:
    """A game laid so that all of it is in the picture, with the camera and the makers' look."""
    low, high = spec.laid
    laid = int(rng.integers(50, high + 1)) if high > 50 and rng.random() < 0.32 else int(rng.integers(low, high + 1))
    # A crowded table is seen from farther away: there has to be room for everything.
    room = math.sqrt(spec.size[0] * spec.size[1] / (laid + 16) / 4.5)
    tile_px = float(rng.uniform(spec.tile_px[0], max(spec.tile_px[0], min(spec.tile_px[1], room))))
    maker = draw_maker(rng)
    while maker.numerals and not spec.numerals:
        maker = draw_maker(rng)
    camera = _camera(rng, spec, tile_px)
    # Makers' looks come with a set of their own size; a table has the size that is asked for.
    drawn = int(rng.choice([9, 12, 15, 18], p=[0.1, 0.7, 0.13, 0.07]))
    set_size = drawn if spec.set_size is None else spec.set_size
    width, height = spec.size
    margin = -spec.cut * tile_px + 4

    def inside(points: np.ndarray) -> bool:
        raised = np.hstack([points, np.full((len(points), 1), maker.thickness)])
        seen = camera.project(raised)
        low_ok = (seen > margin).all()
        return bool(low_ok and (seen[:, 0] < width - margin).all() and (seen[:, 1] < height - margin).all())

    game_spec = GameSpec(
        set_size=set_size,
        laid=laid,
        width=maker.width,
        thickness=maker.thickness,
        half_x=width / tile_px / 2,
        half_y=height / tile_px / 2,
        chickenfoot=bool(rng.random() < spec.chickenfoot),
        faults=spec.faults,
    )
    return View(plan_game(rng, game_spec, inside), camera, maker, tile_px, spec)


def _camera(rng: np.random.Generator, spec: TableSpec, tile_px: float) -> Camera:
    width, height = spec.size
    lean = abs(rng.normal(0, 9)) if rng.random() < 0.6 else rng.uniform(10, spec.tilt_max_deg)
    camera = look_down(
        focal_px=max(width, height) * float(rng.uniform(0.75, 1.6)),
        tile_px=tile_px,
        tilt_deg=float(min(lean, spec.tilt_max_deg)),
        towards_deg=float(rng.uniform(0, 360)),
        roll_deg=float(rng.uniform(0, 360)),
        centre_px=(width * float(rng.uniform(0.46, 0.54)), height * float(rng.uniform(0.46, 0.54))),
    )
    bend = float(rng.uniform(-0.06, 0.03)) if rng.random() < 0.4 else 0.0
    return Camera(camera.matrix, camera.place, bend, (width / 2, height / 2), math.hypot(width, height) / 2)


def corners_of(view: View) -> list[np.ndarray]:
    """Pixel corners (4, 2) of every face or marker top, in the order of the game's places, without painting."""
    corners = []
    for place in view.game.places:
        thick = view.maker.thickness if place.kind != MARKER else 0.35 * min(place.length, place.width)
        flat = outline(place)
        corners.append(view.camera.project(np.hstack([flat, np.full((4, 1), place.z + thick)])))
    return corners


def make_table(rng: np.random.Generator, bank: GroundBank, spec: TableSpec) -> TablePicture:
    """One picture of one game, from the generator's state alone."""
    view, scene = paint_table(rng, bank, spec)
    return TablePicture(scene.image, truth_of(view, scene))


def paint_table(rng: np.random.Generator, bank: GroundBank, spec: TableSpec) -> tuple[View, Scene]:
    """One game, and its picture with the truth of each thing in the order of the game's places."""
    view = plan_table(rng, spec)
    stage = replace(draw_stage(rng, view.camera, [view.maker]), pale_markers=spec.pale_markers)
    image = bank.draw(rng, *spec.size)
    if rng.random() < 0.5:
        clutter.scatter(rng, image, view.tile_px, int(rng.integers(1, 8)))
    paint_hub(rng, image, view.game.hub, view.camera, view.maker.width)
    makers = [view.maker] * len(view.game.places)
    return view, compose(stage, image, view.game.places, makers, tile_px=view.tile_px, hands=spec.hands)


def truth_of(view: View, scene: Scene | None = None) -> dict[str, object]:
    """Truth in the form of the `read` contract.

    More keys: `set`, `tile_px`, `hub_px`; `visible` (share of the face not covered, 1 without a scene) on a
    tile; `limbs` on a train; `at` on a train (`hub` or `free`).
    """
    game, corners = view.game, corners_of(view)
    roles = game.roles()
    tiles, markers = [], []
    for number, place in enumerate(game.places):
        quad = np.round(corners[number], 2).tolist()
        if place.kind == MARKER:
            owner = next((f"t{i}" for i, train in enumerate(game.trains, 1) if train.marker == number), None)
            centre = np.round(corners[number].mean(0), 2).tolist()
            markers.append({"train": owner, "centre_px": centre, "corners_px": quad})
            continue
        shown = 1.0 if scene is None else round(min(scene.truths[number].halves_visible), 3)
        ends = list(place.ends) if place.kind == FACE_UP else None
        tiles.append({"id": number, "ends": ends, "corners_px": quad, "role": roles[number], "visible": shown})
    start = game.places[game.hub_tile]
    return {
        "starting_double": start.ends[0],
        "trains": [_train_truth(game, index) for index in range(len(game.trains))],
        "tiles": tiles,
        "markers": markers,
        "doubts": [],
        "findings": game.findings,
        "set": game.spec.set_size,
        "tile_px": round(view.tile_px, 1),
        "hub_px": np.round(corners[game.hub_tile].mean(0), 1).tolist(),
        "size_wh": list(view.spec.size),
    }


def _train_truth(game: Game, index: int) -> dict[str, object]:
    train = game.trains[index]
    free = any(other.kind == "mexican" and not other.at_hub for other in game.trains)
    kind = "mexican" if train.kind == "mexican" and not train.at_hub else "personal" if free else "unknown"
    tiles = train.line.tiles
    covered = any(limb.index == len(tiles) - 1 for limb in train.limbs)
    start = game.places[game.hub_tile].ends[0]
    return {
        "id": f"t{index + 1}",
        "kind": kind,
        "at": "hub" if train.at_hub else "free",
        "tiles": [list(tile) for tile in tiles],
        "tile_ids": list(train.line.ids),
        "open_end": tiles[-1][1] if tiles else start,
        "open_double": bool(tiles) and tiles[-1][0] == tiles[-1][1] and not covered,
        "marker": train.marker is not None,
        "limbs": [
            {"index": limb.index, "tiles": [list(t) for t in limb.line.tiles], "tile_ids": list(limb.line.ids)}
            for limb in train.limbs
        ],
    }
