"""A game made ready to play: its rules and strategies compiled, its buffers laid out."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from hardmode.sim import declared, kernel, place
from hardmode.sim.compile import entry, source_digest
from hardmode.sim.complaint import complaint
from hardmode.sim.contract import Game, RulesError
from hardmode.sim.draws import LUCK, game_key
from hardmode.sim.records import PLAIN, Cells, is_ours

NOTHING = np.zeros(0, np.int64)
LONG = 200  # of what an exception says


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


@cache
def _rules(name: str, game: Game) -> tuple[kernel.Rules, Any]:
    """The game's rules and the decision loop, compiled."""
    declared.refuse(game)
    signs = kernel.signatures(game) if not PLAIN else dict.fromkeys((*kernel.Rules._fields, "play"))
    made = {part: _compiled(game, getattr(game, part), signs[part], part, RulesError, f"{name} {part}")
            for part in kernel.Rules._fields}
    return kernel.Rules(**made), entry(kernel.play, signs["play"], name=f"{name} play")


@cache
def _choose(game: Game, choose: Callable) -> Any:
    sign = None if PLAIN else kernel.signatures(game)["choose"]
    return _compiled(game, choose, sign, "choose", StrategyError, f"strategy {getattr(choose, '__name__', choose)}",
                     boundscheck=True)


def _compiled(game: Game, function: Callable, sign: Any, part: str, wrong: type[Exception], name: str,
              boundscheck: bool = False) -> Any:
    """A rule or a strategy, or one line that says why its author must change it."""
    try:
        return entry(function, sign, boundscheck=boundscheck or not is_ours(place.bare(function)), name=name)
    except Exception as why:
        raise wrong(complaint(why, function, game, part)) from why


class Desk:
    """The records and arrays that one thread plays with, and what it sums up."""

    def __init__(self, game: Game, plain: bool = PLAIN) -> None:
        rounds, picks = game.max_rounds + 1, curve_columns(game)
        endings = len(game.all_endings)

        def cells(array: np.ndarray) -> Any:
            return _cells(array, plain)

        self.tables, self.hiddens = cells(np.zeros(3, game.table)), cells(np.zeros(3, game.hidden))
        self.tables.view(np.ndarray)["ending"] = kernel.UNSET
        self.lucks = cells(np.zeros(3, LUCK))
        self.lucks.view(np.ndarray)["source"] = -1
        self.lists = cells(np.zeros((3, game.max_options), np.int64))
        row = np.zeros(1, game.row)
        self.workspace = kernel.Workspace(
            self.tables, self.hiddens, self.lucks, self.lists,
            cells(np.zeros(game.max_options)), cells(np.zeros(game.max_options)))
        self.pad = kernel.Pad(cells(row), cells(row.view(np.int64)), cells(np.asarray(picks, np.int64)),
                              cells(np.zeros((rounds, len(picks)), np.int64)))
        self.curves = cells(np.zeros((endings, rounds, len(picks)), np.int64))
        self.alive = cells(np.zeros((endings, rounds), np.int64))
        self.digest = cells(np.zeros(1, np.uint64))
        self.totals = cells(np.zeros(3, np.int64))
        self.fault = cells(np.zeros(7, np.int64))
        self.sums = kernel.Sums(self.curves, self.alive, self.digest, self.totals, self.fault)


