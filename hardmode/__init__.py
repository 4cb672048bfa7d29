"""hardmode: how hard is a board game, for whom, and why?

The interface for Python:

    import hardmode

    results = hardmode.play("run_run_run/standard", games=20_000)
    print(results)                           # the win rate with its interval, endings, length
    results.to_pandas()                      # one row per cell; also to_polars()
    hardmode.endings(results)                # a frame, one row per ending; also cells(), curves()
    ax = hardmode.plot.endings(results)      # matplotlib `Axes`, to be restyled at will
    changed = hardmode.load("run_run_run/standard", ["torches.start=+1"])
    hardmode.compare("run_run_run/standard", changed)
    hardmode.train("run_run_run/standard", seconds=60, out="mine.yaml")  # tune a player's weights

`play`, `compare` and `train` take a shipped name (`list_games` returns the games), a path, a dict
with the content of a scenario file, or what `load` and `variant` return. An `Effort` says how much
is played. `with on(ADDRESS)` plays on a Dask cluster. Each name is imported when it is first used.
"""

from __future__ import annotations

import importlib
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hardmode.reports.plots import results as plot
    from hardmode.scenarios.load import create_variant as variant
    from hardmode.scenarios.load import load_scenario as load
    from hardmode.sim.contract.discovery import list_games
    from hardmode.studies.cluster.connection import use_cluster as on
    from hardmode.studies.comparison.compare import compare
    from hardmode.studies.core.frames import cells, curves, endings
    from hardmode.studies.core.run import Effort, play
    from hardmode.studies.training.train import train

try:
    __version__ = _version("hardmode")
except PackageNotFoundError:  # a checkout that was never installed
    __version__ = "unknown"

_LOCATIONS = {
    "load": "scenarios.load:load_scenario",
    "variant": "scenarios.load:create_variant",
    "play": "studies.core.run:play",
    "Effort": "studies.core.run:Effort",
    "compare": "studies.comparison.compare:compare",
    "train": "studies.training.train:train",
    "cells": "studies.core.frames:cells",
    "curves": "studies.core.frames:curves",
    "endings": "studies.core.frames:endings",
    "plot": "reports.plots.results",
    "on": "studies.cluster.connection:use_cluster",
    "list_games": "sim.contract.discovery:list_games",
}  # module of each public name, and its name there; without one, the module itself

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
    "plot",
    "train",
    "variant",
]


def __getattr__(name: str) -> Any:
    if name not in _LOCATIONS:
        names = ", ".join(__all__)
        raise AttributeError(f"module 'hardmode' has no attribute {name!r}; it has {names}")
    module, _, own_name = _LOCATIONS[name].partition(":")
    found = importlib.import_module(f"hardmode.{module}")
    return getattr(found, own_name) if own_name else found


def __dir__() -> list[str]:
    return sorted(__all__)
