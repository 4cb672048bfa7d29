"""Tallies: integer sums over many games. They add up, whatever the order, and nothing is averaged here.

A tally counts, for every entry of the row, how often each value came with each ending; and for
every factor and pair of factors, games, wins and scores. What is shown of them are frames of polars.
"""

from __future__ import annotations

import base64
import json
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from hardmode.sim.compile import histograms
from hardmode.sim.compile.histograms import SUMS
from hardmode.sim.contract import ENDING, Game
from hardmode.sim.play.engine import Desk
from hardmode.sim.play.workspace import curve_columns
from hardmode.sim.results.group_table import Columns, Sums, numbers_of

if TYPE_CHECKING:
    import polars as pl

COUNTS = Columns(("column", "ending", "value"), frozenset({"column"}), ("n",))
GROUPS = Columns(
    ("factor", "value", "other", "other_value", "ending"), frozenset({"factor", "other"}), SUMS
)
TABLES = ("counted", "grouped", "curves", "alive")
DAMAGE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class DamagedTally(Exception):
    """The tables of a tally that was read from a file are none."""


@dataclass
class Tally:
    game: Game
    games: int = 0
    digest: int = 0  # the sum of all rows' hashes, modulo 2**64: free of order
    steps: int = 0
    decisions: int = 0
    offered: int = 0
    counted: Sums = field(default_factory=lambda: Sums.none(COUNTS))
    grouped: Sums = field(default_factory=lambda: Sums.none(GROUPS))
    curves: np.ndarray = field(default_factory=lambda: np.zeros(0))
    alive: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        if not self.alive.size:
            shape = (len(self.game.all_endings), self.game.max_rounds + 1)
            self.alive = np.zeros(shape, np.int64)
            self.curves = np.zeros((*shape, len(curve_columns(self.game))), np.int64)

    def add_rows(self, *blocks: np.ndarray) -> None:
        """Count blocks of games: one column of an array each."""
        found = [np.ascontiguousarray(rows, np.int32) for rows in blocks if rows.shape[1]]
        if found:
            spread = histograms.Spread.of(found)
            self.counted = _together(self.counted, _counts(self.game, found, spread))
            self.grouped = _together(self.grouped, _groups(self.game, found, spread))
        self.games += sum(rows.shape[1] for rows in found)

    def add_desk(self, part: dict[str, Any]) -> None:
        """Take over what a desk has summed up while it played."""
        self.digest = (self.digest + part["digest"]) % (1 << 64)
        self.steps += part["totals"][0]
        self.decisions += part["totals"][1]
        self.offered += part["totals"][2]
        self.curves += part["curves"][..., : self.curves.shape[2]]
        self.alive += part["alive"]

    def add(self, other: Tally) -> None:
        """Count the games of another tally, too."""
        self.games, self.digest = self.games + other.games, (self.digest + other.digest) % (1 << 64)
        self.steps, self.decisions = self.steps + other.steps, self.decisions + other.decisions
        self.offered += other.offered
        self.counted = _together(self.counted, other.counted)
        self.grouped = _together(self.grouped, other.grouped)
        self.curves, self.alive = self.curves + other.curves, self.alive + other.alive

    def merged(self, other: Tally) -> Tally:
        both = Tally(self.game)
        both.add(self)
        both.add(other)
        return both

    # -- what can be read off ---------------------------------------------------------------------

    @property
    def counts(self) -> pl.DataFrame:
        """How often each value of each column came with each ending."""
        return _frame(self.counted)

    @property
    def groups(self) -> pl.DataFrame:
        """Sums over the games with each value of each factor, or of two, with each ending."""
        return _frame(self.grouped)

    def endings(self) -> dict[str, int]:
        """How often each ending came, in the game's order."""
        games = self.counted.of_name("column", "rounds").by("ending")
        per = dict(zip(games["ending"].tolist(), games["n"].tolist(), strict=True))
        return {name: per.get(i, 0) for i, name in enumerate(self.game.all_endings)}

    def histogram(self, column: str, won: bool | None = None) -> dict[int, int]:
        """How often each value of a column came, over all games, or those won or lost."""
        part = self.counted.of_name("column", column)
        if won is not None:
            part = part.where(np.isin(part["ending"], self.winning()) == won)
        summed = part.by("value")
        return dict(zip(summed["value"].tolist(), summed["n"].tolist(), strict=True))

    def winning(self) -> list[int]:
        """The endings that came with a winner (for a game that is won or lost together)."""
        part = self.counted.of_name("column", "winners")
        return np.unique(part["ending"][part["value"] != 0]).tolist()

    def factors(self) -> list[str]:
        """The factors that came, in alphabetical order."""
        return self.grouped.of_name("other", "").names("factor")

    def factor(self, name: str) -> dict[int, dict[str, int]]:
        """The sums over the games with each value of one factor."""
        summed = self.grouped.of_name("factor", name).of_name("other", "").by("value")
        return {
            value: dict(zip(SUMS, row, strict=True))
            for value, row in zip(summed["value"].tolist(), summed.sums.T.tolist(), strict=True)
        }

    def wins(self) -> int:
        """Games that anybody won."""
        return sum(n for mask, n in self.histogram("winners").items() if mask)

    def shares(self) -> list[int]:
        """For each seat, the games that it won, shared wins included."""
        masks = self.histogram("winners")
        return [
            sum(n for mask, n in masks.items() if mask >> s & 1) for s in range(self.game.seats)
        ]

    # -- as it is kept ----------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The sums as plain values: few as they are, tables packed (JSON by columns, zlib, base64)."""
        return {
            "games": self.games,
            "digest": f"{self.digest:016x}",
            "steps": self.steps,
            "decisions": self.decisions,
            "offered": self.offered,
            "packed": vars(self).get("_packed") or self._pack(),
        }

    def _pack(self) -> str:
        tables = {
            "counts": self.counted.table(),
            "groups": self.grouped.table(),
            "curves": _trim(self.curves).tolist(),
            "alive": _trim(self.alive).tolist(),
        }
        return base64.b64encode(
            zlib.compress(json.dumps(tables, separators=(",", ":")).encode())
        ).decode()

    @classmethod
    def from_dict(cls, game: Game, data: dict[str, Any]) -> Tally:
        """What `to_dict` made; its tables stay packed until one of them is asked for."""
        made = object.__new__(cls)
        made.game, made.digest = game, int(data["digest"], 16)
        made.games, made.steps, made.decisions, made.offered = (
            _whole(data[name]) for name in ("games", "steps", "decisions", "offered")
        )
        if "packed" in data:
            vars(made)["_packed"] = str(data["packed"])
        else:  # of schema 1
            counts = [(c, *row) for c, part in data["counts"].items() for row in part]
            made._lay_out(_turned(COUNTS, counts), _turned(GROUPS, data["groups"]), data)
        return made

    def __getattr__(self, name: str) -> Any:
        """The tables of a tally that is still packed."""
        packed = vars(self).get("_packed")
        if packed is None or name not in TABLES:
            raise AttributeError(name)
        try:
            data = json.loads(zlib.decompress(base64.b64decode(packed, validate=True)))
            self._lay_out(data["counts"], data["groups"], data)
        except (*DAMAGE, zlib.error) as why:
            raise DamagedTally(f"a tally is damaged: {type(why).__name__} {why}") from None
        return vars(self)[name]

    def _lay_out(
        self, counts: dict[str, Any], groups: dict[str, Any], data: dict[str, Any]
    ) -> None:
        empty = Tally(self.game)
        for name in ("curves", "alive"):
            part = np.asarray(data[name], np.int64)
            if part.size:
                getattr(empty, name)[:, : part.shape[1]] += part
        self.counted, self.grouped = Sums.of(COUNTS, counts), Sums.of(GROUPS, groups)
        self.curves, self.alive = empty.curves, empty.alive
        vars(self).pop("_packed", None)


