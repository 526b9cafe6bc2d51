"""One evening through the installed wheel, with the real reader and a real browser: nothing of it is a stand-in.

The film is made as those are that the watch is measured by, and no network was trained on it.
"""

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

from datasets.film_video import write_video
from datasets.films import Film, FilmSpec, plan_film
from tests.server.browser import LAPTOP, PHONE, browser, needs_browser
from tests.server.test_serve import ROOT, installed_wheel, needs_models

pytestmark = [needs_browser, needs_models, pytest.mark.timeout(900)]

PHOTO = ROOT / "examples" / "hand.jpg"


FOUL = 'h2:has-text("Ana may not play on Ben\'s train: it is private.")'


def film_file(path: Path) -> Film:
    """The table as a camera filmed it: ten turns of two players; the ninth is a foul."""
    spec = FilmSpec((1280, 800), turns=10, seats=("A", "B"), fouls=("R_TRAIN_PRIVATE",), hands=0.0, still=0.0,
                    bumps=0, lamps=0, tile_px=54.0)
    film = plan_film(26, spec)
    write_video(film, path)
    return film


@contextmanager
def serving(site: Path, data: Path, port: int, *more: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The installed command, as people start it."""
    command = [sys.executable, "-m", "server", "serve", "--json", "--host", "127.0.0.1", "--data", str(data),
               "--port", str(port), *more]
    process = subprocess.Popen(command, cwd=data.parent, stdout=subprocess.PIPE, text=True,
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
        film = film_file(tmp_path / "table.avi")
        with serving(site, tmp_path / "data", 0, "--camera", str(tmp_path / "table.avi")) as (here, process):
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

            # The film is followed to the foul, which is called on every page with its pictures.
            laptop.click("text=Follow the table")
            laptop.click("dialog >> text=Ana")
            ana.wait_for_selector("text=Your turn, Ana")
            laptop.click("text=Use a camera")
            laptop.click("dialog >> text=table.avi")
            for page in (ana, ben, laptop):
                page.wait_for_selector(FOUL, timeout=240_000)
            assert ben.locator(".foul .evidence image").count() == 2
            ana.click("text=Let it stand")
            ana.fill("dialog textarea, dialog input", "Ben did not mind")
            ana.click("dialog button.main")
            laptop.wait_for_selector("text=The pictures have ended.", timeout=120_000)
            state = "fetch('/api/games/{g}').then((answer) => answer.json())".replace("{g}", game)
            table = laptop.evaluate(state)["table"]
            assert sorted(table["tiles"]) == sorted(sorted(ends) for _, ends in film.lines)
            assert [turn["verdict"] for turn in table["turns"]].count("illegal") == 1

            # Ben disputes it: before and after with what changed outlined, the rule, and who overruled it and why.
            ben.click(".turn:has-text('9. Ana')")
            ben.wait_for_selector("dialog .verdict.illegal")
            ben.wait_for_selector("dialog .evidence .laid polygon")
            ben.wait_for_selector("dialog >> text=Ben did not mind")
            ben.click("dialog >> text=Settled")

            # A tile that is tapped on somebody's private train is a foul too, and taken back.
            ana.evaluate(
                f"{state}.then((s) => fetch('/api/games/{game}/table/acts', {{method: 'POST', headers:"
                " {'content-type': 'application/json'}, body: JSON.stringify({do: 'lay', train: 'B', tile: [1, 5],"
                " version: s.version})}))")
            ana.click("text=Take back")
            ben.wait_for_selector(".foul", state="detached")
            ana.click("button:text-is('I drew')")
            ana.click("button:text-is('Next')")
            ben.wait_for_selector(".turn:has-text('11. Ana')")

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
