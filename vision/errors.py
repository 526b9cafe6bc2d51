"""Exceptions of the reader.

Exception
    VisionError
        ImageUnreadable     a file or bytes that give no picture; the reason is one clear sentence
        ModelMissing        a model file that the manifest names is not there
        ModelCorrupt        a model file that differs from what the manifest says
"""

from __future__ import annotations

from typing import Self

FAULTS: dict[str, str] = {
    "no_name": "an empty name is no file",
    "no_such_file": "there is no such file",
    "no_permission": "no permission to read it",
    "is_folder": "this is a folder, not a picture",
    "not_a_file": "this is a device or a pipe, not a file",
    "disk_failed": "it could not be read from the disk ({reason})",
    "empty": "the file is empty",
    "not_a_picture": "this is not a picture (JPEG, PNG, HEIC, WebP, TIFF, GIF, BMP and AVIF are read)",
    "is_film": "this is a film, not a picture",
    "is_raw": "this is a camera's raw file: export it as JPEG",
    "cut_short": "the file is cut short or damaged, and a part of the picture is missing: copy or send it again",
    "damaged": "the picture is damaged and can't be decoded",
    "too_large": "the picture has {megapixels} megapixels and the limit is {limit}: "
    "save a smaller copy, or take it again at a lower resolution",
    "too_heavy": "the file weighs more than {limit} MB: save it as JPEG",
    "bomb": "the picture unpacks to {ratio} times its weight, more than any photo: save it again as JPEG",
    "model_missing": "model file {file} is missing: restore it with {restore}",
    "model_corrupt": "model file {file} was altered ({found} instead of {expected}): restore it with {restore}",
    "manifest_broken": "{file} is broken ({reason}): restore it with {restore}",
}
"""The English sentence of each code; `server/locales` has the others."""


class VisionError(Exception):
    """Base of everything this package raises on purpose. `str()` is one line for a person.

    `code` and `params` say the same to a program, and to whoever puts it in another language.
    """

    code: str = "broken"
    params: dict[str, int | float | str]

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.params = {"message": message}

    @classmethod
    def of(cls, code: str, **params: int | float | str) -> Self:
        """The error of a code in `FAULTS`."""
        error = cls(FAULTS[code].format(**params))
        error.code, error.params = code, params
        return error


class ImageUnreadable(VisionError):
    """The picture cannot be read, and why."""


class ModelMissing(VisionError):
    """A model file is not there; says how to restore it."""


class ModelCorrupt(VisionError):
    """A model file was altered; says how to restore it."""
