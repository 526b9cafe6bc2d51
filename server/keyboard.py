"""Single keys typed at a terminal while something else runs: never waited for by whoever asks what was typed."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import select
import sys
import threading
from collections.abc import Callable
from typing import Protocol, TextIO

if sys.platform == "win32":
    import msvcrt
else:
    import termios
    import tty

_POLL_S = 0.1
_STEERING = re.compile(r"\x1b(?:[\[O][0-9;]*.?)?")
"""What arrows and the like send, which is no letter."""


class Typed(Protocol):
    """What was typed. `single`: a key counts at once; else the first letter of each line does."""

    @property
    def single(self) -> bool:
        """No Enter is needed."""

    def take(self) -> list[str]:
        """The keys typed since it was asked last; it never waits."""

    def close(self) -> None:
        """Leave the terminal as it was."""


class _Source(Protocol):
    single: bool

    def read(self, wait_s: float) -> str | None:
        """The next keys, nothing (`""`) where none came in time, `None` where none will come any more."""

    def close(self) -> None:
        """Leave the terminal as it was."""


class Keyboard:
    """Keys of a terminal, read by a thread of its own. `pressed` is called there with each of them."""

    def __init__(self, source: _Source, pressed: Callable[[str], None] = lambda _: None) -> None:
        self._source, self._pressed = source, pressed
        self._keys: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="keyboard")
        self._thread.start()

    @property
    def single(self) -> bool:
        """No Enter is needed."""
        return self._source.single

    def take(self) -> list[str]:
        """The keys typed since it was asked last."""
        found = []
        while not self._keys.empty():
            found.append(self._keys.get())
        return found

    def close(self) -> None:
        """Leave the terminal as it was."""
        self._end.set()
        self._source.close()

    def _run(self) -> None:
        try:
            while not self._end.is_set():
                keys = self._source.read(_POLL_S)
                if keys is None:
                    return
                for key in keys if not self._end.is_set() else "":
                    self._keys.put(key)
                    self._pressed(key)
        except (OSError, ValueError):
            return  # the terminal is gone: whoever watches goes on without keys


def open_keyboard(pressed: Callable[[str], None], stream: TextIO | None = None) -> Keyboard | None:
    """The keyboard of the terminal that the person sits at; `None` where standard input is none."""
    found = sys.stdin if stream is None else stream
    try:
        if found is None or not found.isatty():
            return None
        return Keyboard(_source_of(found), pressed)
    except (OSError, ValueError):
        return None  # closed, or no file at all


def _source_of(stream: TextIO) -> _Source:
    source: _Source = _Lines(stream)
    if sys.platform == "win32":
        source = _Console()
    else:
        with contextlib.suppress(termios.error):
            source = _Terminal(stream.fileno())
    return source


class _Lines:
    """A terminal that gives whole lines only."""

    single = False

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def read(self, wait_s: float) -> str | None:
        """The first letter of the next line, however long that takes: only the keyboard's own thread waits."""
        del wait_s
        line = self._stream.readline()
        return line.strip()[:1] if line else None

    def close(self) -> None:
        """It was not changed."""


if sys.platform == "win32":

    class _Console:
        """The console of Windows."""

        single = True

        def read(self, wait_s: float) -> str | None:
            """The next key; of keys that come as two characters, such as arrows, nothing."""
            if not msvcrt.kbhit():
                threading.Event().wait(wait_s)
                return ""
            key = msvcrt.getwch()
            if key in ("\x00", "\xe0"):
                msvcrt.getwch()
                return ""
            return key

        def close(self) -> None:
            """It was not changed."""

else:

    class _Terminal:
        """A terminal that hands over each key as it is pressed; Ctrl-C and Ctrl-Z keep their meaning."""

        single = True

        def __init__(self, number: int) -> None:
            self._number, self._before = number, termios.tcgetattr(number)
            self._prepare()

        def read(self, wait_s: float) -> str | None:
            """The next keys. In the background nothing is read: the system would stop the whole program for it."""
            if not self._in_front():
                threading.Event().wait(wait_s)
                return ""
            self._prepare()
            if not select.select([self._number], [], [], wait_s)[0] or not self._in_front():
                return ""
            typed = os.read(self._number, 64)
            return _STEERING.sub("", typed.decode("utf-8", "replace")) if typed else None

        def close(self) -> None:
            """As it was before, where the terminal is still ours."""
            if self._in_front():
                termios.tcsetattr(self._number, termios.TCSADRAIN, self._before)

        def _prepare(self) -> None:
            """Keys without Enter; a shell that had the terminal meanwhile has set it back to lines."""
            if self._in_front() and termios.tcgetattr(self._number)[3] & termios.ICANON:
                tty.setcbreak(self._number, termios.TCSANOW)

        def _in_front(self) -> bool:
            try:
                return os.tcgetpgrp(self._number) == os.getpgrp()
            except OSError:
                return True  # a terminal that controls nobody stops nobody either
