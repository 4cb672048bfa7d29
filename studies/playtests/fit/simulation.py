"""The model at every level of play and in many plausible boxes: what becomes of its games there, as sums.

A level is a share of slips of the best player that a game has trained; where seats compete it is the first seat's. The
same games are played at each point, so that what differs between two is the level or the box. Between the levels that
were played, sums are taken straight from one to the next.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from hardmode.scenarios.load import ScenarioError, StrategySpec, Variant
from hardmode.scenarios.overrides import apply
from hardmode.scenarios.variant import UNUSABLE
from hardmode.sim.contract import ENDING, Filled
from hardmode.sim.play.backends import Order, crew
from hardmode.sim.play.engine import Engine, Player
from hardmode.strategies.mistakes import Slips
from hardmode.studies.core.metric import won as won_in
from hardmode.studies.core.progress import Progress, silent
from hardmode.studies.core.reference_players import studied
from hardmode.studies.core.run import Effort, player
from hardmode.studies.uncertainty.priors import Drawn, Unknown, Unknowns

LEVELS = np.array(
    [0.0, 0.03, 0.06, 0.1, 0.15, 0.2, 0.27, 0.35, 0.45, 0.6, 0.8, 1.0]
)  # shares of slips that are played
FINE = np.linspace(0, 1, 101)  # that are told apart
COARSE = np.array(
    [0.0, 0.15, 0.35, 0.6]
)  # at which boxes are compared in which all that is unknown differs
BOXES = 48  # where anything is unknown
FILLING, FEWEST_BOXES = 0.3, 12  # of the time, for filling boxes; of them
FEWEST, MOST, TRIED = 60, 2000, 40  # games of a point; of the trial by which the pace is judged
HOPELESS = 500
Deal = tuple[tuple[int, int], ...]  # columns of what was dealt, and their values


def base_of(cell: Variant) -> StrategySpec:
    """Whose slips a level is: the first seat's player, trained where that is nobody in particular."""
    return replace(studied(cell).strategies[0], slips=None)


def seated(cell: Variant, share: float, base: StrategySpec | None = None) -> list[Player]:
    """The players of a level: all seats of those who play together, the first where they compete."""
    one = replace(base or base_of(cell), slips=Slips(share))
    rivals = cell.game.competitive and cell.players > 1
    return [
        player(cell.game.name, one if s == 0 or not rivals else spec)
        for s, spec in enumerate(cell.strategies)
    ]


def filled(cell: Variant, drawn: Drawn) -> Filled | None:
    """The box of a cell with what is drawn, and what the cell changes in it; none where that is no game."""
    numbers = {**{path: leaf.value for path, leaf in cell.leaves.items()}, **drawn}
    try:
        for change in cell.changes:
            apply(numbers, change, cell.leaves)
        return cell.game.filled(numbers)
    except (*UNUSABLE, ScenarioError):
        return None


@dataclass(frozen=True)
class Sums:
    """What became of the games of one variant, by box and level (b, s)."""

    cell: Variant
    endings: np.ndarray  # (b, s, ending)
    wins: np.ndarray  # (b, s)
    n: np.ndarray  # (b, s, lost or won)
    total: np.ndarray  # (b, s, lost or won, number)
    products: np.ndarray  # (b, s, lost or won, number, number)
    ends: np.ndarray  # the least and the most of each number in any game: (2, number)
    winning: frozenset[int]  # endings that came with a win
    losing: frozenset[int]
    dealt: tuple[Sums, ...] = ()  # the games of each deal that is told apart
    reckoned: dict[Any, Any] = field(
        default_factory=dict, init=False, repr=False
    )  # from these, once all are there

    @classmethod
    def none(cls, cell: Variant, boxes: int, levels: int, numbers: int) -> Sums:
        at = boxes, levels
        return cls(
            cell,
            np.zeros((*at, len(cell.game.all_endings))),
            np.zeros(at),
            np.zeros((*at, 2)),
            np.zeros((*at, 2, numbers)),
            np.zeros((*at, 2, numbers, numbers)),
            np.outer([np.inf, -np.inf], np.ones(numbers)),
            frozenset(),
            frozenset(),
        )

    @cached_property
    def games(self) -> np.ndarray:
        """Of each point."""
        return self.endings.sum(axis=-1)

    def fine(self, name: str) -> np.ndarray:
        """A part of the sums at every level that is told apart."""
        if name not in self.reckoned:
            self.reckoned[name] = between(getattr(self, name))
        return np.asarray(self.reckoned[name])

    @cached_property
    def won(self) -> np.ndarray:
        """The share of games won, by box and fine level."""
        return (self.fine("wins") + 0.5) / (self.fine("games") + 1)


def between(at: np.ndarray) -> np.ndarray:
    """Values at the levels that were played, (b, s, ...), at every fine level."""
    right = np.clip(np.searchsorted(LEVELS, FINE, side="left"), 1, len(LEVELS) - 1)
    share = (FINE - LEVELS[right - 1]) / (LEVELS[right] - LEVELS[right - 1])
    share = share.reshape(1, -1, *([1] * (at.ndim - 2)))
    return (1 - share) * at[:, right - 1] + share * at[:, right]


