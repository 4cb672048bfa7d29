"""Fit the model of a turn to what a table has observed.

    python -m hardmode.sim.games.trapwords.calibrate observed.csv [--fit turn.kappa,...] [--out fitted.yaml]

The log has one line a turn, or one a kind of turn with a column `turns`. Columns: `length` (of the
trap list); `giver` and `trappers` (names of policies, cautious and obvious where missing); either
`cause` (success, trap, invalid, guesses, timer), `seconds` and `guesses` of one turn, or the shares
`success` and `trap` (of failures), `timer` (of failures), `seconds` (median of successes), `guesses`
(mean) of a kind of turn. What is missing is not fitted to. See docs/trapwords-calibration.md.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from hardmode.sim.contract import Values
from hardmode.sim.games.trapwords.box import fill, minds_of, tastes_of, write_scenes
from hardmode.sim.games.trapwords.lexicon import scenes
from hardmode.sim.games.trapwords.practice import Practice, practise
from hardmode.sim.games.trapwords.tables import GIVERS, GUESSES, INVALID, SUCCESS, TIMER, TRAP, TRAPPERS, Box
from hardmode.sim.records import blank, readable

FREE = ("turn.kappa", "giver.cautious.control")
TURNS = 40_000  # played for each kind of turn at each trial
STEP = 0.06  # of the derivatives, as a share of a number's plausible range
PASSES = 3  # the errors are taken anew from the model each time
MOMENTS = ("success", "trap", "timer", "seconds", "guesses")
CAUSE_NAMES = {"success": SUCCESS, "trap": TRAP, "invalid": INVALID, "guesses": GUESSES, "timer": TIMER}
PRACTICE = {"switches.turns": "odds", "setup.curses": "none", "setup.monster": "none"}  # makes no library
FAILURES = (TRAP, INVALID, GUESSES, TIMER)


class BadLog(ValueError):
    """A log that cannot be read, with its line."""


@dataclass(frozen=True, order=True)
class Kind:
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


@dataclass(frozen=True)
class Fit:
    values: dict[str, float]
    errors: dict[str, float]
    at_limit: tuple[str, ...]
    chi_square: float
    moments: int
    table: list[tuple[Kind, str, float, float, float]]  # kind, moment, observed, its error, fitted

    def rules(self) -> str:
        """The block to put into a scenario."""
        lines = ["rules:"]
        for path, value in self.values.items():
            note = " at the limit of its range" if path in self.at_limit else ""
            lines.append(f"  {path}: {value:.4g}  # +- {self.errors[path]:.2g}{note}")
        return "\n".join(lines) + "\n"


# -- the log ----------------------------------------------------------------------------------------


def read_log(path: Path) -> dict[Kind, Seen]:
    """The observed moments of every kind of turn in a log."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = [{k.strip(): (v or "").strip() for k, v in row.items() if k} for row in csv.DictReader(file)]
    if not rows:
        raise BadLog(f"{path}: there is no line below the heading")
    numbered = list(enumerate(rows, 2))
    single = "cause" in rows[0]
    if not single and not ("turns" in rows[0] and "success" in rows[0]):
        raise BadLog(f"{path}: needs a column `cause` (a turn a line), or columns `turns` and `success`")
    by_kind: dict[Kind, list[tuple[int, dict[str, str]]]] = defaultdict(list)
    for line, row in numbered:
        by_kind[_kind(path, line, row)].append((line, row))
    of = _from_turns if single else _from_shares
    return {kind: of(path, found) for kind, found in sorted(by_kind.items())}


def _kind(path: Path, line: int, row: Mapping[str, str]) -> Kind:
    length = _number(path, line, row, "length")
    if length is None or length != int(length) or not 1 <= length <= 10:
        raise BadLog(f"{path}:{line}: length is {row.get('length')!r}; it must be 1 to 10")
    names = {"trappers": ("obvious", TRAPPERS), "giver": ("cautious", GIVERS)}
    chosen = {column: (row.get(column) or usual).replace("_", " ") for column, (usual, _) in names.items()}
    for column, (_, known) in names.items():
        if chosen[column] not in known:
            raise BadLog(f"{path}:{line}: {column} is {chosen[column]!r}; it must be one of {', '.join(known)}")
    return Kind(int(length), **chosen)


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
        if row["cause"] not in CAUSE_NAMES:
            raise BadLog(f"{path}:{line}: cause is {row['cause']!r}; it must be one of {', '.join(CAUSE_NAMES)}")
        causes.append(CAUSE_NAMES[row["cause"]])
        seconds.append(_number(path, line, row, "seconds"))
        guesses.append(_number(path, line, row, "guesses"))
    ends = np.array(causes)
    needed = [s for s, c in zip(seconds, causes, strict=True) if s is not None and c == SUCCESS]
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
    share(seen, "success", float(np.mean(ends == SUCCESS)), len(ends))
    failed = ends[np.isin(ends, FAILURES)]
    if len(failed):
        share(seen, "trap", float(np.mean(failed == TRAP)), len(failed))
        share(seen, "timer", float(np.mean(failed == TIMER)), len(failed))
    if len(needed) > 1:
        seen.note("seconds", float(np.median(needed)), max(1.25 * float(needed.std()), 0.1), len(needed))
    if len(guesses) > 1:
        seen.note("guesses", float(guesses.mean()), max(float(guesses.std()), 0.1), len(guesses))
    return seen


