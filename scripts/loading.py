"""Opens the reader for the scripts: the shipped one, or one from a folder of ONNX files."""

from __future__ import annotations

from pathlib import Path

from vision import model_store
from vision.pipeline import OnnxPhotoReader


def load_reader(folder: Path | None) -> OnnxPhotoReader:
    """The shipped reader, or the files of `folder`, weights not in the manifest yet, with its settings."""
    if folder is None:
        from server.compose import open_reader

        return open_reader()  # type: ignore[return-value]
    specs = model_store.load().specs
    files = {name: folder / f"{name}.onnx" for name in specs}
    return OnnxPhotoReader.load(files, {name: spec.settings for name, spec in specs.items()}, folder.name)
