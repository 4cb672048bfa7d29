"""Result of a training, and the player file that certifies it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from hardmode.scenarios.load import StrategySpec
from hardmode.scenarios.strategy import MistakeModel
from hardmode.sim.draws import SCHEME
from hardmode.sim.play.player import Player
from hardmode.sim.results.result import collect_versions
from hardmode.strategies import random_play, registry
from hardmode.strategies.player_file import Certificate, LearnedValues, MeanScore, PlayerFile
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_rate, format_with_interval
from hardmode.studies.training.certificate_check import compute_certificate_digest
from hardmode.studies.training.evaluation import MEAN
from hardmode.studies.training.final_evaluation import START, TRAINED, FinalEvaluation
from hardmode.studies.training.optimizer import WEIGHTS, TrainingTask, TrainingTerms


@dataclass(frozen=True)
class TrainingResult:
    """Result of a training, measured in games that had no part in it.

    Attributes:
        task: Who was trained, and where.
        base: The strategy whose weights were tuned.
        terms: What the user asked for.
        start_weights: Weights before training, by name.
        trained_weights: Weights that training found.
        evaluation: How good they are.
        curve: Share won in games that were not trained on, by generation.
        generations: Number of generations.
        games: Number of games of all generations.
        seconds: Time that the training took.
        interrupted: True if the user interrupted.
        trained_player: The player that searches by learned values, if these were trained.
    """

    task: TrainingTask
    base: StrategySpec
    terms: TrainingTerms
    start_weights: dict[str, float]
    trained_weights: dict[str, float]
    evaluation: FinalEvaluation
    curve: dict[int, float]
    generations: int
    games: int
    seconds: float
    interrupted: bool
    trained_player: Player | None = None

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.task.scenario.game.name

    @property
    def scenario(self) -> str:
        """Name of the scenario."""
        return self.task.scenario.name

    @property
    def seats(self) -> tuple[int, ...]:
        """The trained seats of the first cell, numbered from 0."""
        return self.task.seats[0]

    @property
    def player(self) -> Player:
        """The trained player."""
        if self.trained_player and self.is_better:
            return self.trained_player
        return self.task.with_weights(tuple(self.weights.values()))

    @property
    def is_better(self) -> bool:
        """True if the gain is significant; otherwise the start's weights are kept."""
        return self.evaluation.goal_gain.low > 0

    @property
    def weights(self) -> dict[str, float]:
        """The weights of the trained player."""
        return self.trained_weights if self.is_better else self.start_weights

    @property
    def start(self) -> Estimate:
        """Share of games won before training."""
        return self.evaluation.start

    @property
    def gain(self) -> Estimate:
        """Gain in the share of games won, of the weights that training found."""
        return self.evaluation.gain

    @property
    def rate(self) -> Estimate:
        """Share of games that the trained player wins."""
        return self.evaluation.trained if self.is_better else self.start

    def __str__(self) -> str:
        return "\n".join(self._iterate_lines())

    __repr__ = __str__

    def _iterate_lines(self) -> Iterator[str]:
        evaluation, box = self.evaluation, self.task.scenario.cells[0].overlay_suffix
        worst = " in its worst cell" if self.terms.over != MEAN else ""
        yield (
            f"{self.base}{box} was trained on {self.games:,} games in {self.generations} "
            f"generation{'s' if self.generations != 1 else ''}. In {evaluation.games:,} games that "
            "it was not trained on, it wins "
            f"{format_rate(self.rate)}{worst}; before training it won {format_rate(self.start)}."
        )
        gain = f"{format_with_interval(self.gain, 'points')} points"
        if evaluation.change:
            change = format_with_interval(evaluation.change, "change")
            gain += f", {change} of {evaluation.change_unit}"
        if self.is_better:
            yield f"better than the start: {gain}"
        else:
            kept = "which is kept" if self.trained_player else "whose weights are kept"
            yield f"not significantly better than the start, {kept}: {gain}"
        yield from self.list_remarks()

    def list_remarks(self) -> Iterator[str]:
        """Yield sentences on overfitting, on games head to head, and on the weights."""
        evaluation = self.evaluation
        overfit = format_with_interval(evaluation.overfit, "points")
        yield f"overfitting: {overfit} points more in the games that it was trained on"
        for rivals, share in evaluation.head_to_head.items():
            yield f"head to head with {rivals} it has {format_rate(share)} of all wins"
        if evaluation.unused_weights:
            yield f"unused weights, which change no game: {', '.join(evaluation.unused_weights)}"
        changes = [
            f"{name} {self.start_weights[name]:g} -> {weight:g}"
            for name, weight in self.weights.items()
            if weight != self.start_weights[name]
        ]
        if changes:
            yield ", ".join(changes)

    def make_player_file(self, name: str, folder: Path) -> PlayerFile:
        """Return the player file, with its certificate.

        Args:
            name: Name of the player.
            folder: Folder of the file, to which paths in it are relative.
        """
        player, terms, evaluation = self.player, self.terms, self.evaluation
        values = None
        if player.values:
            values = LearnedValues.from_function(player.values, player.rollout_budget)
        mistakes = MistakeModel()
        if player.mistake_player:
            mistakes = MistakeModel(player.mistake_rate, player.mistake_player.name)
        score = None
        if evaluation.scores:
            mean = evaluation.scores[TRAINED if self.is_better else START]
            start = evaluation.scores[START].value
            score = MeanScore(mean=mean.value, low=mean.low, high=mean.high, start=start)
        certificate = Certificate(
            training=compute_training_digest(self.task, self.base, terms),
            scenario=self.scenario,
            goal=terms.goal,
            over=terms.over,
            **registry.compute_player_digests(self.game, player),
            outcomes=compute_certificate_digest(self.game, player),
            draws=SCHEME,
            seed=terms.seed,
            seat=self.seats[0] + 1 if len(self.seats) == 1 else 0,
            generations=self.generations,
            seconds=None,
            trained_on=self.games,
            measured_on=evaluation.games,
            rate=self.rate.value,
            low=self.rate.low,
            high=self.rate.high,
            start_rate=self.start.value,
            score=score,
            overfit=evaluation.overfit.value,
            against={rivals: share.value for rivals, share in evaluation.head_to_head.items()},
            curve={str(generation): won for generation, won in self.curve.items()},
            hardmode=collect_versions()["hardmode"],
        )
        return PlayerFile(
            player=name,
            game=self.game,
            base=_describe_base(self.game, self.base, folder),
            weights=self.weights,
            mistakes=mistakes,
            values=values,
            certificate=certificate,
        )


