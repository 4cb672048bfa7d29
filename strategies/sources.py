"""The source of users' files and of the functions in them, and what no such file may import."""

from __future__ import annotations

import ast
from pathlib import Path
from types import CodeType
from typing import Any

from hardmode.sim.compile import source_location
from hardmode.sim.play.engine import StrategyError

COMPILERS = (
    "numba.extending",
    "numba.core",
    "llvmlite",
)  # through which the rules might be compiled to something else

_trees: dict[tuple[Path, int], ast.Module] = {}


def tree(file: Path) -> ast.Module:
    key = file, file.stat().st_mtime_ns
    if key not in _trees:
        _trees[key] = ast.parse(file.read_bytes())
    return _trees[key]


def source(code: CodeType) -> Any:
    """The function's own piece of source; nothing where there is none."""
    try:
        whole = tree(Path(code.co_filename).resolve())
    except (OSError, SyntaxError, ValueError):
        return None
    for node in ast.walk(whole):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)) and code.co_name in (
            getattr(node, "name", ""),
            "<lambda>",
        ):
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            if first == code.co_firstlineno:
                return node
    return None


def examine_imports(file: Path) -> None:
    """Refuse a file that changes how numba compiles, before it is run."""
    for node in ast.walk(tree(file.resolve())):
        if not isinstance(node, (ast.Import, ast.ImportFrom, ast.Attribute)):
            continue
        names = (
            [a.name for a in node.names]
            if isinstance(node, ast.Import)
            else [f"{node.module}.{a.name}" for a in node.names]
            if isinstance(node, ast.ImportFrom)
            else [ast.unparse(node)]
        )
        used = next((name for name in names if name.startswith(COMPILERS)), "")
        if used:
            at = source_location.text((file, node.lineno))
            raise StrategyError(
                f"{at}: {file.name} uses {used}, by which the rules, too, might be compiled to "
                "something else"
            )
