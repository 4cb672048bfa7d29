"""Rank the cells of a sweep by difficulty, from games that they share.

The cells are played with the same random draws, so the games that only one of two cells wins show
which is harder. The intervals of all pairs hold together, and so does each conclusion from them:
that a cell is the hardest, that cells cannot be distinguished, and the range of places of a cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hardmode.sim.contract import WINNERS, Game
from hardmode.sim.play.backends import NO_SHARED_FOLDER, SharedRowFolder
from hardmode.sim.play.run import RowWriter
from hardmode.sim.results.result import Result
from hardmode.studies.core import metric
from hardmode.studies.core.notebook import NotebookTable, Row
from hardmode.studies.stats import estimates
from hardmode.studies.stats.bounds import PairedBounds
from hardmode.studies.stats.estimates import Estimate

MAX_RECORDED_GAMES = 1 << 20  # of each cell
BLOCK_GAMES = 1 << 16  # that are counted at once
UNKNOWN = 2  # in place of 0 for a lost game and 1 for a won one


class WinRecorder:
    """Row writer that records which games of a cell were won, up to `MAX_RECORDED_GAMES`.

    Rows are passed on to another writer, if there is one.
    """

    def __init__(self, game: Game, first: int = 0, rows: RowWriter | None = None) -> None:
        self.game, self.first, self.rows = game, first, rows
        self.won_games = np.zeros(0, np.uint8)

    @property
    def column_indices(self) -> Sequence[int]:
        """The entries of the row that are needed."""
        return self.rows.column_indices if self.rows else (WINNERS,)

    @property
    def shared_folder(self) -> SharedRowFolder:
        """The folder to which a backend may write rows for the other writer."""
        return self.rows.shared_folder if self.rows else NO_SHARED_FOLDER

    def write(self, games: np.ndarray, block: np.ndarray, there: bool = False) -> None:
        """Record the rows of some games.

        Args:
            games: Numbers of the games, in increasing order.
            block: Their rows, by column and game.
            there: True if the rows have already been written to the shared folder.
        """
        places = games - self.first
        is_recorded = (places >= 0) & (places < MAX_RECORDED_GAMES)
        missing = min(MAX_RECORDED_GAMES, int(places[-1]) + 1) - self.won_games.size
        if missing > 0:
            unknown = np.full(missing, UNKNOWN, np.uint8)
            self.won_games = np.concatenate([self.won_games, unknown])
        self.won_games[places[is_recorded]] = metric.is_won(self.game, block[:, is_recorded])
        if self.rows:
            self.rows.write(games, block, there)


@dataclass(frozen=True, eq=False)
class Ranking(NotebookTable):
    """Cells of a sweep by difficulty.

    Attributes:
        labels: Labels of the cells, in the order of the sweep.
        seats_compete: True if seats compete; then a game counts as won if the first seat wins.
        games: Number of games that all cells share.
        both: Number of games that two cells both won, for each pair.
        confidence: Confidence of all intervals together.
    """

    labels: list[dict[str, Any]]
    seats_compete: bool
    games: int
    both: np.ndarray
    confidence: float

    def list_rows(self) -> Iterator[Row]:
        """Yield a row for each cell, the hardest first; all intervals hold together."""
        counts = [(int(self.wins[i]), self.games) for i in self.order]
        rates = estimates.clopper_pearson_rates(counts, self.confidence)
        for i, rate in zip(self.order, rates, strict=True):
            first, last = self.find_place_range(i)
            yield {**self.labels[i], "win_rate": rate, "place from": first, "place to": last}

    @property
    def wins(self) -> np.ndarray:
        """Number of games that each cell won."""
        return np.diag(self.both)

    @property
    def cells(self) -> int:
        """Number of cells."""
        return len(self.labels)

    @property
    def pairs(self) -> int:
        """Number of pairs of cells."""
        return self.cells * (self.cells - 1) // 2

    @property
    def level(self) -> float:
        """Confidence of the interval of each pair, so that all hold together."""
        return estimates.bonferroni_level(self.confidence, self.pairs)

    @cached_property
    def order(self) -> list[int]:
        """The cells by their wins, the hardest first."""
        return np.argsort(self.wins, kind="stable").tolist()

    @cached_property
    def _bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Bounds of the win rate of one cell (row) less that of another (column)."""
        only = self.wins[:, None] - self.both
        low, high = PairedBounds(self.games, only, only.T).bounds((1 - self.level) / 2)
        return low, high

    @cached_property
    def is_harder(self) -> np.ndarray:
        """True where one cell (row) is significantly harder than another (column)."""
        return self._bounds[1] < 0

    def estimate_difference(self, i: int, j: int) -> Estimate:
        """Return the win rate of cell i less that of cell j."""
        low, high = self._bounds
        difference = float(self.wins[i] - self.wins[j]) / self.games
        return Estimate(
            difference, float(low[i, j]), float(high[i, j]), self.games, self.confidence
        )

    def find_place_range(self, i: int) -> tuple[int, int]:
        """Return the first and the last place that a cell may have; the hardest has place 1."""
        return 1 + int(self.is_harder[:, i].sum()), self.cells - int(self.is_harder[i].sum())

    def are_distinguishable(self, i: int, j: int) -> bool:
        """Return whether one of two cells is significantly harder."""
        return bool(self.is_harder[i, j] or self.is_harder[j, i])

    @cached_property
    def groups(self) -> list[list[int]]:
        """Longest runs of the order in which no two cells can be distinguished."""
        groups: list[list[int]] = []
        for start in range(self.cells):
            stop = start + 1
            while stop < self.cells and not self._is_distinguishable_from_run(
                self.order[stop], start, stop
            ):
                stop += 1
            if not groups or self.order[stop - 1] not in groups[-1]:
                groups.append(self.order[start:stop])
        return groups

    def _is_distinguishable_from_run(self, i: int, start: int, stop: int) -> bool:
        """Return whether a cell can be distinguished from any of a run of the order."""
        return any(self.are_distinguishable(j, i) for j in self.order[start:stop])

    @property
    def distinguished_pairs(self) -> int:
        """Number of pairs that can be distinguished."""
        return int(self.is_harder.sum())

    def estimate_needed_games(self, i: int, j: int) -> int:
        """Return how many games distinguish two cells that differ as much as observed, or 0.

        Args:
            i: A cell.
            j: Another cell.
        """
        only = self.wins - self.both[i, j]
        return estimates.plan_paired_games(int(only[i]), int(only[j]), self.games, self.level)


