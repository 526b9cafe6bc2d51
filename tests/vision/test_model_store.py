"""Model files: checked before use; a missing or altered one is named, with the way to restore it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from scripts.manifest import updated
from vision import model_store
from vision.errors import ModelCorrupt, ModelMissing

WEIGHTS = b"not really weights, but a file" * 10

MANIFEST = f"""
version = "test"  # a comment that stays

[[model]]
name = "finder"
file = "finder.onnx"
sha256 = "{hashlib.sha256(WEIGHTS).hexdigest()}"
bytes = {len(WEIGHTS)}
input = "uint8 (1, h, w, 3)"
classes = ["face_up"]
recipe = "scripts/train_finder.py"
seed = 7
licence = "MIT"
settings = {{ temperature = 1.5 }}
scores = {{ exact_total = 0.9 }}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "manifest.toml").write_text(MANIFEST, "utf-8")
    (tmp_path / "finder.onnx").write_bytes(WEIGHTS)
    return tmp_path


def test_a_good_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATIONMASTER_MODELS", str(folder))
    models = model_store.load()
    assert models["finder"].path == folder / "finder.onnx"
    assert models["finder"].settings == {"temperature": 1.5}
    assert models["finder"].seed == 7
    assert models.model_id.startswith("test-")


def test_other_weights_have_another_id(folder: Path) -> None:
    before = model_store.load(folder).model_id
    (folder / "finder.onnx").write_bytes(b"retrained")
    text, changes = updated(MANIFEST, folder)
    (folder / "manifest.toml").write_text(text, "utf-8")
    assert len(changes) == 1
    assert model_store.load(folder).model_id != before


def test_updating_keeps_everything_else(folder: Path) -> None:
    assert updated(MANIFEST, folder) == (MANIFEST, [])
    (folder / "finder.onnx").write_bytes(b"retrained")
    text, _ = updated(MANIFEST, folder)
    before, after = MANIFEST.splitlines(), text.splitlines()
    assert [line for line in after if line not in before] == [
        f'sha256 = "{hashlib.sha256(b"retrained").hexdigest()}"',
        "bytes = 9",
    ]
    (folder / "finder.onnx").unlink()
    assert updated(MANIFEST, folder) == (MANIFEST, [])


def test_missing_file_is_named_with_the_way_back(folder: Path) -> None:
    (folder / "finder.onnx").unlink()
    with pytest.raises(ModelMissing, match=r"finder\.onnx is missing.*pip install --force-reinstall stationmaster"):
        model_store.load(folder)


def test_a_checkout_is_restored_by_git(folder: Path) -> None:
    inner = folder / "models"
    inner.mkdir()
    (folder / ".git").mkdir()
    (inner / "manifest.toml").write_text(MANIFEST, "utf-8")
    with pytest.raises(ModelMissing, match=r"git checkout -- models/finder\.onnx"):
        model_store.load(inner)


@pytest.mark.parametrize("altered", [WEIGHTS + b"!", WEIGHTS[:-1] + b"!", b""], ids=["longer", "one byte", "empty"])
def test_altered_file_is_named_with_the_way_back(folder: Path, altered: bytes) -> None:
    (folder / "finder.onnx").write_bytes(altered)
    with pytest.raises(ModelCorrupt, match=r"finder\.onnx was altered .*pip install"):
        model_store.load(folder)


@pytest.mark.parametrize(
    "text",
    [
        "version = ",
        "version = 3",
        'version = "x"',
        'version = "x"\n[[model]]\nname = "finder"',
        'version = "x"\nmodel = [1]',
        MANIFEST.replace('"finder.onnx"', '"../finder.onnx"'),
    ],
)
def test_broken_manifest_is_one_line(folder: Path, text: str) -> None:
    (folder / "manifest.toml").write_text(text, "utf-8")
    with pytest.raises(ModelCorrupt, match=r"manifest\.toml is broken") as caught:
        model_store.load(folder)
    assert "\n" not in str(caught.value)


def test_no_manifest(folder: Path) -> None:
    (folder / "manifest.toml").unlink()
    with pytest.raises(ModelMissing, match=r"manifest\.toml is missing"):
        model_store.load(folder)