def _turned(columns: Columns, rows: list[Any]) -> dict[str, Any]:
    """Rows as columns."""
    names = (*columns.keys, *columns.sums)
    return dict(zip(names, zip(*rows, strict=True) if rows else [[] for _ in names], strict=True))


def _frame(sums: Sums) -> pl.DataFrame:
    """A table as a frame, for those who show it."""
    import polars as pl

    schema = {
        **{
            name: pl.String if name in sums.columns.names else pl.Int32
            for name in sums.columns.keys
        },
        **dict.fromkeys(sums.columns.sums, pl.Int64),
    }
    return pl.DataFrame(sums.table(), schema=schema)


def _whole(number: Any) -> int:
    if type(number) is not int:
        raise TypeError(f"{number!r} is not a whole number")
    return number


def cleared(desk: Desk) -> dict[str, Any]:
    """What a desk has summed up, handed over and set back to nothing."""
    part = {
        "digest": int(desk.digest[0]),
        "totals": [int(t) for t in desk.totals],
        "curves": np.array(desk.curves),
        "alive": np.array(desk.alive),
    }
    desk.digest[:] = 0
    desk.totals[:] = 0
    desk.curves[:] = 0
    desk.alive[:] = 0
    return part


class Forked(RuntimeError):
    """The process was forked from one that had already played."""


