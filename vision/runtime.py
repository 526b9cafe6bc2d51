"""Running a network: the only module that knows the inference library."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt
import onnxruntime

from vision.errors import ModelCorrupt


def default_threads() -> int:
    """As many threads as there are processors, four at the most: more brings nothing on pictures of this size."""
    return max(1, min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1))


class Network:
    """One network in memory. `run` may be called from several threads at once."""

    def __init__(self, path: Path, threads: int | None = None) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or default_threads()
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Threads that spin between two layers save a fifth of the time; between two frames they would eat a core.
        options.add_session_config_entry("session.intra_op.allow_spinning", "1")
        options.add_session_config_entry("session.force_spinning_stop", "1")
        # Crops come in any number and photos in any shape: a plan kept for each of them only costs memory.
        options.enable_mem_pattern = False
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise ModelCorrupt(f"{path.name} is not a network this program can run ({type(error).__name__})") from error
        self._input = self._session.get_inputs()[0].name

    def run(self, batch: npt.NDArray[np.uint8]) -> list[npt.NDArray[np.float32]]:
        """All outputs for one batch."""
        return cast("list[npt.NDArray[np.float32]]", self._session.run(None, {self._input: batch}))
