"""Play the variants of a report, each once, all with the same random draws."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np

from hardmode.scenarios.load import Scenario, Variant
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.run import RowWriter, Runner, RunState
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.sim.results.ranges import join_ranges
from hardmode.sim.results.result import Result
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.budget import Stopwatch
from hardmode.studies.core.progress import Progress
from hardmode.studies.core.run import Effort, make_empty_result, make_engine
from hardmode.studies.report_run.commands import format_command_options, get_label_settings
from hardmode.studies.report_run.data import PlayedVariant

PROBE_SECONDS, MAX_PROBE_GAMES = 0.1, 300_000  # of the games by which speed is measured


class VariantPlayer:
    """Plays variants of one scenario, and remembers their results by digest."""

    def __init__(self, scenario: Scenario, effort: Effort) -> None:
        self.scenario, self.effort = scenario, effort
        self._results: dict[str, Result] = {}

    def play(
        self,
        part: str,
        label: str,
        variant: Variant,
        games: int,
        settings: Mapping[str, Any],
        progress: Progress,
    ) -> PlayedVariant:
        """Play a variant, unless as many games of it are known.

        Args:
            part: Name of the part of the report.
            label: Name of the variant in tables.
            variant: The variant.
            games: Number of games.
            settings: Values by path that the command of the variant sets.
            progress: Called as games are finished.
        """
        result, _ = self.play_batches(variant, games, 1, label, progress)
        command = self.make_command(result, {**get_label_settings(variant), **settings})
        return PlayedVariant(part, label, result, command)

    def play_batches(
        self,
        variant: Variant,
        games: int,
        batches: int,
        label: str,
        progress: Progress,
        row_writer: RowWriter | None = None,
    ) -> tuple[Result, list[Tally]]:
        """Play a variant; return its result, and the tallies of equal parts of its games.

        The tallies are empty if as many games of the variant are known.

        Args:
            variant: The variant.
            games: Number of games.
            batches: Number of parts.
            label: What the progress says.
            progress: Called as games are finished.
            row_writer: Writer of the rows of all games.
        """
        known = self._results.get(variant.digests["scenario"])
        if known and known.games >= games:
            return known, []
        engine, effort = make_engine(variant), self.effort
        result = make_empty_result(self.scenario, variant, engine.players, effort.seed)
        runner = Runner(
            engine, effort.seed, threads=effort.threads, chunk=effort.chunk, row_writer=row_writer
        )
        tallies: list[Tally] = []
        edges = np.linspace(0, games, min(batches, games) + 1).astype(int).tolist()
        for start, stop in pairwise(edges):

            def on_progress(state: RunState, start: int = start) -> None:
                progress(label, (start + state.games) / games)

            state = RunState(Tally(variant.game))
            runner.run(
                state, stop - start, first=effort.first_game + start, on_progress=on_progress
            )
            if state.interrupted:
                raise KeyboardInterrupt
            tallies.append(state.tally)
            result.ranges = join_ranges([*result.ranges, *state.ranges])
            result.seconds += state.seconds
        result.tally = reduce(Tally.merge_with, tallies)
        self._results[variant.digests["scenario"]] = result
        return result, tallies

    def make_command(self, result: Result, settings: Mapping[str, Any]) -> str:
        """Return the command that plays exactly the games of a result again.

        Args:
            result: The result.
            settings: Values by path that the command sets.
        """
        words = ["hardmode", "run", self.scenario.name]
        words += format_command_options(settings, self.scenario.overlay)
        words += ["--games", str(result.games), "--seed", str(self.effort.seed)]
        if self.effort.first_game:
            words += ["--first-game", str(self.effort.first_game)]
        return shlex.join(words)


def measure_speed(engine: Engine, seed: int, probe_seconds: float = PROBE_SECONDS) -> float:
    """Return the games per second that one thread plays, from a short probe.

    Args:
        engine: The rules, the box and the players.
        seed: Seed of the games.
        probe_seconds: Time after which no more games are played.
    """
    workspace, games, elapsed = Workspace(engine.game), 1, 0.0
    while elapsed <= probe_seconds and games < MAX_PROBE_GAMES:
        games *= 3
        rows = allocate_rows(engine.game, games)
        stopwatch = Stopwatch()
        engine.play(workspace, seed, 0, games, rows)
        elapsed = stopwatch.elapsed
    return games / max(elapsed, 1e-6)


def play_sample(engine: Engine, seed: int, first: int, games: int) -> np.ndarray:
    """Return the result rows of games first..first+games-1, by column and game.

    Args:
        engine: The rules, the box and the players.
        seed: Seed of the games.
        first: Number of the first game.
        games: Number of games.
    """
    rows = allocate_rows(engine.game, games)
    engine.play(Workspace(engine.game), seed, first, first + games, rows)
    return np.asarray(rows)
