"""Posterior predictive forecast: how the players of a fit would fare in a scenario.

Every belief (posterior sample) plays games of its own, with the same random numbers in all
variants, so that differences between variants are paired. Part of the spread between beliefs is
sampling noise, since each plays few games. It is removed in two steps: what depends linearly on the
level and the unknown numbers is estimated from all games by regression, and the residuals are
shrunk towards zero (an empirical Bayes estimate; Efron and Morris, "Data analysis using Stein's
estimator", J. Am. Stat. Assoc. 70, 1975).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.scenarios.load import Scenario, Variant
from hardmode.sim.contract import ENDING, ROUNDS, SCORES, FilledBox
from hardmode.sim.files.yaml_io.errors import Location, ScenarioError
from hardmode.sim.play.backends import GameBatch, current_backend
from hardmode.sim.play.engine import Engine
from hardmode.studies.core.metric import is_won
from hardmode.studies.core.progress import Progress, ignore_progress, subprogress
from hardmode.studies.core.run import Effort
from hardmode.studies.playtests.fit.posterior import Band, compute_band
from hardmode.studies.playtests.fit.simulation import (
    fill_box,
    get_base_strategy,
    seat_players_at_level,
)
from hardmode.studies.uncertainty.priors import SampledValues

MIN_GAMES = 20  # of a belief
ERROR_QUANTILES = 16  # values that represent one mean and its standard error
BELIEFS_PER_COVARIATE = 4  # at least, for a regression

Belief = tuple[float, SampledValues]  # mistake rate, and values of the unknown numbers
Beliefs = Sequence[Belief]  # equally likely


@dataclass(frozen=True)
class Forecast:
    """Forecast of one variant."""

    cell: Variant
    games: int
    n_beliefs: int  # whose box the variant accepts
    win_rate: Band
    endings: dict[str, Band]
    rounds: Band
    score: float  # mean of the first seat
    won: np.ndarray  # (belief, game)
    covariates: np.ndarray  # (belief, covariate)


@dataclass(frozen=True)
class ForecastDifference:
    """Difference between the forecasts of two variants, B minus A."""

    a: Forecast
    b: Forecast
    change: Band
    probability_harder: float  # that B is won less often


def forecast_scenario(
    scenario: Scenario, beliefs: Beliefs, effort: Effort, progress: Progress = ignore_progress
) -> list[Forecast]:
    """Return the forecast of every cell of a scenario."""
    effort = effort.resolve_seed(scenario)
    forecasts = []
    for i, cell in enumerate(scenario.cells):
        step = subprogress(progress, i, len(scenario.cells), cell.label_text)
        forecasts.append(forecast_cell(cell, beliefs, effort, step))
    return forecasts


def forecast_cell(
    cell: Variant, beliefs: Beliefs, effort: Effort, progress: Progress = ignore_progress
) -> Forecast:
    """Return the forecast of one variant.

    Args:
        cell: The variant.
        beliefs: Equally likely mistake rates and boxes.
        effort: Number of games over all beliefs, seed and threads.
        progress: Called after each belief.

    Raises:
        ScenarioError: The variant accepts none of the boxes.
    """
    games = max(MIN_GAMES, -(-effort.games // len(beliefs)))
    batches = _generate_batches(cell, beliefs, effort, games)
    all_rows = []
    played = list[Belief]()
    for i, result in enumerate(current_backend(effort.threads).run_batches(batches)):
        all_rows.append(result.rows)
        played.append(beliefs[result.batch.tag])
        progress("beliefs", (i + 1) / len(beliefs), games / max(result.seconds, 1e-9))
    if not all_rows:
        message = "this variant accepts none of the boxes of the fit"
        raise ScenarioError(Location("--fit"), cell.title, message)
    covariates = build_covariates(played)
    won = np.array([is_won(cell.game, rows) for rows in all_rows])
    endings = {}
    for number, name in enumerate(cell.game.all_endings):
        has_ending = np.array([rows[ENDING] == number for rows in all_rows])
        if has_ending.any():
            endings[name] = estimate_denoised_band(has_ending, covariates, is_share=True)
    return Forecast(
        cell,
        games * len(all_rows),
        len(all_rows),
        estimate_denoised_band(won, covariates, is_share=True),
        endings,
        estimate_denoised_band(np.array([rows[ROUNDS] for rows in all_rows]), covariates),
        float(np.mean([rows[SCORES].mean() for rows in all_rows])),
        won,
        covariates,
    )


def _generate_batches(
    cell: Variant, beliefs: Beliefs, effort: Effort, games: int
) -> Iterator[GameBatch]:
    """Yield the games of each belief whose box the variant accepts."""
    base = get_base_strategy(cell)
    for box, indices in _fill_boxes(cell, beliefs):
        for i in indices:
            players = seat_players_at_level(cell, beliefs[i][0], base)
            first = effort.first_game + i * games
            engine = Engine(cell.game, box, players)
            yield GameBatch(engine, effort.seed, first, first + games, tag=i)


def _fill_boxes(cell: Variant, beliefs: Beliefs) -> Iterator[tuple[FilledBox, list[int]]]:
    """Yield each accepted box, filled once, with the indices of the beliefs that have it."""
    indices: dict[str, list[int]] = {}
    for i, (_, values) in enumerate(beliefs):
        indices.setdefault(repr(sorted(values.items())), []).append(i)
    for same_box in indices.values():
        box = fill_box(cell, beliefs[same_box[0]][1])
        if box is not None:
            yield box, same_box


def build_covariates(beliefs: Beliefs) -> np.ndarray:
    """Return the standardized covariates of beliefs, (belief, covariate).

    They are the mistake rate and its square, each unknown number, and an indicator of each
    alternative reading of a rule. Covariates that are the same for all beliefs are left out.
    """
    rates = np.array([rate for rate, _ in beliefs])
    covariates = [rates, rates**2]
    for path in beliefs[0][1]:
        values = [sampled[path] for _, sampled in beliefs]
        if all(isinstance(value, (int, float)) for value in values):
            covariates.append(np.array(values, float))
            continue
        names = np.array([repr(value) for value in values])
        for name in list(dict.fromkeys(names))[1:]:
            covariates.append((names == name).astype(float))
    varying = [x for x in covariates if x.std() > 0]
    if not varying:
        return np.zeros((len(beliefs), 0))
    return np.stack([(x - x.mean()) / x.std() for x in varying], axis=1)


def estimate_denoised_band(
    values: np.ndarray, covariates: np.ndarray, is_share: bool = False
) -> Band:
    """Return percentiles of the means per belief, without sampling noise.

    The noise is removed by shrinkage; the standard error that is left is included.

    Args:
        values: One value for each game, (belief, game).
        covariates: Covariates of the beliefs.
        is_share: Whether the values are zeros and ones. Then an event that never occurred in n
            games still has a standard error of 1 / n.
    """
    from scipy.stats import norm

    means, error = adjust_by_regression(values, covariates)
    low = float(values.min())
    high = float(values.max())
    if is_share:
        error = np.maximum(error, 1 / values.size)
        low = 0.0
        high = 1.0
    deviations = norm.ppf((np.arange(ERROR_QUANTILES) + 0.5) / ERROR_QUANTILES)
    band = compute_band(means[:, None] + error[:, None] * deviations)
    return {name: min(max(low, value), high) for name, value in band.items()}


def adjust_by_regression(
    values: np.ndarray, covariates: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean of each belief without sampling noise, and its standard error.

    Args:
        values: One value for each game, (belief, game).
        covariates: Covariates of the beliefs.
    """
    values = values.astype(float)
    noise = values.var(axis=1).mean() / values.shape[1]
    return shrink_means(values.mean(axis=1), noise, covariates)


