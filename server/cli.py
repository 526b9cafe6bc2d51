"""The command line: finds the command, runs it, and turns every failure into one clear line.

Exit codes: 0 done; 1 the answer is "no"; 2 bad usage or unreadable input; 3 something broke inside.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import traceback
from collections.abc import Callable
from typing import NoReturn, Protocol, cast

from server.errors import UsageError
from server.messages import LANGUAGES, users_language

# Name and one-line help of each command. The module of the same name in `server.commands` is imported
# only when its command is asked for, so that `judge` does not wait for a camera library to load.
COMMANDS: dict[str, str] = {
    "score": "count the dominoes on photos of hands",
    "read": "read a whole table: trains, open ends, markers, faults",
    "check": "read a bundled photo and compare with the known answer",
    "watch": "follow a game by camera, film or pictures, and referee it",
    "dispute": "ask the log of a watch: was turn 17 legal, who owes the cover, could B have played",
    "cameras": "list the cameras that open, with a picture of each",
    "judge": "judge turns and scores given as JSON Lines, by the rules alone",
    "longest": "the best first line that a hand can make",
    "serve": "the web application for the phones and the laptop",
    "rules": "list the house rules and presets, or explain one",
}


class CommandModule(Protocol):
    """What a module in `server.commands` offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""

    def run(self, args: argparse.Namespace) -> int:
        """Do the work; return the exit code."""


def _load(name: str) -> CommandModule:
    return cast(CommandModule, importlib.import_module(f"server.commands.{name}"))


def build_parser(chosen: str | None) -> argparse.ArgumentParser:
    """The whole parser; only the chosen command's arguments are filled in."""
    parser = argparse.ArgumentParser(
        prog="stationmaster",
        description="Referee and scorer for Mexican Train played with real dominoes.",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, text in COMMANDS.items():
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        sub.add_argument("--json", action="store_true", help="machine output on standard output, nothing else there")
        # A person starts the server and reads what it says; the output of the others goes through scripts too.
        spoken = users_language(os.environ) if name == "serve" else "en"
        sub.add_argument("--lang", choices=LANGUAGES, default=spoken, help="language of messages")
        sub.set_defaults(refuse=sub.error)
        if name == chosen:
            _load(name).add_arguments(sub)
    return parser


def _command_first(argv: list[str], chosen: str | None) -> list[str]:
    """Options that stand before the command belong to it too: `--lang fr score` is `score --lang fr`."""
    if chosen is None or not argv[0].startswith("-"):
        return argv
    at = argv.index(chosen)
    return [chosen, *argv[:at], *argv[at + 1 :]]


def _parsed(parser: argparse.ArgumentParser, argv: list[str]) -> argparse.Namespace:
    """As `parse_args`; the words of a question may also come after options that stand between.

    What no command knows is refused with the usage of the one that was asked for, not of the whole program.
    """
    args, more = parser.parse_known_args(argv)
    question: list[str] | None = getattr(args, "question", None)
    if not more:
        return args
    if question is None or any(word.startswith("-") for word in more):
        refuse: Callable[[str], NoReturn] = args.refuse
        refuse(f"unrecognized arguments: {' '.join(more)}")
    args.question = [*question, *more]
    return args


def run(argv: list[str]) -> int:
    """Parse `argv`, run the command and return its exit code. Never raises, except for `--help`."""
    chosen = next((word for word in argv if word in COMMANDS), None)
    args = _parsed(build_parser(chosen), _command_first(argv, chosen))
    try:
        code = _load(args.command).run(args)
        sys.stdout.flush()
        return code
    except UsageError as error:
        print(f"stationmaster: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output went away (`| head`): not an error of ours. Keep the
        # interpreter from flushing into the closed pipe again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if os.environ.get("STATIONMASTER_DEBUG"):
            traceback.print_exc()
        print(f"stationmaster: something broke inside ({type(error).__name__}: {error})", file=sys.stderr)
        return 3
