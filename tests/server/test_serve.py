"""`stationmaster serve` as people start it: messages, certificate, backup; and the wheel in a real browser."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server.browser import PHONE, browser, needs_browser

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "models"
needs_models = pytest.mark.skipif(
    not (MODELS / "reader.onnx").exists(), reason="no models: python scripts/fetch_models.py"
)


@contextmanager
def served(arguments: list[str], cwd: Path = ROOT, **env: str) -> Iterator[dict[str, object]]:
    """The command in a process of its own; gives what it announces."""
    command = [sys.executable, "-m", "server", "serve", "--json", "--port", "0", *arguments]
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, text=True, env={**os.environ, **env})
    assert process.stdout is not None
    try:
        yield json.loads(process.stdout.readline())
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(30) in (0, 130)


@needs_models
def test_https_is_trusted_by_whoever_trusts_the_authority(tmp_path: Path) -> None:
    with served(["--host", "127.0.0.1", "--https", "--data", str(tmp_path)]) as announced:
        trusting = ssl.create_default_context(cafile=str(tmp_path / "certificate" / "stationmaster.crt"))
        url = str(announced["here"]).replace("localhost", "127.0.0.1")
        with urllib.request.urlopen(f"{url}/healthz", context=trusting, timeout=20) as answer:
            assert json.loads(answer.read())["model"]["id"]
        with urllib.request.urlopen(f"{url}/certificate.crt", context=trusting, timeout=20) as answer:
            assert answer.read().startswith(b"-----BEGIN CERTIFICATE-----")
        assert announced["addresses"] == []


def test_a_busy_port_is_one_clear_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        arguments = ["--host", "127.0.0.1", "--port", port, "--data", str(tmp_path)]
        command = [sys.executable, "-m", "server", "serve", *arguments]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "another program may use it" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_backup_is_a_database(tmp_path: Path) -> None:
    from server.store import Store

    Store(tmp_path / "stationmaster.db").close()
    command = [sys.executable, "-m", "server", "serve", "--data", str(tmp_path), "--backup", str(tmp_path / "copy.db")]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60, check=False).returncode == 0
    with sqlite3.connect(tmp_path / "copy.db") as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60, check=False).returncode == 2


@needs_browser
@needs_models
def test_the_installed_wheel_counts_a_photo_in_a_browser(tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(
        ".*", "datasets", "tests", "examples", "runs", "build", "__pycache__", "*.egg-info"))
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(tmp_path / "wheel"), str(source)], check=True)
    wheel = next((tmp_path / "wheel").glob("stationmaster-*.whl"))
    subprocess.run([*pip, "install", "--no-deps", "--target", str(tmp_path / "site"), str(wheel)], check=True)
    arguments = ["--host", "127.0.0.1", "--data", str(tmp_path / "data")]
    with served(arguments, cwd=tmp_path, PYTHONPATH=str(tmp_path / "site")) as announced, browser() as people:
        page = people.device(PHONE)
        page.goto(f"{announced['here']}/count")
        page.set_input_files("label.huge input", ROOT / "examples" / "hand.jpg")
        page.wait_for_selector(".photo", timeout=60_000)
        command = [sys.executable, "-m", "server", "score", "--json", "examples/hand.jpg"]
        told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        assert page.get_attribute("[data-total]", "data-total") == str(json.loads(told)["total"])
