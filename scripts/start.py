"""Set up and play: makes .venv, installs Stationmaster in it, and runs it.

    python3 scripts/start.py                     counts the sample photo, examples/hand.jpg
    python3 scripts/start.py score my-photo.jpg  or any other command of `stationmaster`
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.environment import ROOT, SetupError, explain, prepare, program
from server.cli import COMMANDS


def main() -> int:
    """Set up what is missing, then hand over to `stationmaster`."""
    words = sys.argv[1:]
    if words in (["-h"], ["--help"]):
        print(f"{__doc__}\nThe commands; each has a --help of its own, as in: python3 scripts/start.py score --help\n")
        print("\n".join(f"    {name:<9} {text}" for name, text in COMMANDS.items()))
        return 0
    try:
        programs = prepare()
    except SetupError as error:
        return explain(error)
    words = words or ["score", os.path.relpath(ROOT / "examples" / "hand.jpg")]
    command = [str(program(programs, "stationmaster")), *words]
    if os.name == "posix":
        # In its place, not below it: who ends this process means the program.
        sys.stdout.flush()
        os.execv(command[0], command)
    return subprocess.call(command)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
