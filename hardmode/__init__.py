"""hardmode: how hard is a board game, for whom, and what makes it so?

The front door of Python:

    import hardmode

    results = hardmode.play("run_run_run/standard", games=20_000)
    print(results)                           # the win rate with its interval, endings, length
    hardmode.cells(results, pandas=True)     # a frame, one row per cell; also endings(), curves()
    hardmode.compare("run_run_run/standard", hardmode.load("run_run_run/standard", ["torches.start=+1"]))
    hardmode.train("run_run_run/standard", seconds=60, out="mine.yaml")    # tunes the players' weights

`play`, `compare` and `train` take a shipped name (`list_games` tells the games), a path, a dict with the content of a
scenario file, or what `load` and `variant` return. `Effort` says how much is played. What a name needs is imported
when it is first asked for.
"""

from __future__ import annotations

import importlib
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hardmode.reports.frames import cells, curves, endings
    from hardmode.scenarios.load import load, variant
    from hardmode.sim.contract.discovery import games as list_games
    from hardmode.studies.cluster.on import on
    from hardmode.studies.comparison.compare import compare
    from hardmode.studies.core.run import Effort, play
    from hardmode.studies.training.train import train

try:
    __version__ = _version("hardmode")
except PackageNotFoundError:  # a checkout that was never installed
    __version__ = "unknown"

_HOMES = {
    "load": "scenarios.load",
    "variant": "scenarios.load",
    "play": "studies.core.run",
    "Effort": "studies.core.run",
    "compare": "studies.comparison.compare",
    "train": "studies.training.train",
    "cells": "reports.frames",
    "curves": "reports.frames",
    "endings": "reports.frames",
    "on": "studies.cluster.on",
    "list_games": "sim.contract.discovery:games",
}

__all__ = [
    "Effort",
    "__version__",
    "cells",
    "compare",
    "curves",
    "endings",
    "list_games",
    "load",
    "on",
    "play",
    "train",
    "variant",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hardmode' has no attribute {name!r}")
    module, _, own = _HOMES[name].partition(":")
    return getattr(importlib.import_module(f"hardmode.{module}"), own or name)


def __dir__() -> list[str]:
    return sorted(__all__)
