"""Write size and SHA256 of the model files that are there into models/manifest.toml; everything else stays."""

from __future__ import annotations

import argparse
import hashlib
import re
from pathlib import Path

MODELS = Path(__file__).resolve().parent.parent / "models"


def updated(text: str, folder: Path) -> tuple[str, list[str]]:
    """The manifest's text with the numbers of each file in `folder`, and what changed, a line each."""
    changes = []
    # The text before the first entry, then one piece an entry; comments and order stay as they are.
    head, *entries = re.split(r"(?m)^(?=\[\[model\]\])", text)
    for index, entry in enumerate(entries):
        match = re.search(r'(?m)^file = "([^"]+)"', entry)
        if match is None or not (folder / match[1]).exists():
            continue
        data = (folder / match[1]).read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        new = re.sub(r'(?m)^sha256 = ".*"', f'sha256 = "{digest}"', entry)
        new = re.sub(r"(?m)^bytes = \d+", f"bytes = {len(data)}", new)
        if new != entry:
            changes.append(f"{match[1]}: {len(data)} bytes, SHA256 {digest}")
        entries[index] = new
    return head + "".join(entries), changes


def main() -> None:
    """Update the manifest, or with --check only say whether it is up to date (exit code 1 if not)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=MODELS, help="folder of the models (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="change nothing")
    args = parser.parse_args()
    path = args.folder / "manifest.toml"
    text, changes = updated(path.read_text("utf-8"), args.folder)
    print("\n".join(changes) or "nothing to change")
    if args.check:
        raise SystemExit(1 if changes else 0)
    path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
