"""Parts of a report that study the numbers of the box: their effects, and what is not known."""

from __future__ import annotations

from typing import TypeVar

from hardmode.studies.core.reference_players import with_trained
from hardmode.studies.report_run.parts import ReportContext
from hardmode.studies.sensitivity.analysis import (
    SensitivityAnalysis,
    analyze_sensitivity,
    count_steps,
)
from hardmode.studies.uncertainty.analysis import UncertaintyAnalysis, analyze_uncertainty
from hardmode.studies.uncertainty.design import UncertaintyError
from hardmode.studies.uncertainty.leading_readings import play_leading_readings

TOO_SLOW = (
    "each number one step away, and what the assumptions decide: players who search are too slow "
    "for this report"
)
# Where the budget is a number of games of a cell:
SENSITIVITY_FACTOR = 10  # the games for all numbers together, in units of it
MIN_GAMES_PER_NUMBER = 100
GAMES_PER_TURN, MIN_TURNS, MAX_TURNS = 200, 8, 200  # rounds in which plausible boxes are played

Analysis = TypeVar("Analysis", SensitivityAnalysis, UncertaintyAnalysis)


def run_sensitivity_analysis(context: ReportContext) -> SensitivityAnalysis:
    """Estimate the effect of a step of each number of the first cell."""
    budget, effort = context.budgets["sensitivity"], context.effort
    cell, seconds = with_trained(context.first_cell), budget.seconds
    total_games = SENSITIVITY_FACTOR * effort.games if seconds is None else None
    if context.games_per_step:
        seconds, total_games = None, context.games_per_step * count_steps(cell)
    effort = effort.override(games=max(effort.games, MIN_GAMES_PER_NUMBER))
    return _require_complete(
        analyze_sensitivity(cell, effort, seconds, budget.progress, total_games)
    )


def run_uncertainty_analysis(context: ReportContext) -> UncertaintyAnalysis | None:
    """Estimate the effect of all assumptions together, by boxes drawn from their priors."""
    budget, effort = context.budgets["uncertainty"], context.effort
    turns = None
    if budget.seconds is None:
        turns = min(MAX_TURNS, max(MIN_TURNS, effort.games // GAMES_PER_TURN))
    try:
        analysis = analyze_uncertainty(
            context.scenario, effort, budget.seconds or 0.0, (), budget.progress, turns
        )
    except UncertaintyError as error:
        context.add_omission(str(error))
        return None
    play_leading_readings(analysis, context.retrain, effort, budget.progress)
    return _require_complete(analysis)


def _require_complete(analysis: Analysis) -> Analysis:
    """Return the analysis, or raise KeyboardInterrupt if the user stopped it."""
    if analysis.interrupted:
        raise KeyboardInterrupt
    return analysis
