"""The project's own virtual environment: made once, brought up to date when pyproject.toml changes.

Standard library only: this runs on a fresh machine, before anything is installed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST_PYTHON = (3, 11)


class SetupError(Exception):
    """The environment can't be made; says what to do, in a line or two."""


def prepare(extra: str = "") -> Path:
    """The folder of the environment's programs, with the project and `extra` installed. Raises `SetupError`."""
    folder = Path(os.environ.get("STATIONMASTER_VENV") or ROOT / ".venv")
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    python = program(programs, "python")
    if not _works(python):
        _check_this_python()
        _say(f"making {folder} (once)")
        _run([sys.executable, "-m", "venv", "--clear", str(folder)], "the virtual environment could not be made")
    stamp = folder / f".installed{'-' + extra if extra else ''}"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + str(ROOT).encode()).hexdigest()
    if not stamp.exists() or stamp.read_text("utf-8") != wanted:
        what = f"{ROOT}[{extra}]" if extra else str(ROOT)
        _say("installing what the project needs (once; about 150 MB to fetch)")
        # In a terminal pip shows how far it is; a log needs none of that.
        quiet = [] if sys.stderr.isatty() else ["--quiet"]
        command = [str(python), "-m", "pip", "install", "--disable-pip-version-check", *quiet, "--editable", what]
        _run(command, "installing failed; it needs the network once")
        stamp.write_text(wanted, "utf-8")
    return programs


def program(programs: Path, name: str) -> Path:
    """A program of the environment."""
    return programs / (f"{name}.exe" if os.name == "nt" else name)


def explain(error: SetupError) -> int:
    """Print the error; the exit code that goes with it."""
    print(f"stationmaster: {error}", file=sys.stderr)
    return 3


def _check_this_python() -> None:
    version = sys.version_info[:2]
    if version < OLDEST_PYTHON:
        found, needed = (".".join(map(str, numbers)) for numbers in (version, OLDEST_PYTHON))
        raise SetupError(f"this is Python {found}; Stationmaster needs {needed} or later")
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            raise SetupError(
                f"this Python comes without its module {module}, which makes the virtual environment.\n"
                f"On Debian and Ubuntu: sudo apt install python{version[0]}.{version[1]}-venv; then run this again."
            )


def _works(python: Path) -> bool:
    """An environment whose Python was taken away or replaced has to be made anew."""
    if not python.exists():
        return False
    done = subprocess.run(
        [str(python), "-c", "import pip, sys; print(*sys.version_info[:2])"],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode == 0 and tuple(map(int, done.stdout.split())) >= OLDEST_PYTHON


def _run(command: list[str], failure: str) -> None:
    if subprocess.run(command, check=False, stdin=subprocess.DEVNULL).returncode != 0:
        raise SetupError(f"{failure} (the lines above say why)")


def _say(text: str) -> None:
    print(f"stationmaster: {text}", file=sys.stderr, flush=True)
