"""Games as rows of Parquet: one folder for the games of one result, each game once."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from hardmode.sim import outputs, result_file
from hardmode.sim.outputs import OutputError
from hardmode.sim.paths import short_path
from hardmode.sim.ranges import Ranges, missing
from hardmode.sim.results import Result, ResultError, why_not_same

ABOUT = "rows.json"  # a result of no games: what the games of the folder come from
NAME = re.compile(r"seed(\d+)-(\d+)-(\d+)\.parquet")
CELL = re.compile(r"cell-\d+")
NOTHING = re.compile(r"(?!)")


class Rows:
    """Writes games to a folder that is empty, or holds other games of the same result."""

    def __init__(self, folder: Path, result: Result) -> None:
        self.folder, self.seed, self.columns = folder, result.seed, result.game.columns
        about = result.unplayed()
        ready(folder)
        self._held(about)
        with outputs.refusing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            outputs.sweep(folder)
        if not (folder / ABOUT).exists():
            result_file.save(folder / ABOUT, [about])

    def _held(self, about: Result) -> None:
        if not (self.folder / ABOUT).exists():
            return
        try:
            there = result_file.load(self.folder / ABOUT, lambda name: replace(about.game, name=name))
            why = why_not_same(there[0], about)
        except (ResultError, IndexError) as broken:
            why = str(broken)
        if why:
            raise OutputError(f"{short_path(self.folder)} holds rows of other games and is left alone ({why}); "
                              "give another folder")

    @property
    def wanted(self) -> Sequence[int]:
        return range(len(self.columns))

    @property
    def shared(self) -> tuple[str, str]:
        return str(self.folder.absolute()), _mark(self.folder)

    def write(self, games: np.ndarray, block: np.ndarray, there: bool = False) -> None:
        """Add games, in order and a column of the block each; those that are there already are left as they are."""
        if not there:
            add(self.folder, self.seed, self.columns, games, block)


def held(folder: Path, seed: int) -> Ranges:
    """The games that are there."""
    found = (NAME.fullmatch(path.name) for path in folder.iterdir())
    return [(int(f[2]), int(f[3])) for f in found if f and int(f[1]) == seed]


def add(folder: Path, seed: int, columns: Sequence[str], games: np.ndarray, block: np.ndarray) -> None:
    """Write those of the games that are not there."""
    there = held(folder, seed)
    for lo, hi in _runs(games):
        for a, b in missing(there, lo, hi):
            at = int(np.searchsorted(games, a))
            _file(folder, seed, columns, a, b, block[:, at:at + b - a])


def add_shared(shared: tuple[str, str], seed: int, columns: Sequence[str], games: np.ndarray,
               block: np.ndarray) -> bool:
    """Write games to a folder if it is seen from here, too, and is the one that is meant."""
    folder = Path(shared[0])
    if not shared[1] or _mark(folder) != shared[1]:
        return False
    add(folder, seed, columns, games, block)
    return True


def _mark(folder: Path) -> str:
    """By what a folder is known: the digest of what says where its games come from."""
    try:
        return hashlib.sha256((folder / ABOUT).read_bytes()).hexdigest()
    except OSError:
        return ""


def _file(folder: Path, seed: int, columns: Sequence[str], lo: int, hi: int, block: np.ndarray) -> None:
    import polars as pl

    frame = pl.DataFrame({"game": np.arange(lo, hi), **dict(zip(columns, block, strict=True))})
    packed = io.BytesIO()
    frame.write_parquet(packed)
    outputs.write(folder / f"seed{seed}-{lo:012d}-{hi:012d}.parquet", packed.getvalue())


def ready(folder: Path, cells: bool = False) -> None:
    """Refuse a folder for rows that cannot be written to, or that holds other files: rows are read all together."""
    outputs.try_folder(folder)
    with outputs.refusing(folder):
        found = sorted(p.name for p in folder.iterdir() if not p.name.startswith(".")) if folder.exists() else []
    ours = CELL if cells else NAME if ABOUT in found else NOTHING
    other = [name for name in found if not ours.fullmatch(name) and (cells or name != ABOUT)]
    if other:
        raise OutputError(f"{short_path(folder)} holds other files ({other[0]}); rows need a folder of their own")


def _runs(games: np.ndarray) -> Ranges:
    """Numbers of games in order, as ranges without a gap."""
    ends = np.flatnonzero(np.diff(games) != 1) + 1
    return [(int(part[0]), int(part[-1]) + 1) for part in np.split(games, ends)]
