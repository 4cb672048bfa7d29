"""Result files: one line for each cell of a grid, appended as the cell is played.

The first line says what the file is. Each further line holds one cell as it was when the line was
written, with its checksum; of several lines of a cell the last one counts. Lines that are
appended together are one gzip member, so a killed process leaves at most one incomplete member,
which is removed by whoever continues the file. When most of a file is superseded, it is written
anew.

Files of one JSON object with all cells (schema 1, and the files of a report) can be read as well,
and both kinds also without compression.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hardmode.sim import contract
from hardmode.sim.contract import Game
from hardmode.sim.contract.discovery import GameNotFoundError
from hardmode.sim.files import atomic_files, gzip_members
from hardmode.sim.files.paths import explain_unreadable
from hardmode.sim.results.result import Result, ResultError
from hardmode.sim.results.tally import MALFORMED_DATA_ERRORS

SCHEMA_VERSION = 2
MAX_FILE_BYTES = 4_000_000_000
HEADER = f'{{"hardmode": "result", "schema": {SCHEMA_VERSION}, "lines": "cells"}}\n'.encode()
FLUSH_INTERVAL_SECONDS = 1.0
ALLOWED_SUPERSEDED_BYTES = 1 << 20  # of lines that may stay in a file however small it is

GameLoader = Callable[[str], Game]


def save_results(path: Path, results: Sequence[Result]) -> None:
    """Write a result file atomically."""
    atomic_files.write_atomically(path, encode_results(results))


def encode_results(results: Sequence[Result]) -> bytes:
    """Return the content of a result file."""
    return gzip_members.compress_member(encode_lines(results))


def encode_lines(results: Sequence[Result]) -> bytes:
    """Return the content of a result file without compression."""
    return HEADER + b"".join([_encode_line(i, result) for i, result in enumerate(results)])


def load_results(path: Path, load_game: GameLoader = contract.load_game) -> list[Result]:
    """Return the cells of a result file.

    Args:
        path: The file.
        load_game: Returns the game of a name.

    Raises:
        ResultError: The file cannot be read, is incomplete, damaged or of another kind.
    """
    return parse_results(_read_bytes(path), str(path), load_game)


def parse_results(
    content: bytes, name: str, load_game: GameLoader = contract.load_game
) -> list[Result]:
    """Return the cells of a result file's content; `name` is used in errors."""
    text, complete_bytes = _decompress(content, name)
    if complete_bytes < len(content):
        raise ResultError(
            f"{name}: this result file is incomplete: it ends in the middle of what was added "
            "last; the command that wrote it can continue it"
        )
    return _make_results(_parse_cells(text, name), name, load_game)


class AppendableResultFile:
    """Result file that a command continues, and appends to while it plays. Thread-safe.

    Attributes:
        path: The file.
        results: The cells that it held when it was opened.
    """

    def __init__(self, path: Path, load_game: GameLoader = contract.load_game) -> None:
        atomic_files.check_writable(path, atomic_files.RESULT)
        self.path = path
        self.results: list[Result] = []
        self._lock = threading.Lock()
        self._pending_lines: list[bytes] = []
        self._next_flush = time.monotonic() + FLUSH_INTERVAL_SECONDS
        self._line_sizes: dict[int, int] = {}  # of the last line of each cell
        self._written_bytes = 0  # before compression; 0 if there is no file to append to
        content = _read_bytes(path) if path.exists() and path.stat().st_size else b""
        if content:
            self._continue_file(content, load_game)
        self._written_games = [result.games for result in self.results]

    def update_cell(self, results: Sequence[Result], index: int) -> None:
        """Append the present state of one cell, and of cells before it that the file lacks.

        Cells before it are written without games: other threads are playing them and will add
        them. Lines are collected and written about once a second.

        Args:
            results: All cells.
            index: Which of them has changed.
        """
        with self._lock:
            for i in range(len(self._written_games), index):
                self._append_line(i, results[i].without_games())
            is_new = index >= len(self._written_games)
            if is_new or self._written_games[index] != results[index].games:
                self._append_line(index, results[index])
            if time.monotonic() > self._next_flush:
                self.flush()

    def flush(self) -> None:
        """Write the collected lines; rewrite a file of which most is superseded."""
        if not self._pending_lines:
            return
        text = b"".join(self._pending_lines)
        if self._written_bytes:
            atomic_files.append_bytes(self.path, gzip_members.compress_member(text))
        else:
            text = HEADER + text
            atomic_files.write_atomically(self.path, gzip_members.compress_member(text))
        self._written_bytes += len(text)
        self._pending_lines.clear()
        self._next_flush = time.monotonic() + FLUSH_INTERVAL_SECONDS
        needed_bytes = sum(self._line_sizes.values())
        if self._written_bytes > 2 * needed_bytes + ALLOWED_SUPERSEDED_BYTES:
            self._remove_superseded_lines()

    def _continue_file(self, content: bytes, load_game: GameLoader) -> None:
        name = str(self.path)
        text, complete_bytes = _decompress(content, name)
        if not text:  # not even the first member is complete
            return
        self.results = _make_results(_parse_cells(text, name), name, load_game)
        if not (gzip_members.is_gzip(content) and text.startswith(HEADER)):
            # a file of an earlier version is written anew
            self._pending_lines = [_encode_line(i, r) for i, r in enumerate(self.results)]
            return
        if complete_bytes < len(content):
            atomic_files.truncate_file(self.path, complete_bytes)
        self._written_bytes = len(text)
        for line in _parse_lines(text, name):
            self._line_sizes[line.cell] = len(line.text) + 1

    def _append_line(self, index: int, result: Result) -> None:
        line = _encode_line(index, result)
        self._written_games[index : index + 1] = [result.games]
        self._line_sizes[index] = len(line)
        self._pending_lines.append(line)

    def _remove_superseded_lines(self) -> None:
        name = str(self.path)
        text, _ = _decompress(_read_bytes(self.path), name)
        last_lines = {line.cell: line.text for line in _parse_lines(text, name)}
        text = HEADER + b"".join([last_lines[cell] + b"\n" for cell in sorted(last_lines)])
        atomic_files.write_atomically(self.path, gzip_members.compress_member(text))
        self._written_bytes = len(text)


