"""Section "Which numbers matter?": each number of the box one plausible step away."""

from __future__ import annotations

from collections.abc import Sequence

from hardmode.reports.console import sensitivity, wording
from hardmode.reports.page.chapters.phrases import (
    describe_first_variant,
    make_command,
    make_sentence,
)
from hardmode.reports.page.model import Column, ReportTable, Section
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.sensitivity.analysis import SensitivityAnalysis
from hardmode.studies.sensitivity.paired_effects import ParameterEffect, group_by_path
from hardmode.studies.sensitivity.screening import LEADING_COUNT

MAX_PATHS = 40  # of the numbers without effect that are listed


def make_parameters_section(report: ReportData) -> Section | None:
    """Return the section on the sensitivity to each number, or None if it was not analyzed."""
    analysis = report.sensitivity
    if analysis is None:
        return None
    figures, tables = [], []
    leading = list(group_by_path(analysis.levers).values())[:LEADING_COUNT]
    if leading:
        figures.append(sensitivity.make_tornado_figure(analysis, LEADING_COUNT))
        tables.append(_make_table(analysis, [step for steps in leading for step in steps]))
    command = make_command(report, "sensitivity", "--seconds", "300")
    return Section(
        "numbers",
        "Which numbers matter?",
        _write_sentences(report, analysis),
        figures,
        tables=tables,
        notes=_list_inert_numbers(analysis),
        hints=[("To play more games, run", command)],
    )


def _write_sentences(report: ReportData, analysis: SensitivityAnalysis) -> list[str]:
    sentences = []
    disputed = [step.path for step in sensitivity.list_disputed_steps(analysis)]
    if disputed:
        sentences.append(
            "With steady players, the effect has the other sign or differs by more than half for "
            f"{wording.join_names(disputed)}."
        )
    sentences.append(_describe_significant_steps(report, analysis))
    undecided = [step for step in analysis.not_significant if step.games]
    if undecided:
        points = round(100 * analysis.get_outer_bound(undecided[0]))
        limit = wording.format_count(points, "point")
        steps = wording.format_count(len(undecided), "more step")
        verb = "changes" if len(undecided) == 1 else "change"
        sentences.append(
            f"{steps} also {verb} some games, but the effect is not significant; each changes the "
            f"{sensitivity.describe_win_rate(analysis)} by at most {limit}"
            f"{sensitivity.describe_joint_bounds(analysis)}."
        )
    return sentences


def _describe_significant_steps(report: ReportData, analysis: SensitivityAnalysis) -> str:
    first = describe_first_variant(report)
    of = f"{first}," if first else ""
    players = wording.describe_players_and_box(analysis.cell)
    end = ""
    if len(group_by_path(analysis.levers)) > LEADING_COUNT:
        end = f" The {LEADING_COUNT} strongest numbers are below."
    # what more time would settle is said in another section
    verdict = sensitivity.describe_verdict(analysis).partition(";")[0]
    return (
        f"Each number{of} was moved one plausible step up and down, and each switch to its other "
        f"settings, in games with the same random numbers, played by {players}. "
        f"{make_sentence(verdict)}{end}"
    )


def _make_table(analysis: SensitivityAnalysis, steps: Sequence[ParameterEffect]) -> ReportTable:
    columns = [
        Column("path", "number", "code"),
        Column("step", "step"),
        Column("points", "points", "points"),
    ]
    if any(analysis.is_joint_effect_better(step) for step in steps):
        columns.append(Column("from", "from"))
    if analysis.steady_effects:
        columns.append(Column("steady", "by steady", "points"))
    columns += [
        Column("gained", "games gained", "count"),
        Column("lost", "lost", "count"),
        Column("length", analysis.game.unit, "change"),
        Column("games", "games", "count"),
    ]
    rows = []
    for step in steps:
        rows.append(
            {
                "path": step.path,
                "step": sensitivity.format_step(step),
                "points": analysis.choose_better_estimate(step),
                "from": analysis.describe_source(step),
                "steady": analysis.estimate_with_steady(step),
                "gained": step.wins_gained,
                "lost": step.wins_lost,
                "length": analysis.estimate_length_change(step),
                "games": step.games,
            }
        )
    note = (
        f"All {len(analysis.effects)} intervals hold together at {100 * analysis.confidence:g} %."
    )
    return ReportTable("numbers", "The strongest numbers", columns, rows, note)


def _list_inert_numbers(analysis: SensitivityAnalysis) -> list[tuple[str, list[str]]]:
    """Return the numbers that no rule reads, and those that changed no game."""
    games = []
    for step in analysis.effects:
        if step.path in analysis.no_change_seen and step.changes_box:
            games.append(step.games)
    unused = wording.format_count(len(analysis.unused), "number")
    unchanged = wording.format_count(len(analysis.no_change_seen), "number")
    lists = (
        (
            f"No plausible value of {unused} changes the box of this scenario",
            analysis.unused,
        ),
        (
            f"Even at the ends of their ranges, {unchanged} changed none of "
            f"{wording.format_games(min(games, default=0))}",
            analysis.no_change_seen,
        ),
    )
    notes = []
    for title, paths in lists:
        more = len(paths) - MAX_PATHS
        end = f" and {more} more" if more > 0 else ""
        if paths:
            notes.append((title, [", ".join(paths[:MAX_PATHS]) + end]))
    return notes
