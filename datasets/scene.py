"""The fast compositor: one call, one picture of a table with exact truth.

Tiles are boxes of one maker's size seen through a pinhole camera: side walls, rounded faces, shadows, things
in front of them. Nothing here knows what the pictures are for; see `scripts/train_finder` and
`scripts/train_reader` for that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from datasets import clutter, photo
from datasets.camera import Camera, draw_camera
from datasets.faces import face_pips, paint_back, paint_face, pip_radius
from datasets.grounds import GroundBank
from datasets.layouts import FACE_DOWN, FACE_UP, MARKER, Area, Placement, draw_layout, outline
from datasets.makers import Maker, draw_maker
from datasets.markers import paint_marker

_SHIFT = 4


@dataclass(frozen=True, slots=True)
class Truth:
    """One thing in a picture. `corners_px` (4, 2) as in the contract: first end's left corner, then clockwise.

    `visible` is the share of the face that is in the picture and not covered.
    `halves_visible` is the same for each half of a tile. `pips_px` are the pip centres of each half, (n, 2);
    `None` where the values are numerals. `pip_px` is the diameter of the pips of each half.
    """

    kind: int
    ends: tuple[int, int]
    corners_px: np.ndarray
    visible: float
    halves_visible: tuple[float, float]
    pips_px: tuple[np.ndarray, np.ndarray] | None
    pip_px: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Scene:
    """BGR uint8 picture and what is in it; `printed` are the corners (4, 2) px of dominoes that are only print."""

    image: np.ndarray
    truths: list[Truth]
    printed: list[np.ndarray] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SceneSpec:
    """What to vary over. Lengths in px of the picture made; `sets` are the chances of `makers.SETS`."""

    size: tuple[int, int] = (512, 512)
    tile_px: tuple[float, float] = (14.0, 420.0)
    most_tiles: int = 90
    tilt_max_deg: float = 45.0
    hands: float = 0.12
    printed: float = 0.09
    clutter: float = 0.55
    numerals: float = 0.17
    sets: tuple[float, ...] = (0.22, 0.13, 0.45, 0.11, 0.09)
    film: float = 0.14
    pale_markers: float = 0.0


@dataclass(frozen=True, slots=True)
class Stage:
    """What one picture is painted with."""

    rng: np.random.Generator
    camera: Camera
    makers: list[Maker]
    light: np.ndarray  # direction towards the light, in the table's plane (2,), and its height
    light_height: float
    shadow: float
    softness: float
    pale_markers: float = 0.0
    grid_angle: float = 0.0  # how a board, if there is one, lies on the table


def make_scene(rng: np.random.Generator, bank: GroundBank, spec: SceneSpec) -> Scene:
    """One picture from the generator's state alone; `bank` gives table tops."""
    width, height = spec.size
    low, high = spec.tile_px
    tile_px = math.exp(rng.uniform(math.log(low), math.log(high)))
    stage = _stage(rng, spec, tile_px)
    places = _draw_places(rng, spec, tile_px, stage.makers[0].top)
    image = bank.draw(rng, width, height)
    if rng.random() < spec.clutter:
        clutter.scatter(rng, image, max(tile_px, 20), int(rng.integers(1, 9)))
    printed: list[np.ndarray] = []
    if rng.random() < spec.printed:
        printed = _printed_border(stage, image)
        # With print about, only walls and shadows tell a tile: there must be some.
        stage = replace(stage, shadow=max(stage.shadow, 0.35))
    makers = [stage.makers[0] if rng.random() < 0.93 else stage.makers[-1] for _ in places]
    scene = compose(stage, image, places, makers, tile_px=tile_px, hands=spec.hands)
    return Scene(scene.image, scene.truths, printed)


