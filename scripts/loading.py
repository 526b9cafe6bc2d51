"""Opens the reader for the scripts: the shipped one, or one from a folder of ONNX files."""

from __future__ import annotations

from pathlib import Path

from vision.pipeline import OnnxPhotoReader


def load_reader(folder: Path | None) -> OnnxPhotoReader:
    """The shipped reader, or the files of `folder` (for weights that are not in the manifest yet)."""
    if folder is None:
        from server.compose import open_reader

        return open_reader()  # type: ignore[return-value]
    files = {name: folder / f"{name}.onnx" for name in ("finder", "corners", "reader", "careful", "tails")}
    return OnnxPhotoReader.load(files, (1.0, 1.0), folder.name)
