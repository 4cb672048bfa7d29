"""Fit of the network of a value function to positions and targets.

The network is that of `sim.play.values`: piecewise linear in each field, with one layer of hidden
units. It is fitted by Adam (Kingma and Ba 2015). All sums are formed in a fixed order, so the same
positions give the same network on any machine and with any number of threads.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numba
import numpy as np

from hardmode.sim.compile.cache import compile_cached
from hardmode.sim.draws import GOLD, mix64
from hardmode.sim.play.values import ValueFunction, squash
from hardmode.sim.records import rule

UNITS = 32
MAX_FIELDS = 128  # those that vary most are read
MAX_KNOTS = 1024  # of all fields together
FIELD_KNOTS = 2, 24  # least and most of a field
BATCH = 128
FIRST_RATE, LAST_RATE = 4e-3, 1e-4
SLOWER = 10  # generations after which the first rate is halved
ROW_SHARE = 0.4  # of the rate, by which rows learn
DECAY, SQUARE_DECAY, TINY = 0.9, 0.999, 1e-8  # of Adam


def select_fields(
    names: Sequence[str], positions: np.ndarray, keep_constant: bool = False
) -> list[str]:
    """Return the names of the fields that vary most, without repetitions.

    Args:
        names: The names of all fields.
        positions: The fields of each position in a row.
        keep_constant: Whether fields that do not vary are kept, too.
    """
    constant = (positions == positions[0]).all(axis=0) & keep_constant
    variety: dict[bytes, tuple[float, str]] = {}
    for name, column in zip(names, positions.T, strict=True):
        _, counts = np.unique(column, return_counts=True)
        share = 1 - counts.max() / column.size
        if share > 0:
            variety.setdefault(column.tobytes(), (share, name))
    kept = {name for _, name in sorted(variety.values(), reverse=True)[:MAX_FIELDS]}
    kept.update(name for name, stays in zip(names, constant, strict=True) if stays)
    return [name for name in names if name in kept]


def place_knots(positions: np.ndarray) -> list[np.ndarray]:
    """Return the knots of each field: its values if these are few, or else quantiles."""
    least, most = FIELD_KNOTS
    fields = max(1, positions.shape[1])
    n = min(most, max(least, MAX_KNOTS // fields))
    knots = []
    for column in positions.T:
        values = np.unique(column)
        if values.size > n:
            levels = np.linspace(0, 1, n)
            quantiles = np.quantile(column, levels, method="nearest")
            spread = np.quantile(values, levels, method="nearest")
            chosen = [quantiles[::2], spread[1::2], values[[0, -1]]]
            values = np.unique(np.concatenate(chosen))
        knots.append(values.astype(np.float64))
    return knots


@dataclass
class Network:
    """Weights of a value function that is being fitted.

    Attributes:
        names: Names of the fields.
        knots: Knots of each field.
        centers: Mean and standard deviation of each field, by which it is standardized.
        slopes: A row for each standardized field: a weight for each hidden unit, and one for the
            result.
        rows: The same for each knot: what is added to that line.
        hidden: Two rows: the biases of the hidden units, and their weights in the result.
        offset: What is added to the result, after it was multiplied by `scale`.
        scale: The unit of the result.
    """

    names: list[str]
    knots: list[np.ndarray]
    centers: np.ndarray
    slopes: np.ndarray
    rows: np.ndarray
    hidden: np.ndarray
    offset: float
    scale: float

    @classmethod
    def begin(cls, names: list[str], positions: np.ndarray, targets: np.ndarray) -> Network:
        """Return a network that expects the mean of the targets everywhere."""
        knots = place_knots(positions)
        rows = np.zeros((sum(map(len, knots)), UNITS + 1))
        slopes = np.zeros((len(names), UNITS + 1))
        numbers = np.arange(1, len(names) * UNITS + 1, dtype=np.uint64)
        with np.errstate(over="ignore"):
            words = mix64(numbers * GOLD)
        noise = (words >> np.uint64(11)).astype(np.float64) / (1 << 53) - 0.5
        noise *= 1.5 / len(names) ** 0.5
        slopes[:, :UNITS] = noise.reshape(-1, UNITS)
        means = positions.mean(axis=0)
        deviations = positions.std(axis=0) + TINY
        centers = np.stack([means, deviations], axis=1)
        mean = float(targets.mean())
        scale = float(targets.std()) or 1.0
        return cls(names, knots, centers, slopes, rows, np.zeros((2, UNITS)), mean, scale)

    def place_knots_anew(self, positions: np.ndarray) -> None:
        """Adapt the knots to other positions, and keep the function as far as possible."""
        first = 0
        parts = []
        knots = place_knots(positions)
        for old, new in zip(self.knots, knots, strict=True):
            own = self.rows[first : first + len(old)]
            columns = [np.interp(new, old, column) for column in own.T]
            parts.append(np.stack(columns, axis=1))
            first += len(old)
        self.rows = np.ascontiguousarray(np.concatenate(parts))
        self.knots = knots

    def mix_in(self, other: Network, share: float) -> None:
        """Move each weight by a share of the way to that of a network with the same knots."""
        for own, new in (
            (self.slopes, other.slopes),
            (self.rows, other.rows),
            (self.hidden, other.hidden),
        ):
            own += share * (new - own)

    def fit(
        self,
        positions: np.ndarray,
        targets: np.ndarray,
        epochs: float,
        generation: int,
        seed: int,
    ) -> float:
        """Fit the network and return the mean squared error on the way, in units of the scale.

        Args:
            positions: The fields of each position in a row.
            targets: What was gained from each position on.
            epochs: How often each position is used.
            generation: How many generations were fitted before; later ones change less.
            seed: The seed of the order in which they are used.
        """
        places, shares = self._locate(positions)
        means, deviations = self.centers.T
        inputs = ((positions - means) / deviations).astype(np.float32)
        wanted = (targets - self.offset) / self.scale
        n = int(epochs * len(wanted))
        random = np.random.Generator(np.random.PCG64(seed))
        order = random.integers(0, len(wanted), n)
        arrays = places, shares, inputs, wanted, order, self.slopes, self.rows, self.hidden
        first_rate = FIRST_RATE / (1 + generation / SLOWER)
        return float(_compile_fit()(*arrays, first_rate, LAST_RATE))

    def predict(self, positions: np.ndarray) -> np.ndarray:
        """Return what the network expects from each position on."""
        places, shares = self._locate(positions)
        means, deviations = self.centers.T
        inputs = (positions - means) / deviations
        units = inputs @ self.slopes
        for place, share in zip(places.T, shares.T, strict=True):
            above = np.minimum(place + 1, len(self.rows) - 1)
            units += (1 - share)[:, None] * self.rows[place] + share[:, None] * self.rows[above]
        bent = units[:, :-1] + self.hidden[0]
        bent /= np.sqrt(1 + bent * bent)
        return self.offset + self.scale * (units[:, -1] + bent @ self.hidden[1])

    def _locate(self, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the knot below each number, and its share of the way to the next knot."""
        places = np.zeros(positions.shape, np.int32)
        shares = np.zeros(positions.shape, np.float32)
        first = 0
        for f, knots in enumerate(self.knots):
            x = np.clip(positions[:, f], knots[0], knots[-1])
            last = max(0, len(knots) - 2)
            k = np.searchsorted(knots, x, side="right") - 1
            k = np.clip(k, 0, last)
            if len(knots) > 1:
                shares[:, f] = (x - knots[k]) / (knots[k + 1] - knots[k])
            places[:, f] = first + k
            first += len(knots)
        return places, shares

    def make_values(self, kind: ValueFunction) -> ValueFunction:
        """Return the value function, for play.

        Args:
            kind: A value function whose utilities and turn it has.
        """
        own_knots = [tuple(own.tolist()) for own in self.knots]
        knots = tuple(zip(self.names, own_knots, strict=True))
        head = np.array([self.offset, self.scale])
        lines = []
        for f, own in enumerate(self.knots):
            center, spread = self.centers[f]
            lines.append(np.outer((own - center) / spread, self.slopes[f]))
        rows = self.rows + np.concatenate(lines)
        parts = [head, rows.ravel(), self.hidden.ravel()]
        weights = np.concatenate(parts).astype("<f4").tobytes()
        return replace(kind, knots=knots, weights=weights)

    def to_text(self) -> str:
        """Return the network as text, from which `from_text` makes it again bit for bit."""
        arrays = [self.centers, self.slopes, self.rows, self.hidden]
        texts = []
        for array in arrays:
            content = array.astype("<f8").tobytes()
            texts.append(base64.b64encode(content).decode())
        knots = [own.tolist() for own in self.knots]
        return json.dumps([self.names, knots, *texts, self.offset, self.scale])

    @classmethod
    def from_text(cls, text: str) -> Network:
        """Return the network that a text stands for."""
        names, knots, *texts, offset, scale = json.loads(text)
        shapes = (-1, 2), (-1, UNITS + 1), (-1, UNITS + 1), (2, UNITS)
        arrays = []
        for part, shape in zip(texts, shapes, strict=True):
            content = base64.b64decode(part)
            arrays.append(np.frombuffer(content, "<f8").reshape(shape).copy())
        centers, slopes, rows, hidden = arrays
        own = [np.array(knot) for knot in knots]
        return cls(names, own, centers, slopes, rows, hidden, offset, scale)


