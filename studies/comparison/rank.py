"""Which cells of a grid are hardest: they share their luck, so the games that two win differently tell them apart.

The intervals of all pairs hold together, so whatever is said of some of them holds as well: that one is hardest, that
these cannot be told apart, and a cell's place, which is behind all that are shown harder and before all shown easier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hardmode.sim.contract import WINNERS, Game
from hardmode.sim.play.backends import NOWHERE, Shared
from hardmode.sim.play.run import Writes
from hardmode.sim.results.result import Result
from hardmode.studies.core import metric
from hardmode.studies.stats import estimates
from hardmode.studies.stats.bounds import Pairs
from hardmode.studies.stats.estimates import Estimate

MOST = 1 << 20  # games of each cell that are remembered one by one
BLOCK = 1 << 16
LOST, WON, UNKNOWN = 0, 1, 2


class Won:
    """Which games of a cell were won, the first of them at least; all are handed on to whatever else writes them."""

    def __init__(self, game: Game, first: int = 0, rows: Writes | None = None) -> None:
        self.game, self.first, self.rows = game, first, rows
        self.kept = np.zeros(0, np.uint8)

    @property
    def wanted(self) -> Sequence[int]:
        return self.rows.wanted if self.rows else (WINNERS,)

    @property
    def shared(self) -> Shared:
        return self.rows.shared if self.rows else NOWHERE

    def write(self, games: np.ndarray, block: np.ndarray, there: bool = False) -> None:
        at = games - self.first
        near = (at >= 0) & (at < MOST)
        missing = min(MOST, int(at[-1]) + 1) - self.kept.size
        if missing > 0:
            self.kept = np.concatenate([self.kept, np.full(missing, UNKNOWN, np.uint8)])
        self.kept[at[near]] = metric.won(self.game, block[:, near])
        if self.rows:
            self.rows.write(games, block, there)


@dataclass(frozen=True, eq=False)
class Ranking:
    labels: list[dict[str, Any]]  # of the cells, in the order of the grid
    rivals: bool  # whether seats compete, and a game is won by the first
    games: int
    both: np.ndarray  # how many games each two cells both won
    confidence: float

    @property
    def wins(self) -> np.ndarray:
        return np.diag(self.both)

    @property
    def cells(self) -> int:
        return len(self.labels)

    @property
    def pairs(self) -> int:
        return self.cells * (self.cells - 1) // 2

    @property
    def level(self) -> float:
        """What each pair's interval holds at, so that all do together."""
        return estimates.simultaneous(self.confidence, self.pairs)

    @cached_property
    def order(self) -> list[int]:
        """The cells, the hardest first."""
        return [int(i) for i in np.argsort(self.wins, kind="stable")]

    @cached_property
    def _bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """For each two cells, what the first wins more than the second, in shares of the games."""
        only = self.wins[:, None] - self.both
        low, high = Pairs(self.games, only, only.T).bounds((1 - self.level) / 2)
        return low, high

    @cached_property
    def harder(self) -> np.ndarray:
        """Whether the first cell is shown to be harder than the second."""
        return self._bounds[1] < 0

    def difference(self, i: int, j: int) -> Estimate:
        """The win rate of one cell less that of another."""
        low, high = (float(bound[i, j]) for bound in self._bounds)
        return Estimate(
            float(self.wins[i] - self.wins[j]) / self.games, low, high, self.games, self.confidence
        )

    def place(self, i: int) -> tuple[int, int]:
        """From which to which place the cell may stand, the hardest first."""
        return 1 + int(self.harder[:, i].sum()), self.cells - int(self.harder[i].sum())

    def apart(self, i: int, j: int) -> bool:
        return bool(self.harder[i, j] or self.harder[j, i])

    @cached_property
    def groups(self) -> list[list[int]]:
        """Runs of the order in which no two cells can be told apart, none within another; the hardest first."""
        found: list[list[int]] = []
        for at in range(self.cells):
            end = at + 1
            while end < self.cells and not any(
                self.apart(i, self.order[end]) for i in self.order[at:end]
            ):
                end += 1
            if not (found and self.order[end - 1] in found[-1]):
                found.append(self.order[at:end])
        return found

    @property
    def told_apart(self) -> int:
        """How many pairs are."""
        return int(self.harder.sum())

    def games_needed(self, i: int, j: int) -> int:
        """Games that would tell two cells apart if they differ as much as was seen; 0 if they do not differ."""
        only = self.wins - self.both[i, j]
        return estimates.pairs_needed(int(only[i]), int(only[j]), self.games, self.level)


def ranking(results: Sequence[Result], cells: Sequence[Won], confidence: float) -> Ranking | None:
    """The ranking of the cells that were played to their end, by all games that are known of every one of them."""
    whole = [
        (r, w.kept)
        for r, w in zip(results, cells, strict=False)
        if w.kept.size and not r.interrupted
    ]
    if len(whole) < 2:
        return None
    size = min(kept.size for _, kept in whole)
    won = np.stack([kept[:size] for _, kept in whole])
    won = won[:, (won != UNKNOWN).all(axis=0)]
    if not won.size:
        return None
    both = sum(
        (_both(won[:, at : at + BLOCK]) for at in range(0, won.shape[1], BLOCK)),
        np.zeros((len(whole),) * 2, int),
    )
    first = whole[0][0]
    rivals = first.game.competitive and len(first.strategies) > 1
    return Ranking([r.label for r, _ in whole], rivals, won.shape[1], both, confidence)


def _both(won: np.ndarray) -> np.ndarray:
    part = won.astype(np.float32)  # exact: a block has fewer games than this type has whole numbers
    return (part @ part.T).astype(int)
