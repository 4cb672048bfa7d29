"""A game's words as one Python script, which MicroPython runs in the page.

The script holds the functions of the words and all that they call, as they are in this process:
constants are written out, enumerations are listed, and functions are taken from their source.
"""

from __future__ import annotations

import ast
import builtins
import enum
import inspect
import json
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from hardmode.reports.page.play.plain_python import PlainPython, UnsupportedSyntaxError
from hardmode.sim import narration
from hardmode.sim.compile.source_location import get_py_func
from hardmode.sim.contract import Game, RulesError
from hardmode.sim.names import read_name

WORDS = ("option", "state", "face", "tell", "picture")
NARRATION = (
    narration.describe_draw,
    narration.describe_steps,
    narration.describe_ending,
    narration.draw_round,
    narration.format_option,
    narration.format_value,
    narration.insert_round,
    narration.find_common_knowledge,
    narration.keep_known_lines,
)
BROWSER = Path(__file__).parent / "browser"
MODULES = {"math"}  # that MicroPython has too
MISSING = object()
PREFIX = "g_"  # of all names of the script, so that no local variable hides one
ENTRY_FIELDS = {"_value_", "_name_", "__objclass__", "_sort_order_"}


class ScriptError(Exception):
    """Raised when words use what a page cannot run; says what."""


def make_script(game: Game) -> str:
    """Return the script that tells a game in the page.

    Raises:
        ScriptError: If the words use what a page cannot run.
    """
    linker = ScriptLinker()
    try:
        words = game.load_words()
        functions = {name: getattr(words, name) for name in WORDS}
        functions |= {function.__name__: function for function in NARRATION}
        names = {name: linker.define(function, name) for name, function in functions.items()}
    except UnsupportedSyntaxError as error:
        raise ScriptError(f"its words use “{error}”") from error
    except RulesError as error:
        raise ScriptError(str(error)) from error
    facts = {
        "unit": game.unit,
        "kinds": game.kinds,
        "endings": game.all_endings,
        "sources": [(source.name, source.address) for source in game.sources],
    }
    named = "\n".join(f"    {name} = {written}" for name, written in names.items())
    parts = [
        (BROWSER / "runtime.py").read_text(),
        linker.join(),
        f"class WORDS:\n{named}",
        f"FACTS = {json.dumps(json.dumps(facts))}",
        (BROWSER / "storyteller.py").read_text(),
    ]
    return "\n".join(parts)


