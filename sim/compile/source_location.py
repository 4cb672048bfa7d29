"""Where a mistake stands: its file and line, from what Python or the compiler left behind."""

from __future__ import annotations

import ast
import contextlib
import dis
import re
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import numba
import numpy as np

from hardmode.sim.files.paths import short_path

Place = tuple[Path, int]

_SIM = Path(__file__).resolve().parents[1]
_LIBRARIES = [Path(str(module.__file__)).resolve().parent for module in (numba, np)]
_PYTHON = Path(contextlib.__file__).resolve().parent
_IN_TEXT = re.compile(r'File "([^"\n]+)", line (\d+)|\bat (\S[^\n]*?) \((\d+)\)')


def text(place: Place) -> str:
    return f"{short_path(place[0])}:{place[1]}"


def bare(function: Callable) -> Any:
    """The plain function, whether it is compiled or not."""
    return getattr(function, "py_func", function)


def start(function: Callable) -> Place:
    code = bare(function).__code__
    return Path(code.co_filename), code.co_firstlineno


def foreign(file: str | Path) -> bool:
    """Whether a file is no game's and no strategy's, but of a library or of what plays them."""
    path = Path(file).resolve()
    pythons = path.is_relative_to(_PYTHON) and "site-packages" not in path.parts
    return (
        pythons
        or (path.is_relative_to(_SIM) and not path.is_relative_to(_SIM / "games"))
        or any(path.is_relative_to(folder) for folder in _LIBRARIES)
        or not path.is_file()
    )


# -- what the compiler left -------------------------------------------------------------------------


def compiling(why: BaseException) -> Place | None:
    """The innermost place that the compiler was at. Where it failed in a helper, only the text tells of it."""
    places = list(_in_text(str(why))) or list(_in_frames(why))[::-1]
    at = getattr(why, "loc", None)
    if at and at.line:
        places.append((Path(at.filename).resolve(), at.line))
    return next((place for place in places if not foreign(place[0])), None)


def _in_text(text: str) -> Iterator[Place]:
    for file, line, other, at in _IN_TEXT.findall(text):
        yield Path(file or other).resolve(), int(line or at)


def _in_frames(why: BaseException) -> Iterator[Place]:
    """The statements that the compiler's own functions were looking at, innermost last."""
    for frame, _ in traceback.walk_tb(why.__traceback__):
        held = dict(frame.f_locals)
        at: Any = getattr(held.get("self"), "loc", None) or getattr(held.get("inst"), "loc", None)
        if getattr(at, "line", None):
            yield Path(at.filename).resolve(), at.line


def asked(why: BaseException) -> Any:
    """The compiler's type of the record that was asked for a field it has not."""
    types = [
        frame.f_locals.get("self")
        for frame, _ in traceback.walk_tb(why.__traceback__)
        if frame.f_code.co_name == "typeof"
    ]
    return types[-1] if types else None


# -- what stands in the functions themselves --------------------------------------------------------


def reached(function: Callable) -> list[Any]:
    """A function and all that it calls of games and strategies, nearest first."""
    found: list[Any] = [bare(function)]
    for one in found:
        for name in one.__code__.co_names:
            called = bare(one.__globals__.get(name))
            if (
                isinstance(getattr(called, "__code__", None), CodeType)
                and called not in found
                and not foreign(called.__code__.co_filename)
            ):
                found.append(called)
    return found


def uses(function: Callable, name: str) -> Place | None:
    """The first place, in a function or in what it calls, where a name that is nowhere defined is used."""
    for one in reached(function):
        for step in dis.get_instructions(one):
            if (
                step.argval == name
                and step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
                and name not in one.__globals__
            ):
                return Path(one.__code__.co_filename), _line(one.__code__, step.offset)
    return None


def names(function: Callable) -> list[str]:
    """What could be meant where a function, or what it calls, names something that is not there."""
    functions = reached(function)
    return sorted(
        {name for one in functions for name in (*one.__globals__, *one.__code__.co_varnames)}
    )


def _line(code: CodeType, offset: int) -> int:
    return next(
        (line for begin, end, line in code.co_lines() if begin <= offset < end and line),
        code.co_firstlineno,
    )


def keyword(file: Path, call: str, name: str) -> int:
    """The line on which a call is given an argument by name, or of the call."""
    with contextlib.suppress(OSError, SyntaxError, ValueError):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == call:
                return next((k.value.lineno for k in node.keywords if k.arg == name), node.lineno)
    return 1


# -- what Python left -------------------------------------------------------------------------------


def playing(why: BaseException) -> Place | None:
    """The innermost line of a game or a strategy that an exception passed through."""
    frames = [f for f in traceback.extract_tb(why.__traceback__) if not foreign(f.filename)]
    return (Path(frames[-1].filename), frames[-1].lineno or 1) if frames else None


def spoken(why: BaseException) -> str:
    """An exception in a few words, the same from numpy's numbers as from Python's."""
    if isinstance(why, FloatingPointError):
        return "ZeroDivisionError: division by zero"
    return f"{type(why).__name__}: {why.msg if isinstance(why, SyntaxError) else why}"


def reading(why: BaseException, file: Path, line: int = 1) -> Place:
    """The line of a file, or of what it imports, that could not be read; the one given where there is none."""
    if isinstance(why, SyntaxError) and why.filename:
        return Path(why.filename), why.lineno or 1
    return playing(why) or (file, line)
