"""Studies that take longer than a report has, computed beforehand (see `precompute`).

They are stored beside their scenario, and are used as long as the digests of all that they depend
on are the same: rules, kernel, box, what is known of its numbers, scenario and players. The code of
the studies is not among them: a change of it that gives other results must raise `SCHEMA`. Of
another file, nothing is used, and the report plays what its time allows.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from hardmode.scenarios.load import Scenario, Variant
from hardmode.scenarios.variant import compute_digest
from hardmode.sim.results.result import Result
from hardmode.strategies import registry
from hardmode.studies.core.metric import estimate_win_rate
from hardmode.studies.core.reference_players import with_steady, with_trained
from hardmode.studies.core.run import make_empty_result, make_engine
from hardmode.studies.core.skill_levels import SKILL_LEVELS
from hardmode.studies.report_run.codec import SchemaMismatchError, decode_study
from hardmode.studies.report_run.data import PlayedVariant
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.uncertainty.analysis import UncertaintyAnalysis

SCHEMA = 4
FILE_SUFFIX = ".studies.json.gz"
PRECOMPUTED_FIELDS = (  # of `ReportData`
    "sensitivity",
    "uncertainty",
    "option_values",
    "luck",
    "decision_point",
    "turning_points",
)
# Attributes of a parameter that say nothing of which values it may have, or how likely each is.
WORDS = ("file", "from_", "line", "note", "prior_reason", "unit")
READ_ERRORS = (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError)


@dataclass(frozen=True)
class Precomputed:
    """Studies of a scenario that need not be played.

    Attributes:
        studies: Studies by the name of their field of `ReportData`.
        expert: The first cell as experts play it.
        seconds: Time that they took; 0.0 if there are none.
    """

    studies: Mapping[str, Any] = field(default_factory=dict)
    expert: PlayedVariant | None = None
    seconds: float = 0.0


def get_studies_path(scenario: Scenario) -> Path:
    """Return the path of the file with the precomputed studies of a scenario."""
    return scenario.file.with_name(scenario.file.stem + FILE_SUFFIX)


def compute_studies_digests(scenario: Scenario) -> dict[str, str]:
    """Return the digests of all that the studies of a scenario depend on."""
    cell = scenario.cells[0]
    game = cell.game.name
    digests = dict(make_empty_result(scenario, cell, make_engine(cell).players, 0).digests)
    digests["priors"] = _compute_priors_digest(cell)
    known = registry.list_strategies(game)
    for level in SKILL_LEVELS:
        if level in known:
            player = registry.create_player(game, level)
            described = f"{player.compute_digest()} {list(player.weights)} {player.rollout_budget}"
            digests[f"{level} plays"] = described
    return digests


def _compute_priors_digest(cell: Variant) -> str:
    """Return the digest of what the box says of its numbers: sources, ranges, alternatives, priors.

    The digest of the box holds their values only.
    """
    parameters = []
    for path, parameter in sorted(cell.parameters.items()):
        attributes = {f.name: getattr(parameter, f.name) for f in fields(parameter)}
        parameters.append([path, [attributes[name] for name in attributes if name not in WORDS]])
    return compute_digest(parameters)


def load_precomputed(scenario: Scenario, confidence: float) -> Precomputed:
    """Return the precomputed studies of a scenario that are valid, at a confidence.

    Args:
        scenario: The scenario.
        confidence: Confidence of the intervals of the report.

    Returns:
        The studies; none if they are not valid.
    """
    data = _read_valid(scenario)
    if not data or data["confidence"] != confidence:
        return Precomputed()
    cells = _find_study_cells(scenario.cells[0])
    try:
        studies = {
            name: decode_study(encoded, scenario, cells)
            for name, encoded in data["parts"].items()
            if name in PRECOMPUTED_FIELDS
        }
        expert = None
        if data["expert"]:
            result = Result.from_dict(data["expert"]["result"])
            expert = PlayedVariant(**{**data["expert"], "result": result})
        return Precomputed(studies, expert, data["seconds"])
    except (SchemaMismatchError, KeyError, TypeError, ValueError):
        return Precomputed()


def load_expert_win_rate(scenario: Scenario, confidence: float) -> Estimate | None:
    """Return the win rate of experts in a scenario's first cell, if it was played beforehand.

    Args:
        scenario: The scenario.
        confidence: Confidence of the interval.
    """
    data = _read_valid(scenario)
    if not data or not data["expert"]:
        return None
    tally = Result.from_dict(data["expert"]["result"]).tally
    return estimate_win_rate(tally, confidence)


def load_precomputed_uncertainty(scenario: Scenario) -> UncertaintyAnalysis | None:
    """Return the precomputed uncertainty analysis of a scenario, if it is valid."""
    data = _read_valid(scenario)
    if not data:
        return None
    cells = _find_study_cells(scenario.cells[0])
    try:
        analysis = decode_study(data["parts"]["uncertainty"], scenario, cells)
    except (SchemaMismatchError, KeyError, TypeError, ValueError):
        return None
    return analysis if isinstance(analysis, UncertaintyAnalysis) else None


def _find_study_cells(first: Variant) -> dict[str, Variant]:
    """Return the variants that studies are about, by digest: as named, by trained, by steady."""
    trained = with_trained(first)
    cells = (first, trained, with_steady(trained))
    return {cell.digests["scenario"]: cell for cell in cells if cell}


def _read_valid(scenario: Scenario) -> dict[str, Any] | None:
    """Return the content of the file, or None if there is none for this version."""
    path = get_studies_path(scenario)
    if scenario.overlay or len(scenario.cells) > 1 or not path.is_file():
        return None
    try:
        data = json.loads(gzip.decompress(path.read_bytes()))
        is_valid = (
            data["hardmode"] == "studies"
            and data["schema"] == SCHEMA
            and data["digests"] == compute_studies_digests(scenario)
        )
    except READ_ERRORS:
        return None
    return data if is_valid else None