def cropped(scene: Scene, x: int, y: int, side: int) -> Scene:
    """The square of `side` px whose top left corner is (x, y); what lies outside it is gone, or cut by its edge."""
    window = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)

    def inside(quad: np.ndarray) -> float:
        shared, _ = cv2.intersectConvexConvex(quad.astype(np.float32), window)
        return float(shared) / max(1.0, abs(cv2.contourArea(quad.astype(np.float32))))

    truths = []
    for truth in scene.truths:
        quad = truth.corners_px - np.array([x, y], np.float32)
        share = inside(quad)
        if share == 0:
            continue
        low, high = (quad[1] + quad[2]) / 2, (quad[0] + quad[3]) / 2
        halves = inside(np.array([quad[0], quad[1], low, high])), inside(np.array([high, low, quad[2], quad[3]]))
        seen = tuple(a * b for a, b in zip(truth.halves_visible, halves, strict=True))
        pips = None if truth.pips_px is None else tuple(p - np.array([x, y], np.float32) for p in truth.pips_px)
        truths.append(
            replace(truth, corners_px=quad, visible=truth.visible * share, halves_visible=seen, pips_px=pips)
        )
    printed = [quad - np.array([x, y], np.float32) for quad in scene.printed]
    return Scene(np.ascontiguousarray(scene.image[y : y + side, x : x + side]), truths, printed)


def compose(
    stage: Stage, image: np.ndarray, places: list[Placement], makers: list[Maker], *, tile_px: float, hands: float = 0.0
) -> Scene:
    """The picture of `places` laid on the table top `image` (BGR uint8, painted over).

    `makers` has one entry a place. `hands` is the chance that an arm reaches over the table. The scene's truths
    are in the order of `places`.
    """
    rng, shape = stage.rng, image.shape[:2]
    ids = np.zeros(shape, np.int16)
    _shadows(stage, image, places)
    corners: dict[int, np.ndarray] = {}
    for index in sorted(range(len(places)), key=lambda index: _order(stage.camera, places[index])):
        corners[index] = _paint(stage, image, ids, places[index], makers[index], index + 1)
    if rng.random() < hands:
        mask = clutter.hand_mask(rng, shape, tile_px)
        clutter.paint_hand(rng, image, mask)
        ids[mask > 127] = 0
    quads = [corners[index] for index in range(len(places))]
    truths = [_truth(ids, place, makers[index], quads[index], index + 1) for index, place in enumerate(places)]
    centres = np.array([quad.mean(0) for quad in quads]) if quads else np.zeros((0, 2))
    return Scene(photo.develop(rng, image, centres, tile_px, stage.makers[0].film), truths)


def truths_unpainted(
    camera: Camera, places: list[Placement], makers: list[Maker], size: tuple[int, int]
) -> list[Truth]:
    """What `camera` sees of `places` in a picture of `size` (width, height) that somebody else paints."""
    ids = np.zeros(size[::-1], np.int16)
    corners: dict[int, np.ndarray] = {}
    for index in sorted(range(len(places)), key=lambda index: _order(camera, places[index])):
        lower, corners[index] = _solid(camera, places[index], makers[index])
        hull = cv2.convexHull(np.vstack([lower, corners[index]]).astype(np.float32))[:, 0]
        _cover(ids, hull, corners[index], index + 1)
    return [_truth(ids, place, makers[index], corners[index], index + 1) for index, place in enumerate(places)]


def _stage(rng: np.random.Generator, spec: SceneSpec, tile_px: float) -> Stage:
    camera = draw_camera(rng, tile_px=tile_px, size=spec.size, tilt_max_deg=spec.tilt_max_deg)
    makers = [draw_maker(rng, spec.numerals, spec.sets, spec.film) for _ in range(2 if rng.random() < 0.1 else 1)]
    return replace(draw_stage(rng, camera, makers), pale_markers=spec.pale_markers)


