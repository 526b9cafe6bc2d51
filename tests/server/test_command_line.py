"""What the command line does before a command begins."""

from __future__ import annotations

import pytest

from server.cli import COMMANDS, run

NEEDED = {"score": ["x.jpg"], "read": ["x.jpg"], "watch": ["x.mp4"], "dispute": ["log", "who"],
          "longest": ["--hand", "1-2", "--start", "1"]}


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_option_is_answered_with_the_usage_of_its_command(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        run([command, "--nonsense", *NEEDED.get(command, [])])
    said = capsys.readouterr().err
    assert left.value.code == 2
    assert said.startswith(f"usage: stationmaster {command} ")
    assert "unrecognized arguments: --nonsense" in said


def test_options_before_the_command_belong_to_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--json", "longest", "--hand", "1-2", "--start", "1"]) == 0
    assert capsys.readouterr().out.startswith('{"line"')
    assert run(["--lang", "fr", "score", "nowhere.jpg"]) == 2
    assert "n'existe pas" in capsys.readouterr().err
