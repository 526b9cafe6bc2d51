"""`stationmaster longest`: the best first line that a hand can make."""

from __future__ import annotations

import argparse
import json
import re
import sys

from engine.errors import NotationError
from engine.longest import FirstLine, Most, longest_line
from engine.tile import MAX_PIPS, SET_SIZES, Tile
from server.errors import UsageError
from server.messages import Param, counted, sentence, shown_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--hand", metavar="TILES", help="the hand, written like 12-3,3-5,5-5")
    source.add_argument("--photo", metavar="PHOTO", help="a photo of the hand")
    parser.add_argument("--start", type=int, required=True, metavar="V", help="value of the starting double")
    parser.add_argument(
        "--most",
        choices=[most.value for most in Most],
        default=Most.TILES.value,
        help="what to lay most of (default: %(default)s)",
    )
    parser.add_argument(
        "--set",
        type=int,
        choices=SET_SIZES,
        dest="set_size",
        help="highest double (default: 12, or what --start needs)",
    )
    parser.add_argument("--mixed", action="store_true", help="tiles of several sets: the hand may hold one twice")
    parser.add_argument("--time-limit", type=float, metavar="SECONDS", help="stop then, with the best line so far")


def run(args: argparse.Namespace) -> int:
    """Find the line and print it. Exit code 0, also when no tile fits the start."""
    if not 0 <= args.start <= MAX_PIPS:
        raise UsageError(f"--start {args.start}: a value lies between 0 and {MAX_PIPS}")
    if args.time_limit is not None and not args.time_limit >= 0:
        raise UsageError(f"--time-limit {args.time_limit}: seconds can't be negative")
    if args.set_size is not None and args.start > args.set_size:
        raise UsageError(f"--start {args.start}: a double-{args.set_size} set goes up to {args.set_size}")
    doubtful, notes = 0, list[str]()
    if args.photo is not None:
        hand, doubtful, notes = _hand_from_photo(args)
    else:
        hand = _hand_from_text(args.hand, args.set_size, mixed=args.mixed)
    answer = longest_line(hand, args.start, Most(args.most), time_limit_s=args.time_limit)
    if args.json:
        print(json.dumps({**as_json(answer), **({} if args.photo is None else {"doubtful": doubtful})}))
    else:
        print(_for_people(answer, args.start, args.lang))
    for code in notes:
        print(f"stationmaster: {sentence(f'score.{code}', {}, args.lang)}", file=sys.stderr)
    if doubtful and hand:
        print(f"stationmaster: {counted('longest.doubtful', doubtful, args.lang)}", file=sys.stderr)
    return 0


def as_json(answer: FirstLine) -> dict[str, object]:
    """The answer in the form that the contract fixes."""
    return {
        "line": [list(tile) for tile in answer.line],
        "left": [[tile.low, tile.high] for tile in answer.left],
        "left_pips": answer.left_pips,
        "proven": answer.proven,
    }


def _hand_from_text(text: str, set_size: int | None, *, mixed: bool) -> list[Tile]:
    words = [word for word in re.split(r"[,;\s]+", text) if word]
    try:
        hand = [Tile.parse(word) for word in words]
    except NotationError as error:
        raise UsageError(f"--hand: {error}") from error
    for tile in hand:
        if set_size is not None and tile.high > set_size:
            raise UsageError(f"--hand: a double-{set_size} set has no {tile}")
        if not mixed and hand.count(tile) > 1:
            raise UsageError(f"--hand: {tile} is given {hand.count(tile)} times; a set has it once")
    return hand


def _hand_from_photo(args: argparse.Namespace) -> tuple[list[Tile], int, list[str]]:
    """Tiles on the photo, each once unless sets are mixed, how many doubts there are, and notes on the photo.

    A tile with an unreadable half is left out.
    """
    # Imported here: the reader loads a model, which a hand given as text does not need.
    from server.compose import open_reader
    from server.hands import Asked, Fault, HandRules, count_photo, notes_of, open_or_explain
    from server.terminal import Progress

    set_size = args.set_size or next(size for size in SET_SIZES if size >= max(12, args.start))
    with Progress(1, args.lang) as progress:
        progress.show(1, args.photo)
        reader = open_or_explain(open_reader, args.lang)
        outcome = count_photo(Asked(args.photo), reader, HandRules(set_size, args.mixed))
    if isinstance(outcome, Fault):
        raise UsageError(f"{shown_name(args.photo)}: {outcome.message(args.lang)}")
    tiles = [tile.tile for tile in outcome.reading.tiles if tile.tile is not None]
    hand = tiles if args.mixed else list(dict.fromkeys(tiles))
    return hand, outcome.reading.doubtful, notes_of(outcome.reading)


def _for_people(answer: FirstLine, start: int, language: str) -> str:
    lines = []
    if answer.line:
        lines.append("  ".join(f"{near}-{far}" for near, far in answer.line))
        laid = sum(map(sum, answer.line))
        word = "one" if len(answer.line) == 1 else "other"
        params: dict[str, Param] = {"count": len(answer.line), "start": start, "pips": laid}
        lines.append(sentence(f"longest.tiles_{word}", params, language))
    else:
        lines.append(sentence("longest.nothing_fits", {"start": start}, language))
    if answer.left:
        kept = "  ".join(f"{tile.low}-{tile.high}" for tile in answer.left)
        lines.append(sentence("longest.left", {"tiles": kept, "pips": answer.left_pips}, language))
    else:
        lines.append(sentence("longest.nothing_left", {}, language))
    if not answer.proven:
        lines.append(sentence("longest.not_proven", {}, language))
    return "\n".join(lines)
