"""Fit files: a fit as YAML with equally likely beliefs, from which forecasts are made."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from hardmode.scenarios.load import Scenario, Variant
from hardmode.scenarios.overrides import Change, apply_change
from hardmode.sim.files import atomic_files
from hardmode.sim.files.paths import shorten_path
from hardmode.sim.files.yaml_io.errors import Location, ScenarioError
from hardmode.sim.files.yaml_io.model import StrictModel, validate_document
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
FORM = "a fit is a mapping such as hardmode fit SCENARIO PLAYS -o FILE writes"
OPTION = Location("--fit")

Share = Annotated[float, Field(ge=0, le=1)]


class BeliefContent(StrictModel):
    """Content of one belief: how often people make mistakes, and values of unknown numbers."""

    slips: Share
    numbers: dict[str, Any]


class FitContent(StrictModel):
    """Content of a fit file."""

    hardmode: Literal["fit"]
    game: str
    scenario: str
    plays: int = Field(ge=0)
    player: str = TRAINED.name
    seed: int = 0
    digests: dict[str, str] = Field(default_factory=dict)
    level: dict[str, Share]
    latest: bool = False
    rung: str
    rate: dict[str, Share]
    fits: bool
    beliefs: list[BeliefContent] = Field(min_length=1)

    @field_validator("level", "rate")
    @classmethod
    def check_percentiles(cls, band: Band) -> Band:
        """Check that a band has all percentiles, and that they ascend."""
        missing = [str(p) for p in PERCENTILES if str(p) not in band]
        if missing:
            raise ValueError(f"has no percentile {missing[0]}")
        shares = [band[str(p)] for p in PERCENTILES]
        if shares != sorted(shares):
            raise ValueError("has percentiles that do not ascend")
        return band


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
            ScenarioError: It is a fit of another game, of numbers that the box does not have, or
                with values that they cannot have.
        """
        if cell.game.name != self.game:
            message = f"is a fit of {self.game}, but the scenario is of {cell.game.name}"
            raise ScenarioError(OPTION, self.file, message)
        for _, values in self.beliefs:
            for path in values:
                if path not in cell.parameters:
                    message = f"has values of {path}, which does not exist in this box"
                    raise ScenarioError(OPTION, self.file, message)
                change = Change(path, values[path], Location(self.file))
                applied = dict(cell.values)
                apply_change(applied, change, cell.parameters)
                if applied[path] != values[path]:
                    message = f"is the change {values[path]}; a fit holds values"
                    raise change.make_error(message)


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
    if not isinstance(data, dict) or data.get("hardmode") != "fit":
        message = "is not a fit; write one with hardmode fit SCENARIO PLAYS -o FILE"
        raise ScenarioError(Location(shorten_path(path)), "", message)
    content = validate_document(FitContent, document, FORM)
    fit = FitFile(
        shorten_path(path),
        content.game,
        content.scenario,
        content.plays,
        dict(content.level),
        content.rung,
        dict(content.rate),
        content.fits,
        [(belief.slips, belief.numbers) for belief in content.beliefs],
        content.latest,
        content.player,
    )
    for cell in scenario.cells:
        fit.check_matches(cell)
    return fit
