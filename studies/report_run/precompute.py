"""Studies that a report has no time for, played for long and kept beside their scenarios (see `kept`).

python -m hardmode.studies.report_run.precompute SECONDS [SCENARIO...]     (make studies)
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

from hardmode.scenarios.load import Scenario, load
from hardmode.sim import contract
from hardmode.sim.contract import discovery
from hardmode.sim.files import atomic_files
from hardmode.studies.core.progress import Progress
from hardmode.studies.core.run import Effort
from hardmode.studies.core.skill_levels import EXPERT
from hardmode.studies.report_run.codec import encode
from hardmode.studies.report_run.precomputed import PARTS, SCHEMA, digests, file_of
from hardmode.studies.report_run.runner import begun

SECONDS = 300.0
# Of the time that a file takes: longer than in a report for experts, who search, and for the many numbers of a box.
SHARES = {
    "cells": 0.02,
    "ladder": 0.02,
    "slow": 0.3,
    "numbers": 0.34,
    "weighed": 0.1,
    "worth": 0.05,
    "luck": 0.07,
    "decided": 0.04,
    "pace": 0.01,
    "turned": 0.05,
}


def write(
    scenario: Scenario, seconds: float, progress: Progress, effort: Effort | None = None
) -> Path:
    """Play the studies of a scenario for about so long, and keep them."""
    surveyor = begun(scenario, effort or Effort(10**6), seconds, progress, SHARES)
    surveyor.cells()
    surveyor.ladder()
    surveyor.numbers()
    surveyor.course()
    made, path = surveyor.made, file_of(scenario)
    expert = made.ladder.get(EXPERT)
    item = (
        {
            "part": expert.part,
            "label": expert.label,
            "command": expert.command,
            "result": expert.result.to_dict(),
        }
        if expert
        else None
    )
    data = {
        "hardmode": "studies",
        "schema": SCHEMA,
        "digests": digests(scenario),
        "seconds": seconds,
        "confidence": made.effort.confidence,
        "expert": item,
        "parts": {part: encode(getattr(made, part)) for part in PARTS if getattr(made, part)},
    }
    atomic_files.write(path, gzip.compress(json.dumps(data, separators=(",", ":")).encode(), 9, mtime=0))
    return path


def main(words: list[str]) -> None:
    seconds = float(words[0]) if words else SECONDS
    names = words[1:] or [f"{name}/{contract.game(name).standard}" for name in discovery.games()]
    for name in names:
        print(write(load(name), seconds, lambda what, done, pace=0.0: None))


if __name__ == "__main__":
    main(sys.argv[1:])
