"""Places in source files, found from exceptions, from the compiler's errors and from functions."""

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

from hardmode.sim.files.paths import shorten_path

CodeLocation = tuple[Path, int]  # a file and its line

_SIM = Path(__file__).resolve().parents[1]
_LIBRARIES = [Path(str(module.__file__)).resolve().parent for module in (numba, np)]
_PYTHON = Path(contextlib.__file__).resolve().parent
_LOCATION_IN_TEXT = re.compile(r'File "([^"\n]+)", line (\d+)|\bat (\S[^\n]*?) \((\d+)\)')


def format_location(location: CodeLocation) -> str:
    """Return a location as text: `path:line`."""
    return f"{shorten_path(location[0])}:{location[1]}"


def get_py_func(function: Callable) -> Any:
    """Return the plain Python function of a dispatcher of numba; other objects unchanged."""
    return getattr(function, "py_func", function)


def find_definition(function: Callable) -> CodeLocation:
    """Return where a function begins."""
    code = get_py_func(function).__code__
    return Path(code.co_filename), code.co_firstlineno


def is_third_party(file: str | Path) -> bool:
    """Return whether a file belongs to Python, a library or hardmode, not to a game or strategy."""
    path = Path(file).resolve()
    if not path.is_file():
        return True
    if path.is_relative_to(_PYTHON) and "site-packages" not in path.parts:
        return True
    if path.is_relative_to(_SIM) and not path.is_relative_to(_SIM / "games"):
        return True
    return any(path.is_relative_to(folder) for folder in _LIBRARIES)


# -- errors of the compiler -----------------------------------------------------------------------


def locate_compile_error(error: BaseException) -> CodeLocation | None:
    """Return the innermost place in a game or strategy at which the compiler failed.

    Where it failed in a function that the rule calls, only the error's text says so.
    """
    locations = list(_find_in_text(str(error))) or list(_find_in_frames(error))[::-1]
    loc = getattr(error, "loc", None)
    if loc and loc.line:
        locations.append((Path(loc.filename).resolve(), loc.line))
    for location in locations:
        if not is_third_party(location[0]):
            return location
    return None


def find_record_type(error: BaseException) -> Any:
    """Return numba's type of the record that lacks a field, or None, given the `KeyError`."""
    record_type = None
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_name == "typeof":
            record_type = frame.f_locals.get("self")
    return record_type


def _find_in_text(text: str) -> Iterator[CodeLocation]:
    for file, line, other_file, other_line in _LOCATION_IN_TEXT.findall(text):
        yield Path(file or other_file).resolve(), int(line or other_line)


def _find_in_frames(error: BaseException) -> Iterator[CodeLocation]:
    """Yield the statements that functions of the compiler were processing, outermost first."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        variables = dict(frame.f_locals)
        for name in ("self", "inst"):
            loc: Any = getattr(variables.get(name), "loc", None)
            if loc:
                if getattr(loc, "line", None):
                    yield Path(loc.filename).resolve(), loc.line
                break


# -- functions ------------------------------------------------------------------------------------


def list_reachable_functions(function: Callable) -> list[Any]:
    """Return a function and all that it calls in games and strategies, nearest first."""
    functions: list[Any] = [get_py_func(function)]
    for caller in functions:  # grows while it is iterated
        for name in caller.__code__.co_names:
            called = get_py_func(caller.__globals__.get(name))
            code = getattr(called, "__code__", None)
            if not isinstance(code, CodeType) or called in functions:
                continue
            if not is_third_party(code.co_filename):
                functions.append(called)
    return functions


def find_undefined_use(function: Callable, name: str) -> CodeLocation | None:
    """Return the first use of a global name that is not defined, in a function or its callees."""
    for caller in list_reachable_functions(function):
        if name in caller.__globals__:
            continue
        for step in dis.get_instructions(caller):
            if step.argval == name and step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                return Path(caller.__code__.co_filename), _find_line(caller.__code__, step.offset)
    return None


def list_visible_names(function: Callable) -> list[str]:
    """Return the names that may be meant by an undefined one in a function or its callees."""
    names: set[str] = set()
    for caller in list_reachable_functions(function):
        names.update(caller.__globals__, caller.__code__.co_varnames)
    return sorted(names)


def find_keyword_line(file: Path, call: str, keyword: str) -> int:
    """Return the line of a keyword argument in the first call of a name; else of the call, or 1."""
    with contextlib.suppress(OSError, SyntaxError, ValueError):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == call:
                lines = [k.value.lineno for k in node.keywords if k.arg == keyword]
                return lines[0] if lines else node.lineno
    return 1


def _find_line(code: CodeType, offset: int) -> int:
    for start, stop, line in code.co_lines():
        if start <= offset < stop and line:
            return line
    return code.co_firstlineno


# -- errors of Python -----------------------------------------------------------------------------


def find_game_frame(error: BaseException) -> CodeLocation | None:
    """Return the innermost line of a game or strategy that an exception passed through."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not is_third_party(frame.filename):
            return Path(frame.filename), frame.lineno or 1
    return None


def describe_exception(error: BaseException) -> str:
    """Return an exception's type and message, the same for numpy's numbers as for Python's."""
    if isinstance(error, FloatingPointError):
        return "ZeroDivisionError: division by zero"
    message = error.msg if isinstance(error, SyntaxError) else error
    return f"{type(error).__name__}: {message}"


def locate_import_error(error: BaseException, file: Path, line: int = 1) -> CodeLocation:
    """Return the line at which a module, or one that it imports, could not be imported.

    Args:
        error: What the import raised.
        file: The module, returned with `line` if the error names no place.
        line: See `file`.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return Path(error.filename), error.lineno or 1
    return find_game_frame(error) or (file, line)