def draw_stage(rng: np.random.Generator, camera: Camera, makers: list[Maker]) -> Stage:
    """A lamp for one picture."""
    towards = rng.uniform(0, 2 * math.pi)
    return Stage(
        rng=rng,
        camera=camera,
        makers=makers,
        light=np.array([math.cos(towards), math.sin(towards)]),
        light_height=float(rng.uniform(0.5, 4.0)),
        shadow=float(rng.uniform(0.0, 0.75)),
        softness=float(rng.uniform(0.01, 0.12)),
        grid_angle=float(rng.uniform(0, math.pi)),
    )


def _draw_places(rng: np.random.Generator, spec: SceneSpec, tile_px: float, top: int) -> list[Placement]:
    if rng.random() < 0.03:
        return []
    half_x, half_y = spec.size[0] / tile_px / 2, spec.size[1] / tile_px / 2
    room = half_x * half_y * 4 / 0.5
    most = max(1.0, min(spec.most_tiles, room * 0.6))
    count = max(1, round(math.exp(rng.uniform(0, math.log(most + 0.5)))))
    return draw_layout(rng, Area(half_x, half_y, count), top)


def _order(camera: Camera, place: Placement) -> tuple[float, float]:
    """Lower things first; of equal height, the ones farther from the camera."""
    return place.z, -math.hypot(place.x - camera.place[0], place.y - camera.place[1])


def _solid(camera: Camera, place: Placement, maker: Maker) -> tuple[np.ndarray, np.ndarray]:
    """Pixel corners (4, 2) of the underside and of the face."""
    flat = outline(place) if place.kind == MARKER else outline(_sized(place, maker))
    thick = maker.thickness if place.kind != MARKER else 0.35 * min(place.length, place.width)
    lower = np.hstack([flat, np.full((4, 1), place.z)])
    upper = np.hstack([flat, np.full((4, 1), place.z + thick)])
    return camera.project(lower), camera.project(upper)


def _sized(place: Placement, maker: Maker) -> Placement:
    return Placement(place.x, place.y, place.angle, place.kind, place.ends, place.z, 1.0, maker.width)


def _fill(image: np.ndarray, shape: np.ndarray, colour: tuple[float, ...]) -> None:
    points = np.round(shape * (1 << _SHIFT)).astype(np.int32)
    cv2.fillConvexPoly(image, points, colour, cv2.LINE_AA, _SHIFT)


def _cover(ids: np.ndarray, hull: np.ndarray, face: np.ndarray, number: int) -> None:
    """What a solid hides of others in `ids`, and where its own `face` is seen."""
    _fill(ids, hull, (0,))
    cv2.fillConvexPoly(ids, np.round(face).astype(np.int32), number)


