"""One evening through the installed wheel, with the real reader and a real browser: nothing of it is a stand-in."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server.browser import LAPTOP, PHONE, browser, needs_browser
from tests.server.test_serve import ROOT, installed_wheel, needs_models

pytestmark = [needs_browser, needs_models, pytest.mark.slow]

PHOTO = ROOT / "examples" / "hand.jpg"


@contextmanager
def serving(site: Path, data: Path, port: int) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The installed command, as people start it."""
    command = [sys.executable, "-m", "server", "serve", "--json", "--host", "127.0.0.1", "--data", str(data)]
    process = subprocess.Popen([*command, "--port", str(port)], cwd=data.parent, stdout=subprocess.PIPE, text=True,
                               env={**os.environ, "PYTHONPATH": str(site)})
    assert process.stdout is not None
    try:
        yield str(json.loads(process.stdout.readline())["here"]), process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.wait(30)


def test_one_evening_through_the_wheel(tmp_path: Path) -> None:
    site = installed_wheel(tmp_path)
    told = subprocess.run([sys.executable, "-m", "server", "score", "--json", str(PHOTO)], cwd=tmp_path, text=True,
                          env={**os.environ, "PYTHONPATH": str(site)}, capture_output=True, check=True)
    total = json.loads(told.stdout)["total"]
    with browser() as people:
        people.expected = ["WebSocket", "ERR_CONNECTION", "Failed to load resource", "Failed to fetch"]
        laptop, ana, ben = people.device(LAPTOP), people.device(PHONE), people.device(PHONE)
        for page in (laptop, ana, ben):
            page.set_default_timeout(60_000)
        with serving(site, tmp_path / "data", 0) as (here, process):
            port = int(here.rsplit(":", 1)[1])
            laptop.goto(f"{here}/new")
            for index, name in enumerate(("Ana", "Ben")):
                laptop.locator(".seat-list input").nth(index).fill(name)
            laptop.click("fieldset:has-text('Rounds') >> text='3'")
            laptop.click("button:text-is('Start')")
            laptop.wait_for_selector(".next-round")
            game = laptop.url.split("/")[4]
            code = laptop.evaluate(f"fetch('/api/games/{game}').then((a) => a.json()).then((s) => s.code)")
            assert re.fullmatch(r"[A-Z]{6}", code)
            for page, name in ((ana, "Ana"), (ben, "Ben")):
                page.goto(f"{here}/j/{code}")
                page.click(f"text=I'm {name}")
                page.wait_for_selector(".next-round")

            # A foul at the table, called on every page and taken back; the turn can be looked at again.
            laptop.click("text=Follow the table")
            laptop.click("dialog >> text=Ana")
            ana.wait_for_selector("text=Your turn, Ana")
            version = ana.evaluate(f"fetch('/api/games/{game}').then((a) => a.json()).then((s) => s.version)")
            ana.evaluate(
                f"fetch('/api/games/{game}/table/acts', {{method: 'POST', headers: {{'content-type':"
                " 'application/json'}, body: JSON.stringify({do: 'lay', train: 'B', tile: [12, 4],"
                f" version: {version}}})}})")
            for page in (ana, ben, laptop):
                page.wait_for_selector(".foul h2")
            ana.click("text=Take back")
            ben.wait_for_selector(".foul", state="detached")
            ana.click("button:text-is('I drew')")
            ana.click("button:text-is('Next')")
            ben.click(".turn:has-text('1. Ana')")
            ben.wait_for_selector("dialog .verdict")
            ben.click("dialog >> text=Settled")

            # Ana's hand by a photo; the real reader counts what `score` counts.
            ana.click("text=count hands")
            ana.set_input_files("label.huge input", PHOTO)
            ana.wait_for_selector(f"[data-total='{total}']")
            ana.wait_for_selector(".photo image")
            ana.click(f"button:has-text(\"{total}: that's right\")")
            ana.wait_for_selector(".total.done")
            process.kill()  # as when somebody pulls the plug
            process.wait(30)
        with serving(site, tmp_path / "data", port) as (here, _):
            ben.goto(f"{here}/g/{game}/hand")
            ben.click("text=I went out")
            ben.click("text=I'm out: 0 points")
            for page in (ana, ben):
                page.wait_for_selector(".podium >> text=After round 1 of 3")
                assert page.locator(".places .number").all_inner_texts() == ["0", str(total)]
            rows = ben.evaluate(f"fetch('/api/games/{game}/sheet.csv').then((answer) => answer.text())").split()
            assert rows[-1] == f"total,,{total},0"
            laptop.goto(f"{here}/g/{game}/more")
            laptop.click("text=Forget this evening")
            laptop.click("dialog .danger")
            laptop.wait_for_selector("text=Forgotten.")
            assert not list((tmp_path / "data" / "photos").rglob("*.jpg"))
