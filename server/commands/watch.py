"""`stationmaster watch SOURCE`: follows a game and referees it. One JSON object a line, as it happens."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from engine.cases import read_position
from engine.codes import Param
from engine.errors import EngineError, RulesError
from engine.position import Position
from engine.presets import PRESETS, load_rules, preset
from engine.rules import Rules
from engine.tile import SET_SIZES
from server import compose
from server.devices import MAINS_HZ
from server.errors import UsageError
from server.hands import open_or_explain
from server.keyboard import Typed, open_keyboard
from server.messages import sentence, why_not
from server.referee_log import RefereeLog
from server.sources import FolderSource, FrameSource, Picture, open_source
from server.speaking import sentence_of, spoken
from server.taps import Taps, is_quit
from server.terminal import BOLD, DIM, RED, YELLOW, Paint
from server.watch_events import Event
from server.watch_run import WatchRun, watched
from server.watching import WatchOptions
from vision.reader import PhotoReader
from vision.tiles import BgrImage


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.epilog = ("At a terminal it prints sentences; into a pipe or a file, and with --json, one JSON object a "
                     "line for each event. Where standard input is a terminal, and without --json, keys tell what no "
                     "picture shows, such as a pass; they are listed when it begins.")
    parser.add_argument("source", metavar="SOURCE", help="camera number, video or stream address, film, or folder")
    parser.add_argument("--seats", metavar="A,B,C,D", help="who sits there, clockwise as seen from above")
    parser.add_argument("--first", metavar="A", help="who takes the first turn of the round (default: the first seat)")
    parser.add_argument("--set", type=int, default=None, choices=SET_SIZES, dest="set_size", help="highest value")
    parser.add_argument("--mixed", action="store_true", help="tiles of several sets: the same tile may lie there twice")
    parser.add_argument("--hand", type=int, metavar="N", help="tiles dealt to each (default: by the deal table)")
    parser.add_argument("--rules", metavar="FILE|PRESET", default="published_default", help="house rules")
    parser.add_argument("--free", action="store_true", help="placement alone, without trains, turns or rules")
    parser.add_argument("--from", metavar="STATE.json", dest="start", help="the position to go on from")
    parser.add_argument("--mains", type=int, choices=MAINS_HZ, default=50, metavar="50|60",
                        help="frequency of the lamps' current, so that a camera's picture does not beat (default: 50)")
    parser.add_argument("--save", metavar="DIR", help="keep a log with pictures there; go on after a stop")


def run(
    args: argparse.Namespace, opener: Callable[[], PhotoReader] = compose.open_reader,
    keys: Callable[[Callable[[str], None]], Typed | None] = open_keyboard,
) -> int:
    """Watch until the source ends. 2 if a picture could not be read; fouls are news, not failures."""
    options = options_of(args)
    source = open_source(args.source, args.lang, args.mains)
    try:
        watch = WatchRun(open_or_explain(opener, args.lang), options)
        log = None
        if args.save:
            log = RefereeLog.open(Path(args.save), options.rules, options.seats, watch.reader.model_id,
                                  args.lang)
            _resume(watch, log, source)
        # A live source may have no picture for a while: who wants no more does not wait for the next.
        typed = None if args.json else keys(lambda key: source.close() if is_quit(key) else None)
        try:
            _follow(watch, source, log, args, typed)
        finally:
            if typed is not None:
                typed.close()
    finally:
        source.close()
    return _end(source, watch, args)


def _follow(
    watch: WatchRun, source: FrameSource, log: RefereeLog | None, args: argparse.Namespace, typed: Typed | None
) -> None:
    def keep(image: BgrImage, events: list[Event], picture: Picture) -> None:
        if log is not None:
            state = None
            if events or picture.settled:
                state = {"watch": watch.state(), "done": picture.moment.frame}
            log.keep(image, [spoken(event, args.lang) for event in events], state)

    # People at a terminal read sentences; a pipe or a file gets what programs read.
    as_json, paint = args.json or not sys.stdout.isatty(), Paint(sys.stdout)
    taps = None if typed is None else Taps(watch.watcher, typed, partial(_answer, args.lang))
    if taps is not None:
        taps.legend()
    for event in watched(watch, source.pictures(), keep, taps):
        _say(event, args.lang, as_json, paint)
        if event.event == "ready" and watch.options.seats and watch.watcher.round is None:
            print(sentence("source.under_way", {}, args.lang), file=sys.stderr)
    for event in watch.finish():
        _say(event, args.lang, as_json, paint)


def _answer(language: str, code: str, params: Mapping[str, Param]) -> None:
    print(sentence_of(code, params, language), file=sys.stderr, flush=True)


def _say(event: Event, language: str, as_json: bool, paint: Paint) -> None:
    told = spoken(event, language)
    print(json.dumps(told.as_json(), ensure_ascii=False) if as_json else _line(told, paint), flush=True)


def _resume(watch: WatchRun, log: RefereeLog, source: FrameSource) -> None:
    """Go on where the last watch into this folder stopped."""
    state = log.load_state()
    if not isinstance(state, dict) or not watch.resume(state.get("watch")):
        return
    if isinstance(source, FolderSource):
        names = [path.name for path in source.paths]
        if state.get("done") in names:
            source.paths = source.paths[names.index(state["done"]) + 1 :]


def _end(source: FrameSource, watch: WatchRun, args: argparse.Namespace) -> int:
    failed = source.failed if isinstance(source, FolderSource) else []
    read = not isinstance(source, FolderSource) or len(failed) < len(source.paths)
    if watch.watcher.board is None and read:
        print(sentence("source.no_domino" if args.free else "source.no_hub", {}, args.lang), file=sys.stderr)
    for path, error in failed:
        print(f"stationmaster: {path}: {sentence(f'fault.{error.code}', error.params, args.lang)}", file=sys.stderr)
    if source.dropped:
        print(sentence("source.dropped", {"count": source.dropped}, args.lang), file=sys.stderr)
    return 2 if failed else 0


def _line(event: Event, paint: Paint) -> str:
    styles = {"illegal": (BOLD, RED), "undetermined": (YELLOW,)}.get(event.verdict or "", ())
    where = paint(f"{event.moment.frame!s:>12}", DIM)
    return f"{where}  {paint(event.message or event.event, *styles)}"


# -- options --------------------------------------------------------------------------------------------


def options_of(args: argparse.Namespace) -> WatchOptions:
    """What the person said, checked."""
    rules = _rules(args)
    seats = tuple(name.strip() for name in (args.seats or "").split(",") if name.strip())
    if len(set(seats)) != len(seats) or len(seats) == 1:
        raise UsageError(f"--seats {args.seats}: name two seats or more, each with a name of its own")
    if args.first is not None and args.first not in seats:
        raise UsageError(f"--first {args.first}: that is none of the seats ({', '.join(seats) or 'none named'})")
    start = None
    if args.start:
        start, rules = _start(args.start, rules, args.lang)
        seats = seats or start.seats
        if set(seats) != set(start.seats):
            raise UsageError(f"--from {args.start}: its seats are {', '.join(start.seats)}, not {', '.join(seats)}")
    if args.mixed and seats and not args.free:
        raise UsageError(f"--mixed --seats {','.join(seats)}: {sentence('source.mixed', {}, args.lang)}")
    if rules.has_side_lines and seats and not args.free:
        raise UsageError(f"--rules {args.rules}: {sentence('source.side_lines', {}, args.lang)}")
    return WatchOptions(seats, args.first, rules, args.mixed, args.free, start)


def _rules(args: argparse.Namespace) -> Rules:
    name = args.rules
    try:
        rules = preset(name) if name in PRESETS else load_rules(Path(name).read_text("utf-8"))
        changes = dict(rules.changes())
        if args.set_size is not None:
            changes["set_size"] = args.set_size
        if args.hand is not None:
            changes |= {"deal_table": "custom", "hand_size": args.hand}
        return Rules.of(changes)
    except OSError as error:
        known = sentence("rules.presets_are", {"names": ", ".join(PRESETS)}, args.lang)
        raise UsageError(f"--rules {name}: {why_not(error, args.lang)} ({known})") from error
    except (RulesError, UnicodeDecodeError) as error:
        raise UsageError(f"--rules {name}: {error}") from error


def _start(name: str, rules: Rules, language: str) -> tuple[Position, Rules]:
    try:
        pre = json.loads(Path(name).read_text("utf-8"))
        pre = pre.get("pre", pre) if isinstance(pre, dict) else pre
        if isinstance(pre, dict) and "n" in pre:
            rules = Rules.of({**dict(rules.changes()), "set_size": pre["n"]})
        return read_position(pre, rules), rules
    except OSError as error:
        raise UsageError(f"--from {name}: {why_not(error, language)}") from error
    except (ValueError, EngineError) as error:
        raise UsageError(f"--from {name}: {error}") from error