def _shadows(stage: Stage, image: np.ndarray, places: list[Placement]) -> None:
    """Cast and contact shadows of everything that lies on the table, painted at half size."""
    height, width = image.shape[:2]
    mask = np.zeros((height // 2 + 1, width // 2 + 1), np.float32)
    maker = stage.makers[0]
    scale = 1.0
    for place in places:
        flat = outline(place)
        thick = maker.thickness + place.z
        moved = flat - stage.light * thick / stage.light_height
        both = np.vstack([flat, moved])
        shape = stage.camera.project(np.hstack([both, np.zeros((8, 1))]))
        scale = float(np.linalg.norm(shape[0] - shape[1]) + np.linalg.norm(shape[1] - shape[2])) / 1.5
        _fill(mask, cv2.convexHull((shape / 2).astype(np.float32))[:, 0], (1.0,))
    contact = cv2.GaussianBlur(mask, (0, 0), max(0.6, 0.012 * scale))
    cast = cv2.GaussianBlur(mask, (0, 0), max(0.6, 0.5 * stage.softness * scale))
    dark = np.maximum(contact * stage.shadow * 0.6, cast * stage.shadow)
    clutter.darken(image, 1 - cv2.resize(dark, (2 * mask.shape[1], 2 * mask.shape[0]))[:height, :width])


def _walls(
    stage: Stage, image: np.ndarray, lower: np.ndarray, upper: np.ndarray, maker: Maker, place: Placement
) -> None:
    """Side walls, lit by their direction; the hull first, so that rounded corners leave no hole."""
    hull = cv2.convexHull(np.vstack([lower, upper]).astype(np.float32))[:, 0]
    _fill(image, hull, tuple(channel * 0.5 for channel in maker.side))
    flat = outline(place)
    for index in range(4):
        other = (index + 1) % 4
        wall = np.array([lower[index], lower[other], upper[other], upper[index]])
        if cv2.contourArea(wall.astype(np.float32), oriented=True) <= 0:
            continue
        outward = (flat[index] + flat[other]) / 2 - flat.mean(0)
        lit = float(outward @ stage.light / (np.linalg.norm(outward) + 1e-9))
        _fill(image, wall, tuple(min(255.0, channel * (0.62 + 0.3 * lit)) for channel in maker.side))


def _paint(stage: Stage, image: np.ndarray, ids: np.ndarray, place: Placement, maker: Maker, number: int) -> np.ndarray:
    """Paint one thing over what is there; returns the corners (4, 2) px of its face."""
    lower, upper = _solid(stage.camera, place, maker)
    hull = cv2.convexHull(np.vstack([lower, upper]).astype(np.float32))[:, 0]
    x, y, w, h = cv2.boundingRect(hull)
    if x > image.shape[1] or y > image.shape[0] or x + w < 0 or y + h < 0 or w * h > 4 * image.size:
        return upper
    _cover(ids, hull, upper, number)
    if place.kind == MARKER:
        paint_marker(stage.rng, image, lower, upper, stage.pale_markers)
        return upper
    if place.z > 0 and stage.shadow > 0.1:
        clutter.soft_shadow(image, np.round(hull).astype(np.int32), stage.shadow * 0.7)
    _walls(stage, image, lower, upper, maker, place)
    _lay_face(stage, image, upper, place, maker)
    return upper


def _lay_face(stage: Stage, image: np.ndarray, upper: np.ndarray, place: Placement, maker: Maker) -> None:
    """Warp the painted face onto its place. The face is painted at about 1.3 times its size there."""
    sides = np.linalg.norm(upper - np.roll(upper, -1, axis=0), axis=1)
    length = int(np.clip(max(sides[1], sides[3]) * 1.3, 26, 640))
    light_deg = math.degrees(math.atan2(stage.light[1], stage.light[0]) - place.angle)
    if place.kind == FACE_DOWN:
        face = paint_back(stage.rng, maker, length, light_deg)
    else:
        face = paint_face(stage.rng, maker, place.ends, length, light_deg)
    high = face.shape[0]
    x0, y0 = np.floor(upper.min(0)).astype(int) - 1
    x1, y1 = np.ceil(upper.max(0)).astype(int) + 2
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(image.shape[1], x1), min(image.shape[0], y1)
    if x1 <= x0 or y1 <= y0:
        return
    source = np.array([[0, high], [0, 0], [length, 0], [length, high]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, (upper - [x0, y0]).astype(np.float32) - 0.5)
    warped = cv2.warpPerspective(face, matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    alpha = warped[..., 3:].astype(np.float32) / 255
    part = image[y0:y1, x0:x1]
    part[:] = (part * (1 - alpha) + warped[..., :3] * alpha).astype(np.uint8)


def _printed_border(stage: Stage, image: np.ndarray) -> list[np.ndarray]:
    """Dominoes that are only printed on a board: flat, side by side in lines, no wall, no shadow. Not tiles.

    Print is duller than plastic. Returns the corners (4, 2) px of each.
    """
    rng = stage.rng
    maker = draw_maker(rng)
    dull = float(rng.uniform(0.5, 0.88))
    ink = rng.uniform(0, 160, 3) * (1 - dull)
    before = image.copy()
    quads: list[np.ndarray] = []
    for _ in range(int(rng.integers(1, 5))):
        x, y = rng.uniform(-7, 7, 2)
        angle = stage.grid_angle + math.pi / 2 * int(rng.integers(2))
        for _ in range(int(rng.integers(3, 16))):
            turn = math.pi / 2 * int(rng.random() < 0.4)
            place = Placement(x, y, angle + turn, FACE_UP, (int(rng.integers(0, 7)), int(rng.integers(0, 7))))
            x, y = x + math.cos(angle) * (0.77 if turn else 1.0), y + math.sin(angle) * (0.77 if turn else 1.0)
            quad = stage.camera.project(np.hstack([outline(_sized(place, maker)), np.zeros((4, 1))]))
            if np.isfinite(quad).all() and np.abs(quad).max() < 4 * max(image.shape):
                _lay_face(stage, image, quad, place, maker)
                quads.append(quad.astype(np.float32))
    changed = (image != before).any(2)
    image[changed] = (image[changed] * dull + ink).astype(np.uint8)
    return quads


def _visible(ids: np.ndarray, polygon: np.ndarray, number: int) -> float:
    """Share of the polygon's pixels (also those outside the picture) that still show `number`."""
    area = abs(cv2.contourArea(polygon.astype(np.float32)))
    x0, y0 = np.maximum(np.floor(polygon.min(0)).astype(int), 0)
    x1, y1 = np.ceil(polygon.max(0)).astype(int) + 1
    part = ids[y0 : max(y0, y1), x0 : max(x0, x1)]
    if area < 1 or part.size == 0:
        return 0.0
    mask = np.zeros(part.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(polygon - [x0, y0]).astype(np.int32), 1)
    inside = int(mask.sum())
    shown = int(((part == number) & (mask > 0)).sum())
    # What the mask lacks of the area lies outside the picture; small tiles are all rounding, so be lenient.
    return min(1.0, shown / max(1.0, inside, area * 0.93))


def _truth(ids: np.ndarray, place: Placement, maker: Maker, quad: np.ndarray, number: int) -> Truth:
    middle_low, middle_high = (quad[1] + quad[2]) / 2, (quad[0] + quad[3]) / 2
    first = np.array([quad[0], quad[1], middle_low, middle_high])
    second = np.array([middle_high, middle_low, quad[2], quad[3]])
    halves = _visible(ids, first, number), _visible(ids, second, number)
    half_px = float(np.linalg.norm(quad[2] - quad[1]) + np.linalg.norm(quad[3] - quad[0])) / 4
    pip_px = 2 * half_px * pip_radius(maker, place.ends[0]), 2 * half_px * pip_radius(maker, place.ends[1])
    corners = quad.astype(np.float32)
    return Truth(place.kind, place.ends, corners, sum(halves) / 2, halves, _pips(place, maker, quad), pip_px)


def _pips(place: Placement, maker: Maker, quad: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Pip centres (n, 2) px of both halves."""
    if maker.numerals and place.kind == FACE_UP:
        return None
    if place.kind != FACE_UP:
        return np.zeros((0, 2), np.float32), np.zeros((0, 2), np.float32)
    # Face units: x 0 to 1 along the tile, y 0 to 1 across it.
    source = np.array([[0, 1], [0, 0], [1, 0], [1, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
    first = face_pips(maker, place.ends[0])
    second = 1 - face_pips(maker, place.ends[1])
    return tuple(
        cv2.perspectiveTransform(points[None], matrix)[0] if len(points) else np.zeros((0, 2), np.float32)
        for points in (first, second)
    )  # type: ignore[return-value]


def lay_on(stage: Stage, image: np.ndarray, place: Placement, maker: Maker) -> None:
    """Paint one thing more over a picture (BGR uint8, in place), with its shadow: in films most stays as it is."""
    _shadows(stage, image, [place])
    _paint(stage, image, np.zeros(image.shape[:2], np.int16), place, maker, 1)
