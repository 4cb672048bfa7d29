"""The numbers of the box with which the model comes nearest to what was observed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hardmode.sim.games.trapwords.calibrate.log import MOMENTS, BadLog, Seen, TurnKind
from hardmode.sim.games.trapwords.calibrate.model import TURNS, Model, box_file, printed

FREE = ("turn.kappa", "giver.cautious.control")
STEP = 0.06  # of the derivatives, as a share of a number's plausible range
PASSES = 3  # the errors are taken anew from the model each time
LIBRARIES = 16  # of scenes, played beside the fitted one to see how far its figures may be off


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
    search = Search(observed, free, given, np.array([_range(leaves, path) for path in free]), turns)
    x, errors = search.start(), search.errors()
    for _ in range(PASSES):
        weighed = errors
        best = least_squares(search.misses, x, jac=search.slopes, bounds=(0, 1), xtol=1e-3, ftol=1e-4, args=(weighed,))
        x, found = best.x, search.figures(best.x)
        seen, strays = search.errors(found), search.strays(best.x, found)
        errors = np.hypot(seen, strays.std(0, ddof=1))
    spread = spreads(best.jac, seen / weighed, strays / weighed) * search.width
    table = [(kind, name, observed[kind].value[name], observed[kind].error[name],
              found[kind].value.get(name, math.nan)) for kind, name in search.wanted]
    edge = tuple(path for path, place in zip(free, x, strict=True) if not 0.01 < place < 0.99)
    return Fit(search.at(x), dict(zip(free, spread.tolist(), strict=True)), edge, 2 * float(best.cost),
               len(search.wanted), table)


class Search:
    """What was observed, the model, and the free numbers between them, each from 0 to 1 within its range."""

    def __init__(self, observed: Mapping[TurnKind, Seen], free: Sequence[str], given: Mapping[str, Any],
                 ranges: np.ndarray, turns: int) -> None:
        self.observed, self.free, self.given, self.turns = observed, free, given, turns
        self.low, self.width = ranges[:, 0], ranges[:, 1] - ranges[:, 0]
        self.wanted = [(kind, name) for kind, seen in observed.items() for name in MOMENTS if name in seen.value]
        if len(self.wanted) < len(free):
            raise BadLog(f"{len(self.wanted)} observed figures cannot settle {len(free)} numbers")
        self.model = Model(list(observed), given, turns)

    def start(self) -> np.ndarray:
        return np.clip((np.array([self.given[path] for path in self.free]) - self.low) / self.width, 0.02, 0.98)

    def at(self, x: np.ndarray) -> dict[str, float]:
        return dict(zip(self.free, (self.low + x * self.width).tolist(), strict=True))

    def figures(self, x: np.ndarray) -> dict[TurnKind, Seen]:
        return self.model.moments(self.at(x))

    def misses(self, x: np.ndarray, errors: np.ndarray) -> np.ndarray:
        return self.differences(self.figures(x), self.observed) / errors

    def differences(self, found: Mapping[TurnKind, Seen], wanted: Mapping[TurnKind, Seen]) -> np.ndarray:
        return np.array([difference(found[kind], wanted[kind], name) for kind, name in self.wanted])

    def slopes(self, x: np.ndarray, errors: np.ndarray) -> np.ndarray:
        """Derivatives, by steps wide enough that a handful of turns that end otherwise does not matter."""
        columns = []
        for i in range(len(x)):
            up, down = x.copy(), x.copy()
            up[i], down[i] = min(x[i] + STEP, 1.0), max(x[i] - STEP, 0.0)
            columns.append((self.misses(up, errors) - self.misses(down, errors)) / (up[i] - down[i]))
        return np.array(columns).T

    def errors(self, found: Mapping[TurnKind, Seen] | None = None) -> np.ndarray:
        """The errors of the observed figures; by the model's spread, once there is one."""
        return np.array([expected_error(self.observed[kind], (found or self.observed)[kind], name)
                         for kind, name in self.wanted])

    def strays(self, x: np.ndarray, found: Mapping[TurnKind, Seen]) -> np.ndarray:
        """How far the figures of other libraries of scenes are from those of the fitted one: a row for each."""
        others = (Model(list(self.observed), self.given, self.turns, library=k) for k in range(1, LIBRARIES + 1))
        return np.array([self.differences(other.moments(self.at(x)), found) for other in others])


def spreads(slopes: np.ndarray, seen: np.ndarray, strays: np.ndarray) -> np.ndarray:
    """The errors of the fitted numbers, from what was observed and from the library: both move the figures.

    All three are in units of the errors that the fit was weighed with.
    """
    gain = np.linalg.pinv(slopes)
    return np.hypot(np.sqrt((gain**2) @ seen**2), (strays @ gain.T).std(0, ddof=1))


def _range(leaves: Mapping[str, Mapping[str, Any]], path: str) -> tuple[float, float]:
    if path not in leaves or not isinstance(leaves[path]["value"], float):
        near = [p for p, leaf in leaves.items() if isinstance(leaf["value"], float) and p.startswith(("turn", "giver"))]
        raise BadLog(f"{path} cannot be fitted; for example {', '.join(near[:6])} can")
    span = leaves[path].get("range") or [leaves[path].get("min"), leaves[path].get("max")]
    return float(span[0]), float(span[1])


def difference(found: Seen, wanted: Seen, name: str) -> float:
    return found.value[name] - wanted.value[name] if name in found.value and name in wanted.value else 0.0


def expected_error(observed: Seen, found: Seen, name: str) -> float:
    """The error of an observed figure by the model's own spread: what was seen by luck gets no weight for it."""
    if name not in found.value:
        return observed.error[name]
    return found.error[name] * math.sqrt(found.count[name] / observed.count[name])