@rule
def step_weights(weights: Any, changes: Any, moments: Any, rate: float) -> None:
    """Take one step of Adam, and set the sums of slopes of a batch to zero."""
    for k in range(weights.shape[0]):
        for u in range(weights.shape[1]):
            slope = changes[k, u] / BATCH
            changes[k, u] = 0.0
            mean = DECAY * moments[0, k, u]
            mean += (1.0 - DECAY) * slope
            square = SQUARE_DECAY * moments[1, k, u]
            square += (1.0 - SQUARE_DECAY) * slope * slope
            moments[0, k, u] = mean
            moments[1, k, u] = square
            weights[k, u] -= rate * mean / (np.sqrt(square) + TINY)


def fit_kernel(places, shares, inputs, targets, order, slopes, rows, hidden, first_rate, last_rate):
    """Fit a network by Adam and return the mean squared error on the way.

    Args:
        places: The row of the knot below each field of each position.
        shares: The share of the way to the next knot.
        inputs: The standardized fields of each position.
        targets: The wanted result of each position.
        order: The positions in the order in which they are used.
        slopes: The slopes of the network.
        rows: Its rows.
        hidden: Its biases and output weights.
        first_rate: The learning rate at the beginning.
        last_rate: The learning rate at the end.
    """
    n_fields = places.shape[1]
    n_units = hidden.shape[1]
    changes = np.zeros_like(slopes), np.zeros_like(rows), np.zeros_like(hidden)
    moments = (
        np.zeros((2, *slopes.shape)),
        np.zeros((2, *rows.shape)),
        np.zeros((2, *hidden.shape)),
    )
    units = np.zeros(n_units + 1)
    back = np.zeros(n_units + 1)
    total = 0.0
    first_bias = 1.0
    second_bias = 1.0
    for i in range(order.shape[0]):
        at = order[i]
        units[:n_units] = hidden[0]
        units[n_units] = 0.0
        for f in range(n_fields):
            x = inputs[at, f]
            row = places[at, f]
            share = shares[at, f]
            for u in range(n_units + 1):
                units[u] += x * slopes[f, u] + (1.0 - share) * rows[row, u]
            if share > 0:
                for u in range(n_units + 1):
                    units[u] += share * rows[row + 1, u]
        error = units[n_units] - targets[at]
        for u in range(n_units):
            error += squash(units[u]) * hidden[1, u]
        total += error * error
        for u in range(n_units):
            bent = squash(units[u])
            changes[2][1, u] += error * bent
            rest = 1.0 - bent * bent
            back[u] = error * hidden[1, u] * rest * np.sqrt(rest)
            changes[2][0, u] += back[u]
        back[n_units] = error
        for f in range(n_fields):
            x = inputs[at, f]
            row = places[at, f]
            share = shares[at, f]
            for u in range(n_units + 1):
                changes[0][f, u] += x * back[u]
                changes[1][row, u] += (1.0 - share) * back[u]
            if share > 0:
                for u in range(n_units + 1):
                    changes[1][row + 1, u] += share * back[u]
        if (i + 1) % BATCH == 0:
            first_bias *= DECAY
            second_bias *= SQUARE_DECAY
            progress = i / order.shape[0]
            rate = first_rate * (1.0 - progress) + last_rate * progress
            rate *= np.sqrt(1.0 - second_bias) / (1.0 - first_bias)
            step_weights(slopes, changes[0], moments[0], rate)
            step_weights(rows, changes[1], moments[1], ROW_SHARE * rate)
            step_weights(hidden, changes[2], moments[2], rate)
    return total / max(1, order.shape[0])


@cache
def _compile_fit() -> Any:
    floats = numba.float64[:, ::1]
    signature = numba.float64(
        numba.int32[:, ::1],
        numba.float32[:, ::1],
        numba.float32[:, ::1],
        numba.float64[::1],
        numba.int64[::1],
        floats,
        floats,
        floats,
        numba.float64,
        numba.float64,
    )
    return compile_cached(fit_kernel, signature, name="fit of values")
