"""Speed and memory of counting a hand, side by side in one run with decoding the same photo and nothing else.

The photo has 12 megapixels and 12 tiles (examples/benchmark_12mp.jpg, made by scripts/make_sample.py). Measured:
`cv2.imdecode` at full size against decoding and reading, in turns, warm; then the whole command in processes of
its own, from start to exit, with their peak memory.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

PHOTO = ROOT / "examples" / "benchmark_12mp.jpg"
ANSWER = PHOTO.with_suffix(".json")
MOST_TIMES_DECODING, MOST_COLD_S, MOST_PEAK_MB, LEAST_TIMES_PREDICT = 3.0, 2.0, 600.0, 3.0


def main() -> None:
    """Measure, print, and with --check leave with 1 if a limit is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photo", type=Path, default=PHOTO, help="another JPEG (default: examples/benchmark_12mp.jpg)")
    parser.add_argument("--rounds", type=int, default=9, help="turns of each (default: %(default)s)")
    parser.add_argument("--finder-weights", type=Path, metavar="PT", help="also race ultralytics with these weights")
    parser.add_argument("--check", action="store_true", help="exit code 1 if a limit is broken")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    args = parser.parse_args()
    found: dict[str, Any] = {"machine": machine()}
    found |= warm(args.photo, args.rounds)
    found |= cold(args.photo, max(3, args.rounds // 2))
    if args.finder_weights is not None:
        found |= against_predict(args.photo, args.finder_weights, args.rounds)
    found["broken"] = broken(found)
    print(json.dumps(found) if args.json else "\n".join(lines(found)))
    sys.exit(1 if args.check and found["broken"] else 0)


def machine() -> dict[str, Any]:
    """What the numbers were measured on."""
    import cv2
    import onnxruntime

    return {
        "processors": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "opencv": cv2.__version__,
        "onnxruntime": onnxruntime.__version__,
    }


def warm(photo: Path, rounds: int) -> dict[str, Any]:
    """Milliseconds of decoding alone and of the whole count, best and median; they take turns."""
    import cv2
    import numpy as np

    from server.compose import open_reader
    from vision.image import read_image
    from vision.reader import ReadOptions

    data = photo.read_bytes()
    encoded = np.frombuffer(data, np.uint8)
    reader, options = open_reader(), ReadOptions()
    reading = reader.read(read_image(data), options)
    decode: list[float] = []
    ours: list[float] = []
    score: list[float] = []
    for _ in range(rounds):
        decode.append(milliseconds(lambda: cv2.imdecode(encoded, cv2.IMREAD_COLOR)))
        ours.append(milliseconds(lambda: read_image(data)))
        score.append(milliseconds(lambda: reader.read(read_image(photo), options)))
    return {
        "tiles": len(reading.tiles),
        "right": right(photo, [tile.ends for tile in reading.tiles]),
        "imdecode_ms": spread(decode),
        "read_image_ms": spread(ours),
        "score_ms": spread(score),
        # Like with like: the quietest turn of each, then the usual one.
        "times_decoding": round(min(score) / min(decode), 2),
        "times_decoding_median": round(statistics.median(score) / statistics.median(decode), 2),
        "stages_ms": reader.read(read_image(data), options).ms,
    }


def right(photo: Path, ends: list[tuple[int | None, int | None]]) -> bool | None:
    """Whether every tile was read right; `None` for a photo whose answer nobody knows."""
    if photo != PHOTO:
        return None
    wanted = sorted(tuple(sorted(tile)) for tile in json.loads(ANSWER.read_text("utf-8"))["tiles"])
    seen = sorted(tuple(sorted(-1 if end is None else end for end in tile)) for tile in ends)
    return wanted == seen


def cold(photo: Path, rounds: int) -> dict[str, Any]:
    """Seconds from starting `score` in a process of its own to its exit, and the most memory it held."""
    command = [sys.executable, "-m", "server", "score", str(photo), "--json"]
    seconds, peaks = [], []
    for _ in range(rounds):
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT)
        peak = _wait(process)
        seconds.append(time.perf_counter() - start)
        if process.returncode != 0:
            raise SystemExit(f"score ended with {process.returncode}")
        if peak is not None:
            peaks.append(peak)
    return {
        "cold_s": {"best": round(min(seconds), 2), "median": round(statistics.median(seconds), 2)},
        "peak_mb": round(max(peaks)) if peaks else None,
    }


def _wait(process: subprocess.Popen[bytes]) -> float | None:
    """Wait for the process; its peak resident memory in MB where the system tells."""
    if not hasattr(os, "wait4"):
        process.wait()
        return None
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)


