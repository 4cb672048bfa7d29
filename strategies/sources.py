"""Sources of users' files and of their functions, and the imports that are not allowed there."""

from __future__ import annotations

import ast
from pathlib import Path
from types import CodeType
from typing import Any

from hardmode.sim.compile.source_location import format_location
from hardmode.sim.files.file_cache import FileCache
from hardmode.sim.play.player import StrategyError

# Modules through which the rules of a game could be compiled to something else.
COMPILERS = ("numba.extending", "numba.core", "llvmlite")

_TREES = FileCache(lambda file: ast.parse(file.read_bytes()))


def parse_source(file: Path) -> ast.Module:
    """Return the syntax tree of a Python file, which is parsed again only if it has changed.

    Raises:
        SyntaxError: It is no Python.
    """
    return _TREES.get(file)


def find_function_source(code: CodeType) -> Any:
    """Return the syntax tree of a function, or None if its source cannot be found."""
    try:
        tree = parse_source(Path(code.co_filename).resolve())
    except (OSError, SyntaxError, ValueError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda) and code.co_name == "<lambda>":
            first_line = node.lineno
        elif isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first_line = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        else:
            continue
        if first_line == code.co_firstlineno:
            return node
    return None


def check_imports(file: Path) -> None:
    """Refuse a file that changes how numba compiles, before it runs.

    Raises:
        StrategyError: The file uses such a module.
    """
    for node in ast.walk(parse_source(file.resolve())):
        for name in _list_used_modules(node):
            if name.startswith(COMPILERS):
                location = format_location((file, getattr(node, "lineno", 1)))
                raise StrategyError(
                    f"{location}: {file.name} uses {name}, by which the rules, too, might be "
                    "compiled to something else"
                )


def _list_used_modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return [ast.unparse(node)] if isinstance(node, ast.Attribute) else []
