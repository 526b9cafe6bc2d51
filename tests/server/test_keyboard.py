"""Keys of a terminal: single ones where it has a raw mode, lines where not, none where it is no terminal."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable
from typing import TextIO

import pytest

from server import keyboard
from server.keyboard import Keyboard, open_keyboard

posix = pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is one of POSIX")


def wait_for(found: Callable[[], bool]) -> None:
    """Until it is so, for a few seconds."""
    until = time.monotonic() + 5
    while not found() and time.monotonic() < until:
        time.sleep(0.01)
    assert found()


class Stub:
    """Hands over these keys, then fails or ends."""

    single = True

    def __init__(self, *keys: str | Exception | None) -> None:
        self.keys, self.closed = list(keys), False

    def read(self, wait_s: float) -> str | None:
        """The next one."""
        if not self.keys:
            time.sleep(wait_s)
            return ""
        key = self.keys.pop(0)
        if isinstance(key, Exception):
            raise key
        return key

    def close(self) -> None:
        """No more."""
        self.closed = True


def test_keys_are_kept_until_they_are_asked_for_and_told_at_once() -> None:
    source, pressed = Stub("p", "", "q"), []  # type: ignore[var-annotated]
    keys = Keyboard(source, pressed.append)
    wait_for(lambda: pressed == ["p", "q"])
    assert keys.take() == ["p", "q"]
    assert keys.take() == []
    keys.close()
    assert source.closed


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("end", [None, OSError("gone"), ValueError("closed")])
def test_a_terminal_that_goes_away_takes_nothing_with_it(end: Exception | None) -> None:
    keys = Keyboard(Stub("p", end))
    keys._thread.join(5)
    assert not keys._thread.is_alive()
    assert keys.take() == ["p"]


def test_what_is_no_terminal_has_no_keys() -> None:
    assert open_keyboard(lambda _: None, io.StringIO("p\n")) is None
    closed = io.StringIO()
    closed.close()
    assert open_keyboard(lambda _: None, closed) is None


@pytest.fixture
def pair() -> tuple[int, TextIO]:
    """Both sides of a pseudo-terminal: where keys are pressed, and where they are read."""
    import pty

    master, slave = pty.openpty()
    return master, os.fdopen(slave, "r")


@posix
def test_a_key_counts_without_enter_and_the_terminal_is_left_as_it_was(pair: tuple[int, TextIO]) -> None:
    import termios

    master, stream = pair
    before = termios.tcgetattr(stream.fileno())
    pressed: list[str] = []
    keys = open_keyboard(pressed.append, stream)
    assert keys is not None
    assert keys.single
    os.write(master, b"p")
    wait_for(lambda: pressed == ["p"])
    os.write(master, b"\x1b[A" b"dn" b"\x1bOB" b"\x1b[15~" b"u")  # quickly, with arrows and F5 among them
    wait_for(lambda: pressed[-1] == "u")
    assert keys.take() == ["p", "d", "n", "u"]
    keys.close()
    assert termios.tcgetattr(stream.fileno()) == before


@posix
def test_without_a_raw_mode_the_first_letter_of_a_line_counts(
    pair: tuple[int, TextIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    import termios

    def refuse(*_: object) -> None:
        raise termios.error("no such mode")

    monkeypatch.setattr(keyboard.tty, "setcbreak", refuse)
    master, stream = pair
    pressed: list[str] = []
    keys = open_keyboard(pressed.append, stream)
    assert keys is not None
    assert not keys.single
    os.write(master, b"  pass\n\nd\n")
    wait_for(lambda: pressed == ["p", "d"])
    keys.close()


@posix
def test_in_the_background_nothing_is_read(pair: tuple[int, TextIO], monkeypatch: pytest.MonkeyPatch) -> None:
    """The system stops a whole program that reads a terminal from there."""
    master, stream = pair
    front = [True]
    monkeypatch.setattr(keyboard._Terminal, "_in_front", lambda _: front[0])
    pressed: list[str] = []
    keys = open_keyboard(pressed.append, stream)
    assert keys is not None
    front[0] = False
    time.sleep(0.15)
    os.write(master, b"p")
    time.sleep(0.3)
    assert pressed == []
    front[0] = True
    wait_for(lambda: pressed == ["p"])
    keys.close()
