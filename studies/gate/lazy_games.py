"""Games of one cell that are played as far as they are needed, and kept game by game."""

from __future__ import annotations

import threading

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim.contract import ENDING, ROUNDS, SCORES, WINNERS
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.run import Runner
from hardmode.studies.core.budget import Stopwatch
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.run import make_engine

PROGRESS_SECONDS = 0.5  # time of play between two reports of progress, or checks of `stop`
FIRST_GAMES = 2  # games by which the pace is first judged: a game of an expert may take seconds


class RunCancelledError(Exception):
    """Raised in a worker thread when the run that needs its games was cancelled."""


class LazyGames:
    """Games `first_game`, `first_game + 1`, ... of a cell, played when they are first needed.

    Args:
        cell: The cell.
        seed: Seed of the games.
        first_game: Number of the first game.
        threads: Number of threads; 0 for one per core.
        progress: Called from time to time with the share that is played.
        stop: If set, playing raises `RunCancelledError`.

    Attributes:
        played: Number of games played so far.
        seconds: Time spent playing.
    """

    def __init__(
        self,
        cell: Variant,
        seed: int,
        *,
        first_game: int = 0,
        threads: int = 0,
        progress: Progress = ignore_progress,
        stop: threading.Event | None = None,
    ) -> None:
        self.cell = cell
        self.seed = seed
        self.first_game = first_game
        self.played = 0
        self.seconds = 0.0
        self.threads = threads
        self._progress = progress
        self._stop = stop
        self._runner: Runner | None = None
        self._blocks: dict[str, list[np.ndarray]] = {}
        self._column_sums = np.zeros(len(cell.game.columns), np.int64)

    @property
    def engine(self) -> Engine:
        """Engine that plays the games."""
        return self._get_runner().engine

    def _get_runner(self) -> Runner:
        if self._runner is None:
            self._runner = Runner(make_engine(self.cell), self.seed, threads=self.threads)
        return self._runner

    def release(self) -> None:
        """Free the engine, which takes tens of megabytes; the games played are kept."""
        self._runner = None

    def play_until(self, n: int) -> None:
        """Play until the first n games are known, in blocks of about `PROGRESS_SECONDS`.

        Raises:
            RunCancelledError: `stop` was set.
        """
        while self.played < n:
            if self._stop and self._stop.is_set():
                raise RunCancelledError
            pace = self.played / self.seconds if self.seconds else 0.0
            size = min(n - self.played, max(FIRST_GAMES, int(pace * PROGRESS_SECONDS)))
            runner = self._get_runner()
            stopwatch = Stopwatch()
            start = self.first_game + self.played
            self._keep(*runner.play_rows_and_hashes(start, start + size))
            self.seconds += stopwatch.elapsed
            self._progress("", self.played / n, self.played / max(self.seconds, 1e-9))

    def _keep(self, rows: np.ndarray, hashes: np.ndarray) -> None:
        columns = {
            "hash": hashes,
            "ending": rows[ENDING].astype(np.int16),
            "winners": rows[WINNERS],
            "rounds": rows[ROUNDS],
            "score": rows[SCORES],
        }
        for name, block in columns.items():
            self._blocks.setdefault(name, []).append(block)
        self._column_sums += rows.sum(axis=1, dtype=np.int64)
        self.played += rows.shape[1]

    def column(self, name: str, n: int) -> np.ndarray:
        """Return a column of the first n games, playing those that are missing.

        Args:
            name: "hash", "ending", "winners", "rounds" or "score" (of seat 1).
            n: Number of games.
        """
        self.play_until(n)
        if len(self._blocks[name]) > 1:
            self._blocks[name] = [np.concatenate(self._blocks[name])]
        return self._blocks[name][0][:n]

    @property
    def sides(self) -> int:
        """Number of sides that win: the seats where they compete, else 1."""
        return self.cell.players if self.cell.game.competitive else 1

    def is_won(self, n: int, side: int = 0) -> np.ndarray:
        """Return for each of the first games if a side won it.

        Args:
            n: Number of games.
            side: Number of the seat, from 0; 0 where seats do not compete.
        """
        winners = self.column("winners", n)
        return (winners >> side & 1 if self.cell.game.competitive else winners) != 0

    def count_wins(self, n: int, side: int = 0) -> int:
        """Return how many of the first n games a side won."""
        return int(self.is_won(n, side).sum())

    def outcome_digest(self, n: int) -> str:
        """Return the digest of the outcomes of the first n games."""
        return f"{int(self.column('hash', n).sum(dtype=np.uint64)):016x}"

    def sum_columns(self) -> dict[str, int]:
        """Return the sum of each column of the rows over all games played so far."""
        sums = (int(total) for total in self._column_sums)
        return dict(zip(self.cell.game.columns, sums, strict=True))
