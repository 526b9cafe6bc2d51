"""A network made to compute in whole numbers says what it said before."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

onnx = pytest.importorskip("onnx", reason="making the networks' files needs the extra `train`")
torch = pytest.importorskip("torch", reason="making the networks' files needs the extra `train`")

from scripts.training.quantize import quantize  # noqa: E402  (only with onnx)


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """Two layers and a sum, from bytes to three numbers."""
    from torch import nn

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = nn.Conv2d(3, 16, 3), nn.Conv2d(16, 16, 3)
            self.last = nn.Linear(16, 3)

        def forward(self, pictures: torch.Tensor) -> torch.Tensor:
            x = torch.relu(self.first(pictures.permute(0, 3, 1, 2).float() / 255))
            return self.last(torch.relu(self.second(x)).mean((2, 3)))

    torch.manual_seed(3)
    path = tmp_path / "net.onnx"
    picture = torch.zeros(2, 20, 20, 3, dtype=torch.uint8)
    axes = {"pictures": {0: "n"}}
    torch.onnx.export(
        Net().eval(), (picture,), str(path), input_names=["pictures"], dynamic_axes=axes, opset_version=17, dynamo=False
    )
    return path


def answers(path: Path, pictures: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, {"pictures": pictures})[0])


def test_answers_stay_within_a_hundredth_and_the_last_layer_in_fractions(network: Path) -> None:
    rng = np.random.default_rng(5)
    pictures = rng.integers(0, 256, (8, 20, 20, 3), dtype=np.uint8)
    before = answers(network, pictures)
    quantize(network, (rng.integers(0, 256, (8, 20, 20, 3), dtype=np.uint8) for _ in range(4)))
    after = answers(network, pictures)
    assert np.abs(after - before).max() < 0.01 * np.abs(before).max()
    graph = onnx.load(network).graph
    weights = Counter(tensor.data_type for tensor in graph.initializer if len(tensor.dims) > 1)
    assert weights == {onnx.TensorProto.INT8: 2, onnx.TensorProto.FLOAT: 1}
    assert [path.name for path in network.parent.iterdir()] == ["net.onnx"]
