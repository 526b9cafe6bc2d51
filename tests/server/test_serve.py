"""`stationmaster serve` as people start it: messages, certificate, backup; and the wheel in a real browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
    announced = json.loads(process.stdout.readline())
    _answers(str(announced["here"]))
    try:
        yield announced
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(30) in (0, 130)


def _answers(address: str) -> None:
    """Wait until the server answers: a Ctrl+C before that is lost where whoever started these tests ignores it.

    The port is taken long before, so that it can be reached says nothing. Any byte will do, or a door shut at once,
    which is how a server with a certificate answers plain words.
    """
    port = int(re.search(r":(\d+)", address)[1])  # type: ignore[index]
    with socket.create_connection(("127.0.0.1", port), timeout=30) as asked, suppress(ConnectionResetError):
        asked.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        asked.recv(1)


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


@pytest.mark.parametrize("kind", ["missing", "no film", "empty folder"])
def test_a_camera_that_can_never_show_anything_is_told_before_anybody_joins(kind: str, tmp_path: Path) -> None:
    source = tmp_path / "film.mp4"
    if kind == "no film":
        source.write_bytes(b"this is no film")
    elif kind == "empty folder":
        source.mkdir()
    command = [sys.executable, "-m", "server", "serve", "--camera", str(source), "--data", str(tmp_path / "data")]
    done = subprocess.run([*command, "--port", "0"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert str(source) in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "data").exists()


@needs_models
def test_two_servers_do_not_work_in_one_folder_and_a_killed_one_does_not_keep_it(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "server", "serve", "--json", "--port", "0", "--host", "127.0.0.1",
               "--data", str(tmp_path)]
    first = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert first.stdout is not None
    assert json.loads(first.stdout.readline())["here"]
    for _ in range(2):
        second = subprocess.run([*command, "--lang", "fr"], cwd=ROOT, capture_output=True, text=True, timeout=60,
                                check=False)
        assert second.returncode == 2
        assert "tourne déjà" in second.stderr
        assert second.stderr.count("\n") == 1
    readers = _children(first.pid)
    first.kill()  # as in a power cut: nothing is tidied up
    first.wait(30)
    deadline = time.monotonic() + 30
    while any(_runs(reader) for reader in readers):  # nor is the process that reads photos left
        assert time.monotonic() < deadline
        time.sleep(0.1)
    with served(["--host", "127.0.0.1", "--data", str(tmp_path)]) as announced:
        assert announced["here"]


def _runs(pid: int) -> bool:
    """Whether a process is still at work; one that has ended may be listed until somebody asks how it ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _children(pid: int) -> list[int]:
    """Processes that this one has started; none where the system doesn't say."""
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]


def test_the_backup_is_a_database(tmp_path: Path) -> None:
    from server.store import Store

    Store(tmp_path / "stationmaster.db").close()
    command = [sys.executable, "-m", "server", "serve", "--data", str(tmp_path), "--backup", str(tmp_path / "copy.db")]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60, check=False).returncode == 0
    with sqlite3.connect(tmp_path / "copy.db") as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60, check=False).returncode == 2


def installed_wheel(tmp_path: Path) -> Path:
    """Build the wheel from what is in the checkout, install it and give the folder it lies in."""
    source = tmp_path / "source"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(
        ".*", "datasets", "tests", "examples", "runs", "build", "__pycache__", "*.egg-info"))
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(tmp_path / "wheel"), str(source)], check=True)
    wheel = next((tmp_path / "wheel").glob("stationmaster-*.whl"))
    subprocess.run([*pip, "install", "--no-deps", "--target", str(tmp_path / "site"), str(wheel)], check=True)
    return tmp_path / "site"


@needs_browser
@needs_models
def test_the_installed_wheel_counts_a_photo_in_a_browser(tmp_path: Path) -> None:
    site = installed_wheel(tmp_path)
    arguments = ["--host", "127.0.0.1", "--data", str(tmp_path / "data")]
    with served(arguments, cwd=tmp_path, PYTHONPATH=str(site)) as announced, browser() as people:
        page = people.device(PHONE)
        page.goto(f"{announced['here']}/count")
        page.set_input_files("label.huge input", ROOT / "examples" / "hand.jpg")
        page.wait_for_selector(".photo", timeout=60_000)
        command = [sys.executable, "-m", "server", "score", "--json", "examples/hand.jpg"]
        told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        assert page.get_attribute("[data-total]", "data-total") == str(json.loads(told)["total"])


@pytest.mark.parametrize(
    ("environ", "language"),
    [({"LANG": "fr_CH.UTF-8"}, "fr"), ({"LANG": "fr_FR", "LC_ALL": "es_ES.UTF-8"}, "es"), ({"LANG": "de_DE"}, "en"),
     ({"LC_ALL": "", "LC_MESSAGES": "es", "LANG": "fr"}, "es"), ({"LANG": "C.UTF-8"}, "en")],
)
def test_the_server_speaks_as_the_system_does(environ: dict[str, str], language: str) -> None:
    from server.messages import users_language

    assert users_language(environ) == language


@needs_models
@pytest.mark.parametrize(("asked", "word"), [([], "Arrêtez"), (["--lang", "es"], "Se para")])
def test_what_serve_prints_is_in_that_language(tmp_path: Path, asked: list[str], word: str) -> None:
    command = [sys.executable, "-m", "server", "serve", "--port", "0", "--host", "127.0.0.1", "--data", str(tmp_path)]
    env = {**os.environ, "LC_ALL": "fr_FR.UTF-8", "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen([*command, *asked], cwd=ROOT, stdout=subprocess.PIPE, text=True, encoding="utf-8",
                               env=env)
    assert process.stdout is not None
    told = [process.stdout.readline() for _ in range(4)]
    _answers(told[0])
    process.send_signal(signal.SIGINT)
    process.wait(30)
    assert word in told[3]
    assert "localhost" in told[0]
