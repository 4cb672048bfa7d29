"""A look at a user's strategy before it plays: it may only read what it is shown, and all its chance comes from luck.

The source of the strategy is walked as it would run, and so is that of every function that it calls, wherever it
stands. What is shown (box, table, own, options, luck, weights, and arrays outside of functions) is followed under
whatever name it goes; numbers taken from it and arrays made inside are the strategy's own. What this look cannot see
is seen while games are played: the kernel watches a user's strategy.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from hardmode.sim.compile import source_location
from hardmode.sim.contract import Game
from hardmode.sim.draws import LUCK
from hardmode.sim.play.engine import StrategyError
from hardmode.strategies import abstract_values
from hardmode.strategies.abstract_values import Method, Several, Shown, Thing
from hardmode.strategies.access_policy import (
    ADDRESSES,
    LIBRARIES,
    NUMBERS,
    VIEWING,
    WRITING,
    Allowed,
    Scope,
)
from hardmode.strategies.sources import source, tree

DEEP = 60


@dataclass(frozen=True, eq=False)
class Inner:
    """A function written inside another."""

    node: Any
    names: dict[str, Any]
    scope: Scope
    usual: dict[str, Any]


def examine(function: Callable, game: Game) -> None:
    """Refuse a user's strategy that writes to what it is shown, or draws otherwise than from luck."""
    own = np.dtype(("i8", ())) if game.own is None else game.own
    handed = (
        abstract_values.part_shown("box", game.box),
        abstract_values.part_shown("table", game.table),
        abstract_values.part_shown("own", own),
        Shown("options", np.dtype("i8"), 1),
        None,
        abstract_values.part_shown("luck", LUCK),
        Shown("weights", np.dtype("f8"), 1),
    )
    home = source_location.bare(game.setup).__module__.partition(".")[0]
    look = Look(source_location.bare(function).__name__, home)
    look.function(source_location.bare(function), [*handed], {})


def examine_file(module: ModuleType, game: Game) -> None:
    """Refuse a user's file whose constants are drawn: a run of it could not be played again."""
    file = Path(str(module.__file__)).resolve()
    look = Look(file.name, source_location.bare(game.setup).__module__.partition(".")[0], building=True)
    scope = Scope(file, False, {**vars(builtins), **vars(module)})
    look.scopes.append(scope)
    look.block([s for s in tree(file).body if not _guard(s)], {}, scope)


def _guard(node: ast.stmt) -> bool:
    """What is not for playing: the part of a file that runs only when it is the program, and bare imports."""
    return isinstance(node, (ast.Import, ast.ImportFrom)) or (
        isinstance(node, ast.If)
        and "__name__" in {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}
    )


