"""Static check of users' strategies: they only read what they are given and draw only from luck.

The check is an abstract interpreter: it walks through the source of a strategy, and of every
function that it calls, as it would run. What the strategy is given (box, table, own, options, luck,
weights, and arrays outside of functions) is followed under all names that it gets; numbers taken
from it, and arrays made inside, are the strategy's own. What the check cannot see is seen while
games are played: the kernel compares what a user's strategy was given before and after.
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

from hardmode.sim.compile.source_location import find_definition, format_location, get_py_func
from hardmode.sim.contract import Game
from hardmode.sim.draws import LUCK
from hardmode.sim.play.player import StrategyError
from hardmode.strategies.abstract_values import (
    BoundMethod,
    PyObject,
    ReadOnly,
    Union,
    create_read_only,
    get_item,
    get_module_name,
    get_subscript,
    iterate_alternatives,
    join_values,
)
from hardmode.strategies.access_policy import (
    ADDRESSES,
    LIBRARIES,
    PLAIN_ATTRIBUTES,
    UNCHECKED_INDEXING,
    VIEWING,
    WRITING_METHODS,
    AccessPolicy,
    Scope,
)
from hardmode.strategies.sources import find_function_source, parse_source

MAX_DEPTH = 60  # of calls that are followed
LOOP_PASSES = 3  # through a loop, until its names stand for all that they may
VIEW_ATTRIBUTES = ("T", "flat", "real", "imag")

Names = dict[str, Any]  # local names and their abstract values


@dataclass(frozen=True, eq=False)
class InnerFunction:
    """A function or lambda that is written inside another.

    Attributes:
        node: Its syntax tree.
        names: The names around it.
        scope: The scope around it.
        defaults: The abstract values of arguments that are not given.
    """

    node: Any
    names: Names
    scope: Scope
    defaults: Names


def check_strategy(function: Callable, game: Game) -> None:
    """Check that a user's strategy only reads what it is given and draws only from luck.

    Raises:
        StrategyError: It does something else, at the line that does.
    """
    py_func = get_py_func(function)
    own = np.dtype(("i8", ())) if game.own is None else game.own
    args = [
        create_read_only("box", game.box),
        create_read_only("table", game.table),
        create_read_only("own", own),
        ReadOnly("options", np.dtype("i8"), 1),
        None,
        create_read_only("luck", LUCK),
        ReadOnly("weights", np.dtype("f8"), 1),
    ]
    interpreter = AbstractInterpreter(py_func.__name__, _get_package(game))
    interpreter.call_function(py_func, args, {})


def check_module(module: ModuleType, game: Game) -> None:
    """Check that the constants of a user's file are the same in every run.

    Raises:
        StrategyError: One is drawn, or depends on the time or on an address.
    """
    file = Path(str(module.__file__)).resolve()
    interpreter = AbstractInterpreter(file.name, _get_package(game), is_module=True)
    scope = Scope(file, False, {**vars(builtins), **vars(module)})
    interpreter.scopes.append(scope)
    statements = [node for node in parse_source(file).body if not _is_skipped(node)]
    interpreter.execute_block(statements, {})


def _get_package(game: Game) -> str:
    return get_py_func(game.setup).__module__.partition(".")[0]


def _is_skipped(node: ast.stmt) -> bool:
    """Return whether a statement is an import, or runs only if the file is the program."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return True
    if not isinstance(node, ast.If):
        return False
    return any(isinstance(n, ast.Name) and n.id == "__name__" for n in ast.walk(node.test))


def _list_parameters(function: Any) -> list[str]:
    return [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]


def _bind_defaults(function: Any, defaults: list[Any], kw_defaults: Mapping[str, Any]) -> Names:
    """Return the abstract values of the arguments that are not given."""
    parameters = _list_parameters(function)
    last = parameters[len(parameters) - len(defaults) :]
    return {**dict(zip(last, defaults, strict=False)), **kw_defaults}


