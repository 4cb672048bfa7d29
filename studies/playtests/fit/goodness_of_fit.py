"""Posterior predictive check: measures in which the plays differ from what the model predicts.

Each measure is predicted from the levels and boxes that are credible by the results of the plays
alone (won or lost), so a measure that does not fit cannot have changed the prediction itself. See
Gelman, Meng and Stern, "Posterior predictive assessment of model fitness" (Statistica Sinica 6,
1996). Half of the error rate is spent on a test of all numbers together (`joint_test`), and half on
single measures. All p-values are adjusted by Bonferroni's method: all tests together raise a false
alarm in at most one of twenty data sets. The tests allow for how far the assumed numbers of the box
might move a measure.

One more test asks whether the forecast contradicts the plays: numbers such as rounds may point to a
level at which far more or fewer games are won than these were.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from hardmode.studies.playtests.fit.joint_test import collect_means, measure_joint_distance
from hardmode.studies.playtests.fit.likelihood import (
    SufficientStats,
    compute_loglik,
    estimate_mean_and_covariance,
    get_side,
)
from hardmode.studies.playtests.fit.posterior import (
    Band,
    PosteriorSamples,
    compute_band,
    sample_posterior,
)
from hardmode.studies.playtests.fit.prior_samples import MAX_WIN_RATE_GAP, PriorSamples
from hardmode.studies.playtests.fit.simulation import SimulatedGames

FALSE_ALARM_RATE = 0.05
POWER = 0.9  # share of tables in which a detectable difference is found
MIN_PLAYS = 3  # for a test
MIN_JOINT_MEANS = 2  # for a joint test
MIN_VARIANCE = 1e-12
N_HALVES = 2  # of the error rate: one for all numbers together, one for single measures
JOINT_MEASURE = "the distance of all numbers together from the model"
WON_MEASURE = "games won"
_TestResult = tuple["MeasureTest", np.ndarray | None]  # and its values in boxes of the prior


@dataclass(frozen=True)
class MeasureTest:
    """Test of one measure: what was observed and what the model predicts."""

    measure: str
    observed: float
    predicted: Band
    reach: tuple[float, float]  # smallest and largest mean at any level in any box
    p: float  # adjusted for all measures
    n: int  # plays
    is_share: bool = False  # a share of games, not a mean
    likely_causes: list[str] = field(default_factory=list)
    given: str = "at your win rate"  # what the prediction rests on
    predicted_sd: float = 0.0  # of the mean of a number
    game_sd: float = 0.0  # of a number in one game, among games with the same result
    detectable: float | None = None  # difference of a mean that is found in `POWER` of tables

    @property
    def is_misfit(self) -> bool:
        """True if the measure does not fit the model."""
        return self.p < FALSE_ALARM_RATE


@dataclass(frozen=True)
class _Evidence:
    """The plays, the simulated games and the posterior by results alone."""

    stats: Sequence[SufficientStats]
    games: Sequence[SimulatedGames]
    samples: PosteriorSamples
    rng: np.random.Generator
    prior: PriorSamples | None
    win_rate: float | None  # of the plays

    @property
    def zeros(self) -> np.ndarray:
        """A zero for each posterior sample."""
        return np.zeros(len(self.samples.boxes))

    def points(self, group: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the box and the level of each posterior sample."""
        return self.samples.boxes, self.samples.levels[:, group]

    def draw_deviations(self, values: np.ndarray) -> np.ndarray:
        """Draw how far the unknown numbers of the box move a measure, by posterior sample."""
        assert self.prior is not None
        deviations = self.prior.compute_deviations(values, self.win_rate)
        return self.rng.choice(deviations, len(self.samples.boxes))

    def select_similar(self, values: np.ndarray) -> np.ndarray:
        """Return the values at points that win about as often as the plays."""
        win_rates = self.games[0].win_rates
        gap = np.abs(win_rates - (0.5 if self.win_rate is None else self.win_rate))
        return values[gap <= max(MAX_WIN_RATE_GAP, float(gap.min()) + 1e-9)]