def rank_cells(
    results: Sequence[Result], recorders: Sequence[WinRecorder], confidence: float
) -> Ranking | None:
    """Rank the cells that were played to their end, by the games that are recorded for all of them.

    Args:
        results: Results of the cells.
        recorders: What was recorded of each.
        confidence: Confidence of all intervals together.

    Returns:
        The ranking, or None if fewer than two cells or no common games are recorded.
    """
    complete: list[Result] = []
    recorded: list[np.ndarray] = []
    for result, recorder in zip(results, recorders, strict=False):
        if recorder.won_games.size and not result.interrupted:
            complete.append(result)
            recorded.append(recorder.won_games)
    if len(complete) < 2:
        return None
    size = min(map(len, recorded))
    won = np.stack([won_games[:size] for won_games in recorded])
    won = won[:, (won != UNKNOWN).all(axis=0)]
    games = won.shape[1]
    if not games:
        return None
    both = np.zeros((len(complete), len(complete)), int)
    for start in range(0, games, BLOCK_GAMES):
        block = won[:, start : start + BLOCK_GAMES].astype(np.float32)  # exact below 2**24 games
        both += (block @ block.T).astype(int)
    first = complete[0]
    seats_compete = first.game.competitive and len(first.strategies) > 1
    return Ranking([result.label for result in complete], seats_compete, games, both, confidence)
