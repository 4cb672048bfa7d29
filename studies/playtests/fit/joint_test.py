"""Joint test of all numbers: whether any level of play explains all measures of the plays at once.

Another box may move many measures a little, and none of them enough to be shown alone. So the means
of all numbers, over lost games and over won games, are compared with the model together. The
deviance of a point (a level in a box) is the squared Mahalanobis distance of the means from those
of simulated games, and twice the log-likelihood that the results lose against their best point. The
statistic is that of the point that explains the plays best, so what another level of play may do is
no misfit.

Its p-value is found by simulation: at points of the posterior, as many games with each result are
drawn from the simulated ones, and have their own best point. So nothing is taken to be normally
distributed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hardmode.studies.playtests.fit.likelihood import (
    SufficientStats,
    estimate_mean_and_covariance,
    get_side,
)
from hardmode.studies.playtests.fit.posterior import PosteriorSamples
from hardmode.studies.playtests.fit.prior_samples import PriorSamples
from hardmode.studies.playtests.fit.simulation import FINE_LEVELS, SimulatedGames

MIN_PLAYS = 3  # with the same result, for their means to be compared
REPLICATES = 1000  # simulated tables of plays
LEVEL_STEP = 4  # fine levels between two at which plays are explained
RIDGE = 1e-6  # share of each variance that is added to it, so that no direction has none
MIN_ROWS = 5  # simulated games with a result, from which plays are drawn


@dataclass(frozen=True)
class MeanGroup:
    """Plays of one variant and group with the same result, and the means of their numbers.

    Attributes:
        games: The simulated games of the variant.
        group: Index of the group of players.
        side: LOST, WON, or ALL.
        plays: Number of plays.
        numbers: Indices of the numbers that all of these plays record.
        means: Their means.
    """

    games: SimulatedGames
    group: int
    side: int
    plays: int
    numbers: tuple[int, ...]
    means: np.ndarray

    @cached_property
    def moments(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean and covariance of the means of so many plays, by box and fine level."""
        n, mean, covariance = estimate_mean_and_covariance(self.games, self.side, self.numbers)
        share = (1 / self.plays + 1 / n)[..., None, None]
        ridge = RIDGE * np.einsum("...ii->...i", covariance).mean(axis=(0, 1)) + 1e-12
        return mean, share * (covariance + np.diag(ridge))


@dataclass(frozen=True)
class JointDistance:
    """Distance of the plays from the point that explains them best, and of simulated plays.

    Attributes:
        observed: Distance of the plays.
        simulated: Distances of simulated tables of plays.
        plays: Number of plays.
    """

    observed: float
    simulated: np.ndarray
    plays: int

    @property
    def p(self) -> float:
        """Share of simulated tables that lie at least as far out."""
        further = int((self.simulated >= self.observed).sum())
        return (further + 1) / (len(self.simulated) + 1)


def collect_means(
    stats: Sequence[SufficientStats], games: Sequence[SimulatedGames], columns: Sequence[int]
) -> list[MeanGroup]:
    """Return the means of the plays by variant, group and result.

    Numbers that some of these plays do not record, and numbers that never vary, are left out.

    Args:
        stats: The plays.
        games: Simulated games, by `SufficientStats.variant`.
        columns: Columns of the simulated numbers.
    """
    groups = []
    for part in stats:
        simulated = games[part.variant]
        by_side: dict[int, list[Mapping[int, float]]] = {}
        for play in part.plays:
            by_side.setdefault(get_side(play, simulated), []).append(play.numbers)
        for side, plays in sorted(by_side.items()):
            numbers = _find_common_numbers(plays, columns, simulated, side)
            if len(plays) >= MIN_PLAYS and numbers:
                rows = [[play[columns[i]] for i in numbers] for play in plays]
                means = np.mean(rows, axis=0)
                groups.append(MeanGroup(simulated, part.group, side, len(plays), numbers, means))
    return groups


def _find_common_numbers(
    plays: Sequence[Mapping[int, float]],
    columns: Sequence[int],
    simulated: SimulatedGames,
    side: int,
) -> tuple[int, ...]:
    """Return the indices of the numbers that all plays record and that vary."""
    found = []
    for i, column in enumerate(columns):
        if all(column in play for play in plays) and simulated.varies(side, i):
            found.append(i)
    return tuple(found)


