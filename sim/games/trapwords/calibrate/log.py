"""The log of a table: what was observed of each kind of turn."""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from hardmode.sim.games.trapwords.names import Cause, Giver, Trapper

CAUSES = {  # by their names in a log
    "success": Cause.SUCCESS, "trap": Cause.TRAP, "invalid": Cause.INVALID, "guesses": Cause.GUESSES,
    "timer": Cause.TIMER,
}
FAILURES = (Cause.TRAP, Cause.INVALID, Cause.GUESSES, Cause.TIMER)
MOMENTS = ("success", "trap", "timer", "seconds", "guesses")


class BadLog(ValueError):
    """A log that cannot be read, with its line."""


@dataclass(frozen=True, order=True)
class TurnKind:
    """A kind of turn: how long the list was, who trapped how, who spoke how."""

    length: int
    trappers: str = "obvious"
    giver: str = "cautious"


@dataclass
class Seen:
    """What was observed of one kind of turn: the moments, each with its standard error and of how many turns."""

    turns: float
    value: dict[str, float] = field(default_factory=dict)
    error: dict[str, float] = field(default_factory=dict)
    count: dict[str, float] = field(default_factory=dict)

    def note(self, name: str, value: float, spread: float, n: float) -> None:
        """A moment of n turns whose single turns spread so widely."""
        self.value[name], self.error[name], self.count[name] = value, spread / math.sqrt(n), n


def read_log(path: Path) -> dict[TurnKind, Seen]:
    """The observed moments of every kind of turn in a log."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = [{k.strip(): (v or "").strip() for k, v in row.items() if k} for row in csv.DictReader(file)]
    if not rows:
        raise BadLog(f"{path}: there is no line below the heading")
    numbered = list(enumerate(rows, 2))
    single = "cause" in rows[0]
    if not single and not ("turns" in rows[0] and "success" in rows[0]):
        raise BadLog(f"{path}: needs a column `cause` (a turn a line), or columns `turns` and `success`")
    by_kind: dict[TurnKind, list[tuple[int, dict[str, str]]]] = defaultdict(list)
    for line, row in numbered:
        by_kind[_kind(path, line, row)].append((line, row))
    of = _from_turns if single else _from_shares
    return {kind: of(path, found) for kind, found in sorted(by_kind.items())}


def _kind(path: Path, line: int, row: Mapping[str, str]) -> TurnKind:
    length = _number(path, line, row, "length")
    if length is None or length != int(length) or not 1 <= length <= 10:
        raise BadLog(f"{path}:{line}: length is {row.get('length')!r}; it must be 1 to 10")
    names = {"trappers": ("obvious", Trapper.labels()), "giver": ("cautious", Giver.labels())}
    chosen = {column: (row.get(column) or usual).replace("_", " ") for column, (usual, _) in names.items()}
    for column, (_, known) in names.items():
        if chosen[column] not in known:
            raise BadLog(f"{path}:{line}: {column} is {chosen[column]!r}; it must be one of {', '.join(known)}")
    return TurnKind(int(length), **chosen)


def _number(path: Path, line: int, row: Mapping[str, str], column: str) -> float | None:
    text = row.get(column, "")
    try:
        value = float(text) if text else None
    except ValueError:
        value = math.nan
    if value is not None and not (math.isfinite(value) and value >= 0):
        raise BadLog(f"{path}:{line}: {column} is {text!r}; it must be a number from 0 on")
    return value


def _from_turns(path: Path, found: Sequence[tuple[int, Mapping[str, str]]]) -> Seen:
    causes, seconds, guesses = [], [], []
    for line, row in found:
        if row["cause"] not in CAUSES:
            raise BadLog(f"{path}:{line}: cause is {row['cause']!r}; it must be one of {', '.join(CAUSES)}")
        causes.append(CAUSES[row["cause"]])
        seconds.append(_number(path, line, row, "seconds"))
        guesses.append(_number(path, line, row, "guesses"))
    ends = np.array(causes)
    needed = [s for s, c in zip(seconds, causes, strict=True) if s is not None and c == Cause.SUCCESS]
    made = [g for g in guesses if g is not None]
    return moments(ends, np.array(needed), np.array(made))


def _from_shares(path: Path, found: Sequence[tuple[int, Mapping[str, str]]]) -> Seen:
    if len(found) > 1:
        raise BadLog(f"{path}:{found[1][0]}: this kind of turn has a line already ({found[0][0]})")
    line, row = found[0]
    turns, success = _number(path, line, row, "turns"), _number(path, line, row, "success")
    if not turns or success is None or success > 1:
        raise BadLog(f"{path}:{line}: needs the number of turns and the share of success, 0 to 1")
    seen = Seen(turns)
    share(seen, "success", success, turns)
    for name in ("trap", "timer"):
        value = _number(path, line, row, name)
        if value is not None and success < 1:
            share(seen, name, value, turns * (1 - success))
    mean(seen, "seconds", _number(path, line, row, "seconds"), 0.75, turns * success)
    mean(seen, "guesses", _number(path, line, row, "guesses"), 0.6, turns)
    return seen


def share(seen: Seen, name: str, value: float, n: float) -> None:
    """A share with its standard error, which is not nought where nothing or everything was seen."""
    n = max(n, 1)
    p = min(max(value, 0.5 / n), 1 - 0.5 / n)
    seen.note(name, value, math.sqrt(p * (1 - p)), n)


def mean(seen: Seen, name: str, value: float | None, spread: float, n: float) -> None:
    """A mean or a median of which only the value is known; `spread` is its usual relative error for n = 1."""
    if value is not None and n >= 1:
        seen.note(name, value, max(value, 0.1) * spread, n)


def moments(ends: np.ndarray, needed: np.ndarray, guesses: np.ndarray) -> Seen:
    """The moments of turns of which all is known."""
    seen = Seen(len(ends))
    share(seen, "success", float(np.mean(ends == Cause.SUCCESS)), len(ends))
    failed = ends[np.isin(ends, FAILURES)]
    if len(failed):
        share(seen, "trap", float(np.mean(failed == Cause.TRAP)), len(failed))
        share(seen, "timer", float(np.mean(failed == Cause.TIMER)), len(failed))
    if len(needed) > 1:
        seen.note("seconds", float(np.median(needed)), max(1.25 * float(needed.std()), 0.1), len(needed))
    if len(guesses) > 1:
        seen.note("guesses", float(guesses.mean()), max(float(guesses.std()), 0.1), len(guesses))
    return seen
