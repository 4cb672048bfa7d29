"""Operating characteristics of a gate: the chances of its verdicts, before a game is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from hardmode.studies.stats.bounds import PairedBounds, RateBounds
from hardmode.studies.stats.estimates import wilson_rate
from hardmode.studies.stats.sequential import Gate

MAX_LATTICE_SIZE = 2_000_000  # pairs of counts up to which chances are exact (about a second)
TAIL = 1e-13  # probability of counts that are left out of a step of the lattice
RIM = 1e-14  # probability of a row or column of the lattice that is dropped
ERROR_CONFIDENCE = 0.99  # confidence of `VerdictChances.error`


@dataclass(frozen=True)
class VerdictChances:
    """Chances of the verdicts on builds with one true difference.

    Attributes:
        difference: True difference of the win rates.
        changed: Probability of CHANGED.
        equivalent: Probability of EQUIVALENT or IDENTICAL.
        inconclusive: Probability of INCONCLUSIVE.
        games: Games played on average.
        largest: Games played at most.
        error: Half width of the 99 % interval of the probabilities; 0 if they are exact.
    """

    difference: float
    changed: float
    equivalent: float
    inconclusive: float
    games: float
    largest: int
    error: float


def compute_verdict_chances(
    gate: Gate,
    differences: Sequence[float],
    *,
    discordance: float,
    simulated: int = 20_000,
) -> list[VerdictChances]:
    """Return what a gate does to builds that play the same games as the baseline.

    The chances are exact, on the lattice of counts, where that takes about a second; else they come
    from simulated gates.

    Args:
        gate: The gate.
        differences: True differences of the win rates.
        discordance: Share of the games that only one of both builds wins.
        simulated: Number of gates to simulate.

    Raises:
        ValueError: A difference is larger than the discordance.
    """
    rows = []
    for i, difference in enumerate(differences):
        if abs(difference) > discordance:
            raise ValueError(
                f"a difference of {difference} needs more games that differ than {discordance:.2%}"
            )
        gained = (discordance + difference) / 2
        lost = (discordance - difference) / 2
        if _estimate_lattice_size(gate.looks[-1], gained, lost) <= MAX_LATTICE_SIZE:
            stops = _compute_stops(gate, gained, lost)
            runs = 0
        else:
            generator = np.random.default_rng((1, i))
            stops = _simulate_stops(gate, gained, lost, simulated, generator)
            runs = simulated
        rows.append(summarize_stops(gate, difference, stops, runs))
    return rows


def summarize_stops(
    gate: Gate, difference: float, stops: np.ndarray, simulated: int
) -> VerdictChances:
    """Return the chances of the verdicts.

    Args:
        gate: The gate.
        difference: True difference of the win rates.
        stops: The probability to stop at each look (row) as EQUIVALENT and as CHANGED (columns).
        simulated: Number of simulated gates; 0 if `stops` is exact.
    """
    equivalent, changed = (float(x) for x in stops.sum(axis=0))
    inconclusive = max(0.0, 1 - changed - equivalent)
    games = float(stops.sum(axis=1) @ np.array(gate.looks)) + inconclusive * gate.looks[-1]
    error = 0.0
    if simulated:
        for chance in (changed, equivalent, inconclusive):
            rate = wilson_rate(round(chance * simulated), simulated, ERROR_CONFIDENCE)
            error = max(error, rate.half_width)
    return VerdictChances(
        difference, changed, equivalent, inconclusive, games, gate.looks[-1], error
    )


def _estimate_lattice_size(n: int, gained: float, lost: float) -> float:
    """Return how many pairs of counts are likely at the last look."""
    return (16 * sqrt(n * gained) + 30) * (16 * sqrt(n * lost) + 30)


def _compute_stops(gate: Gate, gained: float, lost: float) -> np.ndarray:
    """Return the exact probabilities to stop at each look.

    The distribution of (gained, lost) is carried from look to look without what is settled.
    """
    from scipy.signal import fftconvolve

    stops = np.zeros((len(gate.looks), 2))
    games_before = 0
    mass = np.ones((1, 1))
    corner = np.zeros(2, int)
    for look, games in enumerate(gate.looks):
        step, step_corner = _compute_trinomial(games - games_before, gained, lost)
        mass = np.maximum(fftconvolve(mass, step), 0)
        corner = corner + step_corner
        games_before = games
        rows, columns = mass.shape
        g, k = np.ogrid[corner[0] : corner[0] + rows, corner[1] : corner[1] + columns]
        within, changed = gate.check_zones(look, PairedBounds(games, g, k))
        stops[look] = mass[within].sum(), mass[changed & ~within].sum()
        mass, corner = _trim_rims(np.where(within | changed, 0, mass), corner)
    return stops


def _compute_trinomial(n: int, gained: float, lost: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the probabilities of (gained, lost) in n games, and the first count of each axis."""
    from scipy.special import gammaln, xlogy
    from scipy.stats import binom

    g_first, g_last = binom.ppf((TAIL, 1 - TAIL), n, gained).astype(int)
    k_first, k_last = binom.ppf((TAIL, 1 - TAIL), n, lost).astype(int)
    g, k = np.ogrid[g_first : g_last + 1, k_first : k_last + 1]
    same = np.maximum(n - g - k, 0)
    log_ways = gammaln(n + 1) - gammaln(g + 1) - gammaln(k + 1) - gammaln(same + 1)
    p_same = max(1 - gained - lost, 0.0)
    chances = np.exp(log_ways + xlogy(g, gained) + xlogy(k, lost) + xlogy(same, p_same))
    return np.where(g + k <= n, chances, 0), np.array((g_first, k_first))


