"""The sample table as a newcomer reads it: the command, the shipped networks, the picture of the README."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.cli import run

TABLE = Path(__file__).parents[2] / "examples" / "table.jpg"

OPEN_ENDS = {"t1": 8, "t2": 5, "t3": 9, "t4": 6, "t5": 0, "t6": 0, "t7": 0, "t8": 7, "M": 9}
"""As the planned scene has it (`scripts.render_tables --seed 910028`)."""


def test_the_sample_table_is_read_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = tmp_path / "read.jpg"
    assert run(["read", str(TABLE), "--json", "--overlay", str(drawn)]) == 0
    seen = json.loads(capsys.readouterr().out)
    assert seen["starting_double"] == 5
    assert {train["id"]: train["open_end"] for train in seen["trains"]} == OPEN_ENDS
    assert [train["id"] for train in seen["trains"] if not train["marker"]] == ["t1", "M"]
    assert sum(len(train["tiles"]) for train in seen["trains"]) == 50
    assert seen["findings"] == []
    assert drawn.stat().st_size > 10_000
