"""What the manifests claim is what lies there."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

from vision import model_store

ROOT = Path(__file__).resolve().parent.parent
MODELS = ROOT / "models"


def test_every_model_file_is_what_the_manifest_says() -> None:
    models = model_store.load(MODELS)
    assert set(models.specs) == {"finder", "corners", "reader", "careful", "tails"}


def test_every_model_file_is_in_the_manifest() -> None:
    listed = {entry["file"] for entry in model_store.read_manifest(MODELS)["model"]}
    assert {path.name for path in MODELS.glob("*.onnx")} == listed


def test_each_recipe_is_there() -> None:
    for entry in model_store.read_manifest(MODELS)["model"]:
        assert (ROOT / entry["recipe"].split()[0]).is_file(), entry["name"]
        assert entry.get("scores"), f"{entry['name']}: nothing was measured"
        assert entry["licence"]


def test_models_and_their_card_are_packaged() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert {"*.toml", "*.onnx", "*.md"} <= set(project["tool"]["setuptools"]["package-data"]["models"])
    assert (MODELS / "README.md").is_file()


def test_the_sample_photo_is_the_one_that_check_reads() -> None:
    example, bundled = ROOT / "examples" / "hand.jpg", ROOT / "server" / "check" / "hand.jpg"
    assert hashlib.sha256(example.read_bytes()).digest() == hashlib.sha256(bundled.read_bytes()).digest()
