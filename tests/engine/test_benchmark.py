"""The benchmark runs, and its plain search is a fair opponent."""

from __future__ import annotations

import pytest

from engine.tile import Tile
from scripts.benchmark_rules import PARTS, main, plain_search


@pytest.mark.parametrize("part", ["moves", "sessions"])
def test_the_parts_run(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--quick", "--only", part]) == 0
    assert "published_default" in capsys.readouterr().out


def test_help_names_the_parts(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    assert ",".join(PARTS) in capsys.readouterr().out


def test_the_plain_search_is_right_and_can_be_cut_off() -> None:
    assert plain_search([Tile(3, 4), Tile(4, 4), Tile(4, 3), Tile(5, 6)], 3, budget_s=1) == 3
    many = [Tile(low, high) for low in range(7) for high in range(low, 7)]
    assert plain_search(many, 6, budget_s=0) is None
