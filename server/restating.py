"""Positions put right: hands unknown, a tile that turned out to be another."""

from __future__ import annotations

from dataclasses import replace

from engine.played_on import with_boneyard
from engine.position import Hand, Position
from engine.table import LaidTile, Table, TrainId
from engine.tile import Pips
from server.explaining import State


def unseen_hands(position: Position) -> Position:
    """The position with nothing known of hands: draws are not counted."""
    return with_boneyard(replace(position, hands=tuple(Hand() for _ in position.seats)))


def same_tiles(one: Table, other: Table) -> bool:
    """The same tiles in the same lines; markers aside."""
    return _lines(one) == _lines(other)


def _lines(table: Table) -> dict[TrainId, tuple[LaidTile, ...]]:
    return {train.owner: train.tiles for train in table.trains if train.tiles}


def with_other(table: Table, train: TrainId, was: LaidTile, now: LaidTile) -> Table:
    line = table.train(train)
    return table.with_train(replace(line, tiles=tuple(now if laid == was else laid for laid in line.tiles)))


def restarted(state: State, value: Pips) -> State:
    """The same with another starting double."""

    def position(old: Position) -> Position:
        return replace(old, table=replace(old.table, starting_double=value))

    return replace(state, base=position(state.base), mid=position(state.mid))


def restated(state: State, train: TrainId, was: LaidTile, now: LaidTile) -> State:
    def position(old: Position) -> Position:
        doubles = tuple(
            replace(double, value=now.far) if double.train == train and was.is_double and double.value == was.far
            else double
            for double in old.open_doubles
        )
        lays = tuple(
            replace(lay, laid=now) if lay.train == train and lay.laid == was else lay for lay in old.turn.lays
        )
        return replace(old, table=with_other(old.table, train, was, now), open_doubles=doubles,
                       turn=replace(old.turn, lays=lays))

    plays = tuple(replace(play, laid=now) if play.train == train and play.laid == was else play for play in state.plays)
    return replace(state, base=position(state.base), mid=position(state.mid), plays=plays)
