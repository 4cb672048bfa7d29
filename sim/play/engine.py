"""A game made ready to play: its rules and strategies compiled, its buffers laid out."""

from __future__ import annotations

import ctypes
import hashlib
import traceback
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np
from numba import types

from hardmode.sim.compile import background, source_location
from hardmode.sim.compile.cache import can_be_sent_for, entry, unwarned
from hardmode.sim.compile.errors import complaint
from hardmode.sim.compile.fingerprint import reach, source_digest
from hardmode.sim.contract import Game, RulesError, validation
from hardmode.sim.contract import game as game_of
from hardmode.sim.draws import Event, game_key, mask_of
from hardmode.sim.play import decisions, kernel, workspace
from hardmode.sim.records import PLAIN, Cells, blank, is_ours

NOTHING = np.zeros(0, np.int64)
NO_MARKS = np.zeros(0, np.uint64)
Redraw = tuple[int | Iterable[int] | Event, int]
LONG = 200  # of what an exception says
HELP = (
    "import json, sys; from hardmode.sim.play.engine import rules_of; rules_of(*json.loads(sys.argv[1]))"
)
MANY = 120  # functions, which take longer than it takes a helper to start


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
    keeps: tuple[
        int, ...
    ] = ()  # the labels to which it keeps wherever an option of one of them is offered
    counted: bool = False  # whether what it is offered, and takes, is counted
    plays_on: Player | None = None  # who plays on in the playouts of its search, where another does

    def __str__(self) -> str:
        """Its name and its slips, as a reader sees them."""
        return slipping(self.name, self.slips, self.careless.name if self.careless else "random")

    def digest(self) -> str:
        code = source_digest(self.choose)
        if not self.slips and not self.keeps and not self.plays_on:
            return code
        slips = [
            code,
            self.slips,
            *([self.careless.digest(), self.careless.weights] if self.careless else []),
            *self.keeps,
            *([self.plays_on.digest(), self.plays_on.weights] if self.plays_on else []),
        ]
        return hashlib.sha256(repr(slips).encode()).hexdigest()[:16]


def slipping(name: str, share: float, by: str | None) -> str:
    """A player's name with its slips, where it has some."""
    whose = f" of {by}" if by not in (None, "random") else ""
    return f"{name} with {100 * share:.10g}% slips{whose}" if share else name


class StrategyError(Exception):
    """A strategy did what it may not; says which, where, and in which game."""


class Absent(types.WrapperAddressProtocol):
    """Stands for a rule that nobody at the table will ask for, so that it need not be compiled."""

    _nothing = ctypes.CFUNCTYPE(ctypes.c_int64)(lambda: 0)

    def __init__(self, sign: Any) -> None:
        self._sign = sign

    def __wrapper_address__(self) -> int:
        return ctypes.cast(self._nothing, ctypes.c_void_p).value or 0

    def signature(self) -> Any:
        return self._sign


@cache
def _rules(game: Game, every: bool) -> list[Any]:
    """The game's rules and what decides for special players, as the decision loop takes them; those that only the
    latter ask for are left out unless every one is wanted."""
    parts = (*decisions.Rules._fields, "decide")
    asked = parts if every else kernel.ASKED
    found = {
        part: _rule(game, part) for part in sorted(asked, key=kernel.ASKED.__contains__)
    }  # a helper's at last
    return [found.get(part) or Absent(kernel.signatures(game)[part]) for part in parts]


def rules_of(name: str) -> None:
    """What a helper does, in a process of its own: it has the rules compiled while here the players are."""
    for part in kernel.ASKED:
        with background.helping():
            _rule(game_of(name), part)


def _worth_help(game: Game, begun: str) -> bool:
    """Whether the rules must be compiled, and are many, when something else begins to be."""
    if begun in [f"{game.name} {part}" for part in kernel.ASKED]:
        return False
    setup, sign = game.setup, kernel.signatures(game)["setup"]
    return reach(*(getattr(game, part) for part in kernel.ASKED)) >= MANY and can_be_sent_for(
        setup, sign, boundscheck=not is_ours(source_location.bare(setup))
    )


