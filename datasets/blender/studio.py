"""Renders one scene with Cycles. Runs in a Python that has `bpy`:

    python -m datasets.blender.studio SCENE.json OUT.jpg --samples 16
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from datasets.blender.props import add_clutter, add_hub, add_marker
from datasets.blender.solids import tile_mesh
from datasets.blender.surfaces import table_top, tile_surface

Scene = dict[str, Any]


def render(scene: Scene, out: Path, samples: int) -> None:
    """Build everything, then trace it into a JPEG."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    rng = np.random.default_rng(scene["seed"])
    _settings(rng, samples, scene["size"])
    _camera(rng, scene)
    _light(rng)
    bpy.ops.mesh.primitive_plane_add(size=300)
    bpy.context.object.data.materials.append(table_top(rng))
    add_hub(rng, scene["hub"])
    surfaces = [tile_surface(rng, maker) for maker in scene["makers"]]
    for thing in scene["things"]:
        if thing["kind"] == "marker":
            add_marker(thing)
        else:
            _tile(scene["makers"][thing["maker"]], thing, surfaces[thing["maker"]])
    for thing in scene["clutter"]:
        add_clutter(rng, thing)
    bpy.context.scene.render.filepath = str(out.resolve())
    bpy.ops.render.render(write_still=True)


def _settings(rng: np.random.Generator, samples: int, size: list[int]) -> None:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.samples = samples
    cycles.use_adaptive_sampling, cycles.adaptive_threshold = True, 0.06
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 4, 2, 3
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_quality, cycles.denoising_prefilter = "FAST", "FAST"
    cycles.seed = int(rng.integers(1 << 30))
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "JPEG"
    scene.render.image_settings.quality = int(rng.integers(80, 97))
    scene.view_settings.view_transform = str(rng.choice(["Standard", "AgX", "Filmic"]))
    scene.view_settings.exposure = float(rng.normal(0, 0.35))


def _turned(vector: list[float]) -> np.ndarray:
    """From the picture's axes (y down) to Blender's (y up)."""
    return np.array(vector) * [1, -1, 1]


def _camera(rng: np.random.Generator, scene: Scene) -> None:
    data, (width, height) = scene["camera"], scene["size"]
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit, camera.sensor_width = "HORIZONTAL", 36.0
    camera.lens = data["focal_px"] * 36.0 / width
    camera.shift_x = (width / 2 - data["middle_px"][0]) / width
    camera.shift_y = (data["middle_px"][1] - height / 2) / width
    camera.clip_end = 1000
    right, down, forward = (_turned(data[name]) for name in ("right", "down", "forward"))
    rotation = np.stack([right, -down, -forward], axis=1)
    if np.linalg.det(rotation) < 0:
        raise ValueError("the camera's axes are mirrored")
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = rotation, _turned(data["place"])
    thing = bpy.data.objects.new("camera", camera)
    thing.matrix_world = Matrix(pose.tolist())
    bpy.context.collection.objects.link(thing)
    bpy.context.scene.camera = thing
    camera.dof.use_dof = True
    camera.dof.focus_distance = float(np.linalg.norm(data["place"])) * float(rng.uniform(0.93, 1.07))
    # One unit is a tile of 5 cm, so a lens has to be twenty times as wide open for the same depth of field.
    camera.dof.aperture_fstop = float(rng.uniform(5.6, 22)) / 20


def _light(rng: np.random.Generator) -> None:
    """A studio's surroundings, and often a lamp or a window besides."""
    world = bpy.data.worlds.new("world")
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    folder = Path(bpy.utils.system_resource("DATAFILES")) / "studiolights" / "world"
    files = sorted(folder.glob("*.exr"))
    background = nodes["Background"]
    background.inputs["Strength"].default_value = float(rng.uniform(0.25, 1.1))
    if files:
        picture = nodes.new("ShaderNodeTexEnvironment")
        picture.image = bpy.data.images.load(str(files[int(rng.integers(len(files)))]))
        mapping, where = nodes.new("ShaderNodeMapping"), nodes.new("ShaderNodeTexCoord")
        mapping.inputs["Rotation"].default_value[2] = float(rng.uniform(0, 2 * math.pi))
        links.new(where.outputs["Generated"], mapping.inputs["Vector"])
        links.new(mapping.outputs["Vector"], picture.inputs["Vector"])
        links.new(picture.outputs["Color"], background.inputs["Color"])
    for _ in range(int(rng.integers(0, 3))):
        lamp = bpy.data.lights.new("lamp", "AREA")
        lamp.energy = float(math.exp(rng.uniform(math.log(1500), math.log(12000))))
        lamp.size = float(math.exp(rng.uniform(math.log(0.8), math.log(14))))
        warm = float(rng.uniform(0, 1))
        lamp.color = (1.0, 1.0 - 0.25 * warm, 1.0 - 0.55 * warm)
        thing = bpy.data.objects.new("lamp", lamp)
        angle, reach, height = rng.uniform(0, 2 * math.pi), rng.uniform(3, 22), rng.uniform(12, 26)
        place = np.array([reach * math.cos(angle), reach * math.sin(angle), height])
        back = place / np.linalg.norm(place)
        side = np.cross([0.0, 1.0, 0.1], back)
        side /= np.linalg.norm(side)
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = np.stack([side, np.cross(back, side), back], axis=1), place
        thing.matrix_world = Matrix(pose.tolist())
        bpy.context.collection.objects.link(thing)


def _tile(maker: Scene, thing: Scene, surface: Any) -> None:
    ends = tuple(thing["ends"]) if thing["kind"] == "face_up" else None
    vertices, quads, colours = tile_mesh(maker, ends)
    mesh = bpy.data.meshes.new("tile")
    mesh.from_pydata(vertices.tolist(), [], quads.tolist())
    layer = mesh.color_attributes.new("paint", "FLOAT_COLOR", "POINT")
    layer.data.foreach_set("color", np.hstack([colours, np.ones((len(colours), 1))]).ravel())
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh.update()
    mesh.materials.append(surface)
    tile = bpy.data.objects.new("tile", mesh)
    tile.location = (thing["x"], -thing["y"], thing["z"])
    tile.rotation_euler = (0, 0, -thing["angle"])
    bpy.context.collection.objects.link(tile)


def main() -> None:
    """Render the scenes named, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scene", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--samples", type=int, default=16)
    args = parser.parse_args()
    render(json.loads(args.scene.read_text("utf-8")), args.out, args.samples)


if __name__ == "__main__":
    main()
