"""Where makers put the pips of each value.

A half is a square of side 1 centred on (0, 0); `u` runs along the tile, `v` across it. Makers agree up to
nine and differ from ten on, so each `ARRANGEMENTS` entry is one maker's complete scheme (values 0 to 18).
"""

from __future__ import annotations

import numpy as np

Points = list[tuple[float, float]]
Arrangement = dict[int, Points]

_S = 0.27  # distance of the outer lines from the centre line
_E = 0.36  # outermost pip where four or more stand in a line


def _line(count: int, reach: float) -> list[float]:
    return [0.0] if count == 1 else [float(x) for x in np.linspace(-reach, reach, count)]


def _rows(counts: tuple[int, ...], reach_v: float, reach_u: float, *, aligned: bool = False) -> Points:
    """Rows along the tile with the given number of pips each; `aligned` puts short rows between the pips."""
    longest = max(counts)
    points: Points = []
    for v, count in zip(_line(len(counts), reach_v), counts, strict=True):
        reach = reach_u * (count - 1) / max(1, longest - 1) if aligned else reach_u
        points += [(u, v) for u in _line(count, reach)] if count else []
    return points


def _small() -> Arrangement:
    corners = [(-_S, -_S), (-_S, _S), (_S, -_S), (_S, _S)]
    six = [(u, v) for v in (-_S, _S) for u in (-_S, 0.0, _S)]
    return {
        0: [],
        1: [(0.0, 0.0)],
        2: [(-_S, -_S), (_S, _S)],
        3: [(-_S, -_S), (0.0, 0.0), (_S, _S)],
        4: corners,
        5: [*corners, (0.0, 0.0)],
        6: six,
        7: [*six, (0.0, 0.0)],
        8: [*six, (-_S, 0.0), (_S, 0.0)],
        9: [*six, (-_S, 0.0), (_S, 0.0), (0.0, 0.0)],
    }


def _large() -> Arrangement:
    """Thirteen to eighteen: rows of five and six."""
    return {
        13: _rows((5, 3, 5), 0.3, 0.37, aligned=True),
        14: _rows((5, 4, 5), 0.3, 0.38, aligned=True),
        15: _rows((5, 5, 5), 0.3, 0.38),
        16: _rows((4, 4, 4, 4), 0.36, 0.36),
        17: _rows((6, 5, 6), 0.3, 0.39, aligned=True),
        18: _rows((6, 6, 6), 0.3, 0.39),
    }


def _large_staggered() -> Arrangement:
    return {
        13: _rows((4, 5, 4), 0.3, 0.37, aligned=True),
        14: [*_rows((5, 0, 5), 0.3, 0.38), (-0.38, 0.0), (-0.13, 0.0), (0.13, 0.0), (0.38, 0.0)],
        15: _rows((3, 3, 3, 3, 3), 0.38, 0.3),
        16: _rows((5, 6, 5), 0.3, 0.39, aligned=True),
        17: [*_rows((4, 4, 4, 4), 0.36, 0.36), (0.0, 0.0)],
        18: _rows((3, 3, 3, 3, 3, 3), 0.4, 0.28),
    }


def _turned(points: Points) -> Points:
    return [(v, u) for u, v in points]


def _mirrored(points: Points) -> Points:
    return [(u, -v) for u, v in points]


def _build() -> list[Arrangement]:
    rim = [*_rows((4, 0, 4), _S, _E), (-_E, 0.0), (_E, 0.0)]
    grid = {10: rim, 11: [*rim, (0.0, 0.0)], 12: _rows((4, 4, 4), _S, _E)}
    nested = {
        10: _rows((4, 2, 4), _S, _E, aligned=True),
        11: _rows((4, 3, 4), _S, _E, aligned=True),
        12: _rows((4, 4, 4), _S, _E),
    }
    wide = {
        10: [*_rows((4, 0, 4), _S, _E), (-0.22, 0.0), (0.22, 0.0)],
        11: [*_rows((4, 0, 4), _S, _E), (-0.27, 0.0), (0.0, 0.0), (0.27, 0.0)],
        12: _rows((4, 4, 4), _S, _E),
    }
    threes = {
        10: _rows((3, 4, 3), _S, _E, aligned=True),
        11: [*_rows((3, 0, 3), _S, _S), *[(u, 0.0) for u in _line(5, _E)]],
        12: _rows((3, 3, 3, 3), _E, _S),
    }
    schemes: list[Arrangement] = []
    for number, top in enumerate((grid, nested, wide, threes, grid, grid)):
        scheme = {**_small(), **top, **(_large() if number % 2 == 0 else _large_staggered())}
        schemes.append(scheme)
        schemes.append({**scheme, **{value: _turned(scheme[value]) for value in range(10, 19)}})
    tall = {**schemes[0], **{value: _turned(schemes[0][value]) for value in (6, 7)}}
    return [*schemes, tall]


ARRANGEMENTS: list[Arrangement] = _build()


def pip_centres(scheme: int, value: int, *, mirrored: bool) -> np.ndarray:
    """Pip centres of `value` in the scheme, shape (value, 2) float32 as (u, v) in the unit half."""
    points = ARRANGEMENTS[scheme][value]
    return np.array(_mirrored(points) if mirrored else points, np.float32).reshape(-1, 2)
