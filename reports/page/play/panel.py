"""The panel "Try it" of a page: which numbers it offers, and why others are left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.page.model import Chapter
from hardmode.reports.page.play.data import Slider, make_play_data
from hardmode.reports.page.play.modules import ModuleError
from hardmode.sim.contract import discovery
from hardmode.sim.messages import warn_once
from hardmode.studies.core.skill_levels import STEADY
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.sensitivity.paired_effects import group_by_path


def add_panel(
    chapter: Chapter, report: ReportData, plays: bool | None, chosen: Mapping[str, Sequence[Any]]
) -> Chapter:
    """Return the chapter with the panel.

    Args:
        chapter: The chapter.
        report: The report that the chapter is about.
        plays: Whether to add it; None if the game is a shipped one.
        chosen: Values of numbers that are to be offered, by path.

    Raises:
        ModuleError: If `plays` is True, and the game cannot be played in a page.
    """
    is_wanted = plays
    if plays is None:
        is_wanted = report.scenario.game.name in discovery.list_shipped_games()
    if not is_wanted:
        return chapter
    try:
        return replace(chapter, play=make_panel(report, chosen))
    except ModuleError as error:
        if plays:
            raise
        warn_once(f"the page cannot be played: {error}")
        return chapter


def make_panel(report: ReportData, chosen: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the panel for the first variant of a report, as the template needs it.

    Args:
        report: The report.
        chosen: Values of numbers that are to be offered, by path; the strongest numbers of the
            sensitivity analysis fill the panel up.

    Raises:
        ModuleError: If the game cannot be played in a page.
    """
    analysis = report.sensitivity
    paths = list(group_by_path(analysis.levers)) if analysis else []
    sliders, data = make_play_data(report.scenario, paths, chosen, report.effort.seed)
    level = report.first_cell.strategies[0].name
    left_out = [_describe_refused(slider) for slider in sliders if slider.refused]
    if data["untold"]:
        left_out.append(f"No single game can be shown here: {data['untold']}.")
    return {
        "data": data,
        "level": level if level in data["seats"] else STEADY,
        "left_out": left_out,
    }


def _describe_refused(slider: Slider) -> str:
    """Return a sentence on the values of a number that a page cannot play."""
    values = wording.join_names([slider.values[i] for i in slider.refused])
    reasons = wording.join_names(list(dict.fromkeys(slider.refused.values())))
    return f"{slider.label} cannot be set to {values} here: {reasons}."
