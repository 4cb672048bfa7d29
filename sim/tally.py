"""Tallies: integer sums over many games. They add up, whatever the order, and nothing is averaged here.

A tally counts, for every entry of the row, how often each value came with each ending; and for
every factor and pair of factors, games, wins and scores. polars holds the sums and adds them up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from sim.contract import Game
from sim.engine import Desk, curve_columns

COUNTS = ["column", "ending", "value"]
GROUPS = ["factor", "value", "other", "other_value", "ending"]
SUMS = ["games", "wins", "rounds", "rounds_squared", "score", "score_squared"]

_COUNT_SCHEMA = {"column": pl.String, "ending": pl.Int32, "value": pl.Int32, "n": pl.Int64}
_GROUP_SCHEMA = {"factor": pl.String, "value": pl.Int32, "other": pl.String, "other_value": pl.Int32,
                 "ending": pl.Int32, **dict.fromkeys(SUMS, pl.Int64)}


@dataclass
class Tally:
    game: Game
    games: int = 0
    digest: int = 0  # the sum of all rows' hashes, modulo 2**64: free of order
    steps: int = 0
    decisions: int = 0
    offered: int = 0
    counts: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=_COUNT_SCHEMA))
    groups: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=_GROUP_SCHEMA))
    curves: np.ndarray = field(default_factory=lambda: np.zeros(0))
    alive: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        if not self.alive.size:
            shape = (len(self.game.all_endings), self.game.max_rounds + 1)
            self.alive = np.zeros(shape, np.int64)
            self.curves = np.zeros((*shape, len(curve_columns(self.game))), np.int64)

    def add_rows(self, columns: np.ndarray) -> None:
        """Count a block of games: one column of the array each."""
        if columns.shape[1]:
            block = dict(zip(self.game.columns, columns, strict=True))
            self.counts = _sum([self.counts, *_counts(self.game, block)], COUNTS)
            self.groups = _sum([self.groups, *_groups(self.game, block)], GROUPS)
        self.games += columns.shape[1]

    def add_desk(self, part: dict[str, Any]) -> None:
        """Take over what a desk has summed up while it played."""
        self.digest = (self.digest + part["digest"]) % (1 << 64)
        self.steps += part["totals"][0]
        self.decisions += part["totals"][1]
        self.offered += part["totals"][2]
        self.curves += part["curves"]
        self.alive += part["alive"]

    def merged(self, other: Tally) -> Tally:
        return Tally(
            self.game, self.games + other.games, (self.digest + other.digest) % (1 << 64), self.steps + other.steps,
            self.decisions + other.decisions, self.offered + other.offered,
            _sum([self.counts, other.counts], COUNTS), _sum([self.groups, other.groups], GROUPS),
            self.curves + other.curves, self.alive + other.alive)

    # -- what can be read off ---------------------------------------------------------------------

    def endings(self) -> dict[str, int]:
        """How often each ending came, in the game's order."""
        games = self.counts.filter(pl.col("column") == "rounds")
        per = dict(games.group_by("ending").agg(pl.col("n").sum()).iter_rows())
        return {name: int(per.get(i, 0)) for i, name in enumerate(self.game.all_endings)}

    def histogram(self, column: str, won: bool | None = None) -> dict[int, int]:
        """How often each value of a column came, over all games, or those won or lost."""
        part = self.counts.filter(pl.col("column") == column)
        if won is not None:
            part = part.filter(pl.col("ending").is_in(self.winning()) == won)
        summed = part.group_by("value").agg(pl.col("n").sum()).sort("value")
        return {int(v): int(n) for v, n in summed.iter_rows()}

    def winning(self) -> list[int]:
        """The endings that came with a winner (for a game that is won or lost together)."""
        part = self.counts.filter((pl.col("column") == "winners") & (pl.col("value") != 0))
        return sorted(part["ending"].unique().to_list())

    def wins(self) -> int:
        """Games that anybody won."""
        return sum(n for mask, n in self.histogram("winners").items() if mask)

    def shares(self) -> list[int]:
        """For each seat, the games that it won, shared wins included."""
        masks = self.histogram("winners")
        return [sum(n for mask, n in masks.items() if mask >> s & 1) for s in range(self.game.seats)]

    def to_dict(self) -> dict[str, Any]:
        counts: dict[str, list[list[int]]] = {}
        for column, ending, value, n in self.counts.sort(COUNTS).iter_rows():
            counts.setdefault(column, []).append([ending, value, n])
        return {
            "games": self.games, "digest": f"{self.digest:016x}", "steps": self.steps, "decisions": self.decisions,
            "offered": self.offered, "counts": counts,
            "groups": [list(row) for row in self.groups.sort(GROUPS).iter_rows()],
            "curves": _trim(self.curves).tolist(), "alive": _trim(self.alive).tolist()}

    @classmethod
    def from_dict(cls, game: Game, data: dict[str, Any]) -> Tally:
        made = cls(game, data["games"], int(data["digest"], 16), data["steps"], data["decisions"], data["offered"])
        rows = [(c, *row) for c, part in data["counts"].items() for row in part]
        made.counts = pl.DataFrame(rows, schema=_COUNT_SCHEMA, orient="row")
        made.groups = pl.DataFrame(data["groups"], schema=_GROUP_SCHEMA, orient="row")
        for name in ("curves", "alive"):
            part = np.asarray(data[name], np.int64)
            if part.size:
                getattr(made, name)[:, :part.shape[1]] += part
        return made