class AbstractInterpreter(AccessPolicy):
    """A walk through all that a strategy does, with abstract values in place of values.

    Statements are executed by `_execute_<type of node>`, expressions are evaluated by
    `_evaluate_<type of node>`; all take the node and the local names.
    """

    def __init__(self, name: str, game_package: str, is_module: bool = False) -> None:
        super().__init__(name, game_package, is_module)
        self._results: dict[Any, Any] = {}  # of calls, by function and arguments
        self._call_stack: list[FunctionType] = []

    # -- functions -------------------------------------------------------------------------

    def call_function(self, function: FunctionType, args: list[Any], kwargs: Names) -> Any:
        """Return the abstract result of a Python function.

        Args:
            function: The function.
            args: The abstract values of its positional arguments.
            kwargs: The abstract values of its keyword arguments.

        Raises:
            StrategyError: It does what a strategy may not do, or its source cannot be found.
        """
        if function in self._call_stack and not self.is_module:
            if not self.is_trusted_code(function):
                raise self.make_error(
                    f"comes back to {function.__name__} from within it; compiled code that goes "
                    "too deep takes Python with it without a word, so use a loop"
                )
        key = (function, tuple(args), tuple(sorted(kwargs.items(), key=lambda item: item[0])))
        try:
            if key in self._results:
                return self._results[key]
            self._results[key] = None  # for a function that calls itself
        except TypeError:  # an argument cannot be hashed
            return None
        node = find_function_source(function.__code__)
        if node is None:
            raise self._make_source_error(function)
        scope = self._create_scope(function)
        self.scopes.append(scope)
        defaults = [
            self.get_abstract_value(f"a default of {function.__name__}", value)
            for value in function.__defaults__ or ()
        ]
        self.scopes.pop()
        names = _bind_defaults(node, defaults, function.__kwdefaults__ or {})
        self._call_stack.append(function)
        result = self._results[key] = self._run_body(node, scope, names, args, kwargs)
        self._call_stack.pop()
        return result

    def _make_source_error(self, function: FunctionType) -> StrategyError:
        if self.scopes:
            return self.make_error(f"calls {function.__name__}, whose source cannot be found")
        location = format_location(find_definition(function))
        return StrategyError(f"{location}: strategy {self.name!r}: its source cannot be found")

    def _create_scope(self, function: FunctionType) -> Scope:
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        free = {name: cell.cell_contents for name, cell in cells}
        return Scope(
            Path(function.__code__.co_filename),
            bool(self.scopes) and self.is_trusted_code(function),
            {**vars(builtins), **function.__globals__, **free},
        )

    def _run_body(
        self, node: Any, scope: Scope, around: Names, args: list[Any], kwargs: Names
    ) -> Any:
        """Return the abstract result of a function or lambda.

        Args:
            node: Its syntax tree.
            scope: Its scope.
            around: The names that it sees, with the defaults of its arguments.
            args: The abstract values of its positional arguments.
            kwargs: The abstract values of its keyword arguments.
        """
        if len(self.scopes) > MAX_DEPTH:
            return None
        parameters = _list_parameters(node)
        unknown = dict.fromkeys([*parameters, *(arg.arg for arg in node.args.kwonlyargs)])
        names = {**unknown, **around, **kwargs, **dict(zip(parameters, args, strict=False))}
        if node.args.vararg:
            names[node.args.vararg.arg] = Union(tuple(args[len(parameters) :]), True)
        self.scopes.append(scope)
        scope.line = node.lineno
        if isinstance(node, ast.Lambda):
            scope.returned.append(self.evaluate(node.body, names))
        else:
            self.execute_block(node.body, names)
        self.scopes.pop()
        result = None
        for returned in scope.returned:
            result = join_values(result, returned)
        return result

    def _call(self, function: Any, args: list[Any], kwargs: Names) -> Any:
        """Return the abstract result of a call of an abstract value."""
        if isinstance(function, Union):
            return Union(tuple(self._call(part, args, kwargs) for part in function.parts))
        if isinstance(function, InnerFunction):
            return self._call_inner_function(function, args, kwargs)
        if isinstance(function, BoundMethod):
            if function.name in WRITING_METHODS:
                self.check_write(function.owner)
            return function.owner if function.name in VIEWING else None
        if not isinstance(function, PyObject):
            return None
        py_func = get_py_func(function.value)
        package = get_module_name(function.value).partition(".")[0]
        if not isinstance(py_func, FunctionType) or package in LIBRARIES:
            return self.call_library(function.value, args, kwargs)
        if self.is_module:
            has_source = find_function_source(py_func.__code__) is not None
            if self.is_trusted_code(py_func) or not has_source:
                return None
        return self.call_function(py_func, args, kwargs)

    def _call_inner_function(self, function: InnerFunction, args: list[Any], kwargs: Names) -> Any:
        outer = function.scope
        scope = Scope(outer.file, outer.is_trusted, outer.globals)
        own = {node.arg for node in ast.walk(function.node.args) if isinstance(node, ast.arg)}
        hidden = own - set(function.defaults)
        around = {name: value for name, value in function.names.items() if name not in hidden}
        return self._run_body(function.node, scope, {**around, **function.defaults}, args, kwargs)

    # -- statements ------------------------------------------------------------------------

    def execute_block(self, body: list[ast.stmt], names: Names) -> None:
        """Execute statements one after the other; `names` changes with them."""
        for node in body:
            self.scope.line = node.lineno
            method = f"_execute_{type(node).__name__.lower()}"
            getattr(self, method, self._evaluate_children)(node, names)

    def _evaluate_children(self, node: ast.AST, names: Names) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.evaluate(child, names)

    def _execute_functiondef(self, node: ast.FunctionDef, names: Names) -> None:
        for decorator in node.decorator_list:
            self.evaluate(decorator, names)
        function = self._create_inner_function(node, names)
        is_top_level = self.is_module and len(self.scopes) == 1
        if not is_top_level:  # those of a file are found in its module
            names[node.name] = function

    def _create_inner_function(self, node: Any, names: Names) -> InnerFunction:
        defaults = [self.evaluate(default, names) for default in node.args.defaults]
        kw_defaults = {
            arg.arg: self.evaluate(default, names)
            for arg, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            if default
        }
        return InnerFunction(node, names, self.scope, _bind_defaults(node, defaults, kw_defaults))

    def _execute_classdef(self, node: ast.ClassDef, names: Names) -> None:
        """Skip a class: compiled code makes none."""

    def _execute_return(self, node: ast.Return, names: Names) -> None:
        value = self.evaluate(node.value, names) if node.value else None
        self.scope.returned.append(value)

    def _execute_assign(self, node: ast.Assign, names: Names) -> None:
        value = self.evaluate(node.value, names)
        for target in node.targets:
            self._assign(target, value, names)

    def _execute_annassign(self, node: ast.AnnAssign, names: Names) -> None:
        if node.value:
            self._assign(node.target, self.evaluate(node.value, names), names)

    def _execute_augassign(self, node: ast.AugAssign, names: Names) -> None:
        self.evaluate(node.value, names)
        if not isinstance(node.target, ast.Name):
            self._assign(node.target, None, names)
            return
        for value in iterate_alternatives(self.look_up_name(node.target.id, names)):
            is_number = isinstance(value, ReadOnly) and value.dtype is not None and not value.ndim
            if not is_number:
                self.check_write(value)

    def _execute_delete(self, node: ast.Delete, names: Names) -> None:
        for target in node.targets:
            if not isinstance(target, ast.Name):
                self._assign(target, None, names)

    def _execute_global(self, node: ast.Global, names: Names) -> None:
        self.check_write(ReadOnly(node.names[0]))

    def _execute_if(self, node: ast.If, names: Names) -> None:
        self.evaluate(node.test, names)
        self._execute_branches([node.body, node.orelse], names)

    def _execute_for(self, node: ast.For, names: Names) -> None:
        iterable = self.check_iteration(self.evaluate(node.iter, names))
        self._assign(node.target, get_item(iterable), names)
        self._execute_loop(node.body, names)
        self.execute_block(node.orelse, names)

    def _execute_while(self, node: ast.While, names: Names) -> None:
        self.evaluate(node.test, names)
        self._execute_loop(node.body, names)
        self.execute_block(node.orelse, names)

    def _execute_loop(self, body: list[ast.stmt], names: Names) -> None:
        """Execute a loop: what a name stands for at its end, it may stand for at its start."""
        for _ in range(LOOP_PASSES):
            self._execute_branches([body, []], names)

    def _execute_branches(self, bodies: list[list[ast.stmt]], names: Names) -> None:
        """Execute blocks of which one is run, and join what the names stand for after each."""
        outcomes: list[Names] = []
        for body in bodies:
            outcomes.append(dict(names))
            self.execute_block(body, outcomes[-1])
        for name in set().union(*outcomes):
            value = None
            for outcome in outcomes:
                value = join_values(value, outcome.get(name))
            names[name] = value

    def _execute_with(self, node: ast.With, names: Names) -> None:
        for item in node.items:
            value = self.evaluate(item.context_expr, names)
            if item.optional_vars:
                self._assign(item.optional_vars, value, names)
        self.execute_block(node.body, names)

    def _execute_try(self, node: ast.Try, names: Names) -> None:
        self.execute_block(node.body, names)
        handlers = [handler.body for handler in node.handlers]
        self._execute_branches([[], *handlers], names)
        self.execute_block([*node.orelse, *node.finalbody], names)

    def _execute_match(self, node: ast.Match, names: Names) -> None:
        subject = self.evaluate(node.subject, names)
        for case in node.cases:
            for pattern in ast.walk(case.pattern):
                if isinstance(pattern, ast.MatchAs) and pattern.name:
                    names[pattern.name] = subject
        self._execute_branches([[], *(case.body for case in node.cases)], names)

    # -- assignments -----------------------------------------------------------------------

    def _assign(self, target: ast.expr, value: Any, names: Names) -> None:
        """Let a target stand for a value; refuse a write to what may only be read."""
        self.scope.line = target.lineno
        if isinstance(target, ast.Name):
            names[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._assign_items(target, value, names)
        elif isinstance(target, ast.Starred):
            self._assign(target.value, value, names)
        elif isinstance(target, ast.Subscript):
            self.evaluate(target.slice, names)
            container = self.evaluate(target.value, names)
            self.check_write(container)
            self._add_items(target.value, container, [value], names)
        elif isinstance(target, ast.Attribute):
            owner = self.evaluate(target.value, names)
            if isinstance(owner, PyObject):
                self.check_write(ReadOnly(ast.unparse(target)))
            for alternative in iterate_alternatives(owner):
                if isinstance(alternative, ReadOnly):
                    self.check_write(ReadOnly(f"{alternative.name}.{target.attr}"))

    def _assign_items(self, target: ast.Tuple | ast.List, value: Any, names: Names) -> None:
        parts = value.parts if isinstance(value, Union) and value.is_sequence else ()
        has_star = any(isinstance(item, ast.Starred) for item in target.elts)
        is_exact = len(parts) == len(target.elts) and not has_star
        for i, item in enumerate(target.elts):
            self._assign(item, parts[i] if is_exact else get_item(value), names)

    @staticmethod
    def _add_items(node: ast.expr, container: Any, items: list[Any], names: Names) -> None:
        """Let a list of the strategy's own hold more items; an array copies them."""
        if isinstance(node, ast.Name) and isinstance(container, Union) and any(items):
            names[node.id] = join_values(container, Union(tuple(items), True))

    # -- expressions -----------------------------------------------------------------------

    def evaluate(self, node: ast.expr, names: Names) -> Any:
        """Return the abstract value of an expression, None for a number."""
        self.scope.line = getattr(node, "lineno", self.scope.line)
        method = f"_evaluate_{type(node).__name__.lower()}"
        return getattr(self, method, self._evaluate_children)(node, names)

    def _evaluate_name(self, node: ast.Name, names: Names) -> Any:
        return self.look_up_name(node.id, names)

    def _evaluate_attribute(self, node: ast.Attribute, names: Names) -> Any:
        return self._get_attribute(self.evaluate(node.value, names), node)

    def _get_attribute(self, owner: Any, node: ast.Attribute) -> Any:
        if node.attr in ADDRESSES and not self.scope.is_trusted:
            raise self.make_error(
                f"asks by {node.attr} where something lies in memory, which no other run repeats"
            )
        if node.attr in UNCHECKED_INDEXING and not self.scope.is_trusted:
            raise self.make_error(
                f"reads by {node.attr}, whose index numba does not check; use reshape(-1)"
            )
        if isinstance(owner, Union):
            if owner.is_sequence:
                return BoundMethod(owner, node.attr)
            return Union(tuple(self._get_attribute(part, node) for part in owner.parts))
        if isinstance(owner, PyObject):
            value = getattr(owner.value, node.attr, None)
            return None if value is None else self.get_abstract_value(ast.unparse(node), value)
        if not isinstance(owner, ReadOnly):
            return None
        fields = owner.record_fields
        if node.attr in PLAIN_ATTRIBUTES and not fields:
            return None
        if fields is not None:
            name, field = f"{owner.name}.{node.attr}", fields.get(node.attr)
            return create_read_only(name, field[0]) if field else None
        return owner if node.attr in VIEW_ATTRIBUTES else BoundMethod(owner, node.attr)

    def _evaluate_subscript(self, node: ast.Subscript, names: Names) -> Any:
        self.evaluate(node.slice, names)
        return get_subscript(self.evaluate(node.value, names), node.slice)

    def _evaluate_call(self, node: ast.Call, names: Names) -> Any:
        function = self.evaluate(node.func, names)
        args: list[Any] = []
        for arg in node.args:
            value = self.evaluate(arg, names)
            if isinstance(arg, ast.Starred) and isinstance(value, Union) and value.is_sequence:
                args += value.parts
            else:
                args.append(value)
        kwargs = {k.arg: self.evaluate(k.value, names) for k in node.keywords if k.arg}
        self.scope.line = node.lineno
        if isinstance(function, BoundMethod) and function.name in WRITING_METHODS:
            if isinstance(node.func, ast.Attribute):
                self._add_items(node.func.value, function.owner, args, names)
        return self._call(function, args, kwargs)

    def _evaluate_tuple(self, node: Any, names: Names) -> Any:
        return Union(tuple(self.evaluate(item, names) for item in node.elts), True)

    _evaluate_list = _evaluate_tuple

    def _evaluate_set(self, node: ast.Set, names: Names) -> Any:
        """Return a set, which is unordered unless it holds whole numbers only."""
        is_unordered = any(type(getattr(item, "value", 0)) is not int for item in node.elts)
        items = tuple(self.evaluate(item, names) for item in node.elts)
        return Union(items, True, is_unordered)

    def _evaluate_dict(self, node: ast.Dict, names: Names) -> Any:
        keys = [key for key in node.keys if key is not None]
        items = tuple(self.evaluate(item, names) for item in (*keys, *node.values))
        return Union((Union(items),), True)

    def _evaluate_ifexp(self, node: ast.IfExp, names: Names) -> Any:
        self.evaluate(node.test, names)
        body = self.evaluate(node.body, names)
        return join_values(body, self.evaluate(node.orelse, names))

    def _evaluate_boolop(self, node: ast.BoolOp, names: Names) -> Any:
        return Union(tuple(self.evaluate(value, names) for value in node.values))

    def _evaluate_binop(self, node: ast.BinOp, names: Names) -> Any:
        """Return the sum of sequences, None for numbers."""
        parts: list[Any] = []
        is_sequence = False
        for side in (node.left, node.right):
            value = self.evaluate(side, names)
            if isinstance(value, Union) and value.is_sequence:
                is_sequence = True
                parts += value.parts
        return Union(tuple(parts), True) if is_sequence else None

    def _evaluate_namedexpr(self, node: ast.NamedExpr, names: Names) -> Any:
        value = self.evaluate(node.value, names)
        self._assign(node.target, value, names)
        return value

    def _evaluate_starred(self, node: ast.Starred, names: Names) -> Any:
        return self.evaluate(node.value, names)

    def _evaluate_lambda(self, node: ast.Lambda, names: Names) -> Any:
        return self._create_inner_function(node, names)

    def _evaluate_comprehension(self, node: Any, names: Names) -> Any:
        names = self._run_generators(node, names)
        item = self.evaluate(node.elt, names)
        return Union((item,), True, isinstance(node, ast.SetComp))

    _evaluate_listcomp = _evaluate_comprehension
    _evaluate_setcomp = _evaluate_comprehension
    _evaluate_generatorexp = _evaluate_comprehension

    def _evaluate_dictcomp(self, node: ast.DictComp, names: Names) -> Any:
        names = self._run_generators(node, names)
        self.evaluate(node.key, names)
        return Union((self.evaluate(node.value, names),), True)

    def _run_generators(self, node: Any, names: Names) -> Names:
        """Return the names that the item of a comprehension sees."""
        names = dict(names)
        for generator in node.generators:
            iterable = self.check_iteration(self.evaluate(generator.iter, names))
            self._assign(generator.target, get_item(iterable), names)
            for test in generator.ifs:
                self.evaluate(test, names)
        return names
