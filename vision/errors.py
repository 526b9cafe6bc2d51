"""Exceptions of the reader.

Exception
    VisionError
        ImageUnreadable     a file or bytes that give no picture; the reason is one clear sentence
        ModelMissing        a model file that the manifest names is not there
        ModelCorrupt        a model file that differs from what the manifest says
"""

from __future__ import annotations


class VisionError(Exception):
    """Base of everything this package raises on purpose. `str()` is one line for a person."""


class ImageUnreadable(VisionError):
    """The picture cannot be read, and why."""


class ModelMissing(VisionError):
    """A model file is not there; says how to restore it."""


class ModelCorrupt(VisionError):
    """A model file was altered; says how to restore it."""
