"""Games as rows of Parquet: one folder for the games of one result, each game once."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.files.storage import Folder, folder
from hardmode.sim.play.backends import Shared
from hardmode.sim.results import result_file
from hardmode.sim.results.ranges import Ranges, joined, missing
from hardmode.sim.results.result import Result, ResultError, why_not_same

ABOUT = "rows.json"  # a result of no games: what the games of the folder come from
NAME = re.compile(r"seed(\d+)-(\d+)-(\d+)\.parquet")
CELL = re.compile(r"cell-\d+")
NOTHING = re.compile(r"(?!)")


class Rows:
    """Writes games to a folder that is empty, or holds other games of the same result."""

    def __init__(self, place: Folder, result: Result) -> None:
        self.folder, self.seed, self.columns = place, result.seed, result.game.columns
        about = result.unplayed()
        ready(place)
        self._held(about)
        place.make()
        if ABOUT not in place.names():
            place.write(ABOUT, result_file.lines([about]))
        self._there = joined(held(place, self.seed))

    def _held(self, about: Result) -> None:
        content = self.folder.read(ABOUT)
        if content is None:
            return
        try:
            there = result_file.parsed(
                content, f"{self.folder}/{ABOUT}", lambda name: replace(about.game, name=name)
            )
            why = why_not_same(there[0], about)
        except (ResultError, IndexError) as broken:
            why = str(broken)
        if why:
            raise OutputError(
                f"{self.folder} holds rows of other games and is left alone ({why}); give another folder"
            )

    @property
    def wanted(self) -> Sequence[int]:
        return range(len(self.columns))

    @property
    def shared(self) -> Shared:
        return Shared(self.folder.address, _mark(self.folder), self._there)

    def write(self, games: np.ndarray, block: np.ndarray, there: bool = False) -> None:
        """Add games, in order and a column of the block each; those that are there already are left as they are."""
        if not there:
            add(self.folder, self._there, self.seed, self.columns, games, block)
            self._there = joined([*self._there, *_runs(games)])


def held(place: Folder, seed: int) -> Ranges:
    """The games that are there."""
    found = (NAME.fullmatch(name) for name in place.names())
    return [(int(f[2]), int(f[3])) for f in found if f and int(f[1]) == seed]


def add(
    place: Folder,
    there: Sequence[tuple[int, int]],
    seed: int,
    columns: Sequence[str],
    games: np.ndarray,
    block: np.ndarray,
) -> None:
    """Write those of the games that are not there."""
    for lo, hi in _runs(games):
        for a, b in missing(there, lo, hi):
            at = int(np.searchsorted(games, a))
            _file(place, seed, columns, a, b, block[:, at : at + b - a])


def add_shared(
    shared: Shared, seed: int, columns: Sequence[str], games: np.ndarray, block: np.ndarray
) -> bool:
    """Write games to a folder if it is seen from here, too, and is the one that is meant."""
    if not shared.mark:
        return False
    try:
        place = folder(shared.folder)
        seen = _mark(place) == shared.mark
    except OutputError:  # there is no way from here
        return False
    if seen:
        add(place, shared.there, seed, columns, games, block)
    return seen


def _mark(place: Folder) -> str:
    """By what a folder is known: the digest of what says where its games come from."""
    about = place.read(ABOUT)
    return hashlib.sha256(about).hexdigest() if about else ""


def _file(
    place: Folder, seed: int, columns: Sequence[str], lo: int, hi: int, block: np.ndarray
) -> None:
    import polars as pl

    frame = pl.DataFrame({"game": np.arange(lo, hi), **dict(zip(columns, block, strict=True))})
    packed = io.BytesIO()
    frame.write_parquet(packed)
    place.write(f"seed{seed}-{lo:012d}-{hi:012d}.parquet", packed.getvalue())


def ready(place: Folder, cells: bool = False) -> None:
    """Refuse a folder for rows that cannot be written to, or that holds other files: rows are read all together."""
    place.ready()
    found = sorted(name for name in place.names() if not name.startswith("."))
    ours = CELL if cells else NAME if ABOUT in found else NOTHING
    other = [name for name in found if not ours.fullmatch(name) and (cells or name != ABOUT)]
    if other:
        raise OutputError(
            f"{place} holds other files ({other[0]}); rows need a folder of their own"
        )


def _runs(games: np.ndarray) -> Ranges:
    """Numbers of games in order, as ranges without a gap."""
    ends = np.flatnonzero(np.diff(games) != 1) + 1
    return [(int(part[0]), int(part[-1]) + 1) for part in np.split(games, ends)]
