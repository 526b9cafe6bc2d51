"""`stationmaster cameras`: the cameras that open, with a picture of each."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2

from server.devices import cameras
from server.errors import UsageError
from server.messages import sentence, why_not


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the pictures go."""
    parser.add_argument("--out", metavar="DIR", default=".", help="folder for the pictures (default: here)")


def run(args: argparse.Namespace) -> int:
    """List them. 1 if there is none."""
    folder = Path(args.out)
    found = cameras()
    if found:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"--out {folder}: {why_not(error, args.lang)}") from error
    entries = []
    for number, image in found:
        path = folder / f"camera-{number}.jpg"
        if not cv2.imwrite(str(path), image):
            raise UsageError(f"--out {folder}: {path.name} could not be written")
        entries.append({"camera": number, "width": image.shape[1], "height": image.shape[0], "picture": str(path)})
    if args.json:
        print(json.dumps({"cameras": entries}))
    elif not entries:
        print(sentence("source.no_cameras", {}, args.lang))
    else:
        for entry in entries:
            print(f"{entry['camera']:>3}  {entry['width']} x {entry['height']}  {entry['picture']}")
    return 0 if entries else 1