@cache
def _rule(game: Game, part: str) -> Any:
    sign = None if PLAIN else kernel.signatures(game)[part]
    if part in decisions.Rules._fields:
        return _compiled(game, getattr(game, part), sign, part, RulesError, f"{game.name} {part}")
    return entry(
        getattr(decisions if part == "decide" else kernel, part), sign, name=f"{game.name} {part}"
    )


@cache
def _choose(game: Game, choose: Callable) -> Any:
    sign = None if PLAIN else kernel.signatures(game)["choose"]
    return _compiled(
        game,
        choose,
        sign,
        "choose",
        StrategyError,
        f"strategy {getattr(choose, '__name__', choose)}",
    )


def _compiled(
    game: Game, function: Callable, sign: Any, part: str, wrong: type[Exception], name: str
) -> Any:
    """A rule or a strategy, or one line that says why its author must change it."""
    try:
        return entry(function, sign, boundscheck=not is_ours(source_location.bare(function)), name=name)
    except Exception as why:
        raise wrong(complaint(why, function, game, part)) from why


class Desk:
    """What one thread plays with: its record, and views of the parts that are looked at from outside."""

    def __init__(self, game: Game, plain: bool = PLAIN) -> None:
        self.record = _cells(np.zeros(1, workspace.desk_of(game)), plain)
        parts = self.record.view(np.ndarray)
        self.tables, self.hiddens, self.lucks = (
            _cells(parts[name][0], plain) for name in ("tables", "hiddens", "lucks")
        )
        self.lists, self.curves, self.alive = (
            parts[name][0] for name in ("lists", "curves", "alive")
        )
        self.digest, self.totals, self.fault = (
            parts["digest"],
            parts["totals"][0],
            parts["fault"][0],
        )
        self.chances, self.decided, self.counted = (
            parts[name][0] for name in ("chances", "decided", "games")
        )
        picks = workspace.curve_columns(game)
        parts["picks"][0, : len(picks)], parts["picks_n"] = picks, len(picks)
        self.tables.view(np.ndarray)["ending"] = kernel.UNSET


def _cells(array: np.ndarray, plain: bool = PLAIN) -> Any:
    return array.view(Cells) if plain else array


