"""Sensitivity analysis: the effect of each parameter of the box, moved one plausible step.

Steps up and down are analysed separately, so that opposite effects do not cancel. All steps are
played on the same random draws as the variant itself; see `screening` for the order of play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import ceil

from hardmode.scenarios.load import Variant
from hardmode.scenarios.parameter import SETUP
from hardmode.sim.contract import Game
from hardmode.studies.core.budget import Budget
from hardmode.studies.core.notebook import NotebookTable, Row
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.reference_players import STEADY_TIME_SHARE, with_steady
from hardmode.studies.core.run import Effort
from hardmode.studies.sensitivity.paired_effects import (
    PairedRunner,
    ParameterEffect,
    PerturbedParameter,
)
from hardmode.studies.sensitivity.screening import (
    GAMES_TO_SETTLE_ALONE,
    LEADING_COUNT,
    MAX_LOOKS,
    SMALLEST_EFFECT,
    Screening,
    is_negligible,
    select_significant,
)
from hardmode.studies.sensitivity.steps import list_step_values
from hardmode.studies.sensitivity.unused_parameters import find_effective_value
from hardmode.studies.stats import estimates
from hardmode.studies.stats.bounds import PairedBounds
from hardmode.studies.stats.estimates import Estimate

DEFAULT_SECONDS = 60.0
MANY_STEPS = 1200  # with more steps than this, the default time is doubled
MAX_GAMES = 200_000  # games of one step
MIN_GAMES_TO_SETTLE = 150  # games that settle a step that never changes who wins
MAX_UNSETTLED_SHARE = 0.2  # of the steps; with more, too little was played to tell what matters
ALONE, JOINTLY = "alone", "jointly"  # how an effect was estimated
# Standard errors between an effect and a limit that almost certainly tells them apart.
UNSETTLED_ERRORS = 3.0
# Share of the time in which `steady` repeats the leading steps. Other studies repeat everything.
LEADING_STEADY_SHARE = 0.4 * STEADY_TIME_SHARE


@dataclass
class SensitivityAnalysis(NotebookTable):
    """Effects of all steps of a variant, with intervals that hold together.

    Attributes:
        cell: The variant.
        seed: Seed of the games.
        confidence: Confidence of all intervals together.
        effects: Effects of all steps that the game accepts.
        refused: Steps that the game rejects.
        unvaried: Paths of parameters without a step, such as names.
        base_games: Games of the variant itself.
        interrupted: Whether Ctrl-C ended the analysis.
        steady_effects: Effects of the leading steps where `steady` plays, by `key`.
        looks: How often each step may have been judged before it got more games.
        speed: Games played per second, with all that belongs to them; 0 if not measured.
        base_rate: Win rate of the variant itself, None without a game.
    """

    cell: Variant
    seed: int
    confidence: float
    effects: list[ParameterEffect]
    refused: list[ParameterEffect] = field(default_factory=list)
    unvaried: list[str] = field(default_factory=list)
    base_games: int = 0
    interrupted: bool = False
    steady_effects: dict[tuple[str, str], ParameterEffect] = field(default_factory=dict)
    looks: int = 1
    speed: float = 0.0
    base_rate: Estimate | None = None

    estimate_kind = "points"

    def list_rows(self) -> Iterator[Row]:
        """Yield a row for each step: its path and values, and what it does to the win rate."""
        for effect in self.effects:
            step = {"path": effect.path, "from": str(effect.before), "to": str(effect.after)}
            yield {**step, "games": effect.games, "difference": self.estimate_difference(effect)}

    @property
    def game(self) -> Game:
        """The game of the variant."""
        return self.cell.game

    @cached_property
    def level(self) -> float:
        """Confidence of one interval, such that all hold together (Bonferroni)."""
        return estimates.bonferroni_level(self.confidence, max(1, self.interval_count))

    @property
    def interval_count(self) -> int:
        """Number of intervals that hold together."""
        joint = sum(effect.joint_effect is not None for effect in self.effects)
        return self.looks * len(self.effects) + joint

    def estimate_difference(self, effect: ParameterEffect) -> Estimate:
        """Return the change of the win rate, in an interval that holds together with all others."""
        if not effect.changes_box:
            return Estimate(
                0.0,
                0.0,
                0.0,
                self.base_games,
                self.confidence,
            )
        if not effect.games:
            return Estimate(
                float("nan"),
                -1.0,
                1.0,
                0,
                self.confidence,
            )
        error = (1 - self.level) / 2
        low, high = _get_bounds(
            effect.games,
            effect.wins_gained,
            effect.wins_lost,
            error,
        )
        return Estimate(
            effect.value,
            low,
            high,
            effect.games,
            self.confidence,
        )

    def estimate_with_steady(self, effect: ParameterEffect) -> Estimate | None:
        """Return the change of the win rate where `steady` plays, or None if not played."""
        other = self.steady_effects.get(effect.parameter.key)
        return self.estimate_difference(other) if other else None

    def estimate_length_change(self, effect: ParameterEffect) -> Estimate:
        """Return the mean change of the number of rounds."""
        total, squares = effect.length_sums
        return estimates.student_t_mean(
            effect.games,
            total,
            squares,
            self.level,
        )

    @cached_property
    def significant(self) -> list[ParameterEffect]:
        """Significant effects on the win rate (Benjamini-Hochberg), strongest first."""
        error = 1 - self.confidence
        significant = select_significant(self.effects, error, self.looks)
        return sorted(significant, key=lambda effect: effect.magnitude, reverse=True)

    @property
    def levers(self) -> list[ParameterEffect]:
        """Significant effects of one step of what a designer can change, strongest first."""
        return [
            effect
            for effect in self.significant
            if not effect.path.startswith(SETUP) and not effect.parameter.is_farthest
        ]

    @property
    def farthest_effects(self) -> list[ParameterEffect]:
        """Significant effects of the ends of ranges, of numbers whose steps changed no game."""
        return [effect for effect in self.significant if effect.parameter.is_farthest]

    @property
    def setup_effects(self) -> list[ParameterEffect]:
        """Significant effects of choices at set-up, which the players of a game make."""
        return [effect for effect in self.significant if effect.path.startswith(SETUP)]

    @cached_property
    def unused(self) -> list[str]:
        """Paths of parameters of which no plausible value changes the filled box."""
        return self._select_paths(lambda effect: not effect.changes_box)

    @cached_property
    def no_change_seen(self) -> list[str]:
        """Paths of other parameters whose steps changed none of enough games to tell."""

        def has_no_change(effect: ParameterEffect) -> bool:
            if not effect.changes_box:
                return True
            is_active = effect.games_changed or effect.joint_effect
            return is_negligible(effect) and not is_active

        paths = self._select_paths(has_no_change)
        return [path for path in paths if path not in self.unused]

    @property
    def inert(self) -> list[str]:
        """Paths of all parameters without any visible effect."""
        return [*self.unused, *self.no_change_seen]

    @property
    def not_significant(self) -> list[ParameterEffect]:
        """Effects that change games but not significantly the win rate, widest first."""
        inert, significant = set(self.inert), set(self.significant)
        effects = [
            effect
            for effect in self.effects
            if effect.path not in inert and effect not in significant and effect.changes_box
        ]
        return sorted(effects, key=lambda effect: -self.get_outer_bound(effect))

    @cached_property
    def undecided(self) -> list[ParameterEffect]:
        """Effects that may still be as large as the smallest effect that is sought."""
        return [effect for effect in self.effects if not self.is_settled(effect)]

    def is_settled(self, effect: ParameterEffect) -> bool:
        """Return whether the effect is significant, negligible, or none at all."""
        return not effect.changes_box or is_negligible(effect) or effect in self.significant

    @property
    def missing_games(self) -> int:
        """About how many more games would settle the undecided steps, in total."""
        games = sum(effect.games for effect in self.effects)
        mean_flip_rate = (sum(e.flips for e in self.effects) + 1) / (games + 1)
        missing = 0.0
        for effect in self.undecided:
            flip_rate = mean_flip_rate
            if effect.games:
                flip_rate = (effect.flips + 1) / (effect.games + 1)
            needed = max(MIN_GAMES_TO_SETTLE, GAMES_TO_SETTLE_ALONE * flip_rate)
            missing += max(needed - effect.games, effect.games)
        return ceil(missing)

    @property
    def missing_seconds(self) -> float | None:
        """About how many more seconds would settle the undecided steps, None if not known."""
        return self.missing_games / self.speed if self.speed else None

    def estimate_joint_effect(self, effect: ParameterEffect) -> Estimate | None:
        """Return the estimate of group screening in an interval that holds together with all."""
        joint = effect.joint_effect
        if joint is None:
            return None
        margin = estimates.two_sided_z(self.level) * joint.standard_error
        low, high = joint.value - margin, joint.value + margin
        return Estimate(
            joint.value,
            low,
            high,
            joint.games,
            self.confidence,
        )

    def is_joint_effect_better(self, effect: ParameterEffect) -> bool:
        """Return whether group screening knows an effect better than games of the step alone."""
        joint = self.estimate_joint_effect(effect)
        return joint is not None and joint.half_width < self.estimate_difference(effect).half_width

    def choose_better_estimate(self, effect: ParameterEffect) -> Estimate:
        """Return the estimate of an effect, alone or jointly, whose interval is narrower."""
        joint = self.estimate_joint_effect(effect)
        if joint and self.is_joint_effect_better(effect):
            return joint
        return self.estimate_difference(effect)

    def describe_source(self, effect: ParameterEffect) -> str:
        """Return `ALONE` or `JOINTLY`: by which games the better estimate is."""
        return JOINTLY if self.is_joint_effect_better(effect) else ALONE

    @property
    def unsettled_share(self) -> float:
        """Share of the steps of which it is not known whether they matter."""
        return len(self.undecided) / len(self.effects) if self.effects else 0.0

    @property
    def is_conclusive(self) -> bool:
        """True if enough was played to tell which numbers matter."""
        return self.unsettled_share <= MAX_UNSETTLED_SHARE

    def estimate_games_to_conclude(self) -> int:
        """Return about how many games a step would be needed to settle all but a few steps.

        The games of the undecided steps would have to grow until the chance of an effect as large
        as the smallest one that is sought fits beside their present flips.
        """
        needed = []
        for effect in self.undecided:
            flip_share = (effect.flips + 1) / (effect.games + 2)
            needed.append(UNSETTLED_ERRORS**2 * flip_share / SMALLEST_EFFECT**2)
        n_allowed = int(MAX_UNSETTLED_SHARE * len(self.effects))
        ranked = sorted(needed, reverse=True)[n_allowed:]
        return round(max(ranked, default=0.0))

    def get_outer_bound(self, effect: ParameterEffect) -> float:
        """Return the largest absolute effect in its interval, or in the joint one if smaller."""
        bound = get_farthest_bound(self.estimate_difference(effect))
        joint = self.estimate_joint_effect(effect)
        return min(bound, get_farthest_bound(joint)) if joint else bound

    def is_bounded_by_joint_effect(self, effect: ParameterEffect) -> bool:
        """Return whether group screening gives the smaller bound."""
        own_bound = get_farthest_bound(self.estimate_difference(effect))
        return self.get_outer_bound(effect) < own_bound

    def _select_paths(self, holds: Callable[[ParameterEffect], bool]) -> list[str]:
        """Return the paths of parameters for all of whose steps a condition holds."""
        by_path: dict[str, bool] = {}
        for effect in self.effects:
            by_path[effect.path] = by_path.get(effect.path, True) and holds(effect)
        return [path for path, all_hold in by_path.items() if all_hold]


@lru_cache(10_000)  # many steps have the same few flips
def _get_bounds(
    games: int,
    gained: int,
    lost: int,
    error: float,
) -> tuple[float, float]:
    low, high = PairedBounds(games, gained, lost).bounds(error)
    return float(low), float(high)


def get_farthest_bound(estimate: Estimate) -> float:
    """Return the largest absolute value in an interval around zero."""
    return max(-estimate.low, estimate.high)


def count_steps(cell: Variant) -> int:
    """Return the number of steps of all parameters of a variant."""
    return len(_list_steps(cell)[0])


def choose_seconds(cell: Variant) -> float:
    """Return the default time limit, in which most effects are found."""
    n_steps = 0
    for path, parameter in cell.parameters.items():
        n_steps += len(list_step_values(parameter, cell.values[path]))
    return DEFAULT_SECONDS if n_steps <= MANY_STEPS else 2 * DEFAULT_SECONDS


def analyze_sensitivity(
    cell: Variant,
    effort: Effort,
    seconds: float | None = DEFAULT_SECONDS,
    progress: Progress = ignore_progress,
    total: int | None = None,
) -> SensitivityAnalysis:
    """Return the effects of moving each parameter of the variant one step.

    Args:
        cell: The variant.
        effort: Seed, threads, confidence, and the most games of one step.
        seconds: Time limit, or None.
        progress: Notified of the share that is done.
        total: Limit of all games together, instead of a time limit; then nothing depends on the
            speed of the machine.
    """
    steps, unvaried = _list_steps(cell)
    effort = effort.resolve_seed(None)
    steady_cell = with_steady(cell)
    main_share = 1 - LEADING_STEADY_SHARE if steady_cell else 1.0
    budget = _make_budget(seconds, total, main_share)
    runner = PairedRunner(
        cell,
        effort,
        budget,
        progress,
    )
    screening = Screening(runner)
    effects = screening.run(steps)
    speed = runner.speed
    if budget.spent_games and budget.elapsed:
        speed = budget.spent_games / budget.elapsed
    analysis = SensitivityAnalysis(
        cell,
        effort.seed,
        effort.confidence,
        [effect for effect in effects if not effect.refusal],
        [effect for effect in effects if effect.refusal],
        unvaried,
        runner.base_games,
        screening.interrupted,
        looks=MAX_LOOKS if seconds or total is not None else 1,
        speed=speed if seconds else 0.0,
        base_rate=runner.estimate_base_rate(),
    )
    if steady_cell and not screening.interrupted:
        budget = _make_budget(seconds, total, 1 - main_share)
        steady_runner = PairedRunner(
            steady_cell,
            effort,
            budget,
            progress,
        )
        leading = [effect.parameter for effect in analysis.significant[:LEADING_COUNT]]
        for effect in steady_runner.run(leading):
            if effect.games:
                analysis.steady_effects[effect.parameter.key] = effect
    return analysis


def _make_budget(
    seconds: float | None,
    total: int | None,
    share: float,
) -> Budget:
    return Budget(
        seconds * share if seconds else None,
        None if total is None else int(total * share),
    )


def _list_steps(cell: Variant) -> tuple[list[PerturbedParameter], list[str]]:
    """Return all steps of the variant, and the paths of parameters without a step.

    A step that rounding hides from the filled box is widened until the box changes.
    """
    steps, unvaried = [], []
    box = cell.box  # filling it takes long, so it is filled once
    for path, parameter in cell.parameters.items():
        now = cell.values[path]
        values = list_step_values(parameter, now)
        for value in values:
            effective = find_effective_value(cell, parameter, value, box)
            steps.append(PerturbedParameter(path, now, effective))
        if not values:
            unvaried.append(path)
    return steps, unvaried
