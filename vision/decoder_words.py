"""What a decoder written in C says on the error stream, which is the only place where it tells of damage."""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
from collections.abc import Iterator

_STDERR = 2
# The stream belongs to the process: one decoder listens at a time.
_ONE_AT_A_TIME = threading.Lock()


class Words:
    """The lines that were caught, filled in when the listening ends."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []


@contextlib.contextmanager
def listening(starts: tuple[bytes, ...]) -> Iterator[Words]:
    """Catch lines of the error stream that begin with one of `starts`; all others go where they belong.

    Where there is no error stream (a service without one) or no room for what it says, nothing is caught.
    """
    words = Words()
    with _ONE_AT_A_TIME, contextlib.ExitStack() as stack:
        try:
            kept = os.dup(_STDERR)
            stack.callback(os.close, kept)
            caught = stack.enter_context(tempfile.TemporaryFile())
            os.dup2(caught.fileno(), _STDERR)
        except OSError:
            yield words
            return
        try:
            yield words
        finally:
            os.dup2(kept, _STDERR)
            caught.seek(0)
            lines = caught.read().splitlines(keepends=True)
            words.lines += [line for line in lines if line.startswith(starts)]
            with contextlib.suppress(OSError):
                os.write(_STDERR, b"".join(line for line in lines if not line.startswith(starts)))
