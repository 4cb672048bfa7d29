"""Screening: find the parameters that can affect the win rate, and drop the others early.

Five methods follow each other, each on what the earlier ones left open:

1. Group tests. Several parameters are changed at once. If not one game changes in any way (options
   taken, draws, ending), none of the parameters changed it, whatever the signs of their effects. As
   two changes might undo each other, each is tested in two groups, and no two share both groups.
2. Ends of ranges. Parameters of which no step changed a game are moved, in groups again, as far as
   is plausible. Only those that change no game there either are reported to be without effect.
3. Sequential extension. Steps that changed no game so far get more games.
4. Group screening (`group_screening`). If more steps change games than can be played one at a
   time, they are estimated jointly. Negligible steps are set aside, significant ones are confirmed.
5. Sequential looks. The remaining steps are played one at a time until each is significant or
   cannot have an effect of `SMALLEST_EFFECT`.

A step that is set aside may be missed but is never reported as significant. All intervals account
for the number of looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from math import ceil

import numpy as np

from hardmode.scenarios.parameter import SETUP
from hardmode.studies.core.budget import Stopwatch
from hardmode.studies.sensitivity import group_screening
from hardmode.studies.sensitivity.group_screening import GroupScreening, JointEffect
from hardmode.studies.sensitivity.paired_effects import (
    MAX_FIRST_PASS_GAMES,
    PATIENCE,
    PairedRunner,
    ParameterEffect,
    PerturbedParameter,
    group_by_path,
)
from hardmode.studies.sensitivity.steps import get_farthest_value
from hardmode.studies.stats.bounds import PairedBounds, RateBounds
from hardmode.studies.stats.estimates import two_sided_z
from hardmode.studies.stats.multiple_testing import benjamini_hochberg

SMALLEST_EFFECT = 0.03  # change of the win rate that must not be missed
MISS_RATE = 0.02  # chance to give up, at one look, a step with the smallest effect
MISS_ERRORS = two_sided_z(1 - 2 * MISS_RATE)  # the standard errors that correspond to it
MAX_LOOKS = 9  # how often each step is judged
GROWTH = 2  # factor by which its games grow from look to look
GROUP_SIZE = 8  # parameters in a group of the first group test
LARGE_GROUP_SIZE = 40  # parameters in a group of the second group test
FIRST_PASS_SHARE = 0.1  # share of the budget for the first pass
MIN_FIRST_PASS_GAMES = 20
FIRST_TEST_END = 0.25  # share of the time at which the first group test ends
EXTENSION_END = 0.35  # share of the budget at which the extension of inactive steps ends
SECOND_TEST_END = 0.6  # share of the time at which the second group test ends
FARTHEST_TEST_END = 0.7  # share of the time at which the test of the ends of ranges stops
JOINT_END = 0.88  # share of the budget at which group screening ends
GLANCE_GAMES = 10  # games that show most changes
GAMES_TO_SETTLE_ALONE = 7000  # games that settle one step alone if each of them flips
MIN_JOINT_STEPS = 100  # with fewer steps, group screening is no better than single play
PLAY_TO_FILL_RATIO = 2.5  # a box is played this many times as long as filling it takes
LEADING_COUNT = 10  # parameters that are reported first; each may have a step up and one down
JOINT_MARGIN = 0.6  # an effect may be this much smaller in group screening than alone


class Screening:
    """Screens all steps of all parameters of one variant.

    Args:
        runner: Plays the steps and holds their results.
    """

    def __init__(self, runner: PairedRunner) -> None:
        self.runner, self.effort = runner, runner.effort
        self.interrupted = False
        self.farthest_steps: list[PerturbedParameter] = []

    def run(self, steps: Sequence[PerturbedParameter]) -> list[ParameterEffect]:
        """Play all steps for as long as the budget allows, and return their effects.

        Ctrl-C ends the run early and sets `interrupted`.
        """
        try:
            self._run_stages(steps)
        except KeyboardInterrupt:
            self.interrupted = True
        return self.runner.get_effects([*steps, *self.farthest_steps])

    def _run_stages(self, steps: Sequence[PerturbedParameter]) -> None:
        runner = self.runner
        parameters = list(group_by_path(steps).values())
        games = runner.choose_first_pass_games(len(steps), FIRST_PASS_SHARE, MIN_FIRST_PASS_GAMES)
        groups = [parameters[i : i + GROUP_SIZE] for i in range(0, len(parameters), GROUP_SIZE)]
        suspects = self._test_groups(groups, games, FIRST_TEST_END)
        runner.play_to([(step, games) for step in suspects], "first pass", PATIENCE)

        inactive = [group for group in parameters if self._is_inactive(group)]
        # Members of one small group go to different large groups: at least `GROUP_SIZE` groups.
        group_count = max(GROUP_SIZE, ceil(len(inactive) / LARGE_GROUP_SIZE))
        groups = [inactive[i::group_count] for i in range(group_count)]
        test_games = max(games, min(MAX_FIRST_PASS_GAMES, self.effort.games))
        suspects = self._test_groups(groups, test_games, SECOND_TEST_END)
        for step in suspects:
            runner.forget_inferred(step)
        runner.play_to([(step, games) for step in suspects], "first pass", PATIENCE)

        silent: list[PerturbedParameter] = []
        for group in parameters:
            if self._is_inactive(group):
                silent += group
        self._test_farthest_values(silent, games)
        effects = runner.get_effects([*steps, *self.farthest_steps])
        live = [e.parameter for e in effects if e.games and not e.is_inferred]
        if runner.budget.seconds or runner.budget.games is not None:
            self._extend_inactive(live)
            self._screen_jointly([step for step in live if runner.get_effect(step).games_changed])
            self._refine(live)
        runner.refine_widest(live)

    def _test_farthest_values(self, silent: Sequence[PerturbedParameter], games: int) -> None:
        """Move parameters whose steps changed no game to the ends of their plausible ranges.

        Only parameters that change no game there either are without effect.

        Args:
            silent: Their steps.
            games: Games of each value in the first pass.
        """
        runner = self.runner
        for step in silent:
            parameter = runner.cell.parameters[step.path]
            value = get_farthest_value(parameter, step.before, step.after)
            if runner.is_playable(step) and value != step.after:
                farthest = PerturbedParameter(step.path, step.before, value, is_farthest=True)
                self.farthest_steps.append(farthest)
        groups = [*group_by_path(self.farthest_steps).values()]
        test_games = max(games, min(MAX_FIRST_PASS_GAMES, self.effort.games))
        bundles = [groups[i : i + GROUP_SIZE] for i in range(0, len(groups), GROUP_SIZE)]
        suspects = self._test_groups(bundles, test_games, FARTHEST_TEST_END)
        runner.play_to([(step, games) for step in suspects], "first pass", PATIENCE)
        inactive = [step for step in suspects if not runner.get_effect(step).games_changed]
        jobs = [(step, test_games) for step in inactive]
        runner.play_to(jobs, "ends of ranges", FARTHEST_TEST_END)

    def _test_groups(
        self,
        groups: Sequence[Sequence[Sequence[PerturbedParameter]]],
        games: int,
        time_share: float,
    ) -> list[PerturbedParameter]:
        """Play each group of parameters as one change, and return the steps that may be active.

        For all other steps it is recorded that none of `games` games changed.

        Args:
            groups: Groups of parameters, each with all its steps. The first steps of all parameters
                of a group are taken together, then the second ones, and so on.
            games: Games of each group.
            time_share: Share of the time limit at which to stop.
        """
        runner = self.runner
        tests = []
        for group in groups:
            for members in zip_longest(*group):
                steps = [step for step in members if step]
                tests.append((_combine_steps(steps), steps))
        for goal in (min(GLANCE_GAMES, games), games):
            unchanged = [box for box, _ in tests if not runner.get_effect(box).games_changed]
            runner.play_to([(box, goal) for box in unchanged], "groups of numbers", time_share)
        suspects: list[PerturbedParameter] = []
        for box, steps in tests:
            effect = runner.get_effect(box)
            if effect.games != games or effect.games_changed:
                suspects += steps
                continue
            for step in steps:
                if runner.is_playable(step) and runner.get_effect(step).games < games:
                    runner.record_no_change(step, games, effect.base_wins)
        return suspects

    def _is_inactive(self, steps: Sequence[PerturbedParameter]) -> bool:
        """Return whether some step of a parameter was played and none changed a game."""
        effects = self.runner.get_effects(steps)
        was_played = any(effect.games for effect in effects)
        return was_played and not any(effect.games_changed for effect in effects)

    def _extend_inactive(self, live: Sequence[PerturbedParameter]) -> None:
        """Add games to steps that changed none, until they do or are negligible."""
        while not self._is_share_spent(EXTENSION_END):
            inactive = []
            for effect in self.runner.get_effects(live):
                is_open = not effect.games_changed and not is_negligible(effect)
                if is_open and effect.games < self.effort.games:
                    inactive.append(effect.parameter)
            if not self.runner.extend(inactive, GROWTH):
                break

    def _screen_jointly(self, active: Sequence[PerturbedParameter]) -> None:
        """Estimate all undecided steps by group screening while that needs fewer games.

        Choices at set-up stay as they are.
        """
        steps = [step for step in self._list_undecided(active) if not step.path.startswith(SETUP)]
        games, cost = self._choose_games_per_box()
        budget = self.runner.budget
        needed = group_screening.count_min_boxes(len(steps)) * cost
        if self._is_single_play_cheaper(steps):
            return
        if needed > budget.estimate_remaining_games(self.runner.speed):
            return
        candidates = [(step.path, step.after) for step in steps]
        design = GroupScreening(
            self.runner.runner,
            candidates,
            self.effort.games,
            games,
        )
        still_active = steps
        while not (self._is_single_play_cheaper(still_active) or self._is_share_spent(JOINT_END)):
            design.play_batch(is_jointly_negligible)
            budget.spend(group_screening.BATCH_BOXES * cost)
            self.runner.report_progress("many numbers at once", budget.share_spent)
            still_active = [steps[i] for i in np.flatnonzero(design.active)]
        for step, effect in zip(steps, design.estimate_effects(), strict=True):
            self.runner.record_joint_effect(step, effect)

    def _is_single_play_cheaper(self, steps: Sequence[PerturbedParameter]) -> bool:
        """Return whether steps can be settled one at a time within the rest of the budget."""
        if len(steps) < MIN_JOINT_STEPS:
            return True
        flip_rates = [(e.flips + 1) / (e.games + 1) for e in self.runner.get_effects(steps)]
        needed = GAMES_TO_SETTLE_ALONE * sum(flip_rates)
        return needed < self.runner.budget.estimate_remaining_games(self.runner.speed)

    def _choose_games_per_box(self) -> tuple[int, int]:
        """Return the games of a box in group screening, and its cost in games with filling it."""
        if self.runner.budget.seconds is None:
            default = group_screening.DEFAULT_GAMES_PER_BOX
            return default, default
        own = self.runner.own
        stopwatch = Stopwatch()
        own.game.fill_box(own.numbers)
        fill_cost = self.runner.speed * stopwatch.elapsed
        low, high = group_screening.MIN_GAMES_PER_BOX, group_screening.MAX_GAMES_PER_BOX
        games = int(np.clip(PLAY_TO_FILL_RATIO * fill_cost, low, high))
        return games, games + int(fill_cost)

    def _refine(self, live: Sequence[PerturbedParameter]) -> None:
        """Play undecided steps one at a time, first those whose estimates are reported.

        First come the steps that group screening skipped and those with the largest effects.
        """
        significant = [e for e in self._select_significant(live) if e.joint_effect]
        significant.sort(key=lambda effect: effect.magnitude, reverse=True)
        first = {effect.parameter for effect in significant[: 2 * LEADING_COUNT]}
        for effect in self.runner.get_effects(live):
            if not effect.joint_effect:
                first.add(effect.parameter)
        error = (1 - self.effort.confidence) / (MAX_LOOKS * max(1, len(live)))
        self._run_sequential_looks([step for step in live if step in first], error)
        self._run_sequential_looks([step for step in live if step not in first], error)

    def _run_sequential_looks(self, steps: Sequence[PerturbedParameter], error: float) -> None:
        """Double the games of each open step at each look, undecided steps first.

        Args:
            steps: The steps to play.
            error: P-value at which a step gets no more games.
        """
        for _ in range(MAX_LOOKS - 2):
            undecided = set(self._list_undecided(steps))
            going = []
            for effect in self.runner.get_effects(steps):
                is_open = effect.p_value > error and not is_negligible(effect)
                if is_open and effect.games < self.effort.games:
                    going.append(effect)
            if self.runner.is_out_of_time():
                break
            going.sort(key=lambda effect: (effect.parameter not in undecided, -effect.width))
            if not self.runner.extend([effect.parameter for effect in going], GROWTH):
                break

    def _list_undecided(self, steps: Sequence[PerturbedParameter]) -> list[PerturbedParameter]:
        """Return the steps that are neither significant nor negligible."""
        significant = {effect.parameter for effect in self._select_significant(steps)}
        undecided = []
        for effect in self.runner.get_effects(steps):
            if effect.parameter not in significant and not is_negligible(effect):
                undecided.append(effect.parameter)
        return undecided

    def _select_significant(self, steps: Sequence[PerturbedParameter]) -> list[ParameterEffect]:
        effects = self.runner.get_effects(steps)
        return select_significant(effects, 1 - self.effort.confidence, MAX_LOOKS)

    def _is_share_spent(self, share: float) -> bool:
        """Return whether a share of the budget is spent."""
        return self.runner.budget.share_spent >= share


def select_significant(
    effects: Sequence[ParameterEffect],
    error: float,
    looks: int,
) -> list[ParameterEffect]:
    """Return the effects on the win rate that are significant at a false discovery rate.

    A step that took part in group screening has two p-values; the smaller one counts, doubled.

    Args:
        effects: The effects of all steps.
        error: Expected share of steps without effect among those returned, at most.
        looks: Number of times that each step may have been judged (Bonferroni).
    """
    tested = [e for e in effects if e.games_changed or e.joint_effect]
    p_values = []
    for effect in tested:
        p = looks * effect.p_value
        if effect.joint_effect:
            p = 2 * min(p, effect.joint_effect.p_value)
        p_values.append(min(1.0, p))
    rejected = benjamini_hochberg(p_values, error)
    return [effect for effect, is_rejected in zip(tested, rejected, strict=True) if is_rejected]


def is_negligible(effect: ParameterEffect) -> bool:
    """Return whether a step can hardly change the win rate by `SMALLEST_EFFECT`."""
    if not effect.games:
        return False
    if is_jointly_negligible(effect.joint_effect):
        return True
    if flips_exclude_effect(effect.flips, effect.games):
        return True
    pairs = PairedBounds(effect.games, effect.wins_gained, effect.wins_lost)
    return bool(pairs.is_within(-SMALLEST_EFFECT, SMALLEST_EFFECT, MISS_RATE))


def is_jointly_negligible(effect: JointEffect | None) -> bool:
    """Return whether group screening shows that a step has hardly any effect."""
    if effect is None:
        return False
    return effect.is_negligible(JOINT_MARGIN * SMALLEST_EFFECT, MISS_ERRORS)


def flips_exclude_effect(flips: int, games: int) -> bool:
    """Return whether so few games flipped that `SMALLEST_EFFECT` is excluded for all signs.

    Uses the upper Clopper-Pearson bound of the share of flipped games.

    Example:
        >>> flips_exclude_effect(flips=0, games=60), flips_exclude_effect(flips=0, games=200)
        (False, True)
    """
    if flips >= games:
        return False
    _, bound = RateBounds(flips, games).bounds(MISS_RATE)
    return bool(bound < SMALLEST_EFFECT)


def _combine_steps(steps: Sequence[PerturbedParameter]) -> PerturbedParameter:
    """Return the change that takes all these steps at once."""
    return PerturbedParameter(
        "",
        None,
        None,
        {step.path: step.after for step in steps},
    )
