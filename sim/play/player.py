"""Players: strategies with weights, search, mistakes and restrictions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hardmode.sim.compile.fingerprint import compute_source_digest
from hardmode.sim.play.values import ValueFunction

DEFAULT_SWITCH_SCORE = 2.7  # a one-sided significance of about 5 %


class StrategyError(Exception):
    """Raised when a strategy does what it may not; names the strategy, its file, and the game."""


@dataclass(frozen=True)
class Player:
    """A strategy as it sits at a table.

    Attributes:
        name: The name of the strategy.
        choose: Its function.
        weights: The weights that it is given.
        rollout_budget: Rollouts or trials per decision that search may spend; 0 without search.
        location: `file:line` of the strategy, for messages.
        mistake_rate: The share of decisions that are left to `mistake_player`.
        mistake_player: Who chooses then; None for a random choice.
        is_user_strategy: Whether a user wrote it, so that it is checked for writing to records.
        allowed_labels: Labels to which it is restricted wherever one of them is offered.
        counts_choices: Whether the labels that it is offered and takes are counted.
        rollout_policy: Who plays in the rollouts of its search; None for the strategy itself.
        values: The value function by which its search judges positions; None for rollouts.
        switch_score: The squared t value of its mean gain above which another option replaces the
            choice of the strategy.
    """

    name: str
    choose: Callable
    weights: tuple[float, ...] = ()
    rollout_budget: int = 0
    location: str = ""
    mistake_rate: float = 0.0
    mistake_player: Player | None = None
    is_user_strategy: bool = False
    allowed_labels: tuple[int, ...] = ()
    counts_choices: bool = False
    rollout_policy: Player | None = None
    values: ValueFunction | None = None
    switch_score: float = DEFAULT_SWITCH_SCORE

    def __str__(self) -> str:
        by = self.mistake_player.name if self.mistake_player else "random"
        return format_player_name(self.name, self.mistake_rate, by)

    def compute_digest(self) -> str:
        """Return a digest of the code that chooses, and of the player's own mistakes and limits."""
        code = compute_source_digest(self.choose)
        has_parts = self.allowed_labels or self.rollout_policy or self.values
        is_usual = not has_parts and self.switch_score == DEFAULT_SWITCH_SCORE
        if not self.mistake_rate and is_usual:
            return code
        parts: list[Any] = [code, self.mistake_rate]
        if self.mistake_player:
            parts += [self.mistake_player.compute_digest(), self.mistake_player.weights]
        parts += self.allowed_labels
        if self.rollout_policy:
            parts += [self.rollout_policy.compute_digest(), self.rollout_policy.weights]
        if self.switch_score != DEFAULT_SWITCH_SCORE:
            parts.append(self.switch_score)
        if self.values:
            parts.append(self.values.compute_digest())
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    @property
    def needs_decide(self) -> bool:
        """True if its decisions are more than a call of the strategy."""
        return bool(
            self.rollout_budget
            or self.mistake_rate
            or self.is_user_strategy
            or self.allowed_labels
            or self.counts_choices
        )


def format_player_name(name: str, mistake_rate: float, mistake_player: str | None) -> str:
    """Return a player's name followed by its mistake rate, as in "trained with 10% slips".

    Args:
        name: The name of the strategy.
        mistake_rate: The share of decisions with a mistake; nothing is added for 0.
        mistake_player: Who chooses then; named if it is neither None nor "random".
    """
    if not mistake_rate:
        return name
    by = f" of {mistake_player}" if mistake_player not in (None, "random") else ""
    return f"{name} with {100 * mistake_rate:.10g}% slips{by}"
