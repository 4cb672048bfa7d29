"""All that hardmode asks of numba beyond what numba promises, in one place.

Seven things, each with a probe that says at import whether it still fits:

- compiling without reference counts: records and lists belong to the desk, which outlives every call, and counting
  who holds them takes a fifth of a game's time. Does it not fit, counts are kept and games are slower.
- how an entry is linked with what it calls, and optimised (`linking`). Does it not fit, every rule is optimised again
  in each of its callers: compiling takes twice as long, and games are slower.
- one version of a rule for a number, whether it is written out in the caller, named by an enum or neither. Does it
  not fit, compiling takes twice as long.
- where numba's own cache keeps the files of one entry, and what stamps them. Does it not fit, nothing is cached.
- from which number a process counts its functions: numba begins at 1 in each, and where code from two processes'
  files has the same names, the linker takes the first for both. Does it not fit, nothing is cached: the wrong
  strategy would play.
- in a process that looks for slips (HARDMODE_CHECK_INDICES=1), that an index below 0, which means the last one, is
  refused like one beyond the end. Does it not fit, such a process refuses to start.
- what is known of an entry that was just compiled: its types (a fraction cut off is refused), and the version that
  fits a signature. Does it not fit, hardmode refuses to start.
"""

from __future__ import annotations

import dis
import inspect
import itertools
import os
import warnings
from collections.abc import Callable, Iterator
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


class DoesNotFit(ImportError):
    """This numba is not one that hardmode can play with."""


_LOCATOR = {
    "get_cache_path",
    "get_source_stamp",
    "get_disambiguator",
    "ensure_cache_path",
    "from_function",
}


# -- the probes -----------------------------------------------------------------------------------


def _takes(function: Any, *names: str) -> bool:
    return callable(function) and [*inspect.signature(function).parameters][: len(names)] == list(
        names
    )


def _made() -> Any:
    """A dispatcher that compiles nothing."""
    return CPUDispatcher(lambda: 0)


COUNTS_CAN_GO = (
    hasattr(CPUTargetOptions, "_nrt")
    and _FunctionCompiler is not None
    and type(getattr(_made(), "_compiler", None)) is _FunctionCompiler
    and _takes(getattr(_FunctionCompiler, "_compile_core", None), "self", "args", "return_type")
)
LINKED_ONCE = COUNTS_CAN_GO and getattr(linking, "FITS", False)
ONE_VERSION = unliteral is not None and _takes(Dispatcher.get_call_template, "self", "args", "kws")
CACHE_CAN_BE_SENT = (
    _CacheLocator is not object
    and hasattr(config, "CACHE_LOCATOR_CLASSES")
    and all(hasattr(_CacheLocator, name) for name in _LOCATOR)
    and set(getattr(_CacheLocator, "__abstractmethods__", ())) <= _LOCATOR
    and hasattr(Cache, "_load_overload")
    and isinstance(getattr(FunctionIdentity, "_unique_ids", None), itertools.count)
)

CHECKS_INDICES = os.environ.get("HARDMODE_CHECK_INDICES", "0") not in (
    "",
    "0",
)  # part of every fingerprint

if not all(
    hasattr(_made(), name)
    for name in ("overloads", "targetoptions", "add_overload", "disable_compile", "compile")
):
    raise DoesNotFit(
        f"hardmode does not fit numba {numba.__version__}: an entry does not tell what it was compiled to"
    )


def misfits() -> list[str]:
    """What of this numba hardmode has to do without."""
    return [
        what
        for fits, what in (
            (COUNTS_CAN_GO, "reference counts cannot be left out: games are played slower"),
            (
                LINKED_ONCE or not COUNTS_CAN_GO,
                "rules are optimised anew in each of their callers: compiling takes longer, games are slower",
            ),
            (
                ONE_VERSION,
                "a rule is compiled once for each number written out: compiling takes longer",
            ),
            (
                CACHE_CAN_BE_SENT,
                "the cache of machine code cannot be kept: everything is compiled anew",
            ),
        )
        if not fits
    ]


for _what in misfits():
    warnings.warn(f"with numba {numba.__version__}, {_what}", stacklevel=2)

if CACHE_CAN_BE_SENT:
    FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(6)))


# -- slips ----------------------------------------------------------------------------------------


