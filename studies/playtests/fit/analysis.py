"""Fit of the model to played games: level of play, unknown numbers, forecast and misfit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hardmode.scenarios.load import Scenario, Variant
from hardmode.sim.contract import ROUNDS, SCORES
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.run import Effort
from hardmode.studies.playtests.fit.free_parameters import (
    NO_FREE_PARAMETERS,
    check_free_parameters,
    choose_free_parameters,
    summarize_posterior,
)
from hardmode.studies.playtests.fit.goodness_of_fit import MeasureTest, test_measures
from hardmode.studies.playtests.fit.learning import Learning, estimate_learning
from hardmode.studies.playtests.fit.likelihood import (
    ALL,
    SufficientStats,
    compute_loglik,
    summarize_plays,
)
from hardmode.studies.playtests.fit.nearest_level import find_nearest_skill_level
from hardmode.studies.playtests.fit.next_playtests import (
    NextVariant,
    estimate_more_plays,
    rank_variants,
)
from hardmode.studies.playtests.fit.played_variants import group_by_variant
from hardmode.studies.playtests.fit.posterior import (
    N_SAMPLES,
    Band,
    PosteriorSamples,
    band_width,
    compute_band,
    sample_posterior,
)
from hardmode.studies.playtests.fit.posterior_predictive import Belief, Forecast, forecast_cell
from hardmode.studies.playtests.fit.prior_samples import PriorSamples
from hardmode.studies.playtests.fit.setup_matching import (
    SetupMatcher,
    select_games,
    simulate_deals,
)
from hardmode.studies.playtests.fit.simulation import (
    FINE_LEVELS,
    SimulatedGames,
    Simulator,
    get_base_strategy,
)
from hardmode.studies.playtests.records import PlayRecord, list_groups
from hardmode.studies.uncertainty.analysis import UncertaintyAnalysis

DEFAULT_SECONDS = 60.0
# Shares of the time: boxes of the prior, games of deals, the grid, the choice of the next variant.
PRIOR_SHARE = 0.2
DEALS_SHARE = 0.1
GRID_SHARE = 0.5
NEXT_SHARE = 0.1
MAX_NUMBERS = 4  # that enter the likelihood together with the results
FORECAST_GAMES = 6400  # over all beliefs
FIRST_FORECAST_GAME = 10**6  # so that these games had no part in the fit
WIDE_BAND = 0.25  # of win rate
SAVED_BELIEFS = 64  # in a file


@dataclass
class FitResult:
    """Result of a fit."""

    cell: Variant  # that the forecast is for
    scenario: Scenario
    seed: int
    plays: int
    games: int  # simulated at each point
    boxes: list[dict[str, Any]]  # values of the unknown numbers by path
    groups: list[str]
    level: Band  # mistake rate
    group_levels: dict[str, Band]
    group_plays: dict[str, int]
    skill_level: str  # the nearest
    unknowns: dict[str, dict[str, Any]]  # band, or probability of each reading, by path
    win_rate: Band  # forecast
    measures: list[MeasureTest]
    learning: Learning | None
    more_plays: int | None  # that would halve the band; None also if the players are learning
    next_variants: list[NextVariant]
    beliefs: list[Belief]  # posterior samples, for files and forecasts
    effective_boxes: float
    is_latest: bool  # whether the forecast is for the level at the last play
    forecast_level: Band  # mistake rate of the forecast
    setup_factors: dict[str, list[str]]  # names of factors: "used", "left" (for some), "in_play"

    @property
    def is_wide(self) -> bool:
        """True if the forecast says little."""
        return band_width(self.win_rate) > WIDE_BAND

    @property
    def fits(self) -> bool:
        """True if the model fits all measures."""
        return not any(test.is_misfit for test in self.measures)

    @property
    def base_player(self) -> str:
        """Name of the strategy whose mistake rate is the level."""
        return str(get_base_strategy(self.cell))


@dataclass(frozen=True)
class _Data:
    """Plays, simulated games and the posterior of a fit."""

    scenario: Scenario
    plays: Sequence[PlayRecord]
    groups: Sequence[str]
    columns: Sequence[int]  # of the numbers
    simulator: Simulator
    games: Sequence[SimulatedGames]  # by SufficientStats.variant
    matchers: Sequence[SetupMatcher]
    prior: PriorSamples | None
    stats: Sequence[SufficientStats]
    loglik: np.ndarray
    samples: PosteriorSamples


def fit_model(
    scenario: Scenario,
    plays: Sequence[PlayRecord],
    effort: Effort,
    *,
    free: Sequence[str] = (),
    games: int | None = None,
    seconds: float = DEFAULT_SECONDS,
    uncertainty: UncertaintyAnalysis | None = None,
    progress: Progress = ignore_progress,
) -> FitResult:
    """Fit the level of play and unknown numbers of the box to played games.

    Args:
        scenario: The scenario; its first cell is forecast.
        plays: The played games.
        effort: Seed and threads.
        free: Paths of the numbers to fit; by default those that matter most.
        games: Games at each point of the grid, or None to play as many as `seconds` allow.
        seconds: Time to spend.
        uncertainty: Kept uncertainty analysis of the scenario, if there is one.
        progress: Called while games are played.

    Raises:
        ScenarioError: A play or a path of `free` is not possible.
    """
    effort = effort.resolve_seed(scenario)
    cell = scenario.cells[0]
    named = check_free_parameters(cell, free)
    cells, plays_by_cell = group_by_variant(cell, plays)
    columns = sorted({column for play in plays for column in play.numbers})
    matchers = []
    for own, own_plays in zip(cells, plays_by_cell, strict=True):
        matchers.append(SetupMatcher.from_trial(own, own_plays, columns, effort))
    prior = None
    if list(free) != [NO_FREE_PARAMETERS]:
        prior_seconds = seconds * PRIOR_SHARE
        prior = PriorSamples.simulate(cell, columns, effort, games, prior_seconds, progress)
    if prior and not named:
        named = choose_free_parameters(cell, uncertainty, prior, _compute_win_rate(plays))
    simulator = Simulator(cells, columns, effort, games, seconds * GRID_SHARE, named)
    simulated, matched = simulate_deals(
        simulator, matchers, plays_by_cell, seconds * DEALS_SHARE, progress
    )
    groups = list_groups(plays)
    numbers = choose_numbers(simulated, plays, columns)
    stats = list[SufficientStats]()
    for v, matcher in enumerate(matchers):
        for g, group in enumerate(groups):
            own_plays = [play for play in plays_by_cell[v] if play.group == group]
            if not own_plays:
                continue
            deals = Counter(matcher.deals_by_play[id(play)] for play in own_plays)
            index = v
            own_games = select_games(simulated[v], matched[v], deals)
            if own_games is not simulated[v]:
                index = len(simulated)
                simulated.append(own_games)
            stats.append(summarize_plays(own_plays, g, index, own_games, columns, numbers))
    loglik = np.zeros((len(groups), *simulated[0].win_rates.shape))
    for part in stats:
        loglik[part.group] += compute_loglik(part, simulated[part.variant])
    samples = sample_posterior(loglik, effort.seed)
    data = _Data(
        scenario,
        plays,
        groups,
        columns,
        simulator,
        simulated,
        matchers,
        prior,
        stats,
        loglik,
        samples,
    )
    next_seconds = None if games else seconds * NEXT_SHARE
    return _summarize_fit(data, effort, next_seconds)


def _compute_win_rate(plays: Sequence[PlayRecord]) -> float | None:
    """Return the share of plays that were won, among those whose result is recorded."""
    results = [play.won for play in plays if play.won is not None]
    return sum(results) / len(results) if results else None


def choose_numbers(
    games: Sequence[SimulatedGames], plays: Sequence[PlayRecord], columns: Sequence[int]
) -> list[int]:
    """Return the indices of the numbers that enter the likelihood.

    Rounds and scores come first, then those that most plays record. Constant numbers are left out.
    """
    ranked = []
    for i, column in enumerate(columns):
        if games[0].varies(ALL, i):
            recorded = sum(column in play.numbers for play in plays)
            ranked.append((column not in (ROUNDS, SCORES), -recorded, i))
    return sorted(i for _, _, i in sorted(ranked)[:MAX_NUMBERS])


def _summarize_fit(data: _Data, effort: Effort, next_seconds: float | None) -> FitResult:
    """Return the forecast, the tests and the plan of the next plays."""
    simulator = data.simulator
    samples = data.samples
    groups = data.groups
    cell = simulator.cells[0]
    boxes = simulator.boxes
    group_plays = Counter(play.group for play in data.plays)
    levels = samples.mean_levels(np.array([group_plays[group] for group in groups], float))
    learning = estimate_learning(data.stats, data.games, samples, effort.seed)
    is_latest = False
    forecast_levels = levels
    if learning and learning.is_clear:
        is_latest = True
        forecast_levels = FINE_LEVELS[learning.last_levels]
    beliefs = []
    for i in _select_representatives(data.games[0], samples, forecast_levels):
        beliefs.append((float(forecast_levels[i]), boxes[samples.boxes[i]]))
    forecast = _forecast_afresh(cell, beliefs, effort)
    skill_level = find_nearest_skill_level(cell, forecast, effort)
    names = []
    for column in data.columns:
        names.append(cell.game.unit if column == ROUNDS else cell.game.columns[column])
    measures = test_measures(
        data.stats, data.games, names, data.columns, effort.seed, data.prior, samples
    )
    more_plays = None
    if not is_latest:
        more_plays = estimate_more_plays(
            data.stats, data.loglik, data.games, boxes, samples, forecast, effort.seed
        )
    next_variants = rank_variants(data.scenario.cells, boxes, samples, effort, next_seconds)
    unknowns = {}
    for entry in simulator.priors.entries:
        values = [boxes[box][entry.path] for box in samples.boxes]
        unknowns[entry.path] = summarize_posterior(entry, values)
    group_levels = {}
    for g, group in enumerate(groups):
        group_levels[group or "all"] = compute_band(FINE_LEVELS[samples.levels[:, g]])
    return FitResult(
        cell,
        data.scenario,
        effort.seed,
        len(data.plays),
        simulator.games_per_point,
        boxes,
        list(groups),
        compute_band(levels),
        group_levels,
        {group or "all": group_plays[group] for group in groups},
        skill_level,
        unknowns,
        forecast.win_rate,
        measures,
        learning,
        more_plays,
        next_variants,
        beliefs,
        samples.effective_boxes,
        is_latest,
        compute_band(forecast_levels),
        _name_setup_factors(data.matchers),
    )


def _forecast_afresh(cell: Variant, beliefs: Sequence[Belief], effort: Effort) -> Forecast:
    """Return a forecast by games that had no part in the fit."""
    fresh = replace(effort, games=FORECAST_GAMES, first_game=FIRST_FORECAST_GAME)
    return forecast_cell(cell, beliefs, fresh)


def _select_representatives(
    games: SimulatedGames, samples: PosteriorSamples, levels: np.ndarray
) -> np.ndarray:
    """Return posterior samples that are evenly spaced in the order of their win rates."""
    indices = np.rint(levels * (len(FINE_LEVELS) - 1)).astype(int)
    order = np.argsort(games.win_rates[samples.boxes, indices], kind="stable")
    spaced = (np.arange(SAVED_BELIEFS) + 0.5) * N_SAMPLES / SAVED_BELIEFS
    return order[spaced.astype(int)]


def _name_setup_factors(matchers: Sequence[SetupMatcher]) -> dict[str, list[str]]:
    """Return the names of recorded factors by what was done with them."""
    used = set[int]()
    dropped = set[int]()
    in_play = set[int]()
    for matcher in matchers:
        used |= matcher.used_columns
        dropped |= matcher.dropped
        in_play |= matcher.in_play
    name_columns = matchers[0].name_columns
    return {
        "used": name_columns(used),
        "left": name_columns(dropped),
        "in_play": name_columns(in_play),
    }
