"""Likelihood approximated by simulation: Dirichlet-multinomial counts, Student-t means.

The probabilities of the model are known only from a finite number of simulated games, and both
likelihoods allow for that:

* How games ended, or who won, is counted. With a Dirichlet prior on the shares, the counts follow
  a Dirichlet-multinomial distribution (a beta-binomial distribution for games won). See Minka,
  "Estimating a Dirichlet distribution" (2000), section 3.
* Of numbers (rounds, scores, measures), the mean over lost games and the mean over won games are
  compared with the simulated mean and covariance: a synthetic likelihood (Wood, "Statistical
  inference for noisy nonlinear ecological dynamic systems", Nature 466, 2010). Since mean and
  covariance are estimates, the normal density becomes Student's t (Price et al., "Bayesian
  synthetic likelihood", J. Comput. Graph. Stat. 27, 2018).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.studies.playtests.fit.simulation import SimulatedGames, interpolate_levels
from hardmode.studies.playtests.records import PlayRecord

JEFFREYS_COUNT = 0.5  # games added to the simulated count of each ending (Jeffreys prior)
POOLED_GAMES = 4.0  # games with the mean over all points, added to the games of each point
RIDGE = 1e-3  # share of the overall variance added to each variance, so that none is zero
ROUNDING = 1e-8  # share of a mean square below which a variance is rounding error
LOST, WON, ALL = 0, 1, 2  # sides: lost games, won games, games of unknown result


@dataclass(frozen=True)
class MeanStats:
    """Mean of some numbers over plays with the same result."""

    side: int
    numbers: tuple[int, ...]  # indices among the simulated numbers
    n: float  # plays
    mean: np.ndarray


@dataclass(frozen=True)
class SufficientStats:
    """Sufficient statistics of one group's plays of one variant."""

    group: int
    variant: int  # index of the simulated games that these plays are compared with
    endings: np.ndarray  # plays by ending, where it is known
    win_counts: np.ndarray  # plays lost and won whose ending is not known
    all_win_counts: np.ndarray  # all plays lost and won
    means: tuple[MeanStats, ...]
    plays: tuple[PlayRecord, ...] = ()

    @property
    def games(self) -> int:
        """Number of plays, also of those of which only numbers are known."""
        return max(len(self.plays), int(self.endings.sum() + self.win_counts.sum()))


def summarize_plays(
    plays: Sequence[PlayRecord],
    group: int,
    variant: int,
    games: SimulatedGames,
    numbers: Sequence[int],
    used: Sequence[int],
) -> SufficientStats:
    """Return the sufficient statistics of a group's plays.

    Args:
        plays: The plays of one group in one variant.
        group: Index of the group.
        variant: Index of `games` among all simulated games.
        games: The simulated games that the plays are compared with.
        numbers: Columns of the simulated numbers.
        used: Indices into `numbers` of those that enter the likelihood.
    """
    endings = np.zeros(games.endings.shape[-1])
    win_counts = np.zeros(2)
    all_win_counts = np.zeros(2)
    for play in plays:
        side = get_side(play, games)
        if side != ALL:
            all_win_counts[side] += 1
        if play.ending is not None:
            endings[play.ending] += 1
        elif play.won is not None:
            win_counts[int(play.won)] += 1
    means = tuple(_compute_means(plays, games, numbers, used))
    return SufficientStats(group, variant, endings, win_counts, all_win_counts, means, tuple(plays))


def get_side(play: PlayRecord, games: SimulatedGames) -> int:
    """Return LOST or WON, or ALL if the result of a play is not known."""
    if play.won is not None:
        return int(play.won)
    if play.ending is not None and play.ending in games.winning ^ games.losing:
        return WON if play.ending in games.winning else LOST
    return ALL


def _compute_means(
    plays: Sequence[PlayRecord],
    games: SimulatedGames,
    numbers: Sequence[int],
    used: Sequence[int],
) -> list[MeanStats]:
    """Return the means of plays with the same result and the same numbers recorded."""
    rows_by_kind: dict[tuple[int, tuple[int, ...]], list[list[float]]] = {}
    for play in plays:
        recorded = tuple(i for i in used if numbers[i] in play.numbers)
        if recorded:
            rows = rows_by_kind.setdefault((get_side(play, games), recorded), [])
            rows.append([play.numbers[numbers[i]] for i in recorded])
    return [
        MeanStats(side, recorded, len(rows), np.mean(rows, axis=0))
        for (side, recorded), rows in rows_by_kind.items()
    ]


# -- likelihood -----------------------------------------------------------------------------------


