"""Entry point of `stationmaster` and `python -m server`."""

from __future__ import annotations

import io
import sys

from server.cli import run


def main() -> None:
    """Run the command line and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A file's name, or a sign that the terminal lacks, must not end a command.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