class Look(Allowed):
    """One walk through all that a strategy does."""

    def __init__(self, who: str, home: str, building: bool = False) -> None:
        super().__init__(who, home, building)
        self._known: dict[Any, Any] = {}
        self._under_way: list[FunctionType] = []

    # -- functions ------------------------------------------------------------------------------------

    def function(self, function: FunctionType, given: list[Any], named: dict[str, Any]) -> Any:
        if function in self._under_way and not self.building and not self.shipped(function):
            raise self.refuse(
                f"comes back to {function.__name__} from within it; compiled code that goes too deep "
                "takes Python with it without a word, so use a loop"
            )
        key = (function, tuple(given), tuple(sorted(named.items(), key=lambda item: item[0])))
        try:
            if key in self._known:
                return self._known[key]
            self._known[key] = None  # who calls itself
        except TypeError:
            return None
        node = source(function.__code__)
        if node is None:
            if self.scopes:
                raise self.refuse(f"calls {function.__name__}, whose source cannot be found")
            at = source_location.text(source_location.start(function))
            raise StrategyError(f"{at}: strategy {self.who!r}: its source cannot be found")
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        free = {name: cell.cell_contents for name, cell in cells}
        scope = Scope(
            Path(function.__code__.co_filename),
            bool(self.scopes) and self.shipped(function),
            {**vars(builtins), **function.__globals__, **free},
        )
        self.scopes.append(scope)
        usual = self._usual(
            node,
            [
                self.thing(f"a default of {function.__name__}", one)
                for one in function.__defaults__ or ()
            ],
            function.__kwdefaults__ or {},
        )
        self.scopes.pop()
        self._under_way.append(function)
        found = self._known[key] = self._walked(node, scope, usual, given, named)
        self._under_way.pop()
        return found

    @staticmethod
    def _usual(node: Any, last: list[Any], named: Mapping[str, Any]) -> dict[str, Any]:
        """What the last arguments of a function are where they are not given."""
        places = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
        return {**dict(zip(places[len(places) - len(last) :], last, strict=False)), **named}

    def _walked(
        self,
        node: Any,
        scope: Scope,
        around: dict[str, Any],
        given: list[Any],
        named: dict[str, Any],
    ) -> Any:
        if len(self.scopes) > DEEP:
            return None
        takes = node.args
        places = [a.arg for a in (*takes.posonlyargs, *takes.args)]
        unknown = dict.fromkeys([*places, *(a.arg for a in takes.kwonlyargs)])
        names = {**unknown, **around, **named, **dict(zip(places, given, strict=False))}
        if takes.vararg:
            names[takes.vararg.arg] = Several(tuple(given[len(places) :]), True)
        self.scopes.append(scope)
        scope.line = node.lineno
        if isinstance(node, ast.Lambda):
            scope.returned.append(self.value(node.body, names, scope))
        else:
            self.block(node.body, names, scope)
        self.scopes.pop()
        found = None
        for one in scope.returned:
            found = abstract_values.either(found, one)
        return found

    def _called(self, f: Any, given: list[Any], named: dict[str, Any]) -> Any:
        if isinstance(f, Several):
            return Several(tuple(self._called(one, given, named) for one in f.parts))
        if isinstance(f, Inner):
            scope = Scope(f.scope.file, f.scope.shipped, f.scope.names)
            hidden = {a.arg for a in ast.walk(f.node.args) if isinstance(a, ast.arg)} - set(f.usual)
            around = {name: value for name, value in f.names.items() if name not in hidden}
            return self._walked(f.node, scope, {**around, **f.usual}, given, named)
        if isinstance(f, Method):
            if f.name in WRITING:
                self.written(f.of)
            return f.of if f.name in VIEWING else None
        if not isinstance(f, Thing):
            return None
        bare = source_location.bare(f.it)
        root = abstract_values.home(f.it).partition(".")[0]
        if isinstance(bare, FunctionType) and root not in LIBRARIES:
            shipped_when_building = self.building and (
                self.shipped(bare) or source(bare.__code__) is None
            )
            return None if shipped_when_building else self.function(bare, given, named)
        return self.library(f.it, given, named)

    # -- statements -----------------------------------------------------------------------------------

    def block(self, body: list[ast.stmt], names: dict[str, Any], scope: Scope) -> None:
        for node in body:
            scope.line = node.lineno
            getattr(self, f"_{type(node).__name__.lower()}", self._plain)(node, names, scope)

    def _plain(self, node: ast.stmt, names: dict[str, Any], scope: Scope) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child, names, scope)

    def _functiondef(self, node: ast.FunctionDef, names: dict[str, Any], scope: Scope) -> None:
        for decorator in node.decorator_list:
            self.value(decorator, names, scope)
        inner = self._inner(node, names, scope)
        if len(self.scopes) > 1 or not self.building:  # what a file holds is found in its module
            names[node.name] = inner

    def _inner(self, node: Any, names: dict[str, Any], scope: Scope) -> Inner:
        last = [self.value(one, names, scope) for one in node.args.defaults]
        named = {
            a.arg: self.value(one, names, scope)
            for a, one in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            if one
        }
        return Inner(node, names, scope, self._usual(node, last, named))

    def _classdef(self, node: ast.ClassDef, names: dict[str, Any], scope: Scope) -> None:
        """Compiled code makes no classes."""

    def _return(self, node: ast.Return, names: dict[str, Any], scope: Scope) -> None:
        scope.returned.append(self.value(node.value, names, scope) if node.value else None)

    def _assign(self, node: ast.Assign, names: dict[str, Any], scope: Scope) -> None:
        value = self.value(node.value, names, scope)
        for target in node.targets:
            self._bind(target, value, names, scope)

    def _annassign(self, node: ast.AnnAssign, names: dict[str, Any], scope: Scope) -> None:
        if node.value:
            self._bind(node.target, self.value(node.value, names, scope), names, scope)

    def _augassign(self, node: ast.AugAssign, names: dict[str, Any], scope: Scope) -> None:
        self.value(node.value, names, scope)
        if isinstance(node.target, ast.Name):
            for one in abstract_values.parts(self.name(node.target.id, names, scope)):
                if not isinstance(one, Shown) or one.ndim or one.dtype is None:
                    self.written(one)
        else:
            self._bind(node.target, None, names, scope)

    def _delete(self, node: ast.Delete, names: dict[str, Any], scope: Scope) -> None:
        for target in node.targets:
            if not isinstance(target, ast.Name):
                self._bind(target, None, names, scope)

    def _global(self, node: ast.Global, names: dict[str, Any], scope: Scope) -> None:
        self.written(Shown(node.names[0]))

    def _if(self, node: ast.If, names: dict[str, Any], scope: Scope) -> None:
        self.value(node.test, names, scope)
        self._branches([node.body, node.orelse], names, scope)

    def _for(self, node: ast.For, names: dict[str, Any], scope: Scope) -> None:
        self._bind(
            node.target,
            abstract_values.item(self.through(self.value(node.iter, names, scope))),
            names,
            scope,
        )
        self._repeated([*node.body], names, scope)
        self.block(node.orelse, names, scope)

    def _while(self, node: ast.While, names: dict[str, Any], scope: Scope) -> None:
        self.value(node.test, names, scope)
        self._repeated([*node.body], names, scope)
        self.block(node.orelse, names, scope)

    def _repeated(self, body: list[ast.stmt], names: dict[str, Any], scope: Scope) -> None:
        """What a name stands for at the end of a loop, it may stand for at its beginning."""
        for _ in range(3):
            self._branches([body, []], names, scope)

    def _branches(self, bodies: list[list[ast.stmt]], names: dict[str, Any], scope: Scope) -> None:
        ways = []
        for body in bodies:
            ways.append(dict(names))
            self.block(body, ways[-1], scope)
        for name in set().union(*ways):
            found = None
            for way in ways:
                found = abstract_values.either(found, way.get(name))
            names[name] = found

    def _with(self, node: ast.With, names: dict[str, Any], scope: Scope) -> None:
        for item in node.items:
            value = self.value(item.context_expr, names, scope)
            if item.optional_vars:
                self._bind(item.optional_vars, value, names, scope)
        self.block(node.body, names, scope)

    def _try(self, node: ast.Try, names: dict[str, Any], scope: Scope) -> None:
        self.block(node.body, names, scope)
        self._branches([[], *(h.body for h in node.handlers)], names, scope)
        self.block([*node.orelse, *node.finalbody], names, scope)

    def _match(self, node: ast.Match, names: dict[str, Any], scope: Scope) -> None:
        subject = self.value(node.subject, names, scope)
        for case in node.cases:
            names.update(
                {
                    p.name: subject
                    for p in ast.walk(case.pattern)
                    if isinstance(p, ast.MatchAs) and p.name
                }
            )
        self._branches([[], *(case.body for case in node.cases)], names, scope)

    def _bind(self, target: ast.expr, value: Any, names: dict[str, Any], scope: Scope) -> None:
        scope.line = target.lineno
        if isinstance(target, ast.Name):
            names[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            parts = value.parts if isinstance(value, Several) and value.tuple else ()
            exact = len(parts) == len(target.elts) and not any(
                isinstance(t, ast.Starred) for t in target.elts
            )
            for i, t in enumerate(target.elts):
                self._bind(t, parts[i] if exact else abstract_values.item(value), names, scope)
        elif isinstance(target, ast.Starred):
            self._bind(target.value, value, names, scope)
        elif isinstance(target, ast.Subscript):
            self.value(target.slice, names, scope)
            held = self.value(target.value, names, scope)
            self.written(held)
            self._hold(target.value, held, [value], names)
        elif isinstance(target, ast.Attribute):
            base = self.value(target.value, names, scope)
            if isinstance(base, Thing):
                self.written(Shown(ast.unparse(target)))
            for one in abstract_values.parts(base):
                if isinstance(one, Shown):
                    self.written(Shown(f"{one.name}.{target.attr}"))

    @staticmethod
    def _hold(node: ast.expr, held: Any, values: list[Any], names: dict[str, Any]) -> None:
        """A list of the strategy's own may hold what is shown; an array takes a copy."""
        if isinstance(node, ast.Name) and isinstance(held, Several) and any(values):
            names[node.id] = abstract_values.either(held, Several(tuple(values), True))

    # -- expressions ----------------------------------------------------------------------------------

    def value(self, node: ast.expr, names: dict[str, Any], scope: Scope) -> Any:
        """What an expression stands for, as far as it is shown or can be called; nothing where it is a number."""
        scope.line = getattr(node, "lineno", scope.line)
        if isinstance(node, ast.Name):
            return self.name(node.id, names, scope)
        if isinstance(node, ast.Attribute):
            return self._attribute(self.value(node.value, names, scope), node)
        if isinstance(node, ast.Subscript):
            self.value(node.slice, names, scope)
            return abstract_values.subscript(self.value(node.value, names, scope), node.slice)
        if isinstance(node, ast.Call):
            return self._call(node, names, scope)
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            loose = isinstance(node, ast.Set) and any(
                type(getattr(one, "value", 0)) is not int for one in node.elts
            )
            return Several(tuple(self.value(one, names, scope) for one in node.elts), True, loose)
        if isinstance(node, ast.IfExp):
            self.value(node.test, names, scope)
            return abstract_values.either(
                self.value(node.body, names, scope), self.value(node.orelse, names, scope)
            )
        if isinstance(node, ast.BoolOp):
            return Several(tuple(self.value(one, names, scope) for one in node.values))
        if isinstance(node, (ast.NamedExpr, ast.Starred)):
            value = self.value(node.value, names, scope)
            if isinstance(node, ast.NamedExpr):
                self._bind(node.target, value, names, scope)
            return value
        if isinstance(node, ast.Lambda):
            return self._inner(node, names, scope)
        if isinstance(node, ast.Dict):
            held = [
                self.value(one, names, scope) for one in (*filter(None, node.keys), *node.values)
            ]
            return Several((Several(tuple(held)),), True)
        if isinstance(node, ast.BinOp):
            both = self.value(node.left, names, scope), self.value(node.right, names, scope)
            lists = [side for side in both if isinstance(side, Several) and side.tuple]
            return (
                Several(tuple(part for one in lists for part in one.parts), True) if lists else None
            )
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            return self._comprehension(node, {**names}, scope)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child, names, scope)
        return None

    def _comprehension(self, node: Any, names: dict[str, Any], scope: Scope) -> Any:
        for part in node.generators:
            self._bind(
                part.target,
                abstract_values.item(self.through(self.value(part.iter, names, scope))),
                names,
                scope,
            )
            for test in part.ifs:
                self.value(test, names, scope)
        if isinstance(node, ast.DictComp):
            self.value(node.key, names, scope)
        last = self.value(node.value if isinstance(node, ast.DictComp) else node.elt, names, scope)
        return Several((last,), True, isinstance(node, ast.SetComp))

    def _attribute(self, base: Any, node: ast.Attribute) -> Any:
        if node.attr in ADDRESSES and not self.scopes[-1].shipped:
            raise self.refuse(
                f"asks by {node.attr} where something lies in memory, which no other run repeats"
            )
        if isinstance(base, Several):
            return (
                Several(tuple(self._attribute(one, node) for one in base.parts))
                if not base.tuple
                else (Method(base, node.attr))
            )
        if isinstance(base, Thing):
            it = getattr(base.it, node.attr, None)
            return None if it is None else self.thing(ast.unparse(node), it)
        if not isinstance(base, Shown) or (node.attr in NUMBERS and not base.records):
            return None
        if base.records is not None:
            part = base.records.get(node.attr)
            return abstract_values.part_shown(f"{base.name}.{node.attr}", part[0]) if part else None
        return base if node.attr in ("T", "flat", "real", "imag") else Method(base, node.attr)

    def _call(self, node: ast.Call, names: dict[str, Any], scope: Scope) -> Any:
        f = self.value(node.func, names, scope)
        given: list[Any] = []
        for one in node.args:
            value = self.value(one, names, scope)
            spread = isinstance(one, ast.Starred) and isinstance(value, Several) and value.tuple
            given += value.parts if spread else [value]
        named = {k.arg: self.value(k.value, names, scope) for k in node.keywords if k.arg}
        scope.line = node.lineno
        if isinstance(f, Method) and f.name in WRITING and isinstance(node.func, ast.Attribute):
            self._hold(node.func.value, f.of, given, names)
        return self._called(f, given, named)
