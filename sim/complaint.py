"""Why a strategy does not compile, said to its author: the file, the line, the cause and a way out."""

from __future__ import annotations

import ast
import contextlib
import difflib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hardmode.sim.contract import Game
from hardmode.sim.draws import LUCK
from hardmode.sim.paths import short_path

NO_INDEX = "it must return a whole number, the index of one of the options"
KINDS = {"none": "nothing", "float64": "a fraction", "unicode_type": "a text", "Literal[str]": "a text"}


def complaint(why: Exception, choose: Callable, where: str, game: Game) -> str:
    """One line for an exception that the compiler raised."""
    field = str(why.args[0]) if isinstance(why, KeyError) and why.args else ""
    said = _no_field(field, game) if field else _cause(str(why))
    place = _field_place(choose, field) if field else _place(why)
    return f"{place or where}: strategy {choose.__name__!r} does not compile: {said}"


def _no_field(field: str, game: Game) -> str:
    """numba says no more than the name."""
    records = {"box": game.box, "table": game.table, "own": game.own, "luck": LUCK}
    names = {n: r for r, dtype in records.items() for n in _fields(dtype)}
    near = difflib.get_close_matches(field, names, 3)
    hint = f"; did you mean {' or '.join(f'{names[n]}.{n}' for n in near)}?" if near else ""
    return f"neither box, table, own nor luck has a field {field!r}{hint}"


def _fields(dtype: np.dtype) -> list[str]:
    found: list[str] = []
    for name in dtype.names or ():
        found += [name, *_fields(dtype[name].base)]
    return found


def _field_place(choose: Callable, field: str) -> str:
    """The first place in the strategy's file that asks for a field."""
    file = Path(choose.__code__.co_filename)
    with contextlib.suppress(OSError, SyntaxError, ValueError):
        lines = [n.lineno for n in ast.walk(ast.parse(file.read_text()))
                 if isinstance(n, ast.Attribute) and n.attr == field]
        if lines:
            return f"{short_path(file)}:{min(lines)}"
    return ""


def _place(why: Any) -> str:
    at = getattr(why, "loc", None)
    return f"{short_path(Path(at.filename))}:{at.line}" if at and at.line else ""


def _cause(text: str) -> str:
    returned = re.search(r"No conversion from (.+?) to int64 for '\$\w*return_value", text)
    if returned:
        kind = returned[1].split("(")[0]
        return f"a return gives {KINDS.get(kind, returned[1])}; {NO_INDEX}"
    plain = re.search(r"Untyped global name '(\w+)'.*<class 'function'>", text)
    if plain:
        return (f"{plain[1]} is plain Python; mark it with @rule (from hardmode.sim.records import rule), "
                "so that compiled code can call it")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [line for line in lines if not line.startswith(("Failed in nopython", "File ", "During:", "There are"))]
    return " ".join(told[:3])[:400]
