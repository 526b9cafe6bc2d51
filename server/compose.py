"""The composition root: the only module that opens the models (and, for those who serve, camera and database).

Everything is imported when it is opened, so that a command that needs none of it does not wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.reader import PhotoReader


def open_reader() -> PhotoReader:
    """The reader of photos with the models of this installation. Raises `ModelMissing` or `ModelCorrupt`."""
    from vision import model_store
    from vision.pipeline import OnnxPhotoReader

    models = model_store.load()
    return OnnxPhotoReader.load(
        models["finder"].path,
        models["corners"].path,
        models["reader"].path,
        temperature=models["reader"].settings.get("temperature", 1.0),
        model_id=models.model_id,
    )
