"""The reader of halves and the corner network, trained side by side on the same pictures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as functional
from torch import nn

from scripts.training.crops import HALF_WH, IGNORE, KINDS
from scripts.training.layers import Residual, conv, images, widened
from scripts.training.loop import Batch

VALUES = 20
"""0 to 18, and 19 for "no value here"."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Widths of the four stages, residual blocks in the third, and what bends between the layers."""

    widths: tuple[int, int, int, int]
    blocks: int
    bend: type[nn.Module]


QUICK = Shape((16, 32, 64, 128), 2, nn.ReLU)
"""For every tile: 0.1 G multiplications a half, and ReLU, which the runtime folds into the convolutions."""
CAREFUL = Shape((32, 64, 112, 176), 1, nn.SiLU)
"""For tiles that the quick one is not sure of: two and a half times the cost."""


class HalfReader(nn.Module):
    """Halves (n, 3, 64, 72), outer end left, 0..1 RGB, to value logits (n, 20) and map logits (n, 2, 16, 18): where
    pips are, and where a marker stands.
    """

    def __init__(self, shape: Shape = QUICK) -> None:
        super().__init__()
        (a, b, c, d), bend = shape.widths, shape.bend
        self.body = nn.Sequential(
            conv(3, a, bend=bend),
            conv(a, b, 2, bend),
            Residual(b, bend),
            conv(b, c, 2, bend),
            *(Residual(c, bend) for _ in range(shape.blocks)),
        )
        self.top = nn.Sequential(conv(c, d, 2, bend), Residual(d, bend))
        self.head = nn.Linear(d * 2, VALUES)
        self.spots = nn.Sequential(conv(c, 32, bend=bend), nn.Conv2d(32, 2, 1))

    def forward(self, halves: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Value logits and map logits."""
        middle = self.body(halves)
        top = self.top(middle)
        pooled = torch.cat([top.mean((2, 3)), top.amax((2, 3))], 1)
        return self.head(functional.dropout(pooled, 0.1, self.training)), self.spots(middle)


class CornerNet(nn.Module):
    """Search crops (n, 3, 64, 96) RGB 0..1 to corner offsets (n, 8) in crop px and kind logits (n, 4)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 24, 2), conv(24, 48, 2), Residual(48), conv(48, 80, 2), Residual(80), conv(80, 96, 2)
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(96 * 4 * 6, 160), nn.SiLU(), nn.Linear(160, 8 + len(KINDS)))

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Offsets and kinds."""
        out = self.head(self.body(crops))
        return out[:, :8], out[:, 8:]


def split_halves(tiles: torch.Tensor) -> torch.Tensor:
    """Tiles (n, 3, 64, 128) to halves (2n, 3, 64, 72): all first ends, then all second ends turned by 180 degrees."""
    width = HALF_WH[0]
    return torch.cat([tiles[..., :width], torch.flip(tiles, (2, 3))[..., :width]])


class Crops(nn.Module):
    """Both networks under one roof, for one training run."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.halves, self.corners = HalfReader(shape), CornerNet()


def build(start: Path | None = None, shape: Shape = QUICK) -> Crops:
    """From nothing, or from the weights at `start`; a part that has another shape there begins anew, and says so."""
    torch.manual_seed(0)
    net = Crops(shape)
    if start is not None:
        saved = torch.load(start, map_location="cpu")
        for name, part in net.named_children():
            own = {k.removeprefix(name + "."): v for k, v in saved.items() if k.startswith(name + ".")}
            if {k: v.shape for k, v in own.items()} != {k: v.shape for k, v in part.state_dict().items()}:
                print(f"{name}: {start} holds another network; beginning anew", flush=True)
                continue
            part.load_state_dict(widened(own))
    return net


def _map_loss(logits: torch.Tensor, heat: torch.Tensor) -> torch.Tensor:
    """Mean over the map (n, 16, 18) of each half."""
    weight = logits.new_tensor(3.0).float()
    return functional.binary_cross_entropy_with_logits(logits.float(), heat, reduction="none", pos_weight=weight).mean(
        (1, 2)
    )


def loss_of(net: nn.Module, batch: Batch) -> tuple[torch.Tensor, dict[str, float]]:
    """Values by cross entropy, pips by weighted cross entropy on the map, corners by a robust distance."""
    device = batch["tile"].device.type
    with torch.autocast(device, dtype=torch.bfloat16):
        logits, spots = net.halves(split_halves(images(batch["tile"])))
    labels = batch["value"].T.reshape(-1)
    value = functional.cross_entropy(logits.float(), labels, ignore_index=IGNORE)
    heat, counted = batch["heat"].transpose(0, 1).flatten(0, 1), batch["counted"].T.reshape(-1)
    pips = (_map_loss(spots[:, 0], heat) * counted).sum() / counted.sum().clamp(min=1)
    marked = _map_loss(spots[:, 1], batch["marked"].transpose(0, 1).flatten(0, 1)).mean()
    kept = labels != IGNORE
    right = float((logits.argmax(1)[kept] == labels[kept]).float().mean())
    loss, named = value + pips + 25 * marked, {"value": value, "pips": pips, "marked": marked}
    if "search" in batch:
        corner, kind = _search_losses(net, batch)
        loss, named = loss + 0.3 * corner + 0.3 * kind, {**named, "corner_px": corner, "kind": kind}
    return loss, {"right": right, **{name: float(term.detach()) for name, term in named.items()}}


def _search_losses(net: nn.Module, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """How far the corners are off, px, and the cross entropy of the kinds."""
    with torch.autocast(batch["search"].device.type, dtype=torch.bfloat16):
        offsets, kinds = net.corners(images(batch["search"]))
    far = functional.smooth_l1_loss(offsets.float(), batch["offset"].flatten(1), beta=1.0, reduction="none").mean(1)
    corner = (far * batch["placed"]).sum() / batch["placed"].sum().clamp(min=1)
    return corner, functional.cross_entropy(kinds.float(), batch["kind"], ignore_index=IGNORE)