def shrink_means(
    means: np.ndarray, noise: float, covariates: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return shrinkage estimates of means, and their standard errors.

    Args:
        means: Observed means.
        noise: Variance of each mean by sampling alone.
        covariates: Covariates of the means; what they explain is not shrunk.
    """
    explained, leverage, freedom = _regress(means, covariates)
    residuals = means - explained
    variance = float((residuals**2).sum()) / freedom if freedom else 0.0
    kept = np.sqrt(max(0.0, 1 - noise / variance)) if variance > 0 else 0.0
    return explained + kept * residuals, np.sqrt(max(noise, variance) * leverage)


def _regress(means: np.ndarray, covariates: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Return fitted means, their leverages and the residual degrees of freedom.

    With too few means for the number of covariates, only the overall mean is fitted.
    """
    n = len(means)
    design = np.ones((n, 1))
    if n >= BELIEFS_PER_COVARIATE * (covariates.shape[1] + 1):
        design = np.column_stack([np.ones(n), covariates])
    inverse = np.linalg.pinv(design)
    leverage = np.einsum("ij,ji->i", design, inverse)
    return design @ (inverse @ means), leverage, n - round(float(leverage.sum()))


def compare_forecasts(
    forecasts_a: Sequence[Forecast], forecasts_b: Sequence[Forecast]
) -> list[ForecastDifference]:
    """Return B minus A, cell by cell, paired by belief and game.

    Raises:
        ScenarioError: Some boxes of the fit are accepted by only one of the two.
    """
    from scipy.special import ndtr

    differences = []
    for a, b in zip(forecasts_a, forecasts_b, strict=True):
        if a.won.shape != b.won.shape:
            message = "some of the boxes of the fit are accepted by only one of the two variants"
            raise ScenarioError(Location("--fit"), "", message)
        gaps = b.won.astype(float) - a.won
        change = estimate_denoised_band(gaps, a.covariates)
        errors = np.sqrt(gaps.var(axis=1) / gaps.shape[1] + 1e-12)
        harder = float(ndtr(-gaps.mean(axis=1) / errors).mean())
        differences.append(ForecastDifference(a, b, change, harder))
    return differences
