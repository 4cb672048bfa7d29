"""All that hardmode needs of numba beyond what numba documents.

There are seven things. For each a constant or check tells at import whether this numba has it:

- CAN_DISABLE_NRT: compile without reference counts. Records and lists belong to the workspace,
  which outlives every call, and counting takes a fifth of a game's time. Without it, games are
  slower.
- CAN_LINK_WHOLE: link an entry with all that it calls, and optimize it once (`linking`). Without
  it, every rule is optimized again in each of its callers: compiling takes twice as long, games
  are slower.
- CAN_UNLITERAL: compile a rule once for all values of a number, whether it is a literal, a member
  of an enum or a variable. Without it, compiling takes twice as long.
- CAN_REDIRECT_CACHE: choose the folder and stamp of numba's cache for each entry, and the number
  from which a process counts its functions. numba begins at 1 in every process, and where code
  from the files of two processes has the same names, the linker takes the first for both: the
  wrong strategy would play. Without it, nothing is cached.
- CHECK_INDICES: in a process with HARDMODE_CHECK_INDICES=1, refuse an index below 0, which means
  the last item, like one beyond the end. Without it, such a process refuses to start.
- The types of an entry that was just compiled (a return of a fraction as an integer is refused),
  and the code of a signature. Without them, hardmode refuses to start.
"""

from __future__ import annotations

import dis
import inspect
import itertools
import os
from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import config, ir
from numba.core.cpu import CPUTargetOptions
from numba.core.dispatcher import Dispatcher
from numba.core.errors import TypingError
from numba.core.registry import CPUDispatcher

from hardmode.sim.messages import warn_once

try:
    from hardmode.sim.compile import linking
except ImportError:
    linking = None  # type: ignore[assignment]
try:
    from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
except ImportError:
    _FunctionCompiler = None
try:
    from numba.core.types.misc import unliteral
except ImportError:
    unliteral = None
try:
    from numba.core.caching import Cache, _CacheLocator
except ImportError:
    Cache, _CacheLocator = None, object  # type: ignore[assignment, misc]
try:
    from numba.core.bytecode import FunctionIdentity
except ImportError:
    FunctionIdentity = None


class UnsupportedNumbaError(ImportError):
    """Raised at import if hardmode cannot play with the installed numba."""


_LOCATOR = {
    "get_cache_path",
    "get_source_stamp",
    "get_disambiguator",
    "ensure_cache_path",
    "from_function",
}


# -- the probes -----------------------------------------------------------------------------------


def _takes(function: Any, *names: str) -> bool:
    """Return whether these are the names of a function's first parameters."""
    if not callable(function):
        return False
    return [*inspect.signature(function).parameters][: len(names)] == list(names)


def _make_empty_dispatcher() -> Any:
    """Return a dispatcher that has compiled nothing."""
    return CPUDispatcher(lambda: 0)


CAN_DISABLE_NRT = (
    hasattr(CPUTargetOptions, "_nrt")
    and _FunctionCompiler is not None
    and type(getattr(_make_empty_dispatcher(), "_compiler", None)) is _FunctionCompiler
    and _takes(getattr(_FunctionCompiler, "_compile_core", None), "self", "args", "return_type")
)
CAN_LINK_WHOLE = CAN_DISABLE_NRT and getattr(linking, "SUPPORTED", False)
CAN_UNLITERAL = unliteral is not None and _takes(
    Dispatcher.get_call_template, "self", "args", "kws"
)
CAN_REDIRECT_CACHE = (
    _CacheLocator is not object
    and hasattr(config, "CACHE_LOCATOR_CLASSES")
    and all(hasattr(_CacheLocator, name) for name in _LOCATOR)
    and set(getattr(_CacheLocator, "__abstractmethods__", ())) <= _LOCATOR
    and hasattr(Cache, "_load_overload")
    and isinstance(getattr(FunctionIdentity, "_unique_ids", None), itertools.count)
)

# part of every fingerprint
CHECK_INDICES = os.environ.get("HARDMODE_CHECK_INDICES", "0") not in ("", "0")

if not all(
    hasattr(_make_empty_dispatcher(), name)
    for name in ("overloads", "targetoptions", "add_overload", "disable_compile", "compile")
):
    raise UnsupportedNumbaError(
        f"hardmode cannot be used with numba {numba.__version__}: compiled functions lack "
        "attributes that it needs"
    )


def list_missing_features() -> list[str]:
    """Return, as sentences, what the installed numba lacks and what follows from that."""
    sentences = []
    if not CAN_DISABLE_NRT:
        sentences.append("reference counts cannot be left out: games are played slower")
    elif not CAN_LINK_WHOLE:
        sentences.append(
            "rules are optimized again in each of their callers: compiling takes longer, "
            "and games are slower"
        )
    if not CAN_UNLITERAL:
        sentences.append("a rule is compiled again for each literal number: compiling takes longer")
    if not CAN_REDIRECT_CACHE:
        sentences.append("machine code cannot be cached: everything is compiled anew")
    return sentences


