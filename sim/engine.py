"""A game made ready to play: its rules and strategies compiled, its buffers laid out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from hardmode.sim import kernel
from hardmode.sim.compile import entry, source_digest
from hardmode.sim.complaint import complaint
from hardmode.sim.contract import Game
from hardmode.sim.draws import LUCK
from hardmode.sim.records import PLAIN, Cells, blank

NOTHING = np.zeros(0, np.int64)
NO_MARKS = np.zeros(0, np.uint64)


@dataclass(frozen=True)
class Player:
    """A strategy at a seat: the function that chooses, its weights, and how many playouts search may spend."""

    name: str
    choose: Callable
    weights: tuple[float, ...] = ()
    budget: int = 0
    where: str = ""  # file:line, for messages

    def digest(self) -> str:
        return source_digest(self.choose)


class StrategyError(Exception):
    """A strategy did what it may not; says which, where, and in which game."""


class RulesError(Exception):
    """A game's rules came to a point where nothing can go on."""


@cache
def _rules(name: str, game: Game) -> tuple[kernel.Rules, Any]:
    """The game's rules and the decision loop, compiled."""
    signs = kernel.signatures(game) if not PLAIN else dict.fromkeys((*kernel.Rules._fields, "play"))
    made = {r: entry(getattr(game, r), signs[r], name=f"{name} {r}") for r in kernel.Rules._fields}
    return kernel.Rules(**made), entry(kernel.play, signs["play"], name=f"{name} play")


@cache
def _choose(game: Game, choose: Callable, where: str) -> Any:
    sign = None if PLAIN else kernel.signatures(game)["choose"]
    try:
        return entry(choose, sign, boundscheck=True, name=f"strategy {getattr(choose, '__name__', choose)}")
    except Exception as why:
        raise StrategyError(complaint(why, choose, where, game)) from why


class Desk:
    """The records and arrays that one thread plays with, and what it sums up."""

    def __init__(self, game: Game) -> None:
        rounds, picks = game.max_rounds + 1, curve_columns(game)
        endings = len(game.all_endings)
        self.tables, self.hiddens = blank(game.table, 3), blank(game.hidden, 3)
        self.lucks = blank(LUCK, 3)
        self.lucks.view(np.ndarray)["source"] = -1
        self.lists = _cells(np.zeros((3, game.max_options), np.int64))
        row = np.zeros(1, game.row)
        self.workspace = kernel.Workspace(
            self.tables, self.hiddens, self.lucks, self.lists,
            _cells(np.zeros(game.max_options)), _cells(np.zeros(game.max_options)))
        self.pad = kernel.Pad(_cells(row), _cells(row.view(np.int64)), _cells(np.asarray(picks, np.int64)),
                              _cells(np.zeros((rounds, len(picks)), np.int64)))
        self.curves = _cells(np.zeros((endings, rounds, len(picks)), np.int64))
        self.alive = _cells(np.zeros((endings, rounds), np.int64))
        self.digest = _cells(np.zeros(1, np.uint64))
        self.totals = _cells(np.zeros(3, np.int64))
        self.fault = _cells(np.zeros(7, np.int64))
        self.sums = kernel.Sums(self.curves, self.alive, self.digest, self.totals, self.fault)


def _cells(array: np.ndarray) -> Any:
    return array.view(Cells) if PLAIN else array


def curve_columns(game: Game) -> list[int]:
    names = game.columns
    return [names.index(m.name) for m in game.measures if m.curve and not m.per_seat]


class Engine:
    """One game, one box, one strategy per seat: plays any range of games of any seed."""

    def __init__(self, game: Game, box: np.ndarray, players: Sequence[Player]) -> None:
        self.game, self.players = game, tuple(players)
        self.box = box.view(Cells) if PLAIN else box
        self.rules, self._play = _rules(game.name, game)
        seats = [*self.players, *[self.players[0]] * (game.seats - len(self.players))]
        weights = np.zeros((game.seats, max(1, *(len(p.weights) for p in seats))))
        for i, p in enumerate(seats):
            weights[i, :len(p.weights)] = p.weights
        self.budgets = np.array([p.budget for p in seats], np.int64)
        self.seats = kernel.Players(tuple(_choose(game, p.choose, p.where) for p in seats), _cells(weights),
                                    _cells(self.budgets))

    def play(self, desk: Desk, seed: int, lo: int, hi: int, out: np.ndarray, at: int = 0, *,
             script: np.ndarray = NOTHING, trace: np.ndarray = NOTHING, stop: int = -1,
             log: bool = False, redraw: tuple[int, int] | None = None, marks: np.ndarray = NO_MARKS) -> None:
        """Play games lo..hi-1 into the columns of `out` from `at` on, the hashes of their outcomes into `marks`."""
        luck = desk.lucks.view(np.ndarray)
        luck["log_on"][kernel.REAL] = log
        luck["source"][kernel.REAL], luck["other"][kernel.REAL] = redraw or (-1, 0)
        job = kernel.Job(seed, lo, hi, self.game.max_decisions, stop, script, trace)
        desk.fault[:] = 0
        try:
            self._play(self.box, desk.workspace, desk.pad, *self.rules, self.seats, desk.sums, job, out,
                       _cells(marks), at)
        except (KeyboardInterrupt, StrategyError, RulesError):
            raise
        except Exception as why:
            who = ", ".join(dict.fromkeys(f"{p.name} ({p.where})" for p in self.players))
            raise StrategyError(f"in games {lo} to {hi - 1} of seed {seed}, {type(why).__name__}: {why}; "
                                f"playing: {who}") from why
        if desk.fault[0]:
            self._explain(desk, seed)

    def _explain(self, desk: Desk, seed: int) -> None:
        code, game, step, kind, seat, index, n = (int(x) for x in desk.fault)
        at = f"game {game} of seed {seed}, step {step}, decision {self.game.kinds[kind]!r}"
        if code == kernel.ILLEGAL:
            p = self.players[seat] if seat < len(self.players) else self.players[0]
            raise StrategyError(f"{p.where}: strategy {p.name!r} returned {index} where 0 to {n - 1} are legal; {at}")
        what = "no option is left" if code == kernel.NO_OPTION else f"{n} options are more than max_options"
        raise RulesError(f"{self.game.name}: {what}; {at}")


def columns(game: Game, n: int) -> Any:
    """Empty columns for n games."""
    return _cells(np.zeros((len(game.columns), n), np.int32))
