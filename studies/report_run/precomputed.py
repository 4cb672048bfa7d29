"""Studies that take longer than a report has: played once (see `keep`), and shown while they are true.

They are true while the digests of all that made them are the same: rules, box, scenario, and who plays. A file that is
not true is as good as none: the report then plays what its time allows.
"""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

from hardmode.scenarios.load import Scenario, Variant
from hardmode.sim.results.result import Result
from hardmode.strategies import registry
from hardmode.studies.core.reference_players import by_steady, studied
from hardmode.studies.core.run import engine, unplayed
from hardmode.studies.core.skill_levels import EXPERT, RUNGS
from hardmode.studies.report_run.codec import Unreadable, decode
from hardmode.studies.report_run.data import Item, Survey
from hardmode.studies.uncertainty.analysis import Doubts

SCHEMA, ENDING = 1, ".studies.json.gz"
PARTS = ("sensitivity", "weighed", "worth", "luck", "decided", "turned")  # of a survey


def file_of(scenario: Scenario) -> Path:
    return scenario.file.with_name(scenario.file.stem + ENDING)


def digests(scenario: Scenario) -> dict[str, str]:
    """All that makes these studies what they are."""
    cell = scenario.cells[0]
    made = unplayed(scenario, cell, engine(cell).players, 0).digests
    game = cell.game.name
    players = {rung: registry.player(game, rung) for rung in RUNGS if rung in registry.names(game)}
    return {
        **made,
        **{
            f"{rung} plays": f"{p.digest()} {list(p.weights)} {p.budget}"
            for rung, p in players.items()
        },
    }


def fill(made: Survey) -> None:
    """Put what is kept of a scenario, and true, into its survey: those parts need not be played."""
    data = _read(made.scenario)
    if not data or data["confidence"] != made.effort.confidence:
        return
    cells = _cells(made.first)
    try:
        found = {
            part: decode(said, made.scenario, cells)
            for part, said in data["parts"].items()
            if part in PARTS
        }
        told = data["expert"]
        expert = Item(**{**told, "result": Result.from_dict(told["result"])}) if told else None
    except (Unreadable, KeyError, TypeError, ValueError):
        return
    for part, study in found.items():
        setattr(made, part, study)
    if expert:
        made.ladder[EXPERT] = expert
    made.kept = data["seconds"]


def weighed(scenario: Scenario) -> Doubts | None:
    """What is kept of what the assumptions decide, if it is true."""
    data = _read(scenario)
    try:
        found = (
            decode(data["parts"]["weighed"], scenario, _cells(scenario.cells[0])) if data else None
        )
    except (Unreadable, KeyError, TypeError, ValueError):
        return None
    return found if isinstance(found, Doubts) else None


def _cells(first: Variant) -> dict[str, Variant]:
    """Those by whom studies are played: as named, as trained, and as `steady` beside."""
    trained = studied(first)
    return {c.digests["scenario"]: c for c in (first, trained, by_steady(trained)) if c}


def _read(scenario: Scenario) -> dict[str, Any] | None:
    """What the file holds, if it is true."""
    path = file_of(scenario)
    if scenario.own or len(scenario.cells) > 1 or not path.is_file():
        return None
    try:
        data = json.loads(gzip.decompress(path.read_bytes()))
        true = (
            data["hardmode"] == "studies"
            and data["schema"] == SCHEMA
            and data["digests"] == digests(scenario)
        )
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError):
        return None
    return data if true else None
