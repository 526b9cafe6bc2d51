"""A real server process that can be killed, and a real browser."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run"]
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}
LAPTOP = {"viewport": {"width": 1280, "height": 800}}

try:
    from playwright.sync_api import BrowserContext, Page, sync_playwright
except ImportError:  # the dev extra is not installed
    sync_playwright = None  # type: ignore[assignment]

needs_browser = pytest.mark.skipif(
    CHROMIUM is None or sync_playwright is None,
    reason="no browser: apt-get install chromium, and pip install -e .[dev] for playwright",
)


class Server:
    """The application in a process of its own, on a folder that outlives it."""

    def __init__(self, data: Path, slow_s: float = 0.0) -> None:
        self.data, self.slow_s = data, slow_s
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, **env: str) -> None:
        command = [sys.executable, "-m", "tests.server.fake_serve", str(self.data), str(self.port), str(self.slow_s)]
        self.process = subprocess.Popen(command, cwd=Path(__file__).parents[2], env={**os.environ, **env})
        atexit.register(self.process.kill)  # a test that fails leaves no server behind
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"{self.url}/healthz", timeout=5).read()
                return
            except (urllib.error.URLError, OSError):
                assert self.process.poll() is None, "the server did not start"
                assert time.monotonic() < deadline, "the server did not answer"
                time.sleep(0.05)

    def kill(self) -> None:
        """kill -9: nothing gets a chance to be tidied up."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


class Browser:
    """People with devices. Whatever a page complains about is collected and fails the test at its end."""

    def __init__(self, chromium: Any) -> None:
        self._chromium = chromium
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.expected: list[str] = []

    def device(self, size: dict[str, Any], **more: Any) -> Page:
        """A new device with its own cookies."""
        context = self._chromium.new_context(**size, **more)
        context.set_default_timeout(15_000)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self._complain(f"{message.type}: {message.text}")
                if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self._complain(f"page: {error}"))
        return page

    def _complain(self, text: str) -> None:
        if not any(word in text for word in self.expected):
            self.complaints.append(text)


def fake_camera(film: Path) -> list[str]:
    """Flags with which Chromium takes a film for the camera of its device."""
    return ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
            f"--use-file-for-fake-video-capture={film}"]


@contextmanager
def browser(*flags: str) -> Iterator[Browser]:
    """A browser for one test."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *flags])
        made = Browser(chromium)
        try:
            yield made
        finally:
            chromium.close()
    assert made.complaints == [], made.complaints


def new_game(page: Page, server: Server, one_phone: bool = False) -> str:
    """A game of two, made on the pages; its id."""
    page.goto(f"{server.url}/new")
    for index, name in enumerate(("Ana", "Ben")):
        page.locator(".seat-list input").nth(index).fill(name)
    if one_phone:
        page.click("text=One phone, passed round")
    page.click("button.huge.main")
    page.wait_for_selector(".next-round")
    return page.url.split("/")[4]


def wait_until(page: Page, asked: str, true: Callable[[Any], bool], seconds: float = 90.0) -> Any:
    """What JavaScript answers, once something is true of it. `page.wait_for_function` takes a promise for true."""
    deadline = time.monotonic() + seconds
    while not true(answer := page.evaluate(asked)):
        assert time.monotonic() < deadline, answer
        page.wait_for_timeout(300)
    return answer
