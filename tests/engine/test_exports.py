"""The public names of the rules package."""

from __future__ import annotations

import importlib
import pkgutil
import re
import types

import engine


def test_every_public_name_is_there_once() -> None:
    assert len(set(engine.__all__)) == len(engine.__all__)
    for name in engine.__all__:
        assert getattr(engine, name) is not None


def test_no_name_hides_a_module() -> None:
    for module in pkgutil.iter_modules(engine.__path__):
        loaded = importlib.import_module(f"engine.{module.name}")
        assert getattr(engine, module.name) is loaded
        assert isinstance(loaded, types.ModuleType)
        assert loaded.__doc__


def test_every_module_is_on_the_map() -> None:
    told = set(re.findall(r"[a-z_]+", engine.__doc__ or ""))
    helpers = {"cases", "codes", "errors", "legality", "messages", "options", "played_on", "record_text"}
    assert {module.name for module in pkgutil.iter_modules(engine.__path__)} - told - helpers == set()
