"""Opens the reader for the scripts: the shipped one, or one from a folder of ONNX files."""

from __future__ import annotations

from pathlib import Path

from vision.pipeline import OnnxPhotoReader


def load_reader(folder: Path | None, temperature: float = 1.0, threads: int | None = None) -> OnnxPhotoReader:
    """The shipped reader, or the three files of `folder` (for weights that are not in the manifest yet)."""
    if folder is None:
        from server.compose import open_reader

        return open_reader()  # type: ignore[return-value]
    return OnnxPhotoReader.load(
        folder / "finder.onnx", folder / "corners.onnx", folder / "reader.onnx",
        temperature=temperature, model_id=folder.name, threads=threads,
    )  # fmt: skip