if CHECKS_INDICES:
    if not LINKED_ONCE:
        raise DoesNotFit(
            f"hardmode does not fit numba {numba.__version__}: an index below 0 cannot be refused"
        )
    config.BOUNDSCHECK = 1


# -- compiling without counts ---------------------------------------------------------------------


def dispatcher(function: Callable, **options: Any) -> Any:
    """Like `numba.njit`, without counting who holds an array where that is known to do."""
    return _dispatcher(function, True, options)


def _dispatcher(function: Callable, whole: bool, options: dict[str, Any]) -> Any:
    if not COUNTS_CAN_GO:
        return numba.njit(nogil=True, **options)(function)
    made = numba.njit(nogil=True, _nrt=_calls_numpy(function), **options)(function)
    made._compiler.__class__ = _Compiler
    made._compiler.whole = whole
    return made


class _Compiler(_FunctionCompiler or object):  # type: ignore[misc]
    """Compiles without counts where that is known to do, else with them: what makes an array of its own, or is
    handed a new one, needs them."""

    targetoptions: dict[str, Any]
    whole: bool
    ours = False  # whether it is hardmode's own that is checked

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        checked = bool(self.targetoptions.get("boundscheck"))
        if LINKED_ONCE:
            self.targetdescr = linking.target(
                self.whole, checked and not (self.ours or CHECKS_INDICES)
            )
        _checking.append(checked)
        try:
            return self._with_counts_or_without(args, return_type)
        finally:
            _checking.pop()

    def _with_counts_or_without(self, args: Any, return_type: Any) -> Any:
        if not self.targetoptions["_nrt"]:
            made = self._without_counts(args, return_type)
            if made and not _is_handed_new(made):
                return made
            self.targetoptions = {**self.targetoptions, "_nrt": True}
        return super()._compile_core(args, return_type)

    def _without_counts(self, args: Any, return_type: Any) -> Any:
        """None where numba refuses: the function makes an array, or is wrong and will be refused again."""
        try:
            return super()._compile_core(args, return_type)
        except Exception:
            return None


def _is_handed_new(made: Any) -> bool:
    """Whether a call within returns what is counted (an array, a list): a new one would never be given back."""
    models = made.target_context.data_model_manager
    return any(
        models[sign.return_type].contains_nrt_meminfo()
        for call, sign in made.type_annotation.calltypes.items()
        if sign and isinstance(call, ir.Expr) and call.op == "call"
    )


def _calls_numpy(function: Callable) -> bool:
    """Whether a function of numpy's is called that may make an array: known beforehand, so need not be tried."""
    names = function.__code__.co_names
    if not any(function.__globals__.get(name) is np for name in names) or not any(
        map(_makes, names)
    ):
        return False  # next to all: to look at their steps takes longer
    steps = list(dis.get_instructions(function))
    held = [
        function.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
        for step in steps
    ]
    return any(
        _makes(after.argval) for module, after in zip(held, steps[1:], strict=False) if module is np
    )


def _makes(name: Any) -> bool:
    """Whether this may be a function of numpy's that makes an array."""
    found = vars(np).get(name)
    return callable(found) and not isinstance(found, (type, np.ufunc))


# -- rules ----------------------------------------------------------------------------------------


_checking = [
    False
]  # of the functions that are being compiled, innermost last: whether their indices are checked


class Rule(CPUDispatcher):
    """A rule is compiled where compiled code calls it; called from Python (by a game's words) it is plain Python."""

    _checked: Rule | None = None

    def __call__(self, *args: Any) -> Any:
        return self.py_func(*args)

    def _meant(self) -> CPUDispatcher:
        """What a caller is given: where its indices are checked it may ask for anything, so all it calls is checked."""
        if not _checking[-1] or self.targetoptions.get("boundscheck"):
            return self
        if self._checked is None:
            self._checked = compiled_into_callers(self.py_func, boundscheck=True)
            if COUNTS_CAN_GO:
                self._checked._compiler.ours = True
        return self._checked

    def get_call_template(self, args: tuple, kws: dict) -> Any:
        if ONE_VERSION:
            args, kws = tuple(map(_plain, args)), {name: _plain(a) for name, a in kws.items()}
        return CPUDispatcher.get_call_template(self._meant(), args, kws)

    def get_overload(self, sig: Any) -> Any:
        return CPUDispatcher.get_overload(self._meant(), sig)