def against_predict(photo: Path, weights: Path, rounds: int) -> dict[str, Any]:
    """The finder alone against ultralytics' predict: same weights, picture, input size and threads."""
    import torch

    from scripts.training.finder import ARCHITECTURE, build  # supplies what ultralytics needs of torchvision
    from vision import model_store
    from vision.detector import OnnxFinder
    from vision.geometry import Pyramid
    from vision.image import read_image

    threads, side = 2, 800
    build()
    from ultralytics import YOLO

    torch.set_num_threads(threads)
    image = read_image(photo)
    finder = OnnxFinder(model_store.load()["finder"].path, threads)
    theirs = YOLO(ARCHITECTURE, task="obb", verbose=False)
    theirs.model = build(weights).eval()
    theirs.model.args, theirs.model.task = {}, "obb"
    predict: Callable[[], object] = lambda: theirs.predict(  # noqa: E731
        image, imgsz=side, conf=0.12, device="cpu", half=False, verbose=False
    )
    shrink = side / max(image.shape[:2])
    # As the product does it: from the level of a new pyramid that is just above the network's size.
    find: Callable[[], object] = lambda: finder.find(Pyramid(image).fitting(shrink)[0], side, 0.12)  # noqa: E731
    predict(), find()
    ours_ms: list[float] = []
    theirs_ms: list[float] = []
    for _ in range(rounds):
        ours_ms.append(milliseconds(find))
        theirs_ms.append(milliseconds(predict))
    return {
        "finder_ms": spread(ours_ms),
        "predict_ms": spread(theirs_ms),
        "times_predict": round(min(theirs_ms) / min(ours_ms), 2),
    }


def milliseconds(work: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def spread(times: list[float]) -> dict[str, float]:
    """The best and the usual time."""
    return {"best": round(min(times), 1), "median": round(statistics.median(times), 1)}


def broken(found: dict[str, Any]) -> list[str]:
    """The limits that these numbers break."""
    limits = [
        ("a wrong reading", found["right"] is False),
        (f"more than {MOST_TIMES_DECODING} times decoding", found["times_decoding"] > MOST_TIMES_DECODING),
        (f"a cold start of {MOST_COLD_S} s or more", found["cold_s"]["median"] >= MOST_COLD_S),
        (f"{MOST_PEAK_MB:.0f} MB or more", (found["peak_mb"] or 0) >= MOST_PEAK_MB),
        (f"under {LEAST_TIMES_PREDICT} times as fast as predict", found.get("times_predict", 9) < LEAST_TIMES_PREDICT),
    ]
    return [name for name, is_broken in limits if is_broken]


def lines(found: dict[str, Any]) -> list[str]:
    """The numbers for people."""
    told = [
        "   ".join(f"{name} {value}" for name, value in found["machine"].items()),
        f"tiles                     {found['tiles']}, {'all right' if found['right'] else 'NOT ALL RIGHT'}",
    ]
    for name, title in (
        ("imdecode_ms", "cv2.imdecode alone"),
        ("read_image_ms", "our decoding"),
        ("score_ms", "the whole count, warm"),
        ("finder_ms", "the finder alone"),
        ("predict_ms", "ultralytics' predict"),
    ):
        if name in found:
            told.append(f"{title:<25} {found[name]['best']:>7} ms best {found[name]['median']:>8} ms median")
    told.append(f"{'times decoding':<25} {found['times_decoding']:>7} best {found['times_decoding_median']:>11} median")
    if "times_predict" in found:
        told.append(f"{'times predict':<25} {found['times_predict']:>7}")
    told.append("stages                    " + ", ".join(f"{name} {ms} ms" for name, ms in found["stages_ms"].items()))
    cold_s = found["cold_s"]
    told.append(f"{'score, cold, to its exit':<25} {cold_s['best']:>7} s best {cold_s['median']:>9} s median")
    if found["peak_mb"] is not None:
        told.append(f"{'peak memory':<25} {found['peak_mb']:>7} MB")
    return [*told, *(f"BROKEN: {limit}" for limit in found["broken"])]


if __name__ == "__main__":
    main()
