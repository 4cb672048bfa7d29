"""Choice of the unknown numbers that are fitted together with the level of play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardmode.scenarios.dependencies import find_unmet_needs, join_needs
from hardmode.scenarios.load import ScenarioError, Variant
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.sim.files.yaml_io.errors import Location, find_nearest_names
from hardmode.studies.playtests.fit.posterior import compute_band
from hardmode.studies.playtests.fit.prior_samples import (
    MAX_SOURCES,
    MIN_VARIANCE_SHARE,
    PriorSamples,
)
from hardmode.studies.uncertainty.analysis import UncertaintyAnalysis
from hardmode.studies.uncertainty.priors import Prior

NO_FREE_PARAMETERS = "none"  # in place of a path: fit the level only
OPTION = Location("--free")


def check_free_parameters(cell: Variant, paths: Sequence[str]) -> list[str]:
    """Return the paths of the numbers to fit, each once.

    Args:
        cell: The variant.
        paths: Paths as the user wrote them, or `NO_FREE_PARAMETERS`.

    Raises:
        ScenarioError: A path is unknown, has no alternatives, or is not used by the rules.
    """
    if list(paths) == [NO_FREE_PARAMETERS]:
        return []
    for path in paths:
        parameter = cell.parameters.get(path)
        if parameter is None:
            nearest = find_nearest_names(path, cell.parameters)
            raise ScenarioError(OPTION, path, "no such number", nearest)
        if not Prior.can_vary(parameter):
            message = "it has no alternatives: give it a range or readings in a box of your own"
            raise ScenarioError(OPTION, path, message)
        unmet = [need for need in find_unmet_needs(parameter, cell.values) if need[0] not in paths]
        if unmet:
            message = f"no rule reads it here: it needs {join_needs(unmet)}"
            raise ScenarioError(OPTION, path, message)
    return list(dict.fromkeys(paths))


def choose_free_parameters(
    cell: Variant,
    uncertainty: UncertaintyAnalysis | None,
    prior: PriorSamples,
    win_rate: float | None,
) -> list[str]:
    """Return the unknown numbers that matter most and that the rules use in this variant.

    Args:
        cell: The variant.
        uncertainty: A kept uncertainty analysis, which covers other readings of the rules as well.
        prior: Games in boxes of the prior, which decide if there is no such analysis.
        win_rate: Win rate of the plays.
    """
    if uncertainty:
        paths = uncertainty.list_main_sources(MIN_VARIANCE_SHARE)
    else:
        paths = prior.find_main_sources(win_rate)
    used = [path for path in paths if not find_unmet_needs(cell.parameters[path], cell.values)]
    return used[:MAX_SOURCES]


def summarize_posterior(prior: Prior, values: Sequence[Any]) -> dict[str, Any]:
    """Return the band of a number, or the probability of each reading, from posterior samples."""
    if prior.alternatives:
        shares = {}
        for reading in (prior.parameter.value, *prior.alternatives):
            matches = sum(value == reading for value in values)
            shares[format_yaml_value(reading)] = matches / len(values)
        return shares
    return {**compute_band([prior.encode(value) for value in values])}