def _plain(argument: Any) -> Any:
    """The type of an argument without what is known of its value."""
    return argument.dtype if isinstance(argument, types.IntEnumMember) else unliteral(argument)


def compiled_into_callers(function: Callable, *, boundscheck: bool = False) -> Rule:
    checked = {"boundscheck": True} if boundscheck else {}
    made = _dispatcher(
        function, False, {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, **checked}
    )
    made.__class__ = Rule
    return made


# -- the files of an entry ------------------------------------------------------------------------


class _Locator(_CacheLocator):  # type: ignore[valid-type, misc]
    """Sends numba's cache of one entry to a directory of ours."""

    where = stamp = ""

    def __init__(self) -> None:
        self._where, self._stamp, self._py_file = self.where, self.stamp, "?"

    def get_cache_path(self) -> str:
        return self._where

    def get_source_stamp(self) -> str:
        return self._stamp

    def get_disambiguator(self) -> str:
        return "0"

    def ensure_cache_path(self) -> None:
        os.makedirs(self._where, exist_ok=True)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        return cls()


def cache_in(made: Any, directory: str, stamp: str) -> None:
    """Let numba keep the machine code of an entry in a directory; its setting is global to the process."""
    _Locator.where, _Locator.stamp = directory, stamp
    config.CACHE_LOCATOR_CLASSES = f"{__name__}._Locator"
    try:
        made.enable_caching()
    finally:
        config.CACHE_LOCATOR_CLASSES = ""


def load(made: Any, signature: Any, counts: bool) -> bool:
    """Take the machine code of an entry from its files, where it is there. numba would first wake all that it knows of
    compiling, which takes longer than the rest of a start; its runtime only where the code counts who holds arrays."""
    import numba.experimental.function_type  # noqa: F401  that functions may be handed to functions

    if counts:
        from numba.core.runtime import rtsys

        rtsys.initialize(made.targetctx)
    found = made._cache._load_overload(signature, made.targetctx)
    if found is not None:
        made.targetctx.insert_user_function(found.entry_point, found.fndesc, [found.library])
        made.add_overload(found)
    return found is not None


# -- what was compiled ----------------------------------------------------------------------------


class Closed(CPUDispatcher):
    """An entry of which nothing more is compiled. At every call numba would find out of what types the arguments are,
    and of each function among them whether it may be called so: that takes longer than a game."""

    MOST = 64  # kinds of calls that are remembered

    def __call__(self, *args: Any) -> Any:
        kinds = tuple(map(_kind, args))
        entry_point = self._calls.get(kinds)
        if entry_point:
            return entry_point[0](*args)
        answer = super().__call__(*args)
        if len(self._calls) == self.MOST:
            self._calls.clear()
        self._calls[kinds] = (
            next(iter(self.overloads.values())).entry_point,
            args,
        )  # so that ids stay taken
        return answer

    def get_compile_result(self, sig: Any) -> Any:
        if id(sig) not in self._asked:
            self._asked[id(sig)] = super().get_compile_result(sig), sig
        return self._asked[id(sig)][0]


def _kind(argument: Any) -> Any:
    """What of an argument numba looks at."""
    if isinstance(argument, np.ndarray):
        return type(argument), id(argument.dtype), argument.ndim, argument.flags.num
    if isinstance(argument, tuple):
        return tuple(map(_kind, argument))
    return type(argument) if isinstance(argument, (int, float, np.generic)) else id(argument)


def close(made: Any) -> None:
    made.disable_compile()
    made.__class__ = Closed
    made._calls, made._asked = {}, {}
    for found in made.overloads.values():  # code stays where it is
        found.library.get_pointer_to_function = cache(found.library.get_pointer_to_function)


def refuse_fractions(made: Any, signature: Any) -> None:
    """numba cuts a fraction off where a whole number is to be returned, and says nothing."""
    if signature.return_type is not types.int64:
        return
    for cast, kind in _casts(made):
        if isinstance(kind, types.Float):
            raise TypingError("No conversion from float64 to int64 for '$return_value'", cast.loc)


def _casts(made: Any) -> Iterator[tuple[Any, Any]]:
    notes = next(iter(made.overloads.values())).type_annotation
    for block in notes.blocks.values():
        for cast in block.find_exprs("cast"):
            yield cast, notes.typemap[cast.value.name]
