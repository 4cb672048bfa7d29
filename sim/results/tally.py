"""Tallies: integer sums over many games, which are added in any order and never averaged here.

A tally counts, for every column of the games' rows, how often each value came with each ending;
and for every factor and pair of factors, the games, wins and scores with each of its values.
"""

from __future__ import annotations

import base64
import json
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hardmode.sim.compile import histograms
from hardmode.sim.compile.histograms import NO_COLUMN, SUM_NAMES, GroupSpec, ValueRange
from hardmode.sim.contract import ENDING, Game
from hardmode.sim.play.workspace import Workspace, find_curve_columns
from hardmode.sim.results.group_table import GroupTable, TableColumns, intern_names

if TYPE_CHECKING:
    import polars as pl

COUNT_COLUMNS = TableColumns(("column", "ending", "value"), frozenset({"column"}), ("n",))
GROUP_COLUMNS = TableColumns(
    ("factor", "value", "other", "other_value", "ending"), frozenset({"factor", "other"}), SUM_NAMES
)
# what malformed data of a file may raise while it is converted
MALFORMED_DATA_ERRORS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


class DamagedTallyError(Exception):
    """Raised when the tables of a stored tally are malformed."""


class ForkedProcessError(RuntimeError):
    """Raised in a process that was forked from one that had already played."""


class WorkspaceSums(NamedTuple):
    """What the kernel has summed up in a workspace while it played.

    Attributes:
        digest: Sum of the hashes of all rows.
        totals: Steps, decisions, and options offered.
        curves: Sums of the curve columns by ending and round.
        alive: Games by ending and round in which they were still played.
    """

    digest: int
    totals: list[int]
    curves: np.ndarray
    alive: np.ndarray


class TallyTables(NamedTuple):
    """The tables of a tally.

    Attributes:
        counts: How often each value of each column came with each ending.
        groups: Sums over the games with each value of each factor and pair of factors.
        curves: Sums by ending, round and curve column.
        alive: Games by ending and round in which they were still played.
    """

    counts: GroupTable
    groups: GroupTable
    curves: np.ndarray
    alive: np.ndarray

    @classmethod
    def empty(cls, game: Game) -> TallyTables:
        """Return the tables of no games."""
        shape = (len(game.all_endings), game.max_rounds + 1)
        return cls(
            GroupTable.empty(COUNT_COLUMNS),
            GroupTable.empty(GROUP_COLUMNS),
            np.zeros((*shape, len(find_curve_columns(game))), np.int64),
            np.zeros(shape, np.int64),
        )

    @classmethod
    def from_values(cls, game: Game, data: dict[str, Any]) -> TallyTables:
        """Return the tables of plain values: two tables by columns, two arrays as nested lists."""
        empty = cls.empty(game)
        for target, name in ((empty.curves, "curves"), (empty.alive, "alive")):
            array = np.asarray(data[name], np.int64)
            if array.size:
                target[:, : array.shape[1]] += array
        return empty._replace(
            counts=GroupTable.from_columns(COUNT_COLUMNS, data["counts"]),
            groups=GroupTable.from_columns(GROUP_COLUMNS, data["groups"]),
        )

    @classmethod
    def decode(cls, game: Game, text: str) -> TallyTables:
        """Return the tables of a text that `encode` made.

        Raises:
            DamagedTallyError: The text is malformed.
        """
        try:
            values = json.loads(zlib.decompress(base64.b64decode(text, validate=True)))
            return cls.from_values(game, values)
        except (*MALFORMED_DATA_ERRORS, zlib.error) as error:
            message = f"a tally is damaged: {type(error).__name__} {error}"
            raise DamagedTallyError(message) from None

    def encode(self) -> str:
        """Return the tables as text: JSON, compressed by zlib, in base64."""
        values = {
            "counts": self.counts.to_columns(),
            "groups": self.groups.to_columns(),
            "curves": _trim_rounds(self.curves).tolist(),
            "alive": _trim_rounds(self.alive).tolist(),
        }
        content = json.dumps(values, separators=(",", ":")).encode()
        return base64.b64encode(zlib.compress(content)).decode()

    def combine_with(self, other: TallyTables) -> TallyTables:
        """Return the tables of the games of both."""
        _refuse_forked_process()
        return TallyTables(
            self.counts.combine_with(other.counts),
            self.groups.combine_with(other.groups),
            self.curves + other.curves,
            self.alive + other.alive,
        )


