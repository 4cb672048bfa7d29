"""Users' own Python files of strategies: how they are found and imported."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
import traceback
from pathlib import Path
from types import ModuleType

from hardmode.sim.compile.safe_import import redirect_stdout_to_stderr
from hardmode.sim.files.paths import expand_home, explain_unreadable, is_file, shorten_path
from hardmode.sim.files.text import shorten_value
from hardmode.sim.play.player import StrategyError
from hardmode.strategies.sources import check_imports

MODULE_PREFIX = "_own_"  # of the module names of users' files
FORMER_PACKAGES = ("sim", "strategies", "scenarios", "reports")  # now parts of hardmode
MAX_FILE_BYTES = 4_000_000


def is_user_module(module: ModuleType) -> bool:
    """Return whether a module is a user's file."""
    return module.__name__.startswith(MODULE_PREFIX)


def import_user_file(name: str, folder: Path | None) -> tuple[ModuleType, str]:
    """Import a user's file and return its module and the name of the function.

    Args:
        name: The file and the function, as in `mine.py:my_strategy`.
        folder: The folder in which a relative path is looked for first.

    Raises:
        StrategyError: There is no such file, or it cannot be imported.
    """
    path_text, _, function = name.rpartition(":")
    if not path_text:
        raise StrategyError(f"{name!r}: say which function plays, as in {name}:my_strategy")
    path = _find_file(path_text, folder)
    digest = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
    module_name = f"{MODULE_PREFIX}{digest}"
    spec = importlib.util.spec_from_file_location(module_name, path.resolve())
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        check_imports(path)
        with redirect_stdout_to_stderr():
            spec.loader.exec_module(module)
    except StrategyError:
        raise
    except SyntaxError as error:
        location = f"{shorten_path(path)}:{error.lineno or 1}"
        raise StrategyError(f"{location}: {error.msg}") from None
    except BaseException as error:  # SystemExit, too
        raise _explain_import_error(error, path) from None
    return module, function


def _find_file(text: str, folder: Path | None) -> Path:
    path = expand_home(text)
    if not path.is_absolute() and folder and is_file(folder / path):
        path = folder / path
    if not is_file(path):
        raise StrategyError(f"{shorten_value(str(path))[1:-1]}: no such file")
    reason = explain_unreadable(path, MAX_FILE_BYTES)
    if reason:
        raise StrategyError(f"{shorten_path(path)}: {reason}")
    return path


def _explain_import_error(error: BaseException, path: Path) -> StrategyError:
    """Return an error with the last line of the file that was running."""
    line, code = 1, ""
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == str(path.resolve()):
            line, code = frame.lineno or 1, frame.line or ""
    message = _explain_former_package(error, code) or f"{type(error).__name__}: {error}"
    return StrategyError(f"{shorten_path(path)}:{line}: {message}")


def _explain_former_package(error: BaseException, code: str) -> str:
    """Return how to import what a line imports from a former package, or "" if it does not."""
    for package in FORMER_PACKAGES:
        is_missing = isinstance(error, ModuleNotFoundError) and error.name == package
        is_refused = isinstance(error, ImportError) and str(error).startswith(
            f"{package} is a part of hardmode:"
        )
        pattern = rf"(?<![\w.]){package}\b"
        corrected, n_found = re.subn(pattern, f"hardmode.{package}", code, count=1)
        if n_found and (is_missing or is_refused):
            return f"{package} is now hardmode.{package}: write {corrected}"
    return ""
