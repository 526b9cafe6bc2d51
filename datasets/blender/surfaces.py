"""Materials, made from Blender's own noise: tiles, table tops, plain glossy and matt things."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np


def _material(name: str) -> tuple[Any, Any, Any, Any]:
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    tree = material.node_tree
    return material, tree.nodes, tree.links, tree.nodes["Principled BSDF"]


def _rgba(colour: Any) -> tuple[float, float, float, float]:
    return float(colour[0]), float(colour[1]), float(colour[2]), 1.0


def glossy(colour: Any, roughness: float = 0.35, metallic: float = 0.0) -> Any:
    """A plain material; colour is light, red-green-blue 0 to 1."""
    material, _, _, surface = _material("plain")
    surface.inputs["Base Color"].default_value = _rgba(colour)
    surface.inputs["Roughness"].default_value = roughness
    surface.inputs["Metallic"].default_value = metallic
    return material


def tile_surface(rng: np.random.Generator, maker: dict[str, Any]) -> Any:
    """What tiles are made of: painted colours on a more or less polished body, under film where the set has one."""
    material, nodes, links, surface = _material("tile")
    paint = nodes.new("ShaderNodeVertexColor")
    paint.layer_name = "paint"
    links.new(paint.outputs["Color"], surface.inputs["Base Color"])
    surface.inputs["Roughness"].default_value = float(rng.uniform(0.12, 0.6))
    if maker["film"] or rng.random() < 0.15:
        surface.inputs["Coat Weight"].default_value = 1.0
        surface.inputs["Coat Roughness"].default_value = float(rng.uniform(0.02, 0.15))
    if rng.random() < 0.3:
        surface.inputs["Subsurface Weight"].default_value = 0.1
    return material


def table_top(rng: np.random.Generator) -> Any:
    """Wood, cloth, felt, stone or plain."""
    material, nodes, links, surface = _material("table")
    kind = str(rng.choice(["wood", "wood", "cloth", "felt", "plain", "stone"]))
    base = rng.uniform(0.01, 0.7, 3) if kind != "wood" else np.array([0.45, 0.22, 0.09]) * rng.uniform(0.12, 1.5)
    where, mapping = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
    links.new(where.outputs["Object"], mapping.inputs["Vector"])
    mapping.inputs["Rotation"].default_value[2] = float(rng.uniform(0, 6.28))
    if kind == "wood":
        mapping.inputs["Scale"].default_value = (0.25, float(rng.uniform(1.5, 4)), 1)
    noise = nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = {"wood": 1.2, "cloth": 40.0, "felt": 60.0, "plain": 0.6, "stone": 2.5}[kind]
    noise.inputs["Detail"].default_value = 8.0
    links.new(mapping.outputs["Vector"], noise.inputs["Vector"])
    ramp = nodes.new("ShaderNodeValToRGB")
    spread = {"wood": 0.45, "cloth": 0.2, "felt": 0.15, "plain": 0.08, "stone": 0.5}[kind]
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.3, 0.7
    ramp.color_ramp.elements[0].color = _rgba(base * (1 - spread))
    ramp.color_ramp.elements[1].color = _rgba(np.minimum(1, base * (1 + spread)))
    links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], surface.inputs["Base Color"])
    low, high = {"wood": (0.15, 0.6), "plain": (0.1, 0.7), "stone": (0.08, 0.5)}.get(kind, (0.85, 1.0))
    surface.inputs["Roughness"].default_value = float(rng.uniform(low, high))
    if kind in ("cloth", "felt"):
        bump = nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value = 0.25
        links.new(noise.outputs["Fac"], bump.inputs["Height"])
        links.new(bump.outputs["Normal"], surface.inputs["Normal"])
    return material
