"""What every made training picture starts from."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import torch

from datasets.grounds import GroundBank

_RENEWED = 12
"""After so many pictures some of the grounds are new ones."""


def draws(seed: int) -> Iterator[tuple[np.random.Generator, GroundBank]]:
    """Endless: the generator of each picture, by (seed, worker, number), and the grounds of this worker."""
    cv2.setNumThreads(1)
    info = torch.utils.data.get_worker_info()
    worker = info.id if info else 0
    bank = GroundBank(np.random.default_rng([seed, worker]))
    number = 0
    while True:
        rng = np.random.default_rng([seed, worker, number])
        number += 1
        if number % _RENEWED == _RENEWED - 1:
            bank.renew(rng)
        yield rng, bank
