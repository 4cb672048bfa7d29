"""Compute the studies for which a report has no time, and store them beside their scenarios.

python -m hardmode.studies.report_run.precompute SECONDS [SCENARIO...]     (make studies)
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

from hardmode.scenarios.load import Scenario, load_scenario
from hardmode.sim import contract
from hardmode.sim.contract import discovery
from hardmode.sim.files import atomic_files
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.run import Effort
from hardmode.studies.core.skill_levels import EXPERT
from hardmode.studies.report_run.codec import encode_study
from hardmode.studies.report_run.parts import SLOW_SKILL_LEVELS
from hardmode.studies.report_run.precomputed import (
    PRECOMPUTED_FIELDS,
    SCHEMA,
    Precomputed,
    compute_studies_digests,
    get_studies_path,
)
from hardmode.studies.report_run.runner import ReportRunner

SECONDS = 300.0  # of each scenario
MAX_GAMES = 10**6  # of each cell
RETRAIN = 4  # leading readings for which `trained` is retrained
# Share of the time for each part: more than in a report for experts, who search, and for the many
# numbers of a box.
TIME_SHARES = {
    "cells": 0.02,
    "skill_levels": 0.02,
    SLOW_SKILL_LEVELS: 0.3,
    "sensitivity": 0.34,
    "uncertainty": 0.1,
    "option_values": 0.05,
    "luck": 0.07,
    "decision_point": 0.04,
    "turn_stats": 0.01,
    "turning_points": 0.05,
}


def precompute_studies(
    scenario: Scenario, seconds: float, progress: Progress, effort: Effort | None = None
) -> Path:
    """Play the studies of a scenario and store them.

    Args:
        scenario: The scenario.
        seconds: Time to spend.
        progress: Called as games are finished.
        effort: Seed, threads and the most games of a cell.

    Returns:
        The path of the file.
    """
    effort = effort or Effort(MAX_GAMES)
    runner = ReportRunner(scenario, effort, seconds, progress, TIME_SHARES, RETRAIN)
    data = runner.run(Precomputed())
    expert = None
    if played := data.skill_levels.get(EXPERT):
        expert = {
            "part": played.part,
            "label": played.label,
            "command": played.command,
            "result": played.result.to_dict(),
        }
    studies = {name: getattr(data, name) for name in PRECOMPUTED_FIELDS}
    content = {
        "hardmode": "studies",
        "schema": SCHEMA,
        "digests": compute_studies_digests(scenario),
        "seconds": seconds,
        "confidence": effort.confidence,
        "expert": expert,
        "parts": {name: encode_study(study) for name, study in studies.items() if study},
    }
    path = get_studies_path(scenario)
    text = json.dumps(content, separators=(",", ":"))
    atomic_files.write_atomically(path, gzip.compress(text.encode(), 9, mtime=0))
    return path


def precompute_all(words: list[str]) -> None:
    """Precompute the studies of the scenarios that are named, or of each game's standard one."""
    seconds = float(words[0]) if words else SECONDS
    names = words[1:]
    if not names:
        games = discovery.list_games()
        names = [f"{game}/{contract.load_game(game).standard}" for game in games]
    for name in names:
        print(precompute_studies(load_scenario(name), seconds, ignore_progress))


if __name__ == "__main__":
    precompute_all(sys.argv[1:])
