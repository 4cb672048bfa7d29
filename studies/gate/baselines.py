"""Baselines: what was accepted of a scenario, in one text file beside it that is read in code review.

One block per cell: the win rate, how games end, means; what made them; the outcome digests of the first
games; and, last, who won each of the first games. The file is sealed: a changed line is noticed.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import tomllib
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from hardmode.sim.files import atomic_files
from hardmode.sim.files.paths import short_path, unfit

SCHEMA = 1
MOST_BYTES = 1_000_000_000  # of a file
FOLDER, ENDING = "baselines", ".baseline"
WITH = "+"  # between the name of a scenario and that of a box
HEAD = "# What was accepted of {}. Written by `hardmode accept`; the seal at the end tells when it was edited.\n"
SEAL = 'seal = "'
WIDTH = 100
PLAIN = ("cell", "label", "plays", "win_percent", "wins", "games_per_second")
TABLES = ("endings", "seats", "means", "digests")


class BaselineError(ValueError):
    """A baseline is missing, cannot be read, or does not fit what is to be held to it."""


@dataclass(frozen=True)
class Accepted:
    """One cell as it was accepted."""

    cell: str  # in words; empty without a grid
    label: dict[str, Any]
    plays: list[str]
    win_percent: float
    wins: int
    endings: dict[str, int]
    seats: dict[str, int]  # games won by each seat, where seats compete
    means: dict[str, float]
    games_per_second: float
    digests: dict[str, str]
    outcomes: dict[str, str]  # number of first games -> their outcome digest
    won: np.ndarray  # of the first games, a row for each seat where seats compete, else one

    def wins_of(self, side: int) -> int:
        return list(self.seats.values())[side] if self.seats else self.wins


@dataclass(frozen=True)
class Baseline:
    """A scenario as it was accepted: all its cells played the same games."""

    scenario: str
    title: str
    game: str
    version: int  # of the rules
    scheme: str  # of the draws
    reason: str
    date: str
    seed: int
    games: int
    quick: int  # so many games tell whether anything changed at all
    looks: tuple[int, ...]  # where a gate looks at the games whose winners are kept
    made_by: dict[str, str]
    cells: tuple[Accepted, ...]
    box: str = ""  # the box of one's own that it was played with

    @property
    def paired(self) -> int:
        return self.looks[-1]

    def content(self) -> str:
        """What is said of the games, without when and why and how fast: equal when nothing is new."""
        still = [replace(c, games_per_second=0.0) for c in self.cells]
        return text(replace(self, reason="", date="", cells=tuple(still)))


def place(scenario: Path, box: Path | None = None) -> Path:
    """Where the baseline of a scenario file lies; one of its own for each box that a command lays over the shipped."""
    return scenario.parent / FOLDER / f"{scenario.stem}{f'{WITH}{box.stem}' if box else ''}{ENDING}"


def scenarios_of(baseline: Path) -> list[Path]:
    """The files whose baseline this may be."""
    stem = baseline.stem
    return [
        baseline.parent.parent / f"{name}.yaml"
        for name in dict.fromkeys((stem, stem.rpartition(WITH)[0]))
        if name
    ]


# Writing


def text(made: Baseline) -> str:
    """The whole file."""
    head = {
        f.name: getattr(made, f.name) for f in fields(made) if f.name not in ("made_by", "cells")
    }
    if not made.box:
        del head["box"]
    lines = [
        HEAD.format(made.scenario),
        f"schema = {SCHEMA}",
        *(f"{k} = {_toml(v)}" for k, v in head.items()),
        f"made_by = {_toml(made.made_by)}",
        *(line for cell in made.cells for line in _block(cell)),
    ]
    body = "\n".join(lines) + "\n"
    return f'{body}\n[end]\n{SEAL}{_seal(body)}"\n'


def _block(cell: Accepted) -> Iterator[str]:
    yield from ("", "[[cells]]")
    yield from (f"{k} = {_toml(getattr(cell, k))}" for k in PLAIN)
    for name in TABLES:
        lines = [f"{_key(k)} = {_toml(v)}" for k, v in getattr(cell, name).items()]
        yield from ([f"[cells.{name}]", *lines] if lines else [])
    yield from ("[cells.first_games]", f"outcomes = {_toml(cell.outcomes)}", "won = [")
    yield from (line for row in cell.won for line in ('"""', _packed(row), '""",'))
    yield "]"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k)} = {_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return "true" if value is True else "false" if value is False else repr(value)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml(name)


def _packed(won: np.ndarray) -> str:
    line = base64.b64encode(zlib.compress(np.packbits(won).tobytes(), 9)).decode()
    return "\n".join(line[i : i + WIDTH] for i in range(0, len(line), WIDTH))


def _unpacked(packed: str, n: int) -> np.ndarray:
    raw = zlib.decompress(base64.b64decode(packed))
    return np.unpackbits(np.frombuffer(raw, np.uint8), count=n).astype(bool)


def _seal(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:32]


def ready(path: Path) -> None:
    """Refuse a place where a baseline cannot be written, or where something else lies."""
    atomic_files.try_folder(path.parent)
    if path.parent.exists():
        atomic_files.ready(path, atomic_files.BASELINE)


def write(path: Path, made: Baseline) -> None:
    """Write a baseline; whoever reads it sees the old one or the whole new one."""
    with atomic_files.refusing(path):
        path.parent.mkdir(exist_ok=True)
    atomic_files.write(path, text(made))


# Reading


def read(path: Path, asked: str) -> Baseline:
    """The baseline in a file, if it is whole and nobody edited it; `asked` is what `accept` is given for it."""
    reason = unfit(path, MOST_BYTES)
    if reason:
        raise BaselineError(f"{short_path(path)}: cannot be read: it {reason}")
    try:
        whole = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BaselineError(
            f'no baseline; hardmode accept {asked} --reason "..." records one'
        ) from None
    except (OSError, UnicodeDecodeError) as why:
        raise BaselineError(f"{short_path(path)}: cannot be read: {why}") from None
    return parsed(whole, short_path(path))


def parsed(whole: str, where: str) -> Baseline:
    """The baseline in the text of a file; `where` names it if something is wrong."""
    body, _, seal = whole.rpartition(f"\n[end]\n{SEAL}")
    if _seal(body) != seal.strip().rstrip('"'):
        raise BaselineError(
            f"{where}: digest mismatch: the file was edited or damaged after it was "
            "accepted; restore it, or accept anew"
        )
    try:
        return _made(tomllib.loads(body))
    except RecursionError:
        raise BaselineError(f"{where}: not a baseline: it is nested too deeply") from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, zlib.error) as why:
        raise BaselineError(f"{where}: not a baseline that this version reads: {why}") from None


def _made(data: dict[str, Any]) -> Baseline:
    if data.pop("schema") != SCHEMA:
        raise ValueError(f"it is not of schema {SCHEMA}")
    looks = tuple(data.pop("looks"))
    cells = tuple(_cell(cell, looks[-1]) for cell in data.pop("cells"))
    return Baseline(**data, looks=looks, cells=cells)


def _cell(data: dict[str, Any], n: int) -> Accepted:
    first = data.pop("first_games")
    return Accepted(
        **{"seats": {}, **data},
        outcomes=first["outcomes"],
        won=np.array([_unpacked(row, n) for row in first["won"]]),
    )
