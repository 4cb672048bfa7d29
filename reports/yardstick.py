"""What difficulty is measured by: games won together, a seat's share of them, or a mean score."""

from __future__ import annotations

from dataclasses import dataclass

from hardmode.reports import answers, estimates
from hardmode.reports.estimates import Estimate
from hardmode.scenarios.load import Scenario
from hardmode.sim.tally import Tally


@dataclass(frozen=True)
class Yardstick:
    """`rivals`: seats play against each other. `by_score`: then points tell more than who is first."""

    rivals: bool
    by_score: bool
    confidence: float = estimates.CONFIDENCE

    @classmethod
    def of(cls, scenario: Scenario, confidence: float) -> Yardstick:
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
        return "mean score" if self.by_score else "share of games won" if self.rivals else "win rate"

    @property
    def kind(self) -> str:
        return "mean" if self.by_score else "rate"

    @property
    def change_kind(self) -> str:
        return "change" if self.by_score else "points"

    def won(self, tally: Tally) -> Estimate:
        return answers.win_rate(tally, self.confidence)

    def rate(self, k: int, n: int) -> Estimate:
        return estimates.rate(k, n, self.confidence)

    def mean(self, tally: Tally, column: str) -> Estimate:
        return estimates.mean(*sums(tally.histogram(column)), self.confidence)

    def of_tally(self, tally: Tally) -> Estimate:
        return self.mean(tally, "score 1") if self.by_score else self.won(tally)

    def change(self, now: Tally, before: Tally) -> Estimate:
        """What the yardstick shows now less what it showed before, as if the games were unrelated."""
        if self.by_score:
            return estimates.means(*sums(now.histogram("score 1")), *sums(before.histogram("score 1")),
                                   self.confidence)
        return self.lead(now, before)

    def lead(self, a: Tally, b: Tally) -> Estimate:
        """By how much a is won more often than b, as if the games were unrelated."""
        return estimates.difference(answers.wins(a), a.games, answers.wins(b), b.games, self.confidence)


def sums(values: dict[int, int]) -> tuple[int, int, int]:
    """How many numbers there are, their sum, and the sum of their squares."""
    return (sum(values.values()), sum(v * n for v, n in values.items()), sum(v * v * n for v, n in values.items()))


def quantile(values: dict[int, int], q: float) -> int:
    """The smallest value that at least a share q of the games do not exceed."""
    return int(estimates.quantile(values, q).value)
