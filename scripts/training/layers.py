"""Layers that the small networks share, and how they take pictures."""

from __future__ import annotations

import torch
from torch import nn


def conv(inputs: int, outputs: int, stride: int = 1, bend: type[nn.Module] = nn.SiLU) -> nn.Sequential:
    """Convolution, normalised and bent."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), bend(inplace=True)
    )


class Residual(nn.Module):
    """What comes in, and what two convolutions make of it."""

    def __init__(self, width: int, bend: type[nn.Module] = nn.SiLU) -> None:
        super().__init__()
        self.first, self.second = conv(width, width, bend=bend), conv(width, width, bend=bend)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Both together."""
        return x + self.second(self.first(x))


def images(crops: torch.Tensor) -> torch.Tensor:
    """(n, h, w, c) uint8 to (n, c, h, w) from 0 to 1, channels the other way round: BGR becomes RGB."""
    return crops.flip(-1).permute(0, 3, 1, 2).float().div_(255).contiguous(memory_format=torch.channels_last)


def widened(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Saved weights in single precision."""
    return {key: value.float() if value.is_floating_point() else value for key, value in state.items()}
