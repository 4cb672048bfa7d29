"""Pig with a mistake in it: a copy of its package with one text replaced."""

from __future__ import annotations

import importlib.util
import itertools
import re
import shutil
import sys
from pathlib import Path

from hardmode.sim.contract import Game

PIG = Path(__file__).parents[1] / "examples" / "pig"
_number = itertools.count()


def broken(folder: Path, old: str, new: str, file: str = "__init__.py") -> Path:
    """The package, in `folder`, under Pig's name."""
    package = folder / "pig"
    shutil.copytree(PIG, package, ignore=shutil.ignore_patterns("__pycache__"))
    text = (package / file).read_text()
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
    (package / file).write_text(text.replace(old, new))
    return package


def hog(folder: Path, old: str, new: str) -> Path:
    """The package as a game of its own, called hog, that is found where HARDMODE_PATH names the folder."""
    package = broken(folder, old, new).rename(folder / "hog")
    shutil.rmtree(package / "players", ignore_errors=True)  # they play pig
    for file in [*package.glob("*.py"), *package.glob("scenarios/*.yaml")]:
        file.write_text(re.sub(r"\bpig\b", "hog", file.read_text()))
    return package


def line(package: Path, text: str, file: str = "__init__.py") -> int:
    """The number of the first line that holds a text."""
    lines = (package / file).read_text().splitlines()
    return next(n for n, one in enumerate(lines, 1) if text in one)


def rules(package: Path) -> Game:
    """The game of a package, imported under a name of its own."""
    name = f"broken_pig_{next(_number)}"
    spec = importlib.util.spec_from_file_location(name, package / "__init__.py")
    assert spec and spec.loader
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.GAME
