"""The two trainings: what they learn from, and that a run of a few steps leaves weights that can be resumed."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra `train`")

from datasets.grounds import GroundBank  # noqa: E402  (only with torch)
from datasets.scene import SceneSpec, make_scene  # noqa: E402
from scripts.training import crops, loop, reader  # noqa: E402
from scripts.training.finder import boxes_of, oriented_box  # noqa: E402


@pytest.mark.parametrize("angle", [0.0, 0.5, 1.2, 2.0])
def test_boxes_have_the_long_side_first_and_an_angle_in_range(angle: float) -> None:
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    corners = np.array([[-50, 25], [-50, -25], [50, -25], [50, 25]]) @ turn + 300
    cx, cy, length, width, found = oriented_box(corners)
    assert (cx, cy, length, width) == pytest.approx((300, 300, 100, 50))
    assert -math.pi / 4 <= found < 3 * math.pi / 4
    assert math.isclose(math.cos(2 * (found - angle)), 1, abs_tol=1e-6)


def test_labels_are_shares_of_the_picture() -> None:
    bank = GroundBank(np.random.default_rng(1), count=2, side=256)
    scene = make_scene(np.random.default_rng(8), bank, SceneSpec(size=(256, 256), tile_px=(40, 60)))
    boxes = boxes_of(scene)
    assert boxes.shape[1] == 6
    assert (boxes[:, 3] < 0.5).all()


def test_a_few_steps_leave_weights_that_are_resumed(tmp_path: Path) -> None:
    batches = crops.batches(7, 6, 6, workers=0)
    net = reader.build()
    loop.train(net, batches, reader.loss_of, loop.Plan(minutes=0.03, peak_rate=1e-3, out=tmp_path))
    first = torch.load(tmp_path / "checkpoint.pt")
    assert first["step"] > 0
    assert (tmp_path / "averaged.pt").exists()
    # On a busy machine one step may have taken all of that time and more.
    longer = first["spent"] / 60 + 0.05
    loop.train(reader.build(), batches, reader.loss_of, loop.Plan(minutes=longer, peak_rate=1e-3, out=tmp_path))
    assert torch.load(tmp_path / "checkpoint.pt")["step"] > first["step"]