class _Line(NamedTuple):
    """A line of a result file: the number of its cell, its text, and the values in it."""

    cell: int
    text: bytes
    data: dict[str, Any]


def _encode_line(index: int, result: Result) -> bytes:
    return json.dumps(result.to_dict(cell=index)).encode() + b"\n"


def _read_bytes(path: Path) -> bytes:
    reason = explain_unreadable(path, MAX_FILE_BYTES)
    if reason:
        raise ResultError(f"{path}: not a result file: {reason}")
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise ResultError(f"{path}: no such file") from None
    except OSError as error:
        raise ResultError(f"{path}: not a result file: {error.strerror}") from None


def _decompress(content: bytes, name: str) -> tuple[bytes, int]:
    """Return the text of a file as far as it is complete, and how many of its bytes that takes."""
    if gzip_members.is_gzip(content):
        try:
            return gzip_members.decompress_members(content, MAX_FILE_BYTES)
        except gzip_members.GzipMemberError as error:
            raise ResultError(f"{name}: not a result file: {error}") from None
    size = content.rfind(b"\n") + 1 if content.startswith(HEADER) else len(content)
    return content[:size], size


def _parse_cells(text: bytes, name: str) -> list[dict[str, Any]]:
    """Return the values of each cell of a file, in order."""
    if text.startswith(HEADER):
        cells = {line.cell: line.data for line in _parse_lines(text, name)}
        return [cells[number] for number in sorted(cells)]
    data = _parse_json(text, name)
    if not isinstance(data, dict) or data.get("hardmode") != "result":
        raise ResultError(f"{name}: not a result file of hardmode")
    schema = data.get("schema")
    if schema not in (1, SCHEMA_VERSION):
        supported = f"this version reads schema 1 and {SCHEMA_VERSION}"
        raise ResultError(f"{name}: schema {schema}; {supported}")
    if not isinstance(data.get("cells"), list):
        raise ResultError(f"{name}: the file is damaged: it has no list of cells")
    return data["cells"]


def _parse_lines(text: bytes, name: str) -> Iterator[_Line]:
    """Yield the lines after the header."""
    for line in text[len(HEADER) :].splitlines():
        data = _parse_json(line, name)
        if not isinstance(data, dict) or type(data.get("cell")) is not int:
            raise ResultError(f"{name}: the file is damaged: a line is not a cell")
        yield _Line(data["cell"], line, data)


def _parse_json(text: bytes, name: str) -> Any:
    if not text.strip():
        raise ResultError(f"{name}: not a result file: it is empty")
    try:
        return json.loads(text)
    except RecursionError:
        reason = "it is nested too deeply"
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        reason = f"it is no JSON ({error})"
    except ValueError:
        reason = "it holds a number of too many digits"
    raise ResultError(f"{name}: not a result file: {reason}")


def _make_results(
    cells: Sequence[dict[str, Any]], name: str, load_game: GameLoader
) -> list[Result]:
    load_once = cache(load_game)
    try:
        return [Result.from_dict(cell, load_once) for cell in cells]
    except (GameNotFoundError, ResultError) as error:
        raise ResultError(f"{name}: {error}") from None
    except MALFORMED_DATA_ERRORS as error:
        message = f"{name}: the file is damaged: {type(error).__name__} {error}"
        raise ResultError(message) from None
