"""Group screening: estimate the effects of many steps at once from randomly perturbed boxes.

This is a random balance design (Satterthwaite 1959, Technometrics 1, 111-137): each box takes a
random subset of all steps, at most one step of each parameter, and the win rates of all boxes are
regressed on all steps at once. Steps are drawn independently, so their effects are not confounded
with each other, and every game informs every estimate. Standard errors are
heteroscedasticity-consistent (HC2; `studies.stats.regression`).

An effect estimated here is an average over perturbed boxes. It is close to the effect in the
unchanged box, but not the same, so it may exclude a step, never confirm one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from hardmode.scenarios.filling import BOX_ERRORS
from hardmode.scenarios.load import ScenarioError
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.run import Runner
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.studies.core.metric import is_won
from hardmode.studies.stats.regression import fit_least_squares_hc2

FIRST_STEPS_PER_BOX = 30  # mean steps taken in a box while strong ones are still among them
STEPS_PER_BOX = 90  # mean steps taken in a box afterwards
MAX_STEP_SHARE = 0.12  # largest share of boxes in which one step is taken
MAX_PARAMETER_SHARE = 0.5  # largest share of boxes in which one parameter is changed
MIN_GAMES_PER_BOX, MAX_GAMES_PER_BOX, DEFAULT_GAMES_PER_BOX = 12, 200, 25
BOXES_PER_STEP, MIN_BOXES = (
    2,
    1000,
)  # boxes needed before the first estimate: for each step, and in all
MIN_BOXES_WITH_STEP = 5  # boxes that must have taken a step before its effect is estimated
BATCH_BOXES = 250  # boxes drawn together
SIGNIFICANT_ERRORS = 4.5  # standard errors at which a step needs no more boxes


@dataclass(frozen=True)
class JointEffect:
    """Effect of a step on the win rate while random other steps are taken too.

    Attributes:
        value: Estimated change of the win rate.
        standard_error: Its standard error.
        games: Number of games in which the step was taken.
    """

    value: float
    standard_error: float
    games: int

    @property
    def p_value(self) -> float:
        """Two-sided p-value of the null hypothesis that the step has no effect."""
        from scipy.special import ndtr

        return 2 * float(ndtr(-abs(self.value) / self.standard_error))

    @property
    def is_significant(self) -> bool:
        """True if the effect is so far from zero that the step needs no more boxes."""
        return abs(self.value) > SIGNIFICANT_ERRORS * self.standard_error

    def is_negligible(self, limit: float, errors: float) -> bool:
        """Return whether the effect plus `errors` standard errors stays below `limit`.

        Example:
            >>> JointEffect(value=-0.004, standard_error=0.002, games=900).is_negligible(0.01, 2)
            True
        """
        return abs(self.value) + errors * self.standard_error < limit


class GroupScreening:
    """Random balance design over steps of many parameters.

    Args:
        runner: Plays the unchanged box; its engine, seed and backend are used.
        steps: The candidate steps, each a path and the value that it sets.
        first_game: Number of the first game to play.
        games_per_box: Games played with each box.
    """

    def __init__(
        self,
        runner: Runner,
        steps: Sequence[tuple[str, Any]],
        first_game: int,
        games_per_box: int,
    ) -> None:
        self.runner, self.steps = runner, steps
        self.first_game, self.games_per_box = first_game, games_per_box
        self.rng = np.random.default_rng(runner.seed)
        self.active = np.ones(len(steps), bool)  # steps that are still drawn
        self.boxes_drawn = 0
        self.min_boxes = self._next_look = count_min_boxes(len(steps))
        self.design = np.zeros((0, len(steps)), np.int8)  # (box, step)
        self.win_rates = np.zeros(0)  # of each box

    def play_batch(self, is_settled: Callable[[JointEffect], bool]) -> None:
        """Draw and play `BATCH_BOXES` boxes.

        From time to time all effects are estimated. A step is no longer drawn once its effect is
        settled or significant.

        Args:
            is_settled: Tells whether an estimate needs no more boxes.
        """
        self._play_boxes(self._draw_design())
        if self.win_rates.size < self._next_look:
            return
        for i, effect in enumerate(self.estimate_effects()):
            if effect and (is_settled(effect) or effect.is_significant):
                self.active[i] = False
        self._next_look += MIN_BOXES

    def estimate_effects(self) -> list[JointEffect | None]:
        """Return the effect of each step, or None if too few boxes were played."""
        if self.win_rates.size < self.min_boxes:
            return [None] * len(self.steps)
        values, errors = self._fit()
        games = self.design.sum(axis=0, dtype=int) * self.games_per_box
        effects: list[JointEffect | None] = []
        for value, error, count in zip(
            values.tolist(),
            errors.tolist(),
            games.tolist(),
            strict=True,
        ):
            effects.append(JointEffect(value, error, count) if isfinite(error) else None)
        return effects

    def _play_boxes(self, rows: np.ndarray) -> None:
        jobs = []
        for i, row in enumerate(rows):
            box = dict(self.steps[k] for k in np.flatnonzero(row).tolist())
            start = self.first_game + (self.boxes_drawn + i) * self.games_per_box
            jobs.append((self.runner.engine, (self.runner.seed, start, self.games_per_box, box)))
        wins = list(self.runner.backend.map_jobs(count_wins_with, jobs))
        self.boxes_drawn += len(rows)
        played = [i for i, count in enumerate(wins) if count is not None]
        self.design = np.concatenate([self.design, rows[played]])
        rates = [wins[i] / self.games_per_box for i in played]
        self.win_rates = np.concatenate([self.win_rates, rates])

    def _draw_design(self) -> np.ndarray:
        """Return which steps are taken in each box of a batch, at most one of each parameter."""
        rows = np.zeros((BATCH_BOXES, len(self.steps)), np.int8)
        is_first = self.win_rates.size < self.min_boxes
        steps_per_box = FIRST_STEPS_PER_BOX if is_first else STEPS_PER_BOX
        share = min(MAX_STEP_SHARE, steps_per_box / max(1, self.active.sum()))
        for steps in self._group_active_steps():
            step_share = min(share, MAX_PARAMETER_SHARE / len(steps))
            drawn = (self.rng.random(BATCH_BOXES) / step_share).astype(int)
            is_taken = drawn < len(steps)
            rows[is_taken, steps[drawn[is_taken]]] = 1
        return rows

    def _group_active_steps(self) -> list[np.ndarray]:
        """Return the active steps of each parameter, as indices."""
        by_path: dict[str, list[int]] = {}
        for i in np.flatnonzero(self.active).tolist():
            by_path.setdefault(self.steps[i][0], []).append(i)
        return [np.array(steps) for steps in by_path.values()]

    def _fit(self) -> tuple[np.ndarray, np.ndarray]:
        """Return least-squares effects and their standard errors, infinite if unknown."""
        values, errors = np.zeros(len(self.steps)), np.full(len(self.steps), np.inf)
        taken_in = self.design.sum(axis=0, dtype=int)
        fitted = np.flatnonzero(taken_in >= MIN_BOXES_WITH_STEP)
        intercept = np.ones(self.win_rates.size, np.int8)
        x = np.column_stack([intercept, self.design[:, fitted]]).astype(np.float32)
        coefficients, standard_errors = fit_least_squares_hc2(x, self.win_rates)
        values[fitted], errors[fitted] = coefficients[1:], standard_errors[1:]
        return values, errors


def count_min_boxes(steps: int) -> int:
    """Return the number of boxes needed before the effects of `steps` steps are estimated."""
    return max(MIN_BOXES, BOXES_PER_STEP * steps)


def count_wins_with(
    engine: Engine,
    workspace: Workspace,
    seed: int,
    start: int,
    games: int,
    numbers: Mapping[str, Any],
) -> int | None:
    """Return the number of wins with `numbers` overriding the box, or None if they are rejected.

    Args:
        engine: The game with the unchanged box.
        workspace: Buffers of the thread that plays.
        seed: Seed of the games.
        start: Number of the first game.
        games: Number of games to play.
        numbers: New values of some parameters, by path.
    """
    try:
        box = engine.game.fill_box({**engine.numbers, **numbers})
    except (*BOX_ERRORS, ScenarioError):
        return None
    rows = allocate_rows(engine.game, games)
    Engine(engine.game, box, engine.players).play(
        workspace,
        seed,
        start,
        start + games,
        rows,
    )
    return int(is_won(engine.game, np.asarray(rows)).sum())
