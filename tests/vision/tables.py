"""Tables with known truth for the tests: made by the generator, seen by a reader with the noise that is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from datasets.simulate import Noise, Simulated, simulate
from datasets.tables import TableSpec, plan_table, truth_of

Truth = dict[str, Any]


def planned(seed: int, spec: TableSpec | None = None, noise: Noise | None = None) -> tuple[Truth, Simulated]:
    """The truth of one table and what is seen of it; the same for the same seed."""
    rng = np.random.default_rng(seed)
    truth = truth_of(plan_table(rng, spec or TableSpec()))
    return truth, simulate(rng, truth, noise or Noise())