def compute_loglik(
    stats: SufficientStats,
    games: SimulatedGames,
    use_means: bool = True,
    use_endings: bool = True,
) -> np.ndarray:
    """Return the log-likelihood of the plays by box and fine level.

    Numbers depend on how a game ended, and evidence must not count twice. So wherever means are
    used, only the result of each play is counted, not its ending.

    Args:
        stats: The plays.
        games: The simulated games to compare them with.
        use_means: Whether the means of numbers count.
        use_endings: Whether endings count (without means); otherwise only results do.
    """
    wins = games.fine_wins
    sides = np.stack([games.fine_games - wins, wins], axis=-1)
    means = stats.means if use_means else ()
    if use_endings and not means:
        return dirichlet_multinomial_loglik(
            stats.endings, games.fine_endings
        ) + dirichlet_multinomial_loglik(stats.win_counts, sides)
    loglik = dirichlet_multinomial_loglik(stats.all_win_counts, sides)
    for mean in means:
        loglik = loglik + student_t_loglik(mean, games)
    return loglik


def dirichlet_multinomial_loglik(counts: np.ndarray, simulated: np.ndarray) -> np.ndarray:
    """Return the Dirichlet-multinomial log-likelihood of counts, given simulated counts.

    The multinomial coefficient is left out. Kinds that occur neither in `counts` nor in any
    simulated game are ignored. Reference: Minka (2000), "Estimating a Dirichlet distribution".

    Args:
        counts: Observed plays by kind.
        simulated: Simulated games by kind (last axis) at each point.

    Example:
        >>> dirichlet_multinomial_loglik(np.array([0.0, 1.0]), np.array([5.0, 5.0])).item()
        -0.693...
    """
    from scipy.special import gammaln

    simulated_anywhere = simulated.reshape(-1, simulated.shape[-1]).max(axis=0) > 0
    occurs = (counts > 0) | simulated_anywhere
    counts = counts[occurs]
    alpha = simulated[..., occurs] + JEFFREYS_COUNT
    total = alpha.sum(axis=-1)
    return (
        gammaln(total)
        - gammaln(total + counts.sum())
        + (gammaln(alpha + counts) - gammaln(alpha)).sum(axis=-1)
    )


Moments = tuple[np.ndarray, np.ndarray, np.ndarray]  # games, means, covariances


def estimate_mean_and_covariance(
    games: SimulatedGames, side: int, numbers: Sequence[int]
) -> Moments:
    """Return the number of games, the mean and the covariance of numbers by box and fine level.

    Each point is pooled with `POOLED_GAMES` games that have the moments of all points together.
    The result is cached in `games`.
    """
    key = side, *numbers
    if key not in games.cache:
        games.cache[key] = _estimate_moments(games, side, list(numbers))
    moments: Moments = games.cache[key]
    return moments


def _estimate_moments(games: SimulatedGames, side: int, numbers: list[int]) -> Moments:
    def select_side(sums: np.ndarray) -> np.ndarray:
        return sums.sum(axis=2) if side == ALL else sums[:, :, side]

    n = select_side(games.side_games)
    totals = select_side(games.totals)[..., numbers]
    products = select_side(games.products)[..., numbers, :][..., numbers]
    all_games = max(n.sum(), 1.0)
    mean = totals.sum(axis=(0, 1)) / all_games
    square = products.sum(axis=(0, 1)) / all_games
    n, totals, products = map(interpolate_levels, (n, totals, products))
    pooled_n = n + POOLED_GAMES
    pooled_mean = (totals + POOLED_GAMES * mean) / pooled_n[..., None]
    pooled_square = (products + POOLED_GAMES * square) / pooled_n[..., None, None]
    covariance = pooled_square - pooled_mean[..., :, None] * pooled_mean[..., None, :]
    squares = np.diag(square)
    variance = np.maximum(squares - mean**2, 1e-9 + ROUNDING * squares)
    return pooled_n, pooled_mean, covariance + np.diag(RIDGE * variance)


def student_t_loglik(stats: MeanStats, games: SimulatedGames) -> np.ndarray:
    """Return the multivariate Student-t log-likelihood of a mean by box and fine level.

    The simulated mean and covariance are estimates, so the squared distance follows Hotelling's
    T-squared distribution. Terms that are the same at every point are left out.
    """
    from scipy.special import gammaln

    n, mean, covariance = estimate_mean_and_covariance(games, stats.side, stats.numbers)
    covariance = covariance * (1 / stats.n + 1 / n)[..., None, None]
    deviation = stats.mean - mean
    dimension = len(stats.numbers)
    solved = np.linalg.solve(covariance, deviation[..., None])[..., 0]
    distance = (deviation * solved).sum(axis=-1)
    freedom = np.maximum(n - dimension, 1.0)
    return np.asarray(
        gammaln((freedom + dimension) / 2)
        - gammaln(freedom / 2)
        - dimension / 2 * np.log(n)
        - (freedom + dimension) / 2 * np.log1p(distance / n)
        - np.linalg.slogdet(covariance)[1] / 2
    )
