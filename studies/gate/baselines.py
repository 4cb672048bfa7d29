"""Baselines: what was accepted of a scenario, in a text file beside it that code review reads.

The file is TOML, with one block for each cell: the win rate, how games end, and means; digests of
what made them; the outcome digests of the first games; and, last, who won each of the first games.
A checksum at its end shows if the file was edited.
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
from hardmode.sim.files.paths import explain_unreadable, shorten_path
from hardmode.studies.gate.baseline_schema import validate_baseline

SCHEMA = 1
MAX_BYTES = 1_000_000_000  # of a file that is read
FOLDER, SUFFIX = "baselines", ".baseline"
BOX_SEPARATOR = "+"  # between the name of a scenario and that of a box
HEADER = (
    "# What was accepted of {}. Written by `hardmode accept`; "
    "the seal at the end tells when it was edited.\n"
)
END_OF_BODY = '\n[end]\nseal = "'  # followed by the checksum of all before it
LINE_WIDTH = 100  # columns of packed bits
CELL_VALUES = ("cell", "label", "plays", "win_percent", "wins", "games_per_second")
CELL_TABLES = ("endings", "seats", "means", "digests")
MALFORMED_ERRORS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    zlib.error,
)


class BaselineError(ValueError):
    """Raised when a baseline is missing, cannot be read, or does not fit its scenario."""


@dataclass(frozen=True)
class BaselineCell:
    """One cell as it was accepted. The attributes are keys of the file.

    Attributes:
        cell: Label of the cell as text; empty without a grid.
        label: Label of the cell.
        plays: The strategies.
        win_percent: Share of games won, in percent.
        wins: Games won; where seats compete, by seat 1.
        endings: Number of games by ending.
        seats: Games won by each seat, where seats compete.
        means: Mean length, scores and measures.
        games_per_second: Pace at which the games were played.
        digests: Digests of the code, weights, numbers and players.
        outcomes: Outcome digest of the first n games, by n.
        won: For each seat (where seats compete, else once) who won the first games.
    """

    cell: str
    label: dict[str, Any]
    plays: list[str]
    win_percent: float
    wins: int
    endings: dict[str, int]
    seats: dict[str, int]
    means: dict[str, float]
    games_per_second: float
    digests: dict[str, str]
    outcomes: dict[str, str]
    won: np.ndarray

    def count_wins_of_side(self, side: int) -> int:
        """Return the games won by a seat or, where seats do not compete, by all."""
        return list(self.seats.values())[side] if self.seats else self.wins


@dataclass(frozen=True)
class Baseline:
    """A scenario as it was accepted. All cells played the same games.

    Attributes:
        scenario: Name of the scenario.
        title: Title of the scenario.
        game: Name of the game.
        version: Version of the rules.
        scheme: Version of the random draws.
        reason: Why it was accepted.
        date: When it was accepted.
        seed: Seed of the games.
        games: Number of games of each cell.
        quick: Number of first games that show whether anything changed at all.
        looks: Numbers of first games at which a gate looks; of the last, all winners are stored.
        made_by: Versions of hardmode and of libraries.
        cells: The cells.
        box: Name of the user's own box that was used, or "".
    """

    scenario: str
    title: str
    game: str
    version: int
    scheme: str
    reason: str
    date: str
    seed: int
    games: int
    quick: int
    looks: tuple[int, ...]
    made_by: dict[str, str]
    cells: tuple[BaselineCell, ...]
    box: str = ""

    @property
    def paired(self) -> int:
        """Number of first games whose winners are stored."""
        return self.looks[-1]

    def content(self) -> str:
        """Return the text of the file without the date, the reason and the speed."""
        cells = [replace(cell, games_per_second=0.0) for cell in self.cells]
        return format_baseline(replace(self, reason="", date="", cells=tuple(cells)))


def locate_baseline(scenario: Path, box: Path | None = None) -> Path:
    """Return the file of the baseline of a scenario.

    Args:
        scenario: File of the scenario.
        box: The user's own box; each has another baseline.
    """
    box_part = f"{BOX_SEPARATOR}{box.stem}" if box else ""
    return scenario.parent / FOLDER / f"{scenario.stem}{box_part}{SUFFIX}"


def list_possible_scenarios(baseline: Path) -> list[Path]:
    """Return the scenario files whose baseline this may be; one with a box has two readings."""
    stems = dict.fromkeys((baseline.stem, baseline.stem.rpartition(BOX_SEPARATOR)[0]))
    return [baseline.parent.parent / f"{stem}.yaml" for stem in stems if stem]


# Writing


def format_baseline(baseline: Baseline) -> str:
    """Return the text of the file of a baseline."""
    lines = [HEADER.format(baseline.scenario), f"schema = {SCHEMA}"]
    for field in fields(baseline):
        is_default_box = field.name == "box" and not baseline.box
        if field.name not in ("made_by", "cells") and not is_default_box:
            lines.append(f"{field.name} = {_to_toml(getattr(baseline, field.name))}")
    lines.append(f"made_by = {_to_toml(baseline.made_by)}")
    for cell in baseline.cells:
        lines += _format_cell(cell)
    body = "\n".join(lines) + "\n"
    return f'{body}{END_OF_BODY}{compute_seal(body)}"\n'


def _format_cell(cell: BaselineCell) -> Iterator[str]:
    yield from ("", "[[cells]]")
    for name in CELL_VALUES:
        yield f"{name} = {_to_toml(getattr(cell, name))}"
    for name in CELL_TABLES:
        table = getattr(cell, name)
        if table:
            yield f"[cells.{name}]"
        for key, value in table.items():
            yield f"{_to_toml_key(key)} = {_to_toml(value)}"
    yield from ("[cells.first_games]", f"outcomes = {_to_toml(cell.outcomes)}", "won = [")
    for row in cell.won:
        yield from ('"""', pack_bits(row), '""",')
    yield "]"


def _to_toml(value: Any) -> str:
    if isinstance(value, dict):
        pairs = (f"{_to_toml_key(key)} = {_to_toml(item)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_to_toml, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def _to_toml_key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _to_toml(name)


def pack_bits(won: np.ndarray) -> str:
    """Return booleans as lines of compressed Base64 text."""
    compressed = zlib.compress(np.packbits(won).tobytes(), 9)
    text = base64.b64encode(compressed).decode()
    return "\n".join(text[i : i + LINE_WIDTH] for i in range(0, len(text), LINE_WIDTH))


def unpack_bits(text: str, n: int) -> np.ndarray:
    """Return the booleans that `pack_bits` packed.

    Args:
        text: The packed booleans.
        n: Number of booleans.

    Raises:
        ValueError: It is not so many.
    """
    n_bytes = (n + 7) // 8
    raw = zlib.decompressobj().decompress(base64.b64decode(text), n_bytes + 1)
    if len(raw) != n_bytes:
        raise ValueError(f"the winners of the first games are not those of {n} games")
    return np.unpackbits(np.frombuffer(raw, np.uint8), count=n).astype(bool)


def compute_seal(body: str) -> str:
    """Return the checksum that the file of a baseline ends with."""
    return hashlib.sha256(body.encode()).hexdigest()[:32]


def check_baseline_writable(path: Path) -> None:
    """Raise `OutputError` if no baseline can be written here or something else is in its place."""
    atomic_files.check_folder_writable(path.parent)
    if path.parent.exists():
        atomic_files.check_writable(path, atomic_files.BASELINE)


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write a baseline atomically: readers see the old file or the whole new one."""
    with atomic_files.convert_os_errors(path):
        path.parent.mkdir(exist_ok=True)
    atomic_files.write_atomically(path, format_baseline(baseline))