def measure_joint_distance(
    groups: Sequence[MeanGroup],
    loglik: np.ndarray,
    posterior: PosteriorSamples,
    prior: PriorSamples | None,
    win_rate: float | None,
    rng: np.random.Generator,
) -> JointDistance:
    """Return the distance of the plays from the model.

    Args:
        groups: The means of the plays, at least one.
        loglik: Log-likelihood of the results of each group, (group, box, fine level).
        posterior: Credible levels and boxes, at which plays are simulated.
        prior: Games in boxes of the prior, or None if nothing is unknown.
        win_rate: Win rate of the plays.
        rng: Random generator.
    """
    chosen = rng.integers(0, len(posterior.boxes), REPLICATES)
    total = np.zeros(REPLICATES + 1)
    for player_group in sorted({one.group for one in groups}):
        own = [one for one in groups if one.group == player_group]
        levels = posterior.levels[chosen, player_group]
        simulated = [_simulate_means(one, posterior.boxes[chosen], levels, rng) for one in own]
        means = np.concatenate(simulated, axis=1)
        spread = np.zeros((means.shape[1], means.shape[1]))
        if prior:
            wanted = [(one.side, one.numbers) for one in own]
            deviations = prior.compute_joint_deviations(wanted, win_rate)
            means += rng.choice(deviations, REPLICATES)
            spread = np.atleast_2d(np.cov(deviations.T, bias=True))
        observed = np.concatenate([one.means for one in own])
        tables = np.vstack([observed, means])
        total += _find_least_deviance(own, tables, spread, loglik[player_group])
    distances = np.sqrt(total)
    plays = sum(one.plays for one in groups)
    return JointDistance(float(distances[0]), distances[1:], plays)


def _find_least_deviance(
    groups: Sequence[MeanGroup], tables: np.ndarray, spread: np.ndarray, loglik: np.ndarray
) -> np.ndarray:
    """Return the deviance of each table of means at the point that explains it best.

    Args:
        groups: The means of one group of players.
        tables: Means, (table, number).
        spread: Covariance of the means over boxes that are not simulated.
        loglik: Log-likelihood of the results, (box, fine level).
    """
    best, deviance = np.full(len(tables), np.inf), np.zeros(len(tables))
    for box, level in _list_points(loglik):
        center = np.concatenate([one.moments[0][box, level] for one in groups])
        whitening, log_volume = _whiten(groups, box, level, spread)
        away = (tables - center) @ whitening.T
        lost = 2 * (loglik.max() - loglik[box, level])
        own = (away**2).sum(axis=1) + lost
        is_better = own + log_volume < best
        best[is_better] = own[is_better] + log_volume
        deviance[is_better] = own[is_better]
    return deviance


def _list_points(loglik: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yield the boxes and the levels at which plays are explained."""
    for box in range(len(loglik)):
        for level in range(0, len(FINE_LEVELS), LEVEL_STEP):
            yield box, level


def _whiten(
    groups: Sequence[MeanGroup], box: int, level: int, spread: np.ndarray
) -> tuple[np.ndarray, float]:
    """Return the matrix that makes means at a point uncorrelated, and the log of their volume."""
    covariance = spread.copy()
    start = 0
    for one in groups:
        stop = start + len(one.numbers)
        covariance[start:stop, start:stop] += one.moments[1][box, level]
        start = stop
    factor = np.linalg.cholesky(covariance)
    return np.linalg.inv(factor), 2 * float(np.log(np.diag(factor)).sum())


def _simulate_means(
    group: MeanGroup, boxes: np.ndarray, levels: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Return means of as many plays with the same result, drawn from simulated games.

    The deviations from the mean of their point are those of drawn games, so their distribution need
    not be normal. They are widened by the error of the simulated mean.

    Args:
        group: The plays.
        boxes: The box of each table.
        levels: The fine level of each table.
        rng: Random generator.

    Returns:
        An array (table, number).
    """
    mean, covariance = group.moments
    means = mean[boxes, levels].copy()
    for box, level in sorted(set(zip(boxes.tolist(), levels.tolist(), strict=True))):
        chosen = np.flatnonzero((boxes == box) & (levels == level))
        rows = group.games.get_rows(box, level, group.side)[:, list(group.numbers)]
        if len(rows) < MIN_ROWS:
            factor = np.linalg.cholesky(covariance[box, level])
            noise = rng.standard_normal((len(chosen), len(group.numbers)))
            means[chosen] += noise @ factor.T
            continue
        drawn = rng.integers(0, len(rows), (len(chosen), group.plays))
        deviations = rows[drawn].mean(axis=1) - rows.mean(axis=0)
        means[chosen] += deviations * np.sqrt(1 + group.plays / len(rows))
    return np.asarray(means)
