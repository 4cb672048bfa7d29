"""Section "What to do about it?": the strongest levers, and commands that find good values."""

from __future__ import annotations

from math import isfinite

from hardmode.reports.console import sensitivity, wording
from hardmode.reports.page.chapters.phrases import describe_first_variant, make_command
from hardmode.reports.page.chapters.rivals import compute_equal_share
from hardmode.reports.page.chapters.targets import get_win_rate_target
from hardmode.reports.page.model import Brief, Proposal, Section
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.sensitivity.analysis import SensitivityAnalysis
from hardmode.studies.sensitivity.levers import Lever, rank_levers
from hardmode.studies.solve.design_variables import parse_design_variables
from hardmode.studies.solve.targets import SolveError

RELATED = ("numbers", "assumptions", "why")
MAX_LEVERS = 3
MAX_STEPS = 2  # of a lever
USUAL_TARGETS = (0.5, 0.4)  # win rates that a designer may want
NEAR = 0.05  # of the win rate: a target so near is no change
NAME, TITLE = "what-to-do", "What to do about it?"
LONG_STUDY = ("--seconds", "300")


def make_proposals_section(report: ReportData) -> Section:
    """Return the section on the strongest levers, or on how to find them."""
    analysis = report.sensitivity
    if analysis is None:
        return _make_search_section(report)
    levers = [lever for lever in rank_levers(analysis) if _has_known_values(report, lever.path)]
    made = [_make_proposal(report, analysis, lever) for lever in levers]
    proposals = [proposal for proposal in made if proposal.effects][:MAX_LEVERS]
    if not proposals:
        return _make_search_section(report)
    players = wording.describe_players_and_box(analysis.cell)
    rate = sensitivity.describe_win_rate(analysis)
    sentence = (
        f"If one number of the box{describe_first_variant(report)} moves by one step, these change "
        f"the {rate} of {players} most."
    )
    return Section(
        NAME,
        TITLE,
        [
            sentence,
            "Each command finds the values of a number that reach a win rate. Put in the win rate "
            "that you want.",
        ],
        brief=Brief(1),
        proposals=proposals,
        related=RELATED,
    )


def _has_known_values(report: ReportData, path: str) -> bool:
    """Return whether `solve` knows plausible values of a number, so that its command can be run."""
    try:
        [variable] = parse_design_variables([path], report.scenario, report.first_cell)
    except SolveError:
        return False
    return len(variable.values) > 1


def _make_search_section(report: ReportData) -> Section:
    """Return the section where too few games were played to know a lever."""
    sentence = "This report played too few games to tell which numbers of the box matter most."
    command = make_command(report, "sensitivity", *LONG_STUDY)
    hints = [("To find out, run", command)]
    return Section(NAME, TITLE, [sentence], hints=hints, brief=Brief(1), related=RELATED)


def _make_proposal(report: ReportData, analysis: SensitivityAnalysis, lever: Lever) -> Proposal:
    """Return a lever with its steps whose intervals do not contain 0."""
    effects = []
    for effect in lever.effects:
        estimate = analysis.choose_better_estimate(effect)
        if estimate.excludes(0.0):
            effects.append((sensitivity.format_step(effect), estimate))
    command = make_command(
        report, "solve", "--target", format_target_option(report, analysis), "--by", lever.path
    )
    name = wording.format_path(lever.path)
    return Proposal(name[:1].upper() + name[1:], effects[:MAX_STEPS], command, lever.parameter.note)


def format_target_option(report: ReportData, analysis: SensitivityAnalysis) -> str:
    """Return a target for `solve`: that of the scenario, an equal share, or a usual win rate."""
    if report.metric.competitive:
        return f"seat 1={100 * compute_equal_share(report.cells[0]):.0f}%"
    band = get_win_rate_target(report)
    if band and isfinite(band.low) and isfinite(band.high):
        return f"win_rate={50 * (band.low + band.high):g}%"
    current = analysis.base_rate.value if analysis.base_rate else 0.0
    wanted = next(rate for rate in USUAL_TARGETS if abs(rate - current) > NEAR)
    return f"win_rate={100 * wanted:g}%"
