"""Encode studies as JSON, and decode them.

Records of studies are encoded by the names of their classes and fields, variants by their digests.
Only the classes in `RECORDS` are decoded, so a file cannot create anything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any

import numpy as np

from hardmode.scenarios.load import Scenario, Variant
from hardmode.sim.draws import Event
from hardmode.studies.choices.analysis import ChoiceAnalysis, OptionEffect, OptionFrequencies
from hardmode.studies.choices.components import ComponentUsage
from hardmode.studies.game_flow.decision_point import (
    DecisionPointAnalysis,
    GameTrace,
    PositionEstimate,
)
from hardmode.studies.game_flow.turning_points import Swing, TurningPoints
from hardmode.studies.luck.analysis import DrawSummary, LuckAnalysis, VarianceSource
from hardmode.studies.sensitivity.analysis import SensitivityAnalysis
from hardmode.studies.sensitivity.group_screening import JointEffect
from hardmode.studies.sensitivity.paired_effects import ParameterEffect, PerturbedParameter
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.sobol import LevelVariance, SobolIndex, SobolIndices
from hardmode.studies.training.reference_choice import ReferenceChoice
from hardmode.studies.uncertainty.analysis import UncertaintyAnalysis, UncertaintySource
from hardmode.studies.uncertainty.band import UncertaintyBand
from hardmode.studies.uncertainty.robustness import RobustConclusion
from hardmode.studies.uncertainty.single_effects import LeadingReading, SingleEffect, SingleSource

RECORD_TYPES = (
    ChoiceAnalysis,
    ComponentUsage,
    DecisionPointAnalysis,
    DrawSummary,
    Estimate,
    GameTrace,
    JointEffect,
    LeadingReading,
    LevelVariance,
    LuckAnalysis,
    OptionEffect,
    OptionFrequencies,
    ParameterEffect,
    PerturbedParameter,
    PositionEstimate,
    ReferenceChoice,
    RobustConclusion,
    SensitivityAnalysis,
    SingleEffect,
    SingleSource,
    SobolIndex,
    SobolIndices,
    Swing,
    TurningPoints,
    UncertaintyAnalysis,
    UncertaintyBand,
    UncertaintySource,
    VarianceSource,
)
RECORDS: dict[str, Any] = {record.__name__: record for record in RECORD_TYPES}


class SchemaMismatchError(ValueError):
    """Raised when stored data does not match the records of this version."""


def encode_study(value: Any) -> Any:
    """Return a study, or any value in it, as JSON data.

    Raises:
        TypeError: The value has a part that is not known here.
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, np.generic):
        return encode_study(value.item())
    if isinstance(value, float):
        return value if isfinite(value) else {"float": str(value)}
    if isinstance(value, Variant):
        return {"cell": value.digests["scenario"]}
    if isinstance(value, Scenario):
        return {"scenario": value.name}
    if isinstance(value, Event):
        return {"event": list(value)}
    if is_dataclass(value):
        content = {f.name: encode_study(getattr(value, f.name)) for f in fields(value) if f.init}
        return {"record": type(value).__name__, "of": content}
    if isinstance(value, Mapping):
        return {"map": [[encode_study(key), encode_study(of)] for key, of in value.items()]}
    if isinstance(value, np.ndarray):
        return {"array": [value.dtype.str, value.tolist()]}
    if isinstance(value, tuple):
        return {"tuple": [encode_study(item) for item in value]}
    if isinstance(value, list):
        return [encode_study(item) for item in value]
    raise TypeError(f"a {type(value).__name__} is not part of a study")


def decode_study(data: Any, scenario: Scenario, cells: Mapping[str, Variant]) -> Any:
    """Return what `encode_study` encoded.

    Args:
        data: JSON data.
        scenario: The scenario of the study.
        cells: The variants that it may be about, by digest.

    Raises:
        SchemaMismatchError: The data has another record, field or variant.
    """
    try:
        return _decode(data, scenario, cells)
    except (KeyError, TypeError, ValueError) as error:
        raise SchemaMismatchError(f"{type(error).__name__}: {error}") from None


def _decode(data: Any, scenario: Scenario, cells: Mapping[str, Variant]) -> Any:
    def decode(item: Any) -> Any:
        return _decode(item, scenario, cells)

    if isinstance(data, list):
        return [decode(item) for item in data]
    if not isinstance(data, dict):
        return data
    if "record" in data:
        return RECORDS[data["record"]](**{name: decode(of) for name, of in data["of"].items()})
    ((kind, content),) = data.items()
    match kind:
        case "cell":
            return cells[content]
        case "scenario":
            return scenario
        case "event":
            return Event(*content)
        case "map":
            return {decode(key): decode(of) for key, of in content}
        case "array":
            return np.array(content[1], np.dtype(content[0]))
        case "tuple":
            return tuple(decode(item) for item in content)
        case "float":
            return float(content)
    raise KeyError(kind)
