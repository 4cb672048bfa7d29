"""Parts of numba's compiler that serve hardmode's functions alone.

numba compiles every function for calls from anywhere: optimised on its own, with reference counts,
and with Python's meaning of negative indices. The rules of a game are only called by compiled code
of the same game, so this can be left out. numba has no option for it, but a dispatcher can bring
its own compiler, target and code library. These are subclasses of numba's classes, and numba itself
is left as it is found. Each part can be switched off (see `features`):

| part | gain (measured) | upstream | without it |
|---|---|---|---|
| `linking`: rules are linked into an entry point once, and optimised there | 15 to 26 % more games a second, compiling / 1.3 to 1.8 | numba#9393 | each rule is optimised again in each caller |
| `uncounted`: no reference counts | 4 to 16 % more games a second | numba#2345 | records are counted |
| `unwrapped`: array indices do not wrap around | 0 to 6 % more games a second | numba#3205 | as in Python |
| `cached`: an entry point's machine code in a file of its own | no stale code | numba#1833, numba#8396 | each process compiles anew |
| `direct_calls`: calls without inspection of the arguments | 0.9 ms less a call | numba#10486 | numba inspects them |
"""  # noqa: E501  a table

from __future__ import annotations

import dis
import operator
import os
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, errors
from numba.core import config as numba_config
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.ir import Expr
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.runtime import rtsys
from numba.core.serialize import dumps
from numba.core.targetconfig import ConfigStack

from hardmode.sim.compile.features import CHECK_INDICES, FEATURES
from hardmode.sim.compile.rule_dispatcher import RuleDispatcher
from hardmode.sim.files.cache_folder import read_entry, write_entry

ENVIRONMENT_PREFIX = "_ZN08NumbaEnv"  # of the variables in which numba keeps a function's globals
PROCESS_NUMBER = int.from_bytes(os.urandom(6), "little") << 20  # added to numbers of functions
INDEXING = (operator.getitem, operator.setitem)

# -- libraries: LLVM code of a function, and what is linked into it -------------------------------


class HardmodeLibrary(JITCodeLibrary):
    """Code library of a rule or entry point."""

    _linking_libraries: list[Any]

    def _optimize_functions(self, ll_module: Any) -> None:
        """Simplify each function a little; the entry point is optimised as a whole later.

        With NUMBA_OPT=0 the code stays as it was lowered.
        """
        ll_module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager(opt=min(1, int(numba_config.OPT)))
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, builder)


class RuleLibrary(HardmodeLibrary):
    """Code of a rule as it was lowered, without machine code: it is linked into entry points."""

    def finalize(self) -> None:
        """Accept no more code."""
        self._raise_if_finalized()
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return the null pointer."""
        return 0


class EntryLibrary(HardmodeLibrary):
    """Code of an entry point with all rules that it reaches, optimised as a whole."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._addresses: dict[str, int] = {}

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function; LLVM is asked once for each name."""
        if name not in self._addresses:
            self._addresses[name] = super().get_pointer_to_function(name)
        return self._addresses[name]

    def finalize(self) -> None:
        """Link all rules, also those that rules call, and make machine code."""
        libraries = list(self._linking_libraries)
        for library in libraries:
            if isinstance(library, RuleLibrary):
                libraries += [x for x in library._linking_libraries if x not in libraries]
        self._linking_libraries = list(dict.fromkeys(libraries))
        functions = self._final_module.functions
        self._own_names = {f.name for f in functions if not f.is_declaration}
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Make the linked rules private first, so that LLVM inlines or drops them."""
        linkage = llvmlite.binding.Linkage
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in self._own_names:
                function.linkage = linkage.internal
        for variable in self._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT_PREFIX) and not variable.is_declaration:
                variable.linkage = linkage.linkonce_odr
        super()._optimize_final_module()

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """Return the machine code, and a module that only declares what can be called.

        numba adds the bitcode of everything, for callers that link it. An entry point has none, and
        reading the bitcode would take most of a warm start.
        """
        internal = llvmlite.binding.Linkage.internal
        names = [f.name for f in self.get_defined_functions() if f.linkage != internal]
        stubs = "\n".join(f'define void @"{name}"() {{ ret void }}' for name in names)
        bitcode = llvmlite.binding.parse_assembly(stubs).as_bitcode()
        return self.name, "object", (self._get_compiled_object(), bitcode)


