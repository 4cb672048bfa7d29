"""Section "What makes it hard?": skill levels, endings, luck or skill, and what matters most."""

from __future__ import annotations

from hardmode.reports.console import sensitivity, wording
from hardmode.reports.page import model
from hardmode.reports.page.chapters import over_time, skill_levels
from hardmode.reports.page.chapters.phrases import describe_first_variant
from hardmode.reports.page.model import Brief, Figure, Section, ShareBar
from hardmode.studies.core.skill_levels import PLAYER_NAMES, SKILL_LEVELS
from hardmode.studies.luck.skill import compare_skill
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.stats import formatting
from hardmode.studies.stats.formatting import format_percent, format_rate

MAX_NUMBERS = 5  # in the plot of what matters
RELATED = ("for-whom", "luck", "endings", "why", "along", "numbers", "choices-worth")


def make_hardness_section(report: ReportData) -> Section:
    """Return the section on the reasons of the difficulty."""
    figures = [
        skill_levels.make_level_plot(report),
        over_time.make_main_ending_plot(report),
        _make_strongest_plot(report),
    ]
    shown = [figure for figure in figures if figure]
    return Section(
        "hard",
        "What makes it hard?",
        [*over_time.describe_endings(report)[:1], *_describe_strongest(report)],
        shown,
        brief=Brief(2, [figure.name for figure in shown]),
        bar=make_skill_bar(report),
        related=RELATED,
    )


def make_skill_bar(report: ReportData) -> ShareBar | None:
    """Return how much skill and luck decide between beginners and the best players known.

    Returns:
        None if beginners, or any better players, were not played often enough.
    """
    rates = {}
    for level in skill_levels.list_played_levels(report):
        if level in SKILL_LEVELS:
            rates[level] = report.metric.estimate_win_rate(report.skill_levels[level].tally)
    skill = compare_skill(rates)
    if skill is None:
        return None
    share = skill.share
    where = describe_first_variant(report)
    note = (
        f"If beginners (they win {format_percent(skill.weak)}) and "
        f"{PLAYER_NAMES[skill.best_level]} ({format_percent(skill.strong)}) are equally likely to "
        f"play a game{where}, skill decides "
        f"{format_rate(share)} of the result. The rest is luck."
    )
    return ShareBar("Luck or skill?", [("skill", share.value), ("luck", 1 - share.value)], note)


def _make_strongest_plot(report: ReportData) -> Figure | None:
    """Return the tornado plot of the strongest numbers and switches, if any is known."""
    analysis = report.sensitivity
    if analysis is None:
        return None
    figure = sensitivity.make_tornado_figure(analysis, len(analysis.levers))
    rows = []
    for row in figure.data["rows"]:
        steps = []
        for step, estimate in row["steps"]:
            if estimate.excludes(0.0):
                steps.append((wording.format_setup_value(step), estimate))
        if steps:
            rows.append({"label": wording.format_path(row["label"]), "steps": steps})
    if not rows:
        return None
    players = wording.describe_players_and_box(analysis.cell)
    title = f"What matters most: one step of each number, played by {players}"
    return model.make_tornado_plot("strongest", title, rows[:MAX_NUMBERS], figure.data["axis"])


def _describe_strongest(report: ReportData) -> list[str]:
    """Return the strongest step in a sentence, if any is known."""
    analysis = report.sensitivity
    if analysis is None:
        return []
    for effect in analysis.levers:
        estimate = analysis.choose_better_estimate(effect)
        if estimate.excludes(0.0):
            break
    else:
        return []
    points = formatting.format_with_interval(estimate, "points")
    value, _, interval = points.partition(" ")
    name, step = wording.format_path(effect.path), sensitivity.format_step(effect)
    return [
        f"Of all numbers and switches of the box, “{name}” matters most: the step "
        f"“{wording.format_setup_value(step)}” changes the "
        f"{sensitivity.describe_win_rate(analysis)} by {value} points {interval}."
    ]