class Engine:
    """One game, one box, one strategy per seat: plays any range of games of any seed."""

    def __init__(self, game: Game, box: np.ndarray, players: Sequence[Player]) -> None:
        self.game, self.players = game, tuple(players)
        self.filled = box
        self.box = box.view(Cells) if PLAIN else np.asarray(box)
        validation.refuse(game)
        self.seated = [*self.players, *[self.players[0]] * (game.seats - len(self.players))]
        everyone = [*self.seated, *self._others()]
        seats = _seats if any(p.own for p in everyone) else _kept_seats
        self._seats = seats(game, tuple(self.seated), tuple(everyone))
        special = bool(self._seats.view(np.ndarray)["special"].any())
        with background.helped(HELP, [game.name], partial(_worth_help, game)):
            self._play = _rule(game, "play")
            compiled = [_choose(game, p.choose) for p in everyone]
            self._who = tuple(compiled[: game.seats]), tuple(compiled[game.seats :])
            self._rules = _rules(game, special or PLAIN or not is_ours(source_location.bare(game.setup)))
        self._printed = self._box_sum() if any(p.own for p in everyone) else None
        self.limit = game.max_decisions

    def _others(self) -> list[Player]:
        """Who chooses where a seat's player slips, and who plays on in its playouts."""
        return [*(p.careless or p for p in self.seated), *(p.plays_on or p for p in self.seated)]

    @property
    def numbers(self) -> Mapping[str, Any]:
        """What the box was filled with; nothing where nobody knows."""
        return getattr(self.filled, "numbers", None) or {}

    def play(
        self,
        desk: Desk,
        seed: int,
        lo: int,
        hi: int,
        out: np.ndarray,
        at: int = 0,
        *,
        script: np.ndarray = NOTHING,
        trace: np.ndarray = NOTHING,
        stop: int = -1,
        log: bool = False,
        redraw: Redraw | None = None,
        marks: np.ndarray = NO_MARKS,
    ) -> None:
        """Play games lo..hi-1 into the columns of `out` from `at` on, the hashes of their outcomes into `marks`.

        With `redraw`, some sources (their mask, their numbers, or one event) are drawn with the luck of the same
        game of another seed.
        """
        what, other = redraw or (0, 0)
        luck = desk.lucks.view(np.ndarray)
        luck["log_on"][workspace.REAL] = log
        luck["alone"][workspace.REAL] = isinstance(what, Event)
        if isinstance(what, Event):
            luck["event"][workspace.REAL] = what[1:]
            what = what[:1]
        luck["redrawn"][workspace.REAL] = what if isinstance(what, int) else mask_of(what)
        job = self._job(seed, lo, hi, stop, other)
        desk.fault[:] = 0
        unwarned()
        try:
            self._play(
                self.box,
                desk.record,
                *self._rules,
                *self._who,
                self._seats,
                job,
                _cells(script),
                _cells(trace),
                out,
                _cells(marks),
                at,
            )
        except (KeyboardInterrupt, StrategyError, RulesError):
            raise
        except Exception as why:
            raise self._raised(why, desk, seed, lo, hi, script) from why
        if desk.fault[0]:
            raise self._refused(desk, seed)
        if self._printed is not None and self._box_sum() != self._printed:
            who = ", ".join(dict.fromkeys(f"{p.name} ({p.where})" for p in self.players))
            raise StrategyError(f"{who} wrote to the box, in games {lo} to {hi - 1} of seed {seed}")

    @property
    def rules(self) -> Sequence[Callable]:
        """All of the game's rules, as the decision loop takes them."""
        return _rules(self.game, True)[:-1]

    def look(
        self, compiled: Any, desk: Desk, redeal_for: Any, ask: Any, *found: np.ndarray
    ) -> None:
        """Play the position at a desk on in worlds: see `odds`."""
        unwarned()
        try:
            compiled(
                self.box,
                desk.record,
                *self.rules,
                redeal_for,
                *self._who,
                self._seats,
                ask,
                *(_cells(x) for x in found),
            )
        except KeyboardInterrupt:
            raise
        except Exception as why:
            raise RulesError(
                f"{self.game.name}: a game that is played on from step {int(ask['step'][0])} raises "
                f"{type(why).__name__}: {str(why)[:LONG]}"
            ) from why

    def _box_sum(self) -> int:
        return zlib.crc32(self.box.view(np.ndarray).tobytes())

    def plainly(
        self, desk: Desk, seed: int, lo: int, hi: int, out: np.ndarray, script: np.ndarray = NOTHING
    ) -> None:
        """Play games as `play` does, but in plain Python, at a plain desk: slow, and every mistake has a line."""
        rules = decisions.Rules(
            *(source_location.bare(getattr(self.game, rule)) for rule in decisions.Rules._fields)
        )
        choose = tuple(source_location.bare(p.choose) for p in self.seated)
        careless = tuple(source_location.bare(p.choose) for p in self._others())
        with np.errstate(over="ignore", divide="raise", invalid="raise"):
            kernel.play(
                self.box.view(Cells),
                desk.record,
                *rules,
                decisions.decide,
                choose,
                careless,
                self._seats.view(Cells),
                self._job(seed, lo, hi, -1).view(Cells),
                script,
                NOTHING,
                out.view(Cells),
                NO_MARKS,
                0,
            )
        if desk.fault[0]:
            raise self._refused(desk, seed)

    def _job(self, seed: int, lo: int, hi: int, stop: int, other: int = 0) -> Any:
        job = blank(workspace.JOB)
        job.view(np.ndarray)[0] = (seed, lo, hi, self.limit, stop, other)
        return job

    def _raised(
        self, why: Exception, desk: Desk, seed: int, lo: int, hi: int, script: np.ndarray
    ) -> Exception:
        """What to say of an exception: compiled code knows no line, so the game is played again in plain Python."""
        key = desk.lucks.view(np.ndarray)["key"][workspace.REAL]
        with np.errstate(over="ignore"):
            game = next((g for g in range(lo, hi) if game_key(seed, g) == key), lo)
        try:
            self.plainly(
                Desk(self.game, plain=True), seed, game, game + 1, columns(self.game, 1), script
            )
        except (StrategyError, RulesError) as again:
            return again
        except Exception as again:
            return self._plain_mistake(again, seed, game)
        said = str(why) if len(str(why)) < LONG else f"{str(why)[:LONG]} ..."
        if "No matching definition" in said:
            said = "the compiled game was handed other records than it was made for"
        if isinstance(why, IndexError):
            said += "; hardmode's own code does not count from the end where a strategy asks it for a place below 0"
        return RulesError(
            f"{self.game.name}: game {game} of seed {seed} raises {type(why).__name__} when it is "
            f"compiled and not as plain Python: {said}"
        )

    def _plain_mistake(self, why: Exception, seed: int, game: int) -> Exception:
        """The line in the rules or in a strategy that raised while a game was played in plain Python."""
        at, step, who, said = source_location.playing(why), 0, None, source_location.spoken(why)
        for frame, _ in traceback.walk_tb(why.__traceback__):
            if frame.f_code is kernel.play.__code__:
                step, table = int(frame.f_locals.get("step", 0)), frame.f_locals["table"]
                if not 0 <= table.seat < self.game.seats:
                    said = f"seat {table.seat} is to decide, of {self.game.seats} seats numbered from 0"
            who = who or next(
                (p for p in self.players if frame.f_code is source_location.bare(p.choose).__code__), None
            )
        culprit = f"strategy {who.name!r}" if who else self.game.name
        said = f"{culprit}: {said}; game {game} of seed {seed}, step {step}"
        return (StrategyError if who else RulesError)(f"{source_location.text(at)}: {said}" if at else said)

    def _refused(self, desk: Desk, seed: int) -> Exception:
        """What the kernel does not go on with."""
        code, game, step, kind, seat, index, n = (int(x) for x in desk.fault)
        kinds = self.game.kinds
        name = (
            repr(kinds[kind])
            if 0 <= kind < len(kinds)
            else f"{kind}, which is none of the game's kinds"
        )
        at = f"game {game} of seed {seed}, step {step}, decision {name}"
        if code == kernel.ILLEGAL:
            p = self.seated[seat]
            return StrategyError(
                f"{p.where}: strategy {p.name!r} returned {index} where 0 to {n - 1} are legal; {at}"
            )
        if code == kernel.WROTE:
            p = self.seated[seat]
            return StrategyError(
                f"{p.where}: strategy {p.name!r} wrote to the table, to its own part, to the options "
                f"or to its weights, which it may only read; {at}"
            )
        rule, what = {
            kernel.NO_OPTION: ("options", "no option is left"),
            kernel.TOO_MANY: (
                "options",
                f"{n} options are more than max_options, {self.game.max_options}",
            ),
            kernel.NOT_SET_UP: (
                "setup",
                "set-up leaves the table without `ending`; it is -1 while the game goes on",
            ),
            kernel.NO_ENDING: (
                "outcome",
                f"the row's ending is {index}"
                if index != kernel.UNSET
                else "the row has no ending",
            ),
        }[code]
        return RulesError(f"{validation.where(self.game, rule)}: {self.game.name}: {what}; {at}")