def test_measures(
    stats: Sequence[SufficientStats],
    games: Sequence[SimulatedGames],
    names: Sequence[str],
    columns: Sequence[int],
    seed: int,
    prior: PriorSamples | None,
    posterior: PosteriorSamples | None = None,
) -> list[MeasureTest]:
    """Return a test of every measure of the plays, the smallest p-value first.

    Args:
        stats: The plays.
        games: Simulated games, by `SufficientStats.variant`.
        names: Printed names of the simulated numbers.
        columns: Columns of the simulated numbers.
        seed: Seed of the random generators.
        prior: Games in boxes of the prior, or None if nothing is unknown.
        posterior: Levels and boxes of the forecast, or None if there is none.
    """
    groups = 1 + max(s.group for s in stats)
    loglik = np.zeros((groups, *games[0].win_rates.shape))
    for part in stats:
        loglik[part.group] += compute_loglik(
            part, games[part.variant], use_means=False, use_endings=False
        )
    samples = sample_posterior(loglik, seed)
    rng = np.random.default_rng(seed + 1)
    lost, won = np.sum([part.all_win_counts for part in stats], axis=0)
    win_rate = float(won / (lost + won)) if lost + won else None
    evidence = _Evidence(stats, games, samples, rng, prior, win_rate)
    tests = [
        *_test_numbers(evidence, names, columns),
        *_test_endings(evidence),
        *_test_variants(evidence),
        *_test_forecast(evidence, posterior),
    ]
    joint = _test_jointly(evidence, columns, loglik, posterior or samples)
    n_halves = N_HALVES if joint else 1
    adjusted = []
    for test, prior_values in tests:
        n_tests = len(tests) * n_halves
        test = replace(
            test, p=min(1.0, test.p * n_tests), detectable=_find_detectable(test, n_tests)
        )
        adjusted.append(_add_prior_reach(test, prior_values, evidence))
    if joint:
        adjusted.append(replace(joint, p=min(1.0, joint.p * n_halves)))
    return sorted(adjusted, key=lambda test: test.p)


def _find_detectable(test: MeasureTest, n_tests: int) -> float | None:
    """Return how far off a mean must be to be found in `POWER` of tables, or None for a share."""
    from scipy.special import ndtri

    if not test.predicted_sd:
        return None
    error_rate = FALSE_ALARM_RATE / n_tests
    return test.predicted_sd * float(ndtri(1 - error_rate / 2) + ndtri(POWER))


def _add_prior_reach(
    test: MeasureTest, values: np.ndarray | None, evidence: _Evidence
) -> MeasureTest:
    """Widen the reach to boxes of the prior, and name likely causes of a misfit."""
    prior = evidence.prior
    if values is None or prior is None:
        return test
    similar = prior.select_similar(values, evidence.win_rate)
    low = min(test.reach[0], float(similar.min()))
    high = max(test.reach[1], float(similar.max()))
    causes = []
    if test.is_misfit:
        gap = test.observed - test.predicted["50"]
        causes = prior.find_likely_causes(values, evidence.win_rate, gap)
    return replace(test, reach=(low, high), likely_causes=causes)


def _test_jointly(
    evidence: _Evidence, columns: Sequence[int], loglik: np.ndarray, posterior: PosteriorSamples
) -> MeasureTest | None:
    """Test all numbers together, or return None if there are fewer than two means."""
    groups = collect_means(evidence.stats, evidence.games, columns)
    if sum(len(group.numbers) for group in groups) < MIN_JOINT_MEANS:
        return None
    found = measure_joint_distance(
        groups, loglik, posterior, evidence.prior, evidence.win_rate, evidence.rng
    )
    farthest = max(found.observed, float(found.simulated.max()))
    return MeasureTest(
        JOINT_MEASURE,
        found.observed,
        compute_band(found.simulated),
        (0.0, farthest),
        found.p,
        found.plays,
        given="at the level that explains the plays best",
    )


