"""What a user's strategy may name and call, and what it may not, said at the line that does."""

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

from hardmode.sim.compile import source_location
from hardmode.sim.play.engine import StrategyError
from hardmode.sim.records import is_ours
from hardmode.strategies import abstract_values
from hardmode.strategies.abstract_values import Several, Shown, Thing

CHANCE = (
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
CHANCES = (
    *(
        f"{m}.{name}"
        for m in ("os", "posix")
        for name in ("urandom", "getrandom", "getpid", "getppid", "times", "getloadavg")
    ),
    "builtins.input",
    "builtins.id",
    "builtins.hash",
    "numba.np.ufunc.parallel.get_thread_id",
    "numba.np.ufunc.parallel.get_num_threads",
)
ADDRESSES = ("ctypes", "__array_interface__")  # where something lies in memory
BLANK = ("empty", "empty_like", "ndarray")  # what lay there before
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
UNSEEN = (
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
)  # through which anything could be done
WRITERS = {
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
WRITING = {
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
LUCID = (
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
NUMBERS = ("shape", "size", "ndim", "itemsize", "nbytes", "strides", "dtype")


@dataclass
class Scope:
    """A function being walked: where its names are looked up, and what it has returned so far."""

    file: Path
    shipped: bool
    names: Mapping[str, Any]
    returned: list[Any] = field(default_factory=list)
    line: int = 0


class Allowed:
    """Judges what a walk through a strategy comes upon: what is written to, and what Python objects are named."""

    def __init__(self, who: str, home: str, building: bool = False) -> None:
        self.who, self.home, self.building = who, home, building
        self.scopes: list[Scope] = []

    def refuse(self, said: str) -> StrategyError:
        mine = next((s for s in reversed(self.scopes) if not s.shipped), self.scopes[0])
        via = (
            ""
            if self.scopes[-1] is mine
            else f" (in what it calls, {source_location.text(self._at(self.scopes[-1]))})"
        )
        who = self.who if self.building else f"strategy {self.who!r}"
        return StrategyError(f"{source_location.text(self._at(mine))}: {who} {said}{via}")

    @staticmethod
    def _at(scope: Scope) -> source_location.Place:
        return scope.file, scope.line

    def written(self, target: Any) -> None:
        for one in abstract_values.parts(target):
            by_draws = (
                isinstance(one, Shown)
                and one.name.partition(".")[0] == "luck"
                and self.scopes[-1].shipped
            )
            if isinstance(one, Shown) and not by_draws and not self.building:
                raise self.refuse(
                    f"writes to {one.name}, which it may only read; what it works out for itself belongs "
                    "in numbers and arrays that it makes"
                )

    # -- what names stand for -------------------------------------------------------------------------

    def thing(self, name: str, it: Any) -> Any:
        """What is known of a Python object; refused where it is chance, or cannot be looked into."""
        if isinstance(it, np.ndarray):
            return abstract_values.part_shown(name, it.dtype, it.ndim)
        if isinstance(it, (list, dict, set, bytearray)):
            return Shown(name)
        if isinstance(it, tuple):
            return Several(tuple(self.thing(f"{name}[{i}]", one) for i, one in enumerate(it)), True)
        home = abstract_values.home(it)
        full = f"{home}.{getattr(it, '__name__', '')}"
        if home in CHANCE or full in CHANCES or any(home.startswith(f"{m}.") for m in CHANCE):
            raise self.refuse(
                f"uses {name}, which no seed repeats; all chance of a strategy comes from luck, as in "
                "below(luck, 0, table.round, table.seat, 0, n) of hardmode.sim.draws"
            )
        if it is print and not self.building:
            raise self.refuse(
                "prints, which would stand in the middle of the answer; hardmode replay shows what it "
                "does in a game"
            )
        if not self.building:
            self._lucid(name, it, home, full)
        return Thing(it)

    def _lucid(self, name: str, it: Any, home: str, full: str) -> None:
        root = home.partition(".")[0]
        known = root in LIBRARIES and root != "numba"  # which has objects that run plain Python
        if not (known or isinstance(it, LUCID)) or (
            root in LIBRARIES and full.rpartition(".")[2] in UNSEEN
        ):
            raise self.refuse(
                f"uses {name}, through which anything could be done; a strategy may use what it is "
                "given, numbers, numpy, math and functions of these"
            )
        if (
            isinstance(it, CPUDispatcher)
            and not self.shipped(it)
            and not it.targetoptions.get("boundscheck")
        ):
            raise self.refuse(
                f"uses {name}, whose indices are not checked; mark it with @rule of hardmode.sim.records "
                "instead of numba's own decorator"
            )

    def shipped(self, function: Any) -> bool:
        bare = source_location.bare(function)
        return is_ours(bare) or bare.__module__.partition(".")[0] in (self.home, *LIBRARIES)

    def name(self, name: str, names: dict[str, Any], scope: Scope) -> Any:
        if name in names:
            return names[name]
        return self.thing(name, scope.names[name]) if name in scope.names else None

    def through(self, value: Any) -> Any:
        """What is gone through item by item; refused where no other run need do so in this order."""
        if any(
            isinstance(one, Several) and one.loose for one in (value, *getattr(value, "parts", ()))
        ):
            raise self.refuse(
                "goes through a set, whose order another run need not repeat; sort it, or use a tuple"
            )
        return value

    def library(self, f: Any, given: list[Any], named: dict[str, Any]) -> Any:
        name, first = getattr(f, "__name__", ""), given[0] if given else None
        if name in BLANK and not (self.building or self.scopes[-1].shipped):
            raise self.refuse(
                f"makes an array by {name}, which holds whatever lay there before; use np.zeros"
            )
        if name in ("set", "frozenset"):
            return Several(tuple(given), True, True)
        if name in (
            "list",
            "tuple",
            "enumerate",
            "zip",
            "reversed",
            "iter",
            "next",
            "array",
            "asarray",
        ):
            given = [self.through(one) for one in given]
        if name in WRITERS:
            self.written(first)
        self.written(named.get("out"))
        if isinstance(f, np.ufunc):
            for one in given[f.nin :]:
                self.written(one)
        if name in ("enumerate", "zip", "reversed", "iter"):
            items = tuple(abstract_values.item(one) for one in given)
            return Several((Several((None, *items) if name == "enumerate" else items, True),), True)
        if name in ("nditer", "broadcast_arrays"):
            return Several(tuple(given), True)
        if name in ("getattr", "tuple", "list", "max", "min", "next"):
            return first if name != "getattr" else Several(tuple(abstract_values.fields(first)))
        return (
            Several(tuple(p for p in given if isinstance(p, (Shown, Several))))
            if name in VIEWING
            else None
        )