@lru_cache(4)
def _kept_seats(game: Game, seated: tuple[Player, ...], everyone: tuple[Player, ...]) -> Any:
    """The same for every box that they play: megabytes, which only a user's own player might write to."""
    return _seats(game, seated, everyone)


def _seats(game: Game, seated: Sequence[Player], everyone: Sequence[Player]) -> Any:
    """The record of what plays at each seat."""
    seats = blank(workspace.seats_of(game))
    parts = seats.view(np.ndarray)[0]
    parts["budget"] = [p.budget for p in seated]
    parts["slips"] = [p.slips for p in seated]
    parts["special"] = [bool(p.budget or p.slips or p.own or p.keeps or p.counted) for p in seated]
    parts["bound"], parts["counted"] = [bool(p.keeps) for p in seated], [p.counted for p in seated]
    for seat, p in enumerate(seated):
        parts["keeps"][seat, list(p.keeps)] = 1
    for i, p in enumerate(everyone):
        if len(p.weights) > workspace.MOST_WEIGHTS:
            raise StrategyError(
                f"{p.where}: strategy {p.name!r} has {len(p.weights)} weights; "
                f"{workspace.MOST_WEIGHTS} are the most"
            )
        parts["watched"][i], parts["weights_n"][i] = p.own, len(p.weights)
        parts["weights"][i, : len(p.weights)] = p.weights
    return seats


def columns(game: Game, n: int) -> Any:
    """Empty columns for n games."""
    return _cells(np.zeros((len(game.columns), n), np.int32))
