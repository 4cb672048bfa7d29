"""A game made ready to play: its rules and strategies compiled, its buffers laid out."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from hardmode.sim import kernel
from hardmode.sim.compile import entry, source_digest
from hardmode.sim.complaint import complaint
from hardmode.sim.contract import Game
from hardmode.sim.records import PLAIN, Cells, blank

NOTHING = np.zeros(0, np.int64)
NO_MARKS = np.zeros(0, np.uint64)


@dataclass(frozen=True)
class Player:
    """A strategy with its weights, how many playouts search may spend on it, and its slips."""

    name: str
    choose: Callable
    weights: tuple[float, ...] = ()
    budget: int = 0
    where: str = ""  # file:line, for messages
    slips: float = 0.0  # the share of decisions in which it is not asked
    careless: Player | None = None  # who chooses then
    own: bool = False  # a user's, which is watched

    def digest(self) -> str:
        functions = [self.choose, *([self.careless.choose] if self.slips and self.careless else [])]
        return source_digest(*functions)


class StrategyError(Exception):
    """A strategy did what it may not; says which, where, and in which game."""


class RulesError(Exception):
    """A game's rules came to a point where nothing can go on."""


@cache
def _compiled(name: str, game: Game) -> tuple[list[Any], Any]:
    """The game's rules and what decides for players who search or slip, as the decision loop takes them; and the
    loop."""
    signs = kernel.signatures(game) if not PLAIN else dict.fromkeys((*kernel.Rules._fields, "play", "decide"))
    rules = [entry(getattr(game, r), signs[r], name=f"{name} {r}") for r in kernel.Rules._fields]
    decide, play = (entry(getattr(kernel, part), signs[part], name=f"{name} {part}") for part in ("decide", "play"))
    return [*rules, decide], play


@cache
def _choose(game: Game, choose: Callable, where: str) -> Any:
    sign = None if PLAIN else kernel.signatures(game)["choose"]
    try:
        return entry(choose, sign, boundscheck=True, name=f"strategy {getattr(choose, '__name__', choose)}")
    except Exception as why:
        raise StrategyError(complaint(why, choose, where, game)) from why


class Desk:
    """What one thread plays with: its record, and views of the parts that are looked at from outside."""

    def __init__(self, game: Game) -> None:
        self.record = blank(kernel.desk_of(game))
        parts = self.record.view(np.ndarray)
        self.tables, self.hiddens, self.lucks = (_cells(parts[name][0]) for name in ("tables", "hiddens", "lucks"))
        self.lists, self.curves, self.alive = (parts[name][0] for name in ("lists", "curves", "alive"))
        self.digest, self.totals, self.fault = parts["digest"], parts["totals"][0], parts["fault"][0]
        picks = kernel.curve_columns(game)
        parts["picks"][0, :len(picks)], parts["picks_n"] = picks, len(picks)
        self.lucks.view(np.ndarray)["source"] = -1


def _cells(array: np.ndarray) -> Any:
    return array.view(Cells) if PLAIN else array


class Engine:
    """One game, one box, one strategy per seat: plays any range of games of any seed."""

    def __init__(self, game: Game, box: np.ndarray, players: Sequence[Player]) -> None:
        self.game, self.players = game, tuple(players)
        self.box = box.view(Cells) if PLAIN else box
        self._rules, self._play = _compiled(game.name, game)
        self.seated = [*self.players, *[self.players[0]] * (game.seats - len(self.players))]
        careless = [p.careless or p for p in self.seated]
        self._who = [tuple(_choose(game, p.choose, p.where) for p in some) for some in (self.seated, careless)]
        self._seats = _seats(game, self.seated, [*self.seated, *careless])
        watched = any(p.own for p in [*self.seated, *careless])
        self._printed = self._box_sum() if watched else None

    def play(self, desk: Desk, seed: int, lo: int, hi: int, out: np.ndarray, at: int = 0, *,
             script: np.ndarray = NOTHING, trace: np.ndarray = NOTHING, stop: int = -1,
             log: bool = False, redraw: tuple[int, int] | None = None, marks: np.ndarray = NO_MARKS) -> None:
        """Play games lo..hi-1 into the columns of `out` from `at` on, the hashes of their outcomes into `marks`."""
        luck = desk.lucks.view(np.ndarray)
        luck["log_on"][kernel.REAL] = log
        luck["source"][kernel.REAL], luck["other"][kernel.REAL] = redraw or (-1, 0)
        job = blank(kernel.JOB)
        job.view(np.ndarray)[0] = (seed, lo, hi, self.game.max_decisions, stop)
        desk.fault[:] = 0
        try:
            self._play(self.box, desk.record, *self._rules, *self._who, self._seats, job,
                       _cells(script), _cells(trace), out, _cells(marks), at)
        except (KeyboardInterrupt, StrategyError, RulesError):
            raise
        except Exception as why:
            who = ", ".join(dict.fromkeys(f"{p.name} ({p.where})" for p in self.players))
            raise StrategyError(f"in games {lo} to {hi - 1} of seed {seed}, {type(why).__name__}: {why}; "
                                f"playing: {who}") from why
        if desk.fault[0]:
            self._explain(desk, seed)
        if self._printed is not None and self._box_sum() != self._printed:
            who = ", ".join(dict.fromkeys(f"{p.name} ({p.where})" for p in self.players))
            raise StrategyError(f"{who} wrote to the box, in games {lo} to {hi - 1} of seed {seed}")

    def _box_sum(self) -> int:
        return zlib.crc32(self.box.view(np.ndarray).tobytes())

    def _explain(self, desk: Desk, seed: int) -> None:
        code, game, step, kind, seat, index, n = (int(x) for x in desk.fault)
        at = f"game {game} of seed {seed}, step {step}, decision {self.game.kinds[kind]!r}"
        if code == kernel.ILLEGAL:
            p = self.players[seat] if seat < len(self.players) else self.players[0]
            raise StrategyError(f"{p.where}: strategy {p.name!r} returned {index} where 0 to {n - 1} are legal; {at}")
        if code == kernel.WROTE:
            who = self.players[min(seat, len(self.players) - 1)]
            raise StrategyError(f"{who.where}: strategy {who.name!r} wrote to the table, to its own part, to the "
                                f"options or to its weights, which it may only read; {at}")
        what = "no option is left" if code == kernel.NO_OPTION else f"{n} options are more than max_options"
        raise RulesError(f"{self.game.name}: {what}; {at}")


def _seats(game: Game, seated: Sequence[Player], everyone: Sequence[Player]) -> Any:
    """The record of what plays at each seat."""
    seats = blank(kernel.seats_of(game))
    parts = seats.view(np.ndarray)[0]
    parts["budget"] = [p.budget for p in seated]
    parts["slips"] = [p.slips for p in seated]
    parts["special"] = [bool(p.budget or p.slips or p.own) for p in seated]
    for i, p in enumerate(everyone):
        if len(p.weights) > kernel.MOST_WEIGHTS:
            raise StrategyError(f"{p.where}: strategy {p.name!r} has {len(p.weights)} weights; "
                                f"{kernel.MOST_WEIGHTS} are the most")
        parts["watched"][i], parts["weights_n"][i] = p.own, len(p.weights)
        parts["weights"][i, :len(p.weights)] = p.weights
    return seats


def columns(game: Game, n: int) -> Any:
    """Empty columns for n games."""
    return _cells(np.zeros((len(game.columns), n), np.int32))
