"""What is kept: transactions, migrations, backup, and that nothing acknowledged is lost."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from server.store import EventRow, GameRow, Ledger, NewerStore, Store


def game(name: str = "g1") -> GameRow:
    return GameRow(name, name.upper(), "game", "", "2026-01-01", 0)


def test_a_change_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.db")

    def half_done(ledger: Ledger) -> None:
        ledger.add_game(game())
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power cut"):
        store.write(half_done)
    assert store.read(lambda ledger: ledger.games("game")) == []
    store.write(lambda ledger: ledger.add_game(game()))  # the writer goes on
    assert len(store.read(lambda ledger: ledger.games("game"))) == 1
    store.close()


def test_a_backup_is_whole_while_the_server_runs(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.db")
    store.write(lambda ledger: ledger.add_game(game()))
    store.write(lambda ledger: ledger.append("g1", EventRow(1, "now", "me", "created", {"a": [1, "ü"]})))
    store.backup(tmp_path / "copy.db")
    store.close()
    copy = Store(tmp_path / "copy.db")
    assert copy.read(lambda ledger: ledger.events("g1"))[0].data == {"a": [1, "ü"]}
    copy.close()


def test_a_database_of_a_newer_version_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    Store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 999")
    with pytest.raises(NewerStore):
        Store(path)


def test_migrations_run_once_and_in_order(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    first = Store(path)
    first.write(lambda ledger: ledger.add_game(game()))
    first.close()
    again = Store(path)
    assert len(again.read(lambda ledger: ledger.games("game"))) == 1
    again.close()


def test_all_sql_stands_in_one_module() -> None:
    words = ("SELECT ", "INSERT INTO", "UPDATE ", "DELETE FROM", "sqlite3")
    folder = Path(__file__).parents[2] / "server"
    guilty = [
        str(path.relative_to(folder))
        for path in folder.rglob("*.py")
        if path.name != "store.py" and any(word in path.read_text(encoding="utf-8") for word in words)
    ]
    assert guilty == []
