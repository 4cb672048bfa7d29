"""How an entry's machine code is made of the rules that it calls: linked once, optimised once.

numba optimises every function on its own and then again inside each that calls it, and keeps machine code of each for
calls from outside. A rule is only ever called by compiled code. So a rule stays as it was lowered (`_Part`), and an
entry (`_Whole`) takes in all that it reaches, makes it its own and has it optimised once: what nobody else can call
may be written into its callers, and is never bound to another entry's copy of the same name.

An index below 0 is not taken to count from the end in hardmode's own rules, which none of them asks for: to look for
it at every access takes a twentieth of a game's time. Code from outside keeps Python's meaning, and is checked, with
all that it calls: what it asks of hardmode's own code may be anything, and an index below 0 is refused there.
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

LONG = 100  # letters of a name
SCHEME = "linked once, short names, kept lean, parts made small"  # part of every fingerprint
ENVIRONMENT = "_ZN08NumbaEnv"  # what numba's own objects of a function are named by
FITS = all(
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
    """Knows all libraries that it needs, directly or not."""

    def _optimize_functions(self, module: Any) -> None:
        """Only what stands in a module, and only what makes it smaller: an entry is optimised as a whole."""
        module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager(opt=1)
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def reached(self) -> Iterator[Any]:
        found = list(self._linking_libraries)
        for library in found:
            if isinstance(library, _Part):
                found += [one for one in library._linking_libraries if one not in found]
        return iter(dict.fromkeys(found))


class _Part(_Library):
    """A rule, as it was lowered."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0  # there is no machine code


class _Whole(_Library):
    """An entry with all that it reaches."""

    def finalize(self) -> None:
        self._own = {f.name for f in self._final_module.functions if not f.is_declaration}
        self._linking_libraries = list(self.reached())
        super().finalize()

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in self._own:
                function.linkage = binding.Linkage.internal
        for variable in self._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT) and not variable.is_declaration:
                variable.linkage = (
                    binding.Linkage.linkonce_odr
                )  # gone where nothing is left that asks for it
        super()._optimize_final_module()

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """What is kept: the machine code, and a module that names what can be called. numba would keep all of the
        code for those who link it, which nobody does, and to read that again would be most of a start."""
        names = [
            f.name for f in self.get_defined_functions() if f.linkage != binding.Linkage.internal
        ]
        named = binding.parse_assembly(
            "\n".join(f'define void @"{name}"() {{ ret void }}' for name in names)
        )
        return self.name, "object", (self._get_compiled_object(), named.as_bitcode())


# -- the contexts in which they are compiled --------------------------------------------------------


class _Context(CPUContext):
    """Compiles a function into a library of ours."""

    counts_from_end = True

    def _compile_subroutine_no_cache(self, *args: Any, **kwargs: Any) -> Any:
        """numba's own code may count from the end."""
        other = copy.copy(self)
        other.counts_from_end = True
        return CPUContext._compile_subroutine_no_cache(other, *args, **kwargs)


class _PartContext(_Context):
    def refresh(self) -> None:
        """Nothing new is known since the entry was begun, for which this is compiled."""

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        library._ensure_finalized()
        return _dynfunc.make_function(
            fndesc.lookup_module(), fndesc.qualname.split(".")[-1], "", 0, env, (library,)
        )


class Target(NamedTuple):
    """What a function is compiled for, as numba's compiler asks for it."""

    options: Any
    typing_context: Any
    target_context: Any


def _name_records_shortly() -> None:
    """A record's name spells out all of its fields, and all of theirs, and is spelled for every call of every rule.
    A digest of it tells records apart as well."""
    first: Callable = types.Record.__init__

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        first(self, *args, **kwargs)
        if len(self.name) > LONG:
            self.name = f"Record({hashlib.sha256(self.name.encode()).hexdigest()[:32]};{self.size};{self.aligned})"

    types.Record.__init__, types.Record.__repr__ = init, types.Record.__str__


def _compare_options_quickly() -> None:
    """At every call of every rule numba asks whether it still compiles by the same options, and reads all of them out,
    set or not: a tenth of all compiling. Those that nobody has set are alike."""
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
    """What an operator makes of numbers and arrays is asked for thousands of times, and each time numba looks through
    all that it can be applied to: a tenth of all compiling."""
    first: Callable = types.BaseFunction.get_call_type
    known: dict[Any, tuple[Any, Any]] = {}
    plain = (types.Number, types.Boolean, types.IntEnumMember, types.Array, types.BaseTuple)

    def call_type(self: Any, context: Any, args: tuple, kws: Any) -> Any:
        if kws or not args or not all(isinstance(a, plain) for a in args):
            return first(self, context, args, kws)
        options = ConfigStack.top_or_none()
        key = self, context, args, options
        if key not in known:
            made = first(self, context, args, kws)
            known[self, context, args, options and options.copy()] = made, self.get_impl_key(made)
        made, self._impl_keys[made.args] = known[key]
        return made

    types.BaseFunction.get_call_type = call_type


def _list_variables_quickly() -> None:
    """Which variables an instruction names is asked for a dozen times: what can hold none, as the line that it stands
    in, is not looked into."""
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


def _tell_nobody_of_every_call() -> None:
    """Whenever LLVM is asked for something numba tells whoever listens, and nobody does: a fiftieth of compiling."""
    ffi.lib._lock._cblist.clear()


if FITS:
    _name_records_shortly()  # before any record has a name
    _compare_options_quickly()
    _remember_operators()
    _list_variables_quickly()
    _tell_nobody_of_every_call()


@cache
def target(whole: bool, counts_from_end: bool) -> Target:
    """What an entry, or else a rule, is compiled for. Not asked for before something is compiled: it wakes numba."""
    _read_indices_as_they_are()
    made = copy.copy(cpu_target.target_context)
    made.__class__ = _Context if whole else _PartContext
    made._internal_codegen = copy.copy(made._internal_codegen)
    made._internal_codegen._library_class = _Whole if whole else _Part
    made.cached_internal_func = {}
    made.counts_from_end = counts_from_end
    return Target(cpu_target.options, cpu_target.typing_context, made)


@cache
def _read_indices_as_they_are() -> None:
    """Where a context asks for it, a negative index stays negative: numba's own functions keep Python's meaning."""
    from numba.np import arrayobj

    fixed: Callable = arrayobj.fix_integer_index

    def index(context: Any, builder: Any, idxty: Any, idx: Any, size: Any) -> Any:
        if getattr(context, "counts_from_end", True):
            return fixed(context, builder, idxty, idx, size)
        if isinstance(idx, ir.Constant) and idx.constant < 0:
            raise TypingError(
                f"{idx.constant} is no place: hardmode's own code does not count from the end"
            )
        return context.cast(builder, idx, idxty, types.intp)

    arrayobj.fix_integer_index = index
