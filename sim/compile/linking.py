"""How machine code is made: an entry is linked with all rules that it calls, and optimized once.

numba optimizes every function on its own, and again inside each function that calls it, and makes
code for calls from outside. A rule is only called by compiled code. So a rule is only lowered
(`_RuleLibrary`), and an entry (`_EntryLibrary`) takes in all that it calls and is optimized as a
whole: functions that nothing else can call may be inlined, and are never bound to another entry's
copy of the same name.

hardmode's own rules do not index from the end (Cython's word: wraparound is off), which would be
checked at every access. Code of others keeps Python's meaning and is checked, with all that it
calls: it may ask hardmode's own code for any index, and an index below 0 is refused there.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from llvmlite import binding, ir
from llvmlite.binding import ffi
from numba import _dynfunc, types
from numba.core import ir as numba_ir
from numba.core.codegen import JITCodeLibrary
from numba.core.cpu import CPUContext
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack, TargetConfig

MAX_NAME_CHARS = 100  # of a record type
SCHEME = "linked once, short names, kept lean, parts made small"  # part of every fingerprint
ENVIRONMENT_PREFIX = "_ZN08NumbaEnv"  # of numba's own object for each function
SUPPORTED = all(
    hasattr(of, name)
    for of, names in (
        (
            JITCodeLibrary,
            (
                "finalize",
                "get_pointer_to_function",
                "serialize_using_object_code",
                "_get_compiled_object",
                "_optimize_final_module",
                "_optimize_functions",
                "get_defined_functions",
            ),
        ),
        (TargetConfig(), ("_values", "options")),
        (ConfigStack, ("top_or_none",)),
        (types.BaseFunction, ("get_call_type", "get_impl_key")),
        (numba_ir.Inst, ("_rec_list_vars",)),
        (CPUContext, ("get_executable", "codegen", "_compile_subroutine_no_cache")),
        (_dynfunc, ("make_function",)),
        (getattr(ffi.lib, "_lock", None), ("_cblist",)),
    )
    for name in names
)


class _Library(JITCodeLibrary):
    """Library of machine code that knows all libraries that it needs, directly or not."""

    def _optimize_functions(self, module: Any) -> None:
        """Make a module smaller, function by function; an entry is optimized as a whole later."""
        module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager(opt=1)
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def list_linked_libraries(self) -> Iterator[Any]:
        """Return all libraries that this one needs, each once."""
        libraries = list(self._linking_libraries)
        for library in libraries:  # grows while it is iterated
            if isinstance(library, _RuleLibrary):
                libraries += [x for x in library._linking_libraries if x not in libraries]
        return iter(dict.fromkeys(libraries))


class _RuleLibrary(_Library):
    """Library of a rule: lowered to LLVM, and never turned into machine code."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0  # no machine code


class _EntryLibrary(_Library):
    """Library of an entry together with all that it calls."""

    def finalize(self) -> None:
        self._own = {f.name for f in self._final_module.functions if not f.is_declaration}
        self._linking_libraries = list(self.list_linked_libraries())
        super().finalize()

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in self._own:
                function.linkage = binding.Linkage.internal
        for variable in self._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT_PREFIX) and not variable.is_declaration:
                # dropped if nothing refers to it any more
                variable.linkage = binding.Linkage.linkonce_odr
        super()._optimize_final_module()

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """Return what is cached: the machine code, and a module that names what can be called.

        numba would also store the LLVM code for linking, which an entry never needs; reading it
        would take most of a start.
        """
        names = [
            f.name for f in self.get_defined_functions() if f.linkage != binding.Linkage.internal
        ]
        named = binding.parse_assembly(
            "\n".join(f'define void @"{name}"() {{ ret void }}' for name in names)
        )
        return self.name, "object", (self._get_compiled_object(), named.as_bitcode())


# -- the contexts in which they are compiled ------------------------------------------------------


class _Context(CPUContext):
    """Context that compiles a function into one of the libraries above."""

    wraparound = True

    def _compile_subroutine_no_cache(self, *args: Any, **kwargs: Any) -> Any:
        """Compile numba's own code, which may index from the end."""
        other = copy.copy(self)
        other.wraparound = True
        return CPUContext._compile_subroutine_no_cache(other, *args, **kwargs)


class _RuleContext(_Context):
    def refresh(self) -> None:
        """Do nothing: the registries were refreshed when compilation of the entry started."""

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        library._ensure_finalized()
        return _dynfunc.make_function(
            fndesc.lookup_module(), fndesc.qualname.split(".")[-1], "", 0, env, (library,)
        )


