"""The shell: everything that a page is made of before any data come, and a name for this very version of it."""

from __future__ import annotations

import functools
import hashlib
import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from server.texts import LANGUAGES, page_texts, rule_texts

_KEPT = frozenset({".js", ".css", ".svg", ".json", ".png"})


@dataclass(frozen=True, slots=True)
class Shell:
    """Addresses of the shell's files, and a version that changes with any of them."""

    version: str
    paths: tuple[str, ...]
    page: str
    """The page itself, its language still to be filled in."""
    worker: str
    """The script that keeps the shell on a device: never data, never photos."""


@functools.cache
def shell() -> Shell:
    """The shell of this installation."""
    root = Path(str(files("server")))
    digest = hashlib.sha256()
    page = (root / "templates" / "shell.html").read_text(encoding="utf-8")
    worker = (root / "templates" / "worker.js").read_text(encoding="utf-8")
    paths = ["/"]
    for path in sorted(found for found in (root / "static").rglob("*") if found.suffix in _KEPT):
        digest.update(path.read_bytes())
        paths.append("/static/" + path.relative_to(root / "static").as_posix())
    for language in LANGUAGES:
        digest.update(page_texts(language) + rule_texts(language))
        paths += [f"/texts/{language}.json", f"/texts/{language}/rules.json"]
    digest.update((page + worker).encode())
    version = digest.hexdigest()[:16]
    head = f"const VERSION = {json.dumps(version)};\nconst FILES = {json.dumps(paths)};\n"
    return Shell(version, tuple(paths), page.replace("{{version}}", version), head + worker)
