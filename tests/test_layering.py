"""The arrows between the packages: whoever imports what, imports only what stands below.

    scripts -> vision, engine, datasets, server.compose, server.cli.COMMANDS     tests -> everything
    server  -> vision, engine                               datasets -> vision, engine
    vision  -> engine.tile, engine.table, engine.errors     engine -> standard library
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("engine", "vision", "server", "models", "datasets", "scripts", "tests")

ALLOWED: dict[str, tuple[str, ...]] = {
    "engine": (),
    "vision": ("engine.tile", "engine.table", "engine.errors"),
    "server": ("engine", "vision", "models"),
    "models": (),
    # Made tables are compared with what the reader says of them.
    "datasets": ("engine", "vision"),
    # What is measured is the reader as the product composes it.
    "scripts": ("engine", "vision", "datasets", "server.compose", "server.cli.COMMANDS"),
}

# The rules know no image, database, network or chance. One module keeps to a time limit that its caller sets.
NOT_IN_ENGINE = {"random", "secrets", "datetime", "time", "sqlite3", "socket", "threading", "asyncio", "subprocess"}
ENGINE_EXEMPT = {("engine/longest.py", "time")}

# Decoding photos is `vision.image`'s work alone.
DECODERS = {"imread", "imdecode", "imreadmulti"}
DECODING_MODULES = {"vision/jpeg.py", "vision/stills.py"}

# What only the composition root opens for the server.
OPENED_BY_COMPOSE = ("vision.pipeline", "vision.model_store", "vision.runtime", "onnxruntime")


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of everything that a module imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


def is_under(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")


def offences(package: str, path: Path) -> list[str]:
    found = []
    for line, name in imports(path):
        top = name.split(".")[0]
        if top in PACKAGES and top != package and not any(is_under(name, allowed) for allowed in ALLOWED[package]):
            found.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
    return found


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_no_arrow_points_the_wrong_way(package: str) -> None:
    assert [fault for path in modules(package) for fault in offences(package, path)] == []


def test_the_rules_need_the_standard_library_alone() -> None:
    found = []
    for path in modules("engine"):
        name = path.relative_to(ROOT).as_posix()
        for line, imported in imports(path):
            top = imported.split(".")[0]
            if top != "engine" and top not in sys.stdlib_module_names:
                found.append(f"{name}:{line} imports {imported}")
            if top in NOT_IN_ENGINE and (name, top) not in ENGINE_EXEMPT:
                found.append(f"{name}:{line} imports {imported}")
    assert found == []


def test_one_decoder() -> None:
    found = []
    for path in [*modules("vision"), *modules("server")]:
        name = path.relative_to(ROOT).as_posix()
        if name in DECODING_MODULES:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in DECODERS:
                found.append(f"{name}:{node.lineno} decodes by itself")
    assert found == []


def test_one_composition_root() -> None:
    found = []
    for path in modules("server"):
        name = path.relative_to(ROOT).as_posix()
        for line, imported in imports(path):
            if name != "server/compose.py" and any(is_under(imported, opened) for opened in OPENED_BY_COMPOSE):
                found.append(f"{name}:{line} imports {imported}")
    assert found == []


def test_nothing_is_done_on_import() -> None:
    """Light commands stay light: rules and score sheets load no camera or model library."""
    import subprocess

    program = (
        "import sys, server.cli, server.commands.judge, server.commands.longest, engine;"
        "print(sorted({'cv2', 'onnxruntime', 'numpy', 'fastapi', 'PIL'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("package", "text", "wrong"),
    [
        ("vision", "from engine.rules import Rules", 1),
        ("vision", "from engine.tile import Tile\nimport engine.table", 0),
        ("vision", "from engine import tile", 0),
        ("vision", "import engine", 1),
        ("engine", "def f():\n    import vision.image", 1),
        ("server", "import datasets.scene", 1),
        ("scripts", "from server.compose import open_reader\nfrom server.cli import run", 1),
        ("vision", "import server_of_another_name, enginelike", 0),
    ],
)
def test_this_test_sees_wrong_arrows(package: str, text: str, wrong: int, tmp_path: Path) -> None:
    path = ROOT / package / "__init__.py"
    module = tmp_path / "module.py"
    module.write_text(text, "utf-8")
    found = [
        name
        for _, name in imports(module)
        if name.split(".")[0] in PACKAGES
        and name.split(".")[0] != package
        and not any(is_under(name, allowed) for allowed in ALLOWED[package])
    ]
    assert path.exists()
    assert len(found) == wrong


@pytest.mark.parametrize("package", ["engine", "vision", "server"])
def test_modules_stay_readable(package: str) -> None:
    """400 lines a module; longer ones are two modules."""
    long = {path.name: len(path.read_text("utf-8").splitlines()) for path in modules(package)}
    assert {name: lines for name, lines in long.items() if lines > 400} == {}
