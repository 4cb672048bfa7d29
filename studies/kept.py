"""Studies that take longer than a report has: played once, kept beside the scenario, and shown while they are true.

    python -m hardmode.studies.kept SECONDS [SCENARIO...]     (make studies)

They are true while the digests of all that made them are the same: rules, box, scenario, and who plays. A file that is
not true is as good as none: the report then plays what its time allows.
"""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from pathlib import Path
from typing import Any

from hardmode.scenarios.load import Scenario, Variant, load
from hardmode.sim import contract, discovery, outputs
from hardmode.sim.results import Result
from hardmode.strategies import registry
from hardmode.studies.codec import Unreadable, decode, encode
from hardmode.studies.ladder import EXPERT, RUNGS
from hardmode.studies.play import Effort, engine, unplayed
from hardmode.studies.progress import Progress
from hardmode.studies.survey import Item, Survey
from hardmode.studies.who import by_steady, studied

SCHEMA, ENDING = 1, ".studies.json.gz"
PARTS = ("sensitivity", "weighed", "worth", "luck", "decided", "turned")  # of a survey
SECONDS = 300.0
# Of the time that a file takes: longer than in a report for experts, who search.
SHARES = {"cells": 0.02, "ladder": 0.02, "slow": 0.4, "numbers": 0.16, "weighed": 0.13, "worth": 0.07, "luck": 0.09,
          "decided": 0.05, "pace": 0.01, "turned": 0.06}


def file_of(scenario: Scenario) -> Path:
    return scenario.file.with_name(scenario.file.stem + ENDING)


def digests(scenario: Scenario) -> dict[str, str]:
    """All that makes these studies what they are."""
    cell = scenario.cells[0]
    made = unplayed(scenario, cell, engine(cell).players, 0).digests
    game = cell.game.name
    players = {rung: registry.player(game, rung) for rung in RUNGS if rung in registry.names(game)}
    return {**made, **{f"{rung} plays": f"{p.digest()} {list(p.weights)} {p.budget}" for rung, p in players.items()}}


def fill(made: Survey) -> None:
    """Put what is kept of a scenario, and true, into its survey: those parts need not be played."""
    data = _read(made.scenario)
    if not data or data["confidence"] != made.effort.confidence:
        return
    cells = _cells(made.first)
    try:
        found = {part: decode(said, made.scenario, cells) for part, said in data["parts"].items() if part in PARTS}
        told = data["expert"]
        expert = Item(**{**told, "result": Result.from_dict(told["result"])}) if told else None
    except (Unreadable, KeyError, TypeError, ValueError):
        return
    for part, study in found.items():
        setattr(made, part, study)
    if expert:
        made.ladder[EXPERT] = expert
    made.kept = data["seconds"]


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
        true = data["hardmode"] == "studies" and data["schema"] == SCHEMA and data["digests"] == digests(scenario)
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError):
        return None
    return data if true else None


def write(scenario: Scenario, seconds: float, progress: Progress, effort: Effort | None = None) -> Path:
    """Play the studies of a scenario for about so long, and keep them."""
    from hardmode.studies.surveyor import begun

    surveyor = begun(scenario, effort or Effort(10**6), seconds, progress, SHARES)
    surveyor.cells()
    surveyor.ladder()
    surveyor.numbers()
    surveyor.course()
    made, path = surveyor.made, file_of(scenario)
    expert = made.ladder.get(EXPERT)
    item = {"part": expert.part, "label": expert.label, "command": expert.command,
            "result": expert.result.to_dict()} if expert else None
    data = {"hardmode": "studies", "schema": SCHEMA, "digests": digests(scenario), "seconds": seconds,
            "confidence": made.effort.confidence, "expert": item,
            "parts": {part: encode(getattr(made, part)) for part in PARTS if getattr(made, part)}}
    outputs.write(path, gzip.compress(json.dumps(data, separators=(",", ":")).encode(), 9, mtime=0))
    return path


def main(words: list[str]) -> None:
    seconds = float(words[0]) if words else SECONDS
    names = words[1:] or [f"{name}/{contract.game(name).standard}" for name in discovery.games()]
    for name in names:
        print(write(load(name), seconds, lambda what, done, pace=0.0: None))


if __name__ == "__main__":
    main(sys.argv[1:])
