"""Words for people in a terminal: colours where they show, progress on long runs, tables that line up."""

from __future__ import annotations

import os
import sys
import threading
import time
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TextIO

from server.hands import Counted, HandRules, doubt_sentences, notes_of, total_of
from server.messages import Param, sentence, shown_name
from server.messages import counted as several
from vision.tiles import TileSighting

BOLD, DIM, YELLOW, RED = "1", "2", "33", "31"


class Paint:
    """Colours for a stream that is a terminal, none for a file or a pipe, or where NO_COLOR is set."""

    def __init__(self, stream: TextIO) -> None:
        self._on = stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"

    def __call__(self, text: str, *styles: str) -> str:
        return f"\x1b[{';'.join(styles)}m{text}\x1b[0m" if self._on and styles else text


class Progress:
    """Says on standard error which photo is being read.

    In a terminal: of several photos at once, of a single one when it takes longer than `patience_s`, then with
    the seconds that pass. Elsewhere every ten seconds, and nothing of a single photo. Leaves no line behind
    when it is closed.
    """

    def __init__(self, count: int, language: str, stream: TextIO | None = None, patience_s: float = 1.0) -> None:
        self._count, self._language, self._stream = count, language, stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._patience_s = patience_s
        self._said = time.monotonic()
        self._shown = 0
        self._lock = threading.Lock()
        self._done: threading.Event | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def show(self, number: int, name: str) -> None:
        """Photo `number` (from 1) comes next."""
        self._stop()
        name = shown_name(os.path.basename(name))
        text = sentence("score.reading", {"number": number, "count": self._count, "name": name}, self._language)
        if self._terminal:
            if self._count > 1:
                self._write(text)
            self._done = threading.Event()
            threading.Thread(target=self._tick, args=(name, self._done), daemon=True).start()
        elif self._count > 1 and time.monotonic() - self._said >= 10:
            self._stream.write(text + "\n")
            self._stream.flush()
            self._said = time.monotonic()

    def clear(self) -> None:
        """Take the line away before something else is written."""
        self._stop()
        with self._lock:
            if self._shown:
                self._stream.write("\r" + " " * self._shown + "\r")
                self._stream.flush()
                self._shown = 0

    def _tick(self, name: str, done: threading.Event) -> None:
        begin = time.monotonic()
        while not done.wait(self._patience_s):
            params: dict[str, Param] = {"name": name, "seconds": int(time.monotonic() - begin)}
            self._write(sentence("score.working", params, self._language), done)

    def _write(self, text: str, done: threading.Event | None = None) -> None:
        with self._lock:
            if done is not None and done.is_set():
                return
            self._stream.write(f"\r{text[:110].ljust(self._shown)}")
            self._shown = min(len(text), 110)
            self._stream.flush()

    def _stop(self) -> None:
        if self._done is not None:
            with self._lock:
                self._done.set()
            self._done = None


def photo_lines(counted: Counted, rules: HandRules, language: str, paint: Paint) -> list[str]:
    """A small table: one line a tile, the total, what to look at."""
    reading = counted.reading
    lines = [paint(shown_name(counted.path), BOLD)]
    if reading.tiles:
        lines += _table([_row(tile, rules, language) for tile in reading.tiles], language, paint)
        total = sentence("score.total", {}, language)
        notes = [several("score.tiles", len(reading.tiles), language)]
        if reading.doubtful:
            notes.append(paint(several("score.doubtful", reading.doubtful, language), YELLOW))
        if reading.face_down:
            notes.append(paint(several("score.face_down", len(reading.face_down), language), DIM))
        lines.append(f"  {paint(f'{total} {total_of(reading, rules)}', BOLD)}   {', '.join(notes)}")
    lines += ["  " + paint(sentence(f"score.{code}", {}, language), YELLOW) for code in notes_of(reading)]
    return lines


@dataclass(frozen=True, slots=True)
class Summary:
    """How many photos were counted, how many could not be, and how many tiles on all of them want a look."""

    photos: int
    failed: int
    doubtful: int


def summary_line(counts: Summary, total: int, language: str, paint: Paint) -> str:
    """The last line after several photos: a total with doubts in it says so."""
    words = [several("score.photos", counts.photos, language)]
    if counts.doubtful:
        words.append(paint(several("score.doubtful", counts.doubtful, language), YELLOW))
    if counts.failed:
        words.append(paint(several("score.failed", counts.failed, language), RED))
    return f"{paint(sentence('score.total', {}, language) + f' {total}', BOLD)}   {', '.join(words)}"


def tile_text(tile: TileSighting, language: str) -> str:
    """`12-7`, the end that comes first as it lies; `?` for a half that can't be read."""
    unknown = sentence("score.unreadable", {}, language)
    return "-".join(unknown if end is None else str(end) for end in tile.ends)


def _row(tile: TileSighting, rules: HandRules, language: str) -> tuple[str, str, str, str]:
    # Rounded down: 99.96 % is no certainty.
    sure = f"{int(100 * min(max(tile.confidence, 0.0), 1.0))} %"
    return tile_text(tile, language), str(rules.pips(tile)), sure, "; ".join(doubt_sentences(tile, language))


def _table(rows: Sequence[tuple[str, str, str, str]], language: str, paint: Paint) -> list[str]:
    titles = tuple(sentence(f"score.{name}", {}, language) for name in ("tile", "pips", "sure"))
    widths = [max(_width(row[column]) for row in (titles, *rows)) for column in range(3)]

    def line(cells: Sequence[str], styles: Sequence[str]) -> str:
        parts = [_padded(cells[0], widths[0], str.ljust)]
        parts += [_padded(cells[column], widths[column], str.rjust) for column in (1, 2)]
        return "  " + paint("  ".join(parts), *styles)

    lines = [line(titles, [DIM])]
    for row in rows:
        remark = f"   {paint(row[3], YELLOW)}" if row[3] else ""
        lines.append(line(row, [YELLOW] if row[3] else []) + remark)
    return lines


def _width(text: str) -> int:
    return sum(0 if unicodedata.combining(letter) else 1 for letter in text)


def _padded(text: str, width: int, pad: Callable[[str, int], str]) -> str:
    return pad(text, width + len(text) - _width(text))
