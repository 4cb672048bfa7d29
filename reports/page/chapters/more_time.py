"""Section "What would more time add?": what this report left out or could not settle."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from hardmode.reports.console import wording
from hardmode.reports.page.chapters import decided, skill_levels
from hardmode.reports.page.chapters.phrases import make_sentence
from hardmode.reports.page.model import Section
from hardmode.studies.core.skill_levels import PLAYER_NAMES
from hardmode.studies.report_run.commands import format_command_options
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.report_run.game_flow import TOO_SLOW

LONG_REPORT = ("--seconds", "300")


def make_more_time_section(report: ReportData) -> Section | None:
    """Return the section on all that a longer report adds, or None if there is nothing."""
    additions = list(_list_additions(report))
    if not additions:
        return None
    options = format_command_options({}, report.scenario.overlay)
    command = shlex.join(["hardmode", "report", report.scenario.name, *options, *LONG_REPORT])
    return Section(
        "more-time",
        "What would more time add?",
        notes=[("A longer report would add:", list(map(make_sentence, additions)))],
        hints=[("To write it, run", command)],
    )


def _list_additions(report: ReportData) -> Iterator[str]:
    """Yield what is missing, without the parts that no amount of time adds."""
    for level in skill_levels.list_imprecise_levels(report):
        games = wording.format_games(report.skill_levels[level].result.games)
        yield f"enough games with {PLAYER_NAMES[level]} for a win rate (now {games})"
    if TOO_SLOW in report.omissions:
        return  # more time would not help
    yield from _list_missing_studies(report)
    analysis = report.sensitivity
    if analysis:
        unplayed = sum(effect.changes_box and not effect.games for effect in analysis.effects)
        if analysis.undecided:
            steps = wording.format_count(len(analysis.undecided), "step")
            yield f"which of {steps} of numbers, now open, change the win rate"
        if unplayed:
            steps = wording.format_count(unplayed, "step")
            yield f"the effect of {steps} of numbers that were not played"
    values = report.option_values
    if values and values.unplayed_count:
        options = wording.format_count(values.unplayed_count, "more restriction")
        yield f"the effect of {options} of the players' options"


def _list_missing_studies(report: ReportData) -> Iterator[str]:
    if report.luck is None:
        yield "the share of each source of chance in the result"
    if report.decision_point is None:
        yield "when games are decided"
    if not decided.has_turn_stats(report):
        yield "the number of decisions in a turn, and how long the others wait"
    if report.option_values is None and report.scenario.game.labels:
        yield "what each kind of option is worth"
    if not report.turning_points:
        yield "the turning points of the sample games"