def _test_forecast(
    evidence: _Evidence, posterior: PosteriorSamples | None
) -> Iterator[_TestResult]:
    """Test whether as many plays were won as at the levels and in the boxes of the forecast."""
    if posterior is None:
        return
    won, n = 0, 0
    drawn, reach = evidence.zeros, np.zeros(evidence.games[0].win_rates.shape)
    for part in evidence.stats:
        games, plays = evidence.games[part.variant], int(part.all_win_counts.sum())
        at = posterior.boxes, posterior.levels[:, part.group]
        rate = _draw_rates(evidence.rng, games.win_rates[at], games.fine_games[at])
        drawn += evidence.rng.binomial(plays, rate)
        won, n = won + int(part.all_win_counts[1]), n + plays
        reach = reach + plays * games.win_rates
    if n >= MIN_PLAYS:
        test = _test_count(WON_MEASURE, won, n, drawn, reach)
        yield replace(test, given="at the level that all measures together suggest"), None


def _draw_rates(rng: np.random.Generator, rates: np.ndarray, games: np.ndarray) -> np.ndarray:
    """Return win rates as they may be, given those of a limited number of simulated games."""
    return rng.beta(rates * games + 0.5, (1 - rates) * games + 0.5)


# -- numbers --------------------------------------------------------------------------------------


def _test_numbers(
    evidence: _Evidence, names: Sequence[str], columns: Sequence[int]
) -> Iterator[_TestResult]:
    """Test the mean of each number over all plays that have it.

    A number that is the same in all games and all plays is left out.
    """
    for i, name in enumerate(names):
        values_by_part = _group_values(evidence, columns[i])
        values = [value for part in values_by_part.values() for value in part]
        extremes = _find_extremes(evidence, i)
        if len(values) >= MIN_PLAYS and {*extremes, *values} != {extremes[0]}:
            yield _test_number(evidence, name, i, values_by_part, extremes)


def _group_values(evidence: _Evidence, column: int) -> dict[tuple[int, int, int], list[float]]:
    """Return the recorded values of a column by variant, group and side."""
    values: dict[tuple[int, int, int], list[float]] = {}
    for part in evidence.stats:
        for play in part.plays:
            if column in play.numbers:
                key = part.variant, part.group, get_side(play, evidence.games[part.variant])
                values.setdefault(key, []).append(play.numbers[column])
    return values


def _test_number(
    evidence: _Evidence,
    name: str,
    number: int,
    values_by_part: dict[tuple[int, int, int], list[float]],
    extremes: tuple[float, float],
) -> _TestResult:
    n = sum(map(len, values_by_part.values()))
    mean = evidence.zeros
    variance = evidence.zeros
    game_variance = evidence.zeros
    reach = np.zeros(evidence.games[0].win_rates.shape)
    for (variant, group, side), values in values_by_part.items():
        simulated_n, simulated_mean, covariance = estimate_mean_and_covariance(
            evidence.games[variant], side, [number]
        )
        at = evidence.points(group)
        share = len(values) / n
        mean += len(values) * simulated_mean[at][:, 0] / n
        own_variance = covariance[at][:, 0, 0]
        variance += own_variance * (len(values) / n**2 + share**2 / simulated_n[at])
        game_variance += share * own_variance
        reach = reach + len(values) * simulated_mean[..., 0] / n
    prior_means = evidence.prior.compute_means(number) if evidence.prior else None
    if prior_means is not None:
        mean = np.maximum(mean + evidence.draw_deviations(prior_means), prior_means.min())
    reach = evidence.select_similar(reach)
    observed = sum(map(sum, values_by_part.values())) / n
    sd = np.sqrt(np.maximum(variance, MIN_VARIANCE))
    predicted = mean + sd * evidence.rng.standard_normal(len(mean))
    test = MeasureTest(
        name,
        observed,
        compute_band(np.clip(predicted, *extremes)),
        (float(reach.min()), float(reach.max())),
        _two_sided_p(observed, mean, sd),
        n,
        predicted_sd=float(predicted.std()),
        game_sd=float(np.sqrt(game_variance.mean())),
    )
    return test, prior_means


def _find_extremes(evidence: _Evidence, number: int) -> tuple[float, float]:
    """Return the smallest and the largest value of a number in any simulated game."""
    games = [*evidence.games, *([evidence.prior.games] if evidence.prior else [])]
    lows = [part.extremes[0, number] for part in games]
    highs = [part.extremes[1, number] for part in games]
    return float(min(lows)), float(max(highs))