class Simulator:
    """Plays variants of a scenario at each level in each box; `free` says what differs between these, without it all
    that is unknown."""

    def __init__(
        self,
        cells: Sequence[Variant],
        numbers: Sequence[int],
        effort: Effort,
        games: int | None,
        seconds: float,
        free: Sequence[str] | None = None,
        levels: np.ndarray = LEVELS,
    ) -> None:
        self.cells, self.numbers, self.effort, self.games, self.seconds = (
            cells,
            list(numbers),
            effort,
            games,
            seconds,
        )
        self.crew, self.levels = crew(effort.threads), levels
        self.unknowns = Unknowns(cells if free is None else [])
        self.unknowns.drawn += [Unknown(cells[0].leaves[path]) for path in free or ()]
        self.boxes: list[Drawn] = self._possible()

    def _possible(self) -> list[Drawn]:
        """Boxes that are games in every variant; the one that is assumed alone where nothing is unknown."""
        if not self.unknowns.drawn:
            return [{}]
        found: list[Drawn] = []
        most = self._affordable()
        for drawn in islice(self.unknowns.boxes(self.effort.seed), HOPELESS):
            if all(filled(cell, drawn) is not None for cell in self.cells):
                found.append(drawn)
            if len(found) == most:
                break
        return found or [{}]

    def _affordable(self) -> int:
        """As many boxes as can be filled, to be tried and to be played, in a part of the time."""
        if self.games:
            return BOXES
        begun = time.perf_counter()
        filled(self.cells[0], {})
        spent = 2 * len(self.cells) * (time.perf_counter() - begun)
        return int(np.clip(FILLING * self.seconds / spent, FEWEST_BOXES, BOXES))

    @cached_property
    def paced(self) -> int:
        """As many games of a point as the time allows."""
        if self.games:
            return self.games
        box = filled(self.cells[0], self.boxes[0])
        assert box is not None
        orders = [
            Order(
                Engine(self.cells[0].game, box, seated(self.cells[0], share)),
                self.effort.seed,
                0,
                TRIED,
            )
            for share in (0.0, 0.3)
        ]
        begun = time.perf_counter()
        for _ in self.crew.rows(orders):
            pass
        pace = 2 * TRIED / max(time.perf_counter() - begun, 1e-6) * self.crew.size
        return int(
            np.clip(
                self.seconds * pace / (len(self.cells) * len(self.boxes) * len(self.levels)),
                FEWEST,
                MOST,
            )
        )

    @property
    def points(self) -> int:
        return len(self.boxes) * len(self.levels)

    def played(
        self, progress: Progress = silent, deals: Sequence[Sequence[Deal]] = ()
    ) -> list[Sums]:
        """Every variant; its games of each of some deals apart as well."""
        return [
            self._cell(v, cell, deals[v] if deals else (), progress)
            for v, cell in enumerate(self.cells)
        ]

    def _orders(self, cell: Variant, games: int) -> Iterator[Order]:
        """Box by box, so that no more of them are held than are played."""
        base = base_of(cell)
        levels = [seated(cell, float(share), base) for share in self.levels]
        for b, drawn in enumerate(self.boxes):
            box = filled(cell, drawn)
            assert box is not None
            for s, who in enumerate(levels):
                yield Order(Engine(cell.game, box, who), self.effort.seed, 0, games, about=(b, s))

    def _cell(self, v: int, cell: Variant, deals: Sequence[Deal], progress: Progress) -> Sums:
        made, *dealt = (
            Sums.none(cell, len(self.boxes), len(self.levels), len(self.numbers))
            for _ in (None, *deals)
        )
        sides: list[set[int]] = [set(), set()]
        for i, answer in enumerate(self.crew.rows(self._orders(cell, self.paced))):
            at, rows = answer.order.about, answer.rows
            won = won_in(cell.game, rows)
            _add(made, at, rows, won, self.numbers)
            for one, deal in zip(dealt, deals, strict=True):
                those = np.all([rows[column] == value for column, value in deal], axis=0)
                _add(one, at, rows[:, those], won[those], self.numbers)
            for side in (0, 1):
                sides[side].update(np.unique(rows[ENDING][won == bool(side)]).tolist())
            progress(
                cell.label_text or "every level",
                (v + (i + 1) / self.points) / len(self.cells),
                self.paced / max(answer.seconds, 1e-9),
            )
        lost, wins = map(frozenset, sides)
        return replace(
            made,
            winning=wins,
            losing=lost,
            dealt=tuple(replace(one, winning=wins, losing=lost) for one in dealt),
        )


def _add(
    made: Sums, at: tuple[int, int], rows: np.ndarray, won: np.ndarray, numbers: Sequence[int]
) -> None:
    values = rows[list(numbers)].T.astype(float)
    made.endings[at] = np.bincount(rows[ENDING], minlength=made.endings.shape[-1])
    made.wins[at] = won.sum()
    if values.size:
        made.ends[:] = (
            np.minimum(made.ends[0], values.min(axis=0)),
            np.maximum(made.ends[1], values.max(axis=0)),
        )
    for side in (0, 1):
        some = values[won == bool(side)]
        made.n[at][side], made.total[at][side], made.products[at][side] = (
            len(some),
            some.sum(axis=0),
            some.T @ some,
        )
