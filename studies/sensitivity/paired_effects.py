"""Paired effects: each change of a variant, played on the same random draws as the variant itself.

With common random numbers, a game differs from its counterpart only where the change makes it
differ, so few games show an effect. Changes with the widest intervals get more games. Only the
width of an interval decides, never the sign or the size of the effect, so that the intervals stay
valid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

import numpy as np

from hardmode.scenarios.load import ScenarioError, Variant
from hardmode.sim.contract import ENDING, ROUNDS, SCORES
from hardmode.sim.play.backends import BatchResult, GameBatch
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.run import Runner
from hardmode.studies.core.budget import Budget, Stopwatch
from hardmode.studies.core.metric import is_won
from hardmode.studies.core.progress import Progress
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.sensitivity.group_screening import JointEffect
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate

MAX_FIRST_PASS_GAMES = 1000  # games of each change in the first pass, at most
FIRST_PASS_SHARE = 0.3  # share of the budget for the first pass
MIN_FIRST_PASS_GAMES = 60  # games of each change in the first pass, at least
PATIENCE = 2  # multiple of the time limit that the first pass may take to finish
GROWTH = 4  # factor by which the games of a change grow each time
BLOCK_GAMES = 2048  # games of a change that are asked for at a time
BASE_BLOCK_GAMES = 32_768  # games of the unchanged variant that are asked for at a time
PROBE_GAMES = 200  # games from which the speed is measured
MAX_CACHED_BYTES = 256 * 2**20  # total size of the boxes that are kept between stages


class _HasPath(Protocol):
    @property
    def path(self) -> str: ...


ByPath = TypeVar("ByPath", bound=_HasPath)


@dataclass(frozen=True, eq=False)
class PerturbedParameter:
    """Request to play a variant with one parameter at another value.

    Requests compare by identity, since values may be lists.

    Attributes:
        path: Path of the parameter, or the name of what is changed.
        before: Its value in the variant.
        after: Its new value.
        changes: All new values by path, if more than one parameter changes.
        is_farthest: The new value is an end of the plausible range, and not one step away.
    """

    path: str
    before: Any
    after: Any
    changes: Mapping[str, Any] | None = None
    is_farthest: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """Path and new value as text, equal for equal requests."""
        return self.path, str(self.after)

    @property
    def new_values(self) -> Mapping[str, Any]:
        """All new values by path."""
        return self.changes or {self.path: self.after}


@dataclass(frozen=True, eq=False)
class ParameterEffect:
    """Effect of one change, counted over pairs of games with and without it.

    Attributes:
        parameter: The change that was played.
        games: Number of pairs.
        wins_gained: Games won only with the change.
        wins_lost: Games won only without it.
        games_changed: Games that differ in any part of the outcome.
        length_sums: Sum of the differences in rounds, and of their squares.
        ending_changes: How much more often each ending came with the change.
        changes_box: False if the change leaves the filled box as it was.
        refusal: Why the game rejects the change, if it does.
        base_wins: Games won without the change.
        joint_effect: Estimate of group screening, if the change took part in it.
    """

    parameter: PerturbedParameter
    games: int = 0
    wins_gained: int = 0
    wins_lost: int = 0
    games_changed: int = 0
    length_sums: tuple[int, int] = (0, 0)
    ending_changes: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    changes_box: bool = True
    refusal: str = ""
    base_wins: int = 0
    joint_effect: JointEffect | None = None

    @property
    def path(self) -> str:
        """Path of the changed parameter."""
        return self.parameter.path

    @property
    def before(self) -> Any:
        """Value of the parameter without the change."""
        return self.parameter.before

    @property
    def after(self) -> Any:
        """Value of the parameter with the change."""
        return self.parameter.after

    @property
    def value(self) -> float:
        """Change of the win rate, 0 if no game was played."""
        return (self.wins_gained - self.wins_lost) / self.games if self.games else 0.0

    @property
    def flips(self) -> int:
        """Games won either only with or only without the change (discordant pairs)."""
        return self.wins_gained + self.wins_lost

    @property
    def p_value(self) -> float:
        """P-value of McNemar's exact test that the change has no effect on the win rate."""
        return estimates.mcnemar_p_value(self.wins_gained, self.wins_lost) if self.flips else 1.0

    @property
    def width(self) -> float:
        """Width of the interval of `value`, up to a factor that all changes have in common."""
        return float(np.sqrt(self.flips + 1) / max(self.games, 1))

    @property
    def magnitude(self) -> float:
        """Absolute effect, alone or in group screening, whichever is known better."""
        joint = self.joint_effect
        is_joint_better = joint is not None and joint.standard_error < self.width
        return abs(joint.value if joint and is_joint_better else self.value)

    @property
    def is_inferred(self) -> bool:
        """True if the games were not played with this change alone (see `record_no_change`)."""
        return self.games > 0 and not self.ending_changes.size


