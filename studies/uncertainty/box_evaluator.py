"""Win rates of sampled boxes, each in two half-samples with independent random draws.

What both halves agree on is due to the box, what they differ in is chance: the product of one half
with the other is free of the noise of the games, on average. All boxes of a row play the same
games, so that their differences have little noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hardmode.scenarios.filling import BOX_ERRORS
from hardmode.scenarios.load import ScenarioError, Variant
from hardmode.scenarios.overrides import apply_change, resolve_change
from hardmode.sim.contract import WINNERS
from hardmode.sim.play.backends import GameBatch, ThreadBackend, current_backend
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.studies.core.budget import Stopwatch
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.uncertainty.priors import SampledValues

MIN_HALF_GAMES, MAX_HALF_GAMES = 25, 250
PROBES, PROBE_GAMES = 5, 100  # runs, and games of each, from which the speed is measured
# A half is played this many times as long as filling its box takes. More games of a box make the
# ends of a band less exact in the same time: with a ratio of 2, they took up to four times as long.
PLAY_TO_FILL_RATIO = 0.5


class BoxJob(NamedTuple):
    """Request to play a sampled box in one of the cells, with the games of a row."""

    cell: int
    row: int
    box: SampledValues


class CellPlayers(NamedTuple):
    """A variant and its players."""

    cell: Variant
    players: Sequence[Player]


class BoxEvaluator:
    """Plays sampled boxes in some variants that share a box.

    Args:
        cell_players: The variants, each with its players.
        effort: Seed and threads.
        half_games: Games of each half; 0 chooses as many as repay filling a box.
    """

    def __init__(
        self,
        cell_players: Sequence[CellPlayers],
        effort: Effort,
        half_games: int = 0,
    ) -> None:
        self.effort, self.backend = effort, current_backend(effort.threads)
        self.cell_players = cell_players
        self.engines = [make_engine(cell, players) for cell, players in cell_players]
        self._changed_paths = [_list_changed_paths(cell) for cell, _ in cell_players]
        self.half_games = half_games or self._choose_half_games()

    def _choose_half_games(self) -> int:
        engine = self.engines[0]
        fill_seconds, play_seconds = [], []
        for _ in range(PROBES):  # the fastest counts, so that other programs matter little
            stopwatch = Stopwatch()
            engine.game.fill_box(engine.numbers)
            fill_seconds.append(stopwatch.elapsed)
            batch = GameBatch(engine, self.effort.seed, 0, PROBE_GAMES)
            play_seconds.append(ThreadBackend(1).run_batch(batch).seconds)
        games = PLAY_TO_FILL_RATIO * min(fill_seconds) * PROBE_GAMES / min(play_seconds)
        return int(np.clip(games, MIN_HALF_GAMES, MAX_HALF_GAMES))

    def resolve_values(self, box: SampledValues, cell: int = 0) -> SampledValues | None:
        """Return the values that differ between a variant and the same variant with a sampled box.

        The changes that the variant makes itself are applied to the sampled values.

        Args:
            box: The sampled values.
            cell: Index of the variant.

        Returns:
            The values by path, or None if a change of the variant does not fit the box.
        """
        variant = self.cell_players[cell].cell
        values: dict[str, Any] = {}
        for path in {*box, *self._changed_paths[cell]}:
            parameter = variant.parameters.get(path)
            if parameter:
                is_sampled = parameter.is_assumed and path in box
                values[path] = box[path] if is_sampled else parameter.value
        try:
            for change in variant.changes:
                apply_change(values, change, variant.parameters)
        except (*BOX_ERRORS, ScenarioError):
            return None
        return values

    def evaluate_boxes(self, jobs: Sequence[BoxJob]) -> list[np.ndarray | None]:
        """Return the win rates of the two halves for each job, or None if the game rejects it."""
        boxes = [self.resolve_values(job.box, job.cell) for job in jobs]
        arguments = []
        for job, box in zip(jobs, boxes, strict=True):
            if box is not None:
                start = 2 * self.half_games * job.row
                games = (self.effort.seed, start, self.half_games, box)
                arguments.append((self.engines[job.cell], games))
        # Consume all results, or else Ctrl-C would be lost in an abandoned generator.
        results = iter(list(self.backend.map_jobs(play_halves, arguments)))
        rates: list[np.ndarray | None] = []
        for box in boxes:
            halves = None if box is None else next(results)
            rates.append(None if halves is None else np.array(halves))
        return rates


def _list_changed_paths(cell: Variant) -> set[str]:
    """Return the paths of the parameters that a variant changes itself."""
    return {resolve_change(change, cell.parameters)[0].path for change in cell.changes}


def play_halves(
    engine: Engine,
    workspace: Workspace,
    seed: int,
    start: int,
    half_games: int,
    numbers: SampledValues,
) -> tuple[float, float] | None:
    """Return the win rates of two halves with `numbers` overriding the box, or None if rejected.

    Args:
        engine: The game with the unchanged box.
        workspace: Buffers of the thread that plays.
        seed: Seed of the games.
        start: Number of the first game.
        half_games: Games of each half.
        numbers: New values of some parameters, by path.
    """
    won = play_wins(engine, workspace, seed, start, 2 * half_games, numbers)
    if won is None:
        return None
    return float(won[:half_games].mean()), float(won[half_games:].mean())


def play_wins(
    engine: Engine,
    workspace: Workspace,
    seed: int,
    start: int,
    games: int,
    numbers: SampledValues,
) -> np.ndarray | None:
    """Return whether each game was won with `numbers` overriding the box, or None if rejected.

    Args:
        engine: The game with the unchanged box.
        workspace: Buffers of the thread that plays.
        seed: Seed of the games.
        start: Number of the first game.
        games: Number of games.
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
    winners = np.asarray(rows)[WINNERS]
    won: np.ndarray = (winners & 1 if engine.game.competitive else winners) != 0
    return won