@dataclass(eq=False)
class Tally:
    """Integer sums over games of one game.

    Attributes:
        game: The game.
        games: Number of games.
        digest: Sum of the hashes of all rows modulo 2**64, which does not depend on their order.
        steps: Number of steps of all games.
        decisions: Number of decisions of all games.
        offered: Number of options in all decisions.
    """

    game: Game
    games: int = 0
    digest: int = 0
    steps: int = 0
    decisions: int = 0
    offered: int = 0
    _tables: TallyTables | None = field(default=None, repr=False)
    _encoded_tables: str = field(default="", repr=False)  # of a file, until they are needed

    @property
    def tables(self) -> TallyTables:
        """The tables; those of a file are decoded at their first use.

        Raises:
            DamagedTallyError: The tables of the file are malformed.
        """
        if self._tables is None:
            if self._encoded_tables:
                self._tables = TallyTables.decode(self.game, self._encoded_tables)
                self._encoded_tables = ""
            else:
                self._tables = TallyTables.empty(self.game)
        return self._tables

    @property
    def count_table(self) -> GroupTable:
        """How often each value of each column came with each ending."""
        return self.tables.counts

    @property
    def group_table(self) -> GroupTable:
        """Sums over the games with each value of each factor, or of two, with each ending."""
        return self.tables.groups

    @property
    def curves(self) -> np.ndarray:
        """Sums by ending, round and curve column."""
        return self.tables.curves

    @property
    def alive(self) -> np.ndarray:
        """Games by ending and round in which they were still played."""
        return self.tables.alive

    # -- adding games -----------------------------------------------------------------------------

    def add_rows(self, *blocks: np.ndarray) -> None:
        """Count blocks of games.

        Args:
            blocks: Arrays of shape (columns, games).
        """
        blocks = tuple(np.ascontiguousarray(b, np.int32) for b in blocks if b.shape[1])
        if blocks:
            _refuse_forked_process()
            value_range = ValueRange.from_blocks(blocks)
            counts = _count_values(self.game, blocks, value_range)
            groups = _sum_groups(self.game, blocks, value_range)
            self._tables = self.tables._replace(
                counts=self.count_table.combine_with(counts),
                groups=self.group_table.combine_with(groups),
            )
        self.games += sum(block.shape[1] for block in blocks)

    def add_workspace(self, sums: WorkspaceSums) -> None:
        """Add what `drain_workspace` took from a workspace."""
        self.digest = (self.digest + sums.digest) % (1 << 64)
        self.steps += sums.totals[0]
        self.decisions += sums.totals[1]
        self.offered += sums.totals[2]
        tables = self.tables
        self._tables = tables._replace(
            curves=tables.curves + sums.curves[..., : tables.curves.shape[2]],
            alive=tables.alive + sums.alive,
        )

    def add(self, other: Tally) -> None:
        """Add the games of another tally of the same game."""
        self.games += other.games
        self.digest = (self.digest + other.digest) % (1 << 64)
        self.steps += other.steps
        self.decisions += other.decisions
        self.offered += other.offered
        self._tables = self.tables.combine_with(other.tables)

    def merge_with(self, other: Tally) -> Tally:
        """Return a new tally of the games of both."""
        merged = replace(self)
        merged.add(other)
        return merged

    def without_groups(self) -> Tally:
        """Return a copy without the sums by factor, which take most room."""
        tables = self.tables._replace(groups=GroupTable.empty(GROUP_COLUMNS))
        return replace(self, _tables=tables)

    # -- reading ----------------------------------------------------------------------------------

    @property
    def counts_frame(self) -> pl.DataFrame:
        """`count_table` as a polars frame."""
        return _to_frame(self.count_table)

    @property
    def groups_frame(self) -> pl.DataFrame:
        """`group_table` as a polars frame."""
        return _to_frame(self.group_table)

    def count_endings(self) -> dict[str, int]:
        """Return the number of games by ending, in the game's order of endings."""
        table = self.count_table.where_name("column", "rounds").group_by("ending")
        games = dict(zip(table["ending"].tolist(), table["n"].tolist(), strict=True))
        return {name: games.get(i, 0) for i, name in enumerate(self.game.all_endings)}

    def count_values(self, column: str, won: bool | None = None) -> dict[int, int]:
        """Return the number of games by value of a column (its histogram).

        Args:
            column: Name of a column of the games' rows.
            won: Only count games that were won (True) or lost (False).
        """
        table = self.count_table.where_name("column", column)
        if won is not None:
            is_winning = np.isin(table["ending"], self.find_winning_endings())
            table = table.select_rows(is_winning == won)
        table = table.group_by("value")
        return dict(zip(table["value"].tolist(), table["n"].tolist(), strict=True))

    def find_winning_endings(self) -> list[int]:
        """Return the endings that came with a winner, for games that are won or lost together."""
        table = self.count_table.where_name("column", "winners")
        return np.unique(table["ending"][table["value"] != 0]).tolist()

    def list_factors(self) -> list[str]:
        """Return the names of the factors, in alphabetical order."""
        return self.group_table.where_name("other", "").list_names("factor")

    def sum_by_factor(self, factor: str) -> dict[int, dict[str, int]]:
        """Return the sums over the games with each value of one factor.

        Returns:
            By value, the sums by name (`histograms.SUM_NAMES`).
        """
        single = self.group_table.where_name("other", "")
        table = single.where_name("factor", factor).group_by("value")
        return {
            value: dict(zip(SUM_NAMES, sums, strict=True))
            for value, sums in zip(table["value"].tolist(), table.sums.T.tolist(), strict=True)
        }

    def count_wins(self) -> int:
        """Return the number of games that any seat won."""
        return sum(n for winners, n in self.count_values("winners").items() if winners)

    def count_wins_by_seat(self) -> list[int]:
        """Return the number of games that each seat won, shared wins included."""
        wins = [0] * self.game.seats
        for winners, n in self.count_values("winners").items():
            for seat in range(self.game.seats):
                if winners >> seat & 1:
                    wins[seat] += n
        return wins

    # -- storing ----------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the sums as plain values; the tables are one encoded text."""
        return {
            "games": self.games,
            "digest": f"{self.digest:016x}",
            "steps": self.steps,
            "decisions": self.decisions,
            "offered": self.offered,
            "packed": self._encoded_tables or self.tables.encode(),
        }

    @classmethod
    def from_dict(cls, game: Game, data: dict[str, Any]) -> Tally:
        """Return the tally of what `to_dict` returned; its tables are decoded when needed.

        Tables that are not encoded, as files of schema 1 have them, are accepted as well.

        Raises:
            MALFORMED_DATA_ERRORS: One of these, if the data are malformed.
        """
        tally = cls(
            game,
            games=_to_integer(data["games"]),
            digest=int(data["digest"], 16),
            steps=_to_integer(data["steps"]),
            decisions=_to_integer(data["decisions"]),
            offered=_to_integer(data["offered"]),
        )
        if "packed" in data:
            tally._encoded_tables = str(data["packed"])
        else:
            tally._tables = _read_tables_of_schema_1(game, data)
        return tally


