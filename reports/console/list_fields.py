"""Output of `list` for strategy authors: weights, fields of the records, and codes of options.

The meaning of a field is the comment next to it in the source of the records, or the parameters of
the box that set it. Its range is the range that a few games have shown.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import tokenize
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from io import StringIO
from types import ModuleType
from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text

from hardmode.reports.console.list_parameters import group_parameters
from hardmode.reports.console.terminal import out
from hardmode.reports.progress_bar import show_progress
from hardmode.scenarios.load import create_variant
from hardmode.sim import contract, replay
from hardmode.sim.contract import definition, discovery
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import OFFERED, REAL, Workspace, allocate_rows
from hardmode.sim.records import readable
from hardmode.strategies import registry
from hardmode.studies.core import run
from hardmode.studies.sensitivity.unused_parameters import map_fields_to_parameters

# Games that are observed: those of each player, all with one seed.
SEED, GAMES, PLAYERS = 1, 3, ("random", "steady")
SAMPLE = f"{GAMES} games of random players and {GAMES} games of steady players"
MAX_OPTIONS = 6  # of a decision that are printed
MAX_PARAMETERS = 3  # of one field that are printed
EXAMPLE = '''def mine(box, table, own, options, n, luck, weights):
    """Return the index of the option to take: 0 .. n - 1."""
    if table.kind == {kind}:  # {name}
        for i in range(n):
            if options[i] == {code}:  # {words}
                return i
    return 0'''


@dataclass
class ObservedValues:
    """Values that occurred in a few games.

    Attributes:
        ranges: Smallest and largest value of each field, by record and field.
        decisions: Codes and descriptions of the options of one decision of each kind.
    """

    ranges: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    decisions: dict[int, list[tuple[int, dict[str, Any]]]] = field(default_factory=dict)

    def record(self, name: str, values: Any) -> None:
        """Extend the ranges by the values of a record."""
        for key, _, _ in flatten_fields(values.dtype):
            array = values
            for part in key.split("."):
                array = array[part]
            if array.size:
                smallest, largest = array.min().item(), array.max().item()
                low, high = self.ranges.get((name, key), (smallest, largest))
                self.ranges[name, key] = (min(low, smallest), max(high, largest))


def flatten_fields(dtype: np.dtype) -> Iterator[tuple[str, np.dtype, tuple[int, ...]]]:
    """Yield the path, type and shape of each field, also of inner records (`life.count`)."""
    for key in dtype.names or ():
        inner, shape = _get_type_and_shape(dtype[key])
        if inner.names is None:
            yield key, inner, shape
        for path, kind, inner_shape in flatten_fields(inner):
            yield f"{key}.{path}", kind, (*shape, *inner_shape)


def _get_type_and_shape(dtype: np.dtype) -> tuple[np.dtype, tuple[int, ...]]:
    """Return the type of the items of a field, and its shape if it is an array."""
    return dtype.subdtype or (dtype, ())


def observe_games(name: str) -> ObservedValues:
    """Play a few games and return the values that occurred at their decisions."""
    values = ObservedValues()
    for player in PLAYERS:
        engine = run.make_engine(create_variant(name, strategies=[player]))
        values.record("box", engine.box.view(np.ndarray).reshape(-1)[0])
        for number in range(GAMES):
            _observe_game(values, engine, number)
    return values


def _observe_game(values: ObservedValues, engine: Engine, number: int) -> None:
    """Record the values at every decision of a game."""
    game = engine.game
    workspace = Workspace(game)
    tables = workspace.tables.view(np.ndarray)
    hiddens = workspace.hiddens.view(np.ndarray)
    script, _ = replay.choices(engine, workspace, SEED, number)
    for step in range(len(script)):
        rows = allocate_rows(game, 1)
        engine.play(workspace, SEED, number, number + 1, rows, script=script, stop_step=step)
        table = readable(workspace.tables, REAL)
        seat = int(table.seat)
        kind = int(table.kind)
        values.record("table", tables[REAL])
        values.record("own", hiddens[REAL]["own"][seat])
        if kind not in values.decisions:
            values.decisions[kind] = _describe_options(engine, workspace)


def _describe_options(engine: Engine, workspace: Workspace) -> list[tuple[int, dict[str, Any]]]:
    """Return the codes and descriptions of the options that are offered."""
    words = engine.game.load_words()
    box = readable(engine.box)
    table = readable(workspace.tables, REAL)
    hidden = readable(workspace.hiddens, REAL)
    own = hidden.own[int(table.seat)]
    n_options = int(workspace.totals[OFFERED])
    options = []
    for code in workspace.lists.view(np.ndarray)[0, :n_options]:
        description = words.option(box, table, own, int(code))
        options.append((int(code), description))
    return options


def list_fields(name: str, observed: ObservedValues) -> list[dict[str, Any]]:
    """Return each field that a strategy can read, as `list --json` has it."""
    game = contract.load_game(name)
    parameters = map_fields_to_parameters(create_variant(name))
    fields = []
    for record, dtype in (("box", game.box), ("table", game.table), ("own", game.own)):
        notes = read_field_notes(name, dtype)
        for key, inner, shape in flatten_fields(dtype):
            part, note = notes.get(key, ("", ""))
            lines = group_parameters(parameters.get(key, ())) if record == "box" else []
            entry = {
                "record": record,
                "field": key,
                "type": str(inner),
                "shape": list(shape),
                "part": part,
                "note": note,
                "set_by": {line.path: line.note for line in lines},
                "seen": list(observed.ranges.get((record, key), ())),
            }
            fields.append(entry)
    return fields


def read_field_notes(name: str, dtype: np.dtype) -> dict[str, tuple[str, str]]:
    """Return the heading and the comment of each field, from the source of the records."""
    module = _import_records(name)
    names = dtype.names or ()
    notes: dict[str, tuple[str, str]] = {}
    comments = [*parse_field_comments(inspect.getsource(definition), "TABLE_HEAD", names)]
    for variable, value in vars(module).items():
        if isinstance(value, np.dtype) and value == dtype:
            comments += parse_field_comments(inspect.getsource(module), variable, names)
    for key, part, note in comments:
        known_part, known_note = notes.get(key, ("", ""))
        notes[key] = (known_part or part, known_note or note)
    for key in names:
        inner, _ = _get_type_and_shape(dtype[key])
        if inner.names:
            for inner_key, texts in read_field_notes(name, inner).items():
                notes[f"{key}.{inner_key}"] = texts
    return notes


def _import_records(name: str) -> ModuleType:
    """Return the module that defines the records of a game."""
    package = discovery.find_rules_module(name)
    records = f"{package}.records"
    if importlib.util.find_spec(records):
        return importlib.import_module(records)
    return importlib.import_module(package)


def parse_field_comments(
    source: str, variable: str, names: Container[str]
) -> Iterator[tuple[str, str, str]]:
    """Yield the fields in the statement that assigns a variable, with their comments.

    A comment on its own line is the heading of the fields below it. A comment behind fields is of
    the last field of its line. A comment can also name its fields: `hp: hearts left; at: the tile`.

    Args:
        source: Python source.
        variable: The variable to which the record is assigned.
        names: Names of the fields.

    Yields:
        Name, heading and comment. A field can occur several times.
    """
    is_inside, part = False, ""
    line: list[str] = []  # fields of the line so far
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.start[1] == 0 and token.type == tokenize.NAME:
            is_inside, part, line = token.string == variable, "", []
        if not is_inside:
            continue
        if token.type == tokenize.STRING:
            line += [word for word in token.string.strip("\"'").split() if word in names]
        elif token.type == tokenize.COMMENT:
            comment = token.string.lstrip("# ")
            named = _split_comment_by_name(comment, names)
            if named:
                yield from ((key, part, note) for key, note in named.items())
            elif comment and not token.line.lstrip().startswith("#"):
                yield from ((key, part, comment) for key in line[-1:])
                yield from ((key, part, "") for key in line[:-1])
                line = []
            elif comment:
                part = comment
        elif token.type in (tokenize.NL, tokenize.NEWLINE):
            yield from ((key, part, "") for key in line)
            line = []


def _split_comment_by_name(comment: str, names: Container[str]) -> dict[str, str]:
    """Return the parts of a comment by the fields that they name, or nothing if one has none."""
    notes = {}
    for part in comment.split("; "):
        key, _, note = part.partition(": ")
        if key not in names:
            return {}
        if note:
            notes[key] = note
    return notes


def list_options(name: str, observed: ObservedValues) -> list[dict[str, Any]]:
    """Return each kind of decision with the options of the first one that occurred."""
    kinds = []
    for number, kind in enumerate(contract.load_game(name).kinds):
        decision = observed.decisions.get(number, [])
        options = [{"code": code, **description} for code, description in decision]
        kinds.append({"kind": number, "name": kind, "options": options})
    return kinds


def collect_details(name: str, parts: Container[str]) -> dict[str, Any]:
    """Return the requested parts ("weights", "fields", "options") of a game."""
    details: dict[str, Any] = {}
    if "weights" in parts:
        strategies = registry.list_strategies(name)
        details["weights"] = {s: registry.get_weights(name, s) for s in strategies}
    if "fields" in parts or "options" in parts:
        with show_progress(f"{name}: {SAMPLE}"):
            observed = observe_games(name)
        if "fields" in parts:
            details["fields"] = list_fields(name, observed)
        if "options" in parts:
            details["options"] = list_options(name, observed)
    return details


def print_details(details: dict[str, Any]) -> None:
    """Print the parts that `collect_details` returned."""
    if "weights" in details:
        _print_weights(details["weights"])
    if "fields" in details:
        _print_fields(details["fields"])
    if "options" in details:
        _print_options(details["options"])


def _print_weights(weights: dict[str, dict[str, float]]) -> None:
    for name, values in weights.items():
        text = ", ".join(f"{key} {value:g}" for key, value in values.items())
        out.print(Text(f"{name}: {text or 'none'}"), soft_wrap=True)


def _print_fields(fields: list[dict[str, Any]]) -> None:
    table = Table(header_style="bold")
    for header in ("field", "type", "range", "meaning"):
        table.add_column(header, overflow="fold", no_wrap=header == "range")
    for entry in fields:
        shape = "".join(f"[{n}]" for n in entry["shape"])
        path = f"{entry['record']}.{entry['field']}{shape}"
        values = " .. ".join(f"{value:g}" for value in dict.fromkeys(entry["seen"]))
        table.add_row(Text(path), entry["type"], values, Text(_describe_field(entry)))
    out.print(table)
    out.print(
        f"[dim]range: the smallest and the largest value at the decisions of {SAMPLE}; meaning: "
        "the comments in the source of the records, and the numbers of the box that the field "
        "holds[/dim]"
    )


def _describe_field(entry: dict[str, Any]) -> str:
    """Return the comments on a field, and the numbers of the box that it holds."""
    numbers = [": ".join(filter(None, pair)) for pair in entry["set_by"].items()]
    shown = numbers[:MAX_PARAMETERS]
    if len(numbers) > MAX_PARAMETERS:
        shown.append(f"and {len(numbers) - MAX_PARAMETERS} more")
    if entry["note"] or not numbers:
        comment = ": ".join(filter(None, (entry["part"], entry["note"])))
        shown.insert(0, comment)
    return "; ".join(filter(None, shown))


def _print_options(kinds: list[dict[str, Any]]) -> None:
    for kind in kinds:
        out.print(Text(f"table.kind {kind['kind']}: {kind['name']}"), style="bold")
        for option in kind["options"][:MAX_OPTIONS]:
            text = f"  {option['code']:>12}  {_format_option(option)}"
            out.print(Text(text), soft_wrap=True)
        more = len(kind["options"]) - MAX_OPTIONS
        if more > 0:
            out.print(f"  [dim]and {more} more[/dim]")
        elif not kind["options"]:
            out.print(f"  [dim]did not occur in {SAMPLE}[/dim]")
    longest = max(kinds, key=lambda kind: len(kind["options"]))
    option = longest["options"][-1]
    example = EXAMPLE.format(
        kind=longest["kind"],
        name=longest["name"],
        code=option["code"],
        words=_format_option(option),
    )
    out.print("\nA strategy that takes one of these options whenever it can:\n")
    out.print(Text(example), soft_wrap=True)


def _format_option(option: dict[str, Any]) -> str:
    details = {key: value for key, value in option.items() if key != "code"}
    return ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in details.items())
