"""Rows of single games as Parquet files: one folder for the games of one result, each game once."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.files.storage import StorageFolder, open_storage
from hardmode.sim.play.backends import SharedRowFolder
from hardmode.sim.results import result_file
from hardmode.sim.results.ranges import Ranges, find_gaps, join_ranges
from hardmode.sim.results.result import Result, ResultError, find_incompatibility

PROVENANCE_FILE = "rows.json"  # a result without games: what all games of the folder come from
ROW_FILE_PATTERN = re.compile(r"seed(\d+)-(\d+)-(\d+)\.parquet")  # seed, first game, last game + 1
CELL_FOLDER_PATTERN = re.compile(r"cell-\d+")


class RowFolder:
    """Writer of games to a folder that is empty or holds other games of the same result.

    Args:
        folder: Where to write.
        result: The result of the games.

    Raises:
        OutputError: The folder cannot be written to, or holds something else.
    """

    def __init__(self, folder: StorageFolder, result: Result) -> None:
        self.folder, self.seed, self.columns = folder, result.seed, result.game.columns
        provenance = result.without_games()
        check_row_folder(folder)
        self._check_provenance(provenance)
        folder.create()
        if PROVENANCE_FILE not in folder.list_names():
            folder.write_file(PROVENANCE_FILE, result_file.encode_lines([provenance]))
        self._existing = join_ranges(list_written_ranges(folder, self.seed))

    @property
    def column_indices(self) -> Sequence[int]:
        """The columns of the row that are written: all."""
        return range(len(self.columns))

    @property
    def shared_folder(self) -> SharedRowFolder:
        """What a worker on another machine needs to write into this folder."""
        fingerprint = _compute_fingerprint(self.folder)
        return SharedRowFolder(self.folder.address, fingerprint, self._existing)

    def write(self, games: np.ndarray, block: np.ndarray, there: bool = False) -> None:
        """Write those of the games that the folder lacks.

        Args:
            games: Their numbers, in ascending order.
            block: Their rows, of shape (columns, games).
            there: Whether a worker has already written them.
        """
        if not there:
            write_missing_rows(self.folder, self._existing, self.seed, self.columns, games, block)
            self._existing = join_ranges([*self._existing, *_find_ranges(games)])

    def _check_provenance(self, provenance: Result) -> None:
        content = self.folder.read_file(PROVENANCE_FILE)
        if content is None:
            return
        try:
            existing = result_file.parse_results(
                content,
                f"{self.folder}/{PROVENANCE_FILE}",
                lambda name: replace(provenance.game, name=name),
            )
            reason = find_incompatibility(existing[0], provenance)
        except (ResultError, IndexError) as error:
            reason = str(error)
        if reason:
            raise OutputError(
                f"{self.folder} holds rows of other games and is left alone ({reason}); "
                "give another folder"
            )


def check_row_folder(folder: StorageFolder, has_cells: bool = False) -> None:
    """Check that rows can be written to a folder, and that it holds nothing but rows.

    Readers take all files of such a folder together.

    Args:
        folder: The folder.
        has_cells: Whether it holds a folder for each cell of a grid.

    Raises:
        OutputError: It cannot be written to, or holds other files.
    """
    folder.check_writable()
    names = sorted(name for name in folder.list_names() if not name.startswith("."))
    for name in names:
        if has_cells:
            is_expected = CELL_FOLDER_PATTERN.fullmatch(name) is not None
        elif PROVENANCE_FILE in names:
            is_expected = name == PROVENANCE_FILE or ROW_FILE_PATTERN.fullmatch(name) is not None
        else:
            is_expected = False
        if not is_expected:
            raise OutputError(
                f"{folder} holds other files ({name}); rows need a folder of their own"
            )


def list_written_ranges(folder: StorageFolder, seed: int) -> Ranges:
    """Return the games of a seed whose rows are in a folder."""
    matches = (ROW_FILE_PATTERN.fullmatch(name) for name in folder.list_names())
    return [(int(m[2]), int(m[3])) for m in matches if m and int(m[1]) == seed]


def write_missing_rows(
    folder: StorageFolder,
    existing: Sequence[tuple[int, int]],
    seed: int,
    columns: Sequence[str],
    games: np.ndarray,
    block: np.ndarray,
) -> None:
    """Write the rows of games, one file for each gapless range of them.

    Args:
        folder: Where to write.
        existing: Ranges of games that are not written again.
        seed: Seed of the games.
        columns: Names of the columns.
        games: Numbers of the games, in ascending order.
        block: Rows of the games, of shape (columns, games).
    """
    for range_start, range_stop in _find_ranges(games):
        for start, stop in find_gaps(existing, range_start, range_stop):
            offset = int(np.searchsorted(games, start))
            rows = block[:, offset : offset + stop - start]
            name = f"seed{seed}-{start:012d}-{stop:012d}.parquet"
            folder.write_file(name, _encode_parquet(columns, start, stop, rows))


def write_shared_rows(
    shared: SharedRowFolder, seed: int, columns: Sequence[str], games: np.ndarray, block: np.ndarray
) -> bool:
    """Write rows to a folder of another machine, if this machine can reach the same folder.

    Returns:
        Whether it could; the fingerprint tells a folder of the same name from the one meant.
    """
    if not shared.fingerprint:
        return False
    try:
        folder = open_storage(shared.address)
        is_same_folder = _compute_fingerprint(folder) == shared.fingerprint
    except OutputError:
        return False
    if is_same_folder:
        write_missing_rows(folder, shared.existing, seed, columns, games, block)
    return is_same_folder


def _compute_fingerprint(folder: StorageFolder) -> str:
    """Return the digest of a folder's provenance, or "" if it has none."""
    provenance = folder.read_file(PROVENANCE_FILE)
    return hashlib.sha256(provenance).hexdigest() if provenance else ""


def _encode_parquet(columns: Sequence[str], start: int, stop: int, rows: np.ndarray) -> bytes:
    import polars as pl

    values = {"game": np.arange(start, stop), **dict(zip(columns, rows, strict=True))}
    content = io.BytesIO()
    pl.DataFrame(values).write_parquet(content)
    return content.getvalue()


def _find_ranges(games: np.ndarray) -> Ranges:
    """Return ascending numbers of games as ranges without gaps."""
    ends = np.flatnonzero(np.diff(games) != 1) + 1
    return [(int(part[0]), int(part[-1]) + 1) for part in np.split(games, ends)]