for _sentence in list_missing_features():
    warn_once(f"with numba {numba.__version__}, {_sentence}")

if CAN_REDIRECT_CACHE:
    FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(6)))


# -- checked indices ------------------------------------------------------------------------------


if CHECK_INDICES:
    if not CAN_LINK_WHOLE:
        raise UnsupportedNumbaError(
            f"hardmode cannot check indices with numba {numba.__version__}: "
            "an index below 0 cannot be refused"
        )
    config.BOUNDSCHECK = 1


# -- compiling without counts ---------------------------------------------------------------------


def make_dispatcher(function: Callable, **options: Any) -> Any:
    """Return a dispatcher like that of `numba.njit`, without reference counts where possible."""
    return _dispatcher(function, True, options)


def _dispatcher(function: Callable, whole: bool, options: dict[str, Any]) -> Any:
    if not CAN_DISABLE_NRT:
        return numba.njit(nogil=True, **options)(function)
    dispatcher = numba.njit(nogil=True, _nrt=_calls_numpy(function), **options)(function)
    dispatcher._compiler.__class__ = _Compiler
    dispatcher._compiler.whole = whole
    return dispatcher


class _Compiler(_FunctionCompiler or object):  # type: ignore[misc]
    """Compiler that leaves reference counts out where possible.

    A function that makes an array, or receives a new one from a call, needs them.
    """

    targetoptions: dict[str, Any]
    whole: bool
    is_builtin = False  # a rule of hardmode itself, compiled with checked indices

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        checked = bool(self.targetoptions.get("boundscheck"))
        if CAN_LINK_WHOLE:
            self.targetdescr = linking.get_compile_target(
                self.whole, checked and not (self.is_builtin or CHECK_INDICES)
            )
        _checking.append(checked)
        try:
            return self._with_counts_or_without(args, return_type)
        finally:
            _checking.pop()

    def _with_counts_or_without(self, args: Any, return_type: Any) -> Any:
        if not self.targetoptions["_nrt"]:
            result = self._without_counts(args, return_type)
            if result and not _receives_counted_object(result):
                return result
            self.targetoptions = {**self.targetoptions, "_nrt": True}
        return super()._compile_core(args, return_type)

    def _without_counts(self, args: Any, return_type: Any) -> Any:
        """Return None if numba refuses: the function makes an array, or will be refused again."""
        try:
            return super()._compile_core(args, return_type)
        except Exception:
            return None


def _receives_counted_object(result: Any) -> bool:
    """Return whether a call inside returns an array or list, which would never be freed."""
    models = result.target_context.data_model_manager
    for call, signature in result.type_annotation.calltypes.items():
        is_call = isinstance(call, ir.Expr) and call.op == "call"
        if signature and is_call and models[signature.return_type].contains_nrt_meminfo():
            return True
    return False


def _calls_numpy(function: Callable) -> bool:
    """Return whether a function calls one of numpy's that may make an array.

    Then compiling without reference counts need not be tried.
    """
    names = function.__code__.co_names
    uses_numpy = any(function.__globals__.get(name) is np for name in names)
    if not uses_numpy or not any(map(_may_make_array, names)):
        return False  # nearly always, and faster than to read the bytecode
    for step, next_step in itertools.pairwise(dis.get_instructions(function)):
        is_numpy = step.opname == "LOAD_GLOBAL" and function.__globals__.get(step.argval) is np
        if is_numpy and _may_make_array(next_step.argval):
            return True
    return False


def _may_make_array(name: Any) -> bool:
    """Return whether this is the name of a function of numpy that may make an array."""
    function = vars(np).get(name)
    return callable(function) and not isinstance(function, (type, np.ufunc))


# -- rules ----------------------------------------------------------------------------------------


# for each function that is being compiled, innermost last: whether its indices are checked
_checking = [False]


class Rule(CPUDispatcher):
    """Dispatcher of a rule: compiled where compiled code calls it, and plain Python elsewhere."""

    _checked: Rule | None = None

    def __call__(self, *args: Any) -> Any:
        """Call the rule as plain Python."""
        return self.py_func(*args)

    def _checked_variant(self) -> CPUDispatcher:
        """Return the dispatcher for a caller: checked if the caller's indices are checked."""
        if not _checking[-1] or self.targetoptions.get("boundscheck"):
            return self
        if self._checked is None:
            self._checked = make_rule_dispatcher(self.py_func, boundscheck=True)
            if CAN_DISABLE_NRT:
                self._checked._compiler.is_builtin = True
        return self._checked

    def get_call_template(self, args: tuple, kws: dict) -> Any:
        """Return the signature for a call in compiled code."""
        if CAN_UNLITERAL:
            args, kws = tuple(map(_plain, args)), {name: _plain(a) for name, a in kws.items()}
        return CPUDispatcher.get_call_template(self._checked_variant(), args, kws)

    def get_overload(self, sig: Any) -> Any:
        """Return the compiled code for a signature."""
        return CPUDispatcher.get_overload(self._checked_variant(), sig)


def _plain(argument: Any) -> Any:
    """Return the type of an argument without what is known of its value."""
    return argument.dtype if isinstance(argument, types.IntEnumMember) else unliteral(argument)


