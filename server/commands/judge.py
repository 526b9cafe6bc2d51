"""`stationmaster judge [FILE|-]`: JSON Lines in, JSON Lines out; rules only, no camera."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from engine.judge import Say, is_illegal, judge
from engine.messages import sentence
from server.errors import UsageError
from server.messages import Param, shown_name, why_not
from server.messages import sentence as told
from server.rulings import ruling_sentence

_BEGINNING = 64
"""So many bytes of a file say whether it is text."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One optional file; standard input otherwise."""
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="JSON Lines, - for standard input")


def run(args: argparse.Namespace) -> int:
    """Answer each line. 1 if a turn is illegal; else 2 if a line could not be read; else 0."""
    illegal = unread = False
    for answer in answers(_lines(args.file, args.lang), _speaker(args.lang), args.lang):
        illegal = illegal or is_illegal(answer)
        unread = unread or "error" in answer
        print(json.dumps(answer, ensure_ascii=False), flush=args.file == "-")
    return 1 if illegal else 2 if unread else 0


def answers(
    lines: Iterable[str | bytes], say: Say = sentence, language: str = "en"
) -> Iterator[dict[str, Any]]:
    """One answer for each line that is not blank; a bad line never stops the others."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = json.loads(line, parse_float=_number, parse_constant=_number)
        except UnicodeDecodeError:  # a picture, say
            yield {"id": None, "error": told("fault.no_text", {"line": number}, language)}
            continue
        except (ValueError, RecursionError) as error:
            params: dict[str, Param] = {"line": number, "reason": str(error)}
            yield {"id": None, "error": told("fault.not_json", params, language)}
            continue
        yield judge(case, say)


def _number(text: str) -> float:
    """A number that can be written back; JSON knows no NaN and no infinity."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number")
    return number


def _speaker(language: str) -> Say:
    """Sentences in a language."""
    return lambda code, params: ruling_sentence(code, params, language)


def _lines(name: str, language: str) -> Iterator[str | bytes]:
    """Lines as bytes, so that one that is no UTF-8 spoils only itself."""
    if name == "-":
        yield from getattr(sys.stdin, "buffer", sys.stdin)
        return
    try:
        data = Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"{shown_name(name)}: {why_not(error, language)}") from error
    if b"\0" in data[:_BEGINNING]:  # no text has it: a picture, an archive, a program
        raise UsageError(f"{shown_name(name)}: {told('fault.no_lines', {}, language)}")
    yield from data.removeprefix(b"\xef\xbb\xbf").splitlines()