@dataclass(frozen=True)
class ExistingPlayer:
    """A player file that the same training wrote before; only its certificate was renewed."""

    file: PlayerFile
    path: Path
    interrupted = False

    @property
    def certificate(self) -> Certificate:
        """The certificate of the player."""
        assert self.file.certificate
        return self.file.certificate

    @property
    def weights(self) -> dict[str, float]:
        """The weights of the player."""
        return self.file.weights

    @property
    def generations(self) -> int:
        """Number of generations of the training."""
        return self.certificate.generations

    @property
    def player(self) -> Player:
        """The player."""
        return registry.create_player(self.file.game, str(self.path))

    def __str__(self) -> str:
        certificate = self.certificate
        rate, low, high = (100 * x for x in (certificate.rate, certificate.low, certificate.high))
        return (
            f"{self.path} was written by this training: {rate:.1f} % ({low:.1f} .. {high:.1f}) "
            f"after {certificate.generations} generations. It plays as it was certified, so it was "
            "not trained again, and its certificate was renewed. To train it again, change "
            "--generations or --seed."
        )

    __repr__ = __str__


def compute_training_digest(task: TrainingTask, base: StrategySpec, terms: TrainingTerms) -> str:
    """Return the digest of what a training was asked for.

    Time, generations and threads are not part of it: two commands that differ in these only do the
    same training.

    Args:
        task: Who is trained, and where.
        base: The strategy whose weights are tuned.
        terms: What the user asked for.
    """
    asked_for = asdict(replace(terms, seconds=None, generations=None, threads=0))
    if terms.method == WEIGHTS:
        del asked_for["method"], asked_for["trials"]  # which older digests do not have
    if not terms.rounds:
        del asked_for["rounds"]  # the same
    cells = [
        (
            cell.label_text,
            [str(strategy) for strategy in cell.strategies],
            {path: value for path, (_, value) in cell.changed_values.items()},
        )
        for cell in task.scenario.cells
    ]
    content = [task.scenario.name, cells, str(base), task.player.weights, asked_for]
    text = json.dumps(content, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _describe_base(game: str, base: StrategySpec, folder: Path) -> str:
    """Return the name of the base strategy as a player file in a folder has it."""
    name = registry.find_base_strategy(game, base.full_name)
    file, colon, function = name.rpartition(":")
    if file.endswith(".py"):
        name = f"{os.path.relpath(file, folder)}{colon}{function}"
    if not base.search:
        return name
    return f"search:{base.playouts or random_play.DEFAULT_PLAYOUTS}:{name}"
