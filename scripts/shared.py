"""Where the real photographs and the test vectors are: beside the checkout, or where STATIONMASTER_SHARED says."""

from __future__ import annotations

import os
import sys
from pathlib import Path

SHARED = Path(os.environ.get("STATIONMASTER_SHARED", Path(__file__).resolve().parents[2] / "shared"))


def shared(*parts: str) -> Path:
    """A file or folder in there. Without it the command ends with one line and exit code 2."""
    found = SHARED.joinpath(*parts)
    if not found.exists():
        print(f"{found} is not there: set the environment variable STATIONMASTER_SHARED to the folder of the real "
              "photographs", file=sys.stderr)
        raise SystemExit(2)
    return found
