"""Evaluate what training found, in games that had no part in training or in selection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardmode.studies.core.skill_levels import STEADY
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.training.evaluation import (
    SCORE,
    SEAT_SHARE,
    WIN_VALUE,
    WORST,
    Outcomes,
    SeatAssignment,
    Weights,
)
from hardmode.studies.training.optimizer import (
    CHOOSE,
    FINAL_FACTOR,
    MEASURE,
    SELECTION_FACTOR,
    TRAIN,
    UNUSED_DIVISOR,
    TrainingRun,
)
from hardmode.studies.training.train_values import ValueTraining

Training = TrainingRun | ValueTraining  # with weights, or players, as candidates

POOL = "the pool"
START, TRAINED = 0, 1


@dataclass(frozen=True)
class FinalEvaluation:
    """How good a trained player is, beside its start.

    Attributes:
        start: Share of games won at the start.
        trained: Share of games won after training.
        gain: Difference of these two.
        change: Gain in something else, where that decides.
        change_unit: Name of that.
        overfit: Share won in games trained on less that in others.
        head_to_head: Share of all wins, by the name of the rivals.
        unused_weights: Weights that change no outcome.
        games: Number of games.
        scores: Mean score at the start and after training; none if the game has no score.
    """

    start: Estimate
    trained: Estimate
    gain: Estimate
    change: Estimate | None
    change_unit: str
    overfit: Estimate
    head_to_head: dict[str, Estimate]
    unused_weights: list[str]
    games: int
    scores: tuple[Estimate, ...] = ()

    @property
    def goal_gain(self) -> Estimate:
        """The gain in the goal of the training."""
        return self.change or self.gain


def evaluate_trained(training: Training, trained: Any) -> FinalEvaluation:
    """Play the start and the trained weights on the same games.

    Args:
        training: A training that is finished.
        trained: The weights that it found, or the player.
    """
    pair, confidence = [training.start, trained], training.terms.confidence
    outcomes = training.play(pair, MEASURE, 0, FINAL_FACTOR * training.games_per_cell)
    cells = _select_cells(training, pair)
    won = [outcomes.won[i, cell].ravel().astype(np.int64) for i, cell in enumerate(cells)]
    rates = [estimates.wilson_rate(int(w.sum()), w.size, confidence) for w in won]
    change, unit = _estimate_goal_change(training, outcomes, cells, won)
    scores = []
    if training.evaluator.game.scored:
        values = outcomes.compute_goal_values(SCORE)
        scores = [estimate_mean(values[i, cell], confidence) for i, cell in enumerate(cells)]
    return FinalEvaluation(
        rates[START],
        rates[TRAINED],
        estimate_gain(won[START], won[TRAINED], confidence),
        change,
        unit,
        _estimate_overfit(training, trained, outcomes),
        _play_head_to_head(training, trained),
        _find_unused_weights(training, trained) if isinstance(training, TrainingRun) else [],
        won[START].size,
        tuple(scores),
    )


def _select_cells(training: Training, pair: Sequence[Any]) -> list[slice]:
    """Return the cells that count for each candidate: all, or the worst in other games."""
    if training.terms.over != WORST:
        return [slice(None)] * len(pair)
    outcomes = training.play(pair, CHOOSE, 0, SELECTION_FACTOR * training.games_per_cell)
    by_cell = outcomes.compute_goal_values(training.terms.goal).sum(axis=2)
    return [slice(worst, worst + 1) for worst in by_cell.argmin(axis=1).tolist()]


def estimate_gain(before: np.ndarray, after: np.ndarray, confidence: float) -> Estimate:
    """Return the gain in the share of games won, from whether each game was won.

    Args:
        before: 1 for each game that was won before, else 0.
        after: The same for the same games after.
        confidence: Confidence of the interval.
    """
    both = int((before & after).sum())
    only_after, only_before = int(after.sum()) - both, int(before.sum()) - both
    neither = before.size - both - only_after - only_before
    return estimates.newcombe_paired_difference(both, only_after, only_before, neither, confidence)


def _estimate_goal_change(
    training: Training,
    outcomes: Outcomes,
    cells: Sequence[slice],
    won: Sequence[np.ndarray],
) -> tuple[Estimate | None, str]:
    """Return the gain in score or in the seat's share, if that is the goal, and its name.

    Where both win the same games, the score decides.
    """
    goal, confidence = training.terms.goal, training.terms.confidence
    if goal == SEAT_SHARE:
        change = estimate_mean_change(outcomes.compute_goal_values(SEAT_SHARE), cells, confidence)
        return _divide(change, WIN_VALUE), "the seat's share"
    wins_the_same = bool((won[START] == won[TRAINED]).all())
    if goal == SCORE or (training.evaluator.game.scored and wins_the_same):
        return estimate_mean_change(outcomes.compute_goal_values(SCORE), cells, confidence), "score"
    return None, ""


def estimate_mean_change(values: np.ndarray, cells: Sequence[slice], confidence: float) -> Estimate:
    """Return the mean change of a value, in the cells that count for each candidate."""
    change = (values[TRAINED, cells[TRAINED]] - values[START, cells[START]]).ravel()
    return estimate_mean(change, confidence)


def estimate_mean(values: np.ndarray, confidence: float) -> Estimate:
    """Return the mean of whole numbers with its interval."""
    total, squares = int(values.sum()), int((values * values).sum())
    return estimates.student_t_mean(values.size, total, squares, confidence)


def _estimate_overfit(training: Training, trained: Any, outcomes: Outcomes) -> Estimate:
    """Return how much more is won in the last games of training, against the usual rivals.

    Args:
        training: A training that is finished.
        trained: The weights that it found.
        outcomes: Outcomes of the final games.
    """
    stop = max(1, training.generations) * training.games_per_cell
    start = max(0, stop - SELECTION_FACTOR * training.games_per_cell)
    seen = training.play([trained], TRAIN, start, stop).won
    unseen = outcomes.won[TRAINED]
    return estimates.newcombe_difference(
        int(seen.sum()), seen.size, int(unseen.sum()), unseen.size, training.terms.confidence
    )


def _play_head_to_head(training: Training, trained: Any) -> dict[str, Estimate]:
    """Return the share of all wins against the pool and `steady`, where seats compete."""
    task = training.task
    if not task.has_rivals:
        return {}
    rivals = {}
    if len(training.pool) > 1:
        rivals[POOL] = [place for places in training.pool[1:] for place in places]
    if task.steady:
        rivals[STEADY] = task.assign_seats(task.steady)
    return {
        name: _estimate_win_share(
            training, trained, [place for place in places if place.cell.players > len(place.seats)]
        )
        for name, places in rivals.items()
    }


def _estimate_win_share(
    training: Training, trained: Any, places: Sequence[SeatAssignment]
) -> Estimate:
    total = SELECTION_FACTOR * training.games_per_cell * len(training.own)
    outcomes = training.play([trained], MEASURE, 0, max(1, total // len(places)), places)
    shares = outcomes.compute_goal_values(SEAT_SHARE)[outcomes.winners > 0]
    confidence = training.terms.confidence
    if not shares.size:
        return Estimate(float("nan"), 0.0, 1.0, 0, confidence)
    return _divide(estimate_mean(shares, confidence), WIN_VALUE)


def _find_unused_weights(training: TrainingRun, trained: Weights) -> list[str]:
    """Return the weights that change no outcome, however far they are shifted."""
    space = training.space
    candidates = [trained]
    for i in range(len(space.free)):
        candidates += space.shift_weights(trained, i)
    games = max(1, training.games_per_cell // UNUSED_DIVISOR)
    hashes = training.play(candidates, MEASURE, 0, games).outcome_hashes
    is_same = (hashes[1:] == hashes[0]).all(axis=(1, 2)).reshape(-1, 2).all(axis=1)
    return [space.names[i] for i in space.free[is_same].tolist()]


def _divide(estimate: Estimate, unit: int) -> Estimate:
    return Estimate(
        estimate.value / unit,
        estimate.low / unit,
        estimate.high / unit,
        estimate.n,
        estimate.confidence,
    )
