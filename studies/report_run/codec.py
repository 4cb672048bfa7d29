"""Studies as text and back: records of the studies by their names, numbers and arrays; variants by their digests.

Only records that are named here are read, so a file can make nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any

import numpy as np

from hardmode.scenarios.load import Scenario, Variant
from hardmode.sim.draws import Event
from hardmode.studies.choices.analysis import Choice, Choices, Habit
from hardmode.studies.choices.components import Met
from hardmode.studies.game_flow.decision_point import Decided, Look, Watched
from hardmode.studies.game_flow.turning_points import Swing, Turning
from hardmode.studies.luck.analysis import Luck, Part
from hardmode.studies.sensitivity.analysis import Sensitivity
from hardmode.studies.sensitivity.group_screening import Effect
from hardmode.studies.sensitivity.paired_effects import Number
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.sobol import LevelShares, Share, Shares
from hardmode.studies.uncertainty.analysis import DoubtfulPart, Doubts
from hardmode.studies.uncertainty.robustness import Firm
from hardmode.studies.uncertainty.sobol_from_halves import DoubtBand

RECORDS: dict[str, Any] = {
    c.__name__: c
    for c in (
        Choice,
        Choices,
        Habit,
        Met,
        Decided,
        Look,
        Watched,
        DoubtBand,
        DoubtfulPart,
        Doubts,
        Estimate,
        Firm,
        Luck,
        Part,
        Number,
        Effect,
        Sensitivity,
        LevelShares,
        Share,
        Shares,
        Swing,
        Turning,
    )
}


class Unreadable(ValueError):
    """What stands there is no study of this version."""


def encode(what: Any) -> Any:
    """As JSON has it."""
    if isinstance(what, Variant):
        return {"cell": what.digests["scenario"]}
    if isinstance(what, Scenario):
        return {"scenario": what.name}
    if isinstance(what, Event):
        return {"event": list(what)}
    if is_dataclass(what):
        told = {f.name: encode(getattr(what, f.name)) for f in fields(what) if f.init}
        return {"record": type(what).__name__, "of": told}
    if isinstance(what, Mapping):
        return {"map": [[encode(k), encode(v)] for k, v in what.items()]}
    if isinstance(what, np.ndarray):
        return {"array": [what.dtype.str, what.tolist()]}
    if isinstance(what, tuple):
        return {"tuple": [encode(x) for x in what]}
    if isinstance(what, list):
        return [encode(x) for x in what]
    if isinstance(what, np.generic):
        return encode(what.item())
    if isinstance(what, float) and not isfinite(what):
        return {"float": str(what)}
    if what is None or isinstance(what, (bool, int, float, str)):
        return what
    raise TypeError(f"a {type(what).__name__} is not part of a study")


def decode(said: Any, scenario: Scenario, cells: Mapping[str, Variant]) -> Any:
    """What was encoded; a variant that is not among `cells` is none of this version."""

    def read(x: Any) -> Any:
        return decode(x, scenario, cells)

    if isinstance(said, list):
        return [read(x) for x in said]
    if not isinstance(said, dict):
        return said
    try:
        if "record" in said:
            return RECORDS[said["record"]](**{name: read(x) for name, x in said["of"].items()})
        ((kind, of),) = said.items()
        return {
            "cell": lambda: cells[of],
            "scenario": lambda: scenario,
            "event": lambda: Event(*of),
            "map": lambda: {read(k): read(v) for k, v in of},
            "array": lambda: np.array(of[1], np.dtype(of[0])),
            "tuple": lambda: tuple(read(x) for x in of),
            "float": lambda: float(of),
        }[kind]()
    except (KeyError, TypeError, ValueError) as why:
        raise Unreadable(f"{type(why).__name__}: {why}") from None
