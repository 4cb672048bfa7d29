"""Fit files: a fit as YAML with equally likely beliefs, from which forecasts are made."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardmode.scenarios.load import Scenario, Variant
from hardmode.sim.files import atomic_files
from hardmode.sim.files.paths import shorten_path
from hardmode.sim.files.yaml_io.errors import Location, ScenarioError
from hardmode.sim.files.yaml_io.read import read_yaml_file
from hardmode.sim.results.result import compute_code_digests
from hardmode.studies.core.reference_players import TRAINED
from hardmode.studies.playtests.fit.analysis import FitResult
from hardmode.studies.playtests.fit.posterior import PERCENTILES, Band
from hardmode.studies.playtests.fit.posterior_predictive import Belief
from hardmode.studies.playtests.fit.simulation import seat_players_at_level

# The beginning of this line identifies the format (`atomic_files.FIT`).
HEAD = (
    "# What {plays} played games say of {scenario}: "
    "hardmode run, compare and report use it with --fit.\n"
)
OPTION = Location("--fit")


@dataclass(frozen=True)
class FitFile:
    """Content of a fit file."""

    file: str
    game: str
    scenario: str
    plays: int
    level: Band  # mistake rate
    skill_level: str  # the nearest
    win_rate: Band
    fits: bool  # whether the model fits the plays
    beliefs: list[Belief]
    is_latest: bool = False  # whether the level is that of the last play
    player: str = TRAINED.name  # strategy that makes the mistakes

    def check_matches(self, cell: Variant) -> None:
        """Check that the fit applies to a variant.

        Raises:
            ScenarioError: It is a fit of another game, or of numbers that the box does not have.
        """
        if cell.game.name != self.game:
            message = f"is a fit of {self.game}, but the scenario is of {cell.game.name}"
            raise ScenarioError(OPTION, self.file, message)
        for _, values in self.beliefs:
            for path in values:
                if path not in cell.parameters:
                    message = f"has values of {path}, which does not exist in this box"
                    raise ScenarioError(OPTION, self.file, message)


def write_fit(path: Path, fit: FitResult) -> None:
    """Write a fit to a file."""
    data: dict[str, Any] = {
        "hardmode": "fit",
        "game": fit.cell.game.name,
        "scenario": fit.scenario.name,
        "plays": fit.plays,
        "player": fit.base_player,
        "seed": fit.seed,
        "digests": compute_code_digests(fit.cell.game, seat_players_at_level(fit.cell, 0.0)),
        "level": fit.forecast_level,
        "latest": fit.is_latest,
        "rung": fit.skill_level,
        "rate": fit.win_rate,
        "fits": fit.fits,
    }
    lines = [f"{name}: {_to_json(value)}\n" for name, value in data.items()]
    lines.append("beliefs:\n")
    for rate, values in fit.beliefs:
        lines.append(f"- {_to_json({'slips': round(rate, 4), 'numbers': values})}\n")
    head = HEAD.format(plays=fit.plays, scenario=fit.scenario.name)
    atomic_files.write_atomically(path, head + "".join(lines))


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def check_fit_path(path: Path | None) -> None:
    """Refuse a path to which no fit can be written, if one is given."""
    if path:
        atomic_files.check_writable(path, atomic_files.FIT)


def read_fit(path: Path, scenario: Scenario) -> FitFile:
    """Read a fit file and check that it applies to all cells of a scenario.

    Raises:
        ScenarioError: The file is not a valid fit, or does not apply.
    """
    document = read_yaml_file(path, signed_numbers=True)
    data = document.data
    place = Location(shorten_path(path))
    if not isinstance(data, dict) or data.get("hardmode") != "fit":
        message = "is not a fit; write one with hardmode fit SCENARIO PLAYS -o FILE"
        raise ScenarioError(place, "", message)
    try:
        fit = FitFile(
            shorten_path(path),
            str(data["game"]),
            str(data["scenario"]),
            int(data["plays"]),
            _parse_band(data["level"]),
            str(data["rung"]),
            _parse_band(data["rate"]),
            bool(data["fits"]),
            [(_parse_rate(item["slips"]), dict(item["numbers"])) for item in data["beliefs"]],
            bool(data.get("latest", False)),
            str(data.get("player", TRAINED.name)),
        )
    except (LookupError, TypeError, ValueError, AttributeError):
        raise ScenarioError(place, "", "this fit is damaged") from None
    if not fit.beliefs:
        raise ScenarioError(place, "beliefs", "the list is empty")
    for cell in scenario.cells:
        fit.check_matches(cell)
    return fit


def _parse_rate(value: Any) -> float:
    rate = float(value)
    if not 0 <= rate <= 1:
        raise ValueError
    return rate


def _parse_band(values: Any) -> Band:
    return {str(q): float(values[str(q)]) for q in PERCENTILES}
