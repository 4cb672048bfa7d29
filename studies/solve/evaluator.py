"""Evaluation of candidate settings of design variables, all on the same random draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hardmode.scenarios.load import ScenarioError, StrategySpec, Variant
from hardmode.sim.play.run import Runner, RunState
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.budget import Stopwatch
from hardmode.studies.core.run import make_engine
from hardmode.studies.core.skill_levels import seat_strategy
from hardmode.studies.solve.targets import Place, Target, collect_places
from hardmode.studies.stats.estimates import Estimate

ParameterChanges = Mapping[str, Any]
PROBE_GAMES, MAX_PROBE_GAMES = 100, 10_000  # games from which the speed is measured
PROBE_GROWTH = 3
PROBE_SECONDS = 0.1  # time that is long enough to measure the speed


@dataclass(eq=False)
class Candidate:
    """A setting of the design variables and the games played with it.

    Attributes:
        values: Value of each design variable.
        changes: New values of parameters, by path.
        flags: The changes as values of `--set`.
        changed_count: Number of variables that differ from their current value.
        cost: Sum of their changes, in units of their ranges.
        runs: Games played in each place of the targets.
        refusal: Why the game rejects the setting, if it does.
    """

    values: tuple[Any, ...]
    changes: ParameterChanges
    flags: tuple[str, ...] = ()
    changed_count: int = 0
    cost: float = 0.0
    runs: list[RunState] = field(default_factory=list)
    refusal: str = ""

    @property
    def games(self) -> int:
        """Number of games that were played in every place."""
        return min((run.games for run in self.runs), default=0)

    @property
    def play_seconds(self) -> float:
        """Seconds that playing took."""
        return sum(run.seconds for run in self.runs)

    def copy_unplayed(self) -> Candidate:
        """Return the same setting without games."""
        return Candidate(
            self.values,
            self.changes,
            self.flags,
            self.changed_count,
            self.cost,
        )


class SettingEvaluator:
    """Plays candidates with one seed.

    Args:
        cell: The variant that candidates change.
        targets: What is estimated.
        seed: Seed of the games.
        threads: Number of threads; 0 uses all.
    """

    def __init__(
        self,
        cell: Variant,
        targets: Sequence[Target],
        seed: int,
        threads: int = 0,
    ) -> None:
        self.cell, self.targets, self.seed, self.threads = cell, targets, seed, threads
        self.places = collect_places(targets)

    def play(self, candidate: Candidate, games: int) -> None:
        """Play a candidate until it has `games` games in every place.

        A candidate that the game rejects gets a `refusal` instead.

        Raises:
            KeyboardInterrupt: Ctrl-C was pressed.
        """
        if candidate.refusal or candidate.games >= games:
            return
        try:
            variants = [self._build_variant(candidate, place) for place in self.places]
        except ScenarioError as error:
            candidate.refusal = str(error)
            return
        if not candidate.runs:
            candidate.runs = [RunState(Tally(variant.game)) for variant in variants]
        for variant, run in zip(variants, candidate.runs, strict=True):
            Runner(make_engine(variant), self.seed, threads=self.threads).run(run, games)
            if run.interrupted:
                raise KeyboardInterrupt

    def _build_variant(self, candidate: Candidate, place: Place) -> Variant:
        where, level = place
        variant = self.cell.with_values({**candidate.changes, **dict(where)})
        if not level:
            return variant
        return variant.with_values({}, seat_strategy(variant, StrategySpec(level)))

    def measure_speed(self, candidate: Candidate) -> float:
        """Return games a second from a short probe; a game in all places counts once."""
        games, before, seconds = PROBE_GAMES, 0, 0.0
        self.play(candidate, games)  # not timed, since it may compile code
        while seconds < PROBE_SECONDS and games < MAX_PROBE_GAMES and not candidate.refusal:
            before, stopwatch = games, Stopwatch()
            games *= PROBE_GROWTH
            self.play(candidate, games)
            seconds = stopwatch.elapsed
        return (games - before) / max(seconds, 1e-4) if seconds else PROBE_GAMES

    def estimate_targets(self, candidate: Candidate, level: float) -> dict[str, Estimate]:
        """Return the estimate of every target by its name, at a confidence level.

        Args:
            candidate: A candidate that was played.
            level: Confidence of one interval.
        """
        found = {}
        for target in self.targets:
            runs = [candidate.runs[self.places.index(place)] for place in target.places]
            found[target.name] = target.estimate([run.tally for run in runs], level)
        return found


def is_feasible(targets: Sequence[Target], estimates: Mapping[str, Estimate]) -> bool:
    """Return whether the whole interval of every target lies in its band."""
    return all(target.contains(estimates[target.name]) for target in targets)


def is_infeasible(targets: Sequence[Target], estimates: Mapping[str, Estimate]) -> bool:
    """Return whether the whole interval of some target lies outside its band."""
    return any(target.excludes(estimates[target.name]) for target in targets)


def compute_violation(
    targets: Sequence[Target],
    estimates: Mapping[str, Estimate],
    margin: float = 0.0,
) -> float:
    """Return the sum of the distances of all values from their bands (`Target`).

    Args:
        targets: The targets.
        estimates: Estimates of all targets, by name.
        margin: Share of half of each band that is cut off at both ends first.
    """
    return sum(target.compute_violation(estimates[target.name].value, margin) for target in targets)
