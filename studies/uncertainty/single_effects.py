"""Single effects: what each assumption does alone, with all others as they are assumed.

Each alternative reading, and each number at four of its plausible values, is played in the shipped
box with the same games as the shipped box itself. The variance that an assumption causes alone
ranks what to look up first. Leading assumptions are played until the first two are told apart from
the others, or time is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hardmode.scenarios.dependencies import find_unmet_needs
from hardmode.studies.stats.estimates import Estimate, newcombe_paired_difference
from hardmode.studies.training.reference_choice import ReferenceChoice
from hardmode.studies.uncertainty.box_evaluator import BoxEvaluator, play_wins
from hardmode.studies.uncertainty.priors import Prior, Priors
from hardmode.studies.uncertainty.stages import Stage

QUANTILES = (1 / 8, 3 / 8, 5 / 8, 7 / 8)  # at which a number is tried, all equally likely
BLOCKS = 20  # of games, for the jackknife
FIRST_GAMES_FACTOR = 4  # games of the first look, in units of the games of a half-sample
MAX_LOOKS = 8  # each with twice the games of the last
LEADERS = 8  # assumptions that are played on
MAX_NUMBERS = 12  # numbers that are tried alone
NAMED = 2  # assumptions that are named as those to look up first


@dataclass(frozen=True)
class SingleEffect:
    """An assumption at another value, and the change of the win rate that this makes alone.

    Attributes:
        path: Path of the parameter.
        value: The other value.
        probability: Probability of the value; 0 for a number, which has many.
        change: Change of the win rate of the shipped box.
    """

    path: str
    value: Any
    probability: float
    change: Estimate


@dataclass(frozen=True)
class SingleSource:
    """An assumption, and how much it alone moves the win rate.

    Attributes:
        path: Path of the parameter.
        is_reading: Whether it is a reading of a rule.
        variance: Variance of the win rate with all else as assumed.
        effects: Its other values: all of a reading, the lowest and the highest of a number.
    """

    path: str
    is_reading: bool
    variance: Estimate
    effects: list[SingleEffect] = field(default_factory=list)

    @property
    def deviation(self) -> float:
        """Standard deviation of the win rate with all else as assumed."""
        return max(self.variance.value, 0.0) ** 0.5


@dataclass(frozen=True)
class LeadingReading:
    """Another reading of a rule, alone in the shipped box, played by the best player at hand.

    Attributes:
        path: Path of the parameter.
        value: The other reading.
        choice: The player, and what it wins.
    """

    path: str
    value: Any
    choice: ReferenceChoice


@dataclass(frozen=True)
class LookupOrder:
    """What to look up first.

    Attributes:
        first: Paths that are told apart from all others, the most important first.
        tied: Paths that share the next place, because they are not told apart.
    """

    first: list[str]
    tied: list[str]


class _Trials:
    """Other values of one assumption, and the games that they flipped."""

    def __init__(self, prior: Prior) -> None:
        self.prior = prior
        self.values: list[Any] = []
        self.probabilities: list[float] = []
        self.parts: list[int] = []  # the item of a list to which each value belongs
        if prior.alternatives:
            self.values = prior.alternatives
            self.probabilities = prior.alternative_probabilities
            self.parts = [0] * len(self.values)
        else:
            self._add_numbers()
        shape = (len(self.values), BLOCKS)
        self.gained, self.lost = np.zeros(shape, int), np.zeros(shape, int)
        self.wins = np.zeros(len(self.values), int)  # of each value
        self.games = 0
        self.is_possible = True

    def _add_numbers(self) -> None:
        prior, items = self.prior, self.prior.parameter.items
        for part, item in enumerate(items):
            for u in QUANTILES:
                value: Any = prior.compute_item(item, u)
                if prior.is_by_item:
                    value = [*items[:part], value, *items[part + 1 :]]
                self.values.append(value)
                self.probabilities.append(1 / len(QUANTILES))
                self.parts.append(part)

    def add(self, assumed: np.ndarray, results: Sequence[np.ndarray | None]) -> None:
        """Add games that were played with the assumed value, and with each other one."""
        for i, won in enumerate(results):
            if won is None:
                self.is_possible = False
                return
            self.gained[i] += (won & ~assumed).reshape(BLOCKS, -1).sum(axis=1)
            self.lost[i] += (assumed & ~won).reshape(BLOCKS, -1).sum(axis=1)
            self.wins[i] += won.sum()
        self.games += len(assumed)

    def estimate(self, confidence: float) -> SingleSource:
        """Return the variance with its jackknife interval, and the effects."""
        from scipy.special import stdtrit

        sums = (self.gained - self.lost).astype(float)
        block_games = self.games / BLOCKS
        whole = self._compute_variance(sums.sum(axis=1) / self.games)
        pseudo_values = np.empty(BLOCKS)
        for block in range(BLOCKS):
            others = sums.sum(axis=1) - sums[:, block]
            without = self._compute_variance(others / (self.games - block_games))
            pseudo_values[block] = BLOCKS * whole - (BLOCKS - 1) * without
        value = max(0.0, float(pseudo_values.mean()))
        error = float(pseudo_values.std(ddof=1)) / BLOCKS**0.5
        half = float(stdtrit(BLOCKS - 1, (1 + confidence) / 2)) * error
        variance = Estimate(value, max(0.0, value - half), value + half, self.games, confidence)
        effects = self._list_effects(confidence)
        return SingleSource(self.prior.path, self.prior.is_reading, variance, effects)

    def _compute_variance(self, changes: np.ndarray) -> float:
        """Return the variance of the win rate if the values change it so."""
        weights, parts = np.array(self.probabilities), np.array(self.parts)
        squares = np.bincount(parts, weights * changes**2)
        means = np.bincount(parts, weights * changes)
        return float((squares - means**2).sum())

    def _list_effects(self, confidence: float) -> list[SingleEffect]:
        shown: Iterable[int] = range(len(self.values))
        if not self.prior.alternatives:
            shown = [] if self.prior.is_by_item else (0, len(self.values) - 1)
        effects = []
        for i in shown:
            gained, lost = int(self.gained[i].sum()), int(self.lost[i].sum())
            both = int(self.wins[i]) - gained
            neither = self.games - both - gained - lost
            change = newcombe_paired_difference(both, gained, lost, neither, confidence)
            probability = self.probabilities[i] if self.prior.alternatives else 0.0
            effects.append(SingleEffect(self.prior.path, self.values[i], probability, change))
        return effects


class SingleEffects:
    """Plays assumptions alone, and ranks them.

    Args:
        evaluator: Plays the first of its variants.
        priors: The priors of all assumptions.
        number_paths: Numbers to try, beside all readings that can matter in the variant.
        first_game: Number of the first game.
    """

    def __init__(
        self,
        evaluator: BoxEvaluator,
        priors: Priors,
        number_paths: Sequence[str],
        first_game: int,
    ) -> None:
        self.evaluator, self.next_game = evaluator, first_game
        values = evaluator.cell_players[0].cell.values
        self.trials: list[_Trials] = []
        for prior in priors.entries:
            is_used = not find_unmet_needs(prior.parameter, values)
            if is_used and (prior.is_reading or prior.path in number_paths):
                self.trials.append(_Trials(prior))

    def play(self, stage: Stage, confidence: float) -> list[SingleSource]:
        """Return the assumptions, the most important first."""
        block_games = max(1, FIRST_GAMES_FACTOR * self.evaluator.half_games // BLOCKS)
        active = self.trials
        for _ in range(MAX_LOOKS):
            self._play_games(active, BLOCKS * block_games)
            sources = self._rank(confidence)
            is_over = stage.finish_turn() or not find_lookup_order(sources).tied
            if is_over or not sources:
                break
            highest = sorted(sources, key=lambda source: -source.variance.high)
            leading = {source.path for source in highest[:LEADERS]}
            active = [trials for trials in self.trials if trials.prior.path in leading]
            block_games *= 2
        return self._rank(confidence)

    def _rank(self, confidence: float) -> list[SingleSource]:
        sources = []
        for trials in self.trials:
            if trials.is_possible and trials.games:
                sources.append(trials.estimate(confidence))
        return sorted(sources, key=lambda source: -source.variance.value)

    def _play_games(self, active: Sequence[_Trials], games: int) -> None:
        evaluator = self.evaluator
        boxes = [evaluator.resolve_values({})]
        for trials in active:
            for value in trials.values:
                boxes.append(evaluator.resolve_values({trials.prior.path: value}))
        arguments = []
        for box in boxes:
            if box is not None:
                job = (evaluator.effort.seed, self.next_game, games, box)
                arguments.append((evaluator.engines[0], job))
        self.next_game += games
        # Consume all results, or else Ctrl-C would be lost in an abandoned generator.
        results = iter(list(evaluator.backend.map_jobs(play_wins, arguments)))
        won: list[np.ndarray | None] = [None if box is None else next(results) for box in boxes]
        assumed, start = won[0], 1
        if assumed is None:
            return
        for trials in active:
            stop = start + len(trials.values)
            trials.add(assumed, won[start:stop])
            start = stop


def find_lookup_order(sources: Sequence[SingleSource]) -> LookupOrder:
    """Return which assumptions to look up first, as far as they are told apart.

    The first ones are named if the intervals of all of them lie above those of all others.

    Args:
        sources: Assumptions, the most important first.
    """
    moving = [source for source in sources if source.variance.value > 0]
    named = min(NAMED, len(moving))
    while named and _list_rivals(moving, named):
        named -= 1
    first, rest = moving[:named], moving[named:]
    n_open = min(NAMED - named, len(rest))
    tied = [*rest[:n_open], *_list_rivals(rest, n_open)] if n_open else []
    return LookupOrder([source.path for source in first], [source.path for source in tied])


def _list_rivals(sources: Sequence[SingleSource], count: int) -> list[SingleSource]:
    """Return the sources that are not told apart from some of the first `count`."""
    lowest = min(source.variance.low for source in sources[:count])
    return [source for source in sources[count:] if source.variance.high >= lowest]
