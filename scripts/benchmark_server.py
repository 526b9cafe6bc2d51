"""From a photo handed in to its values on the page, side by side in one run with counting the same photo warm.

The server runs as `stationmaster serve` does, with the real reader. In turns: decoding and reading, which is what
`stationmaster score` does once its models are loaded; and a phone that hands the photo in, hears by its WebSocket
that it is read, and fetches meanwhile the copy that is shown. With --browser a real page does that, timed until the
photo and its values are drawn. The limit is the ratio of the medians, so that a busy machine slows both sides.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

PHOTO = ROOT / "examples" / "benchmark_12mp.jpg"
MOST_TIMES_SCORE = 1.5
SETTLED_S = 2.0
"""After this the photo before is written away, and takes nothing from either side."""


def main() -> None:
    """Measure, print, and with --check leave with 1 if the limit is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photo", type=Path, default=PHOTO, help="another photo than the bundled one")
    parser.add_argument("--rounds", type=int, default=7, help="turns of each (default: %(default)s)")
    parser.add_argument("--browser", action="store_true", help="by a page in Chromium instead of plain HTTP")
    parser.add_argument("--check", action="store_true", help="exit code 1 if the limit is broken")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    args = parser.parse_args()
    with served() as url:
        times = (in_a_page if args.browser else over_http)(url, args.photo, args.rounds)
    shown, score = statistics.median(times["shown"]), statistics.median(times["score"])
    found = {"score_ms": round(score), "shown_ms": round(shown), "times_score": round(shown / score, 2),
             "kept_ms": round(statistics.median(times["kept"])) if times["kept"] else None,
             "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None}
    print(json.dumps(found) if args.json else
          f"score {found['score_ms']} ms, handed in to shown {found['shown_ms']} ms: {found['times_score']} times "
          f"(limit {MOST_TIMES_SCORE}, load {found['load']})")
    sys.exit(1 if args.check and shown / score > MOST_TIMES_SCORE else 0)


@contextmanager
def served() -> Iterator[str]:
    """The server in a process of its own, on a fresh folder."""
    folder = tempfile.mkdtemp()
    command = [sys.executable, "-m", "server", "serve", "--json", "--host", "127.0.0.1", "--port", "0"]
    command += ["--data", folder]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        here = json.loads(process.stdout.readline())["here"]
        yield str(here).replace("localhost", "127.0.0.1")
    finally:
        process.terminate()
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def scorer(photo: Path) -> Callable[[], float]:
    """Decodes and reads the photo as `score` does; gives the milliseconds. Warm from the first call on."""
    from server.compose import open_reader
    from vision.image import read_image
    from vision.reader import ReadOptions

    reader = open_reader()

    def score() -> float:
        started = time.perf_counter()
        assert reader.read(read_image(photo), ReadOptions()).tiles
        return (time.perf_counter() - started) * 1000

    score()
    return score


def over_http(url: str, photo: Path, rounds: int) -> dict[str, list[float]]:
    """By plain HTTP, as a phone without the time that it needs to draw."""
    return asyncio.run(_over_http(url, photo, rounds))


async def _over_http(url: str, photo: Path, rounds: int) -> dict[str, list[float]]:
    score, data = scorer(photo), photo.read_bytes()
    times: dict[str, list[float]] = {"score": [], "shown": [], "kept": []}
    async with httpx.AsyncClient(base_url=url, timeout=60) as phone:
        game = (await phone.post("/api/loose", json={})).json()["id"]
        cookie = f"seat_{game}={phone.cookies[f'seat_{game}']}"
        line = url.replace("http", "ws") + f"/api/games/{game}/live"
        async with connect(line, additional_headers={"cookie": cookie}, max_size=None) as news:
            await news.recv()
            for turn in range(rounds + 1):
                await asyncio.sleep(SETTLED_S)
                one = await asyncio.to_thread(score)
                started = time.perf_counter()
                # A photo that was counted already would be asked about: what follows its end makes it another file.
                content = data + str(turn).encode()
                answer = await phone.post(f"/api/games/{game}/rounds/1/hands/A/photo", content=content)
                kept = time.perf_counter()
                name = answer.json()["photo"]
                view = asyncio.create_task(phone.get(f"/api/games/{game}/photos/{name}"))
                while not _is_read(json.loads(await news.recv()), name):
                    pass
                assert (await view).status_code == 200
                if turn:  # the first one warms everything up
                    times["score"].append(one)
                    times["shown"].append((time.perf_counter() - started) * 1000)
                    times["kept"].append((kept - started) * 1000)
    return times


def _is_read(message: dict[str, Any], name: str) -> bool:
    photos = message.get("state", {}).get("photos", [])
    return any(photo["id"] == name and photo["state"] == "read" for photo in photos)


def in_a_page(url: str, photo: Path, rounds: int) -> dict[str, list[float]]:
    """By a page in Chromium, until the photo is drawn and the values stand on it."""
    from playwright.sync_api import sync_playwright

    score = scorer(photo)
    times: dict[str, list[float]] = {"score": [], "shown": [], "kept": []}
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 390, "height": 844})
        for turn in range(rounds + 1):
            time.sleep(SETTLED_S)
            one = score()
            page.goto(f"{url}/")
            page.evaluate("localStorage.clear()")
            page.goto(f"{url}/count")
            page.wait_for_selector("label.huge input")
            page.evaluate(_WATCH)
            page.set_input_files("label.huge input", photo)
            taken = float(page.evaluate("window.shown"))
            if turn:
                times["score"].append(one)
                times["shown"].append(taken)
        browser.close()
    return times


# Timed within the page: handing the file over from this script is no part of it. Told by changes of the page, since
# looking again with every frame would keep busy what is measured.
_WATCH = """() => {
  window.shown = new Promise((resolve) => {
    let started = 0;
    document.addEventListener('change', () => { started = performance.now(); }, { capture: true, once: true });
    const look = () => {
      const image = document.querySelector('.photo image');
      if (!image?.getAttribute('href') || !document.querySelector('.photo .chip')) return;
      changes.disconnect();
      const loaded = new Image();
      loaded.onload = () => requestAnimationFrame(() => resolve(performance.now() - started));
      loaded.src = image.getAttribute('href');
    };
    const changes = new MutationObserver(look);
    changes.observe(document, { subtree: true, childList: true, attributeFilter: ['href'] });
  });
}"""


if __name__ == "__main__":
    main()
