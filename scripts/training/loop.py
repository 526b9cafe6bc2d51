"""What both trainings share: time-based schedule, averaged weights, checkpoints, a log."""

from __future__ import annotations

import csv
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

Batch = dict[str, torch.Tensor]
Loss = Callable[[nn.Module, Batch], tuple[torch.Tensor, dict[str, float]]]


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast to train. `minutes` counts the time of all resumed runs together."""

    minutes: float
    peak_rate: float
    out: Path
    device: str = "cpu"
    warm_steps: int = 150
    average: float = 0.9995
    save_every_s: float = 180.0


class Averaged:
    """Exponential moving average of a network's weights; these are the ones that are shipped."""

    def __init__(self, net: nn.Module, decay: float) -> None:
        self.decay = decay
        self.state = {key: value.detach().clone() for key, value in net.state_dict().items()}
        self.steps = 0

    def update(self, net: nn.Module) -> None:
        """Move a little towards the present weights; faster at the beginning."""
        self.steps += 1
        keep = min(self.decay, (1 + self.steps) / (20 + self.steps))
        with torch.no_grad():
            for key, value in net.state_dict().items():
                if value.is_floating_point():
                    self.state[key].mul_(keep).add_(value, alpha=1 - keep)
                else:
                    self.state[key].copy_(value)


def _optimizer(net: nn.Module, rate: float) -> torch.optim.Optimizer:
    matrices = [p for p in net.parameters() if p.ndim > 1 and p.requires_grad]
    rest = [p for p in net.parameters() if p.ndim <= 1 and p.requires_grad]
    groups = [{"params": matrices, "weight_decay": 0.02}, {"params": rest, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.99))


def _rate(plan: Plan, done: float, step: int) -> float:
    return plan.peak_rate * min(1.0, (step + 1) / plan.warm_steps) * (0.5 + 0.5 * math.cos(math.pi * done)) + 1e-6


def train(net: nn.Module, batches: Iterator[Batch], loss_of: Loss, plan: Plan) -> None:
    """Train until the plan's minutes are used up; leaves `averaged.pt`, `checkpoint.pt`, `curve.csv` in `plan.out`.

    A checkpoint found there is resumed. On the CPU, bfloat16 pays only with channels_last.
    """
    plan.out.mkdir(parents=True, exist_ok=True)
    net = net.to(plan.device).to(memory_format=torch.channels_last).train()  # type: ignore[call-overload]
    averaged, optimizer = Averaged(net, plan.average), _optimizer(net, plan.peak_rate)
    step, spent = 0, 0.0
    checkpoint = plan.out / "checkpoint.pt"
    if checkpoint.exists():
        saved = torch.load(checkpoint, map_location=plan.device)
        net.load_state_dict(saved["net"])
        optimizer.load_state_dict(saved["optimizer"])
        averaged.state, averaged.steps = saved["averaged"], saved["step"]
        step, spent = saved["step"], saved["spent"]
    start = time.monotonic() - spent
    last_save = time.monotonic()
    with (plan.out / "curve.csv").open("a", newline="") as log:
        curve = csv.writer(log)
        while (elapsed := time.monotonic() - start) < plan.minutes * 60:
            rate = _rate(plan, elapsed / (plan.minutes * 60), step)
            for group in optimizer.param_groups:
                group["lr"] = rate
            parts = _step(net, next(batches), loss_of, optimizer, plan.device)
            averaged.update(net)
            step += 1
            if step % 25 == 0:
                curve.writerow([f"{elapsed:.0f}", step, f"{rate:.2e}", *(f"{k}={v:.4f}" for k, v in parts.items())])
                log.flush()
            if time.monotonic() - last_save > plan.save_every_s:
                _save(plan, net, averaged, optimizer, step, time.monotonic() - start)
                last_save = time.monotonic()
    _save(plan, net, averaged, optimizer, step, time.monotonic() - start)


def _step(
    net: nn.Module, batch: Batch, loss_of: Loss, optimizer: torch.optim.Optimizer, device: str
) -> dict[str, float]:
    moved = {key: value.to(device, non_blocking=True) for key, value in batch.items()}
    loss, parts = loss_of(net, moved)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(net.parameters(), 10.0)
    optimizer.step()
    return parts


def _save(
    plan: Plan, net: nn.Module, averaged: Averaged, optimizer: torch.optim.Optimizer, step: int, spent: float
) -> None:
    state = {
        "net": net.state_dict(),
        "averaged": averaged.state,
        "optimizer": optimizer.state_dict(),
        "step": step,
        "spent": spent,
    }
    # Write beside and rename, so that a kill in the middle never leaves half a file.
    for name, value in (("checkpoint.pt", state), ("averaged.pt", averaged.state)):
        torch.save(value, plan.out / (name + ".part"))
        (plan.out / (name + ".part")).replace(plan.out / name)


def to_float(nested: object) -> object:
    """Every tensor inside `nested` as float32; losses are computed in full precision."""
    if torch.is_tensor(nested):
        return nested.float()
    if isinstance(nested, dict):
        return {key: to_float(value) for key, value in nested.items()}
    if isinstance(nested, list | tuple):
        return type(nested)(to_float(value) for value in nested)
    return nested
