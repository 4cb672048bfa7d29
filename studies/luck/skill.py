"""How much of the result skill decides between a beginner and the best player known.

The command `luck` and the report page give this one number by the same rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot

from hardmode.studies.core.skill_levels import BEGINNER, EXPERT
from hardmode.studies.stats.estimates import Estimate


@dataclass(frozen=True)
class SkillComparison:
    """Beginners and the best players known, and how much of the result skill decides between them.

    Attributes:
        best_level: Skill level of the best players.
        weak: Win rate of beginners.
        strong: Win rate of the best players.
    """

    best_level: str
    weak: Estimate
    strong: Estimate

    @property
    def share(self) -> Estimate:
        """Share of the result that skill decides; luck decides the rest."""
        return estimate_skill_share(self.weak, self.strong)


def compare_skill(
    rates: Mapping[str, Estimate], expert: Estimate | None = None
) -> SkillComparison | None:
    """Return the comparison of beginners with the level that wins most often.

    Args:
        rates: Win rate of each skill level; where seats compete, that of seat 1 against `steady`.
        expert: Win rate of experts, if it is known from games that were played beforehand.

    Returns:
        None if beginners were not played, or if no other level wins more often.
    """
    played = {level: rate for level, rate in rates.items() if rate.n}
    if expert is not None:
        played[EXPERT] = expert
    best = max(played, key=lambda level: played[level].value, default=BEGINNER)
    if BEGINNER not in played or best == BEGINNER:
        return None
    return SkillComparison(best, played[BEGINNER], played[best])


def estimate_skill_share(weak: Estimate, strong: Estimate) -> Estimate:
    """Return the share of the variance of winning that skill explains between two players.

    Each of the two plays half of the games. The share is the squared correlation of winning with
    the player, the phi coefficient of the table of players and results. Its interval combines
    those of the two win rates by squares (MOVER; Zou and Donner 2008). Both play the same draws,
    which only makes the true interval narrower.

    Args:
        weak: Win rate of the weaker player.
        strong: Win rate of the stronger player.

    Example:
        >>> always, never = Estimate(1.0, 1.0, 1.0, 100), Estimate(0.0, 0.0, 0.0, 100)
        >>> estimate_skill_share(never, always).value
        1.0
    """
    value = _compute_skill_share(weak.value, strong.value)
    falls = [
        value - _compute_skill_share(weak.high, strong.value),
        value - _compute_skill_share(weak.value, strong.low),
    ]
    rises = [
        _compute_skill_share(weak.low, strong.value) - value,
        _compute_skill_share(weak.value, strong.high) - value,
    ]
    low, high = max(0.0, value - hypot(*falls)), min(1.0, value + hypot(*rises))
    return Estimate(value, low, high, min(weak.n, strong.n), weak.confidence)


def _compute_skill_share(weak: float, strong: float) -> float:
    mean = (weak + strong) / 2
    variance = mean * (1 - mean)
    gap = max(0.0, strong - weak) / 2
    return gap**2 / variance if variance else 0.0