def drain_workspace(workspace: Workspace) -> WorkspaceSums:
    """Return what has been summed up in a workspace, and set its sums to zero."""
    sums = WorkspaceSums(
        int(workspace.digest[0]),
        [int(total) for total in workspace.totals],
        np.array(workspace.curves),
        np.array(workspace.alive),
    )
    workspace.digest[:] = 0
    workspace.totals[:] = 0
    workspace.curves[:] = 0
    workspace.alive[:] = 0
    return sums


def _read_tables_of_schema_1(game: Game, data: dict[str, Any]) -> TallyTables:
    counts = [(column, *row) for column, rows in data["counts"].items() for row in rows]
    return TallyTables.from_values(
        game,
        {
            **data,
            "counts": _transpose_rows(COUNT_COLUMNS, counts),
            "groups": _transpose_rows(GROUP_COLUMNS, data["groups"]),
        },
    )


def _transpose_rows(columns: TableColumns, rows: list[Any]) -> dict[str, Any]:
    """Return rows as columns by name."""
    names = (*columns.keys, *columns.sums)
    values = zip(*rows, strict=True) if rows else [[] for _ in names]
    return dict(zip(names, values, strict=True))


def _to_frame(table: GroupTable) -> pl.DataFrame:
    import polars as pl

    columns = table.columns
    schema: dict[str, Any] = dict.fromkeys(columns.keys, pl.Int32)
    schema.update(dict.fromkeys(columns.name_keys, pl.String))
    schema.update(dict.fromkeys(columns.sums, pl.Int64))
    return pl.DataFrame(table.to_columns(), schema=schema)


