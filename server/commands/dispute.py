"""`stationmaster dispute LOG QUESTION`: asks the log of a watch, as text, JSON or one page of HTML."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.errors import EngineError
from engine.tile import Tile
from server import compose
from server.dispute_page import page
from server.disputes import Log, answer
from server.errors import UsageError
from server.hands import open_or_explain
from server.messages import sentence
from vision.errors import ImageUnreadable
from vision.image import read_image
from vision.reader import PhotoReader, ReadOptions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("log", metavar="LOG", help="the folder that `watch --save` wrote")
    parser.add_argument("question", metavar="QUESTION", nargs="+",
                        help='"turn 17", "who owes the cover?", "could B have played?"')
    parser.add_argument("--hand", metavar="12-3,3-5", help="the hand as it is now")
    parser.add_argument("--hand-photo", metavar="PHOTO", help="a photo of the hand as it is now")
    parser.add_argument("--html", metavar="OUT.html", help="write the answer with its pictures as one page")


def run(args: argparse.Namespace, opener: Callable[[], PhotoReader] = compose.open_reader) -> int:
    """Answer. 1 if the answer is that it was against the rules."""
    log = Log.read(Path(args.log))
    found = answer(log, " ".join(args.question), _hand(args, log, opener), args.lang)
    if args.html:
        try:
            Path(args.html).write_text(page(found, log.folder, args.lang), encoding="utf-8")
        except OSError as error:
            raise UsageError(f"--html {args.html}: {error.strerror}") from error
    print(json.dumps(found.as_json(), ensure_ascii=False) if args.json else found.text)
    return 1 if found.verdict == "illegal" else 0


def _hand(args: argparse.Namespace, log: Log, opener: Callable[[], PhotoReader]) -> Sequence[Tile] | None:
    if args.hand_photo:
        try:
            image = read_image(args.hand_photo)
        except ImageUnreadable as error:
            reason = sentence(f"fault.{error.code}", error.params, args.lang)
            raise UsageError(f"{args.hand_photo}: {reason}") from error
        reading = open_or_explain(opener, args.lang).read(image, ReadOptions(log.rules.set_size))
        return [sighting.tile for sighting in reading.tiles if sighting.tile is not None]
    if args.hand is None:
        return None
    try:
        return [Tile.parse(text.strip().replace("-", "|")) for text in args.hand.split(",") if text.strip()]
    except EngineError as error:
        raise UsageError(f"--hand {args.hand}: {error}") from error