class ScriptLinker:
    """Collects functions and constants under names of their own."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._kept: list[Any] = []  # so that no identity is used twice
        self._taken: set[str] = set()
        self._functions: list[str] = []
        self._constants: list[str] = []
        for value, name in ((read_name, "read_name"), (Counter, "Counter"), (np.int64, "int")):
            self._names[id(value)] = name

    def join(self) -> str:
        """Return all that was collected; constants may refer to functions."""
        return "\n".join([*self._functions, *self._constants])

    def define(self, value: Any, hint: str) -> str:
        """Return the name under which the script has a function, a constant or a class."""
        value = unwrap_function(value)
        if id(value) not in self._names:
            name = self._choose_name(hint)
            self._names[id(value)] = name
            self._kept.append(value)
            self._write(value, name, hint)
        return self._names[id(value)]

    def _choose_name(self, hint: str) -> str:
        number = 1
        name = f"{PREFIX}{hint}"
        while name in self._taken:
            number += 1
            name = f"{PREFIX}{hint}_{number}"
        self._taken.add(name)
        return name

    def _write(self, value: Any, name: str, hint: str) -> None:
        if isinstance(value, FunctionType):
            self._functions.append(self._write_function(value, name))
        elif isinstance(value, enum.EnumMeta):
            members = [describe_member(value[name]) for name in value.__members__]
            self._constants.append(f"{name} = _Enumeration({members!r})")
        elif isinstance(value, ModuleType) and value.__name__ in MODULES:
            self._constants.append(f"import {value.__name__} as {name}")
        else:
            self._constants.append(f"{name} = {self.write_literal(value, hint)}")

    def _write_function(self, function: FunctionType, name: str) -> str:
        tree = parse_function(function)
        variables = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
        resolver = NameResolver(self, variables)
        plain = PlainPython(resolver.resolve).visit(tree)
        plain.name = name
        given = function.__kwdefaults__ or {}
        plain.args.defaults = [self._parse_literal(x, name) for x in function.__defaults__ or ()]
        plain.args.kw_defaults = [
            self._parse_literal(given[arg.arg], name) if arg.arg in given else None
            for arg in plain.args.kwonlyargs
        ]
        return ast.unparse(ast.fix_missing_locations(plain))

    def make_node(self, value: Any, hint: str) -> ast.expr:
        """Return an expression for a value: itself if it is short, otherwise its name."""
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, (int, float, str)):
            return self._parse_literal(value, hint)
        return ast.Name(self.define(value, hint), ast.Load())

    def _parse_literal(self, value: Any, hint: str) -> ast.expr:
        return ast.parse(self.write_literal(value, hint), mode="eval").body

    def write_literal(self, value: Any, hint: str) -> str:
        """Return a constant as source text.

        Raises:
            ScriptError: If it is none.
        """
        if isinstance(value, enum.Enum):
            value = value.value
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if value is None or type(value) in (bool, int, float, str, bytes):
            return repr(value)
        if isinstance(value, re.Pattern):
            return f"_compile_pattern({value.pattern!r})"
        if isinstance(value, Mapping):
            pairs = [
                f"({self.write_literal(key, hint)}, {self.write_literal(item, hint)})"
                for key, item in value.items()
            ]
            return f"_dict([{', '.join(pairs)}])"
        if isinstance(value, (list, tuple, set, frozenset)):
            items = ", ".join(self.write_literal(item, hint) for item in value)
            kind = type(value).__name__ if type(value) in (list, set, frozenset) else "tuple"
            return f"{kind}([{items}])"
        if isinstance(unwrap_function(value), (FunctionType, enum.EnumMeta)):
            return self.define(value, getattr(value, "__name__", hint))
        raise ScriptError(f"its words use {hint}, of type {type(value).__name__}")


class NameResolver:
    """Finds what the names of one function stand for.

    Args:
        linker: Collects what they stand for.
        variables: The values of the function's variables that are not local.
    """

    def __init__(self, linker: ScriptLinker, variables: Mapping[str, Any]) -> None:
        self._linker = linker
        self._variables = variables

    def resolve(self, node: ast.expr) -> ast.expr | None:
        """Return what to write for a name or a chain of attributes; None to leave it."""
        value = self._find(node)
        if value is MISSING:
            return None
        hint = node.attr if isinstance(node, ast.Attribute) else ast.unparse(node)
        if isinstance(value, MethodType):  # of an enumeration
            return self._write_attribute(value.__self__, hint)
        if isinstance(value, ModuleType) and value.__name__ not in MODULES:
            raise ScriptError(f"its words use the module {value.__name__}")
        if inspect.isbuiltin(value) and value.__module__ in MODULES:
            return self._write_attribute(sys.modules[value.__module__], hint)
        if isinstance(value, type) and value.__module__ == builtins.__name__:
            return ast.Name(value.__qualname__, ast.Load())
        return self._linker.make_node(value, hint)

    def _write_attribute(self, owner: Any, attribute: str) -> ast.expr:
        name = self._linker.define(owner, getattr(owner, "__name__", attribute))
        return ast.Attribute(ast.Name(name, ast.Load()), attribute, ast.Load())

    def _find(self, node: ast.expr) -> Any:
        """Return the value of a variable, or of an attribute of a module, enumeration or member."""
        if isinstance(node, ast.Name):
            return self._variables.get(node.id, MISSING)
        if not isinstance(node, ast.Attribute):
            return MISSING
        owner = self._find(node.value)
        if isinstance(owner, (ModuleType, enum.EnumMeta, enum.Enum)):
            return getattr(owner, node.attr, MISSING)
        return MISSING


def unwrap_function(value: Any) -> Any:
    """Return the plain function of a rule or of a cached function; other values as they are."""
    plain = get_py_func(value) if callable(value) and not isinstance(value, type) else value
    return inspect.unwrap(plain) if callable(plain) and not isinstance(plain, type) else plain


def parse_function(function: FunctionType) -> ast.FunctionDef:
    """Return the syntax tree of a function.

    Raises:
        ScriptError: If it has no source, or is a lambda.
    """
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, SyntaxError) as error:
        raise ScriptError(f"{function.__qualname__} has no source: {error}") from error
    if not isinstance(tree, ast.FunctionDef):
        raise ScriptError(f"its words use {function.__qualname__} outside a function")
    return tree


def describe_member(member: Any) -> tuple[str, int, dict[str, Any]]:
    """Return the name, the number and the attributes of a member of an enumeration."""
    attributes = {name: value for name, value in vars(member).items() if name not in ENTRY_FIELDS}
    return member.name, member.value, attributes