def _to_integer(number: Any) -> int:
    if type(number) is not int:
        raise TypeError(f"{number!r} is not a whole number")
    return number


_playing_process: list[int] = []  # the process that started threads; a fork does not inherit them


def _refuse_forked_process() -> None:
    """Raise `ForkedProcessError` where waiting for threads of the parent would never end."""
    if not _playing_process:
        _playing_process.append(os.getpid())
    if _playing_process != [os.getpid()]:
        raise ForkedProcessError(
            "this process was forked from one that had already played, and would wait for ever for "
            "threads that were not forked with it; start processes with "
            "multiprocessing.get_context('spawn'), or play with threads=N, which uses all cores in "
            "one process"
        )


def _count_values(game: Game, blocks: Sequence[np.ndarray], value_range: ValueRange) -> GroupTable:
    """Return how often each value of each column but the ending came with each ending."""
    column, value, ending, n = histograms.count_column_values(
        blocks, value_range, len(game.all_endings)
    )
    used = column != ENDING
    name = intern_names(game.columns)[column[used]]
    return GroupTable(COUNT_COLUMNS, np.array([name, ending[used], value[used]]), n[used][None])


def _sum_groups(game: Game, blocks: Sequence[np.ndarray], value_range: ValueRange) -> GroupTable:
    """Return the sums over the games with each value of a factor, or of two, with each ending."""
    pairs, specs = _list_groups(game)
    group, value, other_value, ending, sums = histograms.sum_by_group(
        blocks, value_range, len(game.all_endings), specs
    )
    factor = intern_names([pair[0] for pair in pairs])[group]
    other = intern_names([pair[1] for pair in pairs])[group]
    keys = np.array([factor, value, other, other_value, ending])
    return GroupTable(GROUP_COLUMNS, keys, sums.T).consolidate()  # seats share the names of factors


@cache
def _list_groups(game: Game) -> tuple[list[tuple[str, str]], list[GroupSpec]]:
    """Return the groups by which games are summed, and the names of the factors of each.

    A group is a factor or a pair of factors. Where factors belong to seats, each seat counts as a
    game of its own.
    """
    column_index = {name: i for i, name in enumerate(game.columns)}
    shared = [m.name for m in game.measures if m.factor and not m.per_seat]
    per_seat = [m.name for m in game.measures if m.factor and m.per_seat]
    pairs = [*((factor, "") for factor in shared), *combinations(shared, 2)]
    winner_mask = 1 if game.competitive else -1  # seat 1, or any seat
    specs = []
    for factor, other in pairs:
        other_column = column_index.get(other, NO_COLUMN)
        score = column_index["score 1"]
        specs.append(GroupSpec(column_index[factor], other_column, score, winner_mask))
    if not per_seat:
        return pairs, specs
    seat_pairs = [
        *((factor, "") for factor in per_seat),
        *combinations(per_seat, 2),
        *product(per_seat, shared),
    ]
    for seat in range(1, game.seats + 1):
        columns = {name: column_index[name] for name in shared}
        columns.update({name: column_index[f"{name} {seat}"] for name in per_seat})
        score, taken = column_index[f"score {seat}"], columns[per_seat[0]]
        for factor, other in seat_pairs:
            other_column = columns.get(other, NO_COLUMN)
            specs.append(GroupSpec(columns[factor], other_column, score, 1 << seat - 1, taken))
        pairs += seat_pairs
    return pairs, specs


def _trim_rounds(array: np.ndarray) -> np.ndarray:
    """Return an array by ending and round without the last rounds that no game reached."""
    by_round = array.reshape(array.shape[0], array.shape[1], -1).any(axis=(0, 2))
    reached = np.flatnonzero(by_round)
    return array[:, : reached[-1] + 1] if reached.size else array[:, :0]