def _cells(array: np.ndarray, plain: bool = PLAIN) -> Any:
    return array.view(Cells) if plain else array


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
        self.seats = kernel.Players(tuple(_choose(game, p.choose) for p in seats), _cells(weights),
                                    _cells(self.budgets))

    def play(self, desk: Desk, seed: int, lo: int, hi: int, out: np.ndarray, at: int = 0, *,
             script: np.ndarray = NOTHING, trace: np.ndarray = NOTHING, stop: int = -1,
             log: bool = False, redraw: tuple[int, int] | None = None) -> None:
        """Play games lo..hi-1 into the columns of `out` from `at` on."""
        luck = desk.lucks.view(np.ndarray)
        luck["log_on"][kernel.REAL] = log
        luck["source"][kernel.REAL], luck["other"][kernel.REAL] = redraw or (-1, 0)
        job = kernel.Job(seed, lo, hi, self.game.max_decisions, stop, script, trace)
        desk.fault[:] = 0
        try:
            self._play(self.box, desk.workspace, desk.pad, *self.rules, self.seats, desk.sums, job, out, at)
        except (KeyboardInterrupt, StrategyError, RulesError):
            raise
        except Exception as why:
            raise self._raised(why, desk, seed, lo, hi, script) from why
        if desk.fault[0]:
            raise self._refused(desk, seed)

    def plainly(self, desk: Desk, seed: int, lo: int, hi: int, out: np.ndarray, script: np.ndarray = NOTHING) -> None:
        """Play games as `play` does, but in plain Python, at a plain desk: slow, and every mistake has a line."""
        rules = kernel.Rules(*(place.bare(getattr(self.game, rule)) for rule in kernel.Rules._fields))
        seats = kernel.Players(tuple(place.bare(self._player(s).choose) for s in range(self.game.seats)),
                               self.seats.weights.view(Cells), self.seats.budgets.view(Cells))
        job = kernel.Job(seed, lo, hi, self.game.max_decisions, -1, script, NOTHING)
        with np.errstate(over="ignore", divide="raise", invalid="raise"):
            kernel.play(self.box.view(Cells), desk.workspace, desk.pad, *rules, seats, desk.sums, job,
                        out.view(Cells), 0)
        if desk.fault[0]:
            raise self._refused(desk, seed)

    def _player(self, seat: int) -> Player:
        return self.players[seat] if seat < len(self.players) else self.players[0]

    def _raised(self, why: Exception, desk: Desk, seed: int, lo: int, hi: int, script: np.ndarray) -> Exception:
        """What to say of an exception: compiled code knows no line, so the game is played again in plain Python."""
        key = desk.lucks.view(np.ndarray)["key"][kernel.REAL]
        with np.errstate(over="ignore"):
            game = next((g for g in range(lo, hi) if game_key(seed, g) == key), lo)
        try:
            self.plainly(Desk(self.game, plain=True), seed, game, game + 1, columns(self.game, 1), script)
        except (StrategyError, RulesError) as again:
            return again
        except Exception as again:
            return self._told(again, seed, game)
        said = str(why) if len(str(why)) < LONG else f"{str(why)[:LONG]} ..."
        if "No matching definition" in said:
            said = "the compiled game was handed other records than it was made for"
        return RulesError(f"{self.game.name}: game {game} of seed {seed} raises {type(why).__name__} when it is "
                          f"compiled and not as plain Python: {said}")

    def _told(self, why: Exception, seed: int, game: int) -> Exception:
        """The line in the rules or in a strategy that raised while a game was played in plain Python."""
        at, step, who, said = place.playing(why), 0, None, place.spoken(why)
        for frame, _ in traceback.walk_tb(why.__traceback__):
            if frame.f_code is kernel.play.__code__:
                step, table = int(frame.f_locals.get("step", 0)), frame.f_locals["table"]
                if not 0 <= table.seat < self.game.seats:
                    said = f"seat {table.seat} is to decide, of {self.game.seats} seats numbered from 0"
            who = who or next((p for p in self.players if frame.f_code is place.bare(p.choose).__code__), None)
        culprit = f"strategy {who.name!r}" if who else self.game.name
        said = f"{culprit}: {said}; game {game} of seed {seed}, step {step}"
        return (StrategyError if who else RulesError)(f"{place.text(at)}: {said}" if at else said)

    def _refused(self, desk: Desk, seed: int) -> Exception:
        """What the kernel does not go on with."""
        code, game, step, kind, seat, index, n = (int(x) for x in desk.fault)
        kinds = self.game.kinds
        name = repr(kinds[kind]) if 0 <= kind < len(kinds) else f"{kind}, which is none of the game's kinds"
        at = f"game {game} of seed {seed}, step {step}, decision {name}"
        if code == kernel.ILLEGAL:
            p = self._player(seat)
            return StrategyError(f"{p.where}: strategy {p.name!r} returned {index} where 0 to {n - 1} are legal; {at}")
        rule, what = {
            kernel.NO_OPTION: ("options", "no option is left"),
            kernel.TOO_MANY: ("options", f"{n} options are more than max_options, {self.game.max_options}"),
            kernel.NOT_SET_UP: ("setup", "set-up leaves the table without `ending`; it is -1 while the game goes on"),
            kernel.NO_ENDING: ("outcome", f"the row's ending is {index}" if index != kernel.UNSET else
                               "the row has no ending"),
        }[code]
        return RulesError(f"{declared.where(self.game, rule)}: {self.game.name}: {what}; {at}")


def columns(game: Game, n: int) -> Any:
    """Empty columns for n games."""
    return _cells(np.zeros((len(game.columns), n), np.int32))
