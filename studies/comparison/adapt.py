"""Effect of a change before and after players adapt: each side is trained for its own rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np

from hardmode.scenarios.load import Scenario, StrategySpec
from hardmode.scenarios.strategy import parse_strategy
from hardmode.sim.files import atomic_files
from hardmode.sim.messages import LOGGER
from hardmode.sim.play.player import Player
from hardmode.strategies import registry
from hardmode.studies.comparison.compare import require_same_shape
from hardmode.studies.core.progress import Progress, ignore_progress, subprogress
from hardmode.studies.core.run import Effort, make_player
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.training.evaluation import CandidateEvaluator, assign_seats
from hardmode.studies.training.optimizer import TooLittleTimeError
from hardmode.studies.training.result import ExistingPlayer, TrainingResult
from hardmode.studies.training.search_space import TrainingError
from hardmode.studies.training.train import train

REPEATS = 3  # trainings for each side
SECONDS = 60.0  # of all trainings together
GENERATIONS_AT_LEAST = 2  # of a training, if the time does not suffice for one
A, B = 0, 1
SCALE = 1e9  # of the means of repeats, which are summed as whole numbers
Training = TrainingResult | ExistingPlayer


@dataclass(frozen=True)
class TrainedWeight:
    """A weight as training for A and for B leaves it, as means over the repeats."""

    weight: str
    a: float
    b: float
    share: float  # of the change, in units of the larger of the two


@dataclass(frozen=True)
class Adaptation:
    """Players trained for A and for B, under the rules of A and of B.

    Attributes:
        won: Whether games were won, by rules, by what was trained for, by repeat and by game.
        weight_changes: The weights, the largest change first.
        trainings: The trainings for A and B, by repeat.
        confidence: Confidence of each interval.
        opponents: Who plays the other seats, where seats compete.
    """

    won: np.ndarray
    weight_changes: list[TrainedWeight]
    trainings: list[tuple[Training, Training]]
    confidence: float
    opponents: list[str] = field(default_factory=list)

    @property
    def repeats(self) -> int:
        """Number of trainings for each side."""
        return self.won.shape[2]

    @property
    def games(self) -> int:
        """Number of games of each player under each of the rules."""
        return self.won.shape[3]

    def estimate_win_rate(self, rules: int, trained_for: int) -> Estimate:
        """Return the win rate under the rules of A or B, of players trained for A or B.

        Args:
            rules: `A` or `B`.
            trained_for: `A` or `B`.
        """
        mean = self._estimate_mean(self.won[rules, trained_for].astype(float))
        return replace(mean, low=max(0.0, mean.low), high=min(1.0, mean.high))

    @property
    def improved_count(self) -> int:
        """Number of trainings that found better weights than those that they began with."""
        pairs = [training for pair in self.trainings for training in pair]
        return sum(isinstance(t, TrainingResult) and t.is_better for t in pairs)

    @property
    def fewest_generations(self) -> int:
        """Number of generations of the shortest training; 0 without trainings."""
        return min((t.generations for pair in self.trainings for t in pair), default=0)

    @property
    def direct_effect(self) -> Estimate:
        """Effect on players who still play as trained for A."""
        return self._estimate_change((B, A), (A, A))

    @property
    def adapted_effect(self) -> Estimate:
        """Effect when the players of B are trained for B."""
        return self._estimate_change((B, B), (A, A))

    @property
    def recovered(self) -> Estimate:
        """Difference that adapting makes: the effect after it less the direct one."""
        return self._estimate_change((B, B), (B, A))

    def _estimate_change(self, now: tuple[int, int], before: tuple[int, int]) -> Estimate:
        mean = self._estimate_mean(self.won[now].astype(float) - self.won[before])
        return replace(mean, low=max(-1.0, mean.low), high=min(1.0, mean.high))

    def _estimate_mean(self, values: np.ndarray) -> Estimate:
        """Return the mean over repeats and games.

        Both are samples, the trainings and the games, so the squares of their half-widths add up.
        """
        by_game = values.mean(axis=0)
        z = estimates.two_sided_z(self.confidence)
        game_half_width = z * by_game.std(ddof=1) / np.sqrt(self.games)
        half_width = hypot(game_half_width, self._estimate_training_half_width(values.mean(axis=1)))
        mean = float(values.mean())
        return Estimate(mean, mean - half_width, mean + half_width, self.games, self.confidence)

    def _estimate_training_half_width(self, means: np.ndarray) -> float:
        """Return the half-width of the mean of the repeats; 0 for a single one."""
        if self.repeats < 2:
            return 0.0
        scaled = [round(SCALE * mean) for mean in means.tolist()]
        squares = sum(x * x for x in scaled)
        mean = estimates.student_t_mean(self.repeats, sum(scaled), squares, self.confidence)
        return mean.half_width / SCALE


def compare_adapted(
    a: Scenario,
    b: Scenario,
    effort: Effort,
    *,
    base: StrategySpec | None = None,
    seconds: float | None = None,
    generations: int | None = None,
    files: Sequence[Path] = (),
    players_folder: Path | None = None,
    seat: int = 1,
    progress: Progress = ignore_progress,
) -> Adaptation:
    """Train players for A and for B, with equal budgets, and play both under both rules.

    Args:
        a: The first scenario.
        b: The second scenario, with the same number of cells.
        effort: Games, seed, threads and confidence.
        base: The strategy whose weights are trained; by default, that of the scenario.
        seconds: Time for all trainings together.
        generations: Number of generations of each training, instead of a time.
        files: Two player files, for A and B, to take instead of training.
        players_folder: Folder for the trained players; those found there are not trained again.
        seat: The seat that is trained, where seats compete.
        progress: Called as training goes on.
    """
    require_same_shape(a, b)
    effort = effort.resolve_seed(a)
    trainings: list[tuple[Training, Training]] = []
    if files:
        game = a.game.name
        players = [[make_player(game, parse_strategy(str(file)))] for file in files]
    else:
        terms: dict[str, Any] = {
            "seconds": None if generations else (seconds or SECONDS) / (2 * REPEATS),
            "generations": generations,
            "seat": seat,
            "threads": effort.threads,
        }
        try:
            trainings = _train_both(a, b, base, terms, effort.seed, players_folder, progress)
        except TooLittleTimeError as error:
            total = 2 * REPEATS * GENERATIONS_AT_LEAST * error.needed_seconds
            work = f"{REPEATS} trainings for each side take about {total:.0f} seconds"
            if seconds:
                raise TrainingError(
                    f"{seconds:g} seconds are too few to adapt: {work}; give --seconds {total:.0f}"
                ) from None
            LOGGER.warning("%s: a generation takes long in these games", work)
            terms["seconds"] = total / (2 * REPEATS)
            trainings = _train_both(a, b, base, terms, effort.seed, players_folder, progress)
        players = [[t.player for t in side] for side in zip(*trainings, strict=True)]
    won = [
        [[_play_trained(rules, player, effort, seat) for player in side] for side in players]
        for rules in (a, b)
    ]
    changes = _compare_weights(a.game.name, trainings, players, files)
    opponents = []
    if a.game.competitive:
        others = [spec for i, spec in enumerate(a.cells[0].strategies, 1) if i != seat]
        opponents = list(dict.fromkeys(map(str, others)))
    return Adaptation(np.array(won), changes, trainings, effort.confidence, opponents)


def _train_both(
    a: Scenario,
    b: Scenario,
    base: StrategySpec | None,
    terms: Mapping[str, Any],
    seed: int,
    folder: Path | None,
    progress: Progress,
) -> list[tuple[Training, Training]]:
    """Train for A and for B, `REPEATS` times, both with the same random draws.

    Args:
        a: The first scenario.
        b: The second scenario.
        base: The strategy whose weights are trained, or None.
        terms: Further arguments of `train`.
        seed: Seed of the first repeat.
        folder: Folder for the players, or None.
        progress: Called as training goes on.

    Returns:
        The trainings for A and B, by repeat.
    """
    if folder:
        with atomic_files.convert_os_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
    trainings = []
    for repeat in range(REPEATS):
        pair = []
        for side, rules in ((A, a), (B, b)):
            name = "ab"[side]
            title = f"training {repeat + 1} for {name.upper()}"
            step = subprogress(progress, 2 * repeat + side, 2 * REPEATS, title)
            out = folder / f"{name}-{repeat + 1}.yaml" if folder else None
            training = train(rules, base, **terms, seed=seed + repeat, out=out, progress=step)
            if training.interrupted:
                raise KeyboardInterrupt
            pair.append(training)
        trainings.append((pair[A], pair[B]))
    return trainings


def _play_trained(rules: Scenario, player: Player, effort: Effort, seat: int) -> np.ndarray:
    """Return whether a player at the trained seats wins, for each game of all cells."""
    places = []
    for cell in rules.cells:
        seats = (seat - 1,) if rules.game.competitive else tuple(range(cell.players))
        places.append(assign_seats(cell, player, seats))
    games = max(1, effort.games // len(places))
    first = effort.first_game
    evaluator = CandidateEvaluator(rules.game, effort.threads)
    outcomes = evaluator.play_candidates(
        places, [player.weights], effort.seed, first, first + games
    )
    return outcomes.won[0].ravel()


def _compare_weights(
    game: str,
    trainings: Sequence[tuple[Training, Training]],
    players: Sequence[Sequence[Player]],
    files: Sequence[Path],
) -> list[TrainedWeight]:
    """Return the weights by their change; none if the two sides have different weights."""
    if trainings:
        names = [list(training.weights) for training in trainings[0]]
    else:
        names = [list(registry.get_weights(game, str(file))) for file in files]
    if names[A] != names[B]:
        return []
    a_means, b_means = (np.mean([p.weights for p in side], axis=0) for side in players)
    changes = []
    for name, a, b in zip(names[A], a_means, b_means, strict=True):
        share = abs(b - a) / max(abs(a), abs(b), 1e-12)
        changes.append(TrainedWeight(name, float(a), float(b), float(share)))
    return sorted(changes, key=lambda change: -change.share)
