"""Result files: a line for a cell, added at the end, so that a long grid costs no more to keep than its cells.

The first line says what the file is. Each further line holds one cell as it stood when the line was written, sealed;
of several lines of a cell the last holds. The lines are compressed, those that are added together as one part. A killed
process leaves at most one part that does not end, which whoever goes on from the file takes away. Where most of a file
has been superseded it is written anew, whole. A file of one JSON object with all its cells (schema 1, and that of a
report) is read as well, and either as plain text.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from hardmode.sim import contract
from hardmode.sim.contract import Game
from hardmode.sim.contract.discovery import GameNotFound
from hardmode.sim.files import atomic_files, gzip_members
from hardmode.sim.files.paths import unfit
from hardmode.sim.results.result import Result, ResultError
from hardmode.sim.results.tally import DAMAGE

SCHEMA = 2
MOST_BYTES = 4_000_000_000  # of a file
HEAD = f'{{"hardmode": "result", "schema": {SCHEMA}, "lines": "cells"}}\n'.encode()
EVERY = 1.0  # seconds between two times that something is added
SPARE = 1 << 20  # bytes of superseded lines that may always stay


def save(path: Path, results: Sequence[Result]) -> None:
    """Write a result file; whoever reads it sees the old one or the whole new one."""
    atomic_files.write(path, content(results))


def content(results: Sequence[Result]) -> bytes:
    """What a result file holds."""
    return gzip_members.part(lines(results))


def lines(results: Sequence[Result]) -> bytes:
    """What a result file says."""
    return b"".join([HEAD, *(_line(i, r) for i, r in enumerate(results))])


def load(path: Path, game_of: Callable[[str], Game] = contract.game) -> list[Result]:
    """The cells of a result file; whatever is wrong with it is told with its name."""
    return parsed(_read(path), str(path), game_of)


def parsed(
    content: bytes, name: str, game_of: Callable[[str], Game] = contract.game
) -> list[Result]:
    """The cells of a result file that was read already, by the name that it is known by."""
    said, whole = _opened(content, name)
    if whole < len(content):
        raise ResultError(
            f"{name}: not a result file that is whole: it ends in the middle of what was added last; the "
            "command that wrote it goes on from there"
        )
    return _results(_cells(said, name), name, game_of)


class Growing:
    """A result file that a command goes on from, and adds to as it plays."""

    def __init__(self, path: Path, game_of: Callable[[str], Game] = contract.game) -> None:
        atomic_files.ready(path, atomic_files.RESULT)
        self.path, self.results = path, list[Result]()  # what the file held
        self._one = threading.Lock()  # thread at a time
        self._waiting, self._due = list[bytes](), time.monotonic() + EVERY
        self._sizes: dict[int, int] = {}  # of the line that holds, by cell
        self._bytes = 0  # of what the file says; 0 where there is none to add to
        content = _read(path) if path.exists() and path.stat().st_size else b""
        if content:
            self._go_on_from(content, game_of)
        self._games = [r.games for r in self.results]

    def _go_on_from(self, content: bytes, game_of: Callable[[str], Game]) -> None:
        name = str(self.path)
        said, whole = _opened(content, name)
        if not said:  # not even the first part ends
            return
        self.results = _results(_cells(said, name), name, game_of)
        if not (gzip_members.is_packed(content) and said.startswith(HEAD)):  # of an earlier version
            self._waiting = [_line(i, r) for i, r in enumerate(self.results)]
            return
        if whole < len(content):
            atomic_files.cut(self.path, whole)
        self._bytes, self._sizes = (
            len(said),
            {at: len(line) + 1 for at, line, _ in _lines(said, name)},
        )

    def keep(self, results: Sequence[Result], at: int) -> None:
        """Add cell `at` as it stands now, and those before it of which the file knows nothing."""
        with self._one:
            self._keep(results, at)

    def _keep(self, results: Sequence[Result], at: int) -> None:
        for i in range(len(self._games), at):  # begun by others, who will tell
            self._add(i, results[i].unplayed())
        if at >= len(self._games) or self._games[at] != results[at].games:
            self._add(at, results[at])
        if time.monotonic() > self._due:
            self.write()

    def _add(self, at: int, result: Result) -> None:
        line = _line(at, result)
        self._games[at : at + 1] = [result.games]
        self._sizes[at] = len(line)
        self._waiting.append(line)

    def write(self) -> None:
        """Put down what waits; the whole file where there is none, or where most of it has been superseded."""
        if not self._waiting:
            return
        added = b"".join(self._waiting)
        if not self._bytes:
            added = HEAD + added
            atomic_files.write(self.path, gzip_members.part(added))
        else:
            atomic_files.add(self.path, gzip_members.part(added))
        self._bytes += len(added)
        self._waiting.clear()
        self._due = time.monotonic() + EVERY
        if self._bytes > 2 * sum(self._sizes.values()) + SPARE:
            self._leave_out()

    def _leave_out(self) -> None:
        """Write the file anew with the lines that hold."""
        said, _ = _opened(_read(self.path), str(self.path))
        last = {at: line for at, line, _ in _lines(said, str(self.path))}
        said = HEAD + b"".join(line + b"\n" for _, line in sorted(last.items()))
        atomic_files.write(self.path, gzip_members.part(said))
        self._bytes = len(said)


def _line(at: int, result: Result) -> bytes:
    return json.dumps(result.to_dict(cell=at)).encode() + b"\n"


def _read(path: Path) -> bytes:
    reason = unfit(path, MOST_BYTES)
    if reason:
        raise ResultError(f"{path}: not a result file: {reason}")
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise ResultError(f"{path}: no such file") from None
    except OSError as why:
        raise ResultError(f"{path}: not a result file: {why.strerror}") from None


def _opened(content: bytes, name: str) -> tuple[bytes, int]:
    """What a file says as far as it is whole, and how many of its bytes that takes."""
    if gzip_members.is_packed(content):
        try:
            return gzip_members.opened(content, MOST_BYTES)
        except gzip_members.PackedError as why:
            raise ResultError(f"{name}: not a result file: {why}") from None
    whole = content.rfind(b"\n") + 1 if content.startswith(HEAD) else len(content)
    return content[:whole], whole


def _cells(content: bytes, name: str) -> list[dict[str, Any]]:
    """What a file says of each of its cells."""
    if content.startswith(HEAD):
        held = {at: data for at, _, data in _lines(content, name)}
        return [held[at] for at in sorted(held)]
    data = _json(content, name)
    if not isinstance(data, dict) or data.get("hardmode") != "result":
        raise ResultError(f"{name}: not a result file of hardmode")
    if data.get("schema") not in (1, SCHEMA):
        raise ResultError(
            f"{name}: schema {data.get('schema')}; this version reads schema 1 and {SCHEMA}"
        )
    if not isinstance(data.get("cells"), list):
        raise ResultError(f"{name}: the file is damaged: it has no list of cells")
    return data["cells"]


def _lines(content: bytes, name: str) -> Iterator[tuple[int, bytes, dict[str, Any]]]:
    """The lines after the first: of which cell, as they stand, and what they say."""
    for line in content[len(HEAD) :].splitlines():
        data = _json(line, name)
        if not isinstance(data, dict) or type(data.get("cell")) is not int:
            raise ResultError(f"{name}: the file is damaged: a line is not a cell")
        yield data["cell"], line, data


def _json(content: bytes, name: str) -> Any:
    if not content.strip():
        raise ResultError(f"{name}: not a result file: it is empty")
    try:
        return json.loads(content)
    except RecursionError:
        raise ResultError(f"{name}: not a result file: it is nested too deeply") from None
    except (UnicodeDecodeError, json.JSONDecodeError) as why:
        raise ResultError(f"{name}: not a result file: {why}") from None
    except ValueError:
        raise ResultError(
            f"{name}: not a result file: it holds a number of too many digits"
        ) from None


def _results(
    cells: Sequence[dict[str, Any]], name: str, game_of: Callable[[str], Game]
) -> list[Result]:
    try:
        known = cache(game_of)
        return [Result.from_dict(cell, known) for cell in cells]
    except (GameNotFound, ResultError) as why:
        raise ResultError(f"{name}: {why}") from None
    except DAMAGE as why:
        raise ResultError(f"{name}: the file is damaged: {type(why).__name__} {why}") from None
