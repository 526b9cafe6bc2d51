"""The trained networks as files: `models/manifest.toml` says which, each is checked before it is used.

The folder is the package data of `models`; the environment variable STATIONMASTER_MODELS names another one.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vision.errors import ModelCorrupt, ModelMissing

FOLDER_VARIABLE = "STATIONMASTER_MODELS"
MANIFEST = "manifest.toml"


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """One entry of the manifest, with the checked file.

    `input` says in words which tensor the network takes. `settings` are numbers that belong to these weights,
    such as the temperature of their probabilities. `recipe` and `seed` make the weights again; `scores` are
    what was measured with them.
    """

    name: str
    path: Path
    sha256: str
    bytes: int
    input: str
    classes: tuple[str, ...]
    recipe: str
    seed: int
    licence: str
    settings: Mapping[str, float] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelSet:
    """All networks that are used together. `model_id` goes into every reading made with them."""

    model_id: str
    specs: Mapping[str, ModelSpec]

    def __getitem__(self, name: str) -> ModelSpec:
        return self.specs[name]


def models_folder() -> Path:
    """Where the model files lie."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    return Path(chosen) if chosen else Path(str(importlib.resources.files("models")))


def load(folder: Path | None = None) -> ModelSet:
    """All models, each file's size and SHA256 checked. Raises `ModelMissing` or `ModelCorrupt`."""
    folder = folder or models_folder()
    entries = read_manifest(folder)
    specs = {}
    for entry in entries["model"]:
        spec = _spec(entry, folder)
        _check(spec)
        specs[spec.name] = spec
    # The weights themselves have the last word on what they are called.
    digest = hashlib.sha256("".join(spec.sha256 for spec in specs.values()).encode()).hexdigest()
    return ModelSet(f"{entries['version']}-{digest[:8]}", specs)


def read_manifest(folder: Path) -> dict[str, Any]:
    """`models/manifest.toml` as it stands, its form checked. Raises `ModelMissing` or `ModelCorrupt`."""
    path = folder / MANIFEST
    try:
        data = tomllib.loads(path.read_text("utf-8"))
        if not isinstance(data["version"], str):
            raise TypeError("version")
        for entry in data["model"]:
            _spec(entry, folder)
    except OSError as error:
        raise ModelMissing.of("model_missing", file=str(path), restore=_how_to_restore(path)) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise ModelCorrupt.of(
            "manifest_broken", file=str(path), reason=reason, restore=_how_to_restore(path)
        ) from error
    return data


def _spec(entry: Mapping[str, Any], folder: Path) -> ModelSpec:
    name, file = str(entry["name"]), str(entry["file"])
    if Path(file).name != file:
        raise ValueError(f"{file!r} is not a plain file name")
    return ModelSpec(
        name=name,
        path=folder / file,
        sha256=str(entry["sha256"]),
        bytes=int(entry["bytes"]),
        input=str(entry["input"]),
        classes=tuple(map(str, entry["classes"])),
        recipe=str(entry["recipe"]),
        seed=int(entry["seed"]),
        licence=str(entry["licence"]),
        settings={key: float(value) for key, value in entry.get("settings", {}).items()},
        scores={key: float(value) for key, value in entry.get("scores", {}).items()},
    )


def _check(spec: ModelSpec) -> None:
    restore = _how_to_restore(spec.path)
    try:
        data = spec.path.read_bytes()
    except OSError as error:
        raise ModelMissing.of("model_missing", file=str(spec.path), restore=restore) from error
    if len(data) != spec.bytes:
        found, expected = f"{len(data)} B", f"{spec.bytes} B"
    else:
        digest = hashlib.sha256(data).hexdigest()
        if digest == spec.sha256:
            return
        found, expected = f"SHA256 {digest[:12]}...", f"{spec.sha256[:12]}..."
    raise ModelCorrupt.of("model_corrupt", file=str(spec.path), found=found, expected=expected, restore=restore)


def _how_to_restore(path: Path) -> str:
    """A command that brings the file back, for a checkout or for an installed program."""
    if (path.parent.parent / ".git").exists():
        return f"git checkout -- {path.parent.name}/{path.name}"
    return "pip install --force-reinstall stationmaster"
