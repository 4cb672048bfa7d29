"""Compute the studies for which a report has no time, and store them beside their scenarios.

    python -m hardmode.studies.report_run.precompute SECONDS [SCENARIO...] [--games-per-step N]
    (make studies SECONDS=300 GAMES=3000)

The steps of the sensitivity analysis are played by numbers of games, and everything else by time:
that of the processor, so that other programs on the machine take no games away. A sensitivity
analysis that does not tell which numbers matter is refused, before anything else is played, so that
no report shows it as a finding.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from pathlib import Path

from hardmode.scenarios.load import Scenario, load_scenario
from hardmode.sim import contract
from hardmode.sim.contract import discovery
from hardmode.sim.files import atomic_files
from hardmode.studies.core.budget import use_clock
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.run import Effort
from hardmode.studies.core.skill_levels import EXPERT
from hardmode.studies.report_run.codec import encode_study
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.report_run.parts import SLOW_SKILL_LEVELS
from hardmode.studies.report_run.precomputed import (
    PRECOMPUTED_FIELDS,
    SCHEMA,
    Precomputed,
    compute_studies_digests,
    get_studies_path,
)
from hardmode.studies.report_run.runner import ReportRunner
from hardmode.studies.sensitivity.analysis import MAX_UNSETTLED_SHARE, SensitivityAnalysis

SECONDS = 300.0  # of the processor, for each scenario
MAX_GAMES = 10**6  # of each cell
GAMES_PER_STEP = 3000  # of the sensitivity analysis, on average
RETRAIN = 4  # leading readings for which `trained` is retrained
# Share of the time for each part: more than in a report for experts, who search, and for the many
# boxes of a band.
SENSITIVITY_SHARES = {
    "cells": 0.02,
    "sensitivity": 0.02,  # by games; the share only decides whether it is played
}
TIME_SHARES = {
    "cells": 0.02,
    "skill_levels": 0.02,
    SLOW_SKILL_LEVELS: 0.1,
    "sensitivity": 0.02,  # played before
    "uncertainty": 0.62,
    "option_values": 0.05,
    "luck": 0.07,
    "decision_point": 0.04,
    "turn_stats": 0.01,
    "turning_points": 0.05,
}


class InconclusiveStudyError(ValueError):
    """Raised when a study was played too little to be stored."""


def precompute_studies(
    scenario: Scenario,
    seconds: float,
    progress: Progress,
    effort: Effort | None = None,
    games_per_step: int = GAMES_PER_STEP,
) -> Path:
    """Play the studies of a scenario and store them.

    Args:
        scenario: The scenario.
        seconds: Time to spend.
        progress: Called as games are finished.
        effort: Seed, threads and the most games of a cell.
        games_per_step: Games of a step of the sensitivity analysis, on average.

    Returns:
        The path of the file.

    Raises:
        InconclusiveStudyError: The sensitivity analysis leaves too many steps open.
    """
    effort = effort or Effort(MAX_GAMES)
    data = _play_studies(scenario, seconds, progress, effort, games_per_step)
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


def _play_studies(
    scenario: Scenario, seconds: float, progress: Progress, effort: Effort, games_per_step: int
) -> ReportData:
    """Play the sensitivity analysis, and then, if it is conclusive, everything else.

    Raises:
        InconclusiveStudyError: The sensitivity analysis leaves too many steps open.
    """
    known = Precomputed()
    for shares in (SENSITIVITY_SHARES, TIME_SHARES):
        runner = ReportRunner(scenario, effort, seconds, progress, shares, RETRAIN, games_per_step)
        data = runner.run(known)
        if not data.sensitivity:
            continue
        _require_conclusive(scenario, data.sensitivity)
        known = Precomputed({"sensitivity": data.sensitivity})
    return data


def _require_conclusive(scenario: Scenario, analysis: SensitivityAnalysis) -> None:
    """Refuse a sensitivity analysis that leaves too many steps open.

    Raises:
        InconclusiveStudyError: It does.
    """
    if analysis.is_conclusive:
        return
    n_open, n_all = len(analysis.undecided), len(analysis.effects)
    mean_games = sum(effect.games for effect in analysis.effects) // n_all
    needed = max(analysis.estimate_games_to_conclude(), 2 * mean_games)
    raise InconclusiveStudyError(
        f"sensitivity of {scenario.name}: {n_open:,} of {n_all:,} steps "
        f"({100 * analysis.unsettled_share:.0f} %) are unsettled after {mean_games:,} games of a "
        f"step on average; at most {100 * MAX_UNSETTLED_SHARE:.0f} % may be. About {needed:,} "
        f"games of a step are needed (--games-per-step {needed}). Nothing was stored"
    )


def precompute_all(words: list[str]) -> None:
    """Precompute the studies of the scenarios that are named, or of each game's standard one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seconds", type=float, nargs="?", default=SECONDS)
    parser.add_argument("scenarios", nargs="*")
    parser.add_argument("--games-per-step", type=int, default=GAMES_PER_STEP)
    options = parser.parse_args(words)
    names = options.scenarios
    if not names:
        games = discovery.list_games()
        names = [f"{game}/{contract.load_game(game).standard}" for game in games]
    refusals = []
    for name in names:
        scenario = load_scenario(name)
        try:
            with use_clock(time.process_time):
                path = precompute_studies(
                    scenario,
                    options.seconds,
                    ignore_progress,
                    games_per_step=options.games_per_step,
                )
            print(path)
        except InconclusiveStudyError as error:
            refusals.append(str(error))
    if refusals:
        sys.exit("\n".join(refusals))


if __name__ == "__main__":
    precompute_all(sys.argv[1:])
