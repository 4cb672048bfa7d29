"""Estimates of one result, as tables and JSON show them.

The win rate of a result has an interval of its own. The intervals of a list (seats, endings,
rounds with scores and measures, factors) are wider: all intervals of one list hold together.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardmode.sim.results.result import Result
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.metric import (
    compute_power_sums,
    count_wins,
    estimate_win_rate,
    is_binary,
)
from hardmode.studies.stats.estimates import (
    DEFAULT_CONFIDENCE,
    Estimate,
    bonferroni_level,
    clopper_pearson_rate,
    clopper_pearson_rates,
    clopper_pearson_shares,
    sample_quantile,
    student_t_mean,
)

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class MeasureSummary:
    """Mean and quantiles of one measure over games.

    Attributes:
        is_rate: The measure is always 0 or 1, so its mean is a share of games.
        estimate: The mean with its interval, or None without games.
        quantiles: Values of the measure by their share of games.
    """

    is_rate: bool
    estimate: Estimate | None
    quantiles: dict[float, int]


@dataclass(frozen=True)
class SeatSummary:
    """Games won by one seat of a competitive game. Shared wins count for all who share them."""

    seat: int
    strategy: str
    wins: int
    share: Estimate


@dataclass(frozen=True)
class FactorSummary:
    """Games with one value of a factor, such as one hero, that was fixed before play."""

    games: int
    wins: int
    win_rate: Estimate
    mean_score: float


@dataclass(frozen=True)
class ResultSummary:
    """All estimates of one result. Endings, measures and factors are by name."""

    result: Result
    confidence: float
    wins: int
    win_rate: Estimate
    ending_counts: dict[str, int]
    ending_shares: dict[str, Estimate]
    seats: list[SeatSummary]
    rounds: MeasureSummary
    scores: list[MeasureSummary]
    measures: dict[str, MeasureSummary]
    factors: dict[str, dict[str, FactorSummary]]

    @property
    def games(self) -> int:
        """Number of games."""
        return self.result.games

    @property
    def list_lengths(self) -> dict[str, int]:
        """Number of intervals of each list, which hold together."""
        return {
            "seats": len(self.seats),
            "endings": len(self.ending_counts),
            "measures": 1 + len(self.scores) + len(self.measures),
            "factors": sum(len(values) for values in self.factors.values()),
        }


def summarize_result(result: Result, confidence: float = DEFAULT_CONFIDENCE) -> ResultSummary:
    """Return all estimates of a result."""
    tally, game = result.tally, result.game
    measures = list_plain_measures(tally)
    n_scores = len(result.strategies) if game.competitive else 1
    level = bonferroni_level(confidence, 1 + n_scores + len(measures))
    return ResultSummary(
        result,
        confidence,
        wins=count_wins(tally),
        win_rate=estimate_win_rate(tally, confidence),
        ending_counts=tally.count_endings(),
        ending_shares=estimate_ending_shares(tally, confidence),
        seats=summarize_seats(result, confidence) if game.competitive else [],
        rounds=summarize_measure(tally, "rounds", level),
        scores=[summarize_measure(tally, f"score {i + 1}", level) for i in range(n_scores)],
        measures={name: summarize_measure(tally, name, level) for name in measures},
        factors=summarize_factors(tally, confidence),
    )


def summarize_seats(result: Result, confidence: float = DEFAULT_CONFIDENCE) -> list[SeatSummary]:
    """Return each seat's share of the games. The intervals hold together."""
    wins = result.tally.count_wins_by_seat()[: len(result.strategies)]
    shares = clopper_pearson_rates([(n, result.games) for n in wins], confidence)
    seats = zip(result.strategies, wins, shares, strict=True)
    return [
        SeatSummary(i, strategy["plays"], n, share)
        for i, (strategy, n, share) in enumerate(seats, start=1)
    ]


def estimate_cell_wins(result: Result, n_seats: int, confidence: float) -> list[Estimate]:
    """Return the share of games won: by each of `n_seats` seats, or by all together if it is 0."""
    tally = result.tally
    wins = tally.count_wins_by_seat()[:n_seats] if n_seats else [count_wins(tally)]
    return [clopper_pearson_rate(n, tally.games, confidence) for n in wins]


def estimate_ending_shares(
    tally: Tally, confidence: float = DEFAULT_CONFIDENCE
) -> dict[str, Estimate]:
    """Return the share of games with each ending. The intervals hold together."""
    counts = tally.count_endings()
    shares = clopper_pearson_shares(list(counts.values()), confidence)
    return dict(zip(counts, shares, strict=True))


def summarize_measure(
    tally: Tally, column: str, confidence: float = DEFAULT_CONFIDENCE
) -> MeasureSummary:
    """Return the mean and the quantiles of one column of a tally."""
    values = tally.count_values(column)
    n, total, squares = compute_power_sums(values)
    if not n:
        return MeasureSummary(False, None, {})
    is_rate = is_binary(tally, column)
    if is_rate:
        estimate = clopper_pearson_rate(total, n, confidence)
    else:
        estimate = student_t_mean(n, total, squares, confidence)
    quantiles = {q: int(sample_quantile(values, q)) for q in QUANTILES}
    return MeasureSummary(is_rate, estimate, quantiles)


def list_plain_measures(tally: Tally) -> list[str]:
    """Return the measures of a game that are neither factors nor counted by seat."""
    return [m.name for m in tally.game.measures if not m.factor and not m.per_seat]


def measure_occurs(tally: Tally, column: str) -> bool:
    """Return whether a measure was other than 0 in some game.

    A measure that cannot occur in a scenario need not be shown.
    """
    return bool(set(tally.count_values(column)) - {0})


def summarize_factors(
    tally: Tally, confidence: float = DEFAULT_CONFIDENCE
) -> dict[str, dict[str, FactorSummary]]:
    """Return the games by each value of each factor. All intervals hold together."""
    labels = {measure.name: measure.labels for measure in tally.game.measures}
    rows = [
        (factor, value, row)
        for factor in tally.list_factors()
        for value, row in tally.sum_by_factor(factor).items()
    ]
    rates = clopper_pearson_rates([(row["wins"], row["games"]) for _, _, row in rows], confidence)
    factors: dict[str, dict[str, FactorSummary]] = {}
    for (factor, value, row), win_rate in zip(rows, rates, strict=True):
        names = labels[factor]
        name = names[value] if 0 <= value < len(names) else str(value)
        mean_score = row["score"] / row["games"]
        summary = FactorSummary(row["games"], row["wins"], win_rate, mean_score)
        factors.setdefault(factor, {})[name] = summary
    return factors