def make_rule_dispatcher(function: Callable, *, boundscheck: bool = False) -> Rule:
    """Return the dispatcher of a rule, which only compiled code calls as machine code."""
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    if boundscheck:
        options["boundscheck"] = True
    dispatcher = _dispatcher(function, False, options)
    dispatcher.__class__ = Rule
    return dispatcher


# -- the files of an entry ------------------------------------------------------------------------


class _Locator(_CacheLocator):  # type: ignore[valid-type, misc]
    """Locator that sends numba's cache of one entry to a given folder."""

    where = stamp = ""

    def __init__(self) -> None:
        self._where, self._stamp, self._py_file = self.where, self.stamp, "?"

    def get_cache_path(self) -> str:
        """Return the folder."""
        return self._where

    def get_source_stamp(self) -> str:
        """Return what the files are stamped with."""
        return self._stamp

    def get_disambiguator(self) -> str:
        """Return the same for all: a folder has one entry."""
        return "0"

    def ensure_cache_path(self) -> None:
        """Create the folder."""
        os.makedirs(self._where, exist_ok=True)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        """Return the locator of a function."""
        return cls()


def set_cache_directory(dispatcher: Any, directory: str, stamp: str) -> None:
    """Let numba cache an entry in a folder; not thread-safe: the setting is one of the process."""
    _Locator.where, _Locator.stamp = directory, stamp
    config.CACHE_LOCATOR_CLASSES = f"{__name__}._Locator"
    try:
        dispatcher.enable_caching()
    finally:
        config.CACHE_LOCATOR_CLASSES = ""


def load_cached_code(dispatcher: Any, signature: Any, uses_runtime: bool) -> bool:
    """Load the machine code of an entry from its files; return whether it was there.

    numba itself would first initialize its compiler, which takes longer than the rest of a start.

    Args:
        dispatcher: The entry, after `set_cache_directory`.
        signature: Signature of the code.
        uses_runtime: Whether the code counts references, for which numba's runtime is needed.
    """
    import numba.experimental.function_type  # noqa: F401  that functions may be handed to functions

    if uses_runtime:
        from numba.core.runtime import rtsys

        rtsys.initialize(dispatcher.targetctx)
    code = dispatcher._cache._load_overload(signature, dispatcher.targetctx)
    if code is None:
        return False
    dispatcher.targetctx.insert_user_function(code.entry_point, code.fndesc, [code.library])
    dispatcher.add_overload(code)
    return True


# -- what was compiled ----------------------------------------------------------------------------


class FrozenDispatcher(CPUDispatcher):
    """Dispatcher of an entry that compiles nothing more and remembers the types of its calls.

    At every call numba would determine the types of all arguments, and of each function among them
    whether it has the signature: that takes longer than a game.
    """

    MAX_KINDS = 64  # of calls that are remembered

    def __call__(self, *args: Any) -> Any:
        """Call the machine code, without asking numba if such a call was made before."""
        kinds = tuple(map(_kind, args))
        entry_point = self._calls.get(kinds)
        if entry_point:
            return entry_point[0](*args)
        result = super().__call__(*args)
        if len(self._calls) == self.MAX_KINDS:
            self._calls.clear()
        code = next(iter(self.overloads.values()))
        self._calls[kinds] = code.entry_point, args  # args are kept, so that their ids stay unique
        return result

    def get_compile_result(self, sig: Any) -> Any:
        """Return the code of a signature, found once."""
        if id(sig) not in self._compile_results:
            self._compile_results[id(sig)] = super().get_compile_result(sig), sig
        return self._compile_results[id(sig)][0]


def _kind(argument: Any) -> Any:
    """Return what decides on the type of an argument."""
    if isinstance(argument, np.ndarray):
        return type(argument), id(argument.dtype), argument.ndim, argument.flags.num
    if isinstance(argument, tuple):
        return tuple(map(_kind, argument))
    return type(argument) if isinstance(argument, (int, float, np.generic)) else id(argument)


def freeze_dispatcher(dispatcher: Any) -> None:
    """Make an entry compile nothing more, and its calls fast."""
    dispatcher.disable_compile()
    dispatcher.__class__ = FrozenDispatcher
    dispatcher._calls, dispatcher._compile_results = {}, {}
    for code in dispatcher.overloads.values():  # machine code is not moved
        code.library.get_pointer_to_function = cache(code.library.get_pointer_to_function)


def forbid_float_to_int_return(dispatcher: Any, signature: Any) -> None:
    """Refuse a compiled function that returns a float as an integer; numba would truncate it.

    Raises:
        TypingError: It does so.
    """
    if signature.return_type is not types.int64:
        return
    annotation = next(iter(dispatcher.overloads.values())).type_annotation
    for block in annotation.blocks.values():
        for cast in block.find_exprs("cast"):
            if isinstance(annotation.typemap[cast.value.name], types.Float):
                message = "No conversion from float64 to int64 for '$return_value'"
                raise TypingError(message, cast.loc)
