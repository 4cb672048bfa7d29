"""Python as MicroPython reads it: functions rewritten into plainer ones that mean the same.

MicroPython lacks some syntax, some methods, and the order of dictionaries. What it lacks becomes a
call of a function of `browser/runtime.py`, whose names all begin with an underscore here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

METHODS = {  # of texts, numbers and lists
    "bit_count",
    "bit_length",
    "capitalize",
    "center",
    "ljust",
    "removeprefix",
    "removesuffix",
    "rjust",
    "sort",
    "title",
    "zfill",
}
BUILTINS = {
    "dict": "_dict",
    "repr": "_repr",
    "round": "_round",
    "sorted": "_sorted",
    "str": "_str",
    "zip": "_zip",
}
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class UnsupportedSyntaxError(Exception):
    """Raised for syntax that cannot be rewritten."""


class PlainPython(ast.NodeTransformer):
    """Rewrites one function.

    Args:
        resolve: Returns what to write for a name, or for a chain of attributes, that is not local;
            None to leave it as it is.
    """

    def __init__(self, resolve: Callable[[ast.expr], ast.expr | None]) -> None:
        self._resolve = resolve
        self._scopes: list[set[str]] = []

    # -- names ------------------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return what a global name stands for; a local one stays."""
        if not isinstance(node.ctx, ast.Load) or self._is_local(node.id):
            return node
        return self._resolve(node) or node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Return what an attribute of a global name stands for, if that is known."""
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and not self._is_local(root.id):
            found = self._resolve(node)
            if found is not None:
                return found
        return self.generic_visit(node)

    def _is_local(self, name: str) -> bool:
        return any(name in scope for scope in self._scopes)

    # -- scopes -----------------------------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Return a function without decorators, annotations and its docstring."""
        node.decorator_list = []
        node.returns = None
        body = node.body[1:] if ast.get_docstring(node) is not None else node.body
        node.body = body or [ast.Pass()]
        node.args.args = [*node.args.posonlyargs, *node.args.args]
        node.args.posonlyargs = []
        self._visit_defaults(node.args)
        self._scopes.append(_list_arguments(node.args) | _list_assigned(node.body))
        node.body = [line for old in node.body if (line := self.visit(old)) is not None]
        self._scopes.pop()
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Return a lambda; its arguments are local."""
        self._visit_defaults(node.args)
        self._scopes.append(_list_arguments(node.args))
        node.body = self.visit(node.body)
        self._scopes.pop()
        return node

    def _visit_defaults(self, args: ast.arguments) -> None:
        args.defaults = [self.visit(value) for value in args.defaults]
        args.kw_defaults = [value and self.visit(value) for value in args.kw_defaults]
        for arg in _list_all_arguments(args):
            arg.annotation = None

    def visit(self, node: ast.AST) -> Any:
        """Return a node rewritten; the variables of a comprehension are local to it."""
        if not isinstance(node, COMPREHENSIONS):
            return super().visit(node)
        first = node.generators[0]
        source = self.visit(first.iter)  # is evaluated outside
        self._scopes.append(set().union(*(_list_assigned([g.target]) for g in node.generators)))
        first.iter = ast.Constant(None)
        visited = super().visit(node)
        self._scopes.pop()
        first.iter = source
        return visited

    # -- syntax -----------------------------------------------------------------------------------

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        """Return an assignment without its annotation."""
        if node.value is None:
            return None
        plain = ast.Assign([node.target], node.value)
        return self.visit(ast.copy_location(plain, node))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """Return a call of `format` in place of an f-string."""
        template, values = "", []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                template += "{}"
                values.append(self._format_value(part))
            elif len(node.values) == 1:
                return part
            elif isinstance(part, ast.Constant):
                template += str(part.value).replace("{", "{{").replace("}", "}}")
        method = ast.Attribute(ast.Constant(template), "format", ast.Load())
        return ast.Call(method, values, [])

    def _format_value(self, part: ast.FormattedValue) -> ast.expr:
        value = self.visit(part.value)
        if part.conversion == ord("r"):
            value = make_call("_repr", value)
        if part.format_spec is None:
            return make_call("_str", value)
        return make_call("_format", value, self.visit(part.format_spec))

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        """Return an ordered dictionary."""
        parts: list[ast.expr] = []
        pairs: list[ast.expr] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                pairs.append(ast.Tuple([self.visit(key), self.visit(value)], ast.Load()))
                continue
            parts += [ast.List(pairs, ast.Load()), self.visit(value)]
            pairs = []
        return make_call("_dict", *parts, ast.List(pairs, ast.Load()))

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        """Return an ordered dictionary."""
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return make_call("_dict", self.generic_visit(ast.ListComp(pair, node.generators)))

    def visit_List(self, node: ast.List) -> ast.AST:
        """Return a list, joined of its parts if some are starred."""
        return self._join_starred(node, "list")

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        """Return a tuple, joined of its parts if some are starred."""
        return self._join_starred(node, "tuple")

    def visit_Set(self, node: ast.Set) -> ast.AST:
        """Return a set, joined of its parts if some are starred."""
        return self._join_starred(node, "set")

    def _join_starred(self, node: Any, kind: str) -> ast.AST:
        is_read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        if not is_read or not any(isinstance(item, ast.Starred) for item in node.elts):
            return self.generic_visit(node)
        parts = []
        for item in node.elts:
            is_starred = isinstance(item, ast.Starred)
            inner = self.visit(item.value if is_starred else item)
            parts.append(inner if is_starred else ast.Tuple([inner], ast.Load()))
        joined = make_call("_join", *parts)
        return joined if kind == "list" else make_call(kind, joined)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Return a call in place of a slice with a step."""
        if isinstance(node.slice, ast.Slice) and node.slice.step is not None:
            bounds = (node.slice.lower, node.slice.upper, node.slice.step)
            visited = [self.visit(bound) if bound else ast.Constant(None) for bound in bounds]
            return make_call("_slice", self.visit(node.value), *visited)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Return a call of what MicroPython has."""
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in METHODS:
            owner = function.value
            node.func = ast.Name("_call_method", ast.Load())
            node.args = [owner, ast.Constant(function.attr), *node.args]
            return self.generic_visit(node)
        is_map = isinstance(function, ast.Name) and function.id == "map"
        for called in (function, *(node.args[:1] if is_map else ())):
            if isinstance(called, ast.Name) and self._is_builtin(called):
                called.id = BUILTINS.get(called.id, called.id)
        return self.generic_visit(node)

    def _is_builtin(self, name: ast.Name) -> bool:
        return not self._is_local(name.id) and self._resolve(name) is None

    def visit_Match(self, node: ast.Match) -> ast.AST:
        """Raise an error: MicroPython has no `match`."""
        raise UnsupportedSyntaxError("match")

    def visit_Global(self, node: ast.Global) -> ast.AST:
        """Raise an error: variables of modules are constants in the page."""
        raise UnsupportedSyntaxError("global")


def make_call(name: str, *arguments: Any) -> ast.expr:
    """Return a call of a function by its name."""
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _list_all_arguments(args: ast.arguments) -> Iterable[ast.arg]:
    single = [arg for arg in (args.vararg, args.kwarg) if arg]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *single]


def _list_arguments(args: ast.arguments) -> set[str]:
    return {arg.arg for arg in _list_all_arguments(args)}


def _list_assigned(body: Iterable[ast.AST]) -> set[str]:
    """Return the names that statements assign, without those of functions and comprehensions."""
    names: set[str] = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        if isinstance(node, COMPREHENSIONS):
            names |= {part.target.id for part in ast.walk(node) if isinstance(part, ast.NamedExpr)}
        elif not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            names |= _list_assigned(ast.iter_child_nodes(node))
    return names