class PairedRunner:
    """Plays changes of one variant against the variant itself.

    The results are immutable: each batch of games replaces the result of its change.

    Args:
        cell: The unchanged variant.
        effort: Seed, threads, and the most games of one change.
        budget: Limit of the time, or of the games of all changes together.
        progress: Notified of the share that is done.
    """

    block_size = BLOCK_GAMES

    def __init__(
        self,
        cell: Variant,
        effort: Effort,
        budget: Budget,
        progress: Progress,
    ) -> None:
        self.cell, self.effort, self.budget, self.progress = cell, effort, budget, progress
        self.own = make_engine(cell)
        self.runner = Runner(self.own, effort.seed, threads=effort.threads)
        self.interrupted = False
        budget.restart()  # compiling is not charged
        self._effects: dict[PerturbedParameter, ParameterEffect] = {}
        self._engines: dict[PerturbedParameter, Engine] = {}
        self._base_rows = np.zeros((SCORES, 0), np.int32)  # leading columns of each game
        self._base_hashes = np.zeros(0, np.uint64)
        self.speed = self._measure_speed()

    @property
    def base_games(self) -> int:
        """Number of games of the unchanged variant that were played."""
        return self._base_hashes.size

    def estimate_base_rate(self) -> Estimate:
        """Return the win rate of the unchanged variant."""
        wins = int(is_won(self.cell.game, self._base_rows).sum())
        return estimates.wilson_rate(wins, self.base_games, self.effort.confidence)

    def get_effect(self, parameter: PerturbedParameter) -> ParameterEffect:
        """Return what has been counted of a change so far."""
        return self._effects.get(parameter) or ParameterEffect(parameter)

    def get_effects(self, parameters: Iterable[PerturbedParameter]) -> list[ParameterEffect]:
        """Return what has been counted of some changes so far."""
        return [self.get_effect(parameter) for parameter in parameters]

    def run(self, parameters: Sequence[PerturbedParameter]) -> list[ParameterEffect]:
        """Play all changes for as long as the budget allows, and return their effects.

        Ctrl-C ends the run early and sets `interrupted`.
        """
        games = self.choose_first_pass_games(
            len(parameters), FIRST_PASS_SHARE, MIN_FIRST_PASS_GAMES
        )
        try:
            self.play_to([(p, games) for p in parameters], "first pass", PATIENCE)
            self.refine_widest([p for p in parameters if self.get_effect(p).games_changed])
        except KeyboardInterrupt:
            self.interrupted = True
        return self.get_effects(parameters)

    def choose_first_pass_games(
        self,
        changes: int,
        share: float,
        fewest: int,
    ) -> int:
        """Return the games of each change in the first pass.

        Args:
            changes: Number of changes to play.
            share: Share of the budget that the pass should take.
            fewest: Games of each change at least.
        """
        seconds = self.budget.seconds
        total = self.budget.games if seconds is None else seconds * self.speed
        wanted = MAX_FIRST_PASS_GAMES if total is None else share * total / max(1, changes)
        games = max(fewest, min(MAX_FIRST_PASS_GAMES, wanted))
        return int(min(self.effort.games, games))

    def refine_widest(self, parameters: Sequence[PerturbedParameter]) -> None:
        """Add games to the half with the widest intervals, again and again."""
        while not self.is_out_of_time():
            open_effects = [
                effect
                for effect in self.get_effects(parameters)
                if effect.games < self.effort.games
            ]
            open_effects.sort(key=lambda effect: -effect.width)
            widest = open_effects[: (len(open_effects) + 1) // 2]
            if not self.extend([effect.parameter for effect in widest], GROWTH):
                break

    def extend(self, parameters: Sequence[PerturbedParameter], growth: int) -> bool:
        """Play `growth` times as many games of each change, as far as the game limit allows.

        Returns:
            Whether any change got more games.
        """
        jobs = []
        left = self.budget.remaining_games
        for effect in self.get_effects(parameters):
            games = min(growth * effect.games, self.effort.games)
            left -= games - effect.games
            if left < 0:
                break
            jobs.append((effect.parameter, games))
        self.play_to(jobs)
        return bool(jobs)

    def play_to(
        self,
        jobs: Sequence[tuple[PerturbedParameter, int]],
        stage: str = "single numbers",
        time_share: float = 1,
    ) -> None:
        """Play each change until it has its number of games.

        Args:
            jobs: Changes, each with the number of games to reach.
            stage: Shown as progress.
            time_share: Multiple of the time limit at which to stop.
        """
        self._play_base(max((games for _, games in jobs), default=0))
        for result in self.runner.backend.run_batches(self._generate_batches(jobs, time_share)):
            index, parameter = result.batch.tag
            self._count_batch(parameter, result)
            self.report_progress(stage, index / len(jobs))

    def build_engine(self, parameter: PerturbedParameter) -> Engine | None:
        """Return the game with the change, or None if the change leaves the box as it was.

        Raises:
            ScenarioError: The game rejects the change.
        """
        cell = self.cell.with_values(parameter.new_values)
        box = cell.box
        if cell.players != self.cell.players:
            return make_engine(cell)
        if np.array_equal(_as_bytes(box), _as_bytes(self.own.box)):
            return None
        return Engine(cell.game, box, self.own.players)

    def is_playable(self, parameter: PerturbedParameter) -> bool:
        """Return whether the game accepts the change and its box differs."""
        return self._get_engine(parameter) is not None

    def record_no_change(
        self,
        parameter: PerturbedParameter,
        games: int,
        base_wins: int,
    ) -> None:
        """Record that no game changed, inferred from games with other changes added.

        Args:
            parameter: A change that took part in a group test.
            games: Games of the group, none of which changed.
            base_wins: How many of them are won without any change.
        """
        effect = self.get_effect(parameter)
        self._effects[parameter] = replace(effect, games=games, base_wins=base_wins)

    def forget_inferred(self, parameter: PerturbedParameter) -> None:
        """Undo `record_no_change`."""
        effect = self.get_effect(parameter)
        if effect.is_inferred:
            self._effects[parameter] = replace(effect, games=0, base_wins=0)

    def record_joint_effect(self, parameter: PerturbedParameter, joint: JointEffect | None) -> None:
        """Record the estimate of group screening."""
        self._effects[parameter] = replace(self.get_effect(parameter), joint_effect=joint)

    def is_out_of_time(self, time_share: float = 1) -> bool:
        """Return whether this share of the time limit is over."""
        seconds = self.budget.seconds
        return seconds is not None and self.budget.elapsed > time_share * seconds

    def report_progress(self, stage: str, share: float) -> None:
        """Report progress by the clock, or by `share` without a time limit."""
        if self.budget.seconds:
            share = self.budget.elapsed / self.budget.seconds
        self.progress(stage, min(share, 0.99))

    def _measure_speed(self) -> float:
        """Return games a second; the first games are not timed, since they may compile code."""
        self._play_base(min(PROBE_GAMES, self.effort.games))
        stopwatch = Stopwatch()
        self._play_base(min(2 * PROBE_GAMES, self.effort.games))
        return PROBE_GAMES / max(stopwatch.elapsed, 1e-4)

    def _generate_batches(
        self, jobs: Sequence[tuple[PerturbedParameter, int]], time_share: float
    ) -> Iterator[GameBatch]:
        for index, (parameter, games) in enumerate(jobs):
            if self.is_out_of_time(time_share):
                continue
            changed = self._get_engine(parameter)
            start = self.get_effect(parameter).games
            while changed and start < games and not self.is_out_of_time(time_share):
                stop = min(games, start + self.block_size)
                yield GameBatch(
                    changed,
                    self.effort.seed,
                    start,
                    stop,
                    tag=(index, parameter),
                )
                start = stop

    def _play_base(self, games: int) -> None:
        """Play the unchanged variant until it has `games` games."""
        while self.base_games < games:
            stop = min(games, self.base_games + BASE_BLOCK_GAMES)
            rows, hashes = self.runner.play_rows_and_hashes(self.base_games, stop)
            self._base_rows = np.concatenate([self._base_rows, rows[:SCORES]], axis=1)
            self._base_hashes = np.concatenate([self._base_hashes, hashes])

    def _get_engine(self, parameter: PerturbedParameter) -> Engine | None:
        """Return the game with the change, from the cache if it is there."""
        effect = self.get_effect(parameter)
        if effect.refusal or not effect.changes_box:
            return None
        if parameter in self._engines:
            return self._engines[parameter]
        try:
            changed = self.build_engine(parameter)
        except ScenarioError as error:
            self._effects[parameter] = replace(effect, refusal=str(error))
            return None
        if changed is None:
            self._effects[parameter] = replace(effect, changes_box=False)
            return None
        if (len(self._engines) + 1) * changed.filled_box.nbytes <= MAX_CACHED_BYTES:
            self._engines[parameter] = changed
        return changed

    def _count_batch(self, parameter: PerturbedParameter, result: BatchResult) -> None:
        """Add a batch of games, each compared with the same game of the unchanged variant."""
        start, stop, game = result.batch.start, result.batch.stop, self.cell.game
        rows, base_rows = result.rows, self._base_rows[:, start:stop]
        wins, base_wins = is_won(game, rows), is_won(game, base_rows)
        is_changed = result.outcome_hashes != self._base_hashes[start:stop]
        longer = rows[ROUNDS].astype(np.int64) - base_rows[ROUNDS]
        kinds = len(game.all_endings)
        endings = np.bincount(rows[ENDING], minlength=kinds)
        base_endings = np.bincount(base_rows[ENDING], minlength=kinds)
        effect = self.get_effect(parameter)
        ending_changes = endings - base_endings
        if effect.ending_changes.size:
            ending_changes = effect.ending_changes + ending_changes
        total, squares = effect.length_sums
        self._effects[parameter] = replace(
            effect,
            games=stop,
            wins_gained=effect.wins_gained + int((wins & ~base_wins).sum()),
            wins_lost=effect.wins_lost + int((base_wins & ~wins).sum()),
            games_changed=effect.games_changed + int(is_changed.sum()),
            length_sums=(total + int(longer.sum()), squares + int((longer * longer).sum())),
            ending_changes=ending_changes,
            base_wins=effect.base_wins + int(base_wins.sum()),
        )
        self.budget.spend(stop - start)


def _as_bytes(box: np.ndarray) -> np.ndarray:
    return box.view(np.ndarray).view(np.uint8)


def group_by_path(steps: Iterable[ByPath]) -> dict[str, list[ByPath]]:
    """Return the steps of each parameter, in the order of its first step.

    Args:
        steps: Requests or effects.
    """
    groups: dict[str, list[ByPath]] = {}
    for step in steps:
        groups.setdefault(step.path, []).append(step)
    return groups