# -- the model --------------------------------------------------------------------------------------


def box_file() -> Path:
    return Path(__file__).parents[3] / "scenarios" / "trapwords" / "box.yaml"


@lru_cache(maxsize=2)
def printed(path: Path) -> dict[str, dict[str, Any]]:
    """The leaves of the box, each with its value and, where it has them, range, min and max."""
    from ruamel.yaml import YAML

    return dict(_leaves(YAML(typ="safe").load(path), ()))


def _leaves(section: Any, where: tuple[str, ...]) -> Iterable[tuple[str, dict[str, Any]]]:
    if not isinstance(section, dict):
        yield ".".join(where), {"value": section}
    elif "value" in section:
        yield ".".join(where), section
    else:
        for name, below in section.items():
            if not str(name).startswith("."):
                yield from _leaves(below, (*where, str(name)))


class Model:
    """The model's own moments for some kinds of turn, at any values of the box."""

    def __init__(self, kinds: Sequence[Kind], values: Mapping[str, Any], turns: int = TURNS, seed: int = 1) -> None:
        self.kinds, self.values, self.turns, self.seed = list(kinds), dict(values), turns, seed
        self.lengths = sorted({k.length for k in kinds})
        self.cells = blank(Box)

    def box(self, changed: Mapping[str, Any]) -> np.ndarray:
        """A box with only those scenes that are asked for."""
        values = Values({**self.values, **PRACTICE, **changed})
        box = readable(self.cells)
        fill(box, values)
        box.full, box.scenes = 1, values["model.scenes"]
        box.part[:] = 0
        minds, tastes = minds_of(values, values["setup.team_b"]), tastes_of(values)
        for kind in self.kinds:
            shelf, policy = self.lengths.index(kind.length), TRAPPERS.index(kind.trappers)
            box.shelf[kind.length] = shelf
            found = scenes(minds, tastes, policy, kind.length)
            write_scenes(box.library[0, shelf, policy], found, values["turn.notice"])
        return self.cells

    def practise(self, kind: Kind, changed: Mapping[str, Any]) -> Practice:
        return self._practise(self.box(changed), kind)

    def _practise(self, box: np.ndarray, kind: Kind) -> Practice:
        return practise(box, 0, TRAPPERS.index(kind.trappers), GIVERS.index(kind.giver), self.turns,
                        seed=self.seed + self.kinds.index(kind), length=kind.length)  # no luck in common

    def moments(self, changed: Mapping[str, Any]) -> dict[Kind, Seen]:
        box, found = self.box(changed), {}
        for kind in self.kinds:
            turns = self._practise(box, kind)
            found[kind] = moments(turns.rows[0], turns.success_seconds, turns.rows[3])
        return found


# -- the fit ----------------------------------------------------------------------------------------