def _two_sided_p(observed: float, mean: np.ndarray, sd: np.ndarray) -> float:
    """Return the two-sided p-value under a mixture of normal distributions."""
    from scipy.special import ndtr

    below = float(ndtr((observed - mean) / sd).mean())
    return 2 * min(below, 1 - below)


# -- endings and variants -------------------------------------------------------------------------


def _test_endings(evidence: _Evidence) -> Iterator[_TestResult]:
    """Test how often each ending occurs among the games with the same result."""
    games = evidence.games[0]
    for ending, name in enumerate(games.cell.game.all_endings):
        side = "won" if ending in games.winning - games.losing else "lost"
        yield from _test_ending(evidence, ending, f"{name!r} of games {side}")


def _test_ending(evidence: _Evidence, ending: int, name: str) -> Iterator[_TestResult]:
    count = 0
    n = 0
    expected = evidence.zeros
    drawn = evidence.zeros
    reach = np.zeros(evidence.games[0].win_rates.shape)
    prior_shares = None
    for part in evidence.stats:
        games = evidence.games[part.variant]
        only_wins = games.winning - games.losing
        only_losses = games.losing - games.winning
        alike = sorted(only_wins if ending in only_wins else only_losses)
        plays = int(part.endings[alike].sum()) if ending in alike and len(alike) > 1 else 0
        if not plays:
            continue
        simulated = games.fine_endings
        alike_games = simulated[..., alike].sum(axis=-1)
        shares = (simulated[..., ending] + 0.5) / (alike_games + 0.5 * len(alike))
        at = evidence.points(part.group)
        share = shares[at]
        if evidence.prior:
            prior_shares = evidence.prior.compute_ending_shares(ending, alike)
            share = np.clip(share + evidence.draw_deviations(prior_shares), 0.001, 0.999)
        weight = alike_games[at] + 1
        rate = evidence.rng.beta(share * weight + 1e-9, (1 - share) * weight + 1e-9)
        drawn += evidence.rng.binomial(plays, np.clip(rate, 0, 1))
        count = count + int(part.endings[ending])
        n = n + plays
        expected += plays * share
        reach = reach + plays * shares
    if n >= MIN_PLAYS and (count or expected.mean() >= 1):
        yield _test_count(name, count, n, drawn, evidence.select_similar(reach)), prior_shares


def _test_variants(evidence: _Evidence) -> Iterator[_TestResult]:
    """Test how often each variant was won, if there are several."""
    cells = {}
    for part in evidence.stats:
        cell = evidence.games[part.variant].cell
        cells[id(cell)] = cell
    for cell in cells.values() if len(cells) > 1 else ():
        won = 0
        n = 0
        drawn = evidence.zeros
        reach = np.zeros(evidence.games[0].win_rates.shape)
        for part in evidence.stats:
            games = evidence.games[part.variant]
            if games.cell is not cell:
                continue
            at = evidence.points(part.group)
            plays = part.all_win_counts.sum()
            rate = _draw_rates(evidence.rng, games.win_rates[at], games.fine_games[at])
            drawn += evidence.rng.binomial(int(plays), rate)
            won = won + int(part.all_win_counts[1])
            n = n + int(plays)
            reach = reach + plays * games.win_rates
        if n >= MIN_PLAYS:
            name = f"games won with {cell.label_text or 'the scenario as it is'}"
            yield _test_count(name, won, n, drawn, reach), None


def _test_count(name: str, count: int, n: int, drawn: np.ndarray, reach: np.ndarray) -> MeasureTest:
    """Test a count of plays against counts drawn from the prediction."""
    at_most = float((drawn <= count).mean())
    at_least = float((drawn >= count).mean())
    return MeasureTest(
        name,
        count / n,
        compute_band(drawn / n),
        (float(reach.min() / n), float(reach.max() / n)),
        min(1.0, 2 * min(at_most, at_least)),
        n,
        is_share=True,
    )
