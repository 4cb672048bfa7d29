"""The numbers of the box with which the model comes nearest to what was observed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hardmode.sim.games.trapwords.calibrate.log import MOMENTS, BadLog, Seen, TurnKind
from hardmode.sim.games.trapwords.calibrate.model import TURNS, Model, box_file, printed

FREE = ("turn.kappa", "giver.cautious.control")
STEP = 0.06  # of the derivatives, as a share of a number's plausible range
PASSES = 3  # the errors are taken anew from the model each time


@dataclass(frozen=True)
class Fit:
    values: dict[str, float]
    errors: dict[str, float]
    at_limit: tuple[str, ...]
    chi_square: float
    moments: int
    table: list[tuple[TurnKind, str, float, float, float]]  # kind, moment, observed, its error, fitted

    def rules(self) -> str:
        """The block to put into a scenario."""
        lines = ["rules:"]
        for path, value in self.values.items():
            note = " at the limit of its range" if path in self.at_limit else ""
            lines.append(f"  {path}: {value:.4g}  # +- {self.errors[path]:.2g}{note}")
        return "\n".join(lines) + "\n"


def fit(observed: Mapping[TurnKind, Seen], free: Sequence[str] = FREE, *, box: Path | None = None,
        values: Mapping[str, Any] | None = None, turns: int = TURNS) -> Fit:
    """The values of the free numbers, within their plausible ranges, that come nearest to what was observed."""
    from scipy.optimize import least_squares

    leaves = printed(box or box_file())
    given = {path: leaf["value"] for path, leaf in leaves.items()} | dict(values or {})
    low, high = np.array([_range(leaves, path) for path in free]).T
    wanted = [(kind, name) for kind, seen in observed.items() for name in MOMENTS if name in seen.value]
    if len(wanted) < len(free):
        raise BadLog(f"{len(wanted)} observed figures cannot settle {len(free)} numbers")
    model = Model(list(observed), given, turns)

    def at(x: np.ndarray) -> dict[str, float]:
        return dict(zip(free, (low + x * (high - low)).tolist(), strict=True))

    def misses(x: np.ndarray) -> np.ndarray:
        found = model.moments(at(x))
        return np.array([miss(observed[kind], found[kind], name) for kind, name in wanted]) / errors

    x = np.clip((np.array([given[path] for path in free]) - low) / (high - low), 0.02, 0.98)
    errors = np.array([observed[kind].error[name] for kind, name in wanted])
    for _ in range(PASSES):
        best = least_squares(misses, x, jac=lambda x: slopes(misses, x), bounds=(0, 1), xtol=1e-3, ftol=1e-4)
        x, found = best.x, model.moments(at(best.x))
        errors = np.array([expected_error(observed[kind], found[kind], name) for kind, name in wanted])
    spread = np.sqrt(np.diag(np.linalg.pinv(best.jac.T @ best.jac))) * (high - low)
    fitted = at(best.x)
    table = [(kind, name, observed[kind].value[name], observed[kind].error[name],
              found[kind].value.get(name, math.nan)) for kind, name in wanted]
    edge = tuple(path for path, x in zip(free, best.x, strict=True) if not 0.01 < x < 0.99)
    return Fit(fitted, dict(zip(free, spread.tolist(), strict=True)), edge, 2 * float(best.cost), len(wanted), table)


def _range(leaves: Mapping[str, Mapping[str, Any]], path: str) -> tuple[float, float]:
    if path not in leaves or not isinstance(leaves[path]["value"], float):
        near = [p for p, leaf in leaves.items() if isinstance(leaf["value"], float) and p.startswith(("turn", "giver"))]
        raise BadLog(f"{path} cannot be fitted; for example {', '.join(near[:6])} can")
    span = leaves[path].get("range") or [leaves[path].get("min"), leaves[path].get("max")]
    return float(span[0]), float(span[1])


def slopes(misses: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """Derivatives, by steps wide enough that a handful of turns that end otherwise does not matter."""
    columns = []
    for i in range(len(x)):
        up, down = x.copy(), x.copy()
        up[i], down[i] = min(x[i] + STEP, 1.0), max(x[i] - STEP, 0.0)
        columns.append((misses(up) - misses(down)) / (up[i] - down[i]))
    return np.array(columns).T


def miss(observed: Seen, found: Seen, name: str) -> float:
    return found.value[name] - observed.value[name] if name in found.value else 0.0


def expected_error(observed: Seen, found: Seen, name: str) -> float:
    """The error of an observed figure by the model's own spread: what was seen by luck gets no weight for it."""
    if name not in found.value:
        return observed.error[name]
    spread = found.error[name] * math.sqrt(found.count[name])
    return spread * math.sqrt(1 / observed.count[name] + 1 / found.count[name])