_process: list[int] = []  # the one that has started threads, which no fork takes along


def _not_forked() -> None:
    _process[:] = _process or [os.getpid()]
    if _process != [os.getpid()]:
        raise Forked(
            "this process was forked from one that had already played, and would wait for ever for threads "
            "that were not forked with it; start processes with multiprocessing.get_context('spawn'), or play "
            "with threads=N, which uses all cores in one process"
        )


def _together(sums: Sums, more: Sums) -> Sums:
    _not_forked()
    return sums.added(more)


def _counts(game: Game, blocks: Sequence[np.ndarray], spread: histograms.Spread) -> Sums:
    """How often each value of each column came with each ending."""
    column, value, ending, n = histograms.values(blocks, spread, len(game.all_endings))
    kept = column != ENDING
    names = numbers_of(game.columns)
    return Sums(COUNTS, np.array([names[column[kept]], ending[kept], value[kept]]), n[kept][None])


def _groups(game: Game, blocks: Sequence[np.ndarray], spread: histograms.Spread) -> Sums:
    """Sums over the games with each value of a factor, or of two, with each ending."""
    names, asked = _asked(game)
    group, value, other_value, ending, sums = histograms.sums(
        blocks, spread, len(game.all_endings), asked
    )
    factor, other = (numbers_of([pair[i] for pair in names])[group] for i in (0, 1))
    return Sums(
        GROUPS, np.array([factor, value, other, other_value, ending]), sums.T
    ).once()  # seats share names


@cache
def _asked(game: Game) -> tuple[list[tuple[str, str]], list[histograms.Group]]:
    """Each factor and pair of factors; a factor per seat counts each seat as a game of its own."""
    at = {name: i for i, name in enumerate(game.columns)}
    table = [m.name for m in game.measures if m.factor and not m.per_seat]
    seated = [m.name for m in game.measures if m.factor and m.per_seat]
    names = [*((f, "") for f in table), *combinations(table, 2)]
    anybody = 1 if game.competitive else -1
    groups = [histograms.Group(at[f], at.get(o, histograms.NONE), at["score 1"], anybody) for f, o in names]
    pairs = [
        *((f, "") for f in seated),
        *combinations(seated, 2),
        *((f, t) for f in seated for t in table),
    ]
    for seat in range(1, game.seats + 1 if seated else 1):
        here = {
            name: at.get(f"{name} {seat}", at.get(name, histograms.NONE))
            for pair in pairs
            for name in pair
        }
        names += pairs
        groups += [
            histograms.Group(here[f], here[o], at[f"score {seat}"], 1 << seat - 1, here[seated[0]])
            for f, o in pairs
        ]
    return names, groups


def _trim(array: np.ndarray) -> np.ndarray:
    """Without the rounds at the end that no game reached."""
    busy = np.flatnonzero(array.reshape(array.shape[0], array.shape[1], -1).any(axis=(0, 2)))
    return array[:, : busy[-1] + 1] if busy.size else array[:, :0]