# Reading


def read_baseline(path: Path, scenario_words: str) -> Baseline:
    """Return the baseline in a file.

    Args:
        path: The file.
        scenario_words: The arguments of `hardmode accept` that would record it, for the message.

    Raises:
        BaselineError: The file is missing or unreadable, or was edited.
    """
    reason = explain_unreadable(path, MAX_BYTES)
    if reason:
        raise BaselineError(f"{shorten_path(path)}: cannot be read: it {reason}")
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BaselineError(
            f'no baseline; hardmode accept {scenario_words} --reason "..." records one'
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BaselineError(f"{shorten_path(path)}: cannot be read: {error}") from None
    return parse_baseline(text, shorten_path(path))


def parse_baseline(text: str, name: str) -> Baseline:
    """Return the baseline in the text of a file.

    Args:
        text: The text.
        name: Name of the file in messages.

    Raises:
        BaselineError: The checksum is wrong, or the text is no baseline of this version.
    """
    body, _, seal = text.rpartition(END_OF_BODY)
    if compute_seal(body) != seal.strip().rstrip('"'):
        raise BaselineError(
            f"{name}: digest mismatch: the file was edited or damaged after it was "
            "accepted; restore it, or accept anew"
        )
    try:
        return _make_baseline(tomllib.loads(body))
    except RecursionError:
        raise BaselineError(f"{name}: not a baseline: it is nested too deeply") from None
    except MALFORMED_ERRORS as error:
        raise BaselineError(f"{name}: not a baseline that this version reads: {error}") from None


def _make_baseline(data: dict[str, Any]) -> Baseline:
    content = validate_baseline(data).model_dump(exclude={"schema_version", "looks", "cells"})
    looks = tuple(data["looks"])
    cells = tuple(_make_cell(cell, looks[-1], data["games"]) for cell in data["cells"])
    return Baseline(**content, looks=looks, cells=cells)


def _make_cell(data: dict[str, Any], paired: int, games: int) -> BaselineCell:
    first_games = data.pop("first_games")
    won = np.array([unpack_bits(row, paired) for row in first_games["won"]])
    cell = BaselineCell(**{"seats": {}, **data}, outcomes=first_games["outcomes"], won=won)
    for side, row in enumerate(won):
        wins = cell.count_wins_of_side(side)
        unpaired = games - paired
        if not row.sum() <= wins <= row.sum() + unpaired:
            raise ValueError(f"{wins} wins do not agree with the winners of the first games")
    return cell
