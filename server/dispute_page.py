"""One page of HTML that shows an answer with its pictures. Everything is in the one file."""

from __future__ import annotations

import base64
import html
from pathlib import Path

from server.disputes import Answer
from server.messages import sentence

_STYLE = """
body { font: 18px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1 { font-size: 1.6rem; } .illegal { border-left: .4rem solid #b3261e; padding-left: 1rem; }
.legal { border-left: .4rem solid #2e7d32; padding-left: 1rem; } .undetermined { border-left: .4rem solid #8a6d00;
padding-left: 1rem; } figure { margin: 0; } img { width: 100%; border-radius: .4rem; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin: 1rem 0; } figcaption { color: #555; }
"""


def page(found: Answer, folder: Path, language: str) -> str:
    """The report."""
    title = html.escape(sentence("dispute.title", {}, language))
    parts = [
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>',
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body><h1>{title}</h1>',
        f'<p class="{found.verdict or ""}">{html.escape(found.text)}</p>',
    ]
    shown: set[tuple[str | None, str | None]] = set()
    for entry in found.evidence:
        parts.append(f"<p>{html.escape(str(entry.get('message') or entry['event']))}</p>")
        if entry.get("crop"):
            parts.append(_figure(folder, entry["crop"], ""))
        pair = entry.get("before"), entry.get("after")
        if pair not in shown:
            shown.add(pair)
            before, after = (sentence(f"dispute.{name}", {}, language) for name in ("before", "after"))
            parts.append(f'<div class="pair">{_figure(folder, pair[0], before)}{_figure(folder, pair[1], after)}</div>')
    return "".join([*parts, "</body></html>"])


def _figure(folder: Path, name: str | None, caption: str) -> str:
    path = folder / name if name else None
    if path is None or not path.is_file():
        return "<figure></figure>"
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    text = html.escape(caption)
    return f'<figure><img alt="{text}" src="data:image/jpeg;base64,{data}"><figcaption>{text}</figcaption></figure>'