def _trim_rims(mass: np.ndarray, corner: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the lattice without the outer rows and columns that hold next to nothing."""
    rows = np.flatnonzero(mass.sum(axis=1) > RIM)
    columns = np.flatnonzero(mass.sum(axis=0) > RIM)
    if not len(rows) or not len(columns):
        return np.zeros((1, 1)), corner
    inner = mass[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return inner, corner + np.array((rows[0], columns[0]))


def _simulate_stops(
    gate: Gate, gained: float, lost: float, simulated: int, generator: Any
) -> np.ndarray:
    """Return the probabilities to stop at each look, from many gates at once."""
    chances = (gained, lost, max(1 - gained - lost, 0.0))
    counts = np.zeros((simulated, 3), np.int64)
    stops = np.zeros((len(gate.looks), 2))
    is_open = np.ones(simulated, bool)
    for look, new_games in enumerate(np.diff(gate.looks, prepend=0)):
        counts += generator.multinomial(new_games, chances, simulated)
        bounds = PairedBounds(gate.looks[look], counts[is_open, 0], counts[is_open, 1])
        within, changed = gate.check_zones(look, bounds)
        stops[look] = within.sum() / simulated, (changed & ~within).sum() / simulated
        is_open[is_open] = ~(within | changed)
    return stops


def compute_band_chances(
    gate: Gate, low: float, high: float, p: float
) -> tuple[float, float, float]:
    """Return what a gate does with the expectation that a rate lies in a band.

    The result is exact: the distribution of the wins is carried from look to look without what is
    settled.

    Args:
        gate: The gate.
        low: Lower end of the band.
        high: Upper end of the band.
        p: True rate.

    Returns:
        The probabilities of MET and MISSED, and the games played on average.
    """
    from scipy.signal import fftconvolve
    from scipy.stats import binom

    mass = np.ones(1)
    first_count = 0
    games_before = 0
    met = missed = mean_games = 0.0
    for look, games in enumerate(gate.looks):
        new_games = games - games_before
        fewest, most = (int(binom.ppf(q, new_games, p)) for q in (RIM, 1 - RIM))
        step = binom.pmf(np.arange(fewest, most + 1), new_games, p)
        mean_games += mass.sum() * new_games
        mass = np.maximum(fftconvolve(mass, step), 0)
        first_count = first_count + fewest
        games_before = games
        bounds = RateBounds(np.arange(first_count, first_count + len(mass)), games)
        alpha, beta = gate.error_levels(look)
        within = bounds.is_within(low, high, beta)
        outside = bounds.is_outside(low, high, alpha / 2) & ~within
        met += float(mass[within].sum())
        missed += float(mass[outside].sum())
        mass = np.where(within | outside, 0, mass)
    return met, missed, float(mean_games)
