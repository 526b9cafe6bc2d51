"""Set up and test: makes .venv, installs Stationmaster and its test tools, runs ruff, mypy and pytest.

    python3 scripts/test.py                      everything
    python3 scripts/test.py tests/vision -k jpeg further words go to pytest, and only pytest runs
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.environment import ROOT, SetupError, explain, prepare, program


def main() -> int:
    """Run each check, also after another one failed; 0 if all passed."""
    words = sys.argv[1:]
    if words in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    try:
        programs = prepare("dev")
    except SetupError as error:
        return explain(error)
    python = str(program(programs, "python"))
    checks = [[python, "-m", "pytest", *words]]
    if not words:
        checks = [[python, "-m", "ruff", "check", "."], [python, "-m", "mypy"], *checks]
    failed = []
    for command in checks:
        print(f"== {' '.join(command[2:])}", flush=True)
        if subprocess.call(command, cwd=ROOT, stdin=subprocess.DEVNULL) != 0:
            failed.append(command[2])
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
