"""Difficulty metrics: the win rate, a seat's share of the games won, or a mean score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hardmode.scenarios.load import Scenario
from hardmode.sim.contract import SCORES, WINNERS, Game
from hardmode.sim.results.tally import Tally
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import DEFAULT_CONFIDENCE, Estimate

FIRST_SCORE = "score 1"  # the column of a row that holds the score of seat 1


def estimate_win_rate(tally: Tally, confidence: float = DEFAULT_CONFIDENCE) -> Estimate:
    """Return the share of games won; where seats compete, the share won by seat 1."""
    return estimates.wilson_rate(count_wins(tally), tally.games, confidence)


def is_won(game: Game, rows: np.ndarray) -> np.ndarray:
    """Return for each game if it was won; where seats compete, by seat 1.

    Args:
        game: The game.
        rows: A block of rows, one column for each game.
    """
    winners = rows[WINNERS] & 1 if game.competitive else rows[WINNERS]
    return winners != 0


def count_wins(tally: Tally) -> int:
    """Return the number of games won; where seats compete, of those won by seat 1."""
    return tally.count_wins_by_seat()[0] if tally.game.competitive else tally.count_wins()


def estimate_mean(tally: Tally, column: str, confidence: float = DEFAULT_CONFIDENCE) -> Estimate:
    """Return the mean of a column of the rows; the rate of a measure that is 0 or 1.

    Args:
        tally: The games.
        column: Name of the column: "rounds", "score 1", or a measure of the game.
        confidence: Confidence of the interval.
    """
    n, total, squares = compute_power_sums(tally.count_values(column))
    if is_binary(tally, column):
        return estimates.wilson_rate(total, n, confidence)
    return estimates.student_t_mean(n, total, squares, confidence)


def is_binary(tally: Tally, column: str) -> bool:
    """Return whether a column is a measure that was 0 or 1 in every game; its mean is a rate."""
    game = tally.game
    is_measure = game.columns.index(column) >= SCORES + game.seats
    return is_measure and set(tally.count_values(column)) <= {0, 1}


@dataclass(frozen=True)
class DifficultyMetric:
    """The number by which a scenario's difficulty is measured, and its names.

    Attributes:
        competitive: Several seats play against each other.
        by_score: The metric is the mean score of seat 1, since scores say more than who wins.
        confidence: Confidence of the estimates.
    """

    competitive: bool
    by_score: bool
    confidence: float = DEFAULT_CONFIDENCE

    @classmethod
    def from_scenario(cls, scenario: Scenario, confidence: float) -> DifficultyMetric:
        """Return the metric that suits the game and the number of players."""
        competitive = scenario.game.competitive and scenario.cells[0].players > 1
        return cls(competitive, competitive and scenario.game.scored, confidence)

    @property
    def win_rate_label(self) -> str:
        """Name of the share of games won."""
        return "share of games won by seat 1" if self.competitive else "win rate"

    @property
    def label(self) -> str:
        """Name of the metric."""
        return "mean score of seat 1" if self.by_score else self.win_rate_label

    @property
    def seat_label(self) -> str:
        """Name of the metric where it is measured at any seat."""
        if self.by_score:
            return "mean score"
        return "share of games won" if self.competitive else "win rate"

    @property
    def value_kind(self) -> str:
        """Kind of the value, as in `formatting.VALUE_FORMATTERS`."""
        return "mean" if self.by_score else "rate"

    @property
    def change_kind(self) -> str:
        """Kind of a difference of two values, as in `formatting.VALUE_FORMATTERS`."""
        return "change" if self.by_score else "points"

    def estimate_win_rate(self, tally: Tally) -> Estimate:
        """Return the share of games won; where seats compete, the share won by seat 1."""
        return estimate_win_rate(tally, self.confidence)

    def estimate_rate(self, k: int, n: int) -> Estimate:
        """Return the rate k / n with Wilson's interval."""
        return estimates.wilson_rate(k, n, self.confidence)

    def estimate_mean(self, tally: Tally, column: str) -> Estimate:
        """Return the mean of a column of the rows."""
        return estimate_mean(tally, column, self.confidence)

    def estimate(self, tally: Tally) -> Estimate:
        """Return the metric's value in the games of a tally."""
        if self.by_score:
            return self.estimate_mean(tally, FIRST_SCORE)
        return self.estimate_win_rate(tally)

    def estimate_change(self, now: Tally, before: Tally) -> Estimate:
        """Return the difference of the metric between two tallies of independent games.

        Args:
            now: The games whose value is positive in the difference.
            before: The games whose value is subtracted.
        """
        if not self.by_score:
            return self.estimate_win_difference(now, before)
        sums_now = compute_power_sums(now.count_values(FIRST_SCORE))
        sums_before = compute_power_sums(before.count_values(FIRST_SCORE))
        return estimates.welch_difference(*sums_now, *sums_before, self.confidence)

    def estimate_win_difference(self, a: Tally, b: Tally) -> Estimate:
        """Return the win rate of a minus that of b, the games being independent."""
        return estimates.newcombe_difference(
            count_wins(a), a.games, count_wins(b), b.games, self.confidence
        )


def compute_power_sums(counts: Mapping[int, int]) -> tuple[int, int, int]:
    """Return the number, the sum and the sum of squares of values.

    Args:
        counts: How often each value occurs.
    """
    n = total = squares = 0
    for value, count in counts.items():
        n += count
        total += value * count
        squares += value * value * count
    return n, total, squares


def compute_quantile(counts: Mapping[int, int], q: float) -> int:
    """Return the smallest value that at least a share q of the games does not exceed."""
    return int(estimates.order_statistic_quantile(counts, q).value)
