"""What difficulty is measured by: games won together, a seat's share of them, or a mean score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hardmode.scenarios.load import Scenario
from hardmode.sim.contract import SCORES, WINNERS, Game
from hardmode.sim.results.tally import Tally
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate


def win_rate(tally: Tally, confidence: float = 0.95) -> Estimate:
    """The share of games won; where seats compete, the first seat's share."""
    return estimates.rate(wins(tally), tally.games, confidence)


def won(game: Game, rows: np.ndarray) -> np.ndarray:
    """Which of these games were won; where seats compete, by the first."""
    return (rows[WINNERS] & 1 if game.competitive else rows[WINNERS]) != 0


def wins(tally: Tally) -> int:
    return tally.shares()[0] if tally.game.competitive else tally.wins()


def mean(tally: Tally, column: str, confidence: float = estimates.CONFIDENCE) -> Estimate:
    """The mean of one column of the row; of a measure that is 0 or 1, its rate."""
    n, total, squares = sums(tally.histogram(column))
    return (
        estimates.rate(total, n, confidence)
        if yes_or_no(tally, column)
        else estimates.mean(n, total, squares, confidence)
    )


def yes_or_no(tally: Tally, column: str) -> bool:
    """Whether a measure was 0 or 1 in every game: then its mean is a rate."""
    game = tally.game
    return game.columns.index(column) >= SCORES + game.seats and set(tally.histogram(column)) <= {
        0,
        1,
    }


@dataclass(frozen=True)
class Headline:
    """`rivals`: seats play against each other. `by_score`: then points tell more than who is first."""

    rivals: bool
    by_score: bool
    confidence: float = estimates.CONFIDENCE

    @classmethod
    def of(cls, scenario: Scenario, confidence: float) -> Headline:
        rivals = scenario.game.competitive and scenario.cells[0].players > 1
        return cls(rivals, rivals and scenario.game.scored, confidence)

    @property
    def win(self) -> str:
        """The name of the share of games won."""
        return "share of games won by seat 1" if self.rivals else "win rate"

    @property
    def name(self) -> str:
        return "mean score of seat 1" if self.by_score else self.win

    @property
    def of_a_seat(self) -> str:
        """What is shown for the seats that hold something, whichever they are."""
        return (
            "mean score" if self.by_score else "share of games won" if self.rivals else "win rate"
        )

    @property
    def kind(self) -> str:
        return "mean" if self.by_score else "rate"

    @property
    def change_kind(self) -> str:
        return "change" if self.by_score else "points"

    def won(self, tally: Tally) -> Estimate:
        return win_rate(tally, self.confidence)

    def rate(self, k: int, n: int) -> Estimate:
        return estimates.rate(k, n, self.confidence)

    def mean(self, tally: Tally, column: str) -> Estimate:
        return mean(tally, column, self.confidence)

    def of_tally(self, tally: Tally) -> Estimate:
        return self.mean(tally, "score 1") if self.by_score else self.won(tally)

    def change(self, now: Tally, before: Tally) -> Estimate:
        """What the headline shows now less what it showed before, as if the games were unrelated."""
        if self.by_score:
            return estimates.means(
                *sums(now.histogram("score 1")), *sums(before.histogram("score 1")), self.confidence
            )
        return self.lead(now, before)

    def lead(self, a: Tally, b: Tally) -> Estimate:
        """By how much a is won more often than b, as if the games were unrelated."""
        return estimates.difference(wins(a), a.games, wins(b), b.games, self.confidence)


def sums(values: dict[int, int]) -> tuple[int, int, int]:
    """How many numbers there are, their sum, and the sum of their squares."""
    return (
        sum(values.values()),
        sum(v * n for v, n in values.items()),
        sum(v * v * n for v, n in values.items()),
    )


def quantile(values: dict[int, int], q: float) -> int:
    """The smallest value that at least a share q of the games do not exceed."""
    return int(estimates.quantile(values, q).value)
