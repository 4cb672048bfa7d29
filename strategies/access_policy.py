"""Access policy of users' strategies: what they may name, call and write to.

Refusals name the line of the strategy that breaks a rule.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core.registry import CPUDispatcher
from numba.core.types import Type

from hardmode.sim.compile.source_location import format_location, get_py_func
from hardmode.sim.play.player import StrategyError
from hardmode.sim.records import is_builtin_code
from hardmode.strategies.abstract_values import (
    PyObject,
    ReadOnly,
    Union,
    create_read_only,
    get_item,
    get_module_name,
    iterate_alternatives,
    iterate_fields,
)

# Modules and functions whose results differ between runs.
RANDOM_MODULES = (
    "random",
    "secrets",
    "time",
    "uuid",
    "datetime",
    "numpy.random",
    "tempfile",
    "threading",
    "_thread",
)
RANDOM_OS_FUNCTIONS = ("urandom", "getrandom", "getpid", "getppid", "times", "getloadavg")
RANDOM_FUNCTIONS = (
    *(f"os.{name}" for name in RANDOM_OS_FUNCTIONS),
    *(f"posix.{name}" for name in RANDOM_OS_FUNCTIONS),
    "builtins.input",
    "builtins.id",
    "builtins.hash",
    "numba.np.ufunc.parallel.get_thread_id",
    "numba.np.ufunc.parallel.get_num_threads",
)
ADDRESSES = ("ctypes", "__array_interface__")  # attributes that tell where something lies in memory
UNCHECKED_INDEXING = ("flat",)  # attributes whose items may lie outside of the array
UNINITIALIZED = ("empty", "empty_like", "ndarray")  # functions that return uninitialized memory
LIBRARIES = (
    "numpy",
    "numba",
    "math",
    "builtins",
    "operator",
    "_operator",
    "enum",
    "typing",
    "__future__",
)
# Functions of libraries through which code could run that cannot be checked.
UNCHECKABLE = (
    "as_strided",
    "carray",
    "farray",
    "cfunc",
    "intrinsic",
    "generated_jit",
    "eval",
    "exec",
    "__import__",
    "globals",
    "vars",
    "open",
    "compile",
)
# Functions that write to their first argument; in-place operators begin with i: iadd, imul, ...
WRITING_FUNCTIONS = {
    "copyto",
    "put",
    "place",
    "putmask",
    "put_along_axis",
    "fill_diagonal",
    "setattr",
    "delattr",
    "setitem",
    "delitem",
    "at",
    *(name for name in dir(operator) if name[0] == "i" and name[1:] in dir(operator)),
}
WRITING_METHODS = {
    "sort",
    "fill",
    "put",
    "partition",
    "itemset",
    "resize",
    "setfield",
    "setflags",
    "append",
    "extend",
    "insert",
    "pop",
    "remove",
    "clear",
    "update",
    "add",
    "discard",
    "reverse",
    "setdefault",
    "popitem",
    "byteswap",
}
# Functions and attributes whose results share memory with their argument.
VIEWING = {
    "reshape",
    "ravel",
    "view",
    "transpose",
    "swapaxes",
    "squeeze",
    "diagonal",
    "asarray",
    "ascontiguousarray",
    "asfortranarray",
    "expand_dims",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "flip",
    "flipud",
    "fliplr",
    "split",
    "array_split",
    "broadcast_to",
    "T",
    "flat",
    "real",
    "imag",
    "values",
    "items",
    "get",
    "getitem",
}
ITERATING_FUNCTIONS = (
    "list",
    "tuple",
    "enumerate",
    "zip",
    "reversed",
    "iter",
    "next",
    "array",
    "asarray",
)
# Types of objects that the check understands.
CHECKABLE_TYPES = (
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    ModuleType,
    FunctionType,
    type,
    CPUDispatcher,
    Type,
    np.generic,
    np.dtype,
)
# Attributes of arrays that are numbers or types, and no views.
PLAIN_ATTRIBUTES = ("shape", "size", "ndim", "itemsize", "nbytes", "strides", "dtype")


@dataclass
class Scope:
    """A function that is being walked through.

    Attributes:
        file: Its file.
        is_trusted: True for code of hardmode, of the game and of libraries.
        globals: The values of global names and built-ins.
        returned: The abstract values that it has returned so far.
        line: The current line.
    """

    file: Path
    is_trusted: bool
    globals: Mapping[str, Any]
    returned: list[Any] = field(default_factory=list)
    line: int = 0


class AccessPolicy:
    """Rules on what a strategy, or the top level of its file, may name, call and write to.

    Args:
        name: The name of the strategy or of the file, for messages.
        game_package: The package of the game, whose code is trusted.
        is_module: True if the top level of a file is checked: it may write to what it makes.
    """

    def __init__(self, name: str, game_package: str, is_module: bool = False) -> None:
        self.name, self.game_package, self.is_module = name, game_package, is_module
        self.scopes: list[Scope] = []

    @property
    def scope(self) -> Scope:
        """The function that is being walked through."""
        return self.scopes[-1]

    def make_error(self, problem: str) -> StrategyError:
        """Return an error at the innermost line of the user's own code.

        Args:
            problem: What the strategy does, as in "writes to table.hand".
        """
        current = self.scope
        own = next((s for s in reversed(self.scopes) if not s.is_trusted), self.scopes[0])
        via = ""
        if current is not own:
            via = f" (in what it calls, {format_location((current.file, current.line))})"
        who = self.name if self.is_module else f"strategy {self.name!r}"
        return StrategyError(f"{format_location((own.file, own.line))}: {who} {problem}{via}")

    def check_write(self, target: Any) -> None:
        """Refuse a write to what may only be read.

        Code of hardmode may write to `luck`: it counts draws there.
        """
        for value in iterate_alternatives(target):
            if not isinstance(value, ReadOnly) or self.is_module:
                continue
            is_luck = value.name.partition(".")[0] == "luck"
            if not (is_luck and self.scope.is_trusted):
                raise self.make_error(
                    f"writes to {value.name}, which it may only read; what it works out for "
                    "itself belongs in numbers and arrays that it makes"
                )

    def get_abstract_value(self, name: str, value: Any) -> Any:
        """Return the abstract value of a Python object.

        Args:
            name: The name under which the strategy uses it.
            value: The object.

        Raises:
            StrategyError: It gives other results in other runs, or cannot be checked.
        """
        if isinstance(value, np.ndarray):
            return create_read_only(name, value.dtype, value.ndim)
        if isinstance(value, (list, dict, set, bytearray)):
            return ReadOnly(name)
        if isinstance(value, tuple):
            items = enumerate(value)
            return Union(tuple(self.get_abstract_value(f"{name}[{i}]", v) for i, v in items), True)
        module = get_module_name(value)
        full_name = f"{module}.{getattr(value, '__name__', '')}"
        is_random_module = f"{module}.".startswith(tuple(f"{one}." for one in RANDOM_MODULES))
        if is_random_module or full_name in RANDOM_FUNCTIONS:
            raise self.make_error(
                f"uses {name}, which no seed repeats; all chance of a strategy comes from luck, as "
                "in below(luck, 0, table.round, table.seat, 0, n) of hardmode.sim.draws"
            )
        if not self.is_module:
            if value is print:
                raise self.make_error(
                    "prints, which would stand in the middle of the answer; hardmode replay shows "
                    "what it does in a game"
                )
            self._check_object(name, value, module, full_name)
        return PyObject(value)

    def _check_object(self, name: str, value: Any, module: str, full_name: str) -> None:
        root = module.partition(".")[0]
        # Some objects of numba run plain Python.
        is_checkable = isinstance(value, CHECKABLE_TYPES) or (root in LIBRARIES and root != "numba")
        is_loophole = root in LIBRARIES and full_name.rpartition(".")[2] in UNCHECKABLE
        if not is_checkable or is_loophole:
            raise self.make_error(
                f"uses {name}, through which anything could be done; a strategy may use what it is "
                "given, numbers, numpy, math and functions of these"
            )
        if isinstance(value, CPUDispatcher) and not self.is_trusted_code(value):
            if not value.targetoptions.get("boundscheck"):
                raise self.make_error(
                    f"uses {name}, whose indices are not checked; mark it with @rule of "
                    "hardmode.sim.records instead of numba's own decorator"
                )

    def is_trusted_code(self, function: Any) -> bool:
        """Return whether a function belongs to hardmode, to the game or to a library."""
        py_func = get_py_func(function)
        package = py_func.__module__.partition(".")[0]
        return is_builtin_code(py_func) or package in (self.game_package, *LIBRARIES)

    def look_up_name(self, name: str, names: dict[str, Any]) -> Any:
        """Return the abstract value of a local or global name, or None."""
        if name in names:
            return names[name]
        if name in self.scope.globals:
            return self.get_abstract_value(name, self.scope.globals[name])
        return None

    def check_iteration(self, value: Any) -> Any:
        """Return a value that is iterated over; refuse sets, whose order differs between runs."""
        for one in (value, *getattr(value, "parts", ())):
            if isinstance(one, Union) and one.is_unordered:
                raise self.make_error(
                    "goes through a set, whose order another run need not repeat; sort it, or use "
                    "a tuple"
                )
        return value

    def call_library(self, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Return the abstract result of a call of a library's function.

        Args:
            function: The function.
            args: The abstract values of its positional arguments.
            kwargs: The abstract values of its keyword arguments.

        Raises:
            StrategyError: It writes to what may only be read, or its result may differ.
        """
        name, first = getattr(function, "__name__", ""), args[0] if args else None
        if name in UNINITIALIZED and not (self.is_module or self.scope.is_trusted):
            raise self.make_error(
                f"makes an array by {name}, which holds whatever lay there before; use np.zeros"
            )
        if name in ("set", "frozenset"):
            return Union(tuple(args), True, True)
        if name in ITERATING_FUNCTIONS:
            args = [self.check_iteration(arg) for arg in args]
        if name in WRITING_FUNCTIONS:
            self.check_write(first)
        self.check_write(kwargs.get("out"))
        if isinstance(function, np.ufunc):
            for output in args[function.nin :]:
                self.check_write(output)
        return _get_library_result(name, args)


def _get_library_result(name: str, args: list[Any]) -> Any:
    """Return the abstract result of a library's function, None for numbers and new arrays."""
    first = args[0] if args else None
    if name == "enumerate":
        return Union((Union((None, *map(get_item, args)), True),), True)
    if name in ("zip", "reversed", "iter"):
        return Union((Union(tuple(map(get_item, args)), True),), True)
    if name in ("nditer", "broadcast_arrays"):
        return Union(tuple(args), True)
    if name == "getattr":
        return Union(tuple(iterate_fields(first)))
    if name in ("tuple", "list", "max", "min", "next"):
        return first
    if name in VIEWING:
        return Union(tuple(arg for arg in args if isinstance(arg, (ReadOnly, Union))))
    return None
