"""Prints what of other libraries, and of the process, is another object after hardmode was used."""

import gc
import json
import os
import signal
import sys
import types
import warnings

import click  # noqa: F401
import llvmlite.binding
import llvmlite.ir  # noqa: F401
import matplotlib.backends.backend_agg
import matplotlib.figure  # noqa: F401
import numba.core.codegen
import numba.core.dispatcher
import numba.core.typeinfer
import numba.experimental.function_type
import numba.np.arrayobj
import numpy  # noqa: F401
import rich.console  # noqa: F401
import typer  # noqa: F401
from numba.core.registry import cpu_target

cpu_target.target_context.refresh()  # numba loads its own registries when it is first used
numba.njit(lambda x: x + 1)(1)

ROOMS = ("numba", "llvmlite", "numpy", "matplotlib", "typer", "click", "rich")
PLAIN = ("os", "sys", "gc", "warnings", "signal", "threading", "logging", "builtins", "contextlib", "subprocess", "io")
KINDS = (types.FunctionType, types.BuiltinFunctionType, type, staticmethod, classmethod, property)


def watched():
    """The functions and classes of all modules that are loaded, with the attributes of the classes."""
    for name, module in list(sys.modules.items()):
        if (name.split(".")[0] in ROOMS and isinstance(module, types.ModuleType)) or name in PLAIN:
            for key, value in list(vars(module).items()):
                if isinstance(value, KINDS):
                    yield f"{name}.{key}", value
                if isinstance(value, type) and value.__module__ == name:
                    for part, inner in list(vars(value).items()):
                        if isinstance(inner, KINDS) or callable(inner):
                            yield f"{name}.{key}.{part}", inner


def of_ruamel(warning_filter):
    """ruamel.yaml adds filters for its own warnings when it reads its first file."""
    return warning_filter[2].__module__.startswith("ruamel")


def settings():
    """What a process has one of."""
    hooks = {
        name: id(getattr(sys, name)) for name in ("excepthook", "displayhook", "unraisablehook", "stdout", "stderr")
    }
    return {
        **hooks,
        "trace": str(sys.gettrace()),
        "profile": str(sys.getprofile()),
        "recursion": sys.getrecursionlimit(),
        "gc": gc.get_threshold(),
        "gc on": gc.isenabled(),
        "frozen": gc.get_freeze_count(),
        "filters": [str(f) for f in warnings.filters if not of_ruamel(f)],
        "signals": {str(s): str(signal.getsignal(s)) for s in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)},
        "affinity": sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        "numba": {k: str(v) for k, v in vars(numba.config).items() if k.isupper()},
        "fds": [os.readlink(f"/proc/self/fd/{n}") for n in (0, 1, 2)] if os.path.isdir("/proc/self/fd") else None,
        "hooks of imports": [str(type(f)) for f in sys.meta_path if "editable" not in str(f).lower()],
    }


before, set_before = dict(watched()), settings()

if "hardmode" in sys.argv:
    import hardmode

    hardmode.play("pig/classic", games=200, threads=2)
if "patch" in sys.argv:
    numba.types.Record.__repr__ = numba.types.Record.__str__
    warnings.simplefilter("ignore")

after, set_after = dict(watched()), settings()
changed = sorted(name for name, value in before.items() if name not in after or after[name] is not value)
print(json.dumps([changed, {k: [set_before[k], set_after[k]] for k in set_before if set_before[k] != set_after[k]}]))