def fit(observed: Mapping[Kind, Seen], free: Sequence[str] = FREE, *, box: Path | None = None,
        values: Mapping[str, Any] | None = None, turns: int = TURNS) -> Fit:
    """The values of the free numbers, within their plausible ranges, that come nearest to what was observed."""
    from scipy.optimize import least_squares

    leaves = printed(box or box_file())
    given = {path: leaf["value"] for path, leaf in leaves.items()} | dict(values or {})
    low, high = np.array([_range(leaves, path) for path in free]).T
    wanted = [(kind, name) for kind, seen in observed.items() for name in MOMENTS if name in seen.value]
    if len(wanted) < len(free):
        raise BadLog(f"{len(wanted)} observed figures cannot settle {len(free)} numbers")
    model = Model(list(observed), given, turns)

    def at(x: np.ndarray) -> dict[str, float]:
        return dict(zip(free, (low + x * (high - low)).tolist(), strict=True))

    def misses(x: np.ndarray) -> np.ndarray:
        found = model.moments(at(x))
        return np.array([miss(observed[kind], found[kind], name) for kind, name in wanted]) / errors

    x = np.clip((np.array([given[path] for path in free]) - low) / (high - low), 0.02, 0.98)
    errors = np.array([observed[kind].error[name] for kind, name in wanted])
    for _ in range(PASSES):
        best = least_squares(misses, x, jac=lambda x: slopes(misses, x), bounds=(0, 1), xtol=1e-3, ftol=1e-4)
        x, found = best.x, model.moments(at(best.x))
        errors = np.array([expected_error(observed[kind], found[kind], name) for kind, name in wanted])
    spread = np.sqrt(np.diag(np.linalg.pinv(best.jac.T @ best.jac))) * (high - low)
    fitted = at(best.x)
    table = [(kind, name, observed[kind].value[name], observed[kind].error[name],
              found[kind].value.get(name, math.nan)) for kind, name in wanted]
    edge = tuple(path for path, x in zip(free, best.x, strict=True) if not 0.01 < x < 0.99)
    return Fit(fitted, dict(zip(free, spread.tolist(), strict=True)), edge, 2 * float(best.cost), len(wanted), table)


def _range(leaves: Mapping[str, Mapping[str, Any]], path: str) -> tuple[float, float]:
    if path not in leaves or not isinstance(leaves[path]["value"], float):
        near = [p for p, leaf in leaves.items() if isinstance(leaf["value"], float) and p.startswith(("turn", "giver"))]
        raise BadLog(f"{path} cannot be fitted; for example {', '.join(near[:6])} can")
    span = leaves[path].get("range") or [leaves[path].get("min"), leaves[path].get("max")]
    return float(span[0]), float(span[1])


def slopes(misses: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """Derivatives, by steps wide enough that a handful of turns that end otherwise does not matter."""
    columns = []
    for i in range(len(x)):
        up, down = x.copy(), x.copy()
        up[i], down[i] = min(x[i] + STEP, 1.0), max(x[i] - STEP, 0.0)
        columns.append((misses(up) - misses(down)) / (up[i] - down[i]))
    return np.array(columns).T


def miss(observed: Seen, found: Seen, name: str) -> float:
    return found.value[name] - observed.value[name] if name in found.value else 0.0


def expected_error(observed: Seen, found: Seen, name: str) -> float:
    """The error of an observed figure by the model's own spread: what was seen by luck gets no weight for it."""
    if name not in found.value:
        return observed.error[name]
    spread = found.error[name] * math.sqrt(found.count[name])
    return spread * math.sqrt(1 / observed.count[name] + 1 / found.count[name])


# -- the command ------------------------------------------------------------------------------------


def told(fitted: Fit) -> str:
    lines = [f"{'kind of turn':34s} {'figure':8s} {'observed':>9s} {'+-':>6s} {'fitted':>8s}"]
    for kind, name, value, error, model in fitted.table:
        what = f"{kind.length} traps, {kind.trappers}, {kind.giver}"
        lines.append(f"{what:34s} {name:8s} {value:9.3f} {error:6.3f} {model:8.3f}")
    free = fitted.moments - len(fitted.values)
    lines.append(f"chi-square {fitted.chi_square:.1f} on {free} degrees of freedom")
    return "\n".join([*lines, "", fitted.rules()])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m hardmode.sim.games.trapwords.calibrate",
                                     description="Fit the model of a turn to observed turns.")
    parser.add_argument("log", type=Path, help="a CSV file: a turn a line, or a kind of turn a line")
    parser.add_argument("--fit", default=",".join(FREE), help="the numbers of the box that are fitted, by their paths")
    parser.add_argument("--box", type=Path, default=None, help="another box.yaml")
    parser.add_argument("--turns", type=int, default=TURNS, help="turns played for each kind at each trial")
    parser.add_argument("--out", type=Path, default=None, help="write the `rules:` block here too")
    said = parser.parse_args(arguments)
    try:
        fitted = fit(read_log(said.log), [p.strip() for p in said.fit.split(",")], box=said.box, turns=said.turns)
    except (BadLog, OSError) as why:
        print(why, file=sys.stderr)
        return 2
    print(told(fitted))
    if said.out:
        said.out.write_text(fitted.rules(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
