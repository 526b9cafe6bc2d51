"""What the documents say can be done, can be done."""

from __future__ import annotations

import csv
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from server.cli import COMMANDS, build_parser

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "models").glob("*.md"), *(ROOT / "datasets").glob("*.md")])
README = (ROOT / "README.md").read_text("utf-8")
SCRIPTS = sorted(path for path in (ROOT / "scripts").glob("*.py") if path.name != "__init__.py")
# What only the extras `train` and `render` install.
EXTRAS = ("torch", "torchvision", "ultralytics", "onnx", "bpy")


def commands() -> list[str]:
    """Every command line in the README's blocks and inline."""
    blocks = re.findall(r"```[a-z]*\n(.*?)```", README, re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    inline = re.findall(r"`((?:python3|stationmaster) [^`]+)`", README)
    return [line for line in [*lines, *inline] if line.startswith(("python3 ", "stationmaster "))]


def test_the_readme_has_the_two_commands() -> None:
    assert "python3 scripts/start.py" in commands()
    assert "python3 scripts/test.py" in commands()


@pytest.mark.parametrize("line", commands())
def test_each_command_of_the_readme_is_understood(line: str) -> None:
    words = shlex.split(line)
    if words[0] == "python3":
        assert (ROOT / words[1]).is_file()
        if words[1] != "scripts/start.py":
            return
        words = words[1:]
    arguments = words[1:]
    if not arguments or arguments == ["--help"]:
        return
    assert arguments[0] in COMMANDS
    if "--help" not in arguments:
        build_parser(arguments[0]).parse_args(arguments)


def test_the_help_of_the_start_names_every_command() -> None:
    words = [sys.executable, str(ROOT / "scripts" / "start.py"), "--help"]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    for name in COMMANDS:
        assert re.search(rf"^ +{name} ", told, re.MULTILINE), name


def test_each_option_of_the_readme_is_one_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    for name in COMMANDS:
        with pytest.raises(SystemExit):
            build_parser(name).parse_args([name, "--help"])
    told = set(re.findall(r"--[a-z][a-z-]*", capsys.readouterr().out))
    written = set(re.findall(r"^\| `(--[a-z-]+)", README, re.MULTILINE))
    assert written
    assert written - told == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text("utf-8")):
        if not target.startswith(("http:", "https:", "mailto:")):
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_files_named_in_documents_are_there(document: Path) -> None:
    folders = "scripts|examples|models|server|vision|engine|datasets"
    named = re.findall(rf"`((?:{folders})/[\w/.-]*)`", document.read_text("utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_what_players_are_told_of_hands_is_what_was_measured() -> None:
    with (ROOT / "models" / "results" / "real_photos.csv").open(encoding="utf-8", newline="") as file:
        photos = list(csv.DictReader(file))
    right = sum(photo["exact"] == "1" for photo in photos)
    silent = sum(photo["silent"] != "0" for photo in photos)
    sure = sum(photo["doubtful"] == "0" for photo in photos)
    told = re.search(r"\| of (\d+) \|\n\|---\|---\|\n((?:\|.*\n)+)", README)
    assert told is not None
    assert int(told[1]) == len(photos)
    rows = [int(number) for number in re.findall(r"\| (\d+) \|$", told[2], re.MULTILINE)]
    assert rows == [right, len(photos) - right - silent, silent, sure]


def test_the_version_is_in_the_changelog() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_each_script_says_what_it_does(script: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"scripts.{script.stem}", "--help"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )
    missing = re.search(r"No module named '([a-z0-9]+)", done.stderr)
    if missing and missing[1] in EXTRAS:
        pytest.skip(f"needs {missing[1]}, which the extras install")
    assert done.returncode == 0, done.stderr[-1000:]
    if script.stem not in ("environment", "loading", "shared"):
        assert len(done.stdout) > 60


@pytest.mark.parametrize("words", [["evaluate"], ["evaluate_tables", "--real"], ["evaluate_watch", "--real"]],
                         ids=lambda words: words[0])
def test_without_the_shared_photographs_an_evaluation_ends_with_one_line(words: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"scripts.{words[0]}", *words[1:]], capture_output=True, text=True, check=False,
        cwd=ROOT, timeout=120, env={**os.environ, "STATIONMASTER_SHARED": str(tmp_path / "nowhere")},
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "STATIONMASTER_SHARED" in done.stderr


def test_the_scripts_that_set_up_need_nothing_installed() -> None:
    """They run before anything is there, with a Python that has no packages."""
    for name in ("start", "test"):
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(ROOT / "scripts" / f"{name}.py"), "--help"],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
        )
        assert done.returncode == 0, done.stderr
        assert "python3 scripts/" in done.stdout