class EntryCodegen(JITCPUCodegen):
    """Code generator of entry points, which shares numba's LLVM engine."""

    _library_class: type[HardmodeLibrary] = EntryLibrary

    def __init__(self) -> None:
        self.__dict__.update(vars(cpu_target.target_context.codegen()))


class RuleCodegen(EntryCodegen):
    """Code generator of rules."""

    _library_class = RuleLibrary

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing: a rule has no address to which its globals could be written."""


# -- contexts: how a function is lowered to LLVM --------------------------------------------------


class EntryContext(CPUContext):
    """Context of entry points, which shares numba's registries.

    Args:
        wraps_indices: Whether the index -1 means the last item, as in Python.
    """

    codegen_class: type[EntryCodegen] = EntryCodegen

    def __init__(self, wraps_indices: bool) -> None:
        self.__dict__.update(vars(cpu_target.target_context))
        self.wraps_indices = wraps_indices or not FEATURES.unwrapped
        self.cached_internal_func: dict[Any, Any] = {}
        if FEATURES.linking:
            self._internal_codegen = self.codegen_class()

    def _compile_subroutine_no_cache(self, *args: Any, **kwargs: Any) -> Any:
        """Compile numba's own helpers, in which indices may wrap around."""
        context = self.subtarget(wraps_indices=True)
        return CPUContext._compile_subroutine_no_cache(context, *args, **kwargs)

    def get_function(self, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
        """Return how an operation is lowered.

        An array that is indexed by signed integers is indexed by unsigned ones instead: numba
        documents that these do not wrap around.
        """
        if not self.wraps_indices and sig.args and isinstance(sig.args[0], types.Buffer):
            operation = fn.get_impl_key(sig.as_function()) if isinstance(fn, types.Callable) else fn
            if operation in INDEXING:
                array, index, *values = sig.args
                unsigned = make_unsigned(index)
                signature = sig.replace(args=(array, unsigned, *values))
                lower = super().get_function(operation, signature, _firstcall)
                return lower if unsigned is index else self._cast_first(lower, index, unsigned)
        return super().get_function(fn, sig, _firstcall)

    def _cast_first(self, lower: Callable, index: Any, unsigned: Any) -> Callable:
        def lower_with_cast(builder: Any, args: Any, loc: Any = None) -> Any:
            array, value, *values = args
            if isinstance(index, types.BaseTuple):
                parts = cgutils.unpack_tuple(builder, value, len(index))
                kinds = zip(parts, index, unsigned, strict=True)
                cast = [self._cast_index(builder, *part) for part in kinds]
                value = self.make_tuple(builder, unsigned, cast)
            else:
                value = self._cast_index(builder, value, index, unsigned)
            return lower(builder, (array, value, *values), loc)

        return lower_with_cast

    def _cast_index(self, builder: Any, value: Any, index: Any, unsigned: Any) -> Any:
        if unsigned is index:
            return value
        if isinstance(value, ir.Constant) and value.constant < 0:
            raise errors.TypingError(
                f"{value.constant} is not an index: hardmode's own code does not count from the end"
            )
        return self.cast(builder, value, index, types.intp)


def make_unsigned(index: Any) -> Any:
    """Return an index type with unsigned integers; the same object if it has no signed ones."""
    if isinstance(index, types.Integer):
        return types.uintp if index.signed else index
    if not isinstance(index, types.BaseTuple):
        return index
    parts = [make_unsigned(part) for part in index]
    return index if parts == list(index) else types.Tuple(parts)


class RuleContext(EntryContext):
    """Context of rules."""

    codegen_class = RuleCodegen

    def refresh(self) -> None:
        """Do nothing: the registries were read when compiling of the entry point began."""


class Target(NamedTuple):
    """What numba's compiler asks of a target."""

    options: Any
    typing_context: Any
    target_context: Any


@cache
def get_target(context_class: type[EntryContext], wraps_indices: bool) -> Target:
    """Return the target of rules or entry points; the first call initialises numba's compiler."""
    context = context_class(wraps_indices)
    return Target(cpu_target.options, cpu_target.typing_context, context)


# -- the compiler ---------------------------------------------------------------------------------


class ArgumentTypes(tuple):
    """Types of arguments with a short text: numba makes a text of them for each of its passes.

    A record's text spells out all of its fields. This shortens compiling by a tenth.
    """

    def __str__(self) -> str:
        return f"{len(self)} arguments"


class NumberedCompiler(Compiler):
    """Pipeline in which functions of different processes have different names.

    numba numbers functions from 1 in each process. Where the machine code of two processes is
    loaded side by side, equal names would be taken for one function.
    """

    def _compile_bytecode(self) -> Any:
        self.state.args = ArgumentTypes(self.state.args)
        function = self.state.func_id
        function.unique_id += PROCESS_NUMBER
        function.unique_name = f"{function.func_qualname}${function.unique_id}"
        return super()._compile_bytecode()


class UncountedCompiler(_FunctionCompiler):
    """Compiler that leaves out reference counts where that is safe.

    Args:
        function: The function.
        options: Options of numba.
        context_class: The context to compile for.
        wraps_indices: Whether indices wrap around.
    """

    targetoptions: dict[str, Any]

    def __init__(
        self,
        function: Callable,
        options: dict[str, Any],
        context_class: type[EntryContext],
        wraps_indices: bool,
    ) -> None:
        # said explicitly, because an option that is left out is taken over from the caller
        options = {**options, "_nrt": True}
        super().__init__(function, cpu_target, options, {}, NumberedCompiler)
        self.context_class: Any = context_class
        self.wraps_indices = wraps_indices

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        self.targetdescr = get_target(self.context_class, self.wraps_indices)
        result = None
        if FEATURES.uncounted and not calls_array_function(self.py_func):
            result = self._compile_uncounted(args, return_type)
        return result or super()._compile_core(args, return_type)

    def _compile_uncounted(self, args: Any, return_type: Any) -> CompileResult | None:
        """Return None if counts are needed, or the function is wrong and will be refused again."""
        options = self.targetoptions
        self.targetoptions = {**options, "_nrt": False}
        try:
            result = super()._compile_core(args, return_type)
        except Exception:
            return None
        finally:
            self.targetoptions = options
        return None if receives_counted_values(result) else result


def calls_array_function(function: Callable) -> bool:
    """Return whether a function of numpy is called that may make an array, which is counted.

    It is not tried without counts, because numba would remember that this failed.
    """
    module = None
    for step in dis.get_instructions(function):
        if module is np:
            member = getattr(np, str(step.argval), None)
            if callable(member) and not isinstance(member, (type, np.ufunc)):
                return True
        module = function.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
    return False


def receives_counted_values(result: CompileResult) -> bool:
    """Return whether a function that is called returns an array or list: it would not be freed."""
    models = result.target_context.data_model_manager
    for call, signature in result.type_annotation.calltypes.items():
        is_call = isinstance(call, Expr) and call.op == "call"
        if is_call and signature and models[signature.return_type].contains_nrt_meminfo():
            return True
    return False


# -- dispatchers ----------------------------------------------------------------------------------


class LinkedRuleDispatcher(RuleDispatcher):
    """A rule that is linked into entry points.

    Args:
        function: The rule.
        boundscheck: Whether indices are checked.
        is_trusted: Whether it is hardmode's own, though checked: its indices do not wrap around.
    """

    def __init__(self, function: Callable, boundscheck: bool, is_trusted: bool = False) -> None:
        super().__init__(function, boundscheck)
        options = {**self.targetoptions, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        wraps_indices = boundscheck and not is_trusted and not CHECK_INDICES
        context = RuleContext if FEATURES.linking else EntryContext
        self._compiler = UncountedCompiler(function, options, context, wraps_indices)
        self._checked: LinkedRuleDispatcher | None = None

    def get_call_template(self, args: tuple, kws: dict) -> Any:
        """Return how the rule is called."""
        return RuleDispatcher.get_call_template(self._find_variant(), args, kws)

    def get_overload(self, sig: Any) -> Any:
        """Return the compiled version for a signature."""
        return RuleDispatcher.get_overload(self._find_variant(), sig)

    def _find_variant(self) -> LinkedRuleDispatcher:
        """Return the rule as its caller needs it: with checks, if the caller has them."""
        flags = ConfigStack.top_or_none()
        if not flags or not flags.boundscheck or self.targetoptions["boundscheck"]:
            return self
        if self._checked is None:
            self._checked = LinkedRuleDispatcher(self.py_func, True, is_trusted=True)
        return self._checked


class EntryDispatcher(CPUDispatcher):
    """An entry point: called from Python, or passed to another one as a first-class function.

    It is compiled for one signature. Once compiling is disabled, calls go straight to the machine
    code, which refuses what it cannot convert but does not compare types in full.

    Args:
        function: The function.
        boundscheck: Whether indices are checked, also in all rules that it calls.
    """

    def __init__(self, function: Callable, boundscheck: bool) -> None:
        options: dict[str, Any] = {"nopython": True, "nogil": True, "boundscheck": boundscheck}
        super().__init__(function, targetoptions=options)
        wraps_indices = boundscheck and not CHECK_INDICES
        self._compiler = UncountedCompiler(function, options, EntryContext, wraps_indices)
        self._frozen: CompileResult | None = None

    def use_cache(self, path: Path) -> None:
        """Write the machine code to a file when it is compiled."""
        self._cache = EntryCache(path)

    @global_compiler_lock
    def load(self, path: Path) -> bool:
        """Take the machine code from a file; return whether it was there.

        `compile` can do so too, but initialises numba's compiler first, which takes longer.
        """
        result = read_code(path)
        if result is None:
            return False
        self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        self.add_overload(result)
        self.disable_compile()
        return True

    def disable_compile(self, val: bool = True) -> None:
        """Compile nothing more."""
        super().disable_compile(val)
        if FEATURES.direct_calls:
            (self._frozen,) = self.overloads.values()

    def __call__(self, *args: Any) -> Any:
        """Call the machine code."""
        if self._frozen is None:
            return super().__call__(*args)
        return self._frozen.entry_point(*args)

    def get_compile_result(self, sig: Any) -> CompileResult:
        """Return the machine code for another entry point that calls this one."""
        return self._frozen or super().get_compile_result(sig)


def read_code(path: Path) -> CompileResult | None:
    """Return a compiled entry point from its file, or None if that is missing or damaged."""
    content = read_entry(path)
    if content is None:
        return None
    import numba.experimental.function_type  # noqa: F401  registers functions as arguments

    context = get_target(EntryContext, False).target_context
    if b"NRT_" in bytes(content):  # the code calls numba's runtime
        rtsys.initialize(context)
    return CompileResult._rebuild(context, *pickle.loads(content))


class EntryCache(NullCache):
    """Writes the machine code of an entry point to a file when it is compiled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def save_overload(self, sig: Any, cres: CompileResult) -> None:
        """Write the file, unless the code contains addresses of this process."""
        if not cres.library.has_dynamic_globals:
            write_entry(self.path, dumps(cres._reduce()))
