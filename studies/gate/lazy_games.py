"""The games of one cell as the gate needs them: played as far as asked for, and kept game by game."""

from __future__ import annotations

import threading
import time

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim.contract import ENDING, ROUNDS, SCORES, WINNERS
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.run import Runner
from hardmode.studies.core.progress import Progress, silent
from hardmode.studies.core.run import engine

PIECE = 0.5  # seconds of play between two signs of life
FIRST = 2  # games by which the pace is first judged: one of an expert may take seconds


class GivenUp(Exception):
    """Nobody waits any more for what is played."""


class Games:
    """Games `first`, `first + 1`, ... of a cell. Whatever is asked of the first n plays those not yet played."""

    def __init__(
        self,
        cell: Variant,
        seed: int,
        *,
        first: int = 0,
        threads: int = 0,
        progress: Progress = silent,
        stop: threading.Event | None = None,
    ) -> None:
        self.cell, self.seed, self.first = cell, seed, first
        self.played, self.seconds = 0, 0.0
        self.threads, self._progress, self._stop = threads, progress, stop
        self._runner: Runner | None = None
        self._parts: dict[str, list[np.ndarray]] = {}
        self._sums = np.zeros(len(cell.game.columns), np.int64)

    @property
    def games(self) -> int:
        return self.played

    @property
    def engine(self) -> Engine:
        return self._ready().engine

    def _ready(self) -> Runner:
        if self._runner is None:
            self._runner = Runner(engine(self.cell), self.seed, threads=self.threads)
        return self._runner

    def rest(self) -> None:
        """Give back the memory that playing takes, tens of megabytes; what was played is kept."""
        self._runner = None

    def upto(self, n: int) -> None:
        """Play until the first n are there, in pieces short enough to be interrupted."""
        while self.played < n:
            if self._stop and self._stop.is_set():
                raise GivenUp
            runner = self._ready()
            pace = self.played / self.seconds if self.seconds else 0.0
            size = min(n - self.played, max(FIRST, int(pace * PIECE)))
            begun, at = time.perf_counter(), self.first + self.played
            self._keep(*runner.marked(at, at + size))
            self.seconds += time.perf_counter() - begun
            self._progress("", self.played / n, self.played / self.seconds)

    def _keep(self, rows: np.ndarray, marks: np.ndarray) -> None:
        kept = {
            "hash": marks,
            "ending": rows[ENDING].astype(np.int16),
            "winners": rows[WINNERS],
            "rounds": rows[ROUNDS],
            "score": rows[SCORES],
        }
        for name, part in kept.items():
            self._parts.setdefault(name, []).append(part)
        self._sums += rows.sum(axis=1, dtype=np.int64)
        self.played += rows.shape[1]

    def of(self, name: str, n: int) -> np.ndarray:
        """hash, ending, winners, rounds or score (the first seat's) of the first n games."""
        self.upto(n)
        parts = self._parts[name]
        if len(parts) > 1:
            self._parts[name] = parts = [np.concatenate(parts)]
        return parts[0][:n]

    @property
    def sides(self) -> int:
        """Those whose games won are counted apart: each seat where seats compete, else all together."""
        return self.cell.players if self.cell.game.competitive else 1

    def won(self, n: int, side: int = 0) -> np.ndarray:
        winners = self.of("winners", n)
        return (winners >> side & 1 if self.cell.game.competitive else winners) != 0

    def wins(self, n: int, side: int = 0) -> int:
        return int(self.won(n, side).sum())

    def digest(self, n: int) -> str:
        """The outcome digest of the first n games."""
        return f"{int(self.of('hash', n).sum(dtype=np.uint64)):016x}"

    def sums(self) -> dict[str, int]:
        """Each column of the row, summed over all games played."""
        return dict(zip(self.cell.game.columns, (int(s) for s in self._sums), strict=True))
