"""Bayesian experimental design: how many more plays are needed, and which variant to play next.

The number of plays that halves the band of the forecast is found by simulation: plays are drawn
from the posterior, added to the recorded ones, and the posterior is computed again. The model's own
probabilities do not become more certain by more plays, so four times as many plays need not halve
the band.

Variants are ranked by the mutual information of the result of a play with level and box (Lindley,
"On a measure of the information provided by an experiment", Ann. Math. Stat. 27, 1956).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardmode.scenarios.labels import PLAYERS_PATH
from hardmode.scenarios.load import Variant
from hardmode.scenarios.parameter import Parameter
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.play.backends import GameBatch, current_backend
from hardmode.sim.play.engine import Engine
from hardmode.studies.core.budget import Budget
from hardmode.studies.core.metric import is_won
from hardmode.studies.core.run import Effort
from hardmode.studies.playtests.fit.likelihood import (
    JEFFREYS_COUNT,
    MeanStats,
    SufficientStats,
    compute_loglik,
    estimate_mean_and_covariance,
)
from hardmode.studies.playtests.fit.posterior import (
    PosteriorSamples,
    band_width,
    compute_band,
    sample_posterior,
)
from hardmode.studies.playtests.fit.posterior_predictive import (
    Forecast,
    adjust_by_regression,
    build_covariates,
    shrink_means,
)
from hardmode.studies.playtests.fit.simulation import (
    FINE_LEVELS,
    SimulatedGames,
    fill_box,
    get_base_strategy,
    interpolate_levels,
    seat_players_at_level,
)
from hardmode.studies.uncertainty.priors import SampledValues

MIN_FACTOR = 0.5  # more plays, as a multiple of the recorded ones
MAX_FACTOR = 20.0
BISECTIONS = 6
SIMULATED_DATA_SETS = 24
BAND_ERRORS = 3.29  # standard errors between the ends of a 90 % band
MAX_CANDIDATES = 6
CANDIDATE_SAMPLES = 24  # posterior samples that play each candidate
CANDIDATE_GAMES = 120  # of each sample


@dataclass(frozen=True)
class NextVariant:
    """A variant to play next, and the information in one play of it."""

    name: str
    bits: float


@dataclass(frozen=True)
class _Data:
    """Recorded plays, simulated games and the posterior."""

    stats: Sequence[SufficientStats]
    loglik: np.ndarray
    games: Sequence[SimulatedGames]
    samples: PosteriorSamples

    def simulate_more_plays(self, factor: float, rng: np.random.Generator) -> np.ndarray:
        """Return the log-likelihood after more plays that are drawn from a posterior sample."""
        sample = int(rng.integers(len(self.samples.boxes)))
        loglik = self.loglik.copy()
        for part in self.stats:
            games = self.games[part.variant]
            point = int(self.samples.boxes[sample]), int(self.samples.levels[sample, part.group])
            extended = _extend_plays(part, games, point, factor, rng)
            loglik[part.group] += compute_loglik(extended, games) - compute_loglik(part, games)
        return loglik


def estimate_more_plays(
    stats: Sequence[SufficientStats],
    loglik: np.ndarray,
    games: Sequence[SimulatedGames],
    boxes: Sequence[SampledValues],
    samples: PosteriorSamples,
    forecast: Forecast,
    seed: int,
) -> int | None:
    """Return how many more plays would halve the band of the forecast, on average.

    Args:
        stats: The recorded plays.
        loglik: Their log-likelihood by group, box and fine level.
        games: Simulated games, by `SufficientStats.variant`.
        boxes: Values of the unknown numbers, by box.
        samples: The posterior.
        forecast: The forecast, whose own standard error does not shrink with more plays.
        seed: Seed of the random generators.

    Returns:
        The number of plays to two digits, or None if 20 times as many would not be enough.
    """
    data = _Data(stats, loglik, games, samples)
    errors = adjust_by_regression(forecast.won, forecast.covariates)[1]
    forecast_width = BAND_ERRORS * float(errors.mean())
    win_rates = estimate_win_rates(games[0], boxes)
    plays_by_part = [part.games for part in stats]
    group_plays = np.bincount([part.group for part in stats], plays_by_part, len(loglik))

    def compute_width(samples: PosteriorSamples) -> float:
        won = _select_win_rates(win_rates, samples, group_plays)
        return float(np.hypot(band_width(compute_band(won)), forecast_width))

    half_width = compute_width(samples) / 2

    def is_enough(factor: float) -> bool:
        widths = []
        for i in range(SIMULATED_DATA_SETS):
            extended = data.simulate_more_plays(factor, np.random.default_rng((seed, i)))
            widths.append(compute_width(sample_posterior(extended, seed)))
        return float(np.mean(widths)) <= half_width

    low = MIN_FACTOR
    high = MAX_FACTOR
    if not is_enough(high):
        return None
    for _ in range(BISECTIONS):
        middle = float(np.sqrt(low * high))
        if is_enough(middle):
            high = middle
        else:
            low = middle
    return max(1, int(float(f"{sum(plays_by_part) * high:.2g}")))


def estimate_win_rates(games: SimulatedGames, boxes: Sequence[SampledValues]) -> np.ndarray:
    """Return the win rate by box and fine level, without sampling noise."""
    rates = games.wins / games.games
    covariates = build_covariates([(0.0, values) for values in boxes])
    noise = (rates * (1 - rates) / games.games).mean(axis=0)
    columns = [shrink_means(rates[:, s], noise[s], covariates)[0] for s in range(rates.shape[1])]
    return interpolate_levels(np.stack(columns, axis=1))


def _select_win_rates(
    win_rates: np.ndarray, samples: PosteriorSamples, group_plays: np.ndarray
) -> np.ndarray:
    """Return the win rate of each posterior sample at the mean level of the groups."""
    levels = np.rint(samples.mean_levels(group_plays) * (len(FINE_LEVELS) - 1)).astype(int)
    return win_rates[samples.boxes, levels]


def _extend_plays(
    stats: SufficientStats,
    games: SimulatedGames,
    point: tuple[int, int],
    factor: float,
    rng: np.random.Generator,
) -> SufficientStats:
    """Return plays with `factor` times as many more, drawn at a point of the grid.

    What happens there is known from its simulated games and from the plays together.
    """
    wins = games.fine_wins[point]
    sides = np.array([games.fine_games[point] - wins, wins])

    def extend_counts(counts: np.ndarray, simulated: np.ndarray) -> np.ndarray:
        shares = rng.dirichlet(simulated + counts + JEFFREYS_COUNT)
        more = int(factor * counts.sum() + rng.random())
        return counts + rng.multinomial(more, shares)

    return replace(
        stats,
        endings=extend_counts(stats.endings, games.fine_endings[point]),
        win_counts=extend_counts(stats.win_counts, sides),
        plays=(),
        all_win_counts=extend_counts(stats.all_win_counts, sides),
        means=tuple(_extend_mean(mean, games, point, factor, rng) for mean in stats.means),
    )


def _extend_mean(
    stats: MeanStats,
    games: SimulatedGames,
    point: tuple[int, int],
    factor: float,
    rng: np.random.Generator,
) -> MeanStats:
    """Return the mean over plays and `factor` times as many more."""
    moments = estimate_mean_and_covariance(games, stats.side, stats.numbers)
    simulated_n, simulated_mean, covariance = (moment[point] for moment in moments)
    known = simulated_n + stats.n
    more = factor * stats.n
    center = (simulated_n * simulated_mean + stats.n * stats.mean) / known
    drawn = rng.multivariate_normal(center, covariance * (1 / more + 1 / known), method="eigh")
    n = stats.n + more
    return replace(stats, n=n, mean=(stats.n * stats.mean + more * drawn) / n)


# -- which variant to play ------------------------------------------------------------------------


def list_candidates(cells: Sequence[Variant]) -> list[tuple[str, Variant]]:
    """Return names and variants to choose from.

    These are cells of a grid, or a single variant with each number of players.
    """
    if len(cells) > 1:
        spaced = np.linspace(0, len(cells) - 1, min(MAX_CANDIDATES, len(cells)))
        indices = np.unique(spaced.round().astype(int))
        return [(cells[i].label_text, cells[i]) for i in indices]
    cell = cells[0]
    return [(cell.title, cell), *_vary_players(cell)][:MAX_CANDIDATES]


def _vary_players(cell: Variant) -> Iterator[tuple[str, Variant]]:
    """Yield a cooperative variant with every other number of players."""
    parameter = cell.parameters.get(PLAYERS_PATH)
    is_same_player = all(spec == cell.strategies[0] for spec in cell.strategies)
    if parameter is None or cell.game.competitive or not is_same_player:
        return
    for n in _list_player_counts(parameter):
        if n == cell.players:
            continue
        try:
            yield f"{n} player{'s' if n != 1 else ''}", cell.with_values({PLAYERS_PATH: n})
        except ScenarioError:
            continue


def _list_player_counts(parameter: Parameter) -> Sequence[int]:
    counts = parameter.choices or range(int(parameter.min or 1), 1 + int(parameter.max or 0))
    return [int(n) for n in counts]


def rank_variants(
    cells: Sequence[Variant],
    boxes: Sequence[SampledValues],
    samples: PosteriorSamples,
    effort: Effort,
    seconds: float | None,
) -> list[NextVariant]:
    """Return candidates for the next play, the most informative first.

    Args:
        cells: Cells of the scenario.
        boxes: Values of the unknown numbers, by box.
        samples: The posterior.
        effort: Seed and threads.
        seconds: Time limit, after which no further candidate is tried; None for no limit.
    """
    budget = Budget(seconds)
    ranked = list[NextVariant]()
    rng = np.random.default_rng(effort.seed)
    chosen = rng.choice(len(samples.boxes), CANDIDATE_SAMPLES, replace=False)
    for name, cell in list_candidates(cells):
        if ranked and budget.exhausted:
            break
        batches = []
        base = get_base_strategy(cell)
        for sample in chosen:
            box = fill_box(cell, boxes[samples.boxes[sample]])
            if box is not None:
                level = float(FINE_LEVELS[np.rint(samples.levels[sample].mean()).astype(int)])
                engine = Engine(cell.game, box, seat_players_at_level(cell, level, base))
                batches.append(GameBatch(engine, effort.seed, 0, CANDIDATE_GAMES))
        results = current_backend(effort.threads).run_batches(batches)
        rates = [float(is_won(cell.game, result.rows).mean()) for result in results]
        if rates:
            ranked.append(NextVariant(name, mutual_information(np.array(rates), CANDIDATE_GAMES)))
    return sorted(ranked, key=lambda variant: -variant.bits)


def mutual_information(rates: np.ndarray, games: int) -> float:
    """Return the mutual information, in bits, of the result of one play with its win rate.

    The rates are equally likely and estimated from `games` each; the bias from their sampling noise
    is subtracted (Miller, "Note on the bias of information estimates", 1955).

    Example:
        >>> mutual_information(np.array([0.0, 1.0]), 10**6)
        0.9999...
    """
    rates = (rates * games + 0.5) / (games + 1)
    bias = 1 / (2 * games * np.log(2))
    return max(0.0, float(_entropy(rates.mean()) - _entropy(rates).mean() - bias))


def _entropy(p: np.ndarray | float) -> np.ndarray:
    p = np.asarray(p)
    return -(p * np.log2(p) + (1 - p) * np.log2(1 - p))
