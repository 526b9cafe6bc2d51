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
from server.disputes import Log, answer, how_to_ask
from server.errors import UsageError
from server.hands import open_or_explain
from server.messages import sentence, why_not
from server.referee_log import RefereeLog, final_table
from server.round_count import HandSeen, RoundCount, TableSeen, count_round, pictures_of
from vision.errors import ImageUnreadable
from vision.image import read_image
from vision.reader import PhotoReader, ReadOptions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("log", metavar="LOG", help="the folder that `watch --save` wrote")
    parser.add_argument("question", metavar="QUESTION", nargs="*",
                        help='"turn 17", "who owes the cover?", "could B have played?"; French and Spanish too')
    parser.add_argument("--count", metavar="A=PHOTO,B=PHOTO",
                        help="the round is over: count these hands and set them against the table")
    parser.add_argument("--boneyard", type=int, metavar="N", help="tiles left in the boneyard")
    parser.add_argument("--hand", metavar="12-3,3-5", help="the hand as it is now")
    parser.add_argument("--hand-photo", metavar="PHOTO", help="a photo of the hand as it is now")
    parser.add_argument("--html", metavar="OUT.html", help="write the answer with its pictures as one page")


def run(args: argparse.Namespace, opener: Callable[[], PhotoReader] = compose.open_reader) -> int:
    """Answer. 1 if the answer is that it was against the rules."""
    log = Log.read(Path(args.log), args.lang)
    if args.count:
        return _count(args, log, opener)
    if not args.question:
        raise UsageError(how_to_ask(log, args.lang))
    found = answer(log, " ".join(args.question), _hand(args, log, opener), args.lang)
    if args.html:
        try:
            Path(args.html).write_text(page(found, log.folder, args.lang), encoding="utf-8")
        except OSError as error:
            raise UsageError(f"--html {args.html}: {why_not(error, args.lang, writing=True)}") from error
    print(json.dumps(found.as_json(), ensure_ascii=False) if args.json else found.text)
    return 1 if found.verdict == "illegal" else 0


def _count(args: argparse.Namespace, log: Log, opener: Callable[[], PhotoReader]) -> int:
    """Points of each seat, and what does not add up with the pictures to look at. 1 if something does not."""
    table = final_table(log.folder)
    if table is None:
        raise UsageError(f"{args.log}: {sentence('dispute.no_table', {}, args.lang)}")
    hands = {}
    for part in args.count.split(","):
        seat, _, photo = part.strip().partition("=")
        if seat not in log.seats or not photo:
            raise UsageError(f"--count {part.strip()}: SEAT=PHOTO, the seats being {', '.join(log.seats)}")
        tiles, doubtful = _on_photo(photo, args, log, opener)
        hands[seat] = HandSeen(tiles, photo, doubtful)
    seen = TableSeen(table, pictures_of(log.told))
    found = count_round(seen, hands, args.boneyard, log.rules)
    RefereeLog.open(log.folder, log.rules, log.seats, "").note({"event": "round_count", **found.as_json()})
    if args.json:
        print(json.dumps(found.as_json(), ensure_ascii=False))
    else:
        print("\n".join(_count_lines(found, args.lang)))
    return 1 if found.contradictions else 0


def _count_lines(found: RoundCount, language: str) -> list[str]:
    lines = [f"{seat}: {points}" for seat, points in found.points.items()]
    if found.doubtful:
        lines.append(sentence("dispute.count_doubtful", {"count": found.doubtful}, language))
    for one in found.contradictions:
        text = sentence(f"dispute.count_{one.code}", one.params, language)
        lines.append(" ".join([text, *one.pictures]))
    return lines


def _on_photo(
    photo: str, args: argparse.Namespace, log: Log, opener: Callable[[], PhotoReader]
) -> tuple[tuple[Tile, ...], int]:
    try:
        image = read_image(photo)
    except ImageUnreadable as error:
        raise UsageError(f"{photo}: {sentence(f'fault.{error.code}', error.params, args.lang)}") from error
    reading = open_or_explain(opener, args.lang).read(image, ReadOptions(log.rules.set_size))
    return tuple(sighting.tile for sighting in reading.tiles if sighting.tile is not None), reading.doubtful


def _hand(args: argparse.Namespace, log: Log, opener: Callable[[], PhotoReader]) -> Sequence[Tile] | None:
    if args.hand_photo:
        return _on_photo(args.hand_photo, args, log, opener)[0]
    if args.hand is None:
        return None
    try:
        return [Tile.parse(text.strip().replace("-", "|")) for text in args.hand.split(",") if text.strip()]
    except EngineError as error:
        raise UsageError(f"--hand {args.hand}: {error}") from error
