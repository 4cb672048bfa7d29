"""Which numbers matter? Each of the box one plausible step away: the strongest, and those that do nothing."""

from __future__ import annotations

import shlex
from typing import Any

from hardmode.reports.console import sensitivity, wording
from hardmode.reports.page.model import Brief, Column, Section, Table
from hardmode.studies.report_run.data import ReportData, command_options, label_settings
from hardmode.studies.sensitivity.analysis import SensitivityAnalysis
from hardmode.studies.sensitivity.paired_effects import group_by_path
from hardmode.studies.sensitivity.screening import LEADING_COUNT

MOST_NAMED = 40  # numbers that do nothing


def section(g: ReportData) -> Section | None:
    found = g.sensitivity
    if found is None:
        return None
    leading = list(group_by_path(found.significant).items())[:LEADING_COUNT]
    return Section(
        "numbers",
        "Which numbers matter?",
        _sentences(g, found),
        [sensitivity.tornado(found, LEADING_COUNT)] if leading else [],
        tables=[_table(found, [n for _, steps in leading for n in steps])] if leading else [],
        notes=_dead(found),
        hints=[
            (
                "More games",
                shlex.join(
                    [
                        "hardmode",
                        "sensitivity",
                        g.scenario.name,
                        *command_options(label_settings(g.first_cell), g.first_cell.overlay),
                        "--seconds",
                        "300",
                    ]
                ),
            )
        ],
        brief=Brief(1, ["sensitivity", "tornado"]),
    )


def _sentences(g: ReportData, found: SensitivityAnalysis) -> list[str]:
    names = [n.path for n in sensitivity.disagreed(found)]
    told = (
        [f"Steady players disagree, in sign or by more than half, on {wording.listed(names)}."]
        if names
        else []
    )
    of = f" of the first variant, {g.base.label}," if len(g.cells) > 1 else ""
    more = len(group_by_path(found.significant)) > LEADING_COUNT
    told.append(
        f"Each number{of} was moved one plausible step up and down, and each switch to its other readings, "
        f"on the same luck, played by {wording.by(found.cell)}. {len(found.significant) or 'None'} of "
        f"the {len(found.effects):,} steps {'is' if len(found.significant) < 2 else 'are'} shown to move the "
        f"{sensitivity.won_text(found)}"
        + (f"; the {LEADING_COUNT} strongest numbers are below." if more else ".")
    )
    left = [n for n in found.not_significant if n.games]
    if left:
        told.append(
            f"Of {len(left)} more, which change games too, it is not settled; each moves it by at most "
            f"{100 * found.get_outer_bound(left[0]):.0f} points{sensitivity.in_company(found)}."
        )
    if left and found.looks > 1:
        told.append(sensitivity.sought(found).capitalize() + ".")
    unplayed = sum(n.changes_box and not n.games for n in found.effects)
    if unplayed:
        told.append(f"There was no time for {unplayed:,} more.")
    return told


def _table(found: SensitivityAnalysis, steps: list[Any]) -> Table:
    rows = [
        {
            "path": n.path,
            "step": sensitivity.step_text(n),
            "points": found.estimate_difference(n),
            "steady": found.estimate_with_steady(n),
            "gained": n.wins_gained,
            "lost": n.wins_lost,
            "length": found.estimate_length_change(n),
            "games": n.games,
        }
        for n in steps
    ]
    columns = [
        Column("path", "number", "code"),
        Column("step", "step"),
        Column("points", "points", "points"),
        *([Column("steady", "by steady", "points")] if found.steady_effects else []),
        Column("gained", "games gained", "count"),
        Column("lost", "lost", "count"),
        Column("length", found.game.unit, "change"),
        Column("games", "games", "count"),
    ]
    return Table(
        "numbers",
        "The strongest numbers",
        columns,
        rows,
        f"All {len(found.effects)} intervals hold together at {100 * found.confidence:g} %.",
    )


def _dead(found: SensitivityAnalysis) -> list[tuple[str, list[str]]]:
    fewest = min((n.games for n in found.effects if n.path in found.no_change_seen and n.changes_box), default=0)
    lists = (
        (f"No rule reads them in this scenario: {len(found.unused)} numbers", found.unused),
        (
            f"Read, but not one of {fewest:,} games changed: {len(found.no_change_seen)} numbers",
            found.no_change_seen,
        ),
    )
    return [
        (
            title,
            [
                ", ".join(paths[:MOST_NAMED])
                + (f" and {len(paths) - MOST_NAMED} more" if len(paths) > MOST_NAMED else "")
            ],
        )
        for title, paths in lists
        if paths
    ]
