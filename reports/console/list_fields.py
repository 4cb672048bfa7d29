"""What a strategy may read, and how the options that it chooses from are coded: found in a game's records and by play.

A field's meaning is the comment that stands at it in the records' source, or the numbers of the box that it holds; its
range is what a few games showed.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import tokenize
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text

from hardmode.reports.console.list_parameters import together
from hardmode.reports.console.terminal import out
from hardmode.reports.progress_bar import show_progress
from hardmode.scenarios.load import create_variant
from hardmode.sim import contract, replay
from hardmode.sim.contract import discovery
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import OFFERED, REAL, Workspace, allocate_rows
from hardmode.sim.records import readable
from hardmode.strategies import registry
from hardmode.studies.core import run
from hardmode.studies.sensitivity.unused_parameters import map_fields_to_parameters

SEED, GAMES, PLAYERS = 1, 3, ("random", "steady")
LOOKED_AT = f"{GAMES} games at random and {GAMES} of steady players"
MOST_OPTIONS = 6  # of a decision are shown
MOST_NUMBERS = 3  # of those that one field holds
EXAMPLE = '''def mine(box, table, own, options, n, luck, weights):
    """The place in the list of the option to take: 0 .. n - 1."""
    if table.kind == {kind}:  # {name}
        for i in range(n):
            if options[i] == {code}:  # {words}
                return i
    return 0'''


@dataclass
class Seen:
    """What a few games showed: the least and the most of each field, and one decision of each kind."""

    ranges: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    decisions: dict[int, list[tuple[int, dict[str, Any]]]] = field(default_factory=dict)

    def record(self, name: str, values: Any) -> None:
        for key, _, _ in _flat(values.dtype):
            at = values
            for part in key.split("."):
                at = at[part]
            if at.size:
                least, most = at.min().item(), at.max().item()
                low, high = self.ranges.get((name, key), (least, most))
                self.ranges[name, key] = (min(low, least), max(high, most))


def _flat(dtype: np.dtype) -> Iterator[tuple[str, np.dtype, tuple[int, ...]]]:
    """The fields of a record, and of the records in it (`life.count`), each with its type and its size."""
    for key in dtype.names or ():
        inner, shape = dtype[key].subdtype or (dtype[key], ())
        if inner.names is None:
            yield key, inner, shape
        yield from ((f"{key}.{below}", kind, (*shape, *size)) for below, kind, size in _flat(inner))


def seen(name: str) -> Seen:
    """Let some play a few games, and look at every decision."""
    found = Seen()
    for who in PLAYERS:
        engine = run.make_engine(create_variant(name, strategies=[who]))
        found.record("box", engine.box.view(np.ndarray).reshape(-1)[0])
        for number in range(GAMES):
            _look(found, engine, number)
    return found


def _look(found: Seen, engine: Engine, number: int) -> None:
    """Look at every decision of a game."""
    game, desk = engine.game, Workspace(engine.game)
    words, box = game.load_words(), readable(engine.box)
    taken, _ = replay.choices(engine, desk, SEED, number)
    for k in range(len(taken)):
        engine.play(desk, SEED, number, number + 1, allocate_rows(game, 1), script=taken, stop_step=k)
        table, hidden = readable(desk.tables, REAL), readable(desk.hiddens, REAL)
        seat, kind = int(table.seat), int(table.kind)
        found.record("table", desk.tables.view(np.ndarray)[REAL])
        found.record("own", desk.hiddens.view(np.ndarray)[REAL]["own"][seat])
        if kind not in found.decisions:
            codes = desk.lists.view(np.ndarray)[0, : int(desk.totals[OFFERED])]
            found.decisions[kind] = [
                (int(c), words.option(box, table, hidden.own[seat], int(c))) for c in codes
            ]


def fields(name: str, played: Seen) -> list[dict[str, Any]]:
    """Each field that a strategy may read."""
    game = contract.load_game(name)
    told, printed = [], map_fields_to_parameters(create_variant(name))
    for record, dtype in (("box", game.box), ("table", game.table), ("own", game.own)):
        notes = _notes(name, dtype)
        for key, inner, shape in _flat(dtype):
            part, note = notes.get(key, ("", ""))
            numbers = together(printed.get(key, ())) if record == "box" else []
            told.append(
                {
                    "record": record,
                    "field": key,
                    "type": str(inner),
                    "shape": list(shape),
                    "part": part,
                    "note": note,
                    "set_by": {line.path: line.note for line in numbers},
                    "seen": list(played.ranges.get((record, key), ())),
                }
            )
    return told


def _notes(name: str, dtype: np.dtype) -> dict[str, tuple[str, str]]:
    """The comments at the fields of a record, and of the records in it: those that head their parts, and their own."""
    package = discovery.find_rules_module(name)
    apart = f"{package}.records"
    module = importlib.import_module(apart if importlib.util.find_spec(apart) else package)
    named = [
        (module, variable)
        for variable, value in vars(module).items()
        if isinstance(value, np.dtype) and value == dtype
    ]
    found: dict[str, tuple[str, str]] = {}
    for where, variable in [(contract, "TABLE_HEAD"), *named]:
        for key, part, note in _commented(inspect.getsource(where), variable, dtype.names or ()):
            had = found.get(key, ("", ""))
            found[key] = (had[0] or part, had[1] or note)
    for key in dtype.names or ():
        inner = (dtype[key].subdtype or (dtype[key],))[0]
        found.update(
            {f"{key}.{below}": said for below, said in _notes(name, inner).items()}
            if inner.names
            else {}
        )
    return found


def _commented(source: str, variable: str, names: Container[str]) -> Iterator[tuple[str, str, str]]:
    """The fields in the statement that assigns a variable, with the comments that they stand under and beside.

    A comment may say something of several by their names: `hp: hearts left; at: the tile`.
    """
    inside, part = False, ""
    line: list[str] = []
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.start[1] == 0 and token.type == tokenize.NAME:
            inside, part, line = token.string == variable, "", []
        if not inside:
            continue
        if token.type == tokenize.STRING:
            line += [word for word in token.string.strip("\"'").split() if word in names]
        beside = token.string.lstrip("# ") if token.type == tokenize.COMMENT else ""
        said = _by_name(beside, names)
        if said:
            yield from ((key, part, note) for key, note in said.items())
        elif beside and not token.line.lstrip().startswith("#"):
            yield from (
                (key, part, beside) for key in line[-1:]
            )  # what stands last is what it says something of
            yield from ((key, part, "") for key in line[:-1])
            line = []
        elif beside:
            part = beside
        if token.type in (tokenize.NL, tokenize.NEWLINE):
            yield from ((key, part, "") for key in line)
            line = []


def _by_name(comment: str, names: Container[str]) -> dict[str, str]:
    """What a comment says of fields that it names; nothing where it names none."""
    parts = [part.partition(": ") for part in comment.split("; ")]
    return (
        {key: note for key, _, note in parts if note}
        if all(key in names for key, _, _ in parts)
        else {}
    )


def options(name: str, played: Seen) -> list[dict[str, Any]]:
    """Each kind of decision with its number, and the options of the first that was met, with their codes."""
    offered = {
        i: [{"code": code, **words} for code, words in found]
        for i, found in played.decisions.items()
    }
    return [
        {"kind": i, "name": kind, "options": offered.get(i, [])}
        for i, kind in enumerate(contract.load_game(name).kinds)
    ]


def asked_for(name: str, asked: Container[str]) -> dict[str, Any]:
    """Of weights, fields and options, what is asked for."""
    found: dict[str, Any] = {}
    if "weights" in asked:
        found["weights"] = {who: registry.get_weights(name, who) for who in registry.list_strategies(name)}
    if "fields" in asked or "options" in asked:
        with show_progress(f"{name}: {LOOKED_AT}"):
            played = seen(name)
        found.update(
            {
                key: make(name, played)
                for key, make in (("fields", fields), ("options", options))
                if key in asked
            }
        )
    return found


def show(found: dict[str, Any]) -> None:
    for key, print_them in (
        ("weights", _show_weights),
        ("fields", _show_fields),
        ("options", _show_options),
    ):
        if key in found:
            print_them(found[key])


def _show_weights(weights: dict[str, dict[str, float]]) -> None:
    for name, found in weights.items():
        each = ", ".join(f"{key} {value:g}" for key, value in found.items())
        out.print(Text(f"{name}: {each or 'none'}"), soft_wrap=True)


def _show_fields(each: list[dict[str, Any]]) -> None:
    table = Table(header_style="bold")
    for column in ("field", "type", "seen", "meaning"):
        table.add_column(column, overflow="fold", no_wrap=column == "seen")
    for x in each:
        size = "".join(f"[{n}]" for n in x["shape"])
        span = " .. ".join(f"{v:g}" for v in dict.fromkeys(x["seen"]))
        table.add_row(Text(f"{x['record']}.{x['field']}{size}"), x["type"], span, Text(_meaning(x)))
    out.print(table)
    out.print(
        f"[dim]seen: the least and the most at the decisions of {LOOKED_AT}; meaning: what the "
        "records' source says of a part and of a field, and the numbers of the box that it holds[/dim]"
    )


def _meaning(x: dict[str, Any]) -> str:
    """What the records' source says of a field, or else the numbers of the box that it holds."""
    numbers = [": ".join(filter(None, said)) for said in x["set_by"].items()]
    more = len(numbers) - MOST_NUMBERS
    listed = "; ".join(numbers[:MOST_NUMBERS]) + (f"; and {more} more" if more > 0 else "")
    own = ": ".join(filter(None, (x["part"], x["note"]))) if x["note"] or not listed else ""
    return "; ".join(filter(None, (own, listed)))


def _show_options(kinds: list[dict[str, Any]]) -> None:
    for kind in kinds:
        out.print(Text(f"table.kind {kind['kind']}: {kind['name']}"), style="bold")
        for x in kind["options"][:MOST_OPTIONS]:
            out.print(Text(f"  {x['code']:>12}  {_option_text(x)}"), soft_wrap=True)
        more = len(kind["options"]) - MOST_OPTIONS
        if more > 0:
            out.print(f"  [dim]and {more} more[/dim]")
        elif not kind["options"]:
            out.print(f"  [dim]not met in {LOOKED_AT}[/dim]")
    met = max(kinds, key=lambda kind: len(kind["options"]))
    last = met["options"][-1]
    out.print("\na strategy that takes one of them when it is offered:\n")
    out.print(
        Text(
            EXAMPLE.format(
                kind=met["kind"], name=met["name"], code=last["code"], words=_option_text(last)
            )
        ),
        soft_wrap=True,
    )


def _option_text(option: dict[str, Any]) -> str:
    return ", ".join(
        f"{key.replace('_', ' ')} {value}" for key, value in option.items() if key != "code"
    )
