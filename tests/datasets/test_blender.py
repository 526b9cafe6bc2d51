"""What the path-traced pictures are planned from; the renderer itself needs `bpy` and is not run here."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.blender.crowd import plan_crowd
from datasets.blender.plan import KINDS as KIND_NAMES
from datasets.blender.plan import camera_data, plan_scene
from datasets.blender.solids import linear, tile_mesh
from datasets.camera import look_down
from datasets.stored import draw_stored
from datasets.tables import TableSpec


def test_the_cameras_parts_make_its_projection_again() -> None:
    camera = look_down(focal_px=1500, tile_px=60, tilt_deg=25, towards_deg=70, roll_deg=200, centre_px=(940, 560))
    data = camera_data(camera)
    point = np.array([2.0, -3.0, 0.2])
    off = point - np.array(data["place"])
    depth = off @ np.array(data["forward"])
    seen = [data["focal_px"] * (off @ np.array(data[axis])) / depth for axis in ("right", "down")]
    assert np.allclose(np.add(seen, data["middle_px"]), camera.project(point), atol=1e-6)


def test_scene_and_truth_name_the_same_tiles() -> None:
    scene, truth = plan_scene(7, TableSpec(laid=(20, 30), numerals=False))
    faces = [thing["ends"] for thing in scene["things"] if thing["kind"] == "face_up"]
    assert faces == [tile["ends"] for tile in truth["tiles"] if tile["ends"] is not None]
    assert sum(thing["kind"] == "marker" for thing in scene["things"]) == len(truth["markers"])
    assert plan_scene(7, TableSpec(laid=(20, 30), numerals=False)) == (scene, truth)


def test_a_tile_is_drilled_where_its_pips_are() -> None:
    scene, _ = plan_scene(7, TableSpec(laid=(20, 30), numerals=False))
    maker = {**scene["makers"][0], "cups": True, "divider": "none", "pin": 0.0, "body": [1, 1, 1]}
    maker["pips"] = [[0.0, 0.0, 0.0]] * 19
    vertices, quads, colours = tile_mesh(maker, (1, 0))
    painted = vertices[colours[:, 0] < linear(np.array([0.5]))[0]]
    assert np.allclose(painted[:, :2].mean(0), [-0.25, 0], atol=0.01)  # the first end's one pip, to the left
    assert painted[:, 2].min() < maker["thickness"] - 0.3 * maker["pip_radius"] * 0.5
    assert quads.max() == len(vertices) - 1
    assert vertices[:, 2].min() == 0
    assert np.abs(vertices[:, 0]).max() <= 0.5 + 1e-9
    assert np.abs(vertices[:, 1]).max() <= maker["width"] / 2 + 1e-9


def test_a_numeral_is_painted_on_its_half_and_nowhere_else() -> None:
    spec = TableSpec(laid=(8, 8))
    seed = next(seed for seed in range(40) if plan_scene(seed, spec)[0]["makers"][0]["numerals"])
    maker = {**plan_scene(seed, spec)[0]["makers"][0], "divider": "none", "pin": 0.0, "body": [1, 1, 1]}
    maker["pips"] = [[0.0, 0.0, 0.0]] * 19
    for ends, side in (((8, 0), -1), ((0, 8), 1)):
        maker["numerals"]["masks"][0][0] = maker["numerals"]["masks"][1][0] = []
        vertices, _, colours = tile_mesh(maker, ends)
        painted = vertices[colours[:, 0] < linear(np.array([0.5]))[0]]
        assert len(painted) > 40
        assert np.allclose(painted[:, :2].mean(0), [side * 0.25, 0], atol=0.03)
        assert np.abs(painted[:, 0] - side * 0.25).max() <= maker["numerals"]["side"] / 2 + 1e-9


def test_a_crowd_is_of_many_makers_and_its_truth_is_where_its_things_are() -> None:
    scene, truth = plan_crowd(11, (640, 480))
    assert len(scene["makers"]) >= 3
    assert [KIND_NAMES[thing["kind"]] for thing in truth["things"]] == [thing["kind"] for thing in scene["things"]]
    assert {thing["maker"] for thing in scene["things"]} <= set(range(len(scene["makers"])))
    data = scene["camera"]
    for planned, seen in zip(scene["things"], truth["things"], strict=True):
        if planned["kind"] == "face_up":
            assert planned["ends"] == seen["ends"]
            assert max(planned["ends"]) <= 18
        off = np.array([planned["x"], planned["y"], planned["z"]]) - np.array(data["place"])
        depth = off @ np.array(data["forward"])
        px = np.array([data["focal_px"] * (off @ np.array(data[axis])) / depth for axis in ("right", "down")])
        length = np.linalg.norm(np.subtract(seen["corners_px"][2], seen["corners_px"][1]))
        assert np.linalg.norm(px + data["middle_px"] - np.mean(seen["corners_px"], axis=0)) < 0.5 * max(length, 20)


def test_a_stored_picture_is_cut_with_its_truth(tmp_path: Path) -> None:
    _, truth = plan_crowd(11, (640, 480))
    cv2.imwrite(str(tmp_path / "a.jpg"), np.full((480, 640, 3), 90, np.uint8))
    (tmp_path / "a.json").write_text(json.dumps(truth))
    part = draw_stored(np.random.default_rng(3), tmp_path, 320)
    assert part.image.shape == (320, 320, 3)
    lengths = [np.linalg.norm(t.corners_px[2] - t.corners_px[1]) for t in part.truths if t.kind == 0]
    whole = [np.linalg.norm(np.subtract(*np.array(t["corners_px"])[[2, 1]])) for t in truth["things"] if t["kind"] == 0]
    scale = np.median(lengths) / np.median(whole)
    assert 0.4 < scale < 1.6
    for thing in part.truths:
        middle = thing.corners_px.mean(0)
        if thing.pips_px is not None and thing.kind == 0 and len(thing.pips_px[0]):
            half = (thing.corners_px[0] + thing.corners_px[1]) / 2
            assert np.linalg.norm(thing.pips_px[0].mean(0) - (half + middle) / 2) < 0.1 * np.median(lengths)
    with pytest.raises(ValueError, match="no pictures"):
        draw_stored(np.random.default_rng(3), tmp_path / "none", 320)
