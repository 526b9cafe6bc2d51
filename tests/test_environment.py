"""Setting up: what can go wrong on a fresh machine is said in plain words."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts import environment


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A machine without environment, on which commands are noted and not run; what was run."""
    ran: list[list[str]] = []

    def run(command: list[str], **_options: Any) -> subprocess.CompletedProcess[str]:
        ran.append(command)
        (tmp_path / "venv").mkdir(exist_ok=True)
        return subprocess.CompletedProcess(command, 0, "3 11", "")

    monkeypatch.setenv("STATIONMASTER_VENV", str(tmp_path / "venv"))
    monkeypatch.setattr(subprocess, "run", run)
    return ran


def test_a_python_that_is_too_old(fresh: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(environment.SetupError, match=r"this is Python 3\.9; Stationmaster needs 3\.11 or later"):
        environment.prepare()
    assert fresh == []


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_debians_python_without_venv(
    module: str, fresh: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == module else whole(name))
    with pytest.raises(environment.SetupError, match=rf"without its module {module}") as caught:
        environment.prepare()
    assert "sudo apt install python3." in str(caught.value)
    assert fresh == []


def test_made_and_installed_once(fresh: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = environment.prepare()
    assert [command[1:3] for command in fresh] == [["-m", "venv"], ["-m", "pip"]]
    programs.mkdir(parents=True)
    environment.program(programs, "python").write_text("")
    fresh.clear()
    environment.prepare()
    assert [command[1] for command in fresh] == ["-c"]
    # The test tools come on top, and a changed pyproject.toml is noticed.
    fresh.clear()
    environment.prepare("dev")
    assert fresh[-1][-1].endswith("[dev]")
    root = tmp_path / "project"
    root.mkdir()
    (root / "pyproject.toml").write_text("[project]\n")
    monkeypatch.setattr(environment, "ROOT", root)
    fresh.clear()
    environment.prepare()
    assert fresh[-1][-1] == str(root)


def test_installing_that_fails_is_tried_again(
    fresh: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment.program(tmp_path / "venv" / "bin", "python").parent.mkdir(parents=True)

    def fail(command: list[str], **_options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", "")

    monkeypatch.setattr(subprocess, "run", fail)
    with pytest.raises(environment.SetupError, match="could not be made"):
        environment.prepare()
    assert not list((tmp_path / "venv").glob(".installed*"))
    assert fresh == []