class CompileTarget(NamedTuple):
    """Target of compilation, as numba's compiler expects it."""

    options: Any
    typing_context: Any
    target_context: Any


def _name_records_shortly() -> None:
    """Replace long names of record types by digests.

    numba writes a record's name, with all fields and theirs, for every call of every rule.
    """
    first: Callable = types.Record.__init__

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        first(self, *args, **kwargs)
        if len(self.name) > MAX_NAME_CHARS:
            digest = hashlib.sha256(self.name.encode()).hexdigest()[:32]
            self.name = f"Record({digest};{self.size};{self.aligned})"

    types.Record.__init__, types.Record.__repr__ = init, types.Record.__str__


def _compare_options_quickly() -> None:
    """Compare compiler options by those that are set; numba compares all, at every call."""
    first: Callable = TargetConfig.__eq__

    def equal(self: Any, other: Any) -> Any:
        if type(self) is not type(other):
            return first(self, other)
        return self._values == other._values or all(
            getattr(self, name) == getattr(other, name)
            for name in {**self._values, **other._values}
        )

    TargetConfig.__eq__ = equal  # type: ignore[method-assign]
    TargetConfig.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign]


def _remember_operators() -> None:
    """Cache what numba finds for operators on numbers and arrays, thousands of times."""
    first: Callable = types.BaseFunction.get_call_type
    known: dict[Any, tuple[Any, Any]] = {}
    plain = (types.Number, types.Boolean, types.IntEnumMember, types.Array, types.BaseTuple)

    def call_type(self: Any, context: Any, args: tuple, kws: Any) -> Any:
        if kws or not args or not all(isinstance(a, plain) for a in args):
            return first(self, context, args, kws)
        options = ConfigStack.top_or_none()
        key = self, context, args, options
        if key not in known:
            signature = first(self, context, args, kws)
            key = self, context, args, options and options.copy()
            known[key] = signature, self.get_impl_key(signature)
        signature, self._impl_keys[signature.args] = known[key]
        return signature

    types.BaseFunction.get_call_type = call_type


def _list_variables_quickly() -> None:
    """Skip attributes of instructions that cannot hold variables when numba lists variables."""
    first: Callable = numba_ir.Inst._rec_list_vars

    @cache
    def may_hold(kind: Any) -> bool:
        return issubclass(kind, (numba_ir.Var, numba_ir.Inst, list, tuple, dict))

    def variables(self: Any, within: Any) -> list[Any]:
        if type(within) is not dict:
            return first(self, within)
        return [
            found
            for one in within.values()
            if may_hold(one.__class__)
            for found in first(self, one)
        ]

    numba_ir.Inst._rec_list_vars = variables


def _drop_llvmlite_lock_callbacks() -> None:
    """Remove callbacks of LLVM's lock, which cost time at every call and do nothing."""
    ffi.lib._lock._cblist.clear()


if SUPPORTED:
    _name_records_shortly()  # before any record has a name
    _compare_options_quickly()
    _remember_operators()
    _list_variables_quickly()
    _drop_llvmlite_lock_callbacks()


@cache
def get_compile_target(whole: bool, wraparound: bool) -> CompileTarget:
    """Return the target of an entry (`whole`) or of a rule; initializes numba's compiler.

    Args:
        whole: Whether it is for an entry.
        wraparound: Whether a negative index counts from the end.
    """
    _disable_negative_indexing()
    context = copy.copy(cpu_target.target_context)
    context.__class__ = _Context if whole else _RuleContext
    context._internal_codegen = copy.copy(context._internal_codegen)
    context._internal_codegen._library_class = _EntryLibrary if whole else _RuleLibrary
    context.cached_internal_func = {}
    context.wraparound = wraparound
    return CompileTarget(cpu_target.options, cpu_target.typing_context, context)


@cache
def _disable_negative_indexing() -> None:
    """Leave negative indices negative where the context says so; not in numba's own functions."""
    from numba.np import arrayobj

    fixed: Callable = arrayobj.fix_integer_index

    def index(context: Any, builder: Any, idxty: Any, idx: Any, size: Any) -> Any:
        if getattr(context, "wraparound", True):
            return fixed(context, builder, idxty, idx, size)
        if isinstance(idx, ir.Constant) and idx.constant < 0:
            raise TypingError(
                f"{idx.constant} is not an index: hardmode's own code does not count from the end"
            )
        return context.cast(builder, idx, idxty, types.intp)

    arrayobj.fix_integer_index = index