def cleared(desk: Desk) -> dict[str, Any]:
    """What a desk has summed up, handed over and set back to nothing."""
    part = {"digest": int(desk.digest[0]), "totals": [int(t) for t in desk.totals],
            "curves": np.array(desk.curves), "alive": np.array(desk.alive)}
    desk.digest[:] = 0
    desk.totals[:] = 0
    desk.curves[:] = 0
    desk.alive[:] = 0
    return part


def _sum(parts: list[pl.DataFrame], keys: list[str]) -> pl.DataFrame:
    together = pl.concat(parts)
    return together.group_by(keys).agg(pl.exclude(keys).sum())


def _counts(game: Game, block: dict[str, np.ndarray]) -> list[pl.DataFrame]:
    """How often each value of each column came with each ending."""
    endings = len(game.all_endings)
    made = []
    for name, values in block.items():
        if name == "ending":
            continue
        low, places = _places(values)
        cells = np.bincount(places * endings + block["ending"])
        busy = np.flatnonzero(cells)
        made.append(pl.DataFrame({"column": np.repeat(name, len(busy)), "ending": busy % endings,
                                  "value": low + busy // endings, "n": cells[busy]}, schema=_COUNT_SCHEMA))
    return made


def _groups(game: Game, block: dict[str, np.ndarray]) -> list[pl.DataFrame]:
    """Sums by each factor and pair of factors; a factor per seat counts each seat as a game of its own."""
    table = [m.name for m in game.measures if m.factor and not m.per_seat]
    seated = [m.name for m in game.measures if m.factor and m.per_seat]
    first = block["winners"] & 1 if game.competitive else block["winners"]
    made = [_grouped(game, block, (f, o), (f, o), first != 0, 1)
            for f, o in [(f, "") for f in table] + list(combinations(table, 2))]
    pairs = [(f, "") for f in seated] + list(combinations(seated, 2)) + [(f, t) for f in seated for t in table]
    for seat in range(1, game.seats + 1 if seated else 1):
        here = {f: f"{f} {seat}" for f in seated}
        taken = block[here[seated[0]]] >= 0  # an empty seat has -1
        if not taken.any():
            continue
        part = block if taken.all() else {name: column[taken] for name, column in block.items()}
        won = part["winners"] >> (seat - 1) & 1 != 0
        made += [_grouped(game, part, pair, (here[pair[0]], here.get(pair[1], pair[1])), won, seat) for pair in pairs]
    return made


def _grouped(game: Game, block: dict[str, np.ndarray], names: tuple[str, str], columns: tuple[str, str],
             won: np.ndarray, seat: int) -> pl.DataFrame:
    """Sums over the games with each value of a factor, or of two, with each ending.

    Counting in bins is several times faster here than a general group-by; the sums are of integers far
    below 2**53 and so exact.
    """
    endings = len(game.all_endings)
    low, places = _places(block[columns[0]])
    other_low, others = _places(block[columns[1]]) if columns[1] else (0, np.zeros_like(places))
    width = int(others.max(initial=0)) + 1
    cells = (places * width + others) * endings + block["ending"]
    games = np.bincount(cells)
    busy = np.flatnonzero(games)

    def total(values: np.ndarray) -> np.ndarray:
        return np.bincount(cells, values, len(games))[busy].astype(np.int64)

    rounds, score = block["rounds"].astype(float), block[f"score {seat}"].astype(float)
    return pl.DataFrame({
        "factor": np.repeat(names[0], len(busy)), "value": low + busy // endings // width,
        "other": np.repeat(names[1], len(busy)), "other_value": other_low + busy // endings % width,
        "ending": busy % endings, "games": games[busy], "wins": total(won), "rounds": total(rounds),
        "rounds_squared": total(rounds * rounds), "score": total(score), "score_squared": total(score * score),
    }, schema=_GROUP_SCHEMA)


def _places(values: np.ndarray) -> tuple[int, np.ndarray]:
    """The smallest value, and each one's distance from it."""
    low = int(values.min(initial=0))
    return low, values.astype(np.int64) - low


def _trim(array: np.ndarray) -> np.ndarray:
    """Without the rounds at the end that no game reached."""
    busy = np.flatnonzero(array.reshape(array.shape[0], array.shape[1], -1).any(axis=(0, 2)))
    return array[:, : busy[-1] + 1] if busy.size else array[:, :0]


