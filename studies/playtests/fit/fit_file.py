"""A fit in a file: who played, and what is unknown of the box, as beliefs; predictions are made by all of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardmode.scenarios.load import Scenario, Variant
from hardmode.sim.files import atomic_files
from hardmode.sim.files.paths import short_path
from hardmode.sim.files.yaml_io.errors import Place, ScenarioError
from hardmode.sim.files.yaml_io.read import read_file
from hardmode.sim.results.result import rules_digests
from hardmode.studies.core.reference_players import TRAINED
from hardmode.studies.playtests.fit.analysis import Fit
from hardmode.studies.playtests.fit.posterior import Band
from hardmode.studies.playtests.fit.simulation import seated
from hardmode.studies.uncertainty.priors import Drawn

HEAD = "# What {plays} played games say of {scenario}: hardmode run, compare and report take it with --as.\n"


@dataclass(frozen=True)
class FitFile:
    """What a file of a fit says."""

    file: str
    game: str
    scenario: str
    plays: int
    level: Band
    rung: str
    rate: Band
    fits: bool
    beliefs: list[tuple[float, Drawn]]
    latest: bool = False  # whether they are of the level at the last play
    player: str = TRAINED.name  # whose slips the level is

    def check(self, cell: Variant) -> None:
        """Refuse what the fit says nothing of."""
        if cell.game.name != self.game:
            raise ScenarioError(
                Place("--as"), self.file, f"is a fit of {self.game}; this is {cell.game.name}"
            )
        missing = next(
            (path for _, drawn in self.beliefs for path in drawn if path not in cell.leaves), None
        )
        if missing:
            raise ScenarioError(
                Place("--as"), self.file, f"says something of {missing}, which this box has not"
            )


def save(path: Path, made: Fit) -> None:
    """Write a fit."""
    data: dict[str, Any] = {
        "hardmode": "fit",
        "game": made.cell.game.name,
        "scenario": made.scenario.name,
        "plays": made.plays,
        "player": made.base,
        "seed": made.seed,
        "digests": rules_digests(made.cell.game, seated(made.cell, 0.0)),
        "level": made.forecast_level,
        "latest": made.latest,
        "rung": made.rung,
        "rate": made.rate,
        "fits": made.fits,
    }
    beliefs = [{"slips": round(share, 4), "numbers": drawn} for share, drawn in made.kept]
    lines = [
        *(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in data.items()),
        "beliefs:",
        *(f"- {json.dumps(one, ensure_ascii=False)}" for one in beliefs),
    ]
    atomic_files.write(
        path, HEAD.format(plays=made.plays, scenario=made.scenario.name) + "\n".join(lines) + "\n"
    )


def ready(path: Path | None) -> None:
    if path:
        atomic_files.ready(path, atomic_files.FIT)


def load(path: Path, found: Scenario) -> FitFile:
    """A fit, for a scenario of the game that it is of."""
    document = read_file(path, signs=True)
    data, place = document.data, Place(short_path(path))
    if not isinstance(data, dict) or data.get("hardmode") != "fit":
        raise ScenarioError(place, "", "is no fit: hardmode fit SCENARIO PLAYS -o FILE writes one")
    try:
        beliefs = [(_share(one["slips"]), dict(one["numbers"])) for one in data["beliefs"]]
        made = FitFile(
            short_path(path),
            str(data["game"]),
            str(data["scenario"]),
            int(data["plays"]),
            _band(data["level"]),
            str(data["rung"]),
            _band(data["rate"]),
            bool(data["fits"]),
            beliefs,
            bool(data.get("latest", False)),
            str(data.get("player", TRAINED.name)),
        )
    except (LookupError, TypeError, ValueError, AttributeError):
        raise ScenarioError(place, "", "the fit is damaged") from None
    if not beliefs:
        raise ScenarioError(place, "beliefs", "there are none")
    for cell in found.cells:
        made.check(cell)
    return made


def _share(value: Any) -> float:
    share = float(value)
    if not 0 <= share <= 1:
        raise ValueError
    return share


def _band(values: Any) -> Band:
    return {str(q): float(values[str(q)]) for q in (5, 50, 95)}
